"""A marked block of ours at the end of a file of others: where exactly it stands."""

from __future__ import annotations

from goblin.install.journal import unedited

Extent = tuple[int, int]
"""Where in a file something stands: first byte, and the byte after the last."""

_SEPARATORS = (b"\r\n\r\n", b"\n\n", b"\r\n", b"\n", b"")


def line_end(data: bytes) -> bytes:
    """The line end of what is put behind a file of others.

    A last CR of theirs would make one with an LF of ours, and nobody could tell what to give back.
    """
    return b"\r\n" if b"\r\n" in data or data.endswith(b"\r") else b"\n"


def marked(data: bytes, begin: bytes, end: bytes) -> Extent | None:
    """From the begin marker to the end of the line that holds the end marker; None without both."""
    first = data.find(begin)
    last = data.find(end, first)
    if first < 0 or last < 0:
        return None
    line_end = data.find(b"\n", last)
    return first, len(data) if line_end < 0 else line_end + 1


def located(data: bytes, begin: bytes, end: bytes, recorded: str) -> Extent | None:
    """The same with the line ends that were put before it; None where it is not what was appended."""
    own = marked(data, begin, end)
    if own is None or not recorded:
        return None
    for separator in _SEPARATORS:
        start = own[0] - len(separator)
        if start >= 0 and data[start : own[0]] == separator and unedited(data[start : own[1]], recorded):
            return start, own[1]
    return None
