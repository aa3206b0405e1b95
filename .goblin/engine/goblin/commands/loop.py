"""goblin-loop: keep the record of an unattended run, measured instead of typed.

Each subcommand is a module of its own with a table of options, `COMMAND`, and a function
`run(values) -> exit code`; one that passes a command on is given, as `rest`, what stood after `--`.
A module may have `prepare(words) -> words`, which sees the words before they are parsed.

| code | meaning |
|---|---|
| 0 | done |
| 1 | refused: the record, the loop or the request does not allow it; nothing was written |
| 2 | could not run: bad usage, not installed, unreadable config |
| 130 | interrupted |
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from goblin.commands import gate, options
from goblin.loop.refusal import Refused
from goblin.outcome import CannotRun, CheckFailed

SUBCOMMANDS = {
    "start": ("goblin.commands.loop_start", "open a loop: predicate, budget, and a first run that is red"),
    "record": ("goblin.commands.loop_record", "record one turn, whose evidence resolves"),
    "status": ("goblin.commands.loop_status", "how the loop stands, and what may come next"),
    "stuck": ("goblin.commands.loop_stuck", "open the write-up of a loop that does not turn green"),
    "close": ("goblin.commands.loop_close", "end the loop, and archive its predicate and pin"),
    "tail": ("goblin.commands.loop_tail", "show the event log"),
    "audit": ("goblin.commands.loop_audit", "the morning view: first what did not reach its goal"),
}
"""Name to module and one line of help."""

EXITS = "0 done; 1 refused, and nothing was written; 2 bad usage, or could not run; 130 interrupted."

PASSES_ON = ("record",)
"""The subcommands that take a command after `--`."""


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    if "_GOBLIN_LOOP_COMPLETE" in os.environ:
        from goblin.commands import complete

        return complete.answer(complete.tree("goblin.commands.loop", "goblin-loop"), "goblin-loop")
    return gate.guard(lambda: _refusing(given))


def _refusing(given: Sequence[str]) -> int:
    """Run, and turn a refusal into its message and exit 1."""
    from goblin.git import GitError

    try:
        return _dispatch(given)
    except Refused as refused:
        return refuse(refused.message, refused.remedy)
    except CheckFailed as failure:
        places = [f"{finding.place()}: {finding.message}" for finding in failure.outcome.findings[:5]]
        return refuse("\n  ".join([failure.outcome.summary, *places]), failure.outcome.remedy)
    except GitError as error:
        raise CannotRun(str(error)) from error


def refuse(message: str, remedy: str = "") -> int:
    """Say why not, on standard error; returns 1."""
    from goblin.redact import clean, mask

    told = [f"refused: {message}", *([f"remedy: {remedy}"] if remedy else [])]
    for line in "\n".join(told).split("\n"):
        sys.stderr.write(f"{clean(mask(line))}\n")
    return gate.FAILED


def _dispatch(given: Sequence[str]) -> int:
    name = given[0] if given else ""
    if name in ("--help", "-h"):
        sys.stdout.write(_usage())
        return gate.PASSED
    if name == "--version":
        from goblin import __version__

        print(f"goblin-loop {__version__}")
        return gate.PASSED
    if name not in SUBCOMMANDS:
        sys.stderr.write(_usage())
        near = options.near(name, SUBCOMMANDS)
        told = f"no such subcommand: {name}" if name else "no subcommand"
        raise CannotRun(told + (f" (did you mean {near}?)" if near else ""), "goblin-loop --help")
    words, rest = _parted(given[1:])
    if rest is not None and name not in PASSES_ON:
        raise CannotRun(f"goblin-loop {name} takes no command after --", f"goblin-loop {name} --help")
    module = import_module(SUBCOMMANDS[name][0])

    def run(values: options.Values) -> int:
        code: int = module.run(values, rest) if name in PASSES_ON else module.run(values)
        return code

    return options.run(module.COMMAND, _prepared(module, words), run)


def _prepared(module: ModuleType, words: list[str]) -> list[str]:
    prepare = getattr(module, "prepare", None)
    return prepare(words) if prepare else words


def _parted(words: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """The words before `--`, and those after it (None where there is no `--`)."""
    if "--" not in words:
        return list(words), None
    at = list(words).index("--")
    return list(words[:at]), list(words[at + 1 :])


def _usage() -> str:
    from textwrap import wrap

    lines = [f"  {name:<8}{told}" for name, (_, told) in SUBCOMMANDS.items()]
    return "\n".join(
        [
            "Usage: goblin-loop SUBCOMMAND [OPTIONS]",
            "",
            "Keep the record of an unattended run in .goblin/loop, measured instead of typed.",
            "",
            *lines,
            "",
            "goblin-loop SUBCOMMAND --help explains one. You commit the record: git add .goblin/loop.",
            "",
            *wrap(f"Exit codes: {EXITS}", 90),
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
