"""Whether a green verdict was measured: which run of the predicate stands behind it, and where it ran.

`goblin-loop record` lets a judge type the result of a turn. Only `--check` runs the predicate, and only
then does the log hold a `predicate_ran` of that turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin.loop.decisions import GREEN, PREFIX
from goblin.loop.events import Event, Log

if TYPE_CHECKING:
    from goblin.git import Git


_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Verdict(NamedTuple):
    """A verdict of the log, and the run of the predicate that was made for it (None where none was)."""

    decision: Event
    ran: Event | None

    @property
    def green(self) -> bool:
        """True where the row says that the predicate was met."""
        return self.decision.text("result") == GREEN

    @property
    def measured(self) -> bool:
        """True where a run of the predicate says the same."""
        return self.ran is not None and (self.ran.number("exit") == 0) == self.green

    @classmethod
    def of_run(cls, events: Sequence[Event]) -> tuple[Verdict, ...]:
        """The verdicts of one run, in order, each with its run of the predicate."""
        found = []
        ran: Event | None = None
        turns = False  # the run before the first turn is nobody's
        for event in events:
            if event.type == "predicate_ran":
                ran = event if turns or event.span is not None else None
            elif event.type == "decision":
                turns = True
                if event.text("decision").startswith(PREFIX):
                    found.append(cls(event, ran))
                ran = None
        return tuple(found)


def last(log: Log) -> Verdict | None:
    """The last verdict of the last run."""
    found = Verdict.of_run(log.current)
    return found[-1] if found else None


def held(git: Git, ran: Event, head: str) -> bool:
    """True where the commit at which the predicate ran is under `head`, or `head` holds the same files.

    May raise `GitError`.
    """
    from goblin.loop import worktree

    commit = ran.text("head")
    if not commit:
        return True  # an older log does not say
    if not _ID.fullmatch(commit):
        return False
    if git.call("merge-base", "--is-ancestor", commit, head).code == 0:
        return True
    return ran.text("tree") == worktree.of_commit(git, head)
