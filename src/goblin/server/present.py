"""What a command or a worker has found, as the text and the value of a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from goblin.server import bounds

Value = dict[str, Any]

SHOWN = 5
"""Findings of one row in a text."""


class Answer(NamedTuple):
    """A result: a text for people and models, a value for programs, and counts beside them."""

    text: str
    value: Value
    meta: dict[str, Any] | None = None


def report(found: Value, title: str, hint: str) -> Answer:
    """A report of rows or of bans; `found` is what `--json` prints."""
    value = _report(found, bounds.FINDINGS[0])
    for most in bounds.FINDINGS[1:]:
        if bounds.fits(value):
            break
        value = _report(found, most)
    return Answer(bounds.text(_report_lines(found, value, title, hint)), value)


def _report(found: Value, most: int) -> Value:
    numbers = {name: found[name] for name in ("passed", "failed", "advisory", "skipped", "exit")}
    gate = "FAIL" if found["failed"] else "PASS"
    return {
        "root": found["root"],
        "gate": gate,
        **numbers,
        "notes": [bounds.cut(note) for note in found["notes"]],
        "rows": [_row(row, most) for row in found["rows"]],
    }


def _row(row: Value, most: int) -> Value:
    first = str(row["detail"]).split("\n", 1)[0]
    return {
        "id": row["id"],
        "status": row["status"],
        "detail": bounds.cut(first),
        "remedy": bounds.cut(row["remedy"]) if row["status"] == "FAIL" else "",
        "findings": bounds.findings(row["findings"], most),
        "findings_total": len(row["findings"]),
        "waived": len(row["waived"]),
    }


def _report_lines(found: Value, value: Value, title: str, hint: str) -> Iterator[str]:
    yield f"{title}: {value['root']}"
    counts = ", ".join(f"{value[name]} {name}" for name in ("passed", "failed", "advisory", "skipped"))
    yield f"gate: {value['gate']} ({counts}; exit {value['exit']})"
    for row in value["rows"]:
        yield f"{row['status']:<6}{row['id']:<6} {row['detail']}".rstrip()
        if row["status"] != "FAIL":
            continue
        for finding in row["findings"][:SHOWN]:
            yield f"        {_place(finding)}"
        if row["findings_total"] > SHOWN:
            yield f"        ... and {row['findings_total'] - SHOWN} more"
        if row["remedy"]:
            yield f"        remedy: {row['remedy'].splitlines()[0]}"
    yield from (f"note: {note}" for note in value["notes"])
    if found["failed"]:
        yield hint


def _place(finding: Value) -> str:
    place = finding["path"] or ""
    if place and finding["line"]:
        place += f":{finding['line']}"
    return ": ".join(part for part in (place, finding["message"]) if part)


def explain(found: Value) -> Answer:
    """The page of one row."""
    value = {**found, "page": bounds.text(found["page"].split("\n"))}
    return Answer(value["page"], value)


def loop_status(found: Value) -> Answer:
    """How a loop stands."""
    rows = [
        {"id": row["id"], "verdict": row["verdict"], "summary": bounds.cut(row["summary"])}
        for row in found["rows"]
    ]
    value = {**found, "rows": rows, "faults": [bounds.cut(fault) for fault in found["faults"]]}
    return Answer(bounds.text(_loop_lines(value)), value)


def _loop_lines(value: Value) -> Iterator[str]:
    yield f"loop: {value['state']}" + (f" {value['run']}" if value.get("run") else "")
    if value["predicate"]:
        yield f"predicate: {value['predicate']}"
    if value["state"] != "none":
        yield f"turns: {value['spent']} of {value['budget']}"
    if value["last"]:
        yield f"last: {value['last']} on {value.get('pointer', '')}"
    yield from (f"fault: {fault}" for fault in value["faults"])
    yield from (f"{row['verdict']:<6}{row['id']:<6} {row['summary']}" for row in value["rows"])
    yield from (f"next: {step}" for step in value["next"])


def map_status(found: Value) -> Answer:
    """The map of features."""
    value = {
        **found,
        "problems": bounds.findings(found["problems"], 200),
        "features": found["features"][:500],
    }
    while value["features"] and not bounds.fits(value):
        value["features"] = value["features"][: len(value["features"]) // 2]
    return Answer(bounds.text(_map_lines(value)), value, dict(value["counts"]))


def _map_lines(value: Value) -> Iterator[str]:
    if not value["declared"]:
        yield "map: none is declared (feature_map in .goblin/goblin.yaml)"
        return
    yield f"map: {value['map']}"
    for feature in value["features"]:
        yield f"{feature['path']}: verified {feature['verified'] or 'never'}"
        for entry in feature["entry_paths"]:
            where = f": {', '.join(entry['files'])}" if entry["files"] else ""
            more = entry["files_total"] - len(entry["files"])
            yield f"    {entry['state']:<12} {entry['token']}{where}{f' and {more} more' if more > 0 else ''}"
    left = value["counts"]["features"] - len(value["features"])
    if left:
        yield f"... and {left} more feature file(s)"
    if value["not_searched"]:
        yield f"entry paths not searched: {value['not_searched']}"
    yield from (f"problem: {_place(finding)}" for finding in value["problems"])


def init_status(found: Value) -> Answer:
    """What is installed."""
    return Answer(bounds.text(_init_lines(found)), found)


def _init_lines(value: Value) -> Iterator[str]:
    yield f"root: {value['root']}"
    if not value["installed"]:
        yield "installed: no (goblin-install --target . --class A)"
    else:
        yield f"installed: yes, class {value['class']}, branch {value['branch']}"
    if value["problem"]:
        yield f"problem: {value['problem']}"
    yield f"gates: {', '.join(value['gates']) or 'none'}"
    engine = value["engine"]
    known = engine["version"] or "of unknown version"
    yield f"engine: {known} ({engine['source']}); judged by {engine['judged_by']}"
    yield f"verify present: {'yes' if value['verify_present'] else 'no'}"
    yield f"MCP registered: {'yes' if value['mcp_registered'] else 'no (goblin-mcp --register)'}"


def loop_record(told: list[str]) -> Answer:
    """What `goblin-loop record` has said."""
    lines = [bounds.cut(line) for line in told]
    return Answer(bounds.text(lines), {"recorded": True, "told": lines})
