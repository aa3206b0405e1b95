"""DS: what the gates may not write, what git must ignore, and the report that says so."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from goblin.outcome import Outcome, Verdict
from tests.checks.gating import IGNORED, LINE, SIDECAR, gates_of, governed, gt02, gt03
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo
from tests.support.mini import CONFIG

REPORT = ".goblin/.ds-report"
DATA = "runtime_data:\n  - state.json\n"
BOTH = frozenset({"DS-01", "DS-02"})


def ds01(repo: Repo, **settings: object) -> Outcome:
    cell = "checks/runtime.py::gates_leave_runtime_data_alone"
    return judge(repo, cell, **{"selected": frozenset({"DS-01"}), **settings})


def ds02(repo: Repo, **settings: object) -> Outcome:
    cell = "checks/runtime.py::the_snapshot_is_on_the_gate_line"
    return judge(repo, cell, **{"selected": frozenset({"DS-02"}), **settings})


def with_data(root: Path, data: str = DATA, command: str = "true", ignored: str = "state.json\n") -> Repo:
    """A repository that declares runtime data and one gate."""
    ignore = {".gitignore": IGNORED + ignored}
    return governed(root, gates_of(command) + data, ignore)


class TestTheGatesAndTheData:
    """DS-01."""

    def test_unchanged_and_ignored(self, tmp_path: Path) -> None:
        """A file that does not exist is unchanged; the report names commit and run."""
        repo = with_data(tmp_path)
        assert said(ds01(repo)) == "PASS\n1 path(s) of runtime data unchanged by 1 gate(s), and ignored"
        before, after, head, run = repo.read(REPORT).splitlines()
        assert (before, after, head) == (
            "before=state.json=missing",
            "after=state.json=missing",
            f"head={repo.head}",
        )
        assert run.startswith("run=2")

    def test_a_gate_that_writes_is_a_fail(self, tmp_path: Path) -> None:
        """Both hashes are printed."""
        repo = with_data(tmp_path, command="echo x >> state.json")
        outcome = ds01(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "state.json: a gate run changed it: before missing, after 73cb3858a687a8494" in said(outcome)
        assert "a gate run changed it: before 73cb3858a687a8494" in said(ds01(repo))

    def test_a_write_into_a_folder_is_seen(self, tmp_path: Path) -> None:
        """A folder is its tree."""
        repo = with_data(tmp_path, "runtime_data: [data]\n", "echo x > data/deep/new", "data/\n")
        repo.write({"data/deep/old": "x"})
        assert "data: a gate run changed it" in said(ds01(repo))

    def test_another_file_may_be_written(self, tmp_path: Path) -> None:
        """Only declared data is looked at."""
        assert ds01(with_data(tmp_path, command="echo x > build.log")).verdict is Verdict.PASS

    def test_a_red_gate_is_not_this_rows_business(self, tmp_path: Path) -> None:
        """GT-02 says it."""
        assert ds01(with_data(tmp_path, command="false")).verdict is Verdict.PASS

    def test_the_gates_run_once_for_both_rows(self, tmp_path: Path) -> None:
        """GT-02 and DS-01 share one run."""
        repo = with_data(tmp_path, command="echo x >> count")
        from tests.support.mini import facts_of

        facts = facts_of(repo, selected=frozenset({"GT-02", "DS-01", "DS-02"}))
        facts.get("status")
        facts.get("gate_line")
        facts.get("data_report")
        assert repo.read("count") == "x\n"

    def test_nothing_declared_is_an_advisory(self, tmp_path: Path) -> None:
        """It says so."""
        for index, block in enumerate(["", "runtime_data:\n", "runtime_data: []\n"]):
            outcome = ds01(with_data(tmp_path / str(index), block))
            assert said(outcome) == "ADV\nno runtime_data declared"

    def test_without_a_gate_nothing_was_looked_at(self, tmp_path: Path) -> None:
        """A SKIP; what is not ignored is a FAIL still."""
        host = "gates:\n  - name: device\n    cmd: 'false'\n    kind: host\n"
        repo = governed(tmp_path / "a", host + DATA, {".gitignore": "state.json\n"})
        assert ds01(repo).verdict is Verdict.SKIP
        assert "no gate runs here" in said(ds01(repo))
        repo = governed(tmp_path / "b", host + DATA, {".gitignore": "x\n"})
        assert ds01(repo).verdict is Verdict.FAIL

    @pytest.mark.parametrize(
        "block", ["runtime_data: [../x]\n", "runtime_data: [/etc/hosts]\n", "runtime_data: x\n"]
    )
    def test_a_wrong_declaration_is_this_rows_fail_alone(self, tmp_path: Path, block: str) -> None:
        """The gates run all the same."""
        repo = with_data(tmp_path, block)
        assert ds01(repo).verdict is Verdict.FAIL
        assert "runtime_data" in said(ds01(repo))
        assert ds02(repo).verdict is Verdict.FAIL
        assert gt02(repo, "DS-01", "DS-02").verdict is Verdict.PASS

    def test_a_path_that_leads_out_is_a_fail(self, tmp_path: Path) -> None:
        """By a link above it; nothing is read there."""
        repo = with_data(tmp_path / "r", "runtime_data: [out/x]\n", ignored="out\n")
        (tmp_path / "elsewhere").mkdir()
        (repo / "out").symlink_to(tmp_path / "elsewhere")
        assert "out/x: leaves the repository" in said(ds01(repo))

    def test_what_cannot_be_hashed_is_a_fail(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A tree that is too large was not looked at."""
        monkeypatch.setattr("goblin.facts.runtimedata.MOST_FILES", 1)
        repo = with_data(tmp_path, "runtime_data: [data]\n", ignored="data/\n")
        repo.write({"data/a": "", "data/b": ""})
        assert "data: cannot be hashed: too large" in said(ds01(repo))

    def test_a_fifo_is_not_opened(self, tmp_path: Path) -> None:
        """It stands under its kind."""
        repo = with_data(tmp_path)
        os.mkfifo(repo / "state.json")
        assert ds01(repo).verdict is Verdict.PASS

    def test_globs_are_expanded(self, tmp_path: Path) -> None:
        """Each match is hashed and asked about by itself."""
        repo = with_data(tmp_path, "runtime_data: ['*.db']\n", "echo x >> b.db", "*.db\n")
        repo.write({"a.db": "", "b.db": ""})
        outcome = ds01(repo)
        assert [f.path for f in outcome.findings] == ["b.db"]

    def test_before_the_first_commit(self, tmp_path: Path) -> None:
        """Files are judged; the report is of no commit."""
        files = {
            ".goblin/goblin.yaml": CONFIG + gates_of("true") + DATA,
            ".gitignore": IGNORED + "state.json\n",
        }
        repo = build_repo(files, tmp_path, commit=None)
        assert ds01(repo).verdict is Verdict.PASS
        assert "head=unborn" in repo.read(REPORT)
        assert ds02(repo).verdict is Verdict.PASS

    def test_without_git_it_says_so(self, tmp_path: Path) -> None:
        """Whether a path is ignored cannot be known."""
        repo = Repo(tmp_path).write({".goblin/goblin.yaml": CONFIG + gates_of("true") + DATA})
        assert "no git repository" in said(ds01(repo))


class TestIgnored:
    """The second clause of DS-01."""

    def exposed(self, repo: Repo) -> list[tuple[str, str]]:
        """What is not ignored, and why."""
        outcome = ds01(repo)
        assert outcome.verdict is (Verdict.FAIL if outcome.findings else Verdict.PASS), said(outcome)
        return [(f.path, f.message) for f in outcome.findings]

    def test_a_path_that_no_rule_names(self, tmp_path: Path) -> None:
        """Whether or not it exists."""
        repo = with_data(tmp_path, ignored="")
        assert self.exposed(repo) == [("state.json", "git does not ignore it")]
        repo.write({"state.json": "{}"})
        assert self.exposed(repo) == [("state.json", "git does not ignore it")]

    def test_a_tracked_path_is_not_ignored(self, tmp_path: Path) -> None:
        """Under a matching pattern either."""
        repo = with_data(tmp_path)
        repo.write({"state.json": "{}"}).git("add", "-f", "state.json")
        assert "is tracked, so no pattern ignores it" in said(ds01(repo))

    def test_a_rule_that_is_taken_back(self, tmp_path: Path) -> None:
        """The last word counts, and is shown."""
        repo = with_data(tmp_path, ignored="*.json\n!state.json\n")
        assert ".gitignore:6 takes it back (!state.json)" in self.exposed(repo)[0][1]

    def test_a_private_rule_does_not_count(self, tmp_path: Path) -> None:
        """Neither that of the clone nor that of the user."""
        repo = with_data(tmp_path, ignored="")
        repo.write({".git/info/exclude": "state.json\n"})
        assert "only a private file, info/exclude, ignores it" in self.exposed(repo)[0][1]
        repo.write({".git/info/exclude": "", ".git/mine": "state.json\n"})
        repo.git("config", "core.excludesFile", str(repo / ".git/mine"))
        assert self.exposed(repo) == [("state.json", "git does not ignore it")]

    @pytest.mark.parametrize("rule", ["data/\n", "data\n", "/data/*\n", "data/**\n"])
    @pytest.mark.parametrize("there", [True, False])
    def test_a_folder(self, tmp_path: Path, rule: str, there: bool) -> None:
        """By itself, or by all that is in it; there or not."""
        repo = with_data(tmp_path, "runtime_data: [data/]\n", ignored=rule)
        repo.write({"data/a": "a"} if there else {})
        assert self.exposed(repo) == []

    def test_a_folder_with_a_file_that_is_taken(self, tmp_path: Path) -> None:
        """One file that a rule takes back, one that is tracked; a placeholder is no data."""
        repo = with_data(tmp_path, "runtime_data: [data]\n", ignored="data/*\n!data/a\n!data/.gitkeep\n")
        repo.write({"data/a": "a", "data/b": "b"})
        assert self.exposed(repo) == [("data", "holds files that git does not ignore: data/a")]
        repo.git("add", "data/a")
        assert self.exposed(repo) == [("data", "holds tracked files: data/a")]
        repo.git("rm", "-q", "-f", "data/a")
        repo.commit("keep", {"data/.gitkeep": ""})
        assert self.exposed(repo) == []

    def test_one_path_that_git_refuses_does_not_hide_another(self, tmp_path: Path) -> None:
        """Behind a link there is nothing that git could ignore."""
        data = "runtime_data: [link/x, state.json, open.json]\n"
        repo = with_data(tmp_path, data)
        repo.write({"real/x": "x", "link@": "real"})
        found = dict(self.exposed(repo))
        assert sorted(found) == ["link/x", "open.json"]
        assert "beyond a symbolic link" in found["link/x"]


class TestTheReport:
    """DS-02."""

    def measured(self, root: Path, data: str = DATA) -> Repo:
        """A repository in which GT-02 and DS-01 have run."""
        repo = with_data(root, data, ignored="state.json\n*.db\n")
        assert gt02(repo, "DS-01", "DS-02").verdict is Verdict.PASS
        ds01(repo, selected=frozenset({"DS-01", "GT-02"}))
        return repo

    def test_it_goes_on_the_gate_line_once(self, tmp_path: Path) -> None:
        """Run twice in a row, it stands there once, and the sidecar still knows the line."""
        repo = self.measured(tmp_path)
        for _ in range(2):
            assert ds02(repo).verdict is Verdict.PASS
            assert repo.read(LINE).endswith(" \u00b7 runtime_data state.json=missing\n")
            assert repo.read(LINE).count("runtime_data") == 1
            assert gt03(repo).verdict is Verdict.PASS

    def test_in_one_run(self, tmp_path: Path) -> None:
        """The report is of this run, and nothing is said of an earlier one."""
        repo = with_data(tmp_path)
        outcome = ds02(repo, selected=BOTH)
        assert said(outcome) == "PASS\nbefore and after agree for 1 path(s)"

    def test_an_earlier_run_is_named(self, tmp_path: Path) -> None:
        """With its id."""
        assert "; the report is of an earlier run (2" in said(ds02(self.measured(tmp_path)))

    def test_no_report_is_a_fail(self, tmp_path: Path) -> None:
        """It says what to run."""
        repo = self.measured(tmp_path)
        repo.remove(REPORT)
        assert "no DS-01 report" in said(ds02(repo))
        assert ds02(repo).verdict is Verdict.FAIL

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            ("after=state.json=missing", "after=state.json=00", "state.json: before missing, after 00"),
            ("after=state.json=missing", "after=", "state.json: before missing, after nothing"),
            ("after=state.json=missing\n", "", "no after= line"),
            ("before=state.json=missing", "before=state.json", "cannot be read"),
            ("before=", "before", "cannot be read"),
            ("run=", "after=", "cannot be read"),
            ("head=", "head=0", "of another commit"),
            ("head=", "tail=", "measured at no commit"),
        ],
    )
    def test_an_edited_report_is_a_fail(self, tmp_path: Path, old: str, new: str, told: str) -> None:
        """And leaves the gate line as it is."""
        repo = self.measured(tmp_path)
        text, line = repo.read(REPORT), repo.read(LINE)
        assert old in text
        repo.write({REPORT: text.replace(old, new, 1)})
        outcome = ds02(repo)
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)
        assert repo.read(LINE) == line

    def test_a_report_of_another_commit_is_a_fail(self, tmp_path: Path) -> None:
        """Measure again after the commit."""
        repo = self.measured(tmp_path)
        old = repo.head[:10]
        repo.commit("next")
        assert f"measured at {old}, and HEAD is {repo.head[:10]}" in said(ds02(repo))

    def test_a_report_of_other_paths_is_a_fail(self, tmp_path: Path) -> None:
        """What was declared since was not looked at."""
        repo = self.measured(tmp_path)
        repo.write({".goblin/goblin.yaml": repo.read(".goblin/goblin.yaml") + "  - more.db\n  - '*.db'\n"})
        line = repo.read(LINE)
        assert "the report lacks more.db, which is declared now" in said(ds02(repo))
        assert repo.read(LINE) == line

    def test_nothing_declared_is_an_advisory(self, tmp_path: Path) -> None:
        """DS-01 has judged nothing, and the line says so."""
        repo = self.measured(tmp_path, "")
        assert said(ds02(repo)) == "ADV\nno runtime_data declared"
        assert repo.read(LINE).endswith(" \u00b7 runtime_data <none declared>\n")

    def test_no_gate_line_is_said(self, tmp_path: Path) -> None:
        """And is no fault of this row."""
        repo = self.measured(tmp_path)
        repo.remove(LINE)
        assert "; no gate line" in said(ds02(repo))
        assert ds02(repo).verdict is Verdict.PASS

    def test_a_line_of_somebody_else_does_not_become_ours(self, tmp_path: Path) -> None:
        """Writing to it would make GT-03 take it for measured."""
        repo = self.measured(tmp_path)
        repo.write({LINE: "a=0 \u00b7 measured 2026-01-01\n"})
        assert "was not written by the verifier and is left alone" in said(ds02(repo))
        assert repo.read(LINE) == "a=0 \u00b7 measured 2026-01-01\n"
        assert gt03(repo).verdict is Verdict.FAIL

    def test_the_rest_of_the_sidecar_stays(self, tmp_path: Path) -> None:
        """Only the digest changes."""
        repo = self.measured(tmp_path)
        old = json.loads(repo.read(SIDECAR))
        ds02(repo)
        new = json.loads(repo.read(SIDECAR))
        assert {**old, "line_sha256": ""} == {**new, "line_sha256": ""}
        assert old["line_sha256"] != new["line_sha256"]

    def test_paths_are_told_apart(self, tmp_path: Path) -> None:
        """Blanks, equals signs and percent signs in a name."""
        data = "runtime_data: ['a b=c%20.db', 'd\u00e9j\u00e0.db']\n"
        repo = self.measured(tmp_path, data)
        assert ds02(repo).verdict is Verdict.PASS
        assert repo.read(LINE).endswith("runtime_data a%20b%3Dc%2520.db=missing d%C3%A9j%C3%A0.db=missing\n")

    def test_static_writes_nothing(self, tmp_path: Path) -> None:
        """Nor does it run a gate."""
        repo = self.measured(tmp_path)
        line = repo.read(LINE)
        assert ds02(repo, static=True).verdict is Verdict.PASS
        assert repo.read(LINE) == line

    @pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to the superuser")
    def test_a_read_only_tree(self, tmp_path: Path) -> None:
        """DS-01 judges and says that no report was written; DS-02 skips."""
        repo = with_data(tmp_path)
        os.chmod(repo / ".goblin", 0o555)
        try:
            assert "report not written" in said(ds01(repo))
            assert ds01(repo).verdict is Verdict.PASS
            assert ds02(repo, selected=BOTH).verdict is Verdict.SKIP
            assert ds02(repo).verdict is Verdict.SKIP
        finally:
            os.chmod(repo / ".goblin", 0o755)

    def test_a_report_that_cannot_be_written(self, tmp_path: Path) -> None:
        """A folder stands in its place: DS-01 judges all the same, DS-02 skips with the reason."""
        repo = with_data(tmp_path)
        (repo / REPORT).mkdir()
        assert "report not written: Is a directory" in said(ds01(repo))
        assert ds01(repo).verdict is Verdict.PASS
        assert "report not written" in said(ds02(repo, selected=BOTH))
        assert ds02(repo, selected=BOTH).verdict is Verdict.SKIP
        assert ds02(repo).verdict is Verdict.FAIL
