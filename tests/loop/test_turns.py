"""Order and progress: what a row comes to, streaks, pauses, the columns of a timeline."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.loop import turns
from goblin.loop.turns import GREEN, Streak, Turn

START = datetime(2026, 9, 25, tzinfo=UTC)
ONE, OTHER = frozenset({"file:a"}), frozenset({"file:b"})


def turn(line: int, kind: str = "red", pointer: frozenset[str] = ONE, minutes: int | None = None) -> Turn:
    """A row at some minutes after the start (default: ten a line)."""
    at = START + timedelta(minutes=10 * line if minutes is None else minutes)
    return Turn(line, at, kind, pointer if kind != "log" else frozenset(), kind in ("goal", "unproven"))


@pytest.mark.parametrize(
    ("verdict", "result", "sound", "kind"),
    [
        (True, GREEN, True, "goal"),
        (True, GREEN, False, "unproven"),
        (True, "predicate:red", True, "red"),
        (True, "predicate:red", False, "red"),
        (True, "parked", True, "parked"),
        (True, "stuck", True, "stuck"),
        (True, "PREDICATE:GREEN", True, "unreadable"),
        (True, "predicate:green (1 failed)", True, "unreadable"),
        (True, "", True, "unreadable"),
        (False, "anything", True, "log"),
        (False, GREEN, True, "log"),
        (False, "", False, "unreadable"),
    ],
)
def test_what_a_row_comes_to(verdict: bool, result: str, sound: bool, kind: str) -> None:
    """Only the exact word on sound evidence is the goal, and a broken log row is not passed over."""
    assert turns.kind_of(verdict, result, sound) == kind


def test_a_streak_is_verdict_rows_on_one_pointer() -> None:
    """Log rows between them neither extend nor break it; another pointer does."""
    rows = [turn(2), turn(3, "log"), turn(4), turn(5, pointer=OTHER), turn(6, pointer=OTHER)]
    assert turns.streaks(rows) == [Streak((2, 4), ("file:a",)), Streak((5, 6), ("file:b",))]


def test_a_green_row_ends_a_streak_and_begins_none() -> None:
    """Red, red, green, red, red on one pointer: twice two, never three (spec LP-04)."""
    rows = [turn(2), turn(3), turn(4, "goal"), turn(5), turn(6)]
    found = turns.streaks(rows)
    assert [streak.lines for streak in found] == [(2, 3), (5, 6)]
    assert not any(streak.stalled for streak in found)


def test_rows_without_evidence_form_no_streak() -> None:
    """Nothing is not a pointer."""
    assert turns.streaks([turn(line, pointer=frozenset()) for line in range(2, 7)]) == []


def test_three_rows_are_stalled_and_are_numbered() -> None:
    """The reader sees at each row how often its pointer came."""
    found = turns.streaks([turn(2), turn(3), turn(4)])
    assert found[0].stalled
    assert dict(turns.repeats(found)) == {3: 2, 4: 3}


def test_pauses_are_measured_from_the_last_known_time() -> None:
    """A row without a time is passed over, and time that runs backwards is no pause."""
    rows = [turn(2, minutes=0), turn(3)._replace(at=None), turn(4, minutes=30), turn(5, minutes=20)]
    assert turns.pauses(rows) == {4: 1800}


def test_a_gap_stands_out_from_the_usual_pace() -> None:
    """Longest first; a run whose every pause is long has none that stands out."""
    slow = dict.fromkeys(range(3, 12), 3600)
    assert turns.gaps(slow) == []
    assert turns.gaps({**slow, 5: 20000, 9: 40000}) == [turns.Gap(9, 40000), turns.Gap(5, 20000)]
    assert turns.gaps({3: 60, 4: 70, 5: 1799}) == []
    assert turns.gaps({3: 60, 4: 70, 5: 1800}) == [turns.Gap(5, 1800)]
    assert turns.gaps({}) == []


def test_a_timeline_shows_moves_and_gaps() -> None:
    """A column a row, as long as they fit."""
    rows = [turn(2), turn(3), turn(4, pointer=OTHER), turn(5, "goal", OTHER)]
    ticks = turns.timeline(rows, [turns.Gap(4, 9000)])
    assert [(tick.moved, tick.still, tick.gap) for tick in ticks] == [
        (1, 0, 0),
        (0, 1, 0),
        (1, 0, 9000),
        (0, 1, 0),
    ]
    assert [tick.kinds for tick in ticks] == [(("red", 1),)] * 3 + [(("goal", 1),)]
    assert turns.timeline([], []) == ()


@given(st.integers(1, 3000))
def test_a_long_run_is_shared_out_without_losing_a_row(count: int) -> None:
    """Every row is in exactly one column, in order, and the columns are not more than fit."""
    rows = [turn(line, turns.KINDS[line % len(turns.KINDS)], minutes=line) for line in range(2, count + 2)]
    ticks = turns.timeline(rows, [])
    assert len(ticks) <= turns.MOST_TICKS
    assert sum(number for tick in ticks for _, number in tick.kinds) == count
    assert [tick.first for tick in ticks] == sorted({tick.first for tick in ticks})
    assert ticks[0].first == 2
    assert ticks[-1].last == count + 1


def test_the_worst_rows_are_kept_in_order() -> None:
    """What is shown stands in the order of the file; what is left out is the least bad and latest."""
    rows = [
        turn(2),
        turn(3, "parked"),
        turn(4),
        turn(5, "log"),
        turn(6, "unproven"),
        turn(7, "goal"),
        turn(8, "stuck"),
    ]
    assert turns.chosen(rows, 0) == [2, 3, 4, 6, 8]
    assert turns.chosen(rows, 5) == [2, 3, 4, 6, 8]
    assert turns.chosen(rows, 3) == [3, 6, 8]
    assert turns.chosen(rows, 4) == [2, 3, 6, 8]


def test_among_equals_the_unsound_row_is_worse() -> None:
    """A red row on evidence that points at nothing is shown before one that can be looked up."""
    rows = [turn(2), turn(3), turn(4)._replace(sound=False)]
    assert turns.chosen(rows, 1) == [4]
