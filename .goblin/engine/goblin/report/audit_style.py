"""What the style of the audit page adds to that of all pages: the plot, and what a row came to."""

from __future__ import annotations

STYLE = """
/* The plot */
.grid { display: grid; grid-template-columns: auto minmax(0, 1fr); column-gap: 0.75rem; }
.lanes { font-size: 0.8125rem; color: var(--soft); text-align: right; line-height: 20px; }
.lanes span { display: block; height: 20px; }
.lanes .pointer { height: 26px; line-height: 30px; }
.drawing { max-width: 100%; width: fit-content; min-width: 0; }
.drawing svg { display: block; max-width: 100%; }
.axis {
  display: flex; justify-content: space-between; gap: 1rem; font-size: 0.8125rem;
  color: var(--soft); margin-top: 0.25rem; font-variant-numeric: tabular-nums;
}
.m { fill: var(--soft); }
.m-goal { fill: var(--green); } .m-red { fill: var(--red); } .m-parked { fill: var(--amber); }
.m-stuck { fill: var(--violet); }
.m-unproven, .m-unreadable { fill: var(--red); stroke: var(--ink); stroke-width: 1.5; }
.m-moved { fill: var(--moved); }
.m-still { fill: var(--still); }
.m-none { fill: none; stroke: var(--red); stroke-width: 1.5; }
.m-gap { fill: var(--line); } .m-rule { fill: var(--line); }
.drawing a:hover rect { fill: var(--link); }

/* Rows */
.row.k-red, .row.k-unproven, .row.k-unreadable { border-left-color: var(--red); }
.row.k-parked { border-left-color: var(--amber); } .row.k-stuck { border-left-color: var(--violet); }
.b-red, .b-wrong { background: var(--red-tint); color: var(--red); }
.b-unproven, .b-unreadable { background: var(--red); color: var(--card); }
.b-parked, .b-note { background: var(--amber-tint); color: var(--amber); }
.b-stuck { background: var(--violet-tint); color: var(--violet); }
.b-goal, .is-reached .b-ok { background: var(--green-tint); color: var(--green); }
@media (forced-colors: active) {
  .m { fill: CanvasText; forced-color-adjust: none; }
}
"""
