"""What names are used for in a syntax tree, and where they are bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from goblin.bans.asttree import Tree, children
from goblin.bans.reading import Binding, Use, unquote
from goblin.bans.structure import TooMuch

if TYPE_CHECKING:
    from tree_sitter import Node

MOST = 2000
"""Names that a rule looks for in one text."""

_LONGEST = 20
"""Names in one chain."""

_CHAIN = frozenset({"member_expression", "subscript_expression"})
_WRAPS = frozenset({
    "parenthesized_expression", "as_expression", "satisfies_expression", "type_assertion",
    "non_null_expression",
})  # fmt: skip
_PATTERNS = frozenset({
    "object_pattern", "array_pattern", "rest_pattern", "assignment_pattern", "object_assignment_pattern",
    "required_parameter", "optional_parameter", "pair_pattern", "formal_parameters",
})  # fmt: skip
_BLOCKS = frozenset({
    "statement_block", "program", "class_static_block", "for_statement", "for_in_statement", "switch_body",
    "module", "internal_module",
})  # fmt: skip
_DECLARED = frozenset({"function_declaration", "generator_function_declaration", "class_declaration",
                       "abstract_class_declaration", "enum_declaration"})  # fmt: skip


def _wrapped(node: Node) -> Node | None:
    """The expression in parentheses, or before or after the type of a cast."""
    inner = children(node)
    return inner[-1 if node.type == "type_assertion" else 0] if inner else None


def _begin(chain: Node) -> Node:
    """Where a chain begins: its first name, or the sign after something that is no name."""
    node, sign = chain, chain
    for _ in range(2 * _LONGEST):
        inner = _wrapped(node) if node.type in _WRAPS else node.child_by_field_name("object")
        if inner is None:
            break
        if node.type in _CHAIN:
            index = node.child_by_field_name("index")
            if index is not None and index.type != "string":
                break
            sign = next((child for child in node.children[1:] if not child.is_extra), node)
        node = inner
    named = node.type in ("identifier", "this") or (node.type == "call_expression" and node != chain)
    return node if named and (node.type != "call_expression" or _asks(node)) else sign


def _call_of(chain: Node) -> Node | None:
    """The call or the `new` that a chain is called by.

    In `await get<T>(x)` and `!get<T>(x)` the grammar calls what `await get` gives; the language calls `get`.
    """
    node = chain
    for _ in range(_LONGEST):
        parent = node.parent
        if parent is None:
            return None
        if parent.type in ("call_expression", "new_expression"):
            called = parent.child_by_field_name(
                "constructor" if parent.type == "new_expression" else "function"
            )
            return parent if called == node else None
        right = parent.child_by_field_name("right") if parent.type == "binary_expression" else None
        if parent.type not in ("await_expression", "unary_expression") and right != node:
            return None
        node = parent
    return None


def _asks(call: Node) -> bool:
    """True for `require(...)`."""
    function = call.child_by_field_name("function")
    return function is not None and function.text == b"require"


class Chains(Tree):
    """A tree that can be asked for names."""

    def _named(self, names: frozenset[str]) -> Iterator[Node]:
        kinds = ("identifier", "property_identifier", "shorthand_property_identifier_pattern")
        count = 0
        for node in self._captures(*kinds, "type_identifier", "string"):
            text = self._string(node)
            if text in names or (node.type == "string" and unquote(text) in names):
                count += 1
                if count > MOST:  # each asks for the nodes around it, which takes longer in a deep tree
                    raise TooMuch
                yield node

    def uses(self, names: frozenset[str]) -> Iterator[Use]:
        """See `Reading`."""
        seen: set[tuple[int, int]] = set()
        for node in self._named(names):
            if node.type in ("type_identifier", "shorthand_property_identifier_pattern"):
                continue
            chain = self._chain(node)
            place = (chain.start_byte, chain.end_byte)
            if chain.type == "string" or place in seen:
                continue
            seen.add(place)
            call = _call_of(chain)
            new = call is not None and call.type == "new_expression"
            argument = self._argument(call) if call is not None else None
            yield Use(tuple(self._path(chain)), self._start(_begin(chain)), call is not None, new, argument)

    def _chain(self, node: Node) -> Node:
        """The whole chain that a name stands in, with the parentheses and casts around a part of it."""
        for _ in range(_LONGEST):
            parent = node.parent
            if parent is not None and parent.type in _WRAPS and _wrapped(parent) == node:
                node = parent
                continue
            if parent is None or parent.type not in _CHAIN:
                break
            if parent.type == "subscript_expression":
                is_index = parent.child_by_field_name("index") == node
                if is_index and node.type != "string":
                    break
                if not is_index and (parent.child_by_field_name("index") or node).type != "string":
                    break
            node = parent
        return node

    def _path(self, node: Node | None, depth: int = 0) -> list[str]:
        if node is None or depth > 2 * _LONGEST:
            return [""]
        if node.type == "member_expression":
            return [
                *self._path(node.child_by_field_name("object"), depth + 1),
                self._string(node.child_by_field_name("property")),
            ]
        if node.type == "subscript_expression":
            index = node.child_by_field_name("index")
            name = unquote(self._string(index)) if index is not None and index.type == "string" else ""
            return [*self._path(node.child_by_field_name("object"), depth + 1), name]
        if node.type in _WRAPS:
            return self._path(_wrapped(node), depth + 1)
        if node.type == "call_expression" and self._string(node.child_by_field_name("function")) == "require":
            return [self._argument(node) or ""]
        return [self._string(node)] if node.type in ("identifier", "this") else [""]

    # --- names --------------------------------------------------------------------------------------

    def bindings(self, names: frozenset[str]) -> Sequence[Binding]:
        """See `Reading`."""
        found = []
        for node in self._named(names):
            scope = self._scope(node) if node.type != "string" else None
            if scope is not None:
                end = self._offset(scope.end_byte)
                found.append(Binding(self._string(node), self._start(scope), end))
        return found

    def _scope(self, node: Node) -> Node | None:
        """The node in which a name that is bound here is visible; None where it is not bound here."""
        parent = node.parent
        if node.type == "property_identifier" or parent is None:
            return None
        if node.type == "type_identifier":
            return self._block(parent.parent) if parent.type in _DECLARED else None
        if parent.type in _DECLARED and parent.child_by_field_name("name") == node:
            return self._block(parent.parent)
        if parent.type in ("function_expression", "class"):
            return parent
        inner = node
        while parent is not None and parent.type in _PATTERNS:
            if parent.type == "pair_pattern" and parent.child_by_field_name("key") == inner:
                return None
            outside = parent.child_by_field_name("right") or parent.child_by_field_name("value")
            if parent.type != "pair_pattern" and outside == inner:
                return None
            inner, parent = parent, parent.parent
        if parent is None:
            return None
        if parent.type == "variable_declarator" and parent.child_by_field_name("name") == inner:
            return self._block(parent)
        if parent.type == "for_in_statement" and parent.child_by_field_name("left") == inner:
            return parent if parent.child_by_field_name("kind") else None
        if parent.type == "catch_clause" and parent.child_by_field_name("parameter") == inner:
            return parent
        if parent.type == "arrow_function" and parent.child_by_field_name("parameter") == inner:
            return parent
        return parent if inner.type == "formal_parameters" else None

    def _block(self, node: Node | None) -> Node | None:
        while node is not None and node.type not in _BLOCKS:
            node = node.parent
        return node
