"""Where the runs of a log begin and end, and whether each has one beginning, one end and its archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from goblin import clock
from goblin.loop.events import STALE
from goblin.outcome import Finding

if TYPE_CHECKING:
    from goblin.loop.events import Event, Log
    from goblin.loop.record import LoopRecord


def ends(events: Sequence[Event], last: bool) -> Iterator[tuple[int, str]]:
    """(line, what) is wrong with the beginning and the end of one run."""
    if events[0].type != "run_opened":
        yield events[0].line, "a run begins without run_opened"
    opened = [event for event in events if event.type == "run_opened"]
    for event in opened[1:]:
        yield event.line, "the run is opened a second time"
    closed = [event for event in events if event.type == "run_closed"]
    if not closed and not last:
        yield events[-1].line, "the run was never closed, and another began"
    for event in closed[1:]:
        yield event.line, "the run is closed a second time"
    for event in events:
        if closed and event.line > closed[0].line and event.type not in ("note", "run_closed"):
            yield event.line, f"{event.type} after the run was closed"


def unnamed(loop: LoopRecord, log: Log) -> Iterator[Finding]:
    """Archives and closes that do not belong together."""
    closes = {e.text("archive"): e for e in log.events if e.type == "run_closed" and e.text("archive")}
    opened = [event for event in log.events if event.type == "run_opened"]
    before = opened[0].data.get("archives") if opened else None
    older = before if isinstance(before, list) else []
    for archive in loop.archives:
        if archive.name not in closes and archive.name not in older:
            yield Finding(
                archive.path, message="no run_closed event names it: the end of the log was cut off"
            )
    kept = {archive.name for archive in loop.archives}
    for name, event in closes.items():
        if name not in kept:
            yield Finding(
                log.path, event.line, 0, f"its archive {name} is not there; goblin-loop close finishes"
            )


def stale(event: Event) -> str:
    """Why a run is over in which this was the last event, "" while it may go on."""
    if event.written is None or clock.now() - event.written <= STALE:
        return ""
    hours = int(STALE.total_seconds() // 3600)
    return f"the run is open, and silent since {event.at}: more than {hours} hours; goblin-loop close"
