"""Time and memory of whole processes, measured side by side."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
"""The real interpreter behind the virtual environment and behind any shim on PATH."""


class NotMeasured(Exception):
    """A command did not end as it must for its time to mean anything."""


class Command(NamedTuple):
    """What to run, in which folder, and the exit code that it must end with."""

    arguments: tuple[str, ...]
    folder: str
    code: int = 0


class Cost(NamedTuple):
    """The best of several runs: wall time in seconds, peak memory in bytes (children included).

    `processor` are the seconds that all processors together were busy with it.
    """

    seconds: float
    memory: int
    processor: float = 0.0


def python(*arguments: str) -> tuple[str, ...]:
    """A command line for the bare interpreter: isolated, without site."""
    return (PYTHON, "-I", "-S", *arguments)


def once(command: Command, env: Mapping[str, str]) -> Cost:
    """Run a command to its end, its output thrown away. Raises `NotMeasured`.

    Peak memory is what the kernel counts for the process and for each child that it waited for,
    whichever is larger; the kernel counts in kilobytes on Linux and in bytes on macOS.
    """
    os.chdir(command.folder)
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    began = time.perf_counter()
    pid = os.posix_spawnp(command.arguments[0], command.arguments, env, file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - began
    code = os.waitstatus_to_exitcode(status)
    if code != command.code:
        raise NotMeasured(f"exit {code}, not {command.code}: {' '.join(command.arguments)}")
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Cost(seconds, memory, usage.ru_utime + usage.ru_stime)


def best(commands: Sequence[Command], rounds: int, env: Mapping[str, str]) -> list[Cost]:
    """The best of `rounds` runs of each command, taken in turn so that a busy moment hits them all.

    One round before that fills caches and is not counted. Raises `NotMeasured`.
    """
    for command in commands:
        once(command, env)
    costs = [[once(command, env) for command in commands] for _ in range(rounds)]
    return [
        Cost(
            min(cost.seconds for cost in column),
            max(cost.memory for cost in column),
            min(cost.processor for cost in column),
        )
        for column in zip(*costs, strict=True)
    ]
