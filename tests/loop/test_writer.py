"""The one writer of a record: one at a time, whole lines, and no way out of the folder."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from goblin.loop import events, state
from goblin.loop.events import Entry
from goblin.loop.refusal import Refused
from goblin.loop.writer import Writer
from tests.loop.driving import KINDS, LOOP, closed, log_of, loop_repo, mended, opened, record_of, recorded
from tests.support import Repo, hermetic


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with an open loop and one turn."""
    made = loop_repo(tmp_path / "repository")
    opened(made)
    recorded(made)
    return made


def refusal(repo: Repo) -> str:
    """Why a turn is refused."""
    with pytest.raises(Refused) as refused:
        recorded(repo)
    return f"{refused.value.message}\n{refused.value.remedy}"


# --- one at a time ----------------------------------------------------------------------------------


def test_a_second_writer_waits_and_then_gives_up(repo: Repo) -> None:
    """It says so, and what to do; nothing is written meanwhile."""
    before = (repo / f"{LOOP}/events.jsonl").read_bytes()
    with (
        Writer(str(repo.root), KINDS),
        pytest.raises(Refused, match="another goblin-loop is at work"),
        Writer(str(repo.root), KINDS, wait=0.1),
    ):
        raise AssertionError("two writers at once")
    assert (repo / f"{LOOP}/events.jsonl").read_bytes() == before


def test_the_lock_is_free_again_whatever_happens_inside(repo: Repo) -> None:
    """An exception inside frees it, as the end of the process does."""
    with pytest.raises(RuntimeError, match="boom"), Writer(str(repo.root), KINDS, wait=0):
        raise RuntimeError("boom")
    with Writer(str(repo.root), KINDS, wait=0) as writer:
        assert writer.log.events


def test_two_writers_side_by_side_lose_no_turn(tmp_path: Path) -> None:
    """Two processes record turns as fast as they can: every acknowledged row stands, chained."""
    repo = loop_repo(tmp_path / "repository")
    opened(repo, budget=20)
    code = """
import sys
from tests.loop.driving import loop_repo, recorded
from tests.support import Repo
for number in range(8):
    done = recorded(Repo(sys.argv[1]), why=f"{sys.argv[2]} {number}", decision="note")
    print(done.line, flush=True)
"""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(repo.root), name],
            stdout=subprocess.PIPE,
            text=True,
            env=hermetic(PYTHONPATH=os.getcwd()),
        )
        for name in ("one", "two")
    ]
    told = [process.communicate(timeout=120)[0].split() for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert sorted(map(int, told[0] + told[1])) == list(range(2, 18))
    rows = record_of(repo).decisions
    for name in ("one", "two"):
        assert [row.why for row in rows if row.why.startswith(name)] == [f"{name} {n}" for n in range(8)]
    assert log_of(repo).faults == ()
    assert all(not row.faults for row in rows)
    assert len(log_of(repo).of("decision")) == 16


# --- what stands in the way -------------------------------------------------------------------------


def test_a_link_for_the_record_is_refused(repo: Repo, tmp_path: Path) -> None:
    """What it points to is not written to."""
    outside = tmp_path / "outside"
    (repo / LOOP).rename(outside)
    (repo / LOOP).symlink_to(outside)
    before = sorted((path.name, path.stat().st_size) for path in outside.iterdir())
    with pytest.raises(Refused, match=r"\.goblin/loop is a symbolic link"), Writer(str(repo.root), KINDS):
        pass
    assert sorted((path.name, path.stat().st_size) for path in outside.iterdir()) == before


@pytest.mark.parametrize("what", ["file", "fifo"])
def test_what_is_no_folder_is_refused(tmp_path: Path, what: str) -> None:
    """A FIFO in place of the record does not hang a writer."""
    repo = loop_repo(tmp_path / "repository")
    if what == "fifo":
        os.mkfifo(repo / LOOP)
    else:
        (repo / LOOP).write_text("x")
    with pytest.raises(Refused, match=r"\.goblin/loop is no folder"):
        opened(repo)


def test_a_link_for_the_home_of_the_record_is_refused(repo: Repo, tmp_path: Path) -> None:
    """The folder that is locked is never followed."""
    (repo / ".goblin").rename(tmp_path / "outside")
    (repo / ".goblin").symlink_to(tmp_path / "outside")
    with pytest.raises(Refused), Writer(str(repo.root), KINDS):
        pass


@pytest.mark.parametrize("name", ["events.jsonl", "decisions.tsv"])
def test_a_file_that_became_a_link_is_not_appended_to(repo: Repo, tmp_path: Path, name: str) -> None:
    """The record is read as broken, or the write is refused; what the link names stays as it was."""
    outside = tmp_path / name
    (repo / LOOP / name).rename(outside)
    (repo / LOOP / name).symlink_to(outside)
    before = outside.read_bytes()
    assert name in refusal(repo) or "symbolic link" in refusal(repo)
    assert outside.read_bytes() == before


@pytest.mark.parametrize("name", ["events.jsonl", "decisions.tsv"])
def test_a_file_with_a_second_name_is_not_appended_to(repo: Repo, tmp_path: Path, name: str) -> None:
    """A hard link may stand outside the repository."""
    os.link(repo / LOOP / name, tmp_path / "outside")
    before, told = (tmp_path / "outside").read_bytes(), len(log_of(repo).events)
    assert "has a second name (a hard link)" in refusal(repo)
    assert (tmp_path / "outside").read_bytes() == before
    assert len(log_of(repo).events) == told  # nor does the log tell of a turn that has no row


def test_an_output_folder_that_is_a_link_is_refused(repo: Repo, tmp_path: Path) -> None:
    """Nothing that a program printed leaves the record."""
    for path in (repo / LOOP / "out").iterdir():
        path.unlink()
    (repo / LOOP / "out").rmdir()
    (tmp_path / "outside").mkdir()
    (repo / LOOP / "out").symlink_to(tmp_path / "outside")
    with pytest.raises(Refused, match="out is no folder"):
        recorded(repo, run=("printf", "hello"))
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_folder_without_a_record_is_no_record(tmp_path: Path) -> None:
    """Somebody's notes in the folder do not open a loop, and are left alone."""
    repo = loop_repo(tmp_path / "repository", {f"{LOOP}/notes.md": "# mine\n"})
    assert state.of(record_of(repo), log_of(repo)).name == "none"
    opened(repo)
    assert repo.read(f"{LOOP}/notes.md") == "# mine\n"
    assert state.of(record_of(repo), log_of(repo)).is_open


# --- writes that fail -------------------------------------------------------------------------------

FULL = """
import resource, sys
from tests.loop.driving import recorded, LOOP
from tests.support import Repo
from goblin.loop.refusal import Refused
repo = Repo(sys.argv[1])
size = (repo / LOOP / sys.argv[2]).stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, size + 20))  # the kernel writes 20 bytes more
try:
    recorded(repo, why="x" * 600)
except Refused as refused:
    print(refused.message)
"""


@pytest.mark.parametrize("name", ["events.jsonl"])
def test_a_write_that_ends_half_way_is_taken_back(repo: Repo, name: str) -> None:
    """As on a full disk: nothing half-written stays, it is said, and the next turn is recorded."""
    before = (repo / LOOP / name).read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(repo.root), name],
        capture_output=True,
        text=True,
        env=hermetic(PYTHONPATH=os.getcwd()),
        timeout=60,
        check=False,
    )
    assert "cannot be written: File too large" in done.stdout, done.stdout + done.stderr
    assert (repo / LOOP / name).read_bytes() == before
    assert len(record_of(repo).decisions) == 1
    recorded(repo)
    assert log_of(repo).faults == ()


# --- what a kill left --------------------------------------------------------------------------------


def test_temporary_files_of_a_killed_writer_go(repo: Repo) -> None:
    """They would stand in the way of a clean work tree; what is not ours stays."""
    left = [
        f"{LOOP}/.budget.0123456789ab.tmp",
        f"{LOOP}/out/.x.txt.0123456789ab.tmp",
        f"{LOOP}/.closed-2026-01-02.tmp/pin",
    ]
    repo.write(dict.fromkeys(left, "x") | {f"{LOOP}/.notes": "mine"})
    mended(repo)
    assert not any((repo / name).exists() for name in left)
    assert repo.read(f"{LOOP}/.notes") == "mine"


def test_a_line_without_its_end_is_set_aside_and_noted(repo: Repo) -> None:
    """The bytes are kept, the log verifies, and the note names their size and digest."""
    whole = (repo / f"{LOOP}/events.jsonl").read_bytes()
    (repo / f"{LOOP}/events.jsonl").write_bytes(whole + b'{"at":"2026')
    assert log_of(repo).torn == 11
    assert mended(repo) == ["a line without its end was set aside in events.torn"]
    assert (repo / f"{LOOP}/events.torn").read_bytes() == b'{"at":"2026\n'
    log = log_of(repo)
    assert log.faults == ()
    note = log.events[-1]
    assert (note.type, note.number("bytes")) == ("note", 12)
    assert mended(repo) == []


def test_a_second_torn_line_is_noted_too(repo: Repo) -> None:
    """The file of torn lines grows, and each growth has its note."""
    for torn in (b"{", b'{"a'):
        with (repo / f"{LOOP}/events.jsonl").open("ab") as stream:
            stream.write(torn)
        mended(repo)
    assert (repo / f"{LOOP}/events.torn").read_bytes() == b'{\n{"a\n'
    assert [event.number("bytes") for event in log_of(repo).of("note")] == [2, 6]


def test_a_kill_between_setting_aside_and_the_note_is_noted_later(repo: Repo) -> None:
    """The note is owed as long as the log does not name what was set aside."""
    (repo / f"{LOOP}/events.torn").write_bytes(b"{\n")
    assert mended(repo) == ["a line without its end was set aside in events.torn"]
    assert mended(repo) == []


def test_a_promised_row_is_completed_from_the_log(repo: Repo) -> None:
    """The event stands, the row does not: the next writer writes it, and says so in the log."""
    recorded(repo, why="the promised one")
    path = repo / f"{LOOP}/decisions.tsv"
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rstrip(b"\n").rfind(b"\n") + 1])
    assert mended(repo) == ["line 3 of decisions.tsv was completed from the log"]
    assert path.read_bytes() == whole
    assert log_of(repo).of("note")[-1].text("text") == "line 3 of decisions.tsv was completed from the log"


def test_only_the_last_promise_is_completed(repo: Repo) -> None:
    """A kill loses no earlier row: where one is missing somebody took it out, and nothing is added."""
    recorded(repo, why="second")
    recorded(repo, why="third")
    path = repo / f"{LOOP}/decisions.tsv"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], lines[3]]))
    assert mended(repo) == []
    assert "is not what the log tells" in refusal(repo)
    assert path.read_bytes() == b"".join([*lines[:2], lines[3]])


def test_a_row_that_was_edited_stops_the_writer(repo: Repo) -> None:
    """It would put its own word under a record that somebody changed."""
    repo.write({f"{LOOP}/decisions.tsv": repo.read(f"{LOOP}/decisions.tsv").replace("red", "green")})
    assert "goblin-verify --only RN-02" in refusal(repo)


def test_a_log_that_does_not_verify_stops_the_writer(repo: Repo) -> None:
    """The line is named, and so is the row that says more."""
    path = repo / f"{LOOP}/events.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"turns":4', b'"turns":9'))
    said = refusal(repo)
    assert f"the event log does not verify: {LOOP}/events.jsonl:2 is not chained to line 1" in said
    assert "goblin-verify --only RN-01" in said


def test_a_torn_line_below_a_broken_chain_is_left_as_it_is(repo: Repo) -> None:
    """What somebody edited is not tidied up."""
    path = repo / f"{LOOP}/events.jsonl"
    broken = path.read_bytes().replace(b'"turns":4', b'"turns":9') + b"{"
    path.write_bytes(broken)
    assert mended(repo) == []
    assert path.read_bytes() == broken


def test_nothing_is_mended_in_a_loop_that_is_closed(tmp_path: Path) -> None:
    """A closed loop has all its rows; one that is missing later was taken out."""
    repo = loop_repo(tmp_path / "repository")
    opened(repo)
    repo.write({"README.md": "done\n"}).commit("Do it")
    recorded(repo, check=True, decision="verdict:done")
    closed(repo)
    path = repo / f"{LOOP}/decisions.tsv"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    assert mended(repo) == []
    assert len(path.read_bytes().splitlines()) == 1


def test_a_thread_that_holds_the_lock_is_waited_for(repo: Repo) -> None:
    """The second writer begins when the first ends, within its time."""
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with Writer(str(repo.root), KINDS):
            inside.set()
            leave.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(30)
    threading.Timer(0.2, leave.set).start()
    with Writer(str(repo.root), KINDS, wait=30) as writer:
        writer.say(writer.log.current[-1].run, [Entry("note", {"text": "after"})])
    thread.join()
    assert log_of(repo).events[-1].text("text") == "after"
    assert events.read(writer.record.tree).faults == ()
