"""What the auditing programs print as JSON, read by one named parser for each kind of report.

A parser takes the decoded value and gives the advisories, or None where the value is not of its kind.
What no parser knows is no report: an empty record would read as a clean one. Severities are those of
the advisory itself; where a program names none, `high` is written, so that somebody looks at it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from goblin.facts.auditrecord import SEVERITIES, Advisory


class Report(NamedTuple):
    """A report that was understood."""

    parser: str
    advisories: tuple[Advisory, ...]


class NotAReport(Exception):
    """The output is none of the known reports; the message says what it is instead."""


_SPELLINGS = {"medium": "moderate", "informational": "info", "none": "info", "important": "high"}


def _severity(value: object) -> str:
    word = value.lower() if isinstance(value, str) else ""
    word = _SPELLINGS.get(word, word)
    return word if word in SEVERITIES else "high"


def _text(value: object) -> str:
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _npm(value: Any) -> Iterator[Advisory] | None:
    """npm 7 and later: packages with what makes each of them vulnerable."""
    found = _dict(value).get("vulnerabilities")
    if not isinstance(found, dict) or ("list" in found and "found" in found):
        return None
    if not all(isinstance(entry, dict) for entry in found.values()):
        return None
    return _npm_rows(found)


def _npm_rows(found: dict[str, Any]) -> Iterator[Advisory]:
    for package, entry in found.items():
        via = _list(entry.get("via"))
        known = [cause for cause in via if isinstance(cause, dict)]
        for cause in known:
            severity = _severity(cause.get("severity") or entry.get("severity"))
            id_ = _text(cause.get("source")) or _text(cause.get("url")).rpartition("/")[2]
            yield Advisory(package, severity, id_, _text(cause.get("url")))
        if not known:
            names = [name for name in via if isinstance(name, str)] or [package]
            for name in names:
                yield Advisory(package, _severity(entry.get("severity")), f"via:{name}")


def _npm_advisories(value: Any) -> Iterator[Advisory] | None:
    """npm 6, pnpm, and yarn berry before 4: advisories by number."""
    found = _dict(value).get("advisories")
    if not isinstance(found, dict) or not all(isinstance(entry, dict) for entry in found.values()):
        return None
    return (_npm_advisory(key, entry) for key, entry in found.items())


def _npm_advisory(key: str, entry: dict[str, Any]) -> Advisory:
    id_ = _text(entry.get("id")) or _text(entry.get("github_advisory_id")) or key
    return Advisory(
        _text(entry.get("module_name")), _severity(entry.get("severity")), id_, _text(entry.get("url"))
    )


def _cargo(value: Any) -> Iterator[Advisory] | None:
    """cargo audit."""
    found = _dict(_dict(value).get("vulnerabilities"))
    if not isinstance(found.get("list"), list) or "found" not in found:
        return None
    return (_cargo_row(_dict(entry)) for entry in found["list"])


def _cargo_row(entry: dict[str, Any]) -> Advisory:
    advisory = _dict(entry.get("advisory"))
    package = _text(_dict(entry.get("package")).get("name")) or _text(advisory.get("package"))
    severity = advisory.get("severity")
    return Advisory(package, _severity(severity), _text(advisory.get("id")), _text(advisory.get("url")))


def _pip(value: Any) -> Iterator[Advisory] | None:
    """pip-audit, whose older releases print the list alone."""
    found = value.get("dependencies") if isinstance(value, dict) else value
    if not isinstance(found, list) or not all(isinstance(e, dict) and "name" in e for e in found):
        return None
    if isinstance(value, list) and not value:
        return None
    if not all("vulns" in entry or "skip_reason" in entry for entry in found):
        return None
    return (
        Advisory(_text(entry["name"]), _severity(vuln.get("severity")), _text(vuln.get("id")))
        for entry in found
        for vuln in map(_dict, _list(entry.get("vulns")))
    )


def _osv(value: Any) -> Iterator[Advisory] | None:
    """osv-scanner."""
    found = _dict(value).get("results")
    if not isinstance(found, list) or not all(isinstance(_dict(e).get("packages"), list) for e in found):
        return None
    return (row for entry in found for package in entry["packages"] for row in _osv_rows(_dict(package)))


def _osv_rows(package: dict[str, Any]) -> Iterator[Advisory]:
    name = _text(_dict(package.get("package")).get("name"))
    scores = {
        _text(id_): _scored(_dict(group).get("max_severity"))
        for group in _list(package.get("groups"))
        for id_ in _list(_dict(group).get("ids"))
    }
    for entry in map(_dict, _list(package.get("vulnerabilities"))):
        id_ = _text(entry.get("id"))
        told = _dict(entry.get("database_specific")).get("severity")
        severity = _severity(told) if told else scores.get(id_) or "high"
        yield Advisory(name, severity, id_, f"https://osv.dev/{id_}" if id_ else "")


def _scored(value: object) -> str:
    """The severity of a CVSS score, "" for none."""
    try:
        score = float(_text(value))
    except ValueError:
        return ""
    limits = ((9.0, "critical"), (7.0, "high"), (4.0, "moderate"), (0.1, "low"))
    return next((word for limit, word in limits if score >= limit), "info")


def _bun(value: Any) -> Iterator[Advisory] | None:
    """bun audit: packages to their advisories."""
    entries = [
        entry for found in _dict(value).values() for entry in (found if isinstance(found, list) else [found])
    ]
    if not entries or not all(isinstance(e, dict) and {"id", "severity", "url"} <= e.keys() for e in entries):
        return None
    return (
        Advisory(package, _severity(entry["severity"]), _text(entry["id"]), _text(entry["url"]))
        for package, found in value.items()
        for entry in _list(found)
    )


def _yarn_lines(values: list[Any]) -> Iterator[Advisory] | None:
    """yarn classic: one event a line, an advisory for each path to it."""
    if not all(isinstance(value, dict) and isinstance(value.get("type"), str) for value in values):
        return None
    if not any(value["type"] in ("auditAdvisory", "auditSummary") for value in values):
        return None
    advisories = (_dict(_dict(v.get("data")).get("advisory")) for v in values if v["type"] == "auditAdvisory")
    return (_npm_advisory("", entry) for entry in advisories)


def _berry_lines(values: list[Any]) -> Iterator[Advisory] | None:
    """yarn 4: one package a line."""
    if not values or not all("Severity" in _dict(_dict(value).get("children")) for value in values):
        return None
    return (
        Advisory(_text(v.get("value")), _severity(c.get("Severity")), _text(c.get("ID")), _text(c.get("URL")))
        for v in values
        for c in [v["children"]]
    )


PARSERS: dict[str, Callable[[Any], Iterator[Advisory] | None]] = {
    "npm": _npm,
    "npm-advisories": _npm_advisories,
    "cargo-audit": _cargo,
    "pip-audit": _pip,
    "osv-scanner": _osv,
    "bun": _bun,
}
LINE_PARSERS: dict[str, Callable[[list[Any]], Iterator[Advisory] | None]] = {
    "yarn-classic": _yarn_lines,
    "yarn-berry": _berry_lines,
}


def parse(output: bytes) -> Report:
    """The report that a program printed; raises `NotAReport`."""
    try:
        text = output.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise NotAReport(f"byte {error.start + 1} of the output is not UTF-8") from error
    if not text:
        raise NotAReport("the output is empty")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _read("one JSON value a line", LINE_PARSERS, _json_lines(text))
    if isinstance(value, dict) and "error" in value:
        raise NotAReport("the output is the program's own error")
    try:
        return _read("JSON", PARSERS, value)
    except NotAReport:
        return _read("JSON", LINE_PARSERS, [value])


def _json_lines(text: str) -> list[Any]:
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise NotAReport("the output is no JSON") from error


def _read(kind: str, parsers: dict[str, Callable[[Any], Iterator[Advisory] | None]], value: Any) -> Report:
    for name, parser in parsers.items():
        found = parser(value)
        if found is not None:
            advisories = tuple(found)
            if not all(advisory.package for advisory in advisories):
                raise NotAReport(f"the report of {name} has an advisory without a package")
            return Report(name, advisories)
    raise NotAReport(f"the output is {kind}, and no audit report that is known here")
