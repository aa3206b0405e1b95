"""What is true of the folder that is installed into, before anything is planned (spec install 7.1, 15)."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from typing import NamedTuple

from goblin import git, searchpath
from goblin.outcome import CannotRun
from goblin.redact import clean

NO_COMMIT = "0000000"
NO_EMAIL = "you@example.com"
NO_BRANCH = "main"

_CRUD = "".join(map(chr, range(33))) + ".,:;<>\"\\'"
"""What git takes off both ends of a name or an address."""


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
    if not searchpath.find("git", "git.exe"):
        raise CannotRun("git is not on PATH", "install git")


def _alone(root: str, notice: str) -> Target:
    from goblin.install import scratch

    with scratch.repository() as asked:
        email = _email(asked)
    return Target(root, None, NO_BRANCH, NO_COMMIT, email, (notice,))


def _repository(root: str, repo: git.Repo) -> Target:
    asked = git.Git(repo)
    notices = []
    foreign = _refused_by_git(root, repo)
    if foreign:
        notices.append(foreign)
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
    if os.path.exists(os.path.join(repo.common_dir, "shallow")):
        notices.append(
            "this clone is shallow: rows that resolve commits need its history: git fetch --unshallow"
        )
    return Target(root, repo, branch, head or NO_COMMIT, _email(asked), tuple(notices))


def _refused_by_git(root: str, repo: git.Repo) -> str:
    """What to do where git itself will not work here because somebody else owns the repository.

    Our own questions name the git directory and run nothing that it configures; the commit that
    follows an install does not.
    """
    if not hasattr(os, "geteuid"):
        return ""
    try:
        owners = {os.stat(path).st_uid for path in (root, os.path.join(root, ".git"), repo.git_dir)}
    except OSError:
        return ""
    if owners == {os.geteuid()}:
        return ""
    try:
        said = subprocess.run(
            ["git", "rev-parse", "--git-dir"],
            cwd=root,
            env=git.environment(),
            capture_output=True,
            timeout=git.TIMEOUT,
            check=False,
        ).stderr
    except (OSError, subprocess.SubprocessError):
        return ""
    if b"dubious ownership" not in said:
        return ""
    return (
        f"somebody else owns this repository, so git will not commit in it: "
        f"git config --global --add safe.directory {shlex.quote(root)}"
    )


def _email(asked: git.Git) -> str:
    """The address that commits here will carry, as git itself finds it: GIT_AUTHOR_EMAIL, else its settings.

    Git is asked with a name of our own: without one it would refuse to give the address.
    """
    email = re.sub("[\n<>]", "", os.environ.get("GIT_AUTHOR_EMAIL", "").strip(_CRUD))
    if not email:
        answer = asked.call("-c", "author.name=x", "var", "GIT_AUTHOR_IDENT")
        ident = answer.out.decode("utf-8", "replace").rstrip("\n") if answer.code == 0 else ""
        email = ident[ident.find("<") + 1 : ident.rfind(">")]
    return email if email and email == clean(email) and "\n" not in email else NO_EMAIL
