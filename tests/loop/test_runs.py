"""What the event log says of a run: open, silent, closed, broken, and who worked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from goblin import clock
from goblin.loop import events, kinds, runs
from goblin.loop.audit import Audit, audit
from goblin.loop.decisions import COLUMNS
from goblin.loop.events import Entry, Log
from goblin.loop.record import read
from goblin.loop.runs import run_of
from tests.support import Repo
from tests.support.loops import LOOP, PREDICATE, STUCK, digest, loop_repo, row

RUN = "run_20260925T000000Z-0a1b2c3d"
START = datetime(2026, 9, 25, 0, 0, tzinfo=UTC)
GREEN_ROW = row("00:31", "predicate:green", "file:README.md", "done", "verdict:done")
OPENED = Entry(
    "run_opened",
    {"predicate": digest(PREDICATE), "command": "true", "budget": {"turns": 20}, "base": "0" * 40,
     "lanes": {"author": "coder", "judge": "ju\x1bdge", "other": "x"}},
)  # fmt: skip
RAN = Entry(
    "predicate_ran",
    {"exit": 1, "out": "0" * 64, "started": "2026-09-25T00:00:00Z", "ended": "2026-09-25T00:00:01Z"},
)
GREEN_RAN = Entry("predicate_ran", {**RAN.data, "exit": 0}, "i1")
DONE = Entry("decision", dict(zip(COLUMNS, GREEN_ROW.rstrip("\n").split("\t"), strict=True)), "i1")
CLOSED = Entry("run_closed", {"outcome": "green"})


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The clock: the one instant in the list, which a test may change."""
    instant = [START]
    monkeypatch.setattr(clock, "now", lambda: instant[0])
    return instant


def log_of(*entries: Entry) -> bytes:
    """A chained log of one run."""
    return events.compose(Log("", True), RUN, entries, kinds.load())


def repo_with(root: Path, log: bytes, *rows: str, **parts: str | bytes | None) -> Repo:
    """A repository whose record has this event log."""
    return loop_repo(root, rows or [GREEN_ROW], None, events__jsonl=log, **parts)


def audited(repo: Repo) -> Audit:
    """The audit of a repository that holds a record."""
    found = audit(str(repo.root))
    assert found is not None
    return found


def event_part(found: Audit) -> tuple[str, str]:
    """State and text of the part about the event log."""
    ((state, text),) = [(one.state, one.text) for one in found.parts if one.name == "events"]
    return state, text


def test_without_a_log_there_is_no_run(tmp_path: Path) -> None:
    """A record that is kept by hand is judged as it stands."""
    assert run_of(read(str(loop_repo(tmp_path, [GREEN_ROW]).root)), 0) is None


def test_a_run_tells_who_worked(tmp_path: Path, now: list[datetime]) -> None:
    """Its lanes come before those that the repository declares, and are safe to print."""
    found = audited(repo_with(tmp_path, log_of(OPENED, RAN)))
    assert [(lane.role, lane.profiles, lane.source) for lane in found.lanes] == [
        ("author", ("coder",), "log"),
        ("judge", (r"ju\x1bdge",), "log"),
    ]


def test_an_open_run_is_running_until_it_falls_silent(tmp_path: Path, now: list[datetime]) -> None:
    """After an hour the reader is told since when; after a day it is not running any more."""
    repo = repo_with(tmp_path, log_of(OPENED, RAN), row("00:10"), stuck__md=STUCK)
    now[0] = START + timedelta(minutes=59)
    assert (audited(repo).state, audited(repo).headline) == ("running", "Still running")
    now[0] = START + timedelta(hours=5)
    assert audited(repo).headline == "Left open, and silent since 2026-09-25T00:00:00Z"
    now[0] = START + timedelta(hours=25)
    found = audited(repo)
    assert found.state == "short"
    assert event_part(found) == ("wrong", "2 events; the run was never closed")


def test_an_open_run_needs_no_write_up_yet(tmp_path: Path, now: list[datetime]) -> None:
    """It may still turn green."""
    found = audited(repo_with(tmp_path, log_of(OPENED, RAN), row("00:10")))
    assert [part.state for part in found.parts if part.name == "write-up"] == ["ok"]


def test_done_is_reached_though_the_run_is_not_closed_yet(tmp_path: Path, now: list[datetime]) -> None:
    """The predicate is green and a verdict says done: what is left is housekeeping."""
    assert audited(repo_with(tmp_path, log_of(OPENED, RAN, GREEN_RAN, DONE))).state == "reached"


@pytest.mark.parametrize("ran", [(), (RAN._replace(span="i1"),)], ids=["nothing ran", "red"])
def test_a_green_that_was_typed_is_not_proven(
    tmp_path: Path, now: list[datetime], ran: tuple[Entry, ...]
) -> None:
    """The log holds no run of the predicate that says so."""
    found = audited(repo_with(tmp_path, log_of(OPENED, RAN, *ran, DONE, CLOSED)))
    assert found.state == "unproven"
    assert [part.text for part in found.parts if part.name == "goal"] == [
        "typed green: no run of the predicate stands behind the last row"
    ]


@pytest.mark.parametrize("name", ["--exec=touch PWNED", "HEAD", "0" * 40, "main"])
def test_a_commit_that_the_log_makes_up_is_not_asked_for(
    tmp_path: Path, now: list[datetime], name: str
) -> None:
    """No option and no ref gets to git, and what is not under HEAD shows nothing."""
    ran = GREEN_RAN._replace(data={**GREEN_RAN.data, "head": name, "tree": "0" * 40})
    found = audited(repo_with(tmp_path, log_of(OPENED, RAN, ran, DONE, CLOSED)))
    assert found.state == "unproven"
    assert "is not under HEAD" in next(part.text for part in found.parts if part.name == "goal")


def test_a_closed_run_says_how_and_when(tmp_path: Path, now: list[datetime]) -> None:
    """The outcome is the log's own word."""
    found = audited(repo_with(tmp_path, log_of(OPENED, RAN, GREEN_RAN, DONE, CLOSED)))
    assert found.state == "reached"
    told = "5 events, closed green at 2026-09-25T00:00:00Z, each chained to the one before"
    assert event_part(found) == ("ok", told)


def test_a_green_row_does_not_outweigh_another_outcome(tmp_path: Path, now: list[datetime]) -> None:
    """Whoever typed the row did not close the run."""
    log = log_of(OPENED, RAN, Entry("run_closed", {"outcome": "budget"}))
    found = audited(repo_with(tmp_path, log))
    assert found.state == "unproven"
    assert event_part(found)[1].endswith("though the last row is green")


@pytest.mark.parametrize("damage", ["cut", "edit", "no line end", "not UTF-8"])
def test_a_log_that_does_not_hold_together_is_wrong(tmp_path: Path, now: list[datetime], damage: str) -> None:
    """And a green row beside it is not proof."""
    lines = log_of(OPENED, RAN, CLOSED).split(b"\n")
    if damage == "cut":
        del lines[1]
    elif damage == "edit":
        lines[1] = lines[1].replace(b'"exit":1', b'"exit":2')
    elif damage == "no line end":
        lines.pop()
    else:
        lines[1] = b"\xff"
    found = audited(repo_with(tmp_path, b"\n".join(lines)))
    assert event_part(found)[0] == "wrong"
    assert found.state == "unproven"


def test_an_interrupted_close_says_what_finishes_it(tmp_path: Path, now: list[datetime]) -> None:
    """The log says closed, and the archive that it names is not there."""
    log = log_of(OPENED, RAN, Entry("run_closed", {"outcome": "green", "archive": "closed-2026-09-25"}))
    assert event_part(audited(repo_with(tmp_path, log)))[1].endswith("goblin-loop close finishes it")


def test_a_torn_line_that_was_set_aside_is_noted(tmp_path: Path, now: list[datetime]) -> None:
    """Nothing is wrong; a kill left a trace."""
    repo = repo_with(tmp_path, log_of(OPENED, RAN, CLOSED), events__torn="{")
    assert event_part(audited(repo))[0] == "note"


def test_of_a_long_log_the_end_is_read(
    tmp_path: Path, now: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lanes from its opening, the outcome from its end; whether it is chained is left to its row."""
    notes = [Entry("note", {"text": f"note {number}"}) for number in range(200)]
    repo = repo_with(tmp_path, log_of(OPENED, RAN, *notes, CLOSED))
    monkeypatch.setattr(runs, "WHOLE", 4096)
    monkeypatch.setattr(runs, "TAIL_LINES", 5)
    run = run_of(read(str(repo.root)), 0)
    assert run is not None
    assert (run.events, run.outcome, run.checked, run.faults) == (203, "green", False, ())
    assert run.lanes[0] == ("author", "coder")
    assert event_part(audited(repo)) == (
        "note",
        "203 events, closed green at 2026-09-25T00:00:00Z; too long "
        "to be held line against line here (RN-01 does)",
    )


@pytest.mark.parametrize(
    "log",
    [b"", b"\n", b"x" * (5 << 20), b"\n" * (5 << 20), b"\n" * 30_000, b'"type":"run_opened"' * 300_000],
    ids=["empty", "one line end", "one line", "many line ends", "fewer line ends", "false openings"],
)
def test_a_log_that_is_none_harms_nothing(tmp_path: Path, log: bytes) -> None:
    """Empty, one long line, only line ends, or words that look like an opening."""
    assert audited(repo_with(tmp_path, log)).state in ("unproven", "reached")


def test_a_log_that_is_a_folder_is_wrong(tmp_path: Path) -> None:
    """It cannot be read, and that is said."""
    repo = loop_repo(tmp_path, [GREEN_ROW], {LOOP + "events.jsonl/x": "y"})
    assert event_part(audited(repo))[0] == "wrong"


def test_a_log_of_line_ends_is_not_read_to_its_end() -> None:
    """Sixty megabytes of nothing are a thousand faults, not sixty million."""
    found = events.parse(b"\n" * (60 << 20))
    assert len(found.faults) == events.MOST_FAULTS + 2
    assert found.faults[-1].message.endswith("is not read")
