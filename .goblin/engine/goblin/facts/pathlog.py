"""Fact `path_log`: the commits that touched a path, walked once and then only for what is new.

A walk of a long history costs seconds, and the answer for an old HEAD is a prefix of the answer for
a new one. So it is kept with the HEAD that it was made for, and continued from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin import cache
from goblin.git import Git
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts import Run
    from goblin.facts.head import Head

_OID = lazy(r"[0-9a-f]{40}|[0-9a-f]{64}")
MOST = 10_000
"""Commits of one path that are looked at, newest first."""


class PathLog:
    """Asks git which commits touched a path. Every method may raise `GitError`."""

    def __init__(self, git: Git, head: Head, git_dir: str) -> None:
        self._git = git
        self._head = head
        self._git_dir = git_dir  # "" where nothing may be kept

    def touching(self, path: str) -> tuple[str, ...]:
        """Full ids of the commits below HEAD that changed `path`, newest first, at most `MOST`.

        Every side of a merge is walked, so that a change which a merge threw away is seen too.
        In a shallow clone the list ends where the clone does (`head.shallow`).
        """
        commit = self._head.commit
        if commit is None:
            return ()
        name = self._name(path)
        known = self._recall(name)
        if known and known[0] == commit.oid:
            return known[1]
        older: tuple[str, ...] = ()
        limits = [commit.oid]
        if known and self._git.call("merge-base", "--is-ancestor", known[0], commit.oid).code == 0:
            older = known[1]
            limits.append(f"^{known[0]}")
        out = self._git.run("rev-list", "--full-history", f"--max-count={MOST}", *limits, "--", path)
        found = (*out.decode("ascii").split(), *older)[:MOST]
        if self._git_dir:
            cache.remember(self._git_dir, name, {"head": commit.oid, "commits": found})
        return found

    def _name(self, path: str) -> str:
        import zlib

        kind = "shallow" if self._head.shallow else "full"
        return f"pathlog-{kind}-{zlib.crc32(path.encode('utf-8', 'surrogateescape')):08x}.json"

    def _recall(self, name: str) -> tuple[str, tuple[str, ...]] | None:
        if not self._git_dir:
            return None
        value = cache.recall(self._git_dir, name)
        try:
            head, commits = value["head"], tuple(value["commits"])
        except (TypeError, KeyError):
            return None
        if not all(isinstance(oid, str) and _OID.fullmatch(oid) for oid in (head, *commits)):
            return None
        return head, commits


def load(run: Run, git: Git, head: Head) -> PathLog:
    """The log of this run; it keeps nothing where the run may not use caches."""
    keep = run.cache and not run.static and run.git_dir
    return PathLog(git, head, run.git_dir or "" if keep else "")
