"""One script and what its names stand for: brackets paired, bindings found, chains of members read.

Works on tokens (`jstokens`), so it says less than a compiler would: what it cannot tell for sure it
calls unknown, and a rule that must be able to read a value refuses what is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from goblin.facts.jsbrackets import CLOSES, OPERATOR_NAMES, UNARY_NAMES, Tokens
from goblin.facts.jstokens import CHUNK, NAME, SIGN, STRING
from goblin.pattern import lazy

TYPED = frozenset({"ts", "mts", "cts"})
EMBEDDED = frozenset({"vue", "svelte"})
_DEPTH = 12

# What never ends goes to the end of the text: else each of many would be looked through to there.
_SCRIPT = lazy(
    r"<script\b((?:[^>\"']|\"[^\"]*+\"|'[^']*+')*+)>?((?:[^<]|<(?!/script\b))*+)(?:</script\b[^>]*+>?)?",
    re.IGNORECASE,
)
_MARKUP_COMMENT = lazy(r"<!--(?:[^-]|-(?!->))*+(?:-->)?")
_LANG = lazy(r"\blang\s*=\s*[\"']?(\w+)")
_VISIBLE = lazy(r"[^\r\n]")

_CLAUSE = 20
"""Tokens of an import before its module; what stands in braces counts as one."""

_CONTROL = frozenset({"if", "for", "while", "switch", "with", "catch"})


class Binding(NamedTuple):
    """What one name is declared as. `start` and `end` bound its value's tokens, both 0 for none."""

    kind: str  # const let var function class import param pattern
    start: int = 0
    end: int = 0
    module: str = ""  # of an import
    name: str = ""  # as the module calls it


class Script(Tokens):
    """A script with its declarations and its chains of members."""

    # --- what names stand for -----------------------------------------------------------------------

    @cached_property
    def bindings(self) -> dict[str, list[Binding]]:
        """Every declaration of each name, in any scope."""
        found: dict[str, list[Binding]] = {}
        for name, binding in self._declared():
            found.setdefault(name, []).append(binding)
        return found

    def constant(self, name: str) -> Binding | None:
        """The value that a name surely stands for: it is declared once, and never assigned again."""
        found = self.bindings.get(name, [])
        if len(found) != 1 or found[0].kind not in ("const", "let", "var") or not found[0].end:
            return None
        return found[0] if found[0].kind == "const" or name not in self._assigned else None

    @cached_property
    def _assigned(self) -> frozenset[str]:
        signs = ("=", "+=", "||=", "&&=", "??=")
        return frozenset(
            token.text
            for at, token in enumerate(self.tokens)
            if token.kind == NAME
            and self.sign(at + 1, *signs)
            and not self.sign(at - 1, ".", "?.", ":")
            and not self.named(at - 1, "const", "let", "var")
        )

    def _declared(self) -> Iterator[tuple[str, Binding]]:
        for at, token in enumerate(self.tokens):
            if token.kind == SIGN:
                if token.text == "(" and self._is_parameters(at):
                    for name in self.pattern(at + 1, self.partner[at]):
                        yield name, Binding("param")
                elif token.text == "=>" and self.named(at - 1):
                    yield self.tokens[at - 1].text, Binding("param")
                continue
            if token.kind != NAME or self.sign(at - 1, ".", "?.") or self.sign(at + 1, ":"):
                continue
            if token.text in ("const", "let", "var"):
                yield from self.declarators(at)
            elif token.text == "function":
                word = at + 2 if self.sign(at + 1, "*") else at + 1
                if self.named(word):
                    yield self.tokens[word].text, Binding("function", at, self.function_end(at))
            elif token.text == "class" and self.named(at + 1):
                yield self.tokens[at + 1].text, Binding("class")
            elif token.text == "import":
                yield from self._imported(at)

    def _is_parameters(self, at: int) -> bool:
        close = self.partner.get(at)
        if close is None:
            return False
        if self.named(at - 1, *_CONTROL):
            return self.named(at - 1, "catch")
        if self.sign(close + 1, "=>"):
            return True
        if self.sign(close + 1, "{"):
            return self.named(at - 1) or self.sign(at - 1, ">", "*", "]")
        if self.sign(close + 1, ":"):
            return (
                self.named(at - 1, "function") or self.named(at - 2, "function") or self._typed_arrow(close)
            )
        return False

    def _typed_arrow(self, close: int) -> bool:
        """True where `: Type =>` follows."""
        at = close + 2
        while at < min(close + 60, len(self.tokens)):
            if self.sign(at, "=>"):
                return True
            if self.sign(at, ";", "=", ",", "?", *CLOSES):
                return False
            at = self.after(at)
        return False

    def pattern(self, start: int, end: int) -> Iterator[str]:
        """The names that a list of parameters, or the inside of a destructuring, binds."""
        for first, last in self.split(start, end):
            at = first
            while self.sign(at, "...") or (self.named(at) and self.named(at + 1) and at + 1 < last):
                at += 1  # a rest, or a modifier such as `readonly`
            if self.named(at) and self.sign(at + 1, ":") and self._in_object(start):
                at += 2
            if self.sign(at, "{", "[") and at in self.partner:
                yield from self.pattern(at + 1, self.partner[at])
            elif self.named(at):
                yield self.tokens[at].text

    def _in_object(self, start: int) -> bool:
        return self.sign(start - 1, "{")

    def declarators(self, at: int) -> Iterator[tuple[str, Binding]]:
        """The names that a `const`, `let` or `var` at this token declares."""
        declared = self.tokens[at].text
        while True:
            at += 1
            kind = declared
            names: list[str] = []
            if self.named(at):
                names = [self.tokens[at].text]
            elif self.sign(at, "{", "[") and at in self.partner:
                kind, names = "pattern", list(self.pattern(at + 1, self.partner[at]))
            else:
                return
            at = self._behind_type(self.after(at))
            start = end = 0
            if self.sign(at, "="):
                start, end = at + 1, self.value_end(at + 1)
                at = end
            for name in names:
                yield name, Binding(kind, start, end)
            if not self.sign(at, ","):
                return

    def _behind_type(self, at: int) -> int:
        """The index behind `!` and `: Type` of a declared name."""
        at += self.sign(at, "!")
        if not self.sign(at, ":"):
            return at
        at += 1
        depth = 0
        while at < len(self.tokens):
            if not depth and (self.sign(at, "=", ";", ",", ")", "}") or self.ends_before(at)):
                break
            depth = max(depth + self.sign(at, "<") - self.sign(at, ">"), 0)
            at = self.after(at)
        return at

    def function_end(self, at: int) -> int:
        """Behind the body of the function whose word stands here; `at` for one without a body."""
        opened = at
        while opened < len(self.tokens) and not self.sign(opened, "("):
            opened += 1
        body = self.after(opened)
        while body < len(self.tokens) and not self.sign(body, "{"):
            if self.sign(body, ";"):
                return at
            body += 1
        # A return type may itself be an object type: the body is the last brace before the end.
        while self.sign(self.after(body), "{"):
            body = self.after(body)
        return self.after(body) if body < len(self.tokens) else at

    def _imported(self, at: int) -> Iterator[tuple[str, Binding]]:
        """The names of an import declaration."""
        if self.sign(at + 1, "(", "."):
            return
        names: list[tuple[str, str]] = []
        at += 1
        for _ in range(_CLAUSE):
            if at >= len(self.tokens) or self.tokens[at].kind == STRING:
                break
            if self.sign(at, "{") and at in self.partner:
                for first, last in self.split(at + 1, self.partner[at]):
                    skipped = self.named(first, "type") and last - first in (2, 4)
                    names.append((self.tokens[last - 1].text, self.tokens[first + skipped].text))
                at = self.after(at)
                continue
            if self.sign(at, "*") and self.named(at + 1, "as"):
                names.append((self.tokens[min(at + 2, len(self.tokens) - 1)].text, "*"))
                at += 3
                continue
            if self.named(at) and not self.named(at, "from", "type"):
                names.append((self.tokens[at].text, "default"))
            elif self.sign(at, ";", "=", "("):
                return
            at += 1
        if at < len(self.tokens) and self.tokens[at].kind == STRING:
            for local, outer in names:
                yield local, Binding("import", 0, 0, self.tokens[at].text, outer)

    @cached_property
    def modules(self) -> frozenset[str]:
        """Every module that is imported or required by a literal name."""
        found = set()
        for at, token in enumerate(self.tokens):
            if token.kind == STRING and (
                self.named(at - 1, "from", "import")
                or (self.sign(at - 1, "(") and self.named(at - 2, "require", "import"))
            ):
                found.add(token.text)
        return frozenset(found)

    # --- chains of members --------------------------------------------------------------------------

    def receiver(self, dot: int) -> tuple[str, ...]:
        """What stands before a `.`, `?.` or `[`, from its root on: names, and `()` for a call.

        `(await cookies()).set` has the receiver `("cookies", "()")`. A root that is a constant is
        replaced by what it stands for. Empty where it cannot be told.
        """
        parts: list[str] = []
        at = dot - 1
        while at >= 0:
            if self.sign(at, "!"):
                at -= 1
                continue
            if self.sign(at, ")") and at in self.partner:
                opened = self.partner[at]
                if not self._is_call(opened):
                    return (*self.chain(opened + 1, at), *reversed(parts))
                parts.append("()")
                at = opened - 1
                if self.sign(at, ">"):
                    at = self._before_types(at)
                continue
            if self.sign(at, "]") and at in self.partner:
                name = self._key(self.partner[at], at)
                if not name:
                    return ()
                parts.append(name)
                at = self.partner[at] - 1
                at -= self.sign(at, "?.")
                continue
            if not self.named(at):
                return ()
            if self.sign(at - 1, ".", "?."):
                parts.append(self.tokens[at].text)
                at -= 2
                continue
            return (*self._root(self.tokens[at].text), *reversed(parts))
        return ()

    def _is_call(self, opened: int) -> bool:
        if self.sign(opened - 1, ")"):
            return not self.named(self.partner.get(opened - 1, 0) - 1, *_CONTROL)
        if self.sign(opened - 1, "]", ">", "!", "?."):
            return True
        words = UNARY_NAMES | _CONTROL | OPERATOR_NAMES
        return self.named(opened - 1) and not self.named(opened - 1, *words)

    def _before_types(self, at: int) -> int:
        depth = 0
        while at >= 0:
            depth += self.sign(at, ">") - self.sign(at, "<")
            at -= 1
            if depth == 0:
                break
        return at

    def _key(self, opened: int, closed: int) -> str:
        """The name in `["name"]`."""
        inside = self.tokens[opened + 1 : closed]
        if len(inside) == 1 and inside[0].kind == STRING:
            return inside[0].text
        if len(inside) == 3 and inside[1].kind == CHUNK:
            return inside[1].text
        return ""

    def _root(self, name: str, depth: int = 0) -> tuple[str, ...]:
        binding = self.constant(name)
        if binding is None or depth > _DEPTH:
            return (name,)
        return self.chain(binding.start, binding.end, depth + 1) or (name,)

    def chain(self, start: int, end: int, depth: int = 0) -> tuple[str, ...]:
        """The same for an expression: `await cookies()` is `("cookies", "()")`; empty for another kind."""
        at = start
        while at < end and self.named(at, "await", "new"):
            at += 1
        if self.sign(at, "<"):  # a type in front of a value
            closing = self.find(at, end, ">")
            at = closing + 1 if closing > 0 else at
        if self.sign(at, "(") and at in self.partner:
            parts = list(self.chain(at + 1, self.partner[at], depth))
            at = self.after(at)
        elif self.named(at):
            parts = list(self._root(self.tokens[at].text, depth))
            at += 1
        else:
            return ()
        while parts and at < end and not self.named(at, "as", "satisfies"):
            if self.sign(at, ".", "?.") and self.named(at + 1):
                parts.append(self.tokens[at + 1].text)
                at += 2
            elif self.sign(at, "(") and at in self.partner:
                parts.append("()")
                at = self.after(at)
            elif self.sign(at, "[") and at in self.partner:
                parts.append(self._key(at, self.partner[at]) or "[]")
                at = self.after(at)
            elif self.sign(at, "!"):
                at += 1
            elif (
                self.sign(at, "<") and (behind := self.find(at, end, ">")) > 0 and self.sign(behind + 1, "(")
            ):
                at = behind + 1
            else:
                return ()
        return tuple(parts)


def read(path: str, data: bytes) -> Script:
    """The script of a file of the source set; of vue and svelte, their script blocks at their places."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    ending = path.rpartition(".")[2].lower()
    if ending not in EMBEDDED:
        return Script(text, jsx=ending not in TYPED)
    markup = _MARKUP_COMMENT.sub(lambda match: _VISIBLE.sub(" ", match.group()), text)
    parts, at, typed = [], 0, False
    for match in _SCRIPT.finditer(markup):
        lang = _LANG.search(match[1])
        typed = typed or bool(lang and lang[1].lower() in TYPED)
        parts += [_VISIBLE.sub(" ", text[at : match.start(2)]), text[match.start(2) : match.end(2)] + ";"]
        at = match.end(2) + 1  # the `<` of the closing tag gave its place to the semicolon
    parts.append(_VISIBLE.sub(" ", text[at:]))
    return Script("".join(parts), jsx=not typed)
