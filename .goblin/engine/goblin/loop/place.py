"""The repository that a loop runs in, as `goblin-loop` needs to know it, and what every command refuses."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from goblin.git import Git, GitError
from goblin.loop import outputs
from goblin.loop.refusal import Refused

LONGEST = 4096
"""Bytes of a command that may stand in a record."""

_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]")


class Place(NamedTuple):
    """One repository."""

    root: str
    git: Git
    head: str  # full id of the commit that HEAD names; "" before the first one
    branch: str  # "" where HEAD is detached
    ceiling: int  # `loop_max_turns_ceiling`
    committed: tuple[tuple[str, str], ...] = ()  # (digest, commit) of every pin in history

    def need_commit(self) -> str:
        """The full id of HEAD; raises `Refused` before the first commit."""
        if not self.head:
            raise Refused("no commits yet: a loop starts from a commit", "git add -A && git commit")
        return self.head

    def tracked(self) -> dict[str, str]:
        """Every tracked path with its mode, such as 100644. Raises `GitError`."""
        found = {}
        for record in self.git.run("ls-files", "-s", "-z").split(b"\0"):
            head, _, path = record.partition(b"\t")
            if path:
                found[os.fsdecode(path)] = head[:6].decode("ascii")
        return found

    def ignored(self, paths: Sequence[str]) -> dict[str, str]:
        """Those of the paths that git would leave out of a commit, with the rule: `file:line: pattern`.

        An ignored path stays so until a rule brings it back; what is tracked already is asked about too.
        Raises `GitError`.
        """
        asked = ("check-ignore", "--no-index", "--verbose", "--non-matching", "-z", "--stdin")
        stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
        result = self.git.call("--no-literal-pathspecs", *asked, stdin=stdin)
        if result.code not in (0, 1):
            raise GitError(asked, result)
        fields = [os.fsdecode(field) for field in result.out.split(b"\0")]
        return {
            path: f"{source}:{line}: {pattern}"
            for source, line, pattern, path in zip(*[iter(fields)] * 4, strict=False)
            if pattern and not pattern.startswith("!")
        }

    def edited(self) -> frozenset[str]:
        """The tracked paths whose content is not what HEAD holds. Raises `GitError`."""
        asked = ("status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames")
        out = self.git.run(*asked, worktree=True)
        return frozenset(os.fsdecode(entry[3:]) for entry in out.split(b"\0") if entry)


def one_line(text: str, what: str, longest: int = LONGEST) -> str:
    """The text, trimmed, if a record can hold it on one line; raises `Refused` otherwise.

    `what` names it in the message, such as `the predicate`.
    """
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise Refused(f"{what} is not UTF-8", "write it as UTF-8 text") from error
    if size > longest:
        raise Refused(
            f"{what} is {size} bytes long; {longest} are allowed", "put it in a script, and name that"
        )
    if "\n" in text or "\r" in text:
        raise Refused(f"{what} holds a line break", "join the lines with && or put them in a script")
    if _CONTROLS.search(text):
        raise Refused(f"{what} holds a control character", "write it as plain text, on one line")
    if outputs.secret_in(text):
        raise Refused(
            f"{what} holds what looks like a secret", "let the command read it from the environment"
        )
    if not text.strip():
        raise Refused(f"{what} is empty", "write at least one word")
    return text.strip()


def command(text: str, what: str) -> str:
    """One command line: as `one_line`, and no comment."""
    line = one_line(text, what)
    if line.startswith("#"):
        raise Refused(f"{what} is a comment, not a command", "take the # away")
    return line
