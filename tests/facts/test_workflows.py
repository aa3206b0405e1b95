"""Which workflow files are read, and what a job and a step of them is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin import yaml
from goblin.facts import Facts, Run, workflows
from goblin.facts.actions import Reader
from goblin.facts.jobs import Job, Workflow
from tests.support import Repo, build_repo
from tests.support.mini import CONFIG, facts_of
from tests.support.repo import Files

PATH = ".github/workflows/a.yml"
KEYS = tuple(
    re.findall(
        r"\S+",
        "on jobs a steps if run uses needs strategy matrix exclude include with defaults shell parallel "
        "cancel runs-on name << script rules extends default before_script workflow allow_failure when",
    )
)
ONE = "on: push\njobs: {a: {steps: [{run: make}]}}\n"


def parsed(text: str) -> Workflow:
    """A workflow of this text."""
    data = text.encode()
    return workflows.read(PATH, yaml.load(data, PATH, merge=True), data)


def job(text: str) -> Job:
    """The one job `a`, of these indented lines."""
    found = parsed(f"on: push\njobs:\n  a:\n{text}").job("a")
    assert found is not None
    return found


def loaded(root: Path, files: Files, **settings: object) -> tuple[Workflow, ...]:
    """The fact for a repository of these files."""
    repo = build_repo({".goblin/goblin.yaml": CONFIG, **files}, root)
    return found(repo, **settings)


def found(repo: Repo, **settings: object) -> tuple[Workflow, ...]:
    """The fact for a repository."""
    value = facts_of(repo, **settings).get("workflows")
    assert isinstance(value, tuple)
    return value


class TestFiles:
    """Where workflows are looked for."""

    def test_the_folders_of_three_forges_and_the_file_of_a_fourth(self, tmp_path: Path) -> None:
        """By path, both endings, one level deep."""
        files = {
            ".github/workflows/b.yml": ONE,
            ".github/workflows/a.yaml": ONE,
            ".github/workflows/c.json": ONE,
            ".github/workflows/deep/d.yml": ONE,
            ".forgejo/workflows/e.yml": ONE,
            ".gitea/workflows/f.yaml": ONE,
            ".gitlab-ci.yml": "a: {script: make}\n",
            "other/.github/workflows/g.yml": ONE,
        }
        assert [one.path for one in loaded(tmp_path, files)] == [
            ".forgejo/workflows/e.yml",
            ".gitea/workflows/f.yaml",
            ".github/workflows/a.yaml",
            ".github/workflows/b.yml",
            ".gitlab-ci.yml",
        ]

    def test_what_cannot_be_read_is_a_workflow_with_a_problem(self, tmp_path: Path) -> None:
        """A link, a file that is too large, one that is no YAML, and a folder that is a link."""
        files: Files = {
            ".github/workflows/a.yml@": "../../x.yml",
            ".github/workflows/b.yml": "x" * (1 << 20) + "x",
            ".github/workflows/c.yml": "a: [\n",
            ".github/workflows/d.yml/inside": "",
            ".gitea/workflows@": "../.github/workflows",
        }
        problems = {one.path: one.problem.message for one in loaded(tmp_path, files) if one.problem}
        assert list(problems) == [".gitea/workflows", *(f".github/workflows/{name}.yml" for name in "abc")]
        assert problems[".gitea/workflows"] == "a folder is expected here, not a link or a special file"
        assert problems[".github/workflows/a.yml"] == "a symbolic link, not a file"
        assert "1048577 bytes" in problems[".github/workflows/b.yml"]
        assert "a value is expected here" in problems[".github/workflows/c.yml"]

    def test_a_duplicate_key_is_an_error_with_both_lines(self, tmp_path: Path) -> None:
        """The last one does not win."""
        text = "on: push\njobs:\n  gate:\n    if: false\n  gate:\n    steps: [{run: make}]\n"
        (only,) = loaded(tmp_path, {PATH: text})
        assert only.problem is not None
        assert (only.problem.line, only.problem.message) == (
            5,
            "the key `gate` stands twice, on line 3 and on line 5: delete one",
        )

    def test_a_byte_order_mark_and_crlf_change_nothing(self, tmp_path: Path) -> None:
        """The same jobs at the same places."""
        text = "on: push\njobs:\n  a:\n    if: x\n    steps:\n      - run: |\n          make\n"
        plain, marked = parsed(text), parsed("\ufeff" + text.replace("\n", "\r\n"))
        assert [one.jobs[0].conditions for one in (plain, marked)] == [plain.jobs[0].conditions] * 2
        assert marked.jobs[0].steps[0].line_of(0) == 7

    def test_sparse_checkout_hides_no_workflow_and_deleting_does(self, tmp_path: Path) -> None:
        """What is only not written here is read from the index; what was deleted is gone."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG, PATH: ONE, ".gitea/workflows/b.yml": ONE}, tmp_path)
        repo.git("update-index", "--skip-worktree", PATH)
        repo.remove(PATH, ".gitea/workflows/b.yml")
        assert [(one.path, len(one.jobs)) for one in found(repo)] == [(PATH, 1)]

    def test_an_untracked_file_is_read_and_known_as_such(self, tmp_path: Path) -> None:
        """The forge will not see it before it is committed."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG}, tmp_path).write({PATH: ONE})
        assert [one.tracked for one in found(repo)] == [False]
        repo.git("add", PATH)
        assert [one.tracked for one in found(repo)] == [True]

    def test_without_git_the_files_are_read_all_the_same(self, tmp_path: Path) -> None:
        """Nothing says that they are not tracked."""
        repo = Repo(tmp_path).write({".goblin/goblin.yaml": CONFIG, PATH: ONE})
        root = str(repo.root.resolve())
        value = Facts(Run(root, None, cache=False)).get("workflows")
        assert [one.tracked for one in value] == [True]


class TestKept:
    """What is parsed once is not parsed again."""

    def kept(self, repo: Repo) -> dict[str, object]:
        """The content of the kept file."""
        text = (repo / ".git/goblin/cache/workflows.json").read_text()
        value = json.loads(text)["files"]
        assert isinstance(value, dict)
        return value

    def test_the_second_run_parses_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """And finds the same, places included."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG, PATH: ONE}, tmp_path)
        first = found(repo, cache=True)
        with monkeypatch.context() as patch:
            patch.setattr(yaml, "load", lambda *_, **__: pytest.fail("parsed again"))
            assert found(repo, cache=True) == first

    def test_a_changed_file_is_parsed_again_and_the_old_one_forgotten(self, tmp_path: Path) -> None:
        """Kept by content."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG, PATH: ONE}, tmp_path)
        found(repo, cache=True)
        before = self.kept(repo)
        repo.write({PATH: ONE.replace("make", "test")})
        (only,) = found(repo, cache=True)
        assert only.jobs[0].steps[0].script == "test"
        assert len(self.kept(repo)) == 1
        assert self.kept(repo).keys() != before.keys()

    @pytest.mark.parametrize(
        "text",
        ["", "[]", "{}", '{"format": 1}', '{"format": 1, "files": 3}', '{"format": 1, "files": {"x": 1}}'],
    )
    def test_a_spoilt_cache_is_no_cache(self, tmp_path: Path, text: str) -> None:
        """Whatever stands there, the file is judged."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG, PATH: ONE}, tmp_path)
        repo.write({".git/goblin/cache/workflows.json": text})
        assert found(repo, cache=True)[0].jobs[0].name == "a"

    def test_a_static_run_reads_and_writes_none(self, tmp_path: Path) -> None:
        """Its git directory is not trusted."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG, PATH: ONE}, tmp_path)
        found(repo, cache=True, static=True)
        assert not (repo / ".git/goblin").exists()


class TestJobs:
    """What stands in a file."""

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "no `jobs:`"),
            ("- a\n", "no `jobs:`"),
            ("name: x\n", "no `jobs:`"),
            ("jobs:\n", "`jobs:` holds no job"),
            ("jobs: {}\n", "`jobs:` holds no job"),
            ("jobs: [a]\n", "`jobs:` holds no job"),
        ],
    )
    def test_a_file_without_jobs(self, text: str, said: str) -> None:
        """One fault of the file."""
        assert said in parsed(text).faults[0].message

    @pytest.mark.parametrize(
        "line",
        [
            "steps:",
            "steps: []",
            "steps: [make]",
            "steps: {run: make}",
            "steps: [{name: make}]",
            "steps: [{run: }]",
            "runs-on: x",
            "uses:",
            "defaults: {run: {shell: bash}}",
        ],
    )
    def test_a_job_that_runs_nothing(self, line: str) -> None:
        """No step with `run` or `uses`, and no workflow that it calls."""
        assert [fault.message for fault in job(f"    {line}\n").faults] == [
            "has no step with `run` or `uses`"
        ]

    def test_a_job_that_is_no_mapping(self) -> None:
        """It is named, not crashed on."""
        assert parsed("jobs: {a: x}\n").jobs[0].faults[0].message == "is no mapping: it runs nothing"

    @pytest.mark.parametrize(
        "text", ["    uses: ./x.yml\n", "    steps: [{uses: a/b@c}]\n", "    steps: [{run: x}]\n"]
    )
    def test_a_job_that_runs_something(self, text: str) -> None:
        """A step, an action, or a workflow."""
        assert job(text).faults == ()

    @pytest.mark.parametrize(
        "value",
        ["false", "0", "''", "", "|\n          ${{ false }}", "${{ x }} == 'y'", "true", "always()", "[a]"],
    )
    def test_any_condition_is_one(self, value: str) -> None:
        """Whatever its value, on the job and on a step, with its place."""
        on_job = job(f"    if: {value}\n    uses: x\n").conditions
        assert [(one.key, one.line, one.column) for one in on_job] == [("if", 4, 5)]
        on_step = job(f"    steps:\n      - run: x\n        if: {value}\n").steps[0].conditions
        assert [(one.key, one.line, one.column) for one in on_step] == [("if", 6, 9)]

    @pytest.mark.parametrize(
        ("value", "lenient"),
        [("true", True), ("false", False), ("'false'", False), ("", False), ("~", False), ("False", False),
         ("'${{ matrix.x }}'", True), ("yes", True), ("[true]", True)],
    )  # fmt: skip
    def test_continue_on_error_counts_unless_it_is_off(self, value: str, lenient: bool) -> None:
        """An expression may be true."""
        assert bool(job(f"    continue-on-error: {value}\n    uses: x\n").lenient) is lenient
        assert bool(
            job(f"    steps: [{{continue-on-error: {value or '~'}, run: x}}]\n").steps[0].lenient
        ) is (lenient)

    def test_a_condition_from_an_anchor_or_a_merge_is_one(self) -> None:
        """It is what it is for the forge."""
        text = "x: &x {if: a}\ny: &y\n  - run: make\n    if: b\njobs:\n  a: {<<: *x, steps: *y}\n  b: *x\n"
        first, second = parsed(text).jobs
        assert [(s.line, s.column) for s in (*first.conditions, *first.steps[0].conditions)] == [
            (1, 8),
            (4, 5),
        ]
        assert second.conditions == first.conditions

    def test_needs_in_each_form(self) -> None:
        """One, a list, none."""
        assert [need[0] for need in job("    needs: x\n    uses: x\n").needs] == ["x"]
        assert [need[0] for need in job("    needs: [x, y]\n    uses: x\n").needs] == ["x", "y"]
        assert job("    needs: []\n    uses: x\n").needs == ()

    @pytest.mark.parametrize(
        ("matrix", "empty"),
        [
            ("{x: [1, 2]}", False),
            ("{x: []}", True),
            ("{x: [1], y: []}", True),
            ("{x: [1, 2], exclude: [{x: 1}]}", False),
            ("{x: [1, 2], exclude: [{x: 1}, {x: 2}]}", True),
            ("{x: [1, 2], y: [3], exclude: [{y: 3}]}", True),
            ("{x: [1, 2], exclude: [{x: 1}, {x: 2}], include: [{x: 3}]}", False),
            ("{include: [{x: 1}]}", False),
            ("{x: '${{ fromJSON(y) }}'}", False),
            ("'${{ fromJSON(y) }}'", False),
            ("{x: [1], exclude: [{z: 1}]}", False),
            ("{x: [1], exclude: [{}]}", False),
        ],
    )
    def test_a_matrix_without_a_combination_runs_nothing(self, matrix: str, empty: bool) -> None:
        """Counted where it stands in the file."""
        assert bool(job(f"    strategy: {{matrix: {matrix}}}\n    steps: [{{run: x}}]\n").faults) is empty

    def test_a_large_matrix_is_not_counted_out(self) -> None:
        """Bounded."""
        axes = ", ".join(f"x{n}: [{', '.join(map(str, range(50)))}]" for n in range(9))
        assert job(f"    strategy: {{matrix: {{{axes}, exclude: [{{x0: 1}}]}}}}\n    uses: x\n").faults == ()

    def test_steps_of_a_parallel_group_are_steps(self) -> None:
        """They share what the group is given, and count with it."""
        text = (
            "    steps:\n      - run: one\n      - parallel:\n          - run: two\n            if: x\n"
            "          - {name: third, uses: a/b@c}\n        continue-on-error: true\n      - cancel: s\n"
            "      - {id: s, background: true, run: four}\n"
        )
        steps = job(text).steps
        assert [step.label for step in steps] == [
            "step 1 (one)", "step 2.1 (two)", "step 2.2 (third)", "step 3", "step 4 (s)"
        ]  # fmt: skip
        assert [len(step.conditions) for step in steps] == [0, 1, 0, 0, 0]
        assert [len(step.lenient) for step in steps] == [0, 1, 1, 0, 0]
        assert [step.cancelled for step in steps] == [False, False, False, False, True]

    def test_shell_and_folder_come_from_the_nearest_default(self) -> None:
        """Step, job, file."""
        text = (
            "defaults: {run: {shell: a, working-directory: x}}\njobs:\n"
            "  a: {steps: [{run: m}, {run: m, shell: c, working-directory: z}]}\n"
            "  b: {defaults: {run: {shell: b, working-directory: y}}, steps: [{run: m}]}\n"
        )
        steps = [step for one in parsed(text).jobs for step in one.steps]
        assert [(step.shell, step.directory) for step in steps] == [("a", "x"), ("c", "z"), ("b", "y")]

    def test_the_lines_of_a_script_are_those_of_the_file(self) -> None:
        """For a literal block; a folded one and a quoted one give the line where they start."""
        text = "    steps:\n      - run: |-\n         a\n\n         b\n      - run: >\n         a\n         b"
        literal, folded = job(f"{text}\n").steps
        assert [literal.line_of(0), literal.line_of(2), folded.line_of(1)] == [6, 8, 9]

    @given(
        st.recursive(
            st.sampled_from(["", "~", "x", "true", "[]", "{}", "0"]),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
                st.dictionaries(
                    st.sampled_from(KEYS),
                    inner,
                    max_size=4,
                ).map(lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs.items()) + "}"),
            ),
            max_leaves=20,
        )
    )
    def test_any_shape_is_read(self, text: str) -> None:
        """Whatever stands where: a workflow comes out, and every place is one of the file."""
        try:
            root = yaml.load(text.encode(), PATH, merge=True)
        except yaml.YamlError:
            return
        for path in (PATH, workflows.GITLAB):
            one = workflows.read(path, root, text.encode())
            places = [(place.line, place.column) for place in one.faults]
            places += [(found.line, found.column) for found in one.jobs]
            assert all(line == 1 and column >= 1 for line, column in places)


def test_places_are_told_for_a_file_whose_bytes_are_unknown() -> None:
    """A tree alone is enough to read it."""
    text = "jobs: {a: {steps: [{run: x}]}}"
    assert Reader(PATH, b"").workflow(yaml.load(text.encode(), PATH)).jobs[0].steps[0].line_of(3) == 1
