"""Changing one key of a YAML file and not one byte more.

The file is composed to learn where the key and its value stand; then characters are replaced
there, and the result is read back and compared. Nothing is ever rendered from a tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goblin.pattern import lazy
from goblin.yaml import List, Map, Node, Text, YamlError, flow, is_unset, load
from goblin.yaml.compose import Composer

if TYPE_CHECKING:
    from collections.abc import Sequence

_BOM = b"\xef\xbb\xbf"
_PLAIN = lazy(r"[A-Za-z0-9_./~@+-]*[A-Za-z0-9_./+-]")
_NEVER_PLAIN = lazy(r"[-@~.+]|null\Z")
_NOT_PRINTABLE = lazy("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_HEADER = lazy(r"[|>][-+0-9]*")
_END = lazy(r"^\.\.\.(?=\s|\Z)", re.MULTILINE)


def scalar(value: str) -> str:
    """See `goblin.yaml.scalar`."""
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise ValueError(f"no YAML can hold {value!r}")
    if not value:
        return '""'
    if _PLAIN.fullmatch(value) and not _NEVER_PLAIN.match(value):
        return value
    if not _NOT_PRINTABLE.search(value):
        return "'" + value.replace("'", "''") + "'"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _NOT_PRINTABLE.sub(lambda match: f"\\U{ord(match[0]):08X}", escaped) + '"'


class _File:
    """A file being edited: its text, its one root mapping, and where everything stands."""

    def __init__(self, data: bytes, source: str) -> None:
        self.source = source
        self.mark = _BOM if data.startswith(_BOM) else b""
        self.composer = Composer(data, source)
        self.text = self.composer.text
        self.newline = "\r\n" if "\r\n" in self.text else "\n"
        documents = list(self.composer.documents())
        if len(documents) > 1:
            raise YamlError(source, *documents[1][1], "a second document starts here, where one is expected")
        root = documents[0][0] if documents else Text()
        self.is_new = is_unset(root)
        if self.is_new:
            root = Map()
        if not isinstance(root, Map):
            raise YamlError(source, root.line, root.column, "the file must hold `key: value` lines")
        self.root = root

    def span(self, node: Node) -> tuple[int, int]:
        """Where a node starts and ends, without the line breaks at the end of a block."""
        start, end = self.composer.spans[id(node)]
        return start, self.trimmed(start, end)

    def trimmed(self, start: int, end: int) -> int:
        """`end`, moved back over line breaks."""
        return start + len(self.text[start:end].rstrip("\r\n"))

    def is_flow(self, node: Node) -> bool:
        """True for `[...]` and `{...}`."""
        start, end = self.span(node)
        return start < end and self.text[start] in "[{" and self.text[end - 1] in "]}"

    def line_start(self, index: int) -> int:
        """The start of the line that holds `index`."""
        return self.text.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        """The end of the line that holds `index`, before its line break."""
        found = self.text.find("\n", index)
        if found < 0:
            return len(self.text)
        return found - 1 if self.text[index:found].endswith("\r") else found

    def line_after(self, index: int) -> int:
        """The start of the line below the one that holds `index`; the end of the file without one."""
        found = self.text.find("\n", index)
        return len(self.text) if found < 0 else found + 1

    def put(self, start: int, end: int, text: str) -> bytes:
        """The file with the characters from `start` to `end` replaced."""
        return self.mark + (self.text[:start] + text + self.text[end:]).encode("utf-8")

    def insert(self, index: int, lines: Sequence[str]) -> bytes:
        """The file with whole lines put in at `index`: the start of a line, or the end of the file."""
        text = "".join(line + self.newline for line in lines)
        if index and self.text[index - 1] != "\n":
            text = self.newline + text
        return self.put(index, index, text)


def set_key(data: bytes, key: str, value: str, source: str, comment: str = "") -> bytes:
    """See `goblin.yaml.set_key`."""
    file = _File(data, source)
    new = _parsed(value)
    names = key.split(".")
    parent = file.root
    for depth, name in enumerate(names[:-1]):
        child = parent.get(name)
        if is_unset(child):
            return _checked(file, key, new, _add(file, parent, names[depth:], value, comment))
        if not isinstance(child, Map):
            raise _by_hand(file, key)
        parent = child
    if names[-1] in parent:
        return _checked(file, key, new, _replace(file, parent, names[-1], value))
    return _checked(file, key, new, _add(file, parent, names[-1:], value, comment))


def set_list(data: bytes, key: str, items: Sequence[str], source: str) -> bytes:
    """See `goblin.yaml.set_list`."""
    file = _File(data, source)
    node: Node | None = file.root
    for name in key.split("."):
        node = node.get(name) if isinstance(node, Map) else None
    kept = [item for item in node if item in items] if isinstance(node, List) else []
    if not isinstance(node, List) or file.is_flow(node) or len(kept) != len({str(item) for item in kept}):
        return set_key(data, key, flow(items), source)
    if not kept:
        return set_key(data, key, flow(items), source)
    first = file.line_start(file.span(node)[0])
    indent = file.text[first : file.span(node)[0]]
    added = [item for item in items if item not in kept]
    bottom = file.line_after(file.span(node[-1])[1])
    lines = [f"{indent}- {scalar(item)}{file.newline}" for item in added]
    head = file.text[:bottom]
    if lines and not head.endswith("\n"):
        head += file.newline
    for item in reversed(node):
        if item not in items:
            start, end = file.span(item)
            head = head[: file.line_start(start)] + head[file.line_after(end) :]
    text = head + "".join(lines) + file.text[bottom:]
    return _checked(file, key, List([*kept, *map(Text, added)]), file.mark + text.encode("utf-8"))


def _parsed(value: str) -> Node:
    if "\n" in value or "\r" in value:
        raise ValueError(f"a value of one line is expected: {value!r}")
    node = load(b"x: " + value.encode("utf-8"), "value")
    if not isinstance(node, Map) or list(node) != ["x"]:
        raise ValueError(f"not one YAML value: {value!r}")
    return node["x"]


def _replace(file: _File, parent: Map, name: str, value: str) -> bytes:
    """Put a value in the place of the one that the key has."""
    at = file.composer.entries[id(parent), name]
    node, space = parent[name], " " if value else ""
    is_alias = file.text.startswith("*", at.start)
    if at.colon == at.key:
        return file.put(at.key, at.key, f":{space}{value}")
    if at.start == at.end == at.colon:
        return file.put(at.colon, at.colon, space + value)
    is_text = is_alias or isinstance(node, Text)
    header = None if is_alias or not is_text else _HEADER.match(file.text, file.span(node)[0])
    if header is None and (is_text or file.is_flow(node)):
        return file.put(at.start, at.end, value)
    # A block: its lines go, and a comment on the key's own line stays.
    end_of_line = file.line_end(at.colon)
    if header:
        rest = file.text[header.end() : end_of_line] if header.end() <= end_of_line else ""
    else:
        rest = file.text[at.colon : end_of_line] if at.start > end_of_line else ""
    end = file.trimmed(at.start, at.end)
    return file.put(at.colon, file.line_end(end), space + value + rest)


def _add(file: _File, parent: Map, names: Sequence[str], value: str, comment: str) -> bytes:
    """Add `names[0]` to a mapping, or give it its first member where it stands there empty."""
    name, *inner = names
    for member in reversed(inner):
        value = f"{{{scalar(member)}: {value}}}"
    line = f"{scalar(name)}: {value}".rstrip()
    if name in parent:
        return _replace(file, parent, name, value)
    if not file.is_new and file.is_flow(parent):
        end = file.span(parent)[1] - 1
        before = file.text[:end].rstrip()
        glue = "" if before.endswith("{") else " " if before.endswith(",") else ", "
        return file.put(len(before), len(before), glue + line)
    places = list(parent.marks.values())
    indent = " " * (places[0][1] - 1) if places else ""
    if parent is not file.root:
        at = file.composer.entries[id(parent), list(parent.marks)[-1]]
        return file.insert(file.line_after(file.trimmed(at.start, at.end)), [indent + line])
    lines = [f"{indent}# {text}".rstrip() for text in comment.splitlines()]
    ends = _END.search(file.text)
    return file.insert(ends.start() if ends else len(file.text), [*lines, indent + line])


def _by_hand(file: _File, key: str) -> YamlError:
    place = file.root.marks.get(key.split(".")[0], (1, 1))
    return YamlError(
        file.source, *place, f"`{key}` cannot be set by a command as this stands: edit it by hand"
    )


def _checked(file: _File, key: str, new: Node, data: bytes) -> bytes:
    """`data`, where it reads back as the old tree with `key` set to `new` and nothing else."""
    try:
        found = load(data, file.source)
    except YamlError as error:
        raise _by_hand(file, key) from error
    names = key.split(".")
    before, after = _without(file.root, names), _without(found, names)
    value: Node | None = found
    for name in names:
        value = value.get(name) if isinstance(value, Map) else None
    if value != new or before != after:
        raise _by_hand(file, key)
    return data


def _without(node: Node, names: Sequence[str]) -> dict[str, object]:
    """The members of a mapping without one dotted key, as plain dicts along its path."""
    members: dict[str, object] = dict(node) if isinstance(node, Map) else {}
    if len(names) == 1:
        members.pop(names[0], None)
    elif names:
        child = node.get(names[0]) if isinstance(node, Map) else None
        members[names[0]] = _without(Text() if child is None else child, names[1:])
    return members
