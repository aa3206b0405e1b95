"""The end of a loop: an honest one, archived and chained."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from goblin import clock
from goblin.loop import close, events, state
from goblin.loop.events import Entry
from goblin.loop.refusal import Refused
from goblin.loop.writer import Writer
from goblin.outcome import Verdict
from tests.checks.judging import judge, said
from tests.loop.driving import (
    KINDS,
    LOOP,
    PREDICATE,
    closed,
    log_of,
    loop_repo,
    opened,
    record_of,
    recorded,
    written_up,
)
from tests.support import Repo

PINNED = "checks/loop.py::the_predicate_is_pinned"
WRITTEN = "checks/loop.py::a_loop_that_ended_red_is_written_up"
SURFACE = "checks/loop.py::the_pinned_surface_is_unchanged"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with an open loop that pins a script."""
    made = loop_repo(tmp_path / "repository", {"check.sh": "#!/bin/sh\ngrep -q done README.md\n"})
    opened(made, surface=("check.sh",), control="echo done >> README.md")
    return made


def refused(repo: Repo) -> str:
    """Why the loop may not be closed; it stays as it is."""
    before = {path: path.read_bytes() for path in (repo / LOOP).rglob("*") if path.is_file()}
    with pytest.raises(Refused) as found:
        closed(repo)
    assert {path: path.read_bytes() for path in (repo / LOOP).rglob("*") if path.is_file()} == before
    return f"{found.value.message}\n{found.value.remedy}"


def green(repo: Repo) -> None:
    """Reach the goal, and record it."""
    repo.commit("Do it", {"README.md": "done\n"})
    recorded(repo, check=True, decision="verdict:done")


# --- the archive -----------------------------------------------------------------------------------


def test_a_green_loop_is_archived_and_chained(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Predicate and pin, with the rest of the record, byte for byte; the live pin names the digest."""
    green(repo)
    before = {path.name: path.read_bytes() for path in (repo / LOOP).iterdir() if path.is_file()}
    now = max(clock.now(), datetime(2026, 9, 25, tzinfo=UTC))
    monkeypatch.setattr(clock, "now", lambda: now)
    done = closed(repo, "as planned")
    assert (done.archive, done.outcome) == (f"{LOOP}/closed-{now.date()}", "green")
    kept = {path.name: path.read_bytes() for path in (repo / done.archive).iterdir()}
    assert kept == {name: data for name, data in before.items() if name != "events.jsonl"}
    record = record_of(repo)
    assert record.pin.previous == (record.pin.digest,)
    assert (record.pin.surface, record.surface.exists) == ("", False)
    last = log_of(repo).events[-1]
    assert (last.type, last.text("outcome"), last.text("why")) == ("run_closed", "green", "as planned")
    assert judge(repo, PINNED).verdict is Verdict.PASS
    assert state.of(record, log_of(repo)).name == "closed"


def test_a_second_archive_of_a_day_has_a_number(repo: Repo) -> None:
    """Nothing is ever put over an archive."""
    first = closed(repo).archive
    opened(repo)
    second = closed(repo).archive
    opened(repo)
    assert (second, closed(repo).archive) == (f"{first}-2", f"{first}-3")
    assert judge(repo, PINNED).verdict is Verdict.PASS


def test_a_closed_loop_pins_nothing_any_more(repo: Repo) -> None:
    """Its script may be edited: LP-06 is about a loop that runs."""
    closed(repo)
    repo.write({"check.sh": "#!/bin/sh\nexit 0\n"})
    assert judge(repo, SURFACE).verdict is Verdict.SKIP


def test_a_closed_loop_is_not_closed_again(repo: Repo) -> None:
    """And a record that never was is not closed at all."""
    closed(repo)
    assert refused(repo).startswith("the loop is closed (see .goblin/loop/closed-")
    with pytest.raises(Refused, match="no loop is open"):
        closed(loop_repo(repo.root.parent / "fresh"))


# --- an honest end ---------------------------------------------------------------------------------


def test_a_red_loop_needs_a_write_up(repo: Repo) -> None:
    """LP-05 would ask for it; the remedy says how to write one."""
    recorded(repo)
    assert refused(repo) == (
        f"the loop did not end green, and {LOOP}/stuck.md is missing\n"
        "goblin-loop stuck --tried TEXT --blocks TEXT"
    )
    written_up(repo)
    assert closed(repo).outcome == "cancelled"
    assert judge(repo, WRITTEN).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{PREDICATE}\n{PREDICATE}\n{PREDICATE}\n", "has 1 distinct line(s) that count"),
        ("one\ntwo\nthree\n", "does not name the predicate"),
        (f"# {PREDICATE}\n\n```\na\nb\n```\n", "has"),
    ],
    ids=["repeated", "unnamed", "headings and fences"],
)
def test_a_write_up_that_is_none_does_not_close(repo: Repo, text: str, told: str) -> None:
    """By the very reading of LP-05."""
    recorded(repo)
    repo.write({f"{LOOP}/stuck.md": text})
    assert told in refused(repo)
    assert judge(repo, WRITTEN).verdict is Verdict.FAIL


def test_a_loop_without_a_turn_may_be_given_up(repo: Repo) -> None:
    """Nothing was spent, and nothing has to be explained."""
    assert closed(repo).outcome == "cancelled"


@pytest.mark.parametrize(
    ("last", "outcome"),
    [
        ({"decision": "verdict:blocked"}, "blocked"),
        ({"result": "stuck"}, "blocked"),
        ({}, "cancelled"),
    ],
)
def test_the_outcome_is_what_the_rows_say(repo: Repo, last: dict[str, str], outcome: str) -> None:
    """Nobody types it."""
    recorded(repo, **last)  # type: ignore[arg-type]
    written_up(repo)
    assert closed(repo).outcome == outcome


def test_a_loop_that_stood_still_is_stalled(repo: Repo) -> None:
    """Three turns on one pointer."""
    for number in range(3):
        recorded(repo, why=f"turn {number}")
    written_up(repo)
    assert closed(repo).outcome == "stalled"


def test_a_loop_that_spent_its_budget_says_so(repo: Repo) -> None:
    """Four of four, each on a pointer of its own."""
    for number in range(4):
        recorded(repo, evidence="", run=("printf", f"{number}"))
    written_up(repo)
    assert closed(repo).outcome == "budget"


def test_an_edited_predicate_is_not_archived(repo: Repo) -> None:
    """The archive would hold a predicate that its pin is not of."""
    repo.write({f"{LOOP}/predicate": "true\n"})
    assert "is not the one that was pinned\ngit checkout -- .goblin/loop/predicate" in refused(repo)


def test_edited_rows_are_not_archived(repo: Repo) -> None:
    """Nor is a record that is not what the log tells."""
    green(repo)
    table = repo / f"{LOOP}/decisions.tsv"
    table.write_text(table.read_text().replace("not yet", "as promised"))
    assert "is not what the log tells" in refused(repo)


def test_a_hand_kept_loop_is_closed_as_well(repo: Repo) -> None:
    """Archived and chained; there is no log to tell of it."""
    (repo / f"{LOOP}/events.jsonl").unlink()
    done = closed(repo)
    assert done.outcome == ""
    assert judge(repo, PINNED).verdict is Verdict.PASS
    assert state.of(record_of(repo), log_of(repo)) == state.State(
        "closed", True, done.archive.rpartition("/")[2]
    )


@pytest.mark.parametrize("name", ["../../outside", "closed-x", ".", "closed-2026-01-01/../../x"])
def test_a_log_does_not_say_where_to_write(repo: Repo, name: str) -> None:
    """A hostile log that names another folder as its archive is refused, and nothing is made there."""
    log = log_of(repo)
    entry = Entry("run_closed", {"outcome": "green", "archive": name})
    with (repo / f"{LOOP}/events.jsonl").open("ab") as stream:
        stream.write(events.compose(log, log.current[-1].run, [entry], KINDS))
    before = sorted(str(path) for path in repo.root.parent.rglob("*"))
    assert "which is no closed-<date>" in refused(repo)
    assert sorted(str(path) for path in repo.root.parent.rglob("*")) == before


def test_a_reason_that_a_log_cannot_hold_is_refused(repo: Repo) -> None:
    """One line, and no secret."""
    with pytest.raises(Refused, match="--why holds a line break"):
        closed(repo, "a\nb")


# --- stuck -----------------------------------------------------------------------------------------


def test_a_write_up_names_the_predicate_and_the_last_evidence(repo: Repo) -> None:
    """What it cannot know it leaves open, so it does not count yet."""
    recorded(repo)
    with Writer(str(repo.root), KINDS) as writer:
        path, complete = close.stuck(writer)
    text = repo.read(path)
    assert (
        f"The predicate `{PREDICATE}` ({record_of(repo).predicate.digest[:12]}) did not turn green." in text
    )
    assert "The last evidence is line 2 of decisions.tsv: file:README.md" in text
    assert not complete
    assert "has 2 distinct line(s) that count; three are needed" in said(judge(repo, WRITTEN))
    repo.write({path: text + "The generator is not in this repository.\n"})
    assert judge(repo, WRITTEN).verdict is Verdict.PASS
    assert log_of(repo).events[-1].text("text") == "stuck.md was opened"


def test_a_write_up_may_be_given_at_once(repo: Repo) -> None:
    """Then it is complete, and the loop can be closed."""
    recorded(repo)
    with Writer(str(repo.root), KINDS) as writer:
        path, complete = close.stuck(writer, "all of it", "the build server")
    assert complete
    assert "## What was tried\n\nall of it\n\n## What blocks it\n\nthe build server\n" in repo.read(path)
    assert judge(repo, WRITTEN).verdict is Verdict.PASS


def test_a_write_up_is_never_written_over(repo: Repo) -> None:
    """Somebody wrote it."""
    repo.write({f"{LOOP}/stuck.md": "mine\n"})
    with Writer(str(repo.root), KINDS) as writer, pytest.raises(Refused, match=r"stuck\.md is there already"):
        close.stuck(writer)
    assert repo.read(f"{LOOP}/stuck.md") == "mine\n"


def test_a_closed_loop_is_not_written_up(repo: Repo) -> None:
    """Its end is archived."""
    closed(repo)
    with Writer(str(repo.root), KINDS) as writer, pytest.raises(Refused, match="the loop is closed"):
        close.stuck(writer)
