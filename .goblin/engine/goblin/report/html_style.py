"""What the style of the rules' page adds to that of all pages: the overview, places, and what mends them."""

from __future__ import annotations

STYLE = """
/* Every rule as one cell */
.glance.stacked { grid-template-columns: minmax(0, 1fr); }
.families {
  display: grid; gap: 0.25rem 1.25rem; grid-template-columns: repeat(auto-fill, minmax(14.5rem, 1fr));
}
.families li { display: flex; gap: 0.5rem; align-items: baseline; min-width: 0; }
.families .name { font: 600 0.8125rem/1.6 var(--mono); color: var(--soft); flex: 0 0 2.4rem; }
.cells { display: flex; flex-wrap: wrap; gap: 0.2rem; min-width: 0; }
.cell {
  position: relative; font: 0.75rem/1.6 var(--mono); padding: 0 0.3rem; border-radius: 0.25rem;
  text-decoration: none; background: var(--well); color: var(--ink); border: 1px solid transparent;
}
.cell:hover { border-color: currentColor; }
.c-FAIL { background: var(--red); color: var(--card); font-weight: 700; }
.c-ADV { background: var(--amber-tint); color: var(--amber); }
.c-SKIP { color: var(--soft); background: none; border-color: var(--line); }
.is-reached .c-PASS { background: var(--green-tint); color: var(--green); }

/* Rows */
.row.k-FAIL { border-left-color: var(--red); }
.when .badge { display: table; margin-top: 0.15rem; }
.rule { font-weight: 600; }
.places { margin-top: 0.4rem; font-size: 0.9375rem; }
.places li { margin-top: 0.15rem; padding-left: 1.25rem; position: relative; }
.places li::before { position: absolute; left: 0; content: "\\2192"; color: var(--soft); }
.remedy { margin-top: 0.6rem; font-size: 0.9375rem; }
.remedy b { font-size: 0.8125rem; }
.remedy pre { margin-top: 0.15rem; border-left: 0.25rem solid var(--hue); }
.about dl {
  display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.15rem 1rem; margin-top: 0.4rem;
  font-size: 0.875rem;
}
.about dt { color: var(--soft); }
.family { margin-top: 1.25rem; }
section > .plot { margin-top: 0.75rem; }
.family h3 { font-size: 1rem; font-family: var(--mono); }
.family h3 .count { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.family .note { font-size: 0.875rem; }
main:has(#show-FAIL:checked) .family.no-FAIL, main:has(#show-ADV:checked) .family.no-ADV,
main:has(#show-SKIP:checked) .family.no-SKIP, main:has(#show-PASS:checked) .family.no-PASS { display: none; }
@media (max-width: 40rem) {
  .when { align-items: baseline; }
  .about dl { grid-template-columns: minmax(0, 1fr); }
  .about dd { margin-bottom: 0.3rem; }
}
@media (forced-colors: active) { .cell { border: 1px solid; } }
"""
