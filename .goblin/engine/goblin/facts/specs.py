"""Fact `specs`: the `*-SPEC.md` files at the root, and the acceptance items in them."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin import markdown
from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.paths import Tree

SUFFIX = "-SPEC.md"
LIMIT = 1 << 20
"""Bytes of a spec that are read."""

LONGEST = 10_000
"""Characters of one acceptance item that are looked at."""

_MARK = lazy(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]+")
_BULLET = lazy(r"([ \t]*)(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(.*)")
_LABEL = lazy(r"(?:^|(?<=\W))[_*`]{0,3}AC-?[0-9]*[\])_*`]{0,3}:[_*`]{0,3}")
_HEADING = lazy(r"#{1,6}(?:[ \t]|$)")
_COMPARISON = lazy(r"==|[<>]|\bexits?\s+[0-9]+\b|\bexit\s+code\b", re.IGNORECASE)
_TICKS = lazy(r"`+")


class Item(NamedTuple):
    """An acceptance item: the line of its bullet, its text joined, and whether it shows a comparison."""

    line: int
    text: str
    comparable: bool


class Spec:
    """A root path that ends in `-SPEC.md`. `problem` says why it is no spec; "" for a good one."""

    def __init__(self, path: str, data: bytes = b"", problem: str = "") -> None:
        self.path = path
        self.data = data
        self.problem = problem

    def digests(self) -> frozenset[str]:
        """SHA-256 of the bytes, and of the same with LF line ends."""
        from hashlib import sha256

        return frozenset(sha256(data).hexdigest() for data in (self.data, self.data.replace(b"\r\n", b"\n")))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The acceptance items; raises `UnicodeDecodeError` for a file that is not UTF-8."""
        return tuple(acceptance_items(self.data.decode("utf-8-sig")))


class _Open:
    """An item whose last line is not known yet; lines count from 1."""

    def __init__(self, line: int, indent: int) -> None:
        self.line = line
        self.indent = indent
        self.end = 0  # the line after its last; 0 for the end of the text
        self.code = False

    def item(self, stripped: list[str]) -> Item:
        """The item, its lines joined (as many as `LONGEST` characters take)."""
        parts: list[str] = []
        left = LONGEST
        for index in range(self.line - 1, self.end - 1 if self.end else len(stripped)):
            if stripped[index]:
                parts.append(stripped[index][:left])
                left -= len(parts[-1]) + 1
                if left <= 0:
                    break
        text = _MARK.sub("", " ".join(parts), count=1)
        return Item(self.line, text, self.code or _comparable(_LABEL.sub(" ", text)))


def _comparable(text: str) -> bool:
    """True for a text with a comparison, or with code: something between two equal runs of backticks."""
    if _COMPARISON.search(text):
        return True
    ends: dict[int, int] = {}
    for run in _TICKS.finditer(text):
        length = len(run[0])
        if length in ends and text[ends[length] : run.start()].strip():
            return True
        ends[length] = run.end()
    return False


def _indent(blanks: str) -> int:
    return len(blanks.expandtabs(4))


def acceptance_items(text: str) -> list[Item]:
    """Every bullet (`-`, `*`, `+` or numbered) that holds a label `AC<n>:`, in order (spec SP-03).

    Its wrapped lines, deeper bullets and indented code belong to it. What stands in fenced code or a
    comment is no item.
    """
    found: list[_Open] = []
    opened: list[_Open] = []  # the items that a deeper line would belong to, outermost first
    after_blank = False
    raw = text.split("\n")
    lines = markdown.blank(text).split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            if raw[number - 1].lstrip().startswith(("```", "~~~")):
                for item in opened[: _around(opened, raw[number - 1])]:
                    item.code = True
            after_blank = True
            continue
        bullet = _BULLET.fullmatch(line.rstrip())
        if bullet or after_blank or _HEADING.match(line):
            kept = _around(opened, line)
            for item in opened[kept:]:
                item.end = number
            del opened[kept:]
        after_blank = False
        if bullet and _LABEL.search(bullet[2]):
            opened.append(_Open(number, _indent(bullet[1])))
            found.append(opened[-1])
    stripped = [line.strip() for line in lines]
    return [item.item(stripped) for item in found]


def _around(opened: list[_Open], line: str) -> int:
    """How many of the open items a line is indented deeper than (their indents grow)."""
    return bisect_left(opened, _indent(line[: len(line) - len(line.lstrip())]), key=lambda item: item.indent)


class Specs(NamedTuple):
    """Every root path that ends in `-SPEC.md`, sorted by name."""

    root: tuple[Spec, ...]

    @property
    def good(self) -> tuple[Spec, ...]:
        """Those that are regular files with text in them."""
        return tuple(spec for spec in self.root if not spec.problem)


def _spec(tree: Tree, name: str) -> Spec:
    kind = tree.kind(name)
    if kind != "file":
        what = {"dir": "a folder", "link": "a symbolic link"}.get(kind, "no regular file")
        return Spec(name, problem=f"is {what}")
    try:
        data = tree.read(name, LIMIT)
    except ReadRefused as error:
        return Spec(name, problem=str(error).removeprefix(f"{name}: "))
    return Spec(name, data, "" if data.strip(b"\xef\xbb\xbf \t\r\n") else "is empty")


def load(tree: Tree) -> Specs:
    """Read the specs at the root; raises `CheckFailed` where the root cannot be listed."""
    try:
        names = tree.names("")
    except ReadRefused as error:
        raise CheckFailed(f"the root cannot be listed{error}") from error
    return Specs(tuple(_spec(tree, name) for name in names if name.endswith(SUFFIX)))
