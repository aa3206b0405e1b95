"""Git's listing of the index, which is asked for only where the index is another one than before.

Git ends its index with a digest of all that stands before. So long as that is the same, so is the listing,
and so is what follows from it: a run over a hundred thousand files where nothing has changed lists none.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from goblin import cache
from goblin.digest import sha256
from goblin.facts.ahead import Ahead

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.repository import Repository
    from goblin.git import Repo

NAME = "bans-index.json"
_HEAD, _TAIL, _SHA1 = 12, 32, 20  # bytes; the digest is one of 20 or of 32
_PLAIN = b"DIRC\0\0\0\2"


class Index(NamedTuple):
    """The index as it stands: `stamp` is another one after each change; `name` says what it holds, and is ""
    where git must be asked for it.
    """

    stamp: tuple[int, ...] = ()
    name: str = ""


def look(repo: Repo) -> Index:
    """How the index stands.

    Git may write no digest (`index.skipHash`), keep a part of the index elsewhere (a split index), or, in
    another version than the second, say in a sparse checkout what depends on the files that are there.
    """
    try:
        descriptor = os.open(os.path.join(repo.git_dir, "index"), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            status = os.fstat(descriptor)
            head = os.read(descriptor, _HEAD)
            tail = os.pread(descriptor, _TAIL, max(0, status.st_size - _TAIL))
        finally:
            os.close(descriptor)
        parted = any(
            name.startswith("sharedindex.")
            for folder in {repo.git_dir, repo.common_dir}
            for name in os.listdir(folder)
        )
    except OSError:
        return Index()
    stamp = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    if parted or not head.startswith(_PLAIN) or len(tail) < _TAIL or not any(tail[-_SHA1:]):
        return Index(stamp)
    return Index(stamp, " ".join([head.hex(), tail.hex(), *map(str, stamp)]))


class Listing:
    """The listing of one run. `keep` is the folder of what is kept between runs, "" for none."""

    def __init__(self, facts: Facts, keep: str) -> None:
        assert facts.run.repo
        self._facts = facts
        self._keep = keep
        self._repo = facts.run.repo
        self._index = look(self._repo) if keep else Index()
        self._ahead: Ahead[Repository] | None = None
        self._digest = self._recalled() if self._index.name else ""

    def _recalled(self) -> str:
        kept = cache.recall(self._keep, NAME)
        if isinstance(kept, dict) and kept.get("index") == self._index.name:
            return str(kept.get("listing", ""))
        return ""

    @property
    def known(self) -> bool:
        """True where an earlier run has listed this index."""
        return bool(self._digest)

    def begin(self) -> None:
        """Ask git now, where that will be needed."""
        if not self.known:
            from goblin.facts import Facts

            apart = Facts(self._facts.run)
            self._ahead = Ahead(lambda: apart.get("repository"))

    def text(self) -> bytes:
        """The listing, as git gives it. Raises `CheckFailed` where git cannot."""
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            self._facts.provide("repository", ahead.result())
        found: bytes = self._facts.get("repository").listing
        return found

    def digest(self) -> str:
        """The digest of the listing; "" where nothing is kept between runs."""
        if not self._digest and self._keep:
            self._digest = sha256(self.text())
            if self._index.name and not self.moved():
                cache.remember(self._keep, NAME, {"index": self._index.name, "listing": self._digest})
        return self._digest

    def moved(self) -> bool:
        """True where the index changed while this run looked: what is known of it is not of one moment."""
        return bool(self._keep) and look(self._repo).stamp != self._index.stamp

    def forget(self) -> None:
        """Let git be asked after all: the index is another one by now, and nothing of it is kept."""
        self._digest = ""
        self._index = Index()
