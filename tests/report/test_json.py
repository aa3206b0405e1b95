"""The JSON report: one line, valid against its published schema, complete."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from goblin import home
from goblin.outcome import Finding, failed, passed
from goblin.report.json import error, render
from tests.report.test_text import report, result


@pytest.fixture(scope="module")
def schema() -> Any:
    """The published schema, itself checked."""
    with open(home.path("schemas", "report.schema.json"), encoding="utf-8") as stream:
        value = json.load(stream)
    jsonschema.Draft7Validator.check_schema(value)
    return value


def test_a_report_is_one_valid_line(schema: Any) -> None:
    """Findings, counts and rows survive the encoder, whatever they hold."""
    findings = [Finding("a\x1b\udcff.md", 3, 2, 'quote " and \u2028'), Finding("", message="ghp_" + "b" * 36)]
    line = render(report(result("IN-01", passed("fine")), result("HP-02", failed("bad", findings))))
    assert line.isascii()
    assert line.count("\n") == 1
    value = json.loads(line)
    jsonschema.validate(value, schema)
    assert (value["passed"], value["failed"], value["exit"]) == (1, 1, 1)
    assert value["rows"][1]["findings"][0]["path"] == r"a\x1b\xff.md"
    assert value["rows"][1]["findings"][1] == {
        "path": None,
        "line": None,
        "column": None,
        "message": "<forge token hidden>",
    }
    assert value["rows"][1]["detail"].startswith("bad\n")
    assert value["rows"][1]["remedy"] == "mend it"


def test_more_findings_than_a_terminal_shows_are_all_there(schema: Any) -> None:
    """Machine formats are complete."""
    value = json.loads(render(report(result("HP-02", failed("x", [Finding("a", n) for n in range(1, 50)])))))
    assert len(value["rows"][0]["findings"]) == 49
    assert "more" not in value["rows"][0]["detail"]
    jsonschema.validate(value, schema)


@pytest.mark.parametrize("code", [2, 3])
def test_what_stands_there_when_no_run_could_happen(schema: Any, code: int) -> None:
    """The error object is in the schema too, and nothing else is."""
    value = json.loads(error("why", code))
    jsonschema.validate(value, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**value, "exit": 1}, schema)
