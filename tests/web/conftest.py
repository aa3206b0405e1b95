"""A browser for the session, and pages opened in it the way a reader opens them: from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request

from goblin.loop.audit import Audit, Check, Lane, audit
from goblin.report.audit_html import render
from goblin.report.audit_words import Set
from tests.support import Repo
from tests.support.browser import opened

WIDE, NARROW = 1100, 360
CHECKS = (
    Check("LP-01", "PASS", ("one command, and it ran first",), ""),
    Check(
        "LP-04", "FAIL", ("no progress, and no green: rows 6 to 9", "decisions.tsv:6: rests on it"), "stop"
    ),
    Check("JG-02", "ADV", ("no model mapping",), ""),
    Check("RN-01", "SKIP", ("no event log",), ""),
)
LANES = (Lane("author", ("coder",), "roles"), Lane("judge", ("judge",), "roles"))


class Seen(NamedTuple):
    """What a page did beside showing itself; each list must stay empty but for `asked`, the page itself."""

    asked: list[str]  # addresses
    said: list[str]  # on the console, and uncaught errors
    dialogs: list[str]


Open = Callable[..., Page]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One running browser."""
    with opened(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture
def seen() -> Seen:
    """What the pages of this test did."""
    return Seen([], [], [])


@pytest.fixture
def show_page(browser: Browser, tmp_path: Path, seen: Seen) -> Iterator[Open]:
    """Open a page from its text; afterwards nothing may have been said, asked for or popped up."""
    contexts = []

    def open_(text: str, *, scheme: str = "light", width: int = WIDE, scripts: bool = True) -> Page:
        target = tmp_path / "page.html"
        target.write_text(text, encoding="utf-8")
        context = browser.new_context(
            color_scheme=scheme,  # type: ignore[arg-type]
            viewport={"width": width, "height": 900},
            java_script_enabled=scripts,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("request", lambda request: seen.asked.append(request.url))
        page.on("requestfailed", lambda request: _blocked(request, seen))
        page.on("console", lambda message: seen.said.append(message.text))
        page.on("pageerror", lambda error: seen.said.append(str(error)))
        page.on("dialog", lambda dialog: _dismiss(dialog, seen))
        page.goto(target.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert seen.said == []
    assert seen.dialogs == []
    assert {address.partition("#")[0] for address in seen.asked} <= {(tmp_path / "page.html").as_uri()}


@pytest.fixture
def show(show_page: Open) -> Open:
    """Open the page of some audits."""

    def open_(*audits: Audit, without: tuple[str, ...] = (), **settings: object) -> Page:
        return show_page(render(Set(audits, without, "0.1.0", "2026-09-25T06:10:00Z")), **settings)

    return open_


def _dismiss(dialog: Dialog, seen: Seen) -> None:
    seen.dialogs.append(dialog.message)
    dialog.dismiss()


def _blocked(request: Request, seen: Seen) -> None:
    """A request that the page's own policy stopped has asked nobody for anything."""
    if request.failure == "csp":
        seen.asked.remove(request.url)


def audited(repo: Repo, checks: tuple[Check, ...] = CHECKS) -> Audit:
    """The audit of a repository, as its rules and lanes would make it."""
    found = audit(str(repo.root), checks=checks, lanes=LANES)
    assert found is not None
    return found
