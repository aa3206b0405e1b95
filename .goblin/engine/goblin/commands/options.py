"""One table of options a command, read in two ways.

click parses, explains and completes; loading it makes a single-row run half as long again. So a
command line that is plainly well formed is read straight from the same table, and everything else
(help, a typo, a missing value, completion) goes to click, which is built from that table too.
docs/decisions/0005 says why.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from goblin.outcome import CannotRun


class Option(NamedTuple):
    """One option. `kind` is flag, value, optional (a value may follow) or many (repeat or commas).

    The kind argument is a word without a name in front of it; it may be left out, and is then "". The
    kind arguments takes all such words that are left, as a tuple, and stands last.
    """

    name: str
    kind: str
    help: str
    metavar: str = "TEXT"
    choices: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The name as a Python identifier."""
        return self.name.lstrip("-").replace("-", "_").lower()

    @property
    def placed(self) -> bool:
        """True for a word that is told by its place and not by a name."""
        return self.kind in PLACED


PLACED = ("argument", "arguments")
"""The kinds that are told by their place."""


class Command(NamedTuple):
    """A command's name, its options, and the text that its help shows around them."""

    name: str
    options: tuple[Option, ...]
    summary: str
    epilog: str


Values = dict[str, Any]


def near(word: str, known: Iterable[str]) -> str:
    """The known word that a mistyped one is most like, "" where none is near."""
    from difflib import get_close_matches

    found = get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return found[0] if found else ""


def _defaults(command: Command) -> Values:
    empty: dict[str, Any] = {
        "flag": False, "value": "", "optional": None, "many": (), "argument": "", "arguments": (),
    }  # fmt: skip
    return {option.key: empty[option.kind] for option in command.options}


def quick(command: Command, argv: Sequence[str]) -> Values | None:
    """The values of a plainly well-formed command line, or None where click must have the word."""
    if any(name.endswith("_COMPLETE") for name in os.environ):
        return None
    known = {option.name: option for option in command.options if option.kind not in PLACED}
    places = [option for option in command.options if option.kind in PLACED]
    values = _defaults(command)
    waiting = list(argv)
    while waiting:
        word = waiting.pop(0)
        if places and word and not word.startswith("-"):
            if places[0].kind == "arguments":
                values[places[0].key] += (word,)
            else:
                values[places.pop(0).key] = word
            continue
        name, equals, value = word.partition("=")
        option = known.get(name)
        if option is None or (option.kind == "flag" and equals):
            return None
        if option.kind == "flag":
            values[option.key] = True
            continue
        if not equals:
            if waiting and not waiting[0].startswith("-"):
                value = waiting.pop(0)
            elif option.kind != "optional":
                return None
        elif option.kind == "optional" and value.startswith("-"):
            return None  # click reads `--name=-x` as the bare option, and then `-x`
        if option.choices and value not in option.choices:
            return None
        if option.kind == "many":
            values[option.key] += tuple(part.strip() for part in value.split(",") if part.strip())
            if not value.strip(", "):
                return None
        elif option.kind == "value" and not value:
            return None
        else:
            values[option.key] = value
    return values


def run(command: Command, argv: Sequence[str], body: Callable[[Values], int]) -> int:
    """Parse `argv` and call `body` with the values; returns its exit code, or that of help.

    Raises `CannotRun` for a bad command line, with the usage already on standard error.
    """
    values = quick(command, argv)
    read = thorough(command, argv) if values is None else values
    return read if isinstance(read, int) else body(read)


def thorough(command: Command, argv: Sequence[str]) -> Values | int:
    """The values that click reads, or the exit code where click has answered itself (help)."""
    import click

    read: list[Values] = []

    def callback(**given: Any) -> None:
        values = _defaults(command)
        for option in command.options:
            value = given[option.key]
            if option.kind == "arguments" and "" in value:
                raise click.UsageError(f"{option.name} was given an empty one")
            if option.kind in ("value", "argument") and value == "":
                wants = "word" if option.kind == "argument" else option.metavar
                raise click.UsageError(f"{option.name} needs a {wants}; it was given an empty one")
            if option.kind == "many":
                value = tuple(part.strip() for text in value for part in text.split(",") if part.strip())
                if given[option.key] and not value:
                    raise click.UsageError(f"{option.name} needs at least one {option.metavar}")
            values[option.key] = "" if value is None and option.kind in ("value", "argument") else value
        read.append(values)

    made = built(command, callback)
    try:
        code = made.main(args=list(argv), prog_name=command.name, standalone_mode=False)
    except click.UsageError as error:
        usage = error.ctx or click.Context(made, info_name=command.name)
        click.echo(usage.get_usage(), err=True)
        raise CannotRun(error.format_message(), f"{command.name} --help") from error
    except click.Abort as error:
        raise KeyboardInterrupt from error
    return read[0] if read else int(code or 0)


def built(command: Command, callback: Callable[..., None] | None = None) -> Any:
    """The table as a click command, which hands its values to `callback`."""
    import click

    return click.Command(
        command.name,
        params=[_click_option(option, command.name) for option in command.options],
        callback=callback,
        help=command.summary,
        epilog=command.epilog,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )


def _click_option(option: Option, command: str) -> Any:
    import click

    def completed(_: Any, __: Any, incomplete: str) -> Any:
        from goblin.commands import suggest

        return suggest.values(command, option, incomplete)

    if option.kind == "argument":
        name = f"[{option.name}]"
        return click.Argument([option.key], required=False, metavar=name, shell_complete=completed)
    if option.kind == "arguments":
        name = f"[{option.name}]..."
        return click.Argument([option.key], nargs=-1, metavar=name, shell_complete=completed)
    settings: dict[str, Any] = {"help": option.help}
    if option.kind == "flag":
        settings["is_flag"] = True
    else:
        settings["metavar"] = option.metavar
        if not option.choices:
            settings["shell_complete"] = completed
        if option.choices:
            settings["type"] = click.Choice(option.choices)
            del settings["metavar"]
    if option.kind == "optional":
        settings.update(is_flag=False, flag_value="", default=None)
    if option.kind == "many":
        settings["multiple"] = True
    return click.Option([option.name], **settings)
