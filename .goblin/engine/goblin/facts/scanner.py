"""Fact `scanner`: what a maintained secret scanner adds, where one is installed on this machine.

It is shown and never judged (decided 23 and 40): a verdict must not depend on what a machine has
installed. The program is looked for on PATH outside of the repository, is told not to verify anything
over the network, and is bounded in time. What it said of one state of the index is kept, because it
takes seconds. A `--static` run starts none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin import cache, searchpath

if TYPE_CHECKING:
    from goblin.facts import Run
    from goblin.facts.repository import Repository
    from goblin.facts.status import Change

TIMEOUT = 20.0
"""Seconds that a scanner may take."""

LIMIT = 16 << 20
CACHE = "scanner.json"
MOST = 200
"""Places of one scanner that are kept."""


class Place(NamedTuple):
    """One place that a scanner names, by kind and never by value."""

    path: str
    line: int
    kind: str


class Scanned(NamedTuple):
    """What one scanner said. `problem` is why it said nothing."""

    program: str
    places: tuple[Place, ...] = ()
    problem: str = ""


def _detect_secrets(value: Any) -> list[Place]:
    found = value["results"]
    return [Place(path, int(p["line_number"]), str(p["type"])) for path in found for p in found[path]]


def _gitleaks(value: Any) -> list[Place]:
    return [Place(str(p["File"]), int(p["StartLine"]), str(p["RuleID"])) for p in value or []]


SCANNERS: dict[str, tuple[Sequence[str], Callable[[Any], list[Place]]]] = {
    "detect-secrets": (("scan", "--no-verify"), _detect_secrets),
    "gitleaks": (
        (
            *("detect", "--no-banner", "--no-git", "--redact", "--exit-code", "0", "--log-level", "fatal"),
            *("--report-format", "json", "--report-path", "/dev/stdout", "--source", "."),
        ),
        _gitleaks,
    ),
}
"""Program to its arguments and the reader of its JSON."""


def installed(name: str, root: str) -> str:
    """The program's full path; "" where PATH has none, other than inside the repository."""
    for folder in searchpath.value().split(os.pathsep):
        path = os.path.join(folder, name)
        inside = f"{os.path.realpath(path)}/".startswith(f"{root}/")
        if not inside and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""


def _scan(name: str, path: str, root: str, tracked: Callable[[str], bool]) -> Scanned:
    import tempfile

    from goblin.process import environment, run

    arguments, reader = SCANNERS[name]
    with tempfile.TemporaryDirectory(prefix="goblin-scanner-") as folder:
        output = os.path.join(folder, "output")
        script = 'out=$1; shift; exec "$@" > "$out"'
        done = run(["bash", "-c", script, "-", output, path, *arguments], root, environment(), TIMEOUT)
        if done.could_not_run() or done.code:
            return Scanned(name, (), done.could_not_run() or f"exit {done.code}")
        try:
            with open(output, "rb") as stream:
                places = reader(json.loads(stream.read(LIMIT)))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
            return Scanned(name, (), "its output was not understood")
    kept = sorted({place for place in places if tracked(place.path)})
    return Scanned(name, tuple(kept[:MOST]))


def load(run: Run, repository: Repository, status: tuple[Change, ...]) -> tuple[Scanned, ...]:
    """Ask each installed scanner about the tracked files; what is known of this state is not asked again."""
    if run.static or run.repo is None:
        return ()
    programs = {name: path for name in SCANNERS if (path := installed(name, run.root))}
    if not programs:
        return ()
    import hashlib

    told = json.dumps([sorted(programs.items()), os.fsdecode(repository.listing), status])
    state = hashlib.sha256(told.encode()).hexdigest()
    keep = run.git_dir if run.cache else None
    kept = cache.recall(keep, CACHE) if keep else None
    if isinstance(kept, dict) and kept.get("state") == state:
        try:
            return tuple(
                Scanned(str(name), tuple(Place(str(p), int(n), str(k)) for p, n, k in places), str(problem))
                for name, places, problem in kept["said"]
            )
        except (KeyError, TypeError, ValueError, ArithmeticError):
            pass
    said = tuple(_scan(name, path, run.root, repository.tracks) for name, path in programs.items())
    if keep:
        cache.remember(keep, CACHE, {"state": state, "said": said})
    return said
