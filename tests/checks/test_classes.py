"""CL: what a class requires and forbids, judged on real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.facts.record import Options
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import PROJECT, Repo, build_repo
from tests.support.mini import MATRIX_ROW, table
from tests.support.records import governed
from tests.support.repo import Files

TABLE = (PROJECT / "manifest/classes.tsv").read_text()
MATRIX = table(
    ("id", "scope", "part", "enforced_by", "rule", "artifact", "check", "remedy", "blind_spot"), [MATRIX_ROW]
)
CONFIG = """class: A
branch: main
archive: false
gates:
  - name: commit
    cmd: git rev-parse HEAD
ratchet:
  name: todo
  cmd: 'true'
replay:
  env: PRE
  cmd: auto {path}
disabled: []
"""
SKILL = ".hermes/skills/goblin-mode/SKILL.md"
FILES: Files = {
    ".goblin/manifest/enforcement.tsv": MATRIX,
    ".goblin/manifest/classes.tsv": TABLE,
    ".github/workflows/goblin-gate.yml": "on: push\n",
    SKILL: "---\nname: goblin-mode\n---\n",
}
OTHERS: Files = {"HANDOFF.md": "# H\n", "ROUND-000-SPEC.md": "# S\n", "reviews/.gitkeep": ""}


def class_a(root: Path, config: str = CONFIG, others: Files | None = None, **members: object) -> Repo:
    """A class-A repository that has all that its class requires."""
    return governed(root, FILES, {**OTHERS, **(others or {})}, config, **members)


def with_key(line: str, config: str = CONFIG) -> str:
    """The configuration with one top-level line in place of the old one of its key."""
    key = line.partition(":")[0]
    return "".join(f"{line}\n" if old.startswith(f"{key}:") else f"{old}\n" for old in config.splitlines())


def class_b(root: Path, others: Files | None = None, config: str = "") -> Repo:
    """A class-B repository: no replay, no reviews, no tokens, no workflow of ours."""
    off = "ci-gate, pr-gate, replay, review-panel, tokens"
    text = config or f"class: B\narchive: false\ngates:\n  - name: c\n    cmd: 'true'\ndisabled: [{off}]\n"
    files = {path: content for path, content in FILES.items() if not path.startswith(".github")}
    kept = {path: content for path, content in OTHERS.items() if not path.startswith("reviews")}
    return governed(
        root, files, {**kept, **(others or {})}, text, class_name="B", disabled=tuple(off.split(", "))
    )


def parts(repo: Repo) -> Outcome:
    """CL-01."""
    return judge(repo, "checks/classes.py::parts_match_the_class")


def archive(repo: Repo) -> Outcome:
    """CL-02."""
    return judge(repo, "checks/classes.py::the_archive_waiver_is_the_recorded_one")


class TestParts:
    """CL-01."""

    def test_all_parts_of_class_a(self, tmp_path: Path) -> None:
        """The summary says what became of each."""
        assert parts(class_a(tmp_path)) == Outcome(
            Verdict.PASS,
            "class A, 11 part(s): required, present: handoff spec gate replay ratchet playbooks ci-gate; "
            "optional, present: pr-gate review-panel; optional, absent: tokens anchor",
        )

    def test_class_b_forbids_without_noise(self, tmp_path: Path) -> None:
        """What it forbids is opted out; a workflow of the project's own is nobody's business here."""
        outcome = parts(class_b(tmp_path, {".github/workflows/test.yml": "on: push\n"}))
        assert outcome.verdict is Verdict.PASS
        assert "opt-out: replay pr-gate review-panel tokens ci-gate" in outcome.summary

    @pytest.mark.parametrize(
        ("path", "part"),
        [
            (".goblin/tokens.yaml", "tokens"),
            (".github/workflows/goblin-gate.yml", "ci-gate"),
            ("reviews/a.md", "pr-gate"),
            ("reviews/a.md", "review-panel"),
        ],
    )
    def test_a_forbidden_part_fails_though_it_is_opted_out(
        self, tmp_path: Path, path: str, part: str
    ) -> None:
        """`disabled` excuses no prohibition."""
        outcome = parts(class_b(tmp_path, {path: "x"}))
        assert outcome.verdict is Verdict.FAIL
        assert f"{part}: class B forbids it" in said(outcome)

    def test_a_forbidden_part_in_the_config_fails(self, tmp_path: Path) -> None:
        """Class B has no replay, class D neither a ratchet nor a spec."""
        outcome = parts(class_b(tmp_path / "b", config=CONFIG.replace("class: A", "class: B")))
        assert "replay: class B forbids it, and replay.env and replay.cmd set is here" in said(outcome)
        d = parts(class_a(tmp_path / "d", with_key("class: D"), class_name="D"))
        assert "ratchet: class D forbids it" in said(d)
        assert "spec: class D forbids it" in said(d)

    def test_even_a_dangling_link_stands_for_a_forbidden_part(self, tmp_path: Path) -> None:
        """Whoever made it can make it lead somewhere."""
        assert "tokens: class B forbids" in said(
            parts(class_b(tmp_path, {".goblin/tokens.yaml@": "nowhere"}))
        )

    @pytest.mark.parametrize(
        ("gone", "part"),
        [
            ("HANDOFF.md", "handoff"),
            ("ROUND-000-SPEC.md", "spec"),
            (SKILL, "playbooks"),
            (".github/workflows/goblin-gate.yml", "ci-gate"),
        ],
    )
    def test_a_required_part_that_is_absent_fails(self, tmp_path: Path, gone: str, part: str) -> None:
        """Part, artifact and both ways out are named."""
        outcome = parts(class_a(tmp_path).remove(gone))
        assert outcome.verdict is Verdict.FAIL
        assert f"{part}: class A requires it" in said(outcome)
        assert f"--opt-out {part}" in said(outcome)

    @pytest.mark.parametrize(
        ("old", "new", "part"),
        [
            ("    cmd: git rev-parse HEAD\n", "    cmd: ''\n", "gate"),
            ("  cmd: 'true'\n", "", "ratchet"),
            ("  name: todo\n", "  name: ~\n", "ratchet"),
            ("  env: PRE\n", "", "replay"),
        ],
    )
    def test_a_required_part_of_the_config_that_is_incomplete_fails(
        self, tmp_path: Path, old: str, new: str, part: str
    ) -> None:
        """A name without a command declares nothing."""
        outcome = parts(class_a(tmp_path, CONFIG.replace(old, new)))
        assert f"{part}: class A requires it" in said(outcome)

    def test_an_opt_out_counts_where_the_record_holds_it(self, tmp_path: Path) -> None:
        """Written into the config by hand alone it is a FAIL that says which command records it."""
        config = with_key("disabled: [handoff]")
        outcome = parts(class_a(tmp_path / "1", config).remove("HANDOFF.md"))
        assert outcome.verdict is Verdict.FAIL
        assert "handoff: opt-out not recorded" in said(outcome)
        recorded = class_a(tmp_path / "2", config, disabled=("handoff",)).remove("HANDOFF.md")
        assert parts(recorded).verdict is Verdict.PASS

    def test_an_optional_part_needs_no_recorded_opt_out(self, tmp_path: Path) -> None:
        """Nothing is owed."""
        assert parts(class_a(tmp_path, with_key("disabled: [pr-gate]"))).verdict is Verdict.PASS

    def test_an_older_record_without_the_list_is_noted(self, tmp_path: Path) -> None:
        """There is nothing to compare with, and that is said."""
        outcome = parts(class_a(tmp_path, with_key("disabled: [handoff]"), disabled=None))
        assert outcome.verdict is Verdict.PASS
        assert "does not say which parts" in said(outcome)

    def test_an_unknown_part_in_disabled_fails(self, tmp_path: Path) -> None:
        """A typo switches nothing off and must not look as if it did."""
        outcome = parts(class_a(tmp_path, with_key("disabled: [handof]")))
        assert "`disabled` must be the name of a part: it is `handof`" in said(outcome)
        assert ".goblin/goblin.yaml" in said(outcome)

    def test_a_class_that_the_record_does_not_hold_fails(self, tmp_path: Path) -> None:
        """Another class is another install."""
        outcome = parts(class_a(tmp_path, with_key("class: F")))
        assert "class is F here and A in the record" in said(outcome)

    def test_the_archive_waives_what_is_required_and_nothing_that_is_forbidden(self, tmp_path: Path) -> None:
        """And it is said of each part."""
        options = Options(("hermes",), True)
        repo = class_a(tmp_path, with_key("archive: true"), options=options)
        outcome = parts(repo.remove("HANDOFF.md"))
        assert outcome.verdict is Verdict.PASS
        assert "waived by archive: true: handoff" in outcome.summary

    @pytest.mark.parametrize(
        ("change", "because"),
        [
            (lambda text: text.replace("D\tgate\tO\n", ""), "no line for class D and part gate"),
            (lambda text: text + "A\tgate\tR\n", "class A and part gate stand a second time"),
            (lambda text: text.replace("A\tgate\tR", "A\tgate\tX"), "the need of class A for gate is 'X'"),
            (lambda text: text + "G\tgate\tR\n", "no class 'G' with a part 'gate'"),
            (lambda text: text.partition("\n")[0] + "\n", "says nothing of any class"),
        ],
    )
    def test_a_cut_or_crooked_table_is_a_fail(self, tmp_path: Path, change: object, because: str) -> None:
        """Whatever the class here: a missing pair is no prohibition."""
        repo = class_a(tmp_path).write({".goblin/manifest/classes.tsv": change(TABLE)})  # type: ignore[operator]
        outcome = parts(repo)
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)

    def test_no_table_at_all_is_a_fail(self, tmp_path: Path) -> None:
        """Nothing would be required and nothing forbidden."""
        repo = class_a(tmp_path).remove(".goblin/manifest/classes.tsv")
        assert parts(repo).verdict is Verdict.FAIL

    def test_an_unreadable_record_is_a_fail(self, tmp_path: Path) -> None:
        """Its class and its opt-outs cannot be compared."""
        assert parts(class_a(tmp_path).remove(".goblin/installed.json")).verdict is Verdict.FAIL

    def test_every_recorded_platform_has_the_first_skill(self, tmp_path: Path) -> None:
        """Present in one folder of two is absent."""
        options = Options(("hermes", "claude"), False)
        outcome = parts(class_a(tmp_path, options=options))
        assert "playbooks: class A requires it" in said(outcome)
        assert ".claude/skills/goblin-mode/SKILL.md" in said(outcome)


class TestArchive:
    """CL-02."""

    @pytest.mark.parametrize(("value", "recorded"), [("true", True), ("false", False)])
    def test_the_recorded_value_passes(self, tmp_path: Path, value: str, recorded: bool) -> None:
        """An install made with the archive flag is no fault."""
        repo = class_a(tmp_path, with_key(f"archive: {value}"), options=Options(("hermes",), recorded))
        assert archive(repo) == Outcome(Verdict.PASS, f"archive: {value}, as the install recorded it")

    @pytest.mark.parametrize(
        ("line", "recorded", "because"),
        [
            ("archive: true", False, "flipped by hand"),
            ("archive: false", True, "flipped by hand"),
            ("archive: yes", False, "`archive` must be true or false: it is `yes`"),
            ("archive: True", True, "`archive` must be true or false"),
            ("archive:", False, "`archive` is not set"),
            ("# archive", False, "`archive` is not set"),
            ("archive: false", None, "the record holds no boolean"),
        ],
    )
    def test_anything_else_fails(
        self, tmp_path: Path, line: str, recorded: bool | None, because: str
    ) -> None:
        """Another text, none, a flip by hand, and a record that holds no boolean."""
        config = CONFIG.replace("archive: false", line)
        outcome = archive(class_a(tmp_path, config, options=Options(("hermes",), recorded)))
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)

    def test_the_place_of_the_line_is_shown(self, tmp_path: Path) -> None:
        """As path, line and column."""
        outcome = archive(class_a(tmp_path, with_key("archive: true")))
        assert outcome.findings[0].place().startswith(".goblin/goblin.yaml:3")

    def test_a_record_without_a_boolean_is_read_as_json(self, tmp_path: Path) -> None:
        """`"false"` is a text."""
        repo = class_a(tmp_path)
        text = repo.read(".goblin/installed.json").replace('"archive": false', '"archive": "false"')
        assert "no boolean" in archive(repo.write({".goblin/installed.json": text})).summary

    def test_global_engine_mode_has_no_record_to_compare(self, tmp_path: Path) -> None:
        """The line is judged, and the missing comparison is said."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG + "engine_dir: /opt/goblin\n"}, tmp_path)
        outcome = archive(repo)
        assert outcome.verdict is Verdict.PASS
        assert "no record to compare with" in said(outcome)
