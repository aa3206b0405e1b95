"""Three-way merges of installed files that somebody edited (spec install 8, decided 28 and 37).

The record knows the released bytes only by their digest. They are looked for in what this machine
still has: copies below `.goblin/backup/`, the index, and the history of the path. Where they are
found, git merges; what merges without a conflict, and still reads as what it is, stands.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from goblin import git
from goblin.install import copies, scratch
from goblin.install.disk import Disk
from goblin.install.journal import digest
from goblin.install.target import Target

NEW = ".goblin-new"
"""What the name of a released file ends with that lies beside the edited one."""

COMMITS = 200
"""Commits that touched a path which are looked through, newest first."""

LIMIT = 4 << 20
"""Bytes of one old version that are read."""

_AT_ONCE = 8


class Answer(NamedTuple):
    """The merged bytes, or why there are none."""

    data: bytes | None
    why: str = ""


class Merger:
    """Merges files of one target."""

    def __init__(self, disk: Disk, target: Target) -> None:
        self.disk = disk
        self.target = target

    def merge(self, path: str, base: str, ours: bytes, theirs: bytes) -> Answer:
        """`ours` with what changed from the released file of digest `base` to `theirs`."""
        released = self.released(path, base)
        if released is None:
            return Answer(None, self._unknown())
        merged = three_way(ours, released, theirs)
        if merged is None:
            return Answer(None, "both sides changed the same lines")
        if merged != ours and not still_reads(path, merged):
            return Answer(None, "what a merge gives is no Python any more")
        return Answer(merged)

    def _unknown(self) -> str:
        why = "the released file that was edited is neither in the history nor among the copies here"
        if self.target.repo and os.path.exists(os.path.join(self.target.repo.common_dir, "shallow")):
            why += " (this clone is shallow: after git fetch --unshallow it may be found)"
        return why

    def released(self, path: str, wanted: str) -> bytes | None:
        """The bytes of digest `wanted` that once stood at a path, from whatever still holds them."""
        for data in self._versions(path):
            if digest(data) == wanted:
                return data
        return None

    def _versions(self, path: str) -> Iterator[bytes]:
        beside = f"{path}{NEW}"
        try:
            data = self.disk.read(beside)
        except OSError:  # a link, or a folder: nothing that an installer left there
            data = None
        if data is not None:
            yield data
        for name in (beside, path):
            for copy in copies.of(self.disk, name, newest_first=True):
                yield copy.data
        if self.target.repo is not None:
            yield from _history(git.Git(self.target.repo), path)


def _history(asked: git.Git, path: str) -> Iterator[bytes]:
    """Each version of a path in the index and in the commits below HEAD, newest first, once."""
    names = [path, f"{path}{NEW}"]
    walked = asked.call("rev-list", f"--max-count={COMMITS}", "HEAD", "--", *names)
    commits = walked.out.decode("ascii", "replace").split() if walked.code == 0 else []
    places = [f"{commit}:{name}" for commit in ("", *commits) for name in names if "\n" not in name]
    listed = asked.run(
        "cat-file",
        "--batch-check=%(objectname) %(objecttype) %(objectsize)",
        stdin=b"".join(os.fsencode(place) + b"\n" for place in places),
    )
    blobs: dict[str, None] = {}
    for line in listed.split(b"\n"):
        fields = line.split()
        if len(fields) == 3 and fields[1] == b"blob" and fields[2].isdigit() and int(fields[2]) <= LIMIT:
            blobs[fields[0].decode()] = None
    waiting = list(blobs)
    while waiting:
        some, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
        for entry in asked.objects(some):
            if entry is not None:
                yield entry[2]


def three_way(ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """Git's own merge of three texts; None where it leaves a conflict or cannot merge them at all."""
    with scratch.repository() as asked:
        for name, data in (("ours", ours), ("base", base), ("theirs", theirs)):
            with open(os.path.join(asked.repo.top, name), "wb") as stream:
                stream.write(data)
        result = asked.call("merge-file", "--quiet", "--stdout", "ours", "base", "theirs")
    return result.out if result.code == 0 else None


def still_reads(path: str, data: bytes) -> bool:
    """True unless this is Python source that no longer parses: text that merged need not make sense."""
    if not path.endswith(".py") and not data.startswith(b"#!/usr/bin/env -S python3"):
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
