"""goblin-bans PATH...: the verdict on these paths alone, and never a clean one for what was not looked at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin.bans.named import narrowed, places
from goblin.commands import bans
from goblin.outcome import CannotRun, Finding, failed, passed, skipped
from tests.bans.repos import OWN, ban_repo

ANY = "let x: any\n"


def test_a_report_on_some_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file, a folder, a path from a folder below the root; what stands elsewhere fails nothing."""
    loud = ("OWN-08", *OWN[1:3], "printf 'no place\\n'; exit 1", *OWN[4:])
    files = {"src/a.ts": ANY, "src/deep/b.ts": ANY, "src/deeper.ts": ANY, "src/clean.ts": "let x = 1\n"}
    repo = ban_repo(tmp_path / "repo", files, "BN-01", "OWN-08", own=(loud,))

    def said(*words: str) -> tuple[int, str]:
        return bans.main(["--only", "BN-01", *words]), capsys.readouterr().out

    monkeypatch.chdir(repo.root)
    code, out = said("src/clean.ts")
    assert (code, out.splitlines()[0]) == (
        0,
        "PASS  BN-01  0 violation(s) in the 1 path(s) named, 3 elsewhere",
    )
    code, out = said("src/clean.ts", "src/deep")
    assert code == 1
    assert "FAIL  BN-01  1 violation(s) in the 2 path(s) named, 2 elsewhere" in out
    assert "src/deep/b.ts:1:8: let x: any" in out
    assert "src/deeper.ts" not in out
    assert said(".")[0] == 1
    monkeypatch.chdir(repo / "src/deep")
    assert "src/a.ts:1:8" in said("../a.ts")[1]
    assert bans.main(["--only", "OWN-08", "../clean.ts"]) == 1, "a command that names no place speaks of all"
    assert "no place" in capsys.readouterr().out


@pytest.mark.parametrize("path", ["nowhere.ts", "../outside.ts", "/etc/passwd"])
def test_a_path_that_is_none_of_the_repository_is_refused(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A typo must never be clean."""
    (tmp_path / "outside.ts").write_text(ANY)
    (tmp_path / "root").mkdir()
    monkeypatch.chdir(tmp_path / "root")
    with pytest.raises(CannotRun):
        places([path], str(tmp_path / "root"))


def test_a_link_is_itself_and_a_folder_may_be_reached_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a link leads is not where it stands."""
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    os.symlink("/etc/passwd", root / "src/link.ts")
    os.symlink(root, tmp_path / "alias")
    monkeypatch.chdir(tmp_path / "alias")
    assert places(["src/link.ts", "src/../src/link.ts", "."], str(root)) == ("src/link.ts", "")


def test_what_could_not_run_stays_a_failure() -> None:
    """Also where its findings stand elsewhere; a pass and a skip stay what they are."""
    broken = failed("could not run: 1 file(s) not judged", [Finding("src/a.ts", message="unreadable")])
    assert narrowed(broken, ["src/b.ts"]) == broken
    assert narrowed(failed("could not run: exit 2"), ["src/b.ts"]) == failed("could not run: exit 2")
    assert narrowed(passed("0"), ["a"]) == passed("0")
    assert narrowed(skipped("-"), ["a"]) == skipped("-")
