"""What a rule finds in a piece of source, whoever has read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from goblin.bans.reading import Binding, Reading
from goblin.bans.rules import Rule
from goblin.bans.scopes import Scopes

_MARKERS = re.compile(r"///?\s*|/\*[\s*/]*")


class Hit(NamedTuple):
    """A place that a rule forbids, as an offset into the text."""

    start: int
    what: str


def find(rule: Rule, reading: Reading, text: str, *, typed: bool = True) -> Iterator[Hit]:
    """The hits of a rule. `typed` is False for a language that has no types (JavaScript)."""
    for name in rule.types if typed else ():
        for start in reading.type_names(name):
            yield Hit(start, name)
    if rule.directives or rule.directives_any_case:
        yield from _directives(rule, reading, text)
    if rule.modules:
        for asked in reading.imports():
            for module in rule.modules:
                if asked.specifier == module or asked.specifier.startswith(f"{module}/"):
                    yield Hit(asked.start, asked.specifier)
    if rule.calls or rule.members:
        yield from _uses(rule, reading)
    if rule.settings:
        for setting in reading.settings(frozenset(rule.settings)):
            if not _allowed(rule.settings[setting.name], setting.value, reading):
                yield Hit(setting.start, f"{setting.name}: {setting.value or '...'}")
    for tag, attribute in rule.attributes:
        for found in reading.attributes():
            named = (found.tag.lower(), found.name.lower()) == (tag, attribute)
            if named and found.value not in ("false", "undefined", "null"):
                yield Hit(found.start, f"<{tag} {attribute}>")


def _directives(rule: Rule, reading: Reading, text: str) -> Iterator[Hit]:
    """Comments that begin with a directive; in a comment of several lines the last one counts as well."""
    any_case = tuple(word.lower() for word in rule.directives_any_case)
    for start, end in reading.comments:
        comment = text[start:end]
        if "@" not in comment:
            continue
        places = [comment]
        if comment.startswith("/*") and "\n" in comment:
            places.append("/*" + comment[comment.rfind("\n") + 1 :])
        for place in places:
            marker = _MARKERS.match(place)
            said = place[marker.end() :] if marker else ""
            if said.startswith(rule.directives) or said.lower().startswith(any_case):
                yield Hit(start, said.split(None, 1)[0])
                break


def _allowed(values: Sequence[str], value: str, reading: Reading) -> bool:
    """True where a property has one of the values, itself or through a constant of the file."""
    known = value if value[:1] in ("'", '"', "`") or value in values else reading.constant(value)
    if known[:1] in ("'", '"', "`"):
        known = f"'{known[1:-1]}'"
    return known in values


def _uses(rule: Rule, reading: Reading) -> Iterator[Hit]:
    roots = rule.roots()
    imported = _imported(reading)
    scopes = Scopes(reading.bindings(roots), imported)
    wanted = [binding for binding in imported if binding.module in roots]
    for binding in wanted:  # `import { remote } from "electron"` takes it out already
        if _is_member(rule, (binding.module, binding.imported)):
            yield Hit(binding.start, f"{binding.module}.{binding.imported}")
    uses = list(reading.uses(rule.names() | {binding.name for binding in wanted}))
    for use, path in zip(uses, scopes.meant((use.path, use.start) for use in uses), strict=True):
        if _is_member(rule, path):
            yield Hit(use.start, ".".join(path))
        for call in rule.calls:
            fits = use.called and (use.new or not call.new) and _matches(call.path, path)
            if fits and (call.argument is None or use.argument == call.argument):
                yield Hit(use.start, ".".join(part or "..." for part in use.path))
                break


def _imported(reading: Reading) -> list[Binding]:
    """What the file has from other modules; `start` is where each is asked for."""
    return [
        Binding(local, asked.start, 0, asked.specifier, name)
        for asked in reading.imports()
        for name, local in asked.names
        if asked.specifier
    ]


def _is_member(rule: Rule, path: tuple[str, ...]) -> bool:
    return any(path[: len(member)] == member for member in rule.members)


def _matches(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    if pattern[0] == "*":
        wanted = pattern[1:]
        return len(path) > len(wanted) and path[-len(wanted) :] == wanted
    if pattern[-1] == "*":
        return len(path) >= len(pattern) and path[: len(pattern) - 1] == pattern[:-1]
    return path == pattern
