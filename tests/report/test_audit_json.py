"""The audit as JSON: one line, valid against its published schema, whatever the run came to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from goblin import home
from goblin.loop.audit import Check, Lane, audit, refused
from goblin.report.audit_json import error, render
from goblin.report.audit_words import Set
from tests.support.loops import green_run, loop_repo, red_run, row


@pytest.fixture(scope="module")
def schema() -> Any:
    """The published schema, itself checked."""
    with open(home.path("schemas", "audit.schema.json"), encoding="utf-8") as stream:
        value = json.load(stream)
    jsonschema.Draft7Validator.check_schema(value)
    return value


def valid(line: str, schema: Any) -> Any:
    """The value of a line, held against the schema."""
    assert line.isascii()
    assert line.count("\n") == 1
    value = json.loads(line)
    jsonschema.validate(value, schema)
    return value


def strict(schema: Any) -> Any:
    """The schema with every object closed, so that a member it does not name is seen."""
    if isinstance(schema, dict):
        closed = {key: strict(value) for key, value in schema.items()}
        if "properties" in closed:
            closed["additionalProperties"] = False
        return closed
    return [strict(item) for item in schema] if isinstance(schema, list) else schema


def test_every_kind_of_run_is_valid(schema: Any, tmp_path: Path) -> None:
    """Red, green, hostile, without a turn, and one that may not be looked into; nothing undocumented."""
    evil = "\x1b[2J\u202e\u2028</script>"
    repos = [
        red_run(tmp_path / "red"),
        green_run(tmp_path / "green"),
        loop_repo(tmp_path / "none", []),
        loop_repo(tmp_path / "evil", [row("nonsense", evil, evil, evil, evil, evil), "short\trow"]),
        loop_repo(tmp_path / "events", [row("00:10")], events__jsonl="not an event\n", surface__sha256="x"),
    ]
    checks = [Check("LP-04", "FAIL", ("stood still",), "stop it"), Check("JG-02", "ADV", (), "")]
    lanes = [Lane("author", ("coder",), "roles"), Lane("judge", ("judge",), "log")]
    audits = [audit(str(repo.root), checks=checks, lanes=lanes, notes=["a note"]) for repo in repos]
    found = Set(
        (*filter(None, audits), refused("/elsewhere", "a link")), ("empty",), "0.1.0", "2026-09-25T06:00:00Z"
    )
    assert len(found.audits) == 6
    value = valid(render(found), strict(schema))
    assert [one["state"] for one in value["audits"]] == [
        "short", "unproven", "started", "short", "short", "unreadable",
    ]  # fmt: skip
    assert value["without_record"] == ["empty"]
    assert value["reached"] is False


def test_a_reader_finds_the_rows_by_their_line(schema: Any, tmp_path: Path) -> None:
    """Each row stands once; the two lists name lines of it."""
    found = audit(str(red_run(tmp_path).root))
    assert found is not None
    (one,) = valid(render(Set((found,))), schema)["audits"]
    lines = [told["line"] for told in one["rows"]]
    assert len(lines) == len(set(lines))
    assert {*one["attention"], *one["last"]} <= set(lines)
    assert one["counts"]["kinds"] == {"stuck": 1, "parked": 1, "red": 7, "log": 1}
    assert one["streaks"][0]["rows"] == 4
    assert one["timeline"][0]["kinds"] == {"log": 1}


def test_an_error_is_a_valid_line_too(schema: Any) -> None:
    """What stands on standard output when no audit could be made."""
    assert valid(error("no loop record", 2), schema) == {"error": "no loop record", "exit": 2}


def test_the_schema_refuses_what_is_no_audit(schema: Any, tmp_path: Path) -> None:
    """It bites: a state that does not exist, a row without its line."""
    found = audit(str(green_run(tmp_path).root))
    assert found is not None
    value = json.loads(render(Set((found,))))
    value["audits"][0]["state"] = "fine"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, schema)
    value = json.loads(render(Set((found,))))
    del value["audits"][0]["rows"][0]["line"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, schema)
