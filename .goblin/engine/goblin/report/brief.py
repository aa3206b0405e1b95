"""What an agent is told as it begins to work: the count, the rows that fail, and where to read more.

It becomes part of what the agent knows, so it is short, and what comes from the repository is made safe
to print like everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from goblin.outcome import Verdict
from goblin.redact import clean
from goblin.report.text import counts, detail_lines, remedy_lines

if TYPE_CHECKING:
    from goblin.engine import Report

MOST = 8
"""Rows that are named."""

WIDTH = 240
"""Characters of a line that are told."""

COMMAND = ".goblin/bin/goblin-verify"
RENEWS = r"goblin-verify --only [A-Z0-9,-]+"
"""The remedy of a row that lacks nothing but a measurement of this commit."""


def render(report: Report) -> str:
    """A few lines, ending with a line break."""
    failed = [result for result in report.results if result.outcome.verdict is Verdict.FAIL]
    stale = [result for result in failed if re.fullmatch(RENEWS, "\n".join(remedy_lines(result)))]
    failed = [result for result in failed if result not in stale]
    lines = [f"goblin-verify of this repository, its own commands not run: {counts(report)}."]
    for result in failed[:MOST]:
        lines.append(f"FAIL {result.row.id}: {detail_lines(result.outcome, 0)[0]}")
        lines += [f"  {line}" for line in detail_lines(result.outcome, 2)[1:]]
        lines += [f"  remedy: {line}" for line in remedy_lines(result)[:1]]
    if len(failed) > MOST:
        lines.append(f"... and {len(failed) - MOST} more rows fail")
    if stale:
        names = ", ".join(result.row.id for result in stale)
        lines.append(f"Only measured anew, by a run of {COMMAND}: {names}.")
    lines.append(
        f"Before you say that work is done, run {COMMAND}: exit 0 is green, and a FAIL says its remedy."
    )
    return "".join(f"{line[:WIDTH]}\n" for line in lines)


def could_not_run(message: str, remedy: str) -> str:
    """The same where nothing could be judged."""
    told = f"goblin-verify could not judge this repository: {clean(message)}"[:WIDTH]
    return told + "\n" + (f"remedy: {clean(remedy)}"[:WIDTH] + "\n" if remedy else "")


def _as_cursor(text: str) -> str:
    import json

    return json.dumps({"additional_context": text}) + "\n"


FORMS: dict[str, Callable[[str], str]] = {"claude": str, "cursor": _as_cursor}
"""The form in which a vendor takes it: as it is, or in an object."""
