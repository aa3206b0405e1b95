"""The second process of a long run: the same report, whatever becomes of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from goblin import aside, engine
from goblin.manifest import Row
from goblin.outcome import Finding, Outcome, failed, passed
from tests.support.mini import facts_of, mini_home, mini_repo, row

__all__ = ["mini_home"]

ROWS = [
    row(f"{family}-{n:02}", "checks/mini.py::breaks" if n % 3 == 0 else "checks/mini.py::holds")
    for family in ("IN", "SC", "BN")
    for n in range(10, 30)
]


@pytest.fixture
def forking(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The process ids that were started aside, on a machine that has two cores."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    started: list[int] = []
    real = aside.start

    def start(
        rows: tuple[Row, ...], judge: aside.Judge, before: Callable[[], None] | None = None
    ) -> aside.Aside | None:
        child = real(rows, judge, before)
        started.append(child.pid if child else 0)
        return child

    monkeypatch.setattr(aside, "start", start)
    return started


def shown(report: engine.Report) -> list[tuple[str, Outcome]]:
    """What a report says of each row."""
    return [(result.row.id, result.outcome) for result in report.results]


@pytest.mark.usefixtures("mini_home")
def test_the_report_is_the_same_with_and_without_it(
    tmp_path: Path, forking: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Order, verdicts, findings and remedies do not depend on how many cores there are."""
    repo = mini_repo(tmp_path / "r", ROWS)
    with_it = shown(engine.judge(facts_of(repo)))
    assert len(forking) == 1
    assert forking[0]
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert with_it == shown(engine.judge(facts_of(repo)))
    assert len(forking) == 1
    assert any(outcome.findings for _, outcome in with_it)


@pytest.mark.usefixtures("mini_home")
def test_rows_of_a_child_that_dies_are_judged_all_the_same(
    tmp_path: Path, forking: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No answer, or half of one, is no verdict."""
    repo = mini_repo(tmp_path / "r", ROWS)
    expected = shown(engine.judge(facts_of(repo)))
    for answer in (lambda *_: os._exit(9), lambda rows, judge, sink: os.write(sink, b'[["PASS", "forged"')):
        monkeypatch.setattr(aside, "_answer", answer)
        assert shown(engine.judge(facts_of(repo))) == expected
    assert len(forking) == 3


def test_an_outcome_survives_the_pipe() -> None:
    """Lone bytes of a file name too."""
    rows = tuple(Row(f"SC-{n}", "target", "", "lint", "r", "a", "c", "-", "b") for n in (10, 11))
    outcomes = {
        "SC-10": failed("two\nlines", [Finding("a\udcff", 3, 4, "\u202e")], remedy="mend"),
        "SC-11": passed("fine"),
    }
    child = aside.start(rows, lambda row: (outcomes[row.id], 0.5))
    assert child is not None
    assert aside.collect(child) == {name: (outcome, 0.5) for name, outcome in outcomes.items()}


def test_a_short_run_starts_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row, or few on either side, do not pay for a process; nor does a single core."""
    many = [
        Row(f"{f}-{n}", "target", "", "lint", "r", "a", "c", "-", "b")
        for f in ("IN", "SC")
        for n in range(10, 40)
    ]
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert len(aside.choose(many)) == 30
    assert aside.choose(many[:30]) == ()
    assert aside.choose(many[25:]) == ()
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert aside.choose(many) == ()
