"""How a harness is started on the old tree, and how what it gave is judged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest

from goblin.facts.blanking import Blanked
from goblin.facts.harness import HarnessFile
from goblin.facts.replay import Replayed, command_for, judged
from goblin.process import Completed


def harness(path: str, text: str = "") -> HarnessFile:
    """A file of the harness directory."""
    return HarnessFile(path, path.rpartition(".")[2], Blanked(text, text))


@pytest.mark.parametrize(
    ("template", "path", "expected"),
    [
        ("auto {path}", "checks/a.mjs", "node checks/a.mjs"),
        ("auto {path}", "checks/a.js", "node checks/a.js"),
        ("auto {path}", "checks/a.sh", "bash checks/a.sh"),
        ("auto {path}", "checks/a.bats", "bats checks/a.bats"),
        ("auto {path}", "checks/a.py", f"{quote(sys.executable)} checks/a.py"),
        ("auto --quiet checks/{name}.mjs", "checks/a.mjs", "node --quiet checks/a.mjs"),
        ("automatic {path}", "checks/a.sh", "automatic checks/a.sh"),
        ("run auto {path}", "checks/a.sh", "run auto checks/a.sh"),
        ("node checks/{name}.mjs", "checks/a.b.mjs", "node checks/a.b.mjs"),
        ("node 'checks/{name}.mjs'", "checks/a.mjs", "node 'checks/a.mjs'"),
        ("x {name} {path}", "checks/{path}.sh", "x '{path}' 'checks/{path}.sh'"),
        ("x {path}", "checks/a b.sh", "x 'checks/a b.sh'"),
        ("x {name}", "checks/-e.sh", "x -e"),
    ],
)
def test_the_command(template: str, path: str, expected: str) -> None:
    """`auto` counts as the first word alone, and a place is filled once."""
    assert command_for(template, harness(path)) == expected


@pytest.mark.parametrize(
    "name", ["x;true;#", "$(touch PWNED)", "`touch PWNED`", "a'b", 'a"b', "a\nb", "*", "~"]
)
def test_a_file_name_reaches_the_interpreter_as_one_argument(tmp_path: Path, name: str) -> None:
    """Whatever a shell would make of it."""
    command = command_for("printf '<%s>' {name} {path}", harness(f"checks/{name}.sh"))
    assert command is not None
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"<{name}><checks/{name}.sh>"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("template", ['node "checks/{name}.mjs"', "bash -c 'x {name}'", "x `echo {name}`"])
def test_a_name_that_cannot_be_quoted_there_is_not_run(template: str) -> None:
    """Quotes of the command would end the quotes of the name."""
    assert command_for(template, harness("checks/$(touch PWNED).mjs")) is None
    assert command_for(template, harness("checks/plain.mjs")) is not None


def seen(
    code: int, output: str = "", text: str = "", *, timed_out: bool = False, signal: int = 0
) -> Replayed:
    """What is made of a run that ended so."""
    done = Completed(code, output.encode(), timed_out, signal)
    return judged(harness("checks/a.sh", text), done, lambda missing: missing.name == "ours")


def test_red_with_an_assertion_is_red() -> None:
    """Nothing more is said of it."""
    assert seen(1, "FAIL  x\n") == Replayed("checks/a.sh", "", "", ("FAIL  x",))


def test_red_without_a_word_is_red_and_noted() -> None:
    """An exit code is an answer too."""
    assert seen(3) == Replayed("checks/a.sh", "", "red with exit 3, and printed no FAIL line")


def test_green_proves_nothing() -> None:
    """It says so, and how many tests it had where it had none."""
    assert seen(0).problem == "green on the old tree too: proves nothing"
    assert "it ran no test: 1..0" in seen(0, "1..0\n").problem


@pytest.mark.parametrize(
    ("code", "timed_out", "signal"),
    [(126, False, 0), (127, False, 0), (137, False, 0), (139, False, 11), (124, True, 0)],
)
def test_no_answer_is_no_red(code: int, timed_out: bool, signal: int) -> None:
    """Not executable, not found, a signal and a time-out, also with a failed assertion in the output."""
    found = seen(code, "FAIL  x\n", timed_out=timed_out, signal=signal).problem
    assert found.startswith("could not run")
    assert "could not be executed" in found


def test_a_missing_dependency_is_the_wrong_reason() -> None:
    """Unless an assertion failed as well, or the change itself brought what is missing."""
    missing = "a.sh: line 2: tool: command not found\n"
    assert "red for the wrong reason: the command tool is missing there" in seen(1, missing).problem
    assert seen(1, missing + "FAIL  x\n").problem == ""
    assert seen(1, "No module named 'ours'\n").problem == ""
    assert "could not run" in seen(1, "a.sh: line 2: ./.env: No such file or directory\n").problem


def test_no_test_ran() -> None:
    """Whatever the exit code says."""
    assert seen(5, "no tests ran in 0.01s\n").problem == "exit 5, and no test ran: no tests ran in 0.01s"


def test_a_negation_that_cannot_fail_is_pointed_at() -> None:
    """A green shell test with a line behind `!` gets a hint."""
    assert "line 2 begins with `!`" in seen(0, text="set -e\n! grep -q legacy src\ntrue").problem
    assert "begins with" not in seen(0, text="if ! grep -q legacy src; then exit 1; fi").problem
