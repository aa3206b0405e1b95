"""What every change of a target goes through: its lock, what an earlier run left, the record, the errors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from goblin.facts import record as records
from goblin.facts.record import Record
from goblin.git import GitError
from goblin.install import config, content, ignore, journal, lock, preflight
from goblin.install.disk import Disk
from goblin.install.journal import Change
from goblin.install.preflight import Refused
from goblin.install.target import Target
from goblin.install.templates import TemplateError
from goblin.outcome import CannotRun
from goblin.redact import clean

DONE = 0
REFUSED = 1


class Output(NamedTuple):
    """Where words go: what was done, and what is wrong."""

    say: Callable[[str], None]
    complain: Callable[[str], None]


def _to_stdout(line: str) -> None:
    print(line)


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


CONSOLE = Output(_to_stdout, _to_stderr)


def answered(output: Output, root: str, body: Callable[[], int]) -> int:
    """What `body` returns, or 1 where it is refused or a write fails, told on `output`.

    Raises `CannotRun` (exit 2) for what makes a run impossible.
    """
    try:
        return body()
    except (GitError, TemplateError) as error:
        raise CannotRun(str(error)) from error
    except BrokenPipeError:
        raise
    except Refused as refused:
        for message, remedy in refused.reasons:
            output.complain(f"error: {clean(message)}")
            output.complain(f"remedy: {clean(remedy)}")
    except lock.Held as held:
        output.complain(f"error: {held}; nothing was written")
        output.complain(f"remedy: {held.remedy}")
    except journal.Moved as moved:
        output.complain(f"error: {clean(str(moved))}; nothing was written")
        output.complain("remedy: run again")
    except journal.Stuck as stuck:
        output.complain(f"error: {clean(str(stuck))}")
        output.complain(
            f"remedy: free what stands in the way and run again; {journal.FOLDER} holds the old files"
        )
    except OSError as error:
        where = clean(str(error.filename or root))
        output.complain(f"error: {where}: {error.strerror or error}; the target is as it was before")
        output.complain(f"remedy: make {where} writable, or free some room, and run again")
    return REFUSED


class Session:
    """One run on one target. `dry_run` never takes the lock."""

    def __init__(self, target: Target, disk: Disk, output: Output, *, dry_run: bool) -> None:
        self.target = target
        self.disk = disk
        self.output = output
        self.dry_run = dry_run
        self.lock: lock.Lock | None = None
        self.record_bytes: bytes | None = None

    def run(self, body: Callable[[], int]) -> int:
        """Put right what an earlier run left, then do `body`; the lock is given back in the end."""
        preflight.check(self.disk, [records.PATH, config.PATH, content.LAUNCHER, lock.PATH, journal.INTENT])
        try:
            self._recover()
            return body()
        finally:
            self._release()

    def _recover(self) -> None:
        if not self.dry_run:
            lock.sweep(self.disk)
        held = lock.look(self.disk)
        if not held and not journal.pending(self.disk):
            return
        if ignore.tracks(self.target, journal.FOLDER) or ignore.tracks(self.target, lock.PATH):
            message = f"git tracks {journal.FOLDER} or {lock.PATH}, which no installer commits; not acted on"
            raise Refused((message, f"git rm -r -f --ignore-unmatch {journal.FOLDER} {lock.PATH}"))
        if self.dry_run:
            raise Refused(
                (f"an earlier run was interrupted ({held or journal.FOLDER})", "run without --dry-run")
            )
        self.take_lock()
        for line in journal.recover(self.disk):
            self.output.say(f"recovered: {clean(line)}")

    def take_lock(self, *, ours: bool = False) -> None:
        """Hold the lock, once. `ours`: `.goblin` goes with it where nothing else is left in there."""
        if self.lock and ours and not self.lock.made_home:
            self.lock.release()  # a lock says from its first moment whose folder it stands in
            self.lock = None
        if self.lock is None:
            self.lock = lock.acquire(self.disk, ours)
            for notice in self.lock.notices:
                self.output.say(f"recovered: {notice}")

    def _release(self) -> None:
        if self.lock is None:
            return
        try:
            self.lock.release()
        except OSError as error:
            self.output.complain(
                f"warning: {lock.PATH} could not be removed ({error.strerror}); the next run does it"
            )
        self.lock = None

    def read_record(self) -> Record | None:
        """The record, its paths confined; None without one. Raises `CannotRun` where it cannot be trusted."""
        self.record_bytes = data = self.disk.read(records.PATH)
        if data is None:
            return None
        try:
            record = records.parse(data)
        except records.RecordError as error:
            raise CannotRun(f"{records.PATH} cannot be read: {error}", records.REMEDY) from error
        unsafe = records.path_faults(record)
        if unsafe:
            raise CannotRun(f"{records.PATH}: {unsafe[0]}; nothing was touched", records.REMEDY)
        return record

    def commit(self, changes: Sequence[Change], emptied: Sequence[str] = (), *, ours: bool = False) -> None:
        """Make all changes, or none, under the lock."""
        self.take_lock(ours=ours)
        for warning in journal.commit(self.disk, changes, emptied):
            self.output.complain(f"warning: {warning}")
