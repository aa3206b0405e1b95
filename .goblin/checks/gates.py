"""GT: the declared gates and the ratchet. What is declared, what was measured, and whether it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.facts.gateline import LINE, SEPARATOR, SIDECAR, UNBORN
from goblin.facts.ratchet import Base, Raised
from goblin.outcome import CheckFailed, Finding, Outcome, failed, passed, skipped
from goblin.redact import clean, mask

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.facts.gateline import Measured
    from goblin.facts.gates import GateResult, GateRun
    from goblin.facts.head import Head
    from goblin.facts.ratchet import RatchetRun

CONFIG = ".goblin/goblin.yaml"
TAIL = 20
"""Lines of gate output that are shown, shared by the gates that failed."""


def every_gate_has_a_command(config: Config) -> Outcome:
    """The gate set is declared in the config, and each declared gate has a name and a command.

    Reads `gates:`. A gate is a mapping of `name`, `cmd`, `timeout_s` and `kind: host`.
    FAIL: no gate at all; an item that is no mapping; a missing, blank or repeated name, or one with
    other characters than letters, digits and `_ . -`; a missing or blank command; another member.
    PASS: otherwise, with the number of gates. Whether they are the right gates is not judged.
    """
    gates = config.gates()
    if not gates:
        remedy = f"declare what proves this project under gates: in {CONFIG}"
        return failed("no gate is declared", [config.where("gates")], remedy)
    hosts = [gate.name for gate in gates if gate.host]
    note = f", {len(hosts)} of them for the host only ({', '.join(hosts)})" if hosts else ""
    return passed(f"{len(gates)} declared gate(s), each with a cmd{note}")


def every_gate_exits_0(gate_run: GateRun) -> Outcome:
    """Every declared gate runs and exits 0.

    Runs each hermetic gate once, in order, all of them, with `bash -c` in the root and standard input
    at its end. Leaves the gate line in `.goblin/last-gate-line`, also when a gate is red.
    FAIL: a gate that exits otherwise, is ended by a signal (written 128+n) or takes longer than its
    `timeout_s` (written 124), with the last lines that it printed; no gate declared.
    SKIP: host gates only. PASS: otherwise, with the gate line. A line that cannot be written is said.
    """
    notes = [
        f"host gate {gate.name}: not run here; its dated line in HANDOFF.md stands for it"
        for gate in gate_run.hosts
    ]
    if gate_run.unwritten:
        notes.append(f"gate line not written: {gate_run.unwritten}")
    if not gate_run.results:
        if gate_run.hosts:
            return skipped("only host gates are declared: none of them runs here", _told(notes))
        remedy = f"declare what proves this project under gates: in {CONFIG}"
        return failed("no gate is declared, so nothing was run", remedy=remedy)
    if not gate_run.red:
        return passed(gate_run.line, _told(notes))
    summary = [gate_run.line, *map(_ended, gate_run.red), *notes]
    share = max(TAIL // len(gate_run.red), 3)
    return failed(
        "\n".join(summary), [line for result in gate_run.red for line in _tail(result, share, gate_run)]
    )


def _told(notes: list[str]) -> list[Finding]:
    return [Finding("", message=note) for note in notes]


def _ended(result: GateResult) -> str:
    command = " ".join(result.gate.cmd.split())
    shown = clean(mask(command if len(command) <= 200 else f"{command[:200]}..."))
    reason = f", {result.reason}" if result.reason else ""
    return f"gate {result.gate.name}: {shown} -> exit {result.code}{reason} ({CONFIG}:{result.gate.line})"


def _tail(result: GateResult, share: int, gate_run: GateRun) -> list[Finding]:
    """The last lines of one gate; with its name where several gates have some."""
    said = result.said[-share:] or ("(it printed nothing)",)
    name = f"{result.gate.name} | " if len(gate_run.red) > 1 else ""
    return [Finding("", message=name + line) for line in said]


def the_gate_line_is_of_this_head(gate_line: Measured, head: Head) -> Outcome:
    """One line of measured numbers exists, and it was measured at this HEAD.

    Reads `.goblin/last-gate-line` and the sidecar `.goblin/last-gate.json`; neither is committed, so
    a fresh clone has none until the gates have run. Time stamps of files are not looked at.
    FAIL: no line; no sidecar, or one with another digest (the line was not written by the verifier);
    measured at another commit. SKIP: this run measured and could not write, or no line is there and
    none can be written, or `--static` keeps the gates from running.
    PASS: otherwise, with the line. Before the first commit freshness cannot be checked, and that is said.
    """
    if gate_line.unwritten:
        return skipped(f"gate line not written: {gate_line.unwritten}")
    problem = _line_problem(gate_line, head)
    if problem:
        return failed(problem, [Finding(LINE)])
    unborn = " (freshness not checkable: no commits yet)" if head.commit is None else ""
    return passed(f"{gate_line.line}{unborn}")


def _line_problem(measured: Measured, head: Head) -> str:
    if measured.line_problem:
        missing = measured.line_problem == "missing"
        return "no gate line: the gates have not been run here" if missing else measured.line_problem
    sidecar = measured.sidecar
    if sidecar is None:
        missing = measured.sidecar_problem == "missing"
        return f"not written by the verifier: {f'no {SIDECAR}' if missing else measured.sidecar_problem}"
    if sidecar.line_sha256 != measured.digest:
        return f"not written by the verifier: the line is not the one that {SIDECAR} knows"
    now = head.commit.oid if head.commit else UNBORN
    if sidecar.head != now:
        return f"measured at {_short(sidecar.head)}, and HEAD is {_short(now)}"
    return ""


def _short(oid: str) -> str:
    return clean(oid)[:10]


def a_ratchet_is_declared(config: Config) -> Outcome:
    """A ratchet is declared with a name, a command and a numeric ceiling.

    Reads `ratchet:`. FAIL: no name, no command, a ceiling that is no plain decimal number, or a name
    that would not be readable on the gate line. An empty ceiling means declared and not measured yet:
    PASS, and said. PASS: otherwise. Whether the metric is a useful one is not judged.
    """
    ratchet = config.ratchet()
    missing = [key for key in ("ratchet.name", "ratchet.cmd") if not config.text(key).strip()]
    if ratchet is None or missing:
        remedy = "declare name, cmd and ceiling under ratchet:, or run goblin-install --opt-out ratchet"
        return failed(
            f"no ratchet declared: {' and '.join(missing) or 'ratchet'} is empty",
            [config.where("ratchet")],
            remedy,
        )
    if SEPARATOR.strip() in ratchet.name or not ratchet.name.isprintable():
        where = config.where("ratchet.name")
        return failed(
            f"ratchet.name {clean(ratchet.name)!r} cannot stand on the gate line", [where], "use plain words"
        )
    if ratchet.ceiling is None:
        return passed(f"1 ratchet: {ratchet.name}, declared and not measured: its ceiling is empty")
    return passed(f"1 ratchet: {ratchet.name}, ceiling {ratchet.ceiling}")


def the_number_is_under_its_ceiling(ratchet_run: RatchetRun | None, facts: Facts) -> Outcome:
    """The measured number is at or under its ceiling, and the ceiling was not raised in silence.

    Runs the ratchet's command once; its standard output must be one line of digits. Reads the config
    as it was where HEAD left `origin/<branch>` (else `<branch>`), and `.goblin/ratchet-last`, the
    value of the last run that held.
    FAIL: above the ceiling; not a number; exit 126, 127, a signal or a time-out; a ceiling above the
    one there, or another name or command for it, unless `ratchet.raised` says
    `<old> + <n> = <new>: <reason>` and adds up; an empty ceiling where history holds a number.
    SKIP: no ratchet declared; an empty ceiling (not measured yet). PASS: otherwise; a rise is written out.
    """
    if ratchet_run is None:
        return skipped("no ratchet declared")
    base = _base(facts)
    ratchet = ratchet_run.ratchet
    if ratchet.ceiling is None:
        return _unmeasured(ratchet_run, base, facts.get("config"))
    notes = [note for note in (ratchet_run.memory, *_about(base, ratchet_run)) if note]
    problems, output = [], []
    if ratchet_run.value is None:
        problems.append(f"{ratchet.name}: {ratchet_run.problem}")
        output = _told(list(ratchet_run.said))
    if ratchet_run.over:
        problems.append(f"over ceiling: {ratchet.name} {ratchet_run.value} > {ratchet.ceiling}")
    places, remedy = [], ""
    silent = _raised_in_silence(ratchet_run, base)
    if silent:
        problems.append(silent)
        places.append(facts.get("config").where("ratchet.ceiling")._replace(message=silent))
        if base.then and len(problems) == 1:
            remedy = _sum_to_write(base, ratchet.ceiling)
    exit_code = f", exit {ratchet_run.code}" if ratchet_run.code else ""
    if problems:
        problems[0] += exit_code
        return failed("\n".join(problems), [*places, *output, *_told(notes)], remedy)
    text = f"{ratchet.name} {ratchet_run.value} (ceiling {ratchet.ceiling}){_moved(ratchet_run)}{exit_code}"
    return passed(text, _told(notes))


def _base(facts: Facts) -> Base:
    try:
        base: Base = facts.get("ratchet_base")
    except CheckFailed as error:
        return Base("", "", None, None, error.outcome.summary)
    return base


def _unmeasured(run: RatchetRun, base: Base, config: Config) -> Outcome:
    if base.held is not None:
        where = config.where("ratchet.ceiling")
        held = f"{base.held} (commit {_short(base.held_in)})"
        text = f"{run.ratchet.name}: the ceiling is empty, and history holds {held}"
        return failed(text, [where], f"set ratchet.ceiling back to {base.held}")
    if run.value is None:
        return skipped(f"not measured yet: {run.ratchet.name} has no ceiling, and today: {run.problem}")
    text = f"not measured yet: {run.ratchet.name} is {run.value} today; write ceiling: {run.value}"
    return skipped(text)


def _moved(run: RatchetRun) -> str:
    if run.old is None or run.value is None or run.old == run.value:
        return ""
    if run.value > run.old:
        return f", old {run.old} + {run.value - run.old} new = {run.value}"
    return f", down from {run.old}"


def _same(run: RatchetRun, base: Base) -> bool:
    then = base.then
    return then is not None and (then.name, then.cmd.strip()) == (run.ratchet.name, run.ratchet.cmd.strip())


def _raised_in_silence(run: RatchetRun, base: Base) -> str:
    """What is wrong with a ceiling that is higher, or counts something else, than at the merge base."""
    then, ceiling = base.then, run.ratchet.ceiling
    if then is None or then.ceiling is None or ceiling is None:
        return ""
    if _same(run, base) and ceiling <= then.ceiling:
        return ""
    where = f"{base.anchor} ({_short(base.commit)})"
    if _same(run, base):
        what = f"the ceiling was raised from {then.ceiling} to {ceiling} against {where}"
    else:
        what = f"the ratchet's name or command is not the one of {where}, whose ceiling is {then.ceiling}"
    if not run.ratchet.raised.strip():
        return f"{what}, and ratchet.raised does not say why"
    written = Raised.read(run.ratchet.raised)
    if written is None:
        return f"{what}, and ratchet.raised is not '<old> + <n> = <new>: <reason>'"
    if not written.adds_up or (written.old, written.new) != (then.ceiling, ceiling):
        return f"{what}, and ratchet.raised does not add up: {written.old} + {written.added} = {written.new}"
    return "" if written.has_reason else f"{what}, and ratchet.raised gives no reason"


def _sum_to_write(base: Base, ceiling: int) -> str:
    old = base.then.ceiling if base.then and base.then.ceiling is not None else 0
    return (
        f"set ratchet.ceiling back to {old}, or write the sum and why under ratchet: in {CONFIG}:\n"
        f"raised: '{old} + {ceiling - old} = {ceiling}: <reason>'"
    )


def _about(base: Base, run: RatchetRun) -> list[str]:
    """What is worth knowing about the ceiling beside the verdict."""
    notes = []
    if base.reason:
        notes.append(f"ceiling not compared: {base.reason}")
    then, now = base.then, base.now
    if then and now and then.ceiling != now.ceiling:
        told = "empty" if now.ceiling is None else now.ceiling
        notes.append(
            f"{base.anchor} has moved: its ceiling is now {told}, and was {then.ceiling} where HEAD left it"
        )
    if then and then.ceiling is not None and run.ratchet.ceiling is not None and run.ratchet.raised:
        raised = run.ratchet.ceiling > then.ceiling or not _same(run, base)
        if raised and not _raised_in_silence(run, base):
            notes.append(f"ceiling raised: {run.ratchet.raised}")
    return notes
