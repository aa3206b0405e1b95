"""A shell script read as commands: what is a command, what only looks like one, and what joins them.

The grammar is that of bash, as far as workflows need it. What this reader does not know is a
`ShellError`, never a guess. Line numbers count from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from goblin.facts.shelltokens import END, MAX_DEPTH, Scanner, ShellError, Token

LIMIT = 1 << 18
"""Characters of one script that are read."""

_NO_BREAK_AFTER = frozenset(
    {";", "&", "&&", "||", "|", "|&", "(", "{", ";;", ";&", ";;&", "!"}
    | {"then", "do", "else", "elif", "if", "while", "until"}
)


class Word(NamedTuple):
    """One word: as written, with its quotes taken off, and whether the shell puts nothing in its place."""

    raw: str
    value: str
    fixed: bool
    line: int


class Simple(NamedTuple):
    """A command of words, leading assignments included and redirections left out."""

    words: tuple[Word, ...]
    text: str
    line: int


class Compound(NamedTuple):
    """A command made of others. `kind` is one of `{ ( if while until for select case function [[`."""

    kind: str
    parts: tuple[tuple[Statement, ...], ...]
    text: str
    line: int
    name: str = ""  # of a function


class Pipeline(NamedTuple):
    """Commands joined by pipes."""

    negated: bool
    commands: tuple[Simple | Compound, ...]
    text: str
    line: int


class Statement(NamedTuple):
    """Pipelines joined by `&&` and `||`; `joints[n]` stands before `pipelines[n + 1]`.

    `text` is the statement as written, blanks collapsed, without comments and `2>/dev/null`.
    """

    pipelines: tuple[Pipeline, ...]
    joints: tuple[str, ...]
    background: bool
    text: str
    line: int


class _Parser:
    """Tokens to statements."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    def all(self) -> tuple[Statement, ...]:
        found = self._list(())
        if self._now().kind != END:
            raise ShellError(f"{self._shown()} stands where a command is expected", self._now().line)
        return found

    def _now(self) -> Token:
        return self.tokens[self.at]

    def _shown(self) -> str:
        text = self._now().text.split("\n")[0]
        return f"`{text[:40]}`" if text else "the end of a line"

    def _is(self, *texts: str, kind: str = "operator") -> bool:
        return self._now().kind == kind and self._now().text in texts

    def _take(self, text: str, kind: str = "word") -> None:
        if not self._is(text, kind=kind):
            raise ShellError(f"`{text}` is missing", self._now().line)
        self.at += 1

    def _breaks(self) -> None:
        while self._is("\n"):
            self.at += 1

    def _text(self, start: int) -> str:
        """The tokens from `start` to here as one line."""
        pieces: list[str] = []
        for token in self.tokens[start : self.at]:
            text = ";" if token.text == "\n" else token.text
            if token.kind == "redirect" and text == "2>/dev/null":
                continue
            if text == ";" and (not pieces or pieces[-1] in _NO_BREAK_AFTER):
                continue
            pieces.append(text)
        while pieces and pieces[-1] == ";":
            pieces.pop()
        return " ".join(pieces)

    def _list(self, ends: Iterable[str]) -> tuple[Statement, ...]:
        """Statements up to one of the words in `ends`, a closing operator, or the end."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ShellError(f"more than {MAX_DEPTH} levels deep", self._now().line)
        found: list[Statement] = []
        while True:
            while self._is("\n", ";"):
                self.at += 1
            if self._now().kind == END or self._is(")", ";;", ";&", ";;&") or self._is(*ends, kind="word"):
                break
            found.append(self._statement())
        self.depth -= 1
        return tuple(found)

    def _statement(self) -> Statement:
        start, line = self.at, self._now().line
        pipelines, joints = [self._pipeline()], []
        while self._is("&&", "||"):
            joints.append(self._now().text)
            self.at += 1
            self._breaks()
            pipelines.append(self._pipeline())
        text = self._text(start)
        background = self._is("&")
        if background or self._is(";", "\n"):
            self.at += 1
        elif not (self._now().kind == END or self._is(")", ";;", ";&", ";;&")):
            raise ShellError(f"{self._shown()} is not expected here", self._now().line)
        return Statement(tuple(pipelines), tuple(joints), background, text, line)

    def _pipeline(self) -> Pipeline:
        start, line, negated = self.at, self._now().line, False
        while self._is("!", "time", kind="word"):
            negated ^= self._is("!", kind="word")
            self.at += 1
            if self._is("-p", kind="word"):
                self.at += 1
        commands = [self._command()]
        while self._is("|", "|&"):
            self.at += 1
            self._breaks()
            commands.append(self._command())
        return Pipeline(negated, tuple(commands), self._text(start), line)

    def _command(self) -> Simple | Compound:
        token = self._now()
        start = self.at
        parts: list[tuple[Statement, ...]] = []
        kind, name = token.text, ""
        if token.kind == "operator" and kind == "(":
            self.at += 1
            parts.append(self._list(()))
            self._take(")", "operator")
        elif token.kind == "word" and kind in _READERS:
            self.at += 1
            _READERS[kind](self, parts)
        elif token.kind == "word" and kind == "function":
            self.at += 1
            name = self._now().text
            self.at += 1
            self._function(parts)
        elif token.kind == "word" and kind in _STRAY:
            raise ShellError(f"`{kind}` stands where a command is expected", token.line)
        else:
            return self._simple(start)
        while self._now().kind == "redirect":
            self.at += 1
        return Compound(kind, tuple(parts), self._text(start), token.line, name)

    def _simple(self, start: int) -> Simple | Compound:
        words: list[Word] = []
        line = self._now().line
        while self._now().kind in ("word", "redirect"):
            token = self._now()
            self.at += 1
            if token.kind == "word":
                words.append(Word(token.text, token.value, token.fixed, token.line))
            if len(words) == 1 and self._is("("):
                parts: list[tuple[Statement, ...]] = []
                self._function(parts)
                return Compound("function", tuple(parts), self._text(start), line, words[0].value)
        if self.at == start:
            raise ShellError(f"{self._shown()} stands where a command is expected", line)
        return Simple(tuple(words), self._text(start), line)

    def _function(self, parts: list[tuple[Statement, ...]]) -> None:
        if self._is("("):
            self.at += 1
            self._take(")", "operator")
        self._breaks()
        command = self._command()
        if isinstance(command, Simple):
            raise ShellError("a function needs a body", command.line)
        parts.extend(command.parts)

    def _braces(self, parts: list[tuple[Statement, ...]]) -> None:
        parts.append(self._list(("}",)))
        self._take("}")

    def _if(self, parts: list[tuple[Statement, ...]]) -> None:
        parts.append(self._list(("then",)))
        self._take("then")
        parts.append(self._list(("elif", "else", "fi")))
        while self._is("elif", kind="word"):
            self.at += 1
            parts.append(self._list(("then",)))
            self._take("then")
            parts.append(self._list(("elif", "else", "fi")))
        if self._is("else", kind="word"):
            self.at += 1
            parts.append(self._list(("fi",)))
        self._take("fi")

    def _loop(self, parts: list[tuple[Statement, ...]]) -> None:
        parts.append(self._list(("do",)))
        self._do(parts)

    def _for(self, parts: list[tuple[Statement, ...]]) -> None:
        while self._now().kind == "word" and not self._is("do", kind="word"):
            self.at += 1
        while self._is("\n", ";"):
            self.at += 1
        self._do(parts)

    def _do(self, parts: list[tuple[Statement, ...]]) -> None:
        if self._is("{", kind="word"):
            self.at += 1
            self._braces(parts)
            return
        self._take("do")
        parts.append(self._list(("done",)))
        self._take("done")

    def _cases(self, parts: list[tuple[Statement, ...]]) -> None:
        if self._now().kind != "word":
            raise ShellError("`case` needs a word", self._now().line)
        self.at += 1
        self._breaks()
        self._take("in")
        while True:
            self._breaks()
            if self._is("esac", kind="word"):
                self.at += 1
                return
            if self._is("("):
                self.at += 1
            while self._now().kind == "word" or self._is("|"):
                self.at += 1
            self._take(")", "operator")
            parts.append(self._list(("esac",)))
            if self._is(";;", ";&", ";;&"):
                self.at += 1

    def _test(self, parts: list[tuple[Statement, ...]]) -> None:
        while not self._is("]]", kind="word"):
            if self._now().kind == END:
                raise ShellError("`[[` is never closed", self._now().line)
            self.at += 1
        self.at += 1


_READERS = {
    "{": _Parser._braces,
    "if": _Parser._if,
    "while": _Parser._loop,
    "until": _Parser._loop,
    "for": _Parser._for,
    "select": _Parser._for,
    "case": _Parser._cases,
    "[[": _Parser._test,
}
_STRAY = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}", "coproc"})


def parse(script: str) -> tuple[Statement, ...]:
    """The statements of a script of bash or sh; raises `ShellError` for what cannot be read."""
    if len(script) > LIMIT:
        raise ShellError(f"{len(script)} characters, more than the {LIMIT} that are read", 0)
    return _Parser(Scanner(script.replace("\r\n", "\n")).scan()).all()
