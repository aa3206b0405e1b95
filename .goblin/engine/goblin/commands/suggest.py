"""What the value of an option may be, as a shell asks for it: files, choices, and ids of the repository.

Ids are those of the rows or bans of the repository around the working directory. A repository may call a
row anything; it reaches the shell only where it is an id.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from goblin.commands.options import Option

FILES = {"sarif": "goblin.sarif", "junit": "goblin.xml", "html": "goblin.html", "json": "goblin.json"}
"""Usual names for the file of a report; another format has its own name as its ending."""

_ID = re.compile(r"[A-Z]{2,4}-[0-9]{2}")


def values(command: str, option: Option, incomplete: str) -> list[CompletionItem[str]]:
    """What may stand as the value of an option, by what its help calls it."""
    from click.shell_completion import CompletionItem

    name = option.name if option.placed else option.metavar
    if name == "DIR":
        return [CompletionItem(incomplete, type="dir")]
    if name in ("FILE", "PATH", "ROOT", "GLOB"):
        return [CompletionItem(incomplete, type="file")]
    if name == "FORMAT=FILE":
        from goblin.report import FORMATS

        files = [f"{form}={FILES.get(form, f'goblin.{form}')}" for form in FORMATS]
        return [CompletionItem(text) for text in files if text.startswith(incomplete)]
    several = "[," in name or option.kind == "many"
    before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
    taken = set(before.split(","))
    return [
        CompletionItem(f"{before}{comma}{text}", help=told or None)
        for text, told in _known(command, name)
        if text.startswith(last) and text not in taken
    ]


def _known(command: str, name: str) -> Sequence[tuple[str, str]]:
    """Words that a value may be, each with what it means."""
    if name.strip("[]").startswith("ID"):
        return _bans() if command == "goblin-bans" else _rows()
    if name.startswith("PART"):
        from goblin.manifest import PARTS

        return [(part, "") for part in PARTS]
    if name == "ROLE":
        return _roles()
    return []


def _folder(name: str) -> str:
    """A table of the repository around here, or the release's own."""
    from goblin import home

    place = os.getcwd()
    while True:
        path = os.path.join(place, ".goblin", "manifest")
        if os.path.isfile(os.path.join(path, name)):
            return path
        above = os.path.dirname(place)
        if above == place:
            return home.path("manifest")
        place = above


def _cells(name: str, column: int) -> list[tuple[str, str]]:
    """The first cell of each line of a table, and another that says what it is; none of one that is odd."""
    from goblin.paths import ReadRefused, Tree
    from goblin.redact import clean

    try:
        data = Tree(_folder(name)).read(name)
    except ReadRefused:
        return []
    lines = [line.split("\t") for line in data.decode("utf-8", "replace").splitlines()[1:]]
    return [(cells[0], clean(cells[column])) for cells in lines if len(cells) > column]


def _rows() -> list[tuple[str, str]]:
    return [(name, rule) for name, rule in _cells("enforcement.tsv", 4) if _ID.fullmatch(name)]


def _bans() -> list[tuple[str, str]]:
    return [(name, ban) for name, ban in _cells("bans.tsv", 1) if _ID.fullmatch(name)]


def _roles() -> list[tuple[str, str]]:
    return [(name, told) for name, told in _cells("roles.tsv", 1) if re.fullmatch(r"[a-z][a-z-]{0,30}", name)]
