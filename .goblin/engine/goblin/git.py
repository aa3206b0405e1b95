"""Hardened git plumbing: git answers about this repository, and runs nothing that it names.

The repository's own configuration is not trusted to name a program, and the caller's environment
is not trusted to name another repository. Every call passes the git directory and the work tree
explicitly, drops every inherited `GIT_*` variable, switches off hooks, fsmonitor, pagers, prompts,
transports, replace refs and lazy fetches, and speaks bytes with NUL ends. Only plumbing commands
are used, so user settings for colour, prefixes and external diffs change nothing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from goblin import catfile, gitfiles, searchpath
from goblin.child import Conversation, Running, heed_children
from goblin.outcome import CannotRun

TIMEOUT = 120.0
"""Seconds that one git call may take."""

LARGEST = 128 << 20
"""Bytes of objects that one question brings into memory."""

_ONE_BY_ONE = 16
"""Objects up to which they are asked for one after another; many are faster in one go."""

_CONFIG_READ = 1 << 20  # bytes of a configuration file that are searched here; of a larger one git is asked

_FIXED = (
    "--no-pager",
    "--literal-pathspecs",
    "-c", "core.fsmonitor=false",
    # What git looks at to tell that a file was written: all that it can, whatever the repository says.
    "-c", "core.trustctime=true",
    "-c", "core.checkStat=default",
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.quotePath=false",
    "-c", "core.attributesFile=/dev/null",
    "-c", "core.alternateRefsCommand=",
    "-c", "diff.external=",
    "-c", "diff.noprefix=false",
    "-c", "diff.mnemonicPrefix=false",
    "-c", "color.ui=false",
    "-c", "log.showSignature=false",
    "-c", "protocol.allow=never",
    "-c", "submodule.recurse=false",
    # Memory stays bounded on a long history: a walk maps no more of the packs than this.
    "-c", "core.packedGitLimit=48m",
    "-c", "core.packedGitWindowSize=4m",
    "-c", "core.deltaBaseCacheLimit=8m",
)  # fmt: skip

_LOOKS_AT_FILES = frozenset({"status", "diff", "diff-files", "diff-index"})
_NOT_ENTERED = "--ignore-submodules=dirty"
"""A submodule's work tree is not looked at: that would run the filters of its own configuration."""

PRIVATE_EXCLUDES_OFF = ("-c", "core.excludesFile=/dev/null")
"""For questions that only the committed ignore files may answer."""


class Repo(NamedTuple):
    """Where a repository lives. Paths are absolute and resolved; `top` is "" for a bare one."""

    top: str
    git_dir: str
    common_dir: str
    bare: bool


class Result(NamedTuple):
    """How one git call ended."""

    code: int
    out: bytes
    err: bytes

    def said(self) -> str:
        """Git's own first line of complaint, ready to print."""
        from goblin.redact import clean, mask

        for line in self.err.decode("utf-8", "replace").splitlines():
            if line.strip():
                return clean(mask(line.strip()))[:300]
        return f"exit {self.code}"


class GitError(Exception):
    """A git call that failed; `str()` is `git said: ...`, and an empty answer never stands in for it."""

    def __init__(self, args: Sequence[str], result: Result) -> None:
        super().__init__(f"git said: {result.said()} (git {' '.join(args[:2])})")
        self.result = result


_UNREADABLE = (
    b"bad config ",
    b"bad boolean config ",
    b"bad numeric config ",
    b"unknown error occurred while reading the configuration",
    b"unknown repository extension",
    b"Expected git repo version",
)
"""How git begins to say that it cannot read its configuration, or this kind of repository at all."""


def need_readable(result: Result) -> None:
    """Raise `CannotRun` where git answers nothing because of its configuration: no row is to blame."""
    if result.code != 128:
        return
    said = result.err.partition(b"fatal: ")[2]
    shut_out = said.startswith(b"unable to access '") and b"config': " in said
    if said.startswith(_UNREADABLE) or shut_out:
        raise CannotRun(
            f"git cannot read this repository: {result._replace(err=said).said()}",
            "mend what git names; git config --list in the repository says the same until then",
        )


def _start_of(path: str, limit: int = 4096) -> bytes | None:
    """The first bytes of a regular file, or None; a FIFO or a device under its name is not waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError):
        return None
    try:
        return os.read(descriptor, limit) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _pointer(dot_git: str) -> str | None:
    """The folder that a `.git` file names, or None when it is not such a file."""
    head = _start_of(dot_git)
    if head is None or not head.startswith(b"gitdir:"):
        return None
    return os.path.join(os.path.dirname(dot_git), os.fsdecode(head[7:].strip()))


def _is_git_dir(path: str) -> bool:
    if not os.path.isfile(os.path.join(path, "HEAD")):
        return False
    if os.path.isfile(os.path.join(path, "commondir")):
        return True
    return os.path.isdir(os.path.join(path, "objects")) and os.path.isdir(os.path.join(path, "refs"))


def _common(git_dir: str) -> str:
    head = _start_of(os.path.join(git_dir, "commondir"))
    return os.path.realpath(os.path.join(git_dir, os.fsdecode(head.strip()))) if head else git_dir


def at(folder: str) -> Repo | None:
    """The repository whose top is exactly `folder` (or whose bare folder it is), or None. Runs nothing."""
    folder = os.path.realpath(folder)
    dot_git = os.path.join(folder, ".git")
    candidate = dot_git if os.path.isdir(dot_git) else _pointer(dot_git) if os.path.isfile(dot_git) else None
    if candidate and _is_git_dir(candidate):
        git_dir = os.path.realpath(candidate)
        return Repo(folder, git_dir, _common(git_dir), False)
    if _is_git_dir(folder):
        return Repo("", folder, _common(folder), True)
    return None


def discover(start: str) -> Repo | None:
    """The innermost repository that holds `start`, found by walking up. Runs nothing."""
    folder = os.path.realpath(start)
    while True:
        found = at(folder)
        if found:
            return found
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def environment(settings: Sequence[tuple[str, str]] = ()) -> dict[str, str]:
    """The environment of every git call: nothing inherited can redirect, prompt, page or translate it.

    `settings` are configuration keys to force; they travel here because a key may hold any character.
    """
    env = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "LC_"))}
    env.update(
        PATH=searchpath.value(),
        LC_ALL="C",
        LANGUAGE="C",
        GIT_OPTIONAL_LOCKS="0",
        GIT_TERMINAL_PROMPT="0",
        GIT_NO_REPLACE_OBJECTS="1",
        GIT_NO_LAZY_FETCH="1",
        GIT_ALLOW_PROTOCOL="none",
        GIT_GRAFT_FILE=f"{os.devnull}/none",  # a file that exists, even an empty one, draws a hint to stderr
        GIT_ATTR_NOSYSTEM="1",
        GIT_CONFIG_COUNT=str(len(settings)),
    )
    for index, (key, value) in enumerate(settings):
        env[f"GIT_CONFIG_KEY_{index}"] = key
        env[f"GIT_CONFIG_VALUE_{index}"] = value
    return env


class Git:
    """Git, asked about one repository."""

    def __init__(self, repo: Repo) -> None:
        heed_children()
        self.repo = repo
        self._filters_off: tuple[tuple[str, str], ...] | None = None
        self._silent: bytes | None = None  # why git is not asked: it would not answer, or did not in time
        self._program = ""
        self._idle: list[Conversation] = []
        self._begun: dict[tuple[str, ...], Running] = {}

    def argv(self, args: Iterable[str]) -> list[str]:
        """The full argument list of a call, for whoever must start the process himself."""
        place = ["git", f"--git-dir={self.repo.git_dir}"]
        if not self.repo.bare:
            place.append(f"--work-tree={self.repo.top}")
        command, *rest = args
        if command in _LOOKS_AT_FILES:
            rest.insert(0, _NOT_ENTERED)
        return [*place, *_FIXED, command, *rest]

    def call(self, *args: str, stdin: bytes = b"", worktree: bool = False, most: int = 0) -> Result:
        """Run one git command and return how it ended.

        `worktree` is for commands that read file contents of the work tree (status, diff-files):
        it switches off every content filter that the configuration names. A command that prints more
        than `most` bytes, where that is not 0, is stopped there: code 125.
        """
        if self._is_silent():
            return Result(124, b"", self._silent or b"")
        program = self._found()
        if not program:
            return Result(127, b"", b"git is not on PATH")
        begun = self._begun.pop(args, None)
        if begun is None or not begun.is_ours():
            begun = self._start(program, args, stdin, worktree)
        done = begun.ended(most)
        if done.expired:
            return self._unanswered(args)
        if most and len(done.out) > most:
            return _too_much(most)
        result = Result(done.code, done.out, done.err)
        need_readable(result)
        return result

    def begin(self, *args: str, worktree: bool = False) -> None:
        """Let git work on a question that will be asked: `call` with these arguments takes the answer."""
        program = self._found()
        if program and not self._is_silent():
            self._begun[args] = self._start(program, args, b"", worktree)

    def _start(self, program: str, args: Sequence[str], stdin: bytes, worktree: bool) -> Running:
        _, *rest = self.argv(args)
        argv = ["git", "-C", self.repo.top or self.repo.git_dir, *rest]
        return Running(program, argv, environment(self._no_filters() if worktree else ()), stdin, TIMEOUT)

    def run(self, *args: str, stdin: bytes = b"", worktree: bool = False) -> bytes:
        """The standard output of a command that must succeed; raises `GitError` otherwise."""
        result = self.call(*args, stdin=stdin, worktree=worktree)
        if result.code != 0:
            raise GitError(args, result)
        return result.out

    def _found(self) -> str:
        """The path of git, "" where PATH has none; looked for until it is found."""
        if not self._program:
            self._program = searchpath.find("git")
        return self._program

    def _is_silent(self) -> bool:
        """True where git gives no answer; the reason is `_silent` then."""
        if self._silent is None:
            pipe = gitfiles.pipe(self.repo.top, {self.repo.git_dir, self.repo.common_dir})
            told = f"{pipe} is a named pipe, at which git would wait for ever"
            self._silent = os.fsencode(told) if pipe else b""
        return bool(self._silent)

    def _unanswered(self, args: Sequence[str]) -> Result:
        asked = next((word for word in args if not word.startswith("-") and "=" not in word), "")
        self._silent = os.fsencode(f"no answer to `git {asked}` within {TIMEOUT:.0f} s")
        hint = "a named pipe among .gitignore, .gitattributes or the files of .git stops it"
        return Result(124, b"", f"no answer within {TIMEOUT:.0f} s; {hint}".encode())

    @contextmanager
    def reading(self) -> Iterator[Conversation]:
        """A `cat-file --batch` that nobody else asks meanwhile; raises `OSError` where there is none.

        It stays open for the next who asks, unless something went wrong: starting one for each question
        takes ten times as long as the answer.
        """
        while self._idle:
            talk = self._idle.pop()
            if talk.is_open():
                break
        else:
            talk = Conversation(self._found(), self.argv(["cat-file", "--batch"]), environment(), TIMEOUT)
        yield talk
        self._idle.append(talk)

    def objects(self, names: Sequence[str], most: int = LARGEST) -> list[tuple[str, str, bytes] | None]:
        """Read many objects: for each name its id, type and content, or None.

        Names are revisions such as an id or `HEAD:path`; one that holds a line break is never found.
        Raises `GitError`, also for more than `most` bytes in all: a blob of gigabytes takes a few bytes
        of a history.
        """
        asked = ["" if "\n" in name or not name else name for name in names]
        args = ("cat-file", "--batch")
        if len(asked) <= _ONE_BY_ONE and not self._is_silent():
            try:
                with self.reading() as talk:
                    return catfile.answers(talk, asked, most)
            except TimeoutError:
                raise GitError(args, self._unanswered(args)) from None
            except catfile.TooMuch:
                raise GitError(args, _too_much(most)) from None
            except OSError:
                pass  # git ended at once: asked again below, it says why
        stdin = b"".join(catfile.question(name) for name in asked)
        result = self.call(*args, stdin=stdin, most=most)
        if result.code != 0:
            raise GitError(args, result)
        out = result.out
        found: list[tuple[str, str, bytes] | None] = []
        at = 0
        for name in asked:
            end = out.index(b"\n", at)
            header = catfile.header(out[at:end])
            at = end + 1
            if not header:
                found.append(None)
                continue
            oid, kind, size = header
            content = out[at : at + size]
            at += size + 1
            found.append((oid, kind, content) if name else None)
        return found

    def _no_filters(self) -> tuple[tuple[str, str], ...]:
        """Settings that empty every content filter which the repository's own configuration names.

        A filter of the user's own configuration (a large-file extension, say) is the user's and stays.
        Git is asked for names only where a configuration file mentions one: most have none.
        """
        if self._filters_off is None:
            off: list[tuple[str, str]] = []
            for scope, name in self._configured() if self._mentions_filters() else []:
                driver, _, key = name.removeprefix("filter.").rpartition(".")
                if scope in ("local", "worktree") and name.startswith("filter.") and driver:
                    off.append((name, "false" if key == "required" else ""))
            self._filters_off = tuple(off)
        return self._filters_off

    def _mentions_filters(self) -> bool:
        for folder in {self.repo.git_dir, self.repo.common_dir}:
            for name in ("config", "config.worktree"):
                text = (_start_of(os.path.join(folder, name), _CONFIG_READ) or b"").lower()
                if b"filter" in text or b"include" in text or len(text) == _CONFIG_READ:
                    return True
        return False

    def _configured(self) -> list[tuple[str, str]]:
        """Every configured key with the scope that it comes from."""
        fields = self.call("config", "--list", "--name-only", "--show-scope", "-z").out.split(b"\0")
        return [
            (os.fsdecode(scope), os.fsdecode(name)) for scope, name in zip(*[iter(fields)] * 2, strict=False)
        ]


def _too_much(most: int) -> Result:
    return Result(125, b"", f"more than the {most >> 20} MiB that are read".encode())
