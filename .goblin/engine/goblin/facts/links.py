"""The links of a Markdown text, and what a relative one of them points at.

Inline links, reference definitions and their targets count; what stands in fenced code, comments and
code spans does not (spec FM-01).
"""

from __future__ import annotations

import re
from posixpath import dirname, normpath
from typing import NamedTuple

from goblin.markdown import blank
from goblin.pattern import lazy

_TARGET = r"(?:<([^<>]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))+))"
_INLINE = lazy(rf"(?<!\\)\]\(\s*{_TARGET}\s*(?:\s(?:\"[^\"]*\"|'[^']*'|\([^()]*\))\s*)?\)")
_DEFINITION = lazy(rf"^ {{0,3}}\[[^\]]+\]:\s*{_TARGET}", re.MULTILINE)
_SPAN = lazy(r"(?<!`)(`+)(?!`)(?:[^`]|(?!\1(?!`))`+)*?(?<!`)\1(?!`)")
_LONGEST = 20_000  # characters of one line in which code spans are looked for
_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ESCAPED = lazy(rb"%([0-9A-Fa-f]{2})")
_BACKSLASH = lazy(r"\\([!-/:-@\[-`{-~])")


class Link(NamedTuple):
    """A link as written: its line, and its target without angle brackets."""

    line: int
    target: str


def links(text: str) -> list[Link]:
    """Every link of a text, in order of lines."""
    shown = "\n".join(_without_spans(line) for line in blank(text).split("\n"))
    found = []
    for pattern in (_INLINE, _DEFINITION):
        for match in pattern.finditer(shown):
            line = shown.count("\n", 0, match.start()) + 1
            found.append(Link(line, match[1] if match[1] is not None else match[2]))
    return sorted(found)


def _without_spans(line: str) -> str:
    if "`" not in line or len(line) > _LONGEST:
        return line
    return _SPAN.sub(lambda match: " " * len(match[0]), line)


def resolve(source: str, target: str) -> str:
    """The path that a relative link of the document `source` names, from the root; "" for any other link.

    A fragment and a query are left out, escapes are undone. A path that leaves the root begins `../`.
    """
    if not target or _SCHEME.match(target) or target.startswith(("/", "#", "?")):
        return ""
    path = re.split(r"[#?]", _BACKSLASH.sub(r"\1", target), maxsplit=1)[0]
    raw = _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), path.encode("utf-8", "surrogateescape"))
    path = raw.decode("utf-8", "surrogateescape")
    return normpath(f"{dirname(source)}/{path}" if dirname(source) else path)
