"""The managed block: where it stands, and that nothing around it is touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin import __version__
from goblin.emit import source

OURS = source.block()
OLD = source.block("0.0.1")
PIECES = st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"\r", b"\xff", b"<!-- x -->", b" "]), max_size=6)
OUTSIDE = PIECES.map(b"".join)


def test_the_block_is_delimited_by_its_markers_and_names_its_version() -> None:
    """One line each, and nothing behind the last."""
    lines = OURS.decode().split("\n")
    assert lines[0] == f"<!-- goblin-stack:begin v{__version__} -->"
    assert lines[-2:] == ["<!-- goblin-stack:end -->", ""]
    standing = source.find(b"x\n\n" + OURS + b"y")
    assert standing == (3, 3 + len(OURS), __version__)


@given(OUTSIDE)
def test_a_block_is_appended_behind_a_blank_line(data: bytes) -> None:
    """The bytes before it are the file's own, and a second time changes nothing."""
    new = source.placed(data, OURS)
    assert new.startswith(data + source.separator(data))
    standing = source.find(new)
    assert standing is not None
    assert new[standing.start : standing.end].replace(b"\r\n", b"\n") == OURS
    assert new[: standing.start] == data + source.separator(data)
    assert not data or new[: standing.start].endswith((b"\n\n", b"\r\n\r\n", b"\n\r\n"))
    assert source.placed(new, OURS) == new


@given(OUTSIDE, OUTSIDE, st.booleans())
def test_a_block_that_stands_is_replaced_where_it_stands(before: bytes, after: bytes, crlf: bool) -> None:
    """Every byte outside of it stays."""
    old = OLD.replace(b"\n", b"\r\n") if crlf else OLD
    new = source.placed(before + old + after, OURS)
    assert new.startswith(before)
    assert new.endswith(after)
    middle = new[len(before) : len(new) - len(after)]
    assert middle.replace(b"\r\n", b"\n") == OURS
    assert source.placed(new, OURS) == new


@pytest.mark.parametrize(
    "data",
    [
        b"<!-- goblin-stack:begin v1 -->\nno end\n",
        b"<!-- goblin-stack:end -->\n<!-- goblin-stack:begin v1 -->\n",
        b"<!-- goblin-stack:agents-begin -->\nx\n<!-- goblin-stack:agents-end -->\n",
        b"",
    ],
)
def test_half_a_block_and_the_block_of_the_installer_are_none(data: bytes) -> None:
    """The two kinds of block never touch each other."""
    assert source.find(data) is None
    assert source.placed(data, OURS).startswith(data)


def test_a_block_at_the_end_of_a_file_without_a_final_line_end_stays_so() -> None:
    """Byte for byte around it."""
    data = b"x\n\n" + OLD.rstrip(b"\n")
    assert source.placed(data, OURS) == b"x\n\n" + OURS.rstrip(b"\n")
