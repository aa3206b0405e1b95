"""goblin: every command by one name; `goblin verify` is `goblin-verify`, and so on for each.

It parses nothing but the first word and loads only the module that this names, so it costs what the
command costs. The exit code is the command's own. A repository does not carry it: there each command
has a launcher of its own, which is what a record and a reviewer see.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from goblin.commands import gate, options
from goblin.commands.options import Option
from goblin.outcome import CannotRun

if TYPE_CHECKING:
    import click

COMMANDS = {
    "install": ("goblin.commands.install", "put the rules into a repository, or take them away"),
    "verify": ("goblin.commands.verify", "which of this repository's rules hold right now"),
    "bans": ("goblin.commands.bans", "what may not be written here, and where it is"),
    "loop": ("goblin.commands.loop", "keep the record of an unattended run"),
    "count": ("goblin.commands.count", "one integer for a gate or a ratchet"),
    "audit": ("goblin.commands.audit", "run the declared dependency audit, and record it"),
    "model": ("goblin.commands.model", "what runs a role on this machine"),
    "emit": ("goblin.commands.emit", "put skills where an agent platform reads them, or take them back"),
    "doctor": ("goblin.commands.doctor", "which agent platforms are here, and what drifted"),
    "mcp": ("goblin.commands.mcp", "serve what the commands say to an MCP client"),
}
"""Name to module (its `main(argv)` returns the exit code) and one line of help."""

SHORT = {
    "morning": (("loop", "audit"), "what unattended runs came to, worst first"),
    "explain": (("verify", "--explain"), "one rule: what it reads, its remedy, its blind spot"),
}
"""Words that stand for a command and its first words."""

COMPLETION = "what makes a shell complete these words (bash, zsh, fish)"

EXPLAIN = options.Command("goblin-verify", (Option("ID", "argument", ""),), "Show one rule.", "")

MEANT = {
    "check": "verify",
    "run": "verify",
    "test": "verify",
    "lint": "bans",
    "init": "install",
    "adopt": "install",
    "setup": "install",
    "upgrade": "install --upgrade",
    "update": "install --upgrade",
    "uninstall": "install --uninstall",
    "remove": "install --uninstall",
    "list": "verify --list",
    "prove": "verify --prove",
    "start": "loop start",
    "record": "loop record",
    "status": "loop status",
    "stuck": "loop stuck",
    "close": "loop close",
    "tail": "loop tail",
}
"""What people type who come from another tool, or leave a word out, and what says it here."""


def main(argv: list[str] | None = None) -> int:
    """Run the command that `argv` (default: the process's own) names and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    if "_GOBLIN_COMPLETE" in os.environ:
        from goblin.commands import complete

        return complete.answer(_tree(), "goblin")
    name = given[0] if given else ""
    if name in SHORT:
        given = [*SHORT[name][0], *given[1:]]
        name = given[0]
    if name in COMMANDS:
        code: int = import_module(COMMANDS[name][0]).main(given[1:])
        return code
    return gate.guard(lambda: _about(given))


def _about(given: Sequence[str]) -> int:
    """Answer what is asked of no command. Raises `CannotRun` for what is none."""
    name, *rest = given or ("",)
    if name in ("--help", "-h") or (name == "help" and not rest):
        sys.stdout.write(usage())
        return gate.PASSED
    if name == "help":
        return main([*rest, "--help"])
    if name == "completion":
        return _completion(rest)
    if name == "--version":
        from goblin import __version__

        print(f"goblin {__version__}")
        return gate.PASSED
    if not name:
        sys.stderr.write(usage())
        raise CannotRun("no command", "goblin --help")
    what = "option" if name.startswith("-") else "command"
    raise CannotRun(f"no such {what}: {name}{_meant(name)}", "goblin --help shows every command")


def _completion(words: Sequence[str]) -> int:
    """Print what makes a shell complete every command. Raises `CannotRun` for another shell."""
    from goblin.commands import complete

    if len(words) != 1 or words[0] not in complete.SHELLS:
        told = f"completion for {' '.join(words)}: there is none" if words else "completion for which shell?"
        raise CannotRun(told, f"goblin completion {'|'.join(complete.SHELLS)}")
    for name in ("goblin", *(f"goblin-{word}" for word in COMMANDS)):
        sys.stdout.write(f"{complete.script(name, words[0])}\n")
    return gate.PASSED


def _tree() -> click.Command:
    """All commands as one, for a shell that asks what may come next."""
    import click

    from goblin.commands import complete

    parts = {name: complete.tree(module, f"goblin-{name}") for name, (module, _) in COMMANDS.items()}
    loop = parts["loop"]
    assert isinstance(loop, click.Group)
    parts["morning"] = loop.commands["audit"]
    parts["explain"] = options.built(EXPLAIN)
    names = click.Argument(["name"], type=click.Choice(list(COMMANDS)))
    parts["help"] = click.Command("help", params=[names], help="explain one")

    shells = click.Argument(["shell"], type=click.Choice(complete.SHELLS))
    parts["completion"] = click.Command("completion", params=[shells], help=COMPLETION)
    return complete.group("goblin", "", parts)


def _meant(name: str) -> str:
    """` (did you mean ...?)` for what is near a command, or is another tool's word for one."""
    word = options.near(name.removeprefix("goblin-"), [*COMMANDS, *SHORT, "completion", "help", *MEANT])
    return f" (did you mean goblin {MEANT.get(word, word)}?)" if word else ""


def usage() -> str:
    """The help text."""
    told = {**{name: text for name, (_, text) in COMMANDS.items()}}
    told |= {name: f"{text} (goblin {' '.join(words)})" for name, (words, text) in SHORT.items()}
    told["completion"] = COMPLETION
    wide = max(map(len, told)) + 2
    return "\n".join(
        [
            "Usage: goblin COMMAND [OPTIONS]",
            "",
            "Keep a repository's rules true while people and agents change it.",
            "",
            *(f"  {name:<{wide}}{text}" for name, text in told.items()),
            "",
            "goblin COMMAND --help explains one; goblin-COMMAND is the same command. A repository that is",
            "governed carries its own: .goblin/bin/goblin-verify.",
            "",
            "Exit codes are those of the command; 2 where there is no such command.",
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
