"""`goblin-count`: one integer for a gate or a ratchet, counted the same way on every machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from goblin import counting
from goblin.commands import gate
from goblin.commands.options import Command, Option
from goblin.outcome import CannotRun
from goblin.redact import clean

USAGE = """\
Usage: goblin-count markers --ext E[,E...] [--max N] [PATH...]
       goblin-count bytes [--glob G]... [--max N] ROOT...

Print one integer, counted below the working directory.

  markers  lines that hold the word TODO or FIXME, in the files that git tracks or would add
           (every file on disk where there is no git)
  bytes    sizes of the files below each ROOT, each file once, whether tracked or not;
           a ROOT that does not exist yet adds nothing, and standard error says so

  --ext E  file name endings to read, without the dot
  --glob G names to add up, such as '*.js'; every name when not given
  --max N  exit 1 when the number is above N, naming the first places
  --help   show this text

Never counted: .git, .goblin, the skills folders of the agent platforms, links, and node_modules
(bytes: only the node_modules at the top).

Exit codes: 0 counted; 1 above --max; 2 bad usage, or something could not be looked at.
"""

EXITS = USAGE.rpartition("Exit codes: ")[2].strip()

_MAX = Option("--max", "value", "Exit 1 when the number is above N, naming the first places.", "N")

COMMANDS = (
    Command(
        "goblin-count markers",
        (
            Option("--ext", "many", "File name endings to read, without the dot. Required.", "E[,E]"),
            _MAX,
            Option("PATH", "arguments", "Count below these paths alone."),
        ),
        "Lines that hold the word TODO or FIXME, in the files that git tracks or would add (every file on "
        "disk where there is no git).",
        "",
    ),
    Command(
        "goblin-count bytes",
        (
            Option("--glob", "many", "Names to add up, such as *.js; every name when not given.", "G"),
            _MAX,
            Option("ROOT", "arguments", "The folders to add up. At least one."),
        ),
        "Sizes of the files below each folder, each file once, whether tracked or not. A folder that does "
        "not exist yet adds nothing, and standard error says so.",
        "",
    ),
)
"""What `counting.parse` reads, for completion and the manual; a test holds the two together."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (the process's own when None) and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "_GOBLIN_COUNT_COMPLETE" in os.environ:
        from goblin.commands import complete

        return complete.answer(complete.tree("goblin.commands.count", "goblin-count"), "goblin-count")
    return gate.guard(lambda: _count(given))


def _count(given: Sequence[str]) -> int:
    if "--help" in given or "-h" in given:
        sys.stdout.write(USAGE)
        return gate.PASSED
    try:
        request = counting.parse(given)
    except counting.Misuse as error:
        raise CannotRun(str(error), "goblin-count --help") from error
    try:
        counted = counting.count(request, os.getcwd())
    except counting.CountFailed as error:
        raise CannotRun(f"could not count: {error}") from error
    sys.stdout.write(f"{counted.number}\n")
    if counted.absent:
        _note(f"nothing built yet: {', '.join(counted.absent)} does not exist")
    if request.limit is not None and counted.number > request.limit:
        _note(_above(counted, request.limit))
        return gate.FAILED
    return gate.PASSED


def _above(counted: counting.Count, limit: int) -> str:
    text = f"{counted.number} is above the {limit} allowed"
    if counted.places:
        first = ", ".join(f"{path}:{line}" for path, line in counted.places)
        text += f"; the first: {first}"
    return text


def _note(text: str) -> None:
    sys.stderr.write(f"goblin-count: {clean(text)}\n")


if __name__ == "__main__":
    sys.exit(main())
