"""PG-05 and PG-06: the gate of the forge. Whether CI can be green without having run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    findings: list[Finding] = []
    touched = set()
    for workflow in workflows:
        found = list(_weak_places(workflow, gate_jobs))
        if any(path == workflow.path for path, _ in gate_jobs):
            found += _path_filters(workflow, ci_gate)
        findings += sorted(found, key=lambda finding: (finding.line, finding.column))
        if found:
            touched.add(workflow.path)
    count = sum(len(workflow.jobs) for workflow in workflows)
    told = f"{len(workflows)} workflow(s), {count} job(s)"
    if findings:
        where = f"{len(touched)} of {told}"
        return failed(f"{len(findings)} place(s) where success need not mean that it ran; {where}", findings)
    return passed(f"{told}: each runs all its steps")


def _weak_places(workflow: Workflow, gate_jobs: frozenset[tuple[str, str]]) -> Iterable[Finding]:
    path = workflow.path
    if workflow.problem:
        place = workflow.problem
        yield Finding(path, place.line, place.column, f"cannot be read: {place.message}")
    for fault in workflow.faults:
        yield Finding(path, *fault)
    for job in workflow.jobs:
        name = f"job `{job.name}`"
        for fault in job.faults:
            yield Finding(path, fault.line, fault.column, f"{name}: {fault.message}")
        for setting in job.conditions:
            told = f"{name}: `{setting.key}` decides whether it runs, and a skipped job is a success"
            yield Finding(path, setting.line, setting.column, told)
        for setting in job.lenient:
            told = f"{name}: with `{setting.key}` the run succeeds where the job fails"
            yield Finding(path, setting.line, setting.column, told)
        for step in job.steps:
            for setting in step.conditions:
                told = f"{name}, {step.label}: `{setting.key}` decides whether it runs"
                yield Finding(path, setting.line, setting.column, told)
            for setting in step.lenient:
                told = f"{name}, {step.label}: with `{setting.key}` the job succeeds where the step fails"
                yield Finding(path, setting.line, setting.column, told)
        if (path, job.name) in gate_jobs:
            for need, line, column in job.needs:
                told = (
                    f"{name} runs the gate and needs `{need}`: where that fails or is skipped, so is the gate"
                )
                yield Finding(path, line, column, told + _conditional_through(workflow, need))


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


def _path_filters(workflow: Workflow, ci_gate: CiGate) -> Iterable[Finding]:
    for gating in ci_gate.gatings:
        if gating.workflow.path == workflow.path:
            for place in gating.triggers.filters:
                told = f"{place.message}, so the gate does not run for them"
                yield Finding(workflow.path, place.line, place.column, told)


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
