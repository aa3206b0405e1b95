"""May every destination be written at all? Asked of the whole plan before the first byte (spec install 7.7).

A refusal here means that nothing was written. All of them are named, not only the first.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from goblin.install.disk import Disk, safe

LIMIT = 64 << 20
"""Bytes of a file at a destination that will be read."""


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
