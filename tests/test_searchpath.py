"""PATH: a program that a repository plants is not run, whatever the caller made of PATH."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from goblin import searchpath
from tests.support import Repo, hermetic, program
from tests.support.cli import SCRIPTS
from tests.support.env import ENVIRONMENT

REAL = f"{SCRIPTS}:{ENVIRONMENT['PATH']}"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("/usr/bin:/bin", "/usr/bin:/bin"),
        (".:/usr/bin", "/usr/bin"),
        (":/usr/bin:", "/usr/bin"),
        ("/usr/bin::bin:../x:./y:~/z", "/usr/bin"),
        ("", os.defpath),
        (".:", os.defpath),
        (None, os.defpath),
    ],
)
def test_only_absolute_entries_are_kept(
    given: str | None, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In their order; the system's own where nothing is left, and never an empty one, which is a folder."""
    monkeypatch.delenv("PATH", raising=False)
    if given is not None:
        monkeypatch.setenv("PATH", given)
    assert searchpath.value() == kept
    searchpath.heed()
    assert os.environ.get("PATH", os.defpath) == kept


def test_a_program_is_found_where_it_may_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a folder of that name, not a file that may not be run, not one in the working folder."""
    for name, mode in (("a", 0o644), ("b", 0o755)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tool").write_text("#!/bin/sh\n")
        (tmp_path / name / "tool").chmod(mode)
    (tmp_path / "c" / "tool").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "b")
    monkeypatch.setenv("PATH", f".:{tmp_path}/c:{tmp_path}/a")
    assert searchpath.find("tool") == ""
    monkeypatch.setenv("PATH", f".:{tmp_path}/c:{tmp_path}/a:{tmp_path}/b")
    assert searchpath.find("other", "tool") == f"{tmp_path}/b/tool"


@pytest.mark.parametrize("entry", [".", "", "./tools"])
def test_planted_programs_are_not_run(entry: str, sample: Repo, tmp_path: Path) -> None:
    """Every row, its gates among them, and the installer: with git, bash and more lying in the repository."""
    marker = tmp_path / "ran"
    evil = f'#!/bin/sh\necho "$0" >> {marker}\nexit 0\n'
    names = ("git", "bash", "sh", "python3", "env", "ssh-keygen", "gitleaks", "node")
    sample.commit("Plant", {f"{folder}{name}": evil for name in names for folder in ("", "tools/")})

    def run(name: str, *words: str, path: str) -> subprocess.CompletedProcess[str]:
        env = hermetic(PATH=path)
        return subprocess.run(
            [program(name), *words], cwd=sample, env=env, capture_output=True, text=True, check=False
        )

    plain = run("goblin-verify", path=REAL)
    found = run("goblin-verify", path=f"{entry}:{REAL}")
    assert (found.returncode, found.stdout, found.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    assert "PASS  GT-02" in found.stdout
    assert run("goblin-install", "--target", ".", "--class", "A", path=f"{entry}:{REAL}").returncode == 0
    assert not marker.exists(), marker.read_text()
