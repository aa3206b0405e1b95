"""`stuck.md`: what a loop that did not end green leaves behind (spec LP-05), read and opened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from goblin.loop.record import LoopRecord, Predicate


LINES = 3
"""Distinct lines that a write-up needs."""

DIGITS = 12
"""Leading digits of its digest by which a write-up may name the predicate."""


class WriteUp(NamedTuple):
    """What a write-up says, counted. Headings, fences, comments and repeated lines do not count."""

    lines: int
    names_predicate: bool

    @classmethod
    def of(cls, text: str, predicate: Predicate) -> WriteUp:
        """Read a write-up about a predicate: named by its command, white space folded, or by its digest."""
        return cls(len(_counted(text)), _names(text, predicate))

    @property
    def faults(self) -> tuple[str, ...]:
        """What it lacks; none for a write-up that will do."""
        told = []
        if self.lines < LINES:
            told.append(f"has {self.lines} distinct line(s) that count; three are needed")
        if not self.names_predicate:
            told.append(f"does not name the predicate: quote its command, or {DIGITS} digits of its digest")
        return tuple(told)


def _counted(text: str) -> set[str]:
    """The distinct lines that count, without their list marks and in one case."""
    from goblin.markdown import blank

    found = set()
    for line in blank(text, fences=False).split("\n"):
        folded = " ".join(line.lower().split()).lstrip("-*+> ")
        if re.search(r"[^\W_]", folded) and not re.match(r"\s{0,3}(#{1,6}(\s|$)|```|~~~)", line):
            found.add(folded)
    return found


def _names(text: str, predicate: Predicate) -> bool:
    from goblin.markdown import blank

    shown = blank(text, fences=False)
    if predicate.command:
        command = " ".join(predicate.command.split())
        if re.search(rf"(?<!\w){re.escape(command)}(?!\w)", " ".join(shown.split())):
            return True
    runs = re.findall(rf"(?<![0-9a-f])[0-9a-f]{{{DIGITS},64}}(?![0-9a-f])", shown.lower())
    return any(predicate.digest.startswith(run) for run in runs)


def begin(record: LoopRecord, tried: str = "", blocks: str = "") -> str:
    """The text of a new write-up: it names the predicate and the last evidence.

    What was tried and what blocks the loop nobody but who ran it can say, so without `tried` and
    `blocks` those two parts stay empty, and the write-up does not count as one yet.
    """
    rows = record.verdicts
    last = (
        f"line {rows[-1].line} of decisions.tsv: {rows[-1].evidence or 'none'}" if rows else "none: no turn"
    )
    predicate = f"`{record.predicate.command}` ({record.predicate.digest[:DIGITS]})"
    return (
        "# Stuck\n\n"
        f"The predicate {predicate} did not turn green.\n\n"
        f"The last evidence is {last}\n\n"
        f"## What was tried\n\n{tried}\n\n## What blocks it\n\n{blocks}\n"
    )
