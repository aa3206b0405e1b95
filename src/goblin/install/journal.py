"""Many files changed as one: all of them, or none.

Before the first change, the old bytes of everything that will be replaced and the list of what will
happen (the intent) are on the disk below `.goblin/journal/`. Removing the intent is the one moment
at which the new state counts. A failure before it is rolled back at once, and an intent found at
start-up means that an earlier run ended in the middle: it is rolled back first (spec install 7.7).

The intent is a file of the repository, so it is not believed further than the target: paths that
leave it or reach into a git directory are refused, and nothing is restored or removed whose bytes
are neither those before nor those after.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from goblin.install.disk import Disk, put, safe

FOLDER = ".goblin/journal"
INTENT = f"{FOLDER}/intent.json"
_DRAFT = f"{FOLDER}/intent.new"
PLAIN = 0o644


class Change(NamedTuple):
    """One file to make, replace or remove."""

    path: str
    data: bytes | None  # None removes the file
    before: bytes | None  # the bytes that the plan saw, None where nothing stood
    mode: int | None = None  # None keeps the mode of the file that is there


class Step(NamedTuple):
    """One change as the intent remembers it. Digests are "" where there is no file."""

    path: str
    temp: str
    new: str
    old: str
    mode: int  # of the new file
    old_mode: int
    old_mtime_ns: int


class Intent(NamedTuple):
    """What a run is about to do, in order."""

    folders: tuple[str, ...]  # to be made, outermost first
    steps: tuple[Step, ...]
    emptied: tuple[tuple[str, int], ...] = ()  # to be removed with the mode that they had, innermost first


class Moved(Exception):
    """The target is not what the plan saw: somebody else changed it meanwhile."""


class Stuck(Exception):
    """A roll-back that could not be finished; the journal stays for the next run."""


def digest(data: bytes) -> str:
    """SHA-256 of bytes, as the record writes it."""
    return hashlib.sha256(data).hexdigest()


def unedited(data: bytes, recorded: str) -> bool:
    """True for the recorded bytes, also with other line ends: git converts those, and nobody edits them."""
    lines = data.replace(b"\r\n", b"\n")
    return recorded in (digest(data), digest(lines), digest(lines.replace(b"\n", b"\r\n")))


def _copy(index: int) -> str:
    return f"{FOLDER}/{index:04d}.old"


def folders_above(paths: Iterable[str]) -> tuple[str, ...]:
    """Every folder above these paths, outermost first, in the order of need."""
    found: dict[str, None] = {}
    for path in paths:
        parts = path.split("/")[:-1]
        found.update(dict.fromkeys("/".join(parts[:depth]) for depth in range(1, len(parts) + 1)))
    return tuple(found)


def missing_folders(disk: Disk, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of the folders above these paths that do not exist, outermost first."""
    found: dict[str, None] = {}
    for folder in folders_above(paths):
        if folder.rpartition("/")[0] in found or disk.status(folder) is None:
            found[folder] = None
    return tuple(found)


def emptied_folders(disk: Disk, changes: Iterable[Change], candidates: Iterable[str]) -> list[str]:
    """Those of some folders that hold nothing once the changes are made, innermost first.

    A folder that is none, or that is reached through a link, is not among them.
    """
    gone = {change.path for change in changes if change.data is None}
    kept = {change.path for change in changes if change.data is not None}
    found: list[str] = []
    for folder in sorted(set(candidates), key=lambda path: (-path.count("/"), path)):
        try:
            seen = disk.status(folder)
            if seen is None or not stat.S_ISDIR(seen.st_mode):
                continue
            names = {f"{folder}/{name}" for name in disk.names(folder)}
        except OSError:
            continue
        if names <= gone and not any(path.startswith(f"{folder}/") for path in kept):
            found.append(folder)
            gone.add(folder)
    return found


def _intent(disk: Disk, changes: Sequence[Change], emptied: Sequence[str]) -> Intent:
    token = os.urandom(4).hex()
    steps = []
    for change in changes:
        seen = disk.status(change.path)
        now = disk.read(change.path) if seen else None
        if now != change.before:
            raise Moved(f"{change.path} was changed while the plan was made")
        folder, _, name = change.path.rpartition("/")
        temp = f"{folder}/.{name[:200]}.{token}" if folder else f".{name[:200]}.{token}"
        old_mode = stat.S_IMODE(seen.st_mode) if seen else PLAIN
        steps.append(
            Step(
                path=change.path,
                temp=temp,
                new="" if change.data is None else digest(change.data),
                old="" if change.before is None else digest(change.before),
                mode=old_mode if change.mode is None else change.mode,
                old_mode=old_mode,
                old_mtime_ns=seen.st_mtime_ns if seen else 0,
            )
        )
    wanted = [change.path for change in changes if change.data is not None]
    modes = [(folder, stat.S_IMODE(seen.st_mode)) for folder in emptied if (seen := disk.status(folder))]
    return Intent(missing_folders(disk, wanted), tuple(steps), tuple(modes))


def commit(disk: Disk, changes: Sequence[Change], emptied: Sequence[str] = ()) -> list[str]:
    """Carry out all changes, or none: `changes[-1]` last. Then the folders that they emptied go.

    A folder of `emptied` (innermost first) that holds something after all stays. Returns what is left
    to say (leftovers that could not be cleaned up). Raises `Moved` before anything is touched, and
    `OSError` (or what interrupted it) with the tree as it was before. Raises `Stuck` where even the
    roll-back failed.
    """
    intent = _intent(disk, changes, emptied)
    try:
        _prepare(disk, intent, changes)
    except BaseException:
        _quietly_drop(disk)
        raise
    try:
        _carry_out(disk, intent, changes)
        disk.unlink(INTENT)
    except BaseException as error:
        if disk.status(INTENT):  # else an interrupt came after the one moment that counts
            _undo(disk, intent, error)
        raise
    try:
        disk.sync_folder(FOLDER)
        drop(disk)
    except OSError as error:
        return [f"{FOLDER} could not be emptied: {error.strerror}; the next run does it"]
    return []


def _undo(disk: Disk, intent: Intent, error: BaseException) -> None:
    try:
        problems = roll_back(disk, intent)
        drop(disk)
    except OSError as second:
        raise Stuck(f"{error}; and undoing it failed: {second}") from error
    if problems:
        raise Stuck(f"{error}; and what could not be undone: {'; '.join(problems)}") from error


def _prepare(disk: Disk, intent: Intent, changes: Sequence[Change]) -> None:
    if disk.status(FOLDER) is None:
        disk.mkdir(FOLDER)
    for index, change in enumerate(changes):
        if change.before is not None:
            put(disk, _copy(index), change.before)
    whole = {**intent._asdict(), "format": 1, "steps": [step._asdict() for step in intent.steps]}
    put(disk, _DRAFT, json.dumps(whole).encode())
    disk.replace(_DRAFT, INTENT)
    for folder in (FOLDER, os.path.dirname(FOLDER), ""):
        disk.sync_folder(folder)


def _carry_out(disk: Disk, intent: Intent, changes: Sequence[Change]) -> None:
    """Everything that may run out of room happens before the first file changes its place."""
    for folder in intent.folders:
        disk.mkdir(folder)
    for step, change in zip(intent.steps, changes, strict=True):
        if change.data is not None:
            put(disk, step.temp, change.data, step.mode)
    for step, change in zip(intent.steps, changes, strict=True):
        if change.data is None:
            disk.unlink(step.path)
        else:
            disk.replace(step.temp, step.path)
    gone = {folder for folder, _ in intent.emptied if _removed(disk, folder)}
    touched = [*(change.path for change in changes), *intent.folders, *gone]
    for folder in dict.fromkeys(path.rpartition("/")[0] for path in touched):
        if folder not in gone:
            disk.sync_folder(folder)


def _removed(disk: Disk, folder: str) -> bool:
    """Remove an empty folder; False for one that somebody has put something into."""
    try:
        disk.rmdir(folder)
    except OSError:
        if disk.names(folder):
            return False
        raise
    return True


def roll_back(disk: Disk, intent: Intent) -> list[str]:
    """Undo whatever an intent has done so far; may be run again after being interrupted itself.

    Returns one line for each file left as it is because somebody changed it in between.
    """
    problems = []
    for folder, mode in reversed(intent.emptied):
        if disk.status(folder) is None:
            disk.mkdir(folder, mode)
    for index, step in reversed(list(enumerate(intent.steps))):
        if disk.status(step.temp):
            disk.unlink(step.temp)
        problems += _restore(disk, index, step)
    for folder in reversed(intent.folders):
        try:
            disk.rmdir(folder)
        except FileNotFoundError:
            continue
        except OSError:
            if not disk.names(folder):
                raise
    return problems


def _restore(disk: Disk, index: int, step: Step) -> list[str]:
    seen = disk.status(step.path)
    if seen and not stat.S_ISREG(seen.st_mode):
        return [f"{step.path} is no longer a regular file"]
    data = disk.read(step.path) if seen else None
    now = "" if data is None else digest(data)
    if now == step.old:
        return []
    if now not in ("", step.new):
        return [f"{step.path} was edited meanwhile and is left as it is"]
    if not step.old:
        disk.unlink(step.path)
        return []
    old = disk.read(_copy(index))
    if old is None or digest(old) != step.old:
        return [f"the journal's copy of {step.path} is gone; git checkout -- {step.path}"]
    put(disk, step.temp, old, step.old_mode, step.old_mtime_ns)
    disk.replace(step.temp, step.path)
    disk.sync_folder(step.path.rpartition("/")[0])
    return []


def pending(disk: Disk) -> bool:
    """True when a journal stands there: an earlier run ended in the middle."""
    return disk.status(FOLDER) is not None


def recover(disk: Disk) -> list[str]:
    """Roll back what an earlier run left in the middle, and say so; nothing to say when there is none.

    Raises `Stuck` for a journal that cannot be read or names paths outside the target.
    """
    if not pending(disk):
        return []
    data = disk.read(INTENT)
    if data is None:
        drop(disk)
        return []
    problems = roll_back(disk, _parse(data))
    drop(disk)
    done = "an earlier run ended in the middle; its changes were rolled back first"
    return [done, *problems]


def _parse(data: bytes) -> Intent:
    try:
        raw: dict[str, Any] = json.loads(data)
        intent = Intent(
            tuple(raw["folders"]),
            tuple(Step(**step) for step in raw["steps"]),
            tuple((folder, mode) for folder, mode in raw["emptied"]),
        )
        paths = [
            *intent.folders,
            *(folder for folder, _ in intent.emptied),
            *(step.path for step in intent.steps),
            *(step.temp for step in intent.steps),
        ]
        sound = raw["format"] == 1 and all(safe(path) for path in paths)
        sound = sound and all(isinstance(mode, int) for _, mode in intent.emptied)
        for step in intent.steps:
            sound = sound and all(isinstance(n, int) for n in (step.mode, step.old_mode, step.old_mtime_ns))
            sound = sound and step.temp.rpartition("/")[0] == step.path.rpartition("/")[0]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise Stuck(f"{INTENT} cannot be read") from error
    if not sound:
        raise Stuck(f"{INTENT} names what no installer writes")
    return intent


def drop(disk: Disk) -> None:
    """Remove the journal; the intent goes first, for it alone says that there is something to undo."""
    names = [name for name in disk.names(FOLDER) if name.endswith((".old", ".new")) or name == "intent.json"]
    for name in sorted(names, key=lambda name: name != "intent.json"):
        disk.unlink(f"{FOLDER}/{name}")
    if disk.status(FOLDER) and not disk.names(FOLDER):
        disk.rmdir(FOLDER)


def _quietly_drop(disk: Disk) -> None:
    try:
        drop(disk)
    except OSError:
        return
