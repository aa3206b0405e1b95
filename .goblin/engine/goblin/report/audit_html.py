"""The audit as one page: what did not reach its goal first, then what the record holds."""

from __future__ import annotations

from goblin.loop.audit import Audit, Row
from goblin.loop.turns import KINDS
from goblin.report import audit_words as words
from goblin.report.audit_plot import plot
from goblin.report.audit_rows import filters, listed
from goblin.report.audit_style import STYLE
from goblin.report.audit_words import STATE, Set
from goblin.report.markup import Html, element, join
from goblin.report.page import facts as page_facts
from goblin.report.page import foot, page, top
from goblin.report.page_style import style
from goblin.report.words import count, moment, span


def render(found: Set) -> str:
    """The whole page."""
    many = len(found.audits) != 1 or bool(found.without)
    audits = [_audit(audit, number, many) for number, audit in enumerate(found.audits)]
    title = words.title(found)
    return page(
        f"{title} - loop audit",
        style(KINDS, STYLE),
        "#rows Skip to the rows",
        top("Loop audit", found.version, found.at),
        element("main", {"id": "main"}, _overview(found, title) if many else None, *audits),
        foot(
            "Times are UTC. A pointer that resolves shows that something is there, not that it bears the "
            "verdict out; a pointer that changes is not yet progress; whether the predicate was the right "
            "one, only a reader can say."
        ),
    )


def _overview(found: Set, title: str) -> Html:
    """Of many repositories: one line each, worst first."""
    lines = [
        element(
            "tr",
            {"class": f"is-{audit.state}"},
            element(
                "td", {"class": "narrow"}, element("span", {"class": "badge b-state"}, STATE[audit.state])
            ),
            element("th", {"scope": "row"}, element("a", {"href": f"#r{number}"}, audit.name)),
            element("td", None, words.summary(audit)),
            element("td", {"class": "narrow"}, moment(audit.ended) or "-"),
        )
        for number, audit in enumerate(found.audits)
    ]
    head = [
        element("th", {"scope": "col"}, name) for name in ("State", "Repository", "What happened", "Last row")
    ]
    table = element(
        "table", None, element("thead", None, element("tr", None, *head)), element("tbody", None, *lines)
    )
    without = None
    if found.without:
        told = words.names(found.without)
        without = element("p", {"class": "note"}, f"Without a loop record: {told}.")
    return join(
        [
            element("h1", {"class": "page"}, title),
            element("nav", {"class": "scroll", "aria-label": "Repositories"}, table) if lines else None,
            without,
            filters(found.audits, "rows") if len(found.audits) > 1 else None,
        ]
    )


def _audit(audit: Audit, number: int, many: bool) -> Html:
    top, below = ("h2", "h3") if many else ("h1", "h2")
    rows = {row.line: row for row in audit.rows}
    whole = len(audit.rows) == audit.counts.rows
    links = {line: f"r{number}-w{line}" for line in rows} if whole else {}
    links |= {line: f"r{number}-l{line}" for line in audit.last}
    links |= {line: f"r{number}-a{line}" for line in audit.attention}
    return element(
        "article",
        {"class": f"repo is-{audit.state}", "id": f"r{number}"},
        _banner(audit, top),
        element("div", {"class": "glance"}, _facts(audit), plot(audit, links, below)),
        _attention(audit, rows, number, below, many),
        _last(audit, rows, number, below, links),
        _write_up(audit, below),
        _checks(audit, below),
        _parts(audit, below),
        _whole(audit, number) if whole and len(audit.rows) > len({*audit.attention, *audit.last}) else None,
    )


def _banner(audit: Audit, heading: str) -> Html:
    reasons = None
    if audit.reasons:
        reasons = join(
            [
                element("p", {"class": "reasons-title"}, "What is wrong"),
                element("ul", {"class": "reasons"}, *(element("li", None, text) for text in audit.reasons)),
            ]
        )
    return element(
        "header",
        {"class": "banner"},
        element(
            "p", {"class": "where"}, element("b", None, audit.name), " ", element("code", None, audit.root)
        ),
        element(heading, None, audit.headline),
        element("p", {"class": "lead"}, words.summary(audit)),
        element(
            "p",
            {"class": "goal"},
            element("span", None, "Goal"),
            element("code", None, audit.predicate) if audit.predicate else "no command",
        ),
        reasons,
        *(element("p", {"class": "note"}, note) for note in audit.notes),
    )


def _facts(audit: Audit) -> Html:
    counts = audit.counts
    facts: list[tuple[str, str, str]] = [
        (
            "Turns",
            f"{counts.turns:,}" + (f" of {audit.budget:,}" if audit.budget is not None else ""),
            "budget spent",
        ),
        ("Not at the goal", f"{counts.away:,}", f"of {count(counts.rows, 'row')}"),
    ]
    if audit.seconds is not None:
        facts.append(("Ran", span(audit.seconds), f"{moment(audit.started)} to {moment(audit.ended)}"))
    longest = audit.streaks[0] if audit.streaks else None
    facts.append(
        (
            "On one pointer",
            count(len(longest.lines), "row"),
            f"lines {longest.lines[0]} to {longest.lines[-1]}",
        )
        if longest
        else ("On one pointer", "1 row", "evidence changed every turn")
    )
    if audit.gaps:
        facts.append(("Longest gap", span(audit.gaps[0].seconds), f"before line {audit.gaps[0].line}"))
    return page_facts(facts)


def _attention(audit: Audit, rows: dict[int, Row], number: int, heading: str, many: bool) -> Html:
    shown = [rows[line] for line in audit.attention]
    title = element(
        heading,
        None,
        "Rows that did not reach the goal",
        element(
            "span",
            {"class": "count"},
            f"{audit.counts.away:,} of {count(audit.counts.rows, 'row')}, in order",
        ),
    )
    left = words.left_out(audit)
    return element(
        "section",
        {"id": None if many and number else "rows"},
        title,
        filters([audit], "rows") if not many and audit.rows else None,
        element("p", {"class": "note"}, left + ".") if left else None,
        *(listed(shown, f"r{number}-a") if shown else [element("p", {"class": "note"}, "Every row did.")]),
    )


def _last(
    audit: Audit, rows: dict[int, Row], number: int, heading: str, links: dict[int, str]
) -> Html | None:
    """The context. A row that stands above in full is told in short here, and leads there."""
    shown = [rows[line] for line in audit.last]
    if not shown:
        return None
    title = f"The last {words.NUMBERS[len(shown)]} rows" if len(shown) > 1 else "The last row"
    above = {line: links[line] for line in audit.attention}
    return element("section", None, element(heading, None, title), *listed(shown, f"r{number}-l", above))


def _write_up(audit: Audit, heading: str) -> Html | None:
    if not audit.write_up:
        return None
    more = audit.write_up_lines - len(audit.write_up)
    return element(
        "section",
        None,
        element(heading, None, "Write-up", element("span", {"class": "count"}, "stuck.md")),
        element("pre", {"class": "write-up"}, "\n".join(audit.write_up)),
        element("p", {"class": "note"}, f"and {count(more, 'more line')}") if more > 0 else None,
    )


def _checks(audit: Audit, heading: str) -> Html | None:
    if not audit.checks:
        return None
    order = ("FAIL", "ADV", "PASS", "SKIP")
    ordered = sorted(audit.checks, key=lambda check: order.index(check.status))
    failing = sum(check.status == "FAIL" for check in audit.checks)
    told = f"{failing} of {len(audit.checks)} fail" if failing else f"{len(audit.checks)} judged"
    lines = []
    for check in ordered:
        first, *rest = check.detail or ("",)
        remedy = f"To mend it: {check.remedy}" if check.remedy and check.status == "FAIL" else None
        lines.append(
            element(
                "tr",
                None,
                element(
                    "td",
                    {"class": "narrow"},
                    element("span", {"class": f"badge b-{check.status}"}, check.status),
                ),
                element("th", {"scope": "row", "class": "narrow"}, check.id),
                element(
                    "td",
                    None,
                    first,
                    *(element("span", {"class": "more"}, line) for line in rest),
                    element("span", {"class": "more"}, remedy) if remedy else None,
                ),
            )
        )
    return element(
        "section",
        None,
        element(heading, None, "What the rules say", element("span", {"class": "count"}, told)),
        element("div", {"class": "scroll"}, element("table", None, element("tbody", None, *lines))),
    )


_PART_WORD = {"ok": "ok", "note": "note", "wrong": "wrong", "absent": "none"}


def _parts(audit: Audit, heading: str) -> Html | None:
    if not audit.parts:
        return None
    lines = [
        element(
            "tr",
            None,
            element(
                "td",
                {"class": "narrow"},
                element("span", {"class": f"badge b-{part.state}"}, _PART_WORD[part.state]),
            ),
            element("th", {"scope": "row", "class": "narrow"}, part.title),
            element(
                "td", None, part.text, *(element("span", {"class": "more"}, line) for line in part.detail)
            ),
        )
        for part in (*audit.parts, *words.lanes(audit.lanes))
    ]
    return element(
        "section",
        None,
        element(heading, None, "The record"),
        element("div", {"class": "scroll"}, element("table", None, element("tbody", None, *lines))),
    )


def _whole(audit: Audit, number: int) -> Html:
    told = element("summary", None, f"Every row of the record ({len(audit.rows):,})")
    return element("section", None, element("details", None, told, *listed(audit.rows, f"r{number}-w")))
