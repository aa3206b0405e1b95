"""`decisions.tsv`: every line is a turn, and what is wrong with it is kept beside it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.loop.decisions import COLUMNS, WHY_KEPT, Decision, Log, parse
from tests.support import PROJECT

HEADER = "\t".join(COLUMNS) + "\n"
GOOD = "2026-01-02T00:10:00Z\tcheck\tverdict:continue\tmarker absent\tsha:1a2b3c4\tpredicate:red\n"
LOG = "2026-01-02T00:00:00Z\tplan\tread the card\tbegin\t\t\n"


def log_of(text: str | bytes) -> Log:
    """What the bytes of a decisions file hold."""
    return parse(text.encode() if isinstance(text, str) else text, "decisions.tsv")


def row_of(line: str) -> Decision:
    """The only row of a file of one data line."""
    (row,) = log_of(HEADER + line).rows
    return row


def test_rows_keep_their_line_their_cells_and_their_kind() -> None:
    """The header is line 1; a blank line is passed over and still counts as a line."""
    log = log_of(HEADER + LOG + "\n" + GOOD)
    assert log.faults == ()
    first, second = log.rows
    assert (first.line, first.is_verdict, first.verdict, first.faults) == (2, False, "", ())
    assert (second.line, second.verdict, second.result) == (4, "continue", "predicate:red")
    assert second.evidence == "sha:1a2b3c4"
    assert second.handles[0].kind == "sha"
    assert log.verdicts == (second,)
    assert log.earliest == first


def test_a_mark_crlf_and_a_missing_last_line_end_change_nothing() -> None:
    """The same rows as without."""
    plain = log_of(HEADER + LOG + GOOD)
    assert log_of(b"\xef\xbb\xbf" + (HEADER + LOG + GOOD).replace("\n", "\r\n").encode()) == plain
    assert log_of((HEADER + LOG + GOOD).rstrip("\n")) == plain


def test_only_lf_separates_rows() -> None:
    """Other line breaks, form feeds and quotes are ordinary text of a cell."""
    why = 'a\u2028b\x0bc\x0cd\x85e\u2029f "half a remark'
    row = row_of(GOOD.replace("marker absent", why))
    assert row.why == why
    assert row.faults == ()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("\tcheck", "", "5 cell(s) where the header has 6"),
        ("marker", "marker\t", "7 cell(s) where the header has 6"),
        ("check", "", "phase is empty"),
        ("check", "\u200b", "phase is empty"),
        ("marker absent", "", "why is empty"),
        ("marker absent", "\u200b\u200d ...", "why is empty"),
        ("Z\t", "\t", "its ts is no timestamp with an offset"),
        ("verdict:continue", "verdict:finished", "its decision is none of"),
        ("verdict:continue", "verdict:", "its decision is none of"),
        ("verdict:continue", "verdict:done ", "its decision is none of"),
        ("verdict:continue", " verdict:done", "its decision is none of"),
        ("verdict:continue", "Verdict:done", "its decision is none of"),
        ("verdict:continue", "\u200bverdict:done", "its decision is none of"),
        ("predicate:red", "", "its result is none of"),
        ("predicate:red", "PREDICATE:GREEN", "its result is none of"),
        ("predicate:red", "predicate:green (1 failed)", "its result is none of"),
        ("verdict:continue", "verdict:done", "verdict:done needs the result predicate:green"),
    ],
)
def test_a_fault_of_a_row_is_named_and_the_row_still_counts(old: str, new: str, fault: str) -> None:
    """A verdict stays one, whatever is wrong with it."""
    row = row_of(GOOD.replace(old, new, 1))
    assert [told for told in row.faults if fault in told], row.faults
    assert not row.green
    if "cell(s)" not in fault:
        assert row.is_verdict


def test_a_row_cut_off_after_its_decision_is_a_verdict() -> None:
    """Else a truncated row would escape the budget."""
    row = row_of("2026-01-02T00:10:00Z\tcheck\tverdict:continue")
    assert row.is_verdict
    assert row.evidence == row.result == ""


@pytest.mark.parametrize("result", ["predicate:green", "predicate:red", "parked", "stuck"])
def test_every_result_of_the_grammar_is_taken(result: str) -> None:
    """And only one of them is green."""
    row = row_of(GOOD.replace("predicate:red", result))
    assert row.faults == ()
    assert row.green is (result == "predicate:green")


def test_a_log_row_may_say_what_it_likes() -> None:
    """In its decision, its evidence and its result."""
    assert (
        row_of(LOG.replace("read the card", "the verdict: none yet").replace("\t\t\n", "\tx\tgreen\n")).faults
        == ()
    )


def test_time_may_stand_still_but_not_go_back() -> None:
    """Instants are compared, not texts; a row without a time is left out of the comparison."""
    rows = log_of(
        HEADER
        + GOOD.replace("00:10:00Z", "07:00:00+07:00")
        + GOOD.replace("00:10:00Z", "00:00:00Z")
        + GOOD.replace("2026-01-02T00:10:00Z", "soon")
        + GOOD.replace("2026-01-02T00:10:00Z", "2026-01-01T23:59:59Z")
    ).rows
    assert [any("earlier than that of the row above" in told for told in row.faults) for row in rows] == [
        False,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    "first", ["", "time\tphase\n", HEADER.upper(), HEADER.replace("\t", " "), "# x\n" + HEADER]
)
def test_the_first_line_must_be_the_header(first: str) -> None:
    """Exactly; what follows is still read."""
    log = log_of(first + GOOD)
    assert [fault.line for fault in log.faults] == [1]
    assert log.rows[-1].decision == "verdict:continue"


def test_a_verdict_in_the_place_of_the_header_counts() -> None:
    """Dropping the header would hide the first turn otherwise."""
    assert [row.line for row in log_of(GOOD + GOOD).rows] == [1, 2]


def test_bytes_that_are_no_text_are_a_fault_of_their_row() -> None:
    """With the place, and without losing the row."""
    (row,) = log_of(HEADER.encode() + GOOD.encode().replace(b"marker", b"mark\xe9r")).rows
    assert row.faults == ("byte 49 is not UTF-8",)
    assert row.is_verdict


def test_an_empty_file_lacks_its_header() -> None:
    """And holds no row."""
    log = log_of(b"")
    assert [fault.line for fault in log.faults] == [1]
    assert log.rows == ()


@given(st.binary() | st.text(st.sampled_from("ab:verdict\t\n\r\ufeff\u200b0Z")).map(str.encode))
def test_no_bytes_raise_and_no_line_with_a_tab_is_lost(data: bytes) -> None:
    """Each line after the first that is not blank is exactly one row."""
    log = log_of(data)
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")[1:]
    kept = [line.removesuffix(b"\r") for line in lines]
    wanted = [number for number, line in enumerate(kept, 2) if line.strip() or b"\t" in line]
    assert [row.line for row in log.rows if row.line > 1] == wanted


def test_a_reason_of_megabytes_is_cut_and_judged() -> None:
    """Also where nothing in it is a word."""
    assert len(row_of(GOOD.replace("marker", "m" * 10_000_000)).why) == WHY_KEPT
    assert row_of(GOOD.replace("marker absent", "." * 10_000_000)).faults == ("why is empty",)


def test_a_hundred_thousand_rows_stay_small(tmp_path: Path) -> None:
    """In a process of its own, whose memory is limited: 200 MB beside what Python takes."""
    path = tmp_path / "decisions.tsv"
    path.write_text(HEADER + GOOD * 100_000)
    program = (
        # The limit is set in there, so that nothing of ours counts.
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (260 << 20, 260 << 20))\n"
        "from goblin.loop.decisions import parse\n"
        "print(len(parse(open(sys.argv[1], 'rb').read(), '').rows))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        env={"PYTHONPATH": str(PROJECT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "100000\n", done.stderr
