"""Findings by the place that they are about: a line without a place goes with the one before it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from goblin.outcome import Finding
from goblin.redact import clean, mask

MOST_LINES = 20
"""Lines without a place that are kept with one."""


class Place(NamedTuple):
    """A finding, and the lines that belong to it. The finding has no path where they belong to none."""

    finding: Finding
    lines: tuple[str, ...] = ()

    def text(self) -> str:
        """What is said of the place, printable; it may hold line breaks, and may be empty."""
        return "\n".join(line for line in (clean(mask(self.finding.message)), *self.lines) if line.strip())


def placed(findings: Iterable[Finding]) -> list[Place]:
    """The findings as places, in order; never empty, so that a failure without a finding is one too."""
    found: list[tuple[Finding, list[str]]] = []
    for finding in findings:
        if finding.path or not found:
            found.append((finding, []))
        else:
            found[-1][1].append(clean(mask(finding.message)))
    if not found:
        return [Place(Finding(""))]
    return [Place(finding, _cut(lines)) for finding, lines in found]


def _cut(lines: list[str]) -> tuple[str, ...]:
    more = len(lines) - MOST_LINES
    return (*lines[:MOST_LINES], *([f"and {more} more line(s)"] if more > 0 else []))
