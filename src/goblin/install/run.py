"""One install, from the options to the exit code: look, plan, preflight, apply, say (spec install 7).

Everything is decided in memory before the first byte is written. A run that finds nothing to do
takes no lock and touches nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from goblin import __version__, clock
from goblin.facts import record as records
from goblin.facts.record import Options, Record
from goblin.git import GitError
from goblin.install import (
    adopt,
    agents,
    classes,
    closing,
    config,
    content,
    gitignore,
    ignore,
    journal,
    lock,
    preflight,
    vendor,
)
from goblin.install.config import Known
from goblin.install.content import Wanted
from goblin.install.disk import Disk
from goblin.install.journal import Change
from goblin.install.plan import Decider, Plan
from goblin.install.preflight import Refused
from goblin.install.settle import Request, Settled, check, settle, skipped_parts
from goblin.install.target import Target, look
from goblin.install.templates import TemplateError
from goblin.install.values import Values
from goblin.outcome import CannotRun
from goblin.redact import clean

DONE = 0
REFUSED = 1

BACKUP = ".goblin/backup"


class Output(NamedTuple):
    """Where words go: what was done, and what is wrong."""

    say: Callable[[str], None]
    complain: Callable[[str], None]


def _to_stdout(line: str) -> None:
    print(line)


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


CONSOLE = Output(_to_stdout, _to_stderr)


def install(request: Request, output: Output = CONSOLE, make_disk: Callable[[str], Disk] = Disk) -> int:
    """Install into a target and return 0 or 1.

    Raises `CannotRun` (exit 2) for bad input and whatever makes an install impossible; the target
    is then as it was. A refusal and a failed write are told on `output` and return 1.
    """
    check(request)
    target = look(request.target)
    try:
        return _Run(request, target, make_disk(target.root), output).go()
    except (GitError, TemplateError) as error:
        raise CannotRun(str(error)) from error
    except BrokenPipeError:
        raise
    except Refused as refused:
        for message, remedy in refused.reasons:
            output.complain(f"error: {clean(message)}")
            output.complain(f"remedy: {clean(remedy)}")
    except lock.Held as held:
        output.complain(f"error: {held}")
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
        where = clean(str(error.filename or target.root))
        output.complain(f"error: {where}: {error.strerror or error}; the target is as it was before")
        output.complain(f"remedy: make {where} writable, or free some room, and run again")
    return REFUSED


class _Run:
    """The state of one install."""

    def __init__(self, request: Request, target: Target, disk: Disk, output: Output) -> None:
        self.request = request
        self.target = target
        self.disk = disk
        self.output = output
        self.lock: lock.Lock | None = None
        self.record_bytes: bytes | None = None

    def go(self) -> int:
        """Recover if need be, plan, and apply."""
        preflight.check(self.disk, [records.PATH, config.PATH, content.LAUNCHER, lock.PATH, journal.INTENT])
        try:
            self._recover()
            return self._go()
        finally:
            self._release()

    def _recover(self) -> None:
        held = lock.look(self.disk)
        if not held and not journal.pending(self.disk):
            return
        if ignore.tracks(self.target, journal.FOLDER) or ignore.tracks(self.target, lock.PATH):
            message = f"git tracks {journal.FOLDER} or {lock.PATH}, which no installer commits; not acted on"
            raise Refused((message, f"git rm -r -f --ignore-unmatch {journal.FOLDER} {lock.PATH}"))
        if self.request.dry_run:
            raise Refused(
                (f"an earlier run was interrupted ({held or journal.FOLDER})", "run without --dry-run")
            )
        self._take_lock()
        for line in journal.recover(self.disk):
            self.output.say(f"recovered: {clean(line)}")

    def _take_lock(self) -> None:
        if self.lock is None:
            self.lock = lock.acquire(self.disk)
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

    def _go(self) -> int:
        record = self._read_record()
        known = self._known_config(record)
        settled = settle(self.request, record, known)
        for notice in (*self.target.notices, *settled.notices):
            self.output.say(f"note: {clean(notice)}")
        values = Values(self.request, self.target, self.disk, settled, known, record)
        wanted = content.wanted(settled, values.harness_dir, values.for_files, values.for_handoff)
        preflight.check(self.disk, [*(item.path for item in wanted), gitignore.PATH])
        block = self._ignore_block(values, wanted)
        plan = self._decide(settled, record, wanted, values)
        self._edit_config(plan, settled, known)
        self._edit_gitignore(plan, block)
        new = self._new_record(plan, settled, record)
        if self.request.dry_run:
            return self._dry_run(plan)
        return self._apply(plan, record, new, settled)

    def _read_record(self) -> Record | None:
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
        if record.version != __version__:
            message = (
                f"goblin-stack {record.version or '(no version)'} is installed here, and this is "
                f"{__version__}: an install of another version is not changed"
            )
            raise Refused((message, "run goblin-install of the version that the record names"))
        return record

    def _known_config(self, record: Record | None) -> Known | None:
        """The config that stands there, unless `--force` is about to replace it."""
        owned = record.owned if record else {}
        ours = config.PATH in owned or (record is None and self.disk.status(content.LAUNCHER) is not None)
        return None if self.request.force and not ours else config.read(self.disk)

    def _ignore_block(self, values: Values, wanted: Sequence[Wanted]) -> bytes:
        """The new `.gitignore`, with the lines that keep our files committable."""
        existing = self.disk.read(gitignore.PATH)
        filled = values.for_files()

        def whole(negations: Sequence[str]) -> bytes:
            return gitignore.appended(existing, gitignore.block(filled, negations))

        paths = [records.PATH, *(item.path for item in wanted)]
        answer = ignore.negations(self.disk, self.target, paths, whole)
        if answer.ignored:
            raise Refused(*ignore.reasons(answer))
        return whole(answer.negations)

    def _decide(
        self, settled: Settled, record: Record | None, wanted: Sequence[Wanted], values: Values
    ) -> Plan:
        folders = tuple(f"{folder}/" for folder in settled.platforms.values())
        skills = tuple(f"{folder}/" for folder in classes.PLATFORMS.values())
        changed = record is not None and record.class_name != settled.class_name

        def retired(path: str) -> bool:
            return changed or (path.startswith(skills) and not path.startswith(folders or ("\0",)))

        def addition(there: bytes) -> bytes:
            return agents.addition(there, values.for_files())

        decider = Decider(
            self.disk,
            record,
            force=self.request.force,
            backup=self._backup_folder(),
            reconciled=adopt.reconciled,
            retired=retired,
        )
        return decider.decide(wanted, addition if self.request.merge_agents else None)

    def _backup_folder(self) -> str:
        stamp = clock.now().strftime("%Y%m%dT%H%M%SZ")
        taken = set(self.disk.names(BACKUP)) if self.disk.status(BACKUP) else set()
        names = (stamp if n == 1 else f"{stamp}-{n}" for n in range(1, len(taken) + 2))
        return f"{BACKUP}/{next(name for name in names if name not in taken)}"

    def _edit_config(self, plan: Plan, settled: Settled, known: Known | None) -> None:
        """Change the lines of an existing config that options speak of; every other byte stays."""
        if known is None or config.PATH not in plan.maps.owned:
            return
        edited, said = config.edited(known, settled, self.request)
        if edited != known.data:
            plan.update(config.PATH, edited, known.data)
            plan.counted["skipped"] -= 1
        plan.said += said

    def _edit_gitignore(self, plan: Plan, data: bytes) -> None:
        existing = self.disk.read(gitignore.PATH)
        if existing is None:
            plan.create(gitignore.PATH, data, vendor.PLAIN)
        elif existing == data:
            plan.keep("skipped", "kept (.gitignore block already present)")
        else:
            plan.update(gitignore.PATH, data, existing)
        for path in ignore.tracked_secrets(self.target, gitignore.SECRETS):
            if os.path.basename(path) != gitignore.EXAMPLE:
                plan.said.append(
                    f"warning: git tracks {clean(path)}, which looks like a secret: git rm --cached it"
                )

    def _new_record(self, plan: Plan, settled: Settled, record: Record | None) -> Record:
        made = [change.path for change in plan.changes if change.before is None and change.data is not None]
        folders = journal.missing_folders(self.disk, [*made, records.PATH])
        if self.lock and self.lock.made_home:
            folders = (lock.HOME, *folders)
        before = record.dirs_created if record else ()
        return Record(
            version=__version__,
            source_sha=vendor.source_sha(),
            class_name=settled.class_name,
            installed_at=clock.stamp(),
            options=Options(tuple(settled.platforms), settled.archive, settled.parts),
            disabled=settled.disabled,
            files=plan.maps.files,
            owned=plan.maps.owned,
            refused=plan.maps.refused,
            adopted=plan.maps.adopted,
            conflicts={},
            merged=plan.maps.merged,
            dirs_created=tuple(dict.fromkeys([*before, *folders])),
            payload_digest=records.payload_digest(plan.maps.files),
            engine=record.engine if record else {},
            taken_over=plan.maps.taken_over,
        )

    def _dry_run(self, plan: Plan) -> int:
        for change in (*plan.backups, *plan.changes):
            self.output.say(f"plan: {clean(change.path)}" + ("" if change.data is not None else " (removed)"))
        self.output.say(f"dry-run: {plan.counts}")
        return self._verdict(plan)

    def _apply(self, plan: Plan, record: Record | None, new: Record, settled: Settled) -> int:
        same = record is not None and new == record._replace(
            source_sha=new.source_sha, installed_at=new.installed_at
        )
        if same and not plan.changes and not plan.backups:
            for line in plan.said:
                self.output.say(line)
            count = plan.counts.unchanged
            self.output.say(f"no-op: {count} files unchanged (v{__version__} already installed)")
            return self._verdict(plan)
        written = Change(records.PATH, records.render(new), self.record_bytes, vendor.PLAIN)
        changes = [*plan.backups, *plan.changes, written]
        self._take_lock()
        for warning in journal.commit(self.disk, changes):
            self.output.complain(f"warning: {warning}")
        self._prune(plan, new)
        for line in plan.said:
            self.output.say(line)
        self.output.say(str(plan.counts))
        code = self._verdict(plan)
        left_out = skipped_parts(settled)
        for line in closing.steps(self.target, settled, plan, left_out, first=record is None):
            self.output.say(line)
        return code

    def _prune(self, plan: Plan, new: Record) -> None:
        """Remove folders of ours that the removals emptied."""
        for change in plan.changes:
            folder = change.path.rpartition("/")[0] if change.data is None else ""
            while folder in new.dirs_created and not self.disk.names(folder):
                try:
                    self.disk.rmdir(folder)
                except OSError:
                    break
                folder = folder.rpartition("/")[0]

    def _verdict(self, plan: Plan) -> int:
        if plan.edited:
            self.output.complain(f"error: edited since the install, and kept: {_list(plan.edited)}")
            self.output.complain(f"remedy: git checkout -- {' '.join(map(clean, plan.edited))}")
        if plan.unmerged:
            self.output.say(f"refused to overwrite: {_list(plan.unmerged)}")
            self.output.complain(f"error: {len(plan.unmerged)} file(s) existed before and were left alone")
            for path in plan.unmerged:
                self.output.complain(f"remedy: {clean(path)}: {adopt.remedy(path)}")
        return REFUSED if plan.refusals else DONE


def _list(paths: Sequence[str]) -> str:
    return ", ".join(map(clean, paths))
