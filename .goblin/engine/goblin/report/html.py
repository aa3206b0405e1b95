"""A run of the rules as one page: what does not hold first, with what mends it, then every rule.

The same parts as the audit page (`page`, `page_style`, `markup`): self-contained, without script,
light and dark, in the reach of a keyboard. Whatever a repository holds is shown as text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from goblin import __version__, clock
from goblin.outcome import Finding, Verdict
from goblin.redact import clean, mask
from goblin.report import page
from goblin.report.html_rows import MOST, WORD, full, mending, place, seconds, short, summary
from goblin.report.html_style import STYLE
from goblin.report.markup import Child, Html, element, join
from goblin.report.page_style import style
from goblin.report.text import counts
from goblin.report.words import count

if TYPE_CHECKING:
    from goblin.engine import Report, Result

KINDS = ("FAIL", "ADV", "SKIP", "PASS")
"""The verdicts, in the order in which a reader wants them."""

SIGN = {"FAIL": "\u2715", "ADV": "~", "SKIP": "\u2013", "PASS": "\u2713"}


def render(report: Report) -> str:
    """The whole page."""
    name = clean(os.path.basename(report.root) or report.root)
    failing = [result for result in report.results if result.outcome.verdict is Verdict.FAIL]
    headline = _headline(report)
    families = dict.fromkeys(result.row.family for result in report.results)
    body = element(
        "article",
        {"class": f"repo is-{_state(report)}"},
        _banner(report, name, headline, failing),
        element("div", {"class": "glance stacked"}, page.facts(_facts(report))),
        _failures(report, failing),
        _waived(report),
        element("section", None, element("h2", None, "Every rule, by family"), _overview(report, families)),
        *(_family(report, family) for family in families),
    )
    return page.page(
        f"{headline}: {name} - goblin-verify",
        style(KINDS, STYLE),
        "#rows Skip to the rules",
        page.top("goblin-verify", __version__, clock.stamp()),
        element("main", {"id": "main"}, body),
        page.foot(
            "What this run cannot see: " + clean("; ".join(_unseen(report, families))) + ".",
            "goblin-verify --explain ID says what one rule reads, and what it cannot see.",
        ),
    )


def _state(report: Report) -> str:
    """The state that colours the page, in the words of the style that all pages share."""
    if report.exit_code:
        return "short"
    return "reached" if report.count(Verdict.PASS) else "started"


def _headline(report: Report) -> str:
    failed = report.count(Verdict.FAIL)
    if failed:
        return f"{count(failed, 'rule')} {'does' if failed == 1 else 'do'} not hold"
    if report.count(Verdict.PASS):
        return "Every rule that was checked holds"
    return "No rule was checked"


def _unseen(report: Report, families: Sequence[str] | dict[str, None]) -> Iterator[str]:
    for family in families:
        if family in report.families:
            yield f"{family} {report.families[family][1]}"
    yield report.unsigned


def _banner(report: Report, name: str, headline: str, failing: Sequence[Result]) -> Html:
    reasons = None
    if failing:
        reasons = join(
            [
                element("p", {"class": "reasons-title"}, "What to mend"),
                element(
                    "ul",
                    {"class": "reasons"},
                    *(
                        element(
                            "li",
                            None,
                            element("a", {"href": f"#{place(result)}"}, result.row.id),
                            f" {summary(result)[0]}",
                        )
                        for result in failing
                    ),
                ),
            ]
        )
    stands = _commit(report.root)
    archived = "archive: true waives the handoff, spec, gate and runtime-data rules."
    return element(
        "header",
        {"class": "banner"},
        element(
            "p", {"class": "where"}, element("b", None, name), " ", element("code", None, clean(report.root))
        ),
        element("h1", None, headline),
        element("p", {"class": "lead"}, f"{counts(report)}."),
        element(
            "p",
            {"class": "goal"},
            element("span", None, f"Class {clean(report.class_name)}"),
            element("code", None, stands) if stands else "no commit yet",
        ),
        reasons,
        element("p", {"class": "note"}, archived) if report.archive else None,
        *(element("p", {"class": "note"}, clean(note)) for note in report.notes),
    )


def _commit(root: str) -> str:
    """The branch and the commit that were judged, "" where there is none."""
    from goblin import git

    repo = git.at(root)
    if repo is None or repo.bare:
        return ""
    asked = git.Git(repo)
    head = asked.call("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    branch = asked.call("symbolic-ref", "--quiet", "--short", "HEAD")
    if head.code != 0:
        return ""
    name = clean(branch.out.decode("utf-8", "replace").strip()) if branch.code == 0 else "detached"
    return f"{name} at {head.out.decode('ascii', 'replace').strip()[:12]}"


def _facts(report: Report) -> Iterator[tuple[str, str, str]]:
    held, failed = report.count(Verdict.PASS), report.count(Verdict.FAIL)
    advisory, skipped = report.count(Verdict.ADV), report.count(Verdict.SKIP)
    yield "Checked", f"{held + failed:,} of {count(len(report.results), 'rule')}", f"{skipped:,} skipped"
    yield "Judged by nobody", f"{advisory:,}", "advisory: no command can tell"
    places = [
        finding for r in report.results if r.outcome.verdict is Verdict.FAIL for finding in r.outcome.findings
    ]
    if failed:
        files = len({finding.path for finding in places if finding.path})
        yield "To mend", count(len(places), "place"), f"in {count(files, 'file')}"
    waived = sum(len(result.waived) for result in report.results)
    if waived:
        yield "Waived", count(waived, "finding"), "each with an owner and an end"
    slowest = max(report.results, key=lambda result: result.seconds, default=None)
    if slowest:
        spent = sum(result.seconds for result in report.results)
        yield "Took", seconds(spent), f"longest: {slowest.row.id}, {seconds(slowest.seconds)}"


def _overview(report: Report, families: dict[str, None]) -> Html:
    """Every rule as one cell, a line a family: place, number and sign say what the colour says."""
    lines = []
    for family in families:
        results = [result for result in report.results if result.row.family == family]
        title = clean(report.families.get(family, ("",))[0])
        lines.append(
            element(
                "li",
                None,
                element("span", {"class": "name", "title": title or None}, family),
                element("span", {"class": "cells"}, *(_cell(result) for result in results)),
            )
        )
    signs = ", ".join(f"{SIGN[kind]} {WORD[kind]}" for kind in KINDS if _has(report, kind))
    return element(
        "figure",
        {"class": "plot", "role": "group"},
        element("h3", {"class": "hidden"}, "Family by family"),
        element("ul", {"class": "families"}, *lines),
        element("figcaption", None, f"One cell a rule, which leads to it: {signs}."),
    )


def _has(report: Report, kind: str) -> bool:
    return any(result.outcome.verdict.value == kind for result in report.results)


def _cell(result: Result) -> Html:
    kind = result.outcome.verdict.value
    return element(
        "a",
        {"class": f"cell c-{kind}", "href": f"#{place(result)}", "title": clean(result.row.rule)},
        element("span", {"class": "hidden"}, f"{result.row.id} {WORD[kind]}"),
        element("span", {"aria-hidden": "true"}, f"{SIGN[kind]}{result.row.id.partition('-')[2]}"),
    )


def _failures(report: Report, failing: Sequence[Result]) -> Html:
    told = f"{len(failing):,} of {count(len(report.results), 'rule')}"
    choices = [("all", f"all {len(report.results):,}")]
    for kind in KINDS:
        many = report.count(Verdict(kind))
        if many:
            choices.append((kind, f"{WORD[kind]} {many:,}"))
    absent = " ".join(f"no-{kind}" for kind in KINDS if kind != "FAIL")
    shown: list[Child] = [element("p", {"class": "note"}, "Every rule that was checked holds.")]
    if not failing and not report.count(Verdict.PASS):
        shown = [element("p", {"class": "note"}, "No rule was checked.")]
    if failing:
        shown = [
            element("ol", {"class": f"rows {absent}"}, *(full(result) for result in failing)),
            element("p", {"class": f"none {absent}"}, "Those that failed are hidden by this choice."),
        ]
    return element(
        "section",
        {"id": "rows"},
        element("h2", None, "Rules that do not hold", element("span", {"class": "count"}, told)),
        page.filters(choices, "rows", "Show rules"),
        *shown,
    )


def _family(report: Report, family: str) -> Html:
    results = [result for result in report.results if result.row.family == family]
    held = {result.outcome.verdict.value for result in results}
    absent = " ".join(f"no-{kind}" for kind in KINDS if kind not in held)
    title, unseen = report.families.get(family, ("", ""))
    return element(
        "section",
        {"class": f"family {absent}".strip()},
        element("h3", None, family, element("span", {"class": "count"}, clean(title)) if title else None),
        element(
            "ol",
            {"class": "rows"},
            *(short(r) if r.outcome.verdict is Verdict.FAIL else full(r) for r in results),
        ),
        element("p", {"class": "note"}, f"Cannot see {clean(unseen)}.") if unseen else None,
    )


def _waived(report: Report) -> Html | None:
    waived = [(result.row, finding) for result in report.results for finding in result.waived]
    if not waived:
        return None
    lines = [
        element(
            "tr",
            None,
            element("th", {"scope": "row", "class": "narrow"}, row.id),
            element("td", None, _text(finding)),
        )
        for row, finding in waived[:MOST]
    ]
    more = len(waived) - MOST
    return element(
        "section",
        None,
        element("h2", None, "Waived", element("span", {"class": "count"}, count(len(waived), "finding"))),
        element("div", {"class": "scroll"}, element("table", None, element("tbody", None, *lines))),
        element("p", {"class": "note"}, f"and {more:,} more") if more > 0 else None,
    )


def _text(finding: Finding) -> Html:
    return join([element("code", None, clean(finding.place())), f" {clean(mask(finding.message))}".rstrip()])


def could_not_run(message: str, remedy: str, exit_code: int) -> str:
    """A page that says why nothing was judged, and what mends it."""
    body = element(
        "article",
        {"class": "repo is-short", "id": "rows"},
        element(
            "header",
            {"class": "banner"},
            element("h1", None, "goblin-verify could not run"),
            element("p", {"class": "lead"}, clean(message)),
            mending([clean(remedy)]) if remedy else None,
            element("p", {"class": "note"}, f"Exit {exit_code}: no rule was judged."),
        ),
    )
    return page.page(
        "Could not run - goblin-verify",
        style(KINDS, STYLE),
        "#rows Skip to the reason",
        page.top("goblin-verify", __version__, clock.stamp()),
        element("main", {"id": "main"}, body),
    )
