"""The words and operators of a shell script: the floor below `goblin.facts.shell`.

`shlex` tells words apart, but not a quoted `&&` from a bare one, a command substitution from a
subshell, or the body of a here-document from the script; so scripts of bash and sh are read here.
Line numbers count from 0.
"""

from __future__ import annotations

from typing import NamedTuple

from goblin.pattern import lazy

MAX_DEPTH = 40
"""Commands inside commands, and expansions inside expansions."""

END = "end"

_OPERATORS = lazy(r"&&|\|\||;;&|;;|;&|\|&|[;&|()]")
_REDIRECT = lazy(r"(?:[0-9]{1,9}|\{[A-Za-z_][A-Za-z0-9_]*\})?(?:<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)|&>>|&>")
_NAME = lazy(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!_-]")
_ASSIGNMENT = lazy(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^]]*\])?\+?=")
_CASE = lazy(r"(?:case|esac)(?![A-Za-z0-9_./-])")
_ENDS_A_WORD = frozenset(" \t\n;&|()<>")
_BEFORE_ARITHMETIC = frozenset({"for", "if", "while", "until", "!", "then", "do", "else", "elif", "{"})


class ShellError(Exception):
    """A script that is not read; the message says why."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Token(NamedTuple):
    """One token. A word has a `value`, its quotes off; it is `fixed` where the shell expands nothing."""

    kind: str  # word, operator, redirect or end
    text: str
    line: int
    value: str = ""
    fixed: bool = True


class Scanner:
    """Text to tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 0
        self.tokens: list[Token] = []
        self.waiting: list[tuple[int, str, bool]] = []  # here-documents whose body begins at the next line
        self.depth = 0

    def scan(self) -> list[Token]:
        """Every token, an `end` token last; raises `ShellError`."""
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t":
                self.at += 1
            elif char == "\\" and self.text.startswith("\n", self.at + 1):
                self.at += 2
                self.line += 1
            elif char == "\n":
                self._add("operator", "\n")
                self._newline()
            elif char == "#":
                self._comment()
            else:
                self._token()
        if self.waiting:
            self._bodies()
        return [*self.tokens, Token(END, "", self.line)]

    def _add(self, kind: str, text: str, line: int = -1, value: str = "", fixed: bool = True) -> None:
        self.tokens.append(Token(kind, text, self.line if line < 0 else line, value, fixed))

    def _token(self) -> None:
        redirect = _REDIRECT.match(self.text, self.at)
        if redirect and not self.text.startswith("(", redirect.end()):
            self._redirect(redirect.group())
            return
        if self.text.startswith("((", self.at) and self._arithmetic():
            return
        operator = _OPERATORS.match(self.text, self.at)
        if operator:
            self._add("operator", operator.group())
            self.at = operator.end()
            return
        line = self.line
        raw, value, fixed = self._word()
        if not raw:
            raise ShellError(f"`{self.text[self.at]}` stands where no word can begin", line)
        self._add("word", raw, line, value, fixed)

    def _redirect(self, operator: str) -> None:
        line = self.line
        self.at += len(operator)
        self._blanks()
        raw, value, _ = self._word()
        if not raw:
            raise ShellError(f"nothing follows `{operator}`", line)
        if operator.endswith(("<<", "<<-")) and not operator.endswith("<<<"):
            self.waiting.append((len(self.tokens), value, operator.endswith("-")))
        self._add("redirect", operator + raw, line)

    def _blanks(self) -> None:
        while self.at < len(self.text):
            if self.text[self.at] in " \t":
                self.at += 1
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
                self.line += 1
            else:
                return

    def _comment(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def _newline(self) -> None:
        self.at += 1
        self.line += 1
        if self.waiting:
            self._bodies()

    def _bodies(self) -> None:
        """Pass over the bodies of here-documents; each becomes part of the token that announced it."""
        for index, mark, tabs in self.waiting:
            body = []
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end]
                self.at = min(end + 1, len(self.text))
                self.line += 1
                if (line.lstrip("\t") if tabs else line) == mark:
                    break
                body.append(line)
            if index >= 0:
                token = self.tokens[index]
                self.tokens[index] = token._replace(text="\n".join([token.text, *body, mark]))
        self.waiting = []

    def _arithmetic(self) -> bool:
        """Read `(( ... ))` as one word where that is what stands here."""
        before = self.tokens[-1] if self.tokens else None
        if before and before.kind == "word" and before.text not in _BEFORE_ARITHMETIC:
            return False
        start, line = self.at, self.line
        self._parens(arithmetic=True)
        raw = self.text[start : self.at]
        if raw.endswith("))") and "\n" not in raw:
            self._add("word", raw, line, raw, False)
            return True
        self.at, self.line, self.waiting = start, line, []
        return False

    # --- words ---------------------------------------------------------------------------------

    def _word(self) -> tuple[str, str, bool]:
        """The word that starts here: raw text, value, and whether it is fixed; "" where none does."""
        raw: list[str] = []
        value: list[str] = []
        fixed = True
        while self.at < len(self.text):
            char = self.text[self.at]
            start = self.at
            if char in _ENDS_A_WORD and not self._goes_on(char, raw):
                break
            if char == "\\":
                self._escape(raw, value)
                continue
            if char == "'":
                value.append(self._single())
            elif char == '"':
                inside, is_fixed = self._double()
                value.append(inside)
                fixed = fixed and is_fixed
            elif char in "$`(<>":
                is_fixed = self._expansion()
                fixed = fixed and is_fixed
                value.append(self.text[start : self.at])
            else:
                self.at += 1
                value.append(char)
            raw.append(self.text[start : self.at])
        return "".join(raw), "".join(value), fixed

    def _goes_on(self, char: str, raw: list[str]) -> bool:
        """True for `<(` and `>(`, and for a `(` that belongs to the word: `a=(`, `@(`."""
        if char in "<>":
            return self.text.startswith("(", self.at + 1)
        if char != "(" or not raw:
            return False
        return raw[-1] in "@?*+!" or bool(_ASSIGNMENT.fullmatch("".join(raw)))

    def _escape(self, raw: list[str], value: list[str]) -> None:
        escaped = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        if escaped == "\n":
            self.line += 1
            return
        raw.append("\\" + escaped)
        value.append(escaped)

    def _single(self) -> str:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise ShellError("a single quote is never closed", self.line)
        inside = self.text[self.at + 1 : end]
        self.line += inside.count("\n")
        self.at = end + 1
        return inside

    def _double(self) -> tuple[str, bool]:
        opened, fixed = self.line, True
        self.at += 1
        inside: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            start = self.at
            if char == '"':
                self.at += 1
                return "".join(inside), fixed
            if char == "\\":
                escaped = self.text[self.at + 1 : self.at + 2]
                self.at += 2
                self.line += escaped == "\n"
                inside.append("" if escaped == "\n" else escaped if escaped in '$`"\\' else "\\" + escaped)
                continue
            if char in "$`":
                fixed = self._expansion(quoted=True) and fixed
                inside.append(self.text[start : self.at])
                continue
            self.line += char == "\n"
            self.at += 1
            inside.append(char)
        raise ShellError("a double quote is never closed", opened)

    def _expansion(self, quoted: bool = False) -> bool:
        """Pass over `$...`, a backtick or parentheses of a word; True where nothing is put in its place."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ShellError(f"more than {MAX_DEPTH} levels deep", self.line)
        literal = self._expand(quoted)
        self.depth -= 1
        return literal

    def _expand(self, quoted: bool) -> bool:
        text, at = self.text, self.at
        if text[at] == "`":
            self._backticks()
        elif text[at] in "<>(":
            self.at += 1 if text[at] == "(" else 2
            self._parens(opened=True)
        elif text.startswith("${{", at):
            end = text.find("}}", at)
            if end < 0:
                raise ShellError("`${{` is never closed", self.line)
            self.line += text.count("\n", at, end)
            self.at = end + 2
        elif text.startswith("${", at):
            self.at += 2
            self._braces()
        elif text.startswith("$((", at):
            self.at += 2
            self._parens(opened=True, arithmetic=True)
        elif text.startswith("$(", at):
            self.at += 2
            self._parens(opened=True)
        elif text.startswith("$'", at) and not quoted:
            self._ansi()
        elif text.startswith('$"', at) and not quoted:
            self.at += 1
            self._double()
        else:
            name = _NAME.match(text, at + 1)
            self.at = name.end() if name else at + 1
            return name is None
        return False

    def _backticks(self) -> None:
        opened = self.line
        self.at += 1
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 2 if char == "\\" else 1
            self.line += char == "\n"
            if char == "`":
                return
        raise ShellError("a backtick is never closed", opened)

    def _ansi(self) -> None:
        opened = self.line
        self.at += 2
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 2 if char == "\\" else 1
            self.line += char == "\n"
            if char == "'":
                return
        raise ShellError("a quote is never closed", opened)

    def _braces(self) -> None:
        opened = self.line
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "}":
                self.at += 1
                return
            self._inside(char)
        raise ShellError("`${` is never closed", opened)

    def _parens(self, opened: bool = False, arithmetic: bool = False) -> None:
        """Pass over a `(` (or what follows one already `opened`) to the `)` that closes it."""
        line = self.line
        stack = ["("] if opened else []
        fresh = True  # at the start of a word
        while self.at < len(self.text):
            char = self.text[self.at]
            if len(stack) > MAX_DEPTH:
                raise ShellError(f"more than {MAX_DEPTH} levels deep", self.line)
            case = _CASE.match(self.text, self.at) if fresh and not arithmetic else None
            if char == "#" and fresh and not arithmetic:
                self._comment()
            elif case:
                self._case(case.group(), stack)
            elif char == "(":
                stack.append(char)
                self.at += 1
            elif char == ")":
                self.at += 1
                if stack[-1] == "(":
                    stack.pop()
                if not stack:
                    return
            elif char == "\n":
                self._newline()
            elif self.text.startswith("<<<", self.at):
                self.at += 3
            elif self.text.startswith("<<", self.at) and not arithmetic:
                self._announced()
            else:
                self._inside(char)
            fresh = char in _ENDS_A_WORD
        raise ShellError("a `(` is never closed", line)

    def _case(self, word: str, stack: list[str]) -> None:
        self.at += len(word)
        if word == "case":
            stack.append(word)
        elif stack and stack[-1] == "case":
            stack.pop()

    def _announced(self) -> None:
        """A here-document inside a substitution: its body is passed over at the end of the line."""
        self.at += 2
        tabs = self.text.startswith("-", self.at)
        self.at += tabs
        self._blanks()
        raw, value, _ = self._word()
        if raw and not raw[0].isdigit():  # `1 << 2` is arithmetic
            self.waiting.append((-1, value, tabs))

    def _inside(self, char: str) -> None:
        """One step inside braces or parentheses: quotes and expansions are passed over whole."""
        if char == "\\":
            self.line += self.text.startswith("\n", self.at + 1)
            self.at += 2
        elif char == "'":
            self._single()
        elif char == '"':
            self._double()
        elif char in "$`":
            self._expansion()
        else:
            self.line += char == "\n"
            self.at += 1


def closing(text: str, at: int) -> int:
    """The index behind the `)` that closes the parenthesis right before `at`; raises `ShellError`."""
    scanner = Scanner(text)
    scanner.at = at
    scanner._parens(opened=True)
    return scanner.at
