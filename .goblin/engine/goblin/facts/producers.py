"""Fact `producers`: the programs of the automations, and what in each reaches the network (spec AU-01)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from goblin.outcome import CannotRun, CheckFailed
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.installed import Installed
    from goblin.facts.netshell import Hit
    from goblin.paths import Tree

OURS = ".goblin/automations"
THEIRS = "automations"
ENDINGS = (".sh", ".py")
LIMIT = 1 << 18
"""Bytes of a producer that are read."""


class Producer(NamedTuple):
    """One producer. `problem` says why it cannot be read; it has no hits then."""

    path: str
    hits: tuple[Hit, ...] = ()
    problem: str = ""


def load(tree: Tree, facts: Facts) -> tuple[Producer, ...]:
    """Every `.sh` and `.py` file of the automations folders, sorted.

    A file that still is as the release wrote it is not read again: our own tests hold those, and the
    parsers cost more than a row.
    """
    released = _released(facts)
    return tuple(Producer(path) if released(path) else _read(tree, path) for path in _paths(tree))


def _released(facts: Facts) -> Callable[[str], bool]:
    try:
        installed: Installed = facts.get("installed")
    except (CannotRun, CheckFailed):
        return lambda _: False
    return lambda path: path in installed.record.files and not installed.drift(path)


def _paths(tree: Tree) -> list[str]:
    folders = [OURS, THEIRS]
    folders += [f"{THEIRS}/{name}" for name in tree.names(THEIRS) if tree.kind(f"{THEIRS}/{name}") == "dir"]
    found = [f"{folder}/{name}" for folder in folders for name in tree.names(folder)]
    return sorted(path for path in found if path.endswith(ENDINGS) and tree.kind(path) != "dir")


def _read(tree: Tree, path: str) -> Producer:
    from goblin.facts import netpython, netshell
    from goblin.facts.netimports import PythonError
    from goblin.facts.shelltokens import ShellError

    try:
        text = tree.text(path, LIMIT)
    except ReadRefused as error:
        return Producer(path, problem=str(error).removeprefix(f"{path}: "))
    try:
        found = netpython.hits(text) if path.endswith(".py") else netshell.hits(text)
    except ShellError as error:
        return Producer(path, problem=f"line {error.line + 1}: {error}")
    except (PythonError, RecursionError) as error:
        return Producer(path, problem=str(error) or "nested too deep")
    return Producer(path, tuple(found))
