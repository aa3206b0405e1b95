"""One installer at a time, and none that a dead one could keep out for ever."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from goblin.install import lock
from goblin.install.disk import Disk
from goblin.install.lock import PATH, Held, acquire, look
from tests.install.faults import CountingDisk, failing, in_child, picture
from tests.support import write_files

HERE = socket.gethostname()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A target with one file."""
    write_files(tmp_path / "target", {"README.md": "x\n"})
    return tmp_path / "target"


def dead_process() -> int:
    """The id of a process that has just ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_taken_and_given_back_it_leaves_nothing(root: Path) -> None:
    """Not even the folder, when the lock made it."""
    before = picture(root)
    held = acquire(Disk(str(root)))
    text = (root / PATH).read_text()
    assert f"pid={os.getpid()} host={HERE}" in text
    assert held.notices == ()
    held.release()
    assert picture(root) == before


def test_a_folder_that_was_there_stays(root: Path) -> None:
    """Also an empty one: somebody else made it."""
    (root / ".goblin").mkdir()
    acquire(Disk(str(root))).release()
    assert (root / ".goblin").is_dir()


def test_a_live_holder_is_respected(root: Path) -> None:
    """The message names the lock and the process; nothing changes."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        write_files(root, {PATH: f"{other.pid} {HERE}\n"})
        before = picture(root)
        with pytest.raises(Held, match=rf"holds \.goblin/lock: process {other.pid} on {HERE}"):
            acquire(Disk(str(root)))
        assert picture(root) == before
        assert "(dead)" not in lock.look(Disk(str(root)))
        other.communicate(b"\n")


@pytest.mark.parametrize(
    "text", ["{pid} {host}\n", "pid={pid} host={host}\n", '{{"pid": {pid}, "host": "{host}"}}']
)
def test_a_dead_holder_is_taken_over_and_that_is_said(root: Path, text: str) -> None:
    """On this host the system knows that there is no such process."""
    pid = dead_process()
    write_files(root, {PATH: text.format(pid=pid, host=HERE)})
    assert lock.look(Disk(str(root))).endswith("(dead)")
    held = acquire(Disk(str(root)))
    assert held.notices == (f"took over .goblin/lock: its holder, process {pid}, no longer runs",)
    held.release()
    assert not (root / PATH).exists()


def test_a_lock_without_a_word_is_one_whose_maker_died_writing_it(root: Path) -> None:
    """Making and naming it happen under one hold of the folder, so no living process leaves it empty."""
    write_files(root, {PATH: ""})
    acquire(Disk(str(root))).release()


@pytest.mark.parametrize("text", ["somebody\n", "\x1b[31mred\n\n", "\x00\x01"])
def test_a_lock_that_names_nobody_is_told_as_it_is(root: Path, text: str) -> None:
    """Its words are shown, printable, and no process 0 on an unnamed host is made up."""
    write_files(root, {PATH: text})
    with pytest.raises(Held) as held:
        acquire(Disk(str(root)))
    told = str(held.value)
    assert told.startswith(f"{PATH} does not say who holds it: it begins with `")
    assert "process" not in told
    assert told.isprintable()
    assert look(Disk(str(root))) == f"{PATH} names no holder"


@pytest.mark.parametrize("text", ["{pid} another-host\n", "{pid}\n", "somebody\n"])
def test_a_holder_that_cannot_be_judged_is_respected(root: Path, text: str) -> None:
    """Another host's processes are not seen from here."""
    write_files(root, {PATH: text.format(pid=dead_process())})
    with pytest.raises(Held):
        acquire(Disk(str(root)))


def test_a_process_number_that_was_given_out_again_does_not_hold(root: Path) -> None:
    """The start time tells the living process from the dead one with the same number."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        write_files(root, {PATH: f"pid={other.pid} host={HERE} started=1\n"})
        acquire(Disk(str(root))).release()
        other.communicate(b"\n")


def test_of_many_that_start_together_one_holds_it_at_a_time(root: Path) -> None:
    """With a dead lock in the way as well: nobody else takes it while one has it."""
    write_files(root, {PATH: f"{dead_process()} {HERE}\n"})
    drive = (
        "import os, sys, time\n"
        "from goblin.install.disk import Disk\n"
        "from goblin.install.lock import Held, acquire\n"
        "root, start = sys.argv[1], float(sys.argv[2])\n"
        "while time.time() < start: pass\n"
        "try:\n    held = acquire(Disk(root))\nexcept Held:\n    sys.exit(3)\n"
        "os.mkdir(os.path.join(root, 'inside'))\n"
        "input()\n"
        "os.rmdir(os.path.join(root, 'inside'))\n"
        "held.release()\n"
    )
    start = str(time.time() + 1)
    command = [sys.executable, "-c", drive, str(root), start]
    runs = [subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(6)]
    while sum(run.poll() is not None for run in runs) < 5:
        time.sleep(0.01)
    winners = [run for run in runs if run.poll() is None]
    assert len(winners) == 1
    assert winners[0].communicate(b"\n")[1] == b""
    assert sorted(run.wait() for run in runs) == [0, 3, 3, 3, 3, 3]
    for run in runs:
        assert run.stdin is not None
        run.stdin.close()
        assert run.stderr is not None
        run.stderr.close()
    assert not (root / PATH).exists()


def test_nobody_else_judges_a_dead_lock_while_it_is_taken_over(root: Path) -> None:
    """Between the judgement and the new lock the folder is held, so no second process judges the same."""
    write_files(root, {PATH: f"{dead_process()} {HERE}\n"})
    refused = []

    def stop(number: int, call: str) -> None:
        descriptor = os.open(root / ".goblin", os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            refused.append(call)
        finally:
            os.close(descriptor)

    acquire(CountingDisk(str(root), stop))
    assert refused == ["create", "write", "sync", "replace"]


def test_a_failure_while_taking_it_leaves_nothing(root: Path) -> None:
    """Each call fails in turn."""
    before = picture(root)
    for at in range(1, 5):
        with pytest.raises(OSError, match="Input/output error"):
            acquire(failing(at)(str(root)))
        assert picture(root) == before, f"call {at}"


def test_a_forked_process_that_dies_with_the_lock_frees_it(root: Path) -> None:
    """The usual crash: taken, and never given back; the folder that it made goes with the next release."""
    before = picture(root)
    assert in_child(lambda: (acquire(Disk(str(root))), os._exit(5))) == 5
    assert (root / PATH).exists()
    acquire(Disk(str(root))).release()
    assert picture(root) == before
