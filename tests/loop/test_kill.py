"""A writer that is killed: nothing acknowledged is lost, nothing is torn, and the chain still verifies.

Three ways to choose the moment: at random, many times, in real processes; before and in the middle of
each call that writes, one after the other; and by cutting a file at each of its bytes.
"""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from goblin.loop import state
from goblin.loop.agreement import Agreement
from goblin.outcome import Verdict
from tests.checks.judging import judge, said
from tests.loop.driving import LOOP, closed, log_of, loop_repo, mended, opened, record_of, recorded
from tests.support import PROJECT, Repo, hermetic

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
    found = [judge(repo, cell) for cell in ROWS]
    return [said(outcome) for outcome in found if outcome.verdict is Verdict.FAIL]


def sound(repo: Repo) -> None:
    """The log verifies, and rows and log tell the same."""
    log, record = log_of(repo), record_of(repo)
    assert log.faults == ()
    assert Agreement.of(record.decisions, log.of("decision")) == Agreement(matched=len(record.decisions))
    assert all(not row.faults for row in record.decisions)
    assert (repo / f"{LOOP}/decisions.tsv").read_bytes().endswith(b"\n")


# --- at random -----------------------------------------------------------------------------------------

RECORDER = """
import sys
from goblin.loop import turn
from goblin.loop.writer import Writer
from tests.loop.driving import KINDS, place
from tests.support import Repo

where = place(Repo(sys.argv[1]))
print("ready", flush=True)
number = 0
while True:
    asked = turn.Turn("check", "note", f"{sys.argv[2]} {number} " + "x" * 3000, "", "")
    with Writer(where.root, KINDS) as writer:
        done = turn.record(writer, where, asked, turn.Ran())
    print(done.cells[3].split(" x")[0], flush=True)
    number += 1
"""


def acknowledged(process: subprocess.Popen[bytes], wait: float) -> Iterator[str]:
    """What the writer has acknowledged within `wait` seconds after it was ready, and before it was killed."""
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    select.select([], [], [], wait)  # the moment of the kill is what is drawn by lot
    process.send_signal(signal.SIGKILL)
    text = process.stdout.read().decode()
    process.wait()
    yield from (line for line in text.split("\n")[:-1])


def test_two_hundred_kills_lose_no_acknowledged_turn(tmp_path: Path) -> None:
    """Each writer is killed at a random moment; at the end every acknowledged row stands, in order."""
    repo = loop_repo(tmp_path / "repository")
    opened(repo)
    lot = random.Random(20260925)  # noqa: S311  (no secret hangs on it)
    promised: list[str] = []
    for number in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-c", RECORDER, str(repo.root), f"writer-{number}"],
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        promised += acknowledged(process, lot.uniform(0, 0.06))
        if number % 40 == 39:  # a log that grows without end would make each writer slower than the last
            mended(repo)
            sound(repo)
            rows = [row.why.split(" x")[0] for row in record_of(repo).decisions]
            assert [row for row in rows if row in set(promised)] == promised
            assert len(rows) >= len(promised) > 0
            subprocess.run(["rm", "-rf", str(repo / LOOP)], check=True)
            opened(repo)
            promised = []


# --- at each call that writes -------------------------------------------------------------------------

KILLED = """
import os, signal, sys
sys.argv.pop(0)
at, half = int(sys.argv.pop(0)), sys.argv.pop(0) == "half"
count = 0

def dying(function, *, writes=False):
    def call(*arguments, **named):
        global count
        count += 1
        if count == at:
            if writes and half:
                function(arguments[0], bytes(arguments[1])[: max(1, len(arguments[1]) // 2)])
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **named)
    return call

import fcntl, subprocess, tempfile  # whatever they do while they load is no write of ours
from tests.loop import driving
from tests.support import Repo
repo = Repo(sys.argv.pop(0))
where = driving.place(repo)
if sys.argv[0] == "start":
    first = driving.start  # the predicate is run before anything is written
    from goblin.loop import measure
    ran = measure.predicate(where.git, where.head, where.branch, driving.PREDICATE, 60)
    measure.predicate = lambda *arguments: ran
for name in ("replace", "rename", "unlink", "mkdir", "ftruncate", "fsync"):
    setattr(os, name, dying(getattr(os, name)))
os.write = dying(os.write, writes=True)
if sys.argv[0] == "start":
    driving.opened(repo)
elif sys.argv[0] == "record":
    driving.recorded(repo, why="the turn that is killed")
else:
    driving.closed(repo)
print("done", count)
"""


def killed(repo: Repo, command: str, at: int, half: bool) -> bool:
    """Run a command that kills itself before its `at`-th writing call, or in it; False once it ends."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(at), "half" if half else "before", str(repo.root), command],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stdout + done.stderr
    return done.returncode != 0


def copies(source: Repo, folder: Path) -> Iterator[Repo]:
    """As many private copies of a repository as are asked for."""
    number = 0
    while True:
        number += 1
        target = folder / str(number)
        subprocess.run(["cp", "-R", str(source.root), str(target)], check=True)
        yield Repo(target)


@pytest.mark.parametrize("half", [False, True], ids=["before", "half-way"])
def test_a_record_killed_at_any_step_is_completed_or_absent(tmp_path: Path, half: bool) -> None:
    """The turn stands in both files or in neither, and the next turn follows it."""
    source = loop_repo(tmp_path / "source")
    opened(source)
    recorded(source, why="the first")
    outcomes = set()
    for at, repo in enumerate(copies(source, tmp_path), start=1):
        if not killed(repo, "record", at, half):
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
def test_a_start_killed_at_any_step_is_started_again(tmp_path: Path, again: bool) -> None:
    """Whatever stands there then, the same command opens the loop, and no row is red."""
    source = loop_repo(tmp_path / "source")
    if again:
        opened(source)
        recorded(source)
        with_write_up(source)
        closed(source)
        source.commit("The first loop")
    for at, repo in enumerate(copies(source, tmp_path), start=1):
        if not killed(repo, "start", at, half=False):
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
def test_a_close_killed_at_any_step_is_finished_by_the_next(tmp_path: Path, half: bool) -> None:
    """One archive, chained; the loop is closed once, and another can be opened."""
    source = loop_repo(tmp_path / "source", {"checks/a.sh": "#!/bin/sh\nexit 1\n"})
    opened(source, surface=("checks/a.sh",))
    recorded(source)
    with_write_up(source)
    for at, repo in enumerate(copies(source, tmp_path), start=1):
        if not killed(repo, "close", at, half):
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
