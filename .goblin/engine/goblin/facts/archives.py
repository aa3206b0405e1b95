"""The SHA-256 of a file, and of each member one level inside it where it is an archive.

Archives are known by their first bytes, not by their names: zip (jar, apk and the like), tar, and
either of them or a single file behind gzip, bzip2 or xz. What is expanded is bounded, and what cannot
be looked into is said: it was not seen to be clean.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import IO, NamedTuple

MOST_MEMBERS = 50_000
MOST_BYTES = 2 << 30
"""What is expanded of one archive at most."""

_BLOCK = 1 << 20
_PACKED = {b"\x1f\x8b": ("gzip", "GzipFile"), b"BZh": ("bz2", "BZ2File"), b"\xfd7zXZ\0": ("lzma", "LZMAFile")}
"""How a packed stream begins, and what opens it."""


class Hashed(NamedTuple):
    """A digest. `member` is "" for the file itself; a `problem` says what could not be looked into."""

    member: str
    digest: str
    problem: str = ""


class _TooMuch(Exception):
    """An archive that expands beyond the bounds."""


class _Bounds:
    def __init__(self) -> None:
        self.members = MOST_MEMBERS
        self.bytes = MOST_BYTES

    def member(self) -> None:
        self.members -= 1
        if self.members < 0:
            raise _TooMuch(f"it holds more than {MOST_MEMBERS} members")

    def digest(self, stream: IO[bytes]) -> str:
        total = hashlib.sha256()
        while block := stream.read(_BLOCK):
            self.bytes -= len(block)
            if self.bytes < 0:
                raise _TooMuch(f"it expands to more than {MOST_BYTES >> 20} MiB")
            total.update(block)
        return total.hexdigest()


def digests(stream: IO[bytes]) -> Iterator[Hashed]:
    """The digest of a seekable file, then those of its members."""
    total = hashlib.sha256()
    head = stream.read(512)
    block = head
    while block:
        total.update(block)
        block = stream.read(_BLOCK)
    yield Hashed("", total.hexdigest())
    kind = _kind(head)
    if kind is None:
        return
    stream.seek(0)
    try:
        yield from kind(stream, _Bounds())
    except Exception as error:  # noqa: BLE001  (a library that a hostile file breaks has not looked into it)
        told = str(error) if isinstance(error, _TooMuch) else f"{type(error).__name__}: {error}"
        yield Hashed("", "", f"cannot be looked into: {told}"[:200])


def _kind(head: bytes) -> Callable[[IO[bytes], _Bounds], Iterator[Hashed]] | None:
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip
    if _is_tar(head):
        return _tar
    return _packed if head.startswith(tuple(_PACKED)) else None


def _is_tar(head: bytes) -> bool:
    """True for the first block of a tar, old ones without a mark included: its own checksum is right."""
    if len(head) < 512 or not head[0]:
        return False
    try:
        written = int(head[148:156].strip(b"\0 "), 8)
    except ValueError:
        return False
    return written == sum(head[:148]) + 8 * 32 + sum(head[156:512])


def _zip(stream: IO[bytes], bounds: _Bounds) -> Iterator[Hashed]:
    from zipfile import ZipFile

    with ZipFile(stream) as archive:
        for info in archive.infolist():
            bounds.member()
            if info.is_dir():
                continue
            if info.flag_bits & 1:
                yield Hashed(info.filename, "", "cannot be looked into: it is encrypted")
                continue
            with archive.open(info) as member:
                yield Hashed(info.filename, bounds.digest(member))


def _tar(stream: IO[bytes], bounds: _Bounds) -> Iterator[Hashed]:
    import tarfile

    with tarfile.open(fileobj=stream, mode="r:*") as archive:
        for info in archive:
            bounds.member()
            member = archive.extractfile(info) if info.isreg() else None
            if member:
                yield Hashed(info.name, bounds.digest(member))


def _packed(stream: IO[bytes], bounds: _Bounds) -> Iterator[Hashed]:
    head = stream.read(6)
    module, name = next(reader for mark, reader in _PACKED.items() if head.startswith(mark))
    stream.seek(0)
    with _opened(module, name, stream) as opened:
        if not _is_tar(opened.read(512)):
            opened.seek(0)
            yield Hashed("its content", bounds.digest(opened))
            return
    stream.seek(0)
    yield from _tar(stream, bounds)


def _opened(module: str, name: str, stream: IO[bytes]) -> IO[bytes]:
    from importlib import import_module

    arguments = {"fileobj": stream} if module == "gzip" else {"filename": stream}
    opened: IO[bytes] = getattr(import_module(module), name)(**arguments, mode="rb")
    return opened
