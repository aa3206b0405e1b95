"""The exemptions of the configuration: `bans_exempt`, each a ban and a path prefix.

A prefix covers the path that it equals and everything below it, segment by segment and as written: `src`
covers `src/a.ts` and not `src2/a.ts`; `src/` and `./src` cover nothing, and the run says so (decided 27).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Exemption(NamedTuple):
    """One item. `prefix` is "" where the item names no path."""

    ban: str
    prefix: str

    def covers(self, path: str) -> bool:
        """True for a path that this item excepts."""
        return bool(self.prefix) and (path == self.prefix or path.startswith(f"{self.prefix}/"))

    @property
    def fault(self) -> str:
        """Why the item can cover nothing, with the edit that mends it; "" for one that can."""
        if not self.prefix:
            return "names no path; write the ban, a blank and a path"
        if self.prefix.endswith("/"):
            return "exempts nothing; write it without the slash"
        if self.prefix.startswith("./"):
            return "exempts nothing; write it without the ./"
        if self.prefix.startswith("/") or "\\" in self.prefix:
            return "exempts nothing; write a path from the root of the repository, with /"
        return ""


def exemptions(items: Iterable[str]) -> tuple[Exemption, ...]:
    """The items of `bans_exempt`: the id is the first word, the prefix the rest of the line."""
    found = []
    for item in items:
        if not item.strip():
            continue
        ban, *rest = item.split(None, 1)
        found.append(Exemption(ban, rest[0].rstrip() if rest else ""))
    return tuple(found)
