"""How a loop was opened and measured before its first turn: what the record says, against the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin.digest import sha256
from goblin.outcome import Finding
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.loop.events import Event, Log
    from goblin.loop.record import LoopRecord, Measured


def unlike_the_opening(loop: LoopRecord, log: Log) -> Iterator[Finding]:
    """What the record says otherwise than the event that opened the run."""
    opened = next(iter(log.of("run_opened")), None)
    if opened is None:
        return  # RN-05 misses it
    told = f"line {opened.line} of the log opened the loop with"
    pin = loop.pin
    if pin.digest and pin.digest != opened.text("predicate"):
        yield Finding(pin.path, 1, 0, f"pins {pin.digest}, and {told} {opened.text('predicate')}")
    budget = opened.data.get("budget")
    turns = budget.get("turns") if isinstance(budget, dict) else None
    if loop.budget.turns is not None and turns is not None and loop.budget.turns != turns:
        yield Finding(loop.budget.path, 1, 0, f"says {loop.budget.turns}, and {told} {turns}")
    surface = opened.data.get("surface") or ""
    if log.closed is None and pin.digest and pin.surface != surface:
        yield Finding(
            pin.path, 0, 0, f"names the surface {pin.surface or 'none'}, and {told} {surface or 'none'}"
        )


def before_the_first_turn(log: Log, kind: str) -> Event | None:
    """The first event of a type in the last run, where it stands before the first turn; None for none."""
    for event in log.current:
        if event.type == kind:
            return event
        if event.type in ("decision", "iteration_opened"):
            return None
    return None


def unlike(run: Measured, event: Event | None, log: Log, wanted: str) -> list[Finding]:
    """How a measured line differs from the event that measured it."""
    found = [Finding(run.path, fault.line, 0, fault.message) for fault in run.faults]
    if not run.exists:
        found.append(Finding(run.path, message="is missing"))
    if event is None:
        return [*found, Finding(log.path, message=f"no {wanted}")]
    if run.exit is not None and run.exit != event.number("exit"):
        told = f"exit={run.exit}, and line {event.line} of the log says {event.number('exit')}"
        found.append(Finding(run.path, 1, 0, told))
    if run.ts is not None and run.ts != event.instant("ended"):
        told = f"its ts is not that of line {event.line} of the log ({event.text('ended')})"
        found.append(Finding(run.path, 1, 0, told))
    if run.output and run.output != event.text("out"):
        found.append(Finding(run.path, 1, 0, f"its sha256 is not that of line {event.line} of the log"))
    return found


def output(loop: LoopRecord, event: Event, log: Log) -> list[Finding]:
    """What is wrong with the output that an event names."""
    path = loop.path(f"out/{event.text('out')}.txt")
    try:
        data = loop.tree.read(path)
    except ReadRefused as refused:
        gone = loop.tree.kind(path) == "missing"
        told = "is missing" if gone else str(refused).removeprefix(f"{path}: ")
        return [Finding(path, message=f"{told}; line {event.line} of the log names it")]
    if sha256(data) != event.text("out"):
        return [
            Finding(path, message=f"was edited: its digest is not its name (line {event.line} of the log)")
        ]
    return []
