"""The registry of shipped rows, made from the matrix so that a removed row is noticed (decided 56)."""

from __future__ import annotations

from pathlib import Path

from goblin.manifest import COLUMNS
from goblin.tables import read

HEAD = '''\
"""What this release ships, row by row. Generated from manifest/enforcement.tsv; do not edit."""

# fmt: off
# ruff: noqa

from __future__ import annotations

'''


def registry(project: Path) -> str:
    """The text of the registry module for the matrix of a checkout.

    Raises `goblin.tables.TableError` for a matrix that is no table.
    """
    source = "manifest/enforcement.tsv"
    records = read((project / source).read_bytes(), COLUMNS, source)
    rows = [dict(zip(COLUMNS, record.cells, strict=True)) for record in records]
    lines = ["SHIPPED: dict[str, str] = {"]
    lines += [f"    {row['id']!r}: {row['check']!r}," for row in rows]
    lines += ["}", '"""Id to check cell."""', "", "SWITCHES: dict[str, tuple[str, str]] = {"]
    lines += [f"    {row['id']!r}: ({row['scope']!r}, {row['part'].removeprefix('-')!r})," for row in rows]
    lines += ["}", '"""Id to scope and part: what decides whether a row runs at all."""']
    return HEAD + "\n".join(lines) + "\n"
