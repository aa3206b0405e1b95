"""The loops that were closed before the one that stands here, and what this one asks less of itself.

Closing a loop and opening another is the one honest way to another predicate, surface or budget. It is
recorded, so nobody is deceived; but a reader of the last loop alone would not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from goblin.loop import state
from goblin.loop.record import Archive, LoopRecord

MOST = 50
"""Archives that are read, newest last."""


class Earlier(NamedTuple):
    """A closed loop, as its archive tells it."""

    name: str
    command: str
    turns: int
    budget: int | None
    result: str  # of its last verdict; "" where it has none
    controlled: bool
    pinned: tuple[str, ...]
    digest: str  # of its predicate


def before(loop: LoopRecord, own: str) -> tuple[Earlier, ...]:
    """The loops closed before, oldest first; `own` names the archive of the live one, "" for none."""
    if not own and (archive := state.chained_to(loop)) is not None and not loop.has("events.jsonl"):
        own = archive.name
    return tuple(_told(loop, archive) for archive in loop.archives[-MOST:] if archive.name != own)


def _told(loop: LoopRecord, archive: Archive) -> Earlier:
    kept = LoopRecord(loop.tree.root, archive.path)
    rows = kept.verdicts
    return Earlier(
        archive.name,
        archive.predicate.command,
        len(rows),
        kept.budget.turns,
        rows[-1].result if rows else "",
        kept.control.exists,
        tuple(kept.surface.entries),
        archive.predicate.digest,
    )


def relaxed(loop: LoopRecord, last: Earlier, own: str = "") -> Iterator[str]:
    """What the live loop asks less than the one before it, in words.

    `own` names its archive where it is closed: what it pinned stands there and nowhere else any more.
    """
    now = LoopRecord(loop.tree.root, loop.path(own)).surface.entries if own else loop.surface.entries
    gone = [path for path in last.pinned if path not in now]
    if gone:
        more = " and more" if len(gone) > 3 else ""
        yield f"{last.name} pinned {', '.join(gone[:3])}{more}, and it does not"
    if last.controlled and not loop.control.exists:
        yield f"{last.name} had a control, and it has none"
