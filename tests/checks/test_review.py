"""PG-01 to PG-03: review notes, judged on real repositories and real rebases."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo, git, hermetic
from tests.support.mini import CONFIG

NOTE = "reviews/control.md"
PLAIN = {".goblin/goblin.yaml": CONFIG, "code.py": "if x:\n    a()\n", "HANDOFF.md": "# H\n"}


def pg01(repo: Repo) -> Outcome:
    return judge(repo, "checks/review.py::a_note_names_what_it_reviewed")


def pg02(repo: Repo) -> Outcome:
    return judge(repo, "checks/review.py::the_stakes_have_their_evidence")


def pg03(repo: Repo) -> Outcome:
    return judge(repo, "checks/review.py::the_verdict_stands_for_this_head")


def patch_id(repo: Repo, base: str, head: str, form: str = "verbatim") -> str:
    """As a person computes it."""
    done = subprocess.run(
        ["git", "diff", "--full-index", base, head],
        cwd=repo.root,
        env=hermetic(),
        capture_output=True,
        check=True,
    )
    return repo.git("patch-id", f"--{form}", stdin=done.stdout).split(" ")[0]


def note(repo: Repo, base: str, head: str, number: str = "") -> str:
    """A note for a range."""
    return f"head: {head}\nbase: {base}\npatch-id: {number or patch_id(repo, base, head)}\nstakes: S1\n"


def plain(root: Path) -> Repo:
    """A repository on its declared branch."""
    return build_repo(PLAIN, root)


def reviewed(
    root: Path, change: str = "if x:\n    a()\n    grant()\n", path: str = NOTE
) -> tuple[Repo, str, str]:
    """A branch `work` with one change and the note for it, both committed; and the range."""
    repo = plain(root)
    base = repo.head
    repo.git("switch", "-q", "-c", "work")
    head = repo.commit("change", {"code.py": change})
    repo.commit("review", {path: note(repo, base, head)})
    return repo, base, head


@pytest.mark.parametrize("row", [pg01, pg02, pg03])
def test_without_a_note_there_is_nothing_to_judge(tmp_path: Path, row: object) -> None:
    """Also where there is no commit, no git, or only a README."""
    repo = build_repo({**PLAIN, "reviews/README.md": "How", "reviews/.gitkeep": ""}, tmp_path, commit=None)
    assert row(repo) == Outcome(Verdict.SKIP, "no review note in reviews/")  # type: ignore[operator]


@pytest.mark.parametrize("row", [pg01, pg03])
def test_without_a_commit_a_note_is_about_nothing(tmp_path: Path, row: object) -> None:
    """History is asked for."""
    repo = build_repo({**PLAIN, NOTE: "head: 0123abc\n"}, tmp_path, commit=None)
    outcome = row(repo)  # type: ignore[operator]
    assert (outcome.verdict, outcome.summary, outcome.remedy) == (
        Verdict.FAIL,
        "no commits yet",
        "git commit",
    )


class TestNames:
    """PG-01."""

    def test_a_full_and_a_short_id(self, tmp_path: Path) -> None:
        """Seven digits are enough, in either case of letters."""
        repo = plain(tmp_path)
        texts = [repo.head, repo.head[:7], repo.head[:12].upper()]
        repo.write({f"reviews/{n}.md": f"head: {text}\n" for n, text in enumerate(texts)})
        assert pg01(repo) == Outcome(Verdict.PASS, "3 review note(s)")

    @pytest.mark.parametrize(
        ("head", "told"),
        [
            ("", "no `head:`: name the commit"),
            (".", "`head` is '.': write 7 or more digits"),
            ("a", "write 7 or more digits"),
            ("HEAD", "write 7 or more digits"),
            ("main", "write 7 or more digits"),
            ("[a]", "no `head:`"),
            ("0" * 40, "is all zeros, which is no commit"),
            ("deadbee", "`head` deadbee is no commit of this repository"),
            ("deadbeef" * 5, "is no commit of this repository"),
            ("deadbeef" * 9, "write 7 or more digits"),
        ],
    )
    def test_what_is_no_commit(self, tmp_path: Path, head: str, told: str) -> None:
        """Every note is listed with the line of its head."""
        repo = plain(tmp_path).write(
            {NOTE: f"# Review\n\nstakes: S1\nhead: {head}\n", "reviews/b.md": "head: x\n"}
        )
        outcome = pg01(repo)
        assert (outcome.verdict, outcome.summary) == (Verdict.FAIL, "2 fault(s) in 2 review note(s)")
        assert told in said(outcome)
        assert "reviews/control.md:4:1: " in said(outcome)
        assert "reviews/b.md:1:1" in said(outcome)

    def test_a_branch_called_like_an_id_names_nothing(self, tmp_path: Path) -> None:
        """An id is an id."""
        repo = plain(tmp_path)
        repo.git("branch", "deadbeef")
        assert "is no commit" in said(pg01(repo.write({NOTE: "head: deadbeef\n"})))

    def test_other_objects_are_named(self, tmp_path: Path) -> None:
        """A tree, a blob and a tag are no commits."""
        repo = plain(tmp_path)
        repo.git("tag", "-a", "-m", "x", "v1")
        for spec, kind in (("HEAD^{tree}", "tree"), ("HEAD:code.py", "blob"), ("v1", "tag")):
            repo.write({NOTE: f"head: {repo.git('rev-parse', spec)}\n"})
            assert f"is a {kind}, not a commit" in said(pg01(repo))

    def test_digits_that_yaml_would_take_for_a_number(self, tmp_path: Path) -> None:
        """Found by trying dates until the id begins with decimal digits alone."""
        repo = plain(tmp_path)
        for second in range(2000):
            tree, parent = repo.git("rev-parse", "HEAD^{tree}"), repo.head
            date = {"GIT_COMMITTER_DATE": f"{1_700_000_000 + second} +0000"}
            commit = repo.git("commit-tree", "-p", parent, "-m", "x", tree, env=date)
            if commit[:7].isdigit():
                break
        repo.git("branch", "digits", commit)
        assert pg01(repo.write({NOTE: f"head: {commit[:7]}\n"})).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        ("name", "verdict"), [("fix-{}", "PASS"), ("fix-deadbee", "FAIL"), ("fix-dead", "PASS")]
    )
    def test_the_file_s_name_agrees(self, tmp_path: Path, name: str, verdict: str) -> None:
        """Where it ends with seven or more hex digits."""
        repo = plain(tmp_path)
        repo.write({f"reviews/{name.format(repo.head[:9])}.md": f"head: {repo.head[:7]}\n"})
        assert pg01(repo).verdict == verdict

    def test_a_base_that_is_given_is_a_commit_too(self, tmp_path: Path) -> None:
        """One that is left out is PG-03's business."""
        repo = plain(tmp_path)
        repo.write({NOTE: f"head: {repo.head}\nbase: deadbee\n"})
        assert "`base` deadbee is no commit" in said(pg01(repo))

    def test_a_header_that_cannot_be_read(self, tmp_path: Path) -> None:
        """All three rows say so, with the place."""
        repo = plain(tmp_path).write({NOTE: "head: a: b\n"})
        for row in (pg01, pg02, pg03):
            assert "reviews/control.md:1:8: a `: ` that belongs to no key" in said(row(repo))

    def test_a_clone_of_depth_one_says_that_it_is_shallow(self, tmp_path: Path) -> None:
        """And how to deepen it, rather than that the commit does not exist."""
        repo, _, _ = reviewed(tmp_path / "origin")
        git(tmp_path, "clone", "-q", "--depth=1", f"file://{repo.root}", "clone")
        for row, told in ((pg01, "this clone is shallow"), (pg03, "fetch full history")):
            outcome = row(Repo(tmp_path / "clone"))
            assert outcome.verdict is Verdict.FAIL
            assert told in said(outcome)
            assert "git fetch --unshallow" in outcome.remedy


class TestGoneHeads:
    """PG-01 where the branch was rewritten after the review."""

    def test_force_pushed_with_other_content(self, tmp_path: Path) -> None:
        """The reviewed commit is reachable from nowhere."""
        repo, base, head = reviewed(tmp_path)
        text = repo.read(NOTE)
        repo.git("reset", "-q", "--hard", base)
        repo.commit("other", {"code.py": "other\n", NOTE: text})
        outcome = pg01(repo)
        assert outcome.verdict is Verdict.FAIL
        assert f"`head` {head} is reachable from no branch or tag" in said(outcome)

    def test_rebased_on_a_moved_branch(self, tmp_path: Path) -> None:
        """The same change: it passes, and says so."""
        repo, _, _ = reviewed(tmp_path)
        repo.git("switch", "-q", "main")
        repo.commit("moved", {"other.py": "x\n"})
        repo.git("rebase", "-q", "main", "work")
        outcome = pg01(repo)
        assert outcome.verdict is Verdict.PASS
        assert "has the same patch id: a clean rebase" in said(outcome)

    def test_rebased_and_changed_in_white_space(self, tmp_path: Path) -> None:
        """A dedent makes another program of it."""
        repo, base, _ = reviewed(tmp_path)
        text = repo.read(NOTE)
        repo.git("reset", "-q", "--hard", base)
        repo.commit("dedented", {"code.py": "if x:\n    a()\ngrant()\n", NOTE: text})
        outcome = pg01(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "differs from it in white space only" in said(outcome)

    def test_squashed(self, tmp_path: Path) -> None:
        """The whole of what the branch has is what was reviewed; the note itself is left out."""
        repo = plain(tmp_path)
        base = repo.head
        repo.git("switch", "-q", "-c", "work")
        repo.commit("one", {"a.py": "1\n"})
        head = repo.commit("two", {"b.py": "2\n", "HANDOFF.md": "# H\n\nMore.\n"})
        text = note(repo, base, head)
        repo.git("reset", "-q", "--soft", base)
        repo.commit("both", {NOTE: text})
        assert "a clean rebase" in said(pg01(repo))
        assert pg01(repo).verdict is Verdict.PASS

    def test_cherry_picked_among_others(self, tmp_path: Path) -> None:
        """One commit of the range is what was reviewed."""
        repo, base, head = reviewed(tmp_path)
        text = repo.read(NOTE)
        repo.git("reset", "-q", "--hard", base)
        repo.commit("before", {"x.py": "x\n"})
        repo.git("cherry-pick", head)
        repo.commit("after", {"y.py": "y\n", NOTE: text})
        outcome = pg01(repo)
        assert outcome.verdict is Verdict.PASS
        assert "and commit" in said(outcome)

    @pytest.mark.parametrize("how", ["squash", "rebase"])
    def test_landed_on_the_declared_branch(self, tmp_path: Path, how: str) -> None:
        """Then the range is looked for behind the commit that brought the note, also when others follow."""
        repo = plain(tmp_path)
        base = repo.head
        repo.git("switch", "-q", "-c", "work")
        repo.commit("one", {"a.py": "1\n"})
        head = repo.commit("two", {"b.py": "2\n"})
        repo.commit("review", {NOTE: note(repo, base, head)})
        repo.git("switch", "-q", "main")
        repo.commit("moved", {"other.py": "x\n"})
        if how == "squash":
            repo.git("merge", "-q", "--squash", "work")
            repo.commit("landed")
        else:
            repo.git("rebase", "-q", "main", "work")
            repo.git("switch", "-q", "main")
            repo.git("merge", "-q", "--ff-only", "work")
        repo.git("branch", "-q", "-D", "work")
        repo.commit("later", {"later.py": "x\n"})
        assert (pg01(repo).verdict, "a clean rebase" in said(pg01(repo))) == (Verdict.PASS, True)

    def test_a_clone_without_the_old_commit_still_finds_the_equal_range(self, tmp_path: Path) -> None:
        """By the recorded id; PG-03 wants the old head, and says how to get it."""
        repo, _, _ = reviewed(tmp_path / "origin")
        repo.git("switch", "-q", "main")
        repo.commit("moved", {"other.py": "x\n"})
        repo.git("rebase", "-q", "main", "work")
        git(tmp_path, "clone", "-q", "--branch=work", f"file://{repo.root}", "clone")
        clone = Repo(tmp_path / "clone")
        assert (pg01(clone).verdict, "a clean rebase" in said(pg01(clone))) == (Verdict.PASS, True)
        assert pg03(clone).verdict is Verdict.FAIL
        assert "here: fetch full history" in said(pg03(clone))

    def test_a_pull_request_is_judged_by_the_side_that_came_in(self, tmp_path: Path) -> None:
        """A forge checks out a detached merge; the declared branch is known as its remote alone."""
        repo, _, _ = reviewed(tmp_path)
        repo.git("switch", "-q", "main")
        repo.commit("moved", {"other.py": "x\n"})
        repo.git("update-ref", "refs/remotes/origin/main", "main")
        repo.git("switch", "-q", "--detach", "main")
        repo.git("merge", "-q", "--no-ff", "--no-edit", "work")
        repo.git("branch", "-q", "-D", "main")
        assert (pg01(repo).verdict, pg03(repo).verdict) == (Verdict.PASS, Verdict.PASS)
        repo.git("switch", "-q", "work")
        repo.commit("more", {"code.py": "more\n"})
        repo.git("switch", "-q", "--detach", "origin/main")
        repo.git("merge", "-q", "--no-ff", "--no-edit", "work")
        assert "verdict void" in said(pg03(repo))


class TestStakes:
    """PG-02."""

    def judged(self, root: Path, *lines: str) -> Outcome:
        """A note of these header lines."""
        return pg02(build_repo({NOTE: "\n".join(lines) + "\n"}, root))

    CHECKS = "checks-run: tests 12 passed"

    @pytest.mark.parametrize(
        "lines",
        [
            ("stakes: S0",),
            ("stakes: S1",),
            ("stakes: S2", CHECKS),
            ("stakes: S2", "checks-run: |", "  tests 12 passed"),
            ("stakes: S2", "checks-run:", "  - tests: 12"),
            ("stakes: S2", "checks-run:", "- tests 12"),
            ("stakes: S3", CHECKS, "lanes: 2"),
            ("stakes: S3", CHECKS, "lanes: [one, two]"),
            ("stakes: S3", CHECKS, "lanes:", "- one", "- two", "- one"),
            ("stakes: S3", CHECKS, "lanes: one, two"),
            ("stakes: S4", CHECKS, "lanes: 3", "human: Ada 2026-01-02 accept"),
            ("stakes: S4", CHECKS, "lanes: 3", "human: Ada L., 2026-01-02, rejected"),
            ("stakes: S4", CHECKS, "lanes: 3", "human: Ada said yes"),
        ],
    )
    def test_enough(self, tmp_path: Path, lines: tuple[str, ...]) -> None:
        """The summary counts the tiers."""
        outcome = self.judged(tmp_path, *lines)
        assert (outcome.verdict, outcome.summary) == (Verdict.PASS, f"1 review note(s): 1 {lines[0][-2:]}")

    @pytest.mark.parametrize(
        ("lines", "told"),
        [
            (("head: x",), "no `stakes:`: write one of S0 S1 S2 S3 S4"),
            (("stakes: S9",), "`stakes` is 'S9'"),
            (("stakes: s1",), "`stakes` is 's1'"),
            (("stakes: S2 - shared",), "`stakes` is 'S2 - shared'"),
            (("stakes: [S1]",), "no `stakes:`"),
            (("head: x", "", "stakes: S1"), "no `stakes:`"),
            (("stakes: S2",), "S2 needs `checks-run:`"),
            (("stakes: S2", "checks-run:"), "S2 needs `checks-run:`"),
            (("stakes: S2", "checks-run:", "## Next", "tests 12 passed"), "S2 needs `checks-run:`"),
            (("stakes: S2", "checks-run: []"), "S2 needs `checks-run:`"),
            (("stakes: S2", "checks-run: '-'"), "S2 needs `checks-run:`"),
            (("stakes: S2", "checks-run: n/a"), "S2 needs `checks-run:`"),
            (("stakes: S2", "checks-run: '\u200b'"), "S2 needs `checks-run:`"),
            (("stakes: S3", "lanes: 2"), "S3 needs `checks-run:`"),
            (("stakes: S3", CHECKS), "S3 needs `lanes:`"),
            (("stakes: S3", CHECKS, "lanes: 1"), "S3 needs `lanes:`"),
            (("stakes: S3", CHECKS, "lanes: 0"), "S3 needs `lanes:`"),
            (("stakes: S3", CHECKS, "lanes: none"), "S3 needs `lanes:`"),
            (("stakes: S3", CHECKS, "lanes: '٢'"), "S3 needs `lanes:`"),
            (("stakes: S3", CHECKS, "lanes: -2"), "S3 needs `lanes:`"),
            (("stakes: S3", CHECKS, "lanes: 2.5"), "S3 needs `lanes:`"),
            (("stakes: S3", CHECKS, "lanes: [one]"), "S3 needs `lanes:`"),
            (("stakes: S3", CHECKS, "lanes: [one, ONE, ' one ']"), "S3 needs `lanes:`"),
            (("stakes: S3", CHECKS, "lanes: [one, none]"), "S3 needs `lanes:`"),
            (("stakes: S4", CHECKS, "lanes: 2"), "S4 needs `human: <name> <date> <accept|reject>`"),
            (("stakes: S4", CHECKS, "lanes: 2", "human: none"), "S4 needs `human:"),
            (("stakes: S4", CHECKS, "lanes: 2", "human: Ada 2026-02-30 accept"), "2026-02-30 is no date"),
            (
                ("stakes: S4", CHECKS, "lanes: 2", "human: Ada 2999-01-01 accept"),
                "2999-01-01 is in the future",
            ),
        ],
    )
    def test_not_enough(self, tmp_path: Path, lines: tuple[str, ...], told: str) -> None:
        """What is missing, and what to write."""
        outcome = self.judged(tmp_path, *lines)
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)

    def test_what_is_worth_saying_fails_nothing(self, tmp_path: Path) -> None:
        """No security line from S2 on, and a decision in words."""
        outcome = self.judged(tmp_path, "stakes: S4", self.CHECKS, "lanes: 2", "human: Ada said yes")
        assert "S4 without a `security:` line" in said(outcome)
        assert "write it as `human: <name> <date> <accept|reject>`" in said(outcome)
        quiet = (
            "stakes: S4",
            self.CHECKS,
            "lanes: 2",
            "human: Ada 2026-01-02 accept",
            "security: 0 findings",
        )
        assert self.judged(tmp_path / "quiet", *quiet).findings == ()


class TestVerdicts:
    """PG-03."""

    def test_a_verdict_that_stands(self, tmp_path: Path) -> None:
        """On the branch, and as history once it is merged and work goes on."""
        repo, _, _ = reviewed(tmp_path)
        assert pg03(repo) == Outcome(Verdict.PASS, "1 review note(s), each patch id computed again")
        repo.git("switch", "-q", "main")
        repo.git("merge", "-q", "--no-ff", "--no-edit", "work")
        repo.commit("on", {"code.py": "on\n"})
        assert pg03(repo).verdict is Verdict.PASS
        repo.git("switch", "-q", "-c", "next")
        repo.commit("further", {"code.py": "further\n"})
        assert pg03(repo).verdict is Verdict.PASS

    def test_both_ids_are_printed_where_they_differ(self, tmp_path: Path) -> None:
        """Recorded and now."""
        repo, base, head = reviewed(tmp_path)
        repo.write({NOTE: note(repo, base, head, "deadbeef")})
        now = patch_id(repo, base, head)
        assert f"recorded deadbeef (which is no patch id), now {now}" in said(pg03(repo))

    def test_a_head_that_moved(self, tmp_path: Path) -> None:
        """A later commit under the old id."""
        repo, base, head = reviewed(tmp_path)
        later = repo.commit("more", {"code.py": "more\n"})
        repo.commit("edit", {NOTE: note(repo, base, later, patch_id(repo, base, head))})
        assert "is not the range that was reviewed" in said(pg03(repo))

    @pytest.mark.parametrize("key", ["head", "base", "patch-id"])
    def test_a_missing_field(self, tmp_path: Path, key: str) -> None:
        """Each is needed."""
        repo, _, _ = reviewed(tmp_path)
        text = "".join(line for line in repo.read(NOTE).splitlines(True) if not line.startswith(key))
        assert f"no `{key}:`" in said(pg03(repo.write({NOTE: text})))

    def test_an_empty_range(self, tmp_path: Path) -> None:
        """It has no id, and nothing that is written there is right."""
        repo = plain(tmp_path)
        repo.write({NOTE: note(repo, repo.head, repo.head, "0" * 40)})
        assert "an empty range has no patch id" in said(pg03(repo))

    @pytest.mark.parametrize("form", ["verbatim", "stable"])
    def test_the_note_for_an_indented_call_does_not_cover_a_dedented_one(
        self, tmp_path: Path, form: str
    ) -> None:
        """A folded id passes with a note where it matches; a verbatim one tells the two apart."""
        repo, base, head = reviewed(tmp_path)
        old = patch_id(repo, base, head, form)
        assert pg03(repo.write({NOTE: note(repo, base, head, old)})).verdict is Verdict.PASS
        assert ("white space is folded in this id" in said(pg03(repo))) is (form == "stable")
        repo.git("checkout", "-q", NOTE)
        repo.git("reset", "-q", "--hard", base)
        other = repo.commit("dedented", {"code.py": "if x:\n    a()\ngrant()\n"})
        repo.commit("review", {NOTE: note(repo, base, other, old)})
        assert pg03(repo).verdict == ("FAIL" if form == "verbatim" else "PASS")

    def test_code_on_top_voids_the_verdict(self, tmp_path: Path) -> None:
        """What was not reviewed is named."""
        repo, _, head = reviewed(tmp_path)
        repo.commit("more", {"more.py": "x\n", "code.py": "y\n", "z1": "", "z2": ""})
        outcome = pg03(repo)
        assert outcome.verdict is Verdict.FAIL
        told = f"verdict void: after the reviewed head {head[:12]} there is code.py, more.py, z1 and 1 more"
        assert f"{NOTE}:1:1: {told}" in said(outcome)

    def test_white_space_on_top_voids_it_too_and_is_called_that(self, tmp_path: Path) -> None:
        """Whoever reviews again knows what to look for."""
        repo, _, _ = reviewed(tmp_path)
        repo.commit("dedent", {"code.py": "if x:\n    a()\ngrant()\n"})
        assert "there is (whitespace only) code.py" in said(pg03(repo))

    def test_what_was_taken_back_voids_nothing(self, tmp_path: Path) -> None:
        """The files are those that were reviewed."""
        repo, _, _ = reviewed(tmp_path)
        repo.commit("more", {"more.py": "x\n"})
        repo.git("rm", "-q", "more.py")
        repo.commit("back")
        assert pg03(repo).verdict is Verdict.PASS

    @pytest.mark.parametrize("path", [NOTE, "reviews/other.txt", "HANDOFF.md"])
    def test_notes_and_the_handoff_void_nothing(self, tmp_path: Path, path: str) -> None:
        """They record the review."""
        repo, _, _ = reviewed(tmp_path)
        text = repo.read(NOTE) if path == NOTE else ""
        repo.commit("record", {path: f"{text}\nMore.\n"})
        assert pg03(repo).verdict is Verdict.PASS

    def test_the_note_s_own_commit_may_be_amended(self, tmp_path: Path) -> None:
        """It is no part of the range."""
        repo, _, _ = reviewed(tmp_path)
        repo.write({NOTE: repo.read(NOTE) + "\nMore.\n"}).git("commit", "-q", "-a", "--amend", "-m", "x")
        assert pg03(repo).verdict is Verdict.PASS

    def test_a_new_note_for_the_new_head_supersedes_the_old_one(self, tmp_path: Path) -> None:
        """Of the whole range, or of what came on top; also over several notes."""
        repo, base, head = reviewed(tmp_path)
        second = repo.commit("more", {"more.py": "x\n"})
        repo.commit("review", {"reviews/b.md": note(repo, head, second)})
        outcome = pg03(repo)
        assert outcome.verdict is Verdict.PASS
        assert f"{NOTE}:1:1: superseded by reviews/b.md" in said(outcome)
        third = repo.commit("yet more", {"more.py": "y\n"})
        assert said(pg03(repo)).count("verdict void") == 2
        repo.commit("review", {"reviews/c.md": note(repo, second, third)})
        assert said(pg03(repo)).count("superseded by") == 2
        repo.remove("reviews/b.md").commit("one less")
        assert said(pg03(repo)).count("verdict void") == 1
        repo.commit("whole", {"reviews/c.md": note(repo, base, third)})
        assert pg03(repo).verdict is Verdict.PASS

    def test_a_wrong_note_supersedes_nothing(self, tmp_path: Path) -> None:
        """Only one that stands itself does."""
        repo, base, _ = reviewed(tmp_path)
        second = repo.commit("more", {"more.py": "x\n"})
        repo.commit("review", {"reviews/b.md": note(repo, base, second, "1" * 40)})
        assert "verdict void" in said(pg03(repo))

    def test_where_the_branch_is_unknown_that_is_said(self, tmp_path: Path) -> None:
        """The ids are computed all the same."""
        repo, _, _ = reviewed(tmp_path)
        repo.git("branch", "-q", "-D", "main")
        assert "not held against the branch: there is neither origin/main nor main here" in said(pg03(repo))

    def test_a_repository_full_of_traps_gives_the_same_verdicts(self, tmp_path: Path) -> None:
        """Settings, attributes and programs of the repository: none is followed, none runs."""
        repo, _, _ = reviewed(tmp_path / "r")
        for key, value in {
            "diff.noprefix": "true", "color.ui": "always", "diff.external": "touch ../../PWNED-external",
            "diff.t.textconv": "touch ../../PWNED-textconv", "filter.t.smudge": "touch ../../PWNED-smudge",
            "filter.t.clean": "touch ../../PWNED-clean", "core.fsmonitor": "touch ../../PWNED-fsmonitor",
        }.items():  # fmt: skip
            repo.git("config", key, value)
        repo.write({".git/info/attributes": "* diff=t filter=t\n"})
        assert [row(repo).verdict for row in (pg01, pg02, pg03)] == [Verdict.PASS] * 3
        assert [path.name for path in tmp_path.rglob("PWNED*")] == []
