"""Code is told from what only looks like it: comments, texts, templates, regular expressions, JSX."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.bans.blanks import blanked, spans
from goblin.bans.lexer import REGEX, STRING, TEMPLATE, lex
from goblin.bans.parts import Part


def shown(text: str, *, jsx: bool = True) -> str:
    """The text with a `~` for each character that is no code and `#` for those of comments."""
    marked = list(text)
    for start, end, comment in spans(text, jsx=jsx):
        marked[start:end] = ("#" if comment else "~") * (end - start)
    return "".join(marked)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a // b", "a ####"),
        ("a /* b */ c", "a ####### c"),
        ("a /* b", "a ####"),
        ("a /**/ b", "a #### b"),
        ("#!/bin/x\na", "########\na"),
        ("'a' + \"b\" + c", "'~' + \"~\" + c"),
        ("'a\\'b' c", "'~~~~' c"),
        ("'a\nb'", "'~\nb'"),
        ("'a\\\nb' c", "'~~~~' c"),
        ("`a` b", "`~` b"),
        ("`a ${b} c` d", "`~~${b}~~` d"),
        ("`a ${`b ${c}` + {d: 1}} e` f", "`~~${`~~${c}` + {d: 1}}~~` f"),
        ("`a\\`b` c", "`~~~~` c"),
        ("`a\\", "`~~"),
        ("a = /b/g; c", "a = /~~~; c"),
        ("a / b / c", "a / b / c"),
        ("(a) / b / c", "(a) / b / c"),
        ("if (a) /b/.test(c)", "if (a) /~/.test(c)"),
        ("a = /[/]/; b", "a = /~~~/; b"),
        ("return /'/.test(b)", "return /~/.test(b)"),
        ("a.return / b / c", "a.return / b / c"),
        ("{}\n/b/.test(c)", "{}\n/~/.test(c)"),
        ("a = {} / b / c", "a = {} / b / c"),
        ("a++ / b / c", "a++ / b / c"),
        ("a! / b / c", "a! / b / c"),
        ("!/b/.test(c)", "!/~/.test(c)"),
        ("a\n!/b/.test(c)", "a\n!/~/.test(c)"),
        ("x = a ? /b/ : /c/", "x = a ? /~/ : /~/"),
        ("() => /b/", "() => /~/"),
        ("a = b\n/c/d", "a = b\n/c/d"),
        ("[...'ab']", "[...'~~']"),
        ("a?.b ?? 'c'", "a?.b ?? '~'"),
        ("a ?.5 : 'c'", "a ?.5 : '~'"),
    ],
)
def test_javascript_is_told_from_what_it_holds(text: str, expected: str) -> None:
    """What may stand before a slash decides what the slash is."""
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>don't {a} // b</p>; c", "<p>~~~~~~{a}~~~~~</p>; c"),
        ("x = <p a='b' c={d} {...e}/>; 'f'", "x = <p a=~~~ c={d} {...e}/>; '~'"),
        ("<a>{/* b */}</a>", "<a>{#######}</a>"),
        ("<a><b/>it's</a>; 'c'", "<a><b/>~~~~</a>; '~'"),
        ("<></>; 'a'", "<></>; '~'"),
        ("<a // b\n/* c */ d/>; e", "<a ####\n####### d/>; e"),
        ("<a b=<c>d'</c> e/>; 'f'", "<a b=<c>~~</c> e/>; '~'"),
        ("<A<B> c={d}>e`</A>; 'f'", "<A<B> c={d}>~~</A>; '~'"),
        ("a < b && c > 'd'", "a < b && c > '~'"),
        ("const f = <T,>(x: T) => 'a'", "const f = <T,>(x: T) => '~'"),
        ("const f = <T extends U>(x: T) => 'a'", "const f = <T extends U>(x: T) => '~'"),
        ("const f = <const T,>(x: T) => 'a'", "const f = <const T,>(x: T) => '~'"),
        ("type F = <T>(x: T) => 'a'", "type F = <T>(x: T) => '~'"),
        ("f<T>('a')", "f<T>('~')"),
        ("return <p>'</p>", "return <p>~</p>"),
        ("x = a ? <p>`</p> : 'b'", "x = a ? <p>~</p> : '~'"),
        ("<a.b-c:d>'</a.b-c:d>; 'e'", "<a.b-c:d>~</a.b-c:d>; '~'"),
        ("<p>{a}{'b'}</p>", "<p>{a}{'~'}</p>"),
        ("<p>{x => <b>'</b>}</p>; 'c'", "<p>{x => <b>~</b>}</p>; '~'"),
    ],
)
def test_markup_in_code_is_told_from_types_and_comparisons(text: str, expected: str) -> None:
    """An apostrophe in what JSX shows opens no text, and a list of types opens no element."""
    assert shown(text) == expected


def test_in_typescript_proper_an_angle_opens_no_element() -> None:
    """`<any>x` is an assertion there."""
    assert shown("x = <p>'a'</p>", jsx=False) == "x = <p>'~'</p>"


def test_a_line_separator_ends_a_comment() -> None:
    """As it does for the language; what follows runs."""
    assert shown("// a\u2028b") == "####\u2028b"


def test_brackets_are_paired_and_what_is_left_open_is_closed_with_its_parent() -> None:
    """Each token knows the bracket that it stands in."""
    tokens = lex("f(a, [b, {c: `${d}`}) e")
    found = [tokens[index] for index in range(len(tokens))]
    parents = [tokens[parent] if parent >= 0 else "" for parent in tokens.parents]
    assert parents[found.index("b")] == "["
    assert parents[found.index("d")] == "{"
    assert parents[found.index("e")] == ""
    assert {tokens[a] + tokens[b] for a, b in tokens.closing.items()} == {"()", "{}"}
    assert all(tokens.opening[b] == a for a, b in tokens.closing.items())


def test_blanking_keeps_every_place() -> None:
    """Lengths and line ends stay, in a page with several pieces of code too."""
    page = "<!-- a -->\n<script>\n'b' // c\n</script>\n<p>d</p>\n<script>e /* f */</script>\n"
    code = [Part(start, page[start : page.index("</script", start)], "js") for start in (19, 56)]
    no_comments, bare = blanked(page, code)
    assert len(no_comments) == len(bare) == len(page)
    assert no_comments == "          \n<script>\n'b'     \n</script>\n<p>d</p>\n<script>e        </script>\n"
    assert bare == no_comments.replace("'b'", "' '")


PIECES = st.sampled_from(
    [
        "'",
        '"',
        "`",
        "/",
        "//",
        "/*",
        "*/",
        "\\",
        "${",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "</",
        "/>",
        "<a",
        "<a>",
        "</a>",
        "=",
        "=>",
        "any",
        "return",
        "if",
        " ",
        "\n",
        ":",
        ",",
        "?",
        "!",
        "++",
        ".",
        "1",
        "é",
        "\u2028",
        "a=",
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join), st.booleans())
def test_any_text_has_tokens_in_order_and_inside_it(text: str, jsx: bool) -> None:
    """No text is refused, no token overlaps another or a comment, and brackets nest."""
    tokens = lex(text, jsx=jsx)
    taken = sorted([*zip(tokens.starts, tokens.ends, strict=True), *tokens.comments, *tokens.texts])
    assert all(start <= end <= len(text) for start, end in taken)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(taken))
    assert all(opening < closing for opening, closing in tokens.closing.items())
    assert all(parent < index for index, parent in enumerate(tokens.parents))
    assert set(tokens.kinds) <= {*b"wnstrp"}
    assert {REGEX, STRING, TEMPLATE} <= {*b"wnstrp"}
