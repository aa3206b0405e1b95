"""Fact `doctor`: the declared doctor, run once, and what it left behind (spec VA-01)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from goblin.process import environment, run_shell
from goblin.redact import lines

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.git import Git

KEY = "verify_doctor"
TIMEOUT = 300.0
"""Seconds that the doctor may take."""

_SAID = 3  # first lines of its output that are kept
_STATUS = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")


class Visit(NamedTuple):
    """How the doctor ended. `command` is "" where none is declared."""

    command: str = ""
    code: int = 0
    problem: str = ""  # why it gave no answer of its own
    said: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()  # entries of `git status` that are others than before
    unwatched: str = ""  # why that could not be seen


def load(config: Config, facts: Facts) -> Visit:
    """Run the doctor in the root. Raises `CheckFailed` for a value that is no command."""
    command = config.text(KEY)
    if not command.strip():
        return Visit()
    git: Git | None = facts.get("git") if facts.run.repo else None
    before = _status(git)
    done = run_shell(command, facts.run.root, environment(), TIMEOUT)
    changed = tuple(sorted(os.fsdecode(entry[3:]) for entry in before ^ _status(git)))
    problem = done.could_not_run()
    if done.timed_out:
        problem = f"timed out, {problem}"
    said = tuple(lines(done.output, most=10**6)[:_SAID])
    unwatched = "" if git else "no git repository: what it changed was not looked at"
    return Visit(command, done.code, problem, said, tuple(dict.fromkeys(changed)), unwatched)


def _status(git: Git | None) -> frozenset[bytes]:
    if git is None:
        return frozenset()
    return frozenset(entry for entry in git.run(*_STATUS, worktree=True).split(b"\0") if entry)
