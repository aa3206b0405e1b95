"""Facts `data_report` and `data_line`: what the runtime data was around the gates, on disk and on the line.

`.goblin/.ds-report` holds `before=` and `after=` (each `<path>=<hash>`, blanks between), the commit and
the run that they are of. DS-01 writes it; DS-02 judges it, and then the gate line carries it too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin import atomic
from goblin.facts import gateline
from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.facts.gates import Datum, GateRun
    from goblin.paths import Tree

REPORT = ".goblin/.ds-report"
WRITER = "DS-01"
NONE_DECLARED = "<none declared>"
_LIMIT = 8 << 20
_ENCODED = lazy(rb"%([0-9A-Fa-f]{2})")


class DataReport(NamedTuple):
    """The report. A `problem` says why there is none that can be judged; `missing` where there is no file."""

    before: dict[str, str]
    after: dict[str, str]
    head: str = ""  # full id, or `unborn`
    run: str = ""
    fresh: bool = False  # made by this very run
    problem: str = ""
    unwritten: str = ""  # why it could not be written, or cannot be

    def lacks(self, declared: Sequence[str]) -> list[str]:
        """The declared paths, globs left out, that the report does not speak of."""
        plain = [path.rstrip("/") for path in declared if not set(path) & set("*?[")]
        return [path for path in plain if path not in self.after]


def of_run(data: Sequence[Datum], head: str, measured_at: str) -> DataReport:
    """The report of a run of the gates."""
    run = f"{measured_at}-{os.urandom(4).hex()}"
    before = {datum.path: datum.before for datum in data}
    return DataReport(before, {datum.path: datum.after for datum in data}, head, run, fresh=True)


def render(report: DataReport) -> bytes:
    """The report as it stands on disk."""
    lines = (
        f"before={pairs(report.before)}",
        f"after={pairs(report.after)}",
        f"head={report.head}",
        f"run={report.run}",
    )
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def pairs(hashes: Mapping[str, str]) -> str:
    """`<path>=<hash>` for each path, blanks between; what would blur that is percent-encoded."""
    return " ".join(f"{_encoded(path)}={_encoded(value)}" for path, value in hashes.items())


def _encoded(text: str) -> str:
    raw = text.encode("utf-8", "surrogateescape")
    return "".join(
        chr(byte) if 0x21 <= byte <= 0x7E and byte not in b"=%" else f"%{byte:02X}" for byte in raw
    )


def _decoded(text: str) -> str:
    raw = _ENCODED.sub(lambda match: bytes([int(match[1], 16)]), text.encode("utf-8"))
    return raw.decode("utf-8", "surrogateescape")


def parse(data: bytes) -> DataReport:
    """A report from its bytes; raises `ValueError` for what no run has written."""
    found: dict[str, str] = {}
    for line in data.decode("utf-8-sig").split("\n"):
        key, equals, value = line.rstrip("\r").partition("=")
        if line.strip() and (not equals or found.setdefault(key, value) is not value):
            raise ValueError(f"not one `key=value` a line: {key[:40]!r}")
    for key in ("before", "after"):
        if key not in found:
            raise ValueError(f"no {key}= line")
    return DataReport(
        _hashes(found["before"]), _hashes(found["after"]), found.get("head", ""), found.get("run", "")
    )


def _hashes(text: str) -> dict[str, str]:
    found = {}
    for pair in text.split():
        path, equals, value = pair.partition("=")
        if not equals or "=" in value:
            raise ValueError(f"not `<path>=<hash>`: {pair[:80]!r}")
        found[_decoded(path)] = _decoded(value)
    return found


def load(tree: Tree, facts: Facts) -> DataReport:
    """The report of this run where DS-01 runs in it (and written then), else the one on disk."""
    run = facts.run
    if WRITER in run.selected and not run.static:
        gate_run: GateRun = facts.get("gate_run")
        if gate_run.data:
            report = of_run(gate_run.data, gate_run.head, gate_run.measured_at)
            return report._replace(unwritten=_write(tree, report))
    report = read(tree)
    if run.static and report.problem == "missing":
        return report._replace(unwritten="--static runs no gate, and none has run here yet")
    return report


def _write(tree: Tree, report: DataReport) -> str:
    try:
        atomic.write(tree.writing(REPORT), render(report))
    except OSError as error:
        return error.strerror or "it cannot be written"
    except ReadRefused as error:
        return str(error)
    return ""


def read(tree: Tree) -> DataReport:
    """The report on disk."""
    try:
        return parse(tree.read(REPORT, _LIMIT))
    except ReadRefused as error:
        if tree.kind(REPORT) != "missing":
            return DataReport({}, {}, problem=str(error))
    except ValueError as error:
        return DataReport({}, {}, problem=f"{REPORT} cannot be read: {error}")
    if tree.frozen:
        return DataReport({}, {}, problem="missing", unwritten="this run writes nothing")
    folder = os.path.join(tree.root, os.path.dirname(REPORT))
    unwritten = "" if os.access(folder, os.W_OK | os.X_OK) else f"{os.path.dirname(REPORT)} cannot be written"
    return DataReport({}, {}, problem="missing", unwritten=unwritten)


def line(tree: Tree, config: Config, data_report: DataReport, facts: Facts) -> str:
    """Fact `data_line`: put the report on the gate line where it is sound; what became of that, in words."""
    if facts.run.static:
        return "left alone by --static"
    declared = config.words("runtime_data")
    if not declared:
        return gateline.amend(tree, NONE_DECLARED)
    if data_report.problem or data_report.before != data_report.after:
        return ""
    if data_report.head != _head(facts) or data_report.lacks(declared):
        return ""
    return gateline.amend(tree, pairs(data_report.after))


def _head(facts: Facts) -> str:
    try:
        commit = facts.get("head").commit
    except CheckFailed:
        return gateline.UNBORN
    return commit.oid if commit else gateline.UNBORN
