"""Source text with its comments, or its comments and strings, turned into spaces.

Length and line breaks stay, so a place in the result is the same place in the source. Enough of each
language is understood to tell code from what only looks like it; nothing is parsed beyond that, and text
that is not valid in its language gives some answer, never an error. Linear in time.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from goblin.pattern import lazy

LANGUAGES = {
    "py": "python",
    "mjs": "javascript",
    "js": "javascript",
    "cjs": "javascript",
    "ts": "javascript",
    "sh": "shell",
    "bash": "shell",
    "bats": "shell",
}
"""File name ending (without the dot) to language."""


class Span(NamedTuple):
    """A stretch of source that is no code. `comment` is False for a string."""

    start: int
    end: int
    comment: bool


class Blanked(NamedTuple):
    """A source with its comments blanked, and with its strings blanked as well."""

    no_comments: str
    bare: str


def blank(text: str, language: str) -> Blanked:
    """Blank a text of one of the values of `LANGUAGES`; raises `KeyError` for another."""
    spans = list(_SCANNERS[language](text))
    return Blanked(_without([s for s in spans if s.comment], text), _without(spans, text))


def _without(spans: list[Span], text: str) -> str:
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], _VISIBLE.sub(" ", text[span.start : span.end])]
        at = span.end
    return "".join([*parts, text[at:]])


_VISIBLE = lazy(r"[^\r\n]")

# --- Python -----------------------------------------------------------------------------------

_PYTHON = lazy(
    r"(#[^\n]*)"
    r'|"""(?:[^"\\]|\\.|"(?!""))*(?:"""|\Z)|\'\'\'(?:[^\'\\]|\\.|\'(?!\'\'))*(?:\'\'\'|\Z)'
    r'|"(?:[^"\\\n]|\\.)*"?|\'(?:[^\'\\\n]|\\.)*\'?',
    re.DOTALL,
)


def _python(text: str) -> Iterator[Span]:
    for match in _PYTHON.finditer(text):
        yield Span(match.start(), match.end(), match[1] is not None)


# --- JavaScript -------------------------------------------------------------------------------

_JS = lazy(
    r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<string>'(?:[^'\\\n]|\\.)*'?|\"(?:[^\"\\\n]|\\.)*\"?)"
    r"|(?P<template>`)|(?P<open>\{)|(?P<close>\})|(?P<slash>/)"
    r"|(?P<word>[\w$]+)|(?P<sign>[^\s\w$])",
    re.DOTALL,
)
_TEMPLATE = lazy(r"(?:[^`\\$]|\\.|\$(?!\{))*(`|\$\{|\\?\Z)", re.DOTALL)
_REGEX = lazy(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[\w$]*")
_BEFORE_REGEX = frozenset({
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "instanceof",
    "yield", "await",
})  # fmt: skip


def _javascript(text: str) -> Iterator[Span]:
    at = 0
    before = ""  # the token before, which tells a regular expression from a division
    templates: list[int] = []  # for each open `${`: how many braces are open inside it
    while match := _JS.search(text, at):
        kind, token, at = match.lastgroup, match[0], match.end()
        if kind in ("comment", "string"):
            yield Span(match.start(), at, kind == "comment")
            before = before if kind == "comment" else "'"
            continue
        if kind == "slash" and _regex_may_start(before):
            regex = _REGEX.match(text, match.start())
            if regex:
                at = regex.end()
                yield Span(match.start(), at, False)
                before = "'"
                continue
        resumed = kind == "close" and bool(templates) and templates[-1] == 0
        if kind == "template" or resumed:
            if resumed:
                templates.pop()
            part = _TEMPLATE.match(text, at)
            assert part is not None  # it matches the empty text too
            yield Span(match.start(), part.end(), False)
            at, before = part.end(), "'"
            if part[1] == "${":
                templates.append(0)
                before = "{"
            continue
        if templates and kind in ("open", "close"):
            templates[-1] += 1 if kind == "open" else -1
        before = token


def _regex_may_start(before: str) -> bool:
    if not before or before in _BEFORE_REGEX:
        return True
    return not (before[-1].isalnum() or before[-1] in "_$)]'")


# --- shell ------------------------------------------------------------------------------------

_SHELL = lazy(
    r"(?P<escape>\\.)"
    r"|(?P<comment>(?:(?<=[\s;&|()`])|\A)\#[^\n]*)"
    r"|(?P<single>\$?'(?:[^'\\]|\\.)*'?)"
    r'|(?P<double>")'
    r"|(?P<here><<-?(?!<)[ \t]*(?:'(?P<q1>[^'\n]+)'|\"(?P<q2>[^\"\n]+)\"|\\?(?P<q3>[A-Za-z_]\w*)))"
    r"|(?P<herestring><<<)|(?P<newline>\n)|(?P<open>\()|(?P<close>\))",
    re.DOTALL | re.VERBOSE,
)
_PLAIN_SINGLE = lazy(r"'[^']*'?")
_DOUBLE = lazy(r'(?:[^"\\$]|\\.|\$(?!\())*("|\$\(|\\?\Z)', re.DOTALL)


def _shell(text: str) -> Iterator[Span]:
    at = 0
    lines = _Lines(text)
    nested: list[int] = []  # for each `$(` inside double quotes: how many parentheses are open in it
    waiting: list[tuple[str, bool]] = []  # here documents that start at the next line: their ends
    while match := _SHELL.search(text, at):
        kind, start, at = match.lastgroup, match.start(), match.end()
        if kind == "comment":
            yield Span(start, at, True)
        elif kind == "single":
            if text[start] == "'":  # without `$` a backslash escapes nothing
                plain = _PLAIN_SINGLE.match(text, start)
                assert plain is not None
                at = plain.end()
            yield Span(start, at, False)
        elif kind in ("q1", "q2", "q3", "here"):
            word = match["q1"] or match["q2"] or match["q3"]
            waiting.append((word, match["here"].startswith("<<-")))
        elif kind == "newline" and waiting:
            for word, tabs in waiting:
                end = lines.closing(word, tabs, at)
                if end > at:
                    yield Span(at, end, False)
                    at = end
            waiting = []
        elif kind == "double" or (kind == "close" and nested and nested[-1] == 0):
            if kind == "close":
                nested.pop()
            part = _DOUBLE.match(text, at)
            assert part is not None  # it matches the empty text too
            yield Span(start if kind == "double" else at, part.end(), False)
            at = part.end()
            if part[1] == "$(":
                nested.append(0)
        elif nested and kind in ("open", "close"):
            nested[-1] += 1 if kind == "open" else -1


class _Lines:
    """Where each line of a text ends, by what it says; asked only where a here document starts."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[tuple[str, bool], list[int]] = {}

    def closing(self, word: str, tabs: bool, at: int) -> int:
        """Where the first line from `at` on that closes a here document ends; `at` itself without one."""
        if not self._ends:
            self._index()
        found = self._ends.get((word, tabs), [])
        place = bisect_left(found, at + len(word))
        return found[place] if place < len(found) else at

    def _index(self) -> None:
        at = 0
        for line in self._text.split("\n"):
            at += len(line)
            said = line.removesuffix("\r")
            self._ends.setdefault((said, False), []).append(at)
            self._ends.setdefault((said.lstrip("\t"), True), []).append(at)
            at += 1


_SCANNERS = {"python": _python, "javascript": _javascript, "shell": _shell}
