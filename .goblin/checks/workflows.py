"""PG-05 and PG-06: the gate of the forge. Whether CI can be green without having run it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin.outcome import Finding, Outcome, failed, passed, skipped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goblin.facts.cigate import Call, CiGate, Gating
    from goblin.facts.config import Config
    from goblin.facts.jobs import Job, Workflow


def no_job_passes_without_running(workflows: tuple[Workflow, ...], ci_gate: CiGate) -> Outcome:
    """No workflow job can report success without running its steps.

    Reads the YAML files in `.github/workflows`, `.forgejo/workflows` and `.gitea/workflows`, and
    `.gitlab-ci.yml`, anchors and merge keys resolved. A skipped job counts as a success for the forge,
    required or not.
    FAIL: a job with `if` (GitLab: `rules`, `only`, `except`, `when`), whatever its value; a step with
    `if`; `continue-on-error` (GitLab: `allow_failure`) on either, unless it is `false`; a job with
    nothing to run, or whose matrix is empty; a file without jobs, or that cannot be read; on a job that
    runs the gate, `needs`; in a workflow that runs it, `paths` or `paths-ignore` under push or
    pull_request. PASS: otherwise, also with no workflow, with the counts.
    """
    gate_jobs = ci_gate.gate_jobs()
    weak: list[_Weak] = []
    for workflow in workflows:
        found = list(_weak_places(workflow, gate_jobs))
        if any(path == workflow.path for path, _ in gate_jobs):
            found += _path_filters(workflow, ci_gate)
        weak += sorted(found, key=lambda one: (one.finding.line, one.finding.column))
    count = sum(len(workflow.jobs) for workflow in workflows)
    if not weak:
        return passed(f"{len(workflows)} workflow(s), {count} job(s): each runs all its steps")
    kinds = [one.kind for one in weak]
    told = ", ".join(f"{kind} {kinds.count(kind)}" for kind in sorted(set(kinds)))
    jobs = len({(one.finding.path, one.job) for one in weak if one.job})
    files = len({one.finding.path for one in weak})
    return failed(
        f"{len(weak)} place(s) where success need not mean that it ran: {told}; "
        f"in {jobs} of {count} job(s), {files} of {len(workflows)} workflow(s)",
        [one.finding for one in weak],
    )


class _Weak(NamedTuple):
    """A place where a success need not mean that something ran: of what kind, and in which job."""

    kind: str
    job: str  # "" for the whole file
    finding: Finding


def _weak_places(workflow: Workflow, gate_jobs: frozenset[tuple[str, str]]) -> Iterable[_Weak]:
    path = workflow.path
    if workflow.problem:
        place = workflow.problem
        told = f"cannot be read: {place.message}"
        yield _Weak("file that cannot be read", "", Finding(path, place.line, place.column, told))
    for fault in workflow.faults:
        yield _Weak("nothing to run", "", Finding(path, *fault))
    for job in workflow.jobs:
        for kind, line, column, told in _weak_in_job(job):
            yield _Weak(kind, job.name, Finding(path, line, column, f"job `{job.name}`{told}"))
        for need, line, column in job.needs if (path, job.name) in gate_jobs else ():
            told = (
                f"job `{job.name}` runs the gate and needs `{need}`: where that fails or is skipped, so is "
            )
            told += f"the gate{_conditional_through(workflow, need)}"
            yield _Weak("need of the gate", job.name, Finding(path, line, column, told))


def _weak_in_job(job: Job) -> Iterable[tuple[str, int, int, str]]:
    """Kind, line, column and what is to be said after the job's name."""
    for fault in job.faults:
        yield "nothing to run", fault.line, fault.column, f": {fault.message}"
    for key, line, column in job.conditions:
        told = f": `{key}` decides whether it runs, and a skipped job is a success"
        yield "conditional job", line, column, told
    for key, line, column in job.lenient:
        told = f": with `{key}` the run succeeds where the job fails"
        yield "job that may fail", line, column, told
    for step in job.steps:
        for key, line, column in step.conditions:
            yield "conditional step", line, column, f", {step.label}: `{key}` decides whether it runs"
        for key, line, column in step.lenient:
            told = f", {step.label}: with `{key}` the job succeeds where the step fails"
            yield "step that may fail", line, column, told


def _conditional_through(workflow: Workflow, name: str) -> str:
    """Which job behind a need has a condition of its own."""
    waiting, seen = [name], set()
    while waiting:
        current = waiting.pop(0)
        job: Job | None = workflow.job(current)
        if job is None or current in seen:
            continue
        seen.add(current)
        if job.conditions:
            setting = job.conditions[0]
            return f" (`{current}` has `{setting.key}` on line {setting.line})"
        waiting += [need for need, _, _ in job.needs]
    return ""


def _path_filters(workflow: Workflow, ci_gate: CiGate) -> Iterable[_Weak]:
    for gating in ci_gate.gatings:
        if gating.workflow.path == workflow.path:
            for place in gating.triggers.filters:
                told = f"{place.message}, so the gate does not run for them"
                yield _Weak("path filter", "", Finding(workflow.path, place.line, place.column, told))


def ci_runs_the_gate_set(workflows: tuple[Workflow, ...], ci_gate: CiGate, config: Config) -> Outcome:
    """One workflow runs the whole gate set on each push to the declared branch or each pull request.

    Reads the workflows (see PG-05), `branch`, and the declared gates, those of the host left out. A
    step's script is read as commands of bash or sh; comments, names and values of `env` are none. A
    workflow is a gate where it runs goblin-verify without an option that leaves rows out, or each
    declared command word for word (blanks and `2>/dev/null` aside), in steps that are not conditional
    and in a way that a failure fails the job; and where push or pull_request brings it about for the
    branch without a path filter. A workflow of this repository that it calls counts with it.
    SKIP: no workflow file. FAIL: none is a gate (each says why); no gate is declared, unless that part
    is opted out and the verifier runs. PASS: one is; the others are listed as `not a gate`, and a
    checkout without full history is reported.
    """
    if not workflows:
        return skipped("no workflow file")
    gates = [gate for gate in config.gates() if gate.cmd]
    others = [finding for gating in ci_gate.gatings if not gating.accepted for finding in _why_not(gating)]
    if not gates and "gate" not in config.disabled:
        told = "no gate is declared, so there is no set that CI could run"
        return failed(told, [config.where("gates"), *others], "declare the gates in .goblin/goblin.yaml")
    if not ci_gate.accepted:
        return failed(f"none of {len(workflows)} workflow(s) runs the whole gate set", others)
    first = ci_gate.accepted[0]
    told = f"{first.workflow.path} runs {first.how} on {' and '.join(first.triggers.events)}"
    notes = [Finding(gating.workflow.path, *note) for gating in ci_gate.accepted for note in gating.notes]
    return passed(f"{len(workflows)} workflow(s) read: {told}", [*notes, *others])


def _why_not(gating: Gating) -> Iterable[Finding]:
    """Why a workflow is not a gate, place by place."""
    workflow = gating.workflow
    if workflow.problem:
        place = workflow.problem
        told = f"not a gate: it cannot be read: {place.message}"
        yield Finding(workflow.path, place.line, place.column, told)
        return
    if not gating.whole:
        shown = [call for call in gating.calls if not call.sound]
        for call in shown:
            yield Finding(call.path, call.line, 0, f"not a gate: {_against(call)}")
        called = {call.what for call in shown}
        unseen = [name for name in gating.missing if name not in called]
        if unseen and (not shown or gating.declared):
            names = ", ".join(f"`{name}`" for name in unseen)
            also = " nor the whole verify" if gating.declared else ""
            yield Finding(workflow.path, 1, 0, f"not a gate: it does not run {names}{also}")
        return
    for place in gating.triggers.refusals:
        yield Finding(workflow.path, place.line, place.column, f"not a gate: {place.message}")
    if not workflow.tracked:
        yield Finding(
            workflow.path, message="not a gate: git does not track it, so the forge has no such file"
        )


def _against(call: Call) -> str:
    reasons = "; ".join((*call.faults, *call.slack))
    return f"job `{call.job}`, {call.step}, {call.what}: {reasons}"
