"""Several verifies of one repository at once: equal verdicts, and nothing left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support import Repo, hermetic

HARNESS = "set -e\ntest -e new.txt || { sleep 0.2; echo 'FAIL  new'; exit 1; }\n"


def test_four_at_once(sample: Repo, tmp_path: Path) -> None:
    """With a slow harness to replay, a stale worktree and a locked one of the user's own."""
    pinned = sample.head
    config = sample.read(".goblin/goblin.yaml")
    assert "\n  commit:\n" in config
    sample.remove("checks/assert.py")
    files = {"checks/slow.sh": HARNESS, "new.txt": "x\n"}
    files[".goblin/goblin.yaml"] = config.replace("\n  commit:\n", f"\n  commit: {pinned}\n")
    sample.commit("change", files)
    for name in ("mine", "gone"):
        sample.git("worktree", "add", "-q", "--detach", str(tmp_path / name))
    sample.git("worktree", "lock", str(tmp_path / "mine"))
    os.rename(tmp_path / "gone", tmp_path / "elsewhere")
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    before = (sample.git("worktree", "list", "--porcelain"), sample.git("for-each-ref"))
    argv = [sys.executable, "-I", "-S", ".goblin/bin/goblin-verify"]
    for _ in range(2):
        runs = [
            subprocess.Popen(argv, cwd=sample.root, env=hermetic(TMPDIR=str(scratch)), stdout=subprocess.PIPE)
            for _ in range(4)
        ]
        answers = [run.communicate(timeout=200)[0].decode() for run in runs]
        assert {run.returncode for run in runs} == {0}, answers
        # The verdicts are equal; a line may say that a file is of the run beside it.
        verdicts = [
            [line.split()[:2] for line in text.splitlines() if line[:1] in "PFAS"] for text in answers
        ]
        assert verdicts.count(verdicts[0]) == 4
        assert "PASS  HS-02  1 harness(es), each red on " in answers[0]
    assert (sample.git("worktree", "list", "--porcelain"), sample.git("for-each-ref")) == before
    assert sample.git("status", "--porcelain") == ""
    assert list(scratch.iterdir()) == []
    assert list((sample / ".git").rglob("*.lock")) == []
