"""drift-audit, run as a program: silent when clean, and only then (spec PR-05)."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.automations.boards import Board, option
from tests.support import Repo, build_repo, run_cli
from tests.support.cli import Result

PROGRAM = ".goblin/automations/drift-audit.py"
EDITED = ".goblin/checks/docs.py"


def today() -> str:
    """The day that a run counts on."""
    return datetime.now(UTC).date().isoformat()


def audit(
    repo: Repo, tmp_path: Path, *options: str, root: str = "", env: dict[str, str] | None = None
) -> Result:
    """Run the producer of a repository on it, or on other roots."""
    state = tmp_path / "state"
    return run_cli(
        repo / PROGRAM, "--root", root or str(repo.root), "--state", state, *options, cwd=tmp_path, env=env
    )


def edit(repo: Repo) -> None:
    """Change one installed file."""
    with open(repo / EDITED, "a", encoding="utf-8") as stream:
        stream.write("# edited\n")


def test_clean_says_nothing_and_writes_nothing(sample: Repo, tmp_path: Path) -> None:
    """Both streams are empty, no state file appears, and the tree stays as it was."""
    assert audit(sample, tmp_path) == Result(0, "", "")
    assert not (tmp_path / "state").exists()
    assert sample.git("status", "--porcelain") == ""


def test_silence_ends_with_an_edit_and_returns_with_the_file(sample: Repo, tmp_path: Path) -> None:
    """Silence alone proves nothing: the same run speaks about one edited file."""
    edit(sample)
    done = audit(sample, tmp_path)
    first, coverage, run = done.out.splitlines()
    folder, row, command = first.split("\t")
    assert (done.code, done.err) == (1, "")
    assert (folder, row) == (str(sample.root), "IN-02")
    assert command == f"{sample.root}/.goblin/bin/goblin-verify --target {sample.root} --only IN-02"
    assert coverage == "# coverage: 1 target(s) audited by glob, 1 drifting, skipped: none"
    assert run == "# run: 1 of 5 today"
    assert (tmp_path / "state").read_text() == f"run: {today()}\n"
    sample.git("checkout", "--", EDITED)
    assert audit(sample, tmp_path) == Result(0, "", "")


def test_a_handoff_that_names_no_commit_is_drift(sample: Repo, tmp_path: Path) -> None:
    """The second rule of the audit."""
    head = sample.git("rev-parse", "--short", "HEAD~1")
    text = sample.read("HANDOFF.md")
    assert head in text
    sample.write({"HANDOFF.md": text.replace(head, "deadbee")})
    done = audit(sample, tmp_path)
    assert done.code == 1
    assert done.out.split("\t")[1] == "HP-05"


def test_a_dry_run_counts_nothing_and_files_nothing(sample: Repo, tmp_path: Path) -> None:
    """It prints the same record."""
    edit(sample)
    board = Board(tmp_path)
    done = audit(sample, tmp_path, "--dry-run", "--cards", env=board.env)
    assert done.code == 1
    assert "\tIN-02\t" in done.out
    assert "# run: 0 of 5 today" in done.out
    assert not (tmp_path / "state").exists()
    assert board.cards() == []


@pytest.mark.parametrize(
    "line", ["enabled: false", "enabled: no", "Enabled: 'false'  # paused", "run: x\nenabled:"]
)
def test_the_kill_switch_stops_a_run_that_would_speak(sample: Repo, tmp_path: Path, line: str) -> None:
    """Whatever is not plainly on is off."""
    edit(sample)
    (tmp_path / "state").write_text(line)
    done = audit(sample, tmp_path)
    assert (done.code, done.out) == (0, "")
    assert "enabled: false" in done.err
    assert (tmp_path / "state").read_text() == line


def test_enabled_true_runs(sample: Repo, tmp_path: Path) -> None:
    """The control of the kill switch; a run line goes on a line of its own."""
    edit(sample)
    (tmp_path / "state").write_text("enabled: true")
    assert audit(sample, tmp_path).code == 1
    assert (tmp_path / "state").read_text() == f"enabled: true\nrun: {today()}\n"


def test_a_day_of_runs_is_capped_and_says_so(sample: Repo, tmp_path: Path) -> None:
    """Silent because clean and silent because capped are told apart; yesterday does not count."""
    edit(sample)
    (tmp_path / "state").write_text("run: 2026-01-01\n" * 9)
    for number in (1, 2):
        assert f"# run: {number} of 2 today" in audit(sample, tmp_path, "--limit", "2").out
    before = (tmp_path / "state").read_text()
    done = audit(sample, tmp_path, "--limit", "2")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("# capped: 2 of 2 ")
    assert len(done.out.splitlines()) == 1
    assert (tmp_path / "state").read_text() == before


def test_other_folders_are_skipped_by_name(sample: Repo, tmp_path: Path) -> None:
    """Nothing installed, no verifier, a verifier that cannot run or says nothing: each has its word."""
    fleet = tmp_path / "fleet"
    shutil.copytree(sample.root, fleet / "drifting", symlinks=True)
    edit(Repo(fleet / "drifting"))
    build_repo({"a": "b\n"}, fleet / "bare")
    config = {".goblin/goblin.yaml": "class: A\n"}
    build_repo(config, fleet / "no-verify")
    for name, program in (("two", "import sys; sys.exit(2)"), ("mute", "import sys; sys.exit(1)")):
        build_repo({**config, ".goblin/bin/goblin-verify": program + "\n"}, fleet / name)
    (fleet / "file").write_text("no folder\n")
    for root in (f"{fleet}/*", str(fleet)):  # a folder that only holds repositories is opened
        done = audit(sample, tmp_path, root=root)
        coverage = done.out.splitlines()[1]
        assert done.code == 1
        assert "1 target(s) audited by glob, 1 drifting" in coverage
        reasons = {"bare": "nothing installed", "no-verify": "no-verifier", "two": "verify-exit-2"}
        for name, reason in {**reasons, "mute": "verify-unreadable"}.items():
            assert f"{fleet}/{name} ({reason})" in coverage


def test_a_root_with_nothing_installed_is_silent(sample: Repo, tmp_path: Path) -> None:
    """That is no drift and no fault."""
    build_repo({"a": "b\n"}, tmp_path / "fleet" / "bare")
    assert audit(sample, tmp_path, root=f"{tmp_path}/fleet") == Result(0, "", "")


def test_silence_over_broken_verifiers_alone_is_explained(sample: Repo, tmp_path: Path) -> None:
    """Nothing could be audited: that is not clean, and a note says so."""
    build_repo({".goblin/goblin.yaml": "class: A\n"}, tmp_path / "fleet" / "broken")
    done = audit(sample, tmp_path, root=f"{tmp_path}/fleet/*")
    assert (done.code, done.out) == (0, "")
    assert "no repository could be audited" in done.err
    assert "no-verifier" in done.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "--root"),
        (["--root", "nowhere-*"], "no folder matches"),
        (["--root", ".", "--limit", "-1"], "--limit"),
        (["--root", ".", "--no-such"], "--no-such"),
        (["--root", ".", "--state", "."], "not a regular file"),
        (["--root", ".", "--state", "fifo"], "not a regular file"),
    ],
)
def test_what_cannot_run_is_exit_2(
    installed_sample: Repo, tmp_path: Path, options: list[str], told: str
) -> None:
    """Nothing on standard output, and the reason on standard error. A FIFO is not waited for."""
    os.mkfifo(tmp_path / "fifo")
    done = run_cli(installed_sample / PROGRAM, *options, cwd=tmp_path, timeout=30)
    assert (done.code, done.out) == (2, "")
    assert told in done.err.lower()


def test_roots_come_from_the_environment_too(sample: Repo, tmp_path: Path) -> None:
    """There is no default glob; the default state file lies outside every repository."""
    edit(sample)
    env = {"GOBLIN_ROOTS": f"{tmp_path}/none-*:{sample.root}", "XDG_STATE_HOME": str(tmp_path / "xdg")}
    assert run_cli(sample / PROGRAM, cwd=tmp_path, env=env).code == 1
    assert (tmp_path / "xdg" / "goblin" / "drift-audit").read_text() == f"run: {today()}\n"


def test_one_card_a_repository_goes_out_as_an_argument_list(sample: Repo, tmp_path: Path) -> None:
    """Two findings, one card; a folder whose name is shell stays one word and runs nothing."""
    hostile = Repo(tmp_path / "a'b $(touch pwned) `touch pwned`")
    shutil.copytree(sample.root, hostile.root, symlinks=True)
    edit(hostile)
    hostile.write(
        {
            "HANDOFF.md": hostile.read("HANDOFF.md").replace(
                hostile.git("rev-parse", "--short", "HEAD~1"), "deadbee"
            )
        }
    )
    board = Board(tmp_path)
    done = audit(sample, tmp_path, "--cards", root=f"{tmp_path}/a*", env=board.env)
    (card,) = board.cards()
    assert done.code == 1
    assert card[0] == "drift a'b $(touch pwned) `touch pwned`: HP-05+IN-02"
    assert option(card, "--assignee") == "architect"
    assert option(card, "--skill") == "goblin-drift-audit"
    assert (option(card, "--max-runtime"), option(card, "--max-retries")) == ("1800", "1")
    assert all(row in option(card, "--body") for row in ("IN-02", "HP-05", EDITED))
    assert not list(tmp_path.rglob("pwned"))


def test_the_key_of_a_card_follows_the_project_and_not_its_folder(sample: Repo, tmp_path: Path) -> None:
    """Two clones share a key; another remote gives another; a password in a remote does not count."""
    board = Board(tmp_path)
    fleet = tmp_path / "fleet"
    remotes = {
        "a": "",
        "b": "",
        "c": "https://host.invalid/x.git",
        "d": "https://u:secret" + "@host.invalid/x",
    }
    for name, remote in remotes.items():
        clone = Repo(fleet / name)
        shutil.copytree(sample.root, clone.root, symlinks=True)
        if remote:
            clone.git("remote", "add", "origin", remote)
        edit(clone)
    audit(sample, tmp_path, "--cards", root=str(fleet), env=board.env)
    keys = [option(card, "--idempotency-key") for card in board.cards()]
    assert keys[0] == keys[1] != keys[2] == keys[3]
    assert all(key.startswith("drift:") and key.endswith(":IN-02") for key in keys)
    assert "secret" not in board.log.read_text()


@pytest.mark.parametrize("board", ["no-such-board", "", "'"])
def test_a_board_that_is_missing_costs_the_card_and_not_the_record(
    sample: Repo, tmp_path: Path, board: str
) -> None:
    """The record is printed, the failure is noted and counted apart."""
    edit(sample)
    env = {"GOBLIN_BOARD_CMD": board or "false"}
    done = audit(sample, tmp_path, "--cards", env=env)
    assert done.code == 1
    assert "\tIN-02\t" in done.out
    assert "# run: 1 of 5 today, 1 could not file a card" in done.out
    assert "note: no card for" in done.err
    assert (tmp_path / "state").read_text() == f"run: {today()}\nfailed: {today()}\n"


def test_a_terminal_escape_in_a_verifiers_answer_is_not_printed(sample: Repo, tmp_path: Path) -> None:
    """A hostile repository answers as it likes; its words reach a card escaped."""
    told = {"rows": [{"id": "IN-02", "status": "FAIL", "detail": "\x1b[2Jboo"}]}
    answer = f"print({json.dumps(told)!r}); raise SystemExit(1)"
    build_repo(
        {".goblin/goblin.yaml": "class: A\n", ".goblin/bin/goblin-verify": answer + "\n"}, tmp_path / "evil"
    )
    board = Board(tmp_path)
    done = audit(sample, tmp_path, "--cards", root=f"{tmp_path}/evil", env=board.env)
    (card,) = board.cards()
    assert done.code == 1
    assert "\x1b" not in done.out + done.err + "".join(card)
    assert "boo" in option(card, "--body")


@pytest.mark.parametrize(
    "answer",
    ["[]", "{}", '{"rows": 3}', '{"rows": [{"id": "XX-01", "status": "FAIL", "detail": ""}]}', "[" * 9000],
)
def test_an_answer_that_is_no_report_is_skipped(sample: Repo, tmp_path: Path, answer: str) -> None:
    """Garbage is not drift, and no traceback."""
    program = f"print({answer!r}); raise SystemExit(1)\n"
    build_repo({".goblin/goblin.yaml": "class: A\n", ".goblin/bin/goblin-verify": program}, tmp_path / "odd")
    done = audit(sample, tmp_path, root=f"{tmp_path}/odd")
    assert (done.code, done.out) == (0, "")
    assert "verify-unreadable" in done.err
