"""A project that is archived from the start: nothing of it is expected that the install left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import installed_repo, run_cli


@pytest.mark.parametrize("letter", ["A", "D"])
def test_an_archived_install_is_green_once_committed(tmp_path: Path, letter: str) -> None:
    """No handoff, no spec, no harness; no row misses one."""
    repo = installed_repo(tmp_path / "repo", "--archive", class_=letter)
    assert not (repo / "checks").exists()
    done = run_cli("goblin-verify", cwd=repo)
    assert done.code == 0, done.out
    assert "SKIP  HS-01  no harness dir" in done.out
