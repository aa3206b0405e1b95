"""Fact `gate_run`: the declared gates, each run once, in order, and the line of numbers that they gave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin import clock, process
from goblin.facts import gateline, ratchet
from goblin.outcome import CheckFailed
from goblin.redact import clean, lines

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config, Gate, Ratchet
    from goblin.facts.ratchet import RatchetRun
    from goblin.paths import Tree

DATA_ROWS = frozenset({"DS-01", "DS-02"})
"""The rows for which the declared runtime data is hashed around the gates."""


class GateResult(NamedTuple):
    """How one gate ended."""

    gate: Gate
    code: int  # its exit code; 124 for a time-out, 128+n for signal n
    reason: str  # `could not run: ...` where the code is no answer of its own
    said: tuple[str, ...]  # the last lines that are not blank, masked and printable
    seconds: float


class Datum(NamedTuple):
    """One declared path of runtime data: its digest, or a word that stands for it, around the gates."""

    path: str
    before: str
    after: str


class GateRun(NamedTuple):
    """Every hermetic gate, run once, and what was measured. `line` is "" where nothing was."""

    results: tuple[GateResult, ...]
    hosts: tuple[Gate, ...]  # named, and not run here: they need a display, a device or a network
    ratchet: RatchetRun | None
    line: str  # without its line end
    measured_at: str
    head: str = gateline.UNBORN
    data: tuple[Datum, ...] | None = None  # None where no row of this run asks for it
    unwritten: str = ""  # why the line could not be written

    @property
    def red(self) -> tuple[GateResult, ...]:
        """The gates that did not exit 0."""
        return tuple(result for result in self.results if result.code)


def measure(
    root: str, gates: Sequence[Gate], declared: Ratchet | None, run: process.Runner = process.run_shell
) -> GateRun:
    """Run the hermetic gates of `gates` and the ratchet once in `root`, and write nothing.

    All gates run, whatever the ones before gave. A ratchet without name or command is left out.
    `run` starts a command as `process.run_shell` does; an install answers for programs of ours that
    are not in the target yet.
    """
    results = tuple(_run(root, gate, run) for gate in gates if not gate.host)
    number = None
    if declared is not None and declared.name and declared.cmd:
        number = ratchet.measure(root, declared, run)
    return _measured(results, gates, number)


def _run(root: str, gate: Gate, run: process.Runner = process.run_shell) -> GateResult:
    done = run(gate.cmd, root, timeout=gate.timeout_s)
    return GateResult(gate, done.code, done.could_not_run(), tuple(lines(done.output)), done.seconds)


def _watched(facts: Facts, gate: Gate) -> GateResult:
    facts.run.watch.doing(f"gate {gate.name}")
    return _run(facts.run.root, gate)


def _measured(results: tuple[GateResult, ...], gates: Sequence[Gate], number: RatchetRun | None) -> GateRun:
    parts = []
    if results:
        parts.append(" ".join(f"{result.gate.name}={result.code}" for result in results))
    reading = _reading(number)
    if reading:
        parts.append(f"{reading.name} {reading.value} (ceiling {reading.ceiling})")
    line = gateline.SEPARATOR.join([*parts, f"measured {clock.today().isoformat()}"]) if parts else ""
    hosts = tuple(gate for gate in gates if gate.host)
    return GateRun(results, hosts, number, line, clock.stamp())


def _reading(number: RatchetRun | None) -> gateline.Reading | None:
    """The ratchet as it stands on the line: only a number that was measured against a ceiling does."""
    if number is None or number.value is None or number.ratchet.ceiling is None:
        return None
    name = clean(" ".join(number.ratchet.name.split()))
    return gateline.Reading(name, number.value, number.ratchet.ceiling)


def load(facts: Facts) -> GateRun:
    """Run the declared gates, then the ratchet, and leave line and sidecar behind, also when a gate is red.

    Without a hermetic gate nothing is run and nothing is written. Raises `CheckFailed` where the
    config's gates cannot be read.
    """
    config: Config = facts.get("config")
    tree: Tree = facts.get("tree")
    gates = config.gates()
    look = _look(tree, config) if facts.run.selected & DATA_ROWS else None
    head = _head(facts)
    before = look() if look else {}
    results = tuple(_watched(facts, gate) for gate in gates if not gate.host)
    after = look() if look else {}
    found = _measured(results, gates, _ratchet(facts, config) if results else None)._replace(head=head)
    if look:
        found = found._replace(data=_around(before, after))
    if not results:
        return found
    return found._replace(unwritten=gateline.store(tree, found.line, sidecar(found)))


def _look(tree: Tree, config: Config) -> Callable[[], dict[str, str]] | None:
    from goblin.facts.runtimedata import snapshot

    try:
        declared = config.words("runtime_data")
    except CheckFailed:  # DS-01 and DS-02 own the key and say what is wrong with it
        return None
    return lambda: snapshot(tree, declared)


def sidecar(found: GateRun) -> gateline.Sidecar:
    """What the sidecar says of a run (its digest is made when it is stored)."""
    codes = tuple((result.gate.name, result.code) for result in found.results)
    return gateline.Sidecar("", found.head, found.measured_at, codes, _reading(found.ratchet))


def _head(facts: Facts) -> str:
    try:
        commit = facts.get("head").commit
    except CheckFailed:  # no repository: the rows about commits say so
        return gateline.UNBORN
    return commit.oid if commit else gateline.UNBORN


def _ratchet(facts: Facts, config: Config) -> RatchetRun | None:
    if "ratchet" in config.disabled:
        return None
    try:
        found: RatchetRun | None = facts.get("ratchet_run")
    except CheckFailed:  # the ratchet's own rows say what is wrong with its declaration
        return None
    return found


def _around(before: dict[str, str], after: dict[str, str]) -> tuple[Datum, ...]:
    """Both looks side by side; a path that only a glob of one look found was missing in the other."""
    paths = sorted({*before, *after})
    return tuple(Datum(path, before.get(path, "missing"), after.get(path, "missing")) for path in paths)
