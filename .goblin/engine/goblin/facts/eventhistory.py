"""Fact `event_history`: the versions of a loop's event log that commits under HEAD hold.

A log only grows, so each committed version is how today's log begins. Lines that were cut off the end
leave the chain whole; the commit that still holds them tells.
"""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.head import Head
    from goblin.facts.pathlog import PathLog
    from goblin.git import Git
    from goblin.loop.events import Log
    from goblin.loop.record import LoopRecord

HASHED = 64 << 20
"""Bytes that are hashed to hold versions against today's log; older ones are left out, and that is said."""

COMMITS = 2000
"""Commits of the record that are looked at, newest first."""


class Version(NamedTuple):
    """The log as one commit holds it. `main` is False for a commit that only a merged branch holds."""

    commit: str
    oid: str
    size: int
    main: bool


class EventHistory:
    """The committed versions of one log. Every member may raise `GitError`."""

    def __init__(self, record: LoopRecord, log: Log, facts: Facts) -> None:
        self._record = record
        self._log = log
        self._facts = facts

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        """Each version once, newest first, with the newest commit that holds it."""
        commits = self._commits
        if not commits:
            return ()
        git: Git = self._facts.get("git")
        asked = "".join(f"{commit}:{self._log.path}\n" for commit in commits).encode()
        answers = git.run("cat-file", "--batch-check", stdin=asked).decode("utf-8", "replace").splitlines()
        main = self._main(git)
        found: dict[str, Version] = {}
        for commit, answer in zip(commits, answers, strict=True):
            fields = answer.split(" ")
            if len(fields) == 3 and fields[1] == "blob":
                version = Version(commit, fields[0], int(fields[2]), commit in main)
                if fields[0] not in found or (version.main and not found[fields[0]].main):
                    found[fields[0]] = version
        return tuple(found.values())

    @cached_property
    def _commits(self) -> tuple[str, ...]:
        if self._facts.run.repo is None:
            return ()
        path_log: PathLog = self._facts.get("path_log")
        head: Head = self._facts.get("head")
        touching = path_log.touching(self._record.directory)[:COMMITS]
        return tuple(dict.fromkeys([*([head.commit.oid] if head.commit else []), *touching]))

    @property
    def shallow(self) -> bool:
        """True where history is cut short, so that an older version may go unseen."""
        return bool(self._facts.run.repo) and self._facts.get("head").shallow

    def _main(self, git: Git) -> frozenset[str]:
        """The commits on the first-parent line below HEAD: what a merge threw away is not among them."""
        return frozenset(git.run("rev-list", "--first-parent", "HEAD").decode("ascii").split())

    @cached_property
    def broken(self) -> tuple[Version, ...]:
        """The versions that today's log does not begin with, newest first."""
        return tuple(version for version in self.versions[: self._held] if not self._begins_with(version))

    @property
    def left_out(self) -> int:
        """Versions that were not held against today's log, because that would take too long."""
        return len(self.versions) - self._held

    @cached_property
    def _held(self) -> int:
        total = 0
        for number, version in enumerate(self.versions):
            total += version.size
            if total > HASHED and number:
                return number
        return len(self.versions)

    def _begins_with(self, version: Version) -> bool:
        import hashlib

        if version.size > len(self._log.data):
            return False
        algorithm = "sha256" if len(version.oid) == 64 else "sha1"
        start = self._log.data[: version.size]
        return hashlib.new(algorithm, b"blob %d\0" % version.size + start).hexdigest() == version.oid

    def parts_at(self, version: Version) -> int:
        """The line (from 1) at which a version and today's log part."""
        git: Git = self._facts.get("git")
        found = git.objects([version.oid])[0]
        lines = (self._log.data.split(b"\n"), (found[2] if found else b"").split(b"\n"))
        same = takewhile(lambda pair: pair[0] == pair[1], zip(*lines, strict=False))
        return sum(1 for _ in same) + 1


def load(loop: LoopRecord, loop_log: Log, facts: Facts) -> EventHistory:
    """The history of the log under test; reads nothing yet."""
    return EventHistory(loop, loop_log, facts)
