"""Annotations for GitHub Actions: a workflow command a finding, on its file and line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin.outcome import Finding, Verdict
from goblin.redact import clean, mask
from goblin.report.text import counts, detail_lines

if TYPE_CHECKING:
    from goblin.engine import Report, Result

MOST = 10
"""Annotations of one kind that the forge shows a step; the rest is in the job summary."""


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _command(level: str, finding: Finding, title: str, message: str) -> str:
    parts = [f"title={_property(title)}"]
    if finding.path:
        parts.insert(0, f"file={_property(clean(finding.path))}")
        if finding.line:
            parts.insert(1, f"line={finding.line}")
            if finding.column:
                parts.insert(2, f"col={finding.column}")
    return f"::{level} {','.join(parts)}::{_data(message)}"


def _annotations(result: Result) -> Iterator[str]:
    row, outcome = result.row, result.outcome
    title = f"{row.id} {clean(row.rule)}"
    if outcome.verdict is Verdict.FAIL:
        remedy = outcome.remedy or ("" if row.remedy == "-" else row.remedy)
        summary = "\n".join(detail_lines(outcome, most=0))
        for finding in outcome.findings[:MOST] or (Finding(""),):
            said = [
                clean(mask(finding.message)) or summary,
                *([f"remedy: {clean(remedy)}"] if remedy else []),
            ]
            yield _command("error", finding, title, "\n".join(said))
        if len(outcome.findings) > MOST:
            more = f"and {len(outcome.findings) - MOST} more place(s); the job summary lists them"
            yield _command("error", Finding(""), title, more)
    for finding in result.waived[:MOST]:
        yield _command("notice", finding, f"{title} (waived)", clean(mask(finding.message)) or "waived")


def render(report: Report) -> str:
    """The commands, a line each, and a last line with the counts."""
    lines = [line for result in report.results for line in _annotations(result)]
    return "\n".join([*lines, f"goblin-verify: {counts(report)}"]) + "\n"
