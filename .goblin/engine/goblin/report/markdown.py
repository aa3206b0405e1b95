"""The Markdown report, for a job summary or a comment: what failed first, the rest folded away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin.outcome import Verdict
from goblin.redact import clean, mask
from goblin.report.text import counts, finding_line, remedy_lines

if TYPE_CHECKING:
    from goblin.engine import Report, Result

MOST = 50
"""Findings of one row that are listed."""


def inert(text: str) -> str:
    """Text that Markdown and HTML read as text, whatever it holds."""
    for mark in "\\`*_[]<>&|#~@":
        text = text.replace(mark, f"&#{ord(mark)};" if mark in "<>&@" else f"\\{mark}")
    return text


def _code(text: str) -> str:
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"{fence}{text}{fence}"


def _failure(result: Result) -> Iterator[str]:
    row, outcome = result.row, result.outcome
    yield f"### {row.id} {inert(clean(row.rule))}"
    yield ""
    yield " ".join(inert(clean(mask(line))) for line in outcome.summary.split("\n"))
    yield ""
    for finding in outcome.findings[:MOST]:
        place = clean(finding.place())
        message = inert(clean(mask(finding.message)))
        yield f"- {_code(place)} {message}".rstrip() if place else f"- {message}"
    if len(outcome.findings) > MOST:
        yield f"- and {len(outcome.findings) - MOST} more"
    for number, line in enumerate(remedy_lines(result)):
        yield ""
        yield f"{'' if number else '**Remedy:** '}{_code(line)}"
    yield ""


def _table(results: list[Result]) -> Iterator[str]:
    yield "| row | | what it says |"
    yield "|---|---|---|"
    for result in results:
        first = clean(mask(result.outcome.summary.split("\n")[0]))
        yield f"| {result.row.id} | {result.outcome.verdict.value} | {inert(first)} |"


def render(report: Report) -> str:
    """The report as GitHub-flavoured Markdown."""
    failures = [r for r in report.results if r.outcome.verdict is Verdict.FAIL]
    others = [r for r in report.results if r.outcome.verdict is not Verdict.FAIL]
    lines = [f"## goblin-verify: {counts(report)}", ""]
    for result in failures:
        lines += _failure(result)
    waived = [(r, finding) for r in report.results for finding in r.waived]
    if waived:
        lines += [f"<details><summary>{len(waived)} waived finding(s)</summary>", ""]
        lines += [f"- {r.row.id} {_code(finding_line(finding))}" for r, finding in waived[:MOST]]
        lines += ["", "</details>", ""]
    lines += ["<details><summary>every other row</summary>", "", *_table(others), "", "</details>"]
    if report.archive:
        lines += ["", "`archive: true` waives the handoff, spec, gate and runtime-data rows."]
    lines += [line for note in report.notes for line in ("", inert(clean(note)))]
    return "\n".join(lines) + "\n"


def could_not_run(message: str, remedy: str, exit_code: int) -> str:
    """The reason why nothing was judged, and what mends it."""
    lines = [f"## goblin-verify could not run (exit {exit_code})", "", inert(clean(message))]
    if remedy:
        lines += ["", f"**Remedy:** {_code(clean(remedy))}"]
    return "\n".join(lines) + "\n"
