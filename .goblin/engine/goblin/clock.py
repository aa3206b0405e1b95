"""The one clock. Every date and time in the product is UTC (decided 6); tests replace `now`."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta


def now() -> datetime:
    """The current instant, in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


def today() -> date:
    """Today's date in UTC."""
    return now().date()


def stamp() -> str:
    """The current instant as `YYYY-MM-DDTHH:MM:SSZ`."""
    return now().strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_date(text: str) -> date | None:
    """A strict `YYYY-MM-DD` calendar date in ASCII digits, or None."""
    if len(text) != 10 or not text.isascii() or text[4] != "-" or text[7] != "-":
        return None
    year, month, day = text[:4], text[5:7], text[8:]
    if not (year + month + day).isdigit():
        return None
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def in_future(day: date) -> bool:
    """True for a date later than tomorrow: nobody can have measured anything then (decided 6)."""
    return day > today() + timedelta(days=1)
