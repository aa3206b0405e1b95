"""The escape of one line: a comment on it that names the ban and says why.

`BAN-OK(BN-01): narrowed at the boundary`. A reason is text with a letter or a digit in it; without one,
with another ban's name, on another line or inside a text literal it is no escape.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_ESCAPE = re.compile(r"BAN-OK\(\s*([A-Z]{2,3}-[0-9]{2})\s*\)\s*:(.*?)(?=BAN-OK\(|\Z)")
_END = re.compile(r"(?:\*/|-->|\s)+\Z")


class Escapes(NamedTuple):
    """Which bans are escaped on which lines (numbers from 1)."""

    lines: dict[int, frozenset[str]]

    def covers(self, ban: str, line: int) -> bool:
        """True where a hit of the ban on that line is excepted."""
        return ban in self.lines.get(line, ())


def escapes(text: str, comments: Iterable[tuple[int, int]]) -> Escapes:
    """Read the escapes out of the comments of a text."""
    if "BAN-OK" not in text:
        return Escapes({})
    found: dict[int, set[str]] = {}
    for start, end in comments:
        comment = text[start:end]
        if "BAN-OK" not in comment:
            continue
        first = text.count("\n", 0, start) + 1
        for number, line in enumerate(comment.split("\n"), start=first):
            for match in _ESCAPE.finditer(line):
                if any(char.isalnum() for char in _END.sub("", match[2])):
                    found.setdefault(number, set()).add(match[1])
    return Escapes({number: frozenset(bans) for number, bans in found.items()})
