"""Which words of a source are the name of a type that the language itself has, told from the tokens around.

`any` is no reserved word: it may name a variable, a property, a parameter or an import. What stands
before and after it, and the bracket that it stands in, tell these apart; a file that really has a value
of that name is the one place where this can err.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from goblin.bans.lexer import TEMPLATE, WORD
from goblin.bans.structure import DECLARES

if TYPE_CHECKING:
    from goblin.bans.lexer import Tokens
    from goblin.bans.structure import Structure

_TYPE_BEFORE = frozenset({":", "|", "&", "=>", "=", "as", "is", "satisfies", "keyof", "?"})
"""After these a type begins, unless the name is a value."""

_NESTED = 50
"""Brackets that are left one by one to see whether types stand in them."""


def type_names(structure: Structure, name: str, binds: Callable[[int], bool]) -> Iterator[int]:
    """The offsets where a word is the type of that name. `binds` tells of a token that binds a name."""
    tokens = structure.tokens
    found = [index for index in tokens.named(name) if tokens.kinds[index] == WORD and tokens[index] == name]
    types = [index for index in found if _is_type(structure, index)]
    apart = set(found).difference(types)
    bound = any(map(binds, apart)) or any(_is_bound(tokens, index) for index in found)
    for index in types:
        if not bound or _among_types(structure, index):
            yield tokens.starts[index]


def _is_bound(tokens: Tokens, index: int) -> bool:
    """True where an import or a pattern (`const { a: any } =`) gives the name to a value."""
    if tokens[index - 1] in ("import", "as"):
        return tokens[index - 1] == "import" or _renames(tokens, index)
    if _imports(tokens, tokens.parents[index]):
        return True
    bracket = index
    for _ in range(_NESTED):
        bracket = tokens.parents[bracket]
        if bracket < 0 or tokens[bracket] not in ("{", "["):
            return False
        if tokens[bracket - 1] in DECLARES:
            return tokens[index + 1] != ":"
    return False


def _among_types(structure: Structure, index: int) -> bool:
    """True where a type stands, and not a value of that name: in a file that has both."""
    tokens = structure.tokens
    for _ in range(_NESTED):
        before, parent = tokens[index - 1], tokens.parents[index]
        if _in_template(tokens, index):
            index = _head(structure, index - 2)
            continue
        if before in ("?", ":") and structure.in_ternary(index - (before == ":")):
            return structure.is_conditional(index)
        if before == ":":
            plain = parent < 0 or tokens[parent] != "{" or structure.brace(parent) not in ("object", "names")
            return plain or tokens[index - 2] == ")"
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
            return parent >= 0 and (tokens[parent - 1] in _TYPE_BEFORE or tokens[parent - 1] == "extends")
        else:
            index = parent
    return False


def _in_template(tokens: Tokens, index: int) -> bool:
    """True for what stands first in a substitution of a template."""
    return index - 1 in tokens.embedded and tokens.kinds[index - 2] == TEMPLATE


def _head(structure: Structure, index: int) -> int:
    """The token that a template begins with, from one of its later pieces."""
    tokens = structure.tokens
    while tokens.kinds[index] == TEMPLATE and not tokens[index].startswith("`"):
        structure.spend()
        index = tokens.opening.get(index - 1, 1) - 1
    return index


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
    if before == "{":
        return _in_template(tokens, index) and after in ("}", "[", "|", "&")
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
