"""What the brackets of a source are, told from the tokens around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goblin.bans.lexer import Tokens

FAR = 2000
"""Tokens of the same bracket that are looked over, back or forth, for what something belongs to."""

MOST = 5_000_000
"""Tokens that are looked over for one source, all questions together."""

DECLARES = frozenset({"const", "let", "var", "using"})
HEADS = frozenset({"if", "while", "for", "switch", "with"})
_TYPE = frozenset({"|", "&", "as", "satisfies", "keyof", "is", "extends", "<", "readonly"})
_BLOCK = frozenset({"", ";", "{", "}", ")", "else", "do", "try", "finally", "=>", "static"})
_BODIES = {"interface": "type", "class": "class", "enum": "names", "namespace": "block", "module": "block"}
_NO_HEAD = frozenset({";", "=", "}", "return", "=>", ":", "?", "if", "for", "while", "switch", "catch"})


class TooMuch(Exception):
    """A source that would take longer to understand than any real one."""


class Structure:
    """The brackets of one list of tokens. Raises `TooMuch` where it has looked over too many of them.

    A brace is `object` (a literal), `type` (the body of an interface or a type), `class`, `names` (of an
    import, an export or a declaration) or `block` (anything that holds statements).
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._kinds: dict[int, str] = {}
        self._left = MOST

    # --- neighbours ---------------------------------------------------------------------------------

    def back(self, index: int, most: int = FAR) -> Iterator[int]:
        """The tokens before one in the same bracket, the nearest first; an inner bracket is its closing."""
        tokens, at = self.tokens, index - 1
        parent = tokens.parents[index]
        while at > parent and most:
            self.spend()
            yield at
            at = tokens.opening.get(at, at) - 1
            most -= 1

    def forth(self, index: int, most: int = FAR) -> Iterator[int]:
        """The tokens from one on in the same bracket; an inner bracket is its opening."""
        tokens, at = self.tokens, index
        last = self.end(tokens.parents[index]) if index < len(tokens) else index
        while at < last and most:
            self.spend()
            yield at
            at = tokens.closing.get(at, at) + 1
            most -= 1

    def spend(self) -> None:
        """Count one more token that is looked at. Raises `TooMuch` where there were too many."""
        self._left -= 1
        if self._left < 0:
            raise TooMuch

    def end(self, opening: int) -> int:
        """The index of the bracket that closes one, or the number of tokens."""
        return self.tokens.closing.get(opening, len(self.tokens))

    # --- braces -------------------------------------------------------------------------------------

    def brace(self, index: int) -> str:
        """What the brace is: object, type, class, names or block."""
        if index not in self._kinds:
            self._kinds[index] = "object"  # should it ask for itself
            self._kinds[index] = self._brace(index)
        return self._kinds[index]

    def _brace(self, index: int) -> str:
        tokens = self.tokens
        before = tokens[index - 1]
        if index in tokens.embedded:
            return "block"
        if index - 1 in tokens.embedded:
            return "object"
        if before == ":":
            return self._after_colon(index - 1)
        if before == "=":
            return "type" if self.names_a_type(index - 2) else "object"
        if before in _TYPE:
            return self._body(index) or "type"
        if before == "," and self.opened_angle(index) >= 0:
            return "type"
        if before == "?" and self.is_conditional(index):
            return "type"
        if before in (",", "[") and self._in_tuple(tokens.parents[index]):
            return "type"
        if before in DECLARES or before in ("import", "export"):
            return "names"
        return self._body(index) or ("block" if before in _BLOCK else self._names(index) or "object")

    def _in_tuple(self, bracket: int) -> bool:
        """True for the bracket of `[A, B]` where a type stands."""
        tokens = self.tokens
        if bracket < 0 or tokens[bracket] != "[":
            return False
        before = tokens[bracket - 1]
        if before == "=":
            return self.names_a_type(bracket - 2)
        return before in _TYPE or (before in ("<", ",") and self.opened_angle(bracket) >= 0)

    def _body(self, index: int) -> str:
        """What is declared before a brace: `interface A<B> extends C {`, `function f(): A<B> {`."""
        tokens = self.tokens
        arguments = 0
        for at in self.back(index, 200):
            word = tokens[at]
            if word in ("<", ">"):
                arguments += 1 if word == ">" else -1
            if arguments > 0 or (word == "}" and tokens[at + 1] in ("[", "|", "&")):  # `): { a: b }[] {`
                continue
            if word == ":" and tokens[at - 1] == ")" and not self.in_ternary(at):
                return "block"
            if word in _BODIES and tokens[at - 1] not in (".", "?."):
                return _BODIES[word]
            if word in _NO_HEAD:
                return ""
        return ""

    def _names(self, index: int) -> str:
        """`names` for the braces in `import a, {` and `import type {`."""
        tokens = self.tokens
        first = tokens[index - 1]
        if first == "type" and tokens[index - 2] in ("import", "export"):
            return "names"
        return "names" if first == "," and tokens[index - 3] in ("import", "type") else ""

    def names_a_type(self, index: int) -> bool:
        """True where `type A<B> =` has its name end at the token."""
        tokens = self.tokens
        if tokens[index] == ">":
            index = max(self.opened_angle(index) - 1, 0)
        return tokens[index - 1] == "type"

    def _after_colon(self, colon: int) -> str:
        tokens = self.tokens
        if self.in_ternary(colon):
            return "type" if self.is_conditional(colon) else "object"
        parent = tokens.parents[colon]
        if parent >= 0 and tokens[colon - 1] == "default" and self.brace(parent) == "object":
            return "object"
        if tokens[colon - 1] == "default" or tokens[colon - 2] == "case":
            return "block"
        if parent >= 0 and tokens[parent] == "{" and tokens[colon - 1] != ")":
            kind = self.brace(parent)
            if kind in ("object", "names"):
                return "object"
            if kind == "block":
                declared = tokens[colon - 2] in DECLARES or tokens[colon - 1] in ("}", "]")
                return "type" if declared else "block"
        return "type"

    # --- signs that belong together -----------------------------------------------------------------

    def in_ternary(self, index: int) -> bool:
        """True where a `?` before the token, in the same bracket, waits for its colon."""
        tokens = self.tokens
        waiting = 0
        for at in self.back(index):
            sign = tokens[at]
            if sign == ":":
                waiting += 1
            elif sign == "?" and tokens[at + 1] not in (":", ")", ",", ";", "]"):
                if not waiting:
                    return True
                waiting -= 1
            elif sign in (";", "?") or (sign == "," and self.opened_angle(at) < 0):
                return False
        return False

    def is_conditional(self, index: int) -> bool:
        """True behind `A extends B ?`, False behind a condition."""
        for at in self.back(index, 200):
            if self.tokens[at] in (";", "=", "return", "=>"):
                return False
            if self.tokens[at] == "extends":
                return True
        return False

    def opened_angle(self, index: int) -> int:
        """The index of a `<` that is open before the token inside the same bracket; -1 without one."""
        tokens = self.tokens
        depth = 0
        for at in self.back(index):
            sign = tokens[at]
            if sign == ">":
                depth += 1
            elif sign == "<":
                if depth == 0:
                    return at
                depth -= 1
            elif sign == ";":
                return -1
        return -1

    def closed_angle(self, index: int) -> int:
        """The index of the `>` that closes the `<` at the token; -1 where it is a comparison."""
        tokens = self.tokens
        depth = 0
        for at in self.forth(index, 200):
            sign = tokens[at]
            if sign == "<":
                depth += 1
            elif sign == ">":
                depth -= 1
                if depth == 0:
                    return at
            elif sign in (";", "&&", "||", "+", "-"):
                return -1
        return -1

    # --- parameters and scopes ----------------------------------------------------------------------

    def body_of(self, parenthesis: int) -> int:
        """Where the function ends whose parameters these are, as a token index; -1 for no parameters."""
        tokens = self.tokens
        after = tokens.closing.get(parenthesis, len(tokens)) + 1
        if tokens[after] == ":" and not self.in_ternary(after):
            after = self._after_return_type(after)
        if tokens[after] == "{":
            return -1 if tokens[parenthesis - 1] in HEADS else self.end(after)
        return self.body_after(after) if tokens[after] == "=>" else -1

    def body_after(self, arrow: int) -> int:
        """Where the function ends that an arrow belongs to, as a token index."""
        tokens = self.tokens
        if tokens[arrow + 1] == "{":
            return self.end(arrow + 1)
        last = arrow
        for at in self.forth(arrow + 1):
            if tokens[at] in (",", ";"):
                return at
            last = tokens.closing.get(at, at)
        return last + 1

    def _after_return_type(self, colon: int) -> int:
        """The index of the `=>` or the `{` of a body after a return type."""
        tokens = self.tokens
        for at in self.forth(colon + 1):
            body = tokens[at] == "{" and tokens[at - 1] not in (":", "|", "&", "<", ",", "is")
            if body or tokens[at] == "=>":
                return at
            if tokens[at] == ";":
                break
        return -1

    def block_of(self, index: int) -> tuple[int, int]:
        """The offsets of the block that a declaration at the token is visible in."""
        tokens = self.tokens
        parent = tokens.parents[index]
        while parent >= 0 and not (tokens[parent] == "{" and self.brace(parent) in ("block", "class")):
            self.spend()
            if tokens[parent] == "(" and tokens[parent - 1] in ("for", "await"):
                after = self.end(parent) + 1
                return self.span(parent, self.end(after) if tokens[after] == "{" else after)
            parent = tokens.parents[parent]
        return self.span(parent, self.end(parent)) if parent >= 0 else (0, len(tokens.text))

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The offsets from one token to another."""
        tokens = self.tokens
        return tokens.starts[first], tokens.starts[last] if last < len(tokens) else len(tokens.text)
