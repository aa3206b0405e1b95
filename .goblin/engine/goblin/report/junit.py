"""The JUnit report, in the form that CI viewers read: a suite a family, a case a row."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from goblin.outcome import Verdict
from goblin.redact import clean
from goblin.report.text import detail_lines

if TYPE_CHECKING:
    from goblin.engine import Report, Result


def _case(result: Result) -> list[str]:
    row, outcome = result.row, result.outcome
    first, *rest = detail_lines(outcome, most=len(outcome.findings))
    head = (
        f"    <testcase classname={quoteattr(f'goblin.{row.family}')} "
        f'name={quoteattr(clean(f"{row.id} {row.rule}"))} time="{result.seconds:.3f}"'
    )
    if outcome.verdict is Verdict.PASS:
        return [head + ">", f"      <system-out>{escape(first)}</system-out>", "    </testcase>"]
    if outcome.verdict is Verdict.FAIL:
        remedy = clean(outcome.remedy or ("" if row.remedy == "-" else row.remedy))
        told = [first, *rest, *([f"remedy: {remedy}"] if remedy else [])]
        body = escape("\n".join(told))
        return [
            head + ">",
            f"      <failure message={quoteattr(first)} type={quoteattr(row.id)}>{body}</failure>",
            "    </testcase>",
        ]
    kind = "advisory" if outcome.verdict is Verdict.ADV else "skipped"
    return [head + ">", f"      <skipped message={quoteattr(f'{kind}: {first}')}/>", "    </testcase>"]


def render(report: Report) -> str:
    """The report as JUnit XML. Advisory rows are shown as skipped: they neither hold nor fail."""
    families = dict.fromkeys(result.row.family for result in report.results)
    not_run = report.count(Verdict.ADV) + report.count(Verdict.SKIP)
    total = sum(result.seconds for result in report.results)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="goblin-verify" tests="{len(report.results)}" '
        f'failures="{report.count(Verdict.FAIL)}" errors="0" skipped="{not_run}" time="{total:.3f}">',
    ]
    for family in families:
        results = [result for result in report.results if result.row.family == family]
        verdicts = [result.outcome.verdict for result in results]
        skipped = verdicts.count(Verdict.ADV) + verdicts.count(Verdict.SKIP)
        title = clean(report.families.get(family, (family,))[0])
        lines.append(
            f'  <testsuite name={quoteattr(f"{family} {title}".strip())} tests="{len(results)}" '
            f'failures="{verdicts.count(Verdict.FAIL)}" errors="0" skipped="{skipped}" '
            f'time="{sum(result.seconds for result in results):.3f}">'
        )
        for result in results:
            lines += _case(result)
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"
