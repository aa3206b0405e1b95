"""Recording one turn: a row that is well formed, whose evidence resolves, inside the budget.

The predicate (`--check`) and a command (`--run`) are run first, without the lock, because they may take
long; whether the row may be written is decided under the lock, by what stands there then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from goblin import clock, tables
from goblin.digest import sha256
from goblin.loop import STALLED, close, decisions, handles, measure, outputs, state, steering
from goblin.loop.decisions import COLUMNS, GREEN, PREFIX, Decision
from goblin.loop.events import Entry, Log
from goblin.loop.handles import Resolver
from goblin.loop.instant import parse_instant
from goblin.loop.measure import Measured
from goblin.loop.outputs import Capture
from goblin.loop.place import Place
from goblin.loop.record import LoopRecord
from goblin.loop.refusal import Refused
from goblin.loop.start import ran_data
from goblin.loop.writer import Writer, need_chain

RED = "predicate:red"
LONGEST_CELL = 4000
"""Characters of one cell; a reader keeps no more of a `why`."""

_UNFIT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SKEW = timedelta(seconds=60)
"""A clock that was set back by less than this repeats the last timestamp; by more, it is refused."""


class Turn(NamedTuple):
    """What is to be recorded. `result` is "" where the predicate's run is to fill it in."""

    phase: str
    decision: str
    why: str
    evidence: str
    result: str = ""


class Recorded(NamedTuple):
    """A row that stands."""

    line: int
    cells: tuple[str, ...]
    spent: int
    budget: int | None
    streak: int  # verdict rows in a row, this one included, that rest on its pointer; 0 for a log row
    notes: tuple[str, ...]


class Ran(NamedTuple):
    """What was run for a turn."""

    predicate: Measured | None = None
    command: Capture | None = None

    def cited(self) -> list[str]:
        """The handles that the turn cites for it."""
        found = [f"sha256:{sha256(self.command.text())}"] if self.command else []
        return [*found, *([f"sha256:{sha256(self.predicate.card())}"] if self.predicate else [])]

    def files(self) -> dict[str, bytes]:
        """What to store of it."""
        found = self.command.files() if self.command else {}
        if self.predicate:
            card = self.predicate.card()
            found |= {**self.predicate.output.files(), f"{sha256(card)}.json": card}
        return found

    def entries(self) -> list[Entry]:
        """The events that tell of it."""
        found = []
        if self.command:
            ran = self.command
            receipt = sha256(ran.receipt())
            what = {"command": ran.shown(), "exit": ran.exit, "head": ran.head, "tree": ran.tree}
            kept = {"out": sha256(ran.text()), "receipt": receipt}
            found.append(Entry("call_receipt", {**what, **kept, "started": ran.started, "ended": ran.ended}))
        if self.predicate:
            found.append(Entry("predicate_ran", ran_data(self.predicate)))
        return found


def need_room(found: LoopRecord, log: Log, *, verdict: bool = True) -> state.State:
    """Raise `Refused` where no turn can be recorded: no open loop, or (for a verdict) a spent budget."""
    standing = state.of(found, log)
    if not standing.is_open:
        raise close.not_open(standing, found.directory)
    if verdict:
        _need_budget(found, log)
    return standing


def check(place: Place, record: LoopRecord, log: Log, timeout: float) -> Measured:
    """Run the pinned predicate in a clean checkout of HEAD; raises `Refused` where it shows nothing."""
    need_chain(log, torn=True)
    close.need_pin(record, log)
    pinned = close.need_surface(record, log)
    commit = place.need_commit()
    found = measure.predicate(place.git, commit, place.branch, record.predicate.command, timeout, pinned)
    reason = found.done.could_not_run()
    if reason:
        raise Refused(f"the predicate {reason}{found.said()}", "mend what it needs; no turn was recorded")
    return found


def record(writer: Writer, place: Place, turn: Turn, ran: Ran) -> Recorded:
    """Append one row, and the events that lead to it. Raises `Refused`, with nothing written."""
    found, log = writer.record, writer.log
    standing = need_room(found, log, verdict=False)
    close.need_pin(found, log)
    if not standing.by_hand:
        writer.need_agreement()
    turn = _filled(turn, ran)
    cells = (_stamp(found), *turn)
    row = _row(cells, found)
    if row.is_verdict:
        _need_budget(found, log)
    resolver = Resolver(place.root, place.git, writer.directory)
    _need_evidence(row, resolver, ran.cited())
    writer.store(ran.files())
    run = "" if standing.by_hand else log.current[-1].run
    number = len(found.verdicts) + 1
    span = f"i{number}" if row.is_verdict else None
    data = dict(zip(COLUMNS, cells, strict=True))
    entries = [entry._replace(span=span) for entry in (*ran.entries(), Entry("decision", data))]
    line = writer.turn(run, entries, cells)
    now = writer.record
    streak = longest(now.verdicts, Resolver(place.root, place.git, writer.directory)) if row.is_verdict else 0
    typed = row.green and ran.predicate is None
    told = ["predicate:green was typed, and nothing measured it: record --check does"] if typed else []
    if ran.predicate:
        first = next(iter(log.of("predicate_ran")), None)
        other = steering.changed(first.data.get("env") if first else None, ran.predicate.env)
        told += [f"other settings than at the first run: {', '.join(other)}"] if other else []
    notes = (*told, *_left_out(place, ran), *_notes(now, streak, writer.mended))
    return Recorded(line, cells, len(now.verdicts), now.budget.turns, streak, notes)


def _left_out(place: Place, ran: Ran) -> list[str]:
    """What the run of the predicate did not see, because it looks at HEAD."""
    edited = [path for path in place.edited() if not path.startswith(".goblin/")] if ran.predicate else []
    return [f"{len(edited)} uncommitted change(s) were not part of the run"] if edited else []


def _filled(turn: Turn, ran: Ran) -> Turn:
    """The turn with what was measured in its place."""
    cited = [handle.text for handle in handles.parse(turn.evidence)]
    turn = turn._replace(evidence=", ".join(dict.fromkeys([*cited, *ran.cited()])))
    if ran.predicate is None:
        return turn
    measured = GREEN if ran.predicate.green else RED
    if turn.result not in ("", measured):
        raise Refused(
            f"the predicate was run: the result is {measured}, not {turn.result}", "leave --result out"
        )
    if turn.decision == f"{PREFIX}done" and measured == RED:
        raise Refused(
            f"verdict:done, and the predicate is red (exit {ran.predicate.done.code}){ran.predicate.said()}",
            "record verdict:continue, or verdict:blocked",
        )
    return turn._replace(result=measured)


def _row(cells: Sequence[str], found: LoopRecord) -> Decision:
    """The row as a reader will see it; raises `Refused` for one that is not well formed."""
    for name, cell in zip(COLUMNS, cells, strict=True):
        if len(cell) > LONGEST_CELL:
            told = f"{name} is {len(cell)} characters long; {LONGEST_CELL} are allowed"
            raise Refused(told, "put the text into a file, commit it, and cite that")
        if _UNFIT.search(cell):
            told = f"{name} holds a TAB, a line break, another control character or what is not UTF-8"
            raise Refused(told, f"write {name} as plain text on one line")
        if outputs.secret_in(cell):
            raise Refused(f"{name} holds what looks like a secret", f"word {name} without it")
    row = decisions.parse(tables.line_of(COLUMNS) + tables.line_of(cells), found.log.path).rows[0]
    if row.faults:
        raise Refused("; ".join(row.faults), "goblin-loop record --help")
    return row


def _stamp(found: LoopRecord) -> str:
    """Now, and never earlier than the first run or a row above."""
    now = clock.stamp()
    known = [found.first_run.ts, found.control.ts, *(row.ts for row in found.decisions)]
    last = max((ts for ts in known if ts is not None), default=None)
    moment = parse_instant(now)
    if last is None or moment is None or moment >= last:
        return now
    text = last.strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".") + "Z"
    if last - moment > _SKEW:
        raise Refused(f"the clock says {now}, and the record goes on to {text}", "set the clock")
    return text


def _need_budget(found: LoopRecord, log: Log) -> None:
    turns, spent = found.budget.turns, len(found.verdicts)
    if turns is None:
        told = found.budget.faults[0].message if found.budget.faults else "is missing"
        raise Refused(f"{found.budget.path} {told}", f"git checkout -- {found.budget.path}")
    opened = log.of("run_opened")
    budget = opened[0].data.get("budget") if opened else None
    declared = budget.get("turns") if isinstance(budget, dict) else None
    if declared is not None and turns != declared:
        told = f"{found.budget.path} says {turns}, and the loop was opened with {declared}"
        raise Refused(told, f"git checkout -- {found.budget.path}; another budget is another loop")
    if spent >= turns:
        raise Refused(
            f"the budget is spent: {spent} of {turns} turn(s)",
            "goblin-loop stuck, then goblin-loop close; another loop needs another start",
        )


def _need_evidence(row: Decision, resolver: Resolver, own: Sequence[str]) -> None:
    """Refuse a verdict that rests on nothing. `own` is captured for this turn, and resolves once stored."""
    if not row.is_verdict:
        return
    resolver.prime(row.handles)
    resolves = bool(own)
    reasons = []
    for handle in row.handles:
        if handle.text in own:
            continue
        resolved = resolver.resolve(handle)
        resolves = resolves or resolved.ok
        if not resolved.ok:
            reasons.append((handle, resolved.reason))
    for handle, reason in reasons:
        if handle.typed or not resolves:
            raise Refused(f"{handle.shown} {reason}", f"cite {handles.FORMS}")
    if not resolves:
        raise Refused(
            "a verdict needs evidence that resolves",
            f"--evidence with {handles.FORMS}; or --check, or --run -- CMD",
        )


def longest(rows: Sequence[Decision], resolver: Resolver) -> int:
    """Verdict rows at the end, none of them green, that rest on one pointer (LP-04)."""
    if not rows or rows[-1].green:
        return 0
    pointer = resolver.cell(rows[-1].evidence).pointer
    count = 0
    for row in reversed(rows):
        if row.green or not pointer or resolver.cell(row.evidence).pointer != pointer:
            break
        count += 1
    return count


def _notes(found: LoopRecord, streak: int, mended: Sequence[str]) -> tuple[str, ...]:
    told = list(mended)
    if streak >= STALLED:
        told.append(
            f"{streak} turns rest on one pointer: this loop makes no progress (LP-04); goblin-loop stuck"
        )
    elif streak == STALLED - 1:
        told.append("one more turn on this pointer is no progress (LP-04)")
    turns = found.budget.turns
    if turns is not None and len(found.verdicts) >= turns:
        told.append("that was the last turn of the budget")
    return tuple(told)


def folder(root: str) -> str:
    """Where a captured command runs: where the caller stands, or the root when that is elsewhere."""
    here = os.path.realpath(os.getcwd())
    return here if here == root or here.startswith(root.rstrip(os.sep) + os.sep) else root
