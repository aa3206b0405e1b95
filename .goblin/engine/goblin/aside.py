"""A second process for rows that need nothing of the others, so that both cores of a small machine work.

A full run is mostly imports and questions to git: threads cannot share the first, and a forked child
starts with what is loaded already. The child judges its rows over facts of its own and sends
the outcomes back through a pipe; whatever keeps it from that, the caller judges those rows himself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from goblin.manifest import Row
from goblin.outcome import Finding, Outcome, Verdict

FAMILIES = frozenset({"AU", "BN", "CM", "FM", "JG", "LP", "PG", "RC", "RN", "SC", "SP"})
"""Families that go to the second process; the two halves cost about the same.

IN, MD and PT read the same installed files, so they stay together, and so do those in `WAITING`.
"""

WAITING = frozenset({"AU", "BN", "CM", "FM", "SC", "SP"})
"""Those of them that ask what is uncommitted: git looks at every file for it while the others are judged."""

RUNNERS = frozenset({"DS-01", "GT-02", "GT-05", "HS-02", "JG-04", "VA-01"})
"""Rows that run what the repository declares: it may change what the others read, so they wait for it."""

FEWEST = 12
"""Rows below which starting a process costs more than it saves."""

Judge = Callable[[Row], tuple[Outcome, float]]


class Aside(NamedTuple):
    """A running child: its rows, its process id, and where its answer comes from."""

    rows: tuple[Row, ...]
    pid: int
    source: int


def choose(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows to judge in a second process; none where that would not pay or cannot be done."""
    if any(row.id in RUNNERS for row in rows):
        return ()
    chosen = [row for row in rows if row.family in FAMILIES and not row.project]
    if len(chosen) < FEWEST or len(rows) - len(chosen) < FEWEST:
        return ()
    alone = not hasattr(os, "fork") or (os.cpu_count() or 1) < 2 or os.environ.get("GOBLIN_DEBUG")
    return () if alone else tuple(sorted(chosen, key=lambda row: row.family in WAITING))


def start(rows: tuple[Row, ...], judge: Judge, before: Callable[[], None] | None = None) -> Aside | None:
    """Judge rows in a child, which calls `before` first; None where none can be had."""
    try:
        source, sink = os.pipe()
    except OSError:
        return None
    try:
        pid = os.fork()
    except OSError:
        os.close(source)
        os.close(sink)
        return None
    if pid:
        os.close(sink)
        return Aside(rows, pid, source)
    os.close(source)
    code = 1
    try:
        if before:
            before()
        _answer(rows, judge, sink)
        code = 0
    except BaseException:  # noqa: BLE001  (the caller judges what the child could not; nothing may escape it)
        code = 1
    finally:
        os._exit(code)


def _answer(rows: tuple[Row, ...], judge: Judge, sink: int) -> None:
    import json

    value = []
    for row in rows:
        outcome, seconds = judge(row)
        findings = [list(finding) for finding in outcome.findings]
        value.append([outcome.verdict.value, outcome.summary, findings, outcome.remedy, seconds])
    with os.fdopen(sink, "wb") as stream:
        stream.write(json.dumps(value).encode("ascii"))


def collect(aside: Aside) -> dict[str, tuple[Outcome, float]]:
    """The child's outcomes by row id; empty where it gave none."""
    import json

    with os.fdopen(aside.source, "rb") as stream:
        data = stream.read()
    os.waitpid(aside.pid, 0)
    try:
        value = json.loads(data)
        pairs = zip(aside.rows, value, strict=True)
        return {row.id: (_outcome(*answer[:4]), float(answer[4])) for row, answer in pairs}
    except (ValueError, TypeError, IndexError):
        return {}


def _outcome(verdict: str, summary: str, findings: list[list[str]], remedy: str) -> Outcome:
    return Outcome(Verdict(verdict), summary, tuple(Finding(*cells) for cells in findings), remedy)  # type: ignore[arg-type]
