"""LP: the record of an unattended run. One pinned command that was red first, a budget, and an honest end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from goblin.digest import sha256
from goblin.loop import STALLED
from goblin.outcome import CheckFailed, Finding, Outcome, failed, passed, skipped

if TYPE_CHECKING:
    from goblin.facts.config import Config
    from goblin.facts.loophistory import LoopHistory
    from goblin.loop.decisions import Decision
    from goblin.loop.decisions import Log as Decisions
    from goblin.loop.events import Log
    from goblin.loop.handles import Resolver
    from goblin.loop.record import Archive, LoopRecord, Pin, Predicate
    from goblin.tables import Fault

_NOT_RUNNABLE = {126: "not executable", 127: "command not found"}
_SIGNALS = range(129, 193)
_CHANGE = (
    "to change a predicate: move predicate and predicate.sha256 to closed-<date>/; write the new predicate; "
    "put its digest on line 1 of a new pin, keep the previous: lines and add `previous: <archived digest>`; "
    "run it once for first-run; commit"
)


def _absent(loop: LoopRecord) -> Outcome | None:
    """The outcome of every LP row where no record can be judged; None where one can."""
    if not loop.exists:
        return skipped("no loop has run")
    return failed(loop.fault, [Finding(loop.directory)], "put a real folder there") if loop.fault else None


def _places(path: str, faults: Iterable[Fault]) -> list[Finding]:
    return [Finding(path, fault.line, 0, fault.message) for fault in faults]


def _missing(path: str, remedy: str) -> Outcome:
    return failed(f"no {path.rpartition('/')[2]}", [Finding(path, message="is missing")], remedy)


def _log_of(loop: LoopRecord) -> Decisions:
    """The decisions, or the FAIL of a row that needs them and cannot read them."""
    if not loop.log.exists:
        raise CheckFailed(
            "no decisions.tsv",
            [Finding(loop.log.path, message="is missing")],
            "write its header line: ts phase decision why evidence result, with a TAB between two words",
        )
    unread = [fault for fault in loop.log.faults if not fault.line]
    if unread:
        raise CheckFailed("decisions.tsv cannot be read", _places(loop.log.path, unread))
    return loop.log


def the_predicate_ran_before_the_first_turn(loop: LoopRecord) -> Outcome:
    """The exit predicate is one command, and it ran, red, before iteration 1.

    Reads predicate, first-run and the timestamps of decisions.tsv; runs nothing. Comments and blank
    lines of the predicate do not count. Timestamps are compared as instants, so each needs an offset.

    FAIL: no predicate, or not exactly one command line; no first-run, or its line is not
    `exit=<0 to 255> ts=<timestamp>`; exit 0 (already green before iteration 1); 126, 127 or a signal
    (the command could not run); a first run later than the earliest row, or in the future; a row
    without a usable timestamp. PASS: one command, red at or before the first row; no rows yet passes.
    SKIP: no loop has run.
    """
    if outcome := _absent(loop):
        return outcome
    findings = _predicate_faults(loop.predicate)
    run = loop.first_run
    if not run.exists:
        findings.append(
            Finding(run.path, message="no first-run: the predicate was not run before iteration 1")
        )
    findings += _places(run.path, run.faults)
    if run.exit is not None and (told := _first_exit(run.exit)):
        findings.append(Finding(run.path, 1, 0, told))
    if run.in_future:
        findings.append(Finding(run.path, 1, 0, "its ts is in the future"))
    earliest = loop.log.earliest
    if run.ts and earliest and earliest.ts and run.ts > earliest.ts:
        told = f"the first run is later than the row at {earliest.stamp}: it did not come before iteration 1"
        findings.append(Finding(loop.log.path, earliest.line, 0, told))
    undated = [row for row in loop.decisions if row.ts is None]
    findings += [
        Finding(
            loop.log.path, row.line, 0, "has no ts with an offset, so it may be earlier than the first run"
        )
        for row in undated
    ]
    if findings:
        return failed(f"{len(findings)} fault(s) in the predicate and its first run", findings)
    return passed(f"1 command, red (exit {run.exit}) before {len(loop.decisions)} row(s)")


def _predicate_faults(predicate: Predicate) -> list[Finding]:
    if not predicate.exists:
        return [Finding(predicate.path, message="no predicate: write one command that exits 0 when done")]
    return _places(predicate.path, predicate.faults)


def _first_exit(code: int) -> str:
    if code == 0:
        return "exit=0: already green before iteration 1, so a later green shows nothing"
    if code in _NOT_RUNNABLE:
        return f"exit={code}: could not run, not runnable here ({_NOT_RUNNABLE[code]})"
    if code in _SIGNALS:
        return f"exit={code}: could not run to its end (signal {code - 128})"
    return ""


def the_predicate_is_pinned(loop: LoopRecord, loop_history: LoopHistory) -> Outcome:
    """The predicate still has its pinned digest, and every digest it ever had is accounted for.

    Reads predicate, predicate.sha256, each closed-<date> folder, and every version of the pin in
    history under HEAD. Never runs the predicate, never mends a pin.

    FAIL: no predicate or no pin; line 1 of the pin is not exactly 64 hex digits; another digest; an
    archive that lacks its predicate or pin, whose pin is not of its predicate, or whose digest stands on
    no `previous:` line; a `previous:` digest without an archive; a closed- name without a date;
    a digest that the pin had in history and that is neither the current one nor on a `previous:`
    line, also where the record was deleted in between. A shallow clone is a note. PASS: the pin holds,
    with the number of archives chained. SKIP: no loop has run.
    """
    if outcome := _absent(loop):
        return outcome
    predicate, pin = loop.predicate, loop.pin
    if not predicate.digest:
        told = predicate.faults[0].message if predicate.faults else "is missing"
        return failed("no predicate to pin", [Finding(predicate.path, message=told)], _CHANGE)
    if not pin.exists:
        told = (
            "write the digest alone: sha256sum predicate | cut -c 1-64 > predicate.sha256, before iteration 1"
        )
        return _missing(pin.path, told)
    if pin.faults:
        return failed(
            "the pin is not in its format", _places(pin.path, pin.faults), "line 1: 64 hex digits alone"
        )
    if pin.digest != predicate.digest:
        return _mismatch(predicate, pin)
    findings = [finding for archive in loop.archives for finding in _archive_faults(archive, pin)]
    archived = {archive.predicate.digest for archive in loop.archives}
    findings += [
        Finding(pin.path, 0, 0, f"previous: {digest} has no archive that holds its predicate")
        for digest in dict.fromkeys(pin.previous)
        if digest not in archived
    ]
    known = {pin.digest, *pin.previous}
    pinned = {version.pin.digest: version.commit for version in loop_history.versions}
    findings += [
        Finding(pin.path, 0, 0, f"commit {commit[:12]} pinned {digest}, and no previous: line names it")
        for digest, commit in pinned.items()
        if digest not in known
    ]
    notes = [Finding("", message=note) for note in loop_history.notes]
    if findings:
        return failed("the predicate was changed without a chained archive", [*findings, *notes], _CHANGE)
    told = f"{len(loop.archives)} archive(s) chained, {len(pinned)} committed pin(s) examined"
    return passed(f"predicate pin ok: {told}", notes)


def _mismatch(predicate: Predicate, pin: Pin) -> Outcome:
    findings = [
        Finding(pin.path, 1, 0, f"pinned {pin.digest}"),
        Finding(predicate.path, 0, 0, f"is {predicate.digest}"),
    ]
    if b"\r\n" in predicate.data and pin.digest == sha256(predicate.data.replace(b"\r\n", b"\n")):
        told = "add `.goblin/loop/** -text` to .gitattributes and check the file out again"
        return failed("the predicate differs from its pin by a line-end conversion", findings, told)
    return failed("the predicate is not the one that was pinned", findings, _CHANGE)


def _archive_faults(archive: Archive, live: Pin) -> list[Finding]:
    if archive.faults:
        return [Finding(archive.path, 0, 0, fault.message) for fault in archive.faults]
    predicate, pin = archive.predicate, archive.pin
    findings = []
    for part, what in ((predicate, "predicate"), (pin, "pin")):
        if not part.exists:
            findings.append(Finding(part.path, 0, 0, f"the archive lacks its {what}"))
    findings += _places(pin.path, pin.faults)
    if predicate.exists and not predicate.digest:
        findings += _places(predicate.path, predicate.faults)
    if predicate.digest and pin.digest and predicate.digest != pin.digest:
        told = f"pins {pin.digest}, and the predicate beside it is {predicate.digest}"
        findings.append(Finding(pin.path, 1, 0, told))
    if predicate.digest and predicate.digest not in live.previous:
        told = f"its digest {predicate.digest} stands on no previous: line of {live.path}"
        findings.append(Finding(predicate.path, 0, 0, told))
    return findings


def the_loop_stays_inside_its_budget(loop: LoopRecord, config: Config, loop_history: LoopHistory) -> Outcome:
    """The loop declares how many turns it may spend, and spends no more.

    Reads budget, decisions.tsv, `loop_max_turns_ceiling` of the config, and the budget's history under
    HEAD. Every line whose third cell begins with `verdict:` is a turn, malformed or not.

    FAIL: no budget, or not one positive whole number in plain digits; above the ceiling; no
    decisions.tsv; more verdict rows than the budget; a smaller budget was committed under the same pin
    (raised mid-loop). PASS: the budget, the ceiling and the verdict rows; equal is inside.
    SKIP: no loop has run.
    """
    if outcome := _absent(loop):
        return outcome
    ceiling = config.integer("loop_max_turns_ceiling", positive=True)
    budget = loop.budget
    if not budget.exists:
        return _missing(budget.path, f"write one whole number from 1 to {ceiling} into it")
    _log_of(loop)
    spent = len(loop.verdicts)
    findings = _places(budget.path, budget.faults)
    turns = budget.turns
    if turns is not None and turns > ceiling:
        told = f"budget {turns} is above the ceiling of {ceiling} (loop_max_turns_ceiling)"
        findings.append(Finding(budget.path, 1, 0, told))
    if turns is not None and spent > turns:
        last = loop.verdicts[turns]
        told = f"{spent} verdict row(s) on a budget of {turns}: this is the first one over it"
        findings.append(Finding(loop.log.path, last.line, 0, told))
    findings += _raised(loop, loop_history)
    if findings:
        return failed("the budget is not declared, or not kept", findings)
    return passed(f"budget {turns} (ceiling {ceiling}), {spent} verdict row(s)")


def _raised(loop: LoopRecord, history: LoopHistory) -> list[Finding]:
    turns = loop.budget.turns
    if turns is None or not loop.pin.digest:
        return []
    smaller = {
        version.budget.turns: version.commit
        for version in history.versions
        if _same_loop(version.pin, loop.pin) and (version.budget.turns or turns) < turns
    }
    return [
        Finding(
            loop.budget.path,
            1,
            0,
            f"raised mid-loop: commit {commit[:12]} declared {was}, and it is {turns} now",
        )
        for was, commit in smaller.items()
    ]


def _same_loop(then: Pin, now: Pin) -> bool:
    """True for two versions of one loop's pin: a loop that was closed and opened again has a longer chain."""
    return (then.digest, then.previous) == (now.digest, now.previous)


def a_loop_without_progress_stops(loop: LoopRecord, handles: Resolver) -> Outcome:
    """No three verdict rows in a row rest on one pointer without the predicate turning green.

    Reads decisions.tsv. Pointers are compared by what they point at: full commit ids, normal paths,
    folded hex, in any order; commands beside them are left out. Log rows neither extend nor break
    a streak; a green row ends it and is no member of one; a row without evidence forms none.

    FAIL: such a streak, with its rows and its pointer; no decisions.tsv. PASS: the longest streak. Two
    pointers that alternate over six rows are a note. SKIP: no loop has run.
    """
    if outcome := _absent(loop):
        return outcome
    from goblin.loop.streaks import NOTHING, alternating, streaks

    log = _log_of(loop)
    rows = loop.verdicts
    handles.look_up(row.evidence for row in rows if not row.green)
    pointers = [NOTHING if row.green else handles.cell(row.evidence).pointer for row in rows]
    found = streaks(rows, pointers)
    long = [(_rows(streak), streak) for streak in found if len(streak) >= STALLED]
    findings = [
        Finding(log.path, row.line, 0, f"rests on {_shown(row.evidence)}, as {lines}")
        for lines, streak in long
        for row in streak
    ]
    if findings:
        told = "; ".join(f"{lines} on {_shown(streak[0].evidence)}" for lines, streak in long[:3])
        return failed(f"no progress, and no green: {told}", findings)
    longest = max(map(len, found), default=0)
    return passed(
        f"longest streak {longest} of {len(rows)} verdict row(s)", alternating(rows, pointers, log.path)
    )


def _rows(streak: Sequence[Decision]) -> str:
    lines = [str(row.line) for row in streak[:8]]
    return f"rows {', '.join(lines)}{' and more' if len(streak) > 8 else ''}"


def _shown(text: str) -> str:
    return text if len(text) <= 120 else text[:120] + "..."


def a_loop_that_ended_red_is_written_up(loop: LoopRecord, loop_log: Log, handles: Resolver) -> Outcome:
    """A loop whose last verdict is not green carries a write-up that names the predicate.

    Reads the last verdict row, and stuck.md where that row is not green. Headings, fences, comments,
    lines without a word and repeated lines do not count. A write-up names the predicate by its
    command, white space folded, or by 12 or more leading digits of its digest.

    A loop that still runs has not ended: its event log says that it is open, was written to within 24
    hours, its last verdict is neither blocked, stuck nor parked, its budget is not spent, and no three
    turns rest on one pointer. A record that is kept by hand cannot say that it still runs.

    FAIL: the last result is not exactly `predicate:green`, and stuck.md is missing, has fewer than three
    distinct lines, or does not name the predicate; no decisions.tsv. PASS: the last row is green, or the
    write-up is there. SKIP: no loop has run; no verdict row to close on; no stuck.md, and the loop still
    runs.
    """
    if outcome := _absent(loop):
        return outcome
    _log_of(loop)
    rows = loop.verdicts
    if not rows:
        return skipped("no verdict row to close on")
    last = rows[-1]
    if last.green:
        return passed(f"{len(rows)} verdict row(s), the last of them predicate:green")
    where = Finding(
        loop.log.path, last.line, 0, f"the last verdict row, and its result is {_shown(last.result)!r}"
    )
    from goblin.loop.ending import Ending
    from goblin.loop.writeup import WriteUp

    stuck = loop.stuck
    if not stuck.exists:
        ending = Ending.of(loop, loop_log, handles)
        if ending.over:
            ended = Finding("", message=f"it is over: {ending.why}")
            return failed("the loop ended without green and has no stuck.md", [where, ended])
        budget = f" of {loop.budget.turns}" if loop.budget.turns is not None else ""
        told = f"the loop still runs, with {len(rows)}{budget} turn(s) spent"
        return skipped(f"{told}: a write-up is due when it ends without green")
    if stuck.faults:
        return failed("stuck.md cannot be read", [where, *_places(stuck.path, stuck.faults)])
    written = WriteUp.of(stuck.text, loop.predicate)
    if written.faults:
        findings = [Finding(stuck.path, 0, 0, told) for told in written.faults]
        return failed("the write-up of a loop that ended without green is not one", [where, *findings])
    return passed(f"ended without green, written up in {written.lines} line(s) that name the predicate")


def the_pinned_surface_is_unchanged(loop: LoopRecord, loop_log: Log, loop_history: LoopHistory) -> Outcome:
    """The files that decide whether the predicate is met are those that the loop pinned at its start.

    Reads surface.sha256, the `surface:` line of predicate.sha256 and its history under HEAD, and each
    file listed, as it is in the work tree and as HEAD holds it: an edit that is not committed counts, and
    so does one that is committed and hidden again. A loop may leave this undeclared.

    FAIL: a listed file that changed or is gone; a list without its `surface:` line, a line without its
    list, or another digest; a list that is not `<64 hex><two spaces><path>`, sorted by path; another
    surface committed under the same pin (replaced or dropped mid-loop); new configuration of a tool that
    the predicate or a pinned script names. PASS: the number of files.
    SKIP: no loop has run; the loop pinned no surface.
    """
    if outcome := _absent(loop):
        return outcome
    surface, pin = loop.surface, loop.pin
    findings = [
        Finding(pin.path, 0, 0, f"commit {version.commit[:12]} pinned another surface: {version.pin.surface}")
        for version in loop_history.versions
        if _same_loop(version.pin, pin) and version.pin.surface not in ("", pin.surface)
    ]
    if not surface.exists and not pin.surface and not findings:
        return skipped("the loop pinned no surface; goblin-loop start pins the files that decide it")
    findings += _places(surface.path, surface.faults)
    if not surface.exists:
        findings.append(
            Finding(surface.path, 0, 0, "surface.sha256 is missing: the list of the pinned files")
        )
    elif not pin.surface:
        findings.append(Finding(pin.path, 0, 0, "has no surface: line, so the list could be edited unseen"))
    elif surface.digest and pin.surface != surface.digest:
        told = f"the pin says {pin.surface}, and the list is {surface.digest}: it was edited"
        findings.append(Finding(surface.path, 0, 0, told))
    changed = surface.differences(loop.tree)
    findings += [Finding(found.path, 0, 0, found.message) for found in changed]
    findings += [
        Finding(
            path, 0, 0, "is new since the loop began, and a tool that the predicate names reads it unasked"
        )
        for path in loop_history.added(loop_log)
    ]
    here = {found.path for found in changed}
    findings += [
        Finding(found.path, 0, 0, f"HEAD holds another: {found.message}")
        for found in loop_history.committed(surface)
        if found.path not in here
    ]
    if findings:
        return failed("what decides the predicate changed while the loop ran", findings)
    return passed(f"{len(surface.entries)} pinned file(s) unchanged")
