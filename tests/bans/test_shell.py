"""A ban that is found by a command: the contract of its exit codes and of its environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.outcome import Verdict
from tests.bans.repos import OWN, ban_repo, outcome, places
from tests.support.mini import facts_of

FILES = {"src/a.ts": "export {};\n"}


def own(command: str) -> tuple[str, ...]:
    """A ban that is found by a command."""
    return (*OWN[:3], command, *OWN[4:])


@pytest.mark.parametrize(
    ("command", "verdict", "told"),
    [
        ("true", Verdict.PASS, "0 violation(s)"),
        ("echo warning >&2", Verdict.PASS, "stderr: warning"),
        ("echo src/a.ts:1: x", Verdict.FAIL, "1 violation(s) (exit 0)"),
        ("exit 1", Verdict.FAIL, "some violation(s) (exit 1)"),
        ("echo src/a.ts:1:2: x; exit 1", Verdict.FAIL, "1 violation(s) (exit 1)"),
        ("echo no sources yet; exit 3", Verdict.SKIP, "no sources yet"),
        ("exit 3", Verdict.SKIP, "nothing to check"),
        ("exit 2", Verdict.FAIL, "could not run: exit 2"),
        ("exit 77", Verdict.FAIL, "could not run: exit 77"),
        ("no-such-command-here", Verdict.FAIL, "could not run: exit 127"),
        ("./src/a.ts", Verdict.FAIL, "could not run: exit 126"),
        ("kill -9 $$", Verdict.FAIL, "could not run: ended by signal 9"),
    ],
)
def test_the_exit_code_decides(tmp_path: Path, command: str, verdict: Verdict, told: str) -> None:
    """0 and silence is clean, 1 is violated, 3 has nothing to check, and anything else could not look."""
    found = outcome(ban_repo(tmp_path, FILES, "OWN-07", own=(own(command),)), "OWN-07")
    assert found.verdict is verdict
    assert told in found.summary


def test_a_command_that_does_not_end_could_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is left running."""
    monkeypatch.setattr("goblin.facts.bans.TIMEOUT", 0.3)
    found = outcome(ban_repo(tmp_path, FILES, "OWN-07", own=(own("sleep 600"),)), "OWN-07")
    assert found.verdict is Verdict.FAIL
    assert "could not run: no end within 0.3 s" in found.summary


def test_it_is_told_which_ban_it_is_and_what_is_exempt(tmp_path: Path) -> None:
    """Prefixes stand one a line; standard input is closed; the folder is the root."""
    command = 'cat; printf "%s|%s|%s" "$GOBLIN_BANS_ID" "$GOBLIN_BANS_EXEMPT" "$PWD" > told'
    config = "bans_exempt: ['OWN-07 src/a b', 'OWN-07 src/c', 'BN-01 src/d']\n"
    repo = ban_repo(tmp_path, FILES, "OWN-07", own=(own(command),), config=config)
    assert outcome(repo, "OWN-07").verdict is Verdict.PASS
    assert repo.read("told") == f"OWN-07|src/a b\nsrc/c|{repo.root.resolve()}"


def test_a_command_that_ignores_the_exemptions_stays_red(tmp_path: Path) -> None:
    """Closed, not open: its output is not filtered."""
    config = "bans_exempt: ['OWN-07 src']\n"
    repo = ban_repo(tmp_path, FILES, "OWN-07", own=(own("echo src/a.ts:1: x; exit 1"),), config=config)
    found = outcome(repo, "OWN-07")
    assert found.verdict is Verdict.FAIL
    assert places(found) == ["src/a.ts:1"]
    assert found.findings[0].message == "x"


def test_what_it_prints_is_made_safe(tmp_path: Path) -> None:
    """No escape sequence and no credential reaches the terminal."""
    command = "printf 'src/a.ts:1: \\033[31mred\\033[0m AK%s\\n' IAABCDEFGHIJKLMNOP; exit 1"
    found = outcome(ban_repo(tmp_path, FILES, "OWN-07", own=(own(command),)), "OWN-07")
    assert "\x1b" not in found.findings[0].message
    assert "ABCDEFGHIJKLMNOP" not in found.findings[0].message


def test_it_is_not_run_where_there_is_nothing_to_look_at(tmp_path: Path) -> None:
    """Neither disabled, nor without a file, nor where no command of the repository may run."""
    ban = own("touch ran; exit 1")
    disabled = ban_repo(tmp_path / "disabled", FILES, own=(ban,))
    empty = ban_repo(tmp_path / "empty", {"lib/a.ts": ""}, "OWN-07", own=(ban,))
    static = ban_repo(tmp_path / "static", FILES, "OWN-07", own=(ban,))
    told = [outcome(disabled, "OWN-07"), outcome(empty, "OWN-07")]
    told.append(outcome(static, "OWN-07", facts_of(static, static=True)))
    assert [found.verdict for found in told] == [Verdict.SKIP] * 3
    assert [found.summary.split(":")[0] for found in told] == ["not enabled", "no matching files", "--static"]
    assert list(tmp_path.rglob("ran")) == []


def test_a_shipped_ban_whose_probe_was_swapped_is_the_repositorys_command(tmp_path: Path) -> None:
    """It is run as such, and not at all with `--static`."""
    repo = ban_repo(tmp_path, FILES, "BN-01", replaced=("ast:bans/BN-01.yml", "exit 1"))
    assert outcome(repo, "BN-01").verdict is Verdict.FAIL
    assert outcome(repo, "BN-01", facts_of(repo, static=True)).verdict is Verdict.SKIP
