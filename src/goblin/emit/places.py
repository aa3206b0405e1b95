"""Where an emission lands: a file below a folder that is opened once, and never through a link beneath it.

In a project that folder is the repository's root. In a home it is the deepest folder of the platform
that exists, so that a platform folder which its owner has linked elsewhere is followed, and nothing below.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from goblin.emit import Refused
from goblin.install.disk import Disk, put

MOST = 16 << 20
"""Bytes of a file of others that are read and kept."""


class Place(NamedTuple):
    """One file: the folder it is reached from, its path below it, and how a message shows it."""

    disk: Disk
    path: str
    shown: str

    @property
    def full(self) -> str:
        """The absolute path, which the ledger holds."""
        return os.path.join(self.disk.root, self.path)

    def read(self) -> bytes | None:
        """The bytes that stand there, None for no file. Raises `Refused` for what is no plain file."""
        try:
            found = self.disk.status(self.path)
            if found is None:
                return None
            if not stat.S_ISREG(found.st_mode):
                what = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "no regular file"
                raise Refused(f"{self.shown} is {what}", "put a plain file there, or move it away")
            if found.st_size > MOST:
                raise Refused(f"{self.shown} is larger than {MOST >> 20} MiB")
            return self.disk.read(self.path)
        except OSError as error:
            raise Refused(f"{self.shown} cannot be read: {_why(self.disk, self.path, error)}") from error

    def missing_folders(self) -> list[str]:
        """The absolute paths of the folders above it that do not exist, outermost first."""
        parts = self.path.split("/")[:-1]
        folders = ["/".join(parts[: count + 1]) for count in range(len(parts))]
        return [os.path.join(self.disk.root, name) for name in folders if self.disk.status(name) is None]

    def write(self, data: bytes) -> None:
        """Put the bytes there in one step, folders included. Raises `OSError`."""
        for folder in self.missing_folders():
            self.disk.mkdir(os.path.relpath(folder, self.disk.root).replace(os.sep, "/"))
        found = self.disk.status(self.path)
        mode = stat.S_IMODE(found.st_mode) & 0o777 if found else 0o644
        self.tidy()
        try:
            put(self.disk, self._draft, data, mode)
            self.disk.replace(self._draft, self.path)
        except BaseException:
            self.tidy()
            raise
        self.disk.sync_folder(self.path.rpartition("/")[0])

    @property
    def _draft(self) -> str:
        folder, slash, name = self.path.rpartition("/")
        return f"{folder}{slash}.{name}.goblin-emit.tmp"

    def tidy(self) -> None:
        """Remove the draft that a run has left which was killed; whoever holds the ledger may."""
        if self.disk.status(self._draft) is not None:
            self.disk.unlink(self._draft)

    def put_back(self, data: bytes | None) -> None:
        """Make it what it was: these bytes, or no file."""
        if data is not None:
            self.write(data)
        elif self.disk.status(self.path) is not None:
            self.disk.unlink(self.path)


def _why(disk: Disk, path: str, error: OSError) -> str:
    """The reason, with the link that is in the way where one is."""
    folder = ""
    for part in path.split("/")[:-1]:
        folder = f"{folder}/{part}".lstrip("/")
        full = os.path.join(disk.root, folder)
        if os.path.islink(full):
            return f"{full} is a symbolic link"
    return error.strerror or str(error)


def in_project(root: str, path: str) -> Place:
    """A file of a project; `path` is relative."""
    return Place(Disk(root), path, path)


def in_home(path: str) -> Place:
    """A file of the user's home; `path` begins with `~/`."""
    full = os.path.expanduser(path)
    base = os.path.dirname(os.path.dirname(full))  # below it stand the skill's own folder and file
    while not os.path.isdir(base) and os.path.dirname(base) != base:
        base = os.path.dirname(base)
    return Place(Disk(base), os.path.relpath(full, base).replace(os.sep, "/"), path)


def recorded(full: str, shown: str) -> Place:
    """The place of a path that the ledger holds."""
    base, name = os.path.split(full)
    while not os.path.isdir(base) and os.path.dirname(base) != base:
        base, part = os.path.split(base)
        name = f"{part}/{name}"
    return Place(Disk(base), name, shown)
