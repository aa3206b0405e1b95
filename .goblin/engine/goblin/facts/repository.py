"""Fact `repository`: every tracked path, from one listing of the index."""

from __future__ import annotations

import os
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


class Repository:
    """The index: what git tracks, staged changes included. `listing` is git's own answer, as it came."""

    def __init__(self, listing: bytes) -> None:
        self.listing = listing

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in index order."""
        found: list[Entry] = []
        for record in os.fsdecode(self.listing).split("\0"):
            if record:
                head, _, path = record.partition("\t")
                tag, mode, oid, stage = head.split(" ")
                found.append(Entry(path, mode, oid, int(stage), tag))
        return tuple(found)

    @cached_property
    def by_path(self) -> dict[str, Entry]:
        """The entries by path; of an unresolved merge, one of its sides."""
        return {entry.path: entry for entry in self.entries}

    def tracks(self, path: str) -> bool:
        """True when the index holds exactly this path."""
        return path in self.by_path

    def below(self, folder: str) -> list[Entry]:
        """The entries under one folder, in index order."""
        prefix = folder.rstrip("/") + "/"
        return [entry for entry in self.entries if entry.path.startswith(prefix)]


def load(git: Git) -> Repository:
    """List the index with one `git ls-files -s -v -z`; raises `GitError` when git cannot."""
    return Repository(git.run("ls-files", "-s", "-v", "-z"))
