"""The helpers that the other tests stand on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import build_repo, git, run_cli


def test_equal_files_give_equal_commit_ids(tmp_path: Path) -> None:
    """Identity and date are fixed, so a commit id may be written down in a test."""
    files = {"a.txt": "one\n", "tools/run": "#!/bin/sh\nexit 0\n"}
    assert build_repo(files, tmp_path / "one").head == build_repo(files, tmp_path / "two").head


def test_names_contents_modes_and_links_reach_the_index(tmp_path: Path) -> None:
    """Odd names stay whole, `#!` gives an executable, and a key with `@` a symbolic link."""
    repo = build_repo({"café\u2028/x.bin": b"\xff\0", "run": "#!/bin/sh\n", "link@": "run"}, tmp_path)
    entries = repo.git("ls-files", "-s", "-z").split("\0")
    assert [(entry[:6], entry.split("\t")[1]) for entry in entries if entry] == [
        ("100644", "café\u2028/x.bin"),
        ("120000", "link"),
        ("100755", "run"),
    ]
    assert (tmp_path / "café\u2028/x.bin").read_bytes() == b"\xff\0"
    assert os.readlink(tmp_path / "link") == "run"


def test_without_a_commit_head_is_unborn(tmp_path: Path) -> None:
    """`commit=None` leaves files untracked."""
    repo = build_repo({"a": ""}, tmp_path, commit=None)
    assert repo.git("status", "--porcelain") == "?? a"


def test_a_failing_git_command_is_an_error_with_its_reason(tmp_path: Path) -> None:
    """Nothing goes on after a git command that did not work."""
    with pytest.raises(AssertionError, match="not a git repository"):
        git(tmp_path, "rev-parse", "HEAD")


def test_the_callers_git_settings_do_not_reach_a_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An inherited GIT_DIR would make every answer one about another repository."""
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert build_repo({"a": "x"}, tmp_path).git("ls-files") == "a"


def test_a_traceback_is_refused(tmp_path: Path) -> None:
    """`run_cli` fails the test of any command that lets one through."""
    crash = tmp_path / "crash"
    crash.write_text("#!/usr/bin/env python3\nraise KeyError('x')\n")
    crash.chmod(0o755)
    with pytest.raises(AssertionError, match="a traceback reached the user"):
        run_cli(crash, cwd=tmp_path)


def test_exit_code_and_both_streams_are_kept_apart(tmp_path: Path) -> None:
    """What a command printed where is part of its contract."""
    talk = tmp_path / "talk"
    talk.write_text('#!/bin/sh\ncat\necho "$1 $MORE" >&2\nexit 3\n')
    talk.chmod(0o755)
    done = run_cli(talk, "a b", cwd=tmp_path, env={"MORE": "c"}, stdin="in")
    assert done == (3, "in", "a b c\n")
