"""What git is asked for the bans: as little as will do, as early as can be.

Its listing of the index is asked for only where the index is another one than before.

Git ends its index with a digest of all that stands before. So long as that is the same, so is the listing,
and so is what follows from it: a run over a hundred thousand files where nothing has changed lists none.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin import cache
from goblin.digest import sha256
from goblin.facts import status
from goblin.facts.ahead import Ahead
from goblin.git import GitError
from goblin.outcome import CheckFailed

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.repository import Repository
    from goblin.facts.status import Change
    from goblin.git import Git, Repo

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


class Asked:
    """What git is asked on behalf of the bans in one run: its listing of the index, and what has changed.

    An earlier run leaves behind which folders it asked about. `early` asks about the same at once, long
    before the tables and the rules are read that tell the folders; `changes` asks again for others.
    """

    def __init__(self, facts: Facts, keep: str) -> None:
        assert facts.run.repo
        self._facts = facts
        self._keep = keep
        self._repo = facts.run.repo
        self._index = look(self._repo) if keep else Index()
        kept = cache.recall(keep, NAME) if keep else None
        self._kept: dict[str, Any] = kept if isinstance(kept, dict) else {}
        known = self._index.name and self._kept.get("index") == self._index.name
        self._digest = str(self._kept.get("listing", "")) if known else ""
        self._repository: Ahead[Repository] | None = None
        self._status: Ahead[tuple[Change, ...]] | None = None
        self._folders: list[str] = []

    @property
    def known(self) -> bool:
        """True where an earlier run has listed this index."""
        return bool(self._digest)

    # --- what has changed ---------------------------------------------------------------------------

    def early(self) -> None:
        """Ask what has changed in the folders of the last run."""
        folders = self._kept.get("folders")
        if isinstance(folders, list) and all(isinstance(folder, str) and folder for folder in folders):
            self.begin(folders)

    def begin(self, folders: Sequence[str]) -> None:
        """Ask what has changed in some folders (none: anywhere), unless that is being asked."""
        if self._status is None or self._folders != list(folders):
            git: Git = self._facts.get("git")
            self._folders = list(folders)
            self._status = Ahead(lambda: status.ask(git, *folders))

    def changes(self, folders: Sequence[str]) -> tuple[Change, ...]:
        """What has changed in some folders. Raises `CheckFailed` where git cannot say."""
        self.begin(folders)
        assert self._status
        try:
            return self._status.result()
        except GitError as error:
            raise CheckFailed(str(error)) from error

    # --- the listing --------------------------------------------------------------------------------

    def list(self) -> None:
        """Ask for the listing, where it will be needed."""
        if not self.known and self._repository is None:
            from goblin.facts import Facts

            apart = Facts(self._facts.run)
            self._repository = Ahead(lambda: apart.get("repository"))

    def listing(self) -> bytes:
        """The listing, as git gives it. Raises `CheckFailed` where git cannot."""
        if self._repository is not None:
            asked, self._repository = self._repository, None
            self._facts.provide("repository", asked.result())
        found: bytes = self._facts.get("repository").listing
        return found

    def digest(self) -> str:
        """The digest of the listing; "" where nothing is kept between runs."""
        if not self._digest and self._keep:
            self._digest = sha256(self.listing())
        return self._digest

    def moved(self) -> bool:
        """True where the index changed while this run looked: what is known of it is not of one moment."""
        return bool(self._keep) and look(self._repo).stamp != self._index.stamp

    def forget(self) -> None:
        """Let git be asked after all: the index is another one by now, and nothing of it is kept."""
        self._digest = ""
        self._index = Index()

    def remember(self) -> None:
        """Leave the digest and the folders to the next run. Not where the index has moved."""
        folders = self._folders if self._status else self._kept.get("folders")
        now = {"index": self._index.name, "listing": self._digest, "folders": folders}
        if self._keep and now != self._kept:
            cache.remember(self._keep, NAME, now)


def load(facts: Facts) -> Asked:
    """The fact `ban_index`: nothing is asked yet."""
    run = facts.run
    return Asked(facts, (run.git_dir or "") if run.cache and not run.static else "")
