"""Each file of cases/ is flagged on the lines that its first line names, and on no other, by both readers.

The folder is the ban, the ending of the file its language; line 1 is the line after `EXPECT:`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bans.readers import READERS, hits, rule

CASES = sorted((Path(__file__).parent / "cases").glob("*/*"))


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_exactly_the_lines_named_are_flagged(case: Path, reader: str) -> None:
    """What is forbidden is seen in each of its forms, and what only looks like it is not."""
    header, _, text = case.read_bytes().decode("utf-8").partition("\n")
    expected = [int(word) for word in header.removeprefix("EXPECT:").split()]
    found = hits(rule(case.parent.name), text, case.suffix[1:], READERS[reader])
    lines = text.split("\n")
    assert [(n, lines[n - 1]) for n in found] == [(n, lines[n - 1]) for n in expected]


def test_every_ban_has_a_case_that_is_flagged_and_one_line_that_is_not() -> None:
    """A corpus that only holds one kind proves half of it."""
    covered = {case.parent.name for case in CASES}
    assert covered == {"BN-01", "BN-02", "BN-03", "BN-06", "BN-07", "BN-08", "BN-09"}
