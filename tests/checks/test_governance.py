"""IN-05: what a branch changes of the rules, and the note that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo
from tests.support.records import governed
from tests.support.repo import Content, git

MATRIX = ".goblin/manifest/enforcement.tsv"
OWN = ".goblin/rules/my check.py"
GATE = ".forgejo/workflows/all.yml"


def review(repo: Repo) -> Outcome:
    """IN-05."""
    return judge(repo, "checks/install.py::governance_changes_by_review")


def note(head: str, listed: str, name: str = "one") -> dict[str, Content]:
    """A review note of a head that lists governance files."""
    return {f"reviews/{name}.md": f"# Review\n\nhead: {head}\nstakes: S1\ngovernance: {listed}\n\nprose\n"}


@pytest.fixture
def work(tmp_path: Path) -> Repo:
    """A governed repository that declares the part, on a branch beside `main`."""
    repo = governed(tmp_path / "repo", {MATRIX: "id\n"}, {GATE: "run: goblin-verify\n"}, opted_in=("anchor",))
    repo.git("switch", "-q", "-c", "work")
    return repo


def test_it_is_off_until_it_is_declared(tmp_path: Path) -> None:
    """And says how to turn it on."""
    repo = governed(tmp_path, {MATRIX: "id\n"})
    repo.git("switch", "-q", "-c", "work")
    repo.commit(files={MATRIX: "other\n"})
    outcome = review(repo)
    assert outcome.verdict is Verdict.SKIP
    assert "goblin-install --target . --opt-in anchor" in outcome.summary


def test_on_the_branch_itself_there_is_nothing_to_judge(work: Repo) -> None:
    """Whether HEAD is its tip or stands behind it."""
    assert said(review(work)) == "SKIP\nHEAD holds nothing that is not on main"
    work.git("switch", "-q", "main")
    work.commit(files={MATRIX: "two\n"})
    work.git("checkout", "-q", "HEAD~1")
    assert review(work).verdict is Verdict.SKIP


def test_each_change_is_named_with_what_became_of_it(work: Repo) -> None:
    """The remedy says how the paths are listed; the record and the config are governance too."""
    base = work.head
    work.remove(GATE)
    work.commit(files={MATRIX: "other\n", OWN: "new\n", "README.md": "free\n", ".goblin/loop/x": "free\n"})
    outcome = review(work)
    assert said(outcome).splitlines()[:5] == [
        "FAIL",
        "3 governance file(s) differ from main unreviewed",
        f"{GATE}: deleted, and no committed note lists it",
        f"{MATRIX}: changed, and no committed note lists it",
        f"{OWN}: added, and no committed note lists it",
    ]
    assert f"--name-only {base[:12]} HEAD" in outcome.remedy


@pytest.mark.parametrize("listed", ["{m}, {o}, {g}", "\n  - {m}\n  - {o}\n  - {g}", "{m},{o},{g}"])
def test_a_note_vouches_for_what_its_head_holds(work: Repo, listed: str) -> None:
    """As a list or by commas, also of a deletion and of a name with a blank; the rest may change later."""
    work.remove(GATE)
    head = work.commit(files={MATRIX: "other\n", OWN: "new\n"})
    work.commit(files=note(head, listed.format(m=MATRIX, o=OWN, g=GATE)))
    work.commit(files={"README.md": "more\n"})
    outcome = review(work)
    assert outcome.verdict is Verdict.PASS, said(outcome)
    assert outcome.summary == "3 governance file(s) differ from main, each named in a review note"
    assert f"{GATE}: deleted, as reviews/one.md says" in said(outcome)


def test_one_note_that_holds_is_enough_and_each_other_says_why_it_does_not(work: Repo) -> None:
    """A head before the change, one of the declared branch, one too short, one that is no commit."""
    before = work.head
    first = work.commit(files={MATRIX: "first\n"})
    head = work.commit(files={MATRIX: "second\n"})
    work.commit(
        files=note(before, MATRIX, "a")
        | note(first, MATRIX, "b")
        | note(head[:5], MATRIX, "c")
        | note("f" * 12, MATRIX, "d")
    )
    told = said(review(work))
    assert f"reviews/a.md lists it, but its head {before[:12]} is no commit of this change" in told
    assert f"reviews/b.md lists it, but the file changed again after its head {first[:12]}" in told
    assert f"reviews/c.md lists it, but its head '{head[:5]}' is too short" in told
    assert "reviews/d.md lists it, but its head 'ffffffffffff' is no commit of this repository" in told
    work.commit(files=note(head, MATRIX, "e"))
    assert review(work).verdict is Verdict.PASS


def test_a_note_counts_as_head_holds_it(work: Repo) -> None:
    """Not as it lies in the tree, and a header that cannot be read is shown."""
    head = work.commit(files={MATRIX: "other\n"})
    work.write(note(head, MATRIX))
    assert "no committed note lists it" in said(review(work))
    work.commit(files={"reviews/one.md": f"head: {head}\ngovernance: [\n"})
    work.write(note(head, MATRIX))
    assert "reviews/one.md:" in said(review(work))


def test_an_old_note_does_not_vouch_for_a_way_back(work: Repo) -> None:
    """What was reviewed once, and has been replaced on the branch since, is a change like any other."""
    work.git("switch", "-q", "main")
    head = work.commit(files={MATRIX: "weak\n"})
    work.commit(files=note(head, MATRIX))
    work.commit(files={MATRIX: "strong\n"})
    work.git("switch", "-q", "-C", "work")
    work.commit(files={MATRIX: "weak\n"})
    assert "is no commit of this change" in said(review(work))


@pytest.mark.parametrize("path", [".GOBLIN/manifest/x.tsv", ".goblin/last-gate-line/x", ".goblin"])
def test_what_a_file_system_might_find_below_goblin_is_governed(work: Repo, path: str) -> None:
    """Another case of the name, a folder in a runtime file's place, a link in the place of the folder."""
    if "/" not in path:
        work.git("rm", "-r", "-q", "--cached", ".goblin")
        work.git(
            "update-index",
            "--add",
            "--cacheinfo",
            f"120000,{work.git('hash-object', '-w', '--stdin')},.goblin",
        )
        work.git("commit", "-q", "-m", "link")
    else:
        work.commit(files={path: "x\n"})
    outcome = review(work)
    assert outcome.verdict is Verdict.FAIL
    assert f"{path}: added" in said(outcome)


def test_a_workflow_too_large_to_look_at_may_be_the_gate(work: Repo) -> None:
    """One that never runs goblin-verify is the project's own affair."""
    work.commit(
        files={".github/workflows/big.yml": "#" * (1 << 20) + "\n", ".github/workflows/ci.yml": "run: make\n"}
    )
    assert [finding.path for finding in review(work).findings] == [".github/workflows/big.yml"]


def test_the_adoption_itself_is_held_to_nothing(tmp_path: Path) -> None:
    """The branch holds no rules yet; once it does, a branch from before them cannot claim so."""
    repo = governed(tmp_path, {MATRIX: "id\n"}, opted_in=("anchor",))
    adopted = repo.head
    tree = repo.git("commit-tree", "-m", "before", repo.git("mktree", stdin=b""))
    repo.git("branch", "-f", "old", tree)
    repo.git("update-ref", "refs/remotes/origin/main", tree)
    repo.git("update-ref", "refs/heads/work", repo.git("commit-tree", "-p", tree, "-m", "x", "HEAD^{tree}"))
    repo.git("symbolic-ref", "HEAD", "refs/heads/work")
    assert said(review(repo)) == "SKIP\norigin/main holds no .goblin yet: this branch brings it"
    merged = repo.git("commit-tree", "-p", tree, "-m", "adopt", f"{adopted}^{{tree}}")
    repo.git("update-ref", "refs/remotes/origin/main", merged)
    assert review(repo).verdict is Verdict.FAIL


class TestCheckouts:
    """As CI has the repository."""

    def clone(self, work: Repo, place: Path, *options: str) -> Repo:
        """A clone of the work branch with what options say."""
        git(place.parent, "clone", "-q", *options, f"file://{work.root}", place.name)
        return Repo(place)

    def test_a_pull_request(self, work: Repo, tmp_path: Path) -> None:
        """A detached merge that nobody wrote: the branch's note still counts, also where main moved on."""
        head = work.commit(files={MATRIX: "other\n"})
        work.git("switch", "-q", "main")
        work.commit(files={"README.md": "moved\n", ".goblin/manifest/roles.tsv": "main's own\n"})
        clone = self.clone(work, tmp_path / "clone")
        clone.git("checkout", "-q", "--detach", "origin/main")
        clone.git("merge", "-q", "--no-ff", "-m", "merge", "origin/work")
        assert "1 governance file(s) differ from origin/main unreviewed" in said(review(clone))
        clone.git("checkout", "-q", "-b", "with-note", "origin/work")
        clone.commit(files=note(head, MATRIX))
        clone.git("checkout", "-q", "--detach", "origin/main")
        clone.git("merge", "-q", "--no-ff", "-m", "merge", "with-note")
        assert review(clone).verdict is Verdict.PASS

    def test_a_merge_that_brings_more_than_its_parents(self, work: Repo, tmp_path: Path) -> None:
        """HEAD itself is compared, not the side that came in."""
        work.commit(files={"README.md": "harmless\n"})
        clone = self.clone(work, tmp_path / "clone")
        clone.git("checkout", "-q", "--detach", "origin/main")
        clone.git("merge", "-q", "--no-ff", "--no-commit", "origin/work")
        clone.commit("merge", {MATRIX: "evil\n"})
        assert f"{MATRIX}: changed" in said(review(clone))

    def test_a_shallow_one_says_so(self, work: Repo, tmp_path: Path) -> None:
        """It fails with the branch and no common commit; without the branch there is nothing to compare."""
        for number in range(2):
            work.commit(files={MATRIX: f"{number}\n"})
        bare = self.clone(work, tmp_path / "one", "--depth=1", "--branch=work")
        bare.git("remote", "set-branches", "origin", "main")
        skipped = review(bare)
        assert skipped.verdict is Verdict.SKIP
        assert "there is neither origin/main nor main here; this clone is shallow" in skipped.summary
        bare.git("fetch", "-q", "--depth=1", "origin")
        outcome = review(bare)
        assert outcome.verdict is Verdict.FAIL
        assert "this shallow clone does not reach the merge base with origin/main" in outcome.summary
        assert outcome.remedy.startswith("git fetch --unshallow")
        bare.git("fetch", "-q", "--unshallow", "origin")
        assert f"{MATRIX}: changed" in said(review(bare))
