"""Small answers kept between runs in the git directory, never in the tree.

A cache only saves time: what cannot be read, is not what was written, or cannot be kept is worked
out again. A `--static` run neither reads nor writes it, since its git directory is not trusted yet.
"""

from __future__ import annotations

import os
from typing import Any

FOLDER = os.path.join("goblin", "cache")
LIMIT = 8 << 20
"""Bytes of one kept answer that are read back."""


def recall(git_dir: str, name: str) -> Any:
    """What was kept under a name, or None. The caller checks that it has the shape he wrote."""
    import json

    from goblin.paths import ReadRefused, Tree

    try:
        return json.loads(Tree(os.path.join(git_dir, FOLDER)).read(name, LIMIT))
    except (ReadRefused, ValueError, RecursionError):
        return None


def remember(git_dir: str, name: str, value: Any) -> None:
    """Keep a value that JSON can hold, in one atomic write; a failure costs time, nothing else."""
    import json

    from goblin import atomic

    folder = os.path.join(git_dir, FOLDER)
    try:
        os.makedirs(folder, exist_ok=True)
        atomic.write(os.path.join(folder, name), json.dumps(value, ensure_ascii=True).encode())
    except (OSError, ValueError):
        return
