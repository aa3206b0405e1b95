"""Putting a value into a JSON file of others, and taking it out: every other byte stays as it is.

The standard library parses; only where things stand is found here, since what it parses into has lost that.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"\A\s*[\[{]\r?\n([ \t]+)")


class NotPlain(ValueError):
    """A text that is no JSON object, or one that could be read in two ways."""


class Child(NamedTuple):
    """A member of an object, or an element of an array (whose key is ""), with offsets into the text."""

    key: str
    start: int
    value: int
    end: int


def read(text: str) -> dict[str, Any]:
    """The object that a whole text holds. Raises `NotPlain`."""

    def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            ((twice, _), *_) = Counter(key for key, _ in pairs).most_common()
            raise NotPlain(f"the key {twice!r} stands twice in one object")
        return found

    def refuse(word: str) -> Any:
        raise NotPlain(f"{word} is no JSON")

    try:
        value = json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except RecursionError as error:
        raise NotPlain("nested too deep") from error
    except NotPlain:
        raise
    except ValueError as error:
        raise NotPlain(f"no plain JSON: {error}") from error
    if not isinstance(value, dict):
        raise NotPlain("the whole is no object")
    return value


def top(text: str) -> int:
    """Where the object of the text begins."""
    return _after_space(text, 0)


def children(text: str, at: int) -> tuple[Child, ...]:
    """What the object or array at an offset holds; the text has passed `read`."""
    return tuple(_children(text, at))


def _children(text: str, at: int) -> Iterator[Child]:
    named = text[at] == "{"
    here = _after_space(text, at + 1)
    while text[here] not in "]}":
        start, key = here, ""
        if named:
            key, here = _DECODER.raw_decode(text, here)
            here = _after_space(text, _after_space(text, here) + 1)  # the colon
        _, end = _DECODER.raw_decode(text, here)
        yield Child(key, start, here, end)
        here = _after_space(text, end)
        if text[here] == ",":
            here = _after_space(text, here + 1)


def added(text: str, at: int, value: Any, key: str = "", *, depth: int) -> str:
    """The text with a value at the end of the object or array at an offset, which lies `depth` deep."""
    line, unit = _style(text)
    written = (f"{json.dumps(key)}: " if key else "") + json.dumps(value, indent=unit, ensure_ascii=False)
    new = line + "\n".join(unit * (depth + 1) + row for row in written.split("\n")).replace("\n", line)
    held = children(text, at)
    if held:
        return f"{text[: held[-1].end]},{new}{text[held[-1].end :]}"
    close = _after_space(text, at + 1)
    if "\n" not in text[at + 1 : close]:
        new += line + unit * depth
    return text[: at + 1] + new + text[at + 1 :]


def without(text: str, at: int, number: int, *, depth: int) -> Iterator[str]:
    """The text without one child of the object or array at an offset, as it may have been before `added`.

    There is more than one way where nothing else is left: the line end behind it may have been there before,
    or not.
    """
    held = children(text, at)
    child = held[number]
    if number:
        yield text[: held[number - 1].end] + text[child.end :]
    elif len(held) > 1:
        yield text[: child.start] + text[held[1].start :]
    else:
        line, unit = _style(text)
        yield text[: at + 1] + text[child.end :].removeprefix(line + unit * depth)
        yield text[: at + 1] + text[child.end :]


def _style(text: str) -> tuple[str, str]:
    """The line end and the indentation that a text uses."""
    found = _INDENT.search(text)
    return "\r\n" if "\r\n" in text else "\n", found[1] if found else "  "


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
