"""Files that git opens in nearly every call: at a named pipe among them it would wait for ever."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress

_AT_THE_TOP = (".gitignore", ".gitattributes", ".gitmodules")
_INSIDE = (
    *("HEAD", "config", "config.worktree", "index", "packed-refs", "shallow", "commondir"),
    *("info/exclude", "info/attributes", "info/sparse-checkout", "info/grafts", "objects/info/alternates"),
)


def pipe(top: str, folders: Iterable[str]) -> str:
    """The first of them that is a named pipe, as a path to show; "" for none.

    `top` is the work tree, "" for none; `folders` are git directories.
    """
    places = [os.path.join(top, name) for name in _AT_THE_TOP if top]
    for folder in sorted(folders):
        places += [os.path.join(folder, name) for name in _INSIDE]
    for place in places:
        with suppress(OSError, ValueError):
            if stat.S_ISFIFO(os.stat(place).st_mode):
                return os.path.relpath(place, top) if top else place
    return ""
