"""Names that nobody should print raw, and more of them than anybody reads: held in every format."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.limited import is_an_answer, is_harmless, limited
from tests.hostile.shapes import SAID
from tests.support import Repo, hermetic

FORMATS = ("text", "json", "sarif", "junit", "github", "markdown", "html")
MANY = 10_000
"""Entries of a folder here. A million were tried by hand: too much for every run of the suite."""

NAMES = (
    b"\xff\xfe.ts",
    b"a\n::error::forged.ts",
    b"a\r##vso[task.setvariable]x.ts",
    b"-rf.ts",
    b"--output=x.ts",
    b"\x1b]0;owned\x07\x1b[31m.ts",
    "\u202etxt.ts".encode(),
    "\x9b2J\u2066.ts".encode(),
    b"$(touch PWNED);`id`.ts",
    b" .ts",
    b"x" * 240 + b".ts",
    b"::set-output name=a::b.ts",
    b"<script>alert(1)</script>.ts".replace(b"/", b":"),
    b"a|b](javascript:x).ts",
)


@pytest.fixture
def named(installed_sample: Repo, tmp_path: Path) -> Iterator[Repo]:
    """A copy of the sample with a finding below each name."""
    shutil.copytree(installed_sample.root, tmp_path / "repo", symlinks=True)
    repo = Repo(tmp_path / "repo")
    for folder in (b"src", b"reviews", b"docs"):
        os.makedirs(os.path.join(os.fsencode(repo.root), folder), exist_ok=True)
        for name in NAMES:
            with open(os.path.join(os.fsencode(repo.root), folder, name), "wb") as stream:
                token = "ghp_" + "a1B2" * 9
                stream.write(f"let x: any = '{token}'\n// @ts-ignore {SAID}\n".encode())
            if folder != b"src":
                os.rename(
                    os.path.join(os.fsencode(repo.root), folder, name),
                    os.path.join(os.fsencode(repo.root), folder, name[:-3] + b".md"),
                )
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", f"say {SAID!a} {SAID}".replace("\0", ""))
    yield repo
    shutil.rmtree(tmp_path / "repo", ignore_errors=True)


def test_no_format_lets_a_name_or_a_content_be_obeyed(named: Repo, tmp_path: Path) -> None:
    """By a terminal, a CI server, a browser or a reader of XML and JSON; each finding is there."""
    outputs = [word for name in FORMATS for word in ("--output", f"{name}={tmp_path}/report.{name}")]
    result = limited(named, "verify", "--static", "--no-cache", *outputs)
    is_an_answer(result, 1)
    assert "FAIL  BN-01" in result.out
    assert "FAIL  SC-10" in result.out
    for name in FORMATS:
        text = (tmp_path / f"report.{name}").read_text(encoding="utf-8")
        is_harmless(text)
        assert "<script>alert(1)" not in text or name not in ("html", "junit")
        assert "ghp_a1B2" not in text, name
    for options in ((), ("--json",), ("--sarif",)):
        is_an_answer(limited(named, "bans", *options), 1)
    assert not (named / "PWNED").exists()


def test_a_folder_of_more_entries_than_anybody_reads(installed_sample: Repo, tmp_path: Path) -> None:
    """In the index, none of them checked out, with paths as deep as the system takes; and untracked."""
    shutil.copytree(installed_sample.root, tmp_path / "repo", symlinks=True)
    repo = Repo(tmp_path / "repo")
    blob = repo.git("hash-object", "-w", "src/app.ts")
    paths = [f"src/many/f{number}.ts" for number in range(MANY)] + ["d/" * 2000 + "deep.ts"]

    def index(*options: str, text: str) -> None:
        command = ["git", "update-index", *options]
        subprocess.run(command, cwd=repo, env=hermetic(), input=text.encode(), check=True)

    index("--index-info", text="".join(f"100644 {blob}\t{path}\n" for path in paths))
    index("--skip-worktree", "--stdin", text="".join(f"{path}\n" for path in paths))
    repo.git("commit", "-q", "-m", "many")
    (repo / "untracked").mkdir()
    for number in range(MANY // 10):
        (repo / f"untracked/f{number}.ts").touch()
    is_an_answer(limited(repo, "verify", "--static", "--no-cache"), 0, 1)
    is_an_answer(limited(repo, "bans"), 0, 1)
    is_an_answer(limited(repo, "install", "--target", ".", "--uninstall", "--purge", "--dry-run"), 0)
