"""Reading the tree under test without being led out of it.

A path is the text that git, a config or a record gives: relative, forward slashes. No symbolic
link is followed out of the root, and nothing but a regular file is ever opened, so a FIFO cannot
hang a run and a device cannot be read.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable

LIMIT = 16 << 20
"""Bytes of one file that a rule about text will read; a larger file is reported, not read."""


_SPARSE = 4 << 20
"""Bytes from which on it pays to ask where a file has holes."""


def reader(descriptor: int) -> Callable[[int], bytes]:
    """What reads an open file from here on, as `os.read` does.

    What a large sparse file does not hold is not read: one NUL byte stands for each hole, so a file of
    gigabytes that takes no room takes no time either.
    """
    status = os.fstat(descriptor)
    holes = status.st_size > _SPARSE and status.st_blocks * 512 < status.st_size
    if not holes or not hasattr(os, "SEEK_DATA"):
        return lambda size: os.read(descriptor, size)

    def read(size: int) -> bytes:
        here = os.lseek(descriptor, 0, os.SEEK_CUR)
        try:
            data = os.lseek(descriptor, here, os.SEEK_DATA)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            os.lseek(descriptor, 0, os.SEEK_END)
            return b"\0" if here < status.st_size else b""
        if data > here:
            return b"\0"
        end = os.lseek(descriptor, here, os.SEEK_HOLE)
        os.lseek(descriptor, here, os.SEEK_SET)
        return os.read(descriptor, min(size, end - here))

    return read


class ReadRefused(Exception):
    """A file that will not be read; the message says why, for a person."""


def confined(path: str) -> bool:
    """True when `path` is a plain relative path: no root, drive, `..`, empty part, backslash or NUL."""
    if not path or "\0" in path or "\\" in path or path.startswith(("/", "~")):
        return False
    if len(path) > 1 and path[1] == ":":
        return False
    return all(part not in ("", ".", "..") for part in path.split("/"))


class Tree:
    """A read-only view of the files below one root, for the time of one run.

    Whether a folder is inside is asked once: a run that may be raced by a program with the right to
    change the tree is lost to it anyway, and asking for each file again costs more than reading it.

    A `frozen` one names no place to write either, so that a run over it leaves no runtime file.
    """

    def __init__(self, root: str, *, frozen: bool = False) -> None:
        self.root = os.path.realpath(root)
        self._inside: dict[str, bool] = {}
        self.frozen = frozen

    def full(self, path: str) -> str:
        """The absolute path of `path`; raises `ReadRefused` if it leaves the root as text or by a link."""
        if not confined(path):
            raise ReadRefused(f"{path}: not a relative path inside the repository")
        full = os.path.join(self.root, path)
        folder = os.path.dirname(full)
        if folder not in self._inside:
            real = os.path.realpath(folder)
            self._inside[folder] = real == self.root or real.startswith(self.root.rstrip("/") + "/")
        if not self._inside[folder]:
            raise ReadRefused(f"{path}: a folder above it is a link that leaves the repository")
        return full

    def writing(self, path: str) -> str:
        """The absolute path at which to write `path`; raises `ReadRefused` as `full` does, and if frozen."""
        if self.frozen:
            raise ReadRefused("this run writes nothing")
        return self.full(path)

    def kind(self, path: str) -> str:
        """One of `file dir link other missing outside`; the last part is never followed."""
        try:
            mode = os.lstat(self.full(path)).st_mode
        except ReadRefused:
            return "outside"
        except (OSError, ValueError):
            return "missing"
        if stat.S_ISREG(mode):
            return "file"
        if stat.S_ISDIR(mode):
            return "dir"
        return "link" if stat.S_ISLNK(mode) else "other"

    def read(self, path: str, limit: int = LIMIT) -> bytes:
        """The bytes of a regular file; raises `ReadRefused` with the reason for anything else."""
        full = self.full(path)
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            descriptor = os.open(full, flags)
        except OSError as error:
            link = os.path.islink(full)
            reason = "a symbolic link, not a file" if link else (error.strerror or "unreadable")
            raise ReadRefused(f"{path}: {reason}") from error
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise ReadRefused(f"{path}: not a regular file")
            if status.st_size > limit:
                raise ReadRefused(f"{path}: {status.st_size} bytes, more than the {limit} that are read")
            data = part = os.read(descriptor, status.st_size + 1)
            while part and len(data) <= limit:  # it grew since, or the system gives less at a time
                part = os.read(descriptor, 1 << 20)
                data += part
        except OSError as error:
            raise ReadRefused(f"{path}: {error.strerror or 'unreadable'}") from error
        finally:
            os.close(descriptor)
        if len(data) > limit:
            raise ReadRefused(f"{path}: more than the {limit} bytes that are read")
        return data

    def text(self, path: str, limit: int = LIMIT) -> str:
        """The file as UTF-8 text without a byte-order mark; raises `ReadRefused` where it is not UTF-8."""
        data = self.read(path, limit).removeprefix(b"\xef\xbb\xbf")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise ReadRefused(f"{path}:{line}: byte {error.start + 1} is not UTF-8") from error

    def prose(self, path: str, limit: int = 1 << 20) -> str:
        """The file as text, for a guess about it: "" where it cannot be read; other bytes are replaced."""
        try:
            return self.read(path, limit).decode("utf-8", "replace")
        except ReadRefused:
            return ""

    def names(self, path: str) -> list[str]:
        """Names in a folder, sorted; an absent folder has none, and a link to a folder is not entered."""
        full = self.root if path in ("", ".") else self.full(path)
        if os.path.islink(full) and full != self.root:
            return []
        try:
            return sorted(os.listdir(full))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise ReadRefused(f"{path}: {error.strerror or 'unreadable'}") from error
