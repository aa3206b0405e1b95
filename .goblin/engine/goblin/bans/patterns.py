"""Patterns with one `*`, as `paths`, `imports` and `exports` have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

MOST = 100
"""Targets of one name that are followed."""

_LONGEST = 4096
"""Characters of a path; no system opens a longer one."""


def filled(pattern: str, name: str) -> str | None:
    """What the `*` of a pattern stands for in a name; "" without one, None where it does not match."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == name else None
    fits = name.startswith(before) and name.endswith(after) and len(name) >= len(before) + len(after)
    return name[len(before) : len(name) - len(after)] if fits else None


def best(patterns: Iterable[str], name: str) -> str | None:
    """The pattern that a name fits best: itself, else the longest start, else the longest in all."""
    known, starred = _sorted(tuple(patterns))
    if name in known:
        return name
    for length, ends in starred:
        for pattern in _fitting(ends.get(name[:length], {}), name, length):
            return pattern
    return None


_Ends = dict[str, str]
"""What follows a `*`, and the pattern that it ends."""


@lru_cache(maxsize=64)
def _sorted(patterns: tuple[str, ...]) -> tuple[frozenset[str], list[tuple[int, dict[str, _Ends]]]]:
    """Patterns made ready for any number of names: a project has thousands of imports.

    All of them as they are, and those with a `*` by the length of what stands before it, the longest first.
    """
    starred: dict[int, dict[str, _Ends]] = {}
    for pattern in patterns:
        before, star, after = pattern.partition("*")
        if star:
            starred.setdefault(len(before), {}).setdefault(before, {}).setdefault(after, pattern)
    return frozenset(patterns), sorted(starred.items(), reverse=True)


def _fitting(ends: _Ends, name: str, length: int) -> Iterator[str]:
    """Those patterns of one start that a name fits, the longest first."""
    if len(ends) > len(name):
        for left in range(length, len(name) + 1):
            if name[left:] in ends:
                yield ends[name[left:]]
        return
    fits = [one for one in ends if name.endswith(one) and len(name) >= length + len(one)]
    yield from (ends[one] for one in sorted(fits, key=len, reverse=True))


def put(star: str, target: str) -> str:
    """A target with each of its `*` replaced; "" where that is longer than any path."""
    length = len(target) + target.count("*") * len(star)
    return target.replace("*", star) if length <= _LONGEST else ""
