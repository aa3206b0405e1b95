"""PG-05 and PG-06: what can be green in CI without having run, judged on real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.facts import workflows
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.checks.test_classes import class_a
from tests.support import PROJECT, Repo, build_repo, git
from tests.support.mini import CONFIG
from tests.support.repo import Files

PATH = ".github/workflows/a.yml"
GATES = CONFIG + "gates:\n  - {name: lint, cmd: make lint}\n  - {name: device, cmd: adb test, kind: host}\n"
VERIFY = "on: [push, pull_request]\njobs: {gate: {runs-on: x, steps: [{run: .goblin/bin/goblin-verify}]}}\n"


def repo_of(root: Path, text: str = "", others: Files | None = None, config: str = GATES) -> Repo:
    """A committed repository with one workflow of this text."""
    files: Files = {".goblin/goblin.yaml": config, **({PATH: text} if text else {}), **(others or {})}
    return build_repo(files, root)


def pg05(repo: Repo) -> Outcome:
    return judge(repo, "checks/workflows.py::no_job_passes_without_running")


def pg06(repo: Repo) -> Outcome:
    return judge(repo, "checks/workflows.py::ci_runs_the_gate_set")


class TestOurOwn:
    """The workflow that an install brings."""

    @pytest.mark.parametrize("branch", ["main", "release+1", "wip!x", "a/b"])
    def test_it_passes_both_rows_whatever_the_branch(self, tmp_path: Path, branch: str) -> None:
        """Also where the branch's name holds signs that a pattern has a meaning for."""
        escaped = "".join(f"\\{char}" if char in "\\*?+[]!" else char for char in branch)
        text = (PROJECT / "templates/ci/github.yml").read_text().replace("{{BRANCH_PATTERN}}", f"'{escaped}'")
        repo = repo_of(tmp_path, text, config=GATES.replace("branch: main", f"branch: '{branch}'"))
        assert pg05(repo) == Outcome(Verdict.PASS, "1 workflow(s), 1 job(s): each runs all its steps")
        assert pg06(repo) == Outcome(
            Verdict.PASS, f"1 workflow(s) read: {PATH} runs the whole verify on push and pull_request"
        )

    def test_on_a_fresh_install_both_rows_pass(self, installed_sample: Repo) -> None:
        """As installed."""
        assert (pg05(installed_sample).verdict, pg06(installed_sample).verdict) == (
            Verdict.PASS,
            Verdict.PASS,
        )


class TestConditions:
    """PG-05."""

    def test_no_workflow_is_no_fault(self, tmp_path: Path) -> None:
        """The count is 0."""
        assert pg05(repo_of(tmp_path)) == Outcome(
            Verdict.PASS, "0 workflow(s), 0 job(s): each runs all its steps"
        )

    def test_each_place_is_listed_with_file_job_and_step(self, tmp_path: Path) -> None:
        """In the order of the file, and the summary counts."""
        text = (
            "on: push\njobs:\n  one:\n    if: a\n    steps:\n      - name: Build it\n"
            "        if: b\n        run: make\n"
            "      - run: make test\n        continue-on-error: true\n  two:\n"
            "    continue-on-error: ${{ x }}\n"
            "    steps: []\n"
        )
        outcome = pg05(repo_of(tmp_path, text, {".github/workflows/b.yml": VERIFY}))
        assert outcome.summary == (
            "5 place(s) where success need not mean that it ran: conditional job 1, conditional step 1, "
            "job that may fail 1, nothing to run 1, step that may fail 1; in 2 of 3 job(s), "
            "1 of 2 workflow(s)"
        )
        assert [finding.place() for finding in outcome.findings] == [
            f"{PATH}:4:5", f"{PATH}:7:9", f"{PATH}:10:9", f"{PATH}:12:5", f"{PATH}:13:5"
        ]  # fmt: skip
        assert [finding.message for finding in outcome.findings] == [
            "job `one`: `if` decides whether it runs, and a skipped job is a success",
            "job `one`, step 1 (Build it): `if` decides whether it runs",
            "job `one`, step 2 (make test): with `continue-on-error` the job succeeds where the step fails",
            "job `two`: with `continue-on-error` the run succeeds where the job fails",
            "job `two`: has no step with `run` or `uses`",
        ]

    @pytest.mark.parametrize(
        "value",
        ["false", "0", "''", '"${{ false }}"', "${{ github.actor == 'x' }} == 'y'", "|\n      ${{ false }}"],
    )
    def test_whatever_the_condition_says(self, tmp_path: Path, value: str) -> None:
        """A value that is always true, or looks it, is a condition."""
        text = f"on: push\njobs:\n  gate:\n    if: {value}\n    steps: [{{run: goblin-verify}}]\n"
        assert f"{PATH}:4:5: job `gate`: `if` decides" in said(pg05(repo_of(tmp_path, text)))

    @pytest.mark.parametrize(
        "text",
        [
            "on: push\njobs: {a: {steps: [{run: make}]}}",
            '"on": [push, pull_request]\njobs:\n  a:\n    steps:\n      - run: make # if: x',
            "on: {push: {branches: [main]}}\njobs:\n  a:\n    # if: false\n    steps:\n      - uses: a/b@c",
            "{on: push, jobs: {a: {steps: [{name: 'a # b', run: 'echo \"if: x\"'}]}}}",
            "on: push\njobs:\n  a:\n    steps:\n      - run: |\n          if: false\n"
            "          continue-on-error: true",
            "on: push\njobs: {a: {uses: ./.github/workflows/b.yml}}",
            "on: push\nx: &x [{run: make}]\njobs: {a: {steps: *x}}",
        ],
    )
    def test_what_only_looks_like_one(self, tmp_path: Path, text: str) -> None:
        """A comment, a script, a quoted text; and each way to write a trigger."""
        assert pg05(repo_of(tmp_path, text)).verdict is Verdict.PASS

    def test_needs_of_the_gate_and_the_condition_behind_it(self, tmp_path: Path) -> None:
        """Also through a job between; a need of another job is nobody's business."""
        text = (
            "on: push\njobs:\n  detect:\n    if: x\n    steps: [{run: a}]\n"
            "  build: {needs: detect, steps: [{run: b}]}\n"
            "  gate:\n    needs: [build, lint]\n    steps: [{run: goblin-verify}]\n"
            "  lint: {steps: [{run: c}]}\n"
        )
        outcome = pg05(repo_of(tmp_path, text))
        told = "job `gate` runs the gate and needs"
        assert [finding.message for finding in outcome.findings if "needs" in finding.message] == [
            f"{told} `build`: where that fails or is skipped, so is the gate (`detect` has `if` on line 4)",
            f"{told} `lint`: where that fails or is skipped, so is the gate",
        ]

    def test_jobs_that_need_each_other_end(self, tmp_path: Path) -> None:
        """A circle, and a job that does not exist."""
        text = (
            "on: push\njobs:\n  a: {needs: b, steps: [{run: goblin-verify}]}\n"
            "  b: {needs: [a, c], steps: [{run: x}]}\n"
        )
        assert "runs the gate and needs `b`" in said(pg05(repo_of(tmp_path, text)))

    def test_a_job_that_runs_a_declared_command_is_the_gate_where_no_verifier_is(
        self, tmp_path: Path
    ) -> None:
        """Word for word."""
        text = "on: push\njobs:\n  a: {steps: [{run: x}]}\n  b: {needs: a, steps: [{run: make lint}]}\n"
        assert "job `b` runs the gate and needs `a`" in said(pg05(repo_of(tmp_path / "1", text)))
        beside = {".github/workflows/b.yml": VERIFY}
        assert pg05(repo_of(tmp_path / "2", text, beside)).verdict is Verdict.PASS

    def test_a_path_filter_counts_on_the_gate_alone(self, tmp_path: Path) -> None:
        """For another workflow it is ordinary."""
        text = "on: {pull_request: {paths: [src]}, push: }\njobs: {a: {steps: [{run: COMMAND}]}}"
        gate = pg05(repo_of(tmp_path / "1", text.replace("COMMAND", "goblin-verify")))
        assert f"{PATH}:1:21: `paths` under `pull_request` leaves changes out" in said(gate)
        assert pg05(repo_of(tmp_path / "2", text.replace("COMMAND", "make docs"))).verdict is Verdict.PASS

    def test_a_file_that_cannot_be_read_fails(self, tmp_path: Path) -> None:
        """With its place."""
        text = "on: push\njobs:\n  gate:\n    if: x\n  gate: {steps: [{run: make}]}\n"
        told = f"{PATH}:5:3: cannot be read: the key `gate` stands twice, on line 3 and on line 5: delete one"
        assert told in said(pg05(repo_of(tmp_path, text)))

    def test_wrong_gates_are_not_this_row_s_business(self, tmp_path: Path) -> None:
        """GT-01 says so; the workflows are judged all the same."""
        repo = repo_of(tmp_path, VERIFY, config=CONFIG + "gates: 3\n")
        assert pg05(repo).verdict is Verdict.PASS
        assert pg06(repo).verdict is Verdict.FAIL


class TestGate:
    """PG-06."""

    def test_no_workflow_is_a_skip(self, tmp_path: Path) -> None:
        """Nothing could run anything."""
        assert pg06(repo_of(tmp_path)) == Outcome(Verdict.SKIP, "no workflow file")

    def test_one_workflow_is_enough_and_the_others_are_listed(self, tmp_path: Path) -> None:
        """Each with its reason."""
        others = {
            ".github/workflows/b.yml": "on: schedule\njobs: {a: {steps: [{run: goblin-verify}]}}",
            ".github/workflows/c.yml": "on: push\njobs: {a: {steps: [{run: npm test}]}}",
            ".github/workflows/d.yml": "on: [",
        }
        outcome = pg06(repo_of(tmp_path, VERIFY, others))
        assert outcome.verdict is Verdict.PASS
        assert [f"{finding.place()}: {finding.message}" for finding in outcome.findings] == [
            ".github/workflows/b.yml:1:1: not a gate: it runs on schedule, not on push or pull_request",
            ".github/workflows/c.yml:1: not a gate: it does not run `lint` nor the whole verify",
            ".github/workflows/d.yml:1:6: not a gate: it cannot be read: a value is expected here",
        ]

    def test_each_declared_command_but_those_of_the_host(self, tmp_path: Path) -> None:
        """Word for word."""
        outcome = pg06(repo_of(tmp_path, "on: push\njobs: {a: {steps: [{run: 'make  lint 2>/dev/null'}]}}"))
        assert outcome.summary == f"1 workflow(s) read: {PATH} runs every declared gate on push"

    def test_a_call_that_does_not_count_is_shown_on_its_line(self, tmp_path: Path) -> None:
        """With every reason."""
        text = (
            "on: push\njobs:\n  gate:\n    steps:\n      - name: Verify\n        if: x\n"
            "        run: |\n          set +e\n"
            "          .goblin/bin/goblin-verify --only IN-02 || true\n"
        )
        outcome = pg06(repo_of(tmp_path, text))
        assert outcome.summary == "none of 1 workflow(s) runs the whole gate set"
        assert (
            f"{PATH}:9: not a gate: job `gate`, step 1 (Verify), goblin-verify: `--only` is "
            f"not a run of every row; "
            "`set +e` stands before it; `|| true` hides its failure; "
            "step 1 (Verify) is conditional (`if`)"
        ) in said(outcome)

    def test_what_is_missing_is_listed(self, tmp_path: Path) -> None:
        """Beside what does not count."""
        config = GATES.replace("gates:\n", "gates:\n  - {name: units, cmd: make test}\n")
        text = "on: push\njobs: {a: {steps: [{run: make lint || true}]}}"
        shown = said(pg06(repo_of(tmp_path, text, config=config)))
        assert "step 1 (make lint || true), lint: `|| true` hides its failure" in shown
        assert "it does not run `units` nor the whole verify" in shown

    @pytest.mark.parametrize(
        ("config", "verdict"),
        [
            (CONFIG, "FAIL"),
            (CONFIG + "gates: []\n", "FAIL"),
            (CONFIG + "gates: []\ndisabled: [gate]\n", "PASS"),
            (CONFIG + "gates: [{name: d, cmd: adb test, kind: host}]\n", "PASS"),
        ],
    )
    def test_no_gate_declared(self, tmp_path: Path, config: str, verdict: str) -> None:
        """Nothing is not all; without that part, or with host gates alone, the verifier is the set."""
        outcome = pg06(repo_of(tmp_path, VERIFY, config=config))
        assert outcome.verdict == verdict
        assert ("no gate is declared" in outcome.summary) is (verdict == "FAIL")

    def test_a_shallow_checkout_is_reported(self, tmp_path: Path) -> None:
        """It fails nothing here: the rows that need history fail there."""
        text = VERIFY.replace("steps: [", "steps: [{uses: actions/checkout@v4}, ")
        outcome = pg06(repo_of(tmp_path, text))
        assert outcome.verdict is Verdict.PASS
        assert "step 1 (actions/checkout@v4): checks out without full history" in said(outcome)

    def test_a_workflow_that_git_does_not_track_is_none(self, tmp_path: Path) -> None:
        """The forge has no such file."""
        repo = repo_of(tmp_path).write({PATH: VERIFY})
        assert "git does not track it" in said(pg06(repo))
        repo.git("add", PATH)
        assert pg06(repo).verdict is Verdict.PASS

    def test_a_clone_of_depth_one_is_judged_like_any(self, tmp_path: Path) -> None:
        """Files are enough."""
        repo = repo_of(tmp_path / "r", VERIFY)
        git(tmp_path, "clone", "-q", "--depth=1", f"file://{repo.root}", "clone")
        assert pg06(Repo(tmp_path / "clone")).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        ("name", "text", "row"),
        [
            ("continue-on-error on the step", "steps: [{run: goblin-verify, continue-on-error: true}]", 5),
            ("continue-on-error on the job", "continue-on-error: true, steps: [{run: goblin-verify}]", 5),
            ("tee", "steps: [{run: goblin-verify | tee log}]", 6),
            ("or true", "steps: [{run: goblin-verify || true}]", 6),
            ("exit 0", "steps: [{run: goblin-verify ; exit 0}]", 6),
            ("set +e", 'steps: [{run: "set +e\\ngoblin-verify"}]', 6),
        ],
    )
    def test_six_ways_to_neutralise_a_gate(self, tmp_path: Path, name: str, text: str, row: int) -> None:
        """Each fails a row; the clean twin passes both."""
        repo = repo_of(tmp_path / "bad", f"on: push\njobs: {{gate: {{{text}}}}}")
        assert (pg05 if row == 5 else pg06)(repo).verdict is Verdict.FAIL, name
        clean = 'on: push\njobs: {gate: {steps: [{run: "set -o pipefail\\ngoblin-verify | tee log"}]}}'
        twin = repo_of(tmp_path / "good", clean)
        assert (pg05(twin).verdict, pg06(twin).verdict) == (Verdict.PASS, Verdict.PASS)


class TestPartOfTheClass:
    """CL-01: what stands for the part ci-gate."""

    OURS = ".github/workflows/goblin-gate.yml"

    def judged(self, repo: Repo) -> str:
        """CL-01 as text."""
        return said(judge(repo, "checks/classes.py::parts_match_the_class"))

    def test_another_workflow_that_is_a_gate_will_do(self, tmp_path: Path) -> None:
        """On a forge of another kind, say."""
        repo = class_a(tmp_path, others={".forgejo/workflows/gate.yml": VERIFY}).remove(self.OURS)
        assert "PASS" in self.judged(repo)

    @pytest.mark.parametrize("text", ["on: push\njobs: {a: {steps: [{run: make}]}}", "on: [", ""])
    def test_one_that_is_none_will_not(self, tmp_path: Path, text: str) -> None:
        """The row says where to look."""
        repo = class_a(tmp_path, others={PATH: text}).remove(self.OURS)
        assert "ci-gate: class A requires it" in self.judged(repo)
        assert "no other workflow runs the whole gate set: see PG-06" in self.judged(repo)

    def test_no_workflow_is_read_where_ours_stands(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Reading them costs more than all else that the row does."""
        repo = class_a(tmp_path, others={PATH: VERIFY})
        monkeypatch.setattr(workflows, "load", lambda facts: pytest.fail("read"))
        assert "required, present" in self.judged(repo)
