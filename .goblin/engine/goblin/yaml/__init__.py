"""YAML 1.2 read string-only, with the place of every key and value (spec rows-1 "Reading the config").

Every scalar keeps the text that was written: `0123456` stays seven digits, `on` stays `on` and
`2026-01-01` is no date. A duplicate key, a document that expands without bound and anything else
that is not plain YAML is a `YamlError` with its place, never another exception.

The parser is ruamel.yaml, which costs more to import than a whole run; it is loaded by the first
call that parses or edits. The node types and the cached form below it need nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

LIMIT = 1 << 20
"""Bytes of one stream that are read where the caller names no other limit."""


class Text(str):
    """A scalar: its text, and where it stands. Lines and columns count from 1, columns in characters."""

    line: int
    column: int
    plain: bool  # written without quotes and not as a block
    sign: str  # the tag or anchor in front of it, as written: "" nearly always

    def __new__(
        cls, value: str = "", line: int = 1, column: int = 1, plain: bool = True, sign: str = ""
    ) -> Text:
        """A text with its place."""
        self = super().__new__(cls, value)
        self.line = line
        self.column = column
        self.plain = plain
        self.sign = sign
        return self


class Map(dict[str, "Node"]):
    """A mapping in file order. `marks` tells (line, column) of each key."""

    def __init__(self, line: int = 1, column: int = 1) -> None:
        super().__init__()
        self.line = line
        self.column = column
        self.marks: dict[str, tuple[int, int]] = {}


class List(list["Node"]):
    """A sequence."""

    def __init__(self, items: Iterable[Node] = (), line: int = 1, column: int = 1) -> None:
        super().__init__(items)
        self.line = line
        self.column = column


Node: TypeAlias = Text | Map | List


class YamlError(ValueError):
    """YAML that is not read, and where: `source:line:column: message`."""

    def __init__(self, source: str, line: int, column: int, message: str) -> None:
        super().__init__(f"{source}:{line}:{column}: {message}")
        self.source = source
        self.line = line
        self.column = column
        self.message = message


def load(data: bytes, source: str, *, merge: bool = False, limit: int = LIMIT) -> Node:
    """Read a stream that holds one document; an empty stream is an empty plain text.

    `source` names the stream in errors. A byte-order mark and CRLF are tolerated. Aliases are
    resolved (a mapping or list is then shared, and stands where its anchor stands); merge keys
    `<<` are followed only with `merge`, for readers of workflows. `limit` bounds the bytes, and
    with them how much the aliases may expand to. Raises `YamlError` for whatever the stream may
    hold, and `goblin.outcome.CannotRun` where ruamel.yaml is missing.
    """
    from goblin.yaml.compose import compose

    nodes, second = compose(data, source, merge, limit, most=1)
    if second:
        raise YamlError(source, *second, "a second document starts here, where one is expected")
    return nodes[0] if nodes else Text()


def load_all(data: bytes, source: str, *, merge: bool = False, limit: int = LIMIT) -> list[Node]:
    """Read every document of a stream, as `load` reads one; an empty stream has none."""
    from goblin.yaml.compose import compose

    return compose(data, source, merge, limit)[0]


def is_unset(node: Node | None) -> bool:
    """True for what YAML calls null: no node, nothing after the colon, a plain `~` or `null`."""
    return node is None or (isinstance(node, Text) and node.plain and node in ("", "~", "null"))


def set_key(data: bytes, key: str, value: str, source: str, comment: str = "") -> bytes:
    """Set the value of one dotted key, or add the key, and keep every other byte.

    `value` is a piece of YAML on one line: see `scalar` and `flow`. A new top-level key goes to
    the end of the file with `comment` as comment lines above it; a new member goes to the end of
    its mapping. Comments, quoting, line ends and a byte-order mark stay. The result is read back:
    where it does not differ from before in that key alone, `YamlError` is raised with the place
    to edit by hand.
    """
    from goblin.yaml import edit

    return edit.set_key(data, key, value, source, comment)


def set_list(data: bytes, key: str, items: Sequence[str], source: str) -> bytes:
    """Make a list of texts the value of one dotted key, as `set_key` does.

    A list that stands one item a line keeps its items' lines and their comments: what is new is
    added below in the order given, what is no longer wanted loses its line. Every other value
    becomes a flow list.
    """
    from goblin.yaml import edit

    return edit.set_list(data, key, items, source)


def replace(data: bytes, edits: Mapping[str, str | Sequence[str]], source: str) -> bytes:
    """Set several dotted keys to a text or to a list of texts, each as `set_key` and `set_list` do."""
    for key, value in edits.items():
        if isinstance(value, str):
            data = set_key(data, key, scalar(value), source)
        else:
            data = set_list(data, key, value, source)
    return data


def scalar(value: str) -> str:
    """One line of YAML that reads back as `value`: plain where that is safe in any place, else quoted.

    Raises `ValueError` for what no YAML can hold: a NUL, or half a surrogate pair.
    """
    from goblin.yaml import edit

    return edit.scalar(value)


def flow(items: Iterable[str]) -> str:
    """One line of YAML that reads back as a list of these texts: `[a, b]`."""
    return "[" + ", ".join(scalar(item) for item in items) + "]"


# --- the cached form ---------------------------------------------------------------------------


def dump_tree(node: Node) -> object:
    """A tree with its places as lists and objects that JSON can carry; shared nodes are written out."""
    if isinstance(node, Text):
        plain = [str(node), node.line, node.column]
        return plain if node.plain and not node.sign else [*plain, node.plain, node.sign]
    if isinstance(node, Map):
        keys = [[key, *node.marks[key], dump_tree(value)] for key, value in node.items()]
        return {"at": [node.line, node.column], "map": keys}
    return {"at": [node.line, node.column], "list": [dump_tree(item) for item in node]}


def load_tree(value: object) -> Node:
    """The tree that `dump_tree` wrote; raises `ValueError` for anything else."""
    try:
        return _node(value)
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"not a dumped tree: {error}") from error


def _node(value: object) -> Node:
    if isinstance(value, list):
        text, line, column, *rest = value
        plain, sign = rest or (True, "")
        if not (isinstance(text, str) and isinstance(sign, str) and isinstance(plain, bool)):
            raise TypeError("a text of another type")
        return Text(text, _number(line), _number(column), plain, sign)
    if not isinstance(value, dict):
        raise TypeError("neither a text nor a collection")
    line, column = value["at"]
    if "list" in value:
        return List(map(_node, value["list"]), _number(line), _number(column))
    found = Map(_number(line), _number(column))
    for key, key_line, key_column, item in value["map"]:
        if not isinstance(key, str):
            raise TypeError("a key of another type")
        found[key] = _node(item)
        found.marks[key] = (_number(key_line), _number(key_column))
    return found


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError("a place that is no number")
    return value
