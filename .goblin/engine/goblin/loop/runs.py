"""What the event log says of the last run: when it was open, how it ended, who did it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

from goblin import clock
from goblin.git import Git, GitError
from goblin.loop import ending, events, measured, state, steering, worktree
from goblin.loop.events import Event, Log
from goblin.loop.pointers import printable, stamp
from goblin.loop.record import LoopRecord
from goblin.paths import ReadRefused

QUIET = timedelta(hours=1)
"""A run that has written nothing for so long may be at work, or may have died: the reader should look."""

WHOLE = 4 << 20
WHOLE_LINES = 20_000
"""Bytes and lines of a log that are held line against line here; of a larger one its end is read."""

TAIL_LINES = 500

_FAULTS = 6


class Run(NamedTuple):
    """One run, as its log tells it. Instants are UTC text, "" where there is none."""

    events: int  # lines of the whole log
    opened: str
    closed: str
    outcome: str
    live: bool  # open, and nothing says that it is over
    silent: str  # since when an open run has written nothing for longer than `QUIET`
    lanes: tuple[tuple[str, str], ...]  # (role, profile)
    faults: tuple[str, ...]
    torn: bool
    checked: bool  # False where the log is too large to be held line against line here
    state: str = ""  # one of state.NAMES; "" where the log is too large
    over: str = ""  # why an open run is over, though nobody closed it
    archive: str = ""  # the folder of a closed run
    measured_at: str = ""  # the commit at which the predicate was green for the last verdict
    settings: tuple[str, ...] = ()  # variables of the environment that were others there than at first
    held: str = ""  # whether HEAD still holds that: "", "moved" for other files since, "no" for another line


def run_of(loop: LoopRecord, streak: int, git: Git | None = None) -> Run | None:
    """The last run of a record, or None where it has no event log. Never raises.

    `streak` counts the verdict rows at the end, none of them green, that rest on one pointer.
    """
    path = loop.path(events.FILE)
    if not loop.has(events.FILE):
        return None
    try:
        data = loop.tree.read(path, events.LIMIT)
    except ReadRefused as refused:
        return Run(0, "", "", "", False, "", (), (printable(str(refused), 300),), False, False)
    torn = loop.has(events.TORN)
    lines = data.count(b"\n")
    if len(data) <= WHOLE and lines <= WHOLE_LINES:
        log = events.parse(data, path)
        name = state.of(loop, log).name
        told = _with_goal(_run(log, lines, torn, _told(log)), log, git)._replace(state=name)
        return _ended(told, loop, log, streak) if name == "open" and not log.faults else told
    log = _ends(data, path)
    return _ended(_with_goal(_run(log, lines, torn, None), log, git), loop, log, streak)


def _with_goal(run: Run, log: Log, git: Git | None) -> Run:
    """The same run, with what was measured for its last verdict, where that is green."""
    verdict = measured.last(log)
    if verdict is None or verdict.ran is None or not (verdict.green and verdict.measured):
        return run
    commit = printable(verdict.ran.text("head"), 64) or "a commit that the log does not name"
    first = next(iter(log.of("predicate_ran")), None)
    other = steering.changed(first.data.get("env") if first else None, verdict.ran.data.get("env"))
    held = _held(git, verdict.ran) if git else ""
    return run._replace(measured_at=commit, held=held, settings=other)


def _held(git: Git, ran: Event) -> str:
    try:
        head = git.run("rev-parse", "--verify", "HEAD^{commit}").decode("ascii").strip()
        if not measured.held(git, ran, head):
            return "no"
        same = ran.text("tree") in ("", worktree.of_commit(git, head))
        return "" if same else "moved"
    except GitError:
        return ""


def _ended(run: Run, loop: LoopRecord, log: Log, streak: int) -> Run:
    """The same run, with what speaks for or against its going on."""
    if log.closed is not None:
        return run
    over = ending.by_rule(loop, log.current[-1].written if log.current else None, streak)
    return run._replace(live=not over, over=over)


def _ends(data: bytes, path: str) -> Log:
    """A log cut to the opening of its last run and its last lines, whose chain is not held together."""
    tail = b"\n".join(data.rsplit(b"\n", TAIL_LINES)[1:])
    found = events.parse(tail, path).events
    at = data.rfind(b'"type":"run_opened"')
    opening: tuple[Event, ...] = ()
    if 0 <= at < len(data) - len(tail):
        start = data.rfind(b"\n", 0, at) + 1
        opening = events.parse(data[start : data.find(b"\n", at) + 1], path).events
    return Log(path, True, (*opening, *found))


def _told(log: Log) -> tuple[str, ...]:
    more = len(log.faults) - _FAULTS
    told = [
        f"line {fault.line}: {fault.message}" if fault.line else fault.message
        for fault in log.faults[:_FAULTS]
    ]
    return tuple(printable(text, 300) for text in [*told, *([f"and {more} more"] if more > 0 else [])])


def _run(log: Log, lines: int, torn: bool, faults: tuple[str, ...] | None) -> Run:
    current = log.current
    opened = next((event for event in current if event.type == "run_opened"), None)
    closed = log.closed
    last = current[-1].written if current and closed is None else None
    age = clock.now() - last if last else None
    return Run(
        events=lines,
        opened=_second(opened),
        closed=_second(closed),
        archive=closed.text("archive")[:80] if closed else "",
        outcome=printable(closed.text("outcome"), 40) if closed else "",
        live=False,
        silent=stamp(last) if age is not None and age > QUIET else "",
        lanes=_lanes(opened),
        faults=faults or (),
        torn=torn,
        checked=faults is not None,
    )


def _second(event: Event | None) -> str:
    return f"{event.at[:19]}Z" if event else ""


def _lanes(opened: Event | None) -> tuple[tuple[str, str], ...]:
    lanes = opened.data.get("lanes") if opened else None
    if not isinstance(lanes, Mapping):
        return ()
    told = ((role, lanes.get(role)) for role in ("author", "judge"))
    return tuple((role, printable(name, 80)) for role, name in told if isinstance(name, str) and name.strip())
