"""What goes into each tool and what comes out, as JSON Schema."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "boolean"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}


def _object(properties: dict[str, Schema], required: tuple[str, ...] | None = None) -> Schema:
    """An object with these members and no others; all of them are required unless `required` is given."""
    names = list(properties) if required is None else list(required)
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }


def _told(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


def _array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


_TARGET = _told(
    {"type": "string", "minLength": 1, "maxLength": 4096},
    "The root of the repository, from the server's working directory (default: the one around that folder).",
)
_ID = r"[A-Z]{2,3}-[0-9]{2}"
_IDS: Schema = {"type": "string", "pattern": rf"^\s*{_ID}(\s*,\s*{_ID})*\s*$", "maxLength": 4096}
_FINDING = _object(
    {"path": {"type": ["string", "null"]}, "line": {"type": ["integer", "null"]}, "message": _TEXT}
)
_ROW = _object(
    {
        "id": _TEXT,
        "status": {"enum": ["PASS", "FAIL", "ADV", "SKIP"]},
        "detail": _TEXT,
        "remedy": _TEXT,
        "findings": _array(_FINDING),
        "findings_total": _COUNT,
        "waived": _COUNT,
    }
)
_REPORT = {
    "root": _TEXT,
    "gate": _told({"enum": ["PASS", "FAIL"]}, "FAIL where a row failed."),
    "passed": _COUNT,
    "failed": _COUNT,
    "advisory": _COUNT,
    "skipped": _COUNT,
    "exit": {"type": "integer"},
    "notes": _TEXTS,
    "rows": _array(_ROW),
}

NOTHING = _object({})

VERIFY_IN = _object({"only": _told(_IDS, "Ids of rows, separated by commas."), "target": _TARGET}, ())
VERIFY_OUT = _object(_REPORT)

EXPLAIN_IN = _object(
    {
        "row": _told({"type": "string", "pattern": rf"^{_ID}$"}, "The id of a row, such as HP-02."),
        "target": _TARGET,
    },
    ("row",),
)
EXPLAIN_OUT = _object(
    {
        "id": _TEXT,
        "rule": _TEXT,
        "scope": _TEXT,
        "part": {"type": ["string", "null"]},
        "enforced_by": _TEXT,
        "reads": _TEXT,
        "remedy": _TEXT,
        "cannot_see": _TEXT,
        "controls": _array(_object({"name": _TEXT, "expect": _TEXT})),
        "page": _TEXT,
    }
)

BANS_IN = _object({"only": _told(_IDS, "Ids of bans, separated by commas."), "target": _TARGET}, ())
BANS_OUT = _object(_REPORT)

LOOP_STATUS_IN = _object({"target": _TARGET}, ())
LOOP_STATUS_OUT: Schema = {
    "type": "object",
    "description": "What `goblin-loop status --json` prints.",
    "properties": {
        "schema_version": {"const": 1},
        "state": {"enum": ["none", "opening", "open", "closing", "closed"]},
        "predicate": _TEXT,
        "spent": _COUNT,
        "budget": {"type": ["integer", "null"]},
        "last": _TEXT,
        "faults": _TEXTS,
        "next": _TEXTS,
        "rows": _array(_object({"id": _TEXT, "verdict": _TEXT, "summary": _TEXT})),
    },
    "required": ["schema_version", "state", "predicate", "spent", "budget", "last", "faults", "next", "rows"],
}

_ENTRY = _object(
    {
        "token": _TEXT,
        "state": _told(
            {"enum": ["found", "absent", "not searched"]}, "absent: no tracked file holds the token."
        ),
        "files": _TEXTS,
        "files_total": _COUNT,
    }
)
_FEATURE = _object(
    {
        "path": _TEXT,
        "feature": _TEXT,
        "verified": {"type": ["string", "null"]},
        "entry_paths": _array(_ENTRY),
    }
)
MAP_STATUS_OUT = _object(
    {
        "declared": _FLAG,
        "map": {"type": ["string", "null"]},
        "features": _array(_FEATURE),
        "problems": _told(_array(_FINDING), "What FM-01 and FM-02 find."),
        "not_searched": _told({"type": ["string", "null"]}, "Why the entry paths were not searched."),
        "counts": _object({"features": _COUNT, "entry_paths": _COUNT, "found": _COUNT, "problems": _COUNT}),
    }
)

INIT_STATUS_OUT = _object(
    {
        "root": _TEXT,
        "installed": _FLAG,
        "problem": _told({"type": ["string", "null"]}, "Why the install cannot be read."),
        "class": {"type": ["string", "null"]},
        "branch": {"type": ["string", "null"]},
        "gates": _TEXTS,
        "engine": _object(
            {
                "version": {"type": ["string", "null"]},
                "source": _told(
                    {"enum": ["vendored", "external", "package"]},
                    "Where this repository's engine is: in its .goblin/engine, in the config's engine_dir, "
                    "or nowhere but in this package.",
                ),
                "judged_by": _told(_TEXT, "The version that this server judges with."),
            }
        ),
        "verify_present": _FLAG,
        "mcp_registered": _told(_FLAG, ".mcp.json of the root starts goblin-mcp."),
    }
)

LOOP_RECORD_IN = _object(
    {
        "phase": _told({"type": "string", "minLength": 1, "maxLength": 200}, "A word for what the turn did."),
        "decision": _told(
            {"type": "string", "minLength": 1, "maxLength": 200},
            "verdict:done, verdict:continue, verdict:blocked or verdict:wait; any other text is a log row.",
        ),
        "why": _told({"type": "string", "minLength": 1, "maxLength": 4000}, "The reason."),
        "evidence": _told(
            {"type": "string", "minLength": 1, "maxLength": 2000},
            "sha:<commit>, file:<tracked path> or sha256:<digest of an output>, separated by commas.",
        ),
        "result": _told(
            {"enum": ["predicate:red", "predicate:green", "parked", "stuck"]}, "How the predicate stands."
        ),
        "check": _told(_FLAG, "Run the pinned predicate, cite its output, and fill in the result."),
        "target": _TARGET,
    },
    ("phase", "decision", "why"),
)
LOOP_RECORD_OUT = _object({"recorded": _FLAG, "told": _TEXTS})
