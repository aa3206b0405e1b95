"""HS-02: a harness that is green before the change proves nothing, and so does one that could not run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from goblin import process
from goblin.facts import replay
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo, hermetic
from tests.support.repo import Content

CELL = "checks/harnesses.py::every_harness_is_red_before_the_change"
RED = "grep -q new src/a.txt || { echo 'FAIL  new is there'; exit 1; }\n"
GREEN = "test -e src/a.txt || exit 1\n"


def config(commit: str, cmd: str = "auto {path}", more: str = "") -> str:
    """A config that pins a commit."""
    return (
        "class: A\nbranch: main\narchive: false\nscaffold_checks: yes\n"
        f"replay:\n  env: PRE\n  cmd: |-\n    {cmd}\n  commit: {commit}\n{more}"
    )


def changed(
    root: Path, harnesses: Mapping[str, Content], before: Mapping[str, Content] | None = None
) -> Repo:
    """A repository whose change put `new` into src/a.txt; the commit before it is pinned."""
    repo = build_repo({"src/a.txt": "old legacy\n", ".gitignore": "deps/\n.env\n", **(before or {})}, root)
    pinned = repo.head
    repo.commit("change", {"src/a.txt": "new legacy\n", **harnesses})
    repo.commit("pin", {".goblin/goblin.yaml": config(pinned)})
    return repo


def hs02(repo: Repo) -> Outcome:
    return judge(repo, CELL)


def test_a_red_harness_passes(tmp_path: Path) -> None:
    """The commit and the command stand in the detail."""
    repo = changed(tmp_path, {"checks/a.sh": RED})
    short = repo.git("rev-parse", "HEAD~2")[:12]
    assert said(hs02(repo)) == f"PASS\n1 harness(es), each red on {short}: auto {{path}}"


def test_a_green_harness_is_named(tmp_path: Path) -> None:
    """One of two proves nothing; the other is fine."""
    outcome = hs02(changed(tmp_path, {"checks/a.sh": RED, "checks/b.sh": GREEN}))
    assert outcome.verdict is Verdict.FAIL
    assert outcome.summary.startswith("1 of 2 harness(es) prove nothing on ")
    assert [f.path for f in outcome.findings if f.path] == ["checks/b.sh"]
    assert "green on the old tree too: proves nothing" in said(outcome)


def test_the_environment_names_the_commit(tmp_path: Path) -> None:
    """The full id, in the variable that is declared; and git answers for the old tree."""
    script = 'test "$PRE" = "$(git rev-parse HEAD)" && git diff --quiet HEAD -- src || exit 0\nexit 1\n'
    assert hs02(changed(tmp_path, {"checks/a.sh": script})).verdict is Verdict.PASS


def test_the_harness_of_today_runs(tmp_path: Path) -> None:
    """Its uncommitted state, with the files beside it, and without what the old tree had there."""
    repo = changed(tmp_path, {"checks/a.sh": GREEN}, {"checks/old/x": "x"})
    repo.remove("checks/old/x").write(
        {"checks/a.sh": "test -e checks/old/x && exit 0\nset -e\n. checks/lib/b\n"}
    )
    repo.write({"checks/lib/b": "exit 1\n"})
    assert hs02(repo).verdict is Verdict.PASS


def test_the_repository_is_untouched(tmp_path: Path) -> None:
    """No worktree, no ref, no hook, no lock, no file, and commits of a harness go elsewhere."""
    script = (
        "set -e\ngit commit -q --allow-empty -m inner\ngit branch inner\ngit config core.bare true\n"
        "echo x > src/a.txt\nexit 1\n"
    )
    repo = changed(tmp_path / "r", {"checks/a.sh": script})
    hook = "#!/bin/sh\necho ran > " + str(tmp_path / "PWNED") + "\n"
    for name in ("post-checkout", "post-commit", "pre-commit", "post-index-change", "reference-transaction"):
        repo.write({f".git/hooks/{name}": hook})
    before = state(repo)
    assert hs02(repo).verdict is Verdict.PASS
    assert state(repo) == before
    assert not (tmp_path / "PWNED").exists()


def state(repo: Repo) -> dict[str, bytes]:
    """Every file of a repository, its git directory included."""
    return {str(path): path.read_bytes() for path in sorted(repo.root.rglob("*")) if path.is_file()}


def test_no_filter_runs_in_the_old_tree(tmp_path: Path) -> None:
    """Configuration that names a program has no say in the checkout."""
    repo = changed(tmp_path / "r", {"checks/a.sh": RED})
    pinned = repo.git("rev-parse", "HEAD~2")
    repo.git("config", "filter.evil.smudge", f"touch {tmp_path}/PWNED; cat")
    repo.git("config", "filter.evil.clean", f"touch {tmp_path}/PWNED; cat")
    repo.git("config", "core.fsmonitor", f"touch {tmp_path}/PWNED")
    repo.write({".git/info/attributes": "* filter=evil\n"})
    assert hs02(repo).verdict is Verdict.PASS
    assert pinned
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize(
    ("harness", "told"),
    [
        ("deps/tool check || exit 1\n", "red for the wrong reason: the file deps/tool is missing there"),
        ("set -e\ndeps/tool check\n", "could not run: exit 127"),
        ("set -e\n. ./.env\n", "red for the wrong reason: the file ./.env is missing there"),
        ("set -e\nnosuchtool || exit 3\n", "the command nosuchtool is missing there"),
        ("echo 1..0\nexit 1\n", "no test ran"),
        ("kill -9 $$; exit 1\n", "could not run: ended by signal 9"),
        ("exit 126\n", "could not run: exit 126"),
    ],
)
def test_what_cannot_run_there_is_no_proof(tmp_path: Path, harness: str, told: str) -> None:
    """Green today, with what git ignores at hand; red there for want of it."""
    repo = changed(tmp_path, {"checks/a.sh": harness, "checks/d.sh": RED})
    repo.write({"deps/tool": "#!/bin/sh\nexit 0\n", ".env": "A=1\n"})
    outcome = hs02(repo)
    assert outcome.verdict is Verdict.FAIL
    assert told in said(outcome)
    assert [f.path for f in outcome.findings if f.path] == ["checks/a.sh"]


def test_a_python_module_that_is_nowhere(tmp_path: Path) -> None:
    """A module that the change itself brought is what the harness is about; another is not."""
    shape = "\nassert True\nimport sys\nsys.exit(1)\n"
    harnesses: dict[str, Content] = {
        "checks/ours.py": f"import sys\nsys.path.insert(0, '.')\nimport brought{shape}",
        "checks/theirs.py": f"import no_such_module_at_all{shape}",
    }
    outcome = hs02(changed(tmp_path, {**harnesses, "brought/__init__.py": ""}))
    assert "red for the wrong reason: the module no_such_module_at_all" in said(outcome)
    assert [f.path for f in outcome.findings if f.path] == ["checks/theirs.py"]


def test_a_negation_in_the_middle_proves_nothing(tmp_path: Path) -> None:
    """`! grep` before the last line never fails a script, under `set -e` either."""
    outcome = hs02(changed(tmp_path, {"checks/t-neg.sh": "set -e\n! grep -q legacy src/a.txt\ntrue\n"}))
    assert outcome.verdict is Verdict.FAIL
    assert "checks/t-neg.sh" in said(outcome)
    assert "line 2 begins with `!`" in said(outcome)


def test_a_harness_ends_with_its_children(tmp_path: Path) -> None:
    """A child that holds the output does not hold the run, and nothing is left running."""
    repo = changed(tmp_path, {"checks/a.sh": "sleep 8641 & echo 'FAIL  x'; exit 1\n"})
    assert hs02(repo).verdict is Verdict.PASS
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert "sleep 8641" not in listed.stdout


def test_a_harness_that_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time is bounded, and it is no proof."""
    monkeypatch.setattr(replay, "TIMEOUT", 0.5)
    outcome = hs02(changed(tmp_path, {"checks/a.sh": "sleep 8642; exit 1\n"}))
    assert outcome.verdict is Verdict.FAIL
    assert "could not run: no end within 0.5 s" in said(outcome)


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("replay:\n  cmd: 'auto {path}'\n", "replay.env is not set"),
        ("replay:\n  env: PRE\n", "replay.cmd is not set"),
        ("replay:\n  env: PRE\n  cmd:\n", "replay.cmd is not set"),
        ("", "replay.env and replay.cmd is not set"),
        ("replay:\n  env: PRE\n  cmd: 'false'\n", "neither {name} nor {path}"),
        ("replay:\n  env: PRE\n  cmd: 'false # {name}'\n", "neither {name} nor {path}"),
        ("replay:\n  env: PRE\n  cmd: [auto]\n", "replay.cmd"),
        ("replay:\n  env: a b\n  cmd: 'auto {path}'\n", "replay.env"),
    ],
)
@pytest.mark.parametrize("pin", ["", "  commit: 0123456\n"])
def test_a_declaration_that_is_wrong(tmp_path: Path, block: str, told: str, pin: str) -> None:
    """Pinned or not."""
    text = "class: A\nbranch: main\narchive: false\n" + block + (pin if block else "")
    outcome = hs02(build_repo({".goblin/goblin.yaml": text, "checks/a.sh": RED}, tmp_path))
    assert outcome.verdict is Verdict.FAIL
    assert told in said(outcome)


def test_without_a_pin_there_is_nothing_to_replay(tmp_path: Path) -> None:
    """Whatever the harness is: SKIP, and what to do."""
    repo = build_repo({".goblin/goblin.yaml": config(""), "checks/a.sh": GREEN}, tmp_path)
    assert hs02(repo).verdict is Verdict.SKIP
    assert "no pinned pre-change commit" in said(hs02(repo))


def test_the_directory_that_is_absent(tmp_path: Path) -> None:
    """As HS-01: a FAIL where it is expected, else a SKIP."""
    repo = build_repo({"a": "a"}, tmp_path)
    old = repo.head
    repo.commit("x", {".goblin/goblin.yaml": config(old)})
    assert "no harness dir" in said(hs02(repo))
    assert hs02(repo).verdict is Verdict.FAIL
    repo.commit(
        "y", {".goblin/goblin.yaml": config(old).replace("scaffold_checks: yes", "scaffold_checks: no")}
    )
    assert hs02(repo).verdict is Verdict.SKIP


def test_no_asserting_harness_is_a_fail(tmp_path: Path) -> None:
    """An empty set would pass as: every harness was red."""
    outcome = hs02(changed(tmp_path, {"checks/report.mjs": "console.log(1)\n", "checks/data.json": "{}"}))
    assert outcome.verdict is Verdict.FAIL
    assert "no asserting harness" in said(outcome)


def test_what_asserts_nothing_is_named_and_not_replayed(tmp_path: Path) -> None:
    """A script that cannot fail is no proof, and nobody should take it for one."""
    outcome = hs02(changed(tmp_path, {"checks/a.sh": RED, "checks/b.sh": "deps/tool\n", "checks/c.txt": ""}))
    assert outcome.verdict is Verdict.PASS
    assert [(f.path, f.message) for f in outcome.findings] == [
        ("checks/b.sh", "not replayed: asserts nothing")
    ]


def test_a_harness_that_cannot_be_read_is_a_fail(tmp_path: Path) -> None:
    """It might be one that proves nothing."""
    outcome = hs02(changed(tmp_path, {"checks/a.sh": RED, "checks/b.py": b"\xff\xfe"}))
    assert outcome.verdict is Verdict.FAIL
    assert "checks/b.py: could not be read" in said(outcome)


class TestThePin:
    """What `replay.commit` may be."""

    def pinned(self, repo: Repo, commit: str) -> Outcome:
        """The verdict with another pin."""
        return hs02(repo.write({".goblin/goblin.yaml": config(commit)}))

    def test_an_abbreviation_and_capitals_will_do(self, tmp_path: Path) -> None:
        """Unquoted, whatever its digits are."""
        repo = changed(tmp_path, {"checks/a.sh": RED})
        old = repo.git("rev-parse", "HEAD~2")
        assert self.pinned(repo, old[:8]).verdict is Verdict.PASS
        assert self.pinned(repo, old.upper()).verdict is Verdict.PASS

    @pytest.mark.parametrize("pin", ["0" * 40, "0123456", "main", "HEAD~2", "v1", "--all", "x y"])
    def test_what_is_no_commit_id_is_a_fail(self, tmp_path: Path, pin: str) -> None:
        """A typo used to skip; a name moves."""
        repo = changed(tmp_path, {"checks/a.sh": RED})
        repo.git("tag", "v1", "HEAD~2")
        outcome = self.pinned(repo, pin)
        assert outcome.verdict is Verdict.FAIL
        assert f"replay.commit {pin}" in said(outcome)

    def test_head_itself_is_a_fail(self, tmp_path: Path) -> None:
        """There is no change in between."""
        repo = changed(tmp_path, {"checks/a.sh": RED})
        assert "is HEAD itself" in said(self.pinned(repo, repo.head))

    def test_a_commit_beside_head_is_a_fail(self, tmp_path: Path) -> None:
        """Only what lies below HEAD is before the change."""
        repo = changed(tmp_path, {"checks/a.sh": RED})
        repo.git("checkout", "-q", "-b", "side", "HEAD~1")
        side = repo.commit("side", {"b": "b"})
        repo.git("checkout", "-q", "main")
        assert "is no ancestor of HEAD" in said(self.pinned(repo, side))

    def test_a_shallow_clone_says_so(self, tmp_path: Path) -> None:
        """What is not found may still exist."""
        repo = changed(tmp_path / "origin", {"checks/a.sh": RED})
        clone = Repo(tmp_path / "clone")
        repo.git("clone", "-q", "--depth=1", f"file://{repo.root}", str(clone.root))
        outcome = hs02(clone)
        assert outcome.verdict is Verdict.FAIL
        assert "shallow clone: fetch full history" in said(outcome)

    def test_before_the_first_commit(self, tmp_path: Path) -> None:
        """A pin without history."""
        files = {".goblin/goblin.yaml": config("0123456"), "checks/a.sh": RED}
        assert "no commits yet" in said(hs02(build_repo(files, tmp_path, commit=None)))


def test_an_old_tree_cannot_lead_out_of_its_folder(tmp_path: Path) -> None:
    """A harness directory that was a link then is replaced, not written through."""
    outside = tmp_path / "outside"
    outside.mkdir()
    repo = build_repo({"src/a.txt": "old", "checks@": str(outside)}, tmp_path / "r")
    old = repo.head
    repo.git("rm", "-q", "checks")
    repo.commit("change", {"src/a.txt": "new", "checks/a.sh": RED, ".goblin/goblin.yaml": config(old)})
    assert hs02(repo).verdict is Verdict.PASS
    assert list(outside.iterdir()) == []


def test_special_files_and_links_beside_a_harness(tmp_path: Path) -> None:
    """A FIFO is not read, a link stays a link."""
    repo = changed(tmp_path, {"checks/a.sh": RED, "checks/l@": "nowhere"})
    os.mkfifo(repo / "checks/fifo")
    assert hs02(repo).verdict is Verdict.PASS


def test_odd_names_reach_their_interpreter(tmp_path: Path) -> None:
    """A name with shell characters runs like any other."""
    names = ["x;true;#", "a b", "$(touch PWNED)", "-e", "d\u00e9j\u00e0"]
    repo = changed(tmp_path, {f"checks/{name}.sh": RED for name in names})
    assert hs02(repo).summary.startswith("5 harness(es), each red")
    assert not (repo / "PWNED").exists()


def test_without_a_repository(tmp_path: Path) -> None:
    """It says so."""
    repo = Repo(tmp_path).write({".goblin/goblin.yaml": config("0123456"), "checks/a.sh": RED})
    assert "no git repository" in said(hs02(repo))


def test_four_at_once_agree_and_leave_nothing(tmp_path: Path) -> None:
    """Four verifies together; a stale worktree and a locked one of the user's are not touched."""
    repo = changed(tmp_path / "r", {"checks/a.sh": f"sleep 0.3\n{RED}"})
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "mine"))
    repo.git("worktree", "lock", str(tmp_path / "mine"))
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "gone"))
    os.rename(tmp_path / "gone", tmp_path / "elsewhere")
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    before = (repo.git("worktree", "list", "--porcelain"), repo.git("for-each-ref"))
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); sys.path.insert(0, sys.argv[1] + '/src')\n"
        "from tests.checks.test_replay import *\n"
        "print(said(hs02(Repo(sys.argv[2]))))"
    )
    argv = [sys.executable, "-c", program, str(Path(__file__).parents[2]), str(repo.root)]
    runs = [
        subprocess.Popen(argv, env=hermetic(TMPDIR=str(scratch)), stdout=subprocess.PIPE) for _ in range(4)
    ]
    answers = {run.communicate(timeout=120)[0] for run in runs}
    assert len(answers) == 1
    assert answers.pop().startswith(b"PASS\n1 harness(es), each red on ")
    assert (repo.git("worktree", "list", "--porcelain"), repo.git("for-each-ref")) == before
    assert list(scratch.iterdir()) == []
    assert list((repo / ".git").rglob("*.lock")) == []


def test_what_a_killed_run_leaves_goes_with_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was killed in the middle of a harness cannot clean up; the next one does."""
    started = tmp_path / "started"
    repo = changed(tmp_path / "r", {"checks/a.sh": f"echo $$ > {started}\nsleep 60\nexit 1\n"})
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); sys.path.insert(0, sys.argv[1] + '/src')\n"
        "from tests.checks.test_replay import *\nhs02(Repo(sys.argv[2]))"
    )
    argv = [sys.executable, "-c", program, str(Path(__file__).parents[2]), str(repo.root)]
    run = subprocess.Popen(argv, env=hermetic(TMPDIR=str(scratch)), stdout=subprocess.DEVNULL)
    wait_for = 'until test -s "$0"; do sleep 0.05; done'
    subprocess.run(["timeout", "60", "bash", "-c", wait_for, str(started)], check=True)
    run.kill()
    run.wait()
    os.killpg(int(started.read_text()), 9)
    assert len(list(scratch.iterdir())) == 1
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(replay, "TIMEOUT", 0.5)
    assert hs02(repo).verdict is Verdict.FAIL
    assert list(scratch.iterdir()) == []


def test_the_temporary_folder_may_not_be_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written into the tree under test."""
    repo = changed(tmp_path, {"checks/a.sh": RED})
    monkeypatch.setattr("tempfile.tempdir", str(repo / "src"))
    outcome = hs02(repo)
    assert outcome.verdict is Verdict.FAIL
    assert "could not run: no clean checkout" in said(outcome)


def test_a_directory_too_large_to_copy_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies are bounded in number and in bytes."""
    repo = changed(tmp_path, {"checks/a.sh": RED, "checks/data": "x" * 5000})
    monkeypatch.setattr(replay, "MOST_BYTES", 1000)
    assert "more than is replayed" in said(hs02(repo))


def test_it_is_bounded_and_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--static` leaves the row out, because it runs what the repository declares."""
    from goblin.facts import executes

    assert executes(("replay",))
    assert process.DEFAULT_TIMEOUT >= replay.TIMEOUT
