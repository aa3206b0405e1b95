"""Fact `credentials`: where a tracked content holds a credential of a known shape (spec SC-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin.facts import secrets
from goblin.facts.needles import SECRET
from goblin.outcome import Finding

if TYPE_CHECKING:
    from goblin.facts.sources import Sources


class Credentials(NamedTuple):
    """Each place, the number of files with one, and what could not be looked at."""

    places: tuple[Finding, ...]
    files: int
    unread: tuple[Finding, ...]


def load(sources: Sources) -> Credentials:
    """Read every content that may hold one."""
    places: list[Finding] = []
    paths = set()
    for source in sources.holding(SECRET):
        found = secrets.find(sources.windows(source))
        places += [source.finding(hit.line, hit.column, hit.kind) for hit in found]
        paths.update([source.path] if found else [])
    return Credentials(tuple(places), len(paths), sources.unread)
