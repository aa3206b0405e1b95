"""`surface.sha256`: the files that decide whether the predicate is met, pinned when the loop starts.

A loop goes green as well by editing what the predicate and the gates read (spec LP-06). The file
holds `<64 hex><two spaces><path>` lines, sorted by the bytes of the path. Its own digest stands as
`surface: <64 hex>` in the pin, so that an edit of the list shows too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from goblin.digest import sha256
from goblin.paths import ReadRefused, Tree, confined
from goblin.tables import BOM, Fault

if TYPE_CHECKING:
    from goblin.git import Git

FILE = "surface.sha256"

LIMIT = 16 << 20
"""Bytes of the list that are read."""

FILE_LIMIT = 256 << 20
"""Bytes of one pinned file that are hashed; a larger one cannot be pinned."""

_AT_ONCE = 100  # contents held in memory

_LINE = re.compile(r"([0-9a-f]{64})  (.+)", re.DOTALL)


class Difference(NamedTuple):
    """One pinned file that is not what it was. A digest is "" where there are no bytes to hash."""

    path: str
    recorded: str
    found: str
    message: str


class Surface(NamedTuple):
    """The list as it stands. `entries` goes from a path to 64 lower-case hex digits."""

    path: str
    exists: bool
    digest: str = ""  # SHA-256 of the list's own bytes
    entries: Mapping[str, str] = {}  # never changed
    faults: tuple[Fault, ...] = ()

    def differences(self, tree: Tree) -> tuple[Difference, ...]:
        """Every pinned file whose bytes in the work tree are others now, or that is gone."""
        return differences(self.entries, tree)


def parse(data: bytes, path: str = FILE) -> Surface:
    """The list of a file's bytes. Never raises: a line that is wrong becomes a fault."""
    entries: dict[str, str] = {}
    faults: list[Fault] = []
    above = b""
    for number, raw in enumerate(data.removeprefix(BOM).split(b"\n"), start=1):
        raw = raw.removesuffix(b"\r")
        if not raw:
            continue
        match = _LINE.fullmatch(os.fsdecode(raw))
        if match is None or not confined(match[2]):
            faults.append(Fault(number, "must be 64 lower-case hex digits, two spaces and a relative path"))
            continue
        if match[2] in entries:
            faults.append(Fault(number, "names a path a second time"))
        elif raw[66:] < above:
            faults.append(Fault(number, "is not sorted by path"))
        above = max(above, raw[66:])
        entries.setdefault(match[2], match[1])
    if not entries and not faults:
        faults.append(Fault(0, "pins no file"))
    return Surface(path, True, sha256(data), entries, tuple(faults))


def render(entries: Mapping[str, str]) -> bytes:
    """The list as bytes. `parse(render(entries)).entries == entries`.

    Raises `ValueError` for a path that a line cannot hold, or a digest that is none.
    """
    lines = []
    for path, digest in entries.items():
        if not confined(path) or "\n" in path or path.endswith("\r"):
            raise ValueError(f"{path!r} cannot be pinned: not a relative path that fits one line")
        if not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise ValueError(f"{path!r}: {digest!r} is no SHA-256 in lower-case hex")
        lines.append((os.fsencode(path), digest.encode("ascii")))
    return b"".join(digest + b"  " + path + b"\n" for path, digest in sorted(lines))


def digest_of(tree: Tree, paths: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The SHA-256 of each regular file, and for each path that has none the reason why not."""
    digests: dict[str, str] = {}
    refused: dict[str, str] = {}
    for path in paths:
        try:
            digests[path] = sha256(tree.read(path, FILE_LIMIT))
        except ReadRefused as error:
            refused[path] = str(error).removeprefix(f"{path}: ")
    return digests, refused


def differences(entries: Mapping[str, str], tree: Tree) -> tuple[Difference, ...]:
    """What is no longer as `entries` pins it, in the order of the list; none when all stands."""
    found, refused = digest_of(tree, entries)
    changed = []
    for path, recorded in entries.items():
        if path in refused:
            gone = tree.kind(path) == "missing"
            changed.append(Difference(path, recorded, "", "is gone" if gone else refused[path]))
        elif found[path] != recorded:
            changed.append(Difference(path, recorded, found[path], _told(tree, path, recorded, found[path])))
    return tuple(changed)


def elsewhere(entries: Mapping[str, str], tree: Tree) -> tuple[Difference, ...]:
    """The same for another checkout, in which git may have written other line ends."""
    return tuple(found for found in differences(entries, tree) if not _refolded(tree, found))


def _refolded(tree: Tree, found: Difference) -> bool:
    try:
        return bool(found.found) and _same_text(tree.read(found.path, FILE_LIMIT), found.recorded)
    except ReadRefused:
        return False


def _same_text(data: bytes, recorded: str) -> bool:
    """True where the bytes have the recorded digest with one kind of line ends or the other."""
    plain = data.replace(b"\r\n", b"\n")
    return recorded in (sha256(data), sha256(plain), sha256(plain.replace(b"\n", b"\r\n")))


def committed(entries: Mapping[str, str], git: Git, commit: str) -> tuple[Difference, ...]:
    """What a commit holds in another form than `entries` pins it; a path that it lacks is passed over.

    Raises `GitError`.
    """
    paths, changed = list(entries), []
    for at in range(0, len(paths), _AT_ONCE):
        some = paths[at : at + _AT_ONCE]
        for path, item in zip(
            some, git.objects([f"{commit}:{path}" for path in some], most=2 * FILE_LIMIT), strict=True
        ):
            if item is not None and not _same_text(item[2], entries[path]):
                told = f"recorded {entries[path][:12]}, found {sha256(item[2])[:12]}"
                changed.append(Difference(path, entries[path], sha256(item[2]), told))
    return tuple(changed)


def _told(tree: Tree, path: str, recorded: str, found: str) -> str:
    told = f"recorded {recorded[:12]}, found {found[:12]}"
    try:
        folded = tree.read(path, FILE_LIMIT).replace(b"\r\n", b"\n")
    except ReadRefused:
        return told
    if sha256(folded) == recorded:
        return f"{told}: a line-end conversion; mark it -text in .gitattributes"
    return told
