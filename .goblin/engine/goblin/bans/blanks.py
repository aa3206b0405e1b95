"""JavaScript and TypeScript with what is no code turned into spaces; every place stays where it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from goblin.bans.lexer import REGEX, STRING, TEMPLATE, lex
from goblin.bans.parts import Part, comments

_VISIBLE = re.compile(r"[^\r\n]")


def spans(text: str, *, jsx: bool = True) -> Iterator[tuple[int, int, bool]]:
    """Stretches that are no code, in order: where they start and end, and whether they are comments.

    Of a text in quotes the quotes are left, of a template what opens and closes it and its substitutions.
    """
    tokens = lex(text, jsx=jsx)
    found = [(start, end, True) for start, end in tokens.comments]
    found += [(start, end, False) for start, end in tokens.texts]
    for index, kind in enumerate(tokens.kinds):
        if kind in (STRING, TEMPLATE, REGEX):
            start, end = tokens.starts[index], tokens.ends[index]
            opened = 1 if kind != TEMPLATE or text[start] == "`" else 0
            closed = 1 if end - start > 1 and text[end - 1] in "'\"`/" else 0
            found.append((start + opened, max(start + opened, end - closed), False))
    return iter(sorted(found))


def blanked(text: str, code: Sequence[Part]) -> tuple[str, str]:
    """A file's text with the comments of its pieces of code blanked, and with their texts blanked too."""
    found: list[tuple[int, int, bool]] = []
    for part in code:
        for start, end, comment in spans(part.text, jsx=part.language != "ts"):
            found.append((part.start + start, part.start + end, comment))
    if len(code) != 1 or code[0].text is not text:  # a page: its own comments as well
        inside = [(part.start, part.start + len(part.text)) for part in code]
        for start, end in comments(text):
            if not any(first <= start < last for first, last in inside):
                found.append((start, end, True))
    found.sort()
    return _without(text, (span for span in found if span[2])), _without(text, found)


def _without(text: str, found: Iterable[tuple[int, int, bool]]) -> str:
    kept: list[str] = []
    at = 0
    for start, end, _ in found:
        if end > at:
            start = max(start, at)
            kept += [text[at:start], _VISIBLE.sub(" ", text[start:end])]
            at = end
    return "".join([*kept, text[at:]])
