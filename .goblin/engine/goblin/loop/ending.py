"""Whether a loop that nobody closed is over all the same: one answer for LP-05, the status and the audit.

A loop that still runs looks like one that ended red (spec LP-05). The event log tells them apart: while
it says that the run is open, the loop is over only where one of its own rules, or its own last verdict,
says so. A record that is kept by hand has no log, cannot say that it still runs, and counts as over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin import clock
from goblin.loop import STALLED
from goblin.loop.events import STALE
from goblin.loop.instant import in_future

if TYPE_CHECKING:
    from datetime import datetime

    from goblin.loop.events import Log
    from goblin.loop.handles import Resolver
    from goblin.loop.record import LoopRecord

SILENT = f"nothing was written for more than {int(STALE.total_seconds() // 3600)} hours"
"""Why a run is over in which nothing happens any more (RN-05 says so too)."""

_ENDS = ("stuck", "parked")
"""Results by which a turn says that nothing follows until somebody takes the loop up."""


class Ending(NamedTuple):
    """Why a loop is over, in words that follow "it is over: "; "" while it may go on."""

    why: str

    @property
    def over(self) -> bool:
        """False for a loop that still runs."""
        return bool(self.why)

    @classmethod
    def of(cls, record: LoopRecord, log: Log, handles: Resolver) -> Ending:
        """Look at a record, with the streak at its end. May raise `GitError`."""
        from goblin.loop import state
        from goblin.loop.turn import longest

        standing = state.of(record, log)
        if standing.by_hand:
            return cls("it is kept by hand, and no event log says that it still runs")
        if not standing.is_open or log.faults:
            return cls("its event log does not say that it is open")
        heard = log.current[-1].written if log.current else None
        return cls(by_rule(record, heard, longest(record.verdicts, handles)))


def by_rule(record: LoopRecord, heard: datetime | None, streak: int) -> str:
    """Why an open run is over, "" while it may go on: its last event was written at `heard`, and
    `streak` counts the verdict rows at the end, none of them green, that rest on one pointer.
    """
    rows, turns = record.verdicts, record.budget.turns
    if heard is None or clock.now() - heard > STALE:
        return SILENT
    if in_future(heard):
        return "its last event is dated in the future"
    if not rows or rows[-1].green:
        return ""
    last = rows[-1]
    if last.verdict == "blocked" or last.result in _ENDS:
        return f"its last verdict is {last.decision} {last.result}"
    if streak >= STALLED:
        return f"{streak} turns rest on one pointer, which is no progress"
    return f"its budget of {turns} turn(s) is spent" if turns is not None and len(rows) >= turns else ""
