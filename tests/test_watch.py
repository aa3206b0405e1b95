"""The progress line: on a terminal alone, only of a run that takes long, and wiped before the report."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from goblin.watch import Line, wanted
from tests.support import Repo, hermetic, program
from tests.support.mini import CONFIG, mini_repo, row

WIPE = b"\r\x1b[K"
PATIENCE = 60.0
"""Seconds after which a condition that does not come is a failure."""


class Terminal:
    """A pseudo-terminal: its own end for a process, and what appeared on it so far."""

    def __init__(self, columns: int = 80) -> None:
        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.seen = b""

    def read_until(self, found: Callable[[bytes], bool]) -> None:
        """Read until a condition holds of all that appeared."""
        deadline = time.monotonic() + PATIENCE
        while not found(self.seen):
            ready, _, _ = select.select([self.ours], [], [], max(deadline - time.monotonic(), 0))
            assert ready, f"only this appeared: {self.seen!r}"
            self.seen += os.read(self.ours, 4096)

    def read_to_the_end(self, run: subprocess.Popen[bytes]) -> int:
        """Read all that a run of few lines still writes; returns its exit code."""
        code = run.wait(PATIENCE)
        while select.select([self.ours], [], [], 0)[0]:
            self.seen += os.read(self.ours, 4096)
        return code

    def close(self) -> None:
        """Give both ends back."""
        os.close(self.ours)
        os.close(self.theirs)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """A terminal of 80 columns."""
    made = Terminal()
    yield made
    made.close()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository whose one gate waits until somebody writes into the pipe that the environment names."""
    config = CONFIG + "gates:\n  - name: slow\n    cmd: 'cat \"$THE_PIPE\"'\n"
    gate = row("GT-02", "checks/gates.py::every_gate_exits_0", rule="Every declared gate exits 0")
    return mini_repo(tmp_path / "repo", [gate], config=config)


@contextmanager
def verifying(
    repo: Repo, pipe: Path, streams: tuple[int, int], **env: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A verify that is at its gate until `pipe` is opened; it is killed where a test leaves it running."""
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [program("goblin-verify"), "--only", "GT-02"],
        cwd=repo,
        env=hermetic(THE_PIPE=str(pipe), **{"TERM": "xterm", **env}),
        stdin=subprocess.DEVNULL,
        stdout=streams[0],
        stderr=streams[1],
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def release(pipe: Path) -> None:
    """Let the gate that waits at this pipe end; opening it waits for the gate."""
    with open(pipe, "w"):
        pass


def test_a_long_run_says_which_gate_and_for_how_long(repo: Repo, terminal: Terminal, tmp_path: Path) -> None:
    """It appears while the gate runs, counts, and is gone before the first line of the report."""
    with verifying(repo, tmp_path / "pipe", (terminal.theirs, terminal.theirs)) as run:
        terminal.read_until(lambda seen: re.search(rb"GT-02 gate slow, 1 s", seen) is not None)
        release(tmp_path / "pipe")
        assert terminal.read_to_the_end(run) == 0
    drawn, _, report = terminal.seen.rpartition(WIPE)
    assert report.startswith(b"PASS  GT-02 ")
    assert b"goblin-verify: 1 of 1, GT-02 gate slow" in drawn
    lines = [line for line in drawn.replace(b"\x1b[K", b"").split(b"\r") if line]
    assert all(line.startswith(b"\x1b[2m") and line.endswith(b"\x1b[0m") for line in lines)
    assert b"\n" not in drawn


def test_without_colour_the_line_has_none(repo: Repo, terminal: Terminal, tmp_path: Path) -> None:
    """NO_COLOR leaves only what moves and wipes the line."""
    with verifying(repo, tmp_path / "pipe", (terminal.theirs, terminal.theirs), NO_COLOR="1") as run:
        terminal.read_until(lambda seen: b"gate slow" in seen)
        release(tmp_path / "pipe")
        assert terminal.read_to_the_end(run) == 0
    assert set(re.findall(rb"\x1b\[[0-9;]*[A-Za-z]", terminal.seen)) == {b"\x1b[K"}


def test_pipes_and_dumb_terminals_get_the_report_alone(repo: Repo, tmp_path: Path) -> None:
    """Each run is at its gate for as long as one on a terminal needs to draw the line."""
    terminal, dumb, beside = Terminal(), Terminal(), Terminal()
    read, write = os.pipe()
    names = [tmp_path / name for name in ("piped", "dumb", "beside", "drawn")]
    try:
        with (
            verifying(repo, names[0], (subprocess.PIPE, subprocess.PIPE)) as piped,
            verifying(repo, names[1], (dumb.theirs, dumb.theirs), TERM="dumb") as on_dumb,
            verifying(repo, names[2], (write, beside.theirs)) as on_beside,
            verifying(repo, names[3], (terminal.theirs, terminal.theirs)),
        ):
            terminal.read_until(lambda seen: b"gate slow" in seen)
            for name in names:
                release(name)
            out, err = piped.communicate(timeout=PATIENCE)
            assert (piped.returncode, err) == (0, b"")
            assert out.startswith(b"PASS  GT-02 ")
            assert b"\r" not in out
            assert dumb.read_to_the_end(on_dumb) == beside.read_to_the_end(on_beside) == 0
            assert dumb.seen.replace(b"\r\n", b"\n") == out
            assert os.read(read, 1 << 16) == out
            assert beside.seen == b""
    finally:
        for one in (terminal, dumb, beside):
            one.close()
        os.close(read)
        os.close(write)


@pytest.mark.parametrize(
    ("env", "errors", "output", "drawn"),
    [
        ({"TERM": "xterm"}, "terminal", "terminal", True),
        ({"TERM": "xterm"}, "terminal", "file", True),
        ({"TERM": "xterm"}, "terminal", "pipe", False),
        ({"TERM": "xterm"}, "file", "terminal", False),
        ({"TERM": "xterm"}, "pipe", "pipe", False),
        ({"TERM": "dumb"}, "terminal", "terminal", False),
        ({}, "terminal", "terminal", False),
    ],
)
def test_where_the_line_is_drawn(
    env: dict[str, str], errors: str, output: str, drawn: bool, terminal: Terminal, tmp_path: Path
) -> None:
    """On a terminal that can wipe a line, while no pipe's reader may be drawing on it."""
    read, write = os.pipe()
    with open(tmp_path / "file", "w") as file:
        streams = {"terminal": terminal.theirs, "pipe": write, "file": file.fileno()}
        assert wanted(streams[errors], streams[output], env) is drawn
    os.close(read)
    os.close(write)


def test_a_run_that_is_quick_draws_nothing(terminal: Terminal) -> None:
    """Not even what wipes a line."""
    with Line("goblin-verify", terminal.theirs, colour=True, after=PATIENCE) as line:
        line.row("1 of 1, GT-02")
    assert select.select([terminal.ours], [], [], 0)[0] == []


def test_an_error_wipes_the_line_too(terminal: Terminal) -> None:
    """Whatever ends the run, the message after it stands on a line of its own."""

    def interrupted() -> None:
        with Line("goblin-verify", terminal.theirs, colour=False, after=0) as line:
            line.row("1 of 1, GT-02")
            terminal.read_until(lambda seen: b"GT-02" in seen)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    terminal.read_until(lambda seen: seen.endswith(WIPE))
    assert threading.active_count() == 1


@pytest.mark.parametrize("columns", [1, 10, 20, 79, 80, 200])
def test_the_line_fits_and_holds_only_ascii(columns: int) -> None:
    """Cut before the time, one column short of the edge: a full line would wrap, and could not be wiped."""
    line = Line("goblin-verify", -1, colour=False)
    line.row("3 of 92, GT-02")
    line.doing("gate \u4f60\u597d\x1b[2J\n" + "x" * 300)
    text = line.text(time.monotonic() + 3725, columns).decode("ascii")
    assert len(text) < max(columns, len(", 62 min 5 s") + 1)
    assert text.endswith(", 62 min 5 s")
    assert text.isprintable()
