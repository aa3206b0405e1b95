"""Fact `head`: the commit that HEAD names, read raw so that no mailmap or display setting speaks."""

from __future__ import annotations

import os
from typing import NamedTuple

from goblin.git import Git
from goblin.outcome import CheckFailed


class Identity(NamedTuple):
    """Who and when, as the commit object says it."""

    name: str
    email: str
    when: int  # seconds since 1970-01-01 UTC
    offset: str  # such as +0100


class Commit(NamedTuple):
    """One commit object."""

    oid: str
    parents: tuple[str, ...]
    author: Identity
    committer: Identity
    message: str


class Head(NamedTuple):
    """Where HEAD stands. `commit` is None before the first commit; `branch` is "" when detached.

    A forge checks a change out as a detached merge that nobody wrote; `merged` is then the commit
    that came in by that merge (None where a shallow clone lacks it).
    """

    branch: str
    commit: Commit | None
    shallow: bool
    merged: Commit | None = None

    @property
    def is_merge_checkout(self) -> bool:
        """True for a detached HEAD at a merge of two parents."""
        return not self.branch and self.commit is not None and len(self.commit.parents) == 2

    def need_commit(self) -> Commit:
        """The commit, or the FAIL of every row that judges history (decided 5)."""
        if self.commit is None:
            raise CheckFailed("no commits yet", remedy="git commit")
        return self.commit


def _identity(line: str) -> Identity:
    """Name, e-mail and time; of a forged line with several angle brackets the outermost count."""
    opened, closed = line.find("<"), line.rfind(">")
    if not 0 <= opened < closed:
        return Identity(line, "", 0, "")
    seconds, _, offset = line[closed + 1 :].strip().partition(" ")
    when = int(seconds) if seconds.isascii() and seconds.isdigit() and len(seconds) < 20 else 0
    return Identity(line[:opened].strip(), line[opened + 1 : closed], when, offset)


def parse_commit(oid: str, raw: bytes) -> Commit:
    """A commit object's fields; header lines that are not ours (signatures) are passed over."""
    head, _, message = raw.decode("utf-8", "surrogateescape").partition("\n\n")
    fields: dict[str, list[str]] = {}
    for line in head.split("\n"):
        key, _, value = line.partition(" ")
        fields.setdefault(key, []).append(value)
    author = _identity(fields.get("author", [""])[0])
    committer = _identity(fields.get("committer", [""])[0])
    return Commit(oid, tuple(fields.get("parent", ())), author, committer, message)


def load(git: Git) -> Head:
    """Read HEAD: its branch, its commit, and whether the history below it is cut short."""
    try:
        with open(os.path.join(git.repo.git_dir, "HEAD"), "rb") as stream:
            text = os.fsdecode(stream.read(4096)).strip()
    except OSError as error:
        raise CheckFailed(f"HEAD cannot be read: {error.strerror}") from error
    branch = text.removeprefix("ref: refs/heads/") if text.startswith("ref: refs/heads/") else ""
    shallow = os.path.exists(os.path.join(git.repo.common_dir, "shallow"))
    head = Head(branch, _commit(git, "HEAD"), shallow)
    if head.is_merge_checkout:
        return head._replace(merged=_commit(git, head.need_commit().parents[1]))
    return head


def _commit(git: Git, name: str) -> Commit | None:
    found = git.objects([name])[0]
    return parse_commit(found[0], found[2]) if found and found[1] == "commit" else None
