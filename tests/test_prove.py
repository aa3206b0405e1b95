"""The proof: controls must turn their row, a keep control must not, and the original stays untouched."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from goblin import prove
from goblin.manifest import TABLES, ManifestBroken
from goblin.outcome import CannotRun
from goblin.watch import Watch
from tests.support import Repo
from tests.support.mini import CONFIG, facts_of, mini_home, mini_repo, row, table

__all__ = ["mini_home"]

CHECK = "grep -q Mini README.md || { echo README.md:1: no title; exit 1; }"
RED = ("ZZ-01", "title-removed", "swap README.md Mini Maxi", "FAIL", "no title")
KEEP = ("ZZ-01", "line-added", "append README.md more && commit", "PASS", "-")


def repository(root: Path, controls: list[tuple[str, ...]], check: str = CHECK, **cells: str) -> Repo:
    """A repository with one row and its controls."""
    files = {".goblin/manifest/controls.tsv": table(TABLES["controls.tsv"], controls)}
    return mini_repo(root, [row("ZZ-01", check, **cells)], files, cells.pop("config", CONFIG))


def snapshot(root: Path) -> dict[str, str]:
    """Every file below a folder, git's own included, with its mode and digest."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            found[str(path)] = f"{path.lstat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"
    return found


def test_a_row_that_turns_under_its_controls_bites(tmp_path: Path) -> None:
    """Red controls turn it, the keep control does not, and the repository is byte for byte the same."""
    repo = repository(tmp_path / "r", [RED, KEEP])
    before = snapshot(repo.root)
    proof = prove.prove(facts_of(repo), ["ZZ-01"])
    assert proof.rows[0].verdict == "BITES", proof.as_text()
    assert proof.exit_code == 0
    assert snapshot(repo.root) == before
    assert "1 of 1 red, 1 of 1 kept" in proof.as_text()


def test_a_row_that_stays_green_is_toothless(tmp_path: Path) -> None:
    """A check that always passes is named, with the control that it slept through."""
    proof = prove.prove(facts_of(repository(tmp_path / "r", [RED, KEEP], check="true")), ["ZZ-01"])
    assert proof.exit_code == 1
    assert "TOOTHLESS ZZ-01" in proof.as_text()
    assert "title-removed: expected FAIL, got PASS" in proof.as_text()


def test_a_row_that_turns_for_another_reason_is_toothless(tmp_path: Path) -> None:
    """The row must say what the control names, so that a red control cannot pass by accident."""
    other = (*RED[:4], "the licence is missing")
    proof = prove.prove(facts_of(repository(tmp_path / "r", [other])), ["ZZ-01"])
    assert proof.exit_code == 1
    assert "without saying 'the licence is missing'" in proof.as_text()


def test_a_keep_control_that_turns_red_is_a_false_alarm(tmp_path: Path) -> None:
    """A row that fails under a harmless change fails the proof too."""
    harmless = ("ZZ-01", "harmless", "swap README.md Mini Midi", "!FAIL", "-")
    proof = prove.prove(facts_of(repository(tmp_path / "r", [RED, harmless])), ["ZZ-01"])
    assert proof.exit_code == 1
    assert "harmless: expected !FAIL, got FAIL" in proof.as_text()


def test_controls_do_not_see_each_other(tmp_path: Path) -> None:
    """Commits, refs, settings, ignored files, removed folders and modes are all brought back."""
    ruin = (
        "git checkout -q -b other && git config user.name x && mkdir -p deep/er && touch deep/er/f && "
        "rm -r .goblin/manifest/controls.tsv && write .gitignore x && touch x && chmod 000 deep && "
        "swap README.md Mini Maxi && commit && git tag t && git branch -D main"
    )
    first = ("ZZ-01", "ruin", ruin, "FAIL", "no title")
    clean = (
        '[ "$(git rev-parse --abbrev-ref HEAD)" = main ] && [ ! -e deep ] && [ ! -e x ] && '
        '! git rev-parse -q --verify t && [ -z "$(git status --porcelain --ignored)" ]'
    )
    proof = prove.prove(
        facts_of(repository(tmp_path / "r", [first, ("ZZ-01", "clean", clean, "PASS", "-")])), ["ZZ-01"]
    )
    assert proof.exit_code == 0, proof.as_text()
    assert [trial.state for trial in proof.rows[0].trials] == ["held", "held"], proof.as_text()


def test_a_mutation_that_misses_is_not_counted_as_proof(tmp_path: Path) -> None:
    """A control whose edit does not apply here is shown as such, and nothing was proved: exit 2."""
    missed = ("ZZ-01", "missed", "swap README.md Absent Other", "FAIL", "-")
    proof = prove.prove(facts_of(repository(tmp_path / "r", [missed])), ["ZZ-01"])
    assert proof.exit_code == 2
    assert "missed: not provable here: the mutation missed" in proof.as_text()


def test_an_opted_out_row_is_not_provable_and_no_failure(tmp_path: Path) -> None:
    """The reason is the row's own skip."""
    repo = repository(tmp_path / "r", [RED], part="gate")
    config = repo.root / ".goblin/goblin.yaml"
    config.write_text(CONFIG + "disabled: [gate]\n")
    repo.commit("Opt out")
    proof = prove.prove(facts_of(repo))
    assert "UNPROVEN  ZZ-01  not provable here: rule of ZZ-01 (opt-out: gate)" in proof.as_text()


def test_a_row_without_controls_is_toothless(tmp_path: Path) -> None:
    """A rule that nothing shows to bite fails the proof."""
    proof = prove.prove(facts_of(repository(tmp_path / "r", [RED])), [])
    assert "TOOTHLESS IN-03  no control" in proof.as_text()
    assert proof.exit_code == 1


def test_a_broken_matrix_is_an_expected_answer(tmp_path: Path) -> None:
    """`exit:3` is met by a matrix that cannot be read, with the reason in its message."""
    blank = ("ZZ-01", "blank", "setcell ZZ-01 check ''", "exit:3", "empty check")
    proof = prove.prove(facts_of(repository(tmp_path / "r", [blank])), ["ZZ-01"])
    assert proof.exit_code == 0, proof.as_text()


def test_uncommitted_work_is_said_and_left_out(tmp_path: Path) -> None:
    """The proof is about HEAD; what is not in it is counted in a note."""
    repo = repository(tmp_path / "r", [RED, KEEP])
    (repo.root / "README.md").write_text("no title here\n")
    proof = prove.prove(facts_of(repo), ["ZZ-01"])
    assert proof.exit_code == 0, proof.as_text()
    assert "1 uncommitted" in proof.as_text()


def test_an_install_that_is_not_committed_cannot_be_proved(tmp_path: Path) -> None:
    """The remedy says to commit first."""
    repo = repository(tmp_path / "r", [RED])
    repo.git("rm", "-rq", "--cached", ".goblin")
    repo.git("commit", "-qm", "Forget the install")
    with pytest.raises(CannotRun, match="not committed"):
        prove.prove(facts_of(repo), ["ZZ-01"])


@pytest.mark.parametrize(
    ("control", "message"),
    [
        (("QQ-01", "x", "true", "FAIL", "-"), "there is no row QQ-01"),
        (("ZZ-01", "x", "true", "RED", "-"), "expect is 'RED'"),
        (("ZZ-01", "x", "true", "exit:", "-"), "expect is 'exit:'"),
        (("ZZ-01", "x", " ", "FAIL", "-"), "has no mutation"),
    ],
)
def test_a_malformed_control_breaks_the_manifest(
    tmp_path: Path, control: tuple[str, ...], message: str
) -> None:
    """A control that could never say anything is exit 3, with its line."""
    with pytest.raises(ManifestBroken, match=f"controls.tsv:2: .*{message}"):
        prove.prove(facts_of(repository(tmp_path / "r", [control])), ["ZZ-01"])


def test_the_proof_as_json(tmp_path: Path) -> None:
    """One line, with every control's expectation and answer."""
    proof = prove.prove(facts_of(repository(tmp_path / "r", [RED, KEEP])), ["ZZ-01"])
    value = json.loads(proof.as_json())
    assert proof.as_json().count("\n") == 1
    assert [(c["control"], c["expect"], c["got"], c["state"]) for c in value["rows"][0]["controls"]] == [
        ("title-removed", "FAIL", "FAIL", "held"),
        ("line-added", "PASS", "PASS", "held"),
    ]


def test_detached_shallow_and_worktree_repositories_can_be_proved(tmp_path: Path) -> None:
    """The scratch clone needs no branch, no full history and no `.git` folder."""
    repo = repository(tmp_path / "r", [RED, KEEP])
    (repo.root / "later").write_text("x")
    repo.commit("Later")
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", str(tmp_path / "shallow"))
    for place in ("linked", "shallow"):
        proof = prove.prove(facts_of(Repo(tmp_path / place)), ["ZZ-01"])
        assert proof.exit_code == 0, f"{place}: {proof.as_text()}"


class Told(Watch):
    """Keeps what a run says that it is at."""

    def __init__(self) -> None:
        self.rows: list[str] = []

    def row(self, text: str) -> None:
        """One more step."""
        self.rows.append(text)


def test_whoever_watches_is_told_how_far_a_proof_is(tmp_path: Path) -> None:
    """Each row as its controls begin; `tests/test_watch.py` holds what a terminal shows of it."""
    told = Told()
    prove.prove(facts_of(repository(tmp_path / "r", [RED, KEEP]), watch=told), ["ZZ-01"])
    assert told.rows == ["1 of 1, controls of ZZ-01"]


SWITCHED = '''
from goblin.outcome import Finding, failed, passed, skipped


def nothing_is_bad(tree):
    """No page says BAD, where that is looked at."""
    if tree.kind("on") == "missing":
        return skipped("switched off")
    pages = [name for name in ("old.md", "new.md") if tree.kind(name) == "file"]
    found = [Finding(name, 1) for name in pages if "BAD" in tree.text(name)]
    return failed("bad", found) if found else passed("none")
'''


def test_a_keep_control_does_not_answer_for_what_the_repository_breaks_itself(
    tmp_path: Path, mini_home: Path
) -> None:
    """A row that was not looked at before is no false alarm where it flags files that no control touched."""
    (mini_home / "checks" / "zz.py").write_text(SWITCHED)
    on = ("ZZ-01", "on", "write on x && write new.md fine", "PASS", "-")
    alarm = ("ZZ-01", "alarm", "write on x && write new.md BAD", "PASS", "-")
    repo = repository(tmp_path / "r", [on, alarm], "checks/zz.py::nothing_is_bad")
    for page, states in (("fine", ["held", "broken"]), ("BAD", ["unprovable", "broken"])):
        repo.commit(page, {"old.md": f"{page}\n"})
        trials = prove.prove(facts_of(repo), ["ZZ-01"]).rows[0].trials
        assert [trial.state for trial in trials] == states, trials
    assert "breaks the rule by itself" in trials[0].detail
