"""Fact `public_names`: names that a build hands to every browser and that sound like a secret (SC-03)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.needles import PREFIXES, PUBLIC_NAME
from goblin.outcome import Finding
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts.jsscript import Script
    from goblin.facts.search import Source
    from goblin.facts.sources import Sources

WORDS = ("SECRET", "TOKEN", "KEY", "PASSWORD", "PASSWD", "PRIVATE")
MAY_NAME = lazy(
    rb"(?:"
    + b"|".join(prefix.encode() for prefix in PREFIXES)
    + rb")[\w$]*?(?i:"
    + "|".join(WORDS).encode()
    + rb")"
)
"""A content without a match names nothing of the kind."""

_SETTING = lazy(r"[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=")


class Named(NamedTuple):
    """A name and where it stands."""

    line: int
    column: int
    name: str


def is_secret_shaped(name: str) -> bool:
    """True for a public prefix whose remainder has a part that is, or ends with, a word for a secret."""
    prefix = next((prefix for prefix in PREFIXES if name.startswith(prefix)), "")
    if not prefix:
        return False
    words = (*WORDS, *(f"{word}S" for word in WORDS))
    return any(part.endswith(words) for part in name[len(prefix) :].upper().split("_"))


def in_script(script: Script) -> Iterator[Named]:
    """Identifiers, property names and texts that are such a name; comments and prose are none."""
    from goblin.facts.jstokens import CHUNK, NAME, STRING

    for at, token in enumerate(script.tokens):
        if token.kind in (NAME, STRING, CHUNK) and is_secret_shaped(token.text):
            yield Named(*script.place(at), token.text)


def in_settings(text: str) -> Iterator[Named]:
    """The keys of a `.env` file."""
    for number, line in enumerate(text.split("\n"), start=1):
        match = _SETTING.match(line.removeprefix("\ufeff"))
        if match and is_secret_shaped(match[1]):
            yield Named(number, match.start(1) + 1, match[1])


def probe(text: str) -> Iterator[Named]:
    """The same by plain text, for a source that did not read cleanly."""
    for match in re.finditer(r"(?<![\w$])[A-Z][A-Z0-9_]*_[\w$]+", text):
        if is_secret_shaped(match.group()):
            line = text.count("\n", 0, match.start()) + 1
            yield Named(line, match.start() - text.rfind("\n", 0, match.start()), match.group())


def load(sources: Sources) -> tuple[Finding, ...]:
    """A finding for each line with such a name, in the source set and in `.env*` files."""
    return tuple(f for source in sources.holding(PUBLIC_NAME) for f in _lines(sources, source))


def _lines(sources: Sources, source: Source) -> Iterator[Finding]:
    try:
        data = sources.data(source)
    except ReadRefused as error:
        yield source.finding(0, 0, f"not looked at: {error}")
        return
    if not MAY_NAME.search(data):
        return
    if sources.is_source(source.path):
        from goblin.facts.jsscript import read

        script = read(source.path, data)
        named = list(in_script(script))
        if not script.sound:
            named += probe(script.text)
    else:
        named = list(in_settings(data.decode("utf-8", "replace")))
    lines = {found.line: found for found in sorted(named, reverse=True)}
    for line, found in sorted(lines.items()):
        yield source.finding(line, found.column, found.name)
