"""Fact `replay`: every asserting harness, run on the commit before the change (spec HS-02).

The pinned commit is checked out clean in a folder of its own, today's harness directory is put over
it, and each harness is run there by `replay.cmd`. What runs is declared by the repository, so
`--static` leaves the row out.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.blanking import blank
from goblin.facts.testoutput import Missing, read
from goblin.outcome import CheckFailed
from goblin.pattern import lazy
from goblin.process import environment, run_shell
from goblin.redact import clean, lines

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.facts.harness import Harness, HarnessFile
    from goblin.facts.head import Head
    from goblin.facts.history import History
    from goblin.facts.repository import Repository
    from goblin.git import Git
    from goblin.process import Completed

TIMEOUT = 600.0
"""Seconds that one harness may take."""

MOST_FILES = 20_000
MOST_BYTES = 1 << 30
"""What of a harness directory is copied at most."""

INTERPRETERS = {"mjs": "node", "js": "node", "sh": "bash", "bats": "bats"}
"""What `auto` starts a harness with, by its kind; `.py` runs with the verifier's own Python."""

_SAID = 5  # last lines of a harness that are kept
_PLACE = lazy(r"\{(name|path)\}")
_PLAIN = lazy(r"[A-Za-z0-9_./@%+=,-]+")
_ENDINGS = ("", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx", ".jsx", ".json", ".rb")


class Replayed(NamedTuple):
    """One harness on the old tree. `problem` says why it proves nothing; "" where it is red as it should."""

    path: str
    problem: str
    note: str = ""  # what is worth knowing of a red one
    said: tuple[str, ...] = ()


class Replay(NamedTuple):
    """What came of it. Where `absent` is not empty nothing was run, and it says why."""

    absent: str = ""
    commit: str = ""
    command: str = ""
    results: tuple[Replayed, ...] = ()
    left_out: tuple[str, ...] = ()  # files of a harness's kind that assert nothing


def load(config: Config, harness: Harness, facts: Facts) -> Replay:
    """Replay the harnesses. Raises `CheckFailed` for a declaration, a pin or a directory that is wrong."""
    template = _declared(config)
    pin = config.text("replay.commit").strip()
    if not pin:
        return Replay("no pinned pre-change commit; pin replay.commit once a harness probes a change")
    unusable = harness.unusable(expected=config.flag("scaffold_checks"))
    if unusable:
        raise CheckFailed(unusable, [config.where("harness_dir")])
    if harness.state == "missing":
        return Replay(harness.absent)
    commit = _pinned(pin, facts.get("head"), facts.get("history"), config)
    if not harness.asserting and not harness.unread:
        told = f"no asserting harness in {harness.directory}, so nothing shows that the change was probed"
        raise CheckFailed(told, remedy="write a harness that asserts and exits non-zero (see HS-01)")
    results = _all(template, config.text("replay.env"), commit, harness, facts)
    left_out = [file.path for file in harness.files if file.kind and not file.asserting and not file.problem]
    return Replay("", commit, template, results, tuple(left_out))


def _declared(config: Config) -> str:
    """The command as declared, `auto` replaced by nothing yet."""
    missing = [key for key in ("replay.env", "replay.cmd") if not config.text(key).strip()]
    if missing:
        remedy = "set env: GOBLIN_PRE_COMMIT and cmd: 'auto {path}', or run goblin-install --opt-out replay"
        raise CheckFailed(f"{' and '.join(missing)} is not set", [config.where("replay")], remedy)
    template = config.text("replay.cmd").strip()
    if not _PLACE.search(blank(template, "shell").no_comments):
        where = config.where("replay.cmd", "holds neither {name} nor {path}")
        raise CheckFailed(
            "replay.cmd holds neither {name} nor {path}: it cannot be running the harness it names", [where],
            "write replay.cmd: 'auto {path}'",
        )  # fmt: skip
    return template


def _pinned(pin: str, head: Head, history: History, config: Config) -> str:
    """The full id of the pinned commit, which must lie below HEAD."""
    newest = head.need_commit()
    hint = "; this is a shallow clone: fetch full history (git fetch --unshallow)" if head.shallow else ""
    named = history.named([pin.lower()])[pin.lower()]
    where = config.where("replay.commit")
    if not named.commit:
        raise CheckFailed(f"replay.commit {clean(pin)[:80]} {named.reason}{hint}", [where])
    if named.commit == newest.oid:
        raise CheckFailed("replay.commit is HEAD itself; pin the commit before the change", [where])
    if history.distance(named.commit) is None:
        raise CheckFailed(f"replay.commit {clean(pin)[:80]} is no ancestor of HEAD{hint}", [where])
    return named.commit


def _all(template: str, variable: str, commit: str, harness: Harness, facts: Facts) -> tuple[Replayed, ...]:
    from goblin.checkout import CheckoutFailed, clean_checkout

    results = [Replayed(file.path, f"could not be read: {file.problem}") for file in harness.unread]
    git: Git = facts.get("git")
    repository: Repository = facts.get("repository")
    try:
        with clean_checkout(git, commit) as tree:
            _put_over(facts.run.root, tree, harness.directory)
            present = _belongs(repository, tree)
            for file in harness.asserting:
                facts.run.watch.doing(f"replaying {file.path}")
                results.append(_one(template, variable, commit, file, tree, present))
    except CheckoutFailed as error:
        raise CheckFailed(f"could not run: no clean checkout of {commit[:12]}: {error}") from error
    except OSError as error:
        raise CheckFailed(f"could not run: the checkout of {commit[:12]}: {error.strerror}") from error
    return tuple(sorted(results))


def _one(
    template: str,
    variable: str,
    commit: str,
    file: HarnessFile,
    tree: str,
    present: Callable[[Missing], bool],
) -> Replayed:
    command = command_for(template, file)
    if command is None:
        told = "could not run: its name needs quoting, and replay.cmd holds the place for it inside quotes"
        return Replayed(file.path, told)
    done = run_shell(command, tree, environment({variable: commit}), TIMEOUT)
    return judged(file, done, present)


def command_for(template: str, file: HarnessFile) -> str | None:
    """The shell command that runs one harness; None where its name cannot stand in this command safely.

    `{name}` and `{path}` become one word each, whatever characters they hold. `auto` as the first word
    becomes the interpreter.
    """
    from shlex import quote

    values = {"name": file.stem, "path": file.path}
    first, *rest = template.split(None, 1)
    if first == "auto":
        interpreter = INTERPRETERS.get(file.kind) or sys.executable or "python3"
        template = f"{quote(interpreter)} {rest[0] if rest else ''}"
    used = [values[match[1]] for match in _PLACE.finditer(template)]
    if all(_PLAIN.fullmatch(value) for value in used):
        return _PLACE.sub(lambda match: values[match[1]], template)
    bare = blank(template, "shell").bare
    if "`" in bare or len(_PLACE.findall(bare)) != len(used):
        return None
    return _PLACE.sub(lambda match: quote(values[match[1]]), template)


def judged(file: HarnessFile, done: Completed, present: Callable[[Missing], bool]) -> Replayed:
    """What one run on the old tree says about a harness."""
    said = tuple(lines(done.output, most=_SAID))
    if done.could_not_run():
        return Replayed(file.path, f"{done.could_not_run()}: it could not be executed there", "", said)
    seen = read(done.output, file.path, present)
    if done.code == 0:
        none = f" (it ran no test: {clean(seen.none_ran)[:80]})" if seen.none_ran else ""
        return Replayed(file.path, f"green on the old tree too: proves nothing{none}{_negated(file)}")
    if seen.assertions:
        return Replayed(file.path, "", "", said)
    if seen.none_ran:
        return Replayed(
            file.path, f"exit {done.code}, and no test ran: {clean(seen.none_ran)[:80]}", "", said
        )
    if seen.missing:
        what = seen.missing[0]
        told = f"red for the wrong reason: the {what.kind} {clean(what.name)[:80]} is missing there"
        return Replayed(file.path, f"{told} (could not run, exit {done.code})", "", said)
    return Replayed(file.path, "", f"red with exit {done.code}, and printed no FAIL line", said)


_NEGATED = lazy(r"^[ \t]*![ \t]+\S", re.MULTILINE)


def _negated(file: HarnessFile) -> str:
    """A hint for shell tests: a command behind `!` never ends a script, whatever `set -e` says."""
    match = _NEGATED.search(file.code.bare) if file.kind in ("sh", "bats") else None
    if not match:
        return ""
    line = file.code.bare.count("\n", 0, match.end()) + 1
    return f"; line {line} begins with `!`, which cannot fail it: write `if ...; then exit 1; fi`"


# --- the old tree with today's harnesses ---------------------------------------------------------


def _put_over(root: str, tree: str, directory: str) -> None:
    """Replace the harness directory of a checkout by the one that stands at the root now."""
    from goblin.tempfolder import remove_tree

    target = tree
    for part in directory.split("/"):
        target = os.path.join(target, part)
        if os.path.islink(target) or os.path.isfile(target):
            os.unlink(target)
        if target != os.path.join(tree, directory) and not os.path.isdir(target):
            os.mkdir(target)
    if os.path.isdir(target):
        remove_tree(target)
    left = _Left(MOST_FILES, MOST_BYTES)
    left.copy(os.path.join(root, directory), target)


class _Left:
    """How many files and bytes may still be copied."""

    def __init__(self, files: int, size: int) -> None:
        self.files = files
        self.size = size

    def spend(self, size: int = 0) -> None:
        """Count one entry, or the bytes of one; raises `CheckFailed` where that is too much."""
        self.files -= not size
        self.size -= size
        if self.files < 0 or self.size < 0:
            raise CheckFailed(
                f"could not run: the harness directory holds more than {MOST_FILES} entries or "
                f"{MOST_BYTES >> 20} MiB, which is more than is replayed"
            )

    def copy(self, source: str, target: str) -> None:
        """Copy a folder: files by their bytes, links as links, nothing else."""
        os.mkdir(target)
        with os.scandir(source) as entries:
            for entry in entries:
                self.spend()
                there = os.path.join(target, entry.name)
                if entry.is_symlink():
                    os.symlink(os.readlink(entry.path), there)
                elif entry.is_dir():
                    self.copy(entry.path, there)
                elif entry.is_file():
                    self._file(entry.path, there)

    def _file(self, source: str, target: str) -> None:
        descriptor = os.open(source, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as stream:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                return
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            with os.fdopen(os.open(target, flags, stat.S_IMODE(mode) & 0o777 | 0o600), "wb") as copy:
                while block := stream.read(1 << 20):
                    self.spend(len(block))
                    copy.write(block)


def _belongs(repository: Repository, tree: str) -> Callable[[Missing], bool]:
    """Whether what is missing on the old tree is tracked today: then the change itself brought it."""
    paths = frozenset(entry.path for entry in repository.entries)

    @cache
    def folders() -> frozenset[str]:
        return frozenset(folder for path in paths for folder in _above(path))

    @cache
    def modules() -> frozenset[str]:
        found: set[str] = set()
        for path in paths:
            if path.endswith(".py"):
                found.update(_tails(path.removesuffix(".py")), _tails(os.path.dirname(path)))
            elif path.endswith("/package.json"):
                found.update(_tails(os.path.dirname(path)))
        return frozenset(found)

    def belongs(missing: Missing) -> bool:
        path = os.path.normpath(missing.name)
        path = os.path.relpath(path, tree) if os.path.isabs(path) else path
        if missing.kind == "command" and "/" not in missing.name:
            return False
        if any(path + ending in paths for ending in _ENDINGS) or path in folders():
            return True
        return missing.kind == "module" and missing.name.replace(".", "/") in modules()

    return belongs


def _above(path: str) -> list[str]:
    """Every folder that a path lies in."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _tails(path: str) -> list[str]:
    """`a/b/c` as `c`, `b/c` and `a/b/c`: how an import may name it."""
    parts = path.split("/")
    return ["/".join(parts[count:]) for count in range(len(parts))]
