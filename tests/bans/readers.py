"""Both readers, as the tests of this folder ask them."""

from __future__ import annotations

from collections.abc import Callable

from goblin.bans import astprobe, detect, parts, rules
from goblin.bans.reading import Reading
from goblin.bans.textprobe import TextProbe
from tests.support import PROJECT

Reader = Callable[[str, bool], Reading]


def by_text(text: str, jsx: bool) -> Reading:
    """The text probe."""
    return TextProbe(text, jsx=jsx)


def by_tree(text: str, jsx: bool) -> Reading:
    """The syntax tree; an environment for development has the extra."""
    return astprobe.AstProbe(text, jsx=jsx)


READERS: dict[str, Reader] = {"text": by_text, "tree": by_tree}


def rule(name: str) -> rules.Rule:
    """A shipped rule."""
    return rules.read((PROJECT / "bans" / f"{name}.yml").read_bytes(), f"bans/{name}.yml")


def hits(wanted: rules.Rule, text: str, ending: str, reader: Reader) -> list[int]:
    """The numbers of the lines that a rule flags in a file."""
    found = set()
    for part in parts.parts(text, ending):
        jsx = part.language != "ts"
        readings = [reader(part.text, jsx)]
        if readings[0].broken:  # then the product asks both
            readings.append(by_text(part.text, jsx))
        for hit in (
            h for one in readings for h in detect.find(wanted, one, part.text, typed=part.language != "js")
        ):
            found.add(text.count("\n", 0, part.start + hit.start) + 1)
    for attribute in parts.elements(text) if ending == "html" else ():
        if (attribute.tag, attribute.name) in wanted.attributes:
            found.add(text.count("\n", 0, attribute.start) + 1)
    return sorted(found)
