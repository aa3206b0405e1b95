"""JavaScript and TypeScript as tokens with true positions: comments left out, literals told apart.

Strings, templates, regular expressions and JSX are recognised, so that code in them is not taken for
code and what only looks like a comment or a string does not swallow what follows. Nothing is parsed
beyond that. Text that is not valid gives some tokens and `sound` False, never an error. Linear in time.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from goblin.pattern import lazy

NAME, NUMBER, STRING, CHUNK, REGEX, SIGN, MARKUP = (
    "name", "number", "string", "chunk", "regex", "sign", "markup",
)  # fmt: skip
"""Kinds of tokens. A template is the sign "`", chunks with `${` ... `}` between, and "`" again."""


class Token(NamedTuple):
    """One token. `text` of a string or a chunk is its content, escapes resolved, without the quotes."""

    kind: str
    text: str
    start: int
    end: int


class Tokens(NamedTuple):
    """A source as tokens. `sound` is False where something did not end, or was not understood."""

    tokens: tuple[Token, ...]
    sound: bool


_COMMENT = r"//[^\n\u2028\u2029]*+|/\*(?:[^*]|\*(?!/))*+\*/"
_SPACE = lazy(rf"(?:[\s\ufeff]++|{_COMMENT})++")
_TOKEN = lazy(
    rf"(?:[\s\ufeff]++|{_COMMENT})*+"
    r"(?:(?P<name>[#@]?[^\W\d][\w$\u200c\u200d]*+|[$][\w$]*+|\\u\{?[0-9a-fA-F]+\}?[\w$]*+)"
    r"|(?P<string>'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\")"
    r"|(?P<open>[({\[])|(?P<close>[)}\]])|(?P<special>[/<`])"
    r"|(?P<number>0[xXbBoO][\da-fA-F_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?n?)"
    r"|(?P<sign>>>>=|\.\.\.|===|!==|\*\*=|>>=|&&=|\|\|=|\?\?=|=>|==|!=|>=|&&|\|\||\?\?|\?\.(?!\d)"
    r"|\+\+|--|\+=|-=|\*=|%=|&=|\|=|\^=|\*\*|[-;,>+*%&|^!~?:=.@#]))",
    re.DOTALL,
)
_SPECIAL = lazy(r"/=|<<=|<=|<<|[/<`]")
_CHUNK = lazy(r"((?:[^`\\$]|\\.|\$(?!\{))*)(`|\$\{)", re.DOTALL)
_REGEX = lazy(r"/(?![/*])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[\w$]*")
_ESCAPE = lazy(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_BEFORE_VALUE = frozenset({
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "instanceof",
    "yield", "await", "default", "extends",
})  # fmt: skip
_SIMPLE = frozenset({NAME, NUMBER, SIGN})
_PAIRS = {"(": ")", "[": "]", "{": "}", "${": "}", "jsx{": "}"}
_BEFORE_GROUP = frozenset({"if", "while", "for", "with"})
_TYPE_PARAMETERS = lazy(r"<(?:const\s+)?[A-Za-z_$][\w$]*\s*(?:,|\s(?:extends|=)\b|=)")
_TAG_OPEN = lazy(r"<(?:\s*>|[A-Za-z_$][\w$.:-]*)")
_ATTRIBUTE = lazy(r"[A-Za-z_$][\w$.:-]*|=|\"[^\"]*\"|'[^']*'")
_TEXT = lazy(r"[^<{]+")
_CLOSING = lazy(r"</\s*[\w$.:-]*\s*>")


def unescaped(text: str) -> str:
    """The content of a string or chunk as the program sees it."""
    return _ESCAPE.sub(_resolved, text) if "\\" in text else text


def _resolved(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits:
        code = int(digits, 16)
        return chr(code) if code < 0x110000 else "\ufffd"
    return _ESCAPES.get(match[4], match[4])


def tokenize(text: str, *, jsx: bool = True) -> Tokens:
    """The tokens of a script; `jsx` where a `<` in front of a value opens an element, and no type."""
    return _Tokenizer(text, jsx).run()


class _Tokenizer:
    """A scanner with a stack: what encloses the place that is looked at."""

    def __init__(self, text: str, jsx: bool) -> None:
        self.text = text
        self.jsx = jsx
        self.at = 0
        self.tokens: list[Token] = []
        self.sound = True
        # Open brackets: ( [ { as they are, ${ in a template, jsx{ in an element, and the two states of an
        # element: tag, kids. A group remembers the word before it, a brace whether it is a value's.
        self.stack: list[tuple[str, bool]] = []

    def run(self) -> Tokens:
        while self.at < len(self.text):
            mode = self.stack[-1][0] if self.stack else ""
            if mode == "tag":
                self._tag()
            elif mode == "kids":
                self._kids()
            else:
                self._code()
        return Tokens(tuple(self.tokens), self.sound and not self.stack)

    def _add(self, kind: str, text: str, end: int) -> None:
        self.tokens.append(Token(kind, text, self.at, end))
        self.at = end

    def _skip(self) -> None:
        """Pass over one character that is not understood."""
        self.sound = False
        self.at += 1

    def _code(self) -> None:
        """Read tokens until an element starts, or the code inside of one ends."""
        text, tokens = self.text, self.tokens
        while match := _TOKEN.match(text, self.at):
            kind = match.lastgroup or ""
            token = match[kind]
            start, self.at = match.span(kind)
            if kind in _SIMPLE:
                tokens.append(Token(kind, token, start, self.at))
                self.at = match.end()
                continue
            self.at = start
            if kind == STRING:
                self._add(STRING, unescaped(token[1:-1]), match.end())
            elif kind == "open":
                self._open_bracket(token)
            elif kind == "special":
                if self._special(token):
                    return
            elif self._close(token, match.end()):
                return
        space = _SPACE.match(text, self.at)
        self.at = space.end() if space else self.at
        if self.at >= len(text):
            return
        if text.startswith("/*", self.at):  # a comment that never ends
            self.sound = False
            self.at = len(text)
        else:
            self._skip()

    def _special(self, char: str) -> bool:
        """A `/`, `<` or `` ` ``, each of which may be several things; True where an element starts."""
        if char == "`":
            self._add(SIGN, "`", self.at + 1)
            self._template()
            return False
        value = self._value_may_start()
        if char == "/":
            if self.text.startswith("/*", self.at):
                self.sound = False
                self.at = len(self.text)
                return False
            regex = _REGEX.match(self.text, self.at) if value else None
            if regex:
                self._add(REGEX, regex.group(), regex.end())
                return False
        elif value and self.jsx and self._element():
            return True
        sign = _SPECIAL.match(self.text, self.at)
        assert sign
        self._add(SIGN, sign.group(), sign.end())
        return False

    def _open_bracket(self, sign: str) -> None:
        if sign == "{":
            flag = self._value_may_start() and not self._block_may_start()
        else:
            flag = bool(self.tokens) and self.tokens[-1].text in _BEFORE_GROUP
        self.stack.append((sign, flag))
        self._add(SIGN, sign, self.at + 1)

    def _close(self, sign: str, end: int) -> bool:
        """A closing bracket; True where the code inside of an element ends."""
        opened, flag = self.stack[-1] if self.stack else ("", False)
        self.at = end - 1
        self._add(SIGN, sign, end)
        if _PAIRS.get(opened) != sign:
            self.sound = False
            self._after = sign != "}"
            return False
        self.stack.pop()
        # After a condition's group, and after a block, a value may start; after a value's it may not.
        self._after = not flag if opened == "(" else opened == "[" or flag
        if opened == "${":
            self._template()
        return opened == "jsx{"

    _after = True  # whether the last closing bracket ended a value

    def _template(self) -> None:
        """The next chunk of a template."""
        chunk = _CHUNK.match(self.text, self.at)
        if chunk is None:
            self.sound = False
            self._add(CHUNK, self.text[self.at :], len(self.text))
            return
        self._add(CHUNK, unescaped(chunk[1]), chunk.end(1))
        if chunk[2] == "`":
            self._add(SIGN, "`", chunk.end())
            self._after = True
        else:
            self._add(SIGN, "${", chunk.end())
            self.stack.append(("${", True))

    def _value_may_start(self) -> bool:
        """True where a `/`, `<` or `{` begins a value; False where it divides, compares or opens a block."""
        if not self.tokens:
            return True
        last = self.tokens[-1]
        if last.kind == NAME:
            before = self.tokens[-2].text if len(self.tokens) > 1 else ""
            return last.text in _BEFORE_VALUE and before not in (".", "?.")
        if last.kind != SIGN:
            return False
        if last.text in (")", "]", "}", "`"):
            return not self._after
        return last.text not in ("++", "--")

    def _block_may_start(self) -> bool:
        if not self.tokens:
            return True
        return self.tokens[-1].text in (";", "{", "}", ")", "=>", ":", "else", "do")

    # --- JSX ----------------------------------------------------------------------------------------

    def _element(self) -> bool:
        """Enter an element, if one starts here."""
        if _TYPE_PARAMETERS.match(self.text, self.at):
            return False
        opened = _TAG_OPEN.match(self.text, self.at)
        if opened is None:
            return False
        self._open(opened)
        return True

    def _open(self, opened: re.Match[str]) -> None:
        fragment = opened.group().endswith(">")
        self._add(MARKUP, opened.group(), opened.end())
        self.stack.append(("kids" if fragment else "tag", False))
        if not fragment and self.at < len(self.text) and self.text[self.at] == "<":
            self._type_arguments()

    def _type_arguments(self) -> None:
        depth, at = 0, self.at
        while at < len(self.text) and at < self.at + 400:
            depth += {"<": 1, ">": -1}.get(self.text[at], 0)
            at += 1
            if depth == 0:
                self.at = at
                return

    def _tag(self) -> None:
        text = self.text
        space = _SPACE.match(text, self.at)
        if space:
            self.at = space.end()
        elif text.startswith("/>", self.at):
            self._add(MARKUP, "/>", self.at + 2)
            self._leave()
        elif text[self.at] == ">":
            self._add(MARKUP, ">", self.at + 1)
            self.stack[-1] = ("kids", False)
        elif text[self.at] == "{":
            self._add(SIGN, "{", self.at + 1)
            self.stack.append(("jsx{", True))
        elif match := _ATTRIBUTE.match(text, self.at):
            self._add(MARKUP, match.group(), match.end())
        elif text[self.at] == "<" and self._element():
            return
        else:
            self._skip()

    def _kids(self) -> None:
        text = self.text
        if match := _TEXT.match(text, self.at):
            self._add(MARKUP, match.group(), match.end())
        elif text[self.at] == "{":
            self._add(SIGN, "{", self.at + 1)
            self.stack.append(("jsx{", True))
        elif match := _CLOSING.match(text, self.at):
            self._add(MARKUP, match.group(), match.end())
            self._leave()
        elif match := _TAG_OPEN.match(text, self.at):
            self._open(match)
        else:
            self._skip()

    def _leave(self) -> None:
        """An element has ended; outside of another one it is a value."""
        self.stack.pop()
        self._after = True
