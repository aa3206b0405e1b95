"""What a rule may ask of a piece of source, whoever has read it.

There are two readers: `textprobe`, which needs nothing but Python, and `astprobe`, which asks a syntax
tree where the extra is installed. Rules see these types alone, so a ban is written once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

LITERALS = frozenset({"true", "false", "null", "undefined"})


class Use(NamedTuple):
    """A name, or a chain such as `window.fetch`, in an expression. "" stands for a part that is no name.

    `argument` is the first argument of a call where it is a plain text.
    """

    path: tuple[str, ...]
    start: int
    called: bool = False
    new: bool = False
    argument: str | None = None


class Setting(NamedTuple):
    """A property or an assignment: `name: value`, `thing.name = value`.

    `value` is a literal as it is written (texts in quotes), the name of a variable, or "" for anything else.
    """

    name: str
    value: str
    start: int


class Attribute(NamedTuple):
    """An attribute of an element. `value` is as in `Setting`; None where it has none."""

    tag: str
    name: str
    value: str | None
    start: int


class Import(NamedTuple):
    """A module that is asked for. `names` are pairs of what it calls a thing and what is bound here.

    `specifier` is "" where it is put together at run time; `prefix` is then what is known of its start.
    """

    specifier: str
    start: int
    names: tuple[tuple[str, str], ...] = ()
    prefix: str = ""


class Binding(NamedTuple):
    """A name that stands for something of the file's own between two offsets.

    For an import `module` says from where, and `imported` what ("*" and "default" for the whole of it).
    """

    name: str
    start: int
    end: int
    module: str = ""
    imported: str = ""


class Reading(Protocol):
    """One piece of source, read. Offsets count characters of the text that was given."""

    @property
    def comments(self) -> Sequence[tuple[int, int]]:
        """Where comments start and end."""

    @property
    def broken(self) -> bool:
        """True where the reader knows that it did not understand the whole."""

    def type_names(self, name: str) -> Iterable[int]:
        """Where a type of the language itself, such as `any`, is named."""

    def imports(self) -> Sequence[Import]:
        """Every module that is asked for, in any form."""

    def uses(self, names: frozenset[str]) -> Iterable[Use]:
        """Chains that hold one of the names."""

    def settings(self, names: frozenset[str]) -> Iterable[Setting]:
        """Properties of objects and assignments to members that have one of the names."""

    def attributes(self) -> Iterable[Attribute]:
        """Attributes of elements in JSX."""

    def bindings(self, names: frozenset[str]) -> Sequence[Binding]:
        """Where one of the names is bound, imports left out."""

    def constant(self, name: str) -> str:
        """The literal that a constant of the file holds, or ""."""


_ESCAPED = re.compile(
    r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(\r\n|.))", re.DOTALL
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def unquote(literal: str) -> str:
    """The text that a string or a template without substitutions stands for."""
    body = literal[1:-1] if len(literal) > 1 and literal[-1] == literal[0] else literal[1:]
    return _ESCAPED.sub(_unescaped, body) if "\\" in body else body


def _unescaped(match: re.Match[str]) -> str:
    braced, four, two, one = match.groups()
    code = braced or four or two
    if code:
        number = int(code, 16)
        return chr(number) if number < 0x110000 else ""
    return "" if one in ("\n", "\r\n", "\r", "\u2028", "\u2029") else _SIMPLE.get(one, one)


def quoted(literal: str) -> bool:
    """True for a string, and for a template without substitutions."""
    return literal[:1] in ("'", '"') or (literal[:1] == "`" and literal.endswith("`") and len(literal) > 1)
