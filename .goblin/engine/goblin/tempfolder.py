"""A temporary folder that goes when its user ends, also when that user is killed.

Each folder holds a lock that the kernel frees with the process. A free lock marks what a killed run
left behind, and the next one removes it.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

LOCK = "lock"
YOUNG = 3600.0
"""Seconds for which a folder without a lock may still be one that is being made."""

_ATTEMPTS = 20


class NoFolder(Exception):
    """No temporary folder could be made; the message says why, for a person."""


@contextmanager
def held(prefix: str, outside: Iterable[str] = ()) -> Iterator[str]:
    """The resolved path of a new empty folder whose name starts with `prefix`, gone when the block ends.

    `outside` are folders that it may not stand in, such as the repository under test. Raises `NoFolder`.
    """
    import tempfile

    parent = os.path.realpath(tempfile.gettempdir())
    for place in outside:
        if place and (parent + os.sep).startswith(os.path.realpath(place).rstrip(os.sep) + os.sep):
            raise NoFolder(f"the temporary folder {parent} is inside the repository: set TMPDIR elsewhere")
    prune(parent, prefix)
    try:
        folder, lock = _made(lambda: tempfile.mkdtemp(prefix=prefix, dir=parent))
    except OSError as error:
        raise NoFolder(f"no temporary folder can be made in {parent}: {error.strerror}") from error
    try:
        inner = os.path.join(folder, "work")
        os.mkdir(inner)
        yield inner
    finally:
        remove_tree(folder)
        os.close(lock)


def _made(new: Callable[[], str]) -> tuple[str, int]:
    """A new folder and its held lock. One that somebody prunes before it is locked is given up."""
    for _ in range(_ATTEMPTS):
        folder = new()
        try:
            lock = _hold(folder)
        except (BlockingIOError, FileNotFoundError):
            continue
        if os.path.exists(os.path.join(folder, LOCK)):
            return folder, lock
        os.close(lock)
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def prune(parent: str, prefix: str) -> None:
    """Remove the folders of that prefix below `parent` that are this user's and that nobody holds."""
    try:
        names = [name for name in os.listdir(parent) if name.startswith(prefix)]
    except OSError:
        return
    for name in names:
        folder = os.path.join(parent, name)
        with suppress(OSError):
            status = os.lstat(folder)
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid():
                _remove_abandoned(folder, status)


def _remove_abandoned(folder: str, status: os.stat_result) -> None:
    """Remove a folder whose lock is free; the lock is held meanwhile, so that nobody takes it over."""
    import fcntl

    try:
        descriptor = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        if time.time() - status.st_mtime > YOUNG:
            remove_tree(folder)
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove_tree(folder)
    finally:
        os.close(descriptor)


def _hold(folder: str) -> int:
    import fcntl

    descriptor = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def remove_tree(folder: str) -> None:
    """Delete a folder of ours, also where a command took permissions away; what resists is left."""
    import shutil

    def retry(function: Callable[[str], object], name: str, _: object) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(name), 0o700)
            if os.path.isdir(name) and not os.path.islink(name):
                os.chmod(name, 0o700)
                shutil.rmtree(name, ignore_errors=True)
            else:
                function(name)

    shutil.rmtree(folder, onerror=retry)
