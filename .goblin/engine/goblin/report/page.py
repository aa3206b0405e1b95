"""What every page is made of: one self-contained file, readable in a minute, without script.

It loads nothing, so it can be mailed, archived and opened offline, and a policy in the page forbids
it to. Every text of the repository goes through `markup`, which escapes it; links lead inside the page
and nowhere else.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256

from goblin.report.markup import Child, Html, element
from goblin.report.words import day


def page(title: str, sheet: str, skip_to: str, *body: Child) -> str:
    """A whole page. `sheet` is its style; the first link of the page leads to the place `skip_to` names."""
    digest = b64encode(sha256(sheet.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    place, text = skip_to.split(" ", 1)
    whole = element(
        "html",
        {"lang": "en"},
        element(
            "head",
            None,
            element("meta", {"charset": "utf-8"}),
            element("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
            element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
            element("meta", {"name": "color-scheme", "content": "light dark"}),
            element("meta", {"name": "referrer", "content": "no-referrer"}),
            element("title", None, title),
            element("style", None, Html(sheet)),
        ),
        element("body", None, element("a", {"class": "skip", "href": place}, text), *body),
    )
    return f"<!doctype html>\n{whole}\n"


def top(name: str, version: str, at: str) -> Html:
    """The line above a page: what it is, and which release made it when (`at`, a UTC stamp, or "")."""
    made = f"goblin {version}, {day(at)} {at[11:16]} UTC" if at else None
    return element("header", {"class": "top"}, element("span", None, name), element("span", None, made))


def foot(*paragraphs: Child) -> Html:
    """What stands below a page."""
    return element("footer", {"class": "foot"}, *(element("p", None, text) for text in paragraphs))


def facts(told: Iterable[tuple[str, str, str]]) -> Html:
    """Figures in a box: of each its name, its value, and what puts it in proportion."""
    return element(
        "dl",
        {"class": "facts"},
        *(
            element(
                "div",
                None,
                element("dt", None, name),
                element("dd", None, value, element("small", None, more) if more else None),
            )
            for name, value, more in told
        ),
    )


def filters(choices: Iterable[tuple[str, str]], name: str, legend: str) -> Html:
    """One choice of a kind of rows, of which the first is taken; the style does the rest."""
    return element(
        "fieldset",
        {"class": "filters"},
        element("legend", None, legend),
        *(
            element(
                "label",
                None,
                element(
                    "input", {"type": "radio", "name": name, "id": f"show-{kind}", "checked": kind == "all"}
                ),
                element("span", None, text),
            )
            for kind, text in choices
        ),
    )
