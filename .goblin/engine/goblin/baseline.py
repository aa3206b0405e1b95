"""Records today's findings of lint rows, so that a legacy repository can adopt them and only improve."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from goblin import atomic, engine
from goblin.facts import Facts
from goblin.manifest import Manifest, takes_waivers
from goblin.outcome import CannotRun, Finding, Verdict
from goblin.redact import clean
from goblin.waivers import BASELINE, Fingerprints, Waiver, Waivers, baseline_of, recordable


class Written(NamedTuple):
    """What became of the file: lines kept or recorded, lines dropped, and findings that were refused."""

    recorded: int
    dropped: int
    refused: tuple[tuple[str, Finding], ...]


def write(facts: Facts, only: Sequence[str]) -> Written:
    """Record the findings of these rows in `.goblin/baseline.tsv`; the lines of other rows stay.

    A row that stands in the baseline already may only lose lines: findings beyond them are refused,
    and nothing is written then. Raises `CannotRun` for a row that takes no waivers or cannot be judged.
    """
    manifest: Manifest = facts.get("manifest")
    rows = engine.select(manifest, only)
    waivers: Waivers = facts.get("waivers")
    if waivers.faults:
        file, fault = waivers.faults[0]
        raise CannotRun(f"{file}:{fault.line}: {fault.message}", f"mend the line, or delete {file}")
    wrong = [row.id for row in rows if not takes_waivers(row)]
    if wrong:
        raise CannotRun(
            f"{', '.join(wrong)}: only lint rows take a baseline", "goblin-verify --list shows which are"
        )
    known = [line for line in waivers.lines if line.baseline]
    prints = Fingerprints(facts.get("tree"))
    found: list[tuple[str, Finding, str]] = []
    for row, outcome in engine.raw(facts, rows):
        if outcome.verdict is Verdict.FAIL and not outcome.findings:
            raise CannotRun(f"{row.id} fails without naming a place: {outcome.summary}", row.remedy)
        if outcome.verdict is Verdict.FAIL:
            odd = [finding.path for finding in outcome.findings if not _can_stand(finding.path)]
            if odd:
                told = f"{row.id} flags {clean(odd[0])!r}, a name that no line of {BASELINE} can hold"
                raise CannotRun(told, "rename the file, or mend what is flagged in it")
            names = prints.of(row.id, outcome.findings)
            found += [(row.id, f, name) for f, name in zip(outcome.findings, names, strict=True) if name]
    refused = _beyond(found, known)
    if refused:
        return Written(0, 0, refused)
    chosen = {row.id for row in rows}
    others = [(line.row, Finding(line.path), line.fingerprint) for line in known if line.row not in chosen]
    data = baseline_of([*others, *found])
    atomic.write(os.path.join(facts.run.root, BASELINE), data)
    lines = data.count(b"\n") - 1 - len(others)
    before = sum(line.row in chosen for line in known)
    return Written(lines, max(before - lines, 0), ())


def _can_stand(path: str) -> bool:
    return not path or recordable(path)  # a finding without a place stays red by itself


def _beyond(
    found: Sequence[tuple[str, Finding, str]], known: Sequence[Waiver]
) -> tuple[tuple[str, Finding], ...]:
    rows = {line.row for line in known}
    keys = {line.key for line in known}
    return tuple((row, f) for row, f, name in found if row in rows and (row, f.path, name) not in keys)
