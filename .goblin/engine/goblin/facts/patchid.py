"""Fact `patch_ids`: what a range of commits changes, as the number that `git patch-id` gives it.

The number must depend on the two trees alone. So the diff is made in an empty repository that borrows
the objects: no configuration, no attributes, no filter, no external diff and no text conversion of
anybody can reach it, and every option that changes the output is fixed at git's own default.
By hand: `git diff --full-index BASE HEAD | git patch-id --verbatim`.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from goblin import cache
from goblin import git as plumbing
from goblin.git import Git, GitError, Repo, Result
from goblin.outcome import CheckFailed
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts import Run

TIMEOUT = plumbing.TIMEOUT
MOST_BYTES = 1 << 30
"""Bytes of one diff that are read; nobody reviews as much."""

MOST_COMMITS = 500
"""Commits of a range that are looked at one by one."""

BESIDE = (":(top,exclude)reviews", ":(top,exclude)HANDOFF.md")
"""Where a commit that only records a review writes."""

_DIFF = (
    "-c", "core.quotePath=true", "-c", "diff.suppressBlankEmpty=false",
    "diff-tree", "-p", "-r", "--root", "--full-index", "-M", "-l1000", "-U3", "--inter-hunk-context=0",
    "--diff-algorithm=myers", "--indent-heuristic", "--no-color", "--no-ext-diff", "--no-textconv",
    "--src-prefix=a/", "--dst-prefix=b/", "--no-relative", "--ignore-submodules=none", "--submodule=short",
)  # fmt: skip
_CHUNK = 1 << 20
_CACHE = "patch-ids.json"
_CACHE_FORMAT = 1
_KEPT = 2000
_ID = lazy(rb"([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64})")


class Ids(NamedTuple):
    """The two ids of a range; "" for a range that changes nothing."""

    verbatim: str
    folded: str  # `--stable`: white space does not count


class PatchIds:
    """Patch ids of ranges. Every method may raise `GitError`, and `CheckFailed` for a diff too large."""

    def __init__(self, git: Git, cache_dir: str = "") -> None:
        self._git = git
        self._cache_dir = cache_dir
        self._known: dict[str, str] = {}
        self._recalled = not cache_dir

    def of(self, base: str, head: str, exclude: Sequence[str] = ()) -> Ids:
        """The ids of the diff between two commits (full ids), without what `exclude` (pathspecs) names."""
        return Ids(self.verbatim(base, head, exclude), self.folded(base, head, exclude))

    def verbatim(self, base: str, head: str, exclude: Sequence[str] = ()) -> str:
        """The id in which every character counts."""
        return self._one("verbatim", base, head, exclude)

    def folded(self, base: str, head: str, exclude: Sequence[str] = ()) -> str:
        """The id in which white space does not count."""
        return self._one("stable", base, head, exclude)

    def prime(self, ranges: Iterable[tuple[str, str]]) -> None:
        """Work out the verbatim ids of many (base, head) with one process.

        What has no answer there, such as a commit that is missing, is left to `verbatim` to complain of.
        """
        missing = {
            (base, head) for base, head in ranges if _key("verbatim", base, head, ()) not in self._recall()
        }
        while missing:
            batch = {head: base for base, head in sorted(missing)}  # the answer names the head alone
            missing -= {(base, head) for head, base in batch.items()}
            stdin = "".join(f"{head} {base}\n" for head, base in batch.items()).encode()
            try:
                found = dict(self._numbers("verbatim", ("--stdin",), stdin, len(next(iter(batch)))))
            except (GitError, CheckFailed):
                continue
            for head, base in batch.items():
                if head in found:
                    self._known[_key("verbatim", base, head, ())] = found[head]
            self._keep()

    def of_commits(self, start: str, tip: str, exclude: Sequence[str] = ()) -> dict[str, str]:
        """The verbatim id of each commit of `start..tip` that is no merge, newest first."""
        out = self._git.run("rev-list", "--no-merges", f"--max-count={MOST_COMMITS}", tip, f"^{start}")
        commits = out.decode("ascii").split()
        missing = [commit for commit in commits if _key("commit", "", commit, exclude) not in self._recall()]
        if missing:
            stdin = "".join(f"{commit}\n" for commit in missing).encode()
            found = dict(self._numbers("verbatim", ("--stdin", "--", *exclude), stdin, len(tip)))
            for commit in missing:
                self._known[_key("commit", "", commit, exclude)] = found.get(commit, "")
            self._keep()
        return {commit: self._known[_key("commit", "", commit, exclude)] for commit in commits}

    def _one(self, form: str, base: str, head: str, exclude: Sequence[str]) -> str:
        key = _key(form, base, head, exclude)
        if key not in self._recall():
            numbers = self._numbers(form, (base, head, "--", *exclude), b"", len(head))
            self._known[key] = next((number for _, number in numbers), "")
            self._keep()
        return self._known[key]

    def _numbers(self, form: str, what: Sequence[str], stdin: bytes, id_length: int) -> list[tuple[str, str]]:
        """(commit, patch id) of each diff that is not empty; the commit is zeros where none was named."""
        with _bare(self._git, id_length) as bare:
            glob = () if not any(word.startswith(":(") for word in what) else ("--no-literal-pathspecs",)
            out = bare.piped((*glob, *_DIFF, *what), ("patch-id", f"--{form}"), stdin)
        return [(commit.decode(), number.decode()) for number, commit in _ID.findall(out)]

    def _recall(self) -> dict[str, str]:
        if not self._recalled:
            self._recalled = True
            value = cache.recall(self._cache_dir, _CACHE)
            if isinstance(value, dict) and value.get("format") == _CACHE_FORMAT:
                ids = value.get("ids")
                for key, number in ids.items() if isinstance(ids, dict) else ():
                    if isinstance(number, str) and re.fullmatch("(?:[0-9a-f]{40}|[0-9a-f]{64})?", number):
                        self._known[key] = number
        return self._known

    def _keep(self) -> None:
        if self._cache_dir:
            newest = dict(list(self._known.items())[-_KEPT:])
            cache.remember(self._cache_dir, _CACHE, {"format": _CACHE_FORMAT, "ids": newest})


def _key(form: str, base: str, head: str, exclude: Sequence[str]) -> str:
    return " ".join((form, base, head, *exclude))


class _Bare:
    """An empty repository in a temporary folder that reads the objects of another."""

    def __init__(self, git: Git, folder: str, id_length: int) -> None:
        os.mkdir(os.path.join(folder, "refs"))
        self._write("HEAD", b"ref: refs/heads/none\n", folder)
        if id_length == 64:
            self._write("config", _SHA256, folder)
        shallow = os.path.join(git.repo.common_dir, "shallow")
        if os.path.isfile(shallow):  # a commit on the edge has no parent here
            with open(shallow, "rb") as stream:
                self._write("shallow", stream.read(), folder)
        self._folder = folder
        self._git = Git(Repo("", folder, folder, True))
        self._env = plumbing.environment()
        self._env["GIT_OBJECT_DIRECTORY"] = os.path.join(git.repo.common_dir, "objects")
        self._env["GIT_CONFIG_NOSYSTEM"] = "1"
        self._env["GIT_CONFIG_GLOBAL"] = os.devnull

    @staticmethod
    def _write(name: str, data: bytes, folder: str) -> str:
        path = os.path.join(folder, name)
        with open(path, "wb") as stream:
            stream.write(data)
        return path

    def piped(self, first: Sequence[str], second: Sequence[str], stdin: bytes) -> bytes:
        """What the second git command makes of the first one's output, which is never held whole.

        A NUL in a line would hide the rest of it from `git patch-id`, so it is passed on as two bytes.
        """
        import threading

        late = threading.Event()
        started: list[subprocess.Popen[bytes]] = []

        def stop() -> None:
            late.set()
            for process in started:
                process.kill()

        timer = threading.Timer(TIMEOUT, stop)
        timer.start()
        asked = self._write("asked", stdin, self._folder)
        try:
            with (
                open(asked, "rb") as source,
                self._errors("first") as said,
                self._errors("second") as said_too,
            ):
                started.append(self._start(first, source, said))
                started.append(self._start(second, subprocess.PIPE, said_too))
                _pump(*started)
                out, _ = started[1].communicate()
                started[0].wait()
                if late.is_set():
                    raise GitError(
                        _shown(first), Result(124, b"", f"no answer within {TIMEOUT:.0f} s".encode())
                    )
                for arguments, process, words in ((second, started[1], said_too), (first, started[0], said)):
                    if process.returncode:
                        words.seek(0)
                        raise GitError(
                            _shown(arguments), Result(process.returncode, b"", _plainer(words.read()))
                        )
                return out
        except FileNotFoundError as error:
            raise GitError(_shown(first), Result(127, b"", b"git is not on PATH")) from error
        finally:
            timer.cancel()
            for process in started:
                process.kill()
                process.wait()
                for stream in (process.stdin, process.stdout):
                    if stream and not stream.closed:
                        with suppress(OSError):
                            stream.close()

    def _errors(self, name: str) -> BinaryIO:
        return open(os.path.join(self._folder, f"said-by-{name}"), "w+b")

    def _start(
        self, arguments: Sequence[str], stdin: int | BinaryIO, errors: BinaryIO
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._git.argv(arguments),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=self._folder,
            env=self._env,
        )


_SHA256 = b"[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"


@contextmanager
def _bare(git: Git, id_length: int) -> Iterator[_Bare]:
    from shutil import rmtree
    from tempfile import mkdtemp

    try:
        folder = os.path.realpath(mkdtemp(prefix="goblin-diff-"))
    except OSError as error:
        raise CheckFailed(f"could not run: no temporary folder can be made: {error.strerror}") from error
    try:
        yield _Bare(git, folder, id_length)
    finally:
        rmtree(folder, ignore_errors=True)


def _pump(source: subprocess.Popen[bytes], sink: subprocess.Popen[bytes]) -> None:
    """Pass the output of one process on to the other, within bounds; ends early where the reader ended."""
    assert source.stdout
    assert sink.stdin
    size = 0
    with suppress(BrokenPipeError):
        while chunk := source.stdout.read(_CHUNK):
            size += len(chunk)
            if size > MOST_BYTES:
                most = f"{MOST_BYTES >> 20} MiB"
                raise CheckFailed(f"the diff has more than {most}, which no patch id is made of")
            sink.stdin.write(chunk.replace(b"\0", b"\\0"))
    source.stdout.close()


def _shown(arguments: Sequence[str]) -> Sequence[str]:
    return [word for word in arguments if word in ("diff-tree", "patch-id", "--verbatim", "--stable")]


def _plainer(said: bytes) -> bytes:
    """Git's complaint, or what it means where an old git does not know `--verbatim`."""
    if said.startswith(b"usage:"):
        return b"this git has no patch-id --verbatim; git 2.39 or later has"
    return said


def load(git: Git, run: Run) -> PatchIds:
    """The patch ids of the repository under test, kept in its git directory where the run may."""
    keep = run.cache and not run.static and run.git_dir
    return PatchIds(git, run.git_dir or "" if keep else "")
