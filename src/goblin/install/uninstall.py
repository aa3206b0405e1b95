"""Taking an install away again, to the byte (spec install 9).

What goes is what the record lists and nobody edited: an edited file stays and is named. Every path
is confined to the target and no link is followed, whatever the record says. `--purge` also takes
what was created once, and our block out of `.gitignore`: of an install that nobody touched nothing
is left, and what `--force` replaced is back.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from typing import NamedTuple

from goblin import clock
from goblin.facts import handoff, signature
from goblin.facts import record as records
from goblin.facts.record import Record
from goblin.facts.status import RUNTIME
from goblin.install import agents, config, copies, gitignore, ignore, journal, lock, preflight
from goblin.install.disk import Disk
from goblin.install.journal import Change, digest, unedited
from goblin.install.preflight import Refused
from goblin.install.session import CONSOLE, DONE, Output, Session, answered
from goblin.install.target import look
from goblin.outcome import CannotRun
from goblin.redact import clean


class Removal(NamedTuple):
    """The options as they were given."""

    target: str
    purge: bool = False
    dry_run: bool = False


def uninstall(removal: Removal, output: Output = CONSOLE, make_disk: Callable[[str], Disk] = Disk) -> int:
    """Remove an install and return 0, or 1 where that is refused or fails, with the target as it was.

    Raises `CannotRun` (exit 2) where there is no record, and where it cannot be trusted.
    """
    target = look(removal.target)
    session = Session(target, make_disk(target.root), output, dry_run=removal.dry_run)
    run = _Run(removal, session)
    return answered(output, target.root, lambda: session.run(run.go))


class _Run:
    """The state of one uninstall."""

    def __init__(self, removal: Removal, session: Session) -> None:
        self.removal = removal
        self.session = session
        self.disk = session.disk
        self.say = session.output.say
        self.changes: list[Change] = []
        self.copies: list[Change] = []
        self.kept: list[str] = []  # a line for each path that stays although the record lists it
        self.done: list[str] = []  # a line for each file that changes, but does not go
        self.speaking: list[str] = []  # pages that stay and may speak of .goblin/

    def go(self) -> int:
        """Decide, then remove or show."""
        record = self.session.read_record()
        if record is None:
            raise CannotRun(
                f"nothing to uninstall: there is no {records.PATH} here",
                "name the repository that goblin-install was run on",
            )
        self._refuse_left_out(record)
        self._plan(record)
        changes = [*self.copies, *self.changes, *self._records()]
        preflight.check(self.disk, [change.path for change in changes])
        made = record.dirs_created or self._roots(record)
        copied = journal.folders_above(c.path for c in changes if c.path.startswith(copies.FOLDER))
        candidates = {*made, *copied} - {lock.HOME}
        emptied = journal.emptied_folders(self.disk, changes, candidates)
        ours = lock.HOME in made
        alone = ours and self._nothing_else(changes, emptied)
        if self.removal.dry_run:
            return self._show(changes, [*emptied, *([lock.HOME] if alone else [])])
        self.session.commit(changes, emptied, ours=ours)
        gone = sum(change.data is None for change in changes)
        folders = len(emptied) + alone
        self._say_what_stays(record)
        self.say(f"removed {gone} file(s) and {folders} empty director{'y' if folders == 1 else 'ies'}")
        return DONE

    def _refuse_left_out(self, record: Record) -> None:
        hidden = ignore.left_out(self.session.target, [*record.files, *record.owned])
        absent = [path for path in hidden if self._data(path) is None]
        if absent:
            more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
            raise Refused(
                (
                    f"{absent[0]}{more}: tracked, but left out by this sparse checkout",
                    "git sparse-checkout disable, and run again",
                )
            )

    def _roots(self, record: Record) -> tuple[str, ...]:
        """The folders of a record that does not say which it made: all above what it installed."""
        return journal.folders_above([*record.files, *record.owned])

    def _nothing_else(self, changes: Iterable[Change], emptied: Iterable[str]) -> bool:
        """True where `.goblin` holds nothing once all this is done."""
        gone = {change.path for change in changes if change.data is None} | set(emptied)
        left = {f"{lock.HOME}/{name}" for name in self.disk.names(lock.HOME)} - {lock.PATH, journal.FOLDER}
        return left <= gone and not self.copies

    # --- what becomes of each path -----------------------------------------------------------------

    def _plan(self, record: Record) -> None:
        for path, recorded in record.files.items():
            if path in record.adopted:
                self.kept.append(f"kept {clean(path)} (it was there before the install)")
            elif path in record.merged:
                self._keep(path, "your edit is merged into it")
            else:
                self._drop(record, path, recorded)
        for path, recorded in record.conflicts.items():
            self._drop(record, path, recorded)
        for path, recorded in record.owned.items():
            if path == config.PATH:
                self._drop_config(record, recorded)
            elif self.removal.purge or not _is_yours(path):
                self._drop(record, path, recorded)
            elif self._data(path) is not None:
                self.kept.append(f"kept {clean(path)} (it is yours)")
                self.speaking.append(path)
        for path in sorted(RUNTIME):
            data = self._data(path)
            if data is not None:
                self.changes.append(Change(path, None, data))
        if agents.PATH in record.merged:
            self._unmerge(record.merged[agents.PATH])
        self._undo_ignore_block(record)

    def _data(self, path: str) -> bytes | None:
        """The bytes of a regular file that is reached through no link; None for anything else."""
        try:
            return self.disk.read(path)
        except OSError:
            return None

    def _keep(self, path: str, why: str) -> None:
        try:
            stands = self.disk.status(path) is not None
        except OSError:
            stands, why = True, "a folder above it is no folder of this repository"
        if stands:
            self.kept.append(f"kept {clean(path)} ({why})")

    def _drop(self, record: Record, path: str, recorded: str) -> None:
        """Remove a file that is as recorded, or put back what it took the place of."""
        data = self._data(path)
        if data is None:
            self._keep(path, "it is no longer a regular file")
            return
        if not unedited(data, recorded):
            self._keep(path, "you edited it")
            return
        wanted = record.taken_over.get(path)
        replaced = [copy for copy in copies.of(self.disk, path) if digest(copy.data) == wanted]
        if not replaced:
            self.changes.append(Change(path, None, data))
            if wanted is not None:
                self.done.append(
                    f"{clean(path)}: no copy of what --force replaced is here; look in its history"
                )
            return
        self.changes.append(Change(path, replaced[0].data, data, replaced[0].mode))
        self.changes += [Change(copy.place, None, copy.data) for copy in replaced]
        self.done.append(f"restored {clean(path)} (what --force replaced)")

    def _drop_config(self, record: Record, recorded: str) -> None:
        """The config goes; one that was edited is moved to the copies."""
        data = self._data(config.PATH)
        if data is None or unedited(data, recorded):
            self._drop(record, config.PATH, recorded)
            return
        seen = self.disk.status(config.PATH)
        copy = f"{copies.new_folder(self.disk)}/{config.PATH}"
        self.copies.append(Change(copy, data, None, stat.S_IMODE(seen.st_mode) if seen else 0o600))
        self.changes.append(Change(config.PATH, None, data))
        self.kept.append(f"kept {config.PATH} (you edited it): it is now {clean(copy)}")

    def _unmerge(self, recorded: str) -> None:
        """Take our block out of an AGENTS.md that existed before."""
        data = self._data(agents.PATH)
        if data is None:
            return
        own = agents.located(data, recorded)
        if own is None:
            self._keep(agents.PATH, "you edited our block in it")
            self.speaking.append(agents.PATH)
            return
        self.changes.append(Change(agents.PATH, data[: own[0]] + data[own[1] :], data))
        self.done.append(f"took our block out of {agents.PATH}")

    def _undo_ignore_block(self, record: Record) -> None:
        """With `--purge` the block goes where nobody edited it; else one line says what happened."""
        data = self._data(gitignore.PATH)
        if data is None:
            self._keep(gitignore.PATH, "it is no file that can be read")
            return
        if not self.removal.purge:
            self.changes.append(
                Change(
                    gitignore.PATH,
                    gitignore.marked(data, f"# goblin-stack uninstalled {clock.today()}"),
                    data,
                )
            )
            self.kept.append(f"kept the block in {gitignore.PATH} (intentional: --purge takes it out)")
            return
        extent = gitignore.located(data, record.ignore_block)
        if extent is not None:
            self.changes.append(Change(gitignore.PATH, gitignore.without(data, extent), data))
            self.done.append(f"took our block out of {gitignore.PATH}")
        elif gitignore.present(data):
            why = "you edited it" if record.ignore_block else "it was there before the install"
            self.kept.append(f"kept the block in {gitignore.PATH} ({why})")

    def _records(self) -> list[Change]:
        """The record, last of all, and a signature of it."""
        found = [
            Change(path, None, data) for path in (signature.PATH,) if (data := self._data(path)) is not None
        ]
        return [*found, Change(records.PATH, None, self.session.record_bytes)]

    # --- what is said ------------------------------------------------------------------------------

    def _show(self, changes: Iterable[Change], folders: Iterable[str]) -> int:
        for change in changes:
            if change.data is None:
                self.say(f"would remove {clean(change.path)}")
            else:
                self.say(f"would write {clean(change.path)}")
        for folder in folders:
            self.say(f"would remove {clean(folder)}/")
        for line in self.kept:
            self.say(line.replace("kept ", "would keep ", 1))
        return DONE

    def _say_what_stays(self, record: Record) -> None:
        for line in (*self.done, *self.kept):
            self.say(line)
        for path in record.refused:
            if self._data(path) is not None:
                self.say(f"kept {clean(path)} (it was yours all along)")
        left = [name for name in self._left_in_home() if name != os.path.basename(lock.PATH)]
        if left:
            self.say(f"kept in {lock.HOME}: {', '.join(map(clean, left))} (not part of the install)")
        if self.speaking:
            self.say(
                f"warning: {', '.join(map(clean, self.speaking))} may still speak of {lock.HOME}/, where "
                "nothing is any more"
            )

    def _left_in_home(self) -> list[str]:
        try:
            return self.disk.names(lock.HOME)
        except OSError:
            return []


def _is_yours(path: str) -> bool:
    """True for pages that the project goes on with: they stay unless `--purge` is given."""
    return path in (handoff.PATH, agents.PATH) or path.startswith("reviews/") or path.endswith("-SPEC.md")
