"""One call as a process: started, listened to, and ended with everything that it started.

A call that is cancelled, takes too long, or says too much ends its process: first with SIGTERM, which lets
it end the commands of a repository, then with SIGKILL for it and whatever is left below it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

import anyio
from anyio.abc import ByteReceiveStream, Process

from goblin import home
from goblin.outcome import CannotRun
from goblin.server.present import Value
from goblin.server.tools import Tool
from goblin.server.work import root_of

Report = Callable[[float, float | None, str], Awaitable[None]]
"""Takes progress: how much is done, of how much, and what is being done."""

OUTPUT = 16 << 20
"""Bytes of one call's output that are taken."""

ERRORS = 64 << 10
"""Bytes of what a command says on standard error that are kept."""

GRACE = 5.0
"""Seconds between asking a process to end and ending it."""

_START = (
    "import sys; root, module = sys.argv[1:3]; sys.path.insert(0, root); "
    "from importlib import import_module; sys.argv[1:3] = []; sys.exit(import_module(module).main())"
)


class CallRefused(Exception):
    """The call gives no result; the message says why, and is shown to the client."""


class Limits(NamedTuple):
    """What a server allows its calls."""

    seconds: float
    static: bool = False  # run nothing that a repository declares


async def perform(tool: Tool, arguments: Value, limits: Limits, report: Report) -> Value:
    """Do one call and give what was found. Raises `CallRefused`; a cancellation ends the process."""
    if limits.static and arguments.get("check"):
        raise CallRefused(
            "this server runs no command that a repository declares (--static): leave check out"
        )
    try:
        cwd = root_of(arguments.get("target"))
    except CannotRun as error:
        remedy = f"; remedy: {error.remedy}" if error.remedy else ""
        raise CallRefused(f"could not run (exit 2): {error.message}{remedy}") from error
    words = tool.command(arguments, limits.static) if tool.command else ["goblin.server.work"]
    request = {"tool": tool.name, "arguments": arguments, "static": limits.static}
    ended = await _run(words, cwd, json.dumps(request) + "\n", limits.seconds, report)
    return _of_command(tool, ended) if tool.command else _of_worker(ended)


class _Ended(NamedTuple):
    code: int
    lines: list[bytes]  # of standard output, progress left out
    errors: str


async def _run(words: list[str], cwd: str, given: str, seconds: float, report: Report) -> _Ended:
    """Run a module of the package in `cwd`. Raises `CallRefused` where it takes too long or says too much."""
    package = os.path.dirname(home.PACKAGE)
    argv = [sys.executable, "-I", "-c", _START, package, *words]
    process = await anyio.open_process(argv, cwd=cwd, start_new_session=True)
    heard = _Heard(report)
    try:
        with anyio.move_on_after(seconds) as timer:
            async with anyio.create_task_group() as group:
                group.start_soon(heard.errors_of, process.stderr)
                group.start_soon(_give, process, given)
                await heard.lines_of(process.stdout)
                if heard.too_much:
                    group.cancel_scope.cancel()
            code = 0 if heard.too_much else await process.wait()
        if timer.cancelled_caught:
            raise CallRefused(f"could not run: no end within {seconds:g} s; start goblin-mcp with --timeout")
        if heard.too_much:
            raise CallRefused(f"could not run: the result is larger than {OUTPUT >> 20} MiB; ask for less")
        return _Ended(code, heard.lines, heard.errors.decode("utf-8", "replace"))
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
            await process.aclose()


async def _give(process: Process, given: str) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # a command does not listen
        if process.stdin is not None:
            await process.stdin.send(given.encode())
            await process.stdin.aclose()


class _Heard:
    """What a process says: progress is passed on, other lines are kept, within limits."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.lines: list[bytes] = []
        self.errors = b""
        self.too_much = False

    async def lines_of(self, stream: ByteReceiveStream | None) -> None:
        """Read standard output to its end, or until it is too much."""
        waiting, size = b"", 0
        async for chunk in stream or ():  # type: ignore[union-attr]
            size += len(chunk)
            if size > OUTPUT:
                self.too_much = True
                return
            *whole, waiting = (waiting + chunk).split(b"\n")
            for line in whole:
                await self._line(line)
        if waiting:
            await self._line(waiting)

    async def _line(self, line: bytes) -> None:
        if line.startswith(b'{"progress": '):
            step = json.loads(line)
            await self._report(step["progress"], step["total"], step["message"])
        elif line.strip():
            self.lines.append(line)

    async def errors_of(self, stream: ByteReceiveStream | None) -> None:
        """Read standard error to its end and keep the beginning."""
        async for chunk in stream or ():  # type: ignore[union-attr]
            self.errors += chunk[: ERRORS - len(self.errors)]


# --- what came back ----------------------------------------------------------------------------------


def _of_worker(ended: _Ended) -> Value:
    reply = _json(ended)
    if "refused" in reply:
        raise CallRefused(str(reply["refused"]))
    value: Value = reply["value"]
    return value


def _of_command(tool: Tool, ended: _Ended) -> Value:
    if tool.writes:
        if ended.code:
            raise CallRefused(_complaint(ended) or f"could not run: it ended with {ended.code}")
        return {"told": [line.decode("utf-8", "replace") for line in ended.lines]}
    value = _json(ended)
    if "error" in value:
        raise CallRefused(f"could not run (exit {value.get('exit')}): {value['error']}")
    return value


def _json(ended: _Ended) -> Value:
    """The last line as JSON. Raises `CallRefused` for anything else, with its first line."""
    try:
        value = json.loads(ended.lines[-1])
        if isinstance(value, dict):
            return value
    except (ValueError, IndexError, RecursionError):
        pass
    said = _complaint(ended) or (ended.lines[0].decode("utf-8", "replace") if ended.lines else "")
    raise CallRefused(f"could not run (exit {ended.code}): {said[:300]}")


def _complaint(ended: _Ended) -> str:
    from goblin.redact import clean, mask

    lines = [clean(mask(line)) for line in ended.errors.split("\n") if line.strip()]
    return "\n".join(lines)[:2000]


# --- the end -----------------------------------------------------------------------------------------


async def _end(process: Process) -> None:
    """End a process that still runs, and everything below it."""
    if process.returncode is not None:
        return
    below = _descendants(process.pid)
    with suppress(ProcessLookupError):
        process.terminate()
    with anyio.move_on_after(GRACE):
        await process.wait()
    below |= _descendants(process.pid) if process.returncode is None else set()
    for pid in (process.pid, *below):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    await process.wait()


def _descendants(pid: int) -> set[int]:
    """The processes below one, where the system tells."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        for child in _children(parent):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def _children(pid: int) -> list[int]:
    folder = f"/proc/{pid}/task"
    found = []
    with suppress(OSError, ValueError):
        for task in os.listdir(folder):
            with open(f"{folder}/{task}/children", encoding="ascii") as stream:
                found += [int(word) for word in stream.read().split()]
    return found
