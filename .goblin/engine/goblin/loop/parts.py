"""The parts of a record, each as one line for a reader: the pin, the first run, the budget and so on.

The rows of the matrix judge; this says what is there. A part is `wrong` only where the file itself
shows it, so that an audit of a repository without the matrix is not blind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from goblin.loop import earlier
from goblin.loop.earlier import Earlier
from goblin.loop.ending import SILENT
from goblin.loop.pointers import printable, stamp
from goblin.loop.record import LoopRecord, Measured
from goblin.loop.runs import Run
from goblin.loop.turns import Streak, Turn
from goblin.loop.writeup import WriteUp
from goblin.tables import Fault

OK, NOTE, WRONG, ABSENT = "ok", "note", "wrong", "absent"
NOT_RUNNABLE = (126, 127)

_DETAIL = 6


class Part(NamedTuple):
    """One part of the record. `state` is ok, note (nothing wrong, worth a look), wrong or absent."""

    name: str
    title: str
    state: str
    text: str
    detail: tuple[str, ...] = ()


def parts_of(
    loop: LoopRecord, turns: Sequence[Turn], streaks: Sequence[Streak], run: Run | None
) -> tuple[Part, ...]:
    """Every part, in the order in which a loop makes them. `streaks` come longest first."""
    return tuple(_parts(loop, turns, streaks, run))


def _parts(
    loop: LoopRecord, turns: Sequence[Turn], streaks: Sequence[Streak], run: Run | None
) -> Iterator[Part]:
    if loop.fault:
        yield Part("record", "Record", WRONG, printable(loop.fault))
        return
    yield _pin(loop)
    yield _first_run(loop, turns)
    yield _control(loop.control)
    yield _surface(loop, closed=bool(run and run.closed))
    yield _budget(loop, turns)
    if turns or not loop.log.exists or loop.log.faults:
        yield _decisions(loop, turns)
        yield _progress(turns, streaks)
    yield _write_up(loop, turns, bool(run and run.live))
    if run and (goal := _goal(run, turns)):
        yield goal
    yield _events(run, bool(turns) and turns[-1].green)
    if closed := earlier.before(loop, run.archive if run else ""):
        yield _earlier(loop, closed, run.archive if run else "")


def _faults(faults: Sequence[Fault]) -> tuple[str, ...]:
    told = [f"line {fault.line}: {fault.message}" if fault.line else fault.message for fault in faults]
    return tuple(printable(text, 300) for text in told[:_DETAIL])


def _pin(loop: LoopRecord) -> Part:
    name, title = "pin", "Pin"
    predicate, pin = loop.predicate, loop.pin
    if not predicate.exists or predicate.faults:
        return Part(name, title, WRONG, "there is no predicate to pin", _faults(predicate.faults))
    if not pin.exists:
        return Part(name, title, WRONG, "the predicate is not pinned: nothing shows that it stayed the same")
    if not pin.digest:
        return Part(name, title, WRONG, "the pin cannot be read", _faults(pin.faults))
    if pin.digest != predicate.digest:
        told = f"the predicate is not the one that was pinned: {predicate.digest[:12]}, not {pin.digest[:12]}"
        return Part(name, title, WRONG, told)
    unchained = [a for a in loop.archives if a.faults or not a.pin.digest or a.pin.digest not in pin.previous]
    if unchained:
        names = ", ".join(printable(archive.name, 60) for archive in unchained[:_DETAIL])
        return Part(name, title, WRONG, f"closed before, and not chained to this pin: {names}")
    text = f"the predicate is the one that was pinned ({pin.digest[:12]})"
    other = [archive for archive in loop.archives if archive.predicate.digest != predicate.digest]
    if other:
        text += f"; it replaced {_number(len(other), 'earlier one')}"
    detail = (f"{archive.name}: {archive.predicate.command or 'no command'}" for archive in other[-_DETAIL:])
    return Part(name, title, NOTE if other else OK, text, tuple(printable(line, 300) for line in detail))


def _first_run(loop: LoopRecord, turns: Sequence[Turn]) -> Part:
    name, title = "first-run", "First run"
    first = loop.first_run
    if not first.exists:
        return Part(name, title, WRONG, "not recorded: nothing shows that the predicate was red at the start")
    if first.exit is None or first.ts is None:
        return Part(name, title, WRONG, "cannot be read", _faults(first.faults))
    told = f"exit {first.exit} at {stamp(first.ts)}"
    if first.exit == 0:
        return Part(name, title, WRONG, f"{told}: already green before iteration 1")
    if first.exit in NOT_RUNNABLE:
        return Part(name, title, WRONG, f"{told}: the command could not be run")
    earliest = min((turn.at for turn in turns if turn.at is not None), default=None)
    if earliest is not None and first.ts > earliest:
        return Part(name, title, WRONG, f"{told}, after the earliest row ({stamp(earliest)})")
    return Part(name, title, OK, f"{told}: red before iteration 1")


def _control(control: Measured) -> Part:
    name, title = "control", "Control"
    if not control.exists:
        return Part(name, title, ABSENT, "none: nothing shows that the predicate can turn green")
    if control.exit is None or control.ts is None:
        return Part(name, title, WRONG, "cannot be read", _faults(control.faults))
    told = f"exit {control.exit} at {stamp(control.ts)}"
    if control.exit:
        return Part(name, title, WRONG, f"{told}: the predicate stayed red where the work was done")
    return Part(name, title, OK, f"{told}: the predicate turns green where the work is done")


def _surface(loop: LoopRecord, *, closed: bool) -> Part:
    name, title = "surface", "Surface"
    listed = loop.surface
    if not listed.exists and not loop.pin.surface:
        told = (
            "none now: a loop that is closed pins nothing"
            if closed
            else "none: no file that decides is pinned"
        )
        return Part(name, title, ABSENT, told)
    if not listed.exists:
        return Part(name, title, WRONG, "the pin names a list of pinned files, and there is none")
    if listed.faults:
        return Part(name, title, WRONG, "the list of pinned files cannot be read", _faults(listed.faults))
    if listed.digest != loop.pin.surface:
        return Part(name, title, WRONG, "the list of pinned files is not the one that the pin names")
    changed = listed.differences(loop.tree)
    if changed:
        detail = tuple(printable(f"{one.path}: {one.message}", 300) for one in changed[:_DETAIL])
        count = f"{len(changed)} of {len(listed.entries)} pinned files"
        return Part(name, title, WRONG, f"{count} changed since the loop started", detail)
    return Part(name, title, OK, f"{len(listed.entries)} pinned files, all as they were")


def _budget(loop: LoopRecord, turns: Sequence[Turn]) -> Part:
    name, title = "budget", "Budget"
    spent = sum(turn.counts for turn in turns)
    budget = loop.budget
    if not budget.exists:
        return Part(name, title, WRONG, f"none declared, {spent} turns spent")
    if budget.turns is None:
        return Part(name, title, WRONG, "cannot be read", _faults(budget.faults))
    told = f"{spent} of {budget.turns} turns spent"
    if spent > budget.turns:
        return Part(name, title, WRONG, f"{told}, {spent - budget.turns} more than declared")
    return Part(
        name, title, NOTE if spent == budget.turns else OK, told + (": all" if spent == budget.turns else "")
    )


def _decisions(loop: LoopRecord, turns: Sequence[Turn]) -> Part:
    name, title = "decisions", "Decisions"
    if not loop.log.exists:
        return Part(name, title, WRONG, "no decisions.tsv")
    broken = [turn.line for turn in turns if not turn.sound]
    verdicts = sum(turn.counts for turn in turns)
    logged = len(turns) - verdicts
    told = f"{_number(verdicts, 'verdict row')}, {_number(logged, 'log row')}"
    if broken:
        lines = f"line{'' if len(broken) == 1 else 's'} {_lines(broken)}"
        told += f"; a fault, or evidence that points at nothing, on {lines}"
    if loop.log.faults or broken:
        return Part(name, title, WRONG, told, _faults(loop.log.faults))
    return Part(name, title, OK, f"{told}, each verdict on evidence that resolves")


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _lines(lines: Sequence[int]) -> str:
    more = f" and {len(lines) - _DETAIL:,} more" if len(lines) > _DETAIL else ""
    return ", ".join(map(str, lines[:_DETAIL])) + more


def _progress(turns: Sequence[Turn], streaks: Sequence[Streak]) -> Part:
    name, title = "progress", "Progress"
    pointers = {turn.pointer for turn in turns if turn.counts and turn.pointer}
    told = _number(len(pointers), "different pointer")
    longest = streaks[0] if streaks else None
    if longest is None:
        return Part(name, title, OK, f"{told}, none twice in a row")
    lines = _span(longest.lines)
    words = f"{told}; {len(longest.lines):,} rows in a row on one of them (lines {lines})"
    stalled = [streak for streak in streaks if streak.stalled]
    detail = tuple(
        f"lines {_span(s.lines)}: {printable(', '.join(s.pointer), 160)}" for s in stalled[:_DETAIL]
    )
    return Part(name, title, WRONG if stalled else NOTE, words, detail)


def _span(lines: Sequence[int]) -> str:
    return f"{lines[0]} to {lines[-1]}"


def _write_up(loop: LoopRecord, turns: Sequence[Turn], live: bool) -> Part:
    name, title = "write-up", "Write-up"
    verdicts = [turn for turn in turns if turn.counts]
    needed = bool(verdicts) and not verdicts[-1].green and not live
    if loop.stuck.exists and loop.stuck.faults:
        return Part(name, title, WRONG, "stuck.md cannot be read", _faults(loop.stuck.faults))
    count = sum(bool(line.strip()) for line in loop.stuck.text.split("\n"))
    faults = WriteUp.of(loop.stuck.text, loop.predicate).faults if count and needed else ()
    if faults:
        return Part(name, title, WRONG, printable(f"stuck.md {'; '.join(faults)}", 300))
    if count:
        return Part(name, title, OK, f"stuck.md, {_number(count, 'line')}")
    if needed:
        return Part(name, title, WRONG, "none: the run did not end green and nobody wrote down why")
    return Part(name, title, OK, "none, and none is needed" if verdicts and not live else "none yet")


def _goal(run: Run, turns: Sequence[Turn]) -> Part | None:
    """What stands behind a green end; None where the run did not end green."""
    name, title = "goal", "Goal"
    verdicts = [turn for turn in turns if turn.counts]
    if not verdicts or not verdicts[-1].green or run.faults:
        return None
    if not run.measured_at:
        return Part(name, title, WRONG, "typed green: no run of the predicate stands behind the last row")
    told = f"measured green, in a clean checkout of {run.measured_at[:12]}"
    if run.held == "no":
        return Part(name, title, WRONG, f"{told}, which is not under HEAD and holds other files")
    if run.held == "moved":
        return Part(name, title, NOTE, f"{told}; HEAD holds other files since, and nothing measured those")
    if run.settings:
        told += f"; with other settings than the first run had: {', '.join(run.settings)}"
        return Part(name, title, NOTE, told)
    return Part(name, title, OK, told)


def _earlier(loop: LoopRecord, closed: Sequence[Earlier], own: str) -> Part:
    """The loops before this one, which a reader of this one alone would not know of."""
    again = sum(one.digest == loop.predicate.digest for one in closed)
    told = [f"{_number(len(closed), 'loop')} closed before this one"]
    told += [f"{again:,} of them on the same predicate"] if again else []
    less = list(earlier.relaxed(loop, closed[-1], own))
    lines = (
        f"{one.name}: {one.result or 'no verdict'}, {one.turns:,} of {one.budget or '?'} turns: {one.command}"
        for one in closed[-_DETAIL:]
    )
    text = printable("; ".join([", ".join(told), *less]), 600)
    state = NOTE if again or less else OK
    return Part("earlier", "Earlier", state, text, tuple(printable(line, 300) for line in lines))


def _events(run: Run | None, green: bool) -> Part:
    name, title = "events", "Event log"
    if run is None:
        return Part(name, title, ABSENT, "none: this record was kept by hand")
    told = _number(run.events, "event")
    if run.faults:
        return Part(name, title, WRONG, f"{told}, and the chain does not hold", run.faults)
    if run.state in ("opening", "closing"):
        word = "start" if run.state == "opening" else "close"
        return Part(name, title, WRONG, f"{told}; a {word} was interrupted: goblin-loop {word} finishes it")
    if run.closed:
        told += f", closed {run.outcome or 'without an outcome'} at {run.closed}"
        if green and run.outcome != "green":
            return Part(name, title, WRONG, f"{told}, though the last row is green")
    elif run.live:
        told += ", and the run is still open"
    elif run.over and run.over != SILENT:
        return Part(name, title, NOTE, f"{told}; the run was never closed, and is over: {run.over}")
    else:
        return Part(name, title, WRONG, f"{told}; the run was never closed")
    if run.torn:
        return Part(name, title, NOTE, f"{told}; a torn last line was set aside")
    if not run.checked:
        return Part(name, title, NOTE, f"{told}; too long to be held line against line here (RN-01 does)")
    return Part(name, title, OK, f"{told}, each chained to the one before")
