"""The JSON report: one object on one line (schemas/report.schema.json), nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from goblin import __version__
from goblin.outcome import Finding, Verdict
from goblin.redact import clean, mask
from goblin.report.text import detail_lines

if TYPE_CHECKING:
    from goblin.engine import Report, Result

SCHEMA_VERSION = 1


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "path": clean(finding.path) or None,
        "line": finding.line or None,
        "column": finding.column or None,
        "message": clean(mask(finding.message)),
    }


def _row(result: Result) -> dict[str, Any]:
    row, outcome = result.row, result.outcome
    remedy = outcome.remedy or ("" if row.remedy == "-" else row.remedy)
    return {
        "id": row.id,
        "status": outcome.verdict.value,
        "detail": "\n".join(detail_lines(outcome, most=len(outcome.findings))),
        "part": row.part or None,
        "scope": row.scope,
        "enforced_by": row.enforced_by,
        "rule": row.rule,
        "remedy": remedy,
        "findings": [_finding(finding) for finding in outcome.findings],
        "waived": [_finding(finding) for finding in result.waived],
        "seconds": round(result.seconds, 6),
    }


def render(report: Report) -> str:
    """The report as one line of ASCII JSON."""
    value = {
        "schema_version": SCHEMA_VERSION,
        "version": __version__,
        "root": report.root,
        "class": report.class_name,
        "archive": report.archive,
        "passed": report.count(Verdict.PASS),
        "failed": report.count(Verdict.FAIL),
        "advisory": report.count(Verdict.ADV),
        "skipped": report.count(Verdict.SKIP),
        "exit": report.exit_code,
        "notes": list(report.notes),
        "rows": [_row(result) for result in report.results],
    }
    return json.dumps(value, ensure_ascii=True) + "\n"


def error(message: str, exit_code: int) -> str:
    """What stands on stdout instead of a report when a run could not happen."""
    return json.dumps({"error": message, "exit": exit_code}) + "\n"


def could_not_run(message: str, remedy: str, exit_code: int) -> str:
    """The same, by the name that every format has it."""
    return error(message, exit_code)
