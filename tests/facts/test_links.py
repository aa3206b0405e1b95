"""The links of a Markdown text, and where a relative one leads."""

from __future__ import annotations

import pytest

from goblin.facts.links import Link, links, resolve


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("[a](./a.md)", ["./a.md"]),
        ("[a](a.md) and [b](b.md), [c](<c d.md>)", ["a.md", "b.md", "c d.md"]),
        ("[a](a.md \"title\") [b](b.md 't') [c](c.md (t))", ["a.md", "b.md", "c.md"]),
        ("[a](a_(1).md)", ["a_(1).md"]),
        ("[a][x]\n\n[x]: ./a.md\n [y]: <b c.md> 't'", ["./a.md", "b c.md"]),
        ("![image](a.png)", ["a.png"]),
        ("[a [b]](a.md)", ["a.md"]),
        ("[a]()", []),
        ("`[a](a.md)` [b](b.md)", ["b.md"]),
        ("``[a](a.md) ` `` [b](b.md) `x", ["b.md"]),
        ("```\n[a](a.md)\n```\n[b](b.md)", ["b.md"]),
        ("<!-- [a](a.md) -->\n[b](b.md)", ["b.md"]),
        (r"[a\](a.md)", []),
        ("[a]\n(a.md)", []),
        ("- deep\n    - [a](a.md)", ["a.md"]),
    ],
)
def test_links_are_found(text: str, targets: list[str]) -> None:
    """Inline and by reference; none in code, in a comment or behind a backslash."""
    assert [link.target for link in links(text)] == targets


def test_lines_are_true() -> None:
    """They count LF, and come in order."""
    assert links("x\n[b]: b.md\n\n[a](a.md)") == [Link(2, "b.md"), Link(4, "a.md")]


@pytest.mark.parametrize(
    ("source", "target", "path"),
    [
        ("docs/README.md", "./a.md", "docs/a.md"),
        ("docs/README.md", "a.md#part", "docs/a.md"),
        ("docs/README.md", "a.md?plain=1#part", "docs/a.md"),
        ("docs/README.md", "../a.md", "a.md"),
        ("docs/README.md", "../../a.md", "../a.md"),
        ("README.md", "a%20b.md", "a b.md"),
        ("README.md", "d%C3%A9.md", "d\u00e9.md"),
        ("README.md", r"a\_b.md", "a_b.md"),
        ("README.md", "#part", ""),
        ("README.md", "/a.md", ""),
        ("README.md", "//host/a.md", ""),
        ("README.md", "https://example.com/a.md", ""),
        ("README.md", "mailto:a@example.com", ""),
        ("README.md", "", ""),
    ],
)
def test_a_relative_link_leads_somewhere(source: str, target: str, path: str) -> None:
    """From the folder of the page; other links are nobody's business here."""
    assert resolve(source, target) == path


def test_a_hostile_text_costs_little() -> None:
    """Many backticks, brackets and parentheses end quickly."""
    links("`" * 15_000 + "``" * 5000 + "\n" + "[" * 50_000 + "](" * 20_000 + "(" * 50_000)
    links("](" + "a" * 100_000 + "\n" + "](<" * 20_000 + "\n" + "](a (" * 20_000)
    links(" ".join("`" * count for count in range(1, 300)))
