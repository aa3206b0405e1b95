"""What the release bans and how it finds it, so that a ban made toothless is noticed (spec BN-00)."""

from __future__ import annotations

from pathlib import Path

from goblin.bans.rules import parse
from goblin.bans.table import COLUMNS, bans
from goblin.digest import sha256
from goblin.tables import read
from goblin.yaml import dump_tree

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
    trees = []
    for ban in bans(read((project / source).read_bytes(), COLUMNS, source)):
        folder, name = ban.rule
        data = (project / folder / name).read_bytes() if folder else b""
        digest = sha256(data) if folder else ""
        if folder:
            trees.append(f"    {digest!r}: {dump_tree(parse(data, name))!r},")
        lines.append(f"    {ban.id!r}: ({ban.globs!r}, {ban.detect!r}, {digest!r}),")
    lines += ["}", '"""Id to globs, detect and the digest of the rule file."""', ""]
    lines += ["RULES: dict[str, object] = {", *trees, "}"]
    lines += ['"""Digest to the rule file as a tree: to parse YAML costs more than a run."""']
    return HEAD + "\n".join(lines) + "\n"
