"""Timestamps of the record: `YYYY-MM-DDThh:mm:ss[.f](Z|±hh:mm)`, compared as instants, never as text.

The offset is required (spec LP-01). Every instant that comes out is in UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from goblin import clock

GRAMMAR = "YYYY-MM-DDThh:mm:ssZ, or an offset such as +02:00 in place of the Z"
LONGEST = 64
"""Characters of a timestamp; nine digits of a second need 35."""

AHEAD = timedelta(days=1)
"""How far ahead of now a timestamp may be: two clocks may differ."""

_STAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII
)
_USUAL = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z", re.ASCII)
"""What nearly every timestamp looks like, and Python reads as it is meant."""

_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)


def parse_instant(text: str) -> datetime | None:
    """The instant in UTC that a timestamp names, or None for any other text. Never raises.

    Digits after the sixth of a fraction are dropped. A leap second (23:59:60 in UTC) is the first
    instant of the next day. What an offset moves out of the years 1 to 9999 is the nearest instant
    inside them, so that order is kept.
    """
    if _USUAL.fullmatch(text):
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return None
    match = _STAMP.fullmatch(text) if len(text) <= LONGEST else None
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(match[group]) for group in range(1, 7))
    micro = int((match[7] or "")[:6].ljust(6, "0"))
    hours, minutes = int(match[9] or 0), int(match[10] or 0)
    if hours > 23 or minutes > 59 or second > 60:
        return None
    offset = timedelta(hours=hours, minutes=minutes) * (-1 if match[8] == "-" else 1)
    try:
        local = datetime(year, month, day, hour, minute, min(second, 59), micro, timezone(offset))
    except ValueError:
        return None
    try:
        instant = local.astimezone(UTC)
    except OverflowError:
        return _FIRST if local.year == 1 else _LAST
    if second < 60:
        return instant
    if (instant.hour, instant.minute) != (23, 59):
        return None
    instant = instant.replace(microsecond=0)
    return instant + timedelta(seconds=1) if instant < _LAST - timedelta(seconds=1) else _LAST


def in_future(instant: datetime | None) -> bool:
    """True more than `AHEAD` of now: nothing can have happened then (decided 6)."""
    return instant is not None and instant > clock.now() + AHEAD
