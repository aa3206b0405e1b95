"""The audit on a terminal: worst first, 80 columns, colour only where it is wanted."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.loop.audit import Audit, Check, Lane, audit, refused, worst_first
from goblin.report.audit_text import WIDTH, render, wants_colour, width, wrap
from goblin.report.audit_words import Set
from tests.support.loops import green_run, loop_repo, red_run, row

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def audited(root: Path, **options: object) -> Audit:
    """The audit of a repository that holds a record."""
    found = audit(str(root), **options)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_green_run_as_a_whole(tmp_path: Path) -> None:
    """Byte for byte."""
    text = render(Set((audited(green_run(tmp_path / "sample").root),)))
    assert text == (
        "REACHED ITS GOAL: sample\n"
        "3 of 20 turns in 31 min, the last one ended predicate:green.\n"
        "  goal     ! grep -rqn FIXME src/\n"
        "  ran      25 Sep 00:00 to 25 Sep 00:31 UTC (31 min)\n"
        "  rows     2 red, 1 green\n"
        "\n"
        "Rows that did not reach the goal: 2 of 3 rows, by line of decisions.tsv\n"
        "  2     25 Sep 00:14  predicate:red    verdict:continue\n"
        "        the marker is still there\n"
        "      > file:src/app.py last commit 2 Jan 03:04: start, 15 bytes\n"
        "  3     25 Sep 00:20  predicate:red    verdict:continue\n"
        "        the marker is still there\n"
        "      > sha256:95a13b516c3b captured output 87 bytes\n"
        "          FAILED tests/test_parser.py - expected 4, got 3\n"
        "\n"
        "The last three rows\n"
        "  2     25 Sep 00:14  predicate:red    the marker is still there\n"
        "  3     25 Sep 00:20  predicate:red    the marker is still there\n"
        "  4     25 Sep 00:31  predicate:green  verdict:done\n"
        "        No marker is left\n"
        "      > file:README.md last commit 2 Jan 03:04: start, 9 bytes\n"
        "\n"
        "The record\n"
        "  ok     Pin        the predicate is the one that was pinned (d02da89feb3c)\n"
        "  ok     First run  exit 1 at 2026-09-25T00:00:00Z: red before iteration 1\n"
        "  ok     Control    exit 0 at 2026-09-25T00:01:00Z: the predicate turns green\n"
        "                    where the work is done\n"
        "  none   Surface    none: no file that decides is pinned\n"
        "  ok     Budget     3 of 20 turns spent\n"
        "  ok     Decisions  3 verdict rows, 0 log rows, each verdict on evidence that\n"
        "                    resolves\n"
        "  ok     Progress   3 different pointers, none twice in a row\n"
        "  ok     Write-up   none, and none is needed\n"
        "  none   Event log  none: this record was kept by hand\n"
    )


def test_what_did_not_reach_the_goal_comes_before_the_last_five(tmp_path: Path) -> None:
    """In the order of the file; the first line says how it ended."""
    text = render(Set((audited(red_run(tmp_path).root),)))
    assert text.startswith("DID NOT REACH ITS GOAL: ")
    first, last = text.split("The last five rows")
    lines = re.findall(r"^  (\d+) +25 Sep", first, re.MULTILINE)
    assert lines == ["3", "4", "5", "6", "7", "8", "9", "10", "11"]
    assert re.findall(r"^  (\d+) +25 Sep", last, re.MULTILINE) == ["7", "8", "9", "10", "11"]
    assert "+4 h 7 min" in first
    assert "4th on this pointer" in first
    assert "x file:out/report.txt is no file that git tracks" in first


def test_rules_that_fail_come_with_their_remedy(tmp_path: Path) -> None:
    """Those that pass or are skipped are counted."""
    checks = [
        Check("LP-01", "PASS", ("fine",), ""),
        Check("LP-04", "FAIL", ("stood still", "a:1: here", "a:2: here", "a:3: here"), "stop the loop"),
        Check("RN-01", "SKIP", ("no log",), ""),
    ]
    text = render(
        Set((audited(red_run(tmp_path).root, checks=checks, lanes=[Lane("author", ("coder",), "roles")]),))
    )
    assert "What the rules say: 1 skipped, 1 pass" in text
    assert "  FAIL  LP-04  stood still\n" in text
    assert "and 1 more: goblin-verify --only LP-04" in text
    assert "remedy: stop the loop" in text
    assert "  note   Lanes      author coder (as declared: no record shows who ran)\n" in text


def test_many_runs_are_listed_worst_first(tmp_path: Path) -> None:
    """One line each, then each in full; repositories without a record are named."""
    audits = worst_first(
        [
            audited(green_run(tmp_path / "fine").root),
            audited(red_run(tmp_path / "poor").root),
            refused("/x", "a link"),
        ]
    )
    text = render(Set(tuple(audits), ("bare",)))
    assert text.startswith("2 of 3 runs have not reached the goal\n")
    assert re.findall(r"^(\S[\w ]{11})(\w+): ", text, re.MULTILINE)[:3] == [
        ("unreadable  ", "x"),
        ("not reached ", "poor"),
        ("reached     ", "fine"),
    ]
    assert "Without a loop record: bare." in text


def test_colour_is_added_and_changes_no_word(tmp_path: Path) -> None:
    """The same text, with escapes; a red run has no green in it."""
    found = Set((audited(red_run(tmp_path).root),))
    plain, painted = render(found), render(found, colour=True)
    assert "\x1b" not in plain
    assert ESCAPE.sub("", painted) == plain
    assert "\x1b[1;31m" in painted
    assert "\x1b[32m" not in painted
    assert "\x1b[1;32m" not in painted


@pytest.mark.parametrize(
    ("terminal", "env", "wanted"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(terminal: bool, env: dict[str, str], wanted: bool) -> None:
    """NO_COLOR counts where it is not empty."""

    class Stream(io.StringIO):
        def isatty(self) -> bool:
            return terminal

    assert wants_colour(Stream(), env) is wanted


EVIL = (
    "\x1b[31m\x07",
    "\u202e",
    "\u4f60\u597d" * 60,
    "x" * 500,
    "e\u0301" * 100,
    "a b " * 60,
    "PASS  IN-01",
    "\u2028",
)


def test_no_line_is_wider_than_the_terminal(tmp_path: Path) -> None:
    """Whatever the cells hold: wide characters, long words, none at all."""
    rows = [row("00:10", cell, f"file:{cell}, sha:{cell}", cell, f"verdict:{cell}", cell) for cell in EVIL]
    found = audited(loop_repo(tmp_path, rows, stuck__md="\n".join(EVIL), predicate=EVIL[2] + "\n").root)
    for colour in (False, True):
        text = render(Set((found,)), colour=colour)
        wide = [line for line in ESCAPE.sub("", text).split("\n") if width(line) > WIDTH]
        assert wide == []
        assert "\u202e" not in text
        assert "\x07" not in text


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=400), st.integers(20, 80))
def test_wrapping_loses_nothing_but_blanks(text: str, most: int) -> None:
    """Every character that shows is there, in order, and every line fits."""
    lines = list(wrap(text, "  > ", "    ", most))
    assert all(width(line) <= most for line in lines)
    assert "".join("".join(lines).split())[1:] == "".join(text.split())
