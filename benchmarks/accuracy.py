"""Hold BN-01 and BN-02 against TypeScript's own parser, place by place, by both readers and their needles.

Usage: python -m benchmarks.accuracy TYPESCRIPT CHECKOUT...

TYPESCRIPT is a folder in which `npm install typescript@5.9.3` was run. Prints a table, and each place on
which the readers and the compiler do not agree. Exit code 0 when they agree on every file that parses.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from goblin.bans import astprobe, detect, extra, parts, rules
from goblin.bans.judge import decoded
from goblin.bans.reading import Reading
from goblin.bans.textprobe import TextProbe
from tests.support import git

HERE = Path(__file__).resolve().parent
DIRECTIVE = re.compile(r"@ts-(?:ignore|expect-error|(?i:nocheck))")
BEGINS = re.compile(r"(?:///?\s*|/\*[\s*/]*)" + DIRECTIVE.pattern)
LAST_LINE = re.compile(r"[\s*/]*" + DIRECTIVE.pattern)
READERS = ("text probe", "syntax tree")


class Difference(NamedTuple):
    """A place on which a reader and the compiler do not agree."""

    reader: str
    ban: str
    kind: str  # missed or extra
    path: str
    offset: int
    shown: str
    broken: bool


def files(checkout: str) -> list[str]:
    """The tracked source files of a checkout."""
    names = git(checkout, "ls-files", "-z").split("\0")
    full = [os.path.join(checkout, name) for name in names if parts.ending(name) in parts.CODE]
    return [path for path in full if os.path.isfile(path) and not os.path.islink(path)]


def compiler(typescript: str, paths: Sequence[str]) -> Iterator[dict[str, Any]]:
    """What TypeScript sees in each file."""
    command = ["node", str(HERE / "typescript.mjs"), os.path.abspath(typescript)]
    done = subprocess.run(command, input=json.dumps(paths), capture_output=True, text=True, check=True)
    return map(json.loads, done.stdout.splitlines())


def in_units(text: str, offsets: set[int]) -> set[int]:
    """Offsets in characters as the compiler counts them, in units of UTF-16."""
    if text.isascii():
        return offsets
    return {len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2 for offset in offsets}


def directives(text: str, comments: list[list[int]]) -> set[int]:
    """The comments, as the compiler found them, that begin with a directive or whose last line does."""
    units = text.encode("utf-16-le", "surrogatepass")
    found = set()
    for start, end in comments:
        comment = units[2 * start : 2 * end].decode("utf-16-le", "replace")
        last = comment.rpartition("\n")[2] if comment.startswith("/*") and "\n" in comment else ""
        if BEGINS.match(comment) or (last and LAST_LINE.match(last)):
            found.add(start)
    return found


def readings(text: str, language: str, reader: str) -> list[Reading]:
    """The text as a reader gives it to the bans: a tree that is broken is helped out by the text probe."""
    jsx = language != "ts"
    if reader == "text probe":
        return [TextProbe(text, jsx=jsx)]
    tree = astprobe.AstProbe(text, jsx=jsx)
    return [tree, TextProbe(text, jsx=jsx)] if tree.broken else [tree]


def compare(typescript: str, checkout: str) -> tuple[Counter[str], list[Difference]]:
    """Count, and collect the differences, over one checkout."""
    bans = {
        name: rules.read((HERE.parent / "bans" / f"{name}.yml").read_bytes(), name)
        for name in ("BN-01", "BN-02")
    }
    needles = {
        name: re.compile("|".join(one.pattern for one in rule.needles()).encode())
        for name, rule in bans.items()
    }
    counts: Counter[str] = Counter()
    differences: list[Difference] = []
    for seen in compiler(typescript, files(checkout)):
        path = seen["path"]
        data = Path(path).read_bytes()
        text = decoded(data)
        language = parts.CODE[parts.ending(path)]
        typed = language != "js"
        told = {
            "BN-01": set(seen["any"]) if typed else set(),
            "BN-02": directives(text, seen["comments"]),
        }
        counts.update(
            {"files": 1, "broken": seen["broken"], "any": len(told["BN-01"]), "dir": len(told["BN-02"])}
        )
        # The compiler tells the line of a comment that it heeds; the comment is what a hit names.
        heeded = {
            next((start for start, end in seen["comments"] if start <= place < end), place)
            for place in seen["heeded"]
        }
        counts["heeded"] += len(heeded)
        for reader in READERS:
            given = readings(text, language, reader)
            counts["tree broken"] += len(given) - 1
            for ban, rule in bans.items():
                hits = {hit.start for one in given for hit in detect.find(rule, one, text, typed=typed)}
                if not needles[ban].search(data):
                    hits = set()  # a file without a needle is never read
                found = in_units(text, hits)
                wrong = [("missed", told[ban] - found), ("extra", found - told[ban])]
                if ban == "BN-02":
                    wrong.append(("missed", heeded - found - told[ban]))
                for kind, places in wrong:
                    counts[f"{reader} {ban} {kind}"] += len(places)
                    for place in sorted(places):
                        shown = text[max(0, place - 40) : place + 40]
                        differences.append(
                            Difference(reader, ban, kind, path, place, shown, bool(seen["broken"]))
                        )
    return counts, differences


def main(arguments: list[str]) -> int:
    """Compare each checkout and print the table."""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    typescript, *checkouts = arguments
    package = json.loads(Path(typescript, "node_modules/typescript/package.json").read_text())
    print(f"typescript {package['version']}; {extra.versions() or 'no syntax tree'}\n")
    print(
        "| repository | commit | files | that do not parse | tree incomplete | `any` | directives | heeded |",
        end="",
    )
    print("".join(f" {reader} missed / extra |" for reader in READERS))
    print("|---|---|---|---|---|---|---|---|---|---|")
    wrong = 0
    told: list[str] = []
    for checkout in checkouts:
        counts, differences = compare(typescript, checkout)
        head = git(checkout, "rev-parse", "--short=12", "HEAD")
        cells = [os.path.basename(os.path.abspath(checkout)), head]
        cells += [str(counts[name]) for name in ("files", "broken", "tree broken", "any", "dir", "heeded")]
        for reader in READERS:
            missed = sum(counts[f"{reader} {ban} missed"] for ban in ("BN-01", "BN-02"))
            more = sum(counts[f"{reader} {ban} extra"] for ban in ("BN-01", "BN-02"))
            cells.append(f"{missed} / {more}")
        print(f"| {' | '.join(cells)} |", flush=True)
        wrong += sum(not one.broken for one in differences)
        told += [
            f"{one.reader}: {one.ban} {one.kind}{' (does not parse)' if one.broken else ''} "
            f"{os.path.relpath(one.path, checkout)} {one.shown!r}"
            for one in differences
        ]
    print("\n" + "\n".join(told) if told else "\nno difference")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
