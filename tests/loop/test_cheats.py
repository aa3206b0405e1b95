"""Ways to go green without doing the work: each is refused, is a FAIL, or stands on top of the audit.

The worker here may write everything in the repository and sets the environment; what it cannot do is
change what is committed elsewhere. What a whole invented record shows is in docs/loop.md.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from goblin.loop import steering
from goblin.loop.audit import Audit, audit
from goblin.loop.refusal import Refused
from goblin.loop.worktree import of_files
from goblin.outcome import Verdict
from tests.checks.judging import judge, said
from tests.loop.driving import (
    CONFIG,
    LOOP,
    closed,
    log_of,
    loop_repo,
    opened,
    place,
    record_of,
    recorded,
    written_up,
)
from tests.support import PROJECT, Repo

WEAK = "exit 0\n"
CHECK = "test -s feature.txt && grep -q works feature.txt\n"
RUN = '#!/bin/sh\n# runs the check\n. "$(dirname "$0")/check.sh"\n'
TABLES = {
    f".goblin/manifest/{name}": (PROJECT / "manifest" / name).read_text(encoding="utf-8")
    for name in ("enforcement.tsv", "events.tsv")
}

AGAIN = "checks/judge.py::each_done_is_green_again"
SURFACE = "checks/loop.py::the_pinned_surface_is_unchanged"
PINNED = "checks/loop.py::the_predicate_is_pinned"
WHOLE = "checks/runs.py::the_event_log_is_whole"
TURNS = "checks/runs.py::each_row_has_its_event"
FIRST = "checks/runs.py::the_first_run_was_measured"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """An open loop, committed, whose predicate is a script that reads another one."""
    made = loop_repo(
        tmp_path_factory.mktemp("cheats") / "base",
        {"scripts/run.sh": RUN, "scripts/check.sh": CHECK, **TABLES},
    )
    opened(made, predicate="sh scripts/run.sh", control="echo works > feature.txt")
    made.commit("Open the loop")
    return made


@pytest.fixture
def repo(base: Repo, tmp_path: Path) -> Iterator[Repo]:
    """A copy of it for one worker."""
    shutil.copytree(base.root, tmp_path / "repository", symlinks=True)
    return Repo(tmp_path / "repository")  # type: ignore[return-value]


def audited(repo: Repo) -> Audit:
    """What the reader sees in the morning."""
    found = audit(str(repo.root))
    assert found is not None
    return found


def part(repo: Repo, name: str) -> tuple[str, str]:
    """State and text of one part of the record."""
    return next((one.state, one.text) for one in audited(repo).parts if one.name == name)


def done(repo: Repo) -> None:
    """Claim the goal, measured; and close."""
    recorded(repo, evidence="", decision="verdict:done", check=True)
    closed(repo)


def fails(repo: Repo, cell: str, because: str) -> None:
    """A row says so."""
    outcome = judge(repo, cell)
    assert outcome.verdict is Verdict.FAIL
    assert because in said(outcome)


# --- the surface ---------------------------------------------------------------------------------


def test_what_a_script_runs_is_pinned_with_it(repo: Repo) -> None:
    """The script that the predicate names, and the one that it reads."""
    assert tuple(record_of(repo).surface.entries) == ("scripts/check.sh", "scripts/run.sh")


def hidden(repo: Repo) -> None:
    """Commit the weak script, and show the old one in the work tree."""
    repo.commit("Weaken", {"scripts/check.sh": WEAK})
    repo.write({"scripts/check.sh": CHECK})


def skipped(repo: Repo) -> None:
    """The same, and tell git not to look."""
    hidden(repo)
    repo.git("update-index", "--skip-worktree", "scripts/check.sh")


def assumed(repo: Repo) -> None:
    """The same with the older flag."""
    hidden(repo)
    repo.git("update-index", "--assume-unchanged", "scripts/check.sh")


def staged(repo: Repo) -> None:
    """The same, and put the old one into the index."""
    hidden(repo)
    repo.git("add", "scripts/check.sh")


def folder_linked(repo: Repo) -> None:
    """Put a link to another folder in the place of the scripts."""
    repo.commit("Link", {"other/check.sh": WEAK, "other/run.sh": RUN})
    repo.git("mv", "scripts", "kept")
    (repo / "scripts").symlink_to("other")
    repo.commit("Link it")


def swapped(repo: Repo) -> None:
    """Commit a link in place of the script, and show a file."""
    repo.commit("Weak", {"weak.sh": WEAK})
    (repo / "scripts/check.sh").unlink()
    (repo / "scripts/check.sh").symlink_to("../weak.sh")
    repo.commit("Link it")
    (repo / "scripts/check.sh").unlink()
    repo.write({"scripts/check.sh": CHECK})


@pytest.mark.parametrize("cheat", [hidden, skipped, assumed, staged, folder_linked, swapped])
def test_a_weaker_script_in_head_turns_nothing_green(repo: Repo, cheat: Callable[[Repo], None]) -> None:
    """Neither measured nor typed, and LP-06 tells whatever the work tree shows."""
    cheat(repo)
    with pytest.raises(Refused, match="pinned"):
        recorded(repo, evidence="", decision="verdict:done", check=True)
    fails(repo, SURFACE, "scripts/check.sh: ")
    recorded(repo, "I say so", f"sha:{repo.head}", "predicate:green", "verdict:done")
    with pytest.raises(Refused, match="pinned when the loop began"):
        closed(repo)


def test_line_ends_that_git_converts_are_no_other_file(repo: Repo) -> None:
    """A work tree with CRLF pins it; HEAD and the clean checkout hold LF."""
    written_up_and_closed(repo)
    repo.commit("Closed")
    repo.write({".git/info/attributes": "scripts/** text eol=crlf\n"})
    (repo / "scripts/check.sh").write_bytes(CHECK.replace("\n", "\r\n").encode())
    repo.git("add", "--renormalize", "scripts")
    assert repo.git("status", "--porcelain") == ""
    opened(repo, predicate="sh scripts/run.sh", surface=("scripts/check.sh",))
    recorded(repo, evidence="", check=True)
    assert judge(repo, SURFACE).verdict is Verdict.PASS


def written_up_and_closed(repo: Repo) -> None:
    """End the open loop without green."""
    recorded(repo, run=("echo", "red"), evidence="")
    written_up(repo)
    closed(repo)


def test_a_control_may_not_edit_what_decides(repo: Repo) -> None:
    """It would show that the predicate can be edited, not that it can be met."""
    written_up_and_closed(repo)
    with pytest.raises(Refused, match=r"the control changes scripts/check\.sh"):
        opened(repo, predicate="sh scripts/run.sh", control="echo exit 0 > scripts/check.sh")


def test_new_configuration_of_a_tool_is_a_change(repo: Repo) -> None:
    """A conftest.py, a pytest.ini: read unasked, and not there when the loop began."""
    written_up_and_closed(repo)
    repo.commit("A test", {"tests/test_a.py": "def test_a(): assert 0\n", "run.sh": "exec pytest -q tests\n"})
    opened(repo, predicate="sh run.sh; false")
    assert tuple(record_of(repo).surface.entries) == ("run.sh", "tests/test_a.py")
    repo.commit("More tests", {"tests/test_b.py": "def test_b(): pass\n", "conftest.txt": "x"})
    assert judge(repo, SURFACE).verdict is Verdict.PASS
    repo.commit(
        "Steer", {"tests/conftest.py": "collect_ignore = ['test_a.py']\n", "pytest.ini": "[pytest]\n"}
    )
    fails(repo, SURFACE, "tests/conftest.py: is new since the loop began")
    fails(repo, SURFACE, "pytest.ini: is new since the loop began")


def test_a_predicate_may_not_read_the_record(repo: Repo) -> None:
    """Whoever writes a row would meet it."""
    written_up_and_closed(repo)
    with pytest.raises(Refused, match="the record that the loop itself writes"):
        opened(repo, predicate="grep -q done .goblin/loop/decisions.tsv")


# --- the measurement -----------------------------------------------------------------------------


def test_a_typed_green_is_seen_on_every_page(repo: Repo) -> None:
    """The turn is told, RN-02 notes it, and the audit does not call it reached."""
    typed = recorded(repo, "I say so", f"sha:{repo.head}", "predicate:green", "verdict:done")
    assert "predicate:green was typed, and nothing measured it: record --check does" in typed.notes
    assert "was typed" in said(judge(repo, TURNS))
    closed(repo)
    assert audited(repo).state == "unproven"
    assert audited(repo).reasons[0].startswith("Goal: typed green")


def test_a_measured_green_is_reached(repo: Repo) -> None:
    """The honest way, with nothing to remark."""
    repo.commit("Work", {"feature.txt": "works\n"})
    done(repo)
    found = audited(repo)
    assert (found.state, found.notes) == ("reached", ())
    assert part(repo, "goal") == ("ok", f"measured green, in a clean checkout of {repo.head[:12]}")
    repo.commit("Undo it", {"feature.txt": "broken\n"})
    state, text = part(repo, "goal")
    assert state == "note"
    assert "HEAD holds other files since" in text


def test_a_green_of_another_branch_does_not_count_here(repo: Repo) -> None:
    """Measured on a branch that HEAD does not hold, the loop is not closed as green."""
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit("Work", {"feature.txt": "works\n"})
    recorded(repo, evidence="", decision="verdict:done", check=True)
    repo.git("checkout", "--quiet", "main")
    with pytest.raises(Refused, match="not under HEAD"):
        closed(repo)
    assert part(repo, "goal")[0] == "wrong"
    repo.git("merge", "--quiet", "--squash", "side")
    repo.git("commit", "--quiet", "-m", "Squashed: other commits, the same files")
    closed(repo)
    assert part(repo, "goal")[0] == "ok"


def test_a_result_that_the_log_did_not_measure_is_a_fail(repo: Repo) -> None:
    """A log whose decision says green where the run that leads to it was red."""
    recorded(repo, evidence="", check=True)
    lines = (repo / f"{LOOP}/events.jsonl").read_bytes().split(b"\n")
    lines[-2] = lines[-2].replace(b"predicate:red", b"predicate:green")
    (repo / f"{LOOP}/events.jsonl").write_bytes(b"\n".join(lines))
    table = repo / f"{LOOP}/decisions.tsv"
    table.write_text(table.read_text().replace("predicate:red", "predicate:green"))
    fails(repo, TURNS, "measured exit 1 for it")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BASH_ENV", "{evil}/env.sh"),
        ("BASH_FUNC_sh%%", "() { true; }"),
        ("GIT_DIR", "{evil}"),
        ("GIT_WORK_TREE", "{evil}"),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "{evil}"),
        ("ENV", "{evil}/env.sh"),
    ],
)
def test_no_variable_stands_in_for_the_work(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """What bash or git would read first is not given to the predicate."""
    (tmp_path / "env.sh").write_text(WEAK)
    monkeypatch.setenv(name, value.replace("{evil}", str(tmp_path)))
    with pytest.raises(Refused, match="the predicate is red"):
        recorded(repo, evidence="", decision="verdict:done", check=True)


def test_another_path_is_told(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that stands in for `sh` makes it green; the turn and the audit say which settings changed."""
    false = tmp_path / "bin/sh"
    false.parent.mkdir()
    false.write_text("#!/bin/bash\nexit 0\n")
    false.chmod(false.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{false.parent}{os.pathsep}{os.environ['PATH']}")
    turn = recorded(repo, evidence="", decision="verdict:done", check=True)
    assert "other settings than at the first run: PATH" in turn.notes
    closed(repo)
    assert any("other settings than the first run had: PATH" in note for note in audited(repo).notes)


def test_steering_variables_are_put_away_or_noted() -> None:
    """None of them is both, and a note holds no value."""
    env = {**dict.fromkeys(steering.PUT_AWAY, "x"), "npm_config_dry_run": "1", "BASH_FUNC_a%%": "() { :; }"}
    assert steering.without({**env, "PATH": "/bin", "LANG": "C"}) == {"PATH": "/bin", "LANG": "C"}
    assert steering.PUT_AWAY.isdisjoint(steering.NOTED)
    noted = steering.noted({"PATH": "/bin", "LANG": "C", "HOME": ""})
    assert list(noted) == ["PATH"]
    assert "/bin" not in noted["PATH"]
    assert steering.changed(noted, {"PATH": "other", "LANG": "x"}) == ("PATH",)
    assert steering.changed(noted, None) == steering.changed("x", noted) == ()


def test_replaced_objects_are_not_looked_at(repo: Repo) -> None:
    """Neither a replace ref for a script nor one for a commit."""
    weak = repo.git("hash-object", "-w", "--stdin", stdin=WEAK.encode())
    repo.git("replace", repo.git("rev-parse", "HEAD:scripts/check.sh"), weak)
    with pytest.raises(Refused, match="the predicate is red"):
        recorded(repo, evidence="", decision="verdict:done", check=True)


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_a_file_that_git_is_told_not_to_look_at_is_part_of_the_tree(repo: Repo, flag: str) -> None:
    """The tree that a captured command saw holds what really stood there."""
    git = place(repo).git
    before = of_files(git)
    repo.git("update-index", flag, "README.md")
    assert of_files(git) == before
    repo.write({"README.md": "edited\n"})
    assert of_files(git) != before
    (repo / "README.md").unlink()
    assert (of_files(git) == before) is (flag == "--skip-worktree")  # a sparse checkout lacks it


def test_a_measured_done_is_derived_again_where_it_was_measured(repo: Repo) -> None:
    """It cites no commit but a turn card; the log knows at which one the predicate ran, closed or not."""
    repo.commit("Work", {"feature.txt": "works\n", ".goblin/goblin.yaml": f"{CONFIG}judge_rederive: yes\n"})
    recorded(repo, evidence="", decision="verdict:done", check=True)
    assert "1 done row(s), green again at 1 commit(s)" in judge(repo, AGAIN).summary
    closed(repo)
    repo.commit("Undo it", {"feature.txt": "broken\n"})
    assert judge(repo, AGAIN).verdict is Verdict.PASS


def test_a_done_at_a_commit_with_a_weaker_script_is_none(repo: Repo) -> None:
    """Green there, because the pinned script was edited there."""
    weak = repo.commit(
        "Weaken", {"scripts/check.sh": WEAK, ".goblin/goblin.yaml": f"{CONFIG}judge_rederive: yes\n"}
    )
    repo.commit("Hide it", {"scripts/check.sh": CHECK})
    recorded(repo, "I say so", f"sha:{weak}", "predicate:green", "verdict:done")
    fails(repo, AGAIN, "scripts/check.sh, which the loop pinned, is another one there")


# --- the record ----------------------------------------------------------------------------------


def rewritten(repo: Repo) -> None:
    """Put what stands there into the commit that opened the loop, as if it had never been otherwise."""
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--amend", "--message", "Open the loop")


@pytest.mark.parametrize("what", ["predicate", "budget", "surface"])
def test_an_amended_opening_is_not_that_of_the_log(repo: Repo, what: str) -> None:
    """History has forgotten the old one; the event that opened the run has not."""
    pin = repo / f"{LOOP}/predicate.sha256"
    if what == "predicate":
        repo.write({f"{LOOP}/predicate": "true\n"})
        digest = __import__("hashlib").sha256(b"true\n").hexdigest()
        pin.write_text("\n".join([digest, *pin.read_text().split("\n")[1:]]))
    elif what == "budget":
        repo.write({f"{LOOP}/budget": "19\n"})
    else:
        (repo / f"{LOOP}/surface.sha256").unlink()
        pin.write_text("".join(line for line in pin.read_text().splitlines(True) if "surface" not in line))
    rewritten(repo)
    fails(repo, FIRST, "line 1 of the log opened the loop with")
    with pytest.raises(Refused):
        recorded(repo, evidence="", check=True)


def begun_anew(repo: Repo) -> None:
    """Take the loop out of history and open a weaker one."""
    shutil.rmtree(repo / LOOP)
    repo.git("reset", "--quiet", "--soft", "HEAD~1")
    repo.git("add", "--all")
    opened(repo, predicate="test -e weak", budget=9)
    repo.commit("Open the loop")


def test_a_loop_that_was_amended_away_is_remembered(repo: Repo) -> None:
    """By this clone as a note; by what was pushed as a FAIL, until that is put back."""
    pushed = repo.head
    begun_anew(repo)
    assert "amended or reset away, held another log" in said(judge(repo, WHOLE))
    assert judge(repo, WHOLE).verdict is Verdict.PASS
    repo.git("update-ref", "refs/remotes/origin/main", pushed)
    fails(repo, WHOLE, f"is not the log that origin/main holds ({pushed[:12]})")
    repo.git("update-ref", "refs/remotes/upstream/main", repo.head)
    repo.git("update-ref", "refs/remotes/origin/main", repo.head)
    assert judge(repo, WHOLE).verdict is Verdict.PASS


def test_a_clone_that_is_merely_behind_or_ahead_is_not_accused(repo: Repo) -> None:
    """The log of origin goes on where this one ends, or the other way round."""
    repo.git("update-ref", "refs/remotes/origin/main", repo.head)
    recorded(repo, run=("echo", "red"), evidence="")
    repo.commit("A turn")
    assert judge(repo, WHOLE).verdict is Verdict.PASS
    repo.git("update-ref", "refs/remotes/origin/main", repo.head)
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    assert judge(repo, WHOLE).verdict is Verdict.PASS
    assert log_of(repo).faults == ()


def test_a_record_that_was_deleted_is_missed(repo: Repo) -> None:
    """As long as it was there lately; another line that never held one misses nothing."""
    held = repo.head
    repo.git("rm", "-r", "--quiet", LOOP)
    repo.commit("Clean up")
    fails(repo, WHOLE, f"commit {held[:12]} holds a record, and it is gone")
    repo.git("checkout", "--quiet", "-b", "other", "HEAD~2")
    assert judge(repo, WHOLE).verdict is Verdict.SKIP


def test_a_loop_that_asks_less_than_the_one_before_says_so(repo: Repo) -> None:
    """Closing and opening anew is the honest way; the reader of the last loop learns of the one before."""
    written_up_and_closed(repo)
    repo.commit("Closed")
    started = opened(repo, predicate="sh scripts/run.sh", surface=())
    told = "closed-"
    assert [note for note in started.notes if note.startswith(told)] == list(started.notes)
    assert len(started.notes) == 2
    repo.commit("Weaken", {"scripts/check.sh": WEAK})
    done(repo)
    (note,) = audited(repo).notes
    assert "1 loop closed before this one, 1 of them on the same predicate" in note
    assert "pinned scripts/check.sh, scripts/run.sh, and it does not" in note
    assert "had a control, and it has none" in note


@pytest.mark.parametrize("judge_lane", ["coder", "CODER", " coder ", "co\u200bder", "\uff43oder"])
def test_two_lanes_that_look_the_same_are_one(repo: Repo, judge_lane: str) -> None:
    """Case, blanks, what does not show, and other widths."""
    written_up_and_closed(repo)
    with pytest.raises(Refused, match="one lane"):
        opened(repo, author="coder", judge=judge_lane)
