"""For GitHub Actions: a workflow command a finding, on its file and line, and the whole report folded away.

The forge shows ten annotations of a kind for each step, the first ones: so every row that fails comes once
before any comes twice. Between the commands stands text of the repository, which must not be read
as commands: they are switched off there by a word that this text cannot hold.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import zip_longest
from typing import TYPE_CHECKING

from goblin.outcome import Finding, Verdict
from goblin.redact import clean, mask
from goblin.report import text as plain
from goblin.report.places import Place, placed
from goblin.report.text import counts, detail_lines, remedy_lines

if TYPE_CHECKING:
    from goblin.engine import Report, Result

MOST = 10
"""Places of one row that are commands; the job summary lists more."""


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _command(level: str, finding: Finding, title: str, message: str, below: str = "") -> str:
    parts = [f"title={_property(title)}"]
    if finding.path:
        parts.insert(0, f"file={_property(clean(below + finding.path))}")
        if finding.line:
            parts.insert(1, f"line={finding.line}")
            if finding.column:
                parts.insert(2, f"col={finding.column}")
    return f"::{level} {','.join(parts)}::{_data(message)}"


def _errors(result: Result, below: str) -> Iterator[str]:
    """The commands of a row that fails: its first places, and a word on the others."""
    title = f"{result.row.id} {clean(result.row.rule)}"
    summary = "\n".join(detail_lines(result.outcome, most=0))
    remedy = remedy_lines(result)
    told = [f"remedy: {remedy[0]}", *remedy[1:]] if remedy else []
    places = placed(result.outcome.findings)
    for place in places[:MOST]:
        yield _command("error", place.finding, title, "\n".join([_said(place, summary), *told]), below)
    if len(places) > MOST:
        more = f"and {len(places) - MOST} more place(s); the job summary lists them"
        yield _command("error", Finding(""), title, more)


def _said(place: Place, summary: str) -> str:
    if place.finding.path:
        return place.text() or summary
    return "\n".join(filter(None, (summary, place.text())))


def _notices(result: Result, below: str) -> Iterator[str]:
    title = f"{result.row.id} {clean(result.row.rule)} (waived)"
    for finding in result.waived[:MOST]:
        yield _command("notice", finding, title, clean(mask(finding.message)) or "waived", below)


def _below(root: str) -> str:
    """Where the repository stands below the workspace, which is what the forge's paths begin at."""
    workspace = os.environ.get("GITHUB_WORKSPACE", "")
    if not workspace:
        return ""
    inside = os.path.relpath(os.path.realpath(root), os.path.realpath(workspace)).replace(os.sep, "/")
    return "" if inside == "." or inside.startswith("../") or inside == ".." else f"{inside}/"


def _folded(text: str) -> list[str]:
    word = sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    body = text.rstrip("\n").split("\n")
    return ["::group::the whole report", f"::stop-commands::{word}", *body, f"::{word}::", "::endgroup::"]


def render(report: Report) -> str:
    """The commands, a line each, the report as text in a group, and a last line with the counts."""
    below = _below(report.root)
    failing = [result for result in report.results if result.outcome.verdict is Verdict.FAIL]
    turns = zip_longest(*(_errors(result, below) for result in failing))
    lines = [line for turn in turns for line in turn if line is not None]
    lines += [line for result in report.results for line in _notices(result, below)]
    lines += _folded(plain.render(report))
    return "\n".join([*lines, f"goblin-verify: {counts(report)}"]) + "\n"


def could_not_run(message: str, remedy: str, exit_code: int) -> str:
    """One error that stands on no file."""
    told = "\n".join(filter(None, (clean(message), f"remedy: {clean(remedy)}" if remedy else "")))
    return _command("error", Finding(""), f"goblin-verify could not run (exit {exit_code})", told) + "\n"
