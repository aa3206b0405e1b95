"""The SARIF 2.1.0 report, as code scanning reads it.

Every row of the run is a rule, on a clean run too, so that a viewer can tell a rule that passed from
one that never ran. A finding keeps its identity by the fingerprint that waivers use; a waived one is
a suppressed result.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from goblin import __version__
from goblin.outcome import Finding, Verdict
from goblin.redact import clean, mask
from goblin.report.text import detail_lines

if TYPE_CHECKING:
    from goblin.engine import Report, Result
    from goblin.waivers import Fingerprints

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MATRIX = ".goblin/manifest/enforcement.tsv"
_KIND = {
    Verdict.PASS: ("none", "pass"),
    Verdict.FAIL: ("error", "fail"),
    Verdict.ADV: ("none", "informational"),
    Verdict.SKIP: ("none", "notApplicable"),
}


def _rule(result: Result, report: Report) -> dict[str, Any]:
    row = result.row
    title = report.families.get(row.family, ("",))[0]
    remedy = "" if row.remedy == "-" else clean(row.remedy)
    told = [clean(row.rule) + ".", f"Reads: {clean(row.artifact)}.", f"Cannot see: {clean(row.blind_spot)}."]
    if remedy:
        told.insert(1, f"Remedy: {remedy}.")
    return {
        "id": row.id,
        "name": row.id.replace("-", ""),
        "shortDescription": {"text": clean(row.rule)},
        "fullDescription": {"text": " ".join(told)},
        "help": {"text": "\n".join(told), "markdown": "\n\n".join(told)},
        "defaultConfiguration": {"level": "note" if row.advisory else "error"},
        "properties": {"tags": [tag for tag in (title, row.enforced_by) if tag]},
    }


def _location(finding: Finding, fallback: int) -> dict[str, Any]:
    path = finding.path or MATRIX
    line = finding.line if finding.path else fallback
    physical: dict[str, Any] = {
        "artifactLocation": {
            "uri": quote(path.encode("utf-8", "surrogateescape")),
            "uriBaseId": "ROOT",
        }
    }
    if line:
        physical["region"] = {"startLine": line}
        if finding.path and finding.column:
            physical["region"]["startColumn"] = finding.column
    return {"physicalLocation": physical}


def _results(result: Result, index: int, prints: Fingerprints) -> list[dict[str, Any]]:
    row, outcome = result.row, result.outcome
    level, kind = _KIND[outcome.verdict]
    base = {"ruleId": row.id, "ruleIndex": index, "level": level, "kind": kind}
    summary = "\n".join(detail_lines(outcome, most=0))
    if outcome.verdict is not Verdict.FAIL:
        shown = [{**base, "message": {"text": summary or row.rule}}]
    else:
        findings = outcome.findings or (Finding(""),)
        shown = _failures(result, base, findings, summary, prints)
    for finding in _failures(result, base, result.waived, summary, prints):
        waived = {"kind": "external", "status": "accepted", "justification": "waived in .goblin/"}
        shown.append({**finding, "level": "error", "kind": "fail", "suppressions": [waived]})
    return shown


def _failures(
    result: Result, base: dict[str, Any], findings: tuple[Finding, ...], summary: str, prints: Fingerprints
) -> list[dict[str, Any]]:
    row, outcome = result.row, result.outcome
    remedy = outcome.remedy or ("" if row.remedy == "-" else row.remedy)
    names = prints.of(row.id, findings)
    shown = []
    for finding, name in zip(findings, names, strict=True):
        text = clean(mask(finding.message)) if finding.message else ""
        message = ": ".join(part for part in (summary, text) if part)
        value = {
            **base,
            "message": {"text": f"{message}\n{clean(remedy)}".strip()},
            "locations": [_location(finding, row.line)],
        }
        if name:
            value["partialFingerprints"] = {"goblin/v1": name}
        shown.append(value)
    return shown


def render(report: Report, tool: str = "goblin-verify") -> str:
    """The report of a command as SARIF, two-space JSON with a final line break."""
    from goblin.paths import Tree
    from goblin.waivers import Fingerprints

    prints = Fingerprints(Tree(report.root))
    results = [value for n, r in enumerate(report.results) for value in _results(r, n, prints)]
    run = {
        "tool": {
            "driver": {
                "name": tool,
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(result, report) for result in report.results],
            }
        },
        "automationDetails": {"id": f"{tool}/class-{report.class_name}/"},
        "invocations": [{"executionSuccessful": True, "exitCode": report.exit_code}],
        "originalUriBaseIds": {"ROOT": {"description": {"text": "the root of the repository"}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {"notes": list(report.notes), "archive": report.archive},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"
