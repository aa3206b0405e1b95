"""What is kept between runs changes how long a run takes, and never what it says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from binascii import crc32
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from goblin.facts import Facts, Run, banindex, banscan, bansearch, banshare, status
from goblin.facts.banfiles import Version
from goblin.git import Git, Result, at
from goblin.outcome import Outcome
from tests.bans.repos import ban_repo, outcome, places
from tests.support import Repo, hermetic
from tests.support.mini import facts_of

ANY = "export const a: any = 1;\n"
BANS = ("BN-01", "BN-02")


def kept(repo: Repo) -> Facts:
    """The facts of a run that may use what earlier ones kept, and trust that no file is being written."""
    newest = max(path.lstat().st_ctime_ns for path in (repo / "src").rglob("*"))
    while time.time_ns() - newest <= banscan.TICK:
        time.sleep(0.001)
    root = str(repo.root.resolve())
    return Facts(Run(root=root, repo=at(root), selected=frozenset(BANS)))


def verdicts(repo: Repo) -> dict[str, Outcome]:
    """The verdicts with what is kept, which must be those without it."""
    warm = kept(repo)
    found = {name: outcome(repo, name, warm) for name in BANS}
    cold = facts_of(repo, selected=frozenset(BANS))
    assert found == {name: outcome(repo, name, cold) for name in BANS}
    return found


def cache(repo: Repo) -> Path:
    """The file of the answers."""
    (found,) = (repo / ".git/goblin/cache").glob("bans-t*.json")
    return found


def resummed(data: bytes) -> bytes:
    """What an answer of another shape looks like: whole, and not what was asked for."""
    head, _, lines = data[8:].partition(b"\n")
    return b"%08x" % crc32(head) + head + b"\n" + lines


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths whose contents were looked at, in order."""
    seen: list[str] = []
    real = banscan.Scanner._data

    def data(self: banscan.Scanner, version: Version) -> bytes:
        seen.append(version.path)
        return real(self, version)

    monkeypatch.setattr(banscan.Scanner, "_data", data)
    return seen


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Three files, one of them flagged."""
    files = {"src/a.ts": ANY, "src/b.ts": "// @ts-ignore\n", "src/c.ts": "export {};\n"}
    return ban_repo(tmp_path, files, *BANS)


def test_a_second_run_looks_at_no_file_that_is_as_it_was(repo: Repo, judged: list[str]) -> None:
    """All answers come from the first, for every ban."""
    first = {name: outcome(repo, name, kept(repo)) for name in BANS}
    assert sorted(judged) == ["src/a.ts", "src/b.ts", "src/c.ts"]
    judged.clear()
    assert {name: outcome(repo, name, kept(repo)) for name in BANS} == first
    assert judged == []


def test_a_changed_file_alone_is_looked_at(repo: Repo, judged: list[str]) -> None:
    """Uncommitted it is judged at each run, committed once."""
    outcome(repo, "BN-01", kept(repo))
    repo.write({"src/c.ts": ANY})
    for _ in range(2):
        judged.clear()
        assert places(outcome(repo, "BN-01", kept(repo))) == ["src/a.ts:1", "src/c.ts:1"]
        assert judged == ["src/c.ts"]
    repo.commit()
    judged.clear()
    assert places(outcome(repo, "BN-01", kept(repo))) == ["src/a.ts:1", "src/c.ts:1"]
    assert judged == ["src/c.ts"]
    judged.clear()
    outcome(repo, "BN-01", kept(repo))
    assert judged == []


def test_every_way_to_change_a_tree_is_seen(repo: Repo) -> None:
    """Edit, stage, undo, delete, rename, add, ignore, switch: each run says what a cold one says."""
    steps = (
        lambda: repo.write({"src/c.ts": ANY}),
        lambda: repo.git("add", "-A"),
        lambda: repo.write({"src/c.ts": "export {};\n"}),
        lambda: repo.commit("c"),
        lambda: repo.remove("src/a.ts"),
        lambda: repo.git("add", "-A"),
        lambda: repo.write({"src/a.ts": "export {};\n", "src/new.ts": ANY}),
        lambda: repo.commit("a"),
        lambda: repo.git("mv", "src/new.ts", "src/moved.ts"),
        lambda: repo.commit("moved", {".gitignore": "other.ts\n", "src/other.ts": ANY}),
        lambda: repo.git("switch", "-q", "--detach", "HEAD~2"),
        lambda: repo.git("rm", "-q", "--cached", "src/b.ts"),
        lambda: repo.git("update-index", "--skip-worktree", "src/a.ts"),
        lambda: repo.remove("src/a.ts"),
    )
    before = None
    for step in steps:
        step()
        found = verdicts(repo)
        before = found if before is None else before
    assert verdicts(repo) != before


def test_another_configuration_is_another_question(repo: Repo, judged: list[str]) -> None:
    """What was kept for some bans and folders says nothing of others."""
    verdicts(repo)
    text = repo.read(".goblin/goblin.yaml")
    repo.write({".goblin/goblin.yaml": text + "security:\n  build_output: src\n"})
    assert "no matching files" in verdicts(repo)["BN-01"].summary
    repo.write({".goblin/goblin.yaml": text.replace("[BN-01, BN-02]", "[BN-01, BN-02, BN-09]")})
    verdicts(repo)
    table = repo.read(".goblin/manifest/bans.tsv")
    repo.write({".goblin/manifest/bans.tsv": table.replace("\tsrc\t", "\tlib\t")})
    assert "no matching files: lib" in verdicts(repo)["BN-01"].summary


def asking(
    monkeypatch: pytest.MonkeyPatch, before: Callable[[], object], after: Callable[[], object]
) -> None:
    """Let something happen just before, and just after, git is asked what has changed."""
    real = status.ask

    def ask(git: Git, *folders: str) -> tuple[status.Change, ...]:
        before()
        found = real(git, *folders)
        after()
        return found

    monkeypatch.setattr(status, "ask", ask)


def test_a_file_that_is_written_while_a_run_looks_is_not_kept(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read is not what git had seen, so it says nothing of that version."""
    facts = kept(repo)
    with monkeypatch.context() as meanwhile:
        asking(meanwhile, lambda: None, lambda: repo.write({"src/c.ts": ANY}))
        assert places(outcome(repo, "BN-01", facts)) == ["src/a.ts:1", "src/c.ts:1"]
    repo.write({"src/c.ts": "export {};\n"})
    assert places(verdicts(repo)["BN-01"]) == ["src/a.ts:1"]


def test_a_file_that_looks_as_it_did_is_looked_at(repo: Repo) -> None:
    """As long as before, and as old: the file system alone knows that it was written, to the second."""
    path = repo / "src/a.ts"
    before = path.stat()
    verdicts(repo)
    while int(time.time()) <= before.st_ctime:
        time.sleep(0.001)
    path.write_text(ANY.replace("any", "all"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert verdicts(repo)["BN-01"].findings == ()


def test_a_repository_cannot_tell_git_to_look_less_closely(repo: Repo) -> None:
    """Its configuration may say that size and time of writing are enough, which anybody can give a file."""
    repo.git("config", "core.trustctime", "false")
    repo.git("config", "core.checkStat", "minimal")
    path = repo / "src/a.ts"
    path.write_text(ANY.replace("any", "all"))
    os.utime(path, (1_600_000_000, 1_600_000_000))
    repo.git("add", "--all")
    assert verdicts(repo)["BN-01"].findings == ()
    written = int(path.stat().st_ctime)
    while int(time.time()) <= written:
        time.sleep(0.001)
    path.write_text(ANY)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    assert places(verdicts(repo)["BN-01"]) == ["src/a.ts:1"]


@pytest.mark.parametrize("known", [False, True])
def test_an_index_that_changes_while_a_run_looks_is_not_kept(
    repo: Repo, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its listing and what git said of the work tree are not of one moment."""
    if known:
        verdicts(repo)
    facts = kept(repo)
    with monkeypatch.context() as meanwhile:
        asking(
            meanwhile, lambda: repo.write({"src/c.ts": ANY}).git("add", "--all"), lambda: repo.git("status")
        )
        assert places(outcome(repo, "BN-01", facts)) == ["src/a.ts:1", "src/c.ts:1"]
    assert places(verdicts(repo)["BN-01"]) == ["src/a.ts:1", "src/c.ts:1"]
    repo.write({"src/c.ts": "export {};\n"}).git("add", "--all")
    assert places(verdicts(repo)["BN-01"]) == ["src/a.ts:1"]


def test_an_index_that_is_as_it_was_is_not_listed(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git is asked what has changed and nothing else; an index without a digest is listed."""
    outcome(repo, "BN-01", kept(repo))
    asked: list[str] = []
    real = Git.call

    def call(self: Git, *args: str, **options: Any) -> Result:
        asked.append(args[0])
        return real(self, *args, **options)

    monkeypatch.setattr(Git, "call", call)
    repo.write({"src/c.ts": ANY})
    assert places(outcome(repo, "BN-01", kept(repo))) == ["src/a.ts:1", "src/c.ts:1"]
    assert asked == ["status"]
    index = repo / ".git/index"
    index.write_bytes(index.read_bytes()[:-20] + bytes(20))
    for _ in range(2):
        asked.clear()
        outcome(repo, "BN-01", kept(repo))
        assert sorted(asked) == ["ls-files", "status"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1] + b"x",
        lambda data: b"{}\n",
        lambda data: b"[" * 100_000,
        lambda data: b"\xff" + data,
        lambda data: data.replace(b"[1,17,", b"[3,17,"),
        lambda data: resummed(data.replace(b'"open":[]', b'"open":7')),
        lambda data: resummed(data.replace(b'"counts":{"BN-01":3', b'"counts":{"BN-01":"many"')),
    ],
)
def test_what_is_kept_and_broken_is_no_answer(repo: Repo, damage: object) -> None:
    """A half-written, edited or foreign file costs time and changes nothing."""
    first = verdicts(repo)
    path = cache(repo)
    data = path.read_bytes()
    assert callable(damage)
    assert damage(data) != data
    path.write_bytes(damage(data))
    assert verdicts(repo) == first
    repo.commit("more", {"src/d.ts": "export {};\n"})
    assert verdicts(repo)["BN-01"].findings == first["BN-01"].findings


def test_a_folder_that_cannot_be_written_costs_time_alone(repo: Repo) -> None:
    """A read-only git directory, or a file where the folder should be."""
    (repo / ".git/goblin").write_text("in the way")
    assert places(verdicts(repo)["BN-01"]) == ["src/a.ts:1"]


def test_without_caches_nothing_is_read_or_written(repo: Repo) -> None:
    """`--no-cache` and `--static` leave the git directory alone."""
    outcome(repo, "BN-01")
    root = str(repo.root.resolve())
    outcome(repo, "BN-01", Facts(Run(root=root, repo=at(root), static=True)))
    assert not (repo / ".git/goblin").exists()


def test_runs_side_by_side_say_the_same(repo: Repo) -> None:
    """Each writes its answers in one step; whoever reads finds all of them or none."""
    command = [sys.executable, "-m", "goblin.commands.bans", "--only", "BN-01"]
    expected = None
    for _ in range(3):
        running = [
            subprocess.Popen(
                command, cwd=repo.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=hermetic()
            )
            for _ in range(4)
        ]
        answers = {(*process.communicate(), process.returncode) for process in running}
        assert len(answers) == 1
        (answer,) = answers
        assert answer[2] == 1
        assert answer[1] == b""
        expected = expected or answer
        assert answer == expected
    assert {name for name in os.listdir(repo / ".git/goblin/cache") if name.startswith("bans-")} == {
        cache(repo).name,
        banindex.NAME,
    }


def test_git_and_python_find_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where git searches, where it cannot, and where there is little to search, the hits are the same."""
    files: dict[str, str | bytes] = {f"src/{n}.ts": "export {};\n" for n in range(20)}
    files |= {
        "src/type.ts": ANY,
        "src/prose.ts": "// any of these, or any: other\n",
        "src/rest.ts": "type T = [...any[]];\n",
        "src/own.ts": "let x:any;\n",
        "src/line.ts": "type X =\n  any\n",
        "src/directive.js": "/*\n * @TS-NOCHECK */\n",
        "src/wide.ts": ANY.encode("utf-16"),
        "src/nul.ts": b"\0" + ANY.encode(),
        "src/-e.ts": ANY,
        "src/café.ts": ANY,
    }
    repo = ban_repo(tmp_path, files, *BANS)

    def found() -> dict[str, Outcome]:
        facts = facts_of(repo, selected=frozenset(BANS))
        return {name: outcome(repo, name, facts) for name in BANS}

    one_by_one = found()
    searched: list[frozenset[bytes] | None] = []
    real = bansearch.Search.names

    def grep(self: bansearch.Search) -> frozenset[bytes] | None:
        searched.append(real(self))
        return searched[-1]

    monkeypatch.setattr(banscan, "MANY", 3)
    monkeypatch.setattr(bansearch.Search, "names", grep)
    assert found() == one_by_one
    assert searched[0] is not None
    assert {b"src/type.ts", b"src/wide.ts"} <= searched[0]
    assert len(searched[0]) < 20
    monkeypatch.setattr(bansearch.Search, "names", lambda self: None)
    assert found() == one_by_one
    taken: list[int] = []
    shared = banshare.shared

    def counted(count: int, work: Callable[[Sequence[int]], Any], take: Callable[[Any], None]) -> None:
        taken.append(count)
        shared(count, work, take)

    monkeypatch.setattr(banshare, "FEW", 2)
    monkeypatch.setattr(banshare, "shared", counted)
    assert found() == one_by_one
    assert taken == [len(files)]


@pytest.mark.parametrize("end", [None, "raise", "kill", "nonsense"])
def test_a_share_is_done_here_where_the_other_process_fails(end: str | None) -> None:
    """Whatever becomes of it, each number is taken once."""
    here = os.getpid()
    taken: list[int] = []

    def work(numbers: Sequence[int]) -> Any:
        if os.getpid() != here and end == "raise":
            raise ValueError
        if os.getpid() != here and end == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        return [object()] if os.getpid() != here and end == "nonsense" else list(numbers)

    banshare.shared(7, work, taken.extend)
    assert sorted(taken) == list(range(7))
