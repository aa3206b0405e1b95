"""Selects rows, decides which of them apply, runs them, and keeps their results in matrix order."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin import check
from goblin.facts import Facts
from goblin.manifest import FUNCTION, Manifest, Row
from goblin.outcome import CannotRun, Outcome, Verdict, skipped

if TYPE_CHECKING:
    from goblin.facts.config import Config

ARCHIVED = frozenset({"HP", "GT", "SP", "DS"})
"""Families that `archive: true` waives (spec rows-1, 1.8)."""


class Result(NamedTuple):
    """One row and what it concluded, with the seconds that it took."""

    row: Row
    outcome: Outcome
    seconds: float


class Report(NamedTuple):
    """A whole run. Every report format is a reader of this."""

    root: str
    class_name: str
    archive: bool
    results: tuple[Result, ...]
    labelled: int  # rows of the whole matrix that are labelled advisory (all scopes)
    families: dict[str, tuple[str, str]]
    notes: tuple[str, ...] = ()

    def count(self, verdict: Verdict) -> int:
        """How many rows concluded so."""
        return sum(result.outcome.verdict is verdict for result in self.results)

    @property
    def exit_code(self) -> int:
        """0 when every executed check passed, 1 when one failed; skips and advisories fail nothing."""
        return 1 if self.count(Verdict.FAIL) else 0


def suggest(name: str, known: Sequence[str]) -> str:
    """` (did you mean X?)` for a near miss, else nothing."""
    from difflib import get_close_matches

    near = get_close_matches(name.upper(), known, n=1, cutoff=0.5)
    return f" (did you mean {near[0]}?)" if near else ""


def select(manifest: Manifest, only: Sequence[str]) -> tuple[Row, ...]:
    """The target rows to run, in matrix order; all of them when `only` is empty.

    Raises `CannotRun` for an id that the matrix lacks and for a selection without a target row:
    a typo must never select nothing and report success.
    """
    known = manifest.by_id()
    unknown = [name for name in only if name not in known]
    if unknown:
        told = ", ".join(name + suggest(name, list(known)) for name in unknown)
        raise CannotRun(f"unknown row: {told}", "goblin-verify --list shows every id")
    wanted = frozenset(only)
    rows = tuple(row for row in manifest.rows if row.scope == "target" and (not wanted or row.id in wanted))
    if not rows:
        raise CannotRun(
            f"no row to run: {', '.join(only) or 'the matrix'} has only source rows, "
            "which run in the test suite of goblin-stack itself",
            "select a target row; goblin-verify --list shows the scope of each",
        )
    return rows


def _applies(row: Row, config: Config, static: bool) -> Outcome | None:
    """The visible SKIP of a row that does not apply here, in the order of decided 4; None to run it."""
    if row.part and row.part in config.disabled:
        return skipped(f"{row.rule} (opt-out: {row.part})")
    if config.archive and row.family in ARCHIVED:
        return skipped(f"{row.rule} (archive: true)")
    if static and check.runs_declared_commands(row):
        return skipped(f"{row.rule} (--static: it would run commands that this repository declares)")
    return None


def run(facts: Facts, rows: Sequence[Row]) -> tuple[Result, ...]:
    """Run the rows and return their results in the order given.

    Functions run one after another over shared facts: a call costs microseconds, a thread more.
    Shell rows that a release ships have no side effect and run side by side; a row that the
    repository declares runs alone, after them.
    """
    config: Config = facts.get("config")
    results: dict[str, Result] = {}
    waiting: list[Row] = []
    for row in rows:
        started = time.perf_counter()
        outcome = _applies(row, config, facts.run.static)
        if outcome is None and FUNCTION.fullmatch(row.check) is None and row.check != "advisory":
            waiting.append(row)
            continue
        results[row.id] = _timed(row, outcome or check.run(row, facts), started)
    for result in _shell_rows(waiting, facts):
        results[result.row.id] = result
    return tuple(results[row.id] for row in rows)


def _timed(row: Row, outcome: Outcome, started: float) -> Result:
    return Result(row, _worded(row, outcome), time.perf_counter() - started)


def _run_one(row: Row, facts: Facts) -> Result:
    started = time.perf_counter()
    return _timed(row, check.run(row, facts), started)


def _shell_rows(rows: list[Row], facts: Facts) -> list[Result]:
    shared = [row for row in rows if not check.declared_by_repository(row)]
    alone = [row for row in rows if check.declared_by_repository(row)]
    results: list[Result] = []
    if len(shared) > 1:
        import os
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
            results += pool.map(lambda row: _run_one(row, facts), shared)
    else:
        results += [_run_one(row, facts) for row in shared]
    return results + [_run_one(row, facts) for row in alone]


def _worded(row: Row, outcome: Outcome) -> Outcome:
    """An advisory row is shown as its rule, with what a heuristic noticed after it."""
    if outcome.verdict is not Verdict.ADV or not row.advisory:
        return outcome
    text = f"{row.rule} (advisory)"
    return outcome._replace(summary=f"{text}: {outcome.summary}" if outcome.summary else text)


def judge(facts: Facts, only: Sequence[str] = ()) -> Report:
    """Judge a repository: the manifest first (exit 3), then the selection, the config and the rows.

    Raises `ManifestBroken` and `CannotRun`; a row's failure stands in the report.
    """
    manifest: Manifest = facts.get("manifest")
    rows = select(manifest, only)
    config: Config = facts.get("config")
    facts.selecting(frozenset(row.id for row in rows if _applies(row, config, facts.run.static) is None))
    results = run(facts, rows)
    labelled = sum(row.advisory for row in manifest.rows)
    notes = _notes(facts)
    return Report(
        facts.run.root, config.class_name, config.archive, results, labelled, manifest.families(), notes
    )


def _notes(facts: Facts) -> tuple[str, ...]:
    from goblin import __version__

    if facts.run.manifest_dir:
        return (f"rows read from {facts.run.manifest_dir}, not from this repository's own .goblin/manifest",)
    try:
        installed = facts.get("record").version
    except Exception:  # noqa: BLE001  (IN-01 says what is wrong with the record)
        return ()
    if installed == __version__:
        return ()
    return (f"judged by goblin-stack {__version__}; the install here is {installed}",)
