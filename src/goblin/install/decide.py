"""What becomes of each path, decided in memory before anything is written (spec install 4 and 8).

Installed files are ours: absent ones are made, those that still are as recorded are replaced. One
that somebody edited is kept and named by a run of the same release; a run of another one merges it,
and where that fails lays the new file beside it. Files created once belong to the project from then
on. What existed before is left alone. `--force` takes ours, after a copy of theirs was kept.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from goblin.facts.record import Record
from goblin.install import agents
from goblin.install.content import INSTALLED, OWNED, Wanted
from goblin.install.disk import Disk
from goblin.install.journal import Change, digest, unedited
from goblin.install.merge import NEW, Merger
from goblin.install.plan import Plan
from goblin.redact import clean


class Rules(NamedTuple):
    """How this run decides."""

    force: bool
    upgrade: bool  # the record is of another release, so edited files are merged
    backup: str  # folder of this run's copies
    reconciled: Callable[[str, bytes], bool]  # whether a file that existed before says what ours would
    left: Callable[[str], bool]  # of a recorded path that is not wanted: it goes, while it is unedited


class _Edited(NamedTuple):
    """An installed file that holds an edit."""

    item: Wanted
    data: bytes  # as this release has it
    there: bytes
    recorded: str  # the digest that the record vouches for
    base: str  # the digest of the released bytes that the edit began with


class Decider:
    """Decides path by path."""

    def __init__(self, disk: Disk, record: Record | None, rules: Rules, merger: Merger) -> None:
        self.disk = disk
        self.record = record
        self.rules = rules
        self.merger = merger
        self.lost = False
        self.converted = 0  # files whose line ends were all that differed
        self.plan = Plan()

    def decide(self, wanted: Sequence[Wanted], agents_block: Callable[[bytes], bytes] | None = None) -> Plan:
        """Decide every path in order, then say what becomes of the paths that are wanted no more.

        `agents_block` gives what is appended to an AGENTS.md that existed before (`--merge-agents`).
        """
        launcher = wanted[0]
        # A record that was lost, rather than a first install: our engine stands there byte for byte.
        self.lost = self.record is None and self.disk.read(launcher.path) == launcher.render()
        for item in wanted:
            if agents_block and item.path == agents.PATH and self._merge(item, agents_block):
                continue
            if item.path == agents.PATH and self._still_merged(item):
                continue
            (self._installed if item.kind == INSTALLED else self._owned)(item)
        self._carry({item.path for item in wanted})
        if self.converted:
            told = f"line ends were converted in {self.converted} file(s); the released bytes are back"
            self.plan.said.append(told)
        return self.plan

    def _recorded(self, member: str) -> Mapping[str, str]:
        return getattr(self.record, member) if self.record else {}

    # --- installed files ---------------------------------------------------------------------------

    def _installed(self, item: Wanted) -> None:
        path, data, there = item.path, item.render(), self.disk.read(item.path)
        new = digest(data)
        recorded = self._recorded("files").get(path) or self._recorded("owned").get(path)
        self.plan.maps.files[path] = new
        if there is None:
            self.plan.create(path, data, item.mode)
        elif there == data:
            self.plan.keep("unchanged")
            if (recorded is None and not self.lost) or path in self._recorded("adopted"):
                self.plan.maps.adopted[path] = new
        elif recorded is None:
            if not self.rules.force:
                del self.plan.maps.files[path]
                self._refuse(path, there, f"kept (exists, and is not ours): {clean(path)}")
                return
            self._take_over(item, data, there)
        elif unedited(there, recorded):
            self._follow(item, data, there, recorded)
        elif self.rules.force:
            self._take_over(item, data, there)
        else:
            self._edited(item, data, there, recorded)
        self._beside(path)

    def _follow(self, item: Wanted, data: bytes, there: bytes, recorded: str) -> None:
        """A file that is as recorded: ours, or ours with a merged edit in it."""
        base = self._recorded("merged").get(item.path)
        if base is None:
            self.converted += digest(there) != recorded
            self.plan.update(item.path, data, there, item.mode)
        elif base == digest(data):
            self.plan.keep("unchanged")
            self.plan.maps.files[item.path] = recorded
            self.plan.maps.merged[item.path] = base
        elif self.rules.force:
            self._take_over(item, data, there)
        else:
            self._combine(_Edited(item, data, there, recorded, base))

    def _edited(self, item: Wanted, data: bytes, there: bytes, recorded: str) -> None:
        """A file that somebody edited since it was recorded."""
        path, beside = item.path, f"{item.path}{NEW}"
        base = self._recorded("merged").get(path, recorded)
        offered = self._recorded("conflicts").get(beside)
        waiting = offered is not None and self.disk.status(beside) is not None
        resolved = offered is not None and not waiting
        if offered is not None and resolved:
            recorded = base = offered  # its owner has put the two together, and said so by deleting ours
        edited = _Edited(item, data, there, recorded, base)
        if self.rules.upgrade or resolved:
            self._combine(edited)
        elif waiting:
            self._conflict(edited, "it still waits to be merged")
        else:
            self._record(edited)
            self.plan.keep("skipped", f"kept (edited): {clean(path)}")
            self.plan.edited.append(path)

    def _combine(self, edited: _Edited) -> None:
        """Bring the release's changes since `base` into an edited file, or say why not."""
        path, there = edited.item.path, edited.there
        if edited.base == digest(edited.data):
            self._merged(edited, there, "your edit is kept; the release did not change this file")
            return
        answer = self.merger.merge(path, edited.base, there, edited.data)
        if answer.data is None:
            self._conflict(edited, answer.why)
        else:
            self._merged(edited, answer.data, "the release's changes and your edit are both in it")

    def _merged(self, edited: _Edited, data: bytes, why: str) -> None:
        """The record follows what stands there now, and remembers what its next merge starts from."""
        path, base = edited.item.path, digest(edited.data)
        line = f"merged: {clean(path)} ({why})"
        self.plan.maps.files[path] = digest(data)
        if digest(data) != base:
            self.plan.maps.merged[path] = base
        if data == edited.there:
            self.plan.keep("unchanged", line)
            return
        self._copy(path, edited.there)
        self.plan.backups.append(Change(f"{self.rules.backup}/{path}{NEW}", edited.data, None, 0o644))
        self.plan.update(path, data, edited.there)
        self.plan.said.append(line)

    def _conflict(self, edited: _Edited, why: str) -> None:
        """Keep the edited file and lay ours beside it."""
        path, beside = edited.item.path, f"{edited.item.path}{NEW}"
        self._record(edited)
        self.plan.maps.conflicts[beside] = digest(edited.data)
        self.plan.keep("skipped", f"conflict: {clean(path)}: {why}; the new file is {clean(beside)}")
        self.plan.conflicted.append(path)
        seen = self.disk.read(beside)
        if seen is None:
            self.plan.create(beside, edited.data, edited.item.mode)
        elif seen != edited.data:
            if not unedited(seen, self._recorded("conflicts").get(beside, "")):
                self._copy(beside, seen)
            self.plan.update(beside, edited.data, seen)

    def _record(self, edited: _Edited) -> None:
        """The record goes on vouching for what it vouched for: the edit is still seen as one."""
        self.plan.maps.files[edited.item.path] = edited.recorded
        if edited.base != edited.recorded:
            self.plan.maps.merged[edited.item.path] = edited.base

    def _beside(self, path: str) -> None:
        """Take away the file that an earlier conflict laid beside this path, once that is over."""
        beside = f"{path}{NEW}"
        recorded = self._recorded("conflicts").get(beside)
        if recorded is None or beside in self.plan.maps.conflicts:
            return
        seen = self.disk.read(beside)
        if seen is not None and unedited(seen, recorded):
            self.plan.remove(beside, seen)
            self.plan.said.append(f"removed: {clean(beside)} (nothing is left to merge)")

    # --- files created once ------------------------------------------------------------------------

    def _owned(self, item: Wanted) -> None:
        there = self.disk.read(item.path)
        recorded = self._recorded("owned").get(item.path) or self._recorded("files").get(item.path)
        if there is None:
            data = item.render()
            self.plan.create(item.path, data, item.mode)
            self.plan.maps.owned[item.path] = digest(data)
        elif recorded is not None:
            self.plan.keep("skipped", f"kept (yours): {clean(item.path)}")
            self.plan.maps.owned[item.path] = recorded
        elif self.lost and _opens_alike(there, item.render()):
            self.plan.keep("skipped", f"kept (yours): {clean(item.path)}")
            self.plan.maps.owned[item.path] = digest(item.render())
        elif self.rules.force:
            data = item.render()
            self._take_over(item, data, there)
            self.plan.maps.owned[item.path] = digest(data)
        else:
            self._refuse(item.path, there, f"kept (existed before): {clean(item.path)}")

    # --- files of others ---------------------------------------------------------------------------

    def _refuse(self, path: str, there: bytes, line: str) -> None:
        # The hash stays the one that was seen first: its owner may go on editing the file.
        self.plan.maps.refused[path] = self._recorded("refused").get(path) or digest(there)
        self.plan.keep("skipped", line)
        if not self.rules.reconciled(path, there):
            self.plan.unmerged.append(path)

    def _take_over(self, item: Wanted, data: bytes, there: bytes) -> None:
        if item.path not in self._recorded("files"):
            self.plan.maps.taken_over[item.path] = digest(there)
        copy = self._copy(item.path, there)
        self.plan.update(item.path, data, there, item.mode)
        self.plan.said.append(f"taken over (--force): {clean(item.path)}; the old one is {clean(copy)}")

    def _copy(self, path: str, there: bytes) -> str:
        """Keep a copy, as open as the original and no more, and say where."""
        copy = f"{self.rules.backup}/{path}"
        seen = self.disk.status(path)
        self.plan.backups.append(Change(copy, there, None, stat.S_IMODE(seen.st_mode) if seen else 0o600))
        return copy

    def _still_merged(self, item: Wanted) -> bool:
        """Our block stands in a file of theirs since an earlier run."""
        there = self.disk.read(item.path) if item.path in self._recorded("merged") else None
        if there is None or not agents.present(there):
            return False
        self.plan.keep("skipped", f"kept (yours, with our block): {clean(item.path)}")
        self.plan.maps.merged[item.path] = self._recorded("merged")[item.path]
        return True

    def _merge(self, item: Wanted, addition: Callable[[bytes], bytes]) -> bool:
        """Append our block to an AGENTS.md that existed before. False when there is nothing to merge into."""
        there = self.disk.read(item.path)
        if there is None or item.path in self._recorded("owned"):
            return False
        if agents.present(there):
            return self._still_merged(item)
        added = addition(there)
        self.plan.update(item.path, there + added, there)
        self.plan.maps.merged[item.path] = digest(added)
        self.plan.said.append(f"merged: our block stands at the end of {clean(item.path)}")
        return True

    # --- paths that are wanted no more -------------------------------------------------------------

    def _carry(self, paths: set[str]) -> None:
        """Recorded paths that this run does not want: what stands there stays recorded, or goes."""
        for member in (INSTALLED, OWNED):
            for path, recorded in self._recorded(member).items():
                if path in paths or self.disk.status(path) is None:
                    continue
                if member == INSTALLED and self.rules.left(path) and self._leave(path, recorded):
                    continue
                getattr(self.plan.maps, member)[path] = recorded
                for kept in ("adopted", "merged"):
                    if path in self._recorded(kept):
                        getattr(self.plan.maps, kept)[path] = self._recorded(kept)[path]
        for path, recorded in self._recorded("taken_over").items():
            if path in self.plan.maps.files or path in self.plan.maps.owned:
                self.plan.maps.taken_over[path] = recorded  # the first one replaced was the project's

    def _leave(self, path: str, recorded: str) -> bool:
        """Take away a file that is no part of goblin-stack here any more; False where it was edited."""
        there = self.disk.read(path)
        if path in self._recorded("adopted"):
            self.plan.said.append(f"kept (it was there before us, and is no longer ours): {clean(path)}")
            return True
        if there is None or not unedited(there, recorded) or path in self._recorded("merged"):
            self.plan.said.append(f"kept (edited, and no longer installed): {clean(path)}")
            self.plan.outdated.append(path)
            return False
        self.plan.remove(path, there)
        self.plan.said.append(f"removed: {clean(path)}")
        self._beside(path)
        return True


def _opens_alike(there: bytes, ours: bytes) -> bool:
    """True when a file still opens with the line that we opened it with."""
    return there.split(b"\n", 1)[0].rstrip(b"\r") == ours.split(b"\n", 1)[0]
