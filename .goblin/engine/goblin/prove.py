"""Proof that rows bite: each control breaks a scratch copy, and the row must turn as it says.

A row that stays green under its own violation is toothless, and a keep control that turns red is
a false alarm: both fail the proof. A control whose row is opted out, or whose subject does not
exist here, is `not provable here`: counted and shown, and no failure (decided 52).
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

from goblin import engine, home, mutate, process
from goblin.facts import Facts, Run
from goblin.git import at
from goblin.manifest import Manifest, ManifestBroken, Row
from goblin.outcome import CannotRun, Outcome, Verdict, failed
from goblin.redact import clean, lines
from goblin.report.text import detail_lines
from goblin.scratch import Scratch

MUTATE_TIMEOUT = 120.0
EXPECTED = ("FAIL", "PASS", "SKIP", "ADV", "!FAIL")
MEASURED_FIRST = {"GT-03": "GT-02", "DS-02": "DS-01"}
"""Rows that judge what another row leaves behind: that one runs before each control, as in a full run."""


class Control(NamedTuple):
    """One line of controls.tsv."""

    row: str
    name: str
    mutate: str
    expect: str
    because: str

    @property
    def red(self) -> bool:
        """True for a control under which the row must refuse."""
        return self.expect == "FAIL" or self.expect.startswith("exit:")


class Trial(NamedTuple):
    """What became of one control. `state` is held, broken (the proof fails) or unprovable."""

    control: Control
    state: str
    got: str
    detail: str


class RowProof(NamedTuple):
    """The trials of one row."""

    row: Row
    trials: tuple[Trial, ...]
    reason: str = ""  # why none could be tried

    def count(self, state: str, red: bool | None = None) -> int:
        """How many trials ended so (of the red ones, or of the keep ones)."""
        return sum(t.state == state and (red is None or t.control.red is red) for t in self.trials)

    @property
    def verdict(self) -> str:
        """`BITES`, `TOOTHLESS` or `UNPROVEN`."""
        if self.reason.startswith("no control"):
            return "TOOTHLESS"
        if self.count("broken"):
            return "TOOTHLESS"
        return "BITES" if self.count("held", red=True) else "UNPROVEN"


class Proof(NamedTuple):
    """The proof of a repository's rows."""

    rows: tuple[RowProof, ...]
    note: str = ""

    @property
    def exit_code(self) -> int:
        """0 when every row that can be proved here bites, 1 otherwise, 2 when nothing could be tried."""
        if any(row.verdict == "TOOTHLESS" for row in self.rows):
            return 1
        return 0 if any(row.count("held") for row in self.rows) else 2

    def as_text(self) -> str:
        """A line a row, and under it each control that did not hold or could not be tried."""
        shown: list[str] = []
        for proof in self.rows:
            shown += _row_lines(proof)
        verdicts = [proof.verdict for proof in self.rows]
        trials = [trial.state for proof in self.rows for trial in proof.trials]
        shown.append(
            f"      {verdicts.count('BITES')} row(s) bite, {verdicts.count('TOOTHLESS')} toothless, "
            f"{verdicts.count('UNPROVEN')} not provable here; {trials.count('held')} control(s) held, "
            f"{trials.count('broken')} did not, {trials.count('unprovable')} not provable here"
        )
        if self.note:
            shown.append(f"      note: {self.note}")
        return "\n".join(shown) + "\n"

    def as_json(self) -> str:
        """The same as one line of JSON."""
        rows: list[dict[str, Any]] = []
        for proof in self.rows:
            trials = [
                {
                    "control": t.control.name,
                    "expect": t.control.expect,
                    "got": t.got,
                    "state": t.state,
                    "detail": t.detail,
                }
                for t in proof.trials
            ]
            rows.append(
                {"id": proof.row.id, "proof": proof.verdict, "reason": proof.reason, "controls": trials}
            )
        return (
            json.dumps({"schema_version": 1, "exit": self.exit_code, "note": self.note, "rows": rows}) + "\n"
        )


def _row_lines(proof: RowProof) -> Iterable[str]:
    red = sum(trial.control.red for trial in proof.trials)
    kept = len(proof.trials) - red
    text = f"{proof.count('held', True)} of {red} red, {proof.count('held', False)} of {kept} kept"
    yield f"{proof.verdict:<9} {proof.row.id:<6} {proof.reason or text}"
    for trial in proof.trials:
        if trial.state == "broken":
            told = f"expected {trial.control.expect}, got {trial.got}: {trial.detail}"
            yield f"        {trial.control.name}: {told}"
        elif trial.state == "unprovable":
            yield f"        {trial.control.name}: not provable here: {trial.detail}"


def controls_of(manifest: Manifest) -> list[Control]:
    """Every control; raises `ManifestBroken` for an unknown row, an unknown `expect` or a repeated name."""
    known = manifest.by_id()
    found: list[Control] = []
    names: set[tuple[str, str]] = set()
    for record in manifest.table("controls.tsv"):
        control = Control(*record.cells)
        place = f"controls.tsv:{record.line}"
        if control.row not in known:
            raise ManifestBroken(f"{place}: there is no row {control.row}")
        exit_code = control.expect.removeprefix("exit:")
        if control.expect not in EXPECTED and not (
            control.expect.startswith("exit:") and exit_code.isdigit()
        ):
            raise ManifestBroken(
                f"{place}: expect is {control.expect!r}; use one of {' '.join(EXPECTED)} exit:N"
            )
        if not control.mutate.strip() or (control.row, control.name) in names:
            raise ManifestBroken(f"{place}: {control.row} {control.name} has no mutation, or stands twice")
        names.add((control.row, control.name))
        found.append(control)
    return found


def prove(facts: Facts, wanted: Sequence[str] = ()) -> Proof:
    """Prove the rows of an installed repository (all target rows, or those wanted).

    Works on a scratch clone of HEAD; the repository itself is only read. Raises `CannotRun` and
    `ManifestBroken` as a run does.
    """
    manifest: Manifest = facts.get("manifest")
    rows = engine.select(manifest, wanted)
    facts.get("config")
    git, head = facts.get("git"), facts.get("head")
    if head.commit is not None and git.objects(["HEAD:.goblin/goblin.yaml"])[0] is None:
        raise CannotRun(
            "nothing to prove: the install is not committed", "git add -A && git commit, then prove"
        )
    by_row: dict[str, list[Control]] = {row.id: [] for row in rows}
    for control in controls_of(manifest):
        if control.row in by_row:
            by_row[control.row].append(control)
    note = ""
    if facts.get("status"):
        note = (
            f"proved on HEAD; {len(facts.get('status'))} uncommitted entr(y|ies) are not in the scratch clone"
        )
    with tempfile.TemporaryDirectory(prefix="goblin-prove-") as folder:
        workers = min(os.cpu_count() or 1, 4, len(rows))
        pools = [Scratch(git, head, os.path.join(folder, str(number))) for number in range(workers)]
        free = list(pools)

        begun = count(1)

        def work(row: Row) -> RowProof:
            scratch = free.pop()
            facts.run.watch.row(f"{next(begun)} of {len(rows)}, controls of {row.id}")
            try:
                return _prove_row(row, by_row[row.id], scratch, facts.run.manifest_dir)
            finally:
                free.append(scratch)

        with ThreadPoolExecutor(max_workers=workers) as executor:
            proofs = tuple(executor.map(work, rows))
    return Proof(proofs, note)


def _prove_row(row: Row, controls: list[Control], scratch: Scratch, manifest_dir: str) -> RowProof:
    if not controls:
        where = ".goblin/rules/controls.tsv" if row.project else "manifest/controls.tsv"
        return RowProof(row, (), f"no control in {where}")
    _start(row, scratch, manifest_dir)
    code, before, _ = _judge(row, scratch, manifest_dir)
    if code in (2, 3):
        return RowProof(row, (), f"cannot run before any mutation: {before.summary}")
    if before.verdict is Verdict.SKIP and (
        "(opt-out:" in before.summary or "(archive: true)" in before.summary
    ):
        return RowProof(row, (), f"not provable here: {clean(before.summary)}")
    if before.verdict is Verdict.FAIL:
        return RowProof(
            row, (), f"not provable here: already FAIL before any mutation: {clean(before.summary)}"
        )
    trials = tuple(_try(row, control, scratch, before, manifest_dir) for control in controls)
    return RowProof(row, trials)


def _environment(scratch: Scratch) -> dict[str, str]:
    libraries = [path for path in sys.path if path and os.path.isdir(os.path.join(path, "ruamel"))]
    return {
        **scratch.env,
        "GOBLIN_PYTHON": sys.executable,
        "GOBLIN_KEPT": scratch.kept,
        "GOBLIN_MUTATE": os.path.join(home.PACKAGE, "mutate.py"),
        "GOBLIN_LIBRARIES": os.pathsep.join(libraries),
    }


def _start(row: Row, scratch: Scratch, manifest_dir: str) -> None:
    """Bring the scratch clone to where a control of this row starts."""
    scratch.reset()
    if row.id in MEASURED_FIRST:
        # A row that cannot run here leaves nothing behind, and the row that is proved says so.
        with suppress(CannotRun, ManifestBroken):
            engine.judge(_facts(scratch, manifest_dir), (MEASURED_FIRST[row.id],))


def _facts(scratch: Scratch, manifest_dir: str) -> Facts:
    return Facts(Run(scratch.root, at(scratch.root), manifest_dir=manifest_dir))


def _try(row: Row, control: Control, scratch: Scratch, before: Outcome, manifest_dir: str) -> Trial:
    _start(row, scratch, manifest_dir)
    missed = _mutate(control, scratch)
    if missed:
        return Trial(control, "unprovable", "-", missed)
    code, after, waived = _judge(row, scratch, manifest_dir)
    text = "\n".join([*detail_lines(after, most=len(after.findings)), after.remedy])
    got = f"exit:{code}" if code in (2, 3) else after.verdict.value
    # A row whose findings of old are waived says that they are, and not what it says of a clean tree.
    told = control.because == "-" or control.because.lower() in text.lower()
    if _met(control, code, after.verdict) and (told or (waived and after.verdict is Verdict.PASS)):
        return Trial(control, "held", got, "")
    shown = clean(text.strip())[:400]
    if after.verdict is Verdict.SKIP and before.verdict is Verdict.SKIP and code < 2:
        return Trial(control, "unprovable", got, shown)
    if before.verdict is Verdict.SKIP and not control.red and _of_old(after, scratch):
        why = f"this repository breaks the rule by itself, once it is looked at: {shown}"
        return Trial(control, "unprovable", got, why)
    if _met(control, code, after.verdict):
        shown = f"without saying {control.because!r}: {shown}"
    return Trial(control, "broken", got, shown)


def _of_old(after: Outcome, scratch: Scratch) -> bool:
    """True for a FAIL that names only files which the control left as they were."""
    places = {finding.path for finding in after.findings} - {""}
    if after.verdict is not Verdict.FAIL or not places:
        return False
    changes = scratch.snapshot.changes()
    return not any(changes.touch(path) for path in places)


def _mutate(control: Control, scratch: Scratch) -> str:
    """Make what the control does to the scratch clone; why it could not be made, or ""."""
    calls, rest = mutate.split(control.mutate)
    for call in calls:
        try:
            mutate.edit(scratch.root, call)
        except mutate.Missed as error:
            return f"the mutation missed: {' '.join(call[:2])}: {clean(str(error))}"
    if not rest:
        return ""
    done = process.run_shell(mutate.PRELUDE + rest, scratch.root, _environment(scratch), MUTATE_TIMEOUT)
    if not done.code:
        return ""
    said = lines(done.output, most=1)
    return f"the mutation exits {done.code}: {said[0] if said else 'no output'}"


def _met(control: Control, code: int, verdict: Verdict) -> bool:
    if control.expect.startswith("exit:"):
        return code == int(control.expect.removeprefix("exit:"))
    if code in (2, 3):
        return False
    if control.expect == "!FAIL":
        return verdict is not Verdict.FAIL
    return verdict.value == control.expect


def _judge(row: Row, scratch: Scratch, manifest_dir: str) -> tuple[int, Outcome, bool]:
    """The exit code of `goblin-verify --only ROW` in the clone, the outcome, and whether any is waived."""
    try:
        report = engine.judge(_facts(scratch, manifest_dir), (row.id,))
    except CannotRun as error:
        return 2, failed(error.message, remedy=error.remedy), False
    except ManifestBroken as error:
        return 3, failed(str(error)), False
    return report.exit_code, report.results[0].outcome, bool(report.results[0].waived)
