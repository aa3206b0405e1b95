"""Writing a file in one step: old bytes or new ones, nothing between and nothing beside."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from goblin import atomic
from tests.support import PROJECT


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    """The permission bits of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_holds_exactly_the_bytes(tmp_path: Path) -> None:
    """Any bytes, none included, and nothing else appears in the folder."""
    for data in (b"", b"\0\xff\r\n", b"x" * 300_000):
        atomic.write(str(tmp_path / "f"), data)
        assert (tmp_path / "f").read_bytes() == data
    assert os.listdir(tmp_path) == ["f"]


def test_a_bare_name_is_written_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`write("f", ...)` needs no folder in the path."""
    monkeypatch.chdir(tmp_path)
    atomic.write("f", b"1")
    assert (tmp_path / "f").read_bytes() == b"1"


@pytest.mark.parametrize("name", ["café\u2028", "-e", "a b'$(x)", "n" * 255, "\U0001f9cc" * 63])
def test_any_name_that_a_file_may_have(tmp_path: Path, name: str) -> None:
    """The temporary name is never longer than a file system takes, whatever the script."""
    atomic.write(str(tmp_path / name), b"1")
    assert os.listdir(tmp_path) == [name]


def test_bits_are_the_callers_or_the_old_ones_or_the_umasks(tmp_path: Path) -> None:
    """An explicit mode passes the umask; without one an existing file keeps its bits."""
    target = tmp_path / "f"
    atomic.write(str(target), b"1")
    assert mode(target) == 0o644
    target.chmod(0o750)
    atomic.write(str(target), b"2")
    assert mode(target) == 0o750
    atomic.write(str(target), b"3", mode=0o777)
    assert mode(target) == 0o755
    os.umask(0o077)
    atomic.write(str(target), b"4", mode=0o755)
    assert mode(target) == 0o700


def test_bits_that_act_for_another_user_are_not_kept(tmp_path: Path) -> None:
    """A set-user-id bit on the old file does not come over to new content."""
    target = tmp_path / "f"
    target.write_bytes(b"1")
    target.chmod(0o4755)
    atomic.write(str(target), b"2")
    assert mode(target) == 0o755


@pytest.mark.parametrize("there", ["file", "folder", "nothing"])
def test_a_link_gives_way_and_its_goal_is_not_touched(tmp_path: Path, there: str) -> None:
    """Whatever a symbolic link at the destination points to, only the link is replaced."""
    outside = tmp_path / "outside"
    if there == "file":
        outside.write_bytes(b"theirs")
    elif there == "folder":
        outside.mkdir()
    (tmp_path / "in").mkdir()
    target = tmp_path / "in" / "f"
    target.symlink_to(outside)
    atomic.write(str(target), b"ours")
    assert not target.is_symlink()
    assert target.read_bytes() == b"ours"
    assert os.listdir(tmp_path / "in") == ["f"]
    if there == "file":
        assert outside.read_bytes() == b"theirs"
    elif there == "folder":
        assert os.listdir(outside) == []
    else:
        assert not outside.exists()


def test_another_name_of_the_old_file_keeps_the_old_bytes(tmp_path: Path) -> None:
    """A hard link elsewhere is not written through."""
    (tmp_path / "f").write_bytes(b"old")
    os.link(tmp_path / "f", tmp_path / "other")
    atomic.write(str(tmp_path / "f"), b"new")
    assert (tmp_path / "other").read_bytes() == b"old"


def test_a_pipe_is_replaced_and_never_opened(tmp_path: Path) -> None:
    """Opening a FIFO would wait for a reader for ever."""
    os.mkfifo(tmp_path / "f")
    atomic.write(str(tmp_path / "f"), b"1")
    assert (tmp_path / "f").read_bytes() == b"1"


@pytest.mark.parametrize("kind", ["folder in the way", "no folder", "a file as folder"])
def test_what_cannot_be_written_is_said_with_the_path(tmp_path: Path, kind: str) -> None:
    """The error names the file that was meant, not a temporary one, and leaves nothing behind."""
    target = tmp_path / "f"
    if kind == "folder in the way":
        target.mkdir()
        (target / "kept").write_bytes(b"1")
    else:
        if kind == "a file as folder":
            target.write_bytes(b"1")
        target = target / "g"
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(OSError, match="f") as caught:
        atomic.write(str(target), b"2")
    assert caught.value.filename == str(target)
    assert caught.value.strerror
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_half_way_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, fault: BaseException
) -> None:
    """A full disk or an interrupt at any step: old bytes, no temporary file, no open descriptor."""
    target = tmp_path / "f"
    target.write_bytes(b"old")
    opened = len(os.listdir("/dev/fd"))

    def fail(*_: object, **__: object) -> int:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(type(fault)):
            atomic.write(str(target), b"new")
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["f"]
    assert len(os.listdir("/dev/fd")) == opened


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that takes a few bytes at a time gets all of them."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, bytes(data)[:3]))
    atomic.write(str(tmp_path / "f"), b"0123456789")
    assert (tmp_path / "f").read_bytes() == b"0123456789"


def test_bytes_are_on_the_disk_before_the_name_is_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is synced, then renamed, then the folder is synced."""
    calls = []
    fsync, replace = os.fsync, os.replace

    def sync(fd: int) -> None:
        calls.append("folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "file")
        fsync(fd)

    def rename(old: str, new: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        calls.append("rename")
        replace(old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", rename)
    atomic.write(str(tmp_path / "f"), b"1")
    assert calls == ["file", "rename", "folder"]


def test_a_reader_sees_whole_files_while_writers_race(tmp_path: Path) -> None:
    """Writers at once: each read is one writer's bytes, complete."""
    target = tmp_path / "f"
    texts = [bytes([65 + i]) * 50_000 for i in range(4)]
    atomic.write(str(target), texts[0])

    def writer(text: bytes) -> None:
        for _ in range(10):
            atomic.write(str(target), text)

    threads = [threading.Thread(target=writer, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    seen = set()
    while any(thread.is_alive() for thread in threads):
        seen.add(target.read_bytes())
    for thread in threads:
        thread.join()
    assert seen | {target.read_bytes()} <= set(texts)
    assert os.listdir(tmp_path) == ["f"]


def test_what_a_killed_writer_left_goes_once_it_is_old(tmp_path: Path) -> None:
    """Only a regular file that is named as such a one, an hour old, and beside the same name."""
    stray = ".f.0123456789ab.tmp"
    kept = (".f.0123456789aB.tmp", ".f.0123456789.tmp", ".g.0123456789ab.tmp", "f.0123456789ab.tmp", ".f.tmp")
    for name in (stray, *kept):
        (tmp_path / name).write_text("half")
    atomic.write(str(tmp_path / "f"), b"1")
    assert stray in os.listdir(tmp_path)  # whoever writes it may still be at it
    for name in (stray, *kept):
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / ".f.ffffffffffff.tmp").symlink_to(tmp_path / ".g.0123456789ab.tmp")
    os.utime(tmp_path / ".f.ffffffffffff.tmp", (1, 1), follow_symlinks=False)
    atomic.write(str(tmp_path / "f"), b"2")
    assert set(os.listdir(tmp_path)) == {"f", ".f.ffffffffffff.tmp", *kept}


def test_it_costs_no_heavy_import() -> None:
    """It is used in the hot path: neither tempfile nor shutil is loaded for it."""
    probe = f"""
import sys
sys.path.insert(0, {str(PROJECT / "src")!r})
import goblin.atomic
print({{"tempfile", "shutil", "random"}} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", probe],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "set()"
