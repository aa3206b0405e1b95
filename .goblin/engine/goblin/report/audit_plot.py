"""The timeline of a run as one SVG: a column a turn, a lane a result, and below them the evidence.

Place says what colour says too: each result has a lane of its own, a new pointer is a tall bar and the
same one again a low bar. The drawing is stretched to the page's width, so it holds rectangles alone; words
stand around it as HTML, and its caption says in words what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from goblin.loop.audit import Audit
from goblin.loop.turns import KINDS, Tick
from goblin.report.audit_words import KIND
from goblin.report.markup import Html, element, join
from goblin.report.words import count, moment, span

LANE = 20  # height of a lane; the style gives its label the same
POINTER = 26
COLUMN = 10
GAP = 6
WIDEST = 22  # pixels of a column where there is room


def plot(audit: Audit, links: Mapping[int, str], heading: str) -> Html | None:
    """The figure, or None for a run without a row. `links` goes from a line to the id of its row."""
    ticks = audit.timeline
    if not ticks:
        return None
    lanes = [kind for kind in reversed(KINDS) if any(kind in dict(tick.kinds) for tick in ticks)]
    lanes.sort(key=lambda kind: kind == "log")
    width = len(ticks) * COLUMN + sum(GAP for tick in ticks if tick.gap)
    height = len(lanes) * LANE + POINTER
    pixels = round(width / COLUMN * WIDEST)
    drawing = element(
        "svg",
        {
            "aria-hidden": "true", "viewBox": f"0 0 {width} {height}", "width": pixels, "height": height,
            "preserveAspectRatio": "none",
        },
        *_rules(lanes, width),
        *_columns(ticks, lanes, links),
    )  # fmt: skip
    labels = [element("span", None, KIND[kind]) for kind in lanes]
    labels.append(element("span", {"class": "pointer"}, "evidence"))
    ends = element(
        "div",
        {"class": "axis"},
        element("span", None, moment(audit.rows[0].at) if audit.rows and audit.rows[0].at else "start"),
        element("span", None, moment(audit.ended)) if len(ticks) > 3 else None,
    )
    return element(
        "figure",
        {"class": "plot", "role": "group"},
        element(heading, None, "Turn by turn"),
        element(
            "div",
            {"class": "grid"},
            element("div", {"class": "lanes", "aria-hidden": "true"}, *labels),
            element("div", {"class": "drawing"}, drawing, ends),
        ),
        element("figcaption", None, caption(audit)),
    )


def caption(audit: Audit) -> str:
    """What the drawing shows, in words."""
    ticks = audit.timeline
    moved = sum(tick.moved for tick in ticks)
    still = sum(tick.still for tick in ticks)
    words = [
        f"{count(moved, 'turn')} on new evidence (tall bars), {still:,} on the same as before (low bars)."
    ]
    if any(tick.first != tick.last for tick in ticks):
        each = -(-audit.counts.rows // len(ticks))
        words.insert(0, f"Each column stands for up to {count(each, 'row')}.")
    if audit.streaks:
        longest = audit.streaks[0]
        lines = f"lines {longest.lines[0]} to {longest.lines[-1]}"
        words.append(f"Longest stay on one pointer: {len(longest.lines):,} rows, {lines}.")
    if audit.gaps:
        pauses = ", ".join(f"{span(gap.seconds)} before line {gap.line}" for gap in audit.gaps[:3])
        words.append(f"Gaps (grey columns): {pauses}.")
    return " ".join(words)


def _rules(lanes: list[str], width: int) -> Iterator[Html]:
    for bottom in [*range(LANE, len(lanes) * LANE + 1, LANE), len(lanes) * LANE + POINTER]:
        yield element("rect", {"class": "m-rule", "x": 0, "y": bottom - 1, "width": width, "height": 1})


def _columns(ticks: tuple[Tick, ...], lanes: list[str], links: Mapping[int, str]) -> Iterator[Html]:
    x = 0
    floor = len(lanes) * LANE + POINTER
    for tick in ticks:
        if tick.gap:
            yield element("rect", {"class": "m-gap", "x": x, "y": 0, "width": GAP, "height": floor})
            x += GAP
        marks = join(_marks(tick, lanes, x, floor))
        words = element("title", None, _words(tick))
        link = links.get(tick.first)
        if link:
            yield element("a", {"href": f"#{link}", "tabindex": "-1"}, words, marks)
        else:
            yield element("g", None, words, marks)
        x += COLUMN


def _marks(tick: Tick, lanes: list[str], x: int, floor: int) -> Iterator[Html]:
    for kind, _ in tick.kinds:
        y = lanes.index(kind) * LANE + 3
        yield element(
            "rect", {"class": f"m m-{kind}", "x": x + 1, "y": y, "width": COLUMN - 2, "height": LANE - 7}
        )
    high = 18 if tick.moved else 6 if tick.still else 0
    if high:
        shade = "m-moved" if tick.moved else "m-still"
        yield element(
            "rect",
            {"class": f"m {shade}", "x": x + 1, "y": floor - high, "width": COLUMN - 2, "height": high},
        )


def _words(tick: Tick) -> str:
    lines = f"line {tick.first}" if tick.first == tick.last else f"lines {tick.first} to {tick.last}"
    kinds = ", ".join(f"{number} {KIND[kind]}" if number > 1 else KIND[kind] for kind, number in tick.kinds)
    evidence = f"{tick.moved} new, {tick.still} same evidence"
    if tick.first == tick.last:
        evidence = "new evidence" if tick.moved else "same evidence" if tick.still else "no evidence"
    gap = f", after {span(tick.gap)}" if tick.gap else ""
    at = moment(tick.at.strftime("%Y-%m-%dT%H:%M:%SZ")) if tick.at else ""
    return f"{lines}: {kinds}, {evidence}{gap}" + (f" ({at})" if at else "")
