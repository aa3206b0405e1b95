"""Hold what BN-05 follows against TypeScript's own resolution, import by import.

Usage: python -m benchmarks.resolution TYPESCRIPT CHECKOUT...

TYPESCRIPT is a folder in which `npm install typescript@5.9.3` was run. Prints a table, and each import on
which the two do not agree. Exit code 0 when every import that the compiler takes to a file of the checkout
is taken there by the resolver as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.accuracy import HERE, READERS, files, readings
from goblin.bans import extra, parts
from goblin.bans.jspackages import package_of
from goblin.bans.jsresolve import Resolver
from goblin.bans.judge import decoded
from goblin.bans.layers import Layer
from goblin.paths import Tree
from tests.support import git

COLUMNS = (
    "files",
    "imports",
    "of the checkout",
    "missed",
    "not seen",
    "also",
    "not built",
    "no code",
    "only ours",
)


def compiler(
    typescript: str, root: str, names: Sequence[str], packages: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Where TypeScript takes the imports of each file."""
    command = ["node", "--max-old-space-size=4096", str(HERE / "resolution.mjs"), os.path.abspath(typescript)]
    given = json.dumps({"root": root, "files": names, "packages": packages})
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return map(json.loads, done.stdout.splitlines())


def leads(targets: Sequence[str], file: str) -> bool:
    """True where a border around the file, or around its folder, would see the import."""
    folder = os.path.dirname(file) or "."
    return all(any(Layer("", to).crosses(target) for target in targets) for to in (file, folder))


def compare(typescript: str, checkout: str) -> tuple[Counter[str], list[str]]:
    """Count, and collect the differences, over one checkout."""
    root = os.path.realpath(checkout)
    tree = Tree(root)
    manifests = [p for p in git(root, "ls-files", "-z").split("\0") if p.rpartition("/")[2] == "package.json"]
    packages: dict[str, str] = {}
    for path in manifests:
        try:
            name = json.loads(Path(root, path).read_bytes()).get("name")
        except (ValueError, AttributeError, OSError):
            continue
        if isinstance(name, str) and name:
            packages.setdefault(name, os.path.dirname(path))
    resolver = Resolver(tree, lambda: manifests)
    counts: Counter[str] = Counter()
    told: list[str] = []
    names = [os.path.relpath(path, root) for path in files(root)]
    for seen in compiler(typescript, root, names, packages):
        path = seen["path"]
        text = decoded(Path(root, path).read_bytes())
        counts["files"] += 1
        for reader in READERS:
            ours = {
                one.specifier
                for reading in readings(text, parts.CODE[parts.ending(path)], reader)
                for one in reading.imports()
            }
            for specifier in seen["imports"].keys() - ours:
                counts["not seen"] += 1
                told.append(
                    f"{path}: {specifier}: {reader} does not see it{' (does not parse)' * seen['broken']}"
                )
        for specifier, target in seen["imports"].items():
            counts["imports"] += 1
            found = resolver.resolve(path, specifier)
            inside = target and not target.startswith("..") and "node_modules/" not in target
            if not inside:
                there = [one for one in found.targets if resolver.exists(one)]
                if there:
                    kind = _unknown_to_the_compiler(specifier, there, packages)
                    counts[kind] += 1
                    if kind == "only ours":
                        told.append(f"{path}: {specifier}: only ours: {' '.join(there)}")
                continue
            counts["of the checkout"] += 1
            if not leads(found.targets, target):
                counts["missed"] += 1
                told.append(
                    f"{path}: {specifier}: missed {target}: {' '.join(found.targets) or found.external}"
                )
            away = [one for one in found.targets if resolver.exists(one) and not _beside(one, target)]
            if away:
                counts["also"] += 1
                told.append(f"{path}: {specifier}: as well as {target}: {' '.join(away)}")
    return counts, told


def _unknown_to_the_compiler(specifier: str, there: Sequence[str], packages: Mapping[str, str]) -> str:
    """The column of an import that the compiler takes nowhere and that leads to a file all the same."""
    if package_of(specifier) in packages or specifier.startswith("#"):
        return "not built"
    return (
        "no code" if all(parts.ending(one) not in parts.CODE and "." in one for one in there) else "only ours"
    )


def _beside(ours: str, theirs: str) -> bool:
    """True for a target that lies where the compiler's does, or above it."""
    folder = os.path.dirname(theirs)
    return ours in (folder, os.path.splitext(theirs)[0]) or os.path.dirname(ours) == folder or ours == "."


def main(arguments: list[str]) -> int:
    """Compare each checkout and print the table."""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    typescript, *checkouts = arguments
    package = json.loads(Path(typescript, "node_modules/typescript/package.json").read_text())
    print(f"typescript {package['version']}; {extra.versions() or 'no syntax tree'}\n")
    print(f"| repository | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 1)}")
    wrong = 0
    differences: list[str] = []
    for checkout in checkouts:
        counts, told = compare(typescript, checkout)
        cells = [os.path.basename(os.path.abspath(checkout))]
        cells += [str(counts[name]) for name in COLUMNS]
        print(f"| {' | '.join(cells)} |", flush=True)
        wrong += counts["missed"] + counts["not seen"]
        differences += [f"{cells[0]}: {one}" for one in told]
    print("\n" + "\n".join(differences) if differences else "\nno difference")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
