"""goblin-loop record: append one row to the decisions, if its evidence resolves."""

from __future__ import annotations

from collections.abc import Sequence

from goblin.commands import gate, options
from goblin.commands.loop_place import LONGEST, TARGET, TIMEOUT, here, need, tell, whole
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun

COMMAND = options.Command(
    "goblin-loop record",
    (
        Option("--phase", "value", "A word for what the turn did: plan, code, check ... Required.", "P"),
        Option(
            "--decision", "value",
            "verdict:done, verdict:continue, verdict:blocked or verdict:wait; any other text is a log row, "
            "which spends no turn. Required.", "D",
        ),
        Option("--why", "value", "The reason. Required.", "TEXT"),
        Option(
            "--evidence", "value",
            "What the verdict rests on: sha:<commit>, file:<tracked path>, sha256:<digest of an output>.",
            "H[,H]",
        ),
        Option("--result", "value", "predicate:red, predicate:green, parked or stuck.", "R"),
        Option("--check", "flag", "Run the pinned predicate, cite its output, and fill in the result."),
        Option("--run", "flag", "Run the command that stands after --, and cite its output."),
        TIMEOUT,
        TARGET,
    ),
    "Record one turn of the open loop.",
    "goblin-loop record ... --run -- CMD ... runs CMD where you stand, without a shell, and keeps what it "
    "printed. Refused (exit 1): a row that is not well formed; evidence that does not resolve now; a spent "
    "budget; a predicate that is not the pinned one.",
)  # fmt: skip


def run(values: Values, rest: Sequence[str] | None) -> int:
    """Record a turn and say how the loop stands. Raises `Refused` and `CannotRun`."""
    from goblin.loop import events, kinds, measure, turn
    from goblin.loop.decisions import PREFIX
    from goblin.loop.record import LoopRecord
    from goblin.loop.writer import Writer
    from goblin.paths import Tree

    need(values, ("--phase", "--decision", "--why"), "record")
    if values["run"] != bool(rest):
        raise CannotRun("--run and a command after -- go together", "goblin-loop record ... --run -- CMD")
    verdict = values["decision"].startswith(PREFIX)
    if verdict and not values["result"] and not values["check"]:
        raise CannotRun("--result is missing", "--result R, or --check to measure it")
    seconds = whole(values["timeout"], "--timeout", LONGEST, int(measure.TIMEOUT))
    place = here(values["target"]).place
    record = LoopRecord(place.root)
    log = events.read(Tree(place.root))
    turn.need_room(record, log, verdict=verdict)
    capture = checked = None
    if rest:
        capture = measure.capture(place.git, rest, turn.folder(place.root), place.root, seconds)
    if values["check"]:
        checked = turn.check(place, record, log, seconds)
    asked = turn.Turn(*(values[name] for name in turn.Turn._fields))
    with Writer(place.root, kinds.load()) as writer:
        done = turn.record(writer, place, asked, turn.Ran(checked, capture))
        path = writer.record.log.path
    told = [f"{path}:{done.line} {' | '.join(cell for cell in done.cells if cell)}"]
    if done.streak:
        told.append(f"{done.spent} of {done.budget} turn(s) spent; {done.streak} on this pointer")
    elif verdict:
        told.append(f"{done.spent} of {done.budget} turn(s) spent")
    tell([*told, *(f"note: {note}" for note in done.notes)])
    return gate.PASSED
