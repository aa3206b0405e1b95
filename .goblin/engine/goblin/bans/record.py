"""What judging a file asks for and gives; small, since a run over unchanged files needs no more than this."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

    from goblin.bans.astgrep import AstGrep
    from goblin.bans.globs import Glob
    from goblin.bans.rules import Needle, Rule
    from goblin.bans.table import Ban


class Probe(NamedTuple):
    """A ban, ready to judge: by a rule, or by patterns over blanked lines."""

    ban: Ban
    globs: tuple[Glob, ...]
    endings: frozenset[str]
    rule: Rule | None = None
    patterns: tuple[re.Pattern[bytes], ...] = ()
    needles: tuple[Needle, ...] = ()  # one of them is in every file with a hit; none: every file is read
    skip: tuple[re.Pattern[str], ...] = ()  # names of files that it leaves out
    outside: AstGrep | None = None  # a rule for ast-grep, which is asked for its places

    @property
    def needle(self) -> str:
        """All the needles as one pattern."""
        return "|".join(f"(?:{needle.pattern})" for needle in self.needles)

    def covers(self, path: str, ending: str) -> bool:
        """True for a file that the ban is about."""
        for glob in self.globs:
            by_name = glob.ending and not self.rule and not self.outside
            if (ending in self.endings or by_name) and glob.covers(path):
                name = path.rpartition("/")[2]
                return not any(pattern.fullmatch(name) for pattern in self.skip)
        return False


class Hit(NamedTuple):
    """One flagged line."""

    line: int
    column: int
    escaped: bool
    shown: str  # what is on the line, shortened


class Asked(NamedTuple):
    """One import of a file, for the borders."""

    line: int
    column: int
    specifier: str  # "" where it is put together at run time
    prefix: str
    shown: str


class Record(NamedTuple):
    """What a file holds. `text` names the bans for which the text probe read, `broken` says that a syntax
    tree did not understand the whole, `fault` why nothing could be judged.
    """

    hits: Mapping[str, tuple[Hit, ...]] = MappingProxyType({})
    imports: tuple[Asked, ...] = ()
    text: tuple[str, ...] = ()
    broken: bool = False
    fault: str = ""

    def __bool__(self) -> bool:
        return bool(self.hits or self.imports or self.text or self.broken or self.fault)
