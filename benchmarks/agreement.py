"""Hold the two readers against each other: the rules that ask what a name means, on real code.

Usage: python -m benchmarks.agreement CHECKOUT...

Beside the shipped bans it asks for names that every repository is full of, since those that are banned are
rare. Prints a table and the lines that only one reader flags; exit code 0 when there is none. A file that
the grammar does not wholly understand is left out: there the product asks both.
"""

from __future__ import annotations

import os
import sys
from collections import Counter

from benchmarks.accuracy import HERE
from goblin.bans import astprobe, detect, parts, rules
from goblin.bans.judge import decoded
from goblin.bans.structure import TooMuch
from goblin.bans.textprobe import TextProbe
from tests.support import git

COMMON = b"""
calls:
  ['*.get', '*.map', '*.push', '*.set', console.log, setTimeout, Object.keys, new Error, new Map, useState,
   expect, window.*, data.*, result.*, options.*, value.*, item.*, error.*, key.*, name.*, x.*, a.*, res.*,
   req.*, t.*, state.*]
settings:
  name: ['x']
  type: ["'string'"]
  disabled: ['true']
  enabled: ['false']
"""
SHIPPED = ("BN-02", "BN-03", "BN-06", "BN-07", "BN-08", "BN-09")
LONGEST = 200_000


def asked() -> dict[str, rules.Rule]:
    """The rules, by name."""
    found = {name: rules.read((HERE.parent / "bans" / f"{name}.yml").read_bytes(), name) for name in SHIPPED}
    return {**found, "common": rules.read(COMMON, "common")}


def compare(checkout: str, wanted: dict[str, rules.Rule]) -> tuple[Counter[str], list[str]]:
    """Count the lines that both flag, and collect those that one does."""
    counts: Counter[str] = Counter()
    told: list[str] = []
    for path in git(checkout, "ls-files", "-z").split("\0"):
        full = os.path.join(checkout, path)
        suffix = parts.ending(path)
        if suffix not in (*parts.CODE, "vue", "svelte") or os.path.islink(full) or not os.path.isfile(full):
            continue
        with open(full, "rb") as file:
            text = decoded(file.read(LONGEST + 1))
        for part in parts.parts(text, suffix) if len(text) <= LONGEST else ():
            counts["texts"] += 1
            jsx = part.language != "ts"
            if not astprobe.bearable(part.text) or (tree := astprobe.AstProbe(part.text, jsx=jsx)).broken:
                counts["incomplete"] += 1
                continue
            for name, rule in wanted.items():
                try:
                    lines = [
                        {
                            part.text.count("\n", 0, hit.start) + 1
                            for hit in detect.find(rule, reader, part.text)
                        }
                        for reader in (TextProbe(part.text, jsx=jsx), tree)
                    ]
                except TooMuch:
                    counts["incomplete"] += 1
                    continue
                kind = "common" if name == "common" else "bans"
                counts[kind] += len(lines[0] & lines[1])
                counts["differ"] += len(lines[0] ^ lines[1])
                for line in sorted(lines[0] ^ lines[1]):
                    shown = part.text.split("\n")[line - 1].strip()[:120]
                    who = "text probe" if line in lines[0] else "syntax tree"
                    told.append(f"{checkout}: {path}: {name}: only the {who}: {shown!r}")
    return counts, told


def main(arguments: list[str]) -> int:
    """Compare each checkout and print the table."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    wanted = asked()
    print("| repository | texts | incomplete | lines of bans | lines of common names | differ |")
    print("|---|---|---|---|---|---|")
    differences: list[str] = []
    for checkout in arguments:
        counts, told = compare(checkout, wanted)
        cells = [os.path.basename(os.path.abspath(checkout))]
        cells += [str(counts[key]) for key in ("texts", "incomplete", "bans", "common", "differ")]
        print(f"| {' | '.join(cells)} |", flush=True)
        differences += told
    print("\n" + "\n".join(differences) if differences else "\nno difference")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
