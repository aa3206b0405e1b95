"""What the release bans and how it finds it, so that a ban made toothless is noticed (spec BN-00)."""

from __future__ import annotations

from pathlib import Path

from goblin.bans.table import COLUMNS, bans
from goblin.digest import sha256
from goblin.tables import read

HEAD = '''\
"""The bans of this release. Generated from manifest/bans.tsv and bans/; do not edit."""

# fmt: off
# ruff: noqa

from __future__ import annotations

'''


def registry(project: Path) -> str:
    """The text of the module for the tables of a checkout. Raises `goblin.tables.TableError`."""
    source = "manifest/bans.tsv"
    lines = ["BANS: dict[str, tuple[str, str, str]] = {"]
    for ban in bans(read((project / source).read_bytes(), COLUMNS, source)):
        folder, name = ban.rule
        digest = sha256((project / folder / name).read_bytes()) if folder else ""
        lines.append(f"    {ban.id!r}: ({ban.globs!r}, {ban.detect!r}, {digest!r}),")
    lines += ["}", '"""Id to globs, detect and the digest of the rule file."""']
    return HEAD + "\n".join(lines) + "\n"
