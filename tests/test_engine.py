"""The engine: which rows run, what becomes of each, and in which order they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin import engine
from goblin.manifest import COLUMNS, ManifestBroken
from goblin.outcome import CannotRun, Verdict
from tests.support.mini import CONFIG, facts_of, mini_home, mini_repo, row, table

__all__ = ["mini_home"]

MINI = "checks/mini.py::"


def verdicts(report: engine.Report) -> dict[str, str]:
    """Row id to verdict."""
    return {result.row.id: result.outcome.verdict.value for result in report.results}


def summary(report: engine.Report, row_id: str) -> str:
    """The summary and the findings of one row, as one text."""
    outcome = next(r.outcome for r in report.results if r.row.id == row_id)
    return "\n".join([outcome.summary, *(f"{f.place()}: {f.message}" for f in outcome.findings)])


@pytest.mark.usefixtures("mini_home")
class TestVerdicts:
    """What a row's check does decides its verdict; a broken check never passes."""

    def test_each_way_a_check_can_end(self, tmp_path: Path) -> None:
        """Passing, failing, skipping and advising are told apart; anything else is a FAIL that says so."""
        cells = {
            "ZZ-01": f"{MINI}holds",
            "ZZ-02": f"{MINI}breaks",
            "ZZ-03": f"{MINI}raises",
            "ZZ-04": f"{MINI}refuses",
            "ZZ-05": f"{MINI}returns_nothing",
            "ZZ-06": f"{MINI}has_no_subject",
            "ZZ-07": f"{MINI}needs_an_unknown_fact",
            "ZZ-08": "advisory",
        }
        rows = [row(i, c, enforced_by="advisory" if c == "advisory" else "script") for i, c in cells.items()]
        report = engine.judge(facts_of(mini_repo(tmp_path / "r", rows)))
        got = verdicts(report)
        assert [got[i] for i in cells] == ["PASS", "FAIL", "FAIL", "FAIL", "FAIL", "SKIP", "FAIL", "ADV"]
        assert "ValueError: boom" in summary(report, "ZZ-03")
        assert "\x1b" not in summary(report, "ZZ-03")
        assert "c.py:1" in summary(report, "ZZ-04")
        assert "returned no outcome" in summary(report, "ZZ-05")
        assert "no fact called nonsense" in summary(report, "ZZ-07")
        assert report.exit_code == 1

    def test_shell_rows_pass_skip_or_fail(self, tmp_path: Path) -> None:
        """Exit 0 passes, 77 skips with the last line as reason, anything else fails and says what it said."""
        cells = {
            "ZZ-01": "true",
            "ZZ-02": "echo first; echo no subject; exit 77",
            "ZZ-03": "echo a.py:3: wrong; exit 4",
            "ZZ-04": "no-such-program-at-all",
            "ZZ-05": "kill -9 $$",
            "ZZ-06": "./README.md",
        }
        report = engine.judge(facts_of(mini_repo(tmp_path / "r", [row(i, c) for i, c in cells.items()])))
        got = verdicts(report)
        assert [got[i] for i in cells] == ["PASS", "SKIP", "FAIL", "FAIL", "FAIL", "FAIL"]
        assert summary(report, "ZZ-02") == "no subject"
        assert "a.py:3: wrong" in summary(report, "ZZ-03")
        for broken in ("ZZ-04", "ZZ-05", "ZZ-06"):
            assert "could not run" in summary(report, broken)

    def test_a_shell_row_knows_where_it_is(self, tmp_path: Path) -> None:
        """It runs in the root, with the root and the config in its environment, and stdin closed."""
        check = '[ "$PWD" = "$GOBLIN_ROOT" ] && [ -f "$GOBLIN_CONFIG" ] && ! read -r line'
        report = engine.judge(facts_of(mini_repo(tmp_path / "r", [row("ZZ-01", check)])))
        assert verdicts(report)["ZZ-01"] == "PASS", summary(report, "ZZ-01")

    def test_a_labelled_row_shows_its_rule_and_what_was_noticed(self, tmp_path: Path) -> None:
        """An advisory row with a heuristic stays ADV and carries the heuristic's words."""
        rows = [row("ZZ-01", f"{MINI}notices", enforced_by="advisory")]
        report = engine.judge(facts_of(mini_repo(tmp_path / "r", rows)))
        assert summary(report, "ZZ-01") == "rule of ZZ-01 (advisory): something was noticed"
        assert report.exit_code == 0
        assert report.labelled == 1


@pytest.mark.usefixtures("mini_home")
class TestApplicability:
    """Opt-out comes first, then the archive waiver, then --static; each is a visible SKIP."""

    def test_an_opted_out_part_is_skipped_before_it_can_fail(self, tmp_path: Path) -> None:
        """The rule of a row whose part is disabled is shown with the opt-out."""
        rows = [row("ZZ-01", f"{MINI}breaks", part="gate"), row("ZZ-02", f"{MINI}breaks", part="spec")]
        repo = mini_repo(tmp_path / "r", rows, config=CONFIG + "disabled: [gate]\n")
        report = engine.judge(facts_of(repo))
        assert verdicts(report) == {"IN-03": "PASS", "ZZ-01": "SKIP", "ZZ-02": "FAIL"}
        assert summary(report, "ZZ-01") == "rule of ZZ-01 (opt-out: gate)"

    def test_archive_waives_its_families_only(self, tmp_path: Path) -> None:
        """`archive: true` skips handoff, gate and spec rows; every other row still runs."""
        rows = [row("HP-01", f"{MINI}breaks"), row("ZZ-01", f"{MINI}breaks")]
        repo = mini_repo(tmp_path / "r", rows, config=CONFIG.replace("archive: false", "archive: true"))
        report = engine.judge(facts_of(repo))
        assert verdicts(report)["HP-01"] == "SKIP"
        assert verdicts(report)["ZZ-01"] == "FAIL"
        assert "(archive: true)" in summary(report, "HP-01")

    def test_static_runs_nothing_that_the_repository_declares(self, tmp_path: Path) -> None:
        """Gate rows, shell cells of the repository and project rows are skipped; pure checks run."""
        canary = tmp_path / "fired"
        rules = table(COLUMNS, [row("ZQ-01", f"touch {canary}")])
        rows = [
            row("ZZ-01", f"{MINI}holds"),
            row("ZZ-02", f"{MINI}runs_the_gates"),
            row("ZZ-03", f"touch {canary}"),
        ]
        config = f"{CONFIG}gates:\n  - name: g\n    cmd: 'touch {canary}'\n"
        repo = mini_repo(tmp_path / "r", rows, {".goblin/rules/enforcement.tsv": rules}, config)
        report = engine.judge(facts_of(repo, static=True))
        got = verdicts(report)
        assert [got[i] for i in ("ZZ-01", "ZZ-02", "ZZ-03", "ZQ-01")] == ["PASS", "SKIP", "SKIP", "SKIP"]
        assert "--static" in summary(report, "ZZ-02")
        assert not canary.exists()
        engine.judge(facts_of(repo))
        assert canary.exists(), "the canary can fire in a full run"


@pytest.mark.usefixtures("mini_home")
class TestSelection:
    """A selection runs in matrix order, and a typo never selects nothing."""

    ROWS = (row("ZZ-01", f"{MINI}holds"), row("ZZ-02", f"{MINI}holds"), row("ZY-01", "x", scope="source"))

    def test_rows_stand_in_matrix_order(self, tmp_path: Path) -> None:
        """Whatever order `--only` lists them in, and however shell rows are scheduled."""
        rows = [row(f"ZZ-{n:02}", "true" if n % 2 else f"{MINI}holds") for n in range(1, 9)]
        repo = mini_repo(tmp_path / "r", rows)
        report = engine.judge(facts_of(repo), ["ZZ-07", "ZZ-02", "ZZ-03"])
        assert [result.row.id for result in report.results] == ["ZZ-02", "ZZ-03", "ZZ-07"]
        full = engine.judge(facts_of(repo))
        assert [result.row.id for result in full.results] == ["IN-03", *(f"ZZ-{n:02}" for n in range(1, 9))]

    def test_an_unknown_id_is_named_with_a_near_one(self, tmp_path: Path) -> None:
        """Exit 2 lists every unknown id, and says what was probably meant."""
        facts = facts_of(mini_repo(tmp_path / "r", list(self.ROWS)))
        with pytest.raises(CannotRun, match=r"ZZ-1 \(did you mean ZZ-01\?\), QQ-99"):
            engine.judge(facts, ["ZZ-1", "QQ-99", "ZZ-01"])

    def test_source_rows_alone_cannot_be_run_here(self, tmp_path: Path) -> None:
        """A selection of source rows says where they run; mixed with target rows those run."""
        repo = mini_repo(tmp_path / "r", list(self.ROWS))
        with pytest.raises(CannotRun, match="source rows"):
            engine.judge(facts_of(repo), ["ZY-01"])
        assert verdicts(engine.judge(facts_of(repo), ["ZY-01", "ZZ-01"])) == {"ZZ-01": "PASS"}

    def test_a_broken_matrix_is_found_before_the_config_is_read(self, tmp_path: Path) -> None:
        """Exit 3 outranks exit 2."""
        repo = mini_repo(tmp_path / "r", [row("ZZ-01", "")], config="class: [\n")
        with pytest.raises(ManifestBroken, match="ZZ-01 has an empty check"):
            engine.judge(facts_of(repo))


@pytest.mark.usefixtures("mini_home")
class TestProjectRows:
    """An adopter's own rows run like shipped ones, in processes of their own."""

    RULES = '''
from goblin.outcome import passed, failed

def readme_is_titled(tree):
    """The README starts with a title."""
    text = tree.text("README.md")
    return passed("1 title") if text.startswith("# ") else failed("no title")

def explodes(tree):
    raise RuntimeError("no")
'''

    def test_a_python_rule_of_the_adopter(self, tmp_path: Path) -> None:
        """It gets facts by name, and its failure or its absence is a FAIL."""
        rows = [
            row("ZQ-01", "rules/mine.py::readme_is_titled"),
            row("ZQ-02", "rules/mine.py::explodes"),
            row("ZQ-03", "rules/mine.py::absent"),
            row("ZQ-04", "rules/gone.py::absent"),
        ]
        files = {".goblin/rules/enforcement.tsv": table(COLUMNS, rows), ".goblin/rules/mine.py": self.RULES}
        report = engine.judge(facts_of(mini_repo(tmp_path / "r", [], files)))
        assert verdicts(report) == {
            "IN-03": "PASS", "ZQ-01": "PASS", "ZQ-02": "FAIL", "ZQ-03": "FAIL", "ZQ-04": "FAIL",
        }  # fmt: skip
        assert "RuntimeError" in summary(report, "ZQ-02")
        assert "defines no function absent" in summary(report, "ZQ-03")

    def test_a_rule_cannot_be_shadowed_by_files_of_the_repository(self, tmp_path: Path) -> None:
        """A `goblin/` or a `json.py` in the repository is never imported by name."""
        trap = "raise SystemExit('imported from the repository')\n"
        rows = [row("ZQ-01", "rules/mine.py::readme_is_titled")]
        files = {
            ".goblin/rules/enforcement.tsv": table(COLUMNS, rows),
            ".goblin/rules/mine.py": self.RULES,
            ".goblin/rules/json.py": trap,
            "goblin/__init__.py": trap,
            "json.py": trap,
        }
        report = engine.judge(facts_of(mini_repo(tmp_path / "r", [], files)))
        assert verdicts(report)["ZQ-01"] == "PASS", summary(report, "ZQ-01")

    def test_an_adopter_may_not_use_a_shipped_family(self, tmp_path: Path) -> None:
        """A project row in a shipped family could stand in for the shipped rule."""
        files = {".goblin/rules/enforcement.tsv": table(COLUMNS, [row("IN-99", "true")])}
        with pytest.raises(ManifestBroken, match="IN-99 uses the shipped family IN"):
            engine.judge(facts_of(mini_repo(tmp_path / "r", [], files)))


def test_verdicts_are_a_closed_set() -> None:
    """Formats and scripts rely on these four words."""
    assert [verdict.value for verdict in Verdict] == ["PASS", "FAIL", "ADV", "SKIP"]


def test_keys_of_the_config_that_nothing_reads_are_told_once(tmp_path: Path) -> None:
    """In one note with their lines, at most three of them; a slip would otherwise go unseen."""
    repo = mini_repo(tmp_path / "r", [], config=CONFIG + "max_drity: 3\n")
    (note,) = engine.judge(facts_of(repo)).notes
    slip = "line 5: unknown key `max_drity`: did you mean `max_dirty`?"
    assert note == f"the config holds 1 key(s) that nothing reads ({slip})"
    many = "".join(f"own{n}: x\n" for n in range(5))
    (note,) = engine.judge(facts_of(mini_repo(tmp_path / "s", [], config=CONFIG + many))).notes
    assert note.startswith("the config holds 5 key(s) that nothing reads (line 5: unknown key `own0`, ")
    assert note.endswith("line 7: unknown key `own2`, and 2 more)")
    assert engine.judge(facts_of(mini_repo(tmp_path / "t", []))).notes == ()
