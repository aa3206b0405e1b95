"""Every job of the installer, cut at every write, rename, fsync, mkdir and removal in turn.

A call that fails leaves the tree as it was (exit 1) or wholly changed. A process that is killed
leaves every file whole, and the next run puts the rest right: nothing is half, lost or orphaned.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from goblin.install import journal, lock
from goblin.install.repin import Pinning, re_pin
from goblin.install.run import install
from goblin.install.session import Output, Session
from goblin.install.settle import Request
from goblin.install.uninstall import Removal, uninstall
from goblin.outcome import CannotRun
from tests.install import crashing
from tests.install.crashing import EDITS, ERRORS, NEW, OLD, Job, MakeDisk, Stage, photograph
from tests.install.faults import CountingDisk, full, in_child, killing, picture
from tests.support import Repo, build_repo, program

pytestmark = pytest.mark.usefixtures("one_payload")

FILES = {"README.md": "# Sample\n", ".gitignore": "build/", "checks/own.txt": "theirs\n"}
RUNTIME = (lock.PATH, journal.FOLDER)
OURS = re.compile(r"\.goblin(/lock|/journal.*|\.[0-9a-f]{16}\.tmp.*)?\Z")
"""What a run may leave when it could not clean up."""
GONE = "nothing to uninstall"


def installing(root: Path, class_name: str = "A", **options: Any) -> Job:
    """The job of an install with some options."""
    request = Request(target=str(root), class_name=class_name, **options)
    return lambda output, make_disk: install(request, output, make_disk)


def removing(root: Path, *, purge: bool) -> Job:
    """The job of an uninstall; that there is nothing left to do is a good end, too."""

    def job(output: Output, make_disk: MakeDisk) -> int:
        try:
            return uninstall(Removal(str(root), purge=purge), output, make_disk)
        except CannotRun as error:
            if error.message.startswith(GONE):
                return 0
            raise

    return job


def prepare(name: str, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Job:
    """Bring the repository to where one of the jobs begins, and return that job."""
    root = repo.root
    crashing.release(monkeypatch, "1.0", OLD)
    if name == "install":
        return installing(root)
    assert install(Request(target=str(root), class_name="A")) == 0
    repo.commit("Install goblin")
    if name == "upgrade":
        text = repo.read(".goblin/goblin.yaml").replace("max_dirty: 0\n", "")
        repo.write({**EDITS, ".goblin/goblin.yaml": text})
        crashing.release(monkeypatch, "2.0", NEW)
        return installing(root, class_name="", upgrade=True, add_missing_keys=True)
    if name == "force":
        record = json.loads(repo.read(".goblin/installed.json"))
        del record["owned"]["AGENTS.md"]
        repo.write({".goblin/installed.json": json.dumps(record), ".goblin/checks/left.py": "EDITED = 1\n"})
        return installing(root, force=True, skills="no", opt_out=("tokens",))
    if name == "re-pin":
        (root.parent / "standard.md").write_text("be kind\n")
        text = repo.read(".goblin/goblin.yaml").replace(
            "practice:\n", f"practice: {root.parent}/standard.md\n"
        )
        repo.write({".goblin/goblin.yaml": text})
        return lambda output, make_disk: re_pin(Pinning(str(root)), output, make_disk)
    if name == "sign":
        if shutil.which("ssh-keygen") is None:
            pytest.skip("there is no ssh-keygen here to make a key with (Debian: openssh-client)")
        key = root.parent / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
        return installing(root, sign=str(key), opt_out=("tokens",))
    if name == "uninstall":
        repo.write({".goblin/goblin.yaml": "class: A\n", ".goblin/checks/left.py": "EDITED = 1\n"})
    return removing(root, purge=name == "purge")


MEMORY = "/dev/shm"
JOBS = ("install", "upgrade", "force", "re-pin", "sign", "uninstall", "purge")
REFUSED = {"upgrade": 1}
"""Jobs that end with 1 although they did all they could: a conflict is left for a person."""


@pytest.fixture
def quick_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: a thousand times fsync of a disk is minutes."""
    if not os.access(MEMORY, os.W_OK | os.X_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)


@pytest.fixture(params=JOBS)
def stage(request: pytest.FixtureRequest, quick_disk: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """One of the jobs, done once from look to end, and rewound."""
    crashing.calm(monkeypatch)
    repo = build_repo(FILES, quick_disk / "repo")
    (repo / "reviews").mkdir()  # empty, so no commit remembers it
    job = prepare(request.param, repo, monkeypatch)
    made = Stage(request.param, repo.root, job, monkeypatch)
    assert made.code == REFUSED.get(request.param, 0), made.said.err
    assert made.before != made.after
    return made


def told(stage: Stage, points: int, what: str) -> str:
    """The number of places that were tried, for whoever reads the output."""
    line = f"{stage.name}: {points} places {what}"
    print(line)
    return line


def test_every_call_may_fail(stage: Stage) -> None:
    """No room, no permission, a broken disk: as before with exit 1 and a path named, or all done."""
    outcomes, points = set(), 0
    for at, call in stage.points():
        for code in ERRORS:
            cut = stage.fail(at, code)
            points += 1
            where = f"{stage.name}: call {at} of {len(stage.calls)}: {call}: {os.strerror(code)}"
            if cut.code:
                assert photograph(stage.root) == stage.before, where
                assert cut.said.err[0].startswith("error: "), where
                assert os.strerror(code) in cut.said.err[0], where
            else:  # past the one moment that counts: only lock and journal may be left, for the next run
                here = photograph(stage.root)
                left = {path for path in here.keys() - stage.after.keys() if not OURS.match(path)}
                assert left == set(), where
                assert all(here[path] == seen for path, seen in stage.after.items()), where
                assert cut.said.err[0].startswith("warning: "), where
                assert stage.again().code == stage.code, where
                assert photograph(stage.root) == stage.after, where
            outcomes.add(bool(cut.code))
            crashing.rewind(stage.root, stage.before)
    assert outcomes == {True, False}
    assert points == 3 * len(stage.calls) > 50, told(stage, points, "failed")
    told(stage, points, "failed")


def test_every_call_may_be_the_last(stage: Stage) -> None:
    """After SIGKILL every file is whole, and the next run ends with the very tree of an undisturbed one."""
    points = rolled_back = 0
    for at, call in stage.points():
        stage.kill(at)
        points += 1
        where = f"{stage.name}: killed at call {at} of {len(stage.calls)}: {call}"
        assert stage.broken() == [], where
        cut = stage.again()
        assert cut.code == stage.code, (where, cut.said.err)
        assert photograph(stage.root) == stage.after, where
        rolled_back += any(line.startswith("recovered: an earlier run ended") for line in cut.said.out)
        crashing.rewind(stage.root, stage.before)
    assert points == len(stage.calls) > 20, told(stage, points, "killed")
    assert rolled_back > points // 4, f"{rolled_back} of {points} kills had something to roll back"
    told(stage, points, "killed")


@pytest.mark.parametrize("stage", ["install", "upgrade", "purge"], indirect=True)
def test_the_run_that_recovers_may_be_killed_too(stage: Stage) -> None:
    """Killed amid the renames, then killed again at every call of the recovery: the third run ends well."""
    renames = [at for at, call in stage.points() if call in ("replace", "unlink", "rmdir")]
    middle = renames[len(renames) // 2]
    disks: list[CountingDisk] = []

    def counting(root: str) -> CountingDisk:
        disks.append(CountingDisk(root))
        return disks[-1]

    def recover(make_disk: MakeDisk) -> int:
        session = Session(stage.target, make_disk(str(stage.root)), crashing.Said().output, dry_run=False)
        return session.run(lambda: 0)

    stage.kill(middle)
    assert recover(counting) == 0
    assert photograph(stage.root) == stage.before
    calls = disks[0].calls
    for at in range(1, len(calls) + 1):
        stage.kill(middle)
        assert in_child(lambda at=at: recover(killing(at))) == -9  # type: ignore[misc]
        cut = stage.again()
        where = f"{stage.name}: recovery killed at call {at} of {len(calls)}: {calls[at - 1]}"
        assert cut.code == stage.code, (where, cut.said.err)
        assert photograph(stage.root) == stage.after, where
        crashing.rewind(stage.root, stage.before)
    assert len(calls) > 10, told(stage, len(calls), "killed in recovery")
    told(stage, len(calls), "killed in recovery")


def test_a_disk_that_stays_full_loses_nothing(stage: Stage) -> None:
    """No room from some call on, not even to undo: once there is room again, the next run ends well."""
    points = 0
    for since in range(1, len(stage.calls) + 1, 5):
        cut = stage.write(full(since))
        points += 1
        assert cut.code in (0, 1)
        assert stage.broken() == [], f"{stage.name}: full since call {since}"
        assert stage.again().code == stage.code
        assert photograph(stage.root) == stage.after, f"{stage.name}: full since call {since}"
        crashing.rewind(stage.root, stage.before)
    told(stage, points, "without room")


def test_an_interrupt_by_hand_is_rolled_back_at_once(stage: Stage) -> None:
    """Ctrl-C at any call: the tree is as before or all done, and the interrupt ends the command with 130."""
    interrupted = 0

    def stop(number: int, call: str) -> None:
        if number == at:
            raise KeyboardInterrupt

    for at in range(1, len(stage.calls) + 1, 5):
        with pytest.raises(KeyboardInterrupt):
            stage.write(lambda root: CountingDisk(root, stop))
        interrupted += photograph(stage.root) == stage.before
        assert stage.again().code == stage.code
        assert photograph(stage.root) == stage.after, f"{stage.name}: interrupted at call {at}"
        crashing.rewind(stage.root, stage.before)
    assert interrupted > 3


# --- more than one at once -------------------------------------------------------------------------


def start(*options: str, root: Path) -> subprocess.Popen[bytes]:
    """A command of the installer in a process of its own."""
    command = [program("goblin-install"), "--target", str(root), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def test_of_installs_that_start_together_none_spoils_the_other(tmp_path: Path) -> None:
    """One wins; each other one ends with 1, or finds that there is nothing left to do."""
    repo = build_repo(FILES, tmp_path / "repo")
    runs = [start("--class", "A", root=repo.root) for _ in range(4)]
    said = [run.communicate()[0].decode() for run in runs]
    codes = [run.returncode for run in runs]
    assert set(codes) <= {0, 1}, said
    wins = [text for text, code in zip(said, codes, strict=True) if not code and "no-op" not in text]
    assert len(wins) == 1, said
    assert "created" in wins[0]
    record = json.loads(repo.read(".goblin/installed.json"))
    for path, recorded in record["files"].items():
        assert journal.digest((repo / path).read_bytes()) == recorded
    assert not any((repo / path).exists() for path in RUNTIME)


def test_installs_and_uninstalls_that_start_together_leave_one_or_the_other(tmp_path: Path) -> None:
    """Whoever comes last wins whole: an install without a fault, or not a file of it."""
    repo = build_repo(FILES, tmp_path / "repo")
    before = picture(repo.root)
    assert start("--class", "D", root=repo.root).wait() == 0
    jobs = [("--uninstall", "--purge"), ("--class", "D"), ("--uninstall", "--purge"), ("--upgrade",)]
    runs = [start(*options, root=repo.root) for options in jobs]
    said = [run.communicate()[0].decode() for run in runs]
    assert {run.returncode for run in runs} <= {0, 1, 2}, said
    assert not any((repo / path).exists() for path in RUNTIME), said
    if (repo / ".goblin/installed.json").exists():
        assert start("--class", "D", root=repo.root).wait() == 0
        assert start("--uninstall", "--purge", root=repo.root).wait() == 0
    assert picture(repo.root) == before, said


@pytest.mark.parametrize("stage", ["install", "uninstall"], indirect=True)
def test_an_interrupted_run_is_not_covered_up_by_a_dry_run(stage: Stage) -> None:
    """A dry run writes nothing, so it says that a crash is pending, and ends with 1."""
    stage.kill(len(stage.calls) // 2)
    before = photograph(stage.root)
    said = crashing.Said()
    jobs: list[Callable[[], int]] = [
        lambda: install(Request(str(stage.root), "A", dry_run=True), said.output),
        lambda: uninstall(Removal(str(stage.root), dry_run=True), said.output),
        lambda: re_pin(Pinning(str(stage.root), dry_run=True), said.output),
    ]
    for dry in jobs:
        assert dry() == 1
        assert "an earlier run was interrupted" in said.err.pop(0)
        assert photograph(stage.root) == before
        said.err.clear()
