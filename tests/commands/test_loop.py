"""goblin-loop: which subcommand, which words, which exit code, on which stream."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from goblin.commands import loop, loop_start
from tests.loop.driving import CONFIG, LOOP, PREDICATE, log_of, loop_repo, record_of
from tests.support import Repo, build_repo, run_cli

START = ("start", "--predicate", PREDICATE, "--budget", "4")
TURN = ("record", "--phase", "check", "--decision", "verdict:continue", "--why", "not yet")


class Said(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository in which no loop has run."""
    return loop_repo(tmp_path / "repository", {"src/a.py": "x"})


@pytest.fixture
def run(repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run goblin-loop in the repository, in this process."""
    monkeypatch.chdir(repo.root)

    def call(*words: str) -> Said:
        code = loop.main(list(words))
        return Said(code, *capsys.readouterr())

    return call


# --- usage -----------------------------------------------------------------------------------------


def test_help_lists_every_subcommand(run: Run) -> None:
    """On standard output, exit 0."""
    for words in (["--help"], ["-h"]):
        done = run(*words)
        assert (done.code, done.err) == (0, "")
        assert all(f"\n  {name} " in done.out for name in loop.SUBCOMMANDS)


@pytest.mark.parametrize("name", loop.SUBCOMMANDS)
def test_each_subcommand_explains_itself(run: Run, name: str) -> None:
    """`--help` after its name; its table is called by that name."""
    done = run(name, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: goblin-loop {name} [OPTIONS]")
    assert import_module(loop.SUBCOMMANDS[name][0]).COMMAND.name == f"goblin-loop {name}"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no subcommand"),
        (("nonsense",), "no such subcommand: nonsense"),
        (("start",), "--predicate is missing"),
        (("start", "--predicate", "false"), "--budget is missing"),
        (("start", "--predicate", "false", "--budget", "0"), "--budget takes a whole number of 1 or more"),
        (("start", "--predicate", "false", "--budget", "-1"), "--budget takes a whole number"),
        (("start", "--predicate", "false", "--budget", "020"), "--budget takes a whole number"),
        (("start", "--predicate", "false", "--budget", "5.0"), "--budget takes a whole number"),
        (("start", "--predicate", "false", "--budget", "\u0665"), "--budget takes a whole number"),
        (("start", "--predicate", "false", "--budget", "1e9"), "--budget takes a whole number"),
        (("start", "--predicate", "false", "--budget", "20 turns"), "--budget takes a whole number"),
        (
            ("start", "--predicate", "false", "--budget", "4", "--author", "a"),
            "--author and --judge go together",
        ),
        (
            ("start", "--predicate", "false", "--budget", "4", "--timeout", "x"),
            "--timeout takes a whole number",
        ),
        (("start", "--predicate", "false", "--budget", "4", "--surface", "a", "--no-surface"), "opposites"),
        (("start", "--predicate", "false", "--budget", "4", "--", "x"), "takes no command after --"),
        (("start", "--nonsense"), "No such option"),
        (("record",), "--phase is missing"),
        (("record", "--phase", "p", "--decision", "verdict:done", "--why", "w"), "--result is missing"),
        ((*TURN, "--result", "predicate:red", "--run"), "--run and a command after -- go together"),
        ((*TURN, "--result", "predicate:red", "--run", "--"), "--run and a command after -- go together"),
        ((*TURN, "--result", "predicate:red", "--", "ls"), "--run and a command after -- go together"),
        (("tail", "--since", "x"), "--since takes a whole number"),
    ],
)
def test_bad_usage_is_2(run: Run, words: tuple[str, ...], told: str) -> None:
    """Said on standard error, and nothing is written."""
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert not os.path.exists(LOOP)


def test_its_version_is_the_products(run: Run) -> None:
    """As that of the other commands."""
    assert run("--version").out.startswith("goblin-loop ")


@pytest.mark.parametrize(
    ("words", "parsed"),
    [
        (["--surface", "a", "b", "--budget", "4"], ["--surface", "a", "--surface", "b", "--budget", "4"]),
        (["--surface", "a", "--surface", "b"], ["--surface", "a", "--surface", "b"]),
        (["--budget", "4", "--surface", "a,b"], ["--budget", "4", "--surface", "a,b"]),
        (["--predicate", "x y", "--surface"], ["--predicate", "x y", "--surface"]),
        ([], []),
    ],
)
def test_a_surface_may_be_a_list_of_words(words: list[str], parsed: list[str]) -> None:
    """`--surface A B` means both."""
    assert loop_start.prepare(words) == parsed


# --- where it runs ---------------------------------------------------------------------------------


def test_a_repository_without_the_harness_is_2(tmp_path: Path) -> None:
    """Nothing is installed, and it says how."""
    repo = build_repo({"README.md": "x"}, tmp_path / "plain")
    for words in (START, TURN, ("close",), ("status",)):
        done = run_cli("goblin-loop", *words, *(("--result", "parked") if words == TURN else ()), cwd=repo)
        assert done.code == 2, done
        assert "goblin-install" in done.err


def test_a_folder_without_git_is_2(tmp_path: Path) -> None:
    """A loop is about commits."""
    (tmp_path / ".goblin").mkdir()
    (tmp_path / ".goblin/goblin.yaml").write_text(CONFIG)
    done = run_cli("goblin-loop", *START, cwd=tmp_path)
    assert (done.code, "no git repository here" in done.err) == (2, True)


def test_a_repository_before_its_first_commit_is_refused(tmp_path: Path) -> None:
    """A loop starts from a commit; decided with the words of the rows."""
    repo = build_repo({".goblin/goblin.yaml": CONFIG}, tmp_path / "repository", commit=None)
    done = run_cli("goblin-loop", *START, cwd=repo)
    assert (done.code, "no commits yet" in done.err) == (1, True)


def test_a_link_for_the_harness_is_2(repo: Repo, tmp_path: Path) -> None:
    """As for every other command."""
    (repo / ".goblin").rename(tmp_path / "outside")
    (repo / ".goblin").symlink_to(tmp_path / "outside")
    done = run_cli("goblin-loop", *START, cwd=repo)
    assert (done.code, "is a symbolic link" in done.err) == (2, True)


def test_a_wrong_ceiling_is_a_refusal_with_its_place(repo: Repo) -> None:
    """The config is named with line and column, as LP-03 does."""
    repo.commit("Ceiling", {".goblin/goblin.yaml": CONFIG + "loop_max_turns_ceiling: ten\n"})
    done = run_cli("goblin-loop", *START, cwd=repo)
    assert (done.code, done.out) == (1, "")
    assert ".goblin/goblin.yaml:5:25" in done.err


def test_a_folder_below_the_root_will_do(run: Run, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The root is found, and a captured command runs where the caller stands."""
    run(*START)
    monkeypatch.chdir(repo / "src")
    done = run(*TURN, "--result", "predicate:red", "--run", "--", "ls")
    assert done.code == 0
    digest = record_of(repo).verdicts[0].evidence.removeprefix("sha256:")
    assert repo.read(f"{LOOP}/out/{digest}.txt").endswith("\n\na.py\n")


def test_another_repository_may_be_named(run: Run, tmp_path: Path) -> None:
    """A captured command then runs at its root."""
    other = loop_repo(tmp_path / "other")
    assert run(*START, "--target", str(other.root)).code == 0
    assert not os.path.exists(LOOP)
    assert run(*TURN, "--result", "predicate:red", "--target", str(other.root), "--run", "--", "ls").code == 0
    digest = record_of(other).verdicts[0].evidence.removeprefix("sha256:")
    assert other.read(f"{LOOP}/out/{digest}.txt").endswith("\n\nREADME.md\n")


# --- what it says ----------------------------------------------------------------------------------


def test_a_loop_of_four_turns(run: Run, repo: Repo) -> None:
    """From start to close, each answer on standard output and nothing on standard error."""
    done = run(*START, "--control", "echo done >> README.md", "--author", "coder", "--judge", "referee")
    assert (done.code, done.err) == (0, "")
    assert "is open: 4 turn(s)\nfirst run: red (exit 1), .goblin/loop/out/" in done.out
    assert "control: after it the predicate is green\n" in done.out
    done = run(*TURN, "--check")
    assert (done.code, done.err) == (0, "")
    assert "| verdict:continue | not yet | sha256:" in done.out
    assert "| predicate:red\n1 of 4 turn(s) spent; 1 on this pointer\n" in done.out
    done = run(*TURN, "--result", "predicate:red", "--evidence", "file:README.md")
    assert done.out.startswith(".goblin/loop/decisions.tsv:3 ")
    done = run("record", "--phase", "think", "--decision", "note", "--why", "a thought")
    assert (done.code, "turn(s)" in done.out) == (0, False)
    repo.commit("Do it", {"README.md": "done\n"})
    done = run("record", "--phase", "check", "--decision", "verdict:done", "--why", "it is there", "--check")
    assert "| predicate:green\n3 of 4 turn(s) spent\n" in done.out
    done = run("close", "--why", "reached")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("the loop is closed as green: .goblin/loop/closed-")


def test_a_refusal_is_1_with_its_remedy(run: Run) -> None:
    """On standard error, line by line, and nothing on standard output."""
    done = run("start", "--predicate", "echo why; true", "--budget", "4")
    assert (done.code, done.out) == (1, "")
    first, second, third = done.err.splitlines()
    assert first.startswith("refused: the predicate is green already, at ")
    assert second == "  why"
    assert third.startswith("remedy: ")


def test_a_refusal_prints_no_terminal_control(run: Run) -> None:
    """What the predicate or the caller says is shown escaped."""
    done = run("start", "--predicate", "printf '\\033[2Jx\\n'; exit 127", "--budget", "4")
    assert "\x1b" not in done.err
    run(*START)
    assert "\x1b" not in run(*TURN, "--result", "predicate:red", "--evidence", "file:\x1b[2J").err


def test_stuck_says_what_is_missing(run: Run, repo: Repo) -> None:
    """And what comes next."""
    run(*START)
    run(*TURN, "--check")
    done = run("stuck")
    assert done.code == 0
    assert "next: write in .goblin/loop/stuck.md what was tried and what blocks the loop" in done.out
    assert run("close").code == 1
    (repo / f"{LOOP}/stuck.md").unlink()
    done = run("stuck", "--tried", "all", "--blocks", "much")
    assert "next: goblin-loop close" in done.out
    assert run("close").code == 0


def test_what_was_mended_is_said(run: Run, repo: Repo) -> None:
    """The next command finishes what a kill left, and tells."""
    run(*START)
    with (repo / f"{LOOP}/events.jsonl").open("ab") as stream:
        stream.write(b"{")
    done = run(*TURN, "--check")
    assert "note: a line without its end was set aside in events.torn" in done.out
    assert log_of(repo).faults == ()


# --- tail ------------------------------------------------------------------------------------------


def test_tail_shows_one_line_an_event(run: Run) -> None:
    """Number, time, span, type, and what it says."""
    run(*START)
    run(*TURN, "--result", "predicate:red", "--run", "--", "echo", "hello")
    lines = run("tail").out.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4"]
    assert [line.split()[3] for line in lines] == ["run_opened", "predicate_ran", "call_receipt", "decision"]
    assert lines[0].endswith(PREDICATE)
    assert lines[2].endswith("exit 0 echo hello")
    assert " i1 " in lines[3]


def test_tail_may_begin_later(run: Run) -> None:
    """After a sequence number."""
    run(*START)
    assert run("tail", "--since", "1").out.split()[0] == "2"
    assert run("tail", "--since", "2").out == ""
    assert run("tail", "--since", "0").out == run("tail").out


def test_tail_in_json_is_the_log_itself(run: Run, repo: Repo) -> None:
    """Byte for byte, so that anybody can verify the chain."""
    run(*START)
    assert run("tail", "--json").out == repo.read(f"{LOOP}/events.jsonl")


def test_tail_without_a_log_is_refused(run: Run) -> None:
    """There is nothing to show, and it says how one begins."""
    done = run("tail")
    assert (done.code, "there is no event log" in done.err) == (1, True)


def test_tail_shows_a_log_that_does_not_verify(run: Run, repo: Repo) -> None:
    """What can be read is shown, and the fault is said on standard error."""
    run(*START)
    path = repo / f"{LOOP}/events.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"turns":4', b'"turns":9'))
    done = run("tail")
    assert (done.code, len(done.out.splitlines())) == (0, 2)
    assert "the log does not verify: line 2" in done.err


# --- status ----------------------------------------------------------------------------------------


def test_status_judges_the_rows(tmp_path: Path, sample: Repo) -> None:
    """In text and in JSON, before and after, and nothing is written."""
    assert run_cli("goblin-loop", "status", cwd=sample).out.startswith("no loop has run here\n")
    run_cli("goblin-loop", *START, cwd=sample)
    run_cli("goblin-loop", *TURN, "--check", cwd=sample)
    before = sample.git("status", "--porcelain", "-uall")
    done = run_cli("goblin-loop", "status", cwd=sample)
    assert done.code == 0
    assert "turns: 1 of 4\n" in done.out
    assert "\nPASS  RN-01  " in done.out
    assert "\nPASS  LP-02  " in done.out
    assert "streak: 1 turn(s) on that pointer" in done.out
    value = json.loads(run_cli("goblin-loop", "status", "--json", cwd=sample).out)
    assert (value["schema_version"], value["state"], value["spent"], value["budget"]) == (1, "open", 1, 4)
    assert {row["id"]: row["verdict"] for row in value["rows"]}["RN-02"] == "PASS"
    assert value["next"][0].startswith("goblin-loop record")
    assert sample.git("status", "--porcelain", "-uall") == before


def test_status_shows_a_row_that_fails_with_its_remedy(sample: Repo) -> None:
    """As goblin-verify would."""
    run_cli("goblin-loop", *START, cwd=sample)
    sample.write({f"{LOOP}/predicate": "true\n"})
    done = run_cli("goblin-loop", "status", cwd=sample)
    assert "fault: the predicate is not the one that was pinned" in done.out
    assert "\nFAIL  LP-02  " in done.out
    assert "\n        remedy: " in done.out
