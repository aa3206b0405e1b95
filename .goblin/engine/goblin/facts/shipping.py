"""Fact `shipping`: the files that a build has written, and the credentials in them (spec SC-03).

Reads the declared output directories on disk, whether git ignores them or not. No link is followed,
nothing but regular files is opened, and no file is too large or too far down the list.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts import content, secrets
from goblin.facts.sources import directories
from goblin.outcome import Finding
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts.config import Config
    from goblin.paths import Tree

KEY = "security.build_output"
_ASIDE = {
    "link": "a link",
    "outside": "which leaves the repository",
    "other": "no directory",
    "file": "a file",
}


class Scanned(NamedTuple):
    """What the output holds."""

    files: int
    hits: tuple[Finding, ...]
    unread: tuple[Finding, ...]


class Shipping:
    """The build output. `directories` are those that exist; `aside` are declared and no directories."""

    def __init__(self, tree: Tree, declared: tuple[str, ...]) -> None:
        self._tree = tree
        kinds = {path: tree.kind(path) for path in declared}
        self.directories = tuple(path for path, kind in kinds.items() if kind == "dir")
        self.aside = tuple(f"{path}, {_ASIDE[kind]}" for path, kind in kinds.items() if kind in _ASIDE)

    @cached_property
    def scanned(self) -> Scanned:
        """Every file looked at."""
        files = 0
        hits: list[Finding] = []
        unread: list[Finding] = []
        for path in self._files(unread):
            files += 1
            try:
                found = secrets.find(content.of_file(self._tree, path), secrets.SHIPPED)
            except ReadRefused as error:
                reason = str(error).partition(": ")[2] or str(error)
                unread.append(Finding(path, message=f"not looked at: {reason}"))
                continue
            hits += [Finding(path, hit.line, hit.column, hit.kind) for hit in found]
        return Scanned(files, tuple(hits), tuple(unread))

    def _files(self, unread: list[Finding]) -> Iterator[str]:
        seen = set()
        waiting = list(reversed(self.directories))
        while waiting:
            folder = waiting.pop()
            if folder in seen:
                continue
            seen.add(folder)
            try:
                with os.scandir(self._tree.full(folder)) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name, reverse=True)
            except (OSError, ReadRefused):
                unread.append(Finding(folder, message="not looked at: the folder cannot be listed"))
                continue
            waiting += [f"{folder}/{e.name}" for e in entries if e.is_dir(follow_symlinks=False)]
            for entry in reversed(entries):
                if entry.is_file(follow_symlinks=False):
                    yield f"{folder}/{entry.name}"


def load(tree: Tree, config: Config) -> Shipping:
    """The declared output; raises `CheckFailed` for a wrong declaration."""
    return Shipping(tree, directories(config.words(KEY)))
