"""Copies of what a run takes out of its place: below `.goblin/backup/`, one folder a run, named by time."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from typing import NamedTuple

from goblin import clock
from goblin.install.disk import Disk

FOLDER = ".goblin/backup"


class Copy(NamedTuple):
    """A file as it once stood at another path."""

    place: str
    data: bytes
    mode: int


def new_folder(disk: Disk) -> str:
    """Where this run puts its copies: no folder of that name is there yet."""
    stamp = clock.now().strftime("%Y%m%dT%H%M%SZ")
    taken = set(_stamps(disk))
    names = (stamp if n == 1 else f"{stamp}-{n}" for n in range(1, len(taken) + 2))
    return f"{FOLDER}/{next(name for name in names if name not in taken)}"


def of(disk: Disk, path: str, *, newest_first: bool = False) -> Iterator[Copy]:
    """Every copy of a path; what is no regular file, or is reached through a link, is none."""
    stamps = _stamps(disk)
    for stamp in reversed(stamps) if newest_first else stamps:
        place = f"{FOLDER}/{stamp}/{path}"
        try:
            data, seen = disk.read(place), disk.status(place)
        except OSError:
            continue
        if data is not None and seen is not None:
            yield Copy(place, data, stat.S_IMODE(seen.st_mode))


def _stamps(disk: Disk) -> list[str]:
    try:
        return disk.names(FOLDER)
    except OSError:  # a link, or no folder: preflight names it where something is to be put there
        return []
