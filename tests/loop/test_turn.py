"""Recording a turn: only if it is well formed, its evidence resolves now and the budget allows it."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from goblin import clock
from goblin.loop import turn
from goblin.loop.record import LoopRecord
from goblin.loop.refusal import Refused
from goblin.loop.turn import LONGEST_CELL
from goblin.outcome import Verdict
from tests.checks.judging import judge, said
from tests.loop.driving import LOOP, closed, log_of, loop_repo, opened, place, record_of, recorded
from tests.support import Repo

TOKEN = "ghp_" + "0" * 36  # put together here: no file of this project holds a whole one
EVIDENCE = "checks/judge.py::each_verdict_cites_what_resolves"
PROGRESS = "checks/loop.py::a_loop_without_progress_stops"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with an open loop of four turns."""
    made = loop_repo(tmp_path / "repository", {"scripts/check.sh": "#!/bin/sh\ngrep -q done README.md\n"})
    opened(made)
    return made


def refused(repo: Repo, **members: object) -> str:
    """Why a turn is refused; nothing is written for it."""
    before = {path: path.read_bytes() for path in (repo / LOOP).rglob("*") if path.is_file()}
    with pytest.raises(Refused) as found:
        recorded(repo, **members)  # type: ignore[arg-type]
    assert {path: path.read_bytes() for path in (repo / LOOP).rglob("*") if path.is_file()} == before
    assert found.value.remedy
    return found.value.message


# --- what is written -------------------------------------------------------------------------------


def test_a_turn_is_one_row_and_one_event(repo: Repo) -> None:
    """Cell for cell, at one instant, in UTC."""
    done = recorded(repo, why="the word is missing", evidence=f"sha:{repo.head[:7]}, file:README.md")
    (row,) = record_of(repo).decisions
    assert (row.line, done.line, done.spent, done.budget) == (2, 2, 1, 4)
    assert (row.phase, row.decision, row.why) == ("check", "verdict:continue", "the word is missing")
    assert (row.evidence, row.result) == (f"sha:{repo.head[:7]}, file:README.md", "predicate:red")
    (event,) = log_of(repo).of("decision")
    assert dict(event.data) == {
        "ts": row.stamp, "phase": row.phase, "decision": row.decision, "why": row.why,
        "evidence": row.evidence, "result": row.result,
    }  # fmt: skip
    assert event.span == "i1"
    assert judge(repo, EVIDENCE).verdict is Verdict.PASS


def test_a_log_row_spends_no_turn_and_needs_no_evidence(repo: Repo) -> None:
    """Any decision that is no verdict."""
    done = recorded(repo, decision="note", evidence="", result="", why="a thought")
    assert (done.spent, done.streak) == (0, 0)
    assert log_of(repo).of("decision")[0].span is None
    assert recorded(repo).spent == 1


def test_text_of_any_kind_survives(repo: Repo) -> None:
    """Quotes, other scripts, and characters that other tools take for a line end."""
    why = 'a "quote, \u2028 caf\u00e9 \u732b \U0001f600 and \\t'
    recorded(repo, why=why)
    recorded(repo, why="after")
    assert [row.why for row in record_of(repo).decisions] == [why, "after"]
    assert judge(repo, EVIDENCE).verdict is Verdict.PASS


# --- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"phase": ""}, "phase is empty"),
        ({"phase": "\u200b"}, "phase is empty"),
        ({"why": "..."}, "why is empty"),
        ({"why": "a\tb"}, "why holds a TAB"),
        ({"why": "a\nb"}, "why holds a TAB, a line break"),
        ({"why": "a\x1b[1mb"}, "another control character"),
        ({"why": "a\udcffb"}, "not UTF-8"),
        ({"why": "x" * (LONGEST_CELL + 1)}, "4001 characters long"),
        ({"why": f"it printed {TOKEN}"}, "why holds what looks like a secret"),
        ({"decision": "verdict:maybe"}, "its decision is none of"),
        ({"decision": "Verdict:done"}, "its decision is none of"),
        ({"decision": "verdict:done"}, "verdict:done needs the result predicate:green"),
        ({"result": "predicate:GREEN"}, "its result is none of"),
        ({"result": ""}, "its result is none of"),
        ({"evidence": ""}, "a verdict needs evidence that resolves"),
        ({"evidence": " , "}, "a verdict needs evidence that resolves"),
        ({"evidence": "cmd:npm test"}, "a command resolves to nothing"),
        ({"evidence": "README.md"}, "no handle; cite"),
        ({"evidence": "file:."}, "not a file"),
        ({"evidence": "file:nothing.txt"}, "is no file that git tracks"),
        ({"evidence": f"file:{LOOP}/decisions.tsv"}, "is the record's own file"),
        ({"evidence": "sha:" + "0" * 40}, "is no commit"),
        ({"evidence": "sha256:" + "0" * 64}, "is the digest of no file"),
        ({"evidence": "file:README.md, file:nothing.txt"}, "file:nothing.txt is no file"),
    ],
)
def test_a_turn_that_is_no_evidence_is_refused(repo: Repo, members: dict[str, object], told: str) -> None:
    """With the sentence that JG-01 would have for it, and nothing written."""
    assert told in refused(repo, **members)


def test_a_command_may_stand_beside_what_resolves(repo: Repo) -> None:
    """It says nothing, and takes nothing away."""
    recorded(repo, evidence="cmd:npm test, file:README.md")
    assert judge(repo, EVIDENCE).verdict is Verdict.PASS


def test_a_spent_budget_is_spent(repo: Repo) -> None:
    """The last turn is inside, the next is refused, and log rows go on."""
    for number in range(4):
        done = recorded(repo, why=f"turn {number}", run=("printf", f"{number}"))
    assert "that was the last turn of the budget" in done.notes
    assert refused(repo) == "the budget is spent: 4 of 4 turn(s)"
    recorded(repo, decision="note", evidence="", result="")
    assert judge(repo, "checks/loop.py::the_loop_stays_inside_its_budget").verdict is Verdict.PASS


def test_a_budget_that_was_edited_counts_for_nothing_it_is_not(repo: Repo) -> None:
    """What cannot be read allows nothing."""
    repo.write({f"{LOOP}/budget": "many\n"})
    assert "budget must be one positive whole number" in refused(repo)


def test_a_budget_that_was_raised_is_not_spent(repo: Repo) -> None:
    """The log remembers what the loop was opened with."""
    repo.write({f"{LOOP}/budget": "9\n"})
    assert refused(repo) == f"{LOOP}/budget says 9, and the loop was opened with 4"


def test_the_predicate_is_the_pinned_one(repo: Repo) -> None:
    """At each turn, measured or not."""
    repo.write({f"{LOOP}/predicate": "true\n"})
    assert refused(repo) == "the predicate is not the one that was pinned"
    assert refused(repo, check=True) == "the predicate is not the one that was pinned"


def test_a_predicate_that_was_pinned_anew_is_not_run(repo: Repo) -> None:
    """Both files were edited together, so only the log still knows; what they hold is not executed."""
    repo.write({f"{LOOP}/predicate": "touch pwned\n"})
    digest = hashlib.sha256(b"touch pwned\n").hexdigest()
    repo.write({f"{LOOP}/predicate.sha256": f"{digest}\n"})
    for members in ({}, {"check": True}):
        assert "pinned anew after the loop was opened" in refused(repo, **members)
    assert not (repo / "pwned").exists()


def test_no_turn_without_an_open_loop(repo: Repo, tmp_path: Path) -> None:
    """Neither before the first nor after the last."""
    fresh = loop_repo(tmp_path / "fresh")
    with pytest.raises(Refused, match="no loop is open"):
        recorded(fresh)
    closed(repo)
    assert refused(repo).startswith("the loop is closed")


def test_no_turn_is_dated_before_the_first_run(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """LP-01 would take it for a turn that came before."""
    first = record_of(repo).first_run.ts
    assert first is not None
    monkeypatch.setattr(clock, "now", lambda: first - timedelta(seconds=5))
    recorded(repo)
    assert record_of(repo).decisions[0].ts == first
    assert judge(repo, "checks/loop.py::the_predicate_ran_before_the_first_turn").verdict is Verdict.PASS


def test_a_clock_that_stands_behind_is_seen(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute is forgiven, and the row is dated like the one above; an hour is refused."""
    recorded(repo)
    (first,) = record_of(repo).decisions
    assert first.ts is not None
    then = first.ts
    monkeypatch.setattr(clock, "now", lambda: then - timedelta(seconds=30))
    recorded(repo, why="half a minute behind")
    assert record_of(repo).decisions[1].stamp == first.stamp
    monkeypatch.setattr(clock, "now", lambda: datetime(2020, 1, 1, tzinfo=UTC))
    assert refused(repo).startswith("the clock says 2020-01-01T00:00:00Z")


# --- measured, not typed ---------------------------------------------------------------------------


def test_a_checked_turn_runs_the_predicate_itself(repo: Repo) -> None:
    """Red until it is committed, then green; the result is filled in and the card is cited."""
    repo.write({"README.md": "done\n"})
    early = recorded(repo, check=True, evidence="")
    assert early.cells[5] == "predicate:red"
    assert early.notes == ("1 uncommitted change(s) were not part of the run",)
    repo.commit("Do it")
    done = recorded(repo, check=True, evidence="file:README.md", decision="verdict:done")
    assert done.cells[5] == "predicate:green"
    handle, _, card = done.cells[4].partition(", sha256:")
    assert handle == "file:README.md"
    value = json.loads((repo / f"{LOOP}/out/{card}.json").read_bytes())
    assert value["predicate_exit"] == 0
    assert judge(repo, EVIDENCE).verdict is Verdict.PASS
    ran = log_of(repo).of("predicate_ran")
    assert [(event.span, event.number("exit")) for event in ran] == [(None, 1), ("i1", 1), ("i2", 0)]
    assert ran[2].text("card") == card


def test_done_is_not_recorded_while_the_predicate_is_red(repo: Repo) -> None:
    """Whatever the judge says."""
    told = refused(repo, check=True, decision="verdict:done")
    assert told.startswith("verdict:done, and the predicate is red (exit 1)")


def test_a_result_that_was_measured_otherwise_is_refused(repo: Repo) -> None:
    """The run has the word."""
    where = place(repo)
    measured = turn.check(where, LoopRecord(where.root), log_of(repo), 60)
    asked = turn.Turn("check", "verdict:continue", "I think so", "", "predicate:green")
    with pytest.raises(Refused, match="the result is predicate:red, not predicate:green"):
        turn._filled(asked, turn.Ran(measured))


def test_a_predicate_that_cannot_run_is_no_turn(tmp_path: Path) -> None:
    """It was red once, and now its script is gone: that is neither red nor green."""
    repo = loop_repo(tmp_path / "repository", {"check.sh": "#!/bin/sh\nexit 1\n"})
    opened(repo, predicate="./check.sh", surface=())
    repo.git("rm", "-q", "check.sh")
    repo.commit("Lose it")
    assert refused(repo, check=True).startswith("the predicate could not run: exit 127")


def test_a_changed_surface_is_not_measured_against(tmp_path: Path) -> None:
    """A loop that edits what decides it does not get a green from us."""
    repo = loop_repo(tmp_path / "repository", {"check.sh": "#!/bin/sh\nexit 1\n"})
    opened(repo, predicate="./check.sh")
    repo.commit("Weaken it", {"check.sh": "#!/bin/sh\nexit 0\n"})
    assert refused(repo, check=True).startswith("check.sh was pinned when the loop began, and recorded")


def test_a_captured_command_is_cited(repo: Repo) -> None:
    """Command, exit, HEAD, tree, times and output are under out/, and the row points there."""
    done = recorded(repo, evidence="", run=("sh", "-c", "echo two words; exit 3"))
    digest = done.cells[4].removeprefix("sha256:")
    text = (repo / f"{LOOP}/out/{digest}.txt").read_bytes()
    assert hashlib.sha256(text).hexdigest() == digest
    assert text.decode().startswith(
        f"command: sh -c echo two words; exit 3\nexit: 3\nhead: {repo.head}\ntree: "
    )
    assert text.endswith(b"\n\ntwo words\n")
    (event,) = log_of(repo).of("call_receipt")
    receipt = json.loads((repo / f"{LOOP}/out/{event.text('receipt')}.json").read_bytes())
    assert (receipt["capture"], receipt["exit"], receipt["head"]) == (digest, 3, repo.head)
    assert receipt["command"] == ["sh", "-c", "echo two words; exit 3"]
    assert receipt["started"] <= receipt["ended"]
    assert judge(repo, EVIDENCE).verdict is Verdict.PASS


def test_a_captured_command_is_no_shell_text(repo: Repo) -> None:
    """Its words are passed on as they are."""
    done = recorded(repo, evidence="", run=("printf", "%s", "$(touch pwned) `touch pwned` ; touch pwned"))
    assert "$(touch pwned)" in (repo / f"{LOOP}/out/{done.cells[4][7:]}.txt").read_text()
    assert not (repo / "pwned").exists()


def test_what_a_captured_command_prints_is_masked(repo: Repo) -> None:
    """In every file of the record."""
    recorded(repo, evidence="", run=("printf", "%s\\n", TOKEN))
    for path in (repo / LOOP).rglob("*"):
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes()
    assert judge(repo, "checks/runs.py::no_record_holds_a_secret").verdict is Verdict.PASS


@pytest.mark.parametrize("command", [("no-such-program",), ("./README.md",), ("sh", "-c", "kill -9 $$")])
def test_a_command_that_could_not_run_shows_nothing(repo: Repo, command: tuple[str, ...]) -> None:
    """It is not recorded as evidence."""
    assert "could not run" in refused(repo, run=command)


def test_check_and_run_may_go_together(repo: Repo) -> None:
    """Both are cited, the command first."""
    done = recorded(repo, check=True, evidence="", run=("echo", "hello"))
    assert len(done.cells[4].split(", ")) == 2
    assert [event.type for event in log_of(repo).events[-3:]] == ["call_receipt", "predicate_ran", "decision"]


# --- progress --------------------------------------------------------------------------------------


def test_a_loop_in_circles_rests_on_one_pointer(repo: Repo) -> None:
    """The same command, tree and answer: the third turn is no progress, and it is said in time."""
    command = ("sh", "-c", "date +%T.%N | cut -c 1-8; echo '3 failed in '$$'ms'")
    streaks = []
    for _ in range(3):
        done = recorded(repo, evidence="", run=command)
        streaks.append((done.streak, *done.notes))
    assert streaks[0] == (1,)
    assert streaks[1] == (2, "one more turn on this pointer is no progress (LP-04)")
    assert streaks[2][0] == 3
    assert "makes no progress" in str(streaks[2][1])
    assert "rows 2, 3, 4" in said(judge(repo, PROGRESS))


def test_work_moves_the_pointer(repo: Repo) -> None:
    """Uncommitted work too; so does another answer."""
    for number in range(3):
        repo.write({"src.txt": f"work {number}"})
        assert recorded(repo, evidence="", run=("echo", "3 failed")).streak == 1
    assert judge(repo, PROGRESS).verdict is Verdict.PASS


def test_keeping_the_record_is_no_progress(repo: Repo) -> None:
    """Committing the record between two turns moves neither a card nor a capture's tree."""
    for number in range(3):
        streak = recorded(repo, check=True, evidence="").streak
        assert streak == number + 1
        repo.commit(f"Record {number}")
    assert judge(repo, PROGRESS).verdict is Verdict.FAIL


def test_a_green_turn_ends_a_streak(repo: Repo) -> None:
    """It is no member of one."""
    recorded(repo)
    recorded(repo)
    assert recorded(repo, result="predicate:green").streak == 0
    assert recorded(repo).streak == 1


# --- a record that is kept by hand ------------------------------------------------------------------


def test_a_hand_kept_record_stays_one(repo: Repo) -> None:
    """A row is appended, and no log appears beside it: it would not know the rows before."""
    (repo / f"{LOOP}/events.jsonl").unlink()
    table = repo / f"{LOOP}/decisions.tsv"
    table.write_text(table.read_text() + "2026-01-01T00:00:00Z\tplan\tnote\tby hand\t\t")
    done = recorded(repo)
    assert done.line == 3
    assert [row.why for row in record_of(repo).decisions] == ["by hand", "not yet"]
    assert not (repo / f"{LOOP}/events.jsonl").exists()
