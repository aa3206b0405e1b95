"""The style that every page shares: light and dark, narrow and wide, on paper, and with forced colours.

It is one string because the engine travels as Python source alone. Nothing in it names a file or an
address, so a page needs nothing but itself.
"""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --ink: #1b2027; --soft: #535d6b; --line: #d8dde4; --well: #eef0f3;
  --link: #0b57a4; --focus: #0b57a4;
  --red: #a3211a; --red-tint: #fcebe9; --amber: #744700; --amber-tint: #fdf1d3;
  --green: #14633a; --green-tint: #e2f4e9; --violet: #5f3a94; --violet-tint: #f0e9fa;
  --still: #7f8b9a; --moved: #3f5974;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", "Liberation Mono", Menlo, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #121519; --card: #1a1e24; --ink: #e5e9ee; --soft: #a4aebb; --line: #323a45; --well: #232930;
    --link: #84bcff; --focus: #84bcff;
    --red: #ff9e95; --red-tint: #3a1f1e; --amber: #f0c56c; --amber-tint: #352810;
    --green: #7ed69e; --green-tint: #15301f; --violet: #c8acf8; --violet-tint: #2b2140;
    --still: #77859a; --moved: #a9c3e0;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere; }
h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
code, pre, .mono { font-family: var(--mono); font-size: 0.875em; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; top: 0; padding: 0.5rem 1rem; background: var(--card); z-index: 1; }
.skip:focus { left: 0; }
.hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
main, .top, .foot { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
.top {
  display: flex; flex-wrap: wrap; gap: 0 1.5rem; justify-content: space-between;
  padding-top: 1rem; padding-bottom: 0.75rem; color: var(--soft); font-size: 0.875rem;
}
.foot { padding-top: 2rem; padding-bottom: 3rem; color: var(--soft); font-size: 0.875rem; }
.soft { color: var(--soft); }

/* What it came to */
.banner {
  background: var(--tint); border: 1px solid var(--line); border-left: 0.4rem solid var(--hue);
  border-radius: 0.5rem; padding: 1.1rem 1.4rem 1.2rem;
}
.is-short, .is-unproven, .is-unreadable { --hue: var(--red); --tint: var(--red-tint); }
.is-reached { --hue: var(--green); --tint: var(--green-tint); }
.is-running, .is-started { --hue: var(--amber); --tint: var(--amber-tint); }
.banner h1, .banner h2 {
  font-size: 1.75rem; line-height: 1.2; font-weight: 650; color: var(--hue);
  letter-spacing: -0.01em;
}
.banner h2 { font-size: 1.4rem; }
.where { font-size: 0.875rem; margin-bottom: 0.35rem; }
.where b { font-weight: 600; }
.lead { margin-top: 0.35rem; font-size: 1.0625rem; }
.goal { margin-top: 0.8rem; display: flex; gap: 0.6rem; align-items: baseline; flex-wrap: wrap; }
.goal span, .reasons-title { font-size: 0.8125rem; font-weight: 600; }
.goal code {
  background: var(--card); border: 1px solid var(--line); border-radius: 0.3rem;
  padding: 0.15rem 0.5rem;
}
.reasons-title { margin-top: 0.9rem; }
.reasons li { position: relative; padding-left: 1.1rem; margin-top: 0.2rem; }
.reasons li::before {
  content: ""; position: absolute; left: 0.1rem; top: 0.6em; width: 0.4rem; height: 0.4rem;
  background: var(--hue); border-radius: 1px;
}
.glance {
  display: grid; grid-template-columns: minmax(15rem, 5fr) minmax(0, 7fr); gap: 1rem;
  margin-top: 1rem;
}
.facts {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  gap: 0.75rem 1.25rem; align-content: start;
}
.facts, .plot {
  background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem;
  padding: 0.9rem 1.25rem 1rem;
}
.facts dt { font-size: 0.8125rem; color: var(--soft); }
.facts dd { font-size: 1.0625rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.facts dd small { display: block; font-size: 0.8125rem; font-weight: 400; color: var(--soft); }

.plot h2, .plot h3 { font-size: 0.9375rem; margin-bottom: 0.75rem; }
.plot figcaption { margin-top: 0.75rem; font-size: 0.875rem; color: var(--soft); }

/* Sections and rows */
section { margin-top: 2rem; }
section > h2, section > h3 {
  font-size: 1.125rem; font-weight: 650; display: flex; flex-wrap: wrap; gap: 0 0.6rem;
  align-items: baseline;
}
section > h3 { font-size: 1.0625rem; }
.count { font-size: 0.875rem; font-weight: 400; color: var(--soft); }
.note { margin-top: 0.5rem; color: var(--soft); font-size: 0.9375rem; }
.filters { border: 0; margin-top: 0.75rem; display: flex; flex-wrap: wrap; gap: 0.4rem; min-width: 0; }
.filters legend { float: left; font-size: 0.875rem; color: var(--soft); padding: 0.2rem 0.3rem 0 0; }
.filters label { position: relative; cursor: pointer; }
.filters input {
  position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0;
  cursor: pointer;
}
.filters span {
  display: block; padding: 0.2rem 0.7rem; border: 1px solid var(--line); border-radius: 2rem;
  background: var(--card); font-size: 0.875rem; font-variant-numeric: tabular-nums;
}
.filters input:checked + span { background: var(--ink); border-color: var(--ink); color: var(--page); }
.filters input:focus-visible + span { outline: 3px solid var(--focus); outline-offset: 2px; }
@supports not selector(:has(a)) { .filters { display: none; } }
.rows { margin-top: 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; }
.row {
  display: grid; grid-template-columns: 8.25rem minmax(0, 1fr); gap: 0 1rem;
  padding: 0.8rem 1.1rem; border-left: 0.25rem solid transparent; scroll-margin-top: 1rem;
}
.row + .row { border-top: 1px solid var(--line); }
.row:first-child { border-top-left-radius: 0.5rem; } .row:last-child { border-bottom-left-radius: 0.5rem; }
.row:target { background: var(--well); }
.when { font-size: 0.8125rem; color: var(--soft); font-variant-numeric: tabular-nums; line-height: 1.6; }
.when time, .when .wait { display: block; }
.when a { color: var(--ink); font-weight: 600; font-size: 0.875rem; text-decoration: none; }
.when a:hover { text-decoration: underline; }
.long { color: var(--amber); font-weight: 600; }
.head { display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; align-items: center; font-size: 0.875rem; }
.badge {
  display: inline-block; padding: 0 0.5rem; border-radius: 0.3rem;
  font: 600 0.8125rem/1.6 var(--mono); background: var(--well); color: var(--ink);
}
.b-FAIL { background: var(--red-tint); color: var(--red); }
.b-ADV { background: var(--amber-tint); color: var(--amber); }
.is-reached .b-PASS { background: var(--green-tint); color: var(--green); }
.b-state { background: var(--tint); color: var(--hue); font-family: inherit; }
.why { margin-top: 0.25rem; font-size: 1rem; white-space: pre-wrap; }
.evidence { margin-top: 0.35rem; font-size: 0.9375rem; }
.evidence > li { margin-top: 0.15rem; padding-left: 1.25rem; position: relative; }
.evidence > li::before { position: absolute; left: 0; content: "\\2192"; color: var(--soft); }
.evidence > li.lost::before { content: "\\2715"; color: var(--red); }
.evidence .lost-why { color: var(--red); }
.fault { margin-top: 0.3rem; color: var(--red); font-size: 0.9375rem; }
details { margin-top: 0.35rem; font-size: 0.9375rem; }
summary { cursor: pointer; color: var(--link); width: fit-content; }
pre {
  margin-top: 0.4rem; padding: 0.7rem 0.9rem; background: var(--well); border-radius: 0.4rem;
  overflow-x: auto; white-space: pre-wrap; line-height: 1.45;
}
.write-up { margin-top: 0.75rem; background: var(--card); border: 1px solid var(--line); }
.none { display: none; margin-top: 0.75rem; color: var(--soft); }

/* Tables */
.scroll {
  margin-top: 0.75rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 0.5rem;
}
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
th, td { text-align: left; vertical-align: baseline; padding: 0.5rem 1.1rem; font-weight: 400; }
tbody tr + tr, thead + tbody tr { border-top: 1px solid var(--line); }
thead th { font-size: 0.8125rem; color: var(--soft); }
tbody th { font-weight: 600; white-space: nowrap; }
td .badge, th .badge { white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td .more { display: block; color: var(--soft); font-size: 0.875rem; }
.narrow { width: 1%; white-space: nowrap; }
.repo { margin-top: 3rem; }
.repo:first-of-type { margin-top: 0; } .filters + .repo { margin-top: 1.5rem; }
h1.page { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.01em; margin: 0.5rem 0 0; }

@media (max-width: 52rem) { .glance { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 40rem) {
  main, .top, .foot { padding-left: 0.85rem; padding-right: 0.85rem; }
  .banner { padding: 0.9rem 1rem 1rem; }
  .banner h1, h1.page { font-size: 1.4rem; }
  .row { grid-template-columns: minmax(0, 1fr); padding: 0.7rem 0.85rem; }
  .when { display: flex; flex-wrap: wrap; gap: 0 0.75rem; margin-bottom: 0.2rem; }
  .facts, .plot { padding: 0.85rem 1rem; }
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr { padding: 0.55rem 0.85rem; }
  th, td, td.number { padding: 0.05rem 0; text-align: left; width: auto; }
  .narrow { width: auto; }
}
@media (forced-colors: active) {
  .filters input:checked + span { border: 3px solid Highlight; }
  .badge { border: 1px solid; }
}
@media print {
  body { background: #fff; }
  .skip, .filters { display: none; }
  .row, .banner, tr { break-inside: avoid; }
}
"""

_SHOWN = """
main:has(#show-{kind}:checked) .row:not(.k-{kind}) {{ display: none; }}
main:has(#show-{kind}:checked) .none.no-{kind} {{ display: block; }}
main:has(#show-{kind}:checked) .rows.no-{kind} {{ display: none; }}
"""


def style(kinds: tuple[str, ...], more: str = "") -> str:
    """The whole style of a page: what all share, what is its own, and a filter for each kind of its rows."""
    return STYLE + more + "".join(_SHOWN.format(kind=kind) for kind in kinds)
