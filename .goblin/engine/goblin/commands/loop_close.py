"""goblin-loop close: end the open loop, and archive it."""

from __future__ import annotations

from goblin.commands import gate, options
from goblin.commands.loop_place import TARGET, here, tell
from goblin.commands.options import Option, Values

COMMAND = options.Command(
    "goblin-loop close",
    (Option("--why", "value", "A word about the end, for the log.", "TEXT"), TARGET),
    "End the open loop: predicate, pin and the rest go to .goblin/loop/closed-<date>/, and the pin says so.",
    "The live files stay until the next start. Refused (exit 1): no loop is open; the predicate is not the "
    "pinned one; the last row is not green and stuck.md does not say why; it is green, and a pinned file "
    "changed, or the commit at which it was green is not under HEAD.",
)


def run(values: Values) -> int:
    """Close the loop and say where it is archived. Raises `Refused`."""
    from goblin.loop import close, kinds
    from goblin.loop.writer import Writer

    place = here(values["target"]).place
    with Writer(place.root, kinds.load()) as writer:
        closed = close.close(writer, place, values["why"])
        notes = writer.mended
        directory = writer.directory
    outcome = f" as {closed.outcome}" if closed.outcome else ""
    what = "the close that was interrupted is finished" if closed.finished else f"the loop is closed{outcome}"
    told = [f"{what}: {closed.archive}", *(f"note: {note}" for note in notes)]
    tell([*told, f"next: git add {directory} && git commit; then goblin-loop start, for another loop"])
    return gate.PASSED
