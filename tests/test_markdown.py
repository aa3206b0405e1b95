"""What counts as a heading, and what a reader of a document never sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.markdown import FrontMatter, Heading, blank, front_matter, headings, section


def texts(document: str) -> list[str]:
    """The texts of the headings of a document."""
    return [heading.text for heading in headings(document)]


def test_headings_carry_line_level_and_text() -> None:
    """Closing marks and outer blanks are no part of the text."""
    assert headings("# One\ntext\n\n###  Two words ##\t\n######\n") == [
        Heading(1, 1, "One"),
        Heading(4, 3, "Two words"),
        Heading(5, 6, ""),
    ]


@pytest.mark.parametrize(
    "line", ["#no blank", " # indented", "####### seven", "\\# escaped", "> # quoted", "text\n===="]
)
def test_what_is_no_atx_heading_at_column_0(line: str) -> None:
    """Indented, quoted, underlined and escaped forms are not headings here."""
    assert headings(line) == []


def test_closing_marks_need_a_blank_before_them() -> None:
    """`# C#` is about C#."""
    assert texts("# C#\n## a # b\n## # \n") == ["C#", "a # b", ""]


def test_crlf_changes_neither_lines_nor_texts() -> None:
    """A document with CRLF reads as one with LF."""
    document = "# One\n\n```\n# no\n```\n## Two ##\nbody\n"
    assert headings(document.replace("\n", "\r\n")) == headings(document)


@pytest.mark.parametrize("separator", ["\u2028", "\x0b", "\x0c", "\x85", "\r"])
def test_only_lf_ends_a_line(separator: str) -> None:
    """Other separators stand inside a line and shift no number."""
    assert headings(f"a{separator}# b\n# c\n") == [Heading(2, 1, "c")]


@pytest.mark.parametrize(
    "document",
    [
        "```\n# no\n```\n# yes\n",
        "~~~ text\n# no\n~~~~\n# yes\n",
        "````\n```\n# no\n```\n````\n# yes\n",
        "   ```sh\n# no\n  ```  \n# yes\n",
        "```\n~~~\n# no\n```\n# yes\n",
        "1. run\n\n       ```\n# no\n       ```\n# yes\n",
        "``` not `a fence\n# yes\n",
        "    ```\n# yes\n",
        "```\n``` sh\n# no\n```\n# yes\n",
    ],
)
def test_a_heading_in_a_fence_is_none(document: str) -> None:
    """The closing fence is of the same mark, at least as long, and bare."""
    assert texts(document) == ["yes"]


def test_an_open_fence_hides_the_rest() -> None:
    """As it does for whoever reads the rendered page."""
    assert texts("# yes\n```\n# no\n") == ["yes"]


@pytest.mark.parametrize(
    "document",
    [
        "<!--\n# no\n-->\n# yes\n",
        "<!-- a --> <!--\n# no\n\n# no\n-->\n# yes\n",
        "<!-- ```\n-->\n# yes\n",
        "<!--># yes\n# yes\n",
        "word <!-- a\n# no\n--> word\n# yes\n",
        "word <!-- a\n\n# yes\n",
        "`<!--` is how one starts\n# yes\n",
        "`` a ` <!-- ``\n# yes\n",
        "```\n<!--\n```\n# yes\n",
        "    <!--\n\n# yes\n",
    ],
)
def test_a_heading_in_a_comment_is_none(document: str) -> None:
    """A comment starts outside code, and an unclosed one within a line is text."""
    assert texts(document) == ["yes"]


def test_an_unclosed_comment_that_starts_a_line_hides_the_rest() -> None:
    """A browser shows nothing after it."""
    assert texts("# yes\n<!--\n# no\n") == ["yes"]


def test_backticks_that_close_nothing_hide_no_comment() -> None:
    """A lone backtick is text."""
    assert blank("a ` b <!-- c --> d") == "a ` b            d"


def test_text_around_a_comment_stays() -> None:
    """Only the comment goes, to the column."""
    assert blank("a <!-- b\nc --> d `<!-- e -->` <!--f--> g") == "a       \n      d `<!-- e -->`          g"


@pytest.mark.parametrize(
    "part",
    [
        "    ~~~a\n",
        "x <!-- ",
        "x <!--\n",
        "<!-- a --> <!--\n",
        "    <!-- x\n\n",
        "    ```\n    ~~~\n    ````\n",
    ],
)
def test_a_hostile_document_takes_linear_time(part: str) -> None:
    """A mebibyte of openings that nothing closes is read in well under a second."""
    text = part * (2**20 // len(part))
    blank(text)


def test_runs_of_every_length_take_linear_time() -> None:
    """No two of these runs of backticks close each other."""
    text = " ".join("`" * length for length in range(1, 1400))
    assert blank(text) == text
    assert headings(f"# {' ' * 2**20}b") == [Heading(1, 1, "b")]


def test_fences_may_stay() -> None:
    """Then only comments go, and a comment mark in code is still code."""
    assert blank("```\n<!-- a\n```\n<!--b-->\nc", fences=False) == "```\n<!-- a\n```\n        \nc"


@given(st.lists(st.sampled_from(["```", "~~~", "<!--", "-->", "`", "# a", " ", "\n", "\r\n", "\t", "x"])))
def test_blank_keeps_every_position_and_is_stable(parts: list[str]) -> None:
    """Same length, same line ends, each character itself or a space; a second time changes nothing."""
    text = "".join(parts)
    shown = blank(text)
    assert len(shown) == len(text)
    assert all(new == old or (new == " " and old not in "\r\n") for new, old in zip(shown, text, strict=True))
    assert [heading.line for heading in headings(shown)] == [heading.line for heading in headings(text)]


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    """Deeper headings belong to it; a fenced `#` closes nothing."""
    document = "## A\none\n### B\n```\n# no\n```\n## C\nlast\n"
    first, inner, last = headings(document)
    assert section(document, first) == [(2, "one"), (3, "### B"), (4, "```"), (5, "# no"), (6, "```")]
    assert section(document, first, until=3) == [(2, "one")]
    assert section(blank(document), inner) == [(4, "   "), (5, "    "), (6, "   ")]
    assert section(document, last) == [(8, "last"), (9, "")]


def test_front_matter_is_the_block_between_the_first_two_marks() -> None:
    """A closing mark may have blanks after it; without one the end is 0."""
    assert front_matter("---\na: 1\n---  \nbody\n") == FrontMatter("a: 1", 3)
    assert front_matter("---\r\na: 1\r\n---\r\n") == FrontMatter("a: 1\r", 3)
    assert front_matter("---\n---\n") == FrontMatter("", 2)
    assert front_matter("---\na: 1\n") == FrontMatter("a: 1\n", 0)


@pytest.mark.parametrize("document", ["", "\n---\na: 1\n---\n", "--- \na: 1\n---\n", "----\n", "# A\n"])
def test_a_document_that_opens_otherwise_has_no_front_matter(document: str) -> None:
    """The first line is exactly the mark."""
    assert front_matter(document) is None
