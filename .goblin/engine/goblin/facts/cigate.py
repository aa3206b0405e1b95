"""Fact `ci_gate`: which workflows run the whole gate set, and what keeps the others from it (spec PG-06).

A workflow does where a step runs goblin-verify as a whole, or each declared command word for word, in
a way that its failure fails the job, on each push or pull request of the declared branch.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.commands import Run, Script, read, statements
from goblin.facts.jobs import Job, Step, Workflow
from goblin.facts.shelltokens import ShellError
from goblin.facts.triggers import Place, Triggers, judge
from goblin.facts.wrappers import SHELLS, Shell, flags
from goblin.outcome import CheckFailed

if TYPE_CHECKING:
    from goblin.facts.config import Config
    from goblin.facts.shell import Word

VERIFIER = "goblin-verify"
VALUED = frozenset({"--format", "--output"})
HARMLESS = VALUED | {"--json", "--no-cache"}
"""Options of the verifier under which a run is still a whole one; every other may leave rows out."""

_HERE = frozenset({"", ".", "./", "${{ github.workspace }}", "${{github.workspace}}", "$GITHUB_WORKSPACE"})
_PYTHONS = frozenset({"python", "pypy", "py"})
_DEEPEST = 10  # workflows that call workflows, as the forge has it
_MOST_CALLS = 200  # of workflows by one, counted through


class Call(NamedTuple):
    """One place where a workflow runs the verifier or a declared command.

    `faults` say why its failure may not fail the job, or why it is not the whole; `slack` says the
    same of the job and the step around it.
    """

    what: str  # goblin-verify, or the name of a gate
    job: str
    step: str
    path: str
    line: int
    faults: tuple[str, ...]
    slack: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """True where nothing stands against it."""
        return not self.faults and not self.slack


class Gating(NamedTuple):
    """What one workflow has to do with the gate set."""

    workflow: Workflow
    calls: tuple[Call, ...]
    missing: tuple[str, ...]  # declared gates that it does not run soundly
    triggers: Triggers
    notes: tuple[Place, ...] = ()  # what is worth saying of a workflow that is a gate

    @property
    def declared(self) -> bool:
        """True where there are declared commands that it could run instead of the verifier."""
        return self.missing != (VERIFIER,)

    @property
    def whole(self) -> bool:
        """True where it runs the verifier as a whole, or every declared command."""
        return any(call.what == VERIFIER and call.sound for call in self.calls) or not self.missing

    @property
    def accepted(self) -> bool:
        """True where it is a gate."""
        return self.whole and bool(self.triggers.events) and self.workflow.tracked

    @property
    def how(self) -> str:
        """What it runs, for a person."""
        by_verifier = any(call.what == VERIFIER and call.sound for call in self.calls)
        return "the whole verify" if by_verifier else "every declared gate"


class CiGate(NamedTuple):
    """Every workflow, judged."""

    gatings: tuple[Gating, ...]

    @property
    def accepted(self) -> tuple[Gating, ...]:
        """Those that are a gate."""
        return tuple(gating for gating in self.gatings if gating.accepted)

    def gate_jobs(self) -> frozenset[tuple[str, str]]:
        """(path, job) of each job that runs the gate: the verifier, or where none does a declared command."""
        calls = [(gating.workflow.path, call) for gating in self.gatings for call in gating.calls]
        by_verifier = [one for one in calls if one[1].what == VERIFIER and not one[1].faults]
        return frozenset((path, call.job) for path, call in by_verifier or calls)


def load(workflows: tuple[Workflow, ...], config: Config) -> CiGate:
    """Judge each workflow. Gates of the host alone are nothing that CI could run (decided 42)."""
    if not workflows:
        return CiGate(())
    try:
        branch = config.text("branch")
    except CheckFailed:
        branch = ""
    try:
        gates = {gate.name or gate.cmd: gate.cmd for gate in config.gates() if gate.cmd and not gate.host}
    except CheckFailed:
        gates = {}
    return assess(workflows, gates, branch)


def assess(workflows: Sequence[Workflow], gates: dict[str, str], branch: str) -> CiGate:
    """Judge workflows against declared commands (by name) and the declared branch."""
    commands = {name: statements(command) for name, command in gates.items()}
    by_path = {workflow.path: workflow for workflow in workflows}
    seeker = _Seeker(by_path, commands)
    found = []
    for workflow in workflows:
        calls = tuple(seeker.calls(workflow))
        sound = {call.what for call in calls if call.sound}
        missing = tuple(name for name in commands if name not in sound) if commands else (VERIFIER,)
        triggers = judge(workflow.on, branch, workflow.on_place)
        if workflow.unsure is not None:
            triggers = Triggers(() if workflow.unsure else ("push",), workflow.unsure, ())
        found.append(Gating(workflow, calls, missing, triggers, tuple(_shallow(workflow, calls))))
    return CiGate(tuple(found))


def _shallow(workflow: Workflow, calls: Iterable[Call]) -> Iterator[Place]:
    """Checkouts of the gate's jobs that do not bring the whole history."""
    names = {call.job for call in calls if call.what == VERIFIER and call.path == workflow.path}
    for job in workflow.jobs:
        for step in job.steps if job.name in names else ():
            action = step.uses.partition("@")[0]
            if not action.endswith("actions/checkout") or "repository" in step.options:
                continue
            if str(step.options.get("fetch-depth", "")).strip() != "0":
                told = f"job `{job.name}`, {step.label}: checks out without full history, which HP-05, HS-02 "
                yield Place(step.line, step.column, f"{told}and PG-01 need: set fetch-depth: 0")


class _Seeker:
    """Looks for the verifier and for the declared commands."""

    def __init__(self, workflows: dict[str, Workflow], commands: dict[str, tuple[str, ...]]) -> None:
        self.workflows = workflows
        self.commands = commands
        self.known: dict[str, tuple[tuple[str, Call], ...]] = {}

    def calls(self, workflow: Workflow) -> Iterator[Call]:
        """Every call in a workflow, and in the workflows of this repository that it calls."""
        waiting: list[tuple[Workflow, str, tuple[str, ...], int]] = [(workflow, "", (), 0)]
        for _ in range(_MOST_CALLS):
            if not waiting:
                return
            current, caller, around, depth = waiting.pop(0)
            for name, call in self._own(current):
                yield call._replace(job=caller or name, slack=(*around, *call.slack))
            for job in current.jobs if depth < _DEEPEST else ():
                called = (
                    self.workflows.get(posixpath.normpath(job.uses)) if job.uses.startswith("./") else None
                )
                if called:
                    slack = (*around, *_slack(f"job `{job.name}`", job))
                    waiting.append((called, caller or job.name, slack, depth + 1))

    def _own(self, workflow: Workflow) -> tuple[tuple[str, Call], ...]:
        """The calls in the steps of a workflow, each with its job."""
        if workflow.path not in self.known:
            found = []
            for job in workflow.jobs:
                slack = tuple(_slack(f"job `{job.name}`", job))
                for step in job.steps:
                    own = (*slack, *_slack(step.label, step))
                    for call in self._in_step(step, job):
                        found.append((job.name, call._replace(path=workflow.path, slack=own)))
            self.known[workflow.path] = tuple(found)
        return self.known[workflow.path]

    def _in_step(self, step: Step, job: Job) -> Iterator[Call]:
        if step.script is None:
            return
        how = _shell(step.shell, job.windows)
        try:
            if how is None:
                raise ShellError(f"its shell is {step.shell or 'that of Windows'}", 0)
            script = read(step.script, how)
        except ShellError as error:
            if VERIFIER in step.script:
                told = f"its script is not read: {error}"
                yield Call(VERIFIER, "", step.label, "", step.line_of(error.line), (told,))
            return
        for run in script.runs:
            faults = _verifier(run, script)
            if faults is not None:
                yield Call(VERIFIER, "", step.label, "", step.line_of(run.line), (*faults, *run.faults))
        for name, command in self.commands.items():
            found = script.matching(command)
            if found:
                faults = (*found.faults, *_elsewhere(step, found))
                yield Call(name, "", step.label, "", step.line_of(found.line), faults)


def _slack(what: str, holder: Job | Step) -> Iterator[str]:
    for setting in holder.conditions:
        yield f"{what} is conditional (`{setting.key}`)"
    for setting in holder.lenient:
        yield f"{what} may fail without failing the run (`{setting.key}`)"
    if isinstance(holder, Step) and holder.cancelled:
        yield f"{what} is stopped by another step (`cancel`)"


def _shell(written: str, windows: bool) -> Shell | None:
    """How the forge runs a step's script; None for a shell that is not read."""
    if not written:
        return None if windows else Shell(True, False)
    if "{0}" not in written:
        return Shell(True, written == "bash") if written in SHELLS else None
    first, *options = written.split()
    return flags(options, Shell(False, False)) if posixpath.basename(first) in SHELLS else None


def _elsewhere(step: Step, run: Run) -> Iterator[str]:
    if step.directory not in _HERE:
        yield f"it runs in {step.directory}, the gate in the root"
    elif run.moved:
        yield "it runs behind a `cd`, the gate in the root"


def _verifier(run: Run, script: Script) -> tuple[str, ...] | None:
    """What keeps a run of the verifier from being a whole one; None for what is no run of it."""
    words = _without_python(run.words)
    if not words:
        return None
    name = posixpath.basename(words[0].value)
    arguments = words[1:]
    if name == "goblin" and arguments and arguments[0].value == "verify":
        arguments = arguments[1:]
    elif name != VERIFIER:
        return None
    faults = list(_partial(arguments))
    if name in script.functions:
        faults.append(f"`{name}` is a function of the script")
    return tuple(faults)


def _without_python(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The script and its arguments where a Python runs it."""
    if not words or posixpath.basename(words[0].value).rstrip("0123456789.") not in _PYTHONS:
        return words
    rest = list(words[1:])
    while rest and rest[0].value.startswith("-") and rest[0].value not in ("-", "-c", "-m"):
        option = rest.pop(0).value
        if option in ("-W", "-X") and rest:
            rest.pop(0)
    return tuple(rest)


def _partial(arguments: Sequence[Word]) -> Iterator[str]:
    """Each argument under which the verifier may not judge every row."""
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        name, equals, value = word.value.partition("=")
        if name == "--target":
            if not equals:
                value = waiting.pop(0).value if waiting else ""
            if value not in _HERE or not value:
                yield f"`--target {value}` verifies another folder"
        elif name not in HARMLESS:
            yield f"`{word.raw}` is not a run of every row"
            if not equals and waiting and not waiting[0].value.startswith("-"):
                waiting.pop(0)
        elif name in VALUED and not equals and waiting:
            waiting.pop(0)
