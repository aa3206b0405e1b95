"""The one writer of a record: one at a time, whole lines, and nothing lost to a kill.

**One at a time.** A writer holds `flock` on the folder `.goblin`; the kernel frees it with the process.

**Whole lines.** A line is acknowledged after it was written and fsynced. Small files are replaced in one
step. A write that fails half-way (a full disk) is taken back.

**Two files, one turn.** A turn stands in `events.jsonl` and in `decisions.tsv`. The log comes first: its
`decision` event holds the six cells, so it is the promise that the row will stand. A kill may fall

- into the event: the log ends in a line without its end, which no chain can trust. The next writer moves
  those bytes to `events.torn`, with a `note` that names that file's size and digest. The turn was never
  acknowledged, and is not there;
- between the two, or into the row: the next writer completes the row from the event, and notes it. The
  turn was never acknowledged, and is there: it was promised;
- after the row: both stand, whether or not the word of it came through.

So the next writer finds whatever a kill left and ends with a log that verifies and a row for every
`decision`. It mends nothing else: where log and rows differ in any other way somebody edited them, and
the writer refuses to add to it.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING

from goblin import atomic, tables
from goblin.digest import sha256
from goblin.loop import DIRECTORY, disk, events, state
from goblin.loop.agreement import Agreement, cells_of
from goblin.loop.events import Entry, Log
from goblin.loop.handles import OUTPUTS
from goblin.loop.record import DECISIONS, LoopRecord
from goblin.loop.refusal import Refused
from goblin.paths import Tree

if TYPE_CHECKING:
    from goblin.loop.kinds import Kinds

WAIT = 30.0
"""Seconds that a writer waits for the one before it; an append takes milliseconds."""

_POLL = 0.02
_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_TEMPORARY = re.compile(r"\..*\.(?:[0-9a-f]{12}\.)?tmp", re.ASCII | re.DOTALL)
_CHECKOUT = "git checkout -- {}"


class Writer:
    """The writer of the record below `root`, from `with` to its end; what a kill left is mended on entry.

    Raises `Refused` where the record cannot be written, or another writer does not end within `wait`
    seconds.
    """

    def __init__(self, root: str, kinds: Kinds, directory: str = DIRECTORY, wait: float = WAIT) -> None:
        self.root = os.path.realpath(root)
        self.directory = directory
        self.folder = os.path.join(self.root, *directory.split("/"))
        self.mended: list[str] = []
        self._kinds = kinds
        self._wait = wait
        self._lock = -1

    def __enter__(self) -> Writer:
        self._lock = self._locked()
        try:
            self._mend()
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def _release(self) -> None:
        os.close(self._lock)  # which frees the lock
        self._lock = -1

    def _locked(self) -> int:
        import fcntl

        home = os.path.dirname(self.folder)
        try:
            descriptor = os.open(home, _FOLDER)
        except OSError as error:
            raise Refused(
                f"{_shown(home, self.root)}: {error.strerror}", "goblin-install --target ."
            ) from error
        until = time.monotonic() + self._wait
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return descriptor
            except BlockingIOError as error:
                if time.monotonic() < until:
                    time.sleep(_POLL)  # flock knows no time-out
                    continue
                os.close(descriptor)
                told = "another goblin-loop is at work on this record"
                raise Refused(told, "wait for it to end, then try again") from error
            except OSError as error:
                os.close(descriptor)
                raise Refused(f"{_shown(home, self.root)} cannot be locked: {error.strerror}") from error

    # --- what stands there -----------------------------------------------------------------------

    @property
    def record(self) -> LoopRecord:
        """The record as it stands now."""
        return LoopRecord(self.root, self.directory)

    @property
    def log(self) -> Log:
        """The event log as it stands now."""
        return events.read(Tree(self.root), self.directory)

    def path(self, name: str) -> str:
        """A file of the record as a message shows it."""
        return f"{self.directory}/{name}"

    def full(self, name: str) -> str:
        """The absolute path of a file of the record."""
        return os.path.join(self.folder, name)

    # --- writing ---------------------------------------------------------------------------------

    def make(self) -> None:
        """Make the folder of the record, where it is not there."""
        with suppress(FileExistsError), disk.Failing(self.directory):
            os.mkdir(self.folder)
            disk.sync(os.path.dirname(self.folder))
        self._need_folder()

    @contextmanager
    def folder_there(self) -> Iterator[None]:
        """The folder of the record, while the block runs; afterwards it is gone again if it was not there."""
        was = self._need_folder()
        self.make()
        try:
            yield
        finally:
            if not was:
                os.rmdir(self.folder)

    def put(self, name: str, data: bytes) -> None:
        """Replace a small file of the record in one step."""
        disk.free(self.full(name), self.path(name))
        with disk.Failing(self.path(name)):
            atomic.write(self.full(name), data)

    def folder_of(self, name: str, files: Mapping[str, bytes]) -> None:
        """Make a folder of the record that holds these files: it appears whole, or not at all."""
        draft = self.full(f".{name}.tmp")
        with disk.Failing(self.path(name)):
            disk.discard(draft)
            os.mkdir(draft)
            for inner, data in files.items():
                atomic.write(os.path.join(draft, inner), data)
            disk.sync(draft)
            os.rename(draft, self.full(name))
            disk.sync(self.folder)

    def remove(self, name: str) -> None:
        """Delete a file of the record, if it is there."""
        with suppress(FileNotFoundError), disk.Failing(self.path(name)):
            os.unlink(self.full(name))
            disk.sync(self.folder)

    def store(self, files: Mapping[str, bytes]) -> None:
        """Keep captured outputs, each under the digest of its bytes; what is there already stays."""
        folder = self.full(OUTPUTS)
        with disk.Failing(self.path(OUTPUTS)):
            with suppress(FileExistsError):
                os.mkdir(folder)
                disk.sync(self.folder)
            if not stat.S_ISDIR(os.lstat(folder).st_mode):
                raise Refused(f"{self.path(OUTPUTS)} is no folder", f"remove {self.path(OUTPUTS)}")
            tree = Tree(self.root)
            for name, data in files.items():
                path = f"{OUTPUTS}/{name}"
                if tree.kind(self.path(path)) != "file" or tree.read(self.path(path)) != data:
                    self.put(path, data)

    def say(self, run: str, entries: Sequence[Entry]) -> None:
        """Append events to the log, all of them in one write; they are on disk when this returns."""
        log = self._sound_log()
        self._append(events.FILE, events.compose(log, run, entries, self._kinds))

    def turn(self, run: str, entries: Sequence[Entry], cells: Sequence[str]) -> int:
        """Append one row, and before it the events that lead to it; return the row's line number.

        `run` is "" for a record without a log: then the row alone is written.
        """
        row = tables.line_of(cells)
        if not run:
            self._end_of_line()
        self._append(DECISIONS, b"")  # whether it can be written at all is found out before the event is
        if run:
            self.say(run, entries)
        try:
            self._append(DECISIONS, row)
        except Refused as refused:
            told = "the turn stands in the log, and the next goblin-loop command writes its row"
            raise Refused(f"{refused.message}; {told}", refused.remedy) from refused
        return self.record.decisions[-1].line

    def _append(self, name: str, data: bytes) -> None:
        """Write at the end of a file and wait until the disk has it; a write that fails is taken back."""
        with disk.Failing(self.path(name)):
            new = not os.path.lexists(self.full(name))
            descriptor = os.open(self.full(name), _APPEND, 0o666)
            try:
                status = os.fstat(descriptor)
                if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                    what = "has a second name (a hard link)" if status.st_nlink > 1 else "is no regular file"
                    raise Refused(f"{self.path(name)} {what}", _CHECKOUT.format(self.path(name)))
                try:
                    disk.write(descriptor, data)
                except OSError:
                    os.ftruncate(descriptor, status.st_size)
                    raise
            finally:
                os.close(descriptor)
            if new:
                disk.sync(self.folder)

    def _truncate(self, name: str, size: int) -> None:
        with disk.Failing(self.path(name)):
            descriptor = os.open(self.full(name), _APPEND)
            try:
                os.ftruncate(descriptor, size)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    # --- mending what a kill left ----------------------------------------------------------------

    def _need_folder(self) -> bool:
        """True where the record's folder is there; a link or a file in its place is refused."""
        kind = Tree(self.root).kind(self.directory)
        if kind not in ("dir", "missing"):
            what = "a symbolic link" if kind == "link" else "no folder"
            raise Refused(f"{self.directory} is {what}", f"remove {self.directory}, then goblin-loop start")
        return kind == "dir"

    def _mend(self) -> None:
        if not self._need_folder():
            return
        self._sweep()
        log = self.log
        if log.exists and not log.events and self.record.has(state.OPENING):
            self.remove(events.FILE)  # a first start was killed before its first event was whole
        if not log.exists or not log.events:
            return
        if self.record.has(state.OPENING) and state.of(self.record, log).is_open:
            self.remove(state.OPENING)  # a start was killed after its last event
        if log.torn and len(log.faults) == 1:
            self._set_aside(log)
            log = self.log
        self._note_torn(log)
        self._complete(self.log)

    def _sweep(self) -> None:
        """Remove the temporary files of a writer that was killed."""
        for folder in (self.folder, self.full(OUTPUTS)):
            names = os.listdir(folder) if os.path.isdir(folder) and not os.path.islink(folder) else []
            for name in filter(_TEMPORARY.fullmatch, names):
                disk.discard(os.path.join(folder, name))

    def _set_aside(self, log: Log) -> None:
        self._append(events.TORN, log.data[-log.torn :] + b"\n")
        self._truncate(events.FILE, len(log.data) - log.torn)

    def _note_torn(self, log: Log) -> None:
        """Say in the log what was set aside, unless it says so already."""
        tree, path = Tree(self.root), self.path(events.TORN)
        if log.faults or tree.kind(path) != "file":
            return
        data = tree.read(path, events.LIMIT)
        told = sha256(data)
        if any(event.type == "note" and event.text("sha256") == told for event in log.events):
            return
        text = f"a line without its end was set aside in {events.TORN}"
        self.say(log.events[-1].run, [Entry("note", {"text": text, "bytes": len(data), "sha256": told})])
        self.mended.append(text)

    def _complete(self, log: Log) -> None:
        """Write the row that the last decision of the log promised, where a kill came between."""
        told = log.of("decision")
        if log.faults or not told or state.of(self.record, log).name != "open":
            return
        row = tables.line_of(cells_of(told[-1]))
        data = self._decisions()
        if not data:
            return
        start = data.rfind(b"\n") + 1
        tail = data[start:]
        if tail:
            if not row.startswith(tail):
                return  # somebody's edit
            self._append(DECISIONS, row[len(tail) :])
        else:
            agreement = Agreement.of(self.record.decisions, told)
            if agreement.lost != told[-1:] or not agreement._replace(lost=()).sound:
                return
            self._append(DECISIONS, row)
        text = f"line {self.record.decisions[-1].line} of {DECISIONS} was completed from the log"
        self.say(told[-1].run, [Entry("note", {"text": text})])
        self.mended.append(text)

    def _sound_log(self) -> Log:
        log = self.log
        need_chain(log)
        return log

    def need_agreement(self) -> None:
        """Refuse to add to rows that are not those of the log."""
        log = self._sound_log()
        if not Agreement.of(self.record.decisions, log.of("decision")).sound:
            told = f"{self.path(DECISIONS)} is not what the log tells: somebody edited one of them"
            raise Refused(told, f"goblin-verify --only RN-02, then {_CHECKOUT.format(self.path(DECISIONS))}")

    def _end_of_line(self) -> None:
        data = self._decisions()
        if data and not data.endswith(b"\n"):
            self._append(DECISIONS, b"\n")

    def _decisions(self) -> bytes:
        from goblin.loop import decisions

        tree, path = Tree(self.root), self.path(DECISIONS)
        return tree.read(path, decisions.LIMIT) if tree.kind(path) == "file" else b""


def need_chain(log: Log, *, torn: bool = False) -> None:
    """Raise `Refused` where the log does not verify; with `torn`, a line without its end is let pass."""
    faults = log.faults[:-1] if torn and log.torn else log.faults
    if faults:
        where = f"{log.path}:{faults[0].line}" if faults[0].line else log.path
        told = f"the event log does not verify: {where} {faults[0].message}"
        raise Refused(told, f"goblin-verify --only RN-01, then {_CHECKOUT.format(log.path)}")


def _shown(path: str, root: str) -> str:
    return os.path.relpath(path, root)
