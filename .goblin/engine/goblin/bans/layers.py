"""One-way borders: files below `<from>` may not import what lies at or below `<to>` (BN-05)."""

from __future__ import annotations

import re
from typing import NamedTuple

_ENDING = re.compile(r"\.(?:d\.)?[mc]?[jt]sx?\Z|\.(?:vue|svelte|pyi?)\Z")


class Layer(NamedTuple):
    """One border. Both are paths without a slash at the end."""

    source: str
    target: str

    def holds(self, path: str) -> bool:
        """True for a file that the border keeps in: below `<from>`, and not itself below `<to>`."""
        return _below(path, self.source) and not _below(path, self.target)

    def crosses(self, path: str) -> bool:
        """True for a resolved import, with or without its ending, that lies at or below `<to>`."""
        if _below(path, self.target):
            return True
        if not _ENDING.search(self.target):
            return False
        stem = _ENDING.sub("", self.target)
        index = "index" if path == "." else f"{path}/index"
        return stem in (path, _ENDING.sub("", path), index)


def layer(item: str) -> Layer | None:
    """The border that an item of the configuration declares; None without exactly two words."""
    words = item.split()
    if len(words) != 2:
        return None
    source, target = (word.removeprefix("./").rstrip("/") or "." for word in words)
    return Layer(source, target)


def _below(path: str, folder: str) -> bool:
    return folder == "." or path == folder or path.startswith(f"{folder}/")
