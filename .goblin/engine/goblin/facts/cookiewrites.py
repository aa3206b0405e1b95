"""The cookie writes of one script, and the flags that each lacks (spec SC-04)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from goblin.facts.jsscript import Script
from goblin.facts.jstokens import CHUNK, STRING
from goblin.facts.jsvalues import Options, Pieces, options, texts
from goblin.pattern import lazy

UNREADABLE = "cannot be read statically"
_RESPONSE = lazy(r"(?i)res|resp|reply|\w*response")
_OFF = ("false", "undefined", "null")
_ASSIGNS = ("=", "+=", "||=", "&&=", "??=")


class Write(NamedTuple):
    """One write: where it stands, what it is, and what is wrong with it, one text a flag."""

    line: int
    column: int
    call: str
    faults: tuple[str, ...]


def writes(script: Script) -> Iterator[Write]:
    """Every cookie write of a script, in order."""
    for at, token in enumerate(script.tokens):
        if token.text not in ("cookie", "set"):
            continue
        if script.named(at) and script.sign(at - 1, ".", "?."):
            dot, behind = at - 1, at + 1
        elif token.kind in (STRING, CHUNK) and (brackets := _brackets(script, at)):
            dot, behind = brackets
        else:
            continue
        found = _browser(script, at, dot, behind) if token.text == "cookie" else None
        found = found or _server(script, at, dot, behind)
        if found:
            yield found


def _brackets(script: Script, at: int) -> tuple[int, int] | None:
    """Of a name in `["name"]`, the opening bracket and the index behind the closing one."""
    around = 2 if script.tokens[at].kind == CHUNK else 1
    opened, closed = at - around, at + around
    if script.sign(opened, "[") and script.partner.get(opened) == closed:
        return (opened - script.sign(opened - 1, "?."), closed + 1)
    return None


# --- the browser ------------------------------------------------------------------------------------


def _browser(script: Script, at: int, dot: int, behind: int) -> Write | None:
    while script.sign(behind, ")") and script.sign(script.partner.get(behind, -1), "("):
        behind += 1  # `(document.cookie) = ...`
    if not script.sign(behind, *_ASSIGNS):
        return None
    if script.receiver(dot)[-1:] != ("document",):
        return None
    found = texts(script, behind + 1, script.value_end(behind + 1))
    return Write(*script.place(at), "document.cookie", tuple(_attribute_faults(found)))


def _attribute_faults(found: tuple[Pieces, ...]) -> Iterator[str]:
    """What the text of a cookie lacks, in any of the forms that it may have."""
    parsed = [_attributes(pieces) for pieces in found]
    for flag in ("Secure", "SameSite"):
        without = [hiding for attributes, hiding in parsed if flag.lower() not in attributes]
        if not without:
            continue
        none = any(attributes.get("samesite") == "none" for attributes, _ in parsed)
        needed = " (SameSite=None needs it)" if flag == "Secure" and none else ""
        yield f"{flag} {UNREADABLE}{needed}" if any(without) else f"without {flag}{needed}"


def _attributes(pieces: Pieces) -> tuple[dict[str, str], bool]:
    """Attribute names to values, in lower case, and whether an unknown piece may be more than a value.

    The cookie's own name and value come first and are no attribute. `max-age=${AGE};` hides nothing.
    """
    text = "".join("\0" if piece is None else piece for piece in pieces)
    found: dict[str, str] = {}
    hiding = "\0\0" in text
    for number, segment in enumerate(text.split(";")):
        name, equals, value = segment.partition("=")
        if "\0" in segment:
            hiding = hiding or not equals or (number > 0 and "\0" in name)
        if number:
            found.setdefault(name.strip().lower(), value.strip().lower())
    return found, hiding


# --- the server -------------------------------------------------------------------------------------


def _server(script: Script, at: int, dot: int, behind: int) -> Write | None:
    if script.sign(behind, "?."):
        behind += 1
    if not script.sign(behind, "(") or behind not in script.partner:
        return None
    call = _call(script.receiver(dot), script.tokens[at].text)
    if not call:
        return None
    arguments = script.split(behind + 1, script.partner[behind])
    return Write(*script.place(at), call, tuple(_option_faults(script, arguments)))


def _call(receiver: tuple[str, ...], method: str) -> str:
    """What a call writes to, or "" where it writes no cookie."""
    response = any(name == "NextResponse" or _RESPONSE.fullmatch(name) for name in receiver)
    if method == "cookie":
        return "res.cookie" if response else ""
    if receiver[-2:] == ("cookies", "()") and len(receiver) == 2:
        return "cookies().set"
    return "cookies.set of a response" if response and receiver[-1:] == ("cookies",) else ""


def _option_faults(script: Script, arguments: list[tuple[int, int]]) -> Iterator[str]:
    spread = any(script.sign(start, "...") for start, _ in arguments)
    if len(arguments) > 2:
        found = options(script, *arguments[2])
    elif len(arguments) == 1:
        found = options(script, *arguments[0])
    else:
        found = Options({}, True)
    readable = found.whole and not spread
    words = {name: _word(script, *value) for name, value in found.values.items()}
    if words.get("httpOnly") != "true":
        yield _lacking("httpOnly", "httpOnly" in words, readable)
    if words.get("sameSite", "false") in ("false", "undefined", "null"):
        yield _lacking("sameSite", "sameSite" in words, readable)
    elif words["sameSite"].lower() == "'none'" and words.get("secure", "false") in (
        "false",
        "undefined",
        "null",
    ):
        yield "sameSite none without secure" if readable else f"secure {UNREADABLE} (sameSite none needs it)"


def _word(script: Script, start: int, end: int) -> str:
    """A value as one word: `true`, `'none'` for a text, or whatever stands there."""
    if end - start == 1 and script.tokens[start].kind == STRING:
        return f"'{script.tokens[start].text}'"
    return script.text[script.tokens[start].start : script.tokens[end - 1].end]


def _lacking(flag: str, present: bool, readable: bool) -> str:
    if present:
        return f"{flag} is not the literal true" if flag == "httpOnly" else f"{flag} is switched off"
    return f"without {flag}" if readable else f"{flag} {UNREADABLE}"


# --- where the tokens cannot be trusted ---------------------------------------------------------------

_PROBE = lazy(
    r"document\s*\.\s*cookie\s*=(?!=)(?P<text>[^;\n]*(?:;[^\n]*)?)"
    r"|(?:\bres(?:ponse)?\s*\.\s*cookie|\bcookies(?:\s*\(\s*\)\s*\)?)?\s*\.\s*set)\s*\((?P<call>[^)]*)"
)


def probe(text: str) -> Iterator[Write]:
    """The same by plain text, for a source that did not read cleanly: it can only add to what is found."""
    for match in _PROBE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        column = match.start() - text.rfind("\n", 0, match.start())
        if match["call"] is None:
            words = {word.lower() for word in re.findall(r"(?<=;)\s*(\w+)", match["text"])}
            faults = [f"without {flag}" for flag in ("Secure", "SameSite") if flag.lower() not in words]
            yield Write(line, column, "document.cookie", tuple(faults))
        else:
            faults = [] if re.search(r"\bhttpOnly\s*:\s*true\b", match["call"]) else ["without httpOnly"]
            if not re.search(r"\bsameSite\s*:\s*(?!false\b)", match["call"]):
                faults.append("without sameSite")
            yield Write(line, column, "a cookie of a response", tuple(faults))
