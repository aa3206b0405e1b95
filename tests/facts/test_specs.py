"""Acceptance items as a reader sees them: labelled bullets with all that belongs to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.facts.specs import acceptance_items


def comparable(text: str) -> list[bool]:
    """For each item of a text, whether it shows a comparison."""
    return [item.comparable for item in acceptance_items(text)]


@pytest.mark.parametrize(
    "bullet",
    [
        "- AC1: x",
        "* AC: x",
        "+ AC12: x",
        "1. AC1: x",
        "2) AC1: x",
        "  - AC1: x",
        "-\tAC1: x",
        "- **AC1**: x",
        "- **AC1:** x",
        "- __AC1__: x",
        "- _AC1_: x",
        "- [ ] AC1: x",
        "- [AC1]: x",
        "- `AC1`: x",
        "- (AC1): x",
        "- AC-1: x",
        "- first (AC1: x)",
        "- AC1:x",
    ],
)
def test_labelled_bullets_are_items(bullet: str) -> None:
    """Any bullet mark, emphasis, brackets or a box before the label; the label alone compares nothing."""
    assert comparable(bullet) == [False]


@pytest.mark.parametrize(
    "line",
    [
        "- MAC: x",
        "- MAC1: x",
        "- x_AC1: x",
        "- ACE: x",
        "- ac1: x",
        "- AC1 x",
        "AC1: x",
        "## AC1: x",
        "-AC1: x",
        "> AC1: x",
        "```\n- AC1: x\n```",
        "~~~\n- AC1: x",
        "<!--\n- AC1: x\n-->",
        "",
    ],
)
def test_other_lines_are_no_items(line: str) -> None:
    """Another word, no bullet, fenced code or a comment."""
    assert acceptance_items(line) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the panel feels right", False),
        ("the exit button works", False),
        ("exits quickly", False),
        ("an exit codec", False),
        ("a stray ` mark", False),
        ("empty `` and ` `", False),
        ("a = b", False),
        ("`make test` passes", True),
        ("``a ` b`` holds", True),
        ("x == 3", True),
        ("x === 3", True),
        ("x < 3", True),
        ("x > 3", True),
        ("exit 0", True),
        ("it Exits 1", True),
        ("with exit code zero", True),
        ("runs <command>", True),
        ("`exit` is pressed", True),
    ],
)
def test_what_counts_as_a_comparison(text: str, shown: bool) -> None:
    """Code, a comparison sign, or an exit with its value; the word `exit` alone is none."""
    assert comparable(f"- AC1: {text}") == [shown]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- AC1: the command\n  `make` passes", [True]),
        ("- AC1: the command\n`make` passes", [True]),
        ("- AC1: the command\n\n  `make` passes", [True]),
        ("- AC1: the command\n\n`make` passes", [False]),
        ("- AC1: x\n  - `make` passes", [True]),
        ("- AC1: x\n- `make` passes", [False]),
        ("- AC1: x\n# `make`", [False]),
        ("- AC1: x\n- AC2: `make`", [False, True]),
        ("- AC: all\n  - AC1: `make`\n  - AC2: exits 0", [True, True, True]),
        ("- AC: all\n  - AC1: x", [False, False]),
        ("- AC1: x\n\n  ```sh\n  make\n  ```", [True]),
        ("- AC1: x\n\n```sh\nmake\n```", [False]),
        ("- AC1: x <!-- `make` -->", [False]),
        ("- AC1: `make\n  test` passes", [True]),
        ("- AC1: x\r\n  `make`\r\n", [True]),
        ("- AC1: x\n\n- AC2: y\n\n  exits 0\n", [False, True]),
        ("1. AC1: x\n   exits 0\n2. AC2: y", [True, False]),
    ],
)
def test_what_belongs_to_an_item(text: str, shown: list[bool]) -> None:
    """Wrapped lines, deeper bullets and indented code; not the next bullet, heading or paragraph."""
    assert comparable(text) == shown


def test_items_keep_their_lines() -> None:
    """LF alone counts, whatever else a line holds."""
    items = acceptance_items("# S\n\nA\u2028B\n- AC1: x\n  y\n- AC2: z")
    assert [(item.line, item.text) for item in items] == [(4, "AC1: x y"), (6, "AC2: z")]


@given(st.text(alphabet="-*+1. AC:`<>#~\n\r\tx!", max_size=200))
def test_any_text_has_an_answer(text: str) -> None:
    """Items stand in order, on lines that exist."""
    lines = [item.line for item in acceptance_items(text)]
    assert lines == sorted(set(lines))
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


@pytest.mark.parametrize("unit", ["- AC1: x\n", "  - AC1: x\n", "x\n", "`", "_", "- AC1: x\n\n", "AC"])
def test_a_hostile_text_is_read_to_its_end(unit: str) -> None:
    """A time that grows with the square of such a text would meet the suite's limit for one test."""
    assert acceptance_items("- AC1: " + unit * 100_000)


@pytest.mark.parametrize(
    "more",
    ["x\n", "- y\n", f"{' ' * 900}- y\n", " ".join("`" * n for n in range(140)), f"{' ' * 900}```\ny\n```\n"],
)
def test_deep_nesting_takes_bounded_time(more: str) -> None:
    """A line may belong to every item around it; that is not paid for item by item."""
    text = "".join(f"{' ' * depth}- AC1: x\n" for depth in range(800)) + more * 3_000
    assert len(acceptance_items(text)) == 800
