"""HANDOFF.md as it is read: bounded in time whatever it holds."""

from __future__ import annotations

import time

import pytest

from goblin.facts.handoff import SLOTS, Handoff, uncorrected

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
def test_a_hostile_text_takes_linear_time(unit: str) -> None:
    """Four times the text takes nowhere near sixteen times as long."""

    def seconds(count: int) -> float:
        text = f"## Gates\n{unit * count}\n"
        started = time.process_time()
        handoff = Handoff(text)
        handoff.gate_lines(frozenset({"control"}))
        handoff.hidden_gate_lines(frozenset({"control"}))
        handoff.head_lines(40)
        handoff.ids(40)
        for slot in SLOTS:
            handoff.near(slot)
            for heading in handoff.headings(slot):
                handoff.says_something(heading)
        return time.process_time() - started

    small = min(seconds(5_000) for _ in range(3))
    assert seconds(20_000) < max(10 * small, 0.5)


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
