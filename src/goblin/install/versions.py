"""Which of two releases is the newer one (PEP 440, as far as releases of this package go)."""

from __future__ import annotations

import re

_RELEASE = re.compile(r"v?([0-9]+(?:\.[0-9]+)*)")
_SUFFIX = re.compile(r"[-_.]?(dev|alpha|a|beta|b|rc|c|post)[-_.]?([0-9]*)")
_RANK = {"dev": -4, "a": -3, "alpha": -3, "b": -2, "beta": -2, "c": -1, "rc": -1, "post": 1}
_LONGEST = 64

Key = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]


def key(version: str) -> Key | None:
    """What sorts a version among others, or None for a text that is none."""
    text = version.strip().lower().partition("+")[0]
    release = _RELEASE.match(text)
    if release is None or len(text) > _LONGEST:
        return None
    numbers = [int(number) for number in release[1].split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    suffixes, at = [], release.end()
    while at < len(text):
        suffix = _SUFFIX.match(text, at)
        if suffix is None:
            return None
        suffixes.append((_RANK[suffix[1]], int(suffix[2] or 0)))
        at = suffix.end()
    return tuple(numbers), (*suffixes, (0, 0))


def older(one: str, other: str) -> bool | None:
    """True where `one` comes before `other`; None where one of them cannot be read."""
    first, second = key(one), key(other)
    return None if first is None or second is None else first < second
