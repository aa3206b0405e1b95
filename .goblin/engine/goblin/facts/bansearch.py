"""One search by git for the needles of all bans at once: which files of the work tree are worth reading.

What git does not name holds no hit. Where it cannot search so, each file is searched here with the same
patterns.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from goblin.facts.ahead import Ahead

if TYPE_CHECKING:
    from goblin.bans.record import Probe
    from goblin.bans.rules import Needle
    from goblin.git import Git

_MARK = r"\xff\xfe|\xfe\xff"
"""How a file in UTF-16 begins, in which no needle is found. Without an anchor: that costs as much again."""

_PLAIN = re.compile(r"([A-Za-z@])(.*)", re.DOTALL)
_ANY_CASE = re.compile(r"\(\?i:([A-Za-z@])(.*)\)", re.DOTALL)


def alternation(probes: Iterable[Probe]) -> str:
    """The needles of some bans as one pattern. Those of rules are gathered by their first letter.

    Both engines look for a letter that some alternative begins with, and then try one after another.
    """
    own: set[str] = set()
    ruled: set[Needle] = set()
    for probe in probes:
        if probe.rule:
            ruled.update(probe.needles)
        else:
            own.update(needle.pattern for needle in probe.needles)
    letters: dict[str, list[str]] = {}
    for needle in sorted(ruled):
        any_case = _ANY_CASE.fullmatch(needle.pattern) if needle.any_case else None
        found = any_case or (_PLAIN.fullmatch(needle.pattern) if needle.text else None)
        if found is None:
            own.add(needle.pattern)
        elif any_case:
            for letter in sorted({found[1].lower(), found[1].upper()}):
                letters.setdefault(letter, []).append(f"(?i:{found[2]})")
        else:
            letters.setdefault(found[1], []).append(found[2])
    gathered = [f"{letter}(?:{'|'.join(rest)})" for letter, rest in sorted(letters.items())]
    return "|".join([*gathered, *(f"(?:{pattern})" for pattern in sorted(own)), _MARK])


class Search:
    """The search of one run, at once or begun ahead."""

    def __init__(self, git: Git, pattern: str, folders: Sequence[str]) -> None:
        self._git = git
        self._pattern = pattern
        self._folders = folders
        self._ahead: Ahead[frozenset[bytes] | None] | None = None

    def begin(self) -> None:
        """Let git search while something else goes on."""
        self._ahead = Ahead(self._names)

    def names(self) -> frozenset[bytes] | None:
        """The tracked paths whose work tree copy holds a needle; None where git did not search them all."""
        if self._ahead is None:
            return self._names()
        with suppress(OSError, RuntimeError):
            return self._ahead.result()
        return None

    def _names(self) -> frozenset[bytes] | None:
        threads = min(os.cpu_count() or 1, 8)
        done = self._git.call(
            *("grep", "--files-with-matches", "--null", "--text", "--no-color", "--no-recurse-submodules"),
            *(f"--threads={threads}", "--perl-regexp", "-e", self._pattern, "--", *self._folders),
        )
        if done.code not in (0, 1) or done.err:
            return None
        return frozenset(done.out.split(b"\0"))
