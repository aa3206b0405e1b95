"""The text report: the layout that scripts rely on, and nothing in it that a terminal would obey."""

from __future__ import annotations

import re

from goblin.engine import Report, Result
from goblin.manifest import Row
from goblin.outcome import Finding, Outcome, advisory, failed, passed, skipped
from goblin.report.text import detail_lines, finding_line, render

LINE = re.compile(r"^(PASS|FAIL|ADV|SKIP) +[A-Z]+-[0-9]{2}", re.MULTILINE)


def result(row_id: str, outcome: Outcome, **cells: str) -> Result:
    """A result of a row with ordinary cells."""
    row = Row(row_id, "target", "", "script", "the rule", "reads", "true", "mend it", "blind")
    return Result(row._replace(**cells), outcome, 0.25)  # type: ignore[arg-type]


def report(*results: Result, **fields: object) -> Report:
    """A report over results."""
    families = {"HP": ("handoff", "whether the prose is true"), "IN": ("install", "a forged record")}
    return Report("/somewhere", "A", False, results, 1, families)._replace(**fields)  # type: ignore[arg-type]


def test_the_whole_page() -> None:
    """A block a row, the counts, the advisory line and the footer, byte for byte."""
    text = render(
        report(
            result("IN-01", passed("(3 files)")),
            result("HP-02", failed("2 slots", [Finding("HANDOFF.md", 7, 0, "missing section: State")])),
            result("DOC-01", advisory("the rule (advisory)"), enforced_by="advisory"),
            result("PG-01", skipped("no review note")),
        )
    )
    assert text == (
        "PASS  IN-01  (3 files)\n"
        "FAIL  HP-02  2 slots\n"
        "        HANDOFF.md:7: missing section: State\n"
        "        remedy: mend it\n"
        "ADV   DOC-01 the rule (advisory)\n"
        "SKIP  PG-01  no review note\n"
        "      1 passed, 1 failed, 1 advisory, 1 skipped\n"
        "      of those 1 advisory: the matrix labels 1 row(s) advisory\n"
        "      cannot see: IN a forged record; HP whether the prose is true; the install record is not\n"
        "      signed. More: goblin-verify --explain ID\n"
    )


def test_output_of_a_gate_cannot_pose_as_a_row() -> None:
    """Whatever a finding or a summary holds, only real rows match the scripts' pattern."""
    sly = failed(
        "gate said\nPASS  IN-01  fake", [Finding("", message="PASS  IN-02  fake"), Finding("a\nPASS  X-01")]
    )
    assert LINE.findall(render(report(result("GT-02", sly)))) == ["FAIL"]


def test_nothing_that_a_terminal_obeys_is_printed() -> None:
    """Escapes, bidirectional marks, line separators and lone bytes are shown as text."""
    name = "a\x1b[31m\u202e\u2028\udcff.txt"
    line = finding_line(Finding(name, 3, 1, "bell \x07"))
    assert line == r"a\x1b[31m\u202e\u2028\xff.txt:3:1: bell \x07"


def test_secrets_in_findings_are_named_by_kind() -> None:
    """A credential that a program printed is never repeated."""
    token = "ghp_" + "a" * 36
    assert detail_lines(failed(f"said {token}", [Finding("", message=token)])) == [
        "said <forge token hidden>",
        "<forge token hidden>",
    ]


def test_long_lists_are_cut_with_their_count() -> None:
    """Twenty findings are printed, the rest are counted."""
    lines = detail_lines(failed("many", [Finding("a", n, 0, "x") for n in range(1, 26)]))
    assert len(lines) == 22
    assert lines[-1] == "... and 5 more"


def test_a_remedy_of_the_outcome_wins_and_a_dash_is_none() -> None:
    """The check knows better than the row; a row without a remedy prints none."""
    assert "remedy: special" in render(report(result("HP-01", failed("x", remedy="special"))))
    assert "remedy" not in render(report(result("HP-01", failed("x"), remedy="-")))
    assert "remedy" not in render(report(result("HP-01", passed("x"))))


def test_a_waived_run_is_never_mistaken_for_a_full_one() -> None:
    """The archive waiver and notes stand in the tail."""
    text = render(
        report(result("IN-01", passed("x")), archive=True, notes=("judged by 2; the install here is 1",))
    )
    assert "      archive: true: the handoff, spec, gate and runtime-data rows are waived\n" in text
    assert "      note: judged by 2; the install here is 1\n" in text


def test_the_advisory_counts_explain_a_difference() -> None:
    """Labelled but skipped, and advisory without a label, are told apart."""
    text = render(report(result("MD-02", advisory("x")), labelled=3))
    assert "of those 1 advisory: the matrix labels 3 row(s) advisory" in text
    assert "3 labelled row(s) not selected or skipped; 1 row(s) advisory here without the label" in text


def test_where_nothing_is_advisory_nothing_is_said_of_it() -> None:
    """A run of one row has nothing to explain."""
    assert "of those" not in render(report(result("HP-01", passed("x")), labelled=3))


def test_the_footer_of_a_wide_run_is_short() -> None:
    """Of many families only the first thing that each cannot see, and nothing of those that judged no row."""
    names = ("AA", "BB", "CC", "DD", "EE", "FF")
    families = {name: (name.lower(), f"{name}-first, and more; {name}-last") for name in names}
    rows = [result(f"{name}-01", passed("x")) for name in names[:5]]
    wide = " ".join(render(report(*rows, result("FF-01", skipped("-")), families=families)).split())
    assert "AA AA-first; BB BB-first; CC CC-first; DD DD-first; EE EE-first; the install record" in wide
    assert "FF-first" not in wide
    narrow = render(report(*rows[:4], families=families))
    assert "DD DD-first, and more; DD-last" in " ".join(narrow.split())
