"""A scratch clone comes back to the byte after whatever a control did to it."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from goblin.scratch import Scratch
from goblin.snapshot import Snapshot
from tests.support import Repo, build_repo, git, write_files
from tests.support.mini import facts_of

FILES = {
    "README.md": "# Sample\n",
    "src/a.py": "x = 1\n",
    "src/deep/b.py": "y = 2\n",
    "bin/tool": "#!/bin/sh\n",
    "link@": "src/a.py",
    ".gitattributes": "*.txt text eol=crlf\n",
    "notes.txt": "one\ntwo\n",
    "ignored.log": "tracked all the same\n",
    ".gitignore": "*.tmp\n",
    "näme with space": "z\n",
}


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    """One clone that every case breaks."""
    folder = tmp_path_factory.mktemp("scratch")
    repo = build_repo(FILES, folder / "original")
    repo.git("branch", "side")
    repo.git("tag", "v1")
    facts = facts_of(repo)
    return Scratch(facts.get("git"), facts.get("head"), str(folder / "clone"))


def portrait(root: str) -> dict[str, tuple[int, bytes]]:
    """Kind, permissions and bytes of every path outside the git directory."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if os.path.join(folder, name) != os.path.join(root, ".git")]
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            data = b""
            if stat.S_ISLNK(mode):
                data = os.fsencode(os.readlink(path))
            elif stat.S_ISREG(mode):
                data = Path(path).read_bytes()
            found[os.path.relpath(path, root)] = (mode, data)
    return found


def state(root: str) -> tuple[str, ...]:
    """What git says of a clone."""
    asked = (
        ("status", "--porcelain", "--ignored", "-uall"),
        ("for-each-ref",),
        ("symbolic-ref", "HEAD"),
        ("config", "--list", "--local"),
        ("diff-files", "--name-only"),
    )
    return tuple(git(root, *words) for words in asked)


def same_size(root: Path) -> None:
    """Change a file in place, without a trace in its size, inode or time of change."""
    path = root / "src/a.py"
    seen = path.stat()
    with path.open("r+b") as stream:
        stream.write(b"y")
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


def folder_for_file(root: Path) -> None:
    """A folder stands where a file stood."""
    (root / "README.md").unlink()
    write_files(root, {"README.md/inside/x": "x\n"})


def link_for_folder(root: Path) -> None:
    """A link stands where a folder stood."""
    shutil.rmtree(root / "src")
    (root / "src").symlink_to("bin")


def fifo_for_file(root: Path) -> None:
    """Something that nobody may open stands where a file stood."""
    (root / "src/a.py").unlink()
    os.mkfifo(root / "src/a.py")


def modes(root: Path) -> None:
    """Permissions of a file and of a folder."""
    (root / "bin/tool").chmod(0o600)
    (root / "src").chmod(0o700)


def history(root: Path) -> None:
    """Commits, refs, settings and a staged change."""
    git(root, "checkout", "-q", "-b", "other")
    write_files(root, {"new": "n\n", "src/a.py": "changed\n"})
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "more")
    git(root, "branch", "-D", "-q", "side")
    git(root, "tag", "-d", "v1")
    git(root, "config", "core.bare", "true")


CASES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda root: None,
    "an edit": lambda root: (root / "src/a.py").write_text("x = 1000\n"),
    "an edit of the same size": same_size,
    "a file less": lambda root: (root / "src/deep/b.py").unlink(),
    "a folder less": lambda root: shutil.rmtree(root / "src"),
    "files more": lambda root: write_files(root, {"new": "n\n", "a/b/c.tmp": "c\n", "src/n.py": "n\n"}),
    "an empty folder more": lambda root: (root / "empty/in/empty").mkdir(parents=True),
    "a repository more": lambda root: build_repo({"x": "x\n"}, root / "nested"),
    "a folder for a file": folder_for_file,
    "a link for a folder": link_for_folder,
    "a pipe for a file": fifo_for_file,
    "another target of a link": lambda root: write_files(root, {"link@": "README.md"}),
    "permissions": modes,
    "line ends": lambda root: (root / "notes.txt").write_bytes(b"one\ntwo\n"),
    "history and settings": history,
    "no git directory": lambda root: shutil.rmtree(root / ".git"),
    "no folder at all": lambda root: shutil.rmtree(root),
}


@pytest.mark.parametrize("change", CASES.values(), ids=CASES)
def test_a_reset_brings_everything_back(scratch: Scratch, change: Callable[[Path], object]) -> None:
    """Twice in a row, so that what the first reset wrote counts as well."""
    scratch.reset()
    before, said = portrait(scratch.root), state(scratch.root)
    assert said[0] == ""
    assert set(FILES) == {f"{name}@" if name == "link" else name for name in before} - {
        "src",
        "src/deep",
        "bin",
    }
    for _ in range(2):
        change(Path(scratch.root))
        scratch.reset()
        assert portrait(scratch.root) == before
        assert state(scratch.root) == said


def test_a_change_within_the_tick_of_a_write_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every time is equal, the bytes that were just written decide."""
    (tmp_path / "a").write_text("x")
    real = os.lstat(tmp_path / "a")
    snapshot = Snapshot(str(tmp_path), {".git"})
    (tmp_path / "a").write_text("y")
    monkeypatch.setattr("goblin.snapshot._seen", lambda _: snapshot._seen["a"])
    assert os.lstat(tmp_path / "a").st_size == real.st_size
    assert snapshot.changes().files == ("a",)


def test_a_repository_with_many_refs_is_cloned_with_all_of_them(tmp_path: Path) -> None:
    """The clone holds the refs of the original, and its branch."""
    repo: Repo = build_repo({"a": "a\n"}, tmp_path / "original")
    for number in range(3):
        repo.git("tag", f"v{number}")
    facts = facts_of(repo)
    clone = Scratch(facts.get("git"), facts.get("head"), str(tmp_path / "clone"))
    assert git(clone.root, "for-each-ref") == repo.git("for-each-ref")
    assert git(clone.root, "symbolic-ref", "HEAD") == "refs/heads/main"
