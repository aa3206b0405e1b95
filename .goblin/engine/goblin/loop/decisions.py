"""`decisions.tsv`: one row a turn, read so that no turn can hide (spec section 7.1).

A table reader drops a line that it cannot trust. Here a malformed line is still a turn that somebody
spent, so every line becomes a row, and what is wrong with it is kept beside it.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

from goblin.loop.handles import Handle
from goblin.loop.handles import parse as parse_handles
from goblin.loop.instant import GRAMMAR, in_future, parse_instant
from goblin.tables import BOM, Fault

COLUMNS = ("ts", "phase", "decision", "why", "evidence", "result")
VERDICTS = ("done", "blocked", "continue", "wait")
RESULTS = ("predicate:red", "predicate:green", "parked", "stuck")
GREEN = "predicate:green"
PREFIX = "verdict:"

LIMIT = 64 << 20
"""Bytes of a decisions file that are read; a larger one is a fault."""

MOST_LINES = 250_000
"""Lines that are read; a file with more is a fault."""

WHY_KEPT = 4000
"""Characters of a `why` cell that are kept."""

_REMEMBERED = 200
"""Characters of phase, decision and result whose meaning is kept."""

_WORD = re.compile(r"[^\W_]")


class Decision(NamedTuple):
    """One line after the header. `verdict` is the word after `verdict:`, and "" for a log row."""

    line: int  # of the file; the header is line 1
    ts: datetime | None
    phase: str
    decision: str
    verdict: str
    why: str  # cut to `WHY_KEPT` characters
    evidence: str
    result: str
    stamp: str = ""  # the ts cell as written
    is_verdict: bool = False
    faults: tuple[str, ...] = ()

    @property
    def handles(self) -> tuple[Handle, ...]:
        """What the evidence cell cites."""
        return parse_handles(self.evidence)

    @property
    def green(self) -> bool:
        """True where the row says, in exactly that word, that the predicate was met."""
        return self.result == GREEN

    @property
    def in_future(self) -> bool:
        """True where the row is dated more than a day ahead."""
        return self.ts is not None and in_future(self.ts)


class Log(NamedTuple):
    """The file: its rows in order, and the faults that belong to no row."""

    path: str
    exists: bool
    rows: tuple[Decision, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def verdicts(self) -> tuple[Decision, ...]:
        """The rows that are verdicts, well formed or not."""
        return tuple(row for row in self.rows if row.is_verdict)

    @property
    def earliest(self) -> Decision | None:
        """The row with the earliest timestamp, or None where no row has one."""
        dated = [row for row in self.rows if row.ts is not None]
        return min(dated, key=lambda row: row.ts, default=None)  # type: ignore[arg-type, return-value]


def parse(data: bytes, path: str) -> Log:
    """Every line of a decisions file as a row. Never raises, whatever the bytes are.

    LF alone separates lines; a byte-order mark and a CR at a line's end are dropped; blank lines are
    passed over. The first line must be the header; where it is not, it is read as a row if it holds
    a verdict.
    """
    rows: list[Decision] = []
    faults: list[Fault] = []
    above: datetime | None = None
    for number, raw in enumerate(BytesIO(data.removeprefix(BOM) or b"\n"), start=1):
        if number > MOST_LINES:
            faults.append(Fault(0, f"holds more than {MOST_LINES:,} lines; the others are not read"))
            break
        raw = raw.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            if tuple(raw.decode("utf-8", "replace").split("\t")) == COLUMNS:
                continue
            faults.append(Fault(1, f"the first line must be the header: {' '.join(COLUMNS)} (TAB between)"))
            if not _row(1, raw, None).is_verdict:
                continue
        if not raw.strip() and b"\t" not in raw:
            continue
        row = _row(number, raw, above)
        above = row.ts or above
        rows.append(row)
    return Log(path, True, tuple(rows), tuple(faults))


def _row(number: int, raw: bytes, above: datetime | None) -> Decision:
    faults: list[str] = []
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        faults.append(f"byte {error.start + 1} is not UTF-8")
        text = raw.decode("utf-8", "surrogateescape")
    cells = text.split("\t")
    whole = len(cells) == len(COLUMNS)
    if not whole:
        faults.append(f"{len(cells)} cell(s) where the header has {len(COLUMNS)}: one TAB between two cells")
        cells = [*cells[: len(COLUMNS)], *[""] * (len(COLUMNS) - len(cells))]
    stamp, phase, decision, why, evidence, result = cells
    told = _told(phase, decision, result)
    if whole and not told.phase_says:
        faults.append("phase is empty")
    if whole and not _WORD.search(why):
        faults.append("why is empty")
    ts = parse_instant(stamp)
    if ts is None:
        faults.append(f"its ts is no timestamp with an offset: {GRAMMAR}")
    elif above is not None and ts < above:
        faults.append("its ts is earlier than that of the row above")
    faults += told.faults
    return Decision(
        number, ts, told.phase, told.decision, told.verdict, why[:WHY_KEPT], evidence, told.result,
        stamp, told.is_verdict, tuple(faults),
    )  # fmt: skip


class _Told(NamedTuple):
    """What three cells of a row say, of which a long file repeats a few over and over."""

    phase: str
    decision: str
    result: str
    phase_says: bool  # a word, and not only marks
    is_verdict: bool
    verdict: str
    faults: tuple[str, ...]


def _told(phase: str, decision: str, result: str) -> _Told:
    long = len(phase) + len(decision) + len(result) > _REMEMBERED
    return _tell(phase, decision, result) if long else _remembered(phase, decision, result)


def _tell(phase: str, decision: str, result: str) -> _Told:
    is_verdict = _folded(decision).startswith(PREFIX)
    verdict = decision.removeprefix(PREFIX) if is_verdict else ""
    faults = tuple(_verdict_faults(decision, verdict, result)) if is_verdict else ()
    return _Told(phase, decision, result, bool(_WORD.search(phase)), is_verdict, verdict, faults)


_remembered = lru_cache(maxsize=256)(_tell)


def _folded(text: str) -> str:
    """The text without what does not show, in one case: a near miss of `verdict:` is no log row."""
    if not text.isascii():
        text = "".join(filter(str.isprintable, text))
    return text.strip().lower()


def _verdict_faults(decision: str, verdict: str, result: str) -> list[str]:
    faults = []
    if not decision.startswith(PREFIX) or verdict not in VERDICTS:
        faults.append(f"its decision is none of: {' '.join(PREFIX + word for word in VERDICTS)}")
    if result not in RESULTS:
        faults.append(f"its result is none of: {' '.join(RESULTS)}")
    elif verdict == "done" and result != GREEN:
        faults.append(f"verdict:done needs the result {GREEN}")
    return faults
