"""goblin-loop tail: the event log, as it stands or as it grows."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from goblin.commands import gate, options
from goblin.commands.loop_place import TARGET, facts_of, tell, whole
from goblin.commands.options import Option, Values

if TYPE_CHECKING:
    from goblin.loop.events import Event, Log

POLL = 0.2
"""Seconds between two looks at a log that is followed."""

COMMAND = options.Command(
    "goblin-loop tail",
    (
        Option("--since", "value", "Only the events after this sequence number.", "N"),
        Option("--follow", "flag", "Go on until the loop is closed."),
        Option("--json", "flag", "The lines of the log as they are."),
        TARGET,
    ),
    "Show the event log of the record.",
    "Refused (exit 1): there is no event log. A log that does not verify is shown, and that is said.",
)


def run(values: Values) -> int:
    """Print the events, and with `--follow` those that come, until the run is closed."""
    from goblin.loop import events
    from goblin.loop.refusal import Refused
    from goblin.paths import Tree

    tree = Tree(facts_of(values["target"]).run.root)
    seen = 0 if values["since"] in ("", "0") else whole(values["since"], "--since", 999_999_999)
    log = events.read(tree)
    if not log.exists:
        raise Refused("there is no event log", "goblin-loop start begins one")
    told = _faults(log)
    while True:
        new = [event for event in log.events if event.seq > seen]
        _show(log, new, values["json"])
        seen = max([seen, *(event.seq for event in new)])
        if not values["follow"] or log.closed is not None:
            break
        sys.stdout.flush()
        time.sleep(POLL)  # the file system tells nobody here that a file has grown
        log = events.read(tree)
    if told:
        sys.stderr.write(f"the log does not verify: {told}; goblin-verify --only RN-01\n")
    return gate.PASSED


def _faults(log: Log) -> str:
    from goblin.redact import clean

    if not log.faults:
        return ""
    return clean(f"line {log.faults[0].line} {log.faults[0].message}")


def _show(log: Log, new: Sequence[Event], machine: bool) -> None:
    if machine:
        lines = log.data.split(b"\n")
        for event in new:
            sys.stdout.write(lines[event.line - 1].decode("utf-8") + "\n")
        return
    tell(
        [
            f"{event.seq:>5}  {event.at}  {event.span or '-':<5} {event.type:<15} {_said(event)}"
            for event in new
        ]
    )


def _said(event: Event) -> str:
    """One line about an event."""
    if event.type == "decision":
        parts = [event.text(name) for name in ("phase", "decision", "result", "evidence", "why")]
        return " | ".join(part for part in parts if part)
    if event.type == "run_opened":
        return event.text("command")
    if event.type == "run_closed":
        return f"{event.text('outcome')} {event.text('archive')}".rstrip()
    if event.type in ("note", "interrupted"):
        return event.text("text") or event.text("what")
    code = event.number("exit")
    command = event.data.get("command")
    words = " ".join(str(word) for word in command) if isinstance(command, list) else event.text("command")
    return f"{f'exit {code}' if code is not None else ''} {words}".strip()
