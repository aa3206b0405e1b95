"""A writer that is killed: nothing acknowledged is lost, nothing is torn, and the chain still verifies.

Three ways to choose the moment: at random, many times, in real processes; before and in the middle of
each call that writes, one after the other; and by cutting a file at each of its bytes.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goblin import check
from goblin.loop import state
from goblin.loop.agreement import Agreement
from goblin.manifest import Row
from goblin.outcome import Verdict
from tests.checks.judging import said
from tests.loop.driving import LOOP, closed, log_of, loop_repo, mended, opened, record_of, recorded
from tests.support import PROJECT, Repo, hermetic
from tests.support.mini import facts_of

KILLS = 200
ENVIRONMENT = hermetic(PYTHONPATH=str(PROJECT))

ROWS = (
    "checks/judge.py::each_verdict_cites_what_resolves",
    "checks/loop.py::the_predicate_ran_before_the_first_turn",
    "checks/loop.py::the_predicate_is_pinned",
    "checks/loop.py::the_loop_stays_inside_its_budget",
    "checks/loop.py::the_pinned_surface_is_unchanged",
    "checks/runs.py::each_row_has_its_event",
    "checks/runs.py::the_first_run_was_measured",
    "checks/runs.py::each_run_has_one_end",
    "checks/runs.py::the_control_was_green_first",
)
"""The rows that a killed command may not leave red, once the next command has run."""


def red(repo: Repo) -> list[str]:
    """What the rows say against the record."""
    facts = facts_of(repo)
    rows = [Row("ZZ-01", "target", "", "script", "rule", "artifact", cell, "-", "-") for cell in ROWS]
    found = [check.run(row, facts) for row in rows]
    return [said(outcome) for outcome in found if outcome.verdict is Verdict.FAIL]


def sound(repo: Repo) -> None:
    """The log verifies, and rows and log tell the same."""
    log, record = log_of(repo), record_of(repo)
    assert log.faults == ()
    assert Agreement.of(record.decisions, log.of("decision")) == Agreement(matched=len(record.decisions))
    assert all(not row.faults for row in record.decisions)
    assert (repo / f"{LOOP}/decisions.tsv").read_bytes().endswith(b"\n")


# --- at random -----------------------------------------------------------------------------------------


class Forker:
    """The process that forks writers (tests/loop/forker.py)."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.loop.forker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=PROJECT,
            env=ENVIRONMENT,
            text=True,
        )

    def ask(self, *words: object) -> Any:
        """One line there and back."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        """Let it go."""
        self._process.communicate()


@pytest.fixture(scope="module")
def forker() -> Iterator[Forker]:
    """One for all tests of a module."""
    made = Forker()
    yield made
    made.end()


def test_two_hundred_kills_lose_no_acknowledged_turn(tmp_path: Path, forker: Forker) -> None:
    """Each writer is killed at a random moment; at the end every acknowledged row stands, in order."""
    repo = loop_repo(tmp_path / "repository")
    opened(repo)
    lot = random.Random(20260925)  # noqa: S311  (no secret hangs on it)
    promised: list[str] = []
    kills = told = 0
    while kills < KILLS:
        name = f"writer-{kills}"
        seen = forker.ask("write", str(repo.root), name, lot.randrange(3), lot.uniform(0, 0.02))
        promised += [f"{name} {number}" for number in seen]
        kills += 1
        if kills % 40 == 0:  # a log that grows without end would make each writer slower than the last
            mended(repo)
            sound(repo)
            rows = [row.why.split(" x")[0] for row in record_of(repo).decisions]
            assert [row for row in rows if row in set(promised)] == promised
            assert len(rows) >= len(promised)
            told += len(promised)
            shutil.rmtree(repo / LOOP)
            opened(repo)
            promised = []
    assert told > KILLS // 2


# --- at each call that writes -------------------------------------------------------------------------


def copies(source: Repo, folder: Path) -> Iterator[Repo]:
    """As many private copies of a repository as are asked for."""
    number = 0
    while True:
        number += 1
        target = folder / str(number)
        subprocess.run(["cp", "-R", str(source.root), str(target)], check=True)
        yield Repo(target)


@pytest.mark.parametrize("half", [False, True], ids=["before", "half-way"])
def test_a_record_killed_at_any_step_is_completed_or_absent(
    tmp_path: Path, forker: Forker, half: bool
) -> None:
    """The turn stands in both files or in neither, and the next turn follows it."""
    source = loop_repo(tmp_path / "source")
    opened(source)
    recorded(source, why="the first")
    outcomes = set()
    for at, repo in enumerate(copies(source, tmp_path), start=1):
        if not forker.ask("step", str(repo.root), "record", at, half):
            break
        mended(repo)
        sound(repo)
        whys = [row.why for row in record_of(repo).decisions]
        assert whys in (["the first"], ["the first", "the turn that is killed"])
        outcomes.add(len(whys))
        recorded(repo, why="the next")
        sound(repo)
        assert red(repo) == []
    assert at > 3
    assert outcomes == {1, 2}


@pytest.mark.parametrize("again", [False, True], ids=["first", "another"])
def test_a_start_killed_at_any_step_is_started_again(tmp_path: Path, forker: Forker, again: bool) -> None:
    """Whatever stands there then, the same command opens the loop, and no row is red."""
    source = loop_repo(tmp_path / "source")
    if again:
        opened(source)
        recorded(source)
        with_write_up(source)
        closed(source)
        source.commit("The first loop")
    for at, repo in enumerate(copies(source, tmp_path), start=1):
        if not forker.ask("step", str(repo.root), "start", at, False):
            break
        if state.of(record_of(repo), log_of(repo)).name != "open":
            opened(repo)
        assert state.of(record_of(repo), log_of(repo)).is_open
        recorded(repo)
        sound(repo)
        assert red(repo) == []
        assert not (repo / LOOP / "stuck.md").exists()
    assert at > 20


@pytest.mark.parametrize("half", [False, True], ids=["before", "half-way"])
def test_a_close_killed_at_any_step_is_finished_by_the_next(
    tmp_path: Path, forker: Forker, half: bool
) -> None:
    """One archive, chained; the loop is closed once, and another can be opened."""
    source = loop_repo(tmp_path / "source", {"checks/a.sh": "#!/bin/sh\nexit 1\n"})
    opened(source, surface=("checks/a.sh",))
    recorded(source)
    with_write_up(source)
    for at, repo in enumerate(copies(source, tmp_path), start=1):
        if not forker.ask("step", str(repo.root), "close", at, half):
            break
        if state.of(record_of(repo), log_of(repo)).name != "closed":
            closed(repo)
        assert state.of(record_of(repo), log_of(repo)).name == "closed"
        assert len(record_of(repo).archives) == 1
        assert len([event for event in log_of(repo).events if event.type == "run_closed"]) == 1
        assert red(repo) == []
    assert at > 10
    opened(repo)
    assert red(repo) == []


def with_write_up(repo: Repo) -> None:
    """Write up the loop that stands there."""
    from tests.loop.driving import written_up

    written_up(repo)


# --- at each byte -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["events.jsonl", "decisions.tsv"])
def test_a_file_cut_at_any_byte_of_its_last_line_is_mended(tmp_path: Path, name: str) -> None:
    """What a kill may leave of the last event or row is set aside, or completed, and then all is sound."""
    repo = loop_repo(tmp_path / "repository")
    opened(repo)
    recorded(repo, why="the first")
    recorded(repo, why="the last")
    files = {path: path.read_bytes() for path in (repo / LOOP).iterdir() if path.is_file()}
    log, table = repo / f"{LOOP}/events.jsonl", repo / f"{LOOP}/decisions.tsv"
    whole = files[repo / LOOP / name]
    start = whole.rstrip(b"\n").rfind(b"\n") + 1
    rows = files[table]
    before_the_row = rows[: rows.rstrip(b"\n").rfind(b"\n") + 1]
    for cut in range(start, len(whole) + 1):
        for path in (repo / LOOP).iterdir():
            if path.is_file() and path not in files:
                path.unlink()
        for path, data in files.items():
            path.write_bytes(data)
        (repo / LOOP / name).write_bytes(whole[:cut])
        if name == "events.jsonl" and cut < len(whole):
            table.write_bytes(before_the_row)  # the row is written after the event, so it is not there yet
        mended(repo)
        sound(repo)
        told = [row.why for row in record_of(repo).decisions]
        lost = name == "events.jsonl" and cut < len(whole)
        assert told == (["the first"] if lost else ["the first", "the last"])
        assert log.read_bytes().startswith(whole[:start] if name == "events.jsonl" else files[log])


HOLDER = """
import signal, sys
from goblin.loop.writer import Writer
from tests.loop.driving import KINDS
with Writer(sys.argv[1], KINDS):
    print("held", flush=True)
    signal.pause()
"""


def test_the_kernel_frees_the_lock_of_a_killed_writer(tmp_path: Path) -> None:
    """A dead writer keeps nobody out."""
    repo = loop_repo(tmp_path / "repository")
    opened(repo)
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(repo.root)], stdout=subprocess.PIPE, env=ENVIRONMENT
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    recorded(repo)
    sound(repo)
