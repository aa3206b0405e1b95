"""Files of gigabytes that cost nothing to make: they are named, and never read into memory."""

from __future__ import annotations

from goblin import engine
from goblin.outcome import Verdict
from tests.support import Repo
from tests.support.mini import facts_of


def test_a_waivers_file_of_a_gigabyte_is_the_fail_of_its_row(sample: Repo) -> None:
    """And ends no run: the rows whose findings it might waive are judged without it."""
    with (sample / ".goblin/waivers.tsv").open("wb") as stream:
        stream.truncate(1 << 30)
    report = engine.judge(facts_of(sample, static=True), ("IN-01", "WV-01"))
    assert [result.outcome.verdict for result in report.results] == [Verdict.PASS, Verdict.FAIL]
    assert "more than the" in report.results[1].outcome.summary
