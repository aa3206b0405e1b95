"""JG: verdicts. Each cites what the repository can resolve, and the judge is not the author."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin import clock
from goblin.loop.instant import AHEAD
from goblin.outcome import Finding, Outcome, advisory, failed, passed, skipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from goblin.facts.rederive import Rederived
    from goblin.lanes import Lane, Lanes
    from goblin.loop.decisions import Decision
    from goblin.loop.handles import Resolver
    from goblin.loop.record import LoopRecord
    from goblin.manifest import Manifest


def each_verdict_cites_what_resolves(loop: LoopRecord, handles: Resolver) -> Outcome:
    """Every verdict row cites a handle that resolves, and every row of the log is well formed.

    Reads decisions.tsv, the commits that a ref or HEAD reaches, the index and the record's own files.
    Handles are split on commas alone: `sha:` a commit by 7 or more digits, `file:` a tracked regular
    file, `sha256:` the digest of a file in the record, in its out/ or in an archive. A command, a bare
    path, and the record's control files resolve to nothing.

    FAIL: a wrong header; a row without six cells; an empty phase or why; a timestamp without
    an offset, earlier than the row above or in the future; an unknown verdict or result; done without
    predicate:green; a verdict row without a handle that resolves, or with one that does not beside one
    that does. Each with its line. PASS: the number of verdict rows. SKIP: no decisions.tsv, or no row.
    """
    if loop.fault:
        return failed(loop.fault, [Finding(loop.directory)], "put a real folder there")
    log = loop.log
    if not log.exists:
        return skipped("no loop record")
    verdicts = loop.verdicts
    handles.look_up(row.evidence for row in verdicts)
    findings = [Finding(log.path, fault.line, 0, fault.message) for fault in log.faults]
    tomorrow = clock.now() + AHEAD
    for row in log.rows:
        if row.faults or row.ts is None or row.ts > tomorrow:
            told = [*row.faults, *_ahead(row, tomorrow)]
            findings += [Finding(log.path, row.line, 0, text) for text in told]
        if row.is_verdict and not handles.cell(row.evidence).resolves:
            findings += [Finding(log.path, row.line, 0, text) for text in _dead(row, handles)]
    if findings:
        lines = list(dict.fromkeys(str(finding.line) for finding in findings if finding.line))
        where = f" in row(s) {', '.join(lines[:20])}{' and more' if len(lines) > 20 else ''}" if lines else ""
        return failed(f"{len(findings)} fault(s){where}", findings)
    if not log.rows:
        return skipped("decisions.tsv holds no row yet")
    logged = len(log.rows) - len(verdicts)
    rest = f"; {logged} log row(s) well formed" if logged else ""
    return passed(f"{len(verdicts)} verdict row(s), each citing a handle that resolves{rest}")


def _ahead(row: Decision, tomorrow: datetime) -> Iterator[str]:
    if row.ts is not None and row.ts > tomorrow:
        yield f"its ts {row.stamp} is in the future"


def _dead(row: Decision, handles: Resolver) -> Iterator[str]:
    """What of a verdict's evidence points at nothing, and matters."""
    cited = [(handle, handles.resolve(handle)) for handle in row.handles]
    if not cited:
        yield "a verdict row without evidence"
        return
    resolves = any(resolved.ok for _, resolved in cited)
    for handle, resolved in cited:
        if not resolved.ok and (handle.typed or not resolves):
            yield f"{handle.shown} {resolved.reason}"


def the_judge_is_not_the_author(lanes: Lanes, manifest: Manifest) -> Outcome:
    """The lane of the judge shares no profile with the lane that writes the code.

    Reads the roles code and judge of manifest/roles.tsv, and then the file that models_file of the
    config names, on this machine. An overlap is decided from the roles alone.

    FAIL: a profile in both lanes; no roles.tsv; a role without a name or given twice; a profile given
    twice in one lane. ADV: no mapping here; a lane without a profile; more than one judge; a profile to which
    the mapping gives no provider or model. PASS: both lanes resolve, and share nothing.
    """
    table = "manifest/roles.tsv"
    if not manifest.has("roles.tsv"):
        return failed(f"no {table}: nobody can tell the judge from the author")
    findings = [Finding(table, line, 0, told) for line, told in _role_faults(manifest)]
    code, judge = lanes.of("code"), lanes.of("judge")
    written = {lane.profile.casefold() for lane in code}
    both = [lane.profile for lane in judge if lane.profile.casefold() in written]
    findings += [
        Finding(table, 0, 0, f"{profile} is in the lane of code and in that of judge") for profile in both
    ]
    if findings:
        return failed("the judge is not set apart from the author", findings)
    shown = [Finding("", message=_shown(lane)) for lane in (*code, *judge)]
    for role, lane in (("code", code), ("judge", judge)):
        if not lane:
            return advisory(f"the role {role} resolves to no profile: give it one in {table}", shown)
    if len(judge) > 1:
        told = ", ".join(lane.profile for lane in judge)
        return advisory(
            f"{len(judge)} judges ({told}): a judge is one lane; leave one profile in {table}", shown
        )
    if lanes.workers is None:
        return advisory(f"{lanes.absence}; disjoint by profile: {_lanes(code)} | {_lanes(judge)}", shown)
    unresolved = [lane.profile for lane in (*code, *judge) if not lane.resolved]
    if unresolved:
        told = ", ".join(dict.fromkeys(unresolved))
        return advisory(f"unresolved: give {told} a provider and a model in the mapping file", shown)
    return passed(f"2 lanes, disjoint: code {_lanes(code)}, judge {_lanes(judge)}", shown)


def _role_faults(manifest: Manifest) -> Iterator[tuple[int, str]]:
    seen: dict[str, int] = {}
    for record in manifest.table("roles.tsv"):
        name = record.cells[0].strip()
        if not name:
            yield record.line, "a role without a name"
        elif name in seen:
            yield record.line, f"the role {name} stands a second time (first in line {seen[name]})"
        seen.setdefault(name, record.line)
        profiles = [part.strip().casefold() for part in record.cells[2].split(",")]
        for profile in dict.fromkeys(profiles):
            if profiles.count(profile) > 1:
                yield record.line, f"the profile {profile or '(empty)'} stands twice in the lane of {name}"


def _shown(lane: Lane) -> str:
    return f"{lane.role} {lane.profile}: {lane.worker.provider} {lane.worker.model}"


def _lanes(lanes: Sequence[Lane]) -> str:
    return ", ".join(lane.profile for lane in lanes)


def each_done_is_green_again(rederived: Rederived) -> Outcome:
    """A verdict of done holds when the pinned predicate is run once more at the commit that it cites.

    Reads decisions.tsv, the predicate and its pin, and runs the predicate in a clean checkout of each
    cited commit, in a temporary folder, with no hook and no filter. A row that cites none, and was
    measured, is run again at the commit that the log names. Nothing ignored or untracked is there: what
    the predicate needs it must find in the commit or on the machine. Runs only where the config says
    `judge_rederive: yes`, and never under --static.

    FAIL: the predicate is not the pinned one (it is not run then); a cited commit that is missing; a
    file that the loop pinned and that is another one there; red there; it could not run. PASS: the number
    of rows and commits. SKIP: not declared; no loop record; no done row that rests on a commit.
    """
    if rederived.absent:
        return skipped(rederived.absent)
    if rederived.refused:
        return failed(rederived.refused, rederived.findings)
    if rederived.findings:
        return failed(f"{len(rederived.findings)} place(s) where done does not hold", rederived.findings)
    rest = f"; {rederived.without} done row(s) cite no commit" if rederived.without else ""
    return passed(f"{rederived.rows} done row(s), green again at {rederived.commits} commit(s){rest}")
