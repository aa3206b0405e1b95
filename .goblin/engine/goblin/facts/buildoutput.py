"""Fact `build_output`: every file that a build ships, by its digest (spec RC-01).

Read are the folders of `security.build_output` as they are on disk. A link is hashed as what it points
at, as long as that is inside the repository. Nothing is read where no reference manifest is declared.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.archives import digests
from goblin.outcome import CheckFailed
from goblin.paths import confined

if TYPE_CHECKING:
    from goblin.facts.config import Config
    from goblin.facts.reference import Reference
    from goblin.paths import Tree

KEY = "security.build_output"
MOST = 200_000
"""Files of a build that are hashed at most."""


class Shipped(NamedTuple):
    """One file, or one member of an archive. A `problem` says why it could not be looked at."""

    path: str  # with `!member` behind it for a member
    digest: str
    problem: str = ""


class BuildOutput(NamedTuple):
    """The folders that exist, and what they hold."""

    folders: tuple[str, ...] = ()
    files: int = 0
    shipped: tuple[Shipped, ...] = ()


def load(tree: Tree, config: Config, reference: Reference) -> BuildOutput:
    """Hash the build output. Raises `CheckFailed` for a folder that leaves the repository."""
    if not reference.path:
        return BuildOutput()
    folders = []
    for declared in config.words(KEY):
        path = os.path.normpath(declared)
        if path != "." and (not confined(path) or tree.kind(path) == "outside"):
            told = f"{KEY} {declared} leaves the repository"
            raise CheckFailed(told, [config.where(KEY, told)])
        if path == "." or tree.kind(path) != "missing":
            folders.append(path)
    walk = _Walk(tree)
    shipped = [found for folder in folders for found in walk.below(folder)]
    return BuildOutput(tuple(folders), walk.files, tuple(sorted(shipped)))


class _Walk:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._seen: set[tuple[int, int]] = set()
        self.files = 0

    def below(self, path: str) -> Iterator[Shipped]:
        """Every file at or below a path; a folder that links lead to twice is entered once."""
        waiting = [path]
        while waiting:
            path = waiting.pop()
            full = os.path.realpath(os.path.join(self._tree.root, path))
            if full != self._tree.root and not full.startswith(self._tree.root.rstrip("/") + "/"):
                yield Shipped(path, "", "a link that leaves the repository, so what ships there is not seen")
                continue
            try:
                status = os.stat(full)
                if stat.S_ISDIR(status.st_mode):
                    if (status.st_dev, status.st_ino) not in self._seen:
                        self._seen.add((status.st_dev, status.st_ino))
                        inner = sorted(os.listdir(full), reverse=True)
                        waiting += [
                            f"{path}/{name}" if path != "." else name for name in inner if name != ".git"
                        ]
                elif stat.S_ISREG(status.st_mode):
                    yield from self._file(path, full)
                else:
                    yield Shipped(path, "", "no regular file, so it is not opened")
            except FileNotFoundError:
                continue  # a link that leads nowhere ships nothing
            except OSError as error:
                yield Shipped(path, "", f"cannot be read: {error.strerror}")

    def _file(self, path: str, full: str) -> Iterator[Shipped]:
        self.files += 1
        if self.files > MOST:
            raise CheckFailed(f"the build output holds more than {MOST} files, which is more than is hashed")
        descriptor = os.open(full, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                yield Shipped(path, "", "no regular file, so it is not read")
                return
            for found in digests(stream):
                place = f"{path}!{found.member}" if found.member else path
                yield Shipped(place, found.digest, found.problem)
