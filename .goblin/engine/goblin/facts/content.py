"""The bytes of a file or of a blob, in windows: no file is too large to be looked at, and none is held.

Most files are one window. Of a larger one, each window begins with the last bytes of the one before, so
that what a boundary cuts in two is whole in one of them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from typing import NamedTuple

from goblin import git as plumbing
from goblin.paths import ReadRefused, Tree, reader

WINDOW = 4 << 20
"""Bytes of one window."""

OVERLAP = 16 << 10
"""Bytes that a window repeats of the one before; nothing that is looked for is longer."""


class Window(NamedTuple):
    """A stretch of some content, and where it starts."""

    offset: int
    data: bytes


class NotHere(Exception):
    """A blob that this clone does not hold."""


def _windows(read: Callable[[int], bytes]) -> Iterator[Window]:
    offset, kept = 0, b""
    while True:
        block = _filled(read, WINDOW)
        if not block and (kept or offset):
            return
        yield Window(offset, kept + block)
        if len(block) < WINDOW:
            return
        offset += len(kept) + len(block) - OVERLAP
        kept = (kept + block)[-OVERLAP:]


def _filled(read: Callable[[int], bytes], size: int) -> bytes:
    """The next `size` bytes; fewer only where the content ends."""
    block = read(size)
    if not block or len(block) == size:
        return block
    parts = [block]
    left = size - len(block)
    while left and (block := read(left)):
        parts.append(block)
        left -= len(block)
    return b"".join(parts)


def of_file(tree: Tree, path: str) -> Iterator[Window]:
    """The windows of a regular file of the tree; raises `ReadRefused` with the reason for anything else.

    Of a large sparse file they hold what it holds, and a NUL byte for each hole.
    """
    full = tree.full(path)
    try:
        descriptor = os.open(full, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        raise ReadRefused(f"{path}: {getattr(error, 'strerror', '') or 'unreadable'}") from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ReadRefused(f"{path}: not a regular file")
        yield from _windows(reader(descriptor))
    except OSError as error:
        raise ReadRefused(f"{path}: {error.strerror or 'unreadable'}") from error
    finally:
        os.close(descriptor)


class Blobs:
    """Contents that git keeps, one at a time, through one process that starts with the first question."""

    def __init__(self, git: plumbing.Git) -> None:
        self._git = git

    def windows(self, oid: str) -> Iterator[Window]:
        """The windows of a blob; must be used up or closed before the next. Raises `NotHere`."""
        try:
            with self._git.reading() as talk:
                talk.ask(oid.encode("ascii") + b"\n")
                fields = talk.line().split()
                left = int(fields[2]) if len(fields) == 3 else -1

                def read(most: int) -> bytes:
                    nonlocal left
                    data = talk.read(min(most, left))
                    left -= len(data)
                    return data

                if left >= 0:
                    yield from _windows(read)
                    while left and read(WINDOW):
                        pass
                    talk.read(1)
        except OSError as error:
            raise NotHere("git ended early") from error
        if left < 0:
            raise NotHere("this clone has no content for it")
