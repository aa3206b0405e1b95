"""A disk that fails, or ends the process, at one chosen system call; and a picture of a whole tree."""

from __future__ import annotations

import errno
import os
import signal
import stat
from collections.abc import Callable
from pathlib import Path

from goblin.install.disk import Disk

CALLS = ("mkdir", "create", "write", "stamp", "sync", "replace", "unlink", "rmdir", "sync_folder")
"""The methods of `Disk` that change something."""

Picture = dict[str, bytes | str | None]


class CountingDisk(Disk):
    """A disk that numbers its calls from 1 and asks `stop(number, call)` before each of them."""

    def __init__(self, root: str, stop: Callable[[int, str], None] = lambda number, call: None) -> None:
        super().__init__(root)
        self.calls: list[str] = []
        self.stop = stop
        for name in CALLS:
            setattr(self, name, self._counted(name, getattr(self, name)))

    def _counted(self, name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            self.calls.append(name)
            self.stop(len(self.calls), name)
            return real(*arguments)

        return call


def failing(at: int, code: int = errno.EIO) -> Callable[[str], CountingDisk]:
    """Disks whose call number `at` fails with an `OSError`."""

    def stop(number: int, call: str) -> None:
        if number == at:
            raise OSError(code, os.strerror(code))

    return lambda root: CountingDisk(root, stop)


def full(since: int) -> Callable[[str], CountingDisk]:
    """Disks that have no room left from call number `since` on; what makes room still works."""

    def stop(number: int, call: str) -> None:
        if number >= since and call in ("mkdir", "create", "write", "sync"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return lambda root: CountingDisk(root, stop)


def killing(at: int) -> Callable[[str], CountingDisk]:
    """Disks that end the process, without a word, before call number `at`; a write ends half-way."""

    def stop(number: int, call: str) -> None:
        if number == at:
            os.kill(os.getpid(), signal.SIGKILL)

    class HalfDisk(CountingDisk):
        def __init__(self, root: str) -> None:
            super().__init__(root, stop)
            self.write = self._half  # type: ignore[method-assign]

        def _half(self, descriptor: int, data: bytes) -> int:
            self.calls.append("write")
            if len(self.calls) == at:
                os.write(descriptor, data[: len(data) // 2])
            stop(len(self.calls), "write")
            return os.write(descriptor, data)

    return HalfDisk


def in_child(work: Callable[[], object]) -> int:
    """Do `work` in a forked process; its exit code, or the negative number of the signal that ended it."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001  (the code is all that the parent asks for)
            os._exit(9)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def picture(root: Path | str, without: tuple[str, ...] = (".git",)) -> Picture:
    """Every path below `root`: bytes of files, targets of links, None for folders."""
    found: Picture = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in without]
        for name in (*folders, *names):
            full_name = os.path.join(folder, name)
            mode = os.lstat(full_name).st_mode
            path = os.path.relpath(full_name, root)
            if stat.S_ISLNK(mode):
                found[path] = os.readlink(full_name)
            elif stat.S_ISREG(mode):
                found[path] = Path(full_name).read_bytes()
            else:
                found[path] = None
    return found
