"""Running a command that a repository declares: bounded in time and output, with nothing left behind.

Commands are shell strings by contract (`bash -c`), so they are started only for text that the
adopter declared as a command. Standard input is closed, so a gate cannot swallow what follows it;
the whole process group is killed when the command ends, so a background child cannot hold the run.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple, Protocol

from goblin import searchpath
from goblin.child import heed_children

DEFAULT_TIMEOUT = 1800.0
KEEP = 64 << 10
"""Bytes kept of each end of a command's output; what stands between is dropped and counted."""

_SEAM = 256  # a word that the dropping cut in two is dropped whole: half a credential is not recognised
_LONGEST_WAIT = 3600.0  # one wait; a longer one overflows what the system call can take
_SHELL_SIGNALS = range(129, 128 + 65)


class Completed(NamedTuple):
    """How a command ended. `code` is 128+n for signal n and 124 for a time-out."""

    code: int
    output: bytes
    timed_out: bool = False
    signalled: int = 0
    dropped: int = 0  # bytes of `output` that were not kept
    seconds: float = 0.0
    errors: bytes = b""  # standard error, where it was asked for apart
    limit: float = 0.0  # seconds that it was given

    def could_not_run(self) -> str:
        """Why the command gave no answer of its own ("" when it did): decided 3 and 32."""
        if self.timed_out:
            return f"could not run: no end within {self.limit:g} s"
        if self.signalled:
            return f"could not run: ended by signal {self.signalled}"
        if self.code in _SHELL_SIGNALS:
            return f"could not run: exit {self.code}, as a shell reports signal {self.code - 128}"
        if self.code == 127:
            return "could not run: exit 127, command not found"
        if self.code == 126:
            return "could not run: exit 126, not executable"
        return ""


class Runner(Protocol):
    """Whatever starts a shell command as `run_shell` does."""

    def __call__(
        self,
        command: str,
        cwd: str,
        env: Mapping[str, str] | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        *,
        apart: bool = False,
    ) -> Completed: ...


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's environment less every `GIT_*` variable, which would answer for another repository.

    `GOBLIN_VERIFY_DEPTH=1` is set so that a gate whose command is the verifier refuses to recurse.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    kept["PATH"] = searchpath.value()
    kept["GOBLIN_VERIFY_DEPTH"] = "1"
    kept.update(extra or {})
    return kept


_BLANKS = (b" ", b"\n", b"\t", b"\r")


@contextmanager
def _leaving_by_the_door() -> Iterator[None]:
    """While a command runs, a signal that would end this process raises `SystemExit` instead.

    The command has a session of its own, so nobody else would end it. Only the main thread can do this.
    """

    def leave(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    changed = []
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            with suppress(ValueError):
                signal.signal(number, leave)
                changed.append(number)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


class _Output:
    """The head and the tail of a stream, in bounded memory."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.total = 0

    def add(self, chunk: bytes) -> None:
        self.total += len(chunk)
        room = KEEP - len(self.head)
        if room > 0:
            self.head += chunk[:room]
            chunk = chunk[room:]
        self.tail += chunk
        if len(self.tail) > 2 * KEEP:
            del self.tail[:-KEEP]

    def value(self) -> tuple[bytes, int]:
        head, tail = bytes(self.head), bytes(self.tail[-KEEP:])
        if len(head) + len(tail) == self.total:
            return head + tail, 0
        head = head[: max(len(head) - _SEAM, 1 + max(head.rfind(blank) for blank in _BLANKS))]
        starts = [found for found in (tail.find(blank, 0, _SEAM) for blank in _BLANKS) if found >= 0]
        tail = tail[min(starts, default=_SEAM) :]
        dropped = self.total - len(head) - len(tail)
        return head + f"\n[... {dropped} bytes left out ...]\n".encode() + tail, dropped


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _await_end(process: subprocess.Popen[bytes], wake: int, lost: list[int]) -> None:
    """Wait for the process and close `wake`. Its id stays taken, so that its group can be killed safely."""
    try:
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        else:
            process.wait()
    except ChildProcessError:
        lost.append(process.pid)
    finally:
        os.close(wake)


def run_shell(
    command: str,
    cwd: str,
    env: Mapping[str, str] | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    *,
    apart: bool = False,
) -> Completed:
    """Run `command` under `bash -c` in `cwd` and return how it ended; never raises for its failure.

    `env` is the whole environment (see `environment`). `timeout` is in seconds. Standard output and
    standard error are captured together, in order, or `apart` as `output` and `errors`. The end of
    the shell ends the run, and whatever it left running in its process group is killed.
    """
    return run(["bash", "-c", command], cwd, env, timeout, apart=apart)


def run(
    argv: list[str],
    cwd: str,
    env: Mapping[str, str] | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    *,
    apart: bool = False,
) -> Completed:
    """The same for an argument list; a program that does not exist ends with 127."""
    heed_children()
    with _leaving_by_the_door():
        return _run(argv, cwd, environment() if env is None else env, timeout, apart)


def _run(argv: list[str], cwd: str, env: Mapping[str, str], timeout: float, apart: bool) -> Completed:
    # A thread waits for the process and wakes the reader through a pipe: the end of the process,
    # not the end of its output, ends the run, because a background child may hold the output open.
    ended, wake = os.pipe()
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if apart else subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        os.close(ended)
        os.close(wake)
        if isinstance(error, FileNotFoundError):
            return Completed(127, f"{error.strerror}: {error.filename}".encode())
        return Completed(126, str(error).encode())
    streams = [stream for stream in (process.stdout, process.stderr) if stream]
    outputs = {stream.fileno(): _Output() for stream in streams}
    lost: list[int] = []
    waiter = threading.Thread(target=_await_end, args=(process, wake, lost), daemon=True)
    waiter.start()
    try:
        timed_out = _follow(outputs, ended, started + timeout)
    finally:
        _kill_group(process.pid)
        waiter.join()
        code = process.wait()
        for source, output in outputs.items():
            _drain(source, output)
        for stream in streams:
            stream.close()
        os.close(ended)
    seconds = time.monotonic() - started
    (data, dropped), *rest = (output.value() for output in outputs.values())
    if lost:
        return Completed(
            126, data + b"\nits exit code is lost: this process ignores its children (SIGCHLD)\n"
        )
    signalled = -code if code < 0 and not timed_out else 0
    if timed_out or signalled:
        code = 128 + signalled if signalled else 124
    return Completed(code, data, timed_out, signalled, dropped, seconds, rest[0][0] if rest else b"", timeout)


def _follow(outputs: Mapping[int, _Output], ended: int, deadline: float) -> bool:
    """Read what the process writes until `ended` says that it has ended; True when time is up first."""
    with selectors.DefaultSelector() as selector:
        selector.register(ended, selectors.EVENT_READ)
        for source in outputs:
            os.set_blocking(source, False)
            selector.register(source, selectors.EVENT_READ)
        while True:
            left = deadline - time.monotonic()
            ready = {key.fd for key, _ in selector.select(min(max(left, 0), _LONGEST_WAIT))}
            for source in ready - {ended}:
                if not _drain(source, outputs[source], once=True):
                    selector.unregister(source)
            if ended in ready:
                return False
            if time.monotonic() >= deadline:
                return True


def _drain(source: int, output: _Output, *, once: bool = False) -> bool:
    """Move what can be read now into `output`; False when the stream has ended."""
    for _ in range(1 if once else 64):
        try:
            chunk = os.read(source, 1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not chunk:
            return False
        output.add(chunk)
    return True
