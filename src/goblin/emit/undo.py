"""Taking an emission back: the newest first, byte for byte, and nothing that was edited since.

The rows of one path are a chain: what a row left is what the next one found. Where several platforms
share a file, only the last of them takes it back; until then a row that goes hands what it found to
its neighbour.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from goblin.emit import Refused, source
from goblin.emit.apply import failed, perform
from goblin.emit.ledger import ABSENT, Ledger, Row, digest
from goblin.emit.places import Place, in_project, recorded
from goblin.emit.plan import Change


class Undoing(NamedTuple):
    """What taking back would do: files to change, and the rows that are left."""

    places: list[Place]  # every file that is about to be free of us
    changes: list[Change]
    rows: tuple[Row, ...]
    dropped: tuple[Row, ...]
    kept: tuple[str, ...]  # files that stay, each with why


def plan(ledger: Ledger, platform: str, scope: str, root: str) -> Undoing:
    """What to take back of a platform in a scope; in a project, what lies below `root`.

    Raises `Refused` where a file was edited since; all of them are named.
    """
    rows = ledger.rows()
    mine = {
        row for row in rows if (row.platform, row.scope) == (platform, scope) and _below(row, root, scope)
    }
    changes: list[Change] = []
    places: list[Place] = []
    kept: list[str] = []
    edited: list[str] = []
    handed: dict[Row, Row] = {}
    for path in dict.fromkeys(row.path for row in reversed(rows) if row in mine):
        chain = [row for row in rows if row.path == path]
        place = _place(path, root, scope)
        others = [row for row in chain if row not in mine]
        if others:
            handed.update(handed_over(chain, mine))
            kept.append(f"{place.shown}: {', '.join(sorted({row.platform for row in others}))} needs it too")
            continue
        places.append(place)
        change, told = _taken_back(ledger, chain, place)
        if told.startswith("edited"):
            edited.append(f"{place.shown}{told.removeprefix('edited')}")
        elif change is None:
            kept.append(f"{place.shown}: {told}")
        elif change.old != change.new:
            changes.append(change)
    if edited:
        raise Refused(f"edited since it was emitted, so nothing was removed: {'; '.join(edited)}", _REMEDY)
    rest = tuple(handed.get(row, row) for row in rows if row not in mine)
    return Undoing(places, changes, rest, tuple(row for row in rows if row in mine), tuple(kept))


_REMEDY = (
    "put a skill back with goblin-emit once it is removed, or remove it by hand; "
    "of a context file delete the lines of the block; then run this again"
)


def _below(row: Row, root: str, scope: str) -> bool:
    return scope == "global" or row.path.startswith(os.path.join(root, ""))


def _place(path: str, root: str, scope: str) -> Place:
    if scope == "project":
        return in_project(root, os.path.relpath(path, root).replace(os.sep, "/"))
    return recorded(path, path)


def handed_over(chain: Sequence[Row], mine: set[Row]) -> dict[Row, Row]:
    """The rows of others on one path, each to what it becomes when `mine` go.

    A row takes over what a row before it had found there, and the last one what a row behind it left.
    """
    handed: dict[Row, Row] = {}
    found = ""  # what the first of the rows that go, in a run of them, had found
    last = None
    for row in chain:
        if row in mine:
            found = found or row.before
            continue
        handed[row] = row._replace(before=found) if found else row
        last, found = row, ""
    if last is not None and found:
        handed[last] = handed[last]._replace(after=chain[-1].after)
    return handed


def _taken_back(ledger: Ledger, chain: Sequence[Row], place: Place) -> tuple[Change | None, str]:
    """The change that ends a chain, or None with the reason why nothing is changed."""
    old = place.read()
    now = digest(old)
    links = list(chain)
    while links and now != links[-1].after and now == links[-1].before:
        links.pop()  # a run that was killed before it came to write this file
    if not links:
        return Change(place, old, old), ""
    if now != links[-1].after:
        if old is None:
            return None, "it is gone already"
        if source.find(old) is None and _is_context(links[-1].path):
            return None, "the block is gone already"
        return None, "edited" + _where(old)
    return Change(place, old, _before(ledger, links, old)), ""


def _where(data: bytes) -> str:
    """The lines of the block, for a file that has one."""
    standing = source.find(data)
    if standing is None:
        return ""
    first, last = (data.count(b"\n", 0, place) for place in (standing.start, standing.end - 1))
    return f" (the block: lines {first + 1} to {last + 1})"


def _is_context(path: str) -> bool:
    """True for a file of others that holds a block, false for a skill."""
    return os.path.basename(path) != "SKILL.md"


def _before(ledger: Ledger, links: Sequence[Row], now: bytes | None) -> bytes | None:
    """What stood there before the first link; edits that somebody made between two links are kept."""
    first = len(links) - 1
    while first and links[first - 1].after == links[first].before:
        first -= 1
    found = ledger.kept(links[first].path, links[first].before)
    if first == 0 or found is None or now is None or source.find(found) is None:
        return found
    # Somebody edited the file around our block between two emissions: take out what was put in alone.
    original = ledger.kept(links[0].path, links[0].before) or b""
    standing, was = source.find(now), source.find(original)
    if standing is None:
        return found
    if was is not None:
        return now[: standing.start] + original[was.start : was.end] + now[standing.end :]
    gap = source.separator(original)
    start = standing.start - len(gap) if now[: standing.start].endswith(gap) else standing.start
    rest = now[:start] + now[standing.end :]
    return None if not rest and links[0].before == ABSENT else rest


def carry_out(ledger: Ledger, undoing: Undoing) -> list[str]:
    """Take it back; returns the folders that were removed because they were made for it and are empty.

    Raises `Refused` where a write fails: then everything is as before.
    """
    try:
        perform(undoing.changes)
        for place in undoing.places:
            place.tidy()
    except OSError as error:
        raise failed(error) from error
    ledger.save(undoing.rows)
    ledger.forget(undoing.dropped)
    return _sweep(ledger, {row.path for row in undoing.dropped})


def everything_in(root: str, *, dry_run: bool) -> Iterator[str]:
    """Take back what every platform has in a project, a line for each file and each refusal.

    A file that was edited keeps what its platform has there. Raises `Refused` for a ledger that
    cannot be used.
    """
    ledger = Ledger()
    if not os.path.lexists(ledger.path):
        return
    begin = "would remove" if dry_run else "removed"
    with ledger:
        here = {
            row.platform for row in ledger.rows() if row.scope == "project" and _below(row, root, "project")
        }
        for platform in sorted(here):
            try:
                undoing = plan(ledger, platform, "project", root)
                if not dry_run:
                    carry_out(ledger, undoing)
            except Refused as refused:
                yield f"kept what goblin-emit wrote for {platform}: {refused.message}"
                continue
            yield f"{begin} what goblin-emit wrote for {platform}: {len(undoing.changes)} file(s)"


def _sweep(ledger: Ledger, paths: Iterable[str]) -> list[str]:
    """Remove folders above these paths that emissions made and that hold nothing, the deepest first."""
    folders = ledger.folders()
    above = {folder for folder in folders if any(path.startswith(folder + os.sep) for path in paths)}
    removed = []
    for folder in sorted(above, key=len, reverse=True):
        try:
            os.rmdir(folder)
            removed.append(folder)
        except FileNotFoundError:
            pass
        except OSError:  # not empty, or replaced by something else
            continue
        del folders[folder]
    ledger.save_folders(folders)
    return removed
