"""Fact `acquisitions`: the hash manifests of a lab repository, `manifests/<target>.sha256`.

    # target : example-1.2.3.apk com.example.app 1.2.3
    # source : store.example.org ; md5 <32 hex>
    # anchor : <folder of the quarantine that the paths are relative to>
    <64 hex>  example-1.2.3.apk
    <64 hex>  assets/a.dat

The header is the unbroken run of `#` lines at the top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.reference import EMPTY
from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.paths import Tree

FOLDER = "manifests"
ENDING = ".sha256"
LIMIT = 64 << 20
"""Bytes of one manifest that are read."""

_DIGEST_LINE = lazy(r"([0-9A-Fa-f]{64}) [ *](.+)")
_ANY_DIGEST = lazy(rb"(?<![0-9A-Za-z])[0-9A-Fa-f]{64}(?![0-9A-Za-z])")


class HeaderLine(NamedTuple):
    """One line of a header; `key` is lower case, "" where the line is no `key : value`."""

    line: int
    key: str
    value: str
    text: str  # all of it, less the marks in front


class Digest(NamedTuple):
    """One digest line; the digest in lower case."""

    line: int
    digest: str
    path: str


class Acquisition(NamedTuple):
    """One manifest. `problem` says why it cannot be read."""

    path: str
    header: tuple[HeaderLine, ...] = ()
    digests: tuple[Digest, ...] = ()
    malformed: tuple[int, ...] = ()  # lines below the header that are neither blank, comment nor digest
    problem: str = ""

    def first(self, key: str) -> HeaderLine | None:
        """The first header line with a key."""
        return next((line for line in self.header if line.key == key), None)


def parse(path: str, text: str) -> Acquisition:
    """A manifest from its text."""
    header: list[HeaderLine] = []
    digests: list[Digest] = []
    malformed: list[int] = []
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    while len(header) < len(lines) and lines[len(header)].startswith("#"):
        header.append(_header(len(header) + 1, lines[len(header)]))
    for number, line in enumerate(lines[len(header) :], start=len(header) + 1):
        match = _DIGEST_LINE.fullmatch(line)
        if match:
            digests.append(Digest(number, match[1].lower(), match[2]))
        elif line.strip() and not line.startswith("#"):
            malformed.append(number)
    return Acquisition(path, tuple(header), tuple(digests), tuple(malformed))


def _header(number: int, line: str) -> HeaderLine:
    text = line.lstrip("#").strip()
    key, colon, value = text.partition(":")
    return HeaderLine(number, key.strip().lower() if colon else "", value.strip(), text)


def any_digests(data: bytes) -> frozenset[str]:
    """Every run of 64 hex digits in a manifest, however its lines are written, less that of nothing."""
    found = {match.decode("ascii").lower() for match in _ANY_DIGEST.findall(data.replace(b"\0", b""))}
    return frozenset(found - {EMPTY})


def names(tree: Tree) -> list[str]:
    """The paths of the manifests on disk. Raises `CheckFailed` where the folder cannot be listed."""
    if tree.kind(FOLDER) != "dir":
        return []
    try:
        listed = tree.names(FOLDER)
    except ReadRefused as error:
        raise CheckFailed(str(error)) from error
    return [f"{FOLDER}/{name}" for name in listed if name.lower().endswith(ENDING)]


def load(tree: Tree) -> tuple[Acquisition, ...]:
    """Read every manifest on disk, sorted by name."""
    return tuple(_read(tree, path) for path in names(tree))


def _read(tree: Tree, path: str) -> Acquisition:
    try:
        return parse(path, tree.text(path, LIMIT))
    except ReadRefused as error:
        return Acquisition(path, problem=str(error).removeprefix(f"{path}: ").removeprefix(path))
