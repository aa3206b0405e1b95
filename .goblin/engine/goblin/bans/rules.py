"""A rule file: what a ban forbids, as data (docs/bans.md lists the keys).

The shipped ones are `bans/<ID>.yml`; a project's own stand in `.goblin/rules/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from goblin import yaml
from goblin.yaml import List, Map, Node, Text

KEYS = (
    "types",
    "directives",
    "directives_any_case",
    "calls",
    "members",
    "modules",
    "settings",
    "attributes",
    "imports",
    "skip",
)
_NAME = r"[A-Za-z_$][\w$]*"
_CALL = re.compile(rf"(new )?((?:\*\.)?(?:{_NAME}|@[\w./-]+)(?:\.{_NAME})*(?:\.\*)?)(?:\('([^']*)'\))?")
_MOST = 200


class BadRule(ValueError):
    """A rule file that cannot be used; the message says where and why."""


class Needle(NamedTuple):
    """Something to look for before a file is read: a pattern, read alike by `re` over bytes and by PCRE.

    `text` stands in whatever the pattern matches, in lower case where `any_case` is set; it is looked for
    much faster. `plain` is True where it is all that the pattern says.
    """

    pattern: str
    text: bytes = b""
    any_case: bool = False
    plain: bool = False


class Call(NamedTuple):
    """What may not be called. A first part `*` is anything, a last one any more names."""

    path: tuple[str, ...]
    new: bool = False
    argument: str | None = None


class Rule(NamedTuple):
    """What a ban forbids.

    `types` names types of the language itself, `directives` how a comment may not begin (some in any
    case), `members` what may not be taken out of a module, `modules` what may not be asked for, `settings`
    the only values that a property may have, `attributes` pairs of element and attribute, `skip` names of
    files that are left out; `layers` is True for the borders that the configuration declares.
    """

    types: tuple[str, ...] = ()
    directives: tuple[str, ...] = ()
    directives_any_case: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    members: tuple[tuple[str, ...], ...] = ()
    modules: tuple[str, ...] = ()
    settings: Mapping[str, tuple[str, ...]] = {}
    attributes: tuple[tuple[str, str], ...] = ()
    skip: tuple[str, ...] = ()
    layers: bool = False

    @property
    def markup(self) -> bool:
        """True for a rule that also looks at HTML."""
        return bool(self.attributes or self.settings)

    def names(self) -> frozenset[str]:
        """The names that a chain must hold to be looked at."""
        paths = [call.path for call in self.calls] + list(self.members)
        return frozenset(part for path in paths for part in path if part != "*")

    def roots(self) -> frozenset[str]:
        """The names that a chain may begin with, and that a file may bind to something else."""
        return frozenset(path[0] for path in (*(call.path for call in self.calls), *self.members)) - {"*"}

    def needles(self) -> Iterator[Needle]:
        """What to look for; one of them is in each file with a hit."""
        for name in self.types:
            yield Needle(type_needle(name), name.encode())
        for text in (*self.directives, *self.modules):
            yield Needle(re.escape(text), text.encode(), plain=True)
        for text in self.directives_any_case:
            yield Needle(f"(?i:{re.escape(text)})", text.lower().encode(), any_case=True, plain=True)
        in_markup = sorted({name for _, name in self.attributes})
        for name in in_markup:
            yield Needle(f"(?i:{_word(name)})", name.encode(), any_case=True)
        names = {name for name in (*self._marks(), *self.settings) if name.lower() not in in_markup}
        for name in sorted(names):
            if not any(other != name and re.search(_word(other), name) for other in names):
                yield Needle(_word(name), name.encode())

    def _marks(self) -> set[str]:
        """Few names, one of which stands in each file where something forbidden is called or taken.

        Of `axios.get` both words are there whatever the file calls them, so one will do for many calls.
        """
        found = {call.argument for call in self.calls if call.argument is not None}
        paths = [call.path for call in self.calls if call.argument is None] + list(self.members)
        names = [[part for part in path if part != "*"] for path in paths]
        for parts in sorted(names, key=len):
            if not found.intersection(parts):
                found.add(max(parts, key=lambda part: (len(part), part)))
        return found


def _word(name: str) -> str:
    """A pattern for a name that is no part of a longer one; the name comes first, as in `type_needle`."""
    word = re.escape(name)
    last = r"\b" if name[-1:].isalnum() else ""
    return rf"{word}{last}(?<!\w{word})" if name[:1].isalnum() else f"{word}{last}"


def type_needle(name: str) -> str:
    """A pattern for lines on which a type may be named, and not for prose that holds the word.

    A letter and a blank stand before a type only in the words that may come before one, and a blank and a
    letter after it only in those that may follow. `typenames` judges what is left.
    """
    word = re.escape(name)
    prose = "".join(
        rf"|(?<=\b{before} {word})"
        for before in ("as", "is", "in", "keyof", "extends", "satisfies", "readonly")
    )
    after = "as|satisfies|extends|in|instanceof|is|of|implements"
    return (  # the word comes first: both engines look for a text much faster than for a place
        rf"{word}(?:(?<![\w$.'\"`-]{word})|(?<=\.\.\.{word}))(?:(?<![A-Za-z] {word}){prose})"
        rf"(?![\w$'\"`-]|[ \t]+(?!(?:{after})\b)[A-Za-z])"
    )


def read(data: bytes, source: str) -> Rule:
    """Read a rule file; raises `BadRule`."""
    return of(parse(data, source), source)


def parse(data: bytes, source: str) -> Node:
    """The bytes of a rule file as YAML; raises `BadRule`."""
    try:
        return yaml.load(data, source)
    except yaml.YamlError as error:
        raise BadRule(str(error)) from error


def of(tree: Node, source: str) -> Rule:
    """The rule that a parsed file holds; raises `BadRule` with the place of what is wrong."""
    if not isinstance(tree, Map) or not tree:
        raise BadRule(f"{source}: a rule file holds `key: value` lines")
    for key in tree:
        if key not in KEYS:
            line, column = tree.marks[key]
            raise BadRule(f"{source}:{line}:{column}: no such key: {key}; there are: {' '.join(KEYS)}")
    reader = _Reader(source)
    return Rule(
        types=reader.texts(tree, "types"),
        directives=reader.texts(tree, "directives"),
        directives_any_case=reader.texts(tree, "directives_any_case"),
        calls=tuple(reader.call(node) for node in reader.items(tree, "calls")),
        members=tuple(reader.call(node).path for node in reader.items(tree, "members")),
        modules=reader.texts(tree, "modules"),
        settings=reader.settings(tree),
        attributes=tuple(reader.attribute(node) for node in reader.items(tree, "attributes")),
        skip=reader.texts(tree, "skip"),
        layers="imports" in tree and reader.layers(tree["imports"]),
    )


class _Reader:
    """Reads the values of one file, and says where one is wrong."""

    def __init__(self, source: str) -> None:
        self.source = source

    def wrong(self, node: Node, message: str) -> BadRule:
        return BadRule(f"{self.source}:{node.line}:{node.column}: {message}")

    def items(self, tree: Map, key: str) -> list[Text]:
        if key not in tree:
            return []
        node = tree[key]
        if not isinstance(node, List) or not 0 < len(node) <= _MOST:
            raise self.wrong(node, f"`{key}` must be a list of texts, at most {_MOST}")
        found = [item for item in node if isinstance(item, Text) and item.strip()]
        if len(found) != len(node):
            raise self.wrong(node, f"`{key}` must be a list of texts, none of them empty")
        return found

    def texts(self, tree: Map, key: str) -> tuple[str, ...]:
        return tuple(str(item).strip() for item in self.items(tree, key))

    def call(self, node: Text) -> Call:
        match = _CALL.fullmatch(node.strip())
        if not match:
            raise self.wrong(
                node, f"{str(node)!r} is no call: write fetch, window.fetch, *.send or new Socket"
            )
        name = match[2]
        parts = [name] if name.startswith("@") else name.split(".")
        return Call(tuple(parts), bool(match[1]), match[3])

    def attribute(self, node: Text) -> tuple[str, str]:
        words = node.split()
        if len(words) != 2:
            raise self.wrong(
                node, f"{str(node)!r} is no attribute: write the element, a blank, the attribute"
            )
        return words[0].lower(), words[1].lower()

    def settings(self, tree: Map) -> dict[str, tuple[str, ...]]:
        node = tree.get("settings")
        if node is None:
            return {}
        if not isinstance(node, Map) or not node:
            raise self.wrong(node, "`settings` must hold lines of a name and the list of its allowed values")
        return {str(name): self.texts(node, name) for name in node}

    def layers(self, node: Node) -> bool:
        if node != "layers":
            raise self.wrong(node, "`imports` must be `layers`: the borders of the configuration")
        return True
