"""How a loop stands: open or not, what is spent, on what it rests, and what may come next."""

from __future__ import annotations

from typing import Any, NamedTuple

from goblin.loop import ending, state
from goblin.loop.events import Log
from goblin.loop.handles import Resolver
from goblin.loop.record import LoopRecord
from goblin.loop.turn import longest
from goblin.loop.writeup import WriteUp


class Status(NamedTuple):
    """A record at one moment. Texts are "" and numbers None where the record does not say."""

    state: str  # one of goblin.loop.state.NAMES
    by_hand: bool
    directory: str
    archive: str
    run: str
    opened: str
    outcome: str
    predicate: str
    digest: str
    first_exit: int | None
    controlled: bool
    author: str
    judge: str
    pinned: int  # files of the surface
    spent: int
    budget: int | None
    streak: int
    pointer: str  # evidence of the last verdict row
    last: str  # its decision and result
    last_line: int
    archives: int
    events: int
    faults: tuple[str, ...]  # what keeps the record from being added to
    over: str  # why an open loop is over, though nobody closed it
    next: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {**self._asdict(), "faults": list(self.faults), "next": list(self.next)}


def look(record: LoopRecord, log: Log, resolver: Resolver) -> Status:
    """The status of a record that was read; nothing is written or run. May raise `GitError`."""
    standing = state.of(record, log)
    rows = record.verdicts
    last = rows[-1] if rows else None
    opened = next((event for event in log.current if event.type == "run_opened"), None)
    lanes = opened.data.get("lanes") if opened else None
    author, judge = _lane(lanes, "author"), _lane(lanes, "judge")
    streak = longest(rows, resolver)
    heard = log.current[-1].written if log.current else None
    measured = standing.is_open and not standing.by_hand
    over = ending.by_rule(record, heard, streak) if measured else ""
    return Status(
        state=standing.name,
        by_hand=standing.by_hand,
        directory=record.directory,
        archive=standing.archive,
        run=opened.run if opened else "",
        opened=opened.at if opened else "",
        outcome=log.closed.text("outcome") if log.closed else "",
        predicate=record.predicate.command,
        digest=record.predicate.digest,
        first_exit=record.first_run.exit,
        controlled=record.control.exists,
        author=author,
        judge=judge,
        pinned=len(record.surface.entries),
        spent=len(rows),
        budget=record.budget.turns,
        streak=streak,
        pointer=last.evidence if last else "",
        last=f"{last.decision} {last.result}" if last else "",
        last_line=last.line if last else 0,
        archives=len(record.archives),
        events=len(log.events),
        faults=_faults(record, log),
        over=over,
        next=_next(standing, record, over),
    )


def _lane(lanes: object, name: str) -> str:
    value = lanes.get(name) if isinstance(lanes, dict) else None
    return value if isinstance(value, str) else ""


def _faults(record: LoopRecord, log: Log) -> tuple[str, ...]:
    if record.fault:
        return (record.fault,)
    told = [f"{log.path}:{fault.line} {fault.message}" for fault in log.faults]
    pin = record.pin
    if pin.exists and record.predicate.digest != pin.digest:
        told.append("the predicate is not the one that was pinned")
    return tuple(told)


def _next(standing: state.State, record: LoopRecord, over: str) -> tuple[str, ...]:
    """The commands that may follow, the likeliest first."""
    begin = "goblin-loop start --predicate 'CMD' --budget N"
    if standing.name == "opening":
        return (f"{begin} (the last start was interrupted)",)
    if standing.name == "closing":
        return ("goblin-loop close (the last close was interrupted)",)
    if not standing.is_open:
        return (begin,)
    rows = record.verdicts
    if rows and rows[-1].green:
        return ("goblin-loop close",)
    written = record.stuck.exists and not WriteUp.of(record.stuck.text, record.predicate).faults
    last = "goblin-loop close" if written else "goblin-loop stuck"
    if record.stuck.exists and not written:
        last = f"complete {record.stuck.path}, then goblin-loop close"
    if over or written:
        return (last,)
    turn = "goblin-loop record --phase P --decision verdict:continue --why TEXT --check"
    return (turn, last if rows else "goblin-loop close")
