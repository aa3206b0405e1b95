"""The tree under test leads nowhere else: not by its names, its links or its special files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.paths import ReadRefused, Tree, confined
from tests.support import write_files

OUT = [
    "",
    "/",
    "/etc/passwd",
    "..",
    "../x",
    "a/../b",
    "a/..",
    ".",
    "./a",
    "a/./b",
    "a//b",
    "a/",
    "~",
    "~/x",
    "~x",
]
OUT += ["a\0b", "a\\b", "..\\x", "C:", "c:/x", "C:\\x", "\\\\host\\x"]


@pytest.mark.parametrize("path", OUT)
def test_what_is_no_plain_relative_path_is_not_confined(path: str) -> None:
    """On any system and to any shell."""
    assert not confined(path)


@pytest.mark.parametrize(
    "path",
    [
        "a",
        "a/b.txt",
        ".goblin/x",
        "...",
        "a..b",
        "..a",
        "caf\u00e9/\u2028/x",
        " ",
        "-",
        "$(x)",
        "a\nb",
        "\udcff",
    ],
)
def test_odd_names_are_names(path: str) -> None:
    """Nothing but the way out is refused."""
    assert confined(path)


@given(
    st.lists(st.sampled_from(["a", "b c", "..", ".", "", "~", "x:", "\\", "\u2028", "link"]), max_size=5).map(
        "/".join
    )
)
def test_a_confined_path_stays_below_whatever_it_is_joined_to(path: str) -> None:
    """As text; links are the tree's business."""
    if confined(path):
        assert os.path.normpath(os.path.join("/r", path)).startswith("/r/")
        assert os.path.normpath(path) == path


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A root with every kind of entry, beside a folder with a secret."""
    write_files(
        tmp_path,
        {
            "outside/secret.txt": "secret\n",
            "root/a.txt": "text\n",
            "root/folder/b.txt": "b\n",
            "root/folder/c.txt": "c\n",
            "root/inner@": "folder",
            "root/file@": "a.txt",
            "root/gone@": "nowhere",
            "root/out@": "../outside",
            "root/out.txt@": "../outside/secret.txt",
            "root/self@": ".",
            "root/loop@": "loop",
        },
    )
    os.mkfifo(tmp_path / "root" / "pipe")
    return Tree(str(tmp_path / "root"))


def test_a_regular_file_is_read(tree: Tree) -> None:
    """Also through a folder that is a link inside the root."""
    assert tree.read("a.txt") == b"text\n"
    assert tree.read("inner/b.txt") == b"b\n"
    assert tree.read("self/folder/b.txt") == b"b\n"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("file", "a symbolic link, not a file"),
        ("gone", "a symbolic link, not a file"),
        ("loop", "a symbolic link, not a file"),
        ("out.txt", "a symbolic link, not a file"),
        ("out/secret.txt", "a folder above it is a link that leaves the repository"),
        ("out/nothing/x", "a folder above it is a link that leaves the repository"),
        ("../outside/secret.txt", "not a relative path inside the repository"),
        ("inner/../../outside/secret.txt", "not a relative path inside the repository"),
        ("pipe", "not a regular file"),
        ("folder", "not a regular file"),
        ("nothing", "No such file or directory"),
        ("a.txt/x", "Not a directory"),
        ("x" * 300, "File name too long"),
        ("loop/x", "Too many levels of symbolic links"),
    ],
)
def test_anything_else_is_refused_with_the_reason(tree: Tree, path: str, reason: str) -> None:
    """No pipe is waited for, no link is followed, and the path is named."""
    with pytest.raises(ReadRefused) as caught:
        tree.read(path)
    assert str(caught.value) == f"{path}: {reason}"


def test_a_name_that_spells_a_path_outside_is_a_name(tmp_path: Path) -> None:
    """A separator of lines in a folder's name starts no second path."""
    outside = tmp_path / "outside"
    outside.write_text("outside\n")
    odd = f"a\u2028{outside}".replace("//", "/")
    write_files(tmp_path / "root", {odd: "inside\n"})
    tree = Tree(str(tmp_path / "root"))
    assert tree.read(odd) == b"inside\n"
    assert tree.names("") == ["a\u2028"]


def test_a_file_above_the_limit_is_refused_and_one_at_it_is_read(tree: Tree) -> None:
    """The limit is in bytes."""
    assert tree.read("a.txt", 5) == b"text\n"
    with pytest.raises(ReadRefused, match=r"^a\.txt: 5 bytes, more than the 4 that are read$"):
        tree.read("a.txt", 4)


def test_a_file_that_says_that_it_is_empty_is_bounded_too(tmp_path: Path) -> None:
    """Files of the kernel report no size and hold more."""
    if not os.path.exists("/proc/self/maps"):
        pytest.skip("needs /proc")
    tree = Tree("/proc/self")
    with pytest.raises(ReadRefused, match="more than the 10 bytes that are read"):
        tree.read("maps", 10)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.txt", "file"),
        ("inner/b.txt", "file"),
        ("folder", "dir"),
        ("inner", "link"),
        ("gone", "link"),
        ("out", "link"),
        ("pipe", "other"),
        ("nothing", "missing"),
        ("a.txt/x", "missing"),
        ("out/secret.txt", "outside"),
        ("../outside", "outside"),
        ("a\0b", "outside"),
        ("x" * 300, "missing"),
    ],
)
def test_the_kind_of_an_entry_is_its_own(tree: Tree, path: str, kind: str) -> None:
    """The last part is never followed, and nothing raises."""
    assert tree.kind(path) == kind


def test_text_is_utf8_with_or_without_a_mark(tmp_path: Path) -> None:
    """What is not is named by line and byte."""
    write_files(
        tmp_path,
        {"plain": "caf\u00e9\n", "marked": b"\xef\xbb\xbfcaf\xc3\xa9\n", "latin": b"one\ntwo caf\xe9\n"},
    )
    tree = Tree(str(tmp_path))
    assert tree.text("plain") == tree.text("marked") == "caf\u00e9\n"
    with pytest.raises(ReadRefused, match=r"^latin:2: byte 12 is not UTF-8$"):
        tree.text("latin")


def test_names_are_sorted_and_a_folder_that_is_a_link_is_not_entered(tree: Tree) -> None:
    """A folder that does not exist has none, and neither has a file."""
    assert tree.names("folder") == ["b.txt", "c.txt"]
    assert "a.txt" in tree.names("")
    assert tree.names(".") == tree.names("")
    assert tree.names("inner") == tree.names("out") == tree.names("nothing") == tree.names("a.txt") == []
    with pytest.raises(ReadRefused):
        tree.names("../outside")


def test_the_root_itself_may_be_reached_through_a_link(tmp_path: Path) -> None:
    """Temporary folders are links on some systems."""
    write_files(tmp_path, {"real/folder/a": "x", "link@": "real"})
    assert Tree(str(tmp_path / "link")).read("folder/a") == b"x"


def test_a_file_that_may_not_be_read_says_so(tmp_path: Path) -> None:
    """Permission is no absence."""
    if os.geteuid() == 0:
        pytest.skip("the super-user may read everything")
    write_files(tmp_path, {"a": "x"})
    os.chmod(tmp_path / "a", 0)
    with pytest.raises(ReadRefused, match="Permission denied"):
        Tree(str(tmp_path)).read("a")
