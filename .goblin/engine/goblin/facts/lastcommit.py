"""On which day each of many files was last committed, from one walk of the history.

The day is the committer's, in the commit's own offset from UTC. Answers are kept with the HEAD that
they were made for, and continued from there: the walk of a long history costs seconds.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from goblin import cache
from goblin import git as plumbing
from goblin.outcome import CheckFailed
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.git import Git

CACHE = "lastcommit.json"
FEW = 100
"""Paths up to which git is told what to look for; of more it tells every change, and they are picked."""

_DAY = lazy(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OID = lazy(r"[0-9a-f]{40}|[0-9a-f]{64}")
_STEADY = ("-c", "log.showRoot=true", "-c", "log.follow=false")


def days(git: Git, head: str, paths: Iterable[str], keep: str = "") -> dict[str, str]:
    """`YYYY-MM-DD` of the last commit below `head` (a full id) that changed each path, where one did.

    A commit that a merge threw away counts here: see `exactly`. `keep` is the git directory, "" where
    nothing may be kept. Raises `GitError`, and `CheckFailed` where git does not end.
    """
    wanted = frozenset(paths)
    known, old = _recalled(keep)
    found: dict[str, str] = {}
    if known and old != head and git.call("merge-base", "--is-ancestor", old, head).code:
        known = {}
    found = {path: day for path, day in known.items() if path in wanted}
    if found and old != head:
        found.update(_walk(git, frozenset(found), (head, f"^{old}")))
    new = wanted.difference(found)
    if new:
        found.update(_walk(git, new, (head,)))
    if keep and (old != head or new):
        kept = {**known, **found} if old == head else found
        cache.remember(keep, CACHE, {"head": head, "days": kept})
    return found


def exactly(git: Git, head: str, path: str) -> str:
    """The day of the last commit that the content of one path comes from, "" where there is none."""
    out = git.run(*_STEADY, "log", "-1", "--format=%cs", head, "--", path)
    return out.decode("ascii").strip()


def _recalled(keep: str) -> tuple[dict[str, str], str]:
    value: Any = cache.recall(keep, CACHE) if keep else None
    try:
        head, known = value["head"], value["days"]
        if _OID.fullmatch(head) and all(_DAY.fullmatch(day.encode()) for day in known.values()):
            return dict(known), head
    except (TypeError, KeyError, AttributeError):
        pass
    return {}, ""


def _walk(git: Git, wanted: frozenset[str], limits: tuple[str, ...]) -> dict[str, str]:
    """The day of the newest change of each path between the limits; ends where all have one."""
    asked = sorted(wanted) if len(wanted) <= FEW else []
    args = (
        *_STEADY,
        "log",
        "-z",
        "--format=%x00%x01%cs",
        "-c",
        "--name-only",
        "--no-renames",
        *limits,
        "--",
        *asked,
    )
    import subprocess
    import threading

    process = subprocess.Popen(
        git.argv(args),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=git.repo.top or git.repo.git_dir,
        env=plumbing.environment(),
    )
    stop = threading.Timer(plumbing.TIMEOUT, process.kill)
    stop.start()
    found: dict[str, str] = {}
    ended = False
    assert process.stdout
    try:
        for day, path in _changes(process.stdout.fileno()):
            if path in wanted:
                found.setdefault(path, day)
                if len(found) == len(wanted):
                    ended = True
                    break
    finally:
        stop.cancel()
        if ended:
            process.kill()
        process.stdout.close()
        code = process.wait()
    if code and not ended:
        if code < 0:
            raise CheckFailed(f"git log gave no end within {plumbing.TIMEOUT:.0f} s")
        raise plumbing.GitError(("log",), plumbing.Result(code, b"", b""))
    return found


def _changes(source: int) -> Iterator[tuple[str, str]]:
    """(day, path) of each change, newest commit first.

    A commit is an empty field and its marked day. A line break then stands before the first path, but in
    a merge an empty field.
    """
    day, gap, opened, rest = "", True, False, b""
    while block := os.read(source, 1 << 16):
        *fields, rest = (rest + block).split(b"\0")
        for field in fields:
            if not field:
                gap = True
                continue
            if gap and _DAY.fullmatch(field[1:]) and field.startswith(b"\1"):
                day, opened = field[1:].decode("ascii"), True
            else:
                yield day, os.fsdecode(field[1:] if opened and not gap else field)
                opened = False
            gap = False
