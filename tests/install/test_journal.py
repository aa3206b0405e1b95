"""All changes or none: every call may fail, and the process may end at every call."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from goblin.install import journal
from goblin.install.disk import Disk
from goblin.install.journal import Change, commit, recover
from tests.install.faults import CountingDisk, Picture, failing, full, in_child, killing, picture
from tests.support import write_files

OLD = {
    ".goblin/rules.tsv": "old rules\n",
    "README.md": "theirs\n",
    "gone/by/now.txt": "to be removed\n",
    "run.sh": "#!/bin/sh\nold\n",
}
CHANGES = [
    Change(".goblin/backup/x/README.md", b"theirs\n", None, 0o600),
    Change("new/deep/er/file.txt", b"new file\n", None, 0o644),
    Change("new/deep/script", b"#!/bin/sh\n" * 9, None, 0o755),
    Change("README.md", b"ours\n", b"theirs\n"),
    Change("run.sh", b"#!/bin/sh\nnew\n", b"#!/bin/sh\nold\n"),
    Change("empty", b"", None, 0o644),
    Change("gone/by/now.txt", None, b"to be removed\n"),
    Change(".goblin/rules.tsv", b"new rules\n", b"old rules\n", 0o644),
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with the old files."""
    write_files(tmp_path / "tree", OLD)
    return tmp_path / "tree"


def after(tree: Path) -> Picture:
    """What a copy of the tree looks like once everything was done."""
    copy = tree.parent / "after"
    shutil.copytree(tree, copy)
    assert commit(Disk(str(copy)), CHANGES) == []
    return picture(copy)


def count(tree: Path) -> int:
    """How many calls a whole commit makes."""
    copy = tree.parent / "count"
    shutil.copytree(tree, copy)
    disk = CountingDisk(str(copy))
    commit(disk, CHANGES)
    return len(disk.calls)


def reset(tree: Path) -> None:
    """Back to the old files."""
    shutil.rmtree(tree)
    write_files(tree, OLD)


def test_everything_is_done_and_nothing_else_is_left(tree: Path) -> None:
    """New bytes, removed files, modes; no journal, no temporary file."""
    new = after(tree)
    assert new == {
        ".goblin": None,
        ".goblin/backup": None,
        ".goblin/backup/x": None,
        ".goblin/backup/x/README.md": b"theirs\n",
        ".goblin/rules.tsv": b"new rules\n",
        "README.md": b"ours\n",
        "empty": b"",
        "gone": None,
        "gone/by": None,
        "new": None,
        "new/deep": None,
        "new/deep/er": None,
        "new/deep/er/file.txt": b"new file\n",
        "new/deep/script": b"#!/bin/sh\n" * 9,
        "run.sh": b"#!/bin/sh\nnew\n",
    }


def test_modes_do_not_depend_on_the_umask_and_a_kept_mode_is_kept(tree: Path) -> None:
    """0644 and 0755 under umask 077; a file that gets other bytes keeps its own mode."""
    (tree / "README.md").chmod(0o640)
    before = os.umask(0o077)
    try:
        commit(Disk(str(tree)), CHANGES)
    finally:
        os.umask(before)
    modes = {
        path: os.stat(tree / path).st_mode & 0o777
        for path in ("new/deep/script", "README.md", "run.sh", "new")
    }
    assert modes == {"new/deep/script": 0o755, "README.md": 0o640, "run.sh": 0o755, "new": 0o755}


def test_a_failure_of_any_call_leaves_the_old_tree_or_the_new_one(tree: Path) -> None:
    """Each call of a commit fails in turn: the tree is as before, or all of it is new."""
    old, new, calls = picture(tree), after(tree), count(tree)
    assert calls > 50
    outcomes = set()
    for at in range(1, calls + 1):
        disk = failing(at)(str(tree))
        try:
            warnings = commit(disk, CHANGES)
            left = {
                path: value for path, value in picture(tree).items() if not path.startswith(journal.FOLDER)
            }
            assert left == new, f"call {at}: {disk.calls[at - 1]}"
            assert len(warnings) == 1
            outcomes.add("new")
        except OSError:
            assert picture(tree) == old, f"call {at}: {disk.calls[at - 1]}"
            outcomes.add("old")
        assert recover(Disk(str(tree))) == []
        reset(tree)
    assert outcomes == {"old", "new"}


def test_a_full_disk_leaves_the_old_tree_and_says_so(tree: Path) -> None:
    """From any call on there is no room: nothing is half written once the next run has looked."""
    old, new, calls = picture(tree), after(tree), count(tree)
    for since in range(1, calls + 1):
        try:
            commit(full(since)(str(tree)), CHANGES)
        except (OSError, journal.Stuck):
            recover(Disk(str(tree)))
            assert picture(tree) == old, f"full since call {since}"
        else:
            assert picture(tree) == new, f"full since call {since}"
        reset(tree)


def test_a_process_that_ends_at_any_call_is_rolled_back_by_the_next_run(tree: Path) -> None:
    """SIGKILL before each call, or amid a write: every file is whole, and then all are old or new."""
    old, new, calls = picture(tree), after(tree), count(tree)
    told = set()
    for at in range(1, calls + 1):
        code = in_child(lambda at=at: commit(killing(at)(str(tree)), CHANGES))  # type: ignore[misc]
        assert code == -9, f"call {at}"
        for path in {*OLD, *(change.path for change in CHANGES)}:
            assert picture(tree).get(path) in (old.get(path), new.get(path)), (
                f"call {at}: {path} is half written"
            )
        told.add(bool(recover(Disk(str(tree)))))
        assert picture(tree) in (old, new), f"call {at}"
        reset(tree)
    assert told == {True, False}


def test_a_roll_back_that_is_interrupted_itself_is_finished_by_the_next_run(tree: Path) -> None:
    """Kill the commit near its end, then kill the recovery at each of its calls in turn."""
    old, calls = picture(tree), count(tree)

    def crashed() -> None:
        reset(tree)
        last_rename = calls - 30
        assert in_child(lambda: commit(killing(last_rename)(str(tree)), CHANGES)) == -9
        assert (tree / journal.INTENT).exists()

    crashed()
    watched = CountingDisk(str(tree))
    assert recover(watched)
    for at in range(1, len(watched.calls) + 1):
        crashed()
        assert in_child(lambda at=at: recover(killing(at)(str(tree)))) == -9  # type: ignore[misc]
        recover(Disk(str(tree)))
        assert picture(tree) == old, f"recovery killed at call {at}: {watched.calls[at - 1]}"


def test_bytes_are_on_the_disk_before_a_file_takes_its_name(tree: Path) -> None:
    """Every rename comes after the sync of what it relies on: new bytes, intent, old bytes."""
    disk = CountingDisk(str(tree))
    commit(disk, CHANGES)
    renames = [index for index, call in enumerate(disk.calls) if call == "replace"]
    intent, first = renames[0], renames[1]
    writes = [index for index, call in enumerate(disk.calls) if call == "write"]
    assert disk.calls[intent + 1 : intent + 3] == ["sync_folder", "sync_folder"]
    assert max(writes) < first
    for index in writes:
        assert disk.calls[index + 1] == "sync"


def test_a_file_edited_after_a_crash_is_not_thrown_away(tree: Path) -> None:
    """Recovery restores only what is still as the crashed run left it, and names the rest."""
    in_child(lambda: commit(killing(count(tree) - 20)(str(tree)), CHANGES))
    (tree / "README.md").write_text("edited since\n")
    told = recover(Disk(str(tree)))
    assert "README.md was edited meanwhile and is left as it is" in told
    assert (tree / "README.md").read_text() == "edited since\n"
    assert (tree / "run.sh").read_text() == "#!/bin/sh\nold\n"


def test_a_target_that_moved_since_the_plan_is_not_written(tree: Path) -> None:
    """The bytes that the plan saw are compared again before the first change."""
    (tree / "run.sh").write_text("somebody else\n")
    before = picture(tree)
    with pytest.raises(journal.Moved, match=r"run\.sh was changed"):
        commit(Disk(str(tree)), CHANGES)
    assert picture(tree) == before


def planted(**step: object) -> bytes:
    """An intent with one step."""
    whole = {
        "path": "README.md",
        "temp": ".README.md.x",
        "new": "",
        "old": journal.digest(b"evil"),
        "mode": 420,
        "old_mode": 420,
        "old_mtime_ns": 0,
    }
    return json.dumps({"format": 1, "folders": [], "steps": [{**whole, **step}]}).encode()


@pytest.mark.parametrize(
    "intent",
    [
        planted(path="../outside", temp="../t"),
        planted(path="/etc/passwd", temp="/etc/t"),
        planted(path=".git/hooks/pre-commit", temp=".git/hooks/t"),
        planted(path=".GIT/config", temp=".GIT/t"),
        planted(temp="elsewhere/t"),
        planted(mode="420"),
        b'{"format": 1, "folders": ["../x"], "steps": []}',
        b'{"format": 2, "folders": [], "steps": []}',
        b"[]",
        b"{",
        b"\xff",
    ],
)
def test_a_planted_journal_reaches_nothing(tree: Path, intent: bytes) -> None:
    """An intent is a file of the repository: what it names outside the target, or in .git, is refused."""
    write_files(
        tree, {journal.INTENT: intent, f"{journal.FOLDER}/0000.old": "evil", ".git/config": "[core]\n"}
    )
    before = picture(tree.parent, without=())
    with pytest.raises(journal.Stuck):
        recover(Disk(str(tree)))
    assert picture(tree.parent, without=()) == before


def test_a_link_below_the_target_is_never_followed(tree: Path, tmp_path: Path) -> None:
    """A folder that became a link after the preflight stops the commit; outside nothing happens."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (tree / "new").symlink_to(outside)
    before = picture(tree)
    with pytest.raises(OSError, match="new"):
        commit(Disk(str(tree)), CHANGES)
    assert picture(tree) == before
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("path", [".git/config", "a/.git/x", ".GIT/x", "../x", "/x", "a//b", "git~1/x"])
@pytest.mark.parametrize(
    "call", [lambda d, p: d.mkdir(p), lambda d, p: d.unlink(p), lambda d, p: d.create(p, 0o644)]
)
def test_the_disk_refuses_paths_outside_and_git_directories(
    tree: Path, path: str, call: Callable[[Disk, str], object]
) -> None:
    """Whatever was planned, no call reaches there."""
    with pytest.raises(OSError, match="not a path that may be written"):
        call(Disk(str(tree)), path)
