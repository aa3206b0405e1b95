"""Which files the bans look at, told from git's own listing, and what of them is known from earlier runs.

A tracked file is judged as it stands in the work tree; one that is not checked out, or that git assumes
unchanged, as the index has it. Links and submodules are not entered. Of a listing of a hundred thousand
files hardly anything is touched when nothing has changed: the answers of the last run are kept beside the
listing that they belong to, by path, blob and mode.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin.bans.parts import ending
from goblin.facts.sourceset import LEFT_OUT

if TYPE_CHECKING:
    from goblin.bans.record import Probe
    from goblin.facts import Facts
    from goblin.facts.status import Change
    from goblin.paths import Tree


class Version(NamedTuple):
    """One version of a file. `oid` is the blob to read, "" for the copy in the work tree."""

    path: str
    oid: str = ""


class Line(NamedTuple):
    """One line of the listing: the text that it is known by, what it says, and the bans that it is about.

    There may be a hundred thousand, so nothing is decoded before it is asked for.
    """

    text: bytes
    probes: tuple[Probe, ...]
    name: bytes
    oid: bytes
    tag: bytes
    stage: bytes

    @property
    def path(self) -> str:
        """The path of the file."""
        return os.fsdecode(self.name)

    @property
    def aside(self) -> bool:
        """True where the index's copy is judged, since the work tree's is not to be had."""
        return self.tag == b"S" or self.tag.islower()

    def version(self) -> Version:
        """What is judged: the work tree's copy, or the index's where that one is not to be had."""
        return Version(self.path, self.oid.decode() if self.aside else "")


class Scope:
    """Which paths some bans are about."""

    def __init__(self, probes: Sequence[Probe], output: Iterable[str]) -> None:
        self.probes = tuple(probes)
        self.left_out = tuple(f"{path}/" for path in (*LEFT_OUT, *output))
        self._line = re.compile(self._pattern())
        globs = [glob for probe in self.probes for glob in probe.globs]
        # Then what a file is about depends on its folder and its ending, but for the files that globs name.
        self._plain = not any(glob.pattern or glob.ending for glob in globs)
        skips = sorted({skip.pattern for probe in self.probes for skip in probe.skip})
        self._skipped = re.compile("|".join(f"(?:{skip})" for skip in skips) or r"(?!)", re.DOTALL)
        self._named = frozenset(glob.fixed for glob in globs)
        self._about: dict[tuple[str, str], tuple[Probe, ...]] = {}
        self._known: dict[tuple[bytes, bytes], tuple[Probe, ...] | None] = {}
        self._odd = bool(skips)

    def _pattern(self) -> bytes:
        """A pattern for the lines of the listing that may be in scope."""
        globs = [glob for probe in self.probes for glob in probe.globs]
        folders = sorted({glob.fixed for glob in globs})
        endings = sorted({name for probe in self.probes for name in probe.endings})
        below = "" if "" in folders else f"(?:{'|'.join(map(re.escape, folders))})(?=[/\\0])"
        named = any(glob.ending and not probe.rule for probe in self.probes for glob in probe.globs)
        ends = "" if named else rf"\.(?i:{'|'.join(map(re.escape, endings))})"
        path = rf"((?={below}[^\0]*{ends}\0)[^\0]*)"
        return rf"(.) 100\d{{3}} ([0-9a-f]+) (\d)\t{path}\0".encode()

    def of(self, path: str) -> tuple[Probe, ...]:
        """The bans that are about a path."""
        folder, _, name = path.rpartition("/")
        if not self._plain or path in self._named or self._skipped.fullmatch(name):
            return self._of(path)
        key = (folder, name[name.rfind(".") + 1 :])
        found = self._about.get(key)
        if found is None:
            found = self._about[key] = self._of(path)
        return found

    def _of(self, path: str) -> tuple[Probe, ...]:
        if path.startswith(self.left_out) or "node_modules" in path.split("/")[:-1]:
            return ()
        suffix = ending(path)
        return tuple(probe for probe in self.probes if probe.covers(path, suffix))

    def lines(self, listing: bytes) -> Iterator[Line]:
        """The lines of a listing whose files are in scope."""
        known, skipped, odd, named = self._known, self._skipped.fullmatch, self._odd, self._named
        for match in self._line.finditer(listing):
            tag, oid, stage, name = match.groups()
            slash = name.rfind(b"/") + 1
            key = (name[:slash], name[name.rfind(b".") :])
            probes = known.get(key)
            if probes is None or (odd and skipped(name[slash:].decode("utf-8", "surrogateescape"))):
                path = os.fsdecode(name)
                probes = self.of(path)
                plain = self._plain and path not in named and not skipped(path.rpartition("/")[2])
                known[key] = probes if plain else known.get(key)
            if probes:
                yield Line(match[0][:-1], probes, name, oid, tag, stage)

    def line(self, listing: bytes, name: bytes) -> Line | None:
        """The line of one path, where it is in scope."""
        at = -1
        while (at := listing.find(b"\t" + name + b"\0", at + 1)) >= 0:
            text = listing[listing.rfind(b"\0", 0, at) + 1 : at + len(name) + 2]
            if (found := next(self.lines(text), None)) and found.name == name:  # a path may hold a tab
                return found
        return None

    def folders(self) -> list[str]:
        """The folders that hold everything in scope; none where that is the root."""
        found = sorted({glob.fixed for probe in self.probes for glob in probe.globs})
        return [] if "" in found else found

    def part(self, listing: bytes) -> bytes:
        """The lines of a listing that may be in scope, and some others. Git sorts them by their paths."""
        folders = [os.fsencode(folder) for folder in self.folders()]
        parts: list[bytes] = []
        done = 0
        for start in sorted(folder + end for folder in folders for end in (b"\0", b"/")):
            first = listing.find(b"\t" + start, done)
            if first >= 0:
                last = listing.rfind(b"\t" + start, done)
                until = listing.find(b"\0", last + 1) + 1
                parts.append(listing[listing.rfind(b"\0", done, first) + 1 or done : until])
                done = until
        return b"".join(parts) if folders else listing


class Changes(NamedTuple):
    """What differs from the index: tracked paths (True where the file is gone), and untracked ones."""

    tracked: dict[str, bool]
    untracked: tuple[str, ...]


def changes(status: Iterable[Change]) -> Changes:
    """Sort what git status says."""
    tracked: dict[str, bool] = {}
    untracked = []
    for state, path in status:
        if state == "??":
            if not path.endswith("/"):
                untracked.append(path)
        elif state[1] != " " or "U" in state or state in ("AA", "DD"):
            tracked[path] = state[1] == "D" and "U" not in state
    return Changes(tracked, tuple(untracked))


def walked(tree: Tree) -> Iterator[str]:
    """Every regular file on disk, for a tree without git."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(tree.root, folder)) as entries:
                listed = sorted((entry.name, entry.is_dir(follow_symlinks=False), entry) for entry in entries)
        except OSError:
            continue
        for name, is_dir, entry in listed:
            path = f"{folder}/{name}" if folder else name
            if is_dir:
                if name not in (*LEFT_OUT, "node_modules"):
                    waiting.append(path)
            elif entry.is_file(follow_symlinks=False):
                yield path


def named(listing: bytes, names: Iterable[str]) -> list[str]:
    """The paths of a listing whose last part is one of some names, those in node_modules left out."""
    wanted = "|".join(map(re.escape, names)).encode()
    found = re.findall(rb"\t((?:[^\0]*/)?(?:" + wanted + rb"))\0", listing)
    return [os.fsdecode(path) for path in found if b"node_modules/" not in path]


def exists(facts: Facts, path: str) -> bool:
    """True for a path that is on disk, or that git tracks without its being checked out."""
    if path == "." or facts.get("tree").kind(path) not in ("missing", "outside"):
        return True
    if facts.run.repo is None:
        return False
    return f"\t{path}/".encode("utf-8", "surrogateescape") in facts.get("repository").listing
