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
    """A glob that leaves the root, or holds a range that runs backwards."""


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


class _Chunk:
    """What stands between two `**`: pieces of pattern with a `*` between each two of them."""

    def __init__(self, lead: str) -> None:
        self.lead = lead  # "" at the start, `any` behind `**`, `folders` behind `**/`
        self.pieces = [""]

    def add(self, pattern: str) -> None:
        self.pieces[-1] += pattern

    def written(self, last: bool) -> str:
        """The chunk and what leads to it.

        The first place that fits is as good as any later one, unless nothing but the end is left to reach:
        only there anything is tried twice, and a glob with many stars costs no more than one with few.
        """
        first, *rest = self.pieces
        end = f"[^/]*{rest.pop()}" if last and rest else ""
        body = first + "".join(f"(?>[^/]*?{piece})" for piece in rest) + end
        if not self.lead:
            return body
        if last:
            return (".*" if self.lead == "any" else "(?:.*/)?") + body
        return f"(?>{'.*?' if self.lead == 'any' else '(?:.*?/)??'}{body})"


def _translated(path: str) -> str:
    chunks = [_Chunk("")]
    at = 0
    while at < len(path):
        if path.startswith("**/", at) and path[at - 1 : at] in ("", "/"):
            chunks.append(_Chunk("folders"))
            at += 3
        elif path.startswith("**", at):
            chunks.append(_Chunk("any"))
            at += 2
        elif path[at] == "*":
            chunks[-1].pieces.append("")
            at += 1
        elif path[at] == "?":
            chunks[-1].add("[^/]")
            at += 1
        elif path[at] == "[" and (end := path.find("]", at + 2)) > 0:
            chunks[-1].add(_set(path[at + 1 : end]))
            at = end + 1
        else:
            chunks[-1].add(re.escape(path[at]))
            at += 1
    return "".join(chunk.written(chunk is chunks[-1]) for chunk in chunks)


def _set(inside: str) -> str:
    """A set such as `a-z_` or `!a-z`, which never holds a slash; raises `BadGlob` for a backward range."""
    negated = inside[0] in "!^" and len(inside) > 1
    members = inside[1:] if negated else inside
    out = ["^/" if negated else ""]
    at = 0
    while at < len(members):
        first, last = members[at], members[at + 2 : at + 3]
        if members[at + 1 : at + 2] == "-" and last:
            if last < first:
                raise BadGlob(f"the glob range {first}-{last} runs backwards; write {last}-{first}")
            out.append(f"{re.escape(first)}-{re.escape(last)}")
            at += 3
        else:
            out.append(re.escape(first))
            at += 1
    return f"(?!/)[{''.join(out)}]"
