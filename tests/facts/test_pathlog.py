"""The commits that touched a path: right with and without what an earlier run kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin.facts import Facts, Run
from goblin.facts.pathlog import PathLog
from goblin.git import at
from tests.support import Repo, build_repo


def log_of(repo: Repo, *, cache: bool = True) -> PathLog:
    """The fact in a fresh run."""
    root = str(repo.root.resolve())
    log: PathLog = Facts(Run(root, at(root), cache=cache)).get("path_log")
    return log


def kept(repo: Repo) -> list[str]:
    """The files that the cache holds."""
    folder = repo.root / ".git/goblin/cache"
    return sorted(os.listdir(folder)) if folder.is_dir() else []


def test_it_lists_newest_first_and_continues_from_what_it_kept(tmp_path: Path) -> None:
    """A second run after new commits gives what a run without a cache gives."""
    repo = build_repo({"a": "1", "b": "1"}, tmp_path / "r")
    first = repo.head
    repo.commit("other", {"b": "2"})
    second = repo.commit("again", {"a": "2"})
    assert log_of(repo).touching("a") == (second, first)
    assert len(kept(repo)) == 1
    third = repo.commit("third", {"a": "3"})
    repo.commit("other", {"b": "3"})
    assert log_of(repo).touching("a") == log_of(repo, cache=False).touching("a") == (third, second, first)


def test_a_rewritten_history_forgets_what_was_dropped(tmp_path: Path) -> None:
    """Commits that HEAD no longer reaches are not in the answer, though they were kept."""
    repo = build_repo({"a": "1"}, tmp_path / "r")
    first = repo.head
    repo.commit("dropped", {"a": "2"})
    assert len(log_of(repo).touching("a")) == 2
    repo.git("reset", "-q", "--hard", first)
    new = repo.commit("instead", {"a": "3"})
    assert log_of(repo).touching("a") == (new, first)


def test_a_change_that_a_merge_threw_away_is_seen(tmp_path: Path) -> None:
    """Both sides of a merge are walked."""
    repo = build_repo({"a": "1"}, tmp_path / "r")
    first = repo.head
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", {"a": "2"})
    repo.git("checkout", "-q", "main")
    repo.commit("main", {"b": "1"})
    repo.git("merge", "-q", "-s", "ours", "-m", "merge", "side")
    assert {first, side} <= set(log_of(repo).touching("a"))


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"head": 5, "commits": []}', '{"head": "x", "commits": ["y"]}']
)
def test_a_damaged_cache_is_no_answer(tmp_path: Path, content: str) -> None:
    """Whatever stands in the cache, the answer is right."""
    repo = build_repo({"a": "1"}, tmp_path / "r")
    expected = log_of(repo).touching("a")
    (repo.root / ".git/goblin/cache" / kept(repo)[0]).write_text(content)
    assert log_of(repo).touching("a") == expected == (repo.head,)


def test_a_static_run_keeps_nothing(tmp_path: Path) -> None:
    """Nor does a run without caches; and no commit at all is no error."""
    repo = build_repo({"a": "1"}, tmp_path / "r")
    log_of(repo, cache=False).touching("a")
    root = str(repo.root.resolve())
    Facts(Run(root, at(root), static=True)).get("path_log").touching("a")
    assert kept(repo) == []
    assert log_of(build_repo({}, tmp_path / "empty", commit=None)).touching("a") == ()
