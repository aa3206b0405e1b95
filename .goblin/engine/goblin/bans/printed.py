"""The findings that a command printed: `path:line: text`, as compilers and linters write them."""

from __future__ import annotations

import os
from collections.abc import Iterable

from goblin.outcome import Finding
from goblin.paths import confined
from goblin.pattern import lazy

_PLACE = lazy(
    r"(?P<path>[^\s:][^:]*):(?P<line>[0-9]{1,9})(?::(?P<column>[0-9]{1,9}))?(?::\s*(?P<text>.*)|\Z)"
)


def findings(said: Iterable[str]) -> list[Finding]:
    """A finding for each line, with the place that it begins with if that is one inside the repository."""
    found = []
    for line in said:
        match = _PLACE.match(line)
        path = os.path.normpath(match["path"]) if match else ""
        if match and confined(path):
            found.append(Finding(path, int(match["line"]), int(match["column"] or 0), match["text"] or ""))
        else:
            found.append(Finding("", message=line))
    return found
