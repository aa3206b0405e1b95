"""Fact `history`: which commit a run of hex digits names, and how HEAD stands to it.

An id is looked up as an object id only, never as a ref (`goblin.commitid`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin import commitid
from goblin.commitid import Named
from goblin.git import Git
from goblin.outcome import CheckFailed

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.head import Head


class Changes(NamedTuple):
    """The paths that a commit changed against its first parent."""

    commit: str
    paths: tuple[str, ...]


class History:
    """Commits of this repository, asked about from HEAD. Every method may raise `GitError`."""

    def __init__(self, git: Git, head: Head) -> None:
        self._git = git
        self._head = head
        self._distances: dict[str, int | None] = {}

    @property
    def shallow(self) -> bool:
        """True when older commits are missing from this clone: what is not found may still exist."""
        return self._head.shallow

    @property
    def id_length(self) -> int:
        """Digits of a full object id here: 40, or 64 in a SHA-256 repository."""
        return len(self._head.need_commit().oid)

    def named(self, tokens: Iterable[str]) -> dict[str, Named]:
        """What each token names; a token that is not 4 to 64 lower-case hex digits names nothing."""
        return commitid.named(self._git, tokens)

    def ancestors(self, commits: Sequence[str]) -> frozenset[str]:
        """Those of the given full ids that are HEAD or an ancestor of HEAD, from one process."""
        if len(commits) < 2:
            return frozenset(commit for commit in commits if self.distance(commit) is not None)
        lines = [*commits, f"^{self._head.need_commit().oid}"]
        stdin = "".join(f"{line}\n" for line in lines).encode()
        outside = self._git.run("rev-list", "--stdin", stdin=stdin).decode("ascii").split()
        return frozenset(commits).difference(outside)

    def distance(self, commit: str) -> int | None:
        """How many commits HEAD is ahead of `commit` (a full id); None when it is no ancestor of HEAD."""
        if commit not in self._distances:
            self._distances[commit] = self._measured(commit)
        return self._distances[commit]

    def _measured(self, commit: str) -> int | None:
        head = self._head.need_commit().oid
        if commit == head:
            return 0
        out = self._git.run("rev-list", "--count", "--left-right", f"{commit}...{head}")
        beside, ahead = out.decode("ascii").split()
        return None if int(beside) else int(ahead)

    def last_touching(self, path: str) -> str:
        """The full id of the last commit under HEAD that changed `path`, or "" when none did."""
        out = self._git.run("rev-list", "-1", self._head.need_commit().oid, "--", path)
        return out.decode("ascii").strip()

    def contents(self, names: Sequence[str]) -> list[bytes | None]:
        """The blobs that names such as `<id>:<path>` stand for, from one process; None for no blob."""
        found = self._git.objects(names)
        return [item[2] if item and item[1] == "blob" else None for item in found]


def load(git: Git, head: Head) -> History:
    """The history below HEAD; reads nothing yet."""
    return History(git, head)


def head_changes(facts: Facts) -> Changes:
    """Fact `head_changes`: the paths that HEAD changed against its first parent (all of a first commit).

    Raises `CheckFailed` without a commit, and where a shallow clone lacks the parent.
    """
    import os

    commit = facts.get("head").need_commit()
    git: Git = facts.get("git")
    between = [commit.parents[0], commit.oid] if commit.parents else ["--root", commit.oid]
    done = git.call("diff-tree", "--no-commit-id", "--no-renames", "-r", "--name-only", "-z", *between)
    if done.code:
        if facts.get("head").shallow:
            raise CheckFailed("the parent of HEAD is missing in this shallow clone; fetch full history")
        raise CheckFailed(f"git said: {done.said()} (git diff-tree)")
    return Changes(commit.oid, tuple(os.fsdecode(path) for path in done.out.split(b"\0") if path))
