"""Fact `event_copies`: copies of a loop's event log that stand outside the history under HEAD.

Whoever amends, rebases or resets takes the old log out of history. What was pushed before is still
known by origin's branch, and for some time the reflog of the branch remembers the rest. A
record that was deleted as a whole is still held by the commits before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.branches import REMOTE
from goblin.paths import ReadRefused, Tree

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.head import Head
    from goblin.git import Git
    from goblin.loop.events import Log

RECENT = 200
"""Commits below HEAD in which a deleted record is looked for; further back nobody misses it."""

REMEMBERED = 100
"""Earlier states of the branch that are looked at, newest first."""

_REFLOG = 64 << 10  # bytes at its end that are read
_LARGEST = 64 << 20
_ENTRY = re.compile(rb"(?:[0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) ")


class Copy(NamedTuple):
    """A log that is neither how today's begins nor how it goes on, and where it was found."""

    commit: str
    place: str  # such as origin/main; "" for an earlier state of this branch


class EventCopies:
    """The copies of one log. Every member may raise `GitError`."""

    def __init__(self, log: Log, facts: Facts) -> None:
        self._log = log
        self._facts = facts

    def deleted(self) -> str:
        """The newest commit below HEAD that holds a log, where there is no record now; "" for none.

        Only the line of HEAD counts: what a merge left out was never there.
        """
        if self._facts.run.repo is None:
            return ""
        git: Git = self._facts.get("git")
        head: Head = self._facts.get("head")
        if head.commit is None:
            return ""
        asked = git.run("rev-list", "--first-parent", f"--max-count={RECENT}", head.commit.oid)
        commits = asked.decode("ascii").split()
        return next((commit for commit, _ in self._held(git, commits)), "")

    def parted(self) -> tuple[Copy, ...]:
        """The copies that part from today's log, pushed ones first. A copy that is merely behind does not."""
        head: Head | None = self._facts.get("head") if self._facts.run.repo else None
        if head is None or head.commit is None or not head.branch:
            return ()
        git: Git = self._facts.get("git")
        places = {**dict.fromkeys(self._reflog(git, head.branch), ""), **self._pushed(git, head.branch)}
        places.pop(head.commit.oid, None)
        asked = sorted(places, key=lambda commit: not places[commit])
        known: dict[str, bool] = {}
        found: dict[str, Copy] = {}
        for commit, (oid, size) in self._held(git, asked):
            if oid not in known:
                known[oid] = self._agrees(git, oid, size)
            if not known[oid]:
                found.setdefault(oid, Copy(commit, places[commit]))
        return tuple(found.values())

    def _held(self, git: Git, commits: list[str]) -> list[tuple[str, tuple[str, int]]]:
        """(commit, (blob, size)) of those commits that hold a log."""
        if not commits:
            return []
        stdin = "".join(f"{commit}:{self._log.path}\n" for commit in commits).encode()
        answers = git.run("cat-file", "--batch-check", stdin=stdin).decode("utf-8", "replace").splitlines()
        found = []
        for commit, answer in zip(commits, answers, strict=True):
            fields = answer.split(" ")
            if len(fields) == 3 and fields[1] == "blob":
                found.append((commit, (fields[0], int(fields[2]))))
        return found

    def _agrees(self, git: Git, oid: str, size: int) -> bool:
        """True where the blob is how today's log begins, or begins with it."""
        import hashlib

        data = self._log.data
        if size > len(data):
            content = git.objects([oid])[0] if size <= _LARGEST else None
            return content is None or content[2].startswith(data)
        algorithm = "sha256" if len(oid) == 64 else "sha1"
        return hashlib.new(algorithm, b"blob %d\0" % size + data[:size]).hexdigest() == oid

    def _pushed(self, git: Git, branch: str) -> dict[str, str]:
        """What origin's branch of that name was when it was last fetched or pushed, with its name."""
        if not self._facts.get("branches").has_remote(branch):
            return {}
        asked = git.call("rev-parse", "--verify", "--quiet", f"{REMOTE}{branch}^{{commit}}")
        return {asked.out.decode("ascii").strip(): f"origin/{branch}"} if asked.code == 0 else {}

    def _reflog(self, git: Git, branch: str) -> list[str]:
        """Where the branch stood before, newest first, as far as this clone remembers."""
        try:
            tree = Tree(git.repo.common_dir)
            data = tree.read(f"logs/refs/heads/{branch}", _LARGEST)[-_REFLOG:]
        except ReadRefused:
            return []
        lines = reversed(data.split(b"\n"))
        entries = [match[1].decode("ascii") for line in lines if (match := _ENTRY.match(line))]
        return list(dict.fromkeys(entries))[:REMEMBERED]


def load(loop_log: Log, facts: Facts) -> EventCopies:
    """The copies of the log under test; reads nothing yet."""
    return EventCopies(loop_log, facts)
