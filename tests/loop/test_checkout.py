"""A command of the loop in a clean checkout: what it sees, and what it is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin.git import Git, at
from goblin.loop.checkout import clean
from tests.support import Repo, build_repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A commit, and things that are not committed."""
    made = build_repo({"README.md": "one\n"}, tmp_path / "repository")
    return made.write({"README.md": "not committed\n", "untracked.txt": "x"})


def said(repo: Repo, command: str) -> str:
    """What a command prints in a clean checkout; it must end with 0."""
    found = at(str(repo.root))
    assert found is not None
    with clean(Git(found), repo.head, "main") as made:
        done = made.run(command, 60)
    assert done.code == 0, done.output
    assert not os.path.exists(made.root)
    return done.output.decode()


def test_it_runs_on_what_is_committed(repo: Repo) -> None:
    """On its branch, with a clean status, at the root."""
    assert said(repo, "ls; cat README.md; git status --short --branch") == "README.md\none\n## main\n"


def test_it_knows_where_it_runs(repo: Repo) -> None:
    """GOBLIN_ROOT is the checkout, not the original."""
    assert said(repo, '[ "$GOBLIN_ROOT" = "$PWD" ] && echo here') == "here\n"


def test_it_may_be_goblin_verify(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mark that stops a gate from recursing is not set, unless the caller is a gate itself."""
    monkeypatch.delenv("GOBLIN_VERIFY_DEPTH", raising=False)
    assert said(repo, 'echo "[$GOBLIN_VERIFY_DEPTH]"') == "[]\n"
    monkeypatch.setenv("GOBLIN_VERIFY_DEPTH", "1")
    assert said(repo, 'echo "[$GOBLIN_VERIFY_DEPTH]"') == "[1]\n"
