"""HTML as values: nothing that is put in can become markup."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from goblin.report.markup import Html, element, join


def test_text_is_escaped_and_html_is_not() -> None:
    """Once, and in attributes too."""
    inner = element("b", None, "a < b & 'c'")
    assert element("p", {"title": 'say "hi" <now>'}, inner, " > ", 3) == (
        '<p title="say &quot;hi&quot; &lt;now&gt;"><b>a &lt; b &amp; &#x27;c&#x27;</b> &gt; 3</p>'
    )


def test_attributes_and_children_that_are_nothing_are_left_out() -> None:
    """None and False are no attribute, True is one without a value; an empty element is closed."""
    assert element("input", {"checked": True, "disabled": False, "id": None}) == "<input checked>"
    assert element("rect", {"x": 0}) == '<rect x="0"/>'
    assert element("td", None, None, "") == "<td></td>"
    assert join([None, "a", Html("<br>")]) == "a<br>"


class Tags(HTMLParser):
    """The tags that a browser would see, and the text between them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(), st.text())
def test_no_text_makes_a_tag(text: str, attribute: str) -> None:
    """Whatever the text is, a reader gets exactly that text, and one element."""
    seen = Tags()
    seen.feed(element("p", {"title": attribute}, text))
    seen.close()
    assert seen.tags == [("p", [("title", attribute)])]
    assert seen.text == text
