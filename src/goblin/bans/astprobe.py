"""The reader that asks a syntax tree: tree-sitter with the grammars of TypeScript and TSX.

Both are an extra (`pip install goblin-stack[ast]`); where they are missing, `textprobe` reads. The grammar
does not know every form of the language: `broken` says where it did not understand a text, and then both
readers are asked (docs/decisions/0014).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from goblin.bans.extra import versions
from goblin.bans.imports import before_wildcard, references
from goblin.bans.reading import LITERALS, Attribute, Binding, Import, Setting, Use, quoted, unquote
from goblin.bans.structure import TooMuch

if TYPE_CHECKING:
    from tree_sitter import Node

LIMIT = 256 << 10
"""Characters of a text that are parsed; a tree is many times as large as its text."""

DEEPEST = 400
"""Brackets that may stand in each other."""

MOST = 2000
"""Names that a rule looks for in one text."""

_BRACKETS = re.compile(r"[^(){}\[\]]+")
_PREFIXES = re.compile(
    rf"(?:(?:[-+!~]|\b(?:await|delete|do|else|import|new|typeof|void|yield)\b)\s*+){{{DEEPEST}}}"
)
_LONGEST = 20
"""Names in one chain."""

_WIDE = re.compile("[^\\x00-\\x7f\\udc80-\\udcff]")
"""A character of more than one byte; bytes that were no text stay one."""

_BEFORE_TEMPLATE = re.compile(r">\s*+`")

_CHAIN = frozenset({"member_expression", "subscript_expression"})
_ASSIGNMENTS = ("assignment_expression", "augmented_assignment_expression")
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


@cache
def usable() -> bool:
    """True where both modules can really be loaded."""
    try:
        return bool(versions()) and bool(_language(True)) and bool(_language(False))
    except (ImportError, OSError, AttributeError, TypeError, ValueError):
        return False


@cache
def _language(jsx: bool) -> Any:
    import tree_sitter_typescript
    from tree_sitter import Language

    grammar = tree_sitter_typescript.language_tsx if jsx else tree_sitter_typescript.language_typescript
    return Language(grammar())


@cache
def _query(jsx: bool, source: str) -> Any:
    from tree_sitter import Query

    return Query(_language(jsx), source)


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


def _children(node: Node | None) -> list[Node]:
    """What stands in a node, without the comments that may stand anywhere."""
    return [child for child in node.named_children if not child.is_extra] if node is not None else []


def _inside(node: Node | None) -> Node | None:
    """The first of these."""
    return next(iter(_children(node)), None)


def _wrapped(node: Node) -> Node | None:
    """The expression in parentheses, or before or after the type of a cast."""
    inner = _children(node)
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


class AstProbe:
    """A piece of JavaScript or TypeScript as its syntax tree shows it."""

    def __init__(self, text: str, *, jsx: bool = True) -> None:
        from tree_sitter import Parser

        self._jsx = jsx
        self._text = text
        self._data = text.encode("utf-8", "surrogateescape")
        self._tree = Parser(_language(jsx)).parse(self._data)
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

        query = _query(self._jsx, "[" + " ".join(f"({kind})" for kind in kinds) + "] @found")
        found = QueryCursor(query).captures(self._tree.root_node).get("found", [])
        return iter(sorted(found, key=lambda node: node.start_byte))

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
            node = _inside(node)
        text = self._string(node)
        if text in ("!0", "!1"):
            return "true" if text == "!0" else "false"
        known = node is not None and node.type in ("identifier", "shorthand_property_identifier")
        return text if known or text in LITERALS or self._plain(node) is not None else ""

    def _plain(self, node: Node | None) -> str | None:
        """The text that a string stands for, or a template without substitutions; None for anything else."""
        if node is None or node.type not in ("string", "template_string"):
            return None
        if any(child.type == "template_substitution" for child in node.named_children):
            return None
        return unquote(self._string(node))

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
        required = next((c for c in _children(node) if c.type == "import_require_clause"), None)
        if required is not None:
            source = required.child_by_field_name("source")
            names: tuple[tuple[str, str], ...] = (("*", self._string(_inside(required))),)
        else:
            clause = next((c for c in _children(node) if c.type == "import_clause"), None)
            names = tuple(self._clause(clause)) if clause is not None else ()
        return Import(unquote(self._string(source)), start, names) if source is not None else None

    def _clause(self, clause: Node) -> Iterator[tuple[str, str]]:
        for child in _children(clause):
            if child.type == "identifier":
                yield "default", self._string(child)
            elif child.type == "namespace_import":
                yield "*", self._string(_inside(child))
            else:
                for item in _children(child):
                    name = self._string(item.child_by_field_name("name"))
                    yield name.strip("'\""), self._string(item.child_by_field_name("alias")) or name

    def _call_import(self, node: Node, start: int) -> Import | None:
        called = self._string(node.child_by_field_name("function") or node.child_by_field_name("constructor"))
        given = _children(node.child_by_field_name("arguments"))
        if not given:
            return None
        first = self._plain(given[0])
        if node.type == "new_expression":
            relative = called == "URL" and len(given) > 1 and self._string(given[1]) == "import.meta.url"
            return Import(first, start) if relative and first is not None else None
        if called == "import.meta.glob":
            listed = given[0] if given[0].type != "array" else _inside(given[0])
            pattern = self._plain(listed)
            return Import(before_wildcard(pattern) if pattern is not None else "", start)
        if called not in ("import", "require", "module.require", "require.resolve", "require.context"):
            return None
        if first is not None:
            names = self._received(node) if called == "require" else ()
            return Import(first, start, names)
        known: Node | None = given[0]
        while known is not None and known.type == "binary_expression":
            known = _inside(known)
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
        for item in _children(name):
            if item.type == "pair_pattern":
                key, value = item.child_by_field_name("key"), item.child_by_field_name("value")
                names.append((self._string(key).strip("'\""), self._string(value)))
            else:
                own = self._string(item).partition("=")[0].strip()
                names.append((own, own))
        return tuple(names)

    # --- uses ---------------------------------------------------------------------------------------

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

    def _argument(self, call: Node) -> str | None:
        return self._plain(_inside(call.child_by_field_name("arguments")))

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
                key, value = self._string(place), self._literal(_inside(node.child_by_field_name("body")))
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
            node = _inside(node) or node
        text = self._string(node)
        if node.type == "property_identifier":
            return text
        return unquote(text) if node.type == "string" else ""

    def attributes(self) -> Iterator[Attribute]:
        """See `Reading`."""
        for node in self._captures("jsx_attribute") if self._jsx else ():
            tag = self._string(node.parent.child_by_field_name("name")) if node.parent else ""
            name, *value = _children(node)
            given: str | None = None
            if value and value[0].type == "jsx_expression":
                inner = _children(value[0])
                given = self._literal(inner[0]) if len(inner) == 1 else ""
            elif value:
                given = self._string(value[0]) if value[0].type == "string" else ""
            yield Attribute(tag, self._string(name), given, self._start(node))

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
