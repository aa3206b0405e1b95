"""The one strict TSV reader and writer.

Grammar (spec rows-2 section 0): UTF-8, one record a line, LF alone separates records (so U+2028,
form feeds and the like are ordinary text), split on every single TAB, no quoting. A byte-order
mark at the start and a CR at the end of a line are tolerated on read and never written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

BOM = b"\xef\xbb\xbf"


class Record(NamedTuple):
    """One data line: its number in the file (the header is line 1) and its cells."""

    line: int
    cells: tuple[str, ...]


class Fault(NamedTuple):
    """What is wrong with one line of a table."""

    line: int
    message: str


class Table(NamedTuple):
    """Everything a file held: the well-formed records, and what was wrong with the other lines."""

    records: tuple[Record, ...]
    faults: tuple[Fault, ...]


class TableError(ValueError):
    """A table whose structure cannot be trusted; names the file and the line."""

    def __init__(self, source: str, line: int, message: str) -> None:
        super().__init__(f"{source}:{line}: {message}")
        self.source = source
        self.line = line
        self.message = message


def parse(data: bytes, columns: Sequence[str], *, comments: bool = False) -> Table:
    """Read every line of a table, well formed or not.

    `columns` is the exact header. With `comments`, lines that start with `#` are passed over.
    Blank lines are ignored. Never raises: a line that cannot be read becomes a fault. A proof reads the
    same tables for each of its controls, so what was read last is kept.
    """
    return _parsed(data, tuple(columns), comments)


@lru_cache(maxsize=32)
def _parsed(data: bytes, wanted: tuple[str, ...], comments: bool) -> Table:
    records: list[Record] = []
    faults: list[Fault] = []
    header_seen = False
    for number, raw in enumerate(data.removeprefix(BOM).split(b"\n"), start=1):
        raw = raw.removesuffix(b"\r")
        if not raw.strip() and (b"\t" not in raw or raw.count(b"\t") != len(wanted) - 1):
            continue
        if comments and raw.startswith(b"#"):
            continue
        try:
            cells = tuple(raw.decode("utf-8").split("\t"))
        except UnicodeDecodeError as error:
            faults.append(Fault(number, f"byte {error.start + 1} is not UTF-8"))
            continue
        if not header_seen:
            header_seen = True
            if cells != wanted:
                faults.append(Fault(number, f"the header must be: {' '.join(wanted)} (TAB between)"))
            continue
        if len(cells) != len(wanted):
            what = f"{len(cells)} field(s) where the header has {len(wanted)}"
            faults.append(Fault(number, f"{what}: separate cells with one TAB each"))
            continue
        records.append(Record(number, cells))
    if not header_seen:
        faults.append(Fault(1, f"no header; the first line must be: {' '.join(wanted)}"))
    return Table(tuple(records), tuple(faults))


def read(data: bytes, columns: Sequence[str], source: str, *, comments: bool = False) -> tuple[Record, ...]:
    """Read a table that must be well formed; raises `TableError` at its first fault."""
    table = parse(data, columns, comments=comments)
    if table.faults:
        raise TableError(source, *table.faults[0])
    return table.records


def line_of(cells: Sequence[str]) -> bytes:
    """One record as bytes, its LF included; raises `ValueError` for a cell that would break the line."""
    for cell in cells:
        if any(mark in cell for mark in "\t\n\r\0"):
            raise ValueError(f"a cell may hold no TAB, line break or NUL: {cell!r}")
    if len(cells) == 1 and not cells[0].strip():
        raise ValueError("the only cell of a line may not be blank: it would read as no record")
    return ("\t".join(cells) + "\n").encode("utf-8")


def write(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A whole table as bytes, header first. `read(write(c, r), c)` gives the same cells back."""
    lines = [line_of(columns)]
    for cells in rows:
        if len(cells) != len(columns):
            raise ValueError(f"{len(cells)} cell(s) for {len(columns)} columns")
        lines.append(line_of(cells))
    return b"".join(lines)
