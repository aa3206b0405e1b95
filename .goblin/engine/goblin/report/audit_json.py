"""The audit as JSON: one object on one line (schemas/audit.schema.json), nothing else."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from goblin.loop.audit import Audit
from goblin.loop.pointers import stamp
from goblin.report.audit_words import Set

SCHEMA_VERSION = 1


def render(found: Set) -> str:
    """The report as one line of ASCII JSON."""
    value = {
        "schema_version": SCHEMA_VERSION,
        "version": found.version,
        "at": found.at,
        "reached": found.reached,
        "without_record": list(found.without),
        "audits": [_audit(audit) for audit in found.audits],
    }
    return json.dumps(value, ensure_ascii=True) + "\n"


def _audit(audit: Audit) -> dict[str, Any]:
    value: dict[str, Any] = _plain(audit)
    value["reached"] = audit.reached
    value["counts"]["kinds"] = dict(audit.counts.kinds)
    for told, tick in zip(value["timeline"], audit.timeline, strict=True):
        told["kinds"] = dict(tick.kinds)
    value["streaks"] = [
        {"first": one.lines[0], "last": one.lines[-1], "rows": len(one.lines), "pointer": list(one.pointer)}
        for one in audit.streaks
    ]
    return value


def _plain(value: object) -> Any:
    """Named tuples as objects, other tuples as lists, instants as text."""
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        if names is None:
            return [_plain(item) for item in value]
        return {name: _plain(item) for name, item in zip(names, value, strict=True)}
    return value


def error(message: str, exit_code: int) -> str:
    """What stands on stdout instead of a report when no audit could be made."""
    return json.dumps({"error": message, "exit": exit_code}) + "\n"
