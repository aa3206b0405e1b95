"""Fact `reports`: the reports that a reporter left, `reports/<slug>/report.yaml`, and their dedup keys.

    bug:<repo>:<first 12 hex digits of SHA-256 over the symptom>

The symptom counts without case and spacing, so that the same symptom gives the same key whoever writes
it, and no date, number or name of a run does. Writer and checker share `dedup_key` (spec AU-02).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.paths import Tree

FOLDER = "reports"
NAME = "report.yaml"
LIMIT = 1 << 20
TOTAL = 8 << 20
"""Bytes of one report, and of all of them, that are read."""

MOST = 5000
"""Reports that are read."""

REQUIRED = ("repo", "symptom", "expected", "observed", "repro_steps", "revision", "dedup_key")
"""The keys of a report."""

_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOWER = str.maketrans(_UPPER, _UPPER.lower())
_BLANKS = lazy(r"[ \t\n\r\v\f]+")
_LINE_ENDS = lazy(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def normalised(symptom: str) -> str:
    """A symptom as it counts: ASCII capitals lowered, runs of ASCII white space as one blank, ends stripped.

    A full Unicode lower-casing would give another key in another version of the tables.
    """
    return _BLANKS.sub(" ", symptom.translate(_LOWER)).strip(" ")


def dedup_key(repo: str, symptom: str) -> str:
    """The key of a report, from its content alone."""
    digest = hashlib.sha256(normalised(symptom).encode("utf-8", "surrogateescape")).hexdigest()
    return f"bug:{repo}:{digest[:12]}"


def is_one_line(symptom: str) -> bool:
    """True for one line; the line end that closes a block does not count."""
    return bool(symptom.strip()) and not _LINE_ENDS.search(symptom.rstrip("\r\n"))


class Report(NamedTuple):
    """One report. `problem` says why it cannot be read, at `line`; `values` holds what is a text."""

    path: str
    values: dict[str, str]
    lines: dict[str, int]  # where each of `values` stands
    problem: str = ""
    line: int = 0


class Reports(NamedTuple):
    """The reports folder. `state` is what stands there: `dir missing file link other outside`."""

    state: str
    all: tuple[Report, ...] = ()


def load(tree: Tree) -> Reports:
    """Read every report, sorted by its folder. Raises `CheckFailed` where the folder cannot be listed."""
    state = tree.kind(FOLDER)
    if state != "dir":
        return Reports(state)
    try:
        names = tree.names(FOLDER)
    except ReadRefused as error:
        raise CheckFailed(str(error)) from error
    found: list[Report] = []
    left = TOTAL
    for path in (f"{FOLDER}/{name}" for name in names):
        kind = tree.kind(path)
        if kind == "link":
            found.append(Report(path, {}, {}, "a symbolic link, which is not followed"))
        elif kind == "dir" and tree.kind(f"{path}/{NAME}") != "missing":
            try:
                data = tree.read(f"{path}/{NAME}", LIMIT)
            except ReadRefused as error:
                found.append(Report(f"{path}/{NAME}", {}, {}, str(error).removeprefix(f"{path}/{NAME}: ")))
                continue
            left -= len(data)
            if left < 0:
                raise CheckFailed(f"{FOLDER} holds more than the {TOTAL >> 20} MiB of reports that are read")
            found.append(parse(f"{path}/{NAME}", data))
        if len(found) > MOST:
            raise CheckFailed(f"{FOLDER} holds more than the {MOST} reports that are read")
    return Reports(state, tuple(found))


def parse(path: str, data: bytes) -> Report:
    """The report that a file holds, or why it holds none."""
    from goblin import yaml

    try:
        root = yaml.load(data, path)
    except yaml.YamlError as error:
        return Report(path, {}, {}, error.message, error.line)
    if not isinstance(root, yaml.Map):
        return Report(path, {}, {}, "it is no mapping of `key: value` lines", 1)
    texts = {
        key: node for key, node in root.items() if isinstance(node, yaml.Text) and not yaml.is_unset(node)
    }
    return Report(
        path,
        {key: str(node) for key, node in texts.items()},
        {key: node.line for key, node in texts.items()},
    )
