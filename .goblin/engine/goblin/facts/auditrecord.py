"""Fact `audit`: the audit record and its waivers, one grammar for who writes and who reads (SC-07).

Both are UTF-8, LF ends a line, `#` begins a comment, one TAB stands between cells. The record has one
line `measured YYYY-MM-DD` and a row for each high or critical advisory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.paths import Tree

LIMIT = 8 << 20

SEVERITIES = ("info", "low", "moderate", "high", "critical")
JUDGED = ("high", "critical")
RECORD = ".goblin/audit.tsv"
WAIVERS = ".goblin/audit-waiver.tsv"
NONE = "# no high|critical advisories"

_BLANK = lazy(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_MEASURED = lazy(r"measured\s+(.*)")
_LOCK = lazy(r"#\s*lockfile:\s*(\S+)\s+sha256:([0-9a-fA-F]{64})\s*$")
_GHSA = lazy(r"GHSA(?:-[0-9a-z]{4}){3}", re.IGNORECASE)


class Advisory(NamedTuple):
    """One advisory about one package. An unknown cell is empty."""

    package: str
    severity: str
    id: str
    url: str = ""


class Row(NamedTuple):
    """An advisory as the record holds it."""

    advisory: Advisory
    line: int


class Fault(NamedTuple):
    """What is wrong with one line."""

    line: int
    message: str


class Record(NamedTuple):
    """A record. `measured` is as written, "" without such a line."""

    measured: str
    line: int  # of `measured`
    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]
    locks: tuple[tuple[str, str], ...]  # lockfiles with the digest that they had


class Waiver(NamedTuple):
    """One accepted advisory. Cells that are absent are empty."""

    package: str
    severity: str
    id: str
    date: str
    reason: str
    line: int

    @property
    def has_reason(self) -> bool:
        """True where the reason holds a letter or a digit of any script (decided 25)."""
        return any(char.isalnum() for char in self.reason)

    def matches(self, advisory: Advisory) -> bool:
        """True where the waiver is about this advisory, whatever its date says."""
        if self.package != advisory.package:
            return False
        if self.severity.lower() not in ("*", advisory.severity):
            return False
        names = {advisory.id.lower(), *(found.lower() for found in _GHSA.findall(advisory.url))}
        return self.id == "*" or self.id.lower() in names - {""}


def cell(text: str) -> str:
    """A text as one cell: nothing in it can end a cell or a line."""
    return _BLANK.sub(" ", text).strip()


def render(advisories: Iterable[Advisory], day: str, comments: Sequence[str]) -> bytes:
    """A record. Raises `ValueError` for a package whose line would not read back as a row."""
    lines = [f"# {cell(comment)}" for comment in comments]
    lines += ["# one line for each high or critical advisory: package, severity, id, url", f"measured {day}"]
    rows = sorted({tuple(cell(text) for text in a) for a in advisories if a.severity in JUDGED})
    for cells in rows:
        if not cells[0] or cells[0].startswith("#") or _MEASURED.match(cells[0]):
            raise ValueError(f"no package can be called {cells[0]!r}")
        lines.append("\t".join(cells))
    lines += [] if rows else [NONE]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _lines(data: bytes) -> Iterable[tuple[int, str]]:
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return enumerate((line.removesuffix("\r") for line in text.split("\n")), start=1)


def parse(data: bytes) -> Record:
    """A record, with a fault for each line that is none; never raises."""
    measured, at = "", 0
    rows: list[Row] = []
    faults: list[Fault] = []
    locks: list[tuple[str, str]] = []
    for number, line in _lines(data):
        if line.startswith("#") or not line.strip():
            if lock := _LOCK.match(line):
                locks.append((lock[1], lock[2].lower()))
            continue
        if "\t" not in line and (found := _MEASURED.fullmatch(line.strip())):
            if not at:
                measured, at = found[1].strip(), number
            continue
        cells = [text.strip() for text in line.split("\t")]
        if len(cells) < 3:
            faults.append(
                Fault(number, f"{len(cells)} cell(s) where a row has 3 or 4: one TAB between cells")
            )
        elif cells[1].lower() not in SEVERITIES:
            faults.append(Fault(number, f"the severity {cells[1]!r} is none of {' '.join(SEVERITIES)}"))
        else:
            rows.append(
                Row(Advisory(cells[0], cells[1].lower(), cells[2], cells[3] if cells[3:] else ""), number)
            )
    return Record(measured, at, tuple(rows), tuple(faults), tuple(locks))


def parse_waivers(data: bytes) -> tuple[tuple[Waiver, ...], tuple[Fault, ...]]:
    """The waivers, and a fault for each line that has not the five cells; never raises."""
    found: list[Waiver] = []
    faults: list[Fault] = []
    for number, line in _lines(data):
        if line.startswith("#") or not line.strip():
            continue
        cells = [text.strip() for text in line.split("\t")]
        if len(cells) < 5:
            told = "package, severity, id, date, reason"
            faults.append(
                Fault(number, f"{len(cells)} cell(s) where a waiver has 5 ({told}): one TAB between")
            )
        package, severity, id_, date, *reason = [*cells, "", "", "", ""]
        if len(cells) > 1:
            found.append(Waiver(package, severity, id_, date, " ".join(reason).strip(), number))
    return tuple(found), tuple(faults)


class Audit:
    """The two files, read when they are asked for."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._tree: Tree = facts.get("tree")

    @cached_property
    def record(self) -> Record | None:
        """The record, or None where there is none; raises `ReadRefused`."""
        if self._tree.kind(RECORD) == "missing":
            return None
        return parse(self._tree.read(RECORD, LIMIT))

    @cached_property
    def waivers(self) -> tuple[tuple[Waiver, ...], tuple[Fault, ...]]:
        """The waivers and the faults of their file; none without it. Raises `ReadRefused`."""
        if self._tree.kind(WAIVERS) == "missing":
            return (), ()
        return parse_waivers(self._tree.read(WAIVERS, LIMIT))

    @property
    def was_known(self) -> str:
        """Where git has seen a record that is gone: a commit, or the index; "" where it has not."""
        if self._facts.run.repo is None:
            return ""
        if self._facts.get("repository").tracks(RECORD):
            return "the index"
        try:
            commits = self._facts.get("path_log").touching(RECORD)
        except CheckFailed:  # no commit yet
            return ""
        return commits[0][:12] if commits else ""

    def changed_locks(self, record: Record) -> tuple[str, ...]:
        """The lockfiles that are no longer those which the record was made for."""
        return tuple(name for name, digest in record.locks if self._digest(name) != digest)

    def _digest(self, name: str) -> str:
        try:
            return hashlib.sha256(self._tree.read(name, 64 << 20)).hexdigest()
        except ReadRefused:
            return ""


def load(facts: Facts) -> Audit:
    """Reads nothing yet."""
    return Audit(facts)
