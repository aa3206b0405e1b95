"""What the writer of a record asks of the file system: on disk when it returns, and refusals in words."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from types import TracebackType

from goblin.loop.refusal import Refused


class Failing:
    """Turns what the file system refuses into a sentence about one file."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from goblin.paths import ReadRefused

        if isinstance(error, ReadRefused):
            raise Refused(str(error)) from error
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError | FileExistsError):
            raise Refused(f"{self._path} cannot be written: {error.strerror}") from error


def write(descriptor: int, data: bytes) -> None:
    """Write all of it, and wait until the disk has it."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
    os.fsync(descriptor)


def free(full: str, shown: str) -> None:
    """Refuse to replace what is no regular file: somebody put it there."""
    try:
        mode = os.lstat(full).st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        what = "a symbolic link" if stat.S_ISLNK(mode) else "no regular file"
        raise Refused(f"{shown} is {what}", f"remove {shown}")


def sync(folder: str) -> None:
    """Wait until the disk has what was made, renamed or deleted in a folder."""
    with suppress(OSError):  # some file systems cannot sync a folder
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def discard(path: str) -> None:
    """Remove a file or a folder with all that it holds; a link is not followed."""
    import shutil

    with suppress(OSError):
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
