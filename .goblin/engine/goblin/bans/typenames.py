"""Which words of a source are the name of a type that the language itself has, told from the tokens around.

`any` is no reserved word: it may name a variable, a property, a parameter or an import. What stands
before and after it, and the bracket that it stands in, tell these apart; a file that really has a value
of that name is the one place where this can err.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin.bans.lexer import WORD
from goblin.bans.structure import DECLARES

if TYPE_CHECKING:
    from goblin.bans.lexer import Tokens
    from goblin.bans.structure import Structure

_TYPE_BEFORE = frozenset({":", "|", "&", "=>", "=", "as", "is", "satisfies", "keyof", "?"})
"""After these a type begins, unless the name is a value."""

_NESTED = 50
"""Brackets that are left one by one to see whether types stand in them."""


def type_names(structure: Structure, name: str) -> Iterator[int]:
    """The offsets where a word is the type of that name."""
    tokens = structure.tokens
    found = [index for index in tokens.named(name) if tokens.kinds[index] == WORD and tokens[index] == name]
    bound = any(_binds(tokens, index) for index in found)
    for index in found:
        if _is_type(structure, index) and (not bound or _among_types(structure, index)):
            yield tokens.starts[index]


def _binds(tokens: Tokens, index: int) -> bool:
    """True where the name is given to a value of the file's own, or to an import."""
    before = tokens[index - 1]
    return (
        before in DECLARES
        or before in ("import", "function", "class")
        or _imports(tokens, tokens.parents[index])
    )


def _among_types(structure: Structure, index: int) -> bool:
    """True where a type stands, and not a value of that name: in a file that has both."""
    tokens = structure.tokens
    for _ in range(_NESTED):
        before, parent = tokens[index - 1], tokens.parents[index]
        if before in ("?", ":") and structure.in_ternary(index - (before == ":")):
            return _is_conditional(structure, index)
        if before == ":":
            return parent < 0 or tokens[parent] != "{" or structure.brace(parent) != "object"
        if before == "=":
            return structure.names_a_type(index - 2) or structure.opened_angle(index) >= 0
        if before not in ("=>", "...", ",", "[", "("):
            if before == "<":
                return structure.closed_angle(index - 1) >= 0
            return before in _TYPE_BEFORE or before in ("extends", "readonly", "in")
        if before == "=>":
            if tokens[index - 2] != ")":
                return False
            index = tokens.opening.get(index - 2, 0)
        elif before == "...":
            index -= 1
        elif structure.opened_angle(index) >= 0:
            return True
        elif parent < 0 or tokens[parent] == "{" or tokens.kinds[parent - 1] == WORD:
            return parent >= 0 and tokens[parent - 1] in _TYPE_BEFORE
        else:
            index = parent
    return False


def _is_conditional(structure: Structure, index: int) -> bool:
    """True behind `A extends B ?`, False behind a condition."""
    tokens = structure.tokens
    for at in structure.back(index, 200):
        if tokens[at] in (";", "=", "return", "=>"):
            return False
        if tokens[at] == "extends":
            return True
    return False


def _is_type(structure: Structure, index: int) -> bool:
    tokens = structure.tokens
    before, after = tokens[index - 1], tokens[index + 1]
    if after in (".", "?.", "`") or before in (".", "?.", "@", "#"):
        return False
    if after == "(" and not _broken(tokens, index):
        return False
    if after == "=>":  # `(a): any => b`, not the parameter of `any => b`
        return before in (":", "|", "&", "is")
    if before in _TYPE_BEFORE:
        return after != "instanceof" if before == "=" else not (before == "as" and _renames(tokens, index))
    if before in ("<", "[", ",", "("):
        return _in_a_list(structure, index, before, after)
    if before == "extends":
        return after != "{" and not _in_heritage(tokens, index)
    if before == "..." and after in (",", "]"):  # of a tuple
        return tokens[tokens.parents[index]] == "["
    if before in ("readonly", "..."):
        return after == "["
    if before == "in":  # `[key in any]: ...`
        return tokens[index - 3] == "[" and after in ("]", "as")
    return False


def _broken(tokens: Tokens, index: int) -> bool:
    """True where a line ends after the token."""
    return "\n" in tokens.text[tokens.ends[index] : tokens.starts[index + 1]]


def _renames(tokens: Tokens, index: int) -> bool:
    """True in `import * as any`, and in the braces of an import or an export."""
    if tokens[index - 2] == "*":
        return True
    return _imports(tokens, tokens.parents[index])


def _imports(tokens: Tokens, brace: int) -> bool:
    """True for the braces of an import or an export."""
    if brace < 0 or tokens[brace] != "{":
        return False
    before = tokens[brace - 1]
    if before == "type":
        before = tokens[brace - 2]
    return before in ("import", "export") or (before == "," and tokens[brace - 3] in ("import", "type"))


def _in_a_list(structure: Structure, index: int, before: str, after: str) -> bool:
    tokens = structure.tokens
    if before == "<" or structure.opened_angle(index) >= 0:
        return after not in (":", "=")
    parent = tokens.parents[index]
    bracket = tokens[parent] if parent >= 0 else ""
    if bracket == "{" or not bracket:
        return False
    if after == "?":  # an optional element of a tuple, else a name
        return bracket == "[" and tokens[index + 2] in ("]", ",")
    if after in (":", "=", "!"):
        return False
    if bracket == "(":
        return before == "(" and (after in ("|", "&", "[", "extends") or not _takes_arguments(tokens, parent))
    return True


def _takes_arguments(tokens: Tokens, parenthesis: int) -> bool:
    """True for parentheses of parameters or of arguments, False for those around a type."""
    end = tokens.closing.get(parenthesis, len(tokens))
    if tokens[end + 1] in ("=>", "{"):
        return True
    return tokens[parenthesis - 1] not in (
        ":",
        "|",
        "&",
        "=>",
        "=",
        "as",
        "is",
        "<",
        ",",
        "[",
        "extends",
        "?",
    )


def _in_heritage(tokens: Tokens, index: int) -> bool:
    """True in `class A extends any`, whose parts are values."""
    return any(tokens[at] == "class" for at in range(index - 2, max(-1, index - 5), -1))
