"""The text report (spec rows-1, 1.4): a block a row, the counts, and what the run cannot see.

Contract for scripts: lines that match `^(PASS|FAIL|ADV|SKIP) +[A-Z]+-[0-9]{2}`. Nothing in it
depends on the clock or the machine, so two runs over the same state print the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, Verdict
from goblin.redact import clean, mask

if TYPE_CHECKING:
    from goblin.engine import Report, Result

INDENT = " " * 8
TAIL = " " * 6
MOST_FINDINGS = 20
WIDTH = 100
WIDE = 4
"""Families above which the footer says of each only the first thing that it cannot see."""


def finding_line(finding: Finding) -> str:
    """`path:line:column: message`, safe to print."""
    place = clean(finding.place())
    message = clean(mask(finding.message))
    return f"{place}: {message}" if place and message else place or message


def detail_lines(outcome: Outcome, most: int | None = MOST_FINDINGS) -> list[str]:
    """The summary (which may hold line breaks) and the findings, one printable line each.

    With more than `most` findings the rest is counted; 0 gives the summary alone, None gives all.
    """
    shown = [clean(mask(line)) for line in outcome.summary.split("\n")]
    shown += [finding_line(finding) for finding in outcome.findings[:most]]
    if most and len(outcome.findings) > most:
        shown.append(f"... and {len(outcome.findings) - most} more")
    return shown


def remedy_lines(result: Result) -> list[str]:
    """What mends a row that failed, one printable line each; none for another verdict."""
    if result.outcome.verdict is not Verdict.FAIL:
        return []
    remedy = result.outcome.remedy or ("" if result.row.remedy == "-" else result.row.remedy)
    return [clean(line) for line in remedy.split("\n")] if remedy else []


def _block(result: Result) -> Iterator[str]:
    row, outcome = result.row, result.outcome
    first, *rest = detail_lines(outcome)
    yield f"{outcome.verdict.value:<6}{row.id:<6} {first}".rstrip()
    for line in rest:
        yield INDENT + line
    for number, line in enumerate(remedy_lines(result)):
        yield f"{INDENT}{'        ' if number else 'remedy: '}{line}"


def counts(report: Report) -> str:
    """How many rows concluded what, as every format says it."""
    words = {Verdict.PASS: "passed", Verdict.FAIL: "failed", Verdict.ADV: "advisory", Verdict.SKIP: "skipped"}
    return ", ".join(f"{report.count(verdict)} {word}" for verdict, word in words.items())


def _advisories(report: Report) -> str:
    """What the number of advisory rows is worth; only said where there is one."""
    counted = report.count(Verdict.ADV)
    text = f"of those {counted} advisory: the matrix labels {report.labelled} row(s) advisory"
    if counted == report.labelled:
        return text
    shown = {result.row.id for result in report.results if result.outcome.verdict is Verdict.ADV}
    unlabelled = sum(
        result.outcome.verdict is Verdict.ADV and not result.row.advisory for result in report.results
    )
    absent = report.labelled - len(shown) + unlabelled
    reasons = []
    if absent:
        reasons.append(f"{absent} labelled row(s) not selected or skipped")
    if unlabelled:
        reasons.append(f"{unlabelled} row(s) advisory here without the label")
    return f"{text} ({'; '.join(reasons)})"


def wrap(text: str, width: int = WIDTH, indent: str = TAIL) -> Iterator[str]:
    """Words folded into lines of at most `width` characters."""
    line = indent.rstrip("\n")
    for word in text.split(" "):
        if len(line) + len(word) + 1 > width and line.strip():
            yield line
            line = indent
        line = f"{line}{word}" if line == indent else f"{line} {word}"
    yield line


def _footer(report: Report) -> Iterator[str]:
    parts = "; ".join([*unseen(report), report.unsigned])
    yield from wrap(f"cannot see: {clean(parts)}. More: goblin-verify --explain ID")


def unseen(report: Report) -> list[str]:
    """What the families cannot see of which this run judged a row; of many, only the first thing of each."""
    judged = [result for result in report.results if result.outcome.verdict is not Verdict.SKIP]
    seen = dict.fromkeys(result.row.family for result in judged)
    told = {name: report.families[name][1] for name in seen if name in report.families}
    if len(told) > WIDE:
        told = {name: re.split("[,;:]", text, maxsplit=1)[0] for name, text in told.items()}
    return [f"{name} {text}" for name, text in told.items()]


def render(report: Report) -> str:
    """The whole report, ending with a line break."""
    lines: list[str] = []
    for result in report.results:
        lines += _block(result)
    lines.append(TAIL + counts(report))
    if report.count(Verdict.ADV):
        lines.append(TAIL + _advisories(report))
    if report.archive:
        lines.append(f"{TAIL}archive: true: the handoff, spec, gate and runtime-data rows are waived")
    for note in report.notes:
        lines += wrap(f"note: {clean(note)}")
    lines += _footer(report)
    return "\n".join(lines) + "\n"


def could_not_run(message: str, remedy: str, exit_code: int) -> str:
    """What a file holds instead of a report; on a terminal, standard error says it."""
    told = f"error: {clean(message)} (exit {exit_code})\n"
    return told + (f"remedy: {clean(remedy)}\n" if remedy else "")
