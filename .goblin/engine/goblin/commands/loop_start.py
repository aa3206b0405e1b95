"""goblin-loop start: open a loop."""

from __future__ import annotations

from goblin.commands import gate, options
from goblin.commands.loop_place import LONGEST, TARGET, TIMEOUT, here, need, tell, whole
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun

COMMAND = options.Command(
    "goblin-loop start",
    (
        Option("--predicate", "value", "One command; exit 0 means that the loop is done. Required.", "CMD"),
        Option("--budget", "value", "Turns that the loop may spend. Required.", "N"),
        Option(
            "--control", "value",
            "A command that does, in a scratch checkout, what the loop is to do: after it the predicate "
            "must be green. It proves that the predicate can be met.", "CMD",
        ),
        Option("--author", "value", "The lane that does the work.", "LANE"),
        Option("--judge", "value", "The lane that judges it; never the same one.", "LANE"),
        Option(
            "--surface", "many",
            "The files that decide whether the predicate is met: scripts, tests, configuration. They are "
            "pinned. Default: proposed from the words of the predicate.", "PATH",
        ),
        Option("--no-surface", "flag", "Pin no file."),
        TIMEOUT,
        TARGET,
    ),
    "Open a loop: run the predicate once, in a clean checkout of HEAD, and record that it is red.",
    "Refused (exit 1): a loop that is open; a predicate that is green already or cannot run; a control that "
    "leaves it red; a budget above loop_max_turns_ceiling; one lane as author and judge.",
)  # fmt: skip


def prepare(words: list[str]) -> list[str]:
    """`--surface A B` means the same as `--surface A --surface B`."""
    found: list[str] = []
    listing = False
    for word in words:
        if word.startswith("-"):
            listing = word == "--surface"
            found.append(word)
            continue
        if listing and found[-1] != "--surface":
            found.append("--surface")
        found.append(word)
    return found


def run(values: Values) -> int:
    """Open a loop and say what was measured. Raises `Refused` and `CannotRun`."""
    from goblin.loop import kinds
    from goblin.loop.measure import TIMEOUT as USUAL
    from goblin.loop.start import Plan, start
    from goblin.loop.writer import Writer

    need(values, ("--predicate", "--budget"), "start")
    if bool(values["author"]) != bool(values["judge"]):
        raise CannotRun("--author and --judge go together", "name both lanes, or neither")
    if values["surface"] and values["no_surface"]:
        raise CannotRun("--surface and --no-surface are opposites", "give one of them")
    plan = Plan(
        predicate=values["predicate"],
        budget=whole(values["budget"], "--budget", 999_999_999),
        control=values["control"],
        author=values["author"],
        judge=values["judge"],
        surface=() if values["no_surface"] else values["surface"] or None,
        timeout=whole(values["timeout"], "--timeout", LONGEST, int(USUAL)),
    )
    at = here(values["target"])
    pins = tuple((version.pin.digest, version.commit) for version in at.facts.get("loop_history").versions)
    with Writer(at.place.root, kinds.load(), wait=0) as writer:
        started = start(writer, at.place._replace(committed=pins), plan)
        directory = writer.directory
    say = [f"loop {started.run} is open: {plan.budget} turn(s)"]
    say += [f"first run: red (exit {started.exit}), {directory}/out/{started.output}.txt"]
    say += ["control: after it the predicate is green"] if started.controlled else []
    how = "proposed from the predicate's words" if started.proposed else "as told"
    shown = ", ".join(started.surface[:5]) + (" ..." if len(started.surface) > 5 else "")
    if started.surface:
        say.append(f"surface: {len(started.surface)} file(s) pinned, {how}: {shown}")
    else:
        say.append("surface: nothing is pinned; --surface PATH pins the files that decide the predicate")
    say += [f"note: {note}" for note in started.notes]
    say.append(f"next: git add {directory} && git commit, then goblin-loop record")
    tell(say)
    return gate.PASSED
