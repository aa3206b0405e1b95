"""One job on one target, and all the places where its writes can be cut.

The job is planned by a real run. Its writes, lock and all, are then made again and again from the
same start, each time with one call that fails or ends the process; what comes after a kill is a
real run again, from looking to the exit code.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from goblin import clock
from goblin.install import ignore, presets, run, target, uninstall, values, vendor
from goblin.install.disk import Disk
from goblin.install.session import Output, Session, answered
from goblin.install.vendor import PLAIN, SCRIPT, Item
from tests.install.faults import CountingDisk, failing, in_child, killing

MakeDisk = Callable[[str], Disk]
Job = Callable[[Output, MakeDisk], int]
Photograph = dict[str, tuple[int, bytes | str | None]]

ERRORS = (errno.ENOSPC, errno.EACCES, errno.EIO)
GIT = ".git"

LAUNCHER = Item(".goblin/bin/goblin-verify", b"#!/usr/bin/env -S python3 -I -S\nprint('verified')\n", SCRIPT)
OLD = (
    Item(".goblin/manifest/same.tsv", b"id\n1\n"),
    Item(".goblin/manifest/changed.tsv", b"a\nb\nc\n"),
    Item(".goblin/checks/left.py", b"LEFT = 1\n"),
    Item(".goblin/checks/merged.py", b"ONE = 1\n\n\n\n\nTWO = 2\n"),
    Item(".goblin/checks/conflict.py", b"SHARED = 1\n"),
)
NEW = (
    OLD[0],
    Item(".goblin/manifest/changed.tsv", b"a\nB\nc\n"),
    Item(".goblin/checks/merged.py", b"ONE = 1\n\n\n\n\nTWO = 22\n"),
    Item(".goblin/checks/conflict.py", b"SHARED = 2\n"),
    Item(".goblin/extra/added.py", b"ADDED = 1\n"),
)
EDITS = {
    ".goblin/checks/merged.py": "ONE = 11\n\n\n\n\nTWO = 2\n",
    ".goblin/checks/conflict.py": "SHARED = 3\n",
}
"""What somebody changed in the old release: the first edit merges with the new one, the second does not."""

MERGED = b"ONE = 11\n\n\n\n\nTWO = 22\n"
SKILL = "goblin-mode/SKILL.md"


def release(monkeypatch: pytest.MonkeyPatch, version: str, items: tuple[Item, ...]) -> None:
    """From now on this process installs a small payload of a version."""
    for module in (run, values):
        monkeypatch.setattr(module, "__version__", version)
    for name, given in {"launchers": [LAUNCHER], "rules": list(items)}.items():
        monkeypatch.setattr(vendor, name, lambda given=given: given)
    for name in ("engine", "libraries", "automations"):
        monkeypatch.setattr(vendor, name, list)
    monkeypatch.setattr(vendor, "source_sha", lambda: "0" * 40)

    def skills(platforms: dict[str, str]) -> list[Item]:
        return [Item(f"{folder}/{SKILL}", b"skill\n", PLAIN) for folder in platforms.values()]

    monkeypatch.setattr(vendor, "skills", skills)


def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """One moment for all runs, and every question whose answer no write of ours changes is asked once."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 1, 31, 9, tzinfo=UTC))
    known: dict[object, object] = {}

    def once(key: object, ask: Callable[[], object]) -> object:
        if key not in known:
            known[key] = ask()
        return known[key]

    load, look, negations = presets.load, target.look, ignore.negations
    monkeypatch.setattr(presets, "load", lambda letter: once(letter, lambda: load(letter)))
    for module in (run, uninstall):
        monkeypatch.setattr(module, "look", lambda given: once(given, lambda: look(given)))

    def asked(disk: Disk, where: object, paths: list[str], block: Callable[[list[str]], bytes]) -> object:
        return once((block([]), tuple(paths)), lambda: negations(disk, where, paths, block))  # type: ignore[arg-type]

    monkeypatch.setattr(ignore, "negations", asked)


def photograph(root: Path) -> Photograph:
    """Mode and content of every path below `root`, the git directory left out."""
    found: Photograph = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != GIT]
        for name in (*folders, *names):
            full = os.path.join(folder, name)
            mode = os.lstat(full).st_mode
            content: bytes | str | None = None
            if stat.S_ISLNK(mode):
                content = os.readlink(full)
            elif stat.S_ISREG(mode):
                content = Path(full).read_bytes()
            found[os.path.relpath(full, root)] = (mode, content)
    return found


def rewind(root: Path, wanted: Photograph) -> None:
    """Make the tree what it was on a photograph."""
    here = photograph(root)
    for path in sorted(here.keys() - wanted.keys(), reverse=True):
        full = root / path
        shutil.rmtree(full) if full.is_dir() and not full.is_symlink() else full.unlink(missing_ok=True)
    for path in sorted(wanted):
        mode, content = wanted[path]
        if here.get(path) == wanted[path]:
            continue
        if content is None:
            (root / path).mkdir(exist_ok=True)
        else:
            assert isinstance(content, bytes)
            (root / path).write_bytes(content)
        (root / path).chmod(stat.S_IMODE(mode))


class Said:
    """What a run printed."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.err: list[str] = []

    @property
    def output(self) -> Output:
        """Where the run prints to."""
        return Output(self.out.append, self.err.append)


class Cut(NamedTuple):
    """What a run that was cut left: its exit code (None when it was killed) and its words."""

    code: int | None
    said: Said


class Stage:
    """A target before and after one job, and the job's writes."""

    def __init__(self, name: str, root: Path, job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
        self.name = name
        self.root = root
        self.job = job
        self.before = photograph(root)
        commits: list[tuple[Session, tuple[object, ...], dict[str, object]]] = []
        real = Session.commit

        def noted(session: Session, *args: object, **options: object) -> None:
            commits.append((session, args, options))
            real(session, *args, **options)  # type: ignore[arg-type]

        disks: list[CountingDisk] = []

        def counting(given: str) -> CountingDisk:
            disks.append(CountingDisk(given))
            return disks[-1]

        with monkeypatch.context() as patch:
            patch.setattr(Session, "commit", noted)
            said = Said()
            self.code = job(said.output, counting)
        self.after = photograph(root)
        self.said = said
        ((session, self.args, self.options),) = commits
        self.target = session.target
        self.calls = disks[0].calls
        rewind(root, self.before)
        assert photograph(root) == self.before

    def write(self, make_disk: MakeDisk) -> Cut:
        """The job's writes alone, from lock to lock, on another disk."""
        said = Said()
        session = Session(self.target, make_disk(str(self.root)), said.output, dry_run=False)

        def commit() -> int:
            session.commit(*self.args, **self.options)  # type: ignore[arg-type]
            return 0

        return Cut(answered(said.output, str(self.root), lambda: session.run(commit)), said)

    def again(self, make_disk: MakeDisk = Disk) -> Cut:
        """The whole job, as the next run does it."""
        said = Said()
        return Cut(self.job(said.output, make_disk), said)

    def points(self) -> Iterator[tuple[int, str]]:
        """Every call that changes something, by number and name."""
        yield from enumerate(self.calls, start=1)

    def broken(self) -> list[str]:
        """Files of before or after that hold neither their old nor their new self."""
        here = photograph(self.root)
        absent = (0, None)
        return [
            path
            for path in {*self.before, *self.after}
            if self.before.get(path, self.after.get(path, absent))[1] is not None
            and here.get(path, absent) not in (self.before.get(path, absent), self.after.get(path, absent))
        ]

    def fail(self, at: int, code: int) -> Cut:
        """The writes with one call that fails."""
        return self.write(failing(at, code))

    def kill(self, at: int) -> None:
        """The writes in a process of their own, which ends before that call."""
        assert in_child(lambda: self.write(killing(at))) == -9, f"call {at}"
