"""Fact `branches`: what the refs say of one branch, of HEAD and of the remote's default (spec PT-02).

Refs are read as the files that they are, loose or packed, which costs nothing; a repository that
keeps them in another format (reftable) is asked through git.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from goblin.outcome import CheckFailed

if TYPE_CHECKING:
    from goblin.git import Git

LOCAL = "refs/heads/"
REMOTE = "refs/remotes/origin/"
_LIMIT = 64 << 20
_FORBIDDEN = frozenset(" ~^:?*[\\\x7f")


def is_branch_name(name: str) -> bool:
    """True for a name that git accepts for a branch (the rules of `git check-ref-format`)."""
    if not name or name.startswith("-") or name == "@" or name.endswith(("/", ".")):
        return False
    if ".." in name or "@{" in name or "//" in name or name.startswith("/"):
        return False
    if any(char in _FORBIDDEN or char < " " for char in name):
        return False
    return all(part and not part.startswith(".") and not part.endswith(".lock") for part in name.split("/"))


class Branches:
    """The refs of one repository."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._as_files = not os.path.isdir(os.path.join(git.repo.common_dir, "reftable"))
        self._packed: frozenset[bytes] | None = None

    @property
    def current(self) -> str:
        """The branch that HEAD stands on, which may have no commit yet; "" when HEAD is detached."""
        name = self._symbolic(self._git.repo.git_dir, "HEAD")
        return name.removeprefix(LOCAL) if name.startswith(LOCAL) else ""

    @property
    def remote_default(self) -> str:
        """The branch that `origin/HEAD` names; "" where it is unknown. It need not exist here."""
        name = self._symbolic(self._git.repo.common_dir, f"{REMOTE}HEAD")
        return name.removeprefix(REMOTE) if name.startswith(REMOTE) else ""

    def has_local(self, name: str) -> bool:
        """True where a local branch of this name exists."""
        return is_branch_name(name) and self._exists(LOCAL + name)

    def has_remote(self, name: str) -> bool:
        """True where `origin/<name>` was fetched."""
        return is_branch_name(name) and self._exists(REMOTE + name)

    def _symbolic(self, folder: str, ref: str) -> str:
        if not self._as_files:
            result = self._git.call("symbolic-ref", "-q", ref)
            return os.fsdecode(result.out.rstrip(b"\n")) if result.code == 0 else ""
        data = _read(os.path.join(folder, ref), 4096) or b""
        return os.fsdecode(data[4:].strip()) if data.startswith(b"ref:") else ""

    def _exists(self, ref: str) -> bool:
        if not self._as_files:
            return self._git.call("show-ref", "--verify", "-q", ref).code == 0
        folder, _, name = os.path.join(self._git.repo.common_dir, ref).rpartition("/")
        try:
            # Where a file system folds case, opening the file would find a branch of another name.
            loose = name in os.listdir(folder)
        except OSError:
            loose = False
        if loose and (_read(os.path.join(folder, name), 4096) or b"").strip():
            return True
        return os.fsencode(ref) in self._packed_refs()

    def _packed_refs(self) -> frozenset[bytes]:
        if self._packed is None:
            data = _read(os.path.join(self._git.repo.common_dir, "packed-refs"), _LIMIT) or b""
            lines = (line.rstrip(b"\r") for line in data.split(b"\n") if line[:1] not in (b"#", b"^"))
            self._packed = frozenset(line.partition(b" ")[2] for line in lines)
        return self._packed


def _read(path: str, limit: int) -> bytes | None:
    """The bytes of a ref file, or None where there is none; raises `CheckFailed` where it cannot be read."""
    if not os.path.isfile(path):  # also False for a folder, a FIFO and a device
        return None
    try:
        with open(path, "rb") as stream:
            return stream.read(limit)
    except OSError as error:
        name = os.path.basename(path)
        raise CheckFailed(f"{name} of the git directory cannot be read: {error.strerror}") from error


def load(git: Git) -> Branches:
    """The refs of the repository under test, each read when it is asked for."""
    return Branches(git)
