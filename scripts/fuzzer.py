"""Coverage-guided fuzzing of every parser, each for a bounded time: `tests/fuzzing/targets.py` names them.

A target runs in a process of its own, which a slow input, too much memory or a crash ends; the input
that did it is written to `build/fuzz/found/` and the command that tries it again is printed. What
reaches new code is kept in `build/fuzz/corpus/`, where the next run goes on.

With `--growth` each target is given the units of `tests/support/mutated.py` said many times, and then
four times as often: a reader whose time grows far faster than its input is a finding too.

Exit code 0 when nothing was found, 1 when something was, 2 for a bad argument or without atheris.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, "build", "fuzz")
FOUND = os.path.join(WORK, "found")
SECONDS = 15
LONGEST = 4096
"""Bytes of one input."""
PATIENCE = 10
"""Seconds that one input may take."""
MEMORY = 1024
"""MiB that a target may take."""
START_UP = 120
"""Seconds that a target may take beyond its time, to start and to end."""
INSTALL = "python -m pip install -e '.[fuzz]'"

UNITS = 2000
"""How often a unit is said first."""
TIMES = 4
"""How much longer the second input is."""
GROWTH = 10.0
"""How much more time it may take: four times as much for a reader that looks at each byte once."""
NOTICED = 0.5
"""Seconds below which nobody asks how it grows."""

_EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
_COVERAGE = re.compile(r"cov: (\d+) .*?corp: (\d+)")


class Ran(NamedTuple):
    """How the fuzzing of one target went. `finding` is the file with what broke it, "" for none."""

    executed: int = 0
    coverage: int = 0
    corpus: int = 0
    finding: str = ""
    told: str = ""


def main(arguments: Sequence[str]) -> int:
    """Run what the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description="Fuzz the parsers, guided by coverage.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all of them without one")
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"for each target (default: {SECONDS})")
    parser.add_argument("--list", action="store_true", help="name the targets")
    parser.add_argument("--growth", action="store_true", help="look for time that grows too fast instead")
    parser.add_argument("--replay", metavar="FILE", help="give one target this input, and show what it says")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    sys.path.insert(0, ROOT)
    if given.inside:  # before anything of ours is imported: it is counted as it is imported
        return inside(given.targets[0], given.seconds)
    from tests.fuzzing.targets import TARGETS

    if given.list:
        print("\n".join(sorted(TARGETS)))
        return 0
    if unknown := [name for name in given.targets if name not in TARGETS]:
        parser.error(f"there is no target {', '.join(unknown)}; --list names them")
    if given.growth:
        return growth(given.targets or sorted(TARGETS))
    if given.replay:
        if len(given.targets) != 1:
            parser.error("--replay takes one TARGET")
        return replay(given.targets[0], given.replay)
    if given.seconds < 1:
        parser.error("--seconds is at least 1")
    if find_spec("atheris") is None:
        print(
            f"scripts/fuzz needs atheris, which is there for Linux and Python 3.11 to 3.13: {INSTALL}",
            file=sys.stderr,
        )
        return 2
    return fuzz(given.targets or sorted(TARGETS), given.seconds)


def fuzz(names: Sequence[str], seconds: int) -> int:
    """Fuzz one target after the other, a line each; 1 when something was found."""
    total, findings = 0, 0
    for name in names:
        ran = one(name, seconds)
        total += ran.executed
        findings += bool(ran.finding)
        counts = f"{ran.executed:>9} executions  {ran.coverage:>5} edges  {ran.corpus:>4} inputs"
        print(f"{name:<40} {counts}  {'FOUND ' + ran.told if ran.finding else 'nothing found'}", flush=True)
        for path in [ran.finding] if ran.finding else []:
            print(f"    scripts/fuzz {name} --replay {os.path.relpath(path, ROOT)}", flush=True)
    print(f"{len(names)} targets, {total} executions, {findings} findings")
    return 1 if findings else 0


def growth(names: Sequence[str]) -> int:
    """Look for readers that take far more time for a little more input; 1 when there is one."""
    findings = 0
    for name in names:
        for told in growing(name):
            findings += 1
            print(f"{name:<40} FOUND {told}", flush=True)
    print(f"{len(names)} targets, {findings} findings")
    return 1 if findings else 0


def growing(name: str) -> Iterator[str]:
    """What takes far more than four times as long when it is four times as long."""
    from tests.fuzzing.targets import TARGETS
    from tests.support.mutated import UNITS as units

    for unit in units:
        first = took(TARGETS[name].run, unit * UNITS)
        if first < NOTICED / 40:
            continue
        second = took(TARGETS[name].run, unit * UNITS * TIMES)
        if second > NOTICED and second > GROWTH * first:
            yield f"{unit!r} said {UNITS} times takes {first:.2f} s, {TIMES} times as often {second:.2f} s"


def took(run: Callable[[bytes], object], data: bytes) -> float:
    """Seconds of the processor, whatever comes of it."""
    started = time.process_time()
    with suppress(Exception):  # the fuzzer says which errors are none
        run(data)
    return time.process_time() - started


def one(name: str, seconds: int) -> Ran:
    """Fuzz one target in a process of its own."""
    plain = name.replace(":", "-")
    before = set(_files(FOUND))
    with open(os.path.join(_made(WORK, "log"), f"{plain}.txt"), "w+b") as log:
        command = [sys.executable, os.path.abspath(__file__), "--inside", "--seconds", str(seconds), name]
        try:
            subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False,
                           timeout=seconds + START_UP)  # fmt: skip
        except subprocess.TimeoutExpired:
            return Ran(finding=log.name, told="no end")
        log.seek(0)
        said = log.read().decode("utf-8", "replace")
    executed = _EXECUTED.findall(said)
    coverage = _COVERAGE.findall(said) or [("0", "0")]
    new = sorted(set(_files(FOUND)) - before)
    finding = new[0] if new else "" if executed else log.name
    edges, inputs = coverage[-1]
    return Ran(int(executed[-1]) if executed else 0, int(edges), int(inputs), finding, _why(said))


def _why(said: str) -> str:
    """The error that stopped a target, in a line."""
    errors = re.findall(r"(?m)^(?:[\w.]+(?:Error|Exception)\b.*|.*(?:ERROR: libFuzzer: .*))$", said)
    return errors[0][:160] if errors else "it did not start: see its log"


def inside(name: str, seconds: int) -> int:
    """Be the process that fuzzes one target. Does not return where something is found."""
    atheris = import_module("atheris")
    instrumented = ExitStack()  # to the end: many modules are imported on first need
    instrumented.enter_context(atheris.instrument_imports(include=["goblin"]))
    from tests.fuzzing.targets import TARGETS
    from tests.support.mutated import PIECES

    target = TARGETS[name]
    plain = name.replace(":", "-")
    corpus = _made(WORK, "corpus", plain)
    for number, seed in enumerate(target.inputs()):
        _write(os.path.join(corpus, f"seed-{number}"), seed[:LONGEST])
    words = os.path.join(_made(WORK), "pieces.dict")
    escaped = ("".join(f"\\x{byte:02x}" for byte in piece) for piece in PIECES if 0 < len(piece) <= 64)
    _write(words, "\n".join(f'"{piece}"' for piece in escaped).encode())
    os.makedirs(FOUND, exist_ok=True)
    options = [
        f"-max_total_time={seconds}", f"-timeout={PATIENCE}", f"-rss_limit_mb={MEMORY}",
        f"-max_len={LONGEST}", f"-dict={words}", f"-artifact_prefix={FOUND}/{plain}-", "-print_final_stats=1",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, corpus], target.survives)
    with instrumented:
        atheris.Fuzz()
    return 0


def replay(name: str, path: str) -> int:
    """Give one target one input; 1 with the traceback where that is a finding."""
    from tests.fuzzing.targets import TARGETS

    with open(path, "rb") as stream:
        data = stream.read()
    try:
        TARGETS[name].survives(data)
    except Exception:  # noqa: BLE001  (it is what was asked for)
        traceback.print_exc()
        return 1
    print(f"{name}: {len(data)} bytes, nothing found")
    return 0


def _made(*parts: str) -> str:
    path = os.path.join(*parts)
    os.makedirs(path, exist_ok=True)
    return path


def _files(folder: str) -> list[str]:
    return [os.path.join(folder, name) for name in os.listdir(folder)] if os.path.isdir(folder) else []


def _write(path: str, data: bytes) -> None:
    with open(f"{path}.new", "wb") as stream:
        stream.write(data)
    os.replace(f"{path}.new", path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
