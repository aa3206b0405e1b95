"""The SARIF 2.1.0 report, as code scanning reads it.

Every row of the run is a rule, on a clean run too. Only what does not hold is a result: code scanning
takes any result for an alert, whatever its `kind`, keeps one open that is marked as suppressed, and refuses
a whole file for one result without a place. So what each row concluded, and what is waived, stand in
the properties of the run, and a finding without a place is shown where the matrix declares its row. A
finding keeps its identity by the fingerprint that waivers use.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from goblin import __version__
from goblin.outcome import Verdict
from goblin.redact import clean, mask
from goblin.report.places import Place, placed
from goblin.report.text import detail_lines, finding_line, remedy_lines

if TYPE_CHECKING:
    from goblin.engine import Report, Result
    from goblin.waivers import Fingerprints

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MATRIX = ".goblin/manifest/enforcement.tsv"
OWN_MATRIX = ".goblin/rules/enforcement.tsv"

SECURITY = {"SC": "8.0"}
"""Families whose rows are about security, and the score under which code scanning sorts them (high)."""

LONGEST = 1000
"""Characters of a rule's descriptions that code scanning accepts, with room to spare."""

MOST = 5000
"""Results of a run: code scanning shows no more."""


def _rule(result: Result, report: Report) -> dict[str, Any]:
    row = result.row
    title = clean(report.families.get(row.family, ("",))[0])
    remedy = "" if row.remedy == "-" else clean(row.remedy)
    told = [("Reads", row.artifact), ("Cannot see", row.blind_spot), ("Checked by", row.check)]
    lines = [f"{name}: {clean(text)}" for name, text in told]
    words = [f"**{name}:** {_plain(clean(text))}" for name, text in told]
    if remedy:
        lines.insert(0, f"To mend it: {remedy}")
        words.insert(0, f"**To mend it:** {_plain(remedy)}")
    explain = f"goblin-verify --explain {row.id}"
    properties: dict[str, Any] = {
        "tags": [tag for tag in (title, row.enforced_by) if tag],
        "precision": "very-high",
        "problem.severity": "recommendation" if row.advisory else "error",
    }
    if row.family in SECURITY:
        properties["tags"].insert(0, "security")
        properties["security-severity"] = SECURITY[row.family]
    return {
        "id": row.id,
        "name": row.id.replace("-", ""),
        "shortDescription": {"text": clean(row.rule)[:LONGEST]},
        "fullDescription": {"text": f"{clean(row.rule)}. Cannot see: {clean(row.blind_spot)}."[:LONGEST]},
        "help": {
            "text": "\n".join([clean(row.rule), *lines, explain]),
            "markdown": "\n\n".join([f"## {_plain(clean(row.rule))}", *words, f"`{explain}` says more."]),
        },
        "defaultConfiguration": {"level": "note" if row.advisory else "error"},
        "properties": properties,
    }


def _plain(text: str) -> str:
    from goblin.report.markdown import inert

    return inert(text)


def _location(place: Place, result: Result) -> dict[str, Any]:
    finding, row = place.finding, result.row
    path = finding.path or (OWN_MATRIX if row.project else MATRIX)
    line = finding.line if finding.path else row.line
    region = {"startLine": max(line, 1)}  # without a region nothing is shown in the file
    if finding.path and finding.column:
        region["startColumn"] = finding.column
    uri = quote(path.encode("utf-8", "surrogateescape"))
    return {"physicalLocation": {"artifactLocation": {"uri": uri, "uriBaseId": "ROOT"}, "region": region}}


def _results(result: Result, index: int, prints: Fingerprints) -> list[dict[str, Any]]:
    if result.outcome.verdict is not Verdict.FAIL:
        return []
    places = placed(result.outcome.findings)
    summary = "\n".join(detail_lines(result.outcome, most=0))
    remedy = remedy_lines(result)
    names = prints.of(result.row.id, [place.finding for place in places])
    shown = []
    for place, name in zip(places, names, strict=True):
        # An alert's title is its first line, and should stay as it is while other findings come and go.
        text = place.text() if place.finding.path else "\n".join(filter(None, (summary, place.text())))
        text = text or summary or clean(result.row.rule)
        message = "\n".join([text, *([f"To mend it: {remedy[0]}", *remedy[1:]] if remedy else [])])
        value: dict[str, Any] = {
            "ruleId": result.row.id,
            "ruleIndex": index,
            "level": "error",
            "kind": "fail",
            "message": {"text": message},
            "locations": [_location(place, result)],
        }
        if name:
            value["partialFingerprints"] = {"goblin/v1": name}
        shown.append(value)
    return shown


def _verdict(result: Result) -> dict[str, Any]:
    """What a row concluded, for the properties of the run."""
    value: dict[str, Any] = {
        "id": result.row.id,
        "verdict": result.outcome.verdict.value,
        "summary": clean(mask(result.outcome.summary.split("\n")[0])),
    }
    if result.waived:
        value["waived"] = [finding_line(finding) for finding in result.waived]
    return value


def render(report: Report, tool: str = "goblin-verify") -> str:
    """The report of a command as SARIF, two-space JSON with a final line break."""
    from goblin.paths import Tree
    from goblin.waivers import Fingerprints

    prints = Fingerprints(Tree(report.root))
    results = [value for n, r in enumerate(report.results) for value in _results(r, n, prints)]
    notes = list(report.notes)
    if len(results) > MOST:
        notes.append(f"{len(results) - MOST} more result(s) are left out; --format json holds all")
    run = {
        "tool": {"driver": {**_driver(tool), "rules": [_rule(result, report) for result in report.results]}},
        "automationDetails": {"id": f"{tool}/class-{report.class_name}/"},
        "invocations": [{"executionSuccessful": True, "exitCode": report.exit_code}],
        "originalUriBaseIds": {"ROOT": {"description": {"text": "the root of the repository"}}},
        "columnKind": "unicodeCodePoints",
        "results": results[:MOST],
        "properties": {
            "notes": notes,
            "archive": report.archive,
            "rows": [_verdict(result) for result in report.results],
        },
    }
    return _file(run)


def could_not_run(message: str, remedy: str, exit_code: int, tool: str = "goblin-verify") -> str:
    """A run that judged nothing: no result, and the reason as a notification of the tool itself."""
    text = "\n".join(filter(None, (clean(message), f"remedy: {clean(remedy)}" if remedy else "")))
    run = {
        "tool": {"driver": {**_driver(tool), "rules": []}},
        "invocations": [
            {
                "executionSuccessful": False,
                "exitCode": exit_code,
                "toolExecutionNotifications": [{"level": "error", "message": {"text": text}}],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [],
    }
    return _file(run)


def _driver(tool: str) -> dict[str, Any]:
    return {"name": tool, "version": __version__, "semanticVersion": __version__}


def _file(run: dict[str, Any]) -> str:
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"
