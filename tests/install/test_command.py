"""goblin-install as a command: its options, its exit codes, and what it prints where."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from goblin.commands.install import COMMAND
from goblin.install import classes
from tests.install.driving import Ran, run
from tests.install.faults import picture
from tests.support import Repo, build_repo, hermetic, program, run_cli

pytestmark = pytest.mark.usefixtures("one_payload")


def test_help_lists_every_option_and_every_exit_code(repo: Repo) -> None:
    """Every one of the table, and the five codes."""
    done = run_cli("goblin-install", "--help", cwd=repo)
    assert (done.code, done.err) == (0, "")
    for option in (*(option.name for option in COMMAND.options), "--help"):
        assert re.search(rf"(^|\s|,){option}\b", done.out), option
    assert re.search(r"0 done.*1 a refusal.*2 bad input.*130", " ".join(done.out.split()))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--target is missing"),
        (["--target", "."], "--class is missing"),
        (["--target", ".", "--class", "a"], "no such class"),
        (["--target", ".", "--class", "software"], "no such class"),
        (["--target", "nowhere", "--class", "A"], "no such folder"),
        (["--target", "README.md", "--class", "A"], "not a folder"),
        (["--target", ".", "--class"], "--class"),
        (["--target", ".", "--class", "A", "--nonsense"], "--nonsense"),
        (["--target", ".", "--class", "A", "--parts", "handoff,nonsense"], "'nonsense'"),
        (["--target", ".", "--class", "A", "--parts", ","], "there is no part"),
        (["--target", ".", "--class", "A", "--opt-out", "Tokens"], "'Tokens'"),
        (["--target", ".", "--class", "A", "--opt-in", "x"], "'x'"),
        (
            ["--target", ".", "--class", "A", "--opt-in", "spec", "--opt-out", "spec"],
            "both opted out and opted in",
        ),
        (["--target", ".", "--class", "A", "--skills", "maybe"], "'maybe'"),
        (["--target", ".", "--class", "A", "--archive", "--no-archive"], "opposites"),
        (["--target", ".", "--class", "A", "stray"], "stray"),
        (["--target", ".", "--class", "A", "--forge", "bitbucket"], "'bitbucket'"),
        (["--target", ".", "--class", "C", "--opt-in", "tokens"], "class C forbids it"),
        (["--target", ".", "--uninstall", "--re-pin"], "different jobs"),
        (["--target", ".", "--upgrade", "--uninstall"], "different jobs"),
        (["--target", ".", "--check-config", "--re-pin"], "different jobs"),
        (["--target", ".", "--class", "A", "--purge"], "--purge goes with --uninstall"),
        (["--target", ".", "--upgrade"], "nothing to upgrade"),
        (["--target", ".", "--upgrade", "--class", "Z"], "no such class"),
        (["--target", ".", "--uninstall"], "nothing to uninstall"),
        (["--target", ".", "--re-pin"], "nothing to re-pin"),
        (["--target", ".", "--check-config"], "not installed"),
    ],
)
def test_bad_input_ends_with_2_and_writes_nothing(repo: Repo, arguments: list[str], said: str) -> None:
    """Said on standard error."""
    before = picture(repo.root)
    done = run_cli("goblin-install", *arguments, cwd=repo)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "error: " in done.err.lower()
    assert picture(repo.root) == before


def test_an_unknown_part_is_answered_with_the_parts_there_are(repo: Repo) -> None:
    """All ten."""
    done = run_cli("goblin-install", "--target", ".", "--class", "A", "--opt-out", "x", cwd=repo)
    for part in classes.needs("A"):
        assert part in done.err


def test_without_git_on_the_path_it_cannot_run(repo: Repo, tmp_path: Path) -> None:
    """Exit 2, naming it."""
    (tmp_path / "empty").mkdir()
    done = subprocess.run(
        [program("goblin-install"), "--target", ".", "--class", "A"],
        cwd=repo,
        env=hermetic() | {"PATH": str(tmp_path / "empty")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "error: git is not on PATH\nremedy: install git\n")


def test_yes_and_a_tilde_are_accepted(tmp_path: Path) -> None:
    """`--yes` changes nothing; `~` is the home folder."""
    build_repo(root=tmp_path / "home/project")
    options = ("--target", "~/project", "--class", "D", "--yes")
    done = run_cli("goblin-install", *options, cwd=tmp_path, env={"HOME": str(tmp_path / "home")})
    assert done.code == 0, done.err
    assert (tmp_path / "home/project/.goblin/installed.json").exists()


def test_output_that_the_terminal_cannot_show_ends_no_install(repo: Repo) -> None:
    """An ASCII terminal gets escapes."""
    env = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = run_cli("goblin-install", "--target", ".", "--class", "A", cwd=repo, env=env)
    assert done.code == 0, done.err


def test_names_are_never_printed_raw(tmp_path: Path) -> None:
    """A folder name with terminal control in it comes out escaped."""
    repo = build_repo(root=tmp_path / "a\x1b[31mb")
    ran: Ran = run(repo)
    assert ran.code == 0
    assert "\x1b" not in ran.text
    inner = repo / "inner"
    inner.mkdir()
    assert "\x1b" not in run(inner).text
