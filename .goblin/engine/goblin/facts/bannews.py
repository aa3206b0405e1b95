"""What is new in git's listing since an earlier run, told by comparing all its lines at once.

A commit of one file in a repository of a hundred thousand changes one line, and no other is looked at.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from goblin.facts.bancache import Known
    from goblin.facts.banfiles import Line, Scope

MOST_OPEN = 400
"""Paths left open by an earlier run that are looked for one by one."""


class News(NamedTuple):
    """What is not known of a listing: its lines that must be judged or left open, the paths whose records
    hold, and how many files each ban is about.
    """

    lines: Sequence[Line]
    kept: Collection[str]
    counts: dict[str, int]


def since(scope: Scope, listing: bytes, before: Known) -> News | None:
    """What is new since an earlier run; None where all lines must be looked at to tell."""
    judged = before.judged() if len(before.open) < MOST_OPEN else frozenset()
    if not judged:
        return None
    parts = listing.split(b"\0")
    now = frozenset(parts)
    if len(now) != len(parts):  # git lists a path twice: to be counted one by one
        return None
    counts = dict(before.counts)
    lines = []
    touched = set(before.open)
    for way, part in ((1, now - judged), (-1, judged - now)):
        for line in scope.lines(b"".join(text + b"\0" for text in part)):
            if line.stage != b"0":
                return None
            touched.add(line.path)
            if way > 0:
                lines.append(line)
            for probe in line.probes:
                counts[probe.ban.id] += way
    added = {line.path for line in lines}
    for path in before.open - added:
        found = scope.line(listing, os.fsencode(path))
        if found and found.stage != b"0":
            return None
        lines += [found] if found else []
    return News(sorted(lines, key=attrgetter("name")), before.records.keys() - touched, counts)


def anew(scope: Scope, listing: bytes, before: Known) -> News:
    """What the lines say, each by itself."""
    judged = before.judged()
    about: dict[int, list[Any]] = {}
    lines: list[Line] = []
    kept: set[str] = set()
    counted: set[bytes] = set()  # an unresolved merge has a path up to three times
    for line in scope.lines(listing):
        if line.stage == b"0" or line.name not in counted:
            about.setdefault(id(line.probes), [0, line.probes])[0] += 1
            if line.stage != b"0":
                counted.add(line.name)
        if line.text in judged and line.path not in before.open:
            kept.add(line.path)
        else:
            lines.append(line)
    counts = {probe.ban.id: 0 for probe in scope.probes}
    for count, probes in about.values():
        for probe in probes:
            counts[probe.ban.id] += count
    return News(lines, kept, counts)
