"""A whole install, cut at every system call: the tree is old or new, and the next run puts it right."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from goblin import clock
from goblin.install import journal, lock, vendor
from goblin.install.disk import Disk
from goblin.install.run import Output, install
from goblin.install.settle import Request
from tests.install.faults import CountingDisk, Picture, failing, full, in_child, killing, picture
from tests.support import Repo, build_repo, program

FILES = {"README.md": "# Sample\n", ".gitignore": "build/", "checks/own.txt": "theirs\n"}
ABSENT = "absent"
RUNTIME = (lock.PATH, journal.FOLDER)


@pytest.fixture(autouse=True)
def _small_payload_and_one_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few files of each kind stand for all of them, and every record carries the same time."""
    for name in ("engine", "libraries", "rules"):
        few = getattr(vendor, name)()[:2]
        monkeypatch.setattr(vendor, name, lambda few=few: few)
    skills = vendor.skills({"hermes": ".hermes/skills"})
    monkeypatch.setattr(vendor, "skills", lambda platforms: skills if platforms else [])
    monkeypatch.setattr(vendor, "source_sha", lambda: "0" * 40)
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 1, 31, 9, tzinfo=UTC))


class Said:
    """What a run printed."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.err: list[str] = []

    @property
    def output(self) -> Output:
        """Where the run prints to."""
        return Output(self.out.append, self.err.append)


def run(repo: Repo, make_disk: Callable[[str], Disk] = Disk, **options: Any) -> tuple[int, Said]:
    """Install class A into `repo`; the exit code and what was said."""
    said = Said()
    request = Request(target=str(repo.root), class_name="A", **options)
    return install(request, said.output, make_disk), said


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with an unfinished `.gitignore` and a folder that the install shares."""
    return build_repo(FILES, tmp_path / "repo")


def settled(repo: Repo) -> Picture:
    """The tree without the folders' record, which differs when a crash made a folder earlier."""
    seen = picture(repo.root)
    record = seen.get(".goblin/installed.json")
    if isinstance(record, bytes):
        seen[".goblin/installed.json"] = json.dumps({**json.loads(record), "dirs_created": 0}).encode()
    return seen


def reference(repo: Repo, **options: Any) -> tuple[Picture, int]:
    """The tree after an undisturbed run, and the number of its calls."""
    copy = Repo(repo.root.parent / "reference")
    shutil.copytree(repo.root, copy.root, symlinks=True)
    # The folder's name is the project's name in the templates, so the copy takes the place of the original.
    os.rename(repo.root, repo.root.parent / "aside")
    os.rename(copy.root, repo.root)
    disks: list[CountingDisk] = []

    def make(root: str) -> CountingDisk:
        disks.append(CountingDisk(root))
        return disks[-1]

    assert run(repo, make, **options)[0] == 0
    seen = settled(repo)
    shutil.rmtree(repo.root)
    os.rename(repo.root.parent / "aside", repo.root)
    return seen, len(disks[0].calls)


class Rewind:
    """Puts the repository back to where it was."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.saved = repo.root.parent / "saved"
        shutil.copytree(repo.root, self.saved, symlinks=True)

    def __call__(self) -> None:
        shutil.rmtree(self.repo.root)
        shutil.copytree(self.saved, self.repo.root, symlinks=True)


def without_runtime(seen: Picture) -> Picture:
    """The tree less the lock and the journal."""
    return {path: value for path, value in seen.items() if not path.startswith(RUNTIME)}


def broken(seen: Picture, old: Picture, new: Picture) -> list[str]:
    """Paths of the old or the new tree that hold neither their old nor their new self."""
    return [
        path
        for path in {*old, *new}
        if seen.get(path, ABSENT) not in (old.get(path, ABSENT), new.get(path, ABSENT))
    ]


def places(calls: int) -> list[int]:
    """The calls to stop at: all where the journal and the record begin and end, every fifth between.

    `test_journal.py` stops at each call of a commit; here it is the way there and back that counts.
    """
    return sorted(
        {*range(1, 13), *range(1, calls, 5), *range(calls - 24, calls + 1)} & set(range(1, calls + 1))
    )


def test_every_call_of_an_install_may_fail(repo: Repo) -> None:
    """The tree is byte for byte as before (exit 1, a path named) or wholly installed, and then runs again."""
    old, rewind = picture(repo.root), Rewind(repo)
    new, calls = reference(repo)
    codes = set()
    for at in places(calls):
        code, said = run(repo, failing(at))
        codes.add(code)
        if code:
            assert picture(repo.root) == old, f"call {at}"
            assert said.err[0].startswith("error: ")
        else:
            assert without_runtime(settled(repo)) == new, f"call {at}"
            assert said.err[0].startswith("warning: ")
        rewind()
    assert codes == {0, 1}


def test_every_call_of_an_install_may_be_the_last(repo: Repo) -> None:
    """After SIGKILL every file is whole; the next run says that it rolled back, and ends as ever."""
    old, rewind = picture(repo.root), Rewind(repo)
    new, calls = reference(repo)
    recovered = 0
    for at in places(calls):
        assert in_child(lambda at=at: run(repo, killing(at))) == -9, f"call {at}"  # type: ignore[misc]
        assert broken(settled(repo), old, new) == [], f"call {at}"
        code, said = run(repo)
        assert code == 0, (at, said.err)
        assert settled(repo) == new, f"call {at}"
        recovered += any(line.startswith("recovered: an earlier run ended") for line in said.out)
        rewind()
    assert recovered > len(places(calls)) // 2


def test_every_call_of_a_run_that_replaces_and_removes_may_be_the_last(repo: Repo) -> None:
    """The same for a run that updates a file, takes one over, removes skills and edits the config."""
    assert run(repo)[0] == 0
    record_path = repo / ".goblin/installed.json"
    stale = repo / ".goblin/manifest/classes.tsv"
    stale.write_text("an older release\n")
    record = json.loads(record_path.read_text())
    record["files"][".goblin/manifest/classes.tsv"] = journal.digest(stale.read_bytes())
    record["owned"].pop("AGENTS.md")
    record_path.write_text(json.dumps(record))
    options: dict[str, Any] = {"skills": "no", "force": True, "opt_out": ("tokens",)}
    old, rewind = settled(repo), Rewind(repo)
    new, calls = reference(repo, **options)
    assert not any(path.startswith(".hermes") for path in new)
    for at in places(calls):
        assert in_child(lambda at=at: run(repo, killing(at), **options)) == -9, f"call {at}"  # type: ignore[misc]
        assert broken(settled(repo), old, new) == [], f"call {at}"
        code, said = run(repo, **options)
        assert code == 0, (at, said.err)
        kept = {path: value for path, value in settled(repo).items() if not path.startswith(".hermes")}
        assert kept == new, f"call {at}"
        rewind()


def test_a_disk_without_room_leaves_nothing_half_written(repo: Repo) -> None:
    """No room from some call on: exit 1, and after the next look the tree is as before."""
    old, rewind = picture(repo.root), Rewind(repo)
    new, calls = reference(repo)
    for since in range(1, calls + 1, 20):
        code, said = run(repo, full(since))
        assert code == 1 or without_runtime(settled(repo)) == new
        assert broken(settled(repo), old, new) == []
        assert run(repo)[0] == 0
        assert settled(repo) == new, (since, said.err)
        rewind()


def test_an_interrupt_by_hand_is_rolled_back_at_once(repo: Repo) -> None:
    """Ctrl-C at any call: the tree is as before, and the interrupt goes on to end the command with 130."""
    old = picture(repo.root)
    _, calls = reference(repo)
    interrupted = 0

    def stop(number: int, call: str) -> None:
        if number == at:
            raise KeyboardInterrupt

    for at in range(2, calls - 20, 9):
        with pytest.raises(KeyboardInterrupt):
            run(repo, lambda root: CountingDisk(root, stop))
        assert picture(repo.root) == old, f"call {at}"
        interrupted += 1
    assert interrupted > 10


def test_of_installs_that_start_together_none_spoils_the_other(repo: Repo) -> None:
    """One wins; each other one ends with 1, or finds that there is nothing left to do."""
    command = [program("goblin-install"), "--target", str(repo.root), "--class", "A"]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(4)]
    said = [run.communicate()[0].decode() for run in runs]
    codes = [run.returncode for run in runs]
    assert set(codes) <= {0, 1}, said
    assert (
        sum(
            "created" in text and "no-op" not in text
            for text, code in zip(said, codes, strict=True)
            if not code
        )
        == 1
    )
    record = json.loads(repo.read(".goblin/installed.json"))
    for path, recorded in record["files"].items():
        assert journal.digest((repo / path).read_bytes()) == recorded
    assert not any((repo / path).exists() for path in RUNTIME)


def test_an_interrupted_run_is_not_covered_up_by_a_dry_run(repo: Repo) -> None:
    """A dry run writes nothing, so it says that a crash is pending, and ends with 1."""
    _, calls = reference(repo)
    in_child(lambda: run(repo, killing(calls // 2)))
    before = picture(repo.root)
    code, said = run(repo, dry_run=True)
    assert code == 1
    assert "an earlier run was interrupted" in said.err[0]
    assert picture(repo.root) == before
