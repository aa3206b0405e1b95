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
from collections.abc import Mapping
from typing import NamedTuple

DEFAULT_TIMEOUT = 1800.0
KEEP = 64 << 10
"""Bytes kept of each end of a command's output; what stands between is dropped and counted."""


class Completed(NamedTuple):
    """How a command ended. `code` is 128+n for signal n and 124 for a time-out."""

    code: int
    output: bytes
    timed_out: bool = False
    signalled: int = 0
    dropped: int = 0
    seconds: float = 0.0

    def could_not_run(self) -> str:
        """Why the command gave no answer of its own ("" when it did): decided 3 and 32."""
        if self.timed_out:
            return f"could not run: no end after {self.seconds:.0f} s"
        if self.signalled:
            return f"could not run: ended by signal {self.signalled}"
        if self.code == 127:
            return "could not run: exit 127, command not found"
        if self.code == 126:
            return "could not run: exit 126, not executable"
        return ""


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's environment less every `GIT_*` variable, which would answer for another repository.

    `GOBLIN_VERIFY_DEPTH=1` is set so that a gate whose command is the verifier refuses to recurse.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    kept["GOBLIN_VERIFY_DEPTH"] = "1"
    kept.update(extra or {})
    return kept


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
        tail = bytes(self.tail[-KEEP:])
        dropped = self.total - len(self.head) - len(tail)
        middle = f"\n[... {dropped} bytes left out ...]\n".encode() if dropped else b""
        return bytes(self.head) + middle + tail, dropped


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def run_shell(
    command: str,
    cwd: str,
    env: Mapping[str, str] | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> Completed:
    """Run `command` under `bash -c` in `cwd` and return how it ended; never raises for its failure.

    `env` is the whole environment (see `environment`). `timeout` is in seconds. Standard output and
    standard error are captured together, in order.
    """
    return run(["bash", "-c", command], cwd, env, timeout)


def run(
    argv: list[str],
    cwd: str,
    env: Mapping[str, str] | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> Completed:
    """The same for an argument list; a program that does not exist ends with 127."""
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=dict(environment() if env is None else env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        return Completed(127, f"{error.strerror}: {error.filename}".encode())
    except (OSError, ValueError) as error:
        return Completed(126, str(error).encode())
    assert process.stdout is not None
    output = _Output()
    # A thread waits for the process and wakes the reader through a pipe: the end of the process,
    # not the end of its output, ends the run, because a background child may hold the output open.
    ended, wake = os.pipe()

    def wait() -> None:
        process.wait()
        os.close(wake)

    waiter = threading.Thread(target=wait, daemon=True)
    waiter.start()
    timed_out = False
    source = process.stdout.fileno()
    os.set_blocking(source, False)
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(source, selectors.EVENT_READ)
            selector.register(ended, selectors.EVENT_READ)
            running = True
            while running:
                left = timeout - (time.monotonic() - started)
                ready = {key.fd for key, _ in selector.select(max(left, 0))}
                if not ready:
                    timed_out = True
                    break
                if source in ready and not _drain(source, output, once=True):
                    selector.unregister(source)
                running = ended not in ready
                if running and time.monotonic() - started > timeout:
                    timed_out = True
                    break
    finally:
        _kill_group(process.pid)
        waiter.join()
        _drain(source, output)
        process.stdout.close()
        os.close(ended)
    data, dropped = output.value()
    seconds = time.monotonic() - started
    if timed_out:
        return Completed(124, data, True, 0, dropped, seconds)
    code = process.returncode
    if code < 0:
        return Completed(128 - code, data, False, -code, dropped, seconds)
    return Completed(code, data, False, 0, dropped, seconds)


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
