"""The count that ends `make test` comes from reports, and nothing that failed can hide behind it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import suite
from scripts.suite import Ended, Tally, from_junit, from_tap
from tests.support import PROJECT

JUNIT = """<?xml version="1.0"?><testsuites><testsuite>
<testcase classname="tests.a" name="one"/>
<testcase classname="tests.a" name="two"><failure message="no"/></testcase>
<testcase classname="tests.a" name="three"><skipped message="later"/></testcase>
<testcase classname="tests.b" name="four"/>
<testcase classname="tests.b" name="four"><error message="teardown"/></testcase>
</testsuite></testsuites>"""


def test_a_junit_report_is_counted_by_its_elements() -> None:
    """An error while tearing down turns a test that passed into one that failed, counted once."""
    assert from_junit(JUNIT, Ended(1, "")) == Tally(1, ("tests.a::two", "tests.b::four"), 1)


@pytest.mark.parametrize(
    ("xml", "ended", "why"),
    [
        ("", Ended(4, ""), "pytest: exit 4"),
        ("", Ended(None, ""), "pytest: no end within"),
        ('<testsuites><testsuite><testcase name="x"/></testsuite></testsuites>', Ended(-9, ""), "exit -9"),
        ("<testsuites/>", Ended(0, ""), "pytest: no test ran"),
    ],
)
def test_a_run_that_broke_is_a_failure_of_its_own(xml: str, ended: Ended, why: str) -> None:
    """A crash, a time-out and an empty run are never green."""
    (reason,) = from_junit(xml, ended).failed
    assert why in reason


def test_a_tap_stream_is_counted_by_its_lines() -> None:
    """Skipped tests are `ok` in TAP and counted apart; output lines are not results."""
    results = [
        "ok 1 lists",
        "not ok 2 says no",
        "# ok 9 no result",
        "ok 3 later # skip no node",
        "ok 4 skips",
    ]
    text = "\n".join(["1..4", *results, ""])
    assert from_tap(text, Ended(1, ""), "x.bats") == Tally(2, ("x.bats: says no",), 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [("", 1), ("1..2\nok 1 a\n", 0), ("1..1\nok 1 a\n", 1), ("ok 1 a\n", 0)],
    ids=["no output", "stopped half way", "bad exit", "no plan"],
)
def test_a_tap_stream_that_broke_off_is_a_failure_of_its_own(text: str, code: int) -> None:
    """Fewer results than planned means that something was not judged."""
    assert from_tap(text, Ended(code, ""), "x.bats").failed


@pytest.mark.parametrize(
    ("tally", "line"),
    [
        (Tally(3), "3 passed, 0 failed"),
        (Tally(3, ("a",), 2), "3 passed, 1 failed, 2 skipped"),
    ],
)
def test_the_last_line_is_plain(tally: Tally, line: str) -> None:
    """Skipped tests are shown only when there are some."""
    assert tally.line() == line


def test_one_failing_linter_neither_hides_another_nor_the_result(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each linter runs, is named, and shows what it printed when it failed."""
    said = [sys.executable, "-c", "print('what is wrong'); raise SystemExit(3)"]
    monkeypatch.setattr(
        suite, "LINTERS", {"first": lambda: said, "second": lambda: said, "third": lambda: ["true"]}
    )
    assert suite.lint(["first", "second", "third"]) == Tally(1, ("first: exit 3", "second: exit 3"))
    assert capsys.readouterr().out == (
        "FAIL  first (exit 3)\nwhat is wrong\nFAIL  second (exit 3)\nwhat is wrong\nok    third\n"
    )


def test_a_part_that_never_ends_is_stopped_with_all_its_children(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A hanging test may not eat the whole run, and leaves no process behind."""
    monkeypatch.setattr(suite, "LIMIT", 0.5)
    alive = tmp_path / "alive"
    ended = suite.run(
        ["bash", "-c", f"(trap '' TERM; echo $BASHPID > {alive}; sleep 60; echo late >> {alive}) & wait"]
    )
    assert ended.code is None
    try:
        child = os.pidfd_open(int(alive.read_text()))
    except ProcessLookupError:
        return
    ready, _, _ = select.select([child], [], [], 30)  # a killed process may need a moment to end
    os.close(child)
    assert ready, "the child lives on"


def test_an_unknown_part_is_refused_with_the_list() -> None:
    """A typo must not select nothing and report success."""
    done = subprocess.run(
        [sys.executable, "scripts/suite.py", "pytset"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such part: pytset; there are: ruff, format, mypy" in done.stderr


def test_shell_scripts_are_found_by_suffix_and_by_first_line() -> None:
    """A script without a suffix is linted too."""
    found = suite.shell_files()
    assert {".ci/run", "scripts/test", "scripts/setup", "tests/cli/helper.bash"} <= set(found)
    assert "scripts/suite.py" not in found


def test_tests_write_in_memory_where_there_is_room_and_leave_nothing(tmp_path: Path) -> None:
    """Where there is none, or no such folder, they write where they are told to."""
    with suite.scratch(str(tmp_path), 0) as place:
        assert os.listdir(tmp_path) == [os.path.basename(place["TMPDIR"])]
        Path(place["TMPDIR"], "left").touch()
    assert os.listdir(tmp_path) == []
    for memory, room in ((str(tmp_path), 1 << 60), (str(tmp_path / "absent"), 0)):
        with suite.scratch(memory, room) as place:
            assert place == {}
