"""RN: the event log of a run, and the files of the record that it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, failed, passed, skipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goblin.facts.eventcopies import EventCopies
    from goblin.facts.eventhistory import EventHistory
    from goblin.facts.recordfiles import RecordFiles
    from goblin.loop.decisions import Decision
    from goblin.loop.events import Event, Log
    from goblin.loop.kinds import Kinds
    from goblin.loop.record import LoopRecord
    from goblin.manifest import Manifest

OPENING = "opening"
MOST = 100
"""Lines of one kind of fault that are listed."""

TYPED = "predicate:green was typed: no run of the predicate stands behind it (goblin-loop record --check)"

_PUSHED = "git checkout origin/<branch> -- .goblin/loop, and record what is new on top of it"
_OPENED = (
    "git checkout -- .goblin/loop; another predicate, budget or surface is another loop: goblin-loop close"
)

INTERRUPTED = "goblin-loop start once more, with what the loop is to be"


def _absent(loop: LoopRecord, log: Log, history: EventHistory | None = None) -> Outcome | None:
    """The outcome of a row where there is no log to judge; None where there is one."""
    if not loop.exists:
        return skipped("no loop has run")
    if loop.fault:
        return failed(loop.fault, [Finding(loop.directory)], "put a real folder there")
    if log.exists:
        return None
    if history is not None and history.versions:
        lost = history.versions[0]
        told = f"commit {lost.commit[:12]} holds this log, and it is gone"
        return failed(
            "the event log was deleted",
            [Finding(log.path, message=told)],
            f"git checkout {lost.commit[:12]} -- {log.path}",
        )
    return skipped(f"kept by hand: there is no {log.path}")


def _begun(loop: LoopRecord) -> Outcome | None:
    """The FAIL of a record that a killed `start` left half-written; None for any other."""
    if not loop.has(OPENING):
        return None
    return failed("a start was interrupted", [Finding(loop.path(OPENING))], INTERRUPTED)


def the_event_log_is_whole(
    loop: LoopRecord,
    loop_log: Log,
    event_history: EventHistory,
    event_copies: EventCopies,
    manifest: Manifest,
) -> Outcome:
    """The event log is gapless, chained and of the known shapes, and nothing committed was cut off it.

    Reads events.jsonl, manifest/events.tsv, and the versions of the log that commits under HEAD hold,
    origin's branch of the same name, and earlier states of the branch that this clone remembers.
    Each line must be the canonical form of its event, count one up, name the digest of the line above,
    and be dated no earlier, and not in the future. `data` must hold what the table asks of its type; a
    type or member that the table does not know is a note.

    FAIL: a line that breaks any of it, with its number; a last line without its end; a committed
    version that today's log does not begin with, also one that was pushed and then amended away; a log
    that was deleted, or within the last 200 commits the whole record. A state of the branch that was
    never pushed, and is gone, is a note. PASS: the number of events and of committed versions. SKIP: no
    loop has run; the record is kept by hand, without a log.
    """
    if not loop.exists and (commit := event_copies.deleted()):
        return failed(
            "the record was deleted",
            [Finding(loop.directory, message=f"commit {commit[:12]} holds a record, and it is gone")],
            f"git checkout {commit[:12]} -- {loop.directory}",
        )
    if outcome := _absent(loop, loop_log, event_history):
        return outcome
    from goblin.loop.kinds import TABLE, Kinds

    if not manifest.has(TABLE):
        return failed(f"no manifest/{TABLE}: nobody can tell what an event may hold")
    kinds = Kinds(manifest.table(TABLE))
    findings = [Finding(loop_log.path, fault.line, 0, fault.message) for fault in loop_log.faults]
    for event in loop_log.events:
        findings += [
            Finding(loop_log.path, event.line, 0, told) for told in kinds.faults(event.type, event.data)
        ]
    findings += _ahead(loop_log)
    parted, elsewhere = _parted(loop_log, event_history)
    rewritten, forgotten = _rewritten(loop_log, event_copies)
    findings += parted + rewritten
    if findings:
        lines = list(dict.fromkeys(str(finding.line) for finding in findings if finding.line))
        where = (
            f" at line(s) {', '.join(lines[:10])}{' and more' if len(lines) > 10 else ''}" if lines else ""
        )
        return failed(f"the event log does not hold{where}", findings[:MOST], _PUSHED if rewritten else "")
    notes = [*elsewhere, *forgotten, *_strangers(loop_log, kinds)]
    if event_history.shallow:
        notes.append(Finding("", message="this clone is shallow: older versions are not seen"))
    runs = len({event.run for event in loop_log.events})
    seen = len(event_history.versions) - event_history.left_out
    rest = f", {event_history.left_out} older one(s) not" if event_history.left_out else ""
    told = f"{len(loop_log.events)} event(s) of {runs} run(s), chained"
    return passed(f"{told}; {seen} committed version(s) compared{rest}", notes)


def _ahead(log: Log) -> Iterator[Finding]:
    """The first event that is dated more than a day ahead: none after it is dated earlier."""
    for event in log.events if log.events and log.events[-1].in_future else ():
        if event.in_future:
            yield Finding(log.path, event.line, 0, f"its at {event.at} is in the future")
            return


def _parted(log: Log, history: EventHistory) -> tuple[list[Finding], list[Finding]]:
    """Committed versions that the log does not begin with: on the line of HEAD, and beside it."""
    ours: list[Finding] = []
    beside: list[Finding] = []
    for version in history.broken[:MOST]:
        line = history.parts_at(version)
        told = f"from here on it is not what commit {version.commit[:12]} holds: cut off, or rewritten"
        (ours if version.main else beside).append(Finding(log.path, line, 0, told))
    return ours, [
        finding._replace(message=f"{finding.message} (on a branch that was merged)") for finding in beside
    ]


def _rewritten(log: Log, copies: EventCopies) -> tuple[list[Finding], list[Finding]]:
    """Logs that history holds no more: what was pushed, and what only this clone remembers."""
    pushed: list[Finding] = []
    gone: list[str] = []
    for copy in copies.parted():
        commit = copy.commit[:12]
        if copy.place:
            told = f"is not the log that {copy.place} holds ({commit}): rewritten since, or two runs apart"
            pushed.append(Finding(log.path, message=told))
        else:
            gone.append(commit)
    more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
    local = [f"commit {gone[0]}{more}, amended or reset away, held another log"] if gone else []
    return pushed, [Finding(log.path, message=told) for told in local]


def _strangers(log: Log, kinds: Kinds) -> Iterator[Finding]:
    from goblin.loop.kinds import TABLE

    told: dict[str, int] = {}
    for event in log.events:
        for what in kinds.strangers(event.type, event.data):
            told.setdefault(what, event.line)
    for what, line in list(told.items())[:MOST]:
        yield Finding(log.path, line, 0, f"{what} is not in manifest/{TABLE} here: passed over")


def each_row_has_its_event(loop: LoopRecord, loop_log: Log) -> Outcome:
    """Each turn in decisions.tsv has its `decision` event in the log, cell for cell, and the reverse.

    Reads decisions.tsv and the decisions of the last run, and of each closed run its archive's
    decisions.tsv; and of each verdict the run of the predicate that the log holds for it.

    FAIL: a verdict row without an event; an event without its row; a row that differs from its event or
    stands in another place; a result that is not what the predicate's run says. Each with its line. A
    log row that was added by hand is a note, and so is a green that was typed and not measured.
    PASS: the number of turns. SKIP: no loop has run; no event log; no turn yet.
    """
    if outcome := _absent(loop, loop_log) or _begun(loop):
        return outcome
    from goblin.loop.record import LoopRecord

    findings, notes = _disagreeing(loop.log.path, loop_log.path, loop_log.current, loop.decisions)
    turns = len(loop_log.of("decision"))
    for closed in [event for event in loop_log.events if event.type == "run_closed"]:
        run = [event for event in loop_log.events if event.run == closed.run]
        told = [event for event in run if event.type == "decision"]
        archive = next((found for found in loop.archives if found.name == closed.text("archive")), None)
        if archive is None or not told:
            continue  # LP-02 and RN-05 miss an archive that is gone
        kept = LoopRecord(loop.tree.root, archive.path)
        more, beside = _disagreeing(kept.log.path, loop_log.path, run, kept.decisions)
        findings += more
        notes += beside
        turns += len(told) if closed.run != loop_log.current[-1].run else 0
    if findings:
        return failed("the rows and the log do not tell the same turns", findings[:MOST])
    if not turns and not notes:
        return skipped("no turn was recorded yet")
    return passed(f"{turns} turn(s), each with its row and its event", notes[:MOST])


def _disagreeing(
    table: str, log: str, run: Sequence[Event], rows: Sequence[Decision]
) -> tuple[list[Finding], list[Finding]]:
    """What breaks the agreement of rows and the events of a run, and what is only worth showing."""
    from goblin.loop.agreement import Agreement
    from goblin.loop.measured import Verdict

    agreement = Agreement.of(rows, [event for event in run if event.type == "decision"])
    found = [
        Finding(
            table,
            edit.row.line,
            0,
            f"differs from line {edit.event.line} of the log in {', '.join(edit.columns)}",
        )
        for edit in agreement.edits
    ]
    found += [
        Finding(table, row.line, 0, "stands in another place than its event") for row in agreement.moved
    ]
    found += [
        Finding(table, row.line, 0, "no event tells of this row: it was added by hand")
        for row in agreement.strangers
        if row.is_verdict
    ]
    found += [
        Finding(log, event.line, 0, f"its row is missing in {table.rpartition('/')[2]}")
        for event in agreement.lost
    ]
    notes = [
        Finding(table, row.line, 0, "a log row that no event tells of")
        for row in agreement.strangers
        if not row.is_verdict
    ]
    judged = Verdict.of_run(run)
    for row, verdict in zip((row for row in rows if row.is_verdict), judged, strict=False):
        if found:
            break  # which event a row belongs to is not certain
        if verdict.ran is not None and not verdict.measured:
            told = f"line {verdict.ran.line} of the log measured exit {verdict.ran.number('exit')} for it"
            found.append(Finding(table, row.line, 0, f"{row.result}, and {told}"))
        elif verdict.green and verdict.ran is None:
            notes.append(Finding(table, row.line, 0, TYPED))
    return found, notes


def the_first_run_was_measured(loop: LoopRecord, loop_log: Log) -> Outcome:
    """`first-run` is what the log's first `predicate_ran` says, and the loop is the one that was opened.

    Reads first-run, the events of the last run before its first turn, the output in out/, and
    predicate.sha256 and budget, which `run_opened` names too: history may be rewritten, and with it what
    LP-02, LP-03 and LP-06 hold them against.

    FAIL: no first-run, or no such event; another exit or instant; an output that is missing or is no
    longer what its name says; another predicate, budget or surface than the run was opened with.
    PASS: the exit. SKIP: no loop has run; no event log.
    """
    if outcome := _absent(loop, loop_log) or _begun(loop):
        return outcome
    from goblin.loop import opening

    ran = opening.before_the_first_turn(loop_log, "predicate_ran")
    run = loop.first_run
    findings = opening.unlike(run, ran, loop_log, "predicate_ran event stands before the first turn")
    if ran is not None:
        findings += opening.output(loop, ran, loop_log)
    other = list(opening.unlike_the_opening(loop, loop_log))
    findings += other
    if findings:
        return failed(
            "the loop is not the one that the log opened and measured", findings, "" if not other else _OPENED
        )
    return passed(f"exit {run.exit}, as measured; 1 output kept")


def each_run_has_one_end(loop: LoopRecord, loop_log: Log) -> Outcome:
    """Each run in the log opens once and closes once, and no run is left open when nothing runs any more.

    Reads the log, and the names of the archives.

    FAIL: a run that does not begin with `run_opened`, is opened or closed twice, goes on after its end
    (notes aside), or is not closed though another began; an outcome that is none of the known; an archive
    that no `run_closed` names (the end of the log was cut off), or a `run_closed` whose archive is not
    there; an open run without an event for a day. PASS: the runs, and the outcome of the last.
    SKIP: no loop has run; no event log.
    """
    if outcome := _absent(loop, loop_log) or _begun(loop):
        return outcome
    from goblin.loop import runends

    runs: dict[str, list[Event]] = {}
    findings: list[Finding] = []
    for event in loop_log.events:
        if event.run in runs and event.run != next(reversed(runs)):
            findings.append(
                Finding(loop_log.path, event.line, 0, "belongs to a run that another one followed")
            )
        runs.setdefault(event.run, []).append(event)
    for number, events in enumerate(runs.values(), start=1):
        findings += [
            Finding(loop_log.path, line, 0, told) for line, told in runends.ends(events, number == len(runs))
        ]
    findings += runends.unnamed(loop, loop_log)
    current = loop_log.current
    if not current:
        findings.append(Finding(loop_log.path, message="no run was ever opened"))
    elif loop_log.closed is None and (told := runends.stale(current[-1])):
        findings.append(Finding(loop_log.path, current[-1].line, 0, told))
    if findings:
        return failed("a run has no sound end", findings[:MOST])
    closed = loop_log.closed
    last = f"the last is closed as {closed.text('outcome')}" if closed else "the last is open"
    return passed(f"{len(runs)} run(s), {last}")


def no_record_holds_a_secret(loop: LoopRecord, loop_log: Log, record_files: RecordFiles) -> Outcome:
    """No file that a run or a person wrote below .goblin/ holds a secret of a known shape.

    Reads every regular file below .goblin/ but the engine, the rules and what else an install wrote:
    UTF-16 too, and with NUL bytes left out. The place and the kind are shown, never the value; a
    documented sample key (it ends EXAMPLE) is none.

    FAIL: a secret; a file that cannot be searched. PASS: the number of files. SKIP, after the search:
    no loop has run, or the record is kept by hand, without a log.
    """
    found = [Finding(hit.path, hit.line, 0, hit.kind) for hit in record_files.hits]
    found += [Finding(path, message=f"not searched: {why}") for path, why in record_files.unread]
    if found:
        return failed(f"{len(found)} place(s) in the records that may hold a secret", found[:MOST])
    counted = f"{record_files.searched} file(s) searched, no secret"
    if not loop.exists:
        return skipped(f"no loop has run ({counted})")
    if not loop_log.exists:
        return skipped(f"kept by hand: there is no {loop_log.path} ({counted})")
    return passed(counted)


def the_control_was_green_first(loop: LoopRecord, loop_log: Log) -> Outcome:
    """A control, where one is recorded, turned the predicate green before the first turn.

    Reads control, the `control_ran` event of the last run, and the timestamps of decisions.tsv.

    FAIL: control is not `exit=<n> ts=<timestamp>` with an optional digest; its exit is not 0; it is
    later than a row; it is not what the log measured; the log tells of one and the file is missing.
    PASS: the control. SKIP: no loop has run; no event log; no control was declared.
    """
    if outcome := _absent(loop, loop_log) or _begun(loop):
        return outcome
    from goblin.loop import opening

    control = loop.control
    ran = opening.before_the_first_turn(loop_log, "control_ran")
    if not control.exists and ran is None:
        return skipped("no control was declared: goblin-loop start --control CMD")
    findings = opening.unlike(control, ran, loop_log, "control_ran event stands before the first turn")
    if control.exit:
        findings.append(
            Finding(control.path, 1, 0, f"exit={control.exit}: the control did not turn it green")
        )
    if ran is not None and ran.number("exit"):
        findings.append(Finding(loop_log.path, ran.line, 0, "the control did not turn the predicate green"))
    earliest = loop.log.earliest
    if control.ts and earliest and earliest.ts and control.ts > earliest.ts:
        told = f"this row is earlier than the control ({earliest.stamp})"
        findings.append(Finding(loop.log.path, earliest.line, 0, told))
    if ran is not None and control.exists:
        findings += opening.output(loop, ran, loop_log)
    if findings:
        return failed("the control does not show that the predicate can be met", findings)
    return passed("1 control: after it the predicate was green, before the first turn")
