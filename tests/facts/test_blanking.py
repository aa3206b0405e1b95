"""Blanking keeps every place where it was, and tells code from what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goblin.facts.blanking import LANGUAGES, blank

KINDS = sorted(set(LANGUAGES.values()))

# (language, source, with comments blanked, with strings blanked as well); `~` stands for one blanked place
CASES = [
    ("python", "a = 1  # assert(x)", "a = 1  ~~~~~~~~~~~", "a = 1  ~~~~~~~~~~~"),
    ("python", "a = '# no' # yes", "a = '# no' ~~~~~", "a = ~~~~~~ ~~~~~"),
    ("python", 'a = """x\n# y\n"""; b', 'a = """x\n# y\n"""; b', "a = ~~~~\n~~~\n~~~; b"),
    ("python", 'a = r"\\"#"; b', 'a = r"\\"#"; b', "a = r~~~~~; b"),
    ("python", "a = 'it\nb # c", "a = 'it\nb ~~~", "a = ~~~\nb ~~~"),
    ("python", 'a = """open # x', 'a = """open # x', "a = ~~~~~~~~~~~"),
    ("python", "a = ''''x''' # c", "a = ''''x''' ~~~", "a = ~~~~~~~~ ~~~"),
    ("javascript", "a // b\nc", "a ~~~~\nc", "a ~~~~\nc"),
    ("javascript", "a /* b\n c */ d", "a ~~~~\n~~~~~ d", "a ~~~~\n~~~~~ d"),
    ("javascript", "u('http://x'); // y", "u('http://x'); ~~~~", "u(~~~~~~~~~~); ~~~~"),
    ("javascript", "a = b / c; // d / e", "a = b / c; ~~~~~~~~", "a = b / c; ~~~~~~~~"),
    ("javascript", "x = /[/]'/g; y('z')", "x = /[/]'/g; y('z')", "x = ~~~~~~~; y(~~~)"),
    (
        "javascript",
        "return /\\/\\*/.test(s) /* c */",
        "return /\\/\\*/.test(s) ~~~~~~~",
        "return ~~~~~~.test(s) ~~~~~~~",
    ),
    ("javascript", "`a // b` // c", "`a // b` ~~~~", "~~~~~~~~ ~~~~"),
    (
        "javascript",
        "`a ${f(`b`, {c: '}'})} d` + e",
        "`a ${f(`b`, {c: '}'})} d` + e",
        "~~~~~f(~~~, {c: ~~~})~~~~ + e",
    ),
    ("javascript", "(a + b) / c / 'd'", "(a + b) / c / 'd'", "(a + b) / c / ~~~"),
    ("javascript", "a /* open", "a ~~~~~~~", "a ~~~~~~~"),
    ("shell", "a # exit 1", "a ~~~~~~~~", "a ~~~~~~~~"),
    ("shell", "a#b $# ${#c} ${d#e}", "a#b $# ${#c} ${d#e}", "a#b $# ${#c} ${d#e}"),
    ("shell", "echo 'it # is' \"# $x\" # c", "echo 'it # is' \"# $x\" ~~~", "echo ~~~~~~~~~ ~~~~~~ ~~~"),
    ("shell", "echo \\# \\' # c", "echo \\# \\' ~~~", "echo \\# \\' ~~~"),
    ("shell", "a=\"$(b 'c)' # d\n)\" e", "a=\"$(b 'c)' ~~~\n)\" e", "a=~~~b ~~~~ ~~~\n)~ e"),
    (
        "shell",
        "cat <<EOF\nexit 1 # 'x\nEOF\nexit 0",
        "cat <<EOF\nexit 1 # 'x\nEOF\nexit 0",
        "cat <<EOF\n~~~~~~ ~ ~~\n~~~\nexit 0",
    ),
    ("shell", "cat <<-'A B'\n\tx\n\tA B\ny", "cat <<-'A B'\n\tx\n\tA B\ny", "cat <<-'A B'\n~~\n~~~~\ny"),
    ("shell", "cat <<< 'x' # y", "cat <<< 'x' ~~~", "cat <<< ~~~ ~~~"),
    ("shell", "cat <<EOF\nno end # c", "cat <<EOF\nno end ~~~", "cat <<EOF\nno end ~~~"),
    ("shell", "a='x\\' # c", "a='x\\' ~~~", "a=~~~~ ~~~"),
    ("shell", "a=$'x\\'y' # c", "a=$'x\\'y' ~~~", "a=~~~~~~~ ~~~"),
]


def spaced(text: str) -> str:
    """The expectation as text: every `~` is a blank (a blank in the source is one too)."""
    return text.replace("~", " ")


@pytest.mark.parametrize(("language", "source", "no_comments", "bare"), CASES)
def test_what_is_blanked(language: str, source: str, no_comments: str, bare: str) -> None:
    """Comments go from the first text, comments and strings from the second."""
    got = blank(source, language)
    assert got.no_comments == spaced(no_comments)
    assert got.bare == spaced(bare)


@pytest.mark.parametrize("language", KINDS)
@example(source='"\\')
@example(source="`\\")
@given(source=st.text(alphabet="a1 '\"`#/*\\${}()<>-=EOF\n\r\t;é\u2028", max_size=120))
def test_no_place_moves(language: str, source: str) -> None:
    """Same length, same line ends; a character stays or becomes a blank."""
    got = blank(source, language)
    for text in got:
        assert len(text) == len(source)
        assert all(new in (old, " ") for new, old in zip(text, source, strict=True))
        assert [c for c in text if c in "\r\n"] == [c for c in source if c in "\r\n"]
    assert all(bare in (kept, " ") for bare, kept in zip(got.bare, got.no_comments, strict=True))


@pytest.mark.parametrize("language", KINDS)
@pytest.mark.parametrize(
    "unit",
    [
        "'",
        '"',
        "`",
        "/",
        "#",
        "\\",
        "${",
        "$(",
        '"$(',
        "<<E\n",
        "<<E\n\tE\n",
        "`${",
        "/*",
        "[",
        "(",
        '"""',
        "a/",
        " ",
    ],
)
def test_a_hostile_text_is_read_to_its_end(language: str, unit: str) -> None:
    """A time that grows with the square of such a text would meet the suite's limit for one test."""
    text = unit * 100_000
    assert len(blank(text, language).bare) == len(text)
