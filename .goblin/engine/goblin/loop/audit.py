"""The morning audit: what an unattended run came to, as one value that every report reads.

The reader has a minute. So the rows that did not reach the goal come first, in order, then the last
five for context, and each pointer is turned into something to read (spec section 7, reading order).
Nothing here prints, writes or runs the predicate. All text in an `Audit` is printable: masked,
cleaned and cut.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from goblin import git as plumbing
from goblin.git import GitError
from goblin.loop import record as records
from goblin.loop import turns as order
from goblin.loop.decisions import Decision
from goblin.loop.handles import DIRECTORY, Cell, Resolver
from goblin.loop.parts import NOTE, WRONG, Part, parts_of
from goblin.loop.pointers import Evidence, Reader, printable, stamp
from goblin.loop.record import LoopRecord
from goblin.loop.runs import Run, run_of
from goblin.loop.turns import Gap, Streak, Tick, Turn

STATES = ("unreadable", "unproven", "short", "running", "started", "reached")
"""What a run came to, worst first. `short` is: ended, and did not reach its goal."""

LAST = 5
"""Rows shown for context."""

MOST = 200
"""Rows that an audit shows in full, where its caller sets no other limit."""

_HANDLES = 6  # pointers of one row that are read
_WRITE_UP = 40  # lines of the write-up that are shown
_REASONS = 8
_NOTED = ("goal", "earlier")  # parts of which a note stands on top as well


class Row(NamedTuple):
    """One row of the decisions, ready to show."""

    line: int  # of decisions.tsv; the header is line 1
    turn: int  # counts verdict rows from 1; 0 for a log row
    at: str  # UTC, YYYY-MM-DDThh:mm:ssZ; "" where its time cannot be read
    wait: int | None  # seconds since the row before
    phase: str
    decision: str
    result: str
    why: str
    kind: str  # one of turns.KINDS
    sound: bool  # no fault, and its evidence resolves
    repeat: int  # n for the n-th row in a row on one pointer, from 2; else 0
    evidence: tuple[Evidence, ...]
    cited: int  # pointers in its evidence cell, of which `evidence` holds the first
    faults: tuple[str, ...]


class Counts(NamedTuple):
    """How many rows, and what they came to."""

    rows: int
    turns: int  # verdict rows
    away: int  # rows that did not reach the goal
    unsound: int  # rows with a fault, or with evidence that does not resolve
    kinds: tuple[tuple[str, int], ...]  # worst first, zeros left out


class Check(NamedTuple):
    """What one row of the matrix says of this record."""

    id: str
    status: str  # PASS, FAIL, ADV or SKIP
    detail: tuple[str, ...]
    remedy: str


class Lane(NamedTuple):
    """Who did a job: the profiles of the author or of the judge, and where that is said."""

    role: str
    profiles: tuple[str, ...]
    source: str  # "log" for what the run recorded, "roles" for what the repository declares


class Audit(NamedTuple):
    """One run, ready to show. `rows` holds each row once; `attention` and `last` name lines of it."""

    root: str
    name: str
    state: str  # one of STATES
    headline: str
    reasons: tuple[str, ...]  # what is wrong, worst first
    predicate: str
    started: str  # UTC
    ended: str
    seconds: int | None
    budget: int | None
    counts: Counts
    rows: tuple[Row, ...]
    attention: tuple[int, ...]
    last: tuple[int, ...]
    streaks: tuple[Streak, ...]  # longest first
    gaps: tuple[Gap, ...]  # longest first
    timeline: tuple[Tick, ...]
    parts: tuple[Part, ...]
    lanes: tuple[Lane, ...]
    write_up: tuple[str, ...]
    write_up_lines: int
    checks: tuple[Check, ...]
    notes: tuple[str, ...]

    @property
    def reached(self) -> bool:
        """True only where the goal was reached and nothing speaks against it."""
        return self.state == "reached"

    @property
    def left_out(self) -> int:
        """Rows that did not reach the goal and are not shown."""
        return self.counts.away - len(self.attention)


def audit(
    root: str,
    *,
    directory: str = DIRECTORY,
    checks: Sequence[Check] = (),
    lanes: Sequence[Lane] = (),
    notes: Sequence[str] = (),
    most: int = MOST,
    loop: LoopRecord | None = None,
    resolver: Resolver | None = None,
) -> Audit | None:
    """Audit the record of the repository at `root`, or return None where there is none.

    `checks` are the verdicts of the matrix on this record, `lanes` what the repository declares,
    `notes` what else the reader should know; `loop` and `resolver` save reading twice. At most
    `most` rows are shown (0: all of them). Never raises for what a record holds.
    """
    loop = loop or records.read(root, directory)
    if not loop.exists:
        return None
    repo = plumbing.at(root)
    git = plumbing.Git(repo) if repo else None
    told = list(notes)
    seen = _Seen(root, git, resolver or Resolver(root, git, directory), directory, told)
    turns = [seen.turn(row) for row in seen.first(loop.decisions)]
    return _assemble(root, loop, turns, seen, list(checks), list(lanes), told, most)


class _Seen:
    """The rows of a record with what their evidence resolves to; each handle is looked up once."""

    def __init__(
        self, root: str, git: plumbing.Git | None, resolver: Resolver, directory: str, notes: list[str]
    ) -> None:
        self.git = git
        self._resolver = resolver
        self._reader = Reader(root, git, resolver, directory)
        self._notes = notes
        self._blind = False  # git gave no answer

    def first(self, rows: Sequence[Decision]) -> Sequence[Decision]:
        """The same rows, with every handle in them looked up in a few processes."""
        try:
            self._resolver.look_up(row.evidence for row in rows)
        except GitError as error:
            self._blind = True
            self._notes.append(f"evidence could not be looked up: {printable(str(error), 300)}")
        return rows

    def turn(self, row: Decision) -> Turn:
        """The row reduced to what order and progress need."""
        pointer, resolves = self._blindly(row) if self._blind else self._resolver.cell(row.evidence)
        sound = not row.faults and (resolves or not row.is_verdict)
        kind = order.kind_of(row.is_verdict, row.result, sound)
        return Turn(row.line, row.ts, kind, pointer, row.green, sound)

    def _blindly(self, row: Decision) -> Cell:
        return Cell(frozenset(handle.text for handle in row.handles), False)

    def read(self, rows: Iterable[Decision]) -> dict[str, Evidence]:
        """The handles of these rows, readable, by their text."""
        try:
            return self._reader.read(handle for row in rows for handle in row.handles[:_HANDLES])
        except GitError as error:
            self._notes.append(f"evidence could not be read: {printable(str(error), 300)}")
            return {}


def _assemble(
    root: str,
    loop: LoopRecord,
    turns: list[Turn],
    seen: _Seen,
    checks: list[Check],
    lanes: list[Lane],
    notes: list[str],
    most: int,
) -> Audit:
    run = run_of(loop, order.trailing(turns), seen.git)
    streaks = sorted(order.streaks(turns), key=lambda streak: (-len(streak.lines), streak.lines))
    waits = order.pauses(turns)
    gaps = order.gaps(waits)
    attention = order.chosen(turns, most)
    last = [turn.line for turn in turns[-LAST:]]
    shown = {*attention, *last} if most and len(turns) > most else {turn.line for turn in turns}
    parts = parts_of(loop, turns, streaks, run)
    state, headline = _state(loop, turns, parts, checks, run)
    notes += [f"{part.title}: {part.text}" for part in parts if part.state == NOTE and part.name in _NOTED]
    dated = [turn.at for turn in turns if turn.at is not None]
    begun = loop.first_run.ts or (dated[0] if dated else None)
    ended = max(dated) if dated else None
    text = [line for line in loop.stuck.text.split("\n") if line.strip()]
    if run and run.lanes:
        lanes = [Lane(role, (profile,), "log") for role, profile in run.lanes]
    return Audit(
        root=printable(root, 1000),
        name=printable(os.path.basename(root.rstrip("/")) or root, 100),
        state=state,
        headline=headline,
        reasons=tuple(_reasons(parts, checks)),
        predicate=printable(loop.predicate.command, 1000),
        started=stamp(begun),
        ended=stamp(ended),
        seconds=_seconds(begun, ended),
        budget=loop.budget.turns,
        counts=_counts(turns),
        rows=tuple(_rows(loop.decisions, turns, shown, seen, streaks, waits)),
        attention=tuple(attention),
        last=tuple(last),
        streaks=tuple(streaks[:5]),
        gaps=tuple(gaps),
        timeline=order.timeline(turns, gaps),
        parts=parts,
        lanes=tuple(lanes),
        write_up=tuple(printable(line, 400) for line in text[:_WRITE_UP]),
        write_up_lines=len(text),
        checks=tuple(checks),
        notes=tuple(notes),
    )


def _seconds(begun: datetime | None, ended: datetime | None) -> int | None:
    return int((ended - begun).total_seconds()) if begun and ended and ended >= begun else None


def _counts(turns: Sequence[Turn]) -> Counts:
    kinds = dict.fromkeys(order.KINDS, 0)
    for turn in turns:
        kinds[turn.kind] += 1
    return Counts(
        rows=len(turns),
        turns=sum(turn.counts for turn in turns),
        away=sum(turn.kind in order.AWAY for turn in turns),
        unsound=sum(not turn.sound for turn in turns),
        kinds=tuple((kind, count) for kind, count in kinds.items() if count),
    )


def _rows(
    rows: Sequence[Decision],
    turns: Sequence[Turn],
    shown: set[int],
    seen: _Seen,
    streaks: Sequence[Streak],
    waits: dict[int, int],
) -> list[Row]:
    repeats = dict(order.repeats(streaks))
    read = seen.read(row for row in rows if row.line in shown)
    found = []
    number = 0
    for row, turn in zip(rows, turns, strict=True):
        number += row.is_verdict
        if row.line not in shown:
            continue
        handles = row.handles
        found.append(
            Row(
                line=row.line,
                turn=number if row.is_verdict else 0,
                at=stamp(row.ts),
                wait=waits.get(row.line),
                phase=printable(row.phase, 80),
                decision=printable(row.decision, 120),
                result=printable(row.result, 120),
                why=printable(row.why, 1000),
                kind=turn.kind,
                sound=turn.sound,
                repeat=repeats.get(row.line, 0),
                evidence=tuple(read[h.text] for h in handles[:_HANDLES] if h.text in read),
                cited=len(handles),
                faults=tuple(printable(fault, 300) for fault in row.faults),
            )
        )
    return found


def _state(
    loop: LoopRecord, turns: Sequence[Turn], parts: Sequence[Part], checks: Sequence[Check], run: Run | None
) -> tuple[str, str]:
    """What the run came to, and the sentence that says so."""
    if loop.fault or (loop.log.faults and not turns):
        return "unreadable", "The record cannot be read"
    verdicts = [turn for turn in turns if turn.counts]
    done = bool(loop.verdicts) and loop.verdicts[-1].verdict == "done" and verdicts[-1].kind == "goal"
    if run and run.live and not done:
        return "running", f"Left open, and silent since {run.silent}" if run.silent else "Still running"
    if not verdicts:
        return "started", "No turn yet"
    if not verdicts[-1].green:
        return "short", "Did not reach its goal"
    broken = sum(check.status == "FAIL" for check in checks)
    broken = broken or sum(part.state == WRONG for part in parts)
    if verdicts[-1].kind != "goal" and not broken:
        broken = 1
    if broken:
        rules = "one rule of its record does" if broken == 1 else f"{broken} rules of its record do"
        return "unproven", f"Ends green, but {rules} not hold"
    return "reached", "Reached its goal"


def _reasons(parts: Sequence[Part], checks: Sequence[Check]) -> list[str]:
    """What is wrong: what the matrix says, or where it was not asked, what the audit itself sees."""
    failing = [check for check in checks if check.status == "FAIL"]
    goal = [f"{part.title}: {part.text}" for part in parts if (part.name, part.state) == ("goal", WRONG)]
    found = [*goal] if checks else []
    found += [f"{check.id}: {check.detail[0] if check.detail else 'fails'}" for check in failing]
    if not checks:
        found = [f"{part.title}: {part.text}" for part in parts if part.state == WRONG]
    if len(found) > _REASONS:
        found = [*found[:_REASONS], f"and {len(found) - _REASONS} more"]
    return found


def refused(root: str, reason: str) -> Audit:
    """The audit of a repository that may not be looked into: among many it must not go unseen."""
    return Audit(
        root=printable(root, 1000),
        name=printable(os.path.basename(root.rstrip("/")) or root, 100),
        state="unreadable",
        headline="The record cannot be read",
        reasons=(printable(reason, 400),),
        predicate="",
        started="",
        ended="",
        seconds=None,
        budget=None,
        counts=Counts(0, 0, 0, 0, ()),
        rows=(),
        attention=(),
        last=(),
        streaks=(),
        gaps=(),
        timeline=(),
        parts=(),
        lanes=(),
        write_up=(),
        write_up_lines=0,
        checks=(),
        notes=(),
    )


def worst_first(audits: Iterable[Audit]) -> list[Audit]:
    """Many audits in the order in which they deserve to be read."""
    return sorted(
        audits,
        key=lambda one: (
            STATES.index(one.state),
            -sum(check.status == "FAIL" for check in one.checks),
            -one.counts.away,
            one.name,
            one.root,
        ),
    )
