"""Timestamps: read strictly, compared as instants, and never the cause of an exception."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin import clock
from goblin.loop.instant import in_future, parse_instant

MIDNIGHT = datetime(2026, 9, 25, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-09-25T00:00:00Z",
        "2026-09-25T00:00:00+00:00",
        "2026-09-25T00:00:00-00:00",
        "2026-09-25T00:00:00.000Z",
        "2026-09-25T07:00:00+07:00",
        "2026-09-24T19:30:00-04:30",
    ],
)
def test_every_spelling_of_an_instant_is_that_instant(text: str) -> None:
    """Offsets and fractions do not matter once they are read; the result is in UTC."""
    found = parse_instant(text)
    assert found == MIDNIGHT
    assert found is not None
    assert found.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-09-25",
        "2026-09-25T00:00:00",
        "2026-09-25 00:00:00Z",
        "2026-09-25t00:00:00z",
        "2026-09-25T00:00Z",
        "2026-09-25T00:00:00+0700",
        "2026-09-25T00:00:00+24:00",
        "2026-09-25T00:00:00+07:60",
        "2026-02-30T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-09-25T24:00:00Z",
        "2026-09-25T00:00:61Z",
        "2026-09-25T00:00:00.Z",
        " 2026-09-25T00:00:00Z",
        "2026-09-25T00:00:00Z\n",
        "0000-01-01T00:00:00Z",
        "٢٠٢٦-09-25T00:00:00Z",
        "2026-09-25T00:00:00." + "0" * 10_000_000 + "Z",
    ],
    ids=lambda text: text[:30],
)
def test_anything_else_is_no_timestamp(text: str) -> None:
    """The offset is required, digits are ASCII, and the calendar is the real one."""
    assert parse_instant(text) is None


def test_a_leap_second_is_the_first_instant_of_the_next_day() -> None:
    """In any offset, but only where UTC can have one."""
    after = datetime(2017, 1, 1, tzinfo=UTC)
    assert parse_instant("2016-12-31T23:59:60Z") == after
    assert parse_instant("2017-01-01T05:29:60+05:30") == after
    assert parse_instant("2016-12-31T22:59:60Z") is None


def test_the_ends_of_the_calendar_keep_their_order() -> None:
    """An offset may lead out of the years 1 to 9999; the nearest instant inside them stands for it."""
    last = parse_instant("9999-12-31T23:59:59Z")
    beyond = parse_instant("9999-12-31T23:59:59-01:00")
    before = parse_instant("0001-01-01T00:00:00+01:00")
    assert last is not None
    assert beyond is not None
    assert before is not None
    assert before == datetime.min.replace(tzinfo=UTC) < last <= beyond
    assert parse_instant("9999-12-31T23:59:60Z") is not None


@given(st.datetimes(), st.integers(-1439, 1439))
def test_what_python_writes_is_read_back(naive: datetime, minutes: int) -> None:
    """Equal to the same instant in UTC, where that stands in the calendar."""
    written = naive.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    found = parse_instant(written.isoformat())
    try:
        assert found == written.astimezone(UTC)
    except OverflowError:
        assert found is not None


@given(st.text() | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[-+Z.0-9:]*"))
def test_no_text_raises(text: str) -> None:
    """Either an instant of UTC, or None."""
    found = parse_instant(text)
    assert found is None or found.utcoffset() == timedelta(0)


def test_only_more_than_a_day_ahead_is_the_future(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks differ by minutes; by days they do not."""
    monkeypatch.setattr(clock, "now", lambda: MIDNIGHT)
    assert not in_future(MIDNIGHT + timedelta(minutes=5))
    assert not in_future(MIDNIGHT + timedelta(days=1))
    assert in_future(MIDNIGHT + timedelta(days=1, seconds=1))
