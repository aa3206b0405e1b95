"""The class matrix, as the installer needs it (spec install 1)."""

from __future__ import annotations

from goblin import home
from goblin.manifest import PARTS
from goblin.outcome import CannotRun
from goblin.tables import TableError, read

REACHED = ("playbooks", "spec", "handoff", "ci-gate")
"""The parts whose files `--parts` can leave out."""


def needs(letter: str) -> dict[str, str]:
    """Part to `R`, `O` or `-` for one class; a pair that the table lacks reads as `-`."""
    path = home.path("manifest", "classes.tsv")
    try:
        with open(path, "rb") as stream:
            records = read(stream.read(), ("class", "part", "need"), path)
    except (OSError, TableError) as error:
        raise CannotRun(
            f"the payload's class table cannot be read: {error}", "re-install goblin-stack"
        ) from error
    found = {record.cells[1]: record.cells[2] for record in records if record.cells[0] == letter}
    return {part: found.get(part, "-") for part in PARTS}


def forbidden(letter: str) -> frozenset[str]:
    """The parts that a class must not have."""
    return frozenset(part for part, need in needs(letter).items() if need == "-")
