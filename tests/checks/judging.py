"""One check, judged on a real repository as a run would judge it."""

from __future__ import annotations

from goblin import check
from goblin.manifest import Row
from goblin.outcome import Outcome
from goblin.report.text import detail_lines
from tests.support import Repo
from tests.support.mini import facts_of


def judge(repo: Repo, cell: str, **settings: object) -> Outcome:
    """What the check of a cell such as `checks/spec.py::a_spec_exists` concludes about a repository."""
    row = Row("ZZ-01", "target", "", "script", "rule", "artifact", cell, "-", "-")
    return check.run(row, facts_of(repo, **settings))


def said(outcome: Outcome) -> str:
    """The verdict, the summary, each finding and the remedy, as lines of text."""
    shown = detail_lines(outcome, most=len(outcome.findings))
    return "\n".join([outcome.verdict.value, *shown, outcome.remedy]).strip()
