"""Measure what benchmarks/README.md says of bans, and print each number beside its target.

Usage: python -m benchmarks.bans [--files N] [CHECKOUT:FOLDER ...]

Makes a tree of N files (default 100,000; 0 for none) and a copy of each checkout, installs goblin there and
looks for the shipped bans, of a checkout in FOLDER. Exit code 0 when everything could be measured, whatever
the numbers are; 1 when something could not.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile

from benchmarks import bantree, samples
from benchmarks.clock import Command, Cost, NotMeasured, best, python
from goblin.bans import rules

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BIN = os.path.dirname(sys.executable)
ROUNDS = 5
MEGABYTE = 1_000_000
LAUNCHER = ".goblin/bin/goblin-bans"
INSTALLED = os.path.join(BIN, "goblin-bans")

PATTERNS = (
    r"(?:[:<,|&=(\[]|=>|\b(?:as|is|extends|keyof|satisfies|readonly))\s*any\b(?!\s*[:(.])",
    r"(?://|/\*)[\s*/]*@ts-(?:ignore|expect-error|nocheck)\b",
    r"(?<![\w.$])(?:(?:window|globalThis|self)\.)?fetch\s*\(",
    r"\baxios(?:\.\w+)?\s*\(",
    r"\bnew\s+(?:XMLHttpRequest|WebSocket|EventSource)\b",
    r"\bnavigator\.sendBeacon\b",
    r"\bnodeIntegration(?:InWorker|InSubFrames)?\b[\"']?\s*[:=]",
    r"\b(?:contextIsolation|sandbox)\b[\"']?\s*[:=]",
    r"appendSwitch\(\s*[\"'](?:--)?no-sandbox",
    r"\b(?:webSecurity|allowRunningInsecureContent|enableBlinkFeatures)\b[\"']?\s*[:=]",
    r"\ballowpopups\b",
    r"\.sendSync\s*\(",
    r"@electron/remote",
    r"\benableRemoteModule\b",
)
"""The bans as one would write them for grep: what a table of `regex:` bans would hold."""


def needles() -> str:
    """What goblin-bans itself gives to git: words that tell which files to read, and decide nothing."""
    found: set[str] = set()
    for name in bantree.BANS.split():
        with open(os.path.join(ROOT, "bans", f"{name}.yml"), "rb") as file:
            found.update(needle.pattern for needle in rules.read(file.read(), name).needles())
    return "|".join(f"(?:{pattern})" for pattern in sorted(found))


def _line(what: str, cost: Cost, against: Cost, target: str) -> None:
    wall, busy = cost.seconds / against.seconds, cost.processor / against.processor
    detail = f"{cost.seconds:.2f} s to {against.seconds:.2f} s"
    print(f"  {what:<56} {wall:>6.2f} x {busy:>6.2f} x   {detail:<20} target: {target}", flush=True)


def measure(repo: str, folders: list[str]) -> None:
    """Print what looking for the bans costs in a repository that has adopted goblin."""
    tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=repo).split(b"\0")
    print(f"{os.path.basename(repo)}: {len(tracked) - 1:,} files; bans in {' '.join(folders)}")
    print(f"  {'':<56} {'wall':>8} {'processor':>9}", flush=True)
    _cold(repo, folders)
    source = next(name for name in map(os.fsdecode, tracked) if re.match(f"{folders[0]}/.*\\.ts$", name))
    with open(os.path.join(repo, source), "a", encoding="utf-8") as changed:
        changed.write("export const changed: any = 1;\n")
    _after_a_change(repo, "after a change of one file, against git status", "at most 1.2")
    bantree.look_into(repo, ".")
    _after_a_change(repo, "the same where the bans look into the whole tree", "none")


def _cold(repo: str, folders: list[str]) -> None:
    with open(os.path.join(ROOT, "benchmarks", "bans.ast-grep.yml"), encoding="utf-8") as file:
        outside = file.read()
    config = os.path.join(repo, ".git", "sgconfig.yml")
    with open(config, "w", encoding="utf-8") as file:
        file.write("ruleDirs: []\n")
    grep = ("git", "grep", "-n", "--perl-regexp", "-e")
    scan = (os.path.join(BIN, "ast-grep"), "scan", "--config", config, "--json=stream", "--inline-rules")
    start, written, words, text, tree, other = best(
        [
            Command(python(LAUNCHER, "--list"), repo),
            Command((*grep, "|".join(f"(?:{one})" for one in PATTERNS), "--", *folders), repo),
            Command((*grep, needles(), "--", *folders), repo),
            Command(python(LAUNCHER, "--no-cache"), repo, 1),
            Command((INSTALLED, "--no-cache"), repo, 1),
            Command((*scan, outside, "--", *folders), repo),
        ],
        ROUNDS,
        samples.ENVIRONMENT,
    )
    _line("the start alone, against git grep -P of the bans", start, written, "none")
    _line("cold, text probe, against the same", text, written, "at most 1.3")
    _line("cold, text probe, against git grep of the first search", text, words, "none")
    _line("cold, syntax tree, against ast-grep", tree, other, "at most 1")
    _line("cold, text probe, against ast-grep", text, other, "none")
    print(
        f"  peak memory: {text.memory / MEGABYTE:.0f} MB by text, {tree.memory / MEGABYTE:.0f} MB by tree",
        end="",
    )
    print(f" (ast-grep {other.memory / MEGABYTE:.0f} MB)   target: under 300 MB", flush=True)


def _after_a_change(repo: str, what: str, target: str) -> None:
    status, again, by_tree = best(
        [
            Command(("git", "status", "--porcelain"), repo),
            Command(python(LAUNCHER), repo, 1),
            Command((INSTALLED,), repo, 1),
        ],
        ROUNDS * 3,
        samples.ENVIRONMENT,
    )
    _line(what, again, status, target)
    _line("  by tree, from the installed package", by_tree, status, "none")


def adopted(checkout: str, folder: str, into: str) -> str:
    """A copy of a checkout that has adopted goblin, with the shipped bans looking into one folder."""
    repo = os.path.join(into, os.path.basename(os.path.abspath(checkout)))
    samples.run(into, "git", "clone", "--quiet", "--no-hardlinks", os.path.abspath(checkout), repo)
    bantree.adopt(repo, folder)
    return repo


def main(arguments: list[str]) -> int:
    """Measure the generated tree and the checkouts."""
    files = 100_000
    if arguments[:1] == ["--files"]:
        files, arguments = int(arguments[1]), arguments[2:]
    build = os.path.join(ROOT, "build")
    os.makedirs(build, exist_ok=True)
    into = tempfile.mkdtemp(prefix="benchmark.", dir=build)
    try:
        if files:
            repo = os.path.join(into, f"of-{files}")
            samples.run(ROOT, sys.executable, "-m", "benchmarks.bantree", repo, str(files))
            measure(repo, ["src", "app", "electron"])
            os.chdir(ROOT)
            shutil.rmtree(repo)
        for given in arguments:
            checkout, _, folder = given.rpartition(":")
            measure(adopted(checkout, folder, into), [folder])
    except (NotMeasured, OSError, subprocess.CalledProcessError) as error:
        print(f"could not be measured: {error}", flush=True)
        return 1
    finally:
        os.chdir(ROOT)
        shutil.rmtree(into)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
