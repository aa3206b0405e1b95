"""What the gates and the ratchet say in the target now, for the config and the handoff (decided 57).

It is asked before anything is written. A command that counts with this package's own helper is
counted in this process, because the helper is not in the target yet.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from goblin import clock, counting, process
from goblin.install.presets import COUNTER

TIMEOUT = 600.0
"""Seconds that one declared command may take during an install."""


class Gate(NamedTuple):
    """A declared gate as far as it is run here."""

    name: str
    cmd: str
    timeout: float = TIMEOUT


class Ratchet(NamedTuple):
    """A declared ratchet; `ceiling` is "" while nothing was measured."""

    name: str
    cmd: str
    ceiling: str


def _counted(cmd: str, root: str) -> tuple[int, int] | None:
    """The number that a counting command of ours gives, and its exit code; None for any other command."""
    words = shlex.split(cmd)
    if tuple(words[:2]) != COUNTER:
        return None
    request = counting.parse(words[2:])
    try:
        number = counting.count(request, root).number
    except counting.CountFailed:
        return 0, 2
    return number, int(request.limit is not None and number > request.limit)


def _run(cmd: str, root: str, timeout: float = TIMEOUT) -> process.Completed:
    return process.run_shell(cmd, root, process.environment(), min(timeout, TIMEOUT))


def gate_exit(gate: Gate, root: str, ours: bool) -> int:
    """Run one gate and return its exit code. `ours`: the command is the preset's, not the project's."""
    counted = _counted(gate.cmd, root) if ours else None
    return counted[1] if counted else _run(gate.cmd, root, gate.timeout).code


def ratchet_value(ratchet: Ratchet, root: str, ours: bool) -> str:
    """The ratchet's number in digits, or "" when it gives none."""
    counted = _counted(ratchet.cmd, root) if ours else None
    if counted:
        return "" if counted[1] else str(counted[0])
    done = _run(ratchet.cmd, root)
    text = "".join(done.output.decode("utf-8", "replace").split())
    sound = not done.could_not_run() and text.isascii() and text.isdigit() and len(text) < 20
    return text if sound else ""


def line(gates: Sequence[Gate], ratchet: Ratchet, root: str, ours: bool) -> str:
    """One gate line: `<gate>=<exit> ... · <ratchet> <n> (ceiling <c>) · measured <date>`.

    "" when no gate is declared: there is nothing to put into a handoff then. A ratchet that was not
    measured yet is left out.
    """
    if not gates:
        return ""
    parts = [" ".join(f"{gate.name}={gate_exit(gate, root, ours)}" for gate in gates)]
    if ratchet.name and ratchet.cmd and ratchet.ceiling:
        value = ratchet_value(ratchet, root, ours)
        if value:
            parts.append(f"{ratchet.name} {value} (ceiling {ratchet.ceiling})")
    parts.append(f"measured {clock.today()}")
    return " · ".join(parts)
