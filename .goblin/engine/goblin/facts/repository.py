"""Fact `repository`: every tracked path, from one listing of the index.

A listing of 50,000 files is five million bytes. What few files are asked about is searched in those
bytes, which takes a millisecond; an `Entry` for each of them takes a hundred.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from goblin.git import Git


class Entry(NamedTuple):
    """One index entry. `path` keeps bytes that are not UTF-8 by surrogateescape."""

    path: str
    mode: str  # 100644, 100755, 120000 (link) or 160000 (submodule)
    oid: str
    stage: int  # above 0 while a merge is unresolved
    tag: str = "H"  # as `git ls-files -v` says it: S is not checked out, lower case is assumed unchanged

    @property
    def is_file(self) -> bool:
        """True for a regular file: neither a link nor a submodule."""
        return self.mode.startswith("100")


def parsed(record: bytes) -> Entry:
    """A record of the listing, `<tag> <mode> <id> <stage>TAB<path>`, as an entry."""
    head, _, path = os.fsdecode(record).partition("\t")
    tag, mode, oid, stage = head.split(" ")
    return Entry(path, mode, oid, int(stage), tag)


class Repository:
    """The index: what git tracks, staged changes included. `listing` is git's own answer, as it came."""

    def __init__(self, listing: bytes) -> None:
        self.listing = listing

    @cached_property
    def lowered(self) -> bytes:
        """The listing in lower case, for searching."""
        return self.listing.lower()

    @cached_property
    def records(self) -> list[bytes]:
        """The records of the listing, in index order; `parsed` reads one."""
        return self.listing.split(b"\0")[:-1]

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in index order."""
        return tuple(map(parsed, self.records))

    @cached_property
    def head(self) -> int:
        """Bytes of a record before its path."""
        return self.listing.find(b"\t") + 1

    @cached_property
    def files(self) -> int:
        """How many entries are regular files."""
        others = len(self.of_mode("120000")) + len(self.of_mode("160000"))
        return self.listing.count(b"\0") - others

    def of_mode(self, mode: str) -> list[Entry]:
        """The entries of one mode, in index order."""
        sought = f" {mode} ".encode()
        if sought not in self.listing:
            return []
        return [parsed(record) for record in self.records if record.startswith(sought, 1)]

    def of_tag(self, tag: str) -> list[Entry]:
        """The entries of one tag, in index order."""
        sought = f"{tag} ".encode()
        if not self.listing.startswith(sought) and b"\0" + sought not in self.listing:
            return []
        return [parsed(record) for record in self.records if record.startswith(sought)]

    def ending(self, suffix: str) -> list[Entry]:
        """The entries whose paths end so, in index order."""
        sought = os.fsencode(suffix)
        return [parsed(self._record(at)[0]) for at in _places(self.listing, sought + b"\0")]

    def find(self, path: str) -> Entry | None:
        """The entry of exactly this path; of an unresolved merge, its first side; None for none."""
        wanted = os.fsencode(path)
        for at in _places(self.listing, b"\t" + wanted + b"\0"):
            record, start = self._record(at)
            if at - start + 1 == self.head:  # and no path that ends so, with a tab of its own
                return parsed(record)
        return None

    def tracks(self, path: str) -> bool:
        """True when the index holds exactly this path."""
        return self.find(path) is not None

    def below(self, folder: str) -> list[Entry]:
        """The entries under one folder, in index order."""
        prefix = os.fsencode(folder.rstrip("/") + "/")
        found = []
        for at in _places(self.listing, b"\t" + prefix):
            record, start = self._record(at)
            if at - start + 1 == self.head:
                found.append(parsed(record))
        return found

    def _record(self, at: int) -> tuple[bytes, int]:
        """The record that holds a place of the listing, and where it starts."""
        start = self.listing.rfind(b"\0", 0, at) + 1
        return self.listing[start : self.listing.index(b"\0", at)], start


def _places(data: bytes, sought: bytes) -> Iterator[int]:
    """Where something stands in some bytes, in order."""
    at = data.find(sought)
    while at >= 0:
        yield at
        at = data.find(sought, at + 1)


def load(git: Git) -> Repository:
    """List the index with one `git ls-files -s -v -z`; raises `GitError` when git cannot."""
    return Repository(git.run("ls-files", "-s", "-v", "-z"))
