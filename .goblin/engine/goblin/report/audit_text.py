"""The audit on a terminal: 80 columns, worst first, colour only where it is wanted.

Nothing that a terminal obeys comes from a record: all text of an `Audit` is cleaned already, and
the only escapes are the colours made here.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TextIO
from unicodedata import combining, east_asian_width

from goblin.loop.audit import Audit, Check, Row
from goblin.loop.pointers import Evidence
from goblin.loop.turns import LONG_GAP
from goblin.report import audit_words as words
from goblin.report.audit_words import Set
from goblin.report.words import count, moment, ordinal, span

WIDTH = 80
_RESULT = 16  # columns of a row's result
_RED, _GREEN, _AMBER, _BOLD, _SOFT = "31", "32", "33", "1", "2"
_KIND = {"goal": _GREEN, "parked": _AMBER, "log": _SOFT}
_STATE = {"reached": _GREEN, "running": _AMBER, "started": _AMBER}
_PART = {"ok": "ok", "note": "note", "wrong": "wrong", "absent": "none"}
_PART_COLOUR = {"wrong": _RED, "note": _AMBER, "absent": _SOFT}


class Paint:
    """Colours, or nothing at all."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, text: str, *codes: str) -> str:
        """The text in these colours; the empty code is none."""
        told = ";".join(filter(None, codes))
        return f"\x1b[{told}m{text}\x1b[0m" if self.on and told and text else text


def wants_colour(stream: TextIO, env: Mapping[str, str] | None = None) -> bool:
    """True for a terminal that can show colour, unless NO_COLOR is set and not empty."""
    env = os.environ if env is None else env
    return not env.get("NO_COLOR") and env.get("TERM") != "dumb" and stream.isatty()


def width(text: str) -> int:
    """Columns that a terminal needs for the text."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def wrap(text: str, first: str = "", rest: str | None = None, most: int = WIDTH) -> Iterator[str]:
    """The words of a text in lines of at most `most` columns; a longer word is cut where it must be."""
    rest = " " * width(first) if rest is None else rest
    line, empty = first, True
    for word in text.split(" "):
        room = most - width(line) - (0 if empty else 1)
        if width(word) > room and not empty:
            yield line
            line, empty = rest, True
            room = most - width(line)
        while width(word) > room > 0:
            head = _head(word, room)
            yield line + head
            word, line, empty = word[len(head) :], rest, True
            room = most - width(line)
        line, empty = (line + word, False) if empty else (f"{line} {word}", False)
    yield line.rstrip()


def _head(word: str, room: int) -> str:
    """As much of the beginning as fits, and at least one character."""
    used = 0
    for at, character in enumerate(word):
        used += width(character)
        if used > room:
            return word[: max(at, 1)]
    return word


def fit(text: str, columns: int) -> str:
    """The text cut or filled up to exactly so many columns."""
    cut = _head(text, columns)
    return cut + " " * (columns - width(cut))


def render(found: Set, *, colour: bool = False) -> str:
    """The whole report, ending with a line break."""
    paint = Paint(colour)
    many = len(found.audits) > 1 or bool(found.without)
    lines: list[str] = []
    if many:
        lines += _overview(found, paint)
    for audit in found.audits:
        if lines:
            lines += ["", "=" * WIDTH]
        lines += _audit(audit, paint)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _overview(found: Set, paint: Paint) -> Iterator[str]:
    yield from (paint(line, _BOLD) for line in wrap(words.title(found)))
    yield ""
    for audit in found.audits:
        state = f"{words.STATE[audit.state]:<12}"
        first, *rest = wrap(f"{audit.name}: {words.summary(audit)}", " " * 12)
        yield paint(state, _STATE.get(audit.state, _RED)) + first[12:]
        yield from rest
    if found.without:
        yield from wrap(f"Without a loop record: {words.names(found.without)}.")


def _audit(audit: Audit, paint: Paint) -> Iterator[str]:
    yield from _banner(audit, paint)
    yield ""
    total = count(audit.counts.rows, "row")
    yield paint(
        f"Rows that did not reach the goal: {audit.counts.away:,} of {total}, by line of decisions.tsv", _BOLD
    )
    yield from _rows(audit, audit.attention, paint, ())
    left = words.left_out(audit)
    if left:
        yield from wrap(f"... {left} (--limit 0 shows all)", "  ")
    if audit.last:
        yield ""
        yield paint(
            f"The last {words.NUMBERS[len(audit.last)]} rows" if len(audit.last) > 1 else "The last row",
            _BOLD,
        )
        yield from _rows(audit, audit.last, paint, frozenset(audit.attention))
    if audit.write_up:
        yield ""
        yield paint("Write-up (stuck.md)", _BOLD)
        for text in audit.write_up[:12]:
            yield from wrap(text, "  ")
        if audit.write_up_lines > 12:
            yield f"  ... {count(audit.write_up_lines - min(12, len(audit.write_up)), 'more line')}"
    yield from _checks(audit, paint)
    yield from _parts(audit, paint)


def _banner(audit: Audit, paint: Paint) -> Iterator[str]:
    hue = _STATE.get(audit.state, _RED)
    yield from (paint(line, _BOLD, hue) for line in wrap(f"{audit.headline.upper()}: {audit.name}"))
    yield from wrap(words.summary(audit))
    yield from wrap(audit.predicate or "no command", "  goal     ", " " * 11)
    if audit.seconds is not None:
        yield f"  ran      {moment(audit.started)} to {moment(audit.ended)} UTC ({span(audit.seconds)})"
    if audit.counts.rows:
        yield from wrap(words.tally(audit), "  rows     ", " " * 11)
    for streak in audit.streaks[:1]:
        lines = f"lines {streak.lines[0]} to {streak.lines[-1]}"
        yield f"  longest  {len(streak.lines):,} rows in a row on one pointer ({lines})"
    if audit.gaps:
        told = ", ".join(f"{span(gap.seconds)} before line {gap.line}" for gap in audit.gaps[:3])
        yield from wrap(told, "  gaps     ", " " * 11)
    for number, reason in enumerate(audit.reasons):
        for line in wrap(reason, "  wrong    " if not number else " " * 11, " " * 13):
            yield line.replace("wrong", paint("wrong", _RED), 1) if line.startswith("  wrong") else line
    for note in audit.notes:
        yield from wrap(note, "  note     ", " " * 11)


def _rows(audit: Audit, lines: Sequence[int], paint: Paint, brief: Collection[int]) -> Iterator[str]:
    """The rows of these lines; those of `brief` were told in full before."""
    rows = {row.line: row for row in audit.rows}
    before: Row | None = None
    for line in lines:
        row = rows[line]
        start = f"  {row.line:<5} {moment(row.at) or 'no time':<13} "
        if line in brief:
            yield _brief(row, start, paint)
        else:
            yield from _full(row, start, paint, words.same(before, row))
        before = row if row.turn else before


def _brief(row: Row, start: str, paint: Paint) -> str:
    result = fit(words.result(row), _RESULT)
    (line,) = _cut(list(wrap(row.why, f"{start}{result} ")), 1)
    return start + paint(result, _KIND.get(row.kind, _RED)) + line[len(start) + len(result) :]


def _full(row: Row, start: str, paint: Paint, same: bool) -> Iterator[str]:
    result = fit(words.result(row), _RESULT)
    more = [f"+{span(row.wait)}"] if row.wait is not None and row.wait >= LONG_GAP else []
    more += [f"{ordinal(row.repeat)} on this pointer"] if row.repeat else []
    aside = ", ".join(more)
    room = WIDTH - width(start) - _RESULT - 1
    decision = _head(row.decision, room)
    beside = bool(aside) and width(decision) + 1 + width(aside) <= room
    line = f"{start}{paint(result, _KIND.get(row.kind, _RED))} {decision}"
    yield f"{line} {paint(aside, _AMBER)}" if beside else line
    if aside and not beside:
        yield " " * 8 + paint(aside, _AMBER)
    if row.why:
        yield from _cut(list(wrap(row.why, " " * 8)), 3)
    if not (same and row.sound):
        for one in row.evidence:
            yield from _pointer(one, paint)
        if row.cited > len(row.evidence):
            yield f"        and {row.cited - len(row.evidence)} more"
        if row.turn and not row.evidence:
            yield "        " + paint("no evidence", _RED)
    for fault in row.faults:
        yield from (paint(line, _RED) for line in wrap(fault, " " * 8))


def _cut(lines: list[str], most: int) -> list[str]:
    """The first lines, the last of them marked where some are left out."""
    if len(lines) <= most:
        return lines
    last = next(iter(wrap(lines[most - 1], most=WIDTH - 3)))
    return [*lines[: most - 1], last + "..."]


def _pointer(one: Evidence, paint: Paint) -> Iterator[str]:
    if not one.resolved:
        yield from (paint(line, _RED) for line in wrap(f"{one.handle} {one.reason}", "      x ", " " * 8))
        return
    yield from wrap(" ".join(filter(None, words.pointer(one))), "      > ", " " * 8)
    if one.excerpt:
        yield from (paint(line, _SOFT) for line in _cut(list(wrap(one.excerpt[-1], " " * 10)), 1))


def _checks(audit: Audit, paint: Paint) -> Iterator[str]:
    shown = [check for check in audit.checks if check.status in ("FAIL", "ADV") or _noted(check)]
    if not audit.checks:
        return
    passed, skipped = (sum(check.status == status for check in audit.checks) for status in ("PASS", "SKIP"))
    yield ""
    yield paint(f"What the rules say: {skipped} skipped, {passed} pass", _BOLD)
    for check in shown:
        first, *rest = check.detail or ("",)
        label = f"  {check.status:<4}  {check.id:<6} "
        lines = list(wrap(first, label, " " * 15))
        hue = {"FAIL": _RED, "ADV": _AMBER}.get(check.status, "")
        yield lines[0].replace(check.status, paint(check.status, hue), 1)
        yield from lines[1:]
        for text in rest[:2]:
            yield from wrap(text, " " * 15)
        if len(rest) > 2:
            yield " " * 15 + f"and {len(rest) - 2} more: goblin-verify --only {check.id}"
        if check.status == "FAIL" and check.remedy:
            yield from wrap(f"remedy: {check.remedy}", " " * 15)


def _noted(check: Check) -> bool:
    """True for a rule that holds and has something to add."""
    return check.status == "PASS" and len(check.detail) > 1


def _parts(audit: Audit, paint: Paint) -> Iterator[str]:
    if not audit.parts:
        return
    yield ""
    yield paint("The record", _BOLD)
    for part in (*audit.parts, *words.lanes(audit.lanes)):
        word = _PART[part.state]
        lines = list(wrap(part.text, f"  {word:<6} {part.title:<10} ", " " * 20))
        yield lines[0].replace(word, paint(word, _PART_COLOUR.get(part.state, "")), 1)
        yield from lines[1:]
        for text in part.detail:
            yield from wrap(text, " " * 20)
