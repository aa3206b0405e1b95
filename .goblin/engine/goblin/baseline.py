"""Records today's findings of lint rows: in the baseline, which may only shrink, or as waivers to fill in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from goblin import atomic, clock, engine
from goblin.facts import Facts
from goblin.manifest import Manifest, takes_waivers
from goblin.outcome import CannotRun, Finding, Verdict
from goblin.redact import clean
from goblin.tables import line_of
from goblin.tables import write as table
from goblin.waivers import (
    BASELINE,
    COLUMNS,
    WAIVERS,
    Fingerprints,
    Waiver,
    Waivers,
    baseline_of,
    recordable,
)


class Written(NamedTuple):
    """What became of the file: lines kept or recorded, lines dropped, and findings that were refused."""

    recorded: int
    dropped: int
    refused: tuple[tuple[str, Finding], ...]


def write(facts: Facts, only: Sequence[str]) -> Written:
    """Record the findings of these rows in `.goblin/baseline.tsv`; the lines of other rows stay.

    A row that stands in the baseline already may only lose lines: findings beyond them are refused and
    not recorded. Raises `CannotRun` for a row that takes no waivers or cannot be judged.
    """
    waivers = _whole(facts)
    known = [line for line in waivers.lines if line.baseline]
    found = _found(facts, only, BASELINE)
    new = _beyond(found, known)
    found = [one for one in found if one not in new]
    chosen = set(only)
    others = [(line.row, Finding(line.path), line.fingerprint) for line in known if line.row not in chosen]
    data = baseline_of([*others, *found])
    atomic.write(os.path.join(facts.run.root, BASELINE), data)
    lines = data.count(b"\n") - 1 - len(others)
    before = sum(line.row in chosen for line in known)
    return Written(lines, max(before - lines, 0), tuple((row, finding) for row, finding, _ in new))


def open_waivers(facts: Facts, only: Sequence[str]) -> list[Waiver]:
    """Append a line to `.goblin/waivers.tsv` for each finding of these rows that no line covers.

    It ends in 90 days. Reason and owner are left empty: until somebody writes them it has no force (WV-01).
    Returns the new lines. Raises `CannotRun` for a row that takes no waivers or cannot be judged.
    """
    waivers = _whole(facts)
    covered = {line.key for line in waivers.lines}
    until = str(clock.today() + timedelta(days=90))
    keys = ((row, finding.path, name) for row, finding, name in _found(facts, only, WAIVERS))
    cells = [(*key, "", "", until) for key in sorted(set(keys) - covered)]
    data = facts.get("tree").read(WAIVERS) if WAIVERS in waivers.present else table(COLUMNS, ())
    data += b"" if data.endswith(b"\n") or not data else b"\n"
    first = data.count(b"\n") + 1
    if cells:
        atomic.write(os.path.join(facts.run.root, WAIVERS), data + b"".join(map(line_of, cells)))
    return [Waiver(WAIVERS, line, *texts) for line, texts in enumerate(cells, first)]


def _whole(facts: Facts) -> Waivers:
    """Both files. Raises `CannotRun` for one that is broken."""
    waivers: Waivers = facts.get("waivers")
    if waivers.faults:
        file, fault = waivers.faults[0]
        raise CannotRun(f"{file}:{fault.line}: {fault.message}", f"mend the line, or delete {file}")
    return waivers


def _found(facts: Facts, only: Sequence[str], file: str) -> list[tuple[str, Finding, str]]:
    """Row, finding and fingerprint of what these rows flag in a file, whether it is waived or not."""
    manifest: Manifest = facts.get("manifest")
    rows = engine.select(manifest, only)
    wrong = [row.id for row in rows if not takes_waivers(row)]
    if wrong:
        told = f"{', '.join(wrong)}: only lint rows take a {'baseline' if file == BASELINE else 'waiver'}"
        raise CannotRun(told, "goblin-verify --list shows which are")
    prints = Fingerprints(facts.get("tree"))
    found: list[tuple[str, Finding, str]] = []
    for row, outcome in engine.raw(facts, rows):
        if outcome.verdict is not Verdict.FAIL:
            continue
        if not any(finding.path for finding in outcome.findings):
            raise CannotRun(f"{row.id} fails without naming a place: {outcome.summary}", row.remedy)
        odd = [finding.path for finding in outcome.findings if not _can_stand(finding.path)]
        if odd:
            told = f"{row.id} flags {clean(odd[0])!r}, a name that no line of {file} can hold"
            raise CannotRun(told, "rename the file, or mend what is flagged in it")
        names = prints.of(row.id, outcome.findings)
        found += [(row.id, f, name) for f, name in zip(outcome.findings, names, strict=True) if name]
    return found


def _can_stand(path: str) -> bool:
    return not path or recordable(path)  # a finding without a place stays red by itself


def _beyond(
    found: Sequence[tuple[str, Finding, str]], known: Sequence[Waiver]
) -> list[tuple[str, Finding, str]]:
    """What no line covers of the rows that stand in the baseline."""
    rows = {line.row for line in known}
    keys = {line.key for line in known}
    return [one for one in found if one[0] in rows and (one[0], one[1].path, one[2]) not in keys]
