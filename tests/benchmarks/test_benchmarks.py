"""The benchmarks measure what they say. No test here judges a time: a busy machine is no fault."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from benchmarks import measure, samples
from benchmarks.clock import PYTHON, Command, NotMeasured, best, once, python
from tests.support import git


@pytest.fixture(autouse=True)
def _stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`once` changes the working directory; give it back after each test."""
    monkeypatch.chdir(tmp_path)


def test_each_command_runs_in_turn_in_its_folder(tmp_path: Path) -> None:
    """A warm-up and two rounds: both write three times, interleaved."""
    commands = [
        Command(("/bin/sh", "-c", f"echo {name} >> log"), str(tmp_path)) for name in ("first", "second")
    ]
    costs = best(commands, 2, os.environ)
    assert (tmp_path / "log").read_text().split() == ["first", "second"] * 3
    assert all(cost.seconds > 0 and cost.memory > 0 for cost in costs)


def test_another_exit_code_is_not_measured(tmp_path: Path) -> None:
    """The time of a command that failed says nothing."""
    fails = Command(python("-c", "raise SystemExit(3)"), str(tmp_path))
    with pytest.raises(NotMeasured, match="exit 3, not 0"):
        once(fails, os.environ)
    assert once(fails._replace(code=3), os.environ).seconds > 0


def test_memory_is_that_of_the_process(tmp_path: Path) -> None:
    """A process that fills 300 MB is seen to do so, in bytes."""
    fill = Command(
        python("-c", "x = bytearray(300_000_000); x[::4096] = bytes(len(x[::4096]))"), str(tmp_path)
    )
    assert 300_000_000 < once(fill, os.environ).memory < 450_000_000


def test_the_interpreter_is_the_real_one() -> None:
    """Neither the virtual environment's link nor a shim: the same version, started directly."""
    assert not os.path.islink(PYTHON)
    assert os.path.realpath(sys.executable) == PYTHON


def test_a_sample_holds_the_files_asked_for(tmp_path: Path) -> None:
    """Installed, committed, clean, and of the size that its name says."""
    samples.make(str(tmp_path / "sample"), 120)
    names = git(tmp_path / "sample", "ls-files").split("\n")
    assert sum(name.startswith("src/part") for name in names) == 120
    assert ".goblin/goblin.yaml" in names
    assert git(tmp_path / "sample", "status", "--porcelain") == ""


def test_the_small_table_names_each_target(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One round of the real thing: every line has a number and a target."""
    monkeypatch.setattr(measure, "ROUNDS", 1)
    assert measure.main(["small"]) == 0
    out = capsys.readouterr().out
    assert "--only HP-01" in out
    assert "LP-02" in out
    assert out.count("target: ") == 4


def test_what_cannot_be_measured_is_said_and_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A part that breaks neither hides the other nor passes."""

    def broken(folder: str) -> list[measure.Line]:
        raise NotMeasured(f"no {os.path.basename(folder)[:9]}")

    fine = [measure.Line("a line", "1.0 x", "", "none")]
    monkeypatch.setattr(measure, "PARTS", {"one": broken, "two": lambda folder: fine})
    assert measure.main([]) == 1
    out = capsys.readouterr().out
    assert "one: could not be measured: no benchmark" in out
    assert "a line" in out
