"""What an event of each type holds: manifest/events.tsv, for whoever writes or judges a log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from goblin.loop.instant import parse_instant
from goblin.tables import Record

TABLE = "events.tsv"

OUTCOMES = ("green", "blocked", "stalled", "budget", "pin_broken", "awaiting_approval", "judge_unreadable",
            "cancelled", "crashed")  # fmt: skip
"""How a run may end; the closed set of `run_closed`."""

_HEX_64 = re.compile(r"[0-9a-f]{64}")


class Kind(NamedTuple):
    """One type of event: what its `data` must and may hold, name to shape."""

    name: str
    meaning: str
    required: Mapping[str, str]
    optional: Mapping[str, str]


class Kinds:
    """The types of manifest/events.tsv. A shape is int, text, digest, time, list or map; `?` allows null."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.known: dict[str, Kind] = {}
        for record in records:
            name, meaning, required, optional = record.cells
            self.known[name] = Kind(name, meaning, _shapes(required), _shapes(optional))

    def faults(self, kind: str, data: Mapping[str, Any]) -> list[str]:
        """What an event of this type lacks or holds in another shape; nothing for an unknown type."""
        known = self.known.get(kind)
        if known is None:
            return []
        found = [f"{kind} lacks {name}" for name in known.required if name not in data]
        for name, shape in {**known.required, **known.optional}.items():
            if name in data and not _fits(data[name], shape):
                found.append(f"{name} of {kind} is no {shape.rstrip('?')}")
        if kind == "run_closed" and data.get("outcome") not in OUTCOMES:
            found.append(f"its outcome is none of: {' '.join(OUTCOMES)}")
        return found

    def strangers(self, kind: str, data: Mapping[str, Any]) -> list[str]:
        """Members that this version does not know; a later one may have added them."""
        known = self.known.get(kind)
        if known is None:
            return [f"the type {kind}"]
        return [
            f"{name} of {kind}" for name in data if name not in known.required and name not in known.optional
        ]


def _shapes(cell: str) -> dict[str, str]:
    return dict(word.split(":", 1) for word in cell.split() if ":" in word)


def _fits(value: object, shape: str) -> bool:
    if shape.endswith("?"):
        if value is None:
            return True
        shape = shape[:-1]
    if shape == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    if shape == "digest":
        return isinstance(value, str) and _HEX_64.fullmatch(value) is not None
    if shape == "time":
        return isinstance(value, str) and parse_instant(value) is not None
    return isinstance(value, {"text": str, "list": list, "map": dict}.get(shape, object))


def load() -> Kinds:
    """The types that the running engine knows: those a writer may write."""
    from goblin import home, tables

    with open(home.path("manifest", TABLE), "rb") as stream:
        return Kinds(tables.read(stream.read(), ("type", "meaning", "required", "optional"), TABLE))
