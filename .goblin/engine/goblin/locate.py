"""Which repository a command is about, found by walking up; nothing is run (spec rows-1, 1.1)."""

from __future__ import annotations

import os
from typing import NamedTuple

from goblin import git
from goblin.outcome import CannotRun

CONFIG = os.path.join(".goblin", "goblin.yaml")


class Place(NamedTuple):
    """The root that a run is about, and its repository (None where there is no git at all)."""

    root: str
    repo: git.Repo | None


def locate(start: str) -> Place:
    """Find the root from a folder inside it.

    The nearest folder with a config wins, else the git top level, else `start`. Raises `CannotRun`
    when git would answer for an outer repository, for a bare repository, and for a `.goblin` that
    is a link.
    """
    start = os.path.realpath(start)
    if not os.path.isdir(start):
        raise CannotRun(f"{start} is not a folder", "name an existing folder")
    repo = git.discover(start)
    root = _configured(start) or (repo.top if repo and repo.top else start)
    if repo and repo.bare:
        raise CannotRun(
            f"{repo.git_dir} is a bare repository: it has no files to judge", f"git clone {repo.git_dir}"
        )
    harness = os.path.join(root, ".goblin")
    if os.path.islink(harness):
        raise CannotRun(
            f"{harness} is a symbolic link",
            "replace the link by the folder itself: rm .goblin, then re-install",
        )
    outer = git.discover(root)
    if outer and outer.top and outer.top != root:
        raise CannotRun(
            f"{root} is not a repository of its own: git answers for {outer.top}, so every count "
            "that git gives (handoff, specs, commits, models, review rows) would be about that tree",
            f"git init {root}, or move the folder out of {outer.top}",
        )
    return Place(root, outer)


def _configured(start: str) -> str | None:
    folder = start
    while True:
        if os.path.lexists(os.path.join(folder, CONFIG)):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
