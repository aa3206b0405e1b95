"""Every module that a source asks for, in the form that its tokens show.

`import` and `export ... from`, `require`, `import()` (also as a type), `import x = require()`,
`require.resolve`, `import.meta.glob`, `new URL(..., import.meta.url)` and `/// <reference path>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin.bans.lexer import SIGN, STRING, TEMPLATE, WORD
from goblin.bans.reading import Import, quoted, unquote
from goblin.bans.structure import DECLARES

if TYPE_CHECKING:
    from goblin.bans.lexer import Tokens

_REFERENCE = re.compile(r"///\s*<reference\s+path\s*=\s*(?:\"([^\"\n]+)\"|'([^'\n]+)')")
_CLAUSE = 20
"""Tokens between `import` and its `from`; what stands in braces counts as one."""


def imports(tokens: Tokens) -> Iterator[Import]:
    """Every import, export from, require and the like, in order of place but for references."""
    for index in tokens.named(r"import|export|require|URL"):
        if tokens.kinds[index] != WORD:
            continue
        word = tokens[index]
        if word == "import":
            found = _import(tokens, index)
        elif word == "export":
            found = _export(tokens, index)
        elif word == "require":
            found = _require(tokens, index)
        elif word == "URL":
            found = _address(tokens, index)
        else:
            continue
        if found:
            yield found
    yield from references(tokens.text, tokens.comments)


def references(text: str, comments: list[tuple[int, int]]) -> Iterator[Import]:
    """The files that `/// <reference path="..." />` names, each relative to its own."""
    for start, end in comments:
        if text.startswith("///", start) and (found := _REFERENCE.match(text, start, end)):
            path = found[1] or found[2]
            yield Import(path if path.startswith((".", "/")) else f"./{path}", start)


def asked(tokens: Tokens, parenthesis: int, start: int) -> Import | None:
    """What the first argument of a call names."""
    argument = parenthesis + 1
    if argument >= len(tokens):
        return None
    text, kind = tokens[argument], tokens.kinds[argument]
    if quoted(text) and tokens[argument + 1] in (")", ",", ""):
        return Import(unquote(text), start)
    if tokens[argument] == ")":
        return None
    prefix = ""
    if kind == TEMPLATE:
        prefix = text[1:]
    elif kind == STRING:
        prefix = unquote(text)
    return Import("", start, (), prefix)


def _import(tokens: Tokens, index: int) -> Import | None:
    start, before, after = tokens.starts[index], tokens[index - 1], tokens[index + 1]
    if before in (".", "?.") or after == ":":
        return None
    if after == "(":
        return asked(tokens, index + 1, start)
    if after == ".":
        return _meta(tokens, index, start)
    if tokens.kinds[index + 1 : index + 2] == bytes([STRING]):
        return Import(unquote(tokens[index + 1]), start)
    source = _source(tokens, index)
    if source < 0:
        return None
    return Import(unquote(tokens[source]), start, _clause(tokens, index + 1, source - 1))


def _meta(tokens: Tokens, index: int, start: int) -> Import | None:
    """`import.meta.glob("./folder/*.ts")`: what stands before the first wildcard is asked for."""
    if tokens[index + 4] != "glob" or tokens[index + 5] != "(":
        return None
    argument = index + 6 if tokens[index + 6] != "[" else index + 7
    if not quoted(tokens[argument]):
        return Import("", start)
    return Import(before_wildcard(unquote(tokens[argument])), start)


def before_wildcard(pattern: str) -> str:
    """The folder of a pattern that is certain: `../ui/` of `../ui/*.ts`."""
    wild = re.search(r"[*?{\[]", pattern)
    return pattern[: pattern.rfind("/", 0, wild.start()) + 1] if wild else pattern


def _export(tokens: Tokens, index: int) -> Import | None:
    after = tokens[index + 1] if tokens[index + 1] != "type" else tokens[index + 2]
    if tokens[index - 1] in (".", "?.") or after not in ("*", "{"):
        return None
    source = _source(tokens, index)
    return Import(unquote(tokens[source]), tokens.starts[index]) if source >= 0 else None


def _source(tokens: Tokens, index: int) -> int:
    """The index of the text after `from`, or -1 where the clause has none."""
    parent = tokens.parents[index]
    at = index + 1
    last = len(tokens) - 1
    for _ in range(_CLAUSE):
        if at >= last:
            break
        word = tokens[at]
        if word == "{":
            at = tokens.closing.get(at, last)
        elif word == "from" and tokens.kinds[at + 1] == STRING:
            return at + 1
        elif tokens.parents[at] != parent or (tokens.kinds[at] == SIGN and word not in (",", "*")):
            return -1
        at += 1
    return -1


def _clause(tokens: Tokens, first: int, last: int) -> tuple[tuple[str, str], ...]:
    """The names of an import clause: what the module calls each, and what it is called here."""
    names: list[tuple[str, str]] = []
    braces = False
    at = first + 1 if tokens[first] in ("type", "defer") and tokens[first + 1] != "from" else first
    while at < last:
        word = tokens[at]
        if word in ("{", "}"):
            braces = word == "{"
        elif word == "*":
            names.append(("*", tokens[at + 2]))
            at += 2
        elif word != "," and not (word == "type" and braces and tokens[at + 1] not in (",", "}", "as")):
            renamed = tokens[at + 1] == "as"
            imported = unquote(word) if quoted(word) else word
            names.append((imported if braces else "default", tokens[at + 2] if renamed else word))
            at += 2 * renamed
        at += 1
    return tuple(names)


def _require(tokens: Tokens, index: int) -> Import | None:
    start, before, after = tokens.starts[index], tokens[index - 1], tokens[index + 1]
    if before in ("function", "?.") or (before == "." and tokens[index - 2] != "module"):
        return None
    if after == "." and tokens[index + 2] in ("resolve", "context") and tokens[index + 3] == "(":
        return asked(tokens, index + 3, start)
    if after == "?.":
        after, index = tokens[index + 2], index + 1
    if after != "(":
        return None
    found = asked(tokens, index + 1, start)
    return found._replace(names=_received(tokens, index)) if found and found.specifier else found


def _received(tokens: Tokens, index: int) -> tuple[tuple[str, str], ...]:
    """The names that `const a = require(...)` or `const { b: c } = require(...)` binds."""
    if tokens[index - 1] != "=":
        return ()
    if tokens[index - 2] != "}":
        declared = tokens[index - 3] in (*DECLARES, "import", ",")
        return (("*", tokens[index - 2]),) if declared and tokens.kinds[index - 2] == WORD else ()
    opening = tokens.opening.get(index - 2, -1)
    if opening < 0 or tokens[opening - 1] not in DECLARES:
        return ()
    names, at = [], opening + 1
    while at < index - 2:
        renamed = tokens[at + 1] == ":"
        if tokens.kinds[at] == WORD:
            names.append((tokens[at], tokens[at + 2] if renamed else tokens[at]))
        at += 3 if renamed else 1
        while at < index - 2 and tokens[at] != ",":
            at += 1
        at += 1
    return tuple(names)


def _address(tokens: Tokens, index: int) -> Import | None:
    """`new URL("./worker.ts", import.meta.url)`."""
    if tokens[index + 1] != "(" or not quoted(tokens[index + 2]):
        return None
    rest = [tokens[at] for at in range(index + 3, index + 9)]
    if rest != [",", "import", ".", "meta", ".", "url"]:
        return None
    return Import(unquote(tokens[index + 2]), tokens.starts[index])
