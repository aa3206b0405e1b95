"""What the text rules look for: one table, so that one pass over the repository serves them all.

A rule that reads text registers a needle: a pattern for git's search over everything at once, and
literals for the few files that are looked at one by one. Both only narrow down: the rule itself
judges each file that may hold its needle.
"""

from __future__ import annotations

from typing import NamedTuple

from goblin.facts.secrets import TRACKED, wide

SECRET = "secret"  # noqa: S105  (the name of a needle)
PUBLIC_NAME = "public name"
COOKIE = "cookie"

PREFIXES = ("NEXT_PUBLIC_", "VITE_", "REACT_APP_", "EXPO_PUBLIC_", "NUXT_PUBLIC_", "GATSBY_")
"""How a variable begins that a build hands to every browser (SC-03)."""


class Needle(NamedTuple):
    """Something that a rule looks for.

    `pattern` holds no flags and no groups that are counted, and is read alike by `re` and by PCRE. One
    of `literals`, or of `wide` in a content with a zero byte, stands in whatever it matches. `kind` is
    `tracked` (any tracked file), `source` (the source set) or `settings` (the source set and files
    named `.env*`).
    """

    name: str
    pattern: str
    literals: tuple[bytes, ...]
    kind: str
    wide: tuple[bytes, ...] = ()

    def may_match(self, data: bytes, zeros: bool) -> bool:
        """True where one of the literals stands; `zeros` says that the data holds a zero byte."""
        if any(literal in data for literal in self.literals):
            return True
        return zeros and any(literal in data for literal in self.wide)


def _wide_pattern(literal: bytes) -> str:
    return r"\x00".join(chr(char) if chr(char).isalnum() else f"\\x{char:02x}" for char in literal)


def _secret() -> Needle:
    literals = tuple(literal for kind in TRACKED for literal in kind.literals)
    patterns = [kind.pattern for kind in TRACKED] + [_wide_pattern(literal) for literal in literals]
    return Needle(SECRET, "|".join(patterns), literals, "tracked", tuple(map(wide, literals)))


def table() -> tuple[Needle, ...]:
    """Every needle, in a fixed order."""
    words = "SECRET|TOKEN|KEY|PASSWORD|PASSWD|PRIVATE"
    public = rf"(?:{'|'.join(PREFIXES)})[A-Za-z0-9_$]*(?i:{words})"
    return (
        _secret(),
        Needle(PUBLIC_NAME, public, tuple(prefix.encode() for prefix in PREFIXES), "settings"),
        Needle(COOKIE, "[Cc]ookie", (b"cookie", b"Cookie"), "source"),
    )
