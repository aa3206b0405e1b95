"""The system calls that change a target, one method each, and nothing else that writes.

Every path is relative to the target. Folders are opened one by one from the root and never through
a symbolic link, so nothing that happens between the preflight and a write can lead it elsewhere;
no path that names a git directory is accepted. Tests replace one method at a time to fail or to
end the process there.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from goblin.paths import confined

FOLDER_MODE = 0o755
LIMIT = 64 << 20
"""Bytes of one file that are read; nothing that is installed is nearly as large."""
_BESIDE = {os.open, os.mkdir, os.rename, os.unlink, os.rmdir, os.stat} <= os.supports_dir_fd
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class Escapes(OSError):
    """A path that leaves the target, or reaches into a git directory."""


def safe(path: str) -> bool:
    """True for a path that may be written: plain, relative, and not inside a git directory."""
    return confined(path) and not any(part.casefold() in (".git", "git~1") for part in path.split("/"))


class Disk:
    """One target folder, changed by single system calls. Every method raises `OSError`."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)

    def mkdir(self, path: str, mode: int = FOLDER_MODE) -> None:
        """Make one folder, with these bits whatever the umask."""
        with self._beside(path) as (name, parent):
            os.mkdir(name, mode, dir_fd=parent)
            os.chmod(name, mode, dir_fd=parent)

    def create(self, path: str, mode: int) -> int:
        """Make a file that must not exist and return a descriptor open for writing."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC | _BINARY
        with self._beside(path) as (name, parent):
            descriptor = os.open(name, flags, mode, dir_fd=parent)
        if hasattr(os, "fchmod"):
            try:
                os.fchmod(descriptor, mode)
            except OSError:
                os.close(descriptor)
                raise
        return descriptor

    def write(self, descriptor: int, data: bytes) -> int:
        """Write some of `data`, at least one byte, and return how much."""
        return os.write(descriptor, data)

    def stamp(self, descriptor: int, mtime_ns: int) -> None:
        """Set a file's time of change, where the system can do that through a descriptor."""
        if os.utime in os.supports_fd:
            os.utime(descriptor, ns=(mtime_ns, mtime_ns))

    def sync(self, descriptor: int) -> None:
        """Wait until a file's bytes are on the disk."""
        os.fsync(descriptor)

    def replace(self, source: str, destination: str) -> None:
        """Put `source` in the place of `destination`, both in the same folder, in one step."""
        with self._beside(source) as (old, parent):
            new = destination.rpartition("/")[2]
            if parent is None:
                new = os.path.join(os.path.dirname(old), new)
            os.replace(old, new, src_dir_fd=parent, dst_dir_fd=parent)

    def unlink(self, path: str) -> None:
        """Remove one file (or the link itself)."""
        with self._beside(path) as (name, parent):
            os.unlink(name, dir_fd=parent)

    def rmdir(self, path: str) -> None:
        """Remove one empty folder."""
        with self._beside(path) as (name, parent):
            os.rmdir(name, dir_fd=parent)

    def sync_folder(self, path: str) -> None:
        """Wait until a folder's entries are on the disk; "" is the root. Does nothing where unsupported."""
        if not _BESIDE:
            return
        with self._opened(path) as descriptor:
            os.fsync(descriptor)

    def status(self, path: str) -> os.stat_result | None:
        """What stands at a path, a link not followed, or None."""
        try:
            with self._beside(path) as (name, parent):
                return os.stat(name, dir_fd=parent, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file, or None where nothing stands; `OSError` for anything else.

        A file of more than `LIMIT` bytes is such an error, too.
        """
        flags = os.O_RDONLY | _NOFOLLOW | _CLOEXEC | _BINARY | getattr(os, "O_NONBLOCK", 0)
        try:
            with self._beside(path) as (name, parent):
                descriptor = os.open(name, flags, dir_fd=parent)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as stream:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise Escapes(f"{path}: not a regular file")
            if status.st_size > LIMIT:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
            return stream.read()

    def names(self, path: str) -> list[str]:
        """The names in a folder, sorted; none where it does not exist."""
        try:
            if not _BESIDE:
                return sorted(os.listdir(os.path.join(self.root, path)))
            with self._opened(path) as descriptor:
                return sorted(os.listdir(descriptor))
        except FileNotFoundError:
            return []

    @contextmanager
    def _beside(self, path: str) -> Iterator[tuple[str, int | None]]:
        """The name to act on and the descriptor of its folder (None where the system has no such calls)."""
        if not safe(path):
            raise Escapes(f"{path}: not a path that may be written")
        folder, _, name = path.rpartition("/")
        try:
            if not _BESIDE:
                yield os.path.join(self._walked(folder), name), None
                return
            with self._opened(folder) as descriptor:
                yield name, descriptor
        except OSError as error:
            error.filename, error.filename2 = path, None  # the system knows only the last name
            raise

    @contextmanager
    def _opened(self, folder: str) -> Iterator[int]:
        flags = os.O_RDONLY | _DIRECTORY | _NOFOLLOW | _CLOEXEC
        descriptor = os.open(self.root, os.O_RDONLY | _DIRECTORY | _CLOEXEC)
        try:
            for part in folder.split("/") if folder else ():
                deeper = os.open(part, flags, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = deeper
            yield descriptor
        except OSError as error:
            error.filename = folder
            raise
        finally:
            os.close(descriptor)

    def _walked(self, folder: str) -> str:
        full = self.root
        for part in folder.split("/") if folder else ():
            full = os.path.join(full, part)
            if os.path.islink(full):
                raise Escapes(f"{full}: a symbolic link")
        return full


def put(disk: Disk, path: str, data: bytes, mode: int = 0o644, mtime_ns: int | None = None) -> None:
    """Make a file that must not exist, with its bytes on the disk before this returns.

    What a failure leaves behind is the caller's to remove, by the same list that named the path.
    """
    descriptor = disk.create(path, mode)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[disk.write(descriptor, bytes(rest)) :]
        if mtime_ns is not None:
            disk.stamp(descriptor, mtime_ns)
        disk.sync(descriptor)
    except OSError as error:
        error.filename = path
        raise
    finally:
        os.close(descriptor)
