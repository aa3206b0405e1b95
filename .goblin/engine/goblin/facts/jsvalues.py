"""What an expression of a script can be read as without running it: texts, and objects of options.

A text is a list of pieces: what is written, and `None` for what only a run could tell. A conditional
has more than one text, and each of them counts.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple, TypeAlias

from goblin.facts.jsscript import Script
from goblin.facts.jstokens import CHUNK, NUMBER, STRING

Pieces: TypeAlias = tuple[str | None, ...]

MOST = 64
"""Texts of one expression that are told apart; of more, it is unknown."""

_DEPTH = 16
UNKNOWN: tuple[Pieces, ...] = ((None,),)


def texts(script: Script, start: int, end: int, depth: int = 0) -> tuple[Pieces, ...]:
    """Every text that the expression may have."""
    if depth > _DEPTH or start >= end:
        return UNKNOWN
    question = script.find(start, end, "?")
    if question > 0:
        return _conditional(script, question, end, depth)
    for sign in ("||", "??", "&&"):
        at = script.find(start, end, sign)
        if at > 0:
            right = texts(script, at + 1, end, depth + 1)
            left = texts(script, start, at, depth + 1) if sign != "&&" else UNKNOWN
            return _few((*left, *right))
    operands = [_operand(script, first, last, depth) for first, last in script.split(start, end, "+")]
    return _joined(operands)


def _conditional(script: Script, question: int, end: int, depth: int) -> tuple[Pieces, ...]:
    at, open_ones = question + 1, 0
    while at < end:
        if script.sign(at, "?"):
            open_ones += 1
        elif script.sign(at, ":"):
            if not open_ones:
                yes = texts(script, question + 1, at, depth + 1)
                return _few((*yes, *texts(script, at + 1, end, depth + 1)))
            open_ones -= 1
        at = script.after(at)
    return UNKNOWN


def _few(found: tuple[Pieces, ...]) -> tuple[Pieces, ...]:
    return found if len(found) <= MOST else UNKNOWN


def _joined(operands: list[tuple[Pieces, ...]], separator: str = "") -> tuple[Pieces, ...]:
    """The texts side by side, in every combination."""
    size = 1
    for operand in operands:
        size *= len(operand)
    if size > MOST:
        return UNKNOWN
    found = []
    for combination in product(*operands):
        pieces: list[str | None] = []
        for number, part in enumerate(combination):
            pieces += [separator] if number and separator else []
            pieces += part
        found.append(tuple(pieces))
    return tuple(found)


def _operand(script: Script, start: int, end: int, depth: int) -> tuple[Pieces, ...]:
    """One operand of a concatenation: a literal, a name, a group, or what `join` and `concat` make of one."""
    token = script.tokens[start]
    at = script.after(start)
    array: list[tuple[Pieces, ...]] | None = None
    if script.sign(start, "("):
        found = texts(script, start + 1, at - 1, depth + 1)
    elif token.kind in (STRING, NUMBER):
        found = ((token.text,),)
    elif script.sign(start, "`"):
        found = _template(script, start, at, depth)
    elif script.sign(start, "["):
        items = script.split(start + 1, at - 1)
        array = [texts(script, first, last, depth + 1) for first, last in items]
        found = UNKNOWN
    elif script.named(start) and (binding := script.constant(token.text)):
        found = texts(script, binding.start, binding.end, depth + 1)
    else:
        return UNKNOWN
    while at < end and not script.named(at, "as", "satisfies"):
        if script.sign(at, "!"):
            at += 1
            continue
        if not (script.sign(at, ".", "?.") and script.named(at + 1) and script.sign(at + 2, "(")):
            return UNKNOWN
        arguments = script.split(at + 3, script.after(at + 2) - 1)
        method = script.tokens[at + 1].text
        values = [texts(script, first, last, depth + 1) for first, last in arguments]
        if method == "concat" and array is None:
            found = _joined([found, *values])
        elif method == "join" and array is not None:
            between = values[0] if values else ((",",),)
            if len(between) != 1 or None in between[0]:
                return UNKNOWN
            found, array = _joined(array, "".join(piece or "" for piece in between[0])), None
        elif not (method == "filter" and array is not None) and method not in ("trim", "toString"):
            return UNKNOWN
        at = script.after(at + 2)
    return found


def _template(script: Script, start: int, end: int, depth: int) -> tuple[Pieces, ...]:
    parts: list[tuple[Pieces, ...]] = []
    at = start + 1
    while at < end - 1:
        if script.tokens[at].kind == CHUNK:
            parts.append(((script.tokens[at].text,),))
        elif script.sign(at, "${"):
            parts.append(texts(script, at + 1, script.after(at) - 1, depth + 1))
        at = script.after(at)
    return _joined(parts)


class Options(NamedTuple):
    """An object literal: the tokens of each value by key. `whole` is False where a part is unknown."""

    values: dict[str, tuple[int, int]]
    whole: bool


def options(script: Script, start: int, end: int, depth: int = 0) -> Options:
    """The members of an object that stands here, or that a name surely stands for."""
    nothing = Options({}, False)
    if depth > _DEPTH or start >= end:
        return nothing
    if script.sign(start, "(") and script.after(start) == end:
        return options(script, start + 1, end - 1, depth + 1)
    if script.named(start, "Object") and script.named(start + 2, "freeze") and script.sign(start + 3, "("):
        return options(script, start + 4, script.after(start + 3) - 1, depth + 1)
    behind = script.after(start)
    if behind < end and not script.named(behind, "as", "satisfies"):
        return nothing
    if script.named(start):
        binding = script.constant(script.tokens[start].text)
        return options(script, binding.start, binding.end, depth + 1) if binding else nothing
    if not script.sign(start, "{"):
        return nothing
    values: dict[str, tuple[int, int]] = {}
    whole = True
    for first, last in script.split(start + 1, behind - 1):
        if script.sign(first, "..."):
            spread = options(script, first + 1, last, depth + 1)
            values.update(spread.values)
            whole = whole and spread.whole
            continue
        name, value = _member(script, first, last)
        if name:
            values[name] = (value, last)
        else:
            whole = False
    return Options(values, whole)


def _member(script: Script, first: int, last: int) -> tuple[str, int]:
    """The name of one member and where its value starts; a shorthand's value is the name itself."""
    token = script.tokens[first]
    if script.named(first) and last == first + 1:
        return token.text, first
    if (script.named(first) or token.kind in (STRING, NUMBER)) and script.sign(first + 1, ":"):
        return token.text, first + 2
    if script.sign(first, "[") and script.tokens[first + 1].kind == STRING:
        behind = script.after(first)
        if behind == first + 3 and script.sign(behind, ":"):
            return script.tokens[first + 1].text, behind + 1
    if script.named(first) and script.sign(first + 1, "("):
        return token.text, first  # a method
    return "", first
