"""AU: keys of reports, and what a reporter may touch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from goblin.facts.reports import dedup_key
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo
from tests.support.repo import Content

CONFIG = "class: A\nbranch: main\narchive: false\n"
SYMPTOM = "The panel is empty"
KEY = dedup_key(".", SYMPTOM)


def report(symptom: str = SYMPTOM, key: str = KEY, repo: str = ".", more: str = "") -> str:
    """A report that is whole."""
    return (
        f"repo: {repo}\nsymptom: {symptom}\nexpected: rows\nobserved: none\nrepro_steps:\n  - open it\n"
        f"revision: 0123456\ndedup_key: {key}\n{more}"
    )


def with_reports(root: Path, files: Mapping[str, Content], config: str = CONFIG) -> Repo:
    """A committed repository with these files."""
    return build_repo({".goblin/goblin.yaml": config, **files}, root)


def au02(repo: Repo) -> Outcome:
    return judge(repo, "checks/automations.py::a_dedup_key_is_content_alone")


def au03(repo: Repo) -> Outcome:
    return judge(repo, "checks/automations.py::a_reporter_leaves_the_rest_alone")


class TestTheKey:
    """AU-02."""

    @pytest.mark.parametrize("files", [{"a": "a"}, {"reports/x/repro.md": "x"}, {"reports/a.yaml": "x"}])
    def test_no_report_skips(self, tmp_path: Path, files: Mapping[str, Content]) -> None:
        """A folder without a report is none."""
        assert said(au02(with_reports(tmp_path, files))).startswith("SKIP\nno report to dedup")

    @pytest.mark.parametrize(
        "text",
        [
            report(),
            report("'The panel is empty'"),
            report('"the   PANEL is\\tempty"'),
            report("|-\n  The panel is empty"),
            report("|\n  The panel is empty"),
            report("the panel is empty", more="observed2: 2026-01-01\n"),
            report(
                repo="https://example.com/2026-01-01:x",
                key=dedup_key("https://example.com/2026-01-01:x", SYMPTOM),
            ),
            report("12", dedup_key(".", "12")),
            report().replace("\n", "\r\n"),
            "\ufeff" + report(),
            report().replace("observed: none", "observed: something else"),
        ],
    )
    def test_the_content_gives_the_key(self, tmp_path: Path, text: str) -> None:
        """Case, spacing, quotes and everything but repository and symptom change nothing."""
        assert said(au02(with_reports(tmp_path, {"reports/x/report.yaml": text}))) == (
            "PASS\n1 report(s): the key is content-only"
        )

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                report(key="bug:.:2026-09-24"),
                ":8: dedup_key is bug:.:2026-09-24, and carries a date; the key",
            ),
            (
                report("another one"),
                f":8: dedup_key is {KEY}; the key of its content is {dedup_key('.', 'another one')}",
            ),
            (report(repo="x"), f"the key of its content is {dedup_key('x', SYMPTOM)}"),
            (
                report().replace("dedup_key", "key"),
                f"dedup_key is not set, or no text; the key of its content is {KEY}",
            ),
            (report(key=""), "dedup_key is not set"),
            (report(key="[a]"), "dedup_key is not set, or no text"),
            (report(""), "symptom is not set"),
            (report(repo="~"), "repo is not set"),
            (report("|\n  one\n  two"), ":2: symptom is not one line"),
            ('repo: .\nsymptom: "a\\u2028b"\ndedup_key: x\n', ":2: symptom is not one line"),
            (report(more="repo: again\n"), "repo"),
            ("a: [\n", "reports/x/report.yaml:"),
            ("- a\n", "it is no mapping"),
            ("", "it is no mapping"),
            (b"\xff\xfe\x00", "reports/x/report.yaml"),
        ],
    )
    def test_what_is_not_the_key(self, tmp_path: Path, text: Content, told: str) -> None:
        """Both keys are printed, or what is missing."""
        outcome = au02(with_reports(tmp_path, {"reports/x/report.yaml": text}))
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)

    def test_reports_that_share_a_key_are_listed(self, tmp_path: Path) -> None:
        """They may be one defect."""
        files = {f"reports/{name}/report.yaml": report() for name in "abc"}
        files["reports/d/report.yaml"] = report("other", dedup_key(".", "other"))
        assert said(au02(with_reports(tmp_path, files))) == (
            "PASS\n4 report(s): the key is content-only\n"
            "reports/a/report.yaml: shares its key with reports/b/report.yaml, reports/c/report.yaml"
        )

    def test_each_report_is_judged(self, tmp_path: Path) -> None:
        """The wrong one is named."""
        files = {"reports/a/report.yaml": report(), "reports/b/report.yaml": report(key="x")}
        assert [f.path for f in au02(with_reports(tmp_path, files)).findings] == ["reports/b/report.yaml"]

    def test_links_are_not_followed(self, tmp_path: Path) -> None:
        """They are named: a report that is not read was not judged."""
        (tmp_path / "x").mkdir()
        (tmp_path / "x/report.yaml").write_text(report())
        files = {"reports/a@": str(tmp_path / "x"), "reports/b/report.yaml@": str(tmp_path / "x/report.yaml")}
        outcome = au02(with_reports(tmp_path / "r", files))
        assert [f.path for f in outcome.findings] == ["reports/a", "reports/b/report.yaml"]
        outcome = au02(with_reports(tmp_path / "s", {"reports@": str(tmp_path)}))
        assert outcome.verdict is Verdict.FAIL


class TestTheReporter:
    """AU-03."""

    def test_no_reports_folder_skips(self, tmp_path: Path) -> None:
        """Whatever the tree is."""
        repo = with_reports(tmp_path, {"a": "a"}).write({"stray": "x"})
        assert said(au03(repo)) == "SKIP\nno reporter run to audit: there is no reports/ folder"

    def test_a_report_alone(self, tmp_path: Path) -> None:
        """With both numbers; an ignored file is no entry."""
        repo = with_reports(tmp_path, {".gitignore": "log\n"})
        repo.commit("report", {"reports/x/report.yaml": report()})
        repo.write({"log": "x"})
        assert said(au03(repo)) == (
            "PASS\n0 dirty entr(y|ies), max_dirty 0; HEAD changes 1 path(s) of reports/ and 0 of the harness"
        )

    def test_a_stray_file_is_a_fail(self, tmp_path: Path) -> None:
        """Named; unless that many are allowed."""
        repo = with_reports(tmp_path, {"a": "a"})
        repo.commit("report", {"reports/x/report.yaml": report()})
        repo.write({"stray.txt": "x"})
        assert "stray.txt: uncommitted (??)" in said(au03(repo))
        assert au03(repo).verdict is Verdict.FAIL
        repo.commit("cap", {".goblin/goblin.yaml": CONFIG + "max_dirty: 1\n"})
        repo.write({"other.txt": "x"})
        assert "1 dirty entr(y|ies), max_dirty 1" in said(au03(repo))
        assert au03(repo).verdict is Verdict.PASS
        repo.write({".goblin/goblin.yaml": CONFIG + "max_dirty: some\n"})
        assert au03(repo).verdict is Verdict.FAIL

    @pytest.mark.parametrize(
        "path", ["checks/a.mjs", ".goblin/x", ".hermes/skills/a/SKILL.md", ".claude/skills/a/SKILL.md"]
    )
    def test_a_commit_of_both_is_a_fail(self, tmp_path: Path, path: str) -> None:
        """The report and the harness that judges it; other paths are listed."""
        repo = with_reports(tmp_path, {"a": "a"})
        repo.commit("both", {"reports/x/report.yaml": report(), path: "x", "src/a": "x"})
        outcome = au03(repo)
        assert outcome.verdict is Verdict.FAIL
        assert f"{path}: changed in the commit that changes a report" in said(outcome)
        assert "src/a" not in said(outcome)

    def test_a_source_edit_is_listed(self, tmp_path: Path) -> None:
        """And not failed; a folder whose name only begins so is no harness."""
        repo = with_reports(tmp_path, {"a": "a"})
        repo.commit("both", {"reports/x/report.yaml": report(), "src/a": "x", "checks2/a": "x"})
        assert said(au03(repo)).endswith(
            "checks2/a: changed beside the report\nsrc/a: changed beside the report"
        )
        assert au03(repo).verdict is Verdict.PASS

    def test_the_first_commit_counts(self, tmp_path: Path) -> None:
        """It has no parent: all of it is its change."""
        outcome = au03(with_reports(tmp_path, {"reports/x/report.yaml": report(), "checks/a.mjs": "x"}))
        assert [f.path for f in outcome.findings] == [".goblin/goblin.yaml", "checks/a.mjs"]

    def test_a_head_without_a_report_is_no_reporters(self, tmp_path: Path) -> None:
        """Whatever it changes; a deleted or moved harness file counts in one that is."""
        repo = with_reports(tmp_path, {"reports/x/report.yaml": report(), "checks/a.mjs": "x"})
        repo.commit("harness", {"checks/a.mjs": "y"})
        assert "does not apply: HEAD changes no report" in said(au03(repo))
        assert au03(repo).verdict is Verdict.PASS
        repo.git("mv", "checks/a.mjs", "reports/x/a.mjs")
        repo.commit("move")
        assert [f.path for f in au03(repo).findings] == ["checks/a.mjs"]

    def test_the_declared_harness_folder_counts(self, tmp_path: Path) -> None:
        """And not the default one."""
        repo = with_reports(tmp_path, {"a": "a"}, CONFIG + "harness_dir: probes\n")
        repo.commit("both", {"reports/x/report.yaml": report(), "probes/a": "x", "checks/a": "x"})
        assert [f.path for f in au03(repo).findings] == ["probes/a"]

    def test_a_merge_is_judged_against_its_first_parent(self, tmp_path: Path) -> None:
        """What came in by it counts."""
        repo = with_reports(tmp_path, {"a": "a"})
        repo.git("checkout", "-q", "-b", "side")
        repo.commit("side", {"reports/x/report.yaml": report(), "checks/a": "x"})
        repo.git("checkout", "-q", "main")
        repo.commit("main", {"b": "b"})
        repo.git("merge", "-q", "--no-edit", "side")
        assert [f.path for f in au03(repo).findings] == ["checks/a"]

    def test_before_the_first_commit(self, tmp_path: Path) -> None:
        """The clause about commits does not apply; the tree is judged."""
        files = {".goblin/goblin.yaml": CONFIG + "max_dirty: 9\n", "reports/x/report.yaml": report()}
        repo = build_repo(files, tmp_path, commit=None)
        assert "does not apply: no commits yet" in said(au03(repo))
        assert au03(repo).verdict is Verdict.PASS
