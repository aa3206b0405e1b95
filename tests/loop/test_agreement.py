"""Rows and events: who is missing, who was added, who was changed, and who moved."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goblin.loop import decisions, events, kinds
from goblin.loop.agreement import Agreement
from goblin.loop.events import Entry, Event, Log

RUN = "run_20260925T001000Z-1a2b3c4d"
Cells = tuple[str, str, str, str, str, str]


def turn(number: int, why: str = "not yet", decision: str = "verdict:continue") -> Cells:
    """The cells of one turn."""
    stamp = f"2026-09-25T{number // 60:02d}:{number % 60:02d}:00Z"
    return (stamp, "check", decision, why, "file:README.md", "predicate:red")


def told(turns: list[Cells]) -> tuple[Event, ...]:
    """The log of these turns."""
    entries = [Entry("decision", dict(zip(decisions.COLUMNS, cells, strict=True))) for cells in turns]
    return events.parse(events.compose(Log("x", False), RUN, entries, kinds.load())).events


def rows(turns: list[Cells]) -> tuple[decisions.Decision, ...]:
    """The table of these turns."""
    lines = ["\t".join(cells) for cells in (decisions.COLUMNS, *turns)]
    return decisions.parse(("\n".join(lines) + "\n").encode(), "decisions.tsv").rows


FOUR = [turn(number) for number in range(1, 5)]


def test_the_same_turns_agree() -> None:
    """Cell for cell, in order."""
    found = Agreement.of(rows(FOUR), told(FOUR))
    assert found == Agreement(matched=4)
    assert found.sound
    assert Agreement.of((), ()).sound


def test_a_row_that_is_missing_is_named_by_its_event() -> None:
    """Wherever it stood."""
    for gone in range(4):
        found = Agreement.of(rows([*FOUR[:gone], *FOUR[gone + 1 :]]), told(FOUR))
        assert [event.line for event in found.lost] == [gone + 1]
        assert not found.sound
        assert found == Agreement(lost=found.lost, matched=3)


def test_a_row_that_was_added_is_named() -> None:
    """Wherever it stands; the others are matched around it."""
    for place in range(5):
        found = Agreement.of(rows([*FOUR[:place], turn(9), *FOUR[place:]]), told(FOUR))
        assert [row.line for row in found.strangers] == [place + 2]
        assert not found.sound
        assert found.matched == 4


def test_a_row_that_was_changed_is_named_with_its_columns() -> None:
    """Both sides, and what differs."""
    for place in range(4):
        changed = [*FOUR[:place], turn(place + 1, why="green, I swear"), *FOUR[place + 1 :]]
        found = Agreement.of(rows(changed), told(FOUR))
        assert [(e.row.line, e.event.line, e.columns) for e in found.edits] == [
            (place + 2, place + 1, ("why",))
        ]
        assert not found.sound
        assert found.matched == 3


def test_two_rows_that_changed_places_are_named() -> None:
    """Order is part of what happened."""
    found = Agreement.of(rows([FOUR[1], FOUR[0], *FOUR[2:]]), told(FOUR))
    assert [row.line for row in found.moved] == [3]
    assert found.lost == ()
    assert not found.sound


def test_a_log_row_that_was_added_breaks_nothing() -> None:
    """It is no verdict; but one that the log tells of may not go."""
    note = turn(3, decision="a thought")
    added = Agreement.of(rows([*FOUR[:2], note, *FOUR[2:]]), told(FOUR))
    assert [row.line for row in added.strangers] == [4]
    assert added.sound
    assert not Agreement.of(rows(FOUR), told([*FOUR[:2], note, *FOUR[2:]])).sound


def test_a_verdict_that_was_made_a_log_row_is_seen() -> None:
    """Taking the word `verdict:` away would give a turn back."""
    hidden = [*FOUR[:1], turn(2, decision="continue"), *FOUR[2:]]
    assert not Agreement.of(rows(hidden), told(FOUR)).sound


@given(st.lists(st.sampled_from(FOUR), max_size=6), st.lists(st.sampled_from(FOUR), max_size=6))
def test_only_equal_turns_agree(one: list[Cells], other: list[Cells]) -> None:
    """Whatever is repeated or missing: sound means equal."""
    assert Agreement.of(rows(one), told(other)).sound is (one == other)


def test_many_turns_are_compared_in_one_pass() -> None:
    """A long run with its first row gone: each later row is matched, none by trying all the others."""
    many = [turn(1, why=f"number {number}") for number in range(3000)]
    found = Agreement.of(rows(many[1:]), told(many))
    assert found == Agreement(lost=found.lost, matched=2999)
