"""What changed between two releases, from the payload's CHANGELOG.md (spec install 8)."""

from __future__ import annotations

import re

from goblin import home
from goblin.install import versions
from goblin.redact import clean

PATH = "CHANGELOG.md"
MOST = 40
"""Lines of one release that are shown."""

_HEADING = re.compile(r"## +\[?v?([0-9][^\s\]]*)\]?")


def releases() -> list[tuple[str, list[str]]]:
    """Each release with its lines, newest first as the file has them; none where there is no such file."""
    try:
        with open(home.path(PATH), encoding="utf-8") as stream:
            lines = stream.read().splitlines()
    except OSError:
        return []
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        heading = _HEADING.match(line)
        if heading:
            found.append((heading[1], []))
        elif found and line.strip() and not line.startswith("#"):
            found[-1][1].append(line.rstrip())
    return found


def between(old: str, new: str) -> list[str]:
    """The lines of every release after `old` up to `new`, oldest first, as they are printed."""
    shown = []
    for version, lines in reversed(releases()):
        if versions.older(old, version) and versions.older(new, version) is False:
            shown.append(f"changed in {version}:")
            shown += [f"  {clean(line)}" for line in lines[:MOST]]
            if len(lines) > MOST:
                shown.append(f"  and {len(lines) - MOST} more lines in {PATH}")
    return shown
