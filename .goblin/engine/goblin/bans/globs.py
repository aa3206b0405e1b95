"""Which files a ban is about: folders, files and wildcards relative to the root.

A folder means everything below it. `*` and `?` stay inside one segment, `**` does not; a wildcard that
matches a folder means everything below that folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from goblin.paths import confined

_WILD = re.compile(r"[*?\[]")


class Glob(NamedTuple):
    """One glob: the folder that surely holds what it matches, and the pattern (None for a plain path)."""

    text: str
    fixed: str
    pattern: re.Pattern[str] | None
    ending: bool  # it says itself how the names end

    def covers(self, path: str) -> bool:
        """True for a path that the glob means."""
        if self.pattern:
            return self.pattern.fullmatch(path) is not None
        return not self.fixed or path == self.fixed or path.startswith(f"{self.fixed}/")


class BadGlob(ValueError):
    """A glob that leaves the root."""


def read(words: Iterable[str]) -> tuple[Glob, ...]:
    """The globs of a table's cell; raises `BadGlob`."""
    return tuple(_glob(word) for word in words)


def _glob(word: str) -> Glob:
    path = word.removeprefix("./").rstrip("/")
    if path in ("", "."):
        return Glob(word, "", None, False)
    if not confined(path):
        raise BadGlob(f"the glob {word!r} is no path inside the repository")
    ending = "." in path.rpartition("/")[2].lstrip(".")
    wild = _WILD.search(path)
    if not wild:
        return Glob(word, path, None, ending)
    fixed = path[: wild.start()].rpartition("/")[0]
    return Glob(word, fixed, re.compile(_translated(path) + r"(?:/.*)?", re.DOTALL), ending)


def _translated(path: str) -> str:
    out: list[str] = []
    at = 0
    while at < len(path):
        if path.startswith("**/", at):
            out.append("(?:.*/)?+")
            at += 3
        elif path.startswith("**", at):
            out.append(".*")
            at += 2
        elif path[at] == "*":
            out.append("[^/]*")
            at += 1
        elif path[at] == "?":
            out.append("[^/]")
            at += 1
        elif path[at] == "[" and (end := path.find("]", at + 2)) > 0:
            inner = path[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            out.append("[" + ("^" + inner[1:] if inner[0] in "!^" else inner) + "]")
            at = end + 1
        else:
            out.append(re.escape(path[at]))
            at += 1
    return "".join(out)
