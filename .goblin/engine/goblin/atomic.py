"""Writing one file so that a reader sees the old bytes or the new ones, and never a part of either.

The bytes go to a new file in the same folder, which then takes the name in one step. What stands
under that name is replaced, not followed: a symbolic link there gives way to the file, and what it
pointed to is not touched.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_ATTEMPTS = 8
_END = ".tmp"
_OLD = 3600.0
"""Seconds after which a temporary file belongs to nobody: a write takes a blink."""


def write(path: str, data: bytes, mode: int | None = None) -> None:
    """Put `data` at `path` in one step, and wait until the disk has it.

    `mode` holds permission bits, which the umask narrows as it does for any new file; without it a
    regular file keeps the bits that it has and a new one gets 0666. The folder must exist; it is
    opened once, so a later exchange of it by a link leads nowhere. Raises `OSError`, with `path` as
    its file name and with the old file unharmed; no temporary file is left behind.
    """
    parent, name = os.path.split(path)
    try:
        folder = os.open(parent or ".", _FOLDER)
        try:
            _write(folder, name, data, mode)
        finally:
            os.close(folder)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, path) from error


def _write(folder: int, name: str, data: bytes, mode: int | None) -> None:
    kept = _bits(folder, name) if mode is None else None
    descriptor, temporary = _create(folder, name, 0o666 if mode is None else mode)
    try:
        try:
            if kept is not None:
                os.fchmod(descriptor, kept)
            left = memoryview(data)
            while left:
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # an interrupt too leaves nothing behind
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    with suppress(OSError):  # some file systems cannot sync a folder; the file itself is safe
        os.fsync(folder)
    with suppress(OSError):
        _sweep(folder, name)


def _sweep(folder: int, name: str) -> None:
    """Remove what a process has left beside `name` that was killed in the middle of writing it."""
    begin, before = _begin(name), time.time() - _OLD
    for stray in os.listdir(folder):
        middle = stray[len(begin) : -len(_END)]
        if stray != begin + middle + _END or len(middle) != 12 or middle.strip("0123456789abcdef"):
            continue
        found = os.stat(stray, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and found.st_mtime < before:
            os.unlink(stray, dir_fd=folder)


def _bits(folder: int, name: str) -> int | None:
    """The permission bits of the regular file that will be replaced; None where there is none."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError:
        return None
    return stat.S_IMODE(found) & 0o777 if stat.S_ISREG(found) else None


def _begin(name: str) -> str:
    """How the temporary files beside a name begin."""
    return f".{name[:32]}."


def _create(folder: int, name: str, mode: int) -> tuple[int, str]:
    """A new file beside `name`, open for writing, and what it is called."""
    for attempt in range(_ATTEMPTS):
        temporary = f"{_begin(name)}{os.urandom(6).hex()}{_END}"
        try:
            return os.open(temporary, _NEW, mode, dir_fd=folder), temporary
        except FileExistsError:
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")
