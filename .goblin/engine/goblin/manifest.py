"""The typed rows of every table, and the faults that make a manifest unusable (exit 3).

`enforcement.tsv` is the matrix: one row a rule. The other tables are data that rows read; a wrong
value there is a FAIL of the row that owns it, while a broken header or field count anywhere is
a broken manifest (decided 2 and 31).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin import home
from goblin.outcome import CannotRun
from goblin.pattern import lazy
from goblin.tables import Record, TableError, read

if TYPE_CHECKING:
    from goblin.facts import Run

COLUMNS = ("id", "scope", "part", "enforced_by", "rule", "artifact", "check", "remedy", "blind_spot")
SCOPES = ("target", "source")
ENFORCED_BY = ("script", "lint", "gate", "advisory", "test")
PARTS = (
    *("handoff", "spec", "gate", "replay", "ratchet"),
    *("pr-gate", "review-panel", "playbooks", "tokens", "ci-gate", "anchor"),
)
"""The class parts that a row may ride on (manifest/classes.tsv says what each class needs of them)."""

ON_REQUEST = ("anchor",)
"""Optional parts that are off until `--parts` or `--opt-in` names them (the record's `opted_in`)."""

TABLES: dict[str, tuple[str, ...]] = {
    "classes.tsv": ("class", "part", "need"),
    "roles.tsv": ("role", "capability", "profiles", "used_by", "budget"),
    "controls.tsv": ("row", "control", "mutate", "expect", "because"),
    "playbooks.tsv": ("id", "playbook", "when", "steps", "verification", "profiles", "role"),
    "glossary.tsv": ("term", "definition", "source"),
    "families.tsv": ("family", "title", "cannot_see"),
    "models.tsv": ("name", "family", "numbers", "variants"),
    "events.tsv": ("type", "meaning", "required", "optional"),
    "bans.tsv": ("id", "ban", "globs", "detect", "replacement", "escape", "reviewer", "source"),
}
RULES = ".goblin/rules"
ID = lazy(r"[A-Z]{2,3}-[0-9]{2}")
FUNCTION = lazy(r"(checks|rules)/([a-z0-9_]+\.py)::([a-z_][a-z0-9_]*)")
_LIMIT = 4 << 20


class ManifestBroken(Exception):
    """The tables cannot be trusted to say what to run: exit 3, decided before any row runs."""


class Row(NamedTuple):
    """One rule of the matrix."""

    id: str
    scope: str
    part: str  # "" where no class part switches the row
    enforced_by: str
    rule: str
    artifact: str
    check: str
    remedy: str
    blind_spot: str
    line: int = 0
    project: bool = False  # added by the adopter in .goblin/rules/

    @property
    def family(self) -> str:
        """The letters before the hyphen."""
        return self.id.partition("-")[0]

    @property
    def advisory(self) -> bool:
        """True for a row that the matrix labels as having no mechanism (SK-03 counts these)."""
        return self.enforced_by == "advisory" or self.check == "advisory"


class Manifest:
    """The matrix and the tables beside it, from one folder."""

    def __init__(self, folder: str, rows: tuple[Row, ...], tables: dict[str, tuple[Record, ...]]) -> None:
        self.folder = folder
        self.rows = rows
        self._tables = tables

    def table(self, name: str) -> tuple[Record, ...]:
        """The records of one of `TABLES`; none where the file is absent (its owner row says so)."""
        return self._tables.get(name, ())

    def has(self, name: str) -> bool:
        """True when the folder holds this table."""
        return name in self._tables

    def by_id(self) -> dict[str, Row]:
        """The rows by id."""
        return {row.id: row for row in self.rows}

    def families(self) -> dict[str, tuple[str, str]]:
        """Family letters to (title, what it cannot see)."""
        return {record.cells[0]: (record.cells[1], record.cells[2]) for record in self.table("families.tsv")}


def _bytes(path: str, shown: str) -> bytes | None:
    if os.path.islink(path):
        raise ManifestBroken(f"{shown} is a symbolic link; put the file itself there")
    if not os.path.lexists(path):
        return None
    if not os.path.isfile(path):
        raise ManifestBroken(f"{shown} is no regular file")
    try:
        with open(path, "rb") as stream:
            data = stream.read(_LIMIT + 1)
    except OSError as error:
        raise ManifestBroken(f"{shown}: {error.strerror}") from error
    if len(data) > _LIMIT:
        raise ManifestBroken(f"{shown}: larger than {_LIMIT >> 20} MiB")
    return data


def _table(folder: str, name: str, shown: str, columns: tuple[str, ...]) -> tuple[Record, ...] | None:
    data = _bytes(os.path.join(folder, name), f"{shown}/{name}")
    if data is None:
        return None
    try:
        return read(data, columns, f"{shown}/{name}")
    except TableError as error:
        raise ManifestBroken(str(error)) from error


def _rows(records: tuple[Record, ...], source: str, *, project: bool) -> list[Row]:
    rows = []
    for record in records:
        cells = [cell.strip() for cell in record.cells]
        row = Row(*cells, line=record.line, project=project)  # type: ignore[arg-type, misc]
        row = row._replace(part="" if row.part == "-" else row.part)
        problem = _problem(row, project)
        if problem:
            raise ManifestBroken(f"{source}:{record.line}: {problem}")
        rows.append(row)
    return rows


def _problem(row: Row, project: bool) -> str:
    """What makes a row unusable, in words that say which cell to mend; "" when nothing does."""
    if not ID.fullmatch(row.id):
        return f"the id {row.id!r} is not two or three capitals, a hyphen and two digits"
    if not row.check:
        return f"{row.id} has an empty check: give it a command, or label it advisory"
    if row.scope not in SCOPES:
        return f"{row.id} has the scope {row.scope!r}; it is one of: {' '.join(SCOPES)}"
    if row.enforced_by not in ENFORCED_BY:
        return f"{row.id} is enforced by {row.enforced_by!r}; it is one of: {' '.join(ENFORCED_BY)}"
    if row.part and row.part not in PARTS:
        return f"{row.id} names the part {row.part!r}; it is '-' or one of: {' '.join(sorted(PARTS))}"
    if "::" in row.check.split(" ")[0]:
        return _function_problem(row, "rules" if project else "checks")
    return ""


def _function_problem(row: Row, folder: str) -> str:
    match = FUNCTION.fullmatch(row.check)
    if not match or match[1] != folder:
        return f"{row.id} names {row.check!r}; a function reads {folder}/<file>.py::<name>"
    if folder == "checks" and not defines(home.path("checks", match[2]), match[3]):
        return f"{row.id} names {row.check}, and there is no such function"
    return ""


_SOURCES: dict[str, bytes] = {}


def defines(path: str, name: str) -> bool:
    """True when a Python file defines a function of this name at its top level (without importing it)."""
    if path not in _SOURCES:
        try:
            with open(path, "rb") as stream:
                _SOURCES[path] = b"\n" + stream.read()
        except OSError:
            _SOURCES[path] = b""
    return f"\ndef {name}(".encode() in _SOURCES[path]


def load(run: Run) -> Manifest:
    """Read every table of the repository under test (or of `run.manifest_dir`).

    Raises `CannotRun` where there is no matrix at all and `ManifestBroken` for a structural fault.
    """
    return read_folder(run.manifest_dir or os.path.join(run.root, ".goblin", "manifest"), run.root)


def read_folder(folder: str, root: str = "") -> Manifest:
    """The same for a folder of tables; `root` is where project rows and relative names come from."""
    shown = os.path.relpath(folder, root) if root and folder.startswith(root + os.sep) else folder
    if root and _leaves(folder, root):
        raise ManifestBroken(f"{shown} is a link that leaves the repository")
    matrix = _table(folder, "enforcement.tsv", shown, COLUMNS)
    if matrix is None:
        raise CannotRun(
            f"not installed: there is no {shown}/enforcement.tsv",
            "goblin-install --target . --class A",
        )
    rows = _rows(matrix, f"{shown}/enforcement.tsv", project=False)
    if not rows:
        raise ManifestBroken(f"{shown}/enforcement.tsv holds no row")
    rows += _project_rows(root, {row.family for row in rows})
    _no_duplicates(rows, shown)
    if not any(row.id == "IN-03" for row in rows):
        raise ManifestBroken(f"{shown}/enforcement.tsv lacks IN-03, the row that holds the matrix whole")
    tables = {}
    for name, columns in TABLES.items():
        records = _table(folder, name, shown, columns)
        if records is not None:
            tables[name] = records
    if root:
        extra = _table(os.path.join(root, RULES), "controls.tsv", RULES, TABLES["controls.tsv"])
        tables["controls.tsv"] = tables.get("controls.tsv", ()) + (extra or ())
        own = _table(os.path.join(root, RULES), "bans.tsv", RULES, TABLES["bans.tsv"])
        tables["rules/bans.tsv"] = own or ()
    return Manifest(folder, tuple(rows), tables)


def _leaves(folder: str, root: str) -> bool:
    inside = os.path.abspath(folder).startswith(root + os.sep)
    return inside and not os.path.realpath(folder).startswith(os.path.realpath(root) + os.sep)


def _project_rows(root: str, shipped: set[str]) -> list[Row]:
    if not root:
        return []
    if _leaves(os.path.join(root, RULES), root):
        raise ManifestBroken(f"{RULES} is a link that leaves the repository")
    records = _table(os.path.join(root, RULES), "enforcement.tsv", RULES, COLUMNS)
    rows = _rows(records or (), f"{RULES}/enforcement.tsv", project=True)
    for row in rows:
        if row.family in shipped:
            raise ManifestBroken(
                f"{RULES}/enforcement.tsv:{row.line}: {row.id} uses the shipped family {row.family}; "
                "choose other letters for your own rules"
            )
    return rows


def _no_duplicates(rows: list[Row], shown: str) -> None:
    seen: dict[str, Row] = {}
    for row in rows:
        first = seen.setdefault(row.id, row)
        if first is not row:
            where = RULES if row.project else shown
            raise ManifestBroken(
                f"{where}/enforcement.tsv:{row.line}: {row.id} stands a second time "
                f"(first in line {first.line})"
            )


def takes_waivers(row: Row) -> bool:
    """True for the rows whose findings may be waived: those that the matrix labels lint (decided 38)."""
    return row.enforced_by == "lint"


def suggest(name: str, known: Sequence[str]) -> str:
    """` (did you mean X?)` for a near miss, else nothing."""
    from difflib import get_close_matches

    near = get_close_matches(name.upper(), known, n=1, cutoff=0.5)
    return f" (did you mean {near[0]}?)" if near else ""
