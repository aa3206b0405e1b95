"""Waivers and the baseline: findings that somebody owns until a date, or that were there at adoption.

`.goblin/waivers.tsv` holds `row path fingerprint reason owner until` and `.goblin/baseline.tsv`
`row path fingerprint`. A fingerprint follows the flagged line, not its number: it survives moves
and ends when the line changes. Only lint rows take waivers; row WV-01 judges the files (decided 38).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from goblin import clock
from goblin.manifest import Manifest, Row, suggest, takes_waivers
from goblin.outcome import Finding, Outcome, Verdict, passed
from goblin.paths import ReadRefused, Tree
from goblin.tables import Fault, parse, write

WAIVERS = ".goblin/waivers.tsv"
BASELINE = ".goblin/baseline.tsv"
COLUMNS = ("row", "path", "fingerprint", "reason", "owner", "until")
KEPT = ("row", "path", "fingerprint")
LONGEST = timedelta(days=180)
"""How far ahead a waiver may end."""

SOON = timedelta(days=14)
"""How long before it ends a waiver is named, so that nobody meets it first as a red run."""


class Waiver(NamedTuple):
    """One line of the waivers or, with no reason and no end, of the baseline."""

    file: str
    line: int
    row: str
    path: str
    fingerprint: str
    reason: str = ""
    owner: str = ""
    until: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What it covers."""
        return self.row, self.path, self.fingerprint

    def told(self) -> str:
        """Why it covers a finding, as reports say it beside that finding."""
        if self.baseline:
            return "in the baseline"
        return f"waived until {self.until} by {self.owner}: {self.reason}"

    @property
    def baseline(self) -> bool:
        """True for a finding that was there when the repository adopted the row."""
        return self.file == BASELINE


class Waivers(NamedTuple):
    """Both files as they are. `present` names those that exist."""

    lines: tuple[Waiver, ...] = ()
    faults: tuple[tuple[str, Fault], ...] = ()
    present: tuple[str, ...] = ()

    def rows(self) -> list[str]:
        """The ids that the files name, each once."""
        return list(dict.fromkeys(line.row for line in self.lines))

    def wrong(self, judged: dict[str, Outcome], manifest: Manifest, prints: Fingerprints) -> list[Finding]:
        """What is wrong with each line, by itself or against what the rows really found.

        `judged` holds what each row that is named here concluded before anything was waived. A row
        that was skipped did not look, so it says nothing about its lines.
        """
        known = manifest.by_id()
        found = {
            row: {(f.path, name) for f, name in zip(out.findings, prints.of(row, out.findings), strict=True)}
            for row, out in judged.items()
            if out.verdict in (Verdict.PASS, Verdict.FAIL)
        }
        seen: dict[tuple[str, str, str], Waiver] = {}
        findings = []
        for line in self.lines:
            row = known.get(line.row)
            first = seen.setdefault(line.key, line)
            if row is None:
                why = f"there is no row {line.row}{suggest(line.row, list(known))}"
            elif not takes_waivers(row):
                why = f"{line.row} takes no waivers; only lint rows do"
            elif first is not line:
                why = f"it stands twice (also {first.file}:{first.line}); delete this line"
            else:
                why = problem(line)
                if not why and line.row in found and (line.path, line.fingerprint) not in found[line.row]:
                    why = f"it covers no finding of {line.row} any more; delete this line"
            if why:
                findings.append(Finding(line.file, line.line, 0, why))
        return findings

    def ending(self) -> list[Finding]:
        """The waivers that end soon, each with the day and its owner."""
        last = clock.today() + SOON
        return [
            Finding(line.file, line.line, 0, f"it ends on {line.until}; {line.owner} owns it")
            for line in self.lines
            if not line.baseline and not problem(line) and date.fromisoformat(line.until) <= last
        ]

    def in_force(self, row: str) -> dict[tuple[str, str, str], Waiver]:
        """What covers findings of a row today: a fault in a line takes its force."""
        return {line.key: line for line in self.lines if line.row == row and not problem(line)}


def problem(waiver: Waiver) -> str:
    """What is wrong with a line by itself; "" when nothing is."""
    if waiver.baseline:
        return ""
    for name, text in (("reason", waiver.reason), ("owner", waiver.owner)):
        if not any(map(str.isalnum, text)):
            return f"it gives no {name}"
    end = clock.parse_date(waiver.until)
    if end is None:
        return f"until is {waiver.until!r}, which is no date YYYY-MM-DD"
    return _out_of_time(end, waiver.owner)


def _out_of_time(end: date, owner: str) -> str:
    today = clock.today()
    if end < today:
        return f"it ended on {end}; {owner} owns it"
    if end > today + LONGEST:
        return f"it ends on {end}, more than {LONGEST.days} days ahead"
    return ""


def read(tree: Tree) -> Waivers:
    """Read both files. Raises `ReadRefused` for one that is there and cannot be read."""
    lines: list[Waiver] = []
    faults: list[tuple[str, Fault]] = []
    present = []
    for file, columns in ((WAIVERS, COLUMNS), (BASELINE, KEPT)):
        if tree.kind(file) == "missing":
            continue
        present.append(file)
        table = parse(tree.read(file), columns, comments=True)
        lines += [Waiver(file, record.line, *map(str.strip, record.cells)) for record in table.records]
        faults += [(file, fault) for fault in table.faults]
    return Waivers(tuple(lines), tuple(faults), tuple(present))


def load(tree: Tree) -> Waivers:
    """The fact `waivers`: both files, none of which need exist."""
    from goblin.outcome import CheckFailed

    try:
        return read(tree)
    except ReadRefused as error:
        raise CheckFailed(str(error), remedy="make it a regular UTF-8 file, or delete it") from error


class Fingerprints:
    """Names the findings of rows; reads each flagged file once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._lines: dict[str, list[str]] = {}

    def of(self, row: str, findings: Sequence[Finding]) -> list[str]:
        """The fingerprint of each finding, in order; "" for one without a path."""
        from goblin.digest import sha256

        seen: dict[tuple[str, str], int] = {}
        names = []
        for finding in findings:
            if not finding.path:
                names.append("")
                continue
            text = self._text(finding)
            ordinal = seen[finding.path, text] = seen.get((finding.path, text), 0) + 1
            name = f"{row}\n{finding.path}\n{text}\n{ordinal}"
            names.append(sha256(name.encode("utf-8", "surrogateescape"))[:16])
        return names

    def _text(self, finding: Finding) -> str:
        if not finding.line:
            return ""
        if finding.path not in self._lines:
            try:
                data = self._tree.read(finding.path)
            except ReadRefused:
                data = b""
            self._lines[finding.path] = data.decode("utf-8", "replace").split("\n")
        lines = self._lines[finding.path]
        return " ".join(lines[finding.line - 1].split()) if finding.line <= len(lines) else ""


def apply(
    row: Row, outcome: Outcome, waivers: Waivers, prints: Fingerprints
) -> tuple[Outcome, tuple[Finding, ...]]:
    """The outcome without the findings that are waived, and those findings.

    A FAIL whose every finding is waived passes; its line says how many. A finding without a place
    cannot be waived, nor can a FAIL that names none.
    """
    if outcome.verdict is not Verdict.FAIL or not takes_waivers(row):
        return outcome, ()
    covered = waivers.in_force(row.id)
    if not covered:
        return outcome, ()
    names = prints.of(row.id, outcome.findings)
    pairs = list(zip(outcome.findings, names, strict=True))
    waived = tuple(
        f._replace(message=f"{f.message} [{covered[row.id, f.path, name].told()}]".strip())
        for f, name in pairs
        if (row.id, f.path, name) in covered
    )
    if not waived:
        return outcome, ()
    left = tuple(f for f, name in pairs if (row.id, f.path, name) not in covered)
    note = f"({len(waived)} waived)"
    if left:
        return outcome._replace(summary=_noted(outcome.summary, note), findings=left), waived
    return passed(f"every finding is waived {note}"), waived


def with_a_way_out(row: Row, outcome: Outcome, waivers: Waivers) -> Outcome:
    """A failed outcome whose remedy also says where a finding goes that cannot be mended now.

    A row that stands in the baseline takes no more there, so only the waivers are named.
    """
    if outcome.verdict is not Verdict.FAIL or not any(recordable(f.path) for f in outcome.findings):
        return outcome
    told = f"or own it until a date: goblin-verify --write-waivers {row.id}"
    if not any(line.baseline and line.row == row.id for line in waivers.lines):
        told += f", or record what is there: goblin-verify --write-baseline {row.id}"
    remedy = outcome.remedy or ("" if row.remedy == "-" else row.remedy)
    return outcome._replace(remedy="; ".join(filter(None, [remedy.rstrip(".;"), told])))


def _noted(summary: str, note: str) -> str:
    first, line_break, rest = summary.partition("\n")
    return f"{first} {note}{line_break}{rest}"


def recordable(path: str) -> bool:
    """True for a path that a line of either file can hold and give back."""
    odd = any(char in "\t\n\r\0" or "\ud800" <= char <= "\udfff" for char in path)
    return bool(path) and path == path.strip() and not odd


def baseline_of(found: Iterable[tuple[str, Finding, str]]) -> bytes:
    """The bytes of a baseline that holds these findings (row, finding, fingerprint), sorted.

    Raises `ValueError` for a path that is not `recordable`.
    """
    return write(KEPT, sorted({(row, finding.path, name) for row, finding, name in found if name}))


def kept_lines(data: bytes) -> set[tuple[str, str, str]]:
    """Row, path and fingerprint of each line of a baseline; a line that is none is left out."""
    found = (map(str.strip, record.cells) for record in parse(data, KEPT, comments=True).records)
    return {(row, path, name) for row, path, name in found}
