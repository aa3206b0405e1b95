"""What the bans found in each file, kept in the git directory beside the listing that it belongs to.

One file, written in one step: a checksum, a line of JSON, then the lines of git's listing whose files were
judged. Whoever reads half of one, or another's, or nonsense, knows nothing and judges again.
"""

from __future__ import annotations

import json
import os
from binascii import crc32
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from goblin.bans.record import Asked, Hit, Record
from goblin.cache import FOLDER
from goblin.digest import sha256
from goblin.paths import ReadRefused, Tree

LIMIT = 96 << 20
"""Bytes of a kept answer that are read back; more is never written."""

_SUM = 8  # bytes


class Known(NamedTuple):
    """What an earlier run has found: the lines of the listing that it looked at, the records of their paths
    (only those that hold something), and how many files each ban was about.

    `whole` is the digest of the whole listing that it belongs to, `open` are paths of it that were not
    judged, or not for good: the work tree had another version. The lines are held against `body` when they
    are asked for: a run where nothing has changed needs none of them.
    """

    whole: str = ""
    lines: bytes = b""
    body: str = ""
    records: Mapping[str, Record] = MappingProxyType({})
    counts: Mapping[str, int] = MappingProxyType({})
    open: frozenset[str] = frozenset()

    def judged(self) -> frozenset[bytes]:
        """The lines that were looked at; none where they are not those that were written."""
        if not self.lines or sha256(self.lines) != self.body:
            return frozenset()
        return frozenset(self.lines.split(b"\0"))


def recall(git_dir: str, name: str, key: str) -> Known:
    """What was kept under a name for the same question; nothing known where that cannot be read."""
    if not git_dir:
        return Known()
    try:
        data = Tree(os.path.join(git_dir, FOLDER)).read(name, LIMIT)
        end = data.index(b"\n")
        head, rest = data[_SUM:end], data[end + 1 :]
        if data[:_SUM] != _sum(head):
            return Known()
        value = json.loads(head)
        if value["key"] != key:
            return Known()
        records = records_of(value)
        counts = {str(ban): int(count) for ban, count in value["counts"].items()}
        opened = frozenset(map(str, value["open"]))
        return Known(str(value["whole"]), rest, str(value["body"]), records, counts, opened)
    except (ReadRefused, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return Known()


def remember(git_dir: str, name: str, key: str, known: Known) -> None:
    """Keep what a run has found; a failure costs time, nothing else."""
    if not git_dir:
        return
    from goblin import atomic

    value = {
        "key": key,
        "body": sha256(known.lines),
        "whole": known.whole,
        "counts": dict(known.counts),
        "open": sorted(known.open),
        **value_of(known.records),
    }
    try:
        head = json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode()
        data = b"".join([_sum(head), head, b"\n", known.lines])
        if len(data) <= LIMIT:
            folder = os.path.join(git_dir, FOLDER)
            os.makedirs(folder, exist_ok=True)
            atomic.write(os.path.join(folder, name), data)
    except (OSError, ValueError):
        return


def _sum(head: bytes) -> bytes:
    """What a disk that gives back other bytes than it was given does not get right."""
    return b"%08x" % crc32(head)


def value_of(records: Mapping[str, Record]) -> dict[str, Any]:
    """Records by path as JSON holds them."""
    table: dict[str, int] = {}
    kept = {path: _kept(record, table) for path, record in records.items()}
    return {"records": kept, "table": list(table)}


def records_of(value: Mapping[str, Any]) -> dict[str, Record]:
    """The records that `value_of` made a value of; another one raises any of the errors of bad data."""
    table = value["table"]
    return {str(path): _record(kept, table) for path, kept in value["records"].items()}


def _kept(record: Record, table: dict[str, int]) -> list[Any]:
    """A record as JSON holds it; texts that many files share are numbers in a table."""

    def number(text: str) -> int:
        return table.setdefault(text, len(table))

    asked = [
        [a.line, a.column, number(a.specifier), number(a.prefix), number(a.shown)] for a in record.imports
    ]
    return [
        {ban: [list(hit) for hit in hits] for ban, hits in record.hits.items()},
        asked,
        list(record.text),
        record.broken,
        record.fault,
    ]


def _record(kept: list[Any], table: list[str]) -> Record:
    hits, asked, text, broken, fault = kept
    return Record(
        {str(ban): tuple(_hit(*hit) for hit in found) for ban, found in hits.items()},
        tuple(Asked(int(a), int(b), str(table[c]), str(table[d]), str(table[e])) for a, b, c, d, e in asked),
        tuple(map(str, text)),
        bool(broken),
        str(fault),
    )


def _hit(line: int, column: int, escaped: bool, shown: str) -> Hit:
    return Hit(int(line), int(column), bool(escaped), str(shown))
