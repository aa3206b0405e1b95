"""The rows of the rules' page: a rule, what it says, every place, what mends it, and what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from goblin.outcome import Finding, Verdict
from goblin.redact import clean, mask
from goblin.report.markup import Html, element, join
from goblin.report.text import remedy_lines
from goblin.report.words import count

if TYPE_CHECKING:
    from goblin.engine import Result

WORD = {"FAIL": "failed", "ADV": "advisory", "SKIP": "skipped", "PASS": "passed"}
"""A verdict in a word."""

SHOWN = 20
"""Findings of one row that stand open; the rest is folded."""

MOST = 500
"""Findings of one row that the page holds."""


def place(result: Result) -> str:
    """The id of the place where a row is told in full."""
    return f"{'f' if result.outcome.verdict is Verdict.FAIL else 'r'}-{result.row.id}"


def seconds(value: float) -> str:
    return f"{value:.1f} s" if value >= 0.1 else f"{value * 1000:.0f} ms"


def summary(result: Result) -> list[str]:
    """The lines of a row's summary, safe to show."""
    return [clean(mask(line)) for line in result.outcome.summary.split("\n")]


def _left(result: Result) -> Html:
    """The left column of a row: its id, its verdict, and what it took where that is worth a word."""
    kind = result.outcome.verdict.value
    took = element("span", {"class": "wait"}, seconds(result.seconds)) if result.seconds >= 0.1 else None
    return element(
        "div",
        {"class": "when"},
        element("a", {"href": f"#{place(result)}"}, result.row.id),
        element("span", {"class": f"badge b-{kind}"}, WORD[kind]),
        took,
    )


def _rule(result: Result) -> Html:
    return element("p", {"class": "rule"}, clean(result.row.rule))


def short(result: Result) -> Html:
    """A rule that is told in full above."""
    return element(
        "li",
        {"class": f"row k-{result.outcome.verdict.value}"},
        _left(result),
        element("div", None, _rule(result), element("p", {"class": "why"}, summary(result)[0])),
    )


def full(result: Result) -> Html:
    """A rule, what it says, every place, what mends it, and what it is about."""
    row, outcome = result.row, result.outcome
    failed = outcome.verdict is Verdict.FAIL
    first, *rest = summary(result)
    said = first.removeprefix(clean(row.rule)).strip()
    findings = _findings(outcome.findings, row.id)
    if findings and not failed:
        told = element("summary", None, count(len(outcome.findings), "detail"))
        findings = element("details", None, told, findings)
    return element(
        "li",
        {"class": f"row k-{outcome.verdict.value}", "id": place(result)},
        _left(result),
        element(
            "div",
            None,
            _rule(result),
            element("p", {"class": "why"}, said) if said else None,
            element("pre", None, "\n".join(rest)) if rest else None,
            findings,
            mending(remedy_lines(result)),
            _about(result),
        ),
    )


def mending(lines: Sequence[str]) -> Html | None:
    """What mends something, as a block to copy from; None where nothing does."""
    if not lines:
        return None
    told = element("b", None, "To mend it")
    return element("div", {"class": "remedy"}, told, element("pre", None, "\n".join(lines)))


def _findings(findings: Sequence[Finding], row_id: str) -> Html | None:
    """The places: the first ones open, the others folded, and a word on those that the page leaves out."""
    if not findings:
        return None
    shown = [_finding(finding) for finding in findings[:MOST]]
    folded: Html | None = None
    if len(shown) > SHOWN:
        told = element("summary", None, f"{len(shown) - SHOWN:,} more places")
        folded = element("details", None, told, element("ul", {"class": "places"}, *shown[SHOWN:]))
    more = len(findings) - MOST
    left = None
    if more > 0:
        left = f"and {more:,} more: goblin-verify --only {row_id} --format json lists all"
    return join(
        [
            element("ul", {"class": "places"}, *shown[:SHOWN]),
            folded,
            element("p", {"class": "note"}, left) if left else None,
        ]
    )


def _finding(finding: Finding) -> Html:
    place = clean(finding.place())
    message = clean(mask(finding.message))
    return element(
        "li", None, element("code", None, place) if place else None, f" {message}" if message else None
    )


def _about(result: Result) -> Html:
    row = result.row
    told = [
        ("Reads", row.artifact),
        ("Checked by", row.check),
        ("Class part", row.part or "none: it cannot be opted out"),
        ("Cannot see", row.blind_spot),
    ]
    if result.outcome.verdict is not Verdict.FAIL and row.remedy != "-":
        told.insert(2, ("If it fails", row.remedy))
    return element(
        "details",
        {"class": "about"},
        element("summary", None, "About this rule"),
        element(
            "dl",
            None,
            *(join([element("dt", None, name), element("dd", None, clean(text))]) for name, text in told),
        ),
    )
