"""The reader that asks a syntax tree.

The grammar does not know every form of the language: `broken` says where it did not understand a text, and
then both readers are asked (docs/decisions/0014). Where the extra is missing, `textprobe` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from goblin.bans.astchains import Chains
from goblin.bans.asttree import LIMIT, bearable, children, inside, usable
from goblin.bans.imports import before_wildcard, references
from goblin.bans.reading import LITERALS, Attribute, Import, Setting, quoted, unquote

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["LIMIT", "AstProbe", "bearable", "usable"]

_BEFORE_TEMPLATE = re.compile(r">\s*+`")
_ASSIGNMENTS = ("assignment_expression", "augmented_assignment_expression")


def _is_block(thing: Node | None) -> bool:
    """True for an object that the grammar sees where the language has a block: it begins a statement."""
    while thing is not None and thing.type == "object" and thing.parent is not None:
        parent = thing.parent
        if parent.type == "expression_statement":
            return parent.start_byte == thing.start_byte
        thing = parent.parent if parent.type == "pair" else None
    return False


def _beside_an_error(node: Node) -> bool:
    """True for a name that the grammar may have taken for a type because it did not know the form."""
    around = (node.parent, node.prev_sibling, node.next_sibling)
    return any(other is not None and other.type == "ERROR" for other in around)


class AstProbe(Chains):
    """A piece of JavaScript or TypeScript as its syntax tree shows it."""

    def __init__(self, text: str, *, jsx: bool = True) -> None:
        super().__init__(text, jsx=jsx)
        self.broken = self._tree.root_node.has_error or self._takes_types_for_comparisons()

    def _takes_types_for_comparisons(self) -> bool:
        """True where the grammar read the arguments in `tag<A<B>>`text`` as comparisons, which it does."""
        if not _BEFORE_TEMPLATE.search(self._text):
            return False
        return any(
            self._string(node.child_by_field_name("operator")) in (">", ">>", ">>>")
            and (node.child_by_field_name("right") or node).type == "template_string"
            for node in self._captures("binary_expression")
        )

    # --- what rules ask -----------------------------------------------------------------------------

    @cached_property
    def comments(self) -> Sequence[tuple[int, int]]:
        """See `Reading`."""
        found = self._captures("comment", "hash_bang_line")
        return [(self._start(node), self._offset(node.end_byte)) for node in found]

    def type_names(self, name: str) -> Iterator[int]:
        """See `Reading`."""
        for node in self._captures("predefined_type"):
            if self._string(node) == name and not (self.broken and _beside_an_error(node)):
                yield self._start(node)

    @cached_property
    def _constants(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for node in self._captures("variable_declarator"):
            keyword = node.parent.child(0) if node.parent else None
            if keyword is not None and keyword.type == "const":
                name = self._string(node.child_by_field_name("name"))
                value = self._literal(node.child_by_field_name("value"))
                found[name] = value if name not in found else ""
        return found

    def constant(self, name: str) -> str:
        """See `Reading`."""
        value = self._constants.get(name, "")
        return value if value in LITERALS or quoted(value) else ""

    def _literal(self, node: Node | None) -> str:
        """A value as `Setting` wants it."""
        while node is not None and node.type in ("parenthesized_expression", "as_expression"):
            if node.type == "as_expression" and self._string(node.children[-1]) != "const":
                return ""
            node = inside(node)
        text = self._string(node)
        if text in ("!0", "!1"):
            return "true" if text == "!0" else "false"
        known = node is not None and node.type in ("identifier", "shorthand_property_identifier")
        return text if known or text in LITERALS or self._plain(node) is not None else ""

    # --- imports ------------------------------------------------------------------------------------

    @cached_property
    def _imports(self) -> list[Import]:
        kinds = ("import_statement", "export_statement", "call_expression", "new_expression")
        found = [asked for node in self._captures(*kinds) if (asked := self._import(node))]
        return [*found, *references(self._text, list(self.comments))]

    def imports(self) -> Sequence[Import]:
        """See `Reading`."""
        return self._imports

    def _import(self, node: Node) -> Import | None:
        start = self._start(node)
        if node.type in ("call_expression", "new_expression"):
            return self._call_import(node, start)
        source = node.child_by_field_name("source")
        required = next((c for c in children(node) if c.type == "import_require_clause"), None)
        if required is not None:
            source = required.child_by_field_name("source")
            names: tuple[tuple[str, str], ...] = (("*", self._string(inside(required))),)
        else:
            clause = next((c for c in children(node) if c.type == "import_clause"), None)
            names = tuple(self._clause(clause)) if clause is not None else ()
        return Import(unquote(self._string(source)), start, names) if source is not None else None

    def _clause(self, clause: Node) -> Iterator[tuple[str, str]]:
        for child in children(clause):
            if child.type == "identifier":
                yield "default", self._string(child)
            elif child.type == "namespace_import":
                yield "*", self._string(inside(child))
            else:
                for item in children(child):
                    name = self._string(item.child_by_field_name("name"))
                    yield name.strip("'\""), self._string(item.child_by_field_name("alias")) or name

    def _call_import(self, node: Node, start: int) -> Import | None:
        called = self._string(node.child_by_field_name("function") or node.child_by_field_name("constructor"))
        given = children(node.child_by_field_name("arguments"))
        if not given:
            return None
        first = self._plain(given[0])
        if node.type == "new_expression":
            relative = called == "URL" and len(given) > 1 and self._string(given[1]) == "import.meta.url"
            return Import(first, start) if relative and first is not None else None
        if called == "import.meta.glob":
            listed = given[0] if given[0].type != "array" else inside(given[0])
            pattern = self._plain(listed)
            return Import(before_wildcard(pattern) if pattern is not None else "", start)
        if called not in ("import", "require", "module.require", "require.resolve", "require.context"):
            return None
        if first is not None:
            names = self._received(node) if called == "require" else ()
            return Import(first, start, names)
        known: Node | None = given[0]
        while known is not None and known.type == "binary_expression":
            known = inside(known)
        if known is not None and known.type == "template_string":
            return Import("", start, (), self._string(known)[1:].partition("${")[0].rstrip("`"))
        return Import("", start, (), self._plain(known) or "")

    def _received(self, call: Node) -> tuple[tuple[str, str], ...]:
        """The names that a declaration gives to what `require` returns."""
        declarator = call.parent
        if declarator is None or declarator.type != "variable_declarator":
            return ()
        name = declarator.child_by_field_name("name")
        if name is None or name.type != "object_pattern":
            return (("*", self._string(name)),)
        names = []
        for item in children(name):
            if item.type == "pair_pattern":
                key, value = item.child_by_field_name("key"), item.child_by_field_name("value")
                names.append((self._string(key).strip("'\""), self._string(value)))
            else:
                own = self._string(item).partition("=")[0].strip()
                names.append((own, own))
        return tuple(names)

    # --- settings and attributes --------------------------------------------------------------------

    def settings(self, names: frozenset[str]) -> Iterator[Setting]:
        """See `Reading`."""
        kinds = ("pair", "shorthand_property_identifier", *_ASSIGNMENTS, "labeled_statement")
        for node in self._captures(*kinds):
            if node.type == "shorthand_property_identifier":
                key, value = self._string(node), self._string(node)
                place = node
            elif node.type == "labeled_statement":
                place = node.child_by_field_name("label") or node
                key, value = self._string(place), self._literal(inside(node.child_by_field_name("body")))
            else:
                place, value_node = self._sides(node)
                key, value = self._key(place), self._literal(value_node)
            if key not in names:
                continue
            label = node.type == "labeled_statement" or (
                node.type not in _ASSIGNMENTS and _is_block(node.parent)
            )
            # A label before such a value does nothing: who writes it means the property.
            if value in ("true", "false") or not label:
                yield Setting(key, value, self._start(place))

    def _sides(self, node: Node) -> tuple[Node, Node | None]:
        if node.type == "pair":
            return node.child_by_field_name("key") or node, node.child_by_field_name("value")
        left = node.child_by_field_name("left")
        operator = self._string(node.child_by_field_name("operator"))
        if operator not in ("", "||=", "??=", "&&="):
            return node, None
        if left is None or left.type not in ("member_expression", "subscript_expression"):
            return node, None
        inner = left.child_by_field_name("property") or left.child_by_field_name("index")
        return inner or node, node.child_by_field_name("right")

    def _key(self, node: Node) -> str:
        if node.type == "computed_property_name":
            node = inside(node) or node
        text = self._string(node)
        if node.type == "property_identifier":
            return text
        return unquote(text) if node.type == "string" else ""

    def attributes(self) -> Iterator[Attribute]:
        """See `Reading`."""
        for node in self._captures("jsx_attribute") if self._jsx else ():
            tag = self._string(node.parent.child_by_field_name("name")) if node.parent else ""
            name, *value = children(node)
            given: str | None = None
            if value and value[0].type == "jsx_expression":
                inner = children(value[0])
                given = self._literal(inner[0]) if len(inner) == 1 else ""
            elif value:
                given = self._string(value[0]) if value[0].type == "string" else ""
            yield Attribute(tag, self._string(name), given, self._start(node))
