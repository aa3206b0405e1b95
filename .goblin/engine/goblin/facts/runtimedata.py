"""Digests of the files that a program writes while it runs, for looking before and after the gates.

A file is hashed by its bytes, a folder as its sorted tree, a link by where it points (it is never
followed). Nothing else is opened: a FIFO or a device stands under its kind.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from glob import escape, has_magic

from goblin.paths import ReadRefused, Tree, confined

MISSING = "missing"
OUTSIDE = "outside"
"""What stands for a path that leaves the repository; it is never looked at."""

MOST_FILES = 100_000
_BLOCK = 1 << 20


def snapshot(tree: Tree, declared: Sequence[str]) -> dict[str, str]:
    """Each declared path, globs expanded, with its SHA-256 in hex or a word that says why there is none.

    The words are `missing`, `outside`, `unreadable: <reason>`, and `too large: <limit>` for a tree
    of more files than are looked at. A glob that matches nothing stands for itself, `missing`.
    """
    found: dict[str, str] = {}
    for entry in declared:
        try:
            paths = _expanded(tree, entry)
        except _TooMany:
            found[entry] = _too_large()
            continue
        for path in paths:
            found[path] = _digest(tree, path)
    return found


def _expanded(tree: Tree, entry: str) -> list[str]:
    path = entry.rstrip("/")
    if not confined(path) or escape(path) == path or tree.kind(path) not in ("missing", "outside"):
        return [path]
    return sorted(_matching(tree.root, path)) or [path]


def _matching(root: str, pattern: str) -> set[str]:
    """The paths that a glob matches; `**` is none, one or many folders, and goes through no link.

    The standard library's goes through each path as often as there are ways to it, which links that go
    round make endless.
    """
    found = {""}
    parts = pattern.split("/")
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            found = _deep(root, found, last)
        elif has_magic(part):
            found = {_joined(one, name) for one in found for name in _names(root, one)
                     if fnmatchcase(name, part)}  # fmt: skip
        else:
            found = {_joined(one, part) for one in found}
            found = {path for path in found if os.path.lexists(os.path.join(root, path))}
        if len(found) > MOST_FILES:
            raise _TooMany
    return found - {""}


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _names(root: str, folder: str) -> list[str]:
    try:
        return os.listdir(os.path.join(root, folder))
    except OSError:
        return []


def _deep(root: str, folders: set[str], files: bool) -> set[str]:
    """Some folders and every folder below them, each once, and every file too with `files`."""
    found: set[str] = set()
    waiting = sorted(folders, reverse=True)
    while waiting:
        folder = waiting.pop()
        if folder in found or not _stays_inside(root, folder):
            continue
        found.add(folder)
        for name in _names(root, folder):
            path = _joined(folder, name)
            full = os.path.join(root, path)
            if os.path.isdir(full) and not os.path.islink(full):
                waiting.append(path)
            elif files:
                found.add(path)
        if len(found) + len(waiting) > MOST_FILES:
            raise _TooMany
    return found | folders


def _stays_inside(root: str, path: str) -> bool:
    full = os.path.realpath(os.path.join(root, path))
    return full == root or full.startswith(f"{root}/")


def _digest(tree: Tree, path: str) -> str:
    try:
        full = tree.full(path)
    except ReadRefused:
        return OUTSIDE
    try:
        mode = os.lstat(full).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return MISSING
    except OSError as error:
        return f"unreadable: {error.strerror}"
    try:
        return _of_folder(full) if stat.S_ISDIR(mode) else _of_entry(full, mode)
    except OSError as error:
        return f"unreadable: {error.strerror}"
    except _TooMany:
        return _too_large()


class _TooMany(Exception):
    """A folder, or a glob, of more files than are looked at."""


def _too_large() -> str:
    return f"too large: more than {MOST_FILES} files"


def _of_folder(full: str) -> str:
    total = hashlib.sha256(b"folder\n")
    for number, (name, path, mode) in enumerate(_walk(full)):
        if number >= MOST_FILES:
            raise _TooMany
        total.update(os.fsencode(name) + b"\0" + _of_entry(path, mode).encode() + b"\n")
    return total.hexdigest()


def _walk(folder: str, inner: str = "") -> Iterator[tuple[str, str, int]]:
    """Every entry below a folder, sorted, with its name there; an entry that goes meanwhile is left out."""
    for name in sorted(os.listdir(os.path.join(folder, inner))):
        inside = f"{inner}/{name}" if inner else name
        path = os.path.join(folder, inside)
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            continue
        yield inside, path, mode
        if stat.S_ISDIR(mode):
            yield from _walk(folder, inside)


def _of_entry(path: str, mode: int) -> str:
    if stat.S_ISLNK(mode):
        return hashlib.sha256(b"link\0" + os.fsencode(os.readlink(path))).hexdigest()
    if not stat.S_ISREG(mode):
        return "folder" if stat.S_ISDIR(mode) else f"special {stat.S_IFMT(mode):o}"
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    total = hashlib.sha256()
    try:
        while block := os.read(descriptor, _BLOCK):
            total.update(block)
    finally:
        os.close(descriptor)
    return total.hexdigest()
