"""SK: installed skills and the advisory cap, judged on real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.facts.record import Options
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo
from tests.support.mini import CONFIG, mini_repo, row
from tests.support.records import governed
from tests.support.repo import Files

SEES = "## What this cannot see\n\n- Whether it is useful.\n"
A, B = ".hermes/skills/a/SKILL.md", ".hermes/skills/b/SKILL.md"


def text(name: str, body: str = SEES) -> str:
    """A sound skill."""
    return f"---\nname: {name}\ndescription: What it is for.\n---\n\n# {name}\n\n{body}"


def skilled(root: Path, others: Files | None = None) -> Repo:
    """A repository with two recorded skills."""
    return governed(root, {A: text("a"), B: text("b")}, others)


def front(repo: Repo) -> Outcome:
    """SK-01."""
    return judge(repo, "checks/skills.py::skills_open_with_front_matter")


def hashes(repo: Repo) -> Outcome:
    """SK-02."""
    return judge(repo, "checks/skills.py::installed_skills_keep_their_hash")


def cap(repo: Repo) -> Outcome:
    """SK-03."""
    return judge(repo, "checks/skills.py::advisories_are_capped")


def blind(repo: Repo) -> Outcome:
    """SK-04."""
    return judge(repo, "checks/skills.py::skills_say_what_they_cannot_see")


class TestFrontMatter:
    """SK-01."""

    def test_sound_skills_are_counted(self, tmp_path: Path) -> None:
        """Your own, which no record names, are judged too: an agent loads them all the same."""
        repo = skilled(tmp_path, {".hermes/skills/mine/SKILL.md": text("mine")})
        assert front(repo) == Outcome(Verdict.PASS, "3 skill(s), each with a name and a description")

    @pytest.mark.parametrize(
        ("old", "new", "because"),
        [
            ("---\nname", "name", f"{A}:1:1: the first line is not exactly ---"),
            ("description: What it is for.\n", "", f"{A}:1: the front matter has no description"),
            ("name: a\n", "name:\n", f"{A}:2:1: name has no value"),
            ("name: a\n", "name: ''\n", f"{A}:2:1: name has no value"),
            ("name: a\n", "name: [a]\n", f"{A}:2:1: name is no text"),
            ("name: a\n", "name: other\n", f"{A}:2:1: name is 'other' and the folder is 'a'"),
            ("\n---\n", "\n", f"{A}:1:1: the front matter is not closed"),
            ("name: a\n", "name: a\nname: a\n", f"{A}:3:1:"),
        ],
    )
    def test_a_crooked_skill_is_named_with_its_place(
        self, tmp_path: Path, old: str, new: str, because: str
    ) -> None:
        """Path, line and column, and what is wrong there."""
        repo = skilled(tmp_path).write({A: text("a").replace(old, new, 1)})
        outcome = front(repo)
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)
        assert "1 of 2 skill(s)" in outcome.summary

    def test_all_bad_files_are_named(self, tmp_path: Path) -> None:
        """Not the first alone."""
        outcome = front(skilled(tmp_path).write({A: "# A\n", B: "# B\n"}))
        assert {finding.path for finding in outcome.findings} == {A, B}

    @pytest.mark.parametrize(
        "change",
        [
            lambda data: data.replace(b"description: What", b"description: >-\n  What\n "),
            lambda data: data.replace(b"name: a\n", b"name: a\nlicense: 'x'\ntags: [y, z]\n"),
            lambda data: b"\xef\xbb\xbf" + data,
            lambda data: data.replace(b"\n", b"\r\n"),
        ],
        ids=["folded", "more keys", "byte-order mark", "CRLF"],
    )
    def test_other_ways_to_write_the_same(self, tmp_path: Path, change: object) -> None:
        """Folding, other keys, a mark and line ends change no verdict."""
        repo = skilled(tmp_path).write({A: change(text("a").encode())})  # type: ignore[operator]
        assert front(repo).verdict is Verdict.PASS
        assert blind(repo).verdict is Verdict.PASS

    def test_a_tolerated_mark_is_shown(self, tmp_path: Path) -> None:
        """Beside the pass."""
        repo = skilled(tmp_path).write({A: b"\xef\xbb\xbf" + text("a").encode()})
        assert "starts with a byte-order mark" in said(front(repo))

    def test_no_skill_and_no_opt_out_is_a_fail(self, tmp_path: Path) -> None:
        """Whatever the reason, with both ways out."""
        for repo in (
            governed(tmp_path / "1", {"a": ""}),
            governed(tmp_path / "2", {"a": ""}, {A: text("a")}, options=Options((), False)),
        ):
            for outcome in (front(repo), blind(repo)):
                assert outcome.verdict is Verdict.FAIL
                assert "no skill in" in outcome.summary
                assert "--skills" in outcome.remedy
                assert "--opt-out playbooks" in outcome.remedy


class TestHashes:
    """SK-02."""

    def test_equal_files_pass_with_their_count(self, tmp_path: Path) -> None:
        """A skill of one's own is no concern; recorded files elsewhere are IN-02's."""
        repo = skilled(tmp_path, {".hermes/skills/mine/SKILL.md": "x"})
        assert hashes(repo) == Outcome(Verdict.PASS, "2 skill file(s) hashed")

    def test_an_edit_and_a_loss_are_named(self, tmp_path: Path) -> None:
        """Both, by path."""
        repo = skilled(tmp_path).remove(B).write({A: text("a") + "more\n"})
        outcome = hashes(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "2 of 2 skill file(s) changed" in outcome.summary
        assert f"{A}: recorded" in said(outcome)
        assert f"{B}: missing" in said(outcome)

    def test_crlf_is_told_from_an_edit(self, tmp_path: Path) -> None:
        """It is a conversion, and `-text` prevents it."""
        repo = skilled(tmp_path).write({A: text("a").replace("\n", "\r\n")})
        assert "line-end conversion" in said(hashes(repo))

    @pytest.mark.parametrize("platforms", [("hermes",), ("claude", "hermes"), ()])
    def test_no_recorded_skill_is_a_fail(self, tmp_path: Path, platforms: tuple[str, ...]) -> None:
        """For each platform that the record names, and for none."""
        repo = governed(tmp_path, {"a": ""}, {A: text("a")}, options=Options(platforms, False))
        outcome = hashes(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "no skill recorded below" in outcome.summary

    def test_an_unrecorded_skill_with_the_harness_prefix_is_shown(self, tmp_path: Path) -> None:
        """It looks like ours and nobody vouches for it."""
        path = ".hermes/skills/goblin-extra/SKILL.md"
        outcome = hashes(skilled(tmp_path, {path: text("goblin-extra")}))
        assert outcome.verdict is Verdict.PASS
        assert [finding.path for finding in outcome.findings] == [path]


class TestCap:
    """SK-03."""

    def labelled(self, root: Path, ceiling: str = "") -> Repo:
        """A matrix with three labelled rows: by both cells, by one of them, and a source row."""
        rows = [
            row("AA-01", "advisory", enforced_by="advisory"),
            row("AA-02", "false", enforced_by="advisory"),
            row("AA-03", "advisory", enforced_by="advisory", scope="source"),
            row("AA-04", "true"),
        ]
        return mini_repo(root, rows, config=CONFIG + ceiling)

    def test_labels_are_counted_over_all_scopes_and_named(self, tmp_path: Path) -> None:
        """A command in the check cell takes no label away; 10 is the ceiling where none is set."""
        outcome = cap(self.labelled(tmp_path))
        assert outcome.verdict is Verdict.PASS
        assert outcome.summary == "advisory 3 of ceiling 10 (7 free slot(s))"
        assert "labelled advisory: AA-01 AA-02 AA-03" in said(outcome)

    def test_at_the_cap_it_says_what_comes_next(self, tmp_path: Path) -> None:
        """The ceiling itself is allowed."""
        outcome = cap(self.labelled(tmp_path, "advisory_ceiling: 3\n"))
        assert outcome.verdict is Verdict.PASS
        assert outcome.summary == "advisory 3 of ceiling 3 (0 free slots: the next advisory row FAILs)"

    def test_over_the_cap_it_fails_with_the_place_of_the_ceiling(self, tmp_path: Path) -> None:
        """And names every row that counts."""
        outcome = cap(self.labelled(tmp_path, "advisory_ceiling: 1\n"))
        assert outcome.verdict is Verdict.FAIL
        assert outcome.summary == "advisory 3 of ceiling 1 (over by 2)"
        assert outcome.findings[0].place().startswith(".goblin/goblin.yaml:5")
        assert "AA-03" in said(outcome)

    @pytest.mark.parametrize("ceiling", ["ten", "-1", "1.5", "[3]", "٣", "1e9"])
    def test_a_ceiling_that_is_no_whole_number_is_a_fail(self, tmp_path: Path, ceiling: str) -> None:
        """Of this row, with the key and its line."""
        outcome = cap(self.labelled(tmp_path, f"advisory_ceiling: {ceiling}\n"))
        assert outcome.verdict is Verdict.FAIL
        assert "advisory_ceiling" in said(outcome)
        assert ".goblin/goblin.yaml:5" in said(outcome)

    def test_rows_of_the_projects_own_count(self, tmp_path: Path) -> None:
        """A label is a label."""
        repo = self.labelled(tmp_path, "advisory_ceiling: 3\n")
        matrix = repo.read(".goblin/manifest/enforcement.tsv").splitlines()
        own = [matrix[0], *(line.replace("AA-01", "MY-01") for line in matrix if line.startswith("AA-01"))]
        repo.write({".goblin/rules/enforcement.tsv": "\n".join(own) + "\n"})
        assert "over by 1" in cap(repo).summary


class TestBlindSpots:
    """SK-04."""

    def test_each_skill_with_its_section_passes(self, tmp_path: Path) -> None:
        """Wherever in the skill it stands."""
        repo = skilled(tmp_path).write({A: text("a", f"{SEES}\n## How\n\n- so\n")})
        assert blind(repo) == Outcome(Verdict.PASS, "2 skill(s), each with a section ## What this cannot see")

    def test_every_offender_is_named(self, tmp_path: Path) -> None:
        """One without the section, one with an empty one, and its line."""
        repo = skilled(tmp_path).write(
            {A: text("a", SEES.replace("## ", "### ")), B: text("b", "## What this cannot see\n")}
        )
        outcome = blind(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "2 of 2 skill(s)" in outcome.summary
        assert f"{A}: no section ## What this cannot see" in said(outcome)
        assert f"{B}:8: ## What this cannot see is empty" in said(outcome)

    def test_a_skill_that_cannot_be_read_says_nothing(self, tmp_path: Path) -> None:
        """It is an offender, with the reason."""
        repo = skilled(tmp_path).remove(A).write({f"{A}@": "../b/SKILL.md"})
        for outcome in (blind(repo), front(repo)):
            assert f"{A}: cannot be read: a symbolic link" in said(outcome)
