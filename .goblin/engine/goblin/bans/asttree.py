"""A syntax tree of JavaScript or TypeScript, and where its nodes stand in the text.

tree-sitter with the grammars of TypeScript and TSX, which are an extra (`pip install goblin-stack[ast]`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from goblin.bans.extra import versions
from goblin.bans.reading import unquote

if TYPE_CHECKING:
    from tree_sitter import Node

LIMIT = 256 << 10
"""Characters of a text that are parsed; a tree is many times as large as its text."""

DEEPEST = 400
"""Brackets that may stand in each other."""

_BRACKETS = re.compile(r"[^(){}\[\]]+")
_PREFIXES = re.compile(
    rf"(?:(?:[-+!~]|\b(?:await|delete|do|else|import|new|typeof|void|yield)\b)\s*+){{{DEEPEST}}}"
)
_WIDE = re.compile("[^\\x00-\\x7f\\udc80-\\udcff]")
"""A character of more than one byte; bytes that were no text stay one."""


@cache
def usable() -> bool:
    """True where both modules can really be loaded."""
    try:
        return bool(versions()) and bool(language(True)) and bool(language(False))
    except (ImportError, OSError, AttributeError, TypeError, ValueError):
        return False


@cache
def language(jsx: bool) -> Any:
    import tree_sitter_typescript
    from tree_sitter import Language

    grammar = tree_sitter_typescript.language_tsx if jsx else tree_sitter_typescript.language_typescript
    return Language(grammar())


@cache
def query(jsx: bool, source: str) -> Any:
    from tree_sitter import Query

    return Query(language(jsx), source)


def bearable(text: str) -> bool:
    """True for a text that a tree can be made of in about linear time.

    A comment that never ends, and brackets in brackets or signs before signs without bound, take the parser
    and its queries far longer, and they cannot be interrupted: the text probe reads these.
    """
    if len(text) > LIMIT or text.rfind("/*") > text.rfind("*/") or _PREFIXES.search(text):
        return False
    depth = 0
    for sign in _BRACKETS.sub("", text):
        depth += 1 if sign in "([{" else -1
        if depth > DEEPEST:
            return False
    return True


def children(node: Node | None) -> list[Node]:
    """What stands in a node, without the comments that may stand anywhere."""
    return [child for child in node.named_children if not child.is_extra] if node is not None else []


def inside(node: Node | None) -> Node | None:
    """The first of these."""
    return next(iter(children(node)), None)


class Tree:
    """A parsed text; offsets count its characters."""

    def __init__(self, text: str, *, jsx: bool = True) -> None:
        from tree_sitter import Parser

        self._jsx = jsx
        self._text = text
        self._data = text.encode("utf-8", "surrogateescape")
        self._tree = Parser(language(jsx)).parse(self._data)

    # --- places -------------------------------------------------------------------------------------

    @cached_property
    def _wide(self) -> tuple[list[int], list[int]]:
        """For each character of more than one byte: the byte after it, and the bytes too many until there."""
        places, extra, more = [], [], 0
        for match in _WIDE.finditer(self._text):
            width = len(match[0].encode()) - 1
            places.append(match.end() + more + width)
            more += width
            extra.append(more)
        return places, extra

    def _offset(self, byte: int) -> int:
        """The offset in characters of an offset in bytes."""
        if len(self._data) == len(self._text):
            return byte
        places, extra = self._wide
        found = bisect_right(places, byte)
        return byte - (extra[found - 1] if found else 0)

    def _start(self, node: Node) -> int:
        return self._offset(node.start_byte)

    def _string(self, node: Node | None) -> str:
        if node is None:
            return ""
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")

    def _captures(self, *kinds: str) -> Iterator[Node]:
        """The nodes of some kinds, in the order of their places."""
        from tree_sitter import QueryCursor

        wanted = query(self._jsx, "[" + " ".join(f"({kind})" for kind in kinds) + "] @found")
        found = QueryCursor(wanted).captures(self._tree.root_node).get("found", [])
        return iter(sorted(found, key=lambda node: node.start_byte))

    def _plain(self, node: Node | None) -> str | None:
        """The text that a string stands for, or a template without substitutions; None for anything else."""
        if node is None or node.type not in ("string", "template_string"):
            return None
        if any(child.type == "template_substitution" for child in node.named_children):
            return None
        return unquote(self._string(node))

    def _argument(self, call: Node) -> str | None:
        return self._plain(inside(call.child_by_field_name("arguments")))
