"""The reader that needs nothing but Python: tokens, and what stands around them.

It has no grammar. Comments, texts, templates and regular expressions are told from code exactly; what a
name is used for is told from its neighbours and its brackets (`typenames`, `structure`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from goblin.bans.imports import imports
from goblin.bans.lexer import SIGN, STRING, TEMPLATE, WORD, lex
from goblin.bans.reading import LITERALS, Attribute, Binding, Import, Setting, Use, quoted, unquote
from goblin.bans.structure import DECLARES, Structure
from goblin.bans.typenames import type_names

_BEFORE_A_NAME = frozenset({"function", "get", "set", "class", "enum", "namespace", "interface", "type"})
_MODIFIERS = frozenset({"public", "private", "protected", "readonly", "override"})
_BEFORE_AN_ELEMENT = frozenset({"{", "[", ",", "...", ":"})
_BEFORE_A_METHOD = frozenset({"{", "}", ";", ",", "*", ")", "]", ">", "#"})
_BEFORE_GROUP = frozenset({
    "return", "await", "void", "typeof", "yield", "case", "in", "of", "new", "else", "do", "delete", "throw",
    "default",
})  # fmt: skip
"""Words that an expression comes after: a parenthesis there holds no arguments, a name declares nothing."""

_LONGEST = 20
"""Names in one chain."""
_ASSIGNS = frozenset({"=", "||=", "??=", "&&="})
_ENDS = frozenset({",", ";", ")", "]", "}", ""})


def _any_of(names: frozenset[str]) -> str:
    return "|".join(map(re.escape, sorted(names))) or r"(?!)"


class TextProbe:
    """A piece of JavaScript or TypeScript as its tokens show it. `jsx` is False for TypeScript proper."""

    broken = False

    def __init__(self, text: str, *, jsx: bool = True) -> None:
        self._tokens = lex(text, jsx=jsx)
        self._structure = Structure(self._tokens)

    @property
    def comments(self) -> Sequence[tuple[int, int]]:
        """See `Reading`."""
        return self._tokens.comments

    def type_names(self, name: str) -> Iterator[int]:
        """See `Reading`."""
        return type_names(self._structure, name, lambda index: self._scope(index) is not None)

    @cached_property
    def _imports(self) -> list[Import]:
        return list(imports(self._tokens))

    def imports(self) -> Sequence[Import]:
        """See `Reading`."""
        return self._imports

    def _words(self, names: frozenset[str]) -> Iterator[int]:
        tokens = self._tokens
        for index in tokens.named(_any_of(names)):
            if tokens[index - 1] == "#":  # a private name is another one
                continue
            kind = tokens.kinds[index]
            key = kind == STRING and tokens[index - 1] == "["  # thing["name"]
            if (kind == WORD and tokens[index] in names) or (key and unquote(tokens[index]) in names):
                yield index

    # --- uses ---------------------------------------------------------------------------------------

    def uses(self, names: frozenset[str]) -> Iterator[Use]:
        """See `Reading`."""
        seen: set[int] = set()
        for index in self._words(names):
            root = self._root(index)
            if root not in seen:
                seen.add(root)
                if use := self._chain(root):
                    yield use

    def _root(self, index: int) -> int:
        """The index of the token that the chain through this one starts with."""
        tokens = self._tokens
        for _ in range(_LONGEST):
            before = tokens[index - 1]
            if before == "[" and tokens.kinds[index] == STRING:  # thing["name"]
                before = tokens[index - 2]
                index -= 1
                if before in (".", "?."):
                    index -= 1
            elif before in (".", "?."):
                index -= 1
            else:
                return index
            while tokens[index - 1] == "!":
                index -= 1
            if index and tokens.kinds[index - 1] == WORD:
                index -= 2 if tokens[index - 2] == "#" else 1
            elif tokens[index - 1] == "]" and tokens.kinds[index - 2] == STRING and tokens[index - 3] == "[":
                index -= 2
            elif (call := self._required(index - 1)) >= 0:
                return call
            else:
                inner = self._grouped(index - 1)
                return inner if inner >= 0 else index
        return index

    def _is_group(self, parenthesis: int) -> bool:
        """True for a parenthesis around an expression."""
        tokens = self._tokens
        before = tokens[parenthesis - 1]
        if tokens[parenthesis] != "(" or before in (")", "]", ">", "?."):
            return False
        return tokens.kinds[parenthesis - 1] != WORD or before in _BEFORE_GROUP or not parenthesis

    def _grouped(self, closing: int) -> int:
        """The first name in `(window as any)` and `((a.b))`, whose last token is given; else -1."""
        tokens = self._tokens
        at = opening = tokens.opening.get(closing, -1)
        if opening < 0 or not self._is_group(opening):
            return -1
        while tokens[at] == "(" and self._is_group(at):
            self._structure.spend()
            at += 1
        if tokens[at] == "<":
            at = self._structure.closed_angle(at) + 1
        first = at
        while first > 0 and at < closing and tokens.kinds[at] == WORD:
            self._structure.spend()
            at += 1
            while tokens[at] in ("!", ")") and at < closing:
                self._structure.spend()
                at += 1
            if tokens[at] in ("as", "satisfies") or at == closing:
                return first
            if tokens[at] not in (".", "?."):
                break
            at += 1
        return -1

    def _leaves_group(self, root: int, at: int) -> int:
        """The token after the parentheses around a chain that begins at `root`, if they end here; else -1."""
        tokens = self._tokens
        if tokens[at] not in (")", "as", "satisfies"):
            return -1
        opening = tokens.opening.get(at, -1) if tokens[at] == ")" else tokens.parents[at]
        if not 0 <= opening < root or not self._is_group(opening):
            return -1
        closing = self._structure.end(opening)
        return closing + 1 if self._grouped(closing) == root else -1

    def _required(self, closing: int) -> int:
        """The index of `require` where the token closes `require("module")`, else -1."""
        tokens = self._tokens
        if tokens[closing] != ")" or tokens[closing - 2] != "(" or tokens[closing - 3] != "require":
            return -1
        return closing - 3 if tokens[closing - 4] not in (".", "?.") else -1

    def _chain(self, root: int) -> Use | None:
        tokens = self._tokens
        start, new = tokens.starts[root], tokens[root - 1] == "new"
        path: list[str] = []
        at = root
        if tokens.kinds[root] == WORD:
            path = [tokens[root]]
            at += 1
            if self._required(root + 3) == root and tokens.kinds[root + 2] == STRING:
                path, at = [unquote(tokens[root + 2])], root + 4
        else:
            path = [""]
        while len(path) < _LONGEST:
            if tokens[at] == "!" and tokens[at + 1] in (".", "?.", "[", "("):
                at += 1
            sign = tokens[at]
            if sign in (".", "?.") and at + 1 < len(tokens) and tokens.kinds[at + 1] == WORD:
                path.append(tokens[at + 1])
                at += 2
            elif sign in (".", "?.") and tokens[at + 1] == "#":
                path.append("#" + tokens[at + 2])
                at += 3
            elif sign == "[" or (sign == "?." and tokens[at + 1] == "["):
                at += sign != "["
                if tokens.kinds[at + 1] != STRING or tokens[at + 2] != "]":
                    break
                path.append(unquote(tokens[at + 1]))
                at += 3
            elif (after := self._leaves_group(root, at)) >= 0:
                new = new or tokens[tokens.opening[after - 1] - 1] == "new"
                at = after
            else:
                break
        parenthesis = self._arguments(at)
        if parenthesis < 0:
            tagged = tokens[at].startswith("`") and tokens.kinds[at] == TEMPLATE
            return None if self._is_declared(root) else Use(tuple(path), start, new or tagged, new)
        if len(path) == 1 and (self._is_declared(root) or self._is_method(root, parenthesis)):
            return None
        return Use(tuple(path), start, True, new, self._argument(parenthesis))

    def _arguments(self, at: int) -> int:
        """The index of the parenthesis that opens arguments here, after types if need be; else -1."""
        tokens = self._tokens
        if tokens[at] == "?.":
            at += 1
        if tokens[at] == "<":
            at = self._structure.closed_angle(at) + 1
        return at if at > 0 and tokens[at] == "(" else -1

    def _argument(self, parenthesis: int) -> str | None:
        tokens = self._tokens
        first = tokens[parenthesis + 1]
        return unquote(first) if quoted(first) and tokens[parenthesis + 2] in (",", ")") else None

    def _is_declared(self, index: int) -> bool:
        tokens = self._tokens
        before = tokens[index - 1]
        return before in _BEFORE_A_NAME or (before == "*" and tokens[index - 2] == "function")

    def _is_method(self, index: int, parenthesis: int) -> bool:
        """True where `name(...)` declares a method and calls nothing."""
        tokens, structure = self._tokens, self._structure
        end = tokens.closing.get(parenthesis, len(tokens))
        parent = tokens.parents[index]
        inside = structure.brace(parent) if parent >= 0 and tokens[parent] == "{" else ""
        if tokens[index - 1] in _BEFORE_GROUP:
            return False
        if inside in ("type", "class"):
            return tokens.kinds[index - 1] != SIGN or tokens[index - 1] in _BEFORE_A_METHOD
        if tokens[end + 1] == "{":
            return True
        if tokens[end + 1] == ":" and tokens[index - 1] != "case":
            return not structure.in_ternary(end + 1)
        return False

    # --- settings and attributes --------------------------------------------------------------------

    def settings(self, names: frozenset[str]) -> Iterator[Setting]:
        """See `Reading`."""
        tokens = self._tokens
        quotes = frozenset(f"{quote}{name}{quote}" for name in names for quote in "'\"")
        for index in tokens.named(_any_of(names)):
            kind = tokens.kinds[index]
            word = tokens[index] if kind in (WORD, STRING) else ""
            if word in names or word in quotes:
                found = self._setting(index)
                if found is not None:
                    name = word if word in names else word[1:-1]
                    yield Setting(name, found, tokens.starts[index])

    def _setting(self, index: int) -> str | None:
        """The value that is given to a property here; None where none is."""
        tokens = self._tokens
        before, after, end = tokens[index - 1], tokens[index + 1], index + 1
        if before == "[" and after == "]":
            if tokens.kinds[index] != STRING:  # the key is what a variable holds
                return None
            before, after, end = tokens[index - 2], tokens[index + 2], index + 2
            if after in _ASSIGNS:  # thing["name"] = value
                return self._literal(end + 1)
        elif before in (".", "?.") and after in _ASSIGNS:
            return self._literal(end + 1)
        parent = tokens.parents[index]
        parent = tokens.parents[parent] if parent >= 0 and tokens[parent] == "[" else parent
        if before not in ("{", ",") or parent < 0 or tokens[parent] != "{":
            return None
        if after in (",", "}") and tokens.kinds[index] == WORD and self._is_object(parent):
            return tokens[index]
        if after != ":":
            return None
        value = self._literal(end + 1)
        if self._is_object(parent):
            return value
        # A label before such a value does nothing: who writes it means the property.
        label = value in ("true", "false") and self._structure.brace(parent) == "block"
        return value if label else None

    def _is_object(self, brace: int) -> bool:
        """True for the braces of an object, not for those of a pattern."""
        tokens, structure = self._tokens, self._structure
        for _ in range(_LONGEST):
            if structure.brace(brace) != "object" or tokens[structure.end(brace) + 1] == "=":
                return False
            outer = tokens.parents[brace]
            if tokens[brace - 1] == "=" or outer < 0:  # what a parameter is when it is not given, too
                return True
            if tokens[outer] == "(":
                return structure.body_of(outer) < 0
            if tokens[outer] != "{" or structure.brace(outer) != "object":
                return True
            brace = outer
        return True

    def _literal(self, at: int) -> str:
        """The value that starts at a token, as `Setting` wants it."""
        tokens = self._tokens
        depth = 0
        while tokens[at] == "(":
            at, depth = at + 1, depth + 1
        value = tokens[at]
        if value == "!" and tokens[at + 1] in ("0", "1"):
            value, at = ("true" if tokens[at + 1] == "0" else "false"), at + 1
        end = at + 1
        while depth and tokens[end] == ")":
            end, depth = end + 1, depth - 1
        if tokens[end] == "as" and tokens[end + 1] == "const":
            end += 2
        if depth or not (tokens[end] in _ENDS or self._starts_a_line(end)):
            return ""
        kind = tokens.kinds[at] if at < len(tokens) else 0
        return value if kind in (WORD, STRING) or value in LITERALS or quoted(value) else ""

    def _starts_a_line(self, index: int) -> bool:
        tokens = self._tokens
        between = tokens.text[tokens.ends[index - 1] : tokens.starts[index]]
        return "\n" in between and (tokens.kinds[index] == WORD or tokens[index] == "}")

    def attributes(self) -> Iterator[Attribute]:
        """See `Reading`."""
        tokens = self._tokens
        for tag, name, start, value, brace in tokens.attributes:
            if brace >= 0:
                end = self._structure.end(brace)
                one = end == brace + 2
                yield Attribute(tag, name, self._literal(brace + 1) if one else "", start)
            else:
                yield Attribute(tag, name, None if value is None else f'"{value}"', start)

    # --- names --------------------------------------------------------------------------------------

    def bindings(self, names: frozenset[str]) -> Sequence[Binding]:
        """See `Reading`."""
        found = []
        for index in self._words(names):
            scope = self._scope(index) if self._tokens.kinds[index] == WORD else None
            if scope:
                found.append(Binding(self._tokens[index], *scope))
        return found

    def _scope(self, index: int) -> tuple[int, int] | None:
        """Where a name that is bound at this token is visible; None where it is not bound here."""
        tokens, structure = self._tokens, self._structure
        before, after = tokens[index - 1], tokens[index + 1]
        if before in (".", "?."):
            return None
        if before in DECLARES or (before in ("function", "class", "enum") or self._is_declared(index)):
            return structure.block_of(index) if before not in ("get", "set", "interface", "type") else None
        if after == "=>":
            returned = before == ":" and tokens[index - 2] == ")" and not structure.in_ternary(index - 1)
            if returned or before in ("|", "&", "is", "keyof"):  # the type of what is returned
                return None
            return structure.span(index, structure.body_after(index + 1))
        return self._pattern(index, before, after)

    def _pattern(self, index: int, before: str, after: str) -> tuple[int, int] | None:
        """The same for a name inside a pattern, a list of parameters or of declarations."""
        tokens, structure = self._tokens, self._structure
        bracket = index
        while (outer := tokens.parents[bracket]) >= 0 and tokens[outer] in ("{", "["):
            structure.spend()
            if tokens[outer] == "{" and structure.brace(outer) in ("block", "class", "type"):
                break
            bracket = outer
        if bracket != index:
            if before not in _BEFORE_AN_ELEMENT:
                return None
            if after == ":" or (after == "as" and tokens[bracket] == "{"):
                return None
            if tokens[bracket - 1] in DECLARES:
                return structure.block_of(bracket)
        elif before == "," and structure.opened_angle(index) >= 0:  # the argument of a type
            return None
        elif before == "," and self._continues_declaration(index):
            return structure.block_of(index)
        if outer >= 0 and tokens[outer] == "(":
            parameter = bracket != index or before in ("(", ",", "...") or before in _MODIFIERS
            end = structure.body_of(outer) if parameter else -1
            return structure.span(outer, end) if end >= 0 else None
        return None

    def _continues_declaration(self, index: int) -> bool:
        """True for `b` in `const a = 1, b = 2`."""
        for at in self._structure.back(index):
            if self._tokens[at] in DECLARES:
                return True
            if self._tokens[at] == ";":
                return False
        return False

    @cached_property
    def _constants(self) -> dict[str, str]:
        tokens = self._tokens
        found: dict[str, str] = {}
        for index in tokens.named(r"\bconst\b"):
            if tokens[index] == "const" and tokens[index + 2] in ("=", ":"):
                name = tokens[index + 1]
                at = index + 3 if tokens[index + 2] == "=" else index + 5
                value = self._literal(at) if tokens[at - 1] == "=" else ""
                found[name] = value if name not in found else ""
        return found

    def constant(self, name: str) -> str:
        """See `Reading`."""
        value = self._constants.get(name, "")
        return value if value in LITERALS or quoted(value) else ""
