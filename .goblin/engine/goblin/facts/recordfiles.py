"""Fact `record_files`: every file below `.goblin/` that a run or a person wrote, and the secrets in it.

The engine, the rules and what else an install wrote are no record; they are text about secrets, too.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from goblin.facts.content import Window
from goblin.facts.secrets import find
from goblin.paths import ReadRefused, Tree

HOME = ".goblin"
NOT_RECORDS = frozenset(
    ("engine", "bin", "manifest", "checks", "bans", "rules", "automations", "schemas", "templates", "backup")
)
"""Folders of an install: programs, tables and copies, no record of anything that happened."""

MOST = 50_000
"""Files that are searched."""

LIMIT = 64 << 20
"""Bytes of one file that are searched."""

_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Hit(NamedTuple):
    """A secret, by place and kind alone."""

    path: str
    line: int
    kind: str


class RecordFiles(NamedTuple):
    """What was searched, what was found, and what could not be searched."""

    searched: int
    hits: tuple[Hit, ...]
    unread: tuple[tuple[str, str], ...]  # (path, why)


def _paths(root: str) -> Iterator[str]:
    waiting = [HOME]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                found = sorted((entry.name, entry.stat(follow_symlinks=False).st_mode) for entry in entries)
        except OSError:
            continue
        for name, mode in found:
            path = f"{folder}/{name}"
            if stat.S_ISREG(mode):
                yield path
            elif (
                stat.S_ISDIR(mode) and name != "__pycache__" and not (folder == HOME and name in NOT_RECORDS)
            ):
                waiting.append(path)


def secrets_in(data: bytes) -> Iterator[tuple[int, str]]:
    """(line, kind) of each secret, a bounded number; UTF-16 and bytes between are no hiding place."""
    if data.startswith(_MARKS):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    for hit in find([Window(0, data.replace(b"\0", b""))]):
        yield hit.line, hit.kind


def load(tree: Tree) -> RecordFiles:
    """Search the records of the repository under test. Never raises."""
    hits: list[Hit] = []
    unread: list[tuple[str, str]] = []
    searched = 0
    for path in _paths(tree.root):
        if searched >= MOST:
            unread.append((f"{HOME}/", f"more than {MOST} files"))
            break
        searched += 1
        try:
            hits += [Hit(path, line, kind) for line, kind in secrets_in(tree.read(path, LIMIT))]
        except ReadRefused as refused:
            unread.append((path, str(refused).removeprefix(f"{path}: ")))
    return RecordFiles(searched, tuple(hits), tuple(unread))
