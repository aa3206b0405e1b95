"""Whether `decisions.tsv` and the event log tell the same turns, in the same order (row RN-02)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from goblin.loop.decisions import COLUMNS, Decision
from goblin.loop.events import Event

Cells = tuple[str, ...]


class Edit(NamedTuple):
    """A row that is not what its event says, and the columns that differ."""

    row: Decision
    event: Event
    columns: tuple[str, ...]


class Agreement(NamedTuple):
    """What the two do not share. All empty: they agree."""

    lost: tuple[Event, ...] = ()  # decisions of the log that have no row where they should
    strangers: tuple[Decision, ...] = ()  # rows that no event speaks of
    moved: tuple[Decision, ...] = ()  # rows that stand in another place than their event
    edits: tuple[Edit, ...] = ()
    matched: int = 0

    @property
    def sound(self) -> bool:
        """True where every decision has its row, and every verdict row its decision.

        A log row that was added by hand breaks nothing: it is no verdict and spends no turn.
        """
        return not (self.lost or self.moved or self.edits or any(row.is_verdict for row in self.strangers))

    @classmethod
    def of(cls, rows: Sequence[Decision], events: Sequence[Event]) -> Agreement:
        """Hold the rows of a decisions file against the `decision` events of one run."""
        told, said = [cells_of(event) for event in events], [_cells(row) for row in rows]
        places: dict[Cells, list[int]] = {}
        for place, cells in enumerate(told):
            places.setdefault(cells, []).append(place)
        last = {cells: place for place, cells in enumerate(said)}
        lost: list[int] = []
        strangers: list[int] = []
        edits: list[Edit] = []
        matched = at = 0
        for number, cells in enumerate(said):
            found = places.get(cells, [])
            later = bisect_left(found, at)
            if later < len(found):
                lost += range(at, found[later])
                at = found[later] + 1
                matched += 1
            elif at < len(told) and last.get(told[at], -1) < number and rows[number].is_verdict and not found:
                differing = tuple(c for c, a, b in zip(COLUMNS, cells, told[at], strict=True) if a != b)
                edits.append(Edit(rows[number], events[at], differing))
                at += 1
            else:
                strangers.append(number)
        lost += range(at, len(told))
        gone = {told[place] for place in lost}
        moved = [number for number in strangers if said[number] in gone]
        elsewhere = {said[number] for number in moved}
        return cls(
            tuple(events[place] for place in lost if told[place] not in elsewhere),
            tuple(rows[number] for number in strangers if said[number] not in gone),
            tuple(rows[number] for number in moved),
            tuple(edits),
            matched,
        )


def cells_of(event: Event) -> Cells:
    """The six cells of the row that a `decision` event stands for."""
    return tuple(event.text(column) for column in COLUMNS)


def _cells(row: Decision) -> Cells:
    return (row.stamp, row.phase, row.decision, row.why, row.evidence, row.result)
