"""A process that answers and ends, or answers one question after another: no `subprocess`, no threads.

A run asks git a dozen questions of two milliseconds each. `subprocess` and what it imports cost as much
as two of those answers, and a thread that watches the clock as much as a tenth of each; the system's own
`posix_spawn` and `poll` need neither. For what a repository declares as a command, see `process`.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

_BLOCK = 1 << 16
_RESTORED = [getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ") if hasattr(signal, name)]
"""Signals that Python ignores and every other program expects to end it."""


class Ended(NamedTuple):
    """How a process ended. `code` is negative for a signal; `expired` is True when its time was up first."""

    code: int
    out: bytes
    err: bytes
    expired: bool = False


def heed_children() -> None:
    """Undo an inherited "ignore" for the end of child processes: with it every exit code reads as 0."""
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        with suppress(ValueError):  # another thread than the main one may not change this
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _spawn(program: str, argv: Sequence[str], env: Mapping[str, str], ends: Sequence[int | None]) -> int:
    """Start a program with these descriptors as its standard three (None: nowhere); returns its id.

    Raises `OSError`. Our own ends of its pipes are closed in it, as every descriptor of Python's is.
    """
    actions: list[tuple[int, int, int] | tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0)
        if end is None
        else (os.POSIX_SPAWN_DUP2, end, number)
        for number, end in enumerate(ends)
    ]
    return os.posix_spawn(program, tuple(argv), env, file_actions=actions, setsigdef=_RESTORED)


def _wait(pid: int, until: float = 0.0) -> int | None:
    """The exit code of a process, None while it still runs at `until` (on the monotonic clock; 0: never)."""
    if not until:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    done, status = os.waitpid(pid, os.WNOHANG)  # closing its pipes was nearly the last that it did
    if not done and hasattr(os, "pidfd_open"):
        with suppress(OSError):  # a kernel without it
            handle = os.pidfd_open(pid)
            try:
                poll = select.poll()
                poll.register(handle, select.POLLIN)
                poll.poll(max(0.0, until - time.monotonic()) * 1000)
            finally:
                os.close(handle)
            done, status = os.waitpid(pid, os.WNOHANG)
    while not done and time.monotonic() < until:
        time.sleep(0.002)
        done, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if done else None


class Running:
    """A process that was started; it works while we do something else."""

    def __init__(
        self, program: str, argv: Sequence[str], env: Mapping[str, str], stdin: bytes, timeout: float
    ) -> None:
        """Start it; raises `OSError`. `timeout` is in seconds, from its start to its end."""
        self._until = time.monotonic() + timeout
        self._stdin = stdin
        self._pipes: list[int] = []
        self._pid = 0
        self._owner = os.getpid()
        for _ in range(3 if stdin else 2):
            self._pipes += os.pipe()
        self._out, out_end, self._err, err_end, *rest = self._pipes
        source, self._sink = rest or (None, -1)
        self._pid = _spawn(program, argv, env, (source, out_end, err_end))
        for end in (out_end, err_end, *([] if source is None else [source])):
            os.close(end)
            self._pipes.remove(end)

    def is_ours(self) -> bool:
        """False in a forked process, whose parent started this one."""
        return self._owner == os.getpid()

    def ended(self, most: int = 0) -> Ended:
        """Hand it its input, and wait for what it wrote and how it ended.

        Where it writes more than `most` bytes (0: no limit) it is ended there; what it wrote is longer then.
        """
        try:
            answers = self._talk(most)
            if answers and most and len(answers[0]) > most:
                return Ended(-int(signal.SIGKILL), *answers)
            code = _wait(self._pid, self._until) if answers else None
            if answers is None or code is None:
                return Ended(-int(signal.SIGKILL), b"", b"", True)
            self._pid = 0
            return Ended(code, *answers)
        finally:
            self.close()

    def _talk(self, most: int) -> tuple[bytes, bytes] | None:
        """Write the input and read both outputs to their ends or the limit; None when time is up first."""
        room = most or sys.maxsize
        found: dict[int, list[bytes]] = {self._out: [], self._err: []}
        poll = select.poll()
        for source in found:
            poll.register(source, select.POLLIN)
        if self._sink >= 0:
            os.set_blocking(self._sink, False)
            poll.register(self._sink, select.POLLOUT)
        left = memoryview(self._stdin)
        while self._pipes:
            rest = self._until - time.monotonic()
            if rest <= 0:
                return None
            for end, _ in poll.poll(rest * 1000):
                if end == self._sink:
                    try:
                        left = left[os.write(end, left[:_BLOCK]) :]
                    except BlockingIOError:
                        continue
                    except BrokenPipeError:  # it wants no more
                        left = left[:0]
                    over = not left
                else:
                    block = os.read(end, _BLOCK)
                    found[end].append(block)
                    room -= len(block) if end == self._out else 0
                    over = not block
                    if room < 0:
                        return b"".join(found[self._out]), b"".join(found[self._err])
                if over:
                    poll.unregister(end)
                    os.close(end)
                    self._pipes.remove(end)
        return b"".join(found[self._out]), b"".join(found[self._err])

    def close(self) -> None:
        """End it where it still runs: out of time, interrupted, or wanted by nobody any more."""
        pipes, self._pipes = self._pipes, []
        for end in pipes:
            os.close(end)
        pid, self._pid = self._pid, 0
        if pid and self.is_ours():
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                _wait(pid)

    def __del__(self) -> None:
        """Leave nothing behind."""
        self.close()


def run(
    program: str, argv: Sequence[str], env: Mapping[str, str], stdin: bytes = b"", timeout: float = 120.0
) -> Ended:
    """Start a program, hand it its input, and return what it wrote and how it ended.

    `timeout` is in seconds, from its start to its end. Raises `OSError` where it cannot be started.
    """
    return Running(program, argv, env, stdin, timeout).ended()


class Conversation:
    """A program that answers one question after another, through two pipes.

    Ask, and read the whole answer before the next question, so that no pipe fills up. What the program
    writes to standard error is dropped. It ends with whoever holds this.
    """

    def __init__(self, program: str, argv: Sequence[str], env: Mapping[str, str], timeout: float) -> None:
        """Start it; raises `OSError`. `timeout` is in seconds, for each time that it is waited for."""
        self._timeout = timeout
        self._held = b""
        theirs, self._sink = os.pipe()
        self._source, theirs_too = os.pipe()
        self._poll = select.poll()
        self._poll.register(self._source, select.POLLIN)
        self._pid = 0
        self._owner = os.getpid()
        try:
            self._pid = _spawn(program, argv, env, (theirs, theirs_too, None))
        finally:
            os.close(theirs)
            os.close(theirs_too)

    def is_open(self) -> bool:
        """False where the program has ended, and in a forked process, whose parent holds this."""
        if self._sink < 0 or self._owner != os.getpid():
            return False
        with suppress(ChildProcessError):
            if not os.waitpid(self._pid, os.WNOHANG)[0]:
                return True
        self._pid = 0
        return False

    def ask(self, question: bytes) -> None:
        """Write a question of at most a few thousand bytes; raises `OSError` where the program has ended."""
        while question:
            question = question[os.write(self._sink, question) :]

    def line(self) -> bytes:
        """The next line of the answer with its end; what is left, where the program ended.

        Raises `TimeoutError` where nothing comes in time, which also ends the program.
        """
        while (end := self._held.find(b"\n")) < 0:
            block = self._more(_BLOCK)
            if not block:
                end = len(self._held) - 1
                break
            self._held += block
        found, self._held = self._held[: end + 1], self._held[end + 1 :]
        return found

    def read(self, size: int) -> bytes:
        """The next `size` bytes of the answer; fewer where the program ended. Raises as `line` does."""
        found, self._held = self._held[:size], self._held[size:]
        if len(found) == size:
            return found
        blocks = [found]
        left = size - len(found)
        while left and (block := self._more(left)):
            blocks.append(block)
            left -= len(block)
        return b"".join(blocks)

    def _more(self, most: int) -> bytes:
        try:
            if self._poll.poll(self._timeout * 1000):
                return os.read(self._source, most)
        except BaseException:  # interrupted: whoever catches that must not read half an answer
            self.close()
            raise
        self.close()
        raise TimeoutError(f"no answer within {self._timeout:.0f} s")

    def close(self) -> None:
        """End the program. In a forked process the parent's goes on."""
        if self._sink < 0:
            return
        os.close(self._sink)
        os.close(self._source)
        self._sink = -1
        if self._pid and self._owner == os.getpid():
            with suppress(OSError):
                os.kill(self._pid, signal.SIGKILL)
                _wait(self._pid)

    def __del__(self) -> None:
        """Leave nothing behind."""
        if hasattr(self, "_pid"):
            self.close()
