"""How much a result may say: enough to act on, and never more than a client can take."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

TEXT = 32 << 10
"""Bytes of a result's text."""

VALUE = 192 << 10
"""Bytes of a result's value, as JSON."""

LINE = 400
"""Characters of one line, or of one text of a value."""

FINDINGS = (20, 5, 1, 0)
"""Findings of one row that a value holds; fewer where all of them would not fit."""

MESSAGE = "... and {} more line(s)"


def cut(text: str, most: int = LINE) -> str:
    """A text of at most `most` characters and three dots."""
    return text if len(text) <= most else text[:most] + "..."


def text(lines: Iterable[str]) -> str:
    """Lines as one text within the limit; what does not fit is counted."""
    kept: list[str] = []
    size = 0
    waiting = list(lines)
    for number, line in enumerate(waiting):
        shown = cut(line)
        size += len(shown.encode("utf-8", "replace")) + 1
        if size > TEXT - len(MESSAGE) - 20:
            kept.append(MESSAGE.format(len(waiting) - number))
            break
        kept.append(shown)
    return "\n".join(kept)


def findings(found: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """The first findings, each with its place and a message of one line's length."""
    return [
        {"path": item["path"], "line": item["line"], "message": cut(item["message"])} for item in found[:most]
    ]


def fits(value: object) -> bool:
    """True where a value is within the limit."""
    return len(json.dumps(value)) <= VALUE
