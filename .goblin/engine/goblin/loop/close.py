"""Closing a loop: predicate and pin go to an archive, and the pin says so (spec section 7.1).

The live files stay, so that the rows and the morning audit still read how the loop ended; the next
`start` replaces them. Three steps, of which each can be the last before a kill: the log says
`run_closed` and names the archive; the archive appears, whole; the pin gets its `previous:` line and
loses its `surface:` line, because a loop that is over pins nothing. The next writer finishes what the
log says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from goblin import clock
from goblin.loop import STALLED, handles, measured, state, surface, writeup
from goblin.loop.decisions import Decision
from goblin.loop.events import Entry, Log
from goblin.loop.place import LONGEST, Place, one_line
from goblin.loop.record import PIN, PREDICATE, STUCK, LoopRecord, Pin
from goblin.loop.refusal import Refused
from goblin.loop.writer import Writer
from goblin.loop.writeup import WriteUp

LEFT = frozenset({"events.jsonl", "events.torn"})
"""Control files that are not archived: the log goes on over every loop."""


_NAME = re.compile(r"closed-\d{4}-\d\d-\d\d(?:-[1-9]\d{0,5})?", re.ASCII)


class Closed(NamedTuple):
    """A loop that was closed."""

    archive: str  # path of the folder
    outcome: str  # "" for a record without a log
    finished: bool = False  # what an earlier, interrupted close had begun


def close(writer: Writer, place: Place, why: str = "") -> Closed:
    """Close the open loop of a record, or finish a close that was interrupted. Raises `Refused`.

    A loop that did not end green is closed only with its write-up: afterwards LP-05 would ask for it. One
    that did is closed only while what it pinned stands, and while HEAD holds what was green: afterwards
    nothing is pinned any more, and nobody would see.
    """
    record, log = writer.record, writer.log
    found = state.of(record, log)
    if found.name == "closing":
        return Closed(finish(writer), log.closed.text("outcome") if log.closed else "", True)
    if not found.is_open:
        raise not_open(found, record.directory)
    if why:
        why = one_line(why, "--why", LONGEST)
    need_pin(record, log)
    _need_end(record)
    outcome = _outcome(record)
    if outcome == "green":
        _need_goal(record, log, place)
    if found.by_hand:
        return Closed(_archive(writer, ""), "")
    writer.need_agreement()
    data = {"outcome": outcome, "archive": _free_name(record), **({"why": why} if why else {})}
    writer.say(log.current[-1].run, [Entry("run_closed", data)])
    return Closed(finish(writer), outcome)


def not_open(found: state.State, directory: str) -> Refused:
    """Why there is no open loop, and what would make one."""
    if found.name == "opening":
        return Refused("a start was interrupted", "goblin-loop start once more, with what the loop is to be")
    if found.name == "closing":
        return Refused("a close was interrupted", "goblin-loop close")
    if found.name == "closed":
        return Refused(f"the loop is closed (see {directory}/{found.archive})", "goblin-loop start")
    return Refused("no loop is open", "goblin-loop start --predicate 'CMD' --budget N")


def need_pin(record: LoopRecord, log: Log) -> None:
    """Raise `Refused` where the predicate is not the one that was pinned, and that opened the loop."""
    predicate, pin = record.predicate, record.pin
    if not predicate.digest or predicate.faults:
        told = predicate.faults[0].message if predicate.faults else "is missing"
        raise Refused(f"{predicate.path} {told}", f"git checkout -- {predicate.path}")
    if pin.digest != predicate.digest:
        raise Refused(
            "the predicate is not the one that was pinned",
            f"git checkout -- {predicate.path} {pin.path}; another predicate is another loop",
        )
    opened = log.of("run_opened")
    if opened and opened[0].text("predicate") != pin.digest:
        raise Refused(
            "the predicate was changed and pinned anew after the loop was opened",
            f"git checkout -- {predicate.path} {pin.path}; another predicate is another loop",
        )


def need_surface(record: LoopRecord, log: Log) -> Mapping[str, str]:
    """The pinned files, if each stands as it did when the loop began; raises `Refused` otherwise."""
    listed, pin = record.surface, record.pin
    opened = log.of("run_opened")
    told = opened[0].data.get("surface") if opened else pin.surface
    if (told or "") != pin.surface or listed.digest != pin.surface or listed.faults:
        raise Refused(
            "the list of pinned files is not the one that opened the loop",
            f"git checkout -- {listed.path} {pin.path}; another surface is another loop",
        )
    for changed in listed.differences(record.tree)[:1]:
        raise Refused(
            f"{changed.path} was pinned when the loop began, and {changed.message}",
            f"git checkout -- {changed.path}; or close the loop and start another",
        )
    return listed.entries


def _need_end(record: LoopRecord) -> None:
    """Refuse to close a loop that ended red without a word about it."""
    rows = record.verdicts
    if not rows or rows[-1].green:
        return
    stuck = record.stuck
    faults = WriteUp.of(stuck.text, record.predicate).faults if stuck.exists else ("is missing",)
    faults = tuple(fault.message for fault in stuck.faults) or faults
    if faults:
        remedy = f"complete {stuck.path}" if stuck.exists else "goblin-loop stuck --tried TEXT --blocks TEXT"
        raise Refused(f"the loop did not end green, and {stuck.path} {'; '.join(faults)}", remedy)


def _need_goal(record: LoopRecord, log: Log, place: Place) -> None:
    """Refuse to close as green what only looks so from here."""
    pinned = need_surface(record, log)
    if not place.head:
        return
    for found in surface.committed(pinned, place.git, place.head)[:1]:
        told = f"{found.path} was pinned when the loop began, and HEAD holds another: {found.message}"
        raise Refused(told, f"commit the pinned {found.path}, and record --check again")
    verdict = measured.last(log)
    if verdict and verdict.ran and not measured.held(place.git, verdict.ran, place.head):
        commit = verdict.ran.text("head")[:12]
        raise Refused(
            f"the predicate was green at {commit}, which is not under HEAD",
            f"git merge {commit}, or goblin-loop record ... --check here",
        )


def _outcome(record: LoopRecord) -> str:
    """How the run ended, as its rows say."""
    rows = record.verdicts
    if not rows:
        return "cancelled"
    last = rows[-1]
    if last.green:
        return "green"
    if last.verdict == "blocked" or last.result == "stuck":
        return "blocked"
    if _same_pointer(rows[-STALLED:]):
        return "stalled"
    if record.budget.turns is not None and len(rows) >= record.budget.turns:
        return "budget"
    return "cancelled"


def _same_pointer(rows: tuple[Decision, ...]) -> bool:
    cited = {frozenset(handle.text for handle in row.handles) for row in rows}
    return len(rows) == STALLED and len(cited) == 1 and not any(row.green for row in rows)


def finish(writer: Writer) -> str:
    """Do what is left of a close that the log has recorded; return the archive's path."""
    closed = writer.log.closed
    name = closed.text("archive") if closed else ""
    if not _NAME.fullmatch(name):
        told = f"the log names {name[:80]!r} as the archive, which is no closed-<date>"
        raise Refused(told, f"git checkout -- {writer.log.path}")
    return _archive(writer, name)


def keep(writer: Writer) -> None:
    """Complete the archive of a closed loop before a start replaces the live files.

    A loop that was closed by hand may have archived its predicate and its pin alone.
    """
    record = writer.record
    archive = state.chained_to(record)
    if archive is None:
        return
    for name in _kept(record):
        if name not in (PREDICATE, PIN) and not record.has(f"{archive.name}/{name}"):
            writer.put(f"{archive.name}/{name}", _bytes(record, name))


def _archive(writer: Writer, name: str) -> str:
    """Make the archive, unless it is there, and chain the live pin to it."""
    record = writer.record
    if not name:  # by hand: an archive of these very files may be there, not yet chained
        there = [found.name for found in state.same(record) if found.pin == _moved(record.pin, found.path)]
        name = there[0] if there else _free_name(record)
    if not record.has(name):
        files = {kept: _bytes(record, kept) for kept in _kept(record)}
        writer.folder_of(name, files)
    writer.put(PIN, pin_bytes(record.pin.digest, "", [*record.pin.previous, record.predicate.digest]))
    writer.remove(surface.FILE)
    return writer.path(name)


def _moved(pin: Pin, folder: str) -> Pin:
    return pin._replace(path=f"{folder}/{PIN}")


def _kept(record: LoopRecord) -> list[str]:
    return sorted(name for name in handles.CONTROL_FILES - LEFT if record.has(name))


def _bytes(record: LoopRecord, name: str) -> bytes:
    from goblin.loop import decisions
    from goblin.paths import ReadRefused

    try:
        return record.tree.read(record.path(name), decisions.LIMIT)
    except ReadRefused as error:
        raise Refused(str(error), f"git checkout -- {record.path(name)}") from error


def _free_name(record: LoopRecord) -> str:
    name = f"closed-{clock.today()}"
    number = 1
    while record.has(name if number == 1 else f"{name}-{number}"):
        number += 1
    return name if number == 1 else f"{name}-{number}"


def pin_bytes(digest: str, surface_digest: str, previous: list[str]) -> bytes:
    """A pin: the digest, the surface's where there is one, and the chain, oldest first."""
    lines = [digest, *([f"surface: {surface_digest}"] if surface_digest else [])]
    lines += [f"previous: {older}" for older in dict.fromkeys(previous)]
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def stuck(writer: Writer, tried: str = "", blocks: str = "") -> tuple[str, bool]:
    """Open the write-up of the open loop; return its path, and whether it is complete. Raises `Refused`."""
    record, log = writer.record, writer.log
    found = state.of(record, log)
    if not found.is_open:
        raise not_open(found, record.directory)
    need_pin(record, log)
    if record.stuck.exists:
        raise Refused(f"{record.stuck.path} is there already", f"edit {record.stuck.path}")
    tried = one_line(tried, "--tried", LONGEST) if tried else ""
    blocks = one_line(blocks, "--blocks", LONGEST) if blocks else ""
    text = writeup.begin(record, tried, blocks)
    writer.put(STUCK, text.encode("utf-8"))
    if not found.by_hand:
        writer.say(log.current[-1].run, [Entry("note", {"text": f"{STUCK} was opened"})])
    return record.stuck.path, not WriteUp.of(text, record.predicate).faults
