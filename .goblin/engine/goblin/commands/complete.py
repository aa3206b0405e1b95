"""Completion in a shell: click's own, over commands that are built from the same tables of options.

A shell asks the command itself (a variable of its environment says so), which answers what may come next.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from goblin.commands import options
from goblin.commands.options import Command

if TYPE_CHECKING:
    import click

SHELLS = ("bash", "zsh", "fish")


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
