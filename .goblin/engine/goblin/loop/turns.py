"""The turns of a run as a reader sees them: what each came to, what it rests on, where time passed.

Pure functions over small values; nothing here reads a file or knows how a record is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from goblin.loop import STALLED

GREEN = "predicate:green"
LONG_GAP = 1800
"""Seconds between two rows below which a pause is never called a gap."""

MOST_TICKS = 240
"""Columns of a timeline; a longer run shares them out."""

KINDS = ("unproven", "unreadable", "stuck", "parked", "red", "log", "goal")
"""What a row comes to, worst first. See `kind_of`."""

AWAY = frozenset(KINDS) - {"log", "goal"}
"""Kinds of the rows that did not reach the goal."""

_RESULTS = {"predicate:red": "red", "parked": "parked", "stuck": "stuck"}


class Turn(NamedTuple):
    """One row of the decisions, reduced to what order and progress need."""

    line: int  # in the file; the header is line 1
    at: datetime | None  # in UTC; None where the timestamp cannot be read
    kind: str  # one of KINDS
    pointer: frozenset[str] = frozenset()  # what its evidence points at, in canonical form
    green: bool = False
    sound: bool = True  # no fault, and its evidence resolves

    @property
    def counts(self) -> bool:
        """True for a verdict row: log rows neither extend nor break a streak."""
        return self.kind != "log"


class Streak(NamedTuple):
    """Verdict rows one after the other that rest on the same pointer, none of them green."""

    lines: tuple[int, ...]
    pointer: tuple[str, ...]

    @property
    def stalled(self) -> bool:
        """True where it is long enough to be no progress."""
        return len(self.lines) >= STALLED


class Gap(NamedTuple):
    """A pause: the row that came after it, and its length in seconds."""

    line: int
    seconds: int


class Tick(NamedTuple):
    """One column of the timeline: rows `first` to `last`, how many of each kind, and their evidence."""

    first: int  # line of its first row
    last: int
    at: datetime | None  # of its first row
    kinds: tuple[tuple[str, int], ...]  # worst first, zeros left out
    moved: int  # verdict rows on another pointer than the one before
    still: int  # verdict rows on the same pointer as the one before
    gap: int = 0  # seconds of the longest gap before one of its rows; 0 for none


def kind_of(verdict: bool, result: str, sound: bool) -> str:
    """What a row comes to.

    `verdict` tells a verdict row from a log row; `sound` is False for a row with a fault or with
    evidence that points at nothing. A green row that is not sound claims what it does not show.
    """
    if not verdict:
        return "log" if sound else "unreadable"
    if result == GREEN:
        return "goal" if sound else "unproven"
    return _RESULTS.get(result, "unreadable")


def streaks(turns: Iterable[Turn]) -> list[Streak]:
    """Every streak of two rows or more, in order."""
    found: list[Streak] = []
    lines: list[int] = []
    pointer: frozenset[str] = frozenset()

    def close() -> None:
        if len(lines) > 1:
            found.append(Streak(tuple(lines), tuple(sorted(pointer))))

    for turn in turns:
        if not turn.counts:
            continue
        if lines and turn.pointer == pointer and not turn.green:
            lines.append(turn.line)
            continue
        close()
        pointer = turn.pointer
        lines = [turn.line] if pointer and not turn.green else []
    close()
    return found


def trailing(turns: Sequence[Turn]) -> int:
    """Verdict rows at the end, none of them green, that rest on one pointer."""
    count = 0
    pointer: frozenset[str] = frozenset()
    for turn in reversed(turns):
        if not turn.counts:
            continue
        if turn.green or not turn.pointer or (count and turn.pointer != pointer):
            break
        pointer = turn.pointer
        count += 1
    return count


def pauses(turns: Iterable[Turn]) -> dict[int, int]:
    """Seconds between each row and the last one before it whose time is known, by line.

    A row whose time runs backwards has none: what is wrong with it is a fault, not a pause.
    """
    found: dict[int, int] = {}
    before: datetime | None = None
    for turn in turns:
        if turn.at is None:
            continue
        if before is not None and turn.at >= before:
            found[turn.line] = int((turn.at - before).total_seconds())
        before = turn.at
    return found


def gaps(waits: dict[int, int], most: int = 5) -> list[Gap]:
    """The longest pauses that stand out, longest first: over half an hour and five times the usual one."""
    if not waits:
        return []
    usual = sorted(waits.values())[len(waits) // 2] if len(waits) > 2 else 0
    least = max(LONG_GAP, 5 * usual)
    long = [Gap(line, seconds) for line, seconds in waits.items() if seconds >= least]
    return sorted(long, key=lambda gap: (-gap.seconds, gap.line))[:most]


def timeline(turns: Sequence[Turn], shown_gaps: Sequence[Gap]) -> tuple[Tick, ...]:
    """The run in at most `MOST_TICKS` columns of equally many rows, in order."""
    if not turns:
        return ()
    each = -(-len(turns) // MOST_TICKS)
    moves = _moves(turns)
    long = {gap.line: gap.seconds for gap in shown_gaps}
    return tuple(_tick(turns[at : at + each], moves, long) for at in range(0, len(turns), each))


def _tick(turns: Sequence[Turn], moves: dict[int, bool], long: dict[int, int]) -> Tick:
    counts = dict.fromkeys(KINDS, 0)
    for turn in turns:
        counts[turn.kind] += 1
    kinds = tuple((kind, count) for kind, count in counts.items() if count)
    moved = [moves[turn.line] for turn in turns if turn.line in moves]
    gap = max((long.get(turn.line, 0) for turn in turns), default=0)
    first = turns[0]
    return Tick(first.line, turns[-1].line, first.at, kinds, sum(moved), len(moved) - sum(moved), gap)


def _moves(turns: Iterable[Turn]) -> dict[int, bool]:
    """For each verdict row with evidence, by line: does it point elsewhere than the one before?"""
    found: dict[int, bool] = {}
    before: frozenset[str] = frozenset()
    for turn in turns:
        if turn.counts and turn.pointer:
            found[turn.line] = turn.pointer != before
            before = turn.pointer
    return found


def repeats(found: Iterable[Streak]) -> Iterator[tuple[int, int]]:
    """(line, n): this row is the n-th in a row, from 2, that rests on its pointer."""
    for streak in found:
        for number, line in enumerate(streak.lines[1:], start=2):
            yield line, number


def chosen(turns: Sequence[Turn], most: int) -> list[int]:
    """Lines of the rows that did not reach the goal: at most `most` of them, the worst ones, in order.

    Worst means first in `KINDS`, then without sound evidence, then the earliest. `most` of 0 means all.
    """
    away = [turn for turn in turns if turn.kind in AWAY]
    if most and len(away) > most:
        away = sorted(away, key=lambda turn: (KINDS.index(turn.kind), turn.sound, turn.line))[:most]
    return sorted(turn.line for turn in away)
