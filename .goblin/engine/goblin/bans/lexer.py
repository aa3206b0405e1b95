"""JavaScript, TypeScript and JSX as tokens, told apart from what only looks like code.

A lexer that knows what may stand before a regular expression, a template and a JSX element; no grammar
beyond that. Text that is not valid gives some tokens, never an error. Linear in time and in memory.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

WORD, NUMBER, STRING, TEMPLATE, REGEX, SIGN = b"wnstrp"
"""Kinds of tokens. A template is one token for each part that stands between its substitutions."""

_ESCAPE = r"\\u(?:[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]+\})"
_COMMENT = r"//[^\n\r\u2028\u2029]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?"
_TOKEN = re.compile(
    rf"""[\s\ufeff]*+(?:
    (?P<word>(?:[^\W\d]|\$|{_ESCAPE})(?:[\w$\u200c\u200d]|{_ESCAPE})*+)
    |(?P<number>\.?\d[\w.]*+)
    |(?P<comment>{_COMMENT})
    |(?P<string>'[^'\\\n\r]*+(?:\\(?:\r\n|.)[^'\\\n\r]*+)*+'?|"[^"\\\n\r]*+(?:\\(?:\r\n|.)[^"\\\n\r]*+)*+"?)
    |(?P<tick>`)|(?P<open>[({{\[])|(?P<close>[)}}\]])|(?P<less><)|(?P<slash>/)
    |(?P<odd>\+\+|--|!(?!=)|>)
    |(?P<sign>=>|\.\.\.|\?\.(?!\d)|\?\?=?|&&=?|\|\|=?|[!=]==?|[^\s])
    |(?P<end>\Z))""",
    re.VERBOSE | re.DOTALL,
)
_IS_WORD, _IS_NUMBER, _IS_COMMENT, _IS_STRING, _IS_OPEN, _IS_CLOSE, _IS_SIGN, _IS_END = (
    _TOKEN.groupindex[name]
    for name in ("word", "number", "comment", "string", "open", "close", "sign", "end")
)
_TEMPLATE = re.compile(r"[^`\\$]*+(?:(?:\\.|\$(?!\{))[^`\\$]*+)*+(`|\$\{|\\?\Z)", re.DOTALL)
_REGEX = re.compile(r"/(?:[^/\\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*+\])++/[\w$]*+")
_HASHBANG = re.compile(r"\ufeff?#![^\n\r\u2028\u2029]*+")

_NAME = r"[^\W\d][\w$]*+(?:[-.:][\w$]++)*+"
_ELEMENT = re.compile(rf"<\s*+(?:({_NAME})(?=[\s/>{{<])|(?=>))")
_TYPE_PARAMETERS = re.compile(r"<\s*+(?:const\s++)?+[^\W\d][\w$]*+\s*+(?:,|=|extends\s++(?![=/>]))")
_CLOSING = re.compile(rf"</\s*+({_NAME})?+\s*+>")
_IN_TAG = re.compile(
    rf"""[\s\ufeff]*+(?:
    (?P<comment>{_COMMENT})
    |(?P<name>[^\s=/>{{}}"'<]++)|(?P<equals>=)|(?P<value>"[^"]*+"?|'[^']*+'?)
    |(?P<brace>\{{)|(?P<closed>/\s*+>)|(?P<entered>>)|(?P<less><)|(?P<other>.)|(?P<end>\Z))""",
    re.VERBOSE | re.DOTALL,
)
_TEXT = re.compile(r"[^<{]*+")
_END_OF_ELEMENT = re.compile(r"</[^>]*+>?")

_BEFORE_EXPRESSION = frozenset({
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "instanceof",
    "yield", "await", "default",
})  # fmt: skip
_BEFORE_BLOCK = frozenset({"", ";", "}", ")", "=>", ">", "else", "do"})
_HEADS = frozenset({"if", "while", "for", "with"})
_PAIRS = {")": "(", "]": "[", "}": "{"}


class JsxAttribute(NamedTuple):
    """An attribute in JSX. `value` is the text in quotes, None without one; `brace` the index of the token
    that opens an expression, -1 without one.
    """

    tag: str
    name: str
    start: int
    value: str | None = None
    brace: int = -1


class _Frame(NamedTuple):
    """An open bracket, or an element whose children are read (then `sign` is "")."""

    sign: str
    bracket: int  # the token of the bracket that tokens inside stand in
    operand: bool = True  # what closes it ends an expression
    resume: str = ""  # what goes on after it: "", template, tag or children
    tag: str = ""


_frame = _Frame._make  # half the time of a call by names


def _ends_operand(sign: str, before: str, operand: bool, frames: list[_Frame]) -> bool:
    """True where what closes a bracket ends an expression: not for a block, a body or the head of a loop."""
    if sign == "{":
        if before == "{":
            return bool(frames and frames[-1].resume)
        return not (operand or before in _BEFORE_BLOCK)
    return sign == "[" or before not in _HEADS


class _Tag(NamedTuple):
    """The opening tag that is being read."""

    name: str
    start: int  # where its `<` stands, -1 where it certainly is an element
    attributes: int = 0  # how many there were before
    comments: int = 0
    texts: int = 0


class Tokens:
    """The tokens of one text.

    `kinds` holds one of the kinds above, `starts` and `ends` offsets, `parents` the index of the bracket
    that a token stands in (-1 at the top); `closing` goes from an opening bracket to the one that closes
    it, `opening` back. `comments` are the places of comments, `texts` those of what JSX shows and of the
    values of its attributes, `embedded` the braces of substitutions and of expressions in JSX.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.kinds = bytearray()
        self.starts = array("I")
        self.ends = array("I")
        self.parents = array("i")
        self.closing: dict[int, int] = {}
        self.opening: dict[int, int] = {}
        self.embedded: set[int] = set()
        self.comments: list[tuple[int, int]] = []
        self.texts: list[tuple[int, int]] = []
        self.attributes: list[JsxAttribute] = []

    def __len__(self) -> int:
        return len(self.kinds)

    def named(self, pattern: str) -> Iterator[int]:
        """The indices of the tokens that a pattern of names is found in, in order."""
        last = -1
        for match in re.finditer(pattern, self.text):
            index = bisect_right(self.starts, match.start()) - 1
            if index > last and match.end() <= self.ends[index]:
                last = index
                yield index

    def __getitem__(self, index: int) -> str:
        """The text of a token; "" before the first and after the last."""
        return self.text[self.starts[index] : self.ends[index]] if 0 <= index < len(self.kinds) else ""


def lex(text: str, *, jsx: bool = True) -> Tokens:
    """The tokens of a text. `jsx` is False for TypeScript proper, where `<` never opens an element."""
    return _Lexer(text, jsx).run()


class _Lexer:
    def __init__(self, text: str, jsx: bool) -> None:
        self.text = text
        self.jsx = jsx
        self.tokens = Tokens(text)
        self.frames: list[_Frame] = []
        self.at = 0
        self.operand = False  # the token before ends an expression
        self.before = ""
        self.mode: Callable[[], bool] = self._code
        self.tag = _Tag("", -1)
        self.last_closing: dict[str, int] | None = None

    def run(self) -> Tokens:
        if hashbang := _HASHBANG.match(self.text):
            self.tokens.comments.append(hashbang.span())
            self.at = hashbang.end()
        while self.mode():
            pass
        return self.tokens

    def _code(self) -> bool:
        """Read code until something else goes on; False at the end of the text.

        Most of a source is words, signs, texts and brackets: these are read here, without a call for each.
        """
        text, tokens, frames, code = self.text, self.tokens, self.frames, self.mode
        row = tokens.kinds
        kinds, starts, ends, parents = (
            column.append for column in (row, tokens.starts, tokens.ends, tokens.parents)
        )
        operand, before = self.operand, self.before
        bracket = frames[-1].bracket if frames else -1
        while True:
            for found in _TOKEN.finditer(text, self.at):  # every text matches, the empty one too
                kind = found.lastindex
                assert kind is not None
                start, at = found.span(kind)
                if kind == _IS_WORD:
                    word = text[start:at]
                    operand = word not in _BEFORE_EXPRESSION or before in (".", "?.")
                    before = word
                    kinds(WORD)
                elif kind == _IS_SIGN:
                    operand, before = False, text[start:at]
                    kinds(SIGN)
                elif kind in (_IS_STRING, _IS_NUMBER):
                    operand, before = True, '"'
                    kinds(STRING if kind == _IS_STRING else NUMBER)
                elif kind == _IS_OPEN:
                    sign = text[start]
                    frame = _frame((sign, len(row), _ends_operand(sign, before, operand, frames), "", ""))
                    operand, before = False, sign
                    kinds(SIGN)
                    starts(start)
                    ends(at)
                    parents(bracket)
                    bracket = frame.bracket
                    frames.append(frame)
                    continue
                elif kind == _IS_COMMENT:
                    tokens.comments.append((start, at))
                    continue
                elif (
                    kind == _IS_CLOSE
                    and frames
                    and frames[-1].sign == _PAIRS[text[start]]
                    and not frames[-1].resume
                ):
                    frame = frames.pop()
                    tokens.closing[frame.bracket] = len(row)
                    tokens.opening[len(row)] = frame.bracket
                    operand, before = frame.operand, text[start]
                    bracket = frames[-1].bracket if frames else -1
                    kinds(SIGN)
                elif kind == _IS_END:
                    self.at = at
                    return False
                else:
                    self.at, self.operand, self.before = at, operand, before
                    self._other(found.lastgroup or "", start, found.start())
                    if self.mode != code:
                        return True
                    operand, before = self.operand, self.before
                    bracket = frames[-1].bracket if frames else -1
                    if self.at != at:
                        break  # go on behind what was read
                    continue
                starts(start)
                ends(at)
                parents(bracket)

    def _add(self, kind: int, start: int) -> int:
        tokens = self.tokens
        tokens.kinds.append(kind)
        tokens.starts.append(start)
        tokens.ends.append(self.at)
        tokens.parents.append(self.frames[-1].bracket if self.frames else -1)
        return len(tokens.kinds) - 1

    def _value(self, kind: int, start: int) -> None:
        self._add(kind, start)
        self.operand, self.before = True, '"'

    def _other(self, kind: str, start: int, space: int) -> None:
        if kind == "tick":
            self._template(start)
        elif kind == "close":
            self._close(start)
        elif kind == "less" and self.jsx and not self.operand and self._opens_element(start):
            return
        elif kind == "slash" and not self.operand and (regex := _REGEX.match(self.text, start)):
            self.at = regex.end()
            self._value(REGEX, start)
        else:
            self._sign(start, space)

    def _sign(self, start: int, space: int) -> None:
        sign = self.text[start : self.at]
        self._add(SIGN, start)
        # After an operand and on its line these belong to it: `x! / y`, `i++ / n`.
        postfix = sign in ("++", "--", "!") and self.operand and "\n" not in self.text[space:start]
        self.operand, self.before = postfix, sign
        frame = self.frames[-1] if self.frames else None
        if frame and frame.sign == "<":
            if sign == "<":
                self.frames.append(frame._replace(resume=""))
            elif sign == ">":
                self.frames.pop()
                self._resume(frame)

    # --- brackets and templates ---------------------------------------------------------------------

    def _close(self, start: int) -> None:
        sign, frames = self.text[start], self.frames
        depth = len(frames) - 1
        # What was left open inside is closed with it; a bracket that was never opened closes nothing.
        while depth >= 0 and frames[depth].sign != _PAIRS[sign] and not frames[depth].resume:
            depth -= 1
        if depth < 0 or frames[depth].sign != _PAIRS[sign]:
            self._add(SIGN, start)
            self.operand, self.before = True, sign
            return
        frame = frames[depth]
        del frames[depth:]
        index = self._add(SIGN, start)
        self.tokens.closing[frame.bracket] = index
        self.tokens.opening[index] = frame.bracket
        self.operand, self.before = frame.operand, sign
        self._resume(frame)

    def _resume(self, frame: _Frame) -> None:
        if frame.resume == "template":
            self._template(self.at)
        elif frame.resume == "tag":
            self.tag = _Tag(frame.tag, -1)
            self.mode = self._in_tag
        elif frame.resume == "children":
            self.mode = self._children

    def _template(self, start: int) -> None:
        part = _TEMPLATE.match(self.text, self.at)
        assert part is not None  # it matches the empty text too
        self.at = part.end()
        if part[1] != "${":
            self._value(TEMPLATE, start)
            return
        self.at -= 2
        self._add(TEMPLATE, start)
        self._brace("template", "", 2)

    def _brace(self, resume: str, tag: str, width: int = 1) -> int:
        """Open a substitution or an expression in JSX; what it interrupts goes on after it."""
        self.at += width
        index = self._add(SIGN, self.at - 1)
        self.tokens.embedded.add(index)
        self.frames.append(_Frame("{", index, True, resume, tag))
        self.operand, self.before = False, "{"
        self.mode = self._code
        return index

    # --- JSX ----------------------------------------------------------------------------------------

    def _opens_element(self, start: int) -> bool:
        """Go on inside an element that opens here; False for a comparison or a list of types."""
        found = _ELEMENT.match(self.text, start)
        if not found or _TYPE_PARAMETERS.match(self.text, start):
            return False
        tokens = self.tokens
        self.at = found.end()
        counts = (len(tokens.attributes), len(tokens.comments), len(tokens.texts))
        self.tag = _Tag(found[1] or "", start, *counts)
        self.mode = self._in_tag
        return True

    def _closings(self) -> dict[str, int]:
        """Where the last closing tag of each name stands."""
        if self.last_closing is None:
            self.last_closing = {m[1] or "": m.start() for m in _CLOSING.finditer(self.text)}
        return self.last_closing

    def _in_tag(self) -> bool:
        """Read on inside an opening tag: after its name, a value, or its arguments of types."""
        tokens, tag = self.tokens, self.tag
        name, start, equals = "", 0, False
        while True:
            found = _IN_TAG.match(self.text, self.at)
            assert found is not None
            kind = found.lastgroup
            assert kind is not None
            begin, self.at = found.span(kind)
            if kind == "comment":
                tokens.comments.append((begin, self.at))
                continue
            if kind == "equals":
                equals = True
                continue
            if name and not (equals and kind in ("value", "brace")):
                tokens.attributes.append(JsxAttribute(tag.name, name, start))
            if kind == "name":
                name, start, equals = found[kind], begin, False
                continue
            if kind == "value":
                tokens.texts.append((begin, self.at))
                if name and equals:
                    tokens.attributes.append(JsxAttribute(tag.name, name, start, found[kind].strip("\"'")))
                name, equals = "", False
            elif kind != "other":
                return self._leave_tag(kind, begin, JsxAttribute(tag.name, name, start), equals)

    def _leave_tag(self, kind: str, begin: int, attribute: JsxAttribute, equals: bool) -> bool:
        """What ends the reading of a tag, at least for now; False at the end of the text."""
        tag = self.tag
        if kind == "end":
            return False
        if kind == "brace":
            self.at = begin
            index = self._brace("tag", tag.name)
            if attribute.name and equals:
                self.tokens.attributes.append(attribute._replace(brace=index))
        elif kind == "less" and equals:  # an element is the value
            self.frames.append(
                _Frame("", self.frames[-1].bracket if self.frames else -1, True, "tag", tag.name)
            )
            self.at = begin
            self.mode = self._children
        elif kind == "less":
            self.frames.append(_Frame("<", self._add(SIGN, begin), False, "tag", tag.name))
            self.operand, self.before = False, "<"
            self.mode = self._code
        elif kind == "closed":
            self._end_element()
        elif tag.start >= 0 and self._closings().get(tag.name, -1) < self.at:
            self._was_no_element(tag)
        else:
            self.frames.append(_Frame("", self.frames[-1].bracket if self.frames else -1))
            self.mode = self._children
        return True

    def _was_no_element(self, tag: _Tag) -> None:
        """Nothing closes what looked like an element: it is a type, as in `<T>(value: T) => void`."""
        del self.tokens.attributes[tag.attributes :]
        del self.tokens.comments[tag.comments :]
        del self.tokens.texts[tag.texts :]
        self.at = tag.start + 1
        self.mode = self._code
        self._sign(tag.start, tag.start)

    def _end_element(self) -> None:
        """Its parent's children go on, or the tag or the expression that it stands in."""
        self.operand, self.before = True, '"'
        self.mode = self._code
        if self.frames and not self.frames[-1].sign:
            if self.frames[-1].resume:
                self._resume(self.frames.pop())
            else:
                self.mode = self._children

    def _children(self) -> bool:
        text = self.text
        found = _TEXT.match(text, self.at)
        assert found is not None
        if found[0]:
            self.tokens.texts.append(found.span())
        self.at = found.end()
        if self.at >= len(text):
            return False
        if text[self.at] == "{":
            self._brace("children", "")
        elif end := _END_OF_ELEMENT.match(text, self.at):
            self.at = end.end()
            if self.frames and not self.frames[-1].sign:
                self.frames.pop()
            self._end_element()
        elif element := _ELEMENT.match(text, self.at):
            self.at = element.end()
            self.tag = _Tag(element[1] or "", -1)
            self.mode = self._in_tag
        else:
            self.at += 1
        return True
