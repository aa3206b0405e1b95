"""goblin-loop stuck: open the write-up of a loop that does not turn green."""

from __future__ import annotations

from goblin.commands import gate, options
from goblin.commands.loop_place import TARGET, here, tell
from goblin.commands.options import Option, Values

COMMAND = options.Command(
    "goblin-loop stuck",
    (
        Option("--tried", "value", "What was tried.", "TEXT"),
        Option("--blocks", "value", "What blocks the loop.", "TEXT"),
        TARGET,
    ),
    "Open .goblin/loop/stuck.md, with the predicate and the last evidence in it.",
    "What was tried and what blocks the loop only its author can say; without them the write-up is not "
    "complete. Refused (exit 1): no loop is open; stuck.md is there already.",
)


def run(values: Values) -> int:
    """Open the write-up and say what it still needs. Raises `Refused`."""
    from goblin.loop import close, kinds
    from goblin.loop.writer import Writer

    with Writer(here(values["target"]).place.root, kinds.load()) as writer:
        path, complete = close.stuck(writer, values["tried"], values["blocks"])
        notes = writer.mended
    left = "goblin-loop close" if complete else f"write in {path} what was tried and what blocks the loop"
    tell([f"{path} names the predicate and the last evidence", *(f"note: {note}" for note in notes)])
    tell([f"next: {left}"])
    return gate.PASSED
