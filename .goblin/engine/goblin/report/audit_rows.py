"""The rows of the audit page: a list of them, each with its evidence, and the choice of a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from goblin.loop.audit import Audit, Row
from goblin.loop.pointers import Evidence
from goblin.loop.turns import KINDS, LONG_GAP
from goblin.report import audit_words as words
from goblin.report import page
from goblin.report.audit_words import KIND
from goblin.report.markup import Html, element
from goblin.report.words import moment, span

_TEASER = 100


def filters(audits: Sequence[Audit], name: str) -> Html:
    """One choice of a result; the style does the rest."""
    totals = dict.fromkeys(KINDS, 0)
    for audit in audits:
        for row in audit.rows:
            totals[row.kind] += 1
    shown = sum(totals.values())
    choices = [("all", f"all {shown:,}"), *((k, f"{KIND[k]} {n:,}") for k, n in totals.items() if n)]
    return page.filters(choices, name, "Show rows")


def listed(rows: Sequence[Row], prefix: str, above: Mapping[int, str] | None = None) -> Iterator[Html]:
    """The rows as one list, and what stands there instead where a choice leaves none of them.

    `above` names, by line, the place of each row that is told in full elsewhere on the page.
    """
    held = {row.kind for row in rows}
    absent = " ".join(f"no-{kind}" for kind in KINDS if kind not in held)
    items = []
    before: Row | None = None
    for row in rows:
        place = (above or {}).get(row.line, "")
        items.append(_item(row, f"{prefix}{row.line}", place, words.same(before, row)))
        before = row if row.turn else before
    yield element("ol", {"class": f"rows {absent}".strip()}, *items)
    yield element("p", {"class": f"none {absent}"}, "None of these rows has that result.")


def _item(row: Row, name: str, above: str, same: bool) -> Html:
    """One row. In short where it is told in full above; `same` when the row before told its evidence."""
    head = [
        element("span", {"class": f"badge b-{row.kind}"}, words.result(row)),
        element("span", None, row.decision or "no decision"),
        element("span", {"class": "soft"}, row.phase) if row.phase else None,
        element("span", {"class": "long"}, words.about(row)) if row.repeat else None,
    ]
    told: list[Html | None] = []
    if not above:
        told = [None if same and row.sound else _evidence(row)]
        told += [element("p", {"class": "fault"}, fault) for fault in row.faults]
    return element(
        "li",
        {"class": f"row k-{row.kind}", "id": name},
        _when(row, above or name),
        element(
            "div",
            None,
            element("p", {"class": "head"}, *head),
            element("p", {"class": "why"}, row.why) if row.why else None,
            *told,
        ),
    )


def _when(row: Row, place: str) -> Html:
    time = (
        element("time", {"datetime": row.at}, moment(row.at)) if row.at else element("span", None, "no time")
    )
    wait = None
    if row.wait is not None:
        classes = "wait" if row.wait < LONG_GAP else "wait long"
        wait = element("span", {"class": classes}, f"+ {span(row.wait)}")
    link = element("a", {"href": f"#{place}", "title": f"decisions.tsv, line {row.line}"}, f"line {row.line}")
    return element("div", {"class": "when"}, link, time, wait)


def _evidence(row: Row) -> Html | None:
    if not row.evidence:
        return element("p", {"class": "fault"}, "no evidence") if row.turn else None
    more = row.cited - len(row.evidence)
    return element(
        "ul",
        {"class": "evidence"},
        *(_pointer(one) for one in row.evidence),
        element("li", {"class": "soft"}, f"and {more} more") if more > 0 else None,
    )


def _pointer(one: Evidence) -> Html:
    if not one.resolved:
        lost = element("span", {"class": "lost-why"}, f" {one.reason}")
        return element("li", {"class": "lost"}, element("code", None, one.handle), lost)
    handle, title, more = words.pointer(one)
    return element(
        "li",
        None,
        element("code", None, handle),
        f" {title}" if title else None,
        element("span", {"class": "soft"}, f" {more}") if more else None,
        _excerpt(one.excerpt),
    )


def _excerpt(lines: Sequence[str]) -> Html | None:
    """The last lines of an output, folded up to the very last one: that is where it says how it ended."""
    if not lines:
        return None
    last = lines[-1] if len(lines[-1]) <= _TEASER else lines[-1][:_TEASER] + "..."
    return element(
        "details",
        None,
        element("summary", None, element("code", None, last)),
        element("pre", None, "\n".join(lines)),
    )
