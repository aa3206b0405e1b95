"""HANDOFF.md as it is read: bounded in time whatever it holds."""

from __future__ import annotations

import pytest

from goblin.facts.handoff import GATE, SLOTS, Handoff, uncorrected

UNITS = [
    "build ",
    "1/1",
    "= build ",
    "example of the required form ` = ",
    "measured 2026-",
    "HEAD when ",
    "HEAD     ",
    "deadbeef ",
    "abcdef0",
    "## Gates\n",
    "## Not verified\n",
    "## Not verified\n### x\n",
    "## Pending device ",
    "- control=0\n",
    "```\n",
    "<!-- ",
    "`",
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_hostile_text_is_read_to_its_end(unit: str) -> None:
    """A time that grows with the square of such a text would meet the suite's limit for one test."""
    text = f"## Gates\n{unit * 100_000}\n"
    handoff = Handoff(text)
    handoff.gate_lines(frozenset({"control"}))
    handoff.hidden_gate_lines(frozenset({"control"}))
    handoff.head_lines(40)
    handoff.ids(40)
    for slot in SLOTS:
        handoff.near(slot)
        for heading in handoff.headings(slot):
            handoff.says_something(heading)
    assert handoff.headings(GATE)


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        (b"", b"", 0),
        (b"a\nb\n\nc\n", b"b\n", 2),
        (b"a\na\na\n", b"a\n", 2),
        (b"a\nb\n", b"b\na\n", 0),
        (b"a\r\nb\r\n", b"a\nb\n", 0),
        (b"a\nb\n", b"b\nCORRECTED: a was wrong\n", 0),
        (b"a\ncorrected b\n", b"corrected b\n", 1),
        (b"\xff\na\n", b"\xff\n", 1),
    ],
)
def test_lines_taken_out_without_a_correction(old: bytes, new: bytes, count: int) -> None:
    """Each time a line stood counts; an old correction excuses nothing new; bytes need be no text."""
    assert uncorrected(old, new) == count
