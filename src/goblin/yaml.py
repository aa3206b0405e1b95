"""String-only YAML 1.2 with positions.

Every scalar keeps the text that was written: `on`, `0123456`, `12e4567` and `2026-09-25` stay what
they are, and each reader converts its own keys. Parsing is ruamel.yaml's (pure Python), event by
event, so nesting costs no recursion; duplicate keys, self references, alias bombs and oversize
input are errors with a place. Lines are counted by LF alone, as every other tool counts them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

BOM = b"\xef\xbb\xbf"
MOST_NODES = 200_000
"""Nodes of one document after every alias is expanded; more is an alias bomb, not a document."""

MOST_DEPTH = 100

# YAML 1.1 broke lines at these three; 1.2 does not, and neither do our line numbers. They travel
# through the parser as characters of a private area that the text does not use.
_NOT_BREAKS = "\x85\u2028\u2029"


class Text(str):
    """A scalar as it was written. `plain` is False for a quoted or block scalar."""

    line: int
    column: int
    plain: bool
    span: tuple[int, int]  # characters of the source that it stands in

    def __new__(cls, value: str, line: int = 1, column: int = 1, plain: bool = True) -> Text:
        """A scalar at a place, counted from 1."""
        self = super().__new__(cls, value)
        self.line, self.column, self.plain, self.span = line, column, plain, (0, 0)
        return self


class Map(dict[str, "Node"]):
    """A mapping; `marks` says at which line and column each key stands."""

    def __init__(self, line: int = 1, column: int = 1) -> None:
        super().__init__()
        self.line, self.column = line, column
        self.marks: dict[str, tuple[int, int]] = {}
        self.colons: dict[str, int] = {}  # where the value of each key may begin, in characters
        self.span = (0, 0)


class List(list["Node"]):
    """A sequence."""

    def __init__(self, line: int = 1, column: int = 1) -> None:
        super().__init__()
        self.line, self.column = line, column
        self.span = (0, 0)


Node = Text | Map | List


class YamlError(ValueError):
    """Text that is not the YAML we read; `str()` is `source:line:column: message`."""

    def __init__(self, source: str, line: int, column: int, message: str) -> None:
        super().__init__(f"{source}:{line}:{column}: {message}")
        self.source, self.line, self.column, self.message = source, line, column, message


def is_unset(node: Node | None) -> bool:
    """True for what means "not set": absent, an empty value, `~` or `null`, all unquoted."""
    return node is None or (isinstance(node, Text) and node.plain and node in ("", "~", "null"))


def load(data: bytes, source: str, *, merge: bool = False, limit: int = 1 << 20) -> Node:
    """The one document of a file, empty text for an empty file.

    With `merge`, `<<` keys are merged as YAML 1.1 tools do. `limit` is in bytes. Raises `YamlError`
    and nothing else.
    """
    documents = load_all(data, source, merge=merge, limit=limit)
    if len(documents) > 1:
        second = documents[1]
        raise YamlError(source, second.line, second.column, "a second document begins; one is expected")
    return documents[0] if documents else Text("")


def load_all(data: bytes, source: str, *, merge: bool = False, limit: int = 1 << 20) -> list[Node]:
    """Every document of a file, in order; the same errors as `load`."""
    text = _decode(data, source, limit)
    builder = _Builder(source, text, merge)
    return builder.documents(_events(text, source))


def _decode(data: bytes, source: str, limit: int) -> str:
    if len(data) > limit:
        raise YamlError(source, 1, 1, f"{len(data)} bytes, more than the {limit} that are read")
    data = data.removeprefix(BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise YamlError(source, line, column, "this byte is not UTF-8") from error


def _place(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of a character."""
    index = min(index, len(text))
    return text.count("\n", 0, index) + 1, index - (text.rfind("\n", 0, index) + 1) + 1


def _disguise(text: str) -> tuple[str, dict[int, int]]:
    """The text with YAML 1.1 line breaks replaced, and the table that brings them back."""
    present = [char for char in _NOT_BREAKS if char in text]
    if not present:
        return text, {}
    free = (code for code in range(0xE000, 0xF8FF) if chr(code) not in text)
    table = {ord(char): next(free) for char in present}
    return text.translate(table), {code: char for char, code in table.items()}


def _events(text: str, source: str) -> Iterator[Any]:
    """The parser's events, its errors turned into `YamlError`."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    disguised, back = _disguise(text)
    try:
        for event in YAML(typ="safe", pure=True).parse(disguised):
            if back and getattr(event, "value", None):
                event.value = event.value.translate(back)
            yield event
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = _place(text, mark.index if mark else 0)
        message = str(error.problem or error.context or "this is not YAML").replace("\n", " ")
        raise YamlError(source, line, column, message) from error
    except YAMLError as error:  # a character that YAML does not allow
        index = getattr(error, "position", 0)
        line, column = _place(text, index if isinstance(index, int) else 0)
        character = getattr(error, "character", None)
        name = f"U+{character if isinstance(character, int) else ord(str(character)[:1] or '?'):04X}"
        raise YamlError(source, line, column, f"the character {name} may not stand in YAML") from error
    except YamlError:
        raise
    except (
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        AttributeError,
        AssertionError,
        RecursionError,
    ) as error:
        # The parser's own faults on hostile input: an error of the text, never of the run.
        raise YamlError(source, 1, 1, f"this cannot be read as YAML ({type(error).__name__})") from error


class _Builder:
    """Turns events into nodes without recursion."""

    def __init__(self, source: str, text: str, merge: bool) -> None:
        self.source, self.text, self.merge = source, text, merge
        self.starts = [0]
        for index, char in enumerate(text):
            if char == "\n":
                self.starts.append(index + 1)

    def place(self, index: int) -> tuple[int, int]:
        """Line and column of a character, by bisection."""
        from bisect import bisect_right

        line = bisect_right(self.starts, index)
        return line, index - self.starts[line - 1] + 1

    def fail(self, index: int, message: str) -> YamlError:
        """The error at a character."""
        return YamlError(self.source, *self.place(index), message)

    def documents(self, events: Iterator[Any]) -> list[Node]:
        """Every document of the stream."""
        found: list[Node] = []
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                found.append(self.document(events))
        return found

    def document(self, events: Iterator[Any]) -> Node:
        """Build until the document ends."""
        root: Node = Text("", *self.place(len(self.text)))
        anchors: dict[str, Node] = {}
        sizes: dict[int, int] = {}
        open_nodes: list[tuple[Map | List, list[Any], str | None]] = []
        total = 0
        end = 0
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentEndEvent":
                return root
            start = event.start_mark.index
            if kind in ("MappingEndEvent", "SequenceEndEvent"):
                node, state, anchor = open_nodes.pop()
                flow = self.text[event.start_mark.index : event.end_mark.index]
                end = event.end_mark.index if flow in ("}", "]") else max(end, node.span[0])
                node.span = (node.span[0], end)
                if isinstance(node, Map) and self.merge:
                    self.merged(node, start)
                sizes[id(node)] = total - state[1]
                if anchor:
                    anchors[anchor] = node
                continue
            total += 1
            if kind == "AliasEvent":
                name = event.anchor
                if any(name == anchor for _, _, anchor in open_nodes):
                    raise self.fail(start, f"the alias *{name} stands inside the node that it names")
                if name not in anchors:
                    raise self.fail(start, f"there is no anchor &{name}")
                value = anchors[name]
                total += sizes.get(id(value), 0)
                end = max(end, event.end_mark.index)
            else:
                line, column = self.place(start)
                if kind == "ScalarEvent":
                    value = Text(event.value, line, column, event.style in (None, ""))
                    value.span = (start, event.end_mark.index)
                    if event.style in ("|", ">"):
                        value.span = (
                            start,
                            start + len(self.text[start : event.end_mark.index].rstrip("\r\n ")),
                        )
                    end = max(end, value.span[1])
                else:
                    value = Map(line, column) if kind == "MappingStartEvent" else List(line, column)
                    value.span = (start, start)
                if event.anchor and kind == "ScalarEvent":
                    anchors[event.anchor] = value
            if total > MOST_NODES:
                raise self.fail(start, f"more than {MOST_NODES} nodes once its aliases are expanded")
            if open_nodes:
                self.attach(open_nodes[-1], value, start)
            else:
                root = value
            if kind in ("MappingStartEvent", "SequenceStartEvent"):
                if len(open_nodes) >= MOST_DEPTH:
                    raise self.fail(start, f"nested more than {MOST_DEPTH} deep")
                assert isinstance(value, (Map, List))
                open_nodes.append((value, [None, total], event.anchor))
        return root

    def attach(self, parent: tuple[Map | List, list[Any], str | None], value: Node, start: int) -> None:
        """Put a node into its parent; in a mapping, every other node is a key."""
        node, state, _ = parent
        if isinstance(node, List):
            node.append(value)
            return
        if state[0] is None:
            if not isinstance(value, Text):
                raise self.fail(start, "a key must be plain text")
            if value in node:
                first = node.marks[value][0]
                raise self.fail(
                    start, f"the key {value!s} stands twice (lines {first} and {self.place(start)[0]})"
                )
            node[str(value)] = Text("")
            node.marks[str(value)] = self.place(start)
            node.colons[str(value)] = self.text.find(":", value.span[1]) + 1
            state[0] = value
        else:
            if isinstance(value, Text) and value.plain and not value:
                # The parser places an absent value at whatever follows; it belongs to its key.
                value.line, value.column = node.marks[str(state[0])]
                value.span = (node.colons[str(state[0])],) * 2
            node[str(state[0])] = value
            state[0] = None

    def merged(self, node: Map, start: int) -> None:
        """Bring in what `<<` names; keys of the mapping itself win, then earlier names."""
        if "<<" not in node:
            return
        given = node.pop("<<")
        node.marks.pop("<<")
        for source in given if isinstance(given, List) else [given]:
            if not isinstance(source, Map):
                raise self.fail(start, "<< takes a mapping or a list of mappings")
            for key, value in source.items():
                if key not in node:
                    node[key] = value
                    node.marks[key] = source.marks[key]


def set_key(data: bytes, key: str, value: str, source: str) -> bytes:
    """The file with one dotted key set to `value`, a piece of YAML on one line; all else byte for byte.

    An absent key is added at the end of its block. Comments, a byte-order mark and CRLF stay.
    Raises `YamlError` when the file cannot be read, or when the edit would change anything else.
    """
    before = load(data, source)
    mark = BOM if data.startswith(BOM) else b""
    text = _decode(data, source, len(data) + 1)
    newline = "\r\n" if "\r\n" in text else "\n"
    if not isinstance(before, Map):
        if not is_unset(before):
            raise YamlError(source, 1, 1, "the file is not a mapping")
        before = Map()
    parts = key.split(".")
    edited = _edited(text, before, parts, value, newline, source)
    out = mark + edited.encode("utf-8")
    after = load(out, source)
    if not isinstance(after, Map) or _without(after, parts) != _without(before, parts):
        raise YamlError(
            source, before.line, before.column, f"{key} cannot be set without changing another key"
        )
    return out


def _edited(text: str, root: Map, parts: list[str], value: str, newline: str, source: str) -> str:
    node: Node = root
    for depth, part in enumerate(parts):
        if not isinstance(node, Map):
            break
        if part not in node:
            indent = " " * (next(iter(node.marks.values()))[1] - 1 if node else 2 * depth)
            added = _block(parts[depth:], value, indent, newline)
            return _insert(text, node.span[1] if node and depth else len(text), added, newline)
        child = node[part]
        if depth == len(parts) - 1:
            return _replace(text, node.colons[part], child, value)
        if is_unset(child):
            added = _block(parts[depth + 1 :], value, " " * (node.marks[part][1] + 1), newline)
            return _insert(text, child.span[1], added, newline)
        node = child
    raise YamlError(source, node.line, node.column, f"{'.'.join(parts)}: the value above it is no mapping")


def _block(parts: list[str], value: str, indent: str, newline: str) -> str:
    lines = [f"{indent}{'  ' * depth}{part}:" for depth, part in enumerate(parts)]
    lines[-1] += f" {value}" if value else ""
    return newline.join(lines) + newline


def _insert(text: str, index: int, added: str, newline: str) -> str:
    """Put whole lines after the line that holds a character."""
    end = text.find("\n", index)
    if end < 0:
        head = text if not text or text.endswith("\n") else text + newline
        return head + added
    return text[: end + 1] + added + text[end + 1 :]


def _replace(text: str, colon: int, child: Node, value: str) -> str:
    """Put a value in the place of another, from the colon of its key on."""
    end = max(child.span[1], colon)
    return f"{text[:colon]} {value}{text[end:]}" if value else text[:colon] + text[end:]


def _without(node: Node | None, parts: list[str]) -> Any:
    """A plain copy of a tree without one key (and without the mappings that held nothing else)."""
    if not isinstance(node, Map):
        return node
    kept = {key: value for key, value in node.items() if key != parts[0]}
    if len(parts) > 1 and parts[0] in node:
        rest = _without(node[parts[0]], parts[1:])
        if rest and not is_unset(rest):
            kept[parts[0]] = rest
    return kept


def dump_tree(node: Node) -> Any:
    """A tree with its positions as values that JSON can hold."""
    if isinstance(node, Text):
        return [str(node), node.line, node.column, node.plain]
    if isinstance(node, List):
        return [[dump_tree(item) for item in node], node.line, node.column]
    return [
        {key: [*node.marks[key], dump_tree(value)] for key, value in node.items()},
        node.line,
        node.column,
    ]


def load_tree(value: Any) -> Node:
    """The tree back from `dump_tree`; raises `ValueError`, `TypeError` or `KeyError` for anything else."""
    content, line, column, *plain = value
    if isinstance(content, str):
        return Text(content, line, column, bool(plain[0]))
    if isinstance(content, list):
        items = List(line, column)
        items.extend(load_tree(item) for item in content)
        return items
    node = Map(line, column)
    for key, (key_line, key_column, child) in content.items():
        node.marks[key] = (key_line, key_column)
        node[key] = load_tree(child)
    return node
