"""Neighbouring turns that rest on one pointer, and turns that go to and fro between two (spec LP-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from goblin.loop import STALLED
from goblin.outcome import Finding

if TYPE_CHECKING:
    from goblin.loop.decisions import Decision

NOTHING: frozenset[str] = frozenset()
"""What a turn rests on that names no pointer."""


def streaks(rows: Sequence[Decision], pointers: Sequence[frozenset[str]]) -> list[list[Decision]]:
    """The runs of neighbouring rows that are not green and rest on one pointer."""
    found: list[list[Decision]] = []
    above = NOTHING
    for row, pointer in zip(rows, pointers, strict=True):
        if pointer and pointer == above:
            found[-1].append(row)
        elif pointer:
            found.append([row])
        above = pointer
    return found


def alternating(rows: Sequence[Decision], pointers: Sequence[frozenset[str]], path: str) -> list[Finding]:
    """The row from which on two pointers alternate over twice as many rows as make a streak, if one does."""
    length = 0  # rows at the end of those seen that go to and fro between two pointers
    for at, pointer in enumerate(pointers):
        above = pointers[at - 1] if at else NOTHING
        if not pointer or pointer == above:
            length = int(bool(pointer))
        elif length < 2 or pointer != pointers[at - 2]:
            length = 2 if above else 1
        else:
            length += 1
        if length == 2 * STALLED:
            told = f"two pointers alternate over {2 * STALLED} rows from here: that is hardly progress"
            return [Finding(path, rows[at + 1 - length].line, 0, told)]
    return []
