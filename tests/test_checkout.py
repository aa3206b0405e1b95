"""A clean checkout holds one commit, answers as a repository, and touches nothing of the original."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from goblin.checkout import CheckoutFailed, clean_checkout
from goblin.git import Git, at
from tests.support import Repo, build_repo, git, hermetic


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where checkouts are made during a test; nothing may be left in it."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def git_of(repo: Repo) -> Git:
    """Git, asked about this repository."""
    found = at(str(repo.root))
    assert found is not None
    return Git(found)


def files_of(folder: str) -> set[str]:
    """Every path below a folder but those of git."""
    found = set()
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        found |= {os.path.relpath(os.path.join(root, name), folder) for name in names}
    return found


def test_it_holds_the_files_of_the_commit_and_no_other(tmp_path: Path, temporary: Path) -> None:
    """Not what is untracked, ignored, staged, edited or committed later; modes and links are kept."""
    repo = build_repo(
        {"a": "1", "b/run": "#!/bin/sh\n", "link@": "a", "clé": "x", ".gitignore": "dist\n"}, tmp_path
    )
    first = repo.head
    repo.commit("later", {"a": "2", "later": "x"})
    repo.write({"new": "x", "dist": "x", "staged": "x"}).git("add", "staged")
    with clean_checkout(git_of(repo), first) as folder:
        assert files_of(folder) == {"a", "b/run", "link", "clé", ".gitignore"}
        assert Path(folder, "a").read_text() == "1"
        assert os.access(os.path.join(folder, "b/run"), os.X_OK)
        assert os.readlink(os.path.join(folder, "link")) == "a"
        assert git(folder, "status", "--porcelain") == ""
    assert list(temporary.iterdir()) == []


def test_it_answers_as_the_repository_does(tmp_path: Path) -> None:
    """HEAD is the commit, and branches and tags are there to compare with."""
    repo = build_repo({"a": "1"}, tmp_path)
    first = repo.head
    repo.git("tag", "-a", "-m", "x", "v1")
    second = repo.commit("second", {"a": "2"})
    with clean_checkout(git_of(repo), first) as folder:
        assert git(folder, "rev-parse", "HEAD") == first
        assert git(folder, "rev-parse", "main") == second
        assert git(folder, "describe") == "v1"
        assert git(folder, "diff", "--name-only", "main") == "a"
        git(folder, "commit", "--quiet", "--allow-empty", "-m", "inside")
        git(folder, "branch", "--force", "main", "HEAD")
    assert repo.git("rev-parse", "main") == second
    assert repo.git("rev-list", "--all", "--count") == "2"


def test_it_stands_on_a_branch_where_one_is_given(tmp_path: Path) -> None:
    """Also on one that is elsewhere in the original, or not there at all."""
    repo = build_repo({"a": "1"}, tmp_path)
    first = repo.head
    second = repo.commit("second", {"a": "2"})
    for branch in ("main", "fix/one"):
        with clean_checkout(git_of(repo), first, branch) as folder:
            assert git(folder, "symbolic-ref", "--short", "HEAD") == branch
            assert git(folder, "rev-parse", "HEAD") == first
            assert git(folder, "status", "--porcelain") == ""
    assert repo.git("rev-parse", "main") == second


@pytest.mark.parametrize("branch", ["../../../outside", "a..b", "-x y", "a\nb", "a.lock"])
def test_a_branch_that_is_no_name_writes_nothing(tmp_path: Path, branch: str) -> None:
    """A repository may say so of its HEAD."""
    repo = build_repo({"a": "1"}, tmp_path)
    with pytest.raises(CheckoutFailed), clean_checkout(git_of(repo), repo.head, branch):
        raise AssertionError("unreachable")


def test_it_works_from_a_linked_worktree_a_bare_and_a_shallow_repository(tmp_path: Path) -> None:
    """Objects are borrowed from wherever they are."""
    repo = build_repo({"a": "1"}, tmp_path / "origin")
    repo.commit("second", {"a": "2"})
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    git(tmp_path, "clone", "--quiet", "--bare", str(repo.root), "bare")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repo.root}", "shallow")
    for name in ("linked", "bare", "shallow"):
        with clean_checkout(git_of(Repo(tmp_path / name)), repo.head) as folder:
            assert files_of(folder) == {"a"}
            assert git(folder, "log", "-1", "--format=%s") == "second"


def test_it_works_for_the_other_object_format_and_an_odd_path(tmp_path: Path) -> None:
    """SHA-256 ids, and a folder whose name the file of alternates must quote."""
    root = tmp_path / '"odd\npath'
    root.mkdir()
    git(root, "init", "--quiet", "--object-format=sha256")
    repo = Repo(root)
    repo.commit("start", {"a": "1"})
    with clean_checkout(git_of(repo), repo.head) as folder:
        assert files_of(folder) == {"a"}


def test_neither_hooks_nor_filters_nor_templates_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the repository's nor the user's."""
    planted = tmp_path / "planted"
    home = tmp_path / "home"
    template = home / "template" / "hooks"
    template.mkdir(parents=True)
    (template / "post-checkout").write_text(f"#!/bin/sh\ntouch {planted}\n")
    (template / "post-checkout").chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[init]\n\ttemplateDir = {home}/template\n[core]\n\thooksPath = {template}\n"
        f'[filter "f"]\n\tsmudge = touch {planted}\n\trequired = true\n'
    )
    repo = build_repo({"a": "1", ".gitattributes": "* filter=f\n"}, tmp_path / "repo")
    repo.git("config", "filter.f.smudge", f"touch {planted}")
    monkeypatch.setenv("HOME", str(home))
    with clean_checkout(git_of(repo), repo.head) as folder:
        assert Path(folder, "a").read_text() == "1"
        assert not os.path.exists(os.path.join(folder, ".git", "hooks"))
    assert not planted.exists()


def test_a_variable_of_the_environment_does_not_lead_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that a hook inherits."""
    repo = build_repo({"a": "1"}, tmp_path / "repo")
    other = build_repo({"b": "1"}, tmp_path / "other")
    before = other.git("for-each-ref"), other.git("ls-files", "-s")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    with clean_checkout(git_of(repo), repo.head) as folder:
        assert files_of(folder) == {"a"}
    monkeypatch.undo()
    assert (other.git("for-each-ref"), other.git("ls-files", "-s")) == before


def test_a_commit_that_is_not_there_is_an_error_for_people(tmp_path: Path, temporary: Path) -> None:
    """What git said, and nothing left behind."""
    repo = build_repo({"a": "1"}, tmp_path)
    with pytest.raises(CheckoutFailed, match="git said: "), clean_checkout(git_of(repo), "e" * 40):
        raise AssertionError("unreachable")
    assert list(temporary.iterdir()) == []


def test_a_missing_git_is_an_error_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not pass for an empty checkout."""
    repo = build_repo({"a": "1"}, tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(CheckoutFailed, match="git could not make the checkout"),
        clean_checkout(git_of(repo), repo.head),
    ):
        raise AssertionError("unreachable")


def test_a_command_that_hides_its_files_leaves_nothing(tmp_path: Path, temporary: Path) -> None:
    """Whatever it did to permissions."""
    repo = build_repo({"a/b": "1"}, tmp_path)
    with clean_checkout(git_of(repo), repo.head) as folder:
        script = "mkdir -p c/d && touch c/d/e && chmod 0 c/d c a"
        subprocess.run(["bash", "-c", script], cwd=folder, env=hermetic(), check=True)
    assert list(temporary.iterdir()) == []
