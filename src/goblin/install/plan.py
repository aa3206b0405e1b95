"""Everything that a run will do to a target, before any of it is done."""

from __future__ import annotations

from typing import NamedTuple

from goblin.install.journal import Change

SEPARATOR = " · "


class Maps(NamedTuple):
    """The record's maps while they are being filled."""

    files: dict[str, str]
    owned: dict[str, str]
    refused: dict[str, str]
    adopted: dict[str, str]
    conflicts: dict[str, str]
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
        self.maps = Maps({}, {}, {}, {}, {}, {}, {})
        self.said: list[str] = []
        self.edited: list[str] = []  # installed files that differ from the record: kept
        self.conflicted: list[str] = []  # edited files that the release's changes could not be merged into
        self.outdated: list[str] = []  # edited files that are no part of the install any more: kept
        self.unmerged: list[str] = []  # refused files that nobody has reconciled yet
        self.counted: dict[str, int] = dict.fromkeys(Counts._fields, 0)

    @property
    def counts(self) -> Counts:
        """The numbers of the count line."""
        return Counts(**self.counted)

    @property
    def refusals(self) -> bool:
        """True when the run ends with exit 1 although it did all the rest."""
        return bool(self.edited or self.conflicted or self.outdated or self.unmerged)

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
