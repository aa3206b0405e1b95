"""Facts `ratchet_run` and `ratchet_base`: the number that may fall and never rise, and what it may be.

The command's standard output is the number: one line of decimal digits. `ratchet_base` says what
the config held where HEAD left the declared branch, so that a ceiling cannot be raised in silence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from goblin import atomic, process
from goblin.paths import ReadRefused, Tree
from goblin.pattern import lazy
from goblin.redact import clean, lines, mask

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.anchor import Anchor
    from goblin.facts.config import Config, Ratchet
    from goblin.facts.head import Head
    from goblin.facts.pathlog import PathLog
    from goblin.git import Git

MEMORY = ".goblin/ratchet-last"
CONFIG = ".goblin/goblin.yaml"
ROW = "GT-05"
"""The row that judges the number; the memory is kept up where it runs."""

_NUMBER = lazy(r"[0-9]{1,18}")
_RAISED = lazy(r"\s*([0-9]{1,18})\s*\+\s*(-?[0-9]{1,18})\s*=\s*([0-9]{1,18})\s*:(.*)", re.DOTALL)
_MOST_CONFIGS = 500
"""Committed versions of the config that are looked through, newest first."""


class RatchetRun(NamedTuple):
    """The ratchet measured once. Without a `value` the `problem` says why."""

    ratchet: Ratchet
    value: int | None
    problem: str
    code: int  # the command's exit code; any but 126, 127 and a signal may stand beside a number
    said: tuple[str, ...]  # its last lines, masked
    old: int | None = None  # the value of the last run that was kept
    memory: str = ""  # what is wrong with the memory, if anything

    @property
    def over(self) -> bool:
        """True for a value above the ceiling."""
        ceiling = self.ratchet.ceiling
        return self.value is not None and ceiling is not None and self.value > ceiling

    @property
    def holds(self) -> bool:
        """True for a value at or under the ceiling."""
        return self.value is not None and self.ratchet.ceiling is not None and not self.over


class Declared(NamedTuple):
    """A ratchet as some commit's config declares it."""

    name: str
    cmd: str
    ceiling: int | None


class Base(NamedTuple):
    """What the ratchet was before this change. `reason` says why that is not known ("" when it is)."""

    anchor: str  # such as origin/main
    commit: str  # the merge base
    then: Declared | None  # None where that commit declared none
    now: Declared | None  # what the tip of the anchor declares
    reason: str
    held: int | None = None  # a ceiling in history, looked for only where there is none now
    held_in: str = ""  # the commit that holds it


def measure(root: str, ratchet: Ratchet, run: process.Runner = process.run_shell) -> RatchetRun:
    """Run the ratchet's command once in `root`; never raises for its failure."""
    done = run(ratchet.cmd, root, timeout=process.DEFAULT_TIMEOUT, apart=True)
    said = tuple(lines(done.output + b"\n" + done.errors))
    problem = done.could_not_run()
    value = None
    if not problem:
        value, problem = _value(done.output)
    return RatchetRun(ratchet, value, problem, done.code, said)


def _value(output: bytes) -> tuple[int | None, str]:
    """The number that was printed, or why it is none."""
    found = [line.strip() for line in output.decode("utf-8", "replace").split("\n") if line.strip()]
    if not found:
        return None, "not a number: printed nothing"
    if len(found) > 1:
        return None, f"not a number: printed {len(found)} lines"
    if not _NUMBER.fullmatch(found[0]):
        return None, f"not a number: printed {clean(mask(found[0]))[:80]!r}"
    return int(found[0]), ""


def load(facts: Facts) -> RatchetRun | None:
    """Measure the declared ratchet; None where none is declared (a name and a command are needed).

    A value at or under its ceiling is kept in `.goblin/ratchet-last` where GT-05 runs.
    """
    config: Config = facts.get("config")
    ratchet = config.ratchet()
    if ratchet is None or not ratchet.name or not ratchet.cmd:
        return None
    tree: Tree = facts.get("tree")
    found = measure(facts.run.root, ratchet)
    old, memory = _remembered(tree)
    if ROW in facts.run.selected and found.value is not None and found.holds:
        memory = _remember(tree, found.value) or memory
    return found._replace(old=old, memory=memory)


def _remembered(tree: Tree) -> tuple[int | None, str]:
    try:
        text = tree.read(MEMORY, 64).decode("utf-8", "replace").removeprefix("\ufeff").strip()
    except ReadRefused as error:
        return (None, "") if tree.kind(MEMORY) == "missing" else (None, f"not used: {error}")
    return (int(text), "") if _NUMBER.fullmatch(text) else (None, f"{MEMORY} held no number and is not used")


def _remember(tree: Tree, value: int) -> str:
    try:
        atomic.write(tree.writing(MEMORY), f"{value}\n".encode())
    except (OSError, ReadRefused) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return f"{MEMORY} not written: {reason}"
    return ""


def base(facts: Facts) -> Base:
    """Fact `ratchet_base`: the ratchet at the merge base with the declared branch and at its tip.

    Where the config names a ratchet without a ceiling, also the newest number that a commit under
    HEAD holds for that name. Raises `GitError` where git breaks.
    """
    head: Head = facts.get("head")
    anchor: Anchor = facts.get("anchor")
    git: Git = facts.get("git")
    result = Base(anchor.name, anchor.base, None, None, anchor.reason)
    ratchet: Ratchet | None = facts.get("config").ratchet()
    if anchor.base:
        present = _present(facts.get("tree"), ratchet)
        found = git.objects([f"{anchor.base}:{CONFIG}", f"{anchor.ref}:{CONFIG}"])
        try:
            then, now = (
                (present.get(entry[2]) or declared(entry[2])) if entry and entry[1] == "blob" else None
                for entry in found
            )
            result = result._replace(then=then, now=now)
        except ValueError as error:
            result = result._replace(reason=f"the config there cannot be read: {error}")
    if ratchet is None or ratchet.ceiling is not None or head.commit is None:
        return result
    return _with_history(git, facts.get("path_log"), head.commit.oid, ratchet.name, result)


def _present(tree: Tree, ratchet: Ratchet | None) -> dict[bytes, Declared]:
    """The bytes of today's config and what they declare, so that equal bytes are not parsed again."""
    if ratchet is None or not ratchet.name:
        return {}
    try:
        return {tree.read(CONFIG): Declared(ratchet.name, ratchet.cmd, ratchet.ceiling)}
    except ReadRefused:
        return {}


def _with_history(git: Git, log: PathLog, tip: str, name: str, result: Base) -> Base:
    commits = [tip, *log.touching(CONFIG)[:_MOST_CONFIGS]]
    seen: set[str] = set()
    for commit, entry in zip(commits, git.objects([f"{commit}:{CONFIG}" for commit in commits]), strict=True):
        if entry is None or entry[1] != "blob" or entry[0] in seen:
            continue
        seen.add(entry[0])
        try:
            old = declared(entry[2])
        except ValueError:
            continue
        if old is not None and old.name == name and old.ceiling is not None:
            return result._replace(held=old.ceiling, held_in=commit)
    return result


def declared(data: bytes) -> Declared | None:
    """The ratchet of a config's bytes, or None; raises `ValueError` where they cannot be read."""
    from goblin import yaml

    tree = yaml.load(data, CONFIG)
    node = tree.get("ratchet") if isinstance(tree, dict) else None
    if not isinstance(node, dict):
        return None
    name, cmd, ceiling = (_text(node.get(key)) for key in ("name", "cmd", "ceiling"))
    if not name:
        return None
    return Declared(name, cmd, int(ceiling) if _NUMBER.fullmatch(ceiling) else None)


def _text(node: object) -> str:
    from goblin import yaml

    return str(node) if isinstance(node, yaml.Text) and not yaml.is_unset(node) else ""


class Raised(NamedTuple):
    """The sum written out in `ratchet.raised`: `<old> + <added> = <new>: <reason>`."""

    old: int
    added: int
    new: int
    reason: str

    @classmethod
    def read(cls, text: str) -> Raised | None:
        """The sum of such a text, or None where it is none."""
        match = _RAISED.fullmatch(text)
        return cls(int(match[1]), int(match[2]), int(match[3]), match[4].strip()) if match else None

    @property
    def adds_up(self) -> bool:
        """True where the sum is right."""
        return self.old + self.added == self.new

    @property
    def has_reason(self) -> bool:
        """True where the reason holds a letter or a digit of any script (decided 25)."""
        return any(char.isalnum() for char in self.reason)
