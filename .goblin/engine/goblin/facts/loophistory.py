"""Fact `loop_history`: every version of a loop's pin and budget that a commit under HEAD holds.

A record that is edited in place looks sound; its history tells (spec LP-02, LP-03). It is walked on
first need and no sooner, because only two rows ask.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.pathlog import MOST
from goblin.loop.record import BUDGET, PIN, parse_budget, parse_pin

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.head import Head
    from goblin.facts.pathlog import PathLog
    from goblin.git import Git
    from goblin.loop.events import Log
    from goblin.loop.record import Budget, LoopRecord, Pin
    from goblin.loop.surface import Difference, Surface

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

LIMIT = 1 << 20
"""Bytes of one version that are parsed; a longer one is no pin and no budget."""


class Version(NamedTuple):
    """A pin and a budget that stood together, and the oldest commit that holds the two."""

    commit: str
    pin: Pin
    budget: Budget


class LoopHistory:
    """The history of one record. `versions` may raise `GitError`."""

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
        notes = (
            ["this clone is shallow: older pins are not seen; git fetch --unshallow"] if head.shallow else []
        )
        if len(self._commits) >= MOST:
            notes.append(f"only the newest {MOST} commits of the record are read")
        return tuple(notes)

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        """Every pin that history holds, with each budget that stood beside it; newest first."""
        if not self._commits:
            return ()
        git: Git = self._facts.get("git")
        paths = [self._record.path(name) for name in (PIN, BUDGET)]
        objects = git.objects([f"{commit}:{path}" for commit in self._commits for path in paths])
        blobs = [item[2] if item and item[1] == "blob" and len(item[2]) <= LIMIT else b"" for item in objects]
        oldest = dict(zip(zip(blobs[::2], blobs[1::2], strict=True), self._commits, strict=True))
        found = (
            Version(commit, parse_pin(pin), parse_budget(budget)) for (pin, budget), commit in oldest.items()
        )
        return tuple(version for version in found if version.pin.digest)

    def committed(self, surface: Surface) -> tuple[Difference, ...]:
        """What HEAD holds in another form than the loop pinned it. May raise `GitError`."""
        from goblin.loop.surface import committed

        if self._facts.run.repo is None or not surface.entries:
            return ()
        head: Head = self._facts.get("head")
        return committed(surface.entries, self._facts.get("git"), head.commit.oid) if head.commit else ()

    def added(self, log: Log) -> tuple[str, ...]:
        """Tracked configuration of the predicate's tools that the loop neither pinned nor began with.

        None where the log does not name the commit from which the run was opened. May raise `GitError`.
        """
        from goblin.loop.propose import steering

        opened = next(iter(log.of("run_opened")), None)
        base = opened.text("base") if opened else ""
        if self._facts.run.repo is None or not _ID.fullmatch(base):
            return ()
        git: Git = self._facts.get("git")
        tracked = [os.fsdecode(path) for path in git.run("ls-files", "-z").split(b"\0") if path]
        found = steering(self._record.predicate.command, tracked, self._record.tree.prose)
        new = [path for path in found if path not in self._record.surface.entries]
        objects = git.objects([f"{base}:{path}" for path in new]) if new else []
        return tuple(path for path, item in zip(new, objects, strict=True) if item is None)

    @cached_property
    def _commits(self) -> tuple[str, ...]:
        """The commits that touched the record, newest first: one walk serves both files."""
        if self._facts.run.repo is None:
            return ()
        log: PathLog = self._facts.get("path_log")
        return log.touching(self._record.directory)


def load(loop: LoopRecord, facts: Facts) -> LoopHistory:
    """The history of the record under test; reads nothing yet."""
    return LoopHistory(loop, facts)
