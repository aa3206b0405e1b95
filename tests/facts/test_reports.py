"""The dedup key: a function of the repository and of the symptom's content, and of nothing else."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.facts.reports import dedup_key, is_one_line, normalised


def test_the_key_is_the_published_one() -> None:
    """Twelve hex digits of SHA-256 over the normalised symptom, which anybody can compute."""
    expected = hashlib.sha256(b"the panel is empty").hexdigest()[:12]
    assert dedup_key(".", "The  Panel is\tempty ") == f"bug:.:{expected}"
    assert dedup_key("https://example.com/2026-01-01/x", "the panel is empty").endswith(f"x:{expected}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  A\t\n\r\v\fB  ", "a b"),
        ("\u00c4\u0130", "\u00c4\u0130"),
        ("a\u00a0 b", "a\u00a0 b"),
        ("", ""),
    ],
)
def test_only_ascii_counts_as_case_and_blank(text: str, expected: str) -> None:
    """Other letters and blanks are content."""
    assert normalised(text) == expected


@given(st.text())
def test_normalising_twice_is_once(text: str) -> None:
    """And case or blanks at the ends never matter."""
    assert normalised(normalised(text)) == normalised(text)
    assert normalised(f" \t{text}\n ") == normalised(text)


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("a", True),
        ("a\n", True),
        ("a\r\n", True),
        ("a\nb", False),
        ("a\u2028b", False),
        ("a\rb", False),
        (" ", False),
    ],
)
def test_one_line(text: str, one: bool) -> None:
    """What ends a block is no second line; every line separator is."""
    assert is_one_line(text) is one
