"""The pinned surface: written and read back alike, and every change of a file is seen."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.loop.surface import differences, digest_of, parse, render
from goblin.paths import Tree, confined
from tests.support import write_files

A, B = "a" * 64, "b" * 64


def test_lines_are_sorted_by_the_bytes_of_the_path() -> None:
    """As `LC_ALL=C sort` would, and as sha256sum writes them."""
    data = render({"b": A, "a/é": B, "a-b": A, "a/b": A})
    assert data.decode() == f"{A}  a-b\n{A}  a/b\n{B}  a/é\n{A}  b\n"
    assert parse(data).faults == ()


def test_the_digest_is_of_the_lists_own_bytes() -> None:
    """It is what the pin repeats."""
    data = render({"a": A})
    assert parse(data).digest == hashlib.sha256(data).hexdigest()


@given(
    st.dictionaries(
        st.text(min_size=1).filter(lambda p: confined(p) and "\n" not in p and not p.endswith("\r")),
        st.binary(min_size=32, max_size=32).map(bytes.hex),
        min_size=1,
    )
)
def test_what_was_written_is_read_back(entries: dict[str, str]) -> None:
    """Every path that a line can hold."""
    found = parse(render(entries))
    assert found.entries == entries
    assert found.faults == ()


def test_a_path_of_bytes_that_are_no_text_is_kept() -> None:
    """Git may track one."""
    path = os.fsdecode(b"caf\xe9.txt")
    data = render({path: A})
    assert data == A.encode() + b"  caf\xe9.txt\n"
    assert parse(data).entries == {path: A}


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../x", "a\nb", "a\r", "./a", "a//b"])
def test_a_path_that_no_line_can_hold_is_not_written(path: str) -> None:
    """It would be read as another."""
    with pytest.raises(ValueError, match="cannot be pinned"):
        render({path: A})


def test_a_digest_that_is_none_is_not_written() -> None:
    """Lower case, 64 digits."""
    with pytest.raises(ValueError, match="no SHA-256"):
        render({"a": A.upper()})


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (f"{A} a\n", 1, "two spaces"),
        (f"{A}  \n", 1, "two spaces"),
        (f"{A.upper()}  a\n", 1, "lower-case"),
        (f"{A}  a\nnonsense\n", 2, "two spaces"),
        (f"{A}  ../a\n", 1, "relative path"),
        (f"{A}  b\n{B}  a\n", 2, "not sorted"),
        (f"{A}  a\n{B}  a\n", 2, "second time"),
        ("", 0, "pins no file"),
        ("\n\n", 0, "pins no file"),
    ],
)
def test_a_fault_names_its_line(text: str, line: int, message: str) -> None:
    """And what is wrong there."""
    found = parse(text.encode())
    assert [(fault.line, message in fault.message) for fault in found.faults] == [(line, True)]


def test_a_mark_and_crlf_are_tolerated_and_change_the_digest() -> None:
    """Parsing folds them; the pin compares bytes."""
    data = render({"a": A, "b": B})
    other = parse(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    assert other.entries == {"a": A, "b": B}
    assert other.faults == ()
    assert other.digest != parse(data).digest


@given(st.binary() | st.text(st.sampled_from("abf0 \n\r/.")).map(str.encode))
def test_no_bytes_raise(data: bytes) -> None:
    """What is kept can be written again."""
    found = parse(data)
    assert bool(found.entries) or bool(found.faults)
    if found.entries and not found.faults:
        assert parse(render(found.entries)).entries == found.entries


def test_every_kind_of_change_is_a_difference(tmp_path: Path) -> None:
    """Edited, deleted, turned into a link, a folder or a pipe: each is named, and nothing hangs."""
    names = ("edited", "gone", "link", "folder", "pipe", "kept", "crlf")
    write_files(tmp_path, dict.fromkeys(names, "one\ntwo\n"))
    tree = Tree(str(tmp_path))
    digests, refused = digest_of(tree, names)
    assert refused == {}
    assert set(digests.values()) == {hashlib.sha256(b"one\ntwo\n").hexdigest()}
    write_files(tmp_path, {"edited": "other\n", "crlf": "one\r\ntwo\r\n"})
    for name in ("gone", "link", "folder", "pipe"):
        (tmp_path / name).unlink()
    (tmp_path / "link").symlink_to("kept")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    told = {one.path: one.message for one in differences(digests, tree)}
    assert set(told) == set(names) - {"kept"}
    assert told["edited"].startswith(f"recorded {digests['edited'][:12]}, found ")
    assert "line-end conversion" in told["crlf"]
    assert "-text" in told["crlf"]
    assert told["gone"] == "is gone"
    assert "symbolic link" in told["link"]
    assert told["folder"] == told["pipe"] == "not a regular file"


def test_a_path_behind_a_link_out_of_the_root_is_not_read(tmp_path: Path) -> None:
    """It is a difference with that reason."""
    write_files(tmp_path, {"root/a": "x", "outside/b": "secret"})
    (tmp_path / "root" / "out").symlink_to(tmp_path / "outside")
    (found,) = differences({"out/b": A}, Tree(str(tmp_path / "root")))
    assert "leaves the repository" in found.message
