"""The audit record and its waivers: what is written reads back, and no line is passed over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.facts.auditrecord import JUDGED, NONE, SEVERITIES, Advisory, Waiver, parse, parse_waivers, render

TEXT = st.text(max_size=12)
ADVISORIES = st.lists(st.builds(Advisory, TEXT, st.sampled_from(SEVERITIES), TEXT, TEXT), max_size=6)


@given(ADVISORIES, st.lists(TEXT, max_size=3))
def test_what_is_written_reads_back(advisories: list[Advisory], comments: list[str]) -> None:
    """Every high and critical advisory is a row, whatever its cells hold; nothing else becomes one."""
    try:
        data = render(advisories, "2026-01-31", comments)
    except ValueError:
        return
    record = parse(data)
    assert (record.measured, record.faults) == ("2026-01-31", ())
    judged = {a.severity for a in advisories if a.severity in JUDGED}
    assert {row.advisory.severity for row in record.rows} == judged
    assert (NONE in data.decode().split("\n")) == (not judged)
    assert data.isascii() or data.decode("utf-8")


@pytest.mark.parametrize("name", ["", "  ", "#x", "measured 2099-01-01", "\tmeasured\nx"])
def test_a_package_cannot_pose_as_another_kind_of_line(name: str) -> None:
    """A report from outside makes no comment and no date."""
    with pytest.raises(ValueError, match="no package can be called"):
        render([Advisory(name, "high", "1")], "2026-01-31", [])


def test_rows_are_sorted_and_stand_once() -> None:
    """Lower severities are left out; TABs and line breaks in a cell become blanks."""
    found = [
        Advisory("b", "high", "2", "u"),
        Advisory("a", "critical", "1\t\n9"),
        Advisory("b", "high", "2", "u"),
        Advisory("c", "low", "3"),
    ]
    lines = render(found, "2026-01-31", ["x\ny"]).decode().split("\n")
    assert lines == [
        "# x y",
        "# one line for each high or critical advisory: package, severity, id, url",
        "measured 2026-01-31",
        "a\tcritical\t1 9\t",
        "b\thigh\t2\tu",
        "",
    ]


RECORD = (
    "\ufeff# note\r\n# lockfile: a.lock sha256:{digest}\r\nmeasured 2026-01-31\r\nmeasured 2099-01-01\r\n"
    "a\tHIGH\t1\r\nb\tmoderate\t2\tu\tmore\r\nc high 3\r\nd\tbad\t4\r\ne\thigh\r\n\r\n"
)


def test_a_record_is_read_line_by_line() -> None:
    """The first date wins; case of severities is folded; a line that is no row is a fault."""
    record = parse(RECORD.replace("{digest}", "A" * 64).encode())
    assert (record.measured, record.line) == ("2026-01-31", 3)
    assert [(row.advisory, row.line) for row in record.rows] == [
        (Advisory("a", "high", "1"), 5),
        (Advisory("b", "moderate", "2", "u"), 6),
    ]
    assert [fault.line for fault in record.faults] == [7, 8, 9]
    assert record.locks == (("a.lock", "a" * 64),)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_record_and_waivers(data: bytes) -> None:
    """Nothing breaks, and every line with something on it is accounted for."""
    record = parse(data)
    told = len(record.rows) + len(record.faults)
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    assert told <= len(lines)
    assert told + sum(line.strip().startswith("measured") for line in lines) >= len(lines)
    parse_waivers(data)


WAIVER = Waiver("a", "high", "1091", "2026-01-31", "why", 1)
GHSA = "https://x.example/advisories/GHSA-35JH-r3h4-6jhm?a=b"


@pytest.mark.parametrize(
    ("waiver", "advisory", "fits"),
    [
        (WAIVER, Advisory("a", "high", "1091"), True),
        (WAIVER, Advisory("b", "high", "1091"), False),
        (WAIVER, Advisory("a", "critical", "1091"), False),
        (WAIVER, Advisory("a", "high", "1092"), False),
        (WAIVER._replace(severity="*"), Advisory("a", "critical", "1091"), True),
        (WAIVER._replace(severity="HIGH"), Advisory("a", "high", "1091"), True),
        (WAIVER._replace(id="*"), Advisory("a", "high", ""), True),
        (WAIVER._replace(id=""), Advisory("a", "high", ""), False),
        (WAIVER._replace(id="GHSA-35jh-r3h4-6jhm"), Advisory("a", "high", "7", GHSA), True),
        (WAIVER._replace(id="GHSA-35jh-r3h4-6jhx"), Advisory("a", "high", "7", GHSA), False),
        (WAIVER._replace(id="advisories"), Advisory("a", "high", "7", GHSA), False),
    ],
)
def test_a_waiver_fits_its_own_advisory_alone(waiver: Waiver, advisory: Advisory, fits: bool) -> None:
    """Package, severity and id, by number or by the public id in the address."""
    assert waiver.matches(advisory) is fits


def test_waivers_have_five_cells() -> None:
    """A shorter line is a fault, and is matched as far as it goes; a reason may hold TABs."""
    waivers, faults = parse_waivers(b"a\thigh\t1\t2026-01-31\twhy\tnot\r\nb\thigh\t1\nc high 1\n# d\n")
    assert [(w.package, w.date, w.reason) for w in waivers] == [("a", "2026-01-31", "why not"), ("b", "", "")]
    assert [fault.line for fault in faults] == [2, 3]


@pytest.mark.parametrize(
    ("reason", "counts"), [("why", True), ("理由", True), ("…", False), ("\u200b", False)]
)
def test_a_reason_says_something(reason: str, counts: bool) -> None:
    """Punctuation and invisible characters are none."""
    assert WAIVER._replace(reason=reason).has_reason is counts
