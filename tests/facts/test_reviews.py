"""Review notes: which files count, and what of them is the header."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goblin import yaml
from goblin.facts.reviews import Note, header, plain_fields
from goblin.outcome import CheckFailed
from tests.support import build_repo
from tests.support.mini import facts_of
from tests.support.repo import Files

PATH = "reviews/a.md"
HEADER = "head: 0123456\nstakes: S1"


def note(text: str | bytes, path: str = PATH) -> Note:
    """A note of this text."""
    return Note(path, text.encode() if isinstance(text, str) else text)


def paths(root: Path, files: Files) -> list[str]:
    """The notes of a repository of these files."""
    found = facts_of(build_repo(files, root)).get("reviews")
    return [one.path for one in found]


def test_the_markdown_files_of_the_folder_but_its_readme(tmp_path: Path) -> None:
    """One level deep, in order."""
    files = {
        f"reviews/{name}": ""
        for name in ("b.md", "a.md", "README.md", "ReadMe.md", ".gitkeep", "c.txt", "d/e.md")
    }
    assert paths(tmp_path, files) == ["reviews/a.md", "reviews/b.md"]


def test_no_folder_holds_no_note(tmp_path: Path) -> None:
    """That is no fault here."""
    assert paths(tmp_path, {"a": ""}) == []


@pytest.mark.parametrize("files", [{"reviews@": "."}, {"reviews": "x"}, {"reviews@": "/"}])
def test_a_folder_that_is_none_is_refused(tmp_path: Path, files: Files) -> None:
    """Behind a link no note would be seen."""
    with pytest.raises(CheckFailed, match="`reviews` is not a folder"):
        paths(tmp_path, files)


def test_what_cannot_be_read_is_a_note_with_a_problem(tmp_path: Path) -> None:
    """A link, a folder, a file that is too large, and one that is not UTF-8."""
    files: Files = {"reviews/a.md@": "b.txt", "reviews/b.md/c": "", "reviews/c.md": "x" * ((1 << 20) + 1),
                    "reviews/d.md": b"head: \xff"}  # fmt: skip
    found = facts_of(build_repo(files, tmp_path)).get("reviews")
    problems = [one.problem.message for one in found]
    assert problems[0] == "a symbolic link, not a file"
    assert problems[1] == "not a regular file"
    assert "1048577 bytes" in problems[2]
    assert problems[3] == "byte 7 is not UTF-8"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (HEADER, 1),
        (f"# Review of x\n\n{HEADER}\n\nProse: not: yaml", 3),
        (f"\n\n# Review\n{HEADER}\n## More\nhead: no", 4),
        (f"---\n{HEADER}\n---\nstakes: S4", 2),
        (f"# T\n\n---\n{HEADER}\n\nlanes: 2\n---\n", 4),
        (f"\ufeff{HEADER}\r\n\r\nstakes: S4".replace("\n", "\r\n"), 1),
    ],
)
def test_the_header_is_one_block(text: str, line: int) -> None:
    """After blank lines and one title, up to a blank line or a heading, or between two fences."""
    found = note(text)
    assert found.problem is None
    assert (found.text("head"), found.text("stakes")) == ("0123456", "S1")
    assert found.where("head", "").line == line


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "no header"),
        ("# Title\n\n", 2, "no header"),
        ("# Title\n# Another\nhead: x", 2, "no header"),
        ("Some prose.", 1, "the header must be `key: value` lines"),
        ("  head: x", 1, "at the start of the line"),
        ("- head: x", 1, "the header must be"),
        ("---\nhead: x\n", 1, "not closed by a line ---"),
        ("---\n---\nhead: x", 2, "no header"),
        ("head: x\nhead: y", 2, "the key `head` stands twice, on line 1 and on line 2"),
        ("# T\n\nhead: x\nsecurity: a: b", 4, "a `: ` that belongs to no key"),
        ("head: " + "x" * 70_000, 1, "more than 65536 characters"),
    ],
)
def test_a_header_that_cannot_be_read(text: str, line: int, said: str) -> None:
    """With its place, and with no field at all."""
    found = note(text)
    assert found.problem is not None
    assert said in found.problem.message
    assert found.problem.line == line
    assert found.text("head") == ""


def test_digits_stay_digits() -> None:
    """A commit id of decimal digits is no number, and one that begins with 0 keeps it."""
    found = note("head: 0123456\nbase: 12e4567\npatch-id: 1234567890123456789012345678901234567890")
    assert (found.text("head"), found.text("base")) == ("0123456", "12e4567")
    assert found.text("patch-id") == "1234567890123456789012345678901234567890"


@pytest.mark.parametrize("value", ["", "~", "null", "[]", "[~]", "{}", "|"])
def test_nothing_is_nothing(value: str) -> None:
    """A field without a value has neither text nor words."""
    found = note(f"checks-run: {value}\nhead: x")
    assert (found.text("checks-run"), found.words("checks-run")) == ("", ())


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (" a b", ("a b",)),
        ("\n  - a\n  - b c", ("a", "b c")),
        ("\n- a: 1\n- [b, c]", ("a", "1", "b", "c")),
        (" |\n  a\n  b", ("a\nb\n",)),
        ("\n  a: b", ("a", "b")),
    ],
)
def test_a_text_a_list_and_a_block_all_say_something(value: str, words: tuple[str, ...]) -> None:
    """Whatever its form."""
    assert note(f"checks-run:{value}\nhead: x").words("checks-run") == words


@pytest.mark.parametrize(
    ("name", "head"),
    [("fix-0123abc.md", "0123abc"), ("a-0123ABCDEF.md", "0123abcdef"), ("fix-012345.md", ""),
     ("0123abc.md", ""), ("fix-0123abcx.md", ""), (f"x-{'a' * 64}.md", "a" * 64)],
)  # fmt: skip
def test_the_head_in_the_name(name: str, head: str) -> None:
    """Seven or more hex digits behind the last hyphen."""
    assert note(HEADER, f"reviews/{name}").named_head == head


def test_an_alias_of_what_is_around_it_ends() -> None:
    """No loop: the YAML reader refuses it."""
    assert note("a: &a [*a]").problem is not None


# --- read without the parser -------------------------------------------------------------------

KEY = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,5}", fullmatch=True)
VALUE = st.one_of(
    st.from_regex(r"[A-Za-z0-9][ -~]{0,12}", fullmatch=True),
    st.sampled_from(
        ["", "null", "~", "0123", "é ü", "a b", "a  b ", "a\u2028b", "x\tz", "true", "[a]", "'a'", '"a"']
    ),
)
LINE = st.one_of(
    st.builds("{}: {}".format, KEY, VALUE),
    st.builds("{}:".format, KEY),
    st.builds("{}- {}".format, st.sampled_from(["", "  ", "    "]), VALUE),
    st.sampled_from(["a:b", "- ", "-", "  a: b", "? a", "# c", "a: |", "  more", "...", "k : v"]),
)


@given(st.lists(LINE, min_size=1, max_size=6), st.integers(1, 4))
@example(["a:", "- x", "- y", "b: z"], 1)
@example(["a: x", "- y"], 1)
@example(["a:", "  - x", " - y"], 1)
@example(["a: x:"], 1)
def test_a_header_of_plain_lines_reads_as_the_parser_reads_it(lines: list[str], start: int) -> None:
    """The same nodes at the same places, or nothing."""
    found = plain_fields(lines, start)
    if found is None:
        return
    root = yaml.load("\n".join([*[""] * (start - 1), *lines]).encode(), PATH)
    assert yaml.dump_tree(found)["map"] == yaml.dump_tree(root)["map"]  # type: ignore[index]


def test_an_ordinary_header_needs_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs more to load than the rows."""
    monkeypatch.setattr(yaml, "load", lambda *_, **__: pytest.fail("parsed"))
    text = (
        "# Review of the parser\n\nhead: 0123abc\nbase: 4567def\npatch-id: 0123456789\nstakes: S3\n"
        "checks-run:\n  - tests 12 passed, measured 2026-01-02\n  - lint exit=0\nlanes:\n- one\n- two\n"
        "security: audit 2026-01-02, 0 waivers\nhuman: Ada 2026-01-02 accept\n\nProse.\n"
    )
    assert note(text).words("checks-run") == ("tests 12 passed, measured 2026-01-02", "lint exit=0")


@given(st.text(alphabet="ab:- #\n\r\t'\"|>[]{}&*!`~\u2028\ufeff\x00é", max_size=40))
def test_any_text_is_a_note(text: str) -> None:
    """Read, or with a problem whose line exists."""
    found = note(text)
    start, lines, problem = header(text.replace("\r\n", "\n"))
    assert problem or lines
    assert start >= 1
    if found.problem:
        assert 1 <= found.problem.line <= text.count("\n") + 2
