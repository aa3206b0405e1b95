"""Which workflow runs the whole gate set."""

from __future__ import annotations

import time

import pytest

from goblin import yaml
from goblin.commands.verify import COMMAND
from goblin.facts import workflows
from goblin.facts.cigate import HARMLESS, CiGate, Gating, assess
from goblin.facts.jobs import Workflow

PATH = ".github/workflows/a.yml"


def workflow(text: str, path: str = PATH) -> Workflow:
    """A workflow of this text."""
    return workflows.read(path, yaml.load(text.encode(), path, merge=True), text.encode())


def gating(text: str, **gates: str) -> Gating:
    """The judgement of one workflow."""
    return assess([workflow(text)], gates, "main").gatings[0]


def running(script: str, more: str = "") -> Gating:
    """The same for one whose only step runs this script; `more` are further members of the step."""
    block = "\n".join(f"          {line}" for line in script.split("\n"))
    return gating(f"on: push\njobs:\n  gate:\n    steps:\n      - run: |\n{block}\n{more}")


def said(found: Gating) -> str:
    """Everything against its calls."""
    return "; ".join(reason for call in found.calls for reason in (*call.faults, *call.slack))


@pytest.mark.parametrize(
    "script",
    [
        "goblin-verify",
        ".goblin/bin/goblin-verify",
        "./.goblin/bin/goblin-verify",
        "$GITHUB_WORKSPACE/.goblin/bin/goblin-verify",
        '"${{ github.workspace }}/.goblin/bin/goblin-verify"',
        "python3 .goblin/bin/goblin-verify",
        "python3.12 -I -S -W error .goblin/bin/goblin-verify --json",
        "/usr/bin/env python3 .goblin/bin/goblin-verify",
        "goblin verify",
        "goblin-verify --format json --no-cache",
        "goblin-verify --format=json",
        "goblin-verify --output sarif=report.sarif --output=junit=report.xml",
        "goblin-verify --target .",
        'goblin-verify --target="$GITHUB_WORKSPACE"',
        "uv run goblin-verify > report.txt",
        "pip install .\nGOBLIN=1 goblin-verify\necho done",
    ],
)
def test_a_whole_run(script: str) -> None:
    """Each way to call the verifier for every row."""
    assert running(script).accepted, said(running(script))


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("goblin-verify --only IN-02", "`--only`"),
        ("goblin-verify --only=IN-02", "`--only=IN-02`"),
        ("goblin-verify --json --list", "`--list`"),
        ("goblin-verify -h", "`-h`"),
        ("goblin-verify --static", "`--static`"),
        ("goblin-verify --prove", "`--prove`"),
        ("goblin-verify $ARGUMENTS", "`$ARGUMENTS`"),
        ("goblin-verify ${{ inputs.options }}", "`${{ inputs.options }}`"),
        ("goblin-verify --target sub", "`--target sub` verifies another folder"),
        ("goblin-verify --target", "verifies another folder"),
        ("goblin-verify() { :; }\ngoblin-verify", "is a function of the script"),
        ("goblin-verify || true", "hides its failure"),
        ("goblin-verify\n) # unbalanced", "its script is not read"),
    ],
)
def test_a_run_that_is_none(script: str, reason: str) -> None:
    """With the reason."""
    assert not running(script).accepted
    assert reason in said(running(script))


@pytest.mark.parametrize(
    "script",
    [
        "",
        "echo goblin-verify",
        "# goblin-verify",
        "my-goblin-verify",
        "goblin-verify.txt",
        "pip goblin-verify",
    ],
)
def test_no_run_at_all(script: str) -> None:
    """Nothing is taken for a call."""
    assert running(f"make\n{script}").calls == ()


def test_every_option_of_the_verifier_is_judged() -> None:
    """One that is added must be sorted: does a run under it still judge every row?"""
    partial = {"--only", "--list", "--explain", "--prove", "--static", "--source", "--version"}
    partial |= {"--write-baseline", "--write-waivers", "--staged", "--hook"}
    names = {option.name for option in COMMAND.options}
    assert names - HARMLESS - partial == {"--target"}
    assert names >= HARMLESS | partial


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("        if: x\n", "is conditional (`if`)"),
        ("        continue-on-error: true\n", "may fail without failing the run"),
        ("        shell: pwsh\n", "its script is not read: its shell is pwsh"),
        ("        shell: python\n", "its shell is python"),
        ("    if: x\n", "job `gate` is conditional"),
        ("    continue-on-error: true\n", "job `gate` may fail"),
        ("    runs-on: windows-2025\n", "its shell is that of Windows"),
    ],
)
def test_what_stands_around_a_call(more: str, reason: str) -> None:
    """Step and job."""
    found = running("goblin-verify", more)
    assert not found.accepted
    assert reason in said(found)


def test_a_step_that_another_one_stops_is_no_gate() -> None:
    """What it ends with counts for nothing then."""
    found = gating(
        "on: push\njobs: {a: {steps: [{id: v, background: true, run: goblin-verify}, {cancel: v}]}}"
    )
    assert "is stopped by another step" in said(found)


@pytest.mark.parametrize(
    ("shell", "accepted"),
    [("bash", True), ("sh", False), ("bash -e {0}", False), ("bash -eo pipefail {0}", True),
     ("bash {0}", False), ("bash -l {0}", False)],
)  # fmt: skip
def test_the_shell_decides_about_a_pipe(shell: str, accepted: bool) -> None:
    """An explicit `bash` has pipefail, the forge's own choice has not."""
    assert running("goblin-verify | tee log\necho", f"        shell: {shell}\n").accepted is accepted
    assert not running("goblin-verify | tee log\necho").accepted


class TestDeclaredCommands:
    """The other way: each declared command."""

    TEXT = "on: push\njobs:\n  a: {steps: [{run: make lint}]}\n  b: {steps: [{run: make test}]}\n"

    def test_in_two_jobs(self) -> None:
        """Together they are the set."""
        found = gating(self.TEXT, lint="make lint", units="make  test")
        assert (found.accepted, found.how) == (True, "every declared gate")

    def test_one_is_missing(self) -> None:
        """It is named."""
        assert gating(self.TEXT, lint="make lint", docs="make docs").missing == ("docs",)

    def test_none_declared_is_not_all_run(self) -> None:
        """Then only the verifier makes a gate."""
        assert not gating(self.TEXT).whole

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("on: push\njobs: {a: {steps: [{run: make lint, working-directory: sub}]}}", "it runs in sub"),
            (
                "on: push\njobs: {a: {defaults: {run: {working-directory: s}}, steps: [{run: make lint}]}}",
                "runs in s",
            ),
            ("on: push\njobs: {a: {steps: [{run: cd x && make lint}]}}", "behind a `cd`"),
            ("on: push\njobs: {a: {steps: [{run: make lint || true}]}}", "hides its failure"),
            ("on: push\njobs: {a: {if: x, steps: [{run: make lint}]}}", "is conditional"),
        ],
    )
    def test_a_command_that_is_another_or_does_not_count(self, text: str, reason: str) -> None:
        """The gate runs in the root."""
        found = gating(text, lint="make lint")
        assert not found.accepted
        assert reason in said(found)

    def test_the_root_may_be_written_out(self) -> None:
        """All of these are it."""
        for folder in (".", "./", "${{ github.workspace }}"):
            text = f"on: push\njobs: {{a: {{steps: [{{run: make lint, working-directory: '{folder}'}}]}}}}"
            assert gating(text, lint="make lint").accepted


class TestCalledWorkflows:
    """A workflow of the repository that another one calls."""

    CALLED = workflow(
        "on: workflow_call\njobs: {v: {steps: [{run: goblin-verify}]}}", ".github/workflows/c.yml"
    )

    def judged(self, text: str, *others: Workflow) -> CiGate:
        """A caller and what it calls."""
        return assess([workflow(text), self.CALLED, *others], {}, "main")

    def test_counts_with_its_caller(self) -> None:
        """By itself it is none."""
        found = self.judged("on: push\njobs: {a: {uses: ./.github/workflows/c.yml}}")
        assert [one.accepted for one in found.gatings] == [True, False]
        assert (PATH, "a") in found.gate_jobs()

    def test_a_conditional_call_does_not(self) -> None:
        """The caller's condition is the gate's."""
        found = self.judged("on: push\njobs: {a: {if: x, uses: ./.github/workflows/c.yml}}")
        assert found.accepted == ()

    @pytest.mark.parametrize(
        "uses", ["owner/repo/.github/workflows/c.yml@main", "./.github/workflows/no.yml"]
    )
    def test_one_that_cannot_be_read_does_not(self, uses: str) -> None:
        """What stands elsewhere is not known."""
        assert self.judged(f"on: push\njobs: {{a: {{uses: '{uses}'}}}}").accepted == ()

    def test_a_circle_of_calls_ends(self) -> None:
        """And is no gate."""
        one = "on: push\njobs: {a: {uses: ./.github/workflows/b.yml}}"
        two = workflow(
            "on: workflow_call\njobs: {b: {uses: ./.github/workflows/a.yml}}", ".github/workflows/b.yml"
        )
        assert self.judged(one, two).accepted == ()

    def test_calls_that_multiply_are_bounded(self) -> None:
        """Ten jobs that call ten jobs that call ten more."""
        jobs = ", ".join(f"j{n}: {{uses: ./{PATH}}}" for n in range(50))
        started = time.monotonic()
        assert self.judged(f"on: push\njobs: {{{jobs}}}").accepted == ()
        assert time.monotonic() - started < 10


class TestCheckout:
    """How much history the gate gets."""

    def notes(self, options: str, uses: str = "actions/checkout@v4") -> int:
        """How many checkouts are reported."""
        step = f"{{uses: {uses}, with: {{{options}}}}}"
        return len(gating(f"on: push\njobs: {{a: {{steps: [{step}, {{run: goblin-verify}}]}}}}").notes)

    def test_a_shallow_one_is_reported(self) -> None:
        """Absent, one, and by an address."""
        assert [
            self.notes(""),
            self.notes("fetch-depth: 1"),
            self.notes("", "https://x.example/actions/checkout@v4"),
        ] == [1] * 3

    def test_a_full_one_and_one_of_another_repository_are_not(self) -> None:
        """Quoted or not."""
        assert [
            self.notes("fetch-depth: 0"),
            self.notes("fetch-depth: '0'"),
            self.notes("repository: a/b"),
        ] == [0] * 3


def test_gate_jobs_are_those_of_the_verifier_or_else_those_of_the_commands() -> None:
    """A job that happens to run one declared command is none where the verifier runs elsewhere."""
    text = "on: push\njobs:\n  v: {steps: [{run: goblin-verify}]}\n  t: {steps: [{run: make test}]}\n"
    both = assess([workflow(text)], {"t": "make test"}, "main")
    assert both.gate_jobs() == {(PATH, "v")}
    one = assess([workflow(text.replace("goblin-verify", "make"))], {"t": "make test"}, "main")
    assert one.gate_jobs() == {(PATH, "t")}


def test_an_untracked_workflow_is_no_gate() -> None:
    """The forge has no such file."""
    text = "on: push\njobs: {a: {steps: [{run: goblin-verify}]}}"
    assert not assess([workflow(text)._replace(tracked=False)], {}, "main").accepted
