"""How a loop stands, at every point of its life."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goblin.loop import state
from goblin.loop.status import Status, look
from tests.loop.driving import (
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
from tests.support.mini import facts_of

START = "goblin-loop start --predicate 'CMD' --budget N"
RECORD = "goblin-loop record --phase P --decision verdict:continue --why TEXT --check"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository in which no loop has run."""
    return loop_repo(tmp_path / "repository")


def seen(repo: Repo) -> Status:
    """The status; looking at it writes nothing."""
    facts = facts_of(repo)
    before = sorted((str(path), path.stat().st_mtime_ns) for path in (repo / ".goblin").rglob("*"))
    status = look(facts.get("loop"), facts.get("loop_log"), facts.get("handles"))
    assert sorted((str(path), path.stat().st_mtime_ns) for path in (repo / ".goblin").rglob("*")) == before
    json.dumps(status.as_json())
    return status


def test_no_loop(repo: Repo) -> None:
    """One may be started."""
    status = seen(repo)
    assert (status.state, status.spent, status.budget, status.next) == ("none", 0, None, (START,))


def test_an_open_loop(repo: Repo) -> None:
    """What it is, what it has spent, and that a turn or the end may come."""
    opened(repo, author="coder", judge="referee", control="echo done >> README.md")
    status = seen(repo)
    assert (status.state, status.predicate, status.first_exit, status.controlled) == (
        "open",
        PREDICATE,
        1,
        True,
    )
    assert (status.author, status.judge, status.spent, status.budget) == ("coder", "referee", 0, 4)
    assert status.next == (RECORD, "goblin-loop close")
    recorded(repo)
    status = seen(repo)
    assert (status.spent, status.streak, status.pointer) == (1, 1, "file:README.md")
    assert (status.last_line, status.last) == (2, "verdict:continue predicate:red")
    assert status.next == (RECORD, "goblin-loop stuck")


def test_a_loop_that_is_green(repo: Repo) -> None:
    """It is closed next, and nothing else."""
    opened(repo)
    repo.commit("Do it", {"README.md": "done\n"})
    recorded(repo, check=True, decision="verdict:done")
    assert seen(repo).next == ("goblin-loop close",)
    closed(repo)
    status = seen(repo)
    assert (status.state, status.outcome, status.archives, status.next) == ("closed", "green", 1, (START,))


def test_a_loop_that_makes_no_progress(repo: Repo) -> None:
    """It is written up next, then closed; the write-up's stage is known."""
    opened(repo)
    for number in range(3):
        recorded(repo, why=f"turn {number}")
    assert (seen(repo).streak, seen(repo).next) == (3, ("goblin-loop stuck",))
    repo.write({f"{LOOP}/stuck.md": "# Stuck\n"})
    assert seen(repo).next == (f"complete {LOOP}/stuck.md, then goblin-loop close",)
    (repo / f"{LOOP}/stuck.md").unlink()
    written_up(repo)
    assert seen(repo).next == ("goblin-loop close",)


def test_a_loop_that_has_spent_its_budget(repo: Repo) -> None:
    """No turn is offered any more."""
    opened(repo, budget=1)
    recorded(repo)
    assert seen(repo).next == ("goblin-loop stuck",)


def test_what_a_kill_left_is_named(repo: Repo) -> None:
    """Half a start, and half a close: the same command again."""
    opened(repo)
    repo.write({f"{LOOP}/opening": "run_20260101T000000Z-00000000\n"})
    assert seen(repo).state == "opening"
    assert "the last start was interrupted" in seen(repo).next[0]
    (repo / f"{LOOP}/opening").unlink()
    archive = closed(repo).archive
    (repo / archive).rename(repo / "elsewhere")
    assert seen(repo).state == "closing"
    assert seen(repo).next == ("goblin-loop close (the last close was interrupted)",)


def test_a_record_that_is_kept_by_hand(repo: Repo) -> None:
    """Said, and judged as it stands."""
    opened(repo)
    (repo / f"{LOOP}/events.jsonl").unlink()
    assert (seen(repo).state, seen(repo).by_hand) == ("open", True)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({f"{LOOP}/predicate": "true\n"}, "the predicate is not the one that was pinned"),
        ({f"{LOOP}/events.jsonl": "x\n"}, f"{LOOP}/events.jsonl:1 is no event"),
    ],
)
def test_what_keeps_it_from_going_on_is_named(repo: Repo, files: dict[str, str], told: str) -> None:
    """As the commands would refuse it."""
    opened(repo)
    repo.write(files)
    assert any(fault.startswith(told) for fault in seen(repo).faults)


@pytest.mark.parametrize("what", ["file", "link"])
def test_what_is_no_record_is_named(repo: Repo, tmp_path: Path, what: str) -> None:
    """A file or a link in the folder's place."""
    if what == "file":
        repo.write({LOOP: "x"})
    else:
        (repo / LOOP).symlink_to(tmp_path)
    assert seen(repo).faults == (f"{LOOP} is no folder of this repository",)


def test_every_state_has_a_name(repo: Repo) -> None:
    """The closed set that the JSON promises."""
    assert state.NAMES == ("none", "opening", "open", "closing", "closed")
    assert state.of(record_of(repo), log_of(repo)).name in state.NAMES
