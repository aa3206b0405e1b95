"""The page of an audit in a real browser: what a reader sees, can reach, and is safe from."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from goblin.loop.audit import refused, worst_first
from goblin.loop.turns import KINDS
from tests.support.loops import STUCK, green_run, loop_repo, red_run, row
from tests.web.conftest import NARROW, WIDE, Open, Seen, audited
from tests.web.measure import accessibility, contrasts, sideways, tab_stops

ATTENTION, LAST = (
    "section:has(> h2:text('Rows that did not reach the goal'))",
    "section:has(> h2:text('The last'))",
)


def lines(page: Page, section: str) -> list[str]:
    """The rows that show in a section, by the line that they name, in the order in which they stand."""
    rows = page.locator(f"{section} li.row:visible .when a")
    return [text.removeprefix("line ") for text in rows.all_inner_texts()]


def test_what_did_not_reach_the_goal_comes_first_then_the_last_five(show: Open, tmp_path: Path) -> None:
    """In order, from the top of the page downwards, below what it came to."""
    page = show(audited(red_run(tmp_path / "repo")))
    assert page.locator("h1").inner_text() == "Did not reach its goal"
    assert page.title().startswith("Did not reach its goal: repo")
    assert lines(page, ATTENTION) == ["3", "4", "5", "6", "7", "8", "9", "10", "11"]
    assert lines(page, LAST) == ["7", "8", "9", "10", "11"]
    tops = [page.locator(one).bounding_box() for one in ("h1", ATTENTION, LAST, "h2:text('The record')")]
    heights = [box["y"] for box in tops if box]
    assert len(heights) == 4
    assert heights == sorted(heights)


def test_the_first_screen_holds_the_first_row(show: Open, tmp_path: Path) -> None:
    """The reader has a minute: what it came to, what is wrong, and where it began to go wrong."""
    page = show(audited(red_run(tmp_path)))
    box = page.locator("li.row").first.bounding_box()
    assert box
    assert box["y"] < 900


def test_each_pointer_is_readable(show: Open, tmp_path: Path) -> None:
    """A subject and a date, a file's state, the end of an output that unfolds, the reason of what is lost."""
    page = show(audited(red_run(tmp_path)))
    told = page.locator(ATTENTION).inner_text()
    for text in ("Parse the nested case 24 Sep 22:10", "last commit", "FAILED tests/test_parser.py"):
        assert text in told
    assert "file:out/report.txt is no file that git tracks" in told
    output = page.locator(f"{ATTENTION} details").first
    assert not output.locator("pre").is_visible()
    output.locator("summary").click()
    assert "collected 17 items" in output.locator("pre").inner_text()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_filter_leaves_the_rows_of_one_result(show: Open, tmp_path: Path, scripts: bool) -> None:
    """It needs no script; a list that is empty then says so, and `all` brings everything back."""
    page = show(audited(red_run(tmp_path)), scripts=scripts)
    everything = lines(page, ATTENTION)
    for name, kept, last in (("red", 7, 4), ("stuck", 1, 1), ("parked", 1, 0)):
        page.get_by_role("radio", name=name).check()
        shown = page.locator(f"{ATTENTION} li.row:visible")
        assert shown.count() == kept
        assert page.locator(f"{ATTENTION} li.row.k-{name}:visible").count() == kept
        assert len(lines(page, LAST)) == last
        assert page.locator(f"{LAST} .none").is_visible() is (last == 0)
    page.get_by_role("radio", name="all").check()
    assert lines(page, ATTENTION) == everything
    assert page.locator(".none:visible").count() == 0


def test_without_scripts_the_page_is_whole(show: Open, tmp_path: Path) -> None:
    """The same rows in the same order, and outputs unfold."""
    page = show(audited(red_run(tmp_path)), scripts=False)
    assert lines(page, ATTENTION) == ["3", "4", "5", "6", "7", "8", "9", "10", "11"]
    page.locator(f"{ATTENTION} summary").first.click()
    assert page.locator(f"{ATTENTION} pre").first.is_visible()


def test_the_keyboard_reaches_everything_and_shows_where_it_is(show: Open, tmp_path: Path) -> None:
    """The way past the top first, then the choice of a result by arrows, then rows and folded parts."""
    page = show(audited(red_run(tmp_path)))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the rows"
    assert page.locator(".skip").bounding_box()["x"] >= 0  # type: ignore[index]
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "show-all"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "show-stuck"
    assert lines(page, ATTENTION) == ["11"]
    page.keyboard.press("ArrowLeft")
    stops = tab_stops(page)
    assert {tag for tag, _, _ in stops} == {"A", "SUMMARY"}
    assert all(style == "solid" and wide >= 2 for _, style, wide in stops)
    assert len(stops) < 40


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("run", ["red", "green", "running"])
def test_every_text_and_mark_stands_out(show: Open, tmp_path: Path, scheme: str, run: str) -> None:
    """WCAG 2 AA: 4.5 to 1 for text of any size, 3 to 1 for marks, in both schemes."""
    found = audited(red_run(tmp_path) if run == "red" else green_run(tmp_path))
    if run == "running":
        found = found._replace(state="running", headline="Still running")
    page = show(found, scheme=scheme)
    page.get_by_role("radio", name="red").check()
    page.get_by_role("radio", name="all").check()
    measured = contrasts(page)
    assert len(measured) > 60
    assert [one for one in measured if one.ratio < (3 if one.what.startswith("mark ") else 4.5)] == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_of_row_stands_out(show: Open, tmp_path: Path, kind: str, scheme: str) -> None:
    """Also those that no sound run has."""
    found = audited(green_run(tmp_path))
    rows = tuple(one._replace(kind=kind, faults=("a fault",)) for one in found.rows)
    ticks = tuple(tick._replace(kinds=((kind, 1),)) for tick in found.timeline)
    page = show(found._replace(rows=rows, timeline=ticks), scheme=scheme)
    measured = contrasts(page)
    assert [one for one in measured if one.ratio < (3 if one.what.startswith("mark ") else 4.5)] == []


def test_contrast_is_really_measured(show: Open, tmp_path: Path) -> None:
    """The measure sees a text that is too pale, so an empty list means something."""
    page = show(audited(green_run(tmp_path)))
    page.evaluate("document.querySelector('.lead').style.color = '#999999'")
    pale = [one for one in contrasts(page) if one.ratio < 4.5]
    assert [one.what[:4] for one in pale] == ["3 of"]


def test_a_red_run_has_nothing_green_on_it(show: Open, tmp_path: Path) -> None:
    """No badge, no line and no mark in the colours of success, whatever passed meanwhile."""
    page = show(audited(red_run(tmp_path)))
    green = page.evaluate(
        """() => {
          const root = getComputedStyle(document.documentElement);
          const probe = document.body.appendChild(document.createElement('i'));
          const named = ['--green', '--green-tint'].map((name) => {
            probe.style.color = root.getPropertyValue(name);
            return getComputedStyle(probe).color;
          });
          probe.remove();
          return [...document.querySelectorAll('body *')].filter((one) => {
            const style = getComputedStyle(one);
            const used = [style.color, style.backgroundColor, style.fill, style.borderLeftColor];
            return used.some((colour) => named.includes(colour));
          }).map((one) => one.outerHTML.slice(0, 100));
        }"""
    )
    assert green == []


def test_a_green_run_looks_like_one(show: Open, tmp_path: Path) -> None:
    """The measure above bites: here the same colours are found."""
    page = show(audited(green_run(tmp_path), ()))
    assert page.locator("article.is-reached h1").inner_text() == "Reached its goal"
    colour = page.locator("h1").evaluate("(one) => getComputedStyle(one).color")
    assert colour == "rgb(20, 99, 58)"


EVIL = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "\"><svg onload=alert(1)>",
    "</style><style>*{display:none}</style>",
    "&lt;b&gt; &#x3c;i&#x3e;",
    "\u202eoverride\u2066 \x1b[31m\x07",
    "https://example.invalid/collect?x=1",
    "{{7*7}} ${7*7} --> <!-- ]]>",
)  # fmt: skip


def test_hostile_cells_are_text(show: Open, seen: Seen, tmp_path: Path) -> None:
    """Every one of them is readable as it was written; none does anything."""
    rows = [
        row(f"00:{n:02}", cell, f"file:{cell}, sha:{cell}", cell, f"verdict:{cell}", cell)
        for n, cell in enumerate(EVIL)
    ]
    repo = loop_repo(tmp_path / "repo", rows, stuck__md="\n".join(EVIL) + STUCK, predicate=EVIL[0] + "\n")
    page = show(audited(repo))
    assert "owned" not in page.title()
    assert page.locator("script, iframe, object, embed, form, link, base, img").count() == 0
    whys = page.locator(f"{ATTENTION} .why").all_inner_texts()
    assert whys[:5] == list(EVIL[:5])
    assert whys[6] == r"\u202eoverride\u2066 \x1b[31m\x07"
    assert page.locator(".goal code").inner_text() == EVIL[0]
    targets = page.evaluate(
        "[...document.querySelectorAll('[href], [src], [action]')].map((one) => one.getAttribute('href'))"
    )
    assert targets
    assert all(target.startswith("#") for target in targets)
    attributes = page.evaluate(
        "[...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())"
    )
    assert [name for name in attributes if name.startswith("on") or name == "style"] == []
    assert len(seen.asked) == 1


def test_the_page_forbids_itself_to_load_anything(show: Open, seen: Seen, tmp_path: Path) -> None:
    """Even if something slipped in, its policy keeps it from running or being fetched."""
    page = show(audited(green_run(tmp_path)))
    ran = page.evaluate(
        """() => new Promise((done) => {
          const broken = [];
          document.addEventListener('securitypolicyviolation', (event) => {
            broken.push(event.effectiveDirective);
            if (broken.length === 3) done(broken.sort());
          });
          const script = document.createElement('script');
          script.textContent = 'window.owned = true';
          const image = document.createElement('img');
          image.src = 'https://example.invalid/x.png';
          const style = document.createElement('style');
          style.textContent = '* { display: none }';
          document.body.append(script, image, style);
        })"""
    )
    assert ran == ["img-src", "script-src-elem", "style-src-elem"]
    assert page.evaluate("window.owned") is None
    assert page.locator("h1").is_visible()
    seen.said.clear()  # the browser says on the console what the policy stopped
    assert len(seen.asked) == 1


@pytest.mark.parametrize("width", [NARROW, 520, 800, WIDE, 1600])
def test_nothing_sticks_out_sideways(show: Open, tmp_path: Path, width: int) -> None:
    """Down to 360 pixels, with words and paths that have no place to break."""
    long = "x" * 300
    rows = [
        row("00:10", long, f"file:{long}/{long}", long, f"verdict:{long}", long),
        row("00:20", why="\u4f60" * 200),
    ]
    repo = loop_repo(tmp_path / ("deep" * 20), rows, stuck__md=f"{long}\n{STUCK}", predicate=f"test {long}\n")
    page = show(audited(repo), width=width)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert sideways(page) == (0, [])


def test_many_runs_are_one_page_worst_first(show: Open, tmp_path: Path) -> None:
    """A table of them that leads to each, one filter for all, and those without a record by name."""
    audits = worst_first(
        [
            audited(green_run(tmp_path / "fine"), ()),
            audited(red_run(tmp_path / "poor")),
            refused(str(tmp_path / "odd"), ".goblin is a symbolic link"),
        ]
    )
    page = show(*audits, without=("bare",))
    assert page.locator("h1").inner_text() == "2 of 3 runs have not reached the goal"
    assert page.locator("nav tbody th").all_inner_texts() == ["odd", "poor", "fine"]
    assert page.locator("article h2").all_inner_texts() == [
        "The record cannot be read",
        "Did not reach its goal",
        "Reached its goal",
    ]
    assert "Without a loop record: bare." in page.locator("main").inner_text()
    page.locator("nav a", has_text="fine").click()
    assert page.locator("article.is-reached").bounding_box()["y"] < 450  # type: ignore[index]
    page.get_by_role("radio", name="green").check()
    assert page.locator("li.row:visible").count() == page.locator("li.row.k-goal:visible").count() > 0


def test_a_large_run_says_what_it_leaves_out(show: Open, tmp_path: Path) -> None:
    """The worst rows in order, the count of the others, and a drawing that is shared out."""
    rows = [
        row(f"0{n // 60 % 10}:{n % 60:02}", evidence="file:src/app.py", why=f"turn {n}") for n in range(600)
    ]
    rows[300] = row("05:00", "stuck", why="in the middle")
    page = show(audited(loop_repo(tmp_path, rows, stuck__md=STUCK)))
    shown = [int(line) for line in lines(page, ATTENTION)]
    assert len(shown) == 200
    assert shown == sorted(shown)
    assert 302 in shown
    assert (
        "400 more rows did not reach the goal; the 200 worst are shown."
        in page.locator(ATTENTION).inner_text()
    )
    assert "Each column stands for up to 3 rows." in page.locator("figcaption").inner_text()
    assert page.locator(".drawing svg > g, .drawing svg > a").count() == 200


def test_a_mark_of_the_drawing_leads_to_its_row(show: Open, tmp_path: Path) -> None:
    """With a mouse; its words name the row for whoever hovers."""
    page = show(audited(red_run(tmp_path)))
    mark = page.locator(".drawing a", has_text="line 11:")
    assert "stuck, new evidence" in str(mark.locator("title").text_content())
    mark.locator("rect").first.click()
    assert page.evaluate("document.querySelector(':target').id") == "r0-a11"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("many", [False, True], ids=["one run", "many runs"])
def test_the_rules_of_accessibility_hold(show: Open, tmp_path: Path, scheme: str, many: bool) -> None:
    """All that axe-core checks: names, roles, landmarks, headings, contrast, and its best practices."""
    audits = [audited(red_run(tmp_path / "red"))]
    if many:
        audits += [audited(green_run(tmp_path / "green")), refused("/elsewhere", "a link")]
    page = show(*audits, scheme=scheme)
    broken, held = accessibility(page)
    assert broken == []
    assert held > 20


def test_colours_that_a_person_forces_keep_the_page_readable(show: Open, tmp_path: Path) -> None:
    """In a high-contrast mode marks and badges are drawn with the person's own colours."""
    page = show(audited(red_run(tmp_path)))
    page.emulate_media(forced_colors="active")
    assert page.locator("svg rect.m").first.evaluate("(one) => getComputedStyle(one).fill") == "rgb(0, 0, 0)"
    assert page.locator(".badge").first.evaluate("(one) => getComputedStyle(one).borderTopStyle") == "solid"


def test_on_paper_nothing_is_lost(show: Open, tmp_path: Path) -> None:
    """Filters go, rows stay, and no row is torn apart."""
    page = show(audited(red_run(tmp_path)))
    page.emulate_media(media="print")
    assert not page.locator(".filters").is_visible()
    assert len(lines(page, ATTENTION)) == 9
    assert page.locator("li.row").first.evaluate("(one) => getComputedStyle(one).breakInside") == "avoid"
