"""JavaScript and TypeScript as tokens: true positions, comments left out, literals told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.facts.jstokens import CHUNK, MARKUP, NAME, REGEX, SIGN, STRING, tokenize


def names(text: str, *, jsx: bool = True) -> list[str]:
    """The names of a script, which must read cleanly."""
    read = tokenize(text, jsx=jsx)
    assert read.sound, text
    return [token.text for token in read.tokens if token.kind == NAME]


PIECES = [
    *(
        "a",
        "1.5",
        "'s'",
        '"t\\"u"',
        "`x${y}z`",
        "`",
        "${",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "=",
        "=>",
        "?.",
        "if",
    ),
    *(
        "<div>",
        "</div>",
        "<A",
        "/>",
        ">",
        "/",
        "/re/g",
        "/*",
        "*/",
        "//",
        "\n",
        " ",
        "return",
        "\\",
        "'",
        '"',
    ),
    *("é", "\u2028"),
]


@given(
    st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=60).map("".join)),
    st.booleans(),
)
def test_any_text_gives_tokens_in_order(text: str, jsx: bool) -> None:
    """No error, no overlap, every token where it says; names and signs are the text itself."""
    read = tokenize(text, jsx=jsx)
    end = 0
    for token in read.tokens:
        assert end <= token.start <= token.end <= len(text)
        end = token.end
        if token.kind in (NAME, SIGN, REGEX, MARKUP):
            assert text[token.start : token.end] == token.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a // b\nc /* d\n e */ f", ["a", "c", "f"]),
        ("a = 'b // c' + d", ["a", "d"]),
        ("#!/usr/bin/env node\na", None),
        ("a = b / c / d", ["a", "b", "c", "d"]),
        ("a = /b[/]c\\/d/gi.test(e)", ["a", "test", "e"]),
        ("return /b/", ["return"]),
        ("x.return / b / c", ["x", "return", "b", "c"]),
        ("if (a) /b/.test(c)", ["if", "a", "test", "c"]),
        ("(a) / b / c", ["a", "b", "c"]),
        ("f() / b / c", ["f", "b", "c"]),
        ("[1] / b / c", ["b", "c"]),
        ("{ a }\n/b/.exec(c)", ["a", "exec", "c"]),
        ("x = { a } / b / c", ["x", "a", "b", "c"]),
        ("`a ${b + `c ${d}`} e` + f", ["b", "d", "f"]),
        ("`${ {a: 1}.a }` / b / c", ["a", "a", "b", "c"]),
        ("i++ / b / c", ["i", "b", "c"]),
        ("a <b> c", ["a", "b", "c"]),
        ("x = y\n/b/g", ["x", "y", "b", "g"]),
        ("a?.b ?? c?.[d]", ["a", "b", "c", "d"]),
        ("a ? .5 : b", ["a", "b"]),
        (
            "class A { #p = 1; get q() { return this.#p } }",
            ["class", "A", "#p", "get", "q", "return", "this", "#p"],
        ),
    ],
)
def test_code_is_told_from_what_looks_like_it(text: str, expected: list[str] | None) -> None:
    """Comments, strings, templates and regular expressions hold no names."""
    if expected is None:
        assert "a" in [token.text for token in tokenize(text).tokens]
    else:
        assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = <p>don't // a {b} `c</p>; d", ["x", "b", "d"]),
        ("x = <A b='c' d={e} {...f} g />; h", ["x", "e", "f", "h"]),
        ('x = <><B.C d:e="f">{/* g */}{h}</B.C></>; i', ["x", "h", "i"]),
        ("x = <A<B> c={<d>{e}</d>} />; f", ["x", "e", "f"]),
        ("x = a < b && c > d", ["x", "a", "b", "c", "d"]),
        ("const f = <T,>(a: T) => a", ["const", "f", "T", "a", "T", "a"]),
        ("const f = <T extends U>(a: T) => a", ["const", "f", "T", "extends", "U", "a", "T", "a"]),
        ("return (<a>{b ? <c/> : <d>e</d>}</a>)", ["return", "b"]),
        ("x = <a>{`b ${c}`}</a> / d", ["x", "c", "d"]),
    ],
)
def test_elements_hold_code_only_in_braces(text: str, expected: list[str]) -> None:
    """Their text, their attributes and their names are markup."""
    assert names(text) == expected


def test_a_type_in_front_of_a_value_opens_no_element() -> None:
    """In TypeScript without JSX."""
    assert names("x = <any>document", jsx=False) == ["x", "any", "document"]


def test_strings_and_chunks_have_their_escapes_resolved() -> None:
    """As the program sees them; positions stay those of the source."""
    read = tokenize(r"""a('x\n\x41\u0042\u{43}\'', `\`d${e}f\
g`)""")
    texts = [token.text for token in read.tokens if token.kind in (STRING, CHUNK)]
    assert texts == ["x\nABC'", "`d", "fg"]


@pytest.mark.parametrize(
    "text", ["a = `b", "/* a", "x = <p>", "f(", "a)", "`${a", "'a\nb'", "x = <p>a < b</p>"]
)
def test_what_does_not_end_is_not_sound(text: str) -> None:
    """A rule then looks at the plain text as well."""
    assert not tokenize(text).sound


def test_a_large_line_takes_no_longer_than_its_length() -> None:
    """Megabytes of one line, quotes and blanks; the limit of the suite would end it otherwise."""
    for text in (
        "a='b';" * 300_000,
        " " * 2_000_000,
        "/*" * 500_000,
        "`${" * 200_000,
        "<a " * 300_000,
        "'" * 500_000,
    ):
        tokenize(text)
