"""A script as tokens whose brackets are paired: places, stretches, and where an expression ends."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from goblin.facts.jstokens import MARKUP, NAME, SIGN, tokenize

OPENS = {"(": ")", "[": "]", "{": "}", "${": "}"}
CLOSES = frozenset(OPENS.values())
OPERATOR_NAMES = frozenset({"instanceof", "in", "of", "as", "satisfies"})
UNARY_NAMES = frozenset({"await", "new", "typeof", "void", "delete", "yield", "return", "case", "throw"})


class Tokens:
    """A script as tokens. Indexes are of `tokens`; ranges are half open."""

    def __init__(self, text: str, *, jsx: bool = True) -> None:
        self.text = text
        self.tokens, self.sound = tokenize(text, jsx=jsx)

    # --- places -------------------------------------------------------------------------------------

    @cached_property
    def _breaks(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def place(self, index: int) -> tuple[int, int]:
        """The line and column of a token, from 1."""
        offset = self.tokens[index].start
        line = bisect_right(self._breaks, offset - 1)
        return line + 1, offset - (self._breaks[line - 1] + 1 if line else 0) + 1

    def sign(self, index: int, *texts: str) -> bool:
        """True where the token is one of these signs."""
        if not 0 <= index < len(self.tokens):
            return False
        token = self.tokens[index]
        return token.kind == SIGN and token.text in texts

    def named(self, index: int, *texts: str) -> bool:
        """True where the token is a name, of these where any are given."""
        if not 0 <= index < len(self.tokens):
            return False
        token = self.tokens[index]
        return token.kind == NAME and (not texts or token.text in texts)

    @cached_property
    def partner(self) -> dict[int, int]:
        """Each bracket or backtick to the one that belongs to it; of what is unbalanced, nothing."""
        pairs: dict[int, int] = {}
        opened: list[int] = []
        for index, token in enumerate(self.tokens):
            if token.kind != SIGN:
                continue
            top = self.tokens[opened[-1]].text if opened else ""
            if token.text in OPENS or (token.text == "`" and top != "`"):
                opened.append(index)
            elif opened and (token.text == "`" or OPENS.get(top) == token.text):
                start = opened.pop()
                pairs[start], pairs[index] = index, start
        return pairs

    def after(self, index: int) -> int:
        """The index behind the bracketed stretch that opens here, or behind this one token."""
        partner = self.partner.get(index, index)
        return max(partner, index) + 1

    def split(self, start: int, end: int, separator: str = ",") -> list[tuple[int, int]]:
        """The stretches between separators that stand outside of brackets; empty ones are left out."""
        parts = []
        at = begin = start
        while at < end:
            if self.sign(at, separator):
                parts.append((begin, at))
                begin = at + 1
            at = self.after(at)
        parts.append((begin, end))
        return [part for part in parts if part[0] < part[1]]

    def find(self, start: int, end: int, *signs: str) -> int:
        """The first of these signs outside of brackets, or -1."""
        at = start
        while at < end:
            if self.sign(at, *signs):
                return at
            at = self.after(at)
        return -1

    def value_end(self, start: int) -> int:
        """Where the expression that starts here ends, semicolons being optional."""
        at = start
        while at < len(self.tokens):
            if self.sign(at, ";", ",", *CLOSES) or (at > start and self.ends_before(at)):
                return at
            at = self.after(at)
        return len(self.tokens)

    def ends_before(self, at: int) -> bool:
        """True where a line break before this token ends the expression, no semicolon needed."""
        before, token = self.tokens[at - 1], self.tokens[at]
        if "\n" not in self.text[before.end : token.start] or MARKUP in (before.kind, token.kind):
            return False
        if before.kind == SIGN and before.text not in (")", "]", "}", "`", "++", "--"):
            return False
        if before.kind == NAME and before.text in UNARY_NAMES | OPERATOR_NAMES:
            return False
        if token.kind == NAME:
            return token.text not in OPERATOR_NAMES
        return token.kind != SIGN or token.text in ("{", "++", "--", "!", "~", "@", "#")
