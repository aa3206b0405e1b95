"""What a run would change in a file, as people read it: a unified diff, bounded (spec install 8)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from goblin.install.journal import Change
from goblin.redact import clean

MOST = 200
"""Lines of one file's diff that are shown."""

_LONGEST = 400  # characters of one line


def diffs(changes: Iterable[Change]) -> Iterator[str]:
    """The lines of the diff of every file that gets other bytes."""
    for change in changes:
        if change.before is not None and change.data is not None:
            yield from diff(change.path, change.before, change.data)


def diff(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """The diff of one file; binary files are only named."""
    before, after = _text(old), _text(new)
    if before is None or after is None:
        yield f"binary file {clean(path)} differs"
        return
    lines = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="")
    for number, line in enumerate(lines):
        if number >= MOST:
            yield f"... more than {MOST} lines of {clean(path)} differ"
            return
        yield clean(line[:_LONGEST])


def _text(data: bytes) -> list[str] | None:
    try:
        return None if b"\0" in data else data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return None
