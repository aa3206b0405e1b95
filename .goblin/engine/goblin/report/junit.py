"""The JUnit report, in the form that CI viewers read: a suite a family, a case a row.

A case that fails carries `file` and `line` of its first place, from which viewers make a link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from goblin.outcome import Verdict
from goblin.redact import clean
from goblin.report.text import detail_lines, remedy_lines

if TYPE_CHECKING:
    from goblin.engine import Report, Result


def _case(result: Result) -> list[str]:
    row, outcome = result.row, result.outcome
    first, *rest = detail_lines(outcome, most=len(outcome.findings))
    head = (
        f"    <testcase classname={_attribute(f'goblin.{row.family}')} "
        f'name={_attribute(f"{row.id} {row.rule}")} time="{result.seconds:.3f}"'
    )
    if outcome.verdict is Verdict.PASS:
        return [head + ">", f"      <system-out>{_text(first)}</system-out>", "    </testcase>"]
    if outcome.verdict is Verdict.FAIL:
        remedy = remedy_lines(result)
        told = [first, *rest, *([f"remedy: {remedy[0]}", *remedy[1:]] if remedy else [])]
        body = _text("\n".join(told))
        return [
            f"{head}{_place(result)}>",
            f"      <failure message={_attribute(first)} type={_attribute(row.id)}>{body}</failure>",
            "    </testcase>",
        ]
    kind = "advisory" if outcome.verdict is Verdict.ADV else "skipped"
    return [head + ">", f"      <skipped message={_attribute(f'{kind}: {first}')}/>", "    </testcase>"]


def _place(result: Result) -> str:
    for finding in result.outcome.findings:
        if finding.path:
            line = f' line="{finding.line}"' if finding.line else ""
            return f" file={_attribute(finding.path)}{line}"
    return ""


def _text(text: str) -> str:
    """Text as XML 1.0 can hold it: line breaks stay, and what it has no way to write is escaped."""
    lines = (
        clean(line).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff") for line in text.split("\n")
    )
    return escape("\n".join(lines))


def _attribute(text: str) -> str:
    return quoteattr(clean(text).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff"))


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
        title = report.families.get(family, (family,))[0]
        lines.append(
            f'  <testsuite name={_attribute(f"{family} {title}".strip())} tests="{len(results)}" '
            f'failures="{verdicts.count(Verdict.FAIL)}" errors="0" skipped="{skipped}" '
            f'time="{sum(result.seconds for result in results):.3f}">'
        )
        for result in results:
            lines += _case(result)
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def could_not_run(message: str, remedy: str, exit_code: int) -> str:
    """One case that is an error: a viewer shows no empty, and so green, report."""
    told = _text("\n".join(filter(None, (message, f"remedy: {remedy}" if remedy else ""))))
    counted = 'tests="1" failures="0" errors="1" skipped="0" time="0.000"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="goblin-verify" {counted}>',
            f'  <testsuite name="goblin-verify" {counted}>',
            '    <testcase classname="goblin" name="goblin-verify could run" time="0.000">',
            f'      <error message={_attribute(message)} type="exit {exit_code}">{told}</error>',
            "    </testcase>",
            "  </testsuite>",
            "</testsuites>",
            "",
        ]
    )
