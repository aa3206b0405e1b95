"""Which tree a turn was about: a git tree id without `.goblin`, so that keeping the record moves nothing.

The id is computed here and nothing is written: for a commit from its listing, for the work tree from the
index and the bytes of what differs from it. In a clean clone both are what git itself would compute for
the same files.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from goblin.git import Git

LEFT_OUT = ".goblin"
_BLOCK = 1 << 20


class _File(NamedTuple):
    mode: bytes
    oid: bytes  # raw


def of_commit(git: Git, commit: str) -> str:
    """The id of a commit's tree without `.goblin`. Raises `GitError`."""
    entries = []
    for record in git.run("ls-tree", "-z", commit).split(b"\0"):
        head, _, name = record.partition(b"\t")
        if name and os.fsdecode(name) != LEFT_OUT:
            mode, _, oid = head.split(b" ")
            entries.append((name, mode.lstrip(b"0"), bytes.fromhex(oid.decode("ascii"))))
    return _tree(entries, _algorithm(git)).hex()


def of_files(git: Git) -> str:
    """The id of the work tree as it is, uncommitted and untracked files too. Raises `GitError`.

    Files that are ignored, and what is inside a submodule, do not count.
    """
    algorithm = _algorithm(git)
    files = {}
    for record in git.run("ls-files", "-s", "-z").split(b"\0"):
        head, _, path = record.partition(b"\t")
        if path:
            mode, oid, _ = head.split(b" ")
            files[path] = _File(mode, bytes.fromhex(oid.decode("ascii")))
    for path in _differing(git):
        found = _hashed(git.repo.top, path, files.get(path), algorithm)
        if found is None:
            files.pop(path, None)
        else:
            files[path] = found
    kept = {path: file for path, file in files.items() if path.split(b"/")[0] != LEFT_OUT.encode()}
    return _nested(sorted(kept.items()), algorithm).hex()


def _algorithm(git: Git) -> str:
    return git.run("rev-parse", "--show-object-format").decode("ascii").strip()


def _differing(git: Git) -> Iterator[bytes]:
    """Paths whose bytes may differ from the index, and untracked ones."""
    yield from filter(None, git.run("diff-files", "--name-only", "-z", worktree=True).split(b"\0"))
    yield from _passed_over(git)
    yield from filter(None, git.run("ls-files", "-o", "--exclude-standard", "-z").split(b"\0"))


def _passed_over(git: Git) -> Iterator[bytes]:
    """Paths at which git is told not to look: assume-unchanged, and skip-worktree where one is there."""
    for record in git.run("ls-files", "-v", "-z").split(b"\0"):
        tag, path = record[:1], record[2:]
        if tag in (b"S", b"s"):
            if os.path.lexists(os.path.join(os.fsencode(git.repo.top), path)):
                yield path
        elif tag.islower():
            yield path


def _hashed(top: str, path: bytes, known: _File | None, algorithm: str) -> _File | None:
    """The entry of a path as it stands, or None where there is nothing that git would keep."""
    full = os.path.join(os.fsencode(top), path)
    try:
        mode = os.lstat(full).st_mode
        if stat.S_ISLNK(mode):
            return _File(b"120000", _blob(algorithm, [target := os.readlink(full)], len(target)))
        if not stat.S_ISREG(mode):
            return known if known and known.mode == b"160000" else None
        descriptor = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            oid = _blob(algorithm, iter(lambda: stream.read(_BLOCK), b""), size)
    except OSError:
        return None
    executable = b"100755" if mode & stat.S_IXUSR else b"100644"
    return _File(known.mode if known and known.mode.startswith(b"100") else executable, oid)


def _blob(algorithm: str, blocks: Iterable[bytes], size: int) -> bytes:
    found = hashlib.new(algorithm, b"blob %d\0" % size)
    for block in blocks:
        found.update(block)
    return found.digest()


def _nested(files: list[tuple[bytes, _File]], algorithm: str) -> bytes:
    """The id of a tree whose paths are sorted, folders and all."""
    entries: list[tuple[bytes, bytes, bytes]] = []
    at = 0
    while at < len(files):
        path, file = files[at]
        folder, slash, _ = path.partition(b"/")
        if not slash:
            entries.append((path, file.mode, file.oid))
            at += 1
            continue
        end = at
        prefix = folder + b"/"
        while end < len(files) and files[end][0].startswith(prefix):
            end += 1
        inner = [(name[len(prefix) :], entry) for name, entry in files[at:end]]
        entries.append((folder, b"40000", _nested(inner, algorithm)))
        at = end
    return _tree(entries, algorithm)


def _tree(entries: Iterable[tuple[bytes, bytes, bytes]], algorithm: str) -> bytes:
    """The raw id of a tree object with these (name, mode, id) entries."""

    def order(entry: tuple[bytes, bytes, bytes]) -> bytes:
        name, mode, _ = entry
        return name + b"/" if mode == b"40000" else name

    body = b"".join(mode + b" " + name + b"\0" + oid for name, mode, oid in sorted(entries, key=order))
    return hashlib.new(algorithm, b"tree %d\0" % len(body) + body).digest()
