"""The pieces of code in a file, and the elements of its markup.

A file of code is one piece; of Vue, Svelte and HTML the script blocks count, and of HTML the elements too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from goblin.bans.reading import Attribute

CODE = {
    "ts": "ts", "mts": "ts", "cts": "ts", "tsx": "tsx",
    "js": "js", "jsx": "js", "mjs": "js", "cjs": "js",
}  # fmt: skip
"""File name ending to language: TypeScript, TypeScript with JSX, JavaScript (with or without)."""

MARKUP = ("vue", "svelte", "html")

# An element that never ends goes to the end of the text or to a quote that never ends: without that each
# of many would be looked through to the end of the text.
_OPENING = re.compile(
    r"<!--(?:[^-]|-(?!->))*+(?:-->)?|<script\b((?:[^>\"']|\"[^\"]*+\"|'[^']*+')*+)>?", re.IGNORECASE
)
_CLOSING = re.compile(r"</script\b", re.IGNORECASE)
_LANG = re.compile(r"\b(?:lang|type)\s*=\s*[\"']?\s*(?:text/|application/)?([\w./+-]+)", re.IGNORECASE)
_ELEMENT = re.compile(
    r"<!--(?:[^-]|-(?!->))*+(?:-->)?|<([A-Za-z][\w:.-]*+)((?:[^>\"']|\"[^\"]*+\"|'[^']*+')*+)>?"
)
_ATTRIBUTE = re.compile(r"([^\s\"'>/=]++)(?:\s*+=\s*+(\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>`]++))?+")
_LANGUAGES = {"ts": "ts", "typescript": "ts", "tsx": "tsx", "jsx": "js", "js": "js", "javascript": "js",
              "module": "js", "babel": "js", "ecmascript": "js"}  # fmt: skip


class Part(NamedTuple):
    """A piece of code: where it starts in the file, what it says, and its language."""

    start: int
    text: str
    language: str  # a value of `CODE`


def ending(path: str) -> str:
    """The ending of a file name, in lower case, without the dot."""
    return path.rpartition("/")[2].rpartition(".")[2].lower()


def parts(text: str, suffix: str) -> Iterator[Part]:
    """The pieces of code of a file whose name ends with `suffix`."""
    if suffix in CODE:
        yield Part(0, text, CODE[suffix])
    elif suffix in MARKUP:
        for start, end, attributes in _scripts(text):
            found = _LANG.search(attributes)
            language = _LANGUAGES.get(found[1].lower() if found else "js")
            if language:
                yield Part(start, text[start:end], language)


def _scripts(text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    while opening := _OPENING.search(text, at):
        at = opening.end()
        if opening[1] is None or opening[1].endswith("/"):
            continue
        closing = _CLOSING.search(text, at)
        end = closing.start() if closing else len(text)
        yield at, end, opening[1]
        at = closing.end() if closing else len(text)


def elements(text: str) -> Iterator[Attribute]:
    """The attributes of the elements of a page, comments and scripts left out."""
    at = 0
    while found := _ELEMENT.search(text, at):
        at = found.end()
        tag = found[1]
        if tag is None:
            continue
        for attribute in _ATTRIBUTE.finditer(found[2]):
            name = attribute[1].lower()
            yield Attribute(tag.lower(), name, attribute[2], found.start(2) + attribute.start())
        if tag.lower() in ("script", "style", "textarea", "title"):
            closing = re.compile(rf"</{tag}\b", re.IGNORECASE).search(text, at)
            at = closing.start() if closing else len(text)


def comments(text: str) -> Iterator[tuple[int, int]]:
    """The places of the comments of a page."""
    for found in _ELEMENT.finditer(text):
        if found[1] is None:
            yield found.span()
