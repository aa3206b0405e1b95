"""Selects rows, decides which of them apply, runs them, and keeps their results in matrix order."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from goblin import aside, check
from goblin.facts import Facts
from goblin.manifest import FUNCTION, Manifest, Row, suggest, takes_waivers
from goblin.outcome import CannotRun, CheckFailed, Finding, Outcome, Verdict, skipped

if TYPE_CHECKING:
    from goblin.facts.config import Config

UNREAD = 3
"""Keys that nothing reads which a note names."""

ARCHIVED = frozenset({"HP", "GT", "SP", "DS"})
"""Families that `archive: true` waives (spec rows-1, 1.8)."""


class Result(NamedTuple):
    """One row and what it concluded once waivers were applied, with the seconds that it took."""

    row: Row
    outcome: Outcome
    seconds: float
    waived: tuple[Finding, ...] = ()  # findings that a waiver or the baseline covers


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
    def unsigned(self) -> str:
        """What no signature vouches for, as the footer of a report says it."""
        signed = any(r.row.id == "IN-06" and r.outcome.verdict is Verdict.PASS for r in self.results)
        return f"{'what the install record does not list' if signed else 'the install record'} is not signed"

    @property
    def exit_code(self) -> int:
        """0 when every executed check passed, 1 when one failed; skips and advisories fail nothing."""
        return 1 if self.count(Verdict.FAIL) else 0


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
    repository declares runs alone, after them. Last comes the row that judges the waivers, since
    it needs what the others found. Where nothing is run that could change the tree, a second process
    takes rows that need nothing of the others.
    """
    config: Config = facts.get("config")

    def judge_apart(row: Row) -> tuple[Outcome, float]:
        started = time.perf_counter()
        outcome = _applies(row, config, apart.run.static) or check.run(row, apart)
        return outcome, time.perf_counter() - started

    def before() -> None:
        from goblin.facts.status import QUESTION

        if facts.run.repo is not None:
            apart.get("git").begin(*QUESTION, worktree=True)

    apart = facts.again()
    child = (
        aside.start(chosen, judge_apart, before) if (chosen := aside.choose(_running(rows, facts))) else None
    )
    taken = {row.id for row in child.rows} if child else set()
    outcomes: dict[str, tuple[Outcome, float]] = {}
    waiting: list[Row] = []
    last: list[Row] = []
    watch = facts.run.watch
    for number, row in enumerate(rows, start=1):
        if row.id in taken:
            continue
        watch.row(f"{number} of {len(rows)}, {row.id}")
        started = time.perf_counter()
        outcome = _applies(row, config, facts.run.static)
        if outcome is None:
            if FUNCTION.fullmatch(row.check) is None and row.check != "advisory":
                waiting.append(row)
                continue
            if check.asks_for(row, "judged"):
                last.append(row)
                continue
            outcome = check.run(row, facts)
        outcomes[row.id] = outcome, time.perf_counter() - started
    outcomes.update(_shell_rows(waiting, facts))
    if child:
        watch.row(f"{len(child.rows)} of {len(rows)} in a second process")
        outcomes.update(aside.collect(child))
        outcomes.update((row.id, judge_apart(row)) for row in child.rows if row.id not in outcomes)
    if last:
        facts.provide("judged", _judged(facts, config, {name: pair[0] for name, pair in outcomes.items()}))
        outcomes.update((row.id, _timed(row, facts)) for row in last)
    return tuple(_result(row, *outcomes[row.id], facts) for row in rows)


def _running(rows: Sequence[Row], facts: Facts) -> list[Row]:
    """The rows that will really run: a run by `judge` has said which."""
    selected = facts.run.selected
    return [row for row in rows if not selected or row.id in selected]


def _timed(row: Row, facts: Facts) -> tuple[Outcome, float]:
    facts.run.watch.row(row.id)
    started = time.perf_counter()
    return check.run(row, facts), time.perf_counter() - started


def _shell_rows(rows: list[Row], facts: Facts) -> dict[str, tuple[Outcome, float]]:
    shared = [row for row in rows if not check.declared_by_repository(row)]
    alone = [row for row in rows if check.declared_by_repository(row)]
    found: dict[str, tuple[Outcome, float]] = {}
    if len(shared) > 1:
        import os
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
            timed = pool.map(lambda row: _timed(row, facts), shared)
            found.update(zip((row.id for row in shared), timed, strict=True))
    else:
        alone = [*shared, *alone]
    found.update((row.id, _timed(row, facts)) for row in alone)
    return found


def _judged(facts: Facts, config: Config, known: dict[str, Outcome]) -> dict[str, Outcome]:
    """What each row that a waiver or the baseline names concludes before anything is waived."""
    rows = facts.get("manifest").by_id()
    found: dict[str, Outcome] = {}
    named: Iterable[str] = ()
    with suppress(CheckFailed):  # WV-01 says why the file cannot be read
        named = facts.get("waivers").rows()
    for name in named:
        row = rows.get(name)
        if name in known:
            found[name] = known[name]
        elif row is not None and row.scope == "target" and takes_waivers(row):
            found[name] = _applies(row, config, facts.run.static) or check.run(row, facts)
    return found


def _result(row: Row, outcome: Outcome, seconds: float, facts: Facts) -> Result:
    waived: tuple[Finding, ...] = ()
    if outcome.verdict is Verdict.FAIL and takes_waivers(row):
        from goblin import waivers

        with suppress(CheckFailed):  # WV-01 says why the file cannot be read; nothing is waived then
            outcome, waived = waivers.apply(
                row, outcome, facts.get("waivers"), waivers.Fingerprints(facts.get("tree"))
            )
            outcome = waivers.with_a_way_out(row, outcome, facts.get("waivers"))
    return Result(row, _worded(row, outcome), seconds, waived)


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


def raw(facts: Facts, rows: Sequence[Row]) -> list[tuple[Row, Outcome]]:
    """What rows conclude before anything is waived; a row that does not apply is a skip."""
    config: Config = facts.get("config")
    facts.selecting(frozenset(row.id for row in rows))
    return [(row, _applies(row, config, facts.run.static) or check.run(row, facts)) for row in rows]


def _notes(facts: Facts) -> tuple[str, ...]:
    return (*_other_rules(facts), *_unread_keys(facts.get("config")))


def _other_rules(facts: Facts) -> tuple[str, ...]:
    """Where the rows, or the engine, are not those of the install that is judged."""
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


def _unread_keys(config: Config) -> tuple[str, ...]:
    """The keys of the config that nothing reads, in one note: a slip there would otherwise change nothing."""
    found = config.unknown()
    if not found:
        return ()
    first = ", ".join(f"line {one.line}: {one.message}" for one in found[:UNREAD])
    more = f", and {len(found) - UNREAD} more" if len(found) > UNREAD else ""
    return (f"the config holds {len(found)} key(s) that nothing reads ({first}{more})",)
