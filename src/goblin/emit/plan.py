"""What an emission would change, decided before anything is written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from goblin.emit import Refused, source
from goblin.emit.adapters import NAME, NONE, Adapter
from goblin.emit.ledger import Row, digest
from goblin.emit.places import Place, in_home, in_project
from goblin.emit.source import Emitted

SCOPES = ("project", "global")


class Change(NamedTuple):
    """One file with its bytes before and after; None is no file."""

    place: Place
    old: bytes | None
    new: bytes | None
    context: bool = False  # a block in a file of others, not a file of ours

    @property
    def word(self) -> str:
        """What is printed of it."""
        if self.old == self.new:
            return "unchanged"
        if not self.context:
            return "removed" if self.new is None else "wrote"
        return "created" if self.old is None else "updated"


def skill_place(adapter: Adapter, scope: str, root: str, name: str) -> Place:
    """Where a skill of this name stands for a platform."""
    if scope == "global":
        return in_home(adapter.skills_path_global.replace(NAME, name))
    return in_project(root, adapter.skills_path_project.replace(NAME, name))


def context_place(adapter: Adapter, scope: str, root: str) -> Place | None:
    """The context file that gets the block; None where the platform or the scope has none.

    A link to a file of the project (`CLAUDE.md` to `AGENTS.md`) leads to that file, which several
    platforms then share.
    """
    if scope == "global" or adapter.context_path == NONE:
        return None
    return in_project(root, _led_to(root, adapter.context_path))


def _led_to(root: str, path: str) -> str:
    """Where a path leads within the project; the path itself where it is no link, or leads elsewhere."""
    base, full = os.path.realpath(root), os.path.join(root, path)
    real = os.path.realpath(full)
    if not os.path.islink(full) or not os.path.isfile(real) or not real.startswith(os.path.join(base, "")):
        return path
    return os.path.relpath(real, base).replace(os.sep, "/")


def latest(rows: Sequence[Row]) -> dict[str, Row]:
    """The last row of each path."""
    return {row.path: row for row in rows}


def plan(
    adapter: Adapter, scope: str, root: str, skills: Sequence[Emitted], rows: Sequence[Row]
) -> list[Change]:
    """Every file that the emission is about, changed or not.

    Raises `Refused` where a file stands that is neither ours nor as the ledger knows it; all of them
    are named.
    """
    known = latest(rows)
    changes = []
    foreign = []
    for skill in skills:
        place = skill_place(adapter, scope, root, skill.name)
        old = place.read()
        row = known.get(place.full)
        ours = row is not None and digest(old) in (row.after, row.before)
        if old is not None and old != skill.data and not ours:
            foreign.append(place.shown)
        changes.append(Change(place, old, skill.data))
    if foreign:
        told = f"not ours, and not as the ledger knows it: {', '.join(foreign)}"
        raise Refused(told, "keep your own under another skill's name, or remove it, then emit again")
    context = context_place(adapter, scope, root)
    if context is not None:
        old = context.read()
        changes.append(Change(context, old, source.placed(old or b"", source.block()), context=True))
    return changes


def unshadowing(adapter: Adapter, root: str, skills: Sequence[Emitted]) -> list[Change]:
    """The project's copies of skills to remove. Raises `Refused` where one differs; all are named."""
    changes = []
    differing = []
    for skill in skills:
        place = skill_place(adapter, "project", root, skill.name)
        old = place.read()
        if old is None:
            continue
        if old != skill.data:
            differing.append(place.shown)
        changes.append(Change(place, old, None))
    if differing:
        told = f"differs from the source: {', '.join(differing)}"
        raise Refused(told, "keep your own under another skill's name, or remove it by hand")
    return changes
