"""Whether a loop is open in a record, as its files and its log say."""

from __future__ import annotations

from typing import NamedTuple

from goblin.loop import surface
from goblin.loop.events import Log
from goblin.loop.record import DECISIONS, PIN, PREDICATE, Archive, LoopRecord

OPENING = "opening"
"""A file that stands in the record only while `start` writes it: it holds the name of the run."""

NAMES = ("none", "opening", "open", "closing", "closed")


class State(NamedTuple):
    """One of `NAMES`. `opening` and `closing` are what a kill leaves: the same command again finishes it."""

    name: str
    by_hand: bool = False  # there is a record, and no event log beside it
    archive: str = ""  # the folder in which the last loop is archived, or was about to be

    @property
    def is_open(self) -> bool:
        """True where turns may be recorded."""
        return self.name == "open"


def of(record: LoopRecord, log: Log) -> State:
    """The state of a record. Never raises."""
    if not record.exists:
        return State("none")
    by_hand = not log.exists
    if record.has(OPENING) and not _opened(record, log):
        return State("opening", by_hand)
    if by_hand:
        if not any(record.has(name) for name in (PREDICATE, PIN, DECISIONS)):
            return State("none", True)
        archive = chained_to(record)
        return State("closed" if archive else "open", True, archive.name if archive else "")
    closed = log.closed
    if closed is None:
        return State("open" if log.of("predicate_ran") or not log.events else "opening")
    name = closed.text("archive")
    chained = record.predicate.digest in record.pin.previous and not record.has(surface.FILE)
    done = not name or (chained and name in {archive.name for archive in record.archives})
    return State("closed" if done else "closing", archive=name)


def _opened(record: LoopRecord, log: Log) -> bool:
    """True where only the mark of a start is left behind: the run that it names is open."""
    from goblin.paths import ReadRefused

    try:
        run = record.tree.text(record.path(OPENING), 256).strip()
    except ReadRefused:
        return False
    return bool(log.of("predicate_ran")) and log.current[-1].run == run


def chained_to(record: LoopRecord) -> Archive | None:
    """The archive that holds the live predicate, where the live pin chains to it: a loop that was closed."""
    return next((a for a in same(record) if a.predicate.digest in record.pin.previous), None)


def same(record: LoopRecord) -> tuple[Archive, ...]:
    """The archives that hold the live predicate, newest first."""
    digest = record.predicate.digest
    return tuple(a for a in reversed(record.archives) if digest and a.predicate.digest == digest)
