"""Fact `anchor`: the commit that a change is compared with, where HEAD left the declared branch."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.branches import LOCAL, REMOTE, is_branch_name

if TYPE_CHECKING:
    from goblin.facts.branches import Branches
    from goblin.facts.config import Config
    from goblin.facts.head import Head
    from goblin.git import Git


class Anchor(NamedTuple):
    """The declared branch and where HEAD left it. Without a `base` the `reason` says why there is none."""

    name: str  # such as origin/main, for people
    ref: str  # such as refs/remotes/origin/main, for git
    base: str  # full id of the merge base with HEAD; HEAD itself where nothing is ahead
    reason: str = ""


def load(git: Git, head: Head, branches: Branches, config: Config) -> Anchor:
    """Find the merge base of HEAD with `origin/<branch>`, else with `<branch>`.

    Raises `CheckFailed` for a `branch` that is no text, and `GitError` where git breaks.
    """
    branch = config.text("branch")
    if not is_branch_name(branch):
        why = f"branch is {branch!r}, no branch name" if branch else "branch is not declared"
        return Anchor("", "", "", why)
    if branches.has_remote(branch):
        name, ref = f"origin/{branch}", REMOTE + branch
    elif branches.has_local(branch):
        name, ref = branch, LOCAL + branch
    else:
        return Anchor("", "", "", f"there is neither origin/{branch} nor {branch} here")
    if head.commit is None:
        return Anchor(name, ref, "", "no commits yet")
    if ref == LOCAL + head.branch:  # HEAD stands on that branch
        return Anchor(name, ref, head.commit.oid)
    done = git.call("merge-base", head.commit.oid, ref)
    if done.code == 0 and done.out.strip():
        return Anchor(name, ref, done.out.decode("ascii").strip())
    if head.shallow:
        why = f"this shallow clone does not reach the merge base with {name}; git fetch --unshallow"
    elif done.code == 1:
        why = f"HEAD and {name} have no common commit"
    else:
        why = f"git said: {done.said()}"
    return Anchor(name, ref, "", why)
