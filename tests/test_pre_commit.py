"""The hooks for pre-commit, tried with pre-commit itself: a run over all files, and commits."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pre_commit import clientlib  # type: ignore[import-untyped]

from goblin.commands import bans, verify
from tests.support import PROJECT, Repo, hermetic, program
from tests.support.checkout import checkout
from tests.support.env import ENVIRONMENT
from tests.support.repo import build_repo

HOOKS = PROJECT / ".pre-commit-hooks.yaml"
BANNED = "export const answer: any = 42;\n"


class Done(NamedTuple):
    """How a process ended, and all that it said."""

    code: int
    said: str


class Adopter:
    """A repository that takes hooks from another one, at its HEAD."""

    def __init__(self, repo: Repo, source: Repo, home: Path, *hooks: str) -> None:
        self.repo = repo
        pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        self.env = hermetic(
            HOME=str(home), PRE_COMMIT_HOME=str(home / "pre-commit"), PATH=ENVIRONMENT["PATH"], **pip
        )
        listed = "".join(f"      - id: {hook}\n" for hook in hooks)
        config = f"repos:\n  - repo: {source.root}\n    rev: {source.git('rev-parse', 'HEAD')}\n    hooks:\n"
        repo.commit("Take the hooks", {".pre-commit-config.yaml": config + listed})

    def run(self, *command: str) -> Done:
        """Run a program in the repository."""
        done = subprocess.run(
            command, cwd=self.repo, env=self.env, capture_output=True, text=True, timeout=600, check=False
        )
        return Done(done.returncode, done.stdout + done.stderr)

    def pre_commit(self, *words: str) -> Done:
        """Run pre-commit, without colour."""
        return self.run(program("pre-commit"), *words)


@pytest.fixture
def source(tmp_path: Path) -> Repo:
    """A repository that offers the hooks alone: those that run an own copy need no more."""
    return build_repo({".pre-commit-hooks.yaml": HOOKS.read_bytes()}, tmp_path / "source")


def test_the_hooks_are_what_pre_commit_reads() -> None:
    """Its own reader accepts them, and each runs a command of ours with options that it has."""
    hooks: list[dict[str, Any]] = clientlib.load_manifest(HOOKS)
    assert [hook["id"] for hook in hooks] == [
        "goblin-verify",
        "goblin-bans",
        "goblin-verify-package",
        "goblin-bans-package",
    ]
    known = {"goblin-verify": verify.COMMAND, "goblin-bans": bans.COMMAND}
    for hook in hooks:
        name, *words = hook["entry"].removeprefix(".goblin/bin/").split()
        assert set(words) <= {option.name for option in known[name].options}
        assert hook["entry"].startswith(".goblin/bin/") is (hook["language"] in ("system", "unsupported"))
        assert hook["require_serial"], "two runs at once would run the gates twice"


def test_the_own_copy_judges_a_run_and_a_commit(sample: Repo, source: Repo, tmp_path: Path) -> None:
    """All files pass; a commit with a banned line is refused with its place; without it the commit stands."""
    adopter = Adopter(sample, source, tmp_path, "goblin-verify", "goblin-bans")
    done = adopter.pre_commit("run", "--all-files")
    assert done.code == 0, done.said
    assert done.said.count("Passed") == 2
    assert adopter.pre_commit("install").code == 0
    before = sample.git("rev-parse", "HEAD")

    sample.write({"src/app.ts": BANNED, "README.md": "# Sample\n\nMore.\n"}).git("add", "src/app.ts")
    done = adopter.run("git", "commit", "-m", "Answer")
    assert done.code == 1
    assert sample.git("rev-parse", "HEAD") == before
    assert "src/app.ts:1:22: export const answer: any = 42;" in done.said
    assert "violation(s) in the 1 path(s) named, 0 elsewhere" in done.said
    assert "CM-03  --staged:" in done.said, "what is about to be committed is no dirty work tree"
    assert sample.read("README.md").endswith("More.\n"), "what was not staged came back"

    sample.write({"src/app.ts": "export const answer = 43;\n"}).git("add", "src/app.ts")
    done = adopter.run("git", "commit", "-m", "Answer")
    assert done.code == 0, done.said
    assert sample.git("rev-parse", "HEAD~1") == before


def test_a_banned_line_elsewhere_stops_no_commit(sample: Repo, source: Repo, tmp_path: Path) -> None:
    """`goblin-bans` tells of the files that change; `goblin-verify` is there for the whole."""
    sample.commit("Legacy", {"src/old.ts": BANNED})
    adopter = Adopter(sample, source, tmp_path, "goblin-bans")
    assert adopter.pre_commit("run", "--files", "src/app.ts").code == 0
    done = adopter.pre_commit("run", "--all-files")
    assert done.code == 1
    assert "src/old.ts:1:22" in done.said


def test_the_package_runs_in_an_environment_that_pre_commit_makes(sample: Repo, tmp_path: Path) -> None:
    """From a clean checkout, with pip: the hooks for a repository that carries no copy."""
    source = checkout(tmp_path / "source")
    adopter = Adopter(sample, source, tmp_path, "goblin-verify-package", "goblin-bans-package")
    done = adopter.pre_commit("run", "--all-files", "--verbose")
    assert done.code == 0, done.said
    assert done.said.count("Passed") == 2
    assert "0 failed" in done.said
