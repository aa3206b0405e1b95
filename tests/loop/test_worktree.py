"""The tree that a turn was about: what git would compute, without `.goblin`, and without writing anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin.git import Git, at
from goblin.loop import worktree
from tests.support import Repo, build_repo, git

FILES = {
    "README.md": "# Sample\n",
    "a.txt": "a",
    "a/b.txt": "b",
    "a/c/d.sh": "#!/bin/sh\nexit 0\n",
    "a0": "sorts after a/",
    "caf\u00e9.txt": "\u00e9",
    "link@": "a.txt",
    ".goblin/goblin.yaml": "class: A\n",
}


@pytest.fixture(params=["sha1", "sha256"])
def repo(tmp_path: Path, request: pytest.FixtureRequest) -> Repo:
    """A committed repository, in either object format."""
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main", f"--object-format={request.param}")
    made = Repo(root).write(FILES)
    made.commit("start")
    return made


def asked(repo: Repo) -> Git:
    """Git, asked about a repository."""
    found = at(str(repo.root))
    assert found is not None
    return Git(found)


def by_git(repo: Repo, folder: Path) -> str:
    """The tree that git makes of the same files without `.goblin`, in a scratch index."""
    env = {"GIT_INDEX_FILE": str(folder / "index")}
    repo.git("add", "--all", env=env)
    repo.git("rm", "-r", "--cached", "--quiet", "--ignore-unmatch", ".goblin", env=env)
    return repo.git("write-tree", env=env)


def test_a_commit_and_its_clean_work_tree_are_one_tree(repo: Repo, tmp_path: Path) -> None:
    """And it is the one that git computes."""
    tree = by_git(repo, tmp_path)
    assert worktree.of_commit(asked(repo), "HEAD") == tree
    assert worktree.of_files(asked(repo)) == tree


@pytest.mark.parametrize(
    "change",
    [
        {"a/b.txt": "edited"},
        {"new/deep/file.txt": "untracked"},
        {"new.sh": "#!/bin/sh\n"},
        {"other@": "README.md"},
        {"a.txt": ""},
    ],
    ids=["edited", "untracked", "executable", "link", "emptied"],
)
def test_uncommitted_work_is_seen(repo: Repo, tmp_path: Path, change: dict[str, str]) -> None:
    """An agent that works without committing moves the tree, too."""
    before = worktree.of_files(asked(repo))
    repo.write(change)
    found = worktree.of_files(asked(repo))
    assert found != before
    assert found == by_git(repo, tmp_path)


def test_a_file_that_is_gone_is_seen(repo: Repo, tmp_path: Path) -> None:
    """Also where it was the only one of its folder."""
    repo.remove("a/c/d.sh")
    assert worktree.of_files(asked(repo)) == by_git(repo, tmp_path)


def test_a_file_that_became_a_folder_is_seen(repo: Repo, tmp_path: Path) -> None:
    """And a link that became a file."""
    repo.remove("a0", "link").write({"a0/x": "x", "link": "a file now"})
    assert worktree.of_files(asked(repo)) == by_git(repo, tmp_path)


def test_the_record_moves_nothing(repo: Repo) -> None:
    """Keeping the record, or any file of the harness, leaves the tree as it is."""
    before = worktree.of_files(asked(repo)), worktree.of_commit(asked(repo), "HEAD")
    repo.commit("Record", {".goblin/loop/decisions.tsv": "x", ".goblin/goblin.yaml": "y"})
    repo.write({".goblin/loop/predicate": "z"})
    assert (worktree.of_files(asked(repo)), worktree.of_commit(asked(repo), "HEAD")) == before


def test_what_is_ignored_does_not_count(repo: Repo) -> None:
    """A build output is no work."""
    repo.commit("Ignore", {".gitignore": "out/\n"})
    before = worktree.of_files(asked(repo))
    repo.write({"out/x": "x"})
    assert worktree.of_files(asked(repo)) == before


def test_nothing_is_written(repo: Repo) -> None:
    """Neither an object nor the index."""
    repo.write({"a.txt": "never seen before"})
    objects = sorted(str(path) for path in (repo / ".git/objects").rglob("*"))
    index = (repo / ".git/index").read_bytes()
    worktree.of_files(asked(repo))
    assert sorted(str(path) for path in (repo / ".git/objects").rglob("*")) == objects
    assert (repo / ".git/index").read_bytes() == index


def test_a_fifo_is_not_waited_for(repo: Repo) -> None:
    """A tracked file that became a FIFO counts as gone."""
    repo.remove("a.txt")
    os.mkfifo(repo / "a.txt")
    assert worktree.of_files(asked(repo))


def test_no_filter_of_the_repository_runs(tmp_path: Path) -> None:
    """What a hostile configuration names is not started: the bytes themselves are hashed."""
    repo = build_repo({"x.dat": "plain", ".gitattributes": "*.dat filter=evil\n"}, tmp_path / "repository")
    marker = tmp_path / "ran"
    repo.git("config", "filter.evil.clean", f"sh -c 'touch {marker}; cat'")
    repo.write({"x.dat": "edited"})
    worktree.of_files(asked(repo))
    assert not marker.exists()
