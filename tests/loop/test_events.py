"""The event log: one canonical line an event, each chained to the line above."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin import clock, tables
from goblin.loop import events, kinds
from goblin.loop.events import Entry, Log, canonical, compose, parse
from goblin.loop.kinds import Kinds
from goblin.paths import Tree
from tests.support import PROJECT

KINDS = kinds.load()
RUN = "run_20260925T001000Z-1a2b3c4d"
EMPTY = Log("events.jsonl", False)


def note(text: str) -> Entry:
    """The plainest event."""
    return Entry("note", {"text": text})


def written(count: int = 6) -> bytes:
    """A log of that many notes."""
    return compose(EMPTY, RUN, [note(f"number {number}") for number in range(1, count + 1)], KINDS)


def lines_of(data: bytes) -> list[bytes]:
    """The lines of a log, LF included."""
    return data.splitlines(keepends=True)


def faults(data: bytes) -> list[tuple[int, str]]:
    """What a reader says is wrong, by line."""
    return [(fault.line, fault.message) for fault in parse(data).faults]


# --- the form of a line ---------------------------------------------------------------------------


def test_a_line_names_the_digest_of_the_line_above() -> None:
    """Anybody can follow the chain with sha256sum: the LF is left out, and the first names zeros."""
    previous = "0" * 64
    for number, line in enumerate(lines_of(written()), start=1):
        event = json.loads(line)
        assert (event["seq"], event["prev"], event["run"], event["v"]) == (number, previous, RUN, 1)
        previous = hashlib.sha256(line.rstrip(b"\n")).hexdigest()


def test_what_is_written_is_read_back() -> None:
    """Every member comes back, in order, and nothing is wrong."""
    data = compose(EMPTY, RUN, [note("one"), Entry("resumed", {}, "i2")], KINDS)
    log = parse(data)
    assert log.faults == ()
    assert [(e.line, e.seq, e.type, dict(e.data), e.span, e.run) for e in log.events] == [
        (1, 1, "note", {"text": "one"}, None, RUN),
        (2, 2, "resumed", {}, "i2", RUN),
    ]


def test_a_log_goes_on_where_it_ended() -> None:
    """Two appends are one chain."""
    data = written(2)
    data += compose(parse(data), RUN, [note("more")], KINDS)
    assert faults(data) == []
    assert [event.seq for event in parse(data).events] == [1, 2, 3]


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({"b": 1, "a": [True, None, "x"]}, b'{"a":[true,null,"x"],"b":1}'),
        ({"a": '\u20ac\n\x1b"\\'}, '{"a":"\u20ac\\n\\u001b\\"\\\\"}'.encode()),
        ({"a": "\u2028"}, '{"a":"\u2028"}'.encode()),
        (-(2**53) + 1, b"-9007199254740991"),
    ],
    ids=["order", "escapes", "no line end of ours", "the largest number"],
)
def test_a_value_has_one_form(value: object, form: bytes) -> None:
    """Sorted keys, no blanks, only the escapes that JSON needs: RFC 8785 for what may occur."""
    assert canonical(value) == form


@pytest.mark.parametrize(
    "value",
    [1.5, float("nan"), 2**53, {"\u00e9": 1}, {1: 2}, {"a": "\ud800"}, {"a": {1, 2}}, b"x"],
    ids=["fraction", "nan", "too large", "key beyond ASCII", "number as key", "surrogate", "set", "bytes"],
)
def test_what_has_no_form_is_refused(value: object) -> None:
    """A writer learns it before anything is written."""
    with pytest.raises(ValueError):  # noqa: PT011  (any of several sentences)
        canonical(value)


def test_what_is_nested_too_deep_is_refused() -> None:
    """Neither a writer nor a reader recurses without end."""
    value: object = 0
    for _ in range(40):
        value = [value]
    with pytest.raises(ValueError, match="nested deeper"):
        canonical(value)
    line = b'{"a":' * 5000 + b"0" + b"}" * 5000
    assert faults(line + b"\n")[0][1].startswith("is no event")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="ascii"), max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_the_form_says_the_same(value: object) -> None:
    """Reading the canonical form gives the value back, and writing that gives the same bytes."""
    assert json.loads(canonical(value)) == value
    assert canonical(json.loads(canonical(value))) == canonical(value)
    assert b"\n" not in canonical(value)


# --- what a tampered log says ---------------------------------------------------------------------


def edited(lines: list[bytes]) -> list[bytes]:
    """One byte in the middle of line 3."""
    return [*lines[:2], lines[2].replace(b"number 3", b"number 9"), *lines[3:]]


TAMPERED: dict[str, tuple[Callable[[list[bytes]], list[bytes]], list[tuple[int, str]]]] = {
    "a byte in the middle": (edited, [(4, "is not chained to line 3")]),
    "a line removed": (
        lambda lines: [*lines[:2], *lines[3:]],
        [(3, "has sequence number 4 after 2: 3 is missing"), (3, "is not chained to line 2")],
    ),
    "two lines exchanged": (
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        [
            (2, "has sequence number 3 after 1: 2 is missing"),
            (2, "is not chained to line 1"),
            (3, "has sequence number 2 after 3: out of order"),
            (3, "is not chained to line 2"),
            (4, "has sequence number 4 after 2: 3 is missing"),
            (4, "is not chained to line 3"),
        ],
    ),
    "a line repeated": (
        lambda lines: [*lines[:3], lines[2], *lines[3:]],
        [(4, "repeats sequence number 3, which stands on line 3"), (4, "is not chained to line 3")],
    ),
    "the beginning cut off": (
        lambda lines: lines[1:],
        [(1, "has sequence number 2 after 0: 1 is missing"), (1, "is not chained to the beginning")],
    ),
    "the last line cut in two": (lambda lines: [*lines[:-1], lines[-1][:-9]], [(6, "ends after")]),
    "a blank line": (
        lambda lines: [*lines[:2], b"\n", *lines[2:]],
        [(3, "is no event"), (4, "has sequence number 3 after 3"), (4, "is not chained to line 3")],
    ),
    "a blank in a line": (
        lambda lines: [*lines[:5], lines[5].replace(b",", b", ", 1)],
        [(6, "is not in canonical form")],
    ),
    "a CR at a line's end": (
        lambda lines: [*lines[:5], lines[5].replace(b"\n", b"\r\n")],
        [(6, "is not in canonical form")],
    ),
    "another version": (
        lambda lines: [*lines[:5], lines[5].replace(b'"v":1', b'"v":2')],
        [(6, "is of version 2")],
    ),
    "a member more": (
        lambda lines: [*lines[:5], lines[5].replace(b'"v":1', b'"v":1,"w":1')],
        [(6, "is no event: an object with exactly")],
    ),
    "a key twice": (
        lambda lines: [*lines[:5], lines[5].replace(b'"v":1', b'"v":1,"v":1')],
        [(6, "is no event: a key stands twice")],
    ),
    "a fraction": (
        lambda lines: [*lines[:5], lines[5].replace(b'"seq":6', b'"seq":6.0')],
        [(6, "is no event: a number with a fraction")],
    ),
    "true for a number": (
        lambda lines: [*lines[:5], lines[5].replace(b'"seq":6', b'"seq":true')],
        [(6, "its seq is no whole number")],
    ),
    "not UTF-8": (lambda lines: [*lines[:5], b"\xff" + lines[5]], [(6, "byte 1 is not UTF-8")]),
    "no JSON": (lambda lines: [*lines[:5], b"{\n"], [(6, "is no event")]),
    "an endless number": (
        lambda lines: [*lines[:5], lines[5].replace(b'"seq":6', b'"seq":' + b"6" * 5000)],
        [(6, "is no event")],
    ),
    "a path for a run": (
        lambda lines: [*lines[:5], lines[5].replace(RUN.encode(), b"../../run")],
        [(6, "its run is not run_<stamp>-<8 hex>")],
    ),
}


@pytest.mark.parametrize("kind", TAMPERED)
def test_a_tampered_log_says_where(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fault has the number of its line, and the events that can be read are still read."""
    moment = datetime(2026, 1, 31, tzinfo=UTC)  # of one instant: else exchanged lines may be misdated, too
    monkeypatch.setattr(clock, "now", lambda: moment)
    tamper, wanted = TAMPERED[kind]
    found = faults(b"".join(tamper(lines_of(written()))))
    assert [line for line, _ in found] == [line for line, _ in wanted], found
    for (_, told), (_, start) in zip(found, wanted, strict=True):
        assert told.startswith(start)


def test_a_sound_log_has_no_fault() -> None:
    """The same reader, on what the table above tampers with."""
    assert faults(written()) == []


def test_lines_cut_off_the_end_leave_the_chain_whole() -> None:
    """The chain alone cannot tell; the rows hold the log against commits, rows and archives."""
    assert faults(b"".join(lines_of(written())[:3])) == []


def test_an_empty_log_is_a_fault() -> None:
    """Nobody empties a log by accident."""
    assert faults(b"") == [(0, "is empty")]


@given(st.binary(max_size=300))
def test_no_bytes_make_a_reader_raise(data: bytes) -> None:
    """Whatever stands there is a fault, or nothing."""
    log = parse(data)
    assert log.faults or log.events


@given(st.integers(min_value=0))
def test_one_changed_byte_is_always_seen(place: int) -> None:
    """Any byte of any line but the last one's content: the chain breaks, or the line is no event."""
    data = bytearray(written())
    end = data.rindex(b"\n", 0, len(data) - 1)
    data[place % end] ^= 1
    assert faults(bytes(data))


def test_a_date_that_runs_backwards_is_a_fault() -> None:
    """A line that was dated before the one above it was not written there."""
    data = written(2)
    later = parse(data)
    earlier = later.events[-1]._replace(at="2001-01-01T00:00:00.000Z")
    forged = compose(later._replace(events=(earlier,)), RUN, [note("x")], KINDS)
    line = json.loads(forged)
    line["at"], line["prev"] = "2001-01-01T00:00:00.000Z", later.events[-1].digest
    assert (3, "is dated earlier than a line above it") in faults(data + canonical(line) + b"\n")


# --- what an event may hold -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (Entry("nonsense", {}), "the type nonsense"),
        (Entry("note", {}), "note lacks text"),
        (Entry("note", {"text": 1}), "text of note is no text"),
        (Entry("note", {"text": "x", "more": 1}), "more of note"),
        (Entry("run_closed", {"outcome": "fine"}), "its outcome is none of"),
        (Entry("iteration_opened", {"turn": True}), "turn of iteration_opened is no int"),
        (Entry("answer", {"out": "abc"}), "out of answer is no digest"),
    ],
)
def test_a_writer_refuses_what_the_table_does_not_know(entry: Entry, said: str) -> None:
    """A typo in our own code never reaches a log."""
    with pytest.raises(ValueError, match=said):
        compose(EMPTY, RUN, [entry], KINDS)


def test_an_event_that_is_too_large_is_refused() -> None:
    """A line is bounded for writers as it is for readers."""
    with pytest.raises(ValueError, match="larger than"):
        compose(EMPTY, RUN, [note("x" * events.LINE_LIMIT)], KINDS)


def test_a_reader_passes_over_a_type_that_it_does_not_know() -> None:
    """A later version may add one: no fault, and it is named."""
    newer = Kinds(
        [tables.Record(2, ("note", "m", "text:text", "-")), tables.Record(3, ("later", "m", "-", "-"))]
    )
    data = compose(EMPTY, RUN, [Entry("later", {})], newer)
    assert faults(data) == []
    assert KINDS.faults("later", {}) == []
    assert KINDS.strangers("later", {}) == ["the type later"]


def test_the_table_holds_every_type_of_the_design() -> None:
    """The closed set, each with a meaning and with shapes that the reader knows."""
    wanted = """run_opened predicate_ran control_ran iteration_opened worker_exited gate_ran judge_asked
        judge_answered decision call_intent call_receipt approval_requested approval_spent answer grounding
        hook_ran note resumed interrupted budget_spent run_closed"""
    assert list(KINDS.known) == wanted.split()
    for kind in KINDS.known.values():
        assert kind.meaning
        for shape in {**kind.required, **kind.optional}.values():
            assert shape.removesuffix("?") in ("int", "text", "digest", "time", "list", "map")


def test_the_table_is_written_as_its_writer_would() -> None:
    """Strictly read, every cell filled and trimmed, and the bytes are the writer's own."""
    data = (PROJECT / "manifest" / "events.tsv").read_bytes()
    columns = ("type", "meaning", "required", "optional")
    rows = [record.cells for record in tables.read(data, columns, "events.tsv")]
    assert all(cell and cell == cell.strip() for row in rows for cell in row)
    assert tables.write(columns, rows) == data


# --- time, runs, files ----------------------------------------------------------------------------


def test_a_clock_that_was_set_back_dates_no_line_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line above is the least that a line may say."""
    data = written(1)
    past = datetime(2020, 1, 1, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: past)
    later = compose(parse(data), RUN, [note("later")], KINDS)
    assert parse(data + later).faults == ()
    assert parse(data + later).events[1].at == parse(data).events[0].at


def test_a_stamp_has_milliseconds_and_follows_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The product's one clock decides the second."""
    fixed = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: fixed)
    assert events.stamp() == "2031-02-03T04:05:06.000Z"
    assert events.run_id().startswith("run_20310203T040506Z-")


def test_the_last_run_is_the_current_one() -> None:
    """One log goes on over every loop; what is closed is the last run, or nothing."""
    other = "run_20260926T001000Z-00000000"
    data = compose(EMPTY, RUN, [note("a"), Entry("run_closed", {"outcome": "green"})], KINDS)
    assert parse(data).closed is not None
    data += compose(parse(data), other, [note("b")], KINDS)
    log = parse(data)
    assert log.closed is None
    assert [event.text("text") for event in log.current] == ["b"]
    assert [event.seq for event in log.of("note")] == [3]


def test_an_absent_log_and_one_that_cannot_be_read_are_told_apart(tmp_path: Path) -> None:
    """Absent means kept by hand; a folder in its place is a fault."""
    tree = Tree(str(tmp_path))
    assert events.read(tree) == Log(".goblin/loop/events.jsonl", False)
    (tmp_path / ".goblin/loop/events.jsonl").mkdir(parents=True)
    found = events.read(tree)
    assert found.exists
    assert "regular file" in found.faults[0].message


def test_a_stale_run_is_a_day_old() -> None:
    """The limit that the rows and the audit share."""
    assert timedelta(hours=24) == events.STALE
