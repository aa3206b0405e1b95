"""Fact `reviews`: the notes in `reviews/`, each with the one header block that counts (spec rows-1, 1.10).

A note opens, after blank lines and one H1, with `key: value` lines up to the first blank line or
heading, or with the text between two `---` lines. That block is YAML, read string-only; whatever
stands below it is prose and proves nothing. A header of plain lines is read without the parser,
which costs more to load than the rows; both give the same nodes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from goblin import yaml
from goblin.outcome import CheckFailed, Finding
from goblin.paths import ReadRefused
from goblin.pattern import lazy
from goblin.yaml import List, Map, Node, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goblin.paths import Tree

FOLDER = "reviews"
LIMIT = 1 << 20
"""Bytes of one note that are read."""

HEADER = 1 << 16
"""Bytes of a header that are parsed."""

_HEADING = lazy(r"#{1,6}(?:[ \t]|$)")
_TITLE = lazy(r"#(?:[ \t]|$)")
_NAMED_HEAD = lazy(r"-([0-9a-fA-F]{7,64})\.md")

_SAFE = r"[A-Za-z0-9](?:[^\x00-\x1f\x7f-\x9f]*[^ \x00-\x1f\x7f-\x9f])?"
_KEY = lazy(rf"([A-Za-z][A-Za-z0-9_-]*):(?:[ ]+({_SAFE}))?[ ]*")
_ITEM = lazy(rf"([ ]*)-[ ]+({_SAFE})[ ]*")
_TOO_CLEVER = lazy(r": |:$| #|[\x85\u2028\u2029\ufeff]")


class Note:
    """One review note. `problem` says why nothing of it can be read, with its place."""

    def __init__(self, path: str, data: bytes = b"", problem: str = "") -> None:
        self.path = path
        self._problem = problem
        self._text = ""
        try:
            self._text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            self._problem = f"byte {error.start + 1} is not UTF-8"

    @property
    def problem(self) -> Finding | None:
        """Why the header cannot be read; None for a readable one."""
        return self._read[1]

    @property
    def fields(self) -> Map:
        """The header; empty where it cannot be read."""
        return self._read[0]

    @property
    def named_head(self) -> str:
        """The hex digits that end the file's name, in lower case; "" for none."""
        match = _NAMED_HEAD.search(self.path)
        return match[1].lower() if match else ""

    def text(self, key: str) -> str:
        """The text of a field, trimmed; "" where it is not set or is no text."""
        node = self.fields.get(key)
        return node.strip() if isinstance(node, Text) and not yaml.is_unset(node) else ""

    def where(self, key: str, message: str) -> Finding:
        """A finding on the field's line, or on the header's first line where there is no such field."""
        line, column = self.fields.marks.get(key, (self.fields.line, 0))
        return Finding(self.path, line, column, message)

    def words(self, key: str) -> tuple[str, ...]:
        """Every text in a field that is not blank, in a text, a list, a block or a mapping."""
        found: list[str] = []
        waiting: list[Node | None] = [self.fields.get(key)]
        while waiting:
            node = waiting.pop(0)
            if isinstance(node, Map):
                waiting[:0] = [*map(Text, node), *node.values()]
            elif isinstance(node, List):
                waiting[:0] = list(node)
            elif node is not None and not yaml.is_unset(node) and node.strip():
                found.append(node)
        return tuple(found)

    @cached_property
    def _read(self) -> tuple[Map, Finding | None]:
        if self._problem:
            return Map(), Finding(self.path, message=self._problem)
        start, lines, problem = header(self._text)
        if problem:
            return Map(), Finding(self.path, start, 1, problem)
        plain = plain_fields(lines, start)
        if plain is not None:
            return plain, None
        try:
            root = yaml.load("\n".join([*[""] * (start - 1), *lines]).encode(), self.path, limit=LIMIT)
        except yaml.YamlError as error:
            return Map(), Finding(self.path, error.line, error.column, error.message)
        if not isinstance(root, Map) or root.column > 1:
            told = "the header must be `key: value` lines at the start of the line"
            return Map(start), Finding(self.path, start, 1, told)
        return root, None


def header(text: str) -> tuple[int, list[str], str]:
    """Where a note's header starts (a line, from 1), its lines, and why there is none ("" for one)."""
    lines = text.split("\n")
    at, titled = 0, False
    while at < len(lines) and (not lines[at].strip() or (not titled and _TITLE.match(lines[at]))):
        titled = titled or bool(lines[at].strip())
        at += 1
    if at == len(lines):
        return max(len(lines) - 1, 1), [], "it holds no header of `key: value` lines"
    if lines[at].rstrip() == "---":
        ends = (number for number in range(at + 1, len(lines)) if lines[number].rstrip() == "---")
        end = next(ends, 0)
        if not end:
            return at + 1, [], "the header is not closed by a line ---"
        at += 1
    else:
        starts = (number for number in range(at, len(lines))
                  if not lines[number].strip() or _HEADING.match(lines[number]))  # fmt: skip
        end = next(starts, len(lines))
    found = lines[at:end]
    if sum(map(len, found)) > HEADER:
        return at + 1, [], f"the header has more than {HEADER} characters: end it with a blank line"
    if not any(line.strip() for line in found):
        return at + 1, [], "it holds no header of `key: value` lines"
    return at + 1, found, ""


def plain_fields(lines: Iterable[str], start: int) -> Map | None:
    """A header that is nothing but `key: text` lines and lists of texts, or None for any other.

    Within that subset it gives the nodes that `goblin.yaml.load` gives; `start` is the first line.
    """
    found = Map(start, 1)
    items: List | None = None
    key, indent = "", 0
    for number, line in enumerate(lines, start):
        pair, item = _KEY.fullmatch(line), _ITEM.fullmatch(line)
        match = pair or item
        value = (match[2] or "") if match else ""
        if match is None or _TOO_CLEVER.search(value):
            return None
        if pair:
            key = pair[1]
            if key in found:
                return None
            items = None
            column = pair.start(2) + 1 if value else len(key) + 2
            found[key] = Text(value, number, column)
            found.marks[key] = (number, 1)
            continue
        assert item is not None
        if items is None:
            if not key or found[key]:
                return None
            indent = len(item[1])
            items = List((), number, indent + 1)
            found[key] = items
        if len(item[1]) != indent:
            return None
        items.append(Text(value, number, item.start(2) + 1))
    return found if found else None


def load(tree: Tree) -> tuple[Note, ...]:
    """Every note by path; `README.md` is none. Raises `CheckFailed` where `reviews` is no folder."""
    kind = tree.kind(FOLDER)
    if kind not in ("dir", "missing"):
        told = "`reviews` is not a folder, so no note can be read"
        raise CheckFailed(told, [Finding(FOLDER, message=f"a {kind}")], "make reviews a folder of notes")
    try:
        names = [name for name in tree.names(FOLDER) if name.endswith(".md") and name.lower() != "readme.md"]
    except ReadRefused as error:
        raise CheckFailed(str(error)) from error
    return tuple(_note(tree, f"{FOLDER}/{name}") for name in names)


def _note(tree: Tree, path: str) -> Note:
    try:
        return Note(path, tree.read(path, LIMIT))
    except ReadRefused as error:
        return Note(path, problem=str(error).removeprefix(f"{path}: "))
