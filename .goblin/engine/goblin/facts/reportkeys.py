"""Fact `report_keys`: each report with the key that its content gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.reports import dedup_key, is_one_line

if TYPE_CHECKING:
    from goblin.facts.reports import Report, Reports


class Keyed(NamedTuple):
    """A report; `expected` is "" where it lacks what the key is made of."""

    report: Report
    expected: str
    one_line: bool


def load(reports: Reports) -> tuple[Keyed, ...]:
    """The key of every report, recomputed."""
    return tuple(_keyed(report) for report in reports.all)


def _keyed(report: Report) -> Keyed:
    repo, symptom = report.values.get("repo", "").strip(), report.values.get("symptom", "")
    expected = dedup_key(repo, symptom) if repo and symptom.strip() else ""
    return Keyed(report, expected, is_one_line(symptom))
