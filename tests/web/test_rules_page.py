"""The page of a run of the rules in a real browser: what a reader sees, can reach, and is safe from."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from goblin.engine import Report, Result
from goblin.outcome import Finding, Outcome, advisory, failed, passed, skipped
from goblin.report.html import render
from goblin.report.html_rows import MOST
from tests.report.test_text import report, result
from tests.support import Repo, run_cli
from tests.web.conftest import NARROW, WIDE, Open, Seen
from tests.web.measure import accessibility, contrasts, sideways, tab_stops

FAMILIES = {
    "IN": ("The install record", "a record and a file edited together"),
    "HP": ("The handoff", "whether the prose is true"),
    "DOC": ("Documents", "meaning"),
    "BN": ("Bans", "code outside the globs"),
}
EVIL = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "</style><style>*{display:none}</style>",
    "&lt;b&gt; &#x3c;i&#x3e;",
    "\u202eoverride\u2066 \x1b[31m\x07",
    "https://example.invalid/collect?x=1",
    "{{7*7}} ${7*7} --> <!-- ]]>",
)  # fmt: skip


def found(name: str, outcome: Outcome, **cells: str) -> Result:
    """A row of its own rule, so that a reader can tell one from another."""
    return result(name, outcome, **{"rule": f"The rule of {name}", "blind_spot": "meaning", **cells})


def red() -> Report:
    """Two rows that fail, one of each other verdict, and two findings that are waived."""
    many = [Finding("src/app.ts", n, 5, "let x: any") for n in range(1, 61)]
    waived = (Finding("src/old.ts", 3, 1, "any"), Finding("src/older.ts", 9, 1, "any"))
    rows = (
        found("IN-01", passed("(3 files)", [Finding("a.txt", message="held")])),
        found("IN-02", skipped("no record")),
        found("HP-02", failed("two slots", [Finding("HANDOFF.md", 7, 0, "missing: State")])),
        found("DOC-01", advisory("x (advisory)"), enforced_by="advisory"),
        found("BN-01", failed("60 places\nand a second line", many, remedy="write unknown\nor waive it")),
        found("BN-02", passed("every finding is waived (2 waived)"))._replace(waived=waived),
    )
    return report(*rows, families=FAMILIES, notes=("judged by 2; the install here is 1",))


def green() -> Report:
    """Nothing fails."""
    rows = (
        found("IN-01", passed("(3 files)")),
        found("HP-02", passed("5 of 5")),
        found("BN-01", skipped("-")),
    )
    return report(*rows, families=FAMILIES)


def shown(page: Page) -> list[str]:
    """The ids of the rows that show, in the order in which they stand."""
    return page.locator("li.row:visible .when a").all_inner_texts()


def test_what_does_not_hold_comes_first_with_what_mends_it(show_page: Open) -> None:
    """The headline, the list, and both rows in full within the first screen; then every rule in order."""
    page = show_page(render(red()))
    assert page.title().startswith("2 rules do not hold: somewhere")
    assert page.locator("h1").inner_text() == "2 rules do not hold"
    assert page.locator(".lead").inner_text() == "2 passed, 2 failed, 1 advisory, 1 skipped."
    assert page.locator(".reasons li").all_inner_texts() == ["HP-02 two slots", "BN-01 60 places"]
    assert shown(page) == ["HP-02", "BN-01", "IN-01", "IN-02", "HP-02", "DOC-01", "BN-01", "BN-02"]
    assert page.locator("li.row").first.bounding_box()["y"] < 900  # type: ignore[index]
    first = page.locator("#f-BN-01")
    assert first.locator(".remedy pre").inner_text() == "write unknown\nor waive it"
    assert "and a second line" in first.inner_text()
    assert page.locator("#f-HP-02 .places").inner_text() == "HANDOFF.md:7 missing: State"
    assert "judged by 2; the install here is 1" in page.locator(".banner").inner_text()
    facts = page.locator(".facts").inner_text()
    for text in ("4 of 6 rules", "61 places", "in 2 files", "2 findings"):
        assert text in facts
    assert "src/older.ts:9:1 any" in page.locator("section:has(> h2:text('Waived'))").inner_text()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_filter_leaves_the_rules_of_one_verdict(show_page: Open, scripts: bool) -> None:
    """It needs no script; families without such a rule go with their headings, and `all` brings all back."""
    page = show_page(render(red()), scripts=scripts)
    everything = shown(page)
    wanted = {
        "failed": ["HP-02", "BN-01", "HP-02", "BN-01"],
        "advisory": ["DOC-01"],
        "skipped": ["IN-02"],
        "passed": ["IN-01", "BN-02"],
    }
    for name, ids in wanted.items():
        page.get_by_role("radio", name=re.compile(f"^{name} ")).check()
        assert shown(page) == ids
        heads = page.locator(".family h3:visible").all_inner_texts()
        assert [head.split()[0] for head in heads] == list(dict.fromkeys(i.split("-")[0] for i in ids))
    page.get_by_role("radio", name="all").check()
    assert shown(page) == everything


def test_long_lists_fold_and_are_bounded(show_page: Open) -> None:
    """Twenty places stand open, the rest unfolds, and what is left out is counted."""
    findings = [Finding("a.py", n, 0, f"place {n}") for n in range(1, MOST + 8)]
    page = show_page(render(report(found("BN-01", failed("many", findings)))), scripts=False)
    row = page.locator("#f-BN-01")
    assert row.locator(".places li:visible").count() == 20
    row.locator("summary", has_text="more places").click()
    assert row.locator(".places li:visible").count() == MOST
    assert "and 7 more: goblin-verify --only BN-01 --format json" in row.inner_text()


def test_a_cell_leads_to_its_rule_and_says_what_it_is(show_page: Open) -> None:
    """By sign and number too, not by colour alone; a rule that fails is told once, above."""
    page = show_page(render(red()))
    cells = page.locator(".cell")
    assert cells.all_text_contents()[:3] == [
        "IN-01 passed\u271301",
        "IN-02 skipped\u201302",
        "HP-02 failed\u271502",
    ]
    cells.nth(2).click()
    assert page.evaluate("document.querySelector(':target').id") == "f-HP-02"
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))
    targets = page.evaluate("[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))")
    assert {target[1:] for target in targets} <= set(ids)


def test_a_green_page_looks_like_one_and_a_red_one_has_nothing_green(show_page: Open) -> None:
    """The same measure, on both; a run that checked nothing is neither."""
    script = """() => {
      const probe = document.body.appendChild(document.createElement('i'));
      const root = getComputedStyle(document.documentElement);
      const named = ['--green', '--green-tint'].map((name) => {
        probe.style.color = root.getPropertyValue(name);
        return getComputedStyle(probe).color;
      });
      probe.remove();
      return [...document.querySelectorAll('body *')].filter((one) => {
        const style = getComputedStyle(one);
        return [style.color, style.backgroundColor, style.borderLeftColor].some((one) => named.includes(one));
      }).length;
    }"""
    assert show_page(render(red())).evaluate(script) == 0
    page = show_page(render(green()))
    assert page.locator("h1").inner_text() == "Every rule that was checked holds"
    assert page.evaluate(script) > 3
    nothing = show_page(render(report(found("IN-01", skipped("-")))))
    assert nothing.locator("h1").inner_text() == "No rule was checked"
    assert nothing.evaluate(script) == 0


def test_the_keyboard_reaches_everything_and_shows_where_it_is(show_page: Open) -> None:
    """The way past the top first, then the filter by arrows, then rules and folded parts."""
    page = show_page(render(red()))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the rules"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "show-all"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "show-FAIL"
    assert shown(page) == ["HP-02", "BN-01", "HP-02", "BN-01"]
    page.keyboard.press("ArrowLeft")
    stops = tab_stops(page)
    assert {tag for tag, _, _ in stops} == {"A", "SUMMARY"}
    assert all(style == "solid" and wide >= 2 for _, style, wide in stops)
    assert len(stops) > 15


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("make", [red, green])
def test_it_is_readable_and_the_rules_of_accessibility_hold(
    show_page: Open, scheme: str, make: Callable[[], Report]
) -> None:
    """WCAG 2 AA contrast of every text in both schemes, and all that axe-core checks."""
    page = show_page(render(make()), scheme=scheme)
    measured = contrasts(page)
    assert len(measured) > 40
    assert [one for one in measured if one.ratio < 4.5] == []
    broken, held = accessibility(page)
    assert broken == []
    assert held > 20


@pytest.mark.parametrize("width", [NARROW, 520, WIDE])
def test_nothing_sticks_out_sideways(show_page: Open, width: int) -> None:
    """Down to 360 pixels, with words and paths that have no place to break."""
    long = "x" * 300
    rows = [
        found(
            "HP-02",
            failed(f"{long}\n{long}", [Finding(f"{long}/{long}", 1, 1, long)], remedy=long),
            rule=long,
        ),
        found("IN-01", passed(long, [Finding(long, message="\u4f60" * 200)]), artifact=long, blind_spot=long),
        *(found(f"BN-{n:02}", skipped("-")) for n in range(40)),
    ]
    page = show_page(render(report(*rows, root=f"/{long}", notes=(long,))), width=width)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert sideways(page) == (0, [])


def test_hostile_names_are_text(show_page: Open, seen: Seen) -> None:
    """A path, a message, a rule, a remedy, a title, a note, a root: readable, and none does anything."""
    rows = [
        found("HP-02", failed(evil, [Finding(evil, 1, 1, evil)], remedy=evil), rule=evil, artifact=evil)
        for evil in EVIL
    ]
    families = {"HP": (EVIL[0], EVIL[1])}
    told = report(*rows, root=f"/{EVIL[3]}", families=families, notes=EVIL, class_name=EVIL[0])
    page = show_page(render(told))
    assert "owned" not in page.title().replace(EVIL[0], "")
    assert page.evaluate("document.title").startswith("8 rules do not hold")
    assert page.locator("script, iframe, object, embed, form, link, base, img, svg").count() == 0
    places = page.locator(".places code").all_inner_texts()
    assert places[0] == f"{EVIL[0]}:1:1"
    assert places[5] == r"\u202eoverride\u2066 \x1b[31m\x07:1:1"
    assert page.locator(".remedy pre").first.inner_text() == EVIL[0]
    targets = page.evaluate(
        "[...document.querySelectorAll('[href], [src], [action]')].map((one) => one.getAttribute('href'))"
    )
    assert all(target.startswith("#") for target in targets)
    attributes = page.evaluate(
        "[...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())"
    )
    assert [name for name in attributes if name.startswith("on") or name == "style"] == []
    assert len(seen.asked) == 1


def test_on_paper_and_with_forced_colours_nothing_is_lost(show_page: Open) -> None:
    """Filters go, rows stay; cells have an edge of the person's own colour."""
    page = show_page(render(red()))
    page.emulate_media(media="print")
    assert not page.locator(".filters").is_visible()
    assert len(shown(page)) == 8
    page.emulate_media(media="screen", forced_colors="active")
    assert page.locator(".cell").first.evaluate("(one) => getComputedStyle(one).borderTopStyle") == "solid"


def test_a_real_run_is_one_file(show_page: Open, sample: Repo, tmp_path: Path) -> None:
    """`--output html=FILE` beside the text, with the commit that was judged; a credential is never shown."""
    token = "ghp_" + "a" * 36
    sample.commit("Add", {"src/a<b>&c.ts": f"const k: any = '{token}'\n"})
    target = tmp_path / "rules.html"
    done = run_cli("goblin-verify", "--only", "SC-10,BN-01,HP-01", "--output", f"html={target}", cwd=sample)
    assert done.code == 1
    text = target.read_text(encoding="utf-8")
    assert token not in text
    page = show_page(text)
    assert page.locator("h1").inner_text() == "2 rules do not hold"
    assert page.locator("#f-BN-01 .places code").inner_text().startswith("src/a<b>&c.ts:1:")
    head = sample.git("rev-parse", "HEAD").strip()[:12]
    assert page.locator(".goal code").inner_text() == f"main at {head}"
