"""DS: runtime data. Files that the program writes while it runs: gates leave them alone, git ignores them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, advisory, failed, passed, skipped
from goblin.redact import clean

if TYPE_CHECKING:
    from goblin.facts.config import Config
    from goblin.facts.dataignore import Exposed
    from goblin.facts.datareport import DataReport
    from goblin.facts.gates import Datum, GateRun
    from goblin.facts.head import Head

NOTHING = "no runtime_data declared"


def gates_leave_runtime_data_alone(
    config: Config, gate_run: GateRun, data_exposed: tuple[Exposed, ...], data_report: DataReport
) -> Outcome:
    """A gate run does not write runtime data, and that data is git-ignored.

    Reads `runtime_data` (files, folders and globs). Hashes each path before and after the declared gates,
    which run once for this row and GT-02 together: a folder by its sorted tree, a link by where it points.
    Leaves `.goblin/.ds-report`.
    FAIL: a hash changed; a path leaves the repository or cannot be hashed; git does not ignore a path (a
    tracked one is not ignored, and a private ignore file does not count). ADV: nothing declared.
    SKIP: no gate runs here. PASS: otherwise. A file that is missing before and after is unchanged; a red
    gate is not this row's business.
    """
    if not config.words("runtime_data"):
        return advisory(NOTHING)
    data = gate_run.data or ()
    found = [Finding(datum.path, message=problem) for datum in data if (problem := _problem(datum))]
    written = len(found)
    found += [Finding(exposed.path, message=exposed.reason) for exposed in data_exposed]
    if found:
        return failed(_summary(written, len(found) - written), found)
    if not gate_run.results:
        return skipped(
            f"no gate runs here, so nothing was looked at around one ({len(data)} path(s) ignored)"
        )
    notes = [f"report not written: {data_report.unwritten}"] if data_report.unwritten else []
    text = f"{len(data)} path(s) of runtime data unchanged by {len(gate_run.results)} gate(s), and ignored"
    return passed(text, [Finding("", message=note) for note in notes])


def _summary(written: int, exposed: int) -> str:
    parts = [f"{written} path(s) written by a gate or not to be hashed"] if written else []
    parts += [f"{exposed} path(s) that git does not ignore"] if exposed else []
    return "runtime data: " + ", ".join(parts)


def _problem(datum: Datum) -> str:
    if datum.before == "outside" or datum.after == "outside":
        return "leaves the repository, so it is not looked at"
    if datum.before != datum.after:
        return f"a gate run changed it: before {clean(datum.before)}, after {clean(datum.after)}"
    if datum.before.startswith(("unreadable", "too large")):
        return f"cannot be hashed: {clean(datum.before)}"
    return ""


def the_snapshot_is_on_the_gate_line(
    config: Config, data_report: DataReport, data_line: str, head: Head
) -> Outcome:
    """The snapshot of runtime data around the gates exists, agrees, and stands on the gate line.

    Reads `.goblin/.ds-report`, which DS-01 leaves, and puts its hashes on `.goblin/last-gate-line`
    (once, and with the sidecar brought up to date).
    FAIL: no report, or one that cannot be read; before and after differ; it is of another commit, or of
    other paths than are declared now. ADV: nothing declared. SKIP: the report cannot be written here.
    PASS: otherwise; says when it is of an earlier run, and when there is no gate line to carry it.
    """
    declared = config.words("runtime_data")
    if not declared:
        return advisory(f"{NOTHING}{_aside(data_line)}")
    report = data_report
    if report.unwritten:
        return skipped(f"report not written: {report.unwritten}")
    if report.problem:
        missing = report.problem == "missing"
        return failed(
            "no DS-01 report: run it first" if missing else f"DS-01 report: {clean(report.problem)}"
        )
    differing = [path for path in {**report.before, **report.after} if _of(report, path)]
    if differing:
        found = [Finding(path, message=_of(report, path)) for path in differing]
        return failed(f"before and after differ for {len(found)} path(s)", found)
    stale = _stale(report, head.commit.oid if head.commit else "unborn", declared)
    if stale:
        return failed(stale)
    earlier = (
        "" if report.fresh else f"; the report is of an earlier run ({clean(report.run)[:60] or 'unnamed'})"
    )
    return passed(f"before and after agree for {len(report.after)} path(s){_aside(data_line)}{earlier}")


def _aside(line: str) -> str:
    return f"; {line}" if line else ""


def _of(report: DataReport, path: str) -> str:
    """How a path differs in a report, "" where it does not."""
    before, after = report.before.get(path, "nothing"), report.after.get(path, "nothing")
    return "" if before == after else f"before {clean(before)}, after {clean(after)}"


def _stale(report: DataReport, head: str, declared: tuple[str, ...]) -> str:
    if report.head != head:
        of = clean(report.head)[:10] or "no commit"
        return f"the report is of another commit: measured at {of}, and HEAD is {head[:10]}"
    lacking = report.lacks(declared)
    if lacking:
        return f"the report lacks {', '.join(map(clean, lacking))}, which is declared now"
    return ""
