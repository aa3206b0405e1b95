"""A temporary folder goes with its user, also with one that was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from goblin.tempfolder import LOCK, YOUNG, NoFolder, held, prune, remove_tree
from tests.support import PROJECT

PREFIX = "goblin-try-"


@pytest.fixture(autouse=True)
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made during a test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def holder(parent: Path) -> subprocess.Popen[str]:
    """A process that holds a folder until its input ends; it has one when it has printed its path."""
    program = (
        f"import sys; from goblin.tempfolder import held\n"
        f"with held({PREFIX!r}) as folder:\n"
        f"    open(folder + '/made', 'w').close(); print(folder, flush=True); sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(PROJECT / "src"), "TMPDIR": str(parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith(str(parent))
    return process


def test_it_is_new_and_empty_and_gone_afterwards(parent: Path) -> None:
    """Also where the block raises."""
    with held(PREFIX) as folder:
        assert os.listdir(folder) == []
        assert os.path.realpath(folder) == folder
        (Path(folder) / "a").write_text("x")
    assert list(parent.iterdir()) == []
    with pytest.raises(RuntimeError, match="inside"), held(PREFIX):
        raise RuntimeError("inside")
    assert list(parent.iterdir()) == []


def test_what_a_killed_process_left_goes_with_the_next(parent: Path) -> None:
    """SIGKILL lets nobody clean up."""
    process = holder(parent)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert len(list(parent.iterdir())) == 1
    with held(PREFIX):
        assert len(list(parent.iterdir())) == 1
    assert list(parent.iterdir()) == []


def test_what_a_living_process_holds_stays(parent: Path) -> None:
    """Two runs at one time do not remove each other's folders."""
    process = holder(parent)
    with held(PREFIX):
        assert len(list(parent.iterdir())) == 2
    (left,) = parent.iterdir()
    assert (left / "work" / "made").exists()
    process.communicate("")
    assert process.returncode == 0
    assert list(parent.iterdir()) == []


def test_only_folders_of_that_prefix_go(parent: Path) -> None:
    """Other names, files and links of that name are nobody's business here."""
    outside = parent.parent / "outside"
    (outside / "kept").mkdir(parents=True)
    (outside / LOCK).write_text("")
    (parent / f"{PREFIX}link").symlink_to(outside)
    (parent / f"{PREFIX}file").write_text("x")
    (parent / "other").mkdir()
    (parent / "other" / LOCK).write_text("")
    prune(str(parent), PREFIX)
    assert {path.name for path in parent.iterdir()} == {f"{PREFIX}link", f"{PREFIX}file", "other"}
    assert (outside / "kept").is_dir()


def test_a_folder_without_a_lock_is_old_before_it_goes(parent: Path) -> None:
    """A new one may be between its making and its lock."""
    folder = parent / f"{PREFIX}new"
    folder.mkdir()
    prune(str(parent), PREFIX)
    assert folder.is_dir()
    then = folder.stat().st_mtime - YOUNG - 60
    os.utime(folder, (then, then))
    prune(str(parent), PREFIX)
    assert not folder.exists()


def test_a_lock_that_is_a_pipe_or_a_link_holds_nothing_up(parent: Path) -> None:
    """It is never waited for, and never followed."""
    for name in ("pipe", "link"):
        (parent / f"{PREFIX}{name}").mkdir()
    os.mkfifo(parent / f"{PREFIX}pipe" / LOCK)
    (parent / f"{PREFIX}link" / LOCK).symlink_to("/etc/passwd")
    prune(str(parent), PREFIX)
    assert Path("/etc/passwd").exists()


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is unwritable for the superuser")
def test_what_was_made_unwritable_goes_too(parent: Path) -> None:
    """A command may have taken permissions away."""
    with held(PREFIX) as folder:
        deep = Path(folder) / "a" / "b"
        deep.mkdir(parents=True)
        (deep / "c").write_text("x")
        deep.chmod(0o500)
        deep.parent.chmod(0o000)
    assert list(parent.iterdir()) == []


def test_a_tree_that_is_gone_already_is_no_error(parent: Path) -> None:
    """Somebody else was faster."""
    remove_tree(str(parent / "none"))


def test_it_does_not_stand_where_it_may_not(parent: Path) -> None:
    """Inside the repository under test it would be judged; a folder that starts alike is another one."""
    for place in (parent, parent.parent):
        with pytest.raises(NoFolder, match="set TMPDIR elsewhere"), held(PREFIX, [str(place)]):
            raise AssertionError("unreachable")
    with held(PREFIX, ["", f"{parent}-other", str(parent / "below")]) as folder:
        assert folder.startswith(str(parent))


def test_no_place_for_it_is_an_error_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the folder and the reason."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with (
        pytest.raises(NoFolder, match=r"no temporary folder can be made in .*none: No such file"),
        held(PREFIX),
    ):
        raise AssertionError("unreachable")
