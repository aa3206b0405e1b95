"""What a folder holds, remembered well enough to say what somebody changed in it.

A file counts as unchanged while its kind, mode, size, inode and both its times are. The clock of a file
system ticks slowly: a change within the tick in which a file was written would not show. So the bytes of
files that were written that recently are remembered too.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

TICK = 50_000_000
"""Nanoseconds within which two changes of a file may bear the same time; real ticks are below 20 ms."""


class Seen(NamedTuple):
    """What stood at a path, in what changes when it does."""

    mode: int  # kind and permissions
    size: int = 0
    inode: int = 0
    modified: int = 0  # nanoseconds
    changed: int = 0

    @property
    def is_dir(self) -> bool:
        """True for a folder, of which only the permissions are looked at."""
        return stat.S_ISDIR(self.mode)


class Changes(NamedTuple):
    """How a folder differs: `surplus` is to go, `folders` are to come back, `files` are to be rewritten."""

    surplus: tuple[str, ...]  # also what is of another kind now; no path lies below another one
    folders: tuple[tuple[str, int], ...]  # with their permissions, outermost first
    files: tuple[str, ...]

    def touch(self, path: str) -> bool:
        """True for a file that is new, gone or different."""
        return path in self.files or any(path == one or path.startswith(f"{one}/") for one in self.surplus)


class Snapshot:
    """The files and folders below `root`, but those whose names at its top are in `without`."""

    def __init__(self, root: str, without: Container[str]) -> None:
        self.root = root
        self._without = without
        self._seen = dict(_walk(root, without))
        self._recent: dict[str, bytes] = {}
        self._remember(self._seen)

    def changes(self) -> Changes:
        """What is different now. Raises `OSError` where a folder cannot be read."""
        now = dict(_walk(self.root, self._without))
        surplus: dict[str, bool] = {}  # whether the path is to be named, which its folder is not
        for path, found in now.items():
            known = self._seen.get(path)
            if known is None or stat.S_IFMT(known.mode) != stat.S_IFMT(found.mode):
                surplus[path] = path.rpartition("/")[0] not in surplus
        folders = []
        files = []
        for path, known in self._seen.items():
            same = now.get(path) == known
            if known.is_dir and not same:
                folders.append((path, stat.S_IMODE(known.mode)))
            elif not known.is_dir and not (same and self._as_written(path)):
                files.append(path)
        return Changes(tuple(p for p, named in surplus.items() if named), tuple(folders), tuple(files))

    def _as_written(self, path: str) -> bool:
        """False for a file that was changed within the tick in which it was written."""
        known = self._recent.get(path)
        if known is None:
            return True
        if known != self._digest(path):
            return False
        if self._seen[path].changed < time.time_ns() - TICK:
            del self._recent[path]  # its times tell from now on
        return True

    def update(self, paths: Iterable[str]) -> None:
        """Remember these files as they are now."""
        fresh = {path: _seen(os.lstat(os.path.join(self.root, path))) for path in paths}
        self._seen.update(fresh)
        self._remember(fresh)

    def _remember(self, fresh: dict[str, Seen]) -> None:
        since = time.time_ns() - TICK
        self._recent.update(
            (path, self._digest(path))
            for path, seen in fresh.items()
            if not seen.is_dir and seen.changed >= since
        )

    def _digest(self, path: str) -> bytes:
        full = os.path.join(self.root, path)
        try:
            if os.path.islink(full):
                return hashlib.sha256(os.fsencode(os.readlink(full))).digest()
            with open(full, "rb") as stream:
                return hashlib.sha256(stream.read()).digest()
        except OSError:
            return b"unreadable"


def _seen(found: os.stat_result) -> Seen:
    if stat.S_ISDIR(found.st_mode):
        return Seen(found.st_mode)
    return Seen(found.st_mode, found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns)


def _walk(root: str, without: Container[str]) -> Iterator[tuple[str, Seen]]:
    """Every entry below a folder, each folder before what it holds; links are not followed."""
    waiting = [""]
    while waiting:
        below = waiting.pop()
        with os.scandir(os.path.join(root, below) if below else root) as entries:
            for entry in entries:
                path = f"{below}/{entry.name}" if below else entry.name
                if path in without:
                    continue
                seen = _seen(entry.stat(follow_symlinks=False))
                yield path, seen
                if seen.is_dir:
                    waiting.append(path)
