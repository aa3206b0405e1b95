"""A process that has loaded everything once and forks a writer for each line that it is told.

A writer that is killed must be a process of its own, and starting Python a few hundred times costs a
minute. This one is single-threaded, so a fork of it is safe.

Each line on standard input is a JSON list; the answer is one JSON value on a line.

| line | what it does | answer |
|---|---|---|
| `["write", ROOT, NAME, TURNS, SECONDS]` | a writer records one turn after the other; it is killed that time after so many | the turns that it had acknowledged, by their number |
| `["step", ROOT, COMMAND, AT, HALF]` | a writer runs one command and kills itself before its AT-th writing call, or half-way through it | whether it was killed |
"""  # noqa: E501

from __future__ import annotations

import json
import os
import select
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

from goblin.loop import measure, turn
from goblin.loop.writer import Writer
from tests.loop import driving
from tests.support import Repo

WRITING = ("replace", "rename", "unlink", "mkdir", "ftruncate", "fsync")
_FIRST_RUN: list[measure.Measured] = []


def forked(body: Callable[[int], None]) -> tuple[int, int]:
    """Run `body` in a child, with the end of a pipe to write to; returns its id and the end to read from."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    os.close(reading)
    try:
        body(writing)
    except BaseException:  # noqa: BLE001  (a child may not go on as if it were its parent)
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def drained(descriptor: int) -> bytes:
    """What is left in a pipe, to its end."""
    parts = []
    while part := os.read(descriptor, 1 << 16):
        parts.append(part)
    os.close(descriptor)
    return b"".join(parts)


def write(root: str, name: str, turns: int, seconds: float) -> list[int]:
    """Kill a writer at a moment that nobody chose."""

    def record(pipe: int) -> None:
        where = driving.place(Repo(root))
        os.write(pipe, b"ready\n")
        number = 0
        while True:
            asked = turn.Turn("check", "note", f"{name} {number} " + "x" * 3000, "", "")
            with Writer(where.root, driving.KINDS) as writer:
                turn.record(writer, where, asked, turn.Ran())
            os.write(pipe, f"{number}\n".encode())
            number += 1

    child, pipe = forked(record)
    seen = b""
    while seen.count(b"\n") <= turns:
        seen += os.read(pipe, 1 << 16)
    select.select([], [], [], seconds)  # the moment of the kill is what is drawn by lot
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return [int(line) for line in (seen + drained(pipe)).split(b"\n")[1:] if line]


def step(root: str, command: str, at: int, half: bool) -> bool:
    """Kill a writer at one of the calls by which it writes."""
    repo = Repo(root)
    if command == "start" and not _FIRST_RUN:  # the predicate is run before anything is written
        where = driving.place(repo)
        _FIRST_RUN.append(measure.predicate(where.git, where.head, where.branch, driving.PREDICATE, 60))

    def run(pipe: int) -> None:
        count = 0

        def dying(function: Callable[..., Any], writes: bool = False) -> Callable[..., Any]:
            def call(*arguments: Any, **named: Any) -> Any:
                nonlocal count
                count += 1
                if count == at:
                    if writes and half:
                        part = bytes(arguments[1])
                        function(arguments[0], part[: max(1, len(part) // 2)])
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*arguments, **named)

            return call

        for name in WRITING:
            setattr(os, name, dying(getattr(os, name)))
        os.write = dying(os.write, writes=True)
        if command == "start":
            measure.predicate = lambda *arguments, **named: _FIRST_RUN[0]
            driving.opened(repo)
        elif command == "record":
            driving.recorded(repo, why="the turn that is killed")
        else:
            driving.closed(repo)

    child, pipe = forked(run)
    drained(pipe)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL), code
    return code != 0


def main() -> None:
    """Answer line for line, until there is none."""
    for line in sys.stdin:
        verb, *arguments = json.loads(line)
        answer = write(*arguments) if verb == "write" else step(*arguments)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
