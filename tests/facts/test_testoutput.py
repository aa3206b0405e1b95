"""What the output of a harness says: assertions that failed, what was missing, and whether a test ran."""

from __future__ import annotations

import pytest

from goblin.facts.testoutput import Missing, read


@pytest.mark.parametrize(
    "line",
    [
        "FAIL  the banner is there - 0 found",
        "  FAIL: test_x (a.T.test_x)",
        "FAILED checks/test_a.py::test_x - assert 1 == 2",
        "\x1b[31mFAIL\x1b[0m  red in colour",
        "not ok 1 - adds",
        "AssertionError: expected 1",
        "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
        "FAILED (failures=1)",
        "\u2716 adds (2ms)",
        "prog: a.c:3: main: Assertion failed",
    ],
)
def test_a_failed_assertion_is_seen(line: str) -> None:
    """In the words of the house shape, TAP, Python and Node."""
    assert len(read(f"start\n{line}\nend\n".encode(), "checks/a.py").assertions) == 1


@pytest.mark.parametrize(
    "text",
    [
        "PASS  a - fine",
        "ok 1 - adds",
        "failed to connect",
        "FAILED (errors=1)",
        "FAIL checks/a.mjs",
        "\u2716 checks/a.mjs (40.1ms)",
        "FAILED checks/test_a.py::test_x - ModuleNotFoundError: No module named 'x'",
        "not ok 1 adds\n# (in checks/a.bats, line 2)\n# checks/a.bats: line 2: tool: command not found",
        "not ok 1 - adds\n  ---\n  error: \"Cannot find module 'x'\"\n  ...",
    ],
)
def test_other_words_are_none(text: str) -> None:
    """Neither a runner's headline nor an assertion that failed because something was missing counts."""
    assert read(text.encode(), "checks/a.mjs").assertions == ()


def test_a_tap_block_ends_at_the_next_result() -> None:
    """What the second test lacked does not excuse the first."""
    text = b"not ok 1 adds\n# got 3\nnot ok 2 builds\n# a.bats: line 2: tool: command not found\n"
    assert read(text).assertions == ("not ok 1 adds",)


@pytest.mark.parametrize(
    ("line", "kind", "name"),
    [
        ("checks/a.sh: line 3: tool: command not found", "command", "tool"),
        ("bash: tool: command not found", "command", "tool"),
        ("zsh:1: command not found: tool", "command", "tool"),
        ("sh: 1: tool: not found", "command", "tool"),
        ("checks/a.sh: 2: tool: not found", "command", "tool"),
        ("env: \u2018node\u2019: No such file or directory", "command", "node"),
        ("ModuleNotFoundError: No module named 'left.pad'", "module", "left.pad"),
        ("/usr/bin/python3: No module named pytest", "module", "pytest"),
        ("Error: Cannot find module 'left-pad'", "module", "left-pad"),
        ("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'a' imported from /x/b.mjs", "module", "a"),
        ("x: error while loading shared libraries: liba.so: cannot open shared", "module", "liba.so"),
        ("checks/b.sh: line 2: ./.env: No such file or directory", "file", "./.env"),
        ("checks/b.sh: 2: .: cannot open ./.env: No such file", "file", "./.env"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'deps/a'", "file", "deps/a"),
        ("Error: ENOENT: no such file or directory, open 'deps/a'", "file", "deps/a"),
        ("rm: cannot remove 'deps/a': No such file or directory", "file", "deps/a"),
        ("python3: can't open file '/x/b.py': [Errno 2] No such file or directory", "file", "/x/b.py"),
        ('ERROR: Test file "/x/b.bats" does not exist.', "file", "/x/b.bats"),
    ],
)
def test_what_is_missing_is_named(line: str, kind: str, name: str) -> None:
    """Each shell, Python, Node and a dynamic loader has words of its own."""
    found = read(f"{line}\n".encode())
    assert [(sign.kind, sign.name) for sign in found.missing] == [(kind, name)]
    assert found.assertions == ()


def test_what_the_change_brought_is_not_missing() -> None:
    """The caller knows what belongs to the change."""
    text = b"ModuleNotFoundError: No module named 'ours'\nFAILED a - No module named 'ours'\n"
    found = read(text, present=lambda missing: missing.name == "ours")
    assert found.missing == ()
    assert len(found.assertions) == 1


def test_each_missing_thing_stands_once_in_order() -> None:
    """Ten lines about one tool are one sign."""
    text = (
        b"a: line 1: x: command not found\na: line 2: y: command not found\na: line 3: x: command not found\n"
    )
    assert read(text).missing == (
        Missing("command", "x", "a: line 1: x: command not found"),
        Missing("command", "y", "a: line 2: y: command not found"),
    )


@pytest.mark.parametrize(
    "line",
    ["1..0", "1..0 # no tests", "============ no tests ran in 0.01s ======", "collected 0 items",
     "Ran 0 tests in 0.000s", "NO TESTS RAN", "# tests 0", "No tests found, exiting with code 1"],
)  # fmt: skip
def test_a_run_without_a_test_is_seen(line: str) -> None:
    """pytest, unittest, node, TAP and others say so in a line."""
    assert read(f"x\n{line}\n".encode()).none_ran == line


@pytest.mark.parametrize("line", ["1..01", "1..3", "collected 10 items", "Ran 10 tests in 1s", "# tests 10"])
def test_a_run_with_tests_is_not(line: str) -> None:
    """A number that only begins or ends with 0 is another number."""
    assert read(f"{line}\n".encode()).none_ran == ""


def test_a_hostile_output_costs_little() -> None:
    """A megabyte without a line end, and many lines of colons, end quickly."""
    assert read(b": " * 500_000 + b"\n" + (b":" * 3000 + b"\n") * 50).missing == ()
