"""This project as a clean machine has it: the tracked files alone, in a repository of their own."""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.env import PROJECT
from tests.support.repo import Repo, build_repo, git


def checkout(folder: Path) -> Repo:
    """Copy the tracked files, as they are in the work tree, into `folder` and commit them there."""
    names = git(PROJECT, "-c", "safe.directory=*", "ls-files", "-z").split("\0")
    for name in filter(None, names):
        if os.path.lexists(PROJECT / name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((PROJECT / name).read_bytes())
            (folder / name).chmod((PROJECT / name).stat().st_mode)
    return build_repo(root=folder)
