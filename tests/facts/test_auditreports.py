"""Reports of every auditing program, and what is refused for not being one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.facts.auditrecord import SEVERITIES, Advisory
from goblin.facts.auditreports import NotAReport, parse

NPM = {
    "auditReportVersion": 2,
    "vulnerabilities": {
        "lodash": {
            "name": "lodash",
            "severity": "critical",
            "via": [
                {"source": 1091, "name": "lodash", "url": "https://x.example/GHSA-1", "severity": "high"},
                {"source": 1092, "name": "lodash", "url": "https://x.example/GHSA-2", "severity": "low"},
                "other",
            ],
        },
        "wrapper": {"name": "wrapper", "severity": "high", "via": ["lodash", "more"]},
        "bare": {"name": "bare", "severity": "moderate", "via": []},
    },
    "metadata": {"vulnerabilities": {"total": 3}},
}
NPM_6 = {
    "actions": [],
    "advisories": {
        "1091": {"id": 1091, "module_name": "lodash", "severity": "high", "url": "https://x.example/1091"},
        "7": {"module_name": "a", "severity": "moderate", "github_advisory_id": "GHSA-7", "url": "u"},
    },
    "metadata": {},
}
YARN = [
    {"type": "info", "data": "…"},
    {"type": "auditAdvisory", "data": {"resolution": {"id": 1}, "advisory": NPM_6["advisories"]["1091"]}},  # type: ignore[index]
    {"type": "auditSummary", "data": {"vulnerabilities": {}}},
]
BERRY = [
    {
        "value": "lodash",
        "children": {"ID": 1091, "Issue": "x", "URL": "https://x.example/1", "Severity": "high"},
    }
]
PIP = {
    "dependencies": [
        {
            "name": "flask",
            "version": "0.5",
            "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.0"], "aliases": []}],
        },
        {"name": "clean", "version": "1", "vulns": []},
        {"name": "local", "skip_reason": "not on the index"},
    ],
    "fixes": [],
}
OSV = {
    "results": [
        {
            "source": {"path": "uv.lock"},
            "packages": [
                {
                    "package": {"name": "a", "version": "1", "ecosystem": "PyPI"},
                    "vulnerabilities": [
                        {"id": "GHSA-1", "database_specific": {"severity": "MODERATE"}},
                        {"id": "PYSEC-2"},
                        {"id": "OSV-3"},
                    ],
                    "groups": [{"ids": ["PYSEC-2"], "max_severity": "9.1"}],
                }
            ],
        }
    ]
}
CARGO = {
    "database": {},
    "lockfile": {"dependency-count": 3},
    "vulnerabilities": {
        "found": True,
        "count": 1,
        "list": [
            {
                "advisory": {"id": "RUSTSEC-1", "package": "time", "url": "https://x.example/r"},
                "package": {"name": "time"},
            }
        ],
    },
    "warnings": {},
}
BUN = {"lodash": [{"id": 1091, "url": "https://x.example/1", "title": "x", "severity": "high"}]}
REPORTS = {
    "npm": (
        NPM,
        [
            Advisory("lodash", "high", "1091", "https://x.example/GHSA-1"),
            Advisory("lodash", "low", "1092", "https://x.example/GHSA-2"),
            Advisory("wrapper", "high", "via:lodash"),
            Advisory("wrapper", "high", "via:more"),
            Advisory("bare", "moderate", "via:bare"),
        ],
    ),
    "npm-advisories": (
        NPM_6,
        [
            Advisory("lodash", "high", "1091", "https://x.example/1091"),
            Advisory("a", "moderate", "GHSA-7", "u"),
        ],
    ),
    "pip-audit": (PIP, [Advisory("flask", "high", "PYSEC-1")]),
    "osv-scanner": (
        OSV,
        [
            Advisory("a", "moderate", "GHSA-1", "https://osv.dev/GHSA-1"),
            Advisory("a", "critical", "PYSEC-2", "https://osv.dev/PYSEC-2"),
            Advisory("a", "high", "OSV-3", "https://osv.dev/OSV-3"),
        ],
    ),
    "cargo-audit": (CARGO, [Advisory("time", "high", "RUSTSEC-1", "https://x.example/r")]),
    "bun": (BUN, [Advisory("lodash", "high", "1091", "https://x.example/1")]),
}
LINES: dict[str, tuple[list[Any], list[Advisory]]] = {
    "yarn-classic": (YARN, [Advisory("lodash", "high", "1091", "https://x.example/1091")]),
    "yarn-berry": (BERRY, [Advisory("lodash", "high", "1091", "https://x.example/1")]),
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("parser", REPORTS)
def test_each_program_is_read_by_its_own_parser(parser: str, indent: int | None) -> None:
    """Whatever the layout: one line for each package and advisory, with the advisory's own severity."""
    value, expected = REPORTS[parser]
    report = parse(json.dumps(value, indent=indent).encode())
    assert (report.parser, list(report.advisories)) == (parser, expected)


@pytest.mark.parametrize("parser", LINES)
def test_reports_of_one_value_a_line_are_read(parser: str) -> None:
    """Also when there is but one line."""
    values, expected = LINES[parser]
    report = parse("\n".join(json.dumps(value) for value in values).encode())
    assert (report.parser, list(report.advisories)) == (parser, expected)
    assert parse(json.dumps(values[-1] if parser == "yarn-berry" else values[1]).encode()).parser == parser


CLEAN = {
    "npm": '{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}',
    "npm-advisories": '{"actions":[],"advisories":{},"metadata":{}}',
    "yarn-classic": '{"type":"auditSummary","data":{}}',
    "pip-audit": '{"dependencies":[{"name":"a","version":"1","vulns":[]}],"fixes":[]}',
    "osv-scanner": '{"results":[]}',
    "cargo-audit": '{"vulnerabilities":{"found":false,"count":0,"list":[]}}',
}


@pytest.mark.parametrize("parser", CLEAN)
def test_a_clean_report_is_a_report(parser: str) -> None:
    """With no advisory in it."""
    assert parse(CLEAN[parser].encode()) == (parser, ())


@pytest.mark.parametrize(
    "output",
    [
        b"",
        b" \n",
        b"{}",
        b"[]",
        b"null",
        b"<!doctype html><title>502</title>",
        b'{"error":{"code":"ENOTFOUND","summary":"request failed"}}',
        b'{"message":"request to the registry failed","method":"POST"}',
        b'{"auditReportVersion":2,"vulnerabilities":{"a":',
        b'{"vulnerabilities":[]}',
        b'{"vulnerabilities":{"a":1}}',
        b'{"advisories":{"1":"x"}}',
        b'{"results":"none"}',
        b'{"dependencies":{"a":"1"}}',
        b'{"dependencies":[{"name":"a"}]}',
        b'{"type":"error","data":"offline"}',
        b'{"value":"x"}\n{"value":"y"}',
        b'{"advisories":{"1":{"severity":"high"}}}',
        b"\xff\xfe",
        b"[" * 100_000,
        b"up to date",
    ],
)
def test_what_is_no_report_is_refused(output: bytes) -> None:
    """An outage, a page, nothing, half of a report: none of them is a clean audit."""
    with pytest.raises(NotAReport):
        parse(output)


def test_a_severity_that_nobody_knows_is_high() -> None:
    """Somebody has to look at it; spellings of other programs are known."""
    for word, expected in {
        "": "high",
        "urgent": "high",
        "MEDIUM": "moderate",
        "Critical": "critical",
    }.items():
        entry = {"module_name": "a", "severity": word, "id": 1, "url": ""}
        assert parse(json.dumps({"advisories": {"1": entry}}).encode()).advisories[0].severity == expected


KEYS = [
    *("vulnerabilities", "advisories", "via", "list", "found", "dependencies", "name", "vulns", "results"),
    *("packages", "type", "data", "children", "Severity", "value", "severity", "id", "url", "a"),
]
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.sampled_from(["high", "", "auditAdvisory", "x"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(st.lists(VALUES, min_size=1, max_size=3))
def test_any_json_is_a_report_or_is_refused(values: list[object]) -> None:
    """No other error; what is understood has packages and known severities."""
    try:
        report = parse("\n".join(json.dumps(value) for value in values).encode())
    except NotAReport:
        return
    assert all(a.package and a.severity in SEVERITIES for a in report.advisories)
