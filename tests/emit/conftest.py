"""What every test of this folder gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emit.driving import Machine


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Machine:
    """A home without any platform and an empty project, which is the working directory."""
    home, project, programs = (tmp_path / name for name in ("home", "project", "bin"))
    for folder in (home, project, programs):
        folder.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(programs))  # no agent of the machine that runs the tests is found
    monkeypatch.chdir(project)
    return Machine(home, project, capsys)
