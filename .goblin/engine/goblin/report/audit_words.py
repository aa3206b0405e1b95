"""How the audit speaks: the words that its text, its page and nothing else share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from goblin.loop.audit import Audit, Lane, Row
from goblin.loop.parts import NOTE, OK, Part
from goblin.loop.pointers import CARD, Evidence
from goblin.report.words import count, moment, ordinal, span

KIND = {
    "unproven": "not proven",
    "unreadable": "unreadable",
    "stuck": "stuck",
    "parked": "parked",
    "red": "red",
    "log": "log",
    "goal": "green",
}
"""A kind of row in a word or two."""

STATE = {
    "unreadable": "unreadable",
    "unproven": "not proven",
    "short": "not reached",
    "running": "running",
    "started": "no turn yet",
    "reached": "reached",
}
"""A state of a run in a word or two."""

NUMBERS = ("no", "one", "two", "three", "four", "five")


class Set(NamedTuple):
    """What was audited: the audits, worst first, and the repositories that hold no record."""

    audits: tuple[Audit, ...]
    without: tuple[str, ...] = ()
    version: str = ""
    at: str = ""  # when it was made, UTC

    @property
    def reached(self) -> bool:
        """True where every run reached its goal."""
        return all(audit.reached for audit in self.audits)


def summary(audit: Audit) -> str:
    """One sentence below the headline: turns, budget, time, and how it ended."""
    counts = audit.counts
    spent = count(counts.turns, "turn")
    if audit.budget is not None:
        spent = f"{counts.turns:,} of {count(audit.budget, 'turn')}"
    words = [spent + (f" in {span(audit.seconds)}" if audit.seconds and counts.rows else "")]
    final = next((row for row in reversed(audit.rows) if row.turn), None)
    if final:
        words.append(f"the last one ended {final.result or 'without a result'}")
    return ", ".join(words) + "."


def tally(audit: Audit) -> str:
    """`1 stuck, 12 red, 3 green, 4 log`: the rows by what they came to, worst first."""
    return ", ".join(f"{number:,} {KIND[kind]}" for kind, number in audit.counts.kinds)


def result(row: Row) -> str:
    """What a row came to, as it says itself; a row that says nothing to go by, in our words."""
    return row.result if row.turn and row.result else KIND[row.kind]


def same(before: Row | None, row: Row) -> bool:
    """True where the row before, told in full, has already told this one's evidence."""
    return bool(before and row.repeat and before.turn == row.turn - 1)


def about(row: Row) -> str:
    """What is said of the row's pointer: nothing, or that it is the same as before."""
    return f"same pointer, {ordinal(row.repeat)} row in a row" if row.repeat else ""


def pointer(one: Evidence) -> tuple[str, str, str]:
    """A pointer that resolves, as a person reads it: its handle, what it is, and what more is known.

    An id keeps as many digits as tell it apart; what the handle says already is not said again.
    """
    when = moment(one.when)
    if one.kind == "sha":
        return one.handle[:14], one.title, ", ".join(filter(None, (when, one.state)))
    if one.kind == "file":
        return one.handle, "", one.state.replace("last commit", f"last commit {when}") if when else one.state
    if one.kind == "sha256":
        if one.state.startswith(CARD):
            return one.handle[:19], CARD, one.state.removeprefix(f"{CARD}: ")
        place = "" if f"/{one.handle[7:]}." in one.title else one.title
        return one.handle[:19], place or "captured output", one.state
    return one.handle, one.title, one.state


def lanes(found: Sequence[Lane]) -> list[Part]:
    """Who worked and who judged, as one more part of the record; none where nothing says it."""
    if not found:
        return []
    told = "; ".join(f"{lane.role} {', '.join(lane.profiles)}" for lane in found)
    source = (
        "as the run recorded them" if found[0].source == "log" else "as declared: no record shows who ran"
    )
    return [Part("lanes", "Lanes", OK if found[0].source == "log" else NOTE, f"{told} ({source})")]


def left_out(audit: Audit) -> str:
    """What is not shown of the rows that did not reach the goal, "" where all are."""
    if not audit.left_out:
        return ""
    more = count(audit.left_out, "more row")
    return f"{more} did not reach the goal; the {len(audit.attention):,} worst are shown"


def title(found: Set) -> str:
    """The one line that names the whole report."""
    if len(found.audits) == 1 and not found.without:
        (audit,) = found.audits
        return f"{audit.headline}: {audit.name}"
    away = sum(not audit.reached for audit in found.audits)
    total = count(len(found.audits), "run")
    have = "has" if away == 1 else "have"
    return f"{away} of {total} {have} not reached the goal" if away else f"{total} reached the goal"


def names(values: Iterable[str], most: int = 10) -> str:
    """A list in words, cut where it is long."""
    known = list(values)
    more = f" and {len(known) - most} more" if len(known) > most else ""
    return ", ".join(known[:most]) + more
