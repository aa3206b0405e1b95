"""What one row is about: its rule, what it reads, how it passes and fails, what it cannot see."""

from __future__ import annotations

from goblin import check
from goblin.manifest import Manifest, Row
from goblin.redact import clean
from goblin.report.text import wrap


def docstring(row: Row) -> str:
    """The text of the function behind a row; "" for the other forms of a check cell."""
    from inspect import getdoc

    function = check.function_of(row)
    return getdoc(function) or "" if function else ""


def controls(row: Row, manifest: Manifest) -> list[tuple[str, str, str]]:
    """The row's controls as (name, expected verdict, what the row must say)."""
    cells = [record.cells for record in manifest.table("controls.tsv")]
    return [(name, expect, because) for row_id, name, _, expect, because in cells if row_id == row.id]


def explain(row: Row, manifest: Manifest) -> str:
    """The page of one row as text, ending with a line break."""
    lines = [f"{row.id}  {clean(row.rule)}", ""]
    facts = [
        ("scope", row.scope),
        ("class part", row.part or "none: it cannot be opted out"),
        ("enforced by", row.enforced_by),
        ("reads", row.artifact),
        ("check", row.check),
    ]
    lines += [f"{name + ':':<13}{clean(value)}" for name, value in facts]
    text = docstring(row)
    if text:
        lines += ["", *(clean(line) for line in text.split("\n"))]
    lines += [
        "",
        *wrap(f"remedy: {clean(row.remedy)}", indent=""),
        *wrap(f"cannot see: {clean(row.blind_spot)}", indent=""),
    ]
    shown = controls(row, manifest)
    if shown:
        lines += ["", "controls (goblin-verify --prove " + row.id + "):"]
        lines += [f"  {expect:<6} {clean(name)}" for name, expect, _ in shown]
    return "\n".join(lines) + "\n"
