"""An empty repository outside the target, for questions that git can only answer inside one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from goblin import git


@contextmanager
def repository() -> Iterator[git.Git]:
    """A repository with no commit and an empty work tree; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="goblin-", ignore_cleanup_errors=True) as folder:
        dot_git = os.path.join(folder, ".git")
        for part in ("", "objects", "refs"):
            os.mkdir(os.path.join(dot_git, part))
        with open(os.path.join(dot_git, "HEAD"), "w", encoding="ascii") as head:
            head.write("ref: refs/heads/main\n")
        found = git.at(folder)
        assert found is not None
        yield git.Git(found)
