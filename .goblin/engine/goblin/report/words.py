"""Numbers and times as every page and every text says them."""

from __future__ import annotations

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


def span(seconds: int) -> str:
    """A duration in its two largest units, such as `6 h 30 min`."""
    words: list[str] = []
    left = seconds
    for unit, length in _UNITS:
        if left >= length or (unit == "s" and not words):
            words.append(f"{left // length} {unit}")
            left %= length
        elif words:
            break
    return " ".join(words[:2])


def moment(stamp: str) -> str:
    """`2026-09-25T00:42:11Z` as `25 Sep 00:42`; "" stays ""."""
    if len(stamp) < 16:
        return stamp
    return f"{int(stamp[8:10])} {_MONTHS[int(stamp[5:7]) - 1]} {stamp[11:16]}"


def day(stamp: str) -> str:
    """`2026-09-25T00:42:11Z` as `25 Sep 2026`."""
    return f"{int(stamp[8:10])} {_MONTHS[int(stamp[5:7]) - 1]} {stamp[:4]}" if len(stamp) >= 10 else stamp


def count(number: int, noun: str) -> str:
    """`1 row`, `2 rows`, `100,000 rows`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def ordinal(number: int) -> str:
    """`2nd`, `3rd`, `11th`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
