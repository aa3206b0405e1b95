"""What a run would change in a file, as people read it: a unified diff, bounded (spec install 8)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from goblin.facts.installed import PLATFORMS
from goblin.install.journal import Change
from goblin.redact import clean

MOST = 200
"""Lines of one file's diff that are shown."""

_LONGEST = 400  # characters of one line

FEW = 5
"""Files of one folder up to which each is named."""

_OURS = (
    ".goblin/engine/_vendor/",
    *(f".goblin/{name}/" for name in ("engine", "bin", "manifest", "checks", "bans", "automations")),
    ".goblin/templates/",
    *(f"{folder}/" for folder in PLATFORMS.values()),
)
"""Folders that a release fills: how many of its files come and go says more than their names do."""


def planned(changes: Sequence[Change], *, verbose: bool = False) -> Iterator[str]:
    """A line for each file that a run would write or remove; of a folder of ours with many, one line."""
    folders = [next((name for name in _OURS if change.path.startswith(name)), "") for change in changes]
    many = {name for name in folders if name and folders.count(name) > FEW and not verbose}
    told = set()
    for change, folder in zip(changes, folders, strict=True):
        if folder not in many:
            yield f"plan: {clean(change.path)}" + ("" if change.data is not None else " (removed)")
        elif folder not in told:
            told.add(folder)
            inside = [change for change, name in zip(changes, folders, strict=True) if name == folder]
            yield f"plan: {folder} ({_counted(inside)})"
    if many:
        yield "each file of these folders: --verbose"


def _counted(changes: Sequence[Change]) -> str:
    removed = sum(change.data is None for change in changes)
    created = sum(change.before is None for change in changes)
    numbers = {"created": created, "updated": len(changes) - created - removed, "removed": removed}
    return ", ".join(f"{number} {word}" for word, number in numbers.items() if number)


def diffs(changes: Iterable[Change]) -> Iterator[str]:
    """The lines of the diff of every file that gets other bytes."""
    for change in changes:
        if change.before is not None and change.data is not None:
            yield from diff(change.path, change.before, change.data)


def diff(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """The diff of one file; binary files are only named."""
    before, after = _text(old), _text(new)
    if before is None or after is None:
        yield f"binary file {clean(path)} differs"
        return
    lines = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="")
    for number, line in enumerate(lines):
        if number >= MOST:
            yield f"... more than {MOST} lines of {clean(path)} differ"
            return
        yield clean(line[:_LONGEST])


def _text(data: bytes) -> list[str] | None:
    try:
        return None if b"\0" in data else data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return None
