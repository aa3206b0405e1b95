"""Patterns with one `*`, as `paths`, `imports` and `exports` have them."""

from __future__ import annotations

from collections.abc import Iterable

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
    fitting = [one for one in patterns if filled(one, name) is not None]
    if name in fitting:
        return name
    return max(fitting, key=lambda one: (len(one.partition("*")[0]), len(one)), default=None)


def put(star: str, target: str) -> str:
    """A target with each of its `*` replaced; "" where that is longer than any path."""
    length = len(target) + target.count("*") * len(star)
    return target.replace("*", star) if length <= _LONGEST else ""
