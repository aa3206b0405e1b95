"""Fact `loop_history`: every version of a loop's pin and budget that a commit under HEAD holds.

A record that is edited in place looks sound; its history tells (spec LP-02, LP-03). It is walked on
first need and no sooner, because only two rows ask.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin.loop.record import BUDGET, PIN, parse_budget, parse_pin

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.head import Head
    from goblin.facts.pathlog import PathLog
    from goblin.git import Git
    from goblin.loop.record import Budget, LoopRecord, Pin

LIMIT = 1 << 20
"""Bytes of one version that are parsed; a longer one is no pin and no budget."""


class Version(NamedTuple):
    """The pin and the budget as one commit holds them."""

    commit: str
    pin: Pin
    budget: Budget


class LoopHistory:
    """The history of one record. Every property but `notes` may raise `GitError`."""

    def __init__(self, record: LoopRecord, facts: Facts) -> None:
        self._record = record
        self._facts = facts

    @property
    def notes(self) -> tuple[str, ...]:
        """What keeps the history from being whole, in words; none where it is."""
        if self._facts.run.repo is None:
            return ("no git repository: the history of the pin is not read",)
        head: Head = self._facts.get("head")
        if head.commit is None:
            return ("no commits yet: the pin has no history",)
        return (
            ("this clone is shallow: older pins are not seen; git fetch --unshallow",) if head.shallow else ()
        )

    @cached_property
    def pins(self) -> tuple[Version, ...]:
        """Each commit that touched the pin and holds one, newest first; its budget is not read."""
        return self._versions((PIN,))

    @cached_property
    def budgets(self) -> tuple[Version, ...]:
        """Each commit that touched the pin or the budget and holds both."""
        return self._versions((PIN, BUDGET))

    def _versions(self, names: tuple[str, ...]) -> tuple[Version, ...]:
        if self._facts.run.repo is None:
            return ()
        log: PathLog = self._facts.get("path_log")
        git: Git = self._facts.get("git")
        paths = [self._record.path(name) for name in names]
        commits = list(dict.fromkeys(commit for path in paths for commit in log.touching(path)))
        objects = git.objects([f"{commit}:{path}" for commit in commits for path in paths])
        blobs = [item[2] if item and item[1] == "blob" and len(item[2]) <= LIMIT else b"" for item in objects]
        found = []
        for at, commit in enumerate(commits):
            data = blobs[at * len(paths) : (at + 1) * len(paths)]
            budget = parse_budget(data[1]) if len(data) > 1 else parse_budget(b"")
            version = Version(commit, parse_pin(data[0]), budget)
            if version.pin.digest:
                found.append(version)
        return tuple(found)


def load(loop: LoopRecord, facts: Facts) -> LoopHistory:
    """The history of the record under test; reads nothing yet."""
    return LoopHistory(loop, facts)
