"""What a page looks like, measured in the browser: the contrast of everything that is drawn."""

from __future__ import annotations

import importlib.resources
from typing import NamedTuple

from playwright.sync_api import Page


class Text(NamedTuple):
    """One run of text, or one mark of a drawing: what it is, and its contrast with what is behind it."""

    what: str
    ratio: float
    colour: str
    behind: str


_SCRIPT = """
() => {
  const channel = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const parse = (text) => {
    const n = (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
    return text.startsWith('rgb') ? [n[0], n[1], n[2], n.length > 3 ? n[3] : 1] : [0, 0, 0, 0];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const behind = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) {
      layers.push(parse(getComputedStyle(at).backgroundColor));
    }
    const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
    return layers.reverse().reduce((below, layer) => over(layer, below), canvas);
  };
  const ratio = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  const add = (what, colour, back) =>
    found.push([what, ratio(over(colour, back), back), colour.join(','), back.map(Math.round).join(',')]);
  document.querySelectorAll('details').forEach((one) => { one.open = true; });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility() || parent.closest('svg, style')) continue;
    add(node.data.trim().slice(0, 40), parse(getComputedStyle(parent).color), behind(parent));
  }
  document.querySelectorAll('svg rect.m').forEach((mark) => {
    const fill = parse(getComputedStyle(mark).fill);
    add('mark ' + mark.getAttribute('class'), fill, behind(mark.closest('div')));
  });
  return found;
}
"""


def contrasts(page: Page) -> list[Text]:
    """The contrast ratio (WCAG 2) of every text that shows, with folded parts opened, and of every mark."""
    return [Text(what, float(ratio), colour, back) for what, ratio, colour, back in page.evaluate(_SCRIPT)]


def sideways(page: Page) -> tuple[int, list[str]]:
    """Pixels by which the page is wider than its window, and what sticks out."""
    script = """
    () => {
      const wide = document.documentElement.clientWidth;
      const out = [...document.body.querySelectorAll('*')].filter((one) => {
        const box = one.getBoundingClientRect();
        return one.checkVisibility() && !one.closest('.skip') && box.width > 1 && box.right > wide + 0.5;
      });
      return [document.documentElement.scrollWidth - wide, out.map((one) => one.outerHTML.slice(0, 120))];
    }
    """
    wider, out = page.evaluate(script)
    return int(wider), list(out)


def accessibility(page: Page) -> tuple[list[tuple[str, str]], int]:
    """What axe-core finds wrong (rule, element), and how many of its rules held: names, roles, landmarks,
    headings, contrast, and its best practices.
    """
    axe = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations', 'incomplete']})")
    broken = [(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]]
    return broken, len(found["passes"])


def tab_stops(page: Page, most: int = 400) -> list[tuple[str, str, float]]:
    """Where the tab key stops from here to the end: element, style and width of the outline there."""
    stops = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate(
            """() => {
              const at = document.activeElement;
              const style = getComputedStyle(at.closest('label')?.lastChild || at);
              if (at === document.body) return null;
              return [at.tagName, style.outlineStyle, parseFloat(style.outlineWidth)];
            }"""
        )
        if stop is None:
            break
        stops.append((str(stop[0]), str(stop[1]), float(stop[2])))
    return stops
