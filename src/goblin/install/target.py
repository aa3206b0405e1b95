"""What is true of the folder that is installed into, before anything is planned (spec install 7.1, 15)."""

from __future__ import annotations

import os
from typing import NamedTuple

from goblin import git
from goblin.outcome import CannotRun
from goblin.redact import clean

NO_COMMIT = "0000000"
NO_EMAIL = "you@example.com"
NO_BRANCH = "main"


class Target(NamedTuple):
    """The folder, its repository, and the values that templates are filled with."""

    root: str  # absolute, links resolved once
    repo: git.Repo | None  # None without a repository of its own
    branch: str
    head: str  # short commit id, or NO_COMMIT
    email: str
    notices: tuple[str, ...]  # what the user should know; none of it stops the install

    @property
    def name(self) -> str:
        """The project's name as far as the folder tells it."""
        return clean(os.path.basename(self.root)) or "project"


def look(given: str) -> Target:
    """Resolve a `--target` and ask git about it.

    Raises `CannotRun` (exit 2) for a folder that does not exist, a bare repository, the inside of
    a git directory, and a missing git.
    """
    path = os.path.expanduser(given)
    if "\0" in path or not os.path.exists(path):
        raise CannotRun(f"--target {given}: there is no such folder", f"mkdir -p {given}")
    if not os.path.isdir(path):
        raise CannotRun(f"--target {given}: not a folder", "name the folder that holds the repository")
    _need_git()
    root = os.path.realpath(path)
    found = git.discover(root)
    if found and found.bare:
        raise CannotRun(
            f"{root} is a bare repository, or lies in one: it has no files to govern",
            "clone it and install into the clone",
        )
    if found and found.top != root:
        return _alone(
            root,
            f"{root} lies inside the repository {found.top} and is none of its own; nothing was read from "
            f"there, and goblin-verify will refuse until: git init {root}",
        )
    if found is None:
        return _alone(root, "no git repository here; mend .gitignore first if need be, then: git init")
    return _repository(root, found)


def _need_git() -> None:
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    names = ("git", "git.exe")
    if not any(
        os.access(os.path.join(folder, name), os.X_OK) for folder in folders if folder for name in names
    ):
        raise CannotRun("git is not on PATH", "install git")


def _alone(root: str, notice: str) -> Target:
    from goblin.install import scratch

    with scratch.repository() as asked:
        email = _email(asked)
    return Target(root, None, NO_BRANCH, NO_COMMIT, email, (notice,))


def _repository(root: str, repo: git.Repo) -> Target:
    asked = git.Git(repo)
    notices = []
    branch = asked.call("symbolic-ref", "--quiet", "--short", "HEAD").out.decode("utf-8", "replace").strip()
    if not branch:
        branch = NO_BRANCH
        notices.append(
            f"HEAD is detached, so 'branch: {NO_BRANCH}' was written; check it in .goblin/goblin.yaml"
        )
    # An explicit length, because the repository's own setting may shorten it below what HP-05 reads.
    head = asked.call("rev-parse", "--verify", "--quiet", "--short=7", "HEAD^{commit}").out.decode().strip()
    if not head:
        notices.append(
            "no commits yet: after the first one put its id on the HEAD line of HANDOFF.md (HP-05 needs it)"
        )
    return Target(root, repo, branch, head or NO_COMMIT, _email(asked), tuple(notices))


def _email(asked: git.Git) -> str:
    """The address that commits here will carry: git's own answer, then the environment's."""
    answer = asked.call("config", "--get", "user.email").out.decode("utf-8", "replace").strip()
    email = answer or os.environ.get("GIT_AUTHOR_EMAIL", "").strip() or NO_EMAIL
    return email if email == clean(email) and "\n" not in email else NO_EMAIL
