"""goblin-loop status: how the loop stands, and what may come next."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from goblin.commands import gate, options
from goblin.commands.loop_place import TARGET, facts_of, tell
from goblin.commands.options import Option, Values

if TYPE_CHECKING:
    from goblin.engine import Result
    from goblin.facts import Facts
    from goblin.loop.status import Status

FAMILIES = ("JG", "LP", "RN")
"""The rows that judge a loop's record."""

MOST = 3
"""Findings of one row that are shown."""

COMMAND = options.Command(
    "goblin-loop status",
    (Option("--json", "flag", "One JSON object."), TARGET),
    "Show whether a loop is open, what is spent, what it rests on, what its rows say, and what comes next.",
    "Nothing is written, and nothing that the repository declares is run.",
)


def run(values: Values) -> int:
    """Show the status; it is no failure that no loop is open."""
    from goblin.loop.status import look

    facts = facts_of(values["target"])
    status = look(facts.get("loop"), facts.get("loop_log"), facts.get("handles"))
    results = _judged(facts)
    if values["json"]:
        sys.stdout.write(_as_json(status, results))
    else:
        tell([*_lines(status), *_rows(results)])
    return gate.PASSED


def _judged(facts: Facts) -> tuple[Result, ...]:
    """What the rows about loops say now. Raises `CannotRun` where nothing is installed."""
    from goblin import engine

    rows = [row for row in facts.get("manifest").rows if row.family in FAMILIES and row.scope == "target"]
    return engine.judge(facts, [row.id for row in rows]).results if rows else ()


def _lines(status: Status) -> Iterator[str]:
    hand = ", kept by hand: it has no event log" if status.by_hand and status.state != "none" else ""
    known = f" {status.run}" if status.run else ""
    closed = f" as {status.outcome}, {status.directory}/{status.archive}" if status.state == "closed" else ""
    words = {
        "none": "no loop has run here",
        "opening": "a start was interrupted",
        "open": f"loop{known} is open",
        "closing": "a close was interrupted",
        "closed": f"loop{known} is closed{closed}",
    }
    yield f"{words[status.state]}{hand}"
    if status.predicate:
        yield f"predicate: {status.predicate}"
    if status.first_exit is not None:
        control = "; the control turns it green" if status.controlled else ""
        yield f"first run: exit {status.first_exit}{control}"
    if status.author or status.judge:
        yield f"lanes: author {status.author}, judge {status.judge}"
    if status.state in ("open", "closed"):
        yield f"turns: {status.spent} of {'an unknown budget' if status.budget is None else status.budget}"
    if status.last:
        yield f"last: line {status.last_line}, {status.last}, on {status.pointer}"
    if status.streak:
        yield f"streak: {status.streak} turn(s) on that pointer; 3 are no progress"
    if status.pinned:
        yield f"surface: {status.pinned} file(s) pinned"
    if status.over:
        yield f"over: {status.over}"
    for fault in status.faults:
        yield f"fault: {fault}"
    for step in status.next:
        yield f"next: {step}"


def _rows(results: Sequence[Result]) -> Iterator[str]:
    from goblin.outcome import Verdict
    from goblin.report.text import detail_lines

    for row, outcome, *_ in results:
        first, *more = detail_lines(outcome, most=MOST)
        yield f"{outcome.verdict.value:<6}{row.id:<6} {first}"
        if outcome.verdict is Verdict.FAIL:
            yield from (f"        {line}" for line in more)
            yield f"        remedy: {(outcome.remedy or row.remedy)}"


def _as_json(status: Status, results: Sequence[Result]) -> str:
    import json

    rows = [
        {"id": row.id, "verdict": outcome.verdict.value, "summary": outcome.summary}
        for row, outcome, *_ in results
    ]
    value = {"schema_version": 1, **status.as_json(), "rows": rows}
    return json.dumps(value, ensure_ascii=True) + "\n"
