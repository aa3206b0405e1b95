"""Hex digits are looked up as ids of objects (more of it in tests/facts/test_history.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.commitid import named
from goblin.git import Git, at
from goblin.outcome import CannotRun
from tests.support import Repo, build_repo
from tests.support.repo import write_files


def git_of(repo: Repo) -> Git:
    """Git, asked about this repository."""
    found = at(str(repo.root))
    assert found is not None
    return Git(found)


def test_a_commit_is_named_whether_a_ref_reaches_it_or_not(tmp_path: Path) -> None:
    """The caller judges that; all candidates are given."""
    repo = build_repo({"a": "1"}, tmp_path)
    dangling = repo.git("commit-tree", "-m", "x", "HEAD^{tree}")
    found = named(git_of(repo), [repo.head[:9], dangling])
    assert found[repo.head[:9]][:] == (repo.head, "", (repo.head,))
    assert found[dangling].candidates == (dangling,)


def test_a_prefix_of_two_commits_gives_both(tmp_path: Path) -> None:
    """Commits that differ in their message alone, until two begin alike."""
    repo = build_repo({"a": "1"}, tmp_path)
    seen: dict[str, str] = {}
    for number in range(10_000):
        oid = repo.git("commit-tree", "-m", str(number), "HEAD^{tree}")
        other = seen.setdefault(oid[:4], oid)
        if other != oid:
            break
    else:
        raise AssertionError("no two ids begin alike")
    found = named(git_of(repo), [oid[:4]])[oid[:4]]
    assert found.commit == ""
    assert set(found.candidates) >= {oid, other}
    assert "write more digits" in found.reason


@pytest.mark.parametrize(
    "token", ["", "abc", "HEAD", "main", "--all", "ABCDEF1", "g" * 8, "a" * 65, "a b", "a\nb"]
)
def test_what_is_no_run_of_hex_digits_is_not_asked(tmp_path: Path, token: str) -> None:
    """Git never sees it."""
    repo = build_repo({"a": "1"}, tmp_path)
    assert named(git_of(repo), [token]) == {token: (("", "is not a commit id", ()))}


def test_a_repository_that_git_cannot_read_is_an_error(tmp_path: Path) -> None:
    """An empty answer never stands in for one."""
    repo = build_repo({"a": "1"}, tmp_path)
    git = git_of(repo)
    write_files(tmp_path, {".git/config": "[broken\n"})
    with pytest.raises(CannotRun, match="git cannot read this repository"):
        named(git, ["a" * 40])
