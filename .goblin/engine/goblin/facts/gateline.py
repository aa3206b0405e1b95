"""Fact `gate_line`: the one line of measured numbers, and the sidecar that says where it was measured.

`.goblin/last-gate-line` is for people: `<gate>=<exit> ... · <ratchet> <n> (ceiling <c>) · measured
<date>`, and ` · runtime_data ...` once DS-02 has judged that. `.goblin/last-gate.json` ties it to
the commit that was measured and to its own digest. Whoever writes the one writes the other.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin import atomic
from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused, Tree

if TYPE_CHECKING:
    from goblin.facts import Facts

LINE = ".goblin/last-gate-line"
SIDECAR = ".goblin/last-gate.json"
UNBORN = "unborn"
"""What stands for HEAD before the first commit."""

SEPARATOR = " \u00b7 "
DATA = f"{SEPARATOR}runtime_data "
WRITERS = frozenset({"GT-02", "DS-01"})
"""The rows that run the gates, and with that write the line."""

_LIMIT = 1 << 20
_PATIENCE = 5.0  # seconds that another run may hold the files


class Reading(NamedTuple):
    """The ratchet as it stands on the line."""

    name: str
    value: int
    ceiling: int


class Sidecar(NamedTuple):
    """What was measured, and where. `gates` holds (name, exit code) in the order they ran."""

    line_sha256: str  # of the file's bytes, its LF included
    head: str  # full id of HEAD, or `unborn`
    measured_at: str  # YYYY-MM-DDTHH:MM:SSZ
    gates: tuple[tuple[str, int], ...]
    ratchet: Reading | None = None


class Measured(NamedTuple):
    """The line and the sidecar as they were read; a `..._problem` says why there is none."""

    line: str
    digest: str
    line_problem: str
    sidecar: Sidecar | None
    sidecar_problem: str
    unwritten: str = ""  # why this run could not, or no run can, write them here


def digest(line: str) -> str:
    """The digest of a line, LF included, as `sha256sum .goblin/last-gate-line` prints it."""
    return hashlib.sha256(f"{line}\n".encode()).hexdigest()


def with_data(line: str, data: str) -> str:
    """The line with `data` as its runtime_data part, whether or not it has one already."""
    return line.partition(DATA)[0] + DATA + data


def store(tree: Tree, line: str, sidecar: Sidecar) -> str:
    """Write a line and its sidecar (whose digest is made here); why that was not possible, or ""."""
    with _together(tree):
        return _store(tree, line, sidecar)


def _store(tree: Tree, line: str, sidecar: Sidecar) -> str:
    value = sidecar._replace(line_sha256=digest(line))
    try:
        atomic.write(tree.writing(LINE), f"{line}\n".encode())
        atomic.write(tree.writing(SIDECAR), render(value))
    except (OSError, ReadRefused) as error:
        return _reason(error)
    return ""


def amend(tree: Tree, data: str) -> str:
    """Give the line on disk its runtime_data part; why it was left as it is, or "" when it has it now.

    Only a line that its sidecar knows is touched: one that somebody else wrote does not become ours.
    """
    with _together(tree):
        found = _read(tree)
        if found.line_problem:
            return "no gate line" if found.line_problem == "missing" else found.line_problem
        if found.sidecar is None or found.sidecar.line_sha256 != found.digest:
            return "the gate line was not written by the verifier and is left alone"
        line = with_data(found.line, data)
        if line == found.line:
            return ""
        problem = _store(tree, line, found.sidecar)
        return f"gate line not written: {problem}" if problem else ""


@contextmanager
def _together(tree: Tree) -> Iterator[None]:
    """Hold the folder of both files, so that of several runs nobody sees the line of one beside the
    sidecar of another. Where that cannot be had the work goes on: it is a matter of milliseconds."""
    import fcntl

    try:
        folder = os.open(os.path.join(tree.root, os.path.dirname(LINE)), os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):
            _lock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(folder)


def _lock(folder: int, kind: int) -> None:
    import fcntl

    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return fcntl.flock(folder, kind)
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{os.path.basename(str(error.filename))}: {error.strerror}"
    return str(error)


def render(sidecar: Sidecar) -> bytes:
    """The sidecar as one line of JSON."""
    value = sidecar._asdict()
    value["gates"] = [{"name": name, "exit": code} for name, code in sidecar.gates]
    value["ratchet"] = sidecar.ratchet._asdict() if sidecar.ratchet else None
    return (json.dumps(value) + "\n").encode()


def parse(data: bytes) -> Sidecar:
    """A sidecar from its JSON; raises `ValueError` for anything that no run has written."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return Sidecar(
        _text(value, "line_sha256"),
        _text(value, "head"),
        _text(value, "measured_at"),
        tuple((_text(gate, "name"), _whole(gate, "exit")) for gate in _list(value.get("gates"))),
        _reading(value.get("ratchet")),
    )


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError("gates is not a list of objects")
    return value


def _reading(value: Any) -> Reading | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError("ratchet is not an object")
    return Reading(_text(value, "name"), _whole(value, "value"), _whole(value, "ceiling"))


def _text(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    if not isinstance(found, str):
        raise ValueError(f"{key} is not text")
    return found


def _whole(value: dict[str, Any], key: str) -> int:
    """A whole number; JSON also has `1e999`, which is none."""
    found = value.get(key)
    if not isinstance(found, int) or isinstance(found, bool):
        raise ValueError(f"{key} is not a whole number")
    return found


def load(facts: Facts) -> Measured:
    """Read both files, after the gates have run where a row of this run runs them."""
    run = facts.run
    unwritten = ""
    if not run.static and run.selected & WRITERS:
        with suppress(CheckFailed):  # the rows that run gates say so; the files are judged as they are
            unwritten = facts.get("gate_run").unwritten
    tree: Tree = facts.get("tree")
    measured = read(tree)
    if not unwritten and (measured.line_problem or measured.sidecar_problem):
        unwritten = _unwritable(tree)
    if run.static and measured.line_problem == "missing":
        unwritten = "--static runs no gate, and none has run here yet"
    return measured._replace(unwritten=unwritten)


def _unwritable(tree: Tree) -> str:
    if tree.frozen:
        return "this run writes nothing"
    folder = os.path.join(tree.root, os.path.dirname(LINE))
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"{os.path.dirname(LINE)} cannot be written"


def read(tree: Tree) -> Measured:
    """Both files as they are."""
    with _together(tree):
        return _read(tree)


def _read(tree: Tree) -> Measured:
    line, found, line_problem = "", "", ""
    try:
        data = tree.read(LINE, _LIMIT)
        found = hashlib.sha256(data).hexdigest()
        line = data.decode("utf-8").removesuffix("\n")
    except ReadRefused as error:
        line_problem = "missing" if tree.kind(LINE) == "missing" else str(error)
    except UnicodeDecodeError:
        line_problem = f"{LINE} is not UTF-8"
    sidecar, sidecar_problem = None, ""
    try:
        sidecar = parse(tree.read(SIDECAR, _LIMIT))
    except ReadRefused as error:
        sidecar_problem = "missing" if tree.kind(SIDECAR) == "missing" else str(error)
    except ValueError as error:
        sidecar_problem = f"{SIDECAR} cannot be read: {error}"
    return Measured(line, found, line_problem, sidecar, sidecar_problem)
