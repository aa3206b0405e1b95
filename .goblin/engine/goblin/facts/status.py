"""Fact `status`: what is uncommitted, after the gates have run where this run runs them."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from goblin.outcome import CheckFailed

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.git import Git

GATE_ROWS = frozenset({"GT-02", "DS-01"})
"""The rows that run the declared gates."""

RUNTIME = frozenset(
    {".goblin/last-gate-line", ".goblin/last-gate.json", ".goblin/.ds-report", ".goblin/ratchet-last"}
)
"""What a run itself writes; the installer's ignore block names all four (decided 8)."""


QUESTION = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--")
"""What git is asked, with `worktree`; it looks at every file, so whoever forks for it begins with it."""


class Change(NamedTuple):
    """One uncommitted entry: git's two-letter state (`??` for untracked) and its path."""

    state: str
    path: str


def load(facts: Facts) -> tuple[Change, ...]:
    """Every uncommitted entry, untracked files one by one whatever the user's settings say.

    What a gate leaves behind counts (spec CM-03), so where a selected row runs the gates they run first.
    """
    run = facts.run
    if not run.static and run.selected & GATE_ROWS:
        # The rows that run gates report what stopped them; this fact is about the tree they leave.
        with suppress(CheckFailed):
            facts.get("gate_run")
    return ask(facts.get("git"))


def ask(git: Git, *folders: str) -> tuple[Change, ...]:
    """What git says of the whole work tree, or of some folders alone. Raises `GitError`."""
    out = git.run(*QUESTION, *folders, worktree=True)
    entries = [os.fsdecode(entry) for entry in out.split(b"\0") if entry]
    return tuple(Change(entry[:2], entry[3:]) for entry in entries)
