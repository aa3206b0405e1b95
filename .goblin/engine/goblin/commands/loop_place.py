"""What the subcommands of goblin-loop share: which repository, and what its configuration allows."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from goblin.commands.options import Option
from goblin.facts import Facts, Run
from goblin.loop.place import Place
from goblin.outcome import CannotRun

TARGET = Option("--target", "value", "The repository (default: the one around this folder).", "DIR")
TIMEOUT = Option("--timeout", "value", "Seconds that one command may take (default: 900).", "SECONDS")
LONGEST = 86_400


class Here(NamedTuple):
    """The repository under a loop, with its facts."""

    facts: Facts
    place: Place


def facts_of(target: str) -> Facts:
    """The facts of the repository around a folder; nothing that it declares is run for them."""
    from goblin.locate import locate

    found = locate(os.path.expanduser(target) or os.getcwd())
    return Facts(Run(found.root, found.repo, static=True))


def here(target: str) -> Here:
    """The repository, installed and under git; raises `CannotRun` where it is not."""
    facts = facts_of(target)
    if facts.run.repo is None:
        raise CannotRun("no git repository here", "git init, then commit")
    config = facts.get("config")
    head = facts.get("head")
    ceiling = config.integer("loop_max_turns_ceiling", positive=True)
    commit = head.commit.oid if head.commit else ""
    return Here(facts, Place(facts.run.root, facts.get("git"), commit, head.branch, ceiling))


def whole(text: str, option: str, most: int, usual: int | None = None) -> int:
    """A positive whole number in plain digits; raises `CannotRun` (bad usage) for anything else."""
    if not text and usual is not None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10 and not text.startswith("0")):
        raise CannotRun(f"{option} takes a whole number of 1 or more in plain digits, not {text[:40]!r}")
    if int(text) > most:
        raise CannotRun(f"{option} takes at most {most}")
    return int(text)


def need(values: dict[str, object], names: tuple[str, ...], command: str) -> None:
    """Raise `CannotRun` (bad usage) for an option that must be given and was not."""
    for name in names:
        if not values[name.lstrip("-").replace("-", "_")]:
            raise CannotRun(f"{name} is missing", f"goblin-loop {command} --help")


def tell(lines: Sequence[str]) -> None:
    """Print lines, each made safe."""
    from goblin.redact import clean, mask

    for line in lines:
        sys.stdout.write(f"{clean(mask(line))}\n")
