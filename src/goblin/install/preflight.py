"""May every destination be written at all? Asked of the whole plan before the first byte (spec install 7.7).

A refusal here means that nothing was written. All of them are named, not only the first.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence

from goblin.install.disk import LIMIT, Disk, safe

LONGEST = 200
"""Characters of a path in the target; some systems take 260 for the whole of it."""

_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


class Refused(Exception):
    """The install is refused with exit 1 and nothing was written: (message, remedy) pairs."""

    def __init__(self, *reasons: tuple[str, str]) -> None:
        super().__init__("; ".join(message for message, _ in reasons))
        self.reasons = reasons


def check(disk: Disk, paths: Iterable[str]) -> None:
    """Raise `Refused` unless every path can become a regular file inside the target."""
    found: dict[str, str] = {}
    folded: dict[str, str] = {}
    for path in paths:
        twin = folded.setdefault(path.casefold(), path)
        if twin != path:
            found[f"{path} and {twin} would be one file where names ignore case"] = "rename one of them"
    for key, path in folded.items():
        parts = key.split("/")
        for depth in range(1, len(parts)):
            outer = folded.get("/".join(parts[:depth]))
            if outer:
                found[f"{path} would lie below {outer}, which is a file"] = "name another folder"
        for message, remedy in _destination(disk, path):
            found.setdefault(message, remedy)
    if found:
        raise Refused(*found.items())


def check_names(disk: Disk, paths: Sequence[str]) -> None:
    """Raise `Refused` for names that another system could not hold, or would take for one that is here."""
    found = dict([*_elsewhere(paths), *_twins(disk, paths)])
    if found:
        raise Refused(*found.items())


def _elsewhere(paths: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Paths that another system could not check out."""
    for path in paths:
        for part in path.split("/"):
            if part.partition(".")[0].casefold() in _RESERVED or part.endswith((" ", ".")):
                yield f"{path}: Windows keeps the name {part} for itself", "name another folder"
        if len(path) > LONGEST:
            yield f"{path[:40]}... is longer than {LONGEST} characters", "name a folder with a shorter name"


def _twins(disk: Disk, paths: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Names that stand in the target and differ from ours in case alone: elsewhere both are one file."""
    listed: dict[str, dict[str, list[str]]] = {}
    for path in paths:
        parts = path.split("/")
        for depth, part in enumerate(parts):
            folder = "/".join(parts[:depth])
            if folder not in listed:
                listed[folder] = _folded_names(disk, folder)
            for name in listed[folder].get(part.casefold(), ()):
                if name != part:
                    there = f"{folder}/{name}" if folder else name
                    ours = "/".join(parts[: depth + 1])
                    yield (
                        f"{there} and {ours} would be one where names ignore case",
                        f"rename it: git mv {there} {ours}",
                    )


def _folded_names(disk: Disk, folder: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    try:
        names = disk.names(folder)
    except OSError:  # a link, or no folder: named below
        return found
    for name in names:
        found.setdefault(name.casefold(), []).append(name)
    return found


def _destination(disk: Disk, path: str) -> Iterable[tuple[str, str]]:
    if not safe(path):
        yield f"{path} is not a path inside the target", "name a folder inside the repository"
        return
    parts = path.split("/")
    nearest = disk.root
    for depth in range(1, len(parts)):
        folder = "/".join(parts[:depth])
        kind = _kind(disk, folder)
        if kind == "missing":
            break
        if kind != "folder":
            yield f"{folder} is {_named(disk, folder, kind)}; a folder is needed there", _remedy(folder, kind)
            return
        nearest = os.path.join(disk.root, folder)
    else:
        kind = _kind(disk, path)
        if kind not in ("missing", "file"):
            yield (
                f"{path} is {_named(disk, path, kind)}; the installer writes a file there",
                _remedy(path, kind),
            )
            return
        status = disk.status(path)
        if status and status.st_size > LIMIT:
            yield (
                f"{path} is larger than {LIMIT >> 20} MiB; the installer compares its bytes",
                _remedy(path, kind),
            )
            return
        if kind == "file" and not os.access(os.path.join(disk.root, path), os.R_OK):
            yield f"{path} cannot be read", f"chmod u+r {path}"
            return
    if not os.access(nearest, os.W_OK | os.X_OK):
        shown = os.path.relpath(nearest, disk.root)
        yield f"{shown if shown != '.' else disk.root} cannot be written to", f"chmod u+wx {shown}"


def _kind(disk: Disk, path: str) -> str:
    status = disk.status(path)
    if status is None:
        return "missing"
    if stat.S_ISLNK(status.st_mode):
        return "link"
    if stat.S_ISDIR(status.st_mode):
        return "folder"
    return "file" if stat.S_ISREG(status.st_mode) else "special"


def _named(disk: Disk, path: str, kind: str) -> str:
    if kind == "link":
        return f"a symbolic link to {os.readlink(os.path.join(disk.root, path))}"
    return {"folder": "a folder", "file": "a file"}.get(
        kind, "neither a file nor a folder (a FIFO or a device)"
    )


def _remedy(path: str, kind: str) -> str:
    if kind == "link":
        return f"put the thing itself in the place of the link {path}; the installer never writes through one"
    return f"move {path} out of the way, then run again"
