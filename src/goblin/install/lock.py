"""One installer at a time: `.goblin/lock`, made exclusively, naming the process that holds it.

A lock whose holder is dead on this very host is taken over, and that is said (decided 29); a live
holder, and a holder on another host, end the run with exit 1.
"""

from __future__ import annotations

import errno
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from goblin.install.disk import Disk, put
from goblin.redact import clean, mask

HOME = ".goblin"
PATH = ".goblin/lock"
_DRAFT = ".goblin/lock.new"

_PASSING = re.compile(r"\.goblin\.[0-9a-f]{16}\.tmp")
"""What `.goblin` is called before its lock stands in it, and while both are removed."""

_ATTEMPTS = 3


class Held(Exception):
    """Another installer is at work, or seems to be; `str()` is the message, `remedy` what to do."""

    remedy = f"wait for it to end; if no installer runs there any more, delete {PATH}"


class Lock:
    """A lock that is held. `notices` says what taking it has found."""

    def __init__(self, disk: Disk, made_home: bool, notices: tuple[str, ...] = ()) -> None:
        self.disk = disk
        self.made_home = made_home  # `.goblin` was not there before this lock, or the dead one
        self.notices = notices

    def release(self) -> None:
        """Give the lock back, and remove a `.goblin` that holds nothing else if it is ours to remove.

        Lock and folder leave their names in one step, so that a process that ends in the middle
        leaves no empty `.goblin` that nobody could tell from one of the project's.
        """
        names = set(self.disk.names(HOME)) if self.made_home else set()
        if names == {os.path.basename(PATH)}:
            gone = _passing()
            self.disk.replace(HOME, gone)
            _clear(self.disk, gone)
        elif names != {os.path.basename(PATH), "journal"}:
            self.disk.unlink(PATH)
        # A journal that could not be emptied is the next run's; the lock tells it whose folder this is.


def _passing() -> str:
    return f"{HOME}.{os.urandom(8).hex()}.tmp"


def _started(pid: int) -> str:
    """When a process started, in the kernel's ticks, or "" where that cannot be told."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return stream.read(4096).rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""


def _text(made_home: bool) -> bytes:
    pid = os.getpid()
    home = "made" if made_home else "found"
    return f"pid={pid} host={socket.gethostname()} started={_started(pid)} home={home}\n".encode()


def _alive(pid: int) -> bool:
    if os.name == "nt":  # signal 0 ends a process there; a lock is never judged dead by this
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _holder(text: str) -> tuple[int, str, bool]:
    """The holder's process id (0 when none is named), its host as shown, and whether it is dead."""
    named_pid = re.search(r"\bpid\W{1,4}([0-9]{1,10})\b", text) or re.match(r"\s*([0-9]{1,10})\b", text)
    pid = int(named_pid[1]) if named_pid else 0
    named = re.search(r"host\W+([\w.-]+)", text)
    here = socket.gethostname()
    host = named[1] if named else here if here in text.split() else ""
    if not pid:
        return 0, host, not text.strip()
    if host != here:
        return pid, host, False
    started = re.search(r"started=([0-9]+)", text)
    reused = bool(started) and _started(pid) not in ("", started[1] if started else "")
    return pid, host, pid == os.getpid() or reused or not _alive(pid)


@contextmanager
def _guard(disk: Disk) -> Iterator[None]:
    """Only one process at a time judges and makes the lock, where the system can hold a folder."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    folder = os.open(os.path.join(disk.root, HOME), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        with suppress(OSError):  # a file system without locks: the exclusive creation still decides
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def leftovers(disk: Disk) -> list[str]:
    """What processes have left that ended while they made or removed `.goblin`."""
    return [name for name in disk.names("") if _PASSING.fullmatch(name) and _is_left(disk, name)]


def _is_left(disk: Disk, folder: str) -> bool:
    inside = f"{folder}/{os.path.basename(PATH)}"
    try:
        data = disk.read(inside) if set(disk.names(folder)) <= {os.path.basename(PATH)} else b"?"
    except OSError:  # no folder, or a link
        return False
    return data is None or _holder(data[:4096].decode("utf-8", "replace"))[2]


def _clear(disk: Disk, folder: str) -> None:
    """Remove such a folder; whoever else does the same meanwhile is no trouble."""
    with suppress(FileNotFoundError):
        disk.unlink(f"{folder}/{os.path.basename(PATH)}")
    with suppress(FileNotFoundError):
        disk.rmdir(folder)


def sweep(disk: Disk) -> None:
    """Remove what `leftovers` names."""
    for folder in leftovers(disk):
        _clear(disk, folder)


def look(disk: Disk) -> str:
    """One line about a lock that stands there now and whether its holder lives, or "" without one."""
    data = disk.read(PATH)
    if data is None:
        return ""
    pid, host, dead = _holder(data[:4096].decode("utf-8", "replace"))
    if not pid:
        return f"{PATH} names no holder"
    return f"{PATH} is held by process {pid} on {host or 'an unnamed host'}" + (" (dead)" if dead else "")


def acquire(disk: Disk, ours: bool = False) -> Lock:
    """Take the lock, making `.goblin` where it is absent.

    `ours` says that `.goblin` is to go with the lock once nothing else is in it: an uninstall of an
    install that made it. Raises `Held` when somebody else has the lock, and `OSError` when it cannot
    be made.
    """
    for attempt in range(_ATTEMPTS):
        try:
            return _acquire(disk, ours)
        except FileNotFoundError:  # another installer has just removed the folder
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


def _acquire(disk: Disk, ours: bool) -> Lock:
    if disk.status(HOME) is None and _enter(disk):
        return Lock(disk, True)
    with _guard(disk):
        return _take(disk, ours)


def _enter(disk: Disk) -> bool:
    """Put a `.goblin` in its place that already holds the lock; False where somebody else was first."""
    passing = _passing()
    disk.mkdir(passing)
    try:
        put(disk, f"{passing}/{os.path.basename(PATH)}", _text(True))
        disk.replace(passing, HOME)
    except BaseException as error:
        with suppress(OSError):
            _clear(disk, passing)
        if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


def _take(disk: Disk, ours: bool) -> Lock:
    data = disk.read(PATH)
    if data is not None:
        return _take_over(disk, data[:4096].decode("utf-8", "replace"), ours)
    try:
        put(disk, PATH, _text(ours))
    except FileExistsError as error:
        raise Held(f"another installer has just taken {PATH}") from error
    except BaseException:
        if disk.status(PATH):
            disk.unlink(PATH)
        raise
    return Lock(disk, ours)


def _take_over(disk: Disk, text: str, ours: bool) -> Lock:
    """Take the lock of a dead process. It is replaced in one step, for it knows whose folder it stands in."""
    pid, host, dead = _holder(text)
    if not dead and not pid:
        raise Held(f"{PATH} does not say who holds it: {_shown(text)}")
    if not dead:
        raise Held(f"another installer holds {PATH}: process {pid} on {host or 'an unnamed host'}")
    made = ours or "home=made" in text
    if disk.status(_DRAFT):
        disk.unlink(_DRAFT)
    try:
        put(disk, _DRAFT, _text(made))
        disk.replace(_DRAFT, PATH)
    except BaseException:
        if disk.status(_DRAFT):
            disk.unlink(_DRAFT)
        raise
    told = f"its holder, process {pid}, no longer runs" if pid else "it names no holder"
    return Lock(disk, made, (f"took over {PATH}: {told}",))


def _shown(text: str) -> str:
    """What stands in a lock, cut and printable."""
    return f"it begins with `{clean(mask(text.strip().partition(chr(10))[0]))[:40]}`"
