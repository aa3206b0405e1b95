"""Digests of a file and of its members: known by content, bounded, and honest about what was not seen."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import tarfile
import zipfile

import pytest

from goblin.facts import archives
from goblin.facts.archives import digests

DATA = b"the payload"
WANTED = hashlib.sha256(DATA).hexdigest()


def zipped(name: str = "a/b.dat", data: bytes = DATA) -> bytes:
    """A zip of one member."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("a")
        archive.writestr(name, data)
    return stream.getvalue()


def tarred(mode: str = "w", style: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar of one member, a folder and a link."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode, format=style) as archive:  # type: ignore[call-overload]
        info = tarfile.TarInfo("a/b.dat")
        info.size = len(DATA)
        archive.addfile(info, io.BytesIO(DATA))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hosts"
        archive.addfile(link)
    return stream.getvalue()


def found(data: bytes) -> dict[str, str]:
    """Member to digest, or to what is said of it."""
    return {hashed.member: hashed.problem or hashed.digest for hashed in digests(io.BytesIO(data))}


def test_a_plain_file_has_one_digest() -> None:
    """Large or small, and an empty one too."""
    for data in (b"", DATA, DATA * 500_000):
        assert found(data) == {"": hashlib.sha256(data).hexdigest()}


@pytest.mark.parametrize(
    "data",
    [
        zipped(),
        tarred(),
        tarred(style=tarfile.USTAR_FORMAT),
        tarred(style=tarfile.GNU_FORMAT),
        tarred().replace(b"ustar\x0000", b"\0" * 8),
        tarred("w:gz"),
        tarred("w:bz2"),
        tarred("w:xz"),
    ],
    ids=["zip", "pax", "ustar", "gnu", "no mark", "gz", "bz2", "xz"],
)
def test_members_are_hashed(data: bytes) -> None:
    """By their bytes; links and folders have none."""
    if b"ustar" not in data and data[:1] == b"a":  # the mark is part of what the header's checksum covers
        head = bytearray(data)
        for at in (0, 1024):
            block = bytes(head[at : at + 512])
            total = sum(block[:148]) + 256 + sum(block[156:])
            head[at + 148 : at + 156] = b"%06o\0 " % total
        data = bytes(head)
    assert found(data) == {"": hashlib.sha256(data).hexdigest(), "a/b.dat": WANTED}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_single_packed_file_is_unpacked(pack: object) -> None:
    """Assets are often shipped so."""
    assert callable(pack)
    assert found(pack(DATA))["its content"] == WANTED


def test_only_one_level_is_opened() -> None:
    """An archive in an archive is a member like any other."""
    inner = zipped()
    assert found(zipped("inner.zip", inner))["inner.zip"] == hashlib.sha256(inner).hexdigest()


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04 and no zip",
        zipped()[:-10],
        gzip.compress(DATA)[:-4],
        b"BZh9 nothing",
        tarred()[:600],
        b"\xfd7zXZ\0 nothing",
    ],
    ids=["no zip", "zip cut", "gzip cut", "no bzip", "tar cut", "no xz"],  # bytes hold times: no stable names
)
def test_what_cannot_be_looked_into_is_said(data: bytes) -> None:
    """The file itself is hashed all the same."""
    hashes = list(digests(io.BytesIO(data)))
    assert hashes[0].digest == hashlib.sha256(data).hexdigest()
    assert "cannot be looked into: " in "".join(hashed.problem for hashed in hashes)


def test_an_encrypted_member_is_said() -> None:
    """Its bytes are not seen."""
    data = bytearray(zipped())
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    assert found(bytes(data))["a/b.dat"] == "cannot be looked into: it is encrypted"


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bomb is not expanded, and a crowd is not counted to the end."""
    monkeypatch.setattr(archives, "MOST_BYTES", 1 << 20)
    assert "expands to more than 1 MiB" in found(zipped(data=bytes(2 << 20)))[""]
    assert "expands to more than 1 MiB" in found(gzip.compress(bytes(2 << 20)))[""]
    monkeypatch.setattr(archives, "MOST_MEMBERS", 0)
    assert "more than 0 members" in found(tarred())[""]
