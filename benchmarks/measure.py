"""Measure what benchmarks/README.md describes, and print each number beside its target.

Usage: benchmarks/run [small] [turns] [large]. Exit code 0 when everything could be measured, whatever the
numbers are; 1 when something could not.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import NamedTuple

from benchmarks import samples
from benchmarks.clock import PYTHON, Command, Cost, NotMeasured, best, python

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = ".goblin/bin/goblin-verify"
SMALL, LARGE = 20, 50_000
TURNS = 100_000
MEGABYTE = 1_000_000
ROUNDS = 30
"""How often each command runs on the small repository; a sixth of it on the large one."""


class Line(NamedTuple):
    """One row of the table: what was measured, the number, the unit behind it, and the target."""

    what: str
    number: str
    detail: str
    target: str


def _sample(folder: str, files: int, *turns: int) -> str:
    """A new sample repository below `folder`, made by a process of its own (see samples.py)."""
    repo = os.path.join(folder, "-".join(map(str, ("of", files, *turns))))
    words = map(str, (repo, files, *turns))
    subprocess.run([sys.executable, "-m", "benchmarks.samples", *words], cwd=ROOT, check=True)
    return repo


def _ratio(what: str, cost: Cost, against: Cost, target: str) -> Line:
    detail = f"{cost.seconds * 1000:.1f} ms against {against.seconds * 1000:.1f} ms"
    return Line(what, f"{cost.seconds / against.seconds:.1f} x", detail, target)


def _has_row(folder: str, name: str) -> bool:
    path = os.path.join(folder, ".goblin", "manifest", "enforcement.tsv")
    with open(path, encoding="utf-8") as file:
        return any(line.startswith(f"{name}\t") for line in file)


def _pure(repo: str) -> str:
    """The ids of the rows that run no command of the repository, as `--only` takes them.

    `--static` would leave out the same rows, but trusts no cache; an adopter's run has one.
    """
    command = python(LAUNCHER, "--static", "--json")
    out = subprocess.run(command, cwd=repo, capture_output=True, check=False).stdout
    rows = json.loads(out)["rows"]
    return ",".join(row["id"] for row in rows if "--static" not in row["detail"])


def small(folder: str) -> list[Line]:
    """One row, and every row, on a small repository, against the bare interpreter."""
    repo = _sample(folder, SMALL)

    def verify(*options: str) -> Command:
        return Command(python(LAUNCHER, *options), repo)

    commands = {"bare": Command(python("-c", "pass"), repo)}
    commands["HP-01"] = verify("--only", "HP-01")
    if _has_row(repo, "LP-02"):
        commands["LP-02"] = verify("--only", "LP-02")
    commands["pure"] = verify("--only", _pure(repo))
    commands["full"] = verify()
    costs = dict(zip(commands, best(list(commands.values()), ROUNDS, samples.ENVIRONMENT), strict=True))
    bare = costs["bare"]
    rows = [
        _ratio(f"--only {name}", costs[name], bare, "at most 8, reach for 5")
        if name in costs
        else Line(f"{name}: not in the manifest yet", "-", "", "at most 8, reach for 5")
        for name in ("HP-01", "LP-02")
    ]
    return [
        *rows,
        _ratio("every row but the gates", costs["pure"], bare, "at most 18"),
        _ratio("every row, gates run", costs["full"], bare, "none: the gates are the adopter's"),
    ]


def turns(folder: str) -> list[Line]:
    """The rows of a loop's record and its audit, where the record holds very many turns."""
    repo = _sample(folder, SMALL, TURNS)
    families = ("JG", "LP", "RN")
    with open(os.path.join(repo, ".goblin", "manifest", "enforcement.tsv"), encoding="utf-8") as file:
        ids = [line.split("\t")[0] for line in file if line[:2] in families]
    commands = [
        Command(python("-c", "pass"), repo),
        Command(python(LAUNCHER, "--only", ",".join(ids)), repo, 1),  # over its budget, so LP-03 fails
        Command(python(".goblin/bin/goblin-loop", "audit"), repo),
    ]
    bare, rows, audit = best(commands, max(1, ROUNDS // 6), samples.ENVIRONMENT)
    return [
        _ratio(f"the rows of a loop, {TURNS:,} turns", rows, bare, "at most 150"),
        _ratio(f"goblin-loop audit, {TURNS:,} turns", audit, bare, "at most 150, the rows judged too"),
        Line(f"peak memory, {TURNS:,} turns", f"{audit.memory / MEGABYTE:.0f} MB", "", "under 200 MB"),
    ]


def large(folder: str) -> list[Line]:
    """Every row on a repository of 50,000 files, against git status there; and its peak memory."""
    repo = _sample(folder, LARGE)
    status = Command(("git", "status", "--porcelain"), repo)
    verify = Command(python(LAUNCHER, "--only", _pure(repo)), repo)
    against, cost = best([status, verify], max(1, ROUNDS // 6), samples.ENVIRONMENT)
    return [
        _ratio(f"every row but the gates, {LARGE:,} files", cost, against, "at most 4 x git status"),
        Line(f"peak memory, {LARGE:,} files", f"{cost.memory / MEGABYTE:.0f} MB", "", "under 150 MB"),
    ]


PARTS: dict[str, Callable[[str], list[Line]]] = {"small": small, "turns": turns, "large": large}


def _print(lines: list[Line]) -> None:
    for line in lines:
        print(f"{line.what:<46} {line.number:>8}   {line.detail:<32}  target: {line.target}", flush=True)


def main(arguments: list[str]) -> int:
    """Measure the named parts (all without a name) and print the table."""
    unknown = [name for name in arguments if name not in PARTS]
    if unknown:
        print(f"error: no such part: {', '.join(unknown)}; there are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    version = subprocess.check_output([PYTHON, "-c", "import sys; print(sys.version.split()[0])"], text=True)
    git = subprocess.check_output(["git", "--version"], text=True)
    print(f"python {version.strip()}, {git.strip()}, {platform.system()}, {os.cpu_count()} processors")
    print("ratios are against `python3 -I -S -c pass` of the same interpreter, unless the target says other")
    build = os.path.join(ROOT, "build")
    os.makedirs(build, exist_ok=True)
    folder = tempfile.mkdtemp(prefix="benchmark.", dir=build)
    failures = 0
    try:
        for name in arguments or PARTS:
            try:
                _print(PARTS[name](folder))
            except (NotMeasured, OSError, subprocess.CalledProcessError) as error:
                failures += 1
                print(f"{name}: could not be measured: {error}", flush=True)
    finally:
        os.chdir(ROOT)
        shutil.rmtree(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
