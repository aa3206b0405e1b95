"""What an install does to each path, decided in memory before anything is written (spec install 4).

Installed files are ours: absent ones are made, those that still are as recorded are replaced, an
edited one is kept and named. Files created once belong to the project from then on. What existed
before is left alone, and `--force` takes it over only after a copy of it was kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from goblin.facts.record import Record
from goblin.install import agents
from goblin.install.content import INSTALLED, OWNED, Wanted
from goblin.install.disk import Disk
from goblin.install.journal import Change, digest
from goblin.redact import clean

SEPARATOR = " · "


class Maps(NamedTuple):
    """The record's maps while they are being filled."""

    files: dict[str, str]
    owned: dict[str, str]
    refused: dict[str, str]
    adopted: dict[str, str]
    merged: dict[str, str]
    taken_over: dict[str, str]


class Counts(NamedTuple):
    """How many paths were met in which state."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        return SEPARATOR.join(f"{name} {value}" for name, value in self._asdict().items())


class Plan:
    """Everything that will happen, and what will be said about it."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.backups: list[Change] = []
        self.maps = Maps({}, {}, {}, {}, {}, {})
        self.said: list[str] = []
        self.edited: list[str] = []  # installed files that differ from the record: kept
        self.unmerged: list[str] = []  # refused files that nobody has reconciled yet
        self.counted: dict[str, int] = dict.fromkeys(Counts._fields, 0)

    @property
    def counts(self) -> Counts:
        """The numbers of the count line."""
        return Counts(**self.counted)

    @property
    def refusals(self) -> bool:
        """True when the run ends with exit 1 although it did all the rest."""
        return bool(self.edited or self.unmerged)

    def create(self, path: str, data: bytes, mode: int) -> None:
        """A file that does not exist yet."""
        self.changes.append(Change(path, data, None, mode))
        self.counted["created"] += 1

    def update(self, path: str, data: bytes, before: bytes, mode: int | None = None) -> None:
        """A file that gets other bytes; its mode stays unless one is given."""
        self.changes.append(Change(path, data, before, mode))
        self.counted["updated"] += 1

    def remove(self, path: str, before: bytes) -> None:
        """A file that goes."""
        self.changes.append(Change(path, None, before))

    def keep(self, state: str, line: str = "") -> None:
        """A file that stays as it is; `state` is `unchanged` or `skipped`."""
        self.counted[state] += 1
        if line:
            self.said.append(line)


class Decider:
    """Decides path by path. `reconciled(path, data)` tells whether a file that existed before is merged."""

    def __init__(
        self,
        disk: Disk,
        record: Record | None,
        *,
        force: bool,
        backup: str,
        reconciled: Callable[[str, bytes], bool],
        retired: Callable[[str], bool],
    ) -> None:
        self.disk = disk
        self.record = record
        self.force = force
        self.backup = backup  # folder of this run's copies
        self.reconciled = reconciled
        self.retired = retired  # of a recorded path that is not wanted: it goes, while it is unedited
        self.lost = False
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
            if item.path in self._recorded("merged") and self._still_merged(item):
                continue
            (self._installed if item.kind == INSTALLED else self._owned)(item)
        self._carry({item.path for item in wanted})
        return self.plan

    def _recorded(self, member: str) -> Mapping[str, str]:
        return getattr(self.record, member) if self.record else {}

    def _installed(self, item: Wanted) -> None:
        data, there = item.render(), self.disk.read(item.path)
        recorded = self._recorded("files").get(item.path)
        new = digest(data)
        if there is None:
            self.plan.create(item.path, data, item.mode)
        elif there == data:
            self.plan.keep("unchanged")
            if (recorded is None and not self.lost) or item.path in self._recorded("adopted"):
                self.plan.maps.adopted[item.path] = new
        elif recorded == digest(there):
            self.plan.update(item.path, data, there, item.mode)
        elif self.force:
            self._take_over(item, data, there)
        elif recorded is not None:
            self.plan.keep("skipped", f"kept (edited): {clean(item.path)}")
            self.plan.edited.append(item.path)
            new = recorded
        else:
            self._refuse(item.path, there, f"kept (exists, and is not ours): {clean(item.path)}")
            return
        self.plan.maps.files[item.path] = new

    def _owned(self, item: Wanted) -> None:
        there = self.disk.read(item.path)
        recorded = self._recorded("owned").get(item.path)
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
        elif self.force:
            data = item.render()
            self._take_over(item, data, there)
            self.plan.maps.owned[item.path] = digest(data)
        else:
            self._refuse(item.path, there, f"kept (existed before): {clean(item.path)}")

    def _refuse(self, path: str, there: bytes, line: str) -> None:
        # The hash stays the one that was seen first: its owner may go on editing the file.
        self.plan.maps.refused[path] = self._recorded("refused").get(path) or digest(there)
        self.plan.keep("skipped", line)
        if not self.reconciled(path, there):
            self.plan.unmerged.append(path)

    def _take_over(self, item: Wanted, data: bytes, there: bytes) -> None:
        copy = f"{self.backup}/{item.path}"
        if item.path not in self._recorded("files"):
            self.plan.maps.taken_over[item.path] = digest(there)
        self.plan.backups.append(Change(copy, there, None, 0o600))
        self.plan.update(item.path, data, there, item.mode)
        self.plan.said.append(f"taken over (--force): {clean(item.path)}; the old one is {clean(copy)}")

    def _still_merged(self, item: Wanted) -> bool:
        """Our block stands in a file of theirs since an earlier run."""
        there = self.disk.read(item.path)
        if item.path != agents.PATH or there is None or not agents.present(there):
            return False
        self.plan.keep("skipped", f"kept (yours, with our block): {clean(item.path)}")
        self.plan.maps.merged[item.path] = self._recorded("merged")[item.path]
        return True

    def _carry(self, paths: set[str]) -> None:
        """Recorded paths that this run does not want: what stands there stays recorded, or is retired."""
        for member in (INSTALLED, OWNED):
            for path, recorded in self._recorded(member).items():
                if path in paths or self.disk.status(path) is None:
                    continue
                if member == INSTALLED and self.retired(path) and self._retire(path, recorded):
                    continue
                getattr(self.plan.maps, member)[path] = recorded
                if path in self._recorded("adopted"):
                    self.plan.maps.adopted[path] = recorded
        for path, recorded in self._recorded("taken_over").items():
            if path in self.plan.maps.files or path in self.plan.maps.owned:
                self.plan.maps.taken_over[path] = recorded  # the first one replaced was the project's

    def _retire(self, path: str, recorded: str) -> bool:
        there = self.disk.read(path)
        if there is None or digest(there) != recorded or path in self._recorded("adopted"):
            self.plan.said.append(f"kept (edited, or there before us): {clean(path)}")
            return False
        self.plan.remove(path, there)
        self.plan.said.append(f"removed: {clean(path)}")
        return True

    def _merge(self, item: Wanted, addition: Callable[[bytes], bytes]) -> bool:
        """Append our block to an AGENTS.md that existed before. False when there is nothing to merge into."""
        there = self.disk.read(item.path)
        if there is None or item.path in self._recorded("owned"):
            return False
        if agents.present(there):
            return item.path in self._recorded("merged") and self._still_merged(item)
        added = addition(there)
        self.plan.update(item.path, there + added, there)
        self.plan.maps.merged[item.path] = digest(added)
        self.plan.said.append(f"merged: our block stands at the end of {clean(item.path)}")
        return True


def _opens_alike(there: bytes, ours: bytes) -> bool:
    """True when a file still opens with the line that we opened it with."""
    return there.split(b"\n", 1)[0].rstrip(b"\r") == ours.split(b"\n", 1)[0]
