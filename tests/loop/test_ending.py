"""A loop that still runs and one that is over: LP-05, the status and the audit say the same of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from goblin import clock
from goblin.loop.audit import audit
from goblin.loop.status import look
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.loop.driving import LOOP, closed, loop_repo, opened, recorded
from tests.support import Repo
from tests.support.mini import facts_of

WRITTEN = "checks/loop.py::a_loop_that_ended_red_is_written_up"
RECORD = "goblin-loop record"


def told(repo: Repo) -> tuple[Outcome, str, str]:
    """The row, what the status offers first, and the state that the audit gives."""
    facts = facts_of(repo)
    status = look(facts.get("loop"), facts.get("loop_log"), facts.get("handles"))
    found = audit(str(repo.root))
    assert found is not None
    return judge(repo, WRITTEN), status.next[0], found.state


def runs(repo: Repo) -> None:
    """All three say that the loop may go on."""
    outcome, step, state = told(repo)
    assert outcome.verdict is Verdict.SKIP, said(outcome)
    assert "still runs" in outcome.summary
    assert step.startswith(RECORD)
    assert state == "running"


def over(repo: Repo, why: str) -> None:
    """All three say that it is over, and that a write-up is missing."""
    outcome, step, state = told(repo)
    assert outcome.verdict is Verdict.FAIL
    assert f"it is over: {why}" in said(outcome)
    assert step == "goblin-loop stuck"
    assert state == "short"


@pytest.mark.parametrize(
    ("decision", "result"),
    [("verdict:blocked", "predicate:red"), ("verdict:continue", "stuck"), ("verdict:wait", "parked")],
)
def test_a_verdict_ends_it_until_another_follows(tmp_path: Path, decision: str, result: str) -> None:
    """Blocked, stuck and parked are ends; a turn that goes on after them takes them back."""
    repo = loop_repo(tmp_path / "repository")
    opened(repo)
    recorded(repo)
    runs(repo)
    recorded(repo, decision=decision, result=result)
    over(repo, f"its last verdict is {decision} {result}")
    recorded(repo, run=("echo", "on"))
    runs(repo)


def test_a_rule_of_the_loop_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No progress, a spent budget, a day of silence, a clock that ran ahead, and a log that was lost."""
    repo = loop_repo(tmp_path / "repository")
    opened(repo)
    for number in range(3):
        recorded(repo, why=f"turn {number}")
    over(repo, "3 turns rest on one pointer, which is no progress")
    recorded(repo, run=("echo", "on"))
    over(repo, "its budget of 4 turn(s) is spent")
    closed_with(repo)
    opened(repo)
    recorded(repo)
    runs(repo)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(hours=25))
    over(repo, "nothing was written for more than 24 hours")
    monkeypatch.setattr(clock, "now", lambda: now - timedelta(hours=25))
    outcome = judge(repo, WRITTEN)
    assert "its last event is dated in the future" in said(outcome)
    monkeypatch.undo()
    (repo / f"{LOOP}/events.jsonl").unlink()
    assert "it is over: it is kept by hand" in said(judge(repo, WRITTEN))


def closed_with(repo: Repo) -> None:
    """Write the loop up and close it."""
    repo.write(
        {f"{LOOP}/stuck.md": "`grep -q done README.md` stays red\nwe tried one thing\nit is blocked\n"}
    )
    assert judge(repo, WRITTEN).verdict is Verdict.PASS
    closed(repo)


def test_a_write_up_that_was_begun_is_judged_at_once(tmp_path: Path) -> None:
    """Whoever opens one has given up, and an empty one is none."""
    repo = loop_repo(tmp_path / "repository")
    opened(repo)
    recorded(repo)
    repo.write({f"{LOOP}/stuck.md": "# Stuck\n"})
    assert judge(repo, WRITTEN).verdict is Verdict.FAIL
