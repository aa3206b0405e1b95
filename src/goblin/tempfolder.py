"""A temporary folder that goes when its user ends, also when that user is killed.

Each folder holds a lock that the kernel frees with the process. A free lock marks what a killed run
left behind, and the next one removes it.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

LOCK = "lock"
YOUNG = 3600.0
"""Seconds for which a folder without a lock may still be one that is being made."""


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
        folder = tempfile.mkdtemp(prefix=prefix, dir=parent)
        lock = _hold(folder)
    except OSError as error:
        raise NoFolder(f"no temporary folder can be made in {parent}: {error.strerror}") from error
    inner = os.path.join(folder, "work")
    os.mkdir(inner)
    try:
        yield inner
    finally:
        remove_tree(folder)
        os.close(lock)


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
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and _abandoned(folder, status):
                remove_tree(folder)


def _abandoned(folder: str, status: os.stat_result) -> bool:
    import fcntl

    try:
        descriptor = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return time.time() - status.st_mtime > YOUNG
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def _hold(folder: str) -> int:
    import fcntl

    descriptor = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
