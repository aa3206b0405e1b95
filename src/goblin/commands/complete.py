"""Completion in a shell: click's own, over commands that are built from the same tables of options.

A shell asks the command itself (a variable of its environment says so), which answers what may come next:
options, choices, files, and the ids of the rows or bans of the repository around the working directory.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from goblin.commands import options
from goblin.commands.options import Command, Option

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

SHELLS = ("bash", "zsh", "fish")

FILES = {"sarif": "goblin.sarif", "junit": "goblin.xml", "html": "goblin.html", "json": "goblin.json"}
"""Usual names for the file of a report; another format has its own name as its ending."""

_ID = re.compile(r"[A-Z]{2,4}-[0-9]{2}")


def variable(name: str) -> str:
    """The variable by which a shell asks the command `name`."""
    return f"_{name.replace('-', '_').upper()}_COMPLETE"


def answer(cli: click.Command, name: str) -> int:
    """Print what the shell asked for; returns the exit code."""
    from click.shell_completion import shell_complete

    return shell_complete(cli, {}, name, variable(name), os.environ[variable(name)])


def script(name: str, shell: str) -> str:
    """What makes `shell` ask the command `name`, to be evaluated by it. Raises `KeyError` for no shell."""
    import click
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise KeyError(shell)
    return kind(click.Command(name), {}, name, variable(name)).source().strip("\n") + "\n"


def group(name: str, summary: str, parts: Mapping[str, click.Command]) -> click.Group:
    """A command that is a word for each of several others."""
    import click

    return click.Group(name, commands=dict(parts), help=summary)


def tree(module: str, name: str) -> click.Command:
    """The command of a module: its one table, or a word for each table below it."""
    found = tables(module)
    made: list[click.Command] = [options.built(table) for table in found]
    if found[0].name == name:
        return made[0]
    words = [table.name.split()[-1] for table in found]
    summary = (import_module(module).__doc__ or "").split("\n")[0]
    return group(name, summary, dict(zip(words, made, strict=True)))


def tables(module: str) -> tuple[Command, ...]:
    """The tables of options of a module: its own, those that it lists, or those of its subcommands."""
    found = import_module(module)
    if hasattr(found, "COMMAND"):
        return (found.COMMAND,)
    if hasattr(found, "COMMANDS"):
        return tuple(found.COMMANDS)
    return tuple(import_module(below).COMMAND for below, _ in found.SUBCOMMANDS.values())


def values(command: str, option: Option, incomplete: str) -> list[CompletionItem[str]]:
    """What may stand as the value of an option, by what its help calls it."""
    from click.shell_completion import CompletionItem

    name = option.metavar if option.kind not in options.PLACED else option.name
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
