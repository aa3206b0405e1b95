"""goblin-doctor: what is here, which copy serves, and what drifted; nothing is ever written."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from goblin.emit import source
from goblin.emit.adapters import names
from tests.emit.driving import Machine, snapshot
from tests.support import PROJECT, run_cli

SOURCE = source.load()
MODE = "skills/goblin-mode/SKILL.md"


def put(root: Path, path: str, data: bytes = SOURCE.skills["goblin-mode"].data) -> Path:
    """A file, with the folders above it."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data)
    return root / path


def test_every_platform_is_reported_in_order(machine: Machine) -> None:
    """With its documentation, its date, its anchors; nothing detected is exit 2."""
    before = snapshot(machine.home)
    done = machine.doctor()
    assert done.code == 2
    assert "error: no platform is detected" in done.err
    lines = done.out.splitlines()
    headings = [line for line in lines if line.startswith("== ")]
    assert headings == [f"== {name} ==" for name in names(SOURCE.adapters)]
    assert "  NOT-DETECTED ~/.cursor cursor cursor-agent" in lines
    assert "  Claude Code: https://code.claude.com/docs/en/skills (read 2026-11-30)" in lines
    at = lines.index("== copilot ==")
    assert "  caveat: start hooks fire only for new interactive runs" in lines[at : at + 5]
    assert done.out.count("  caveat: ") == 1
    assert (snapshot(machine.home), snapshot(machine.project)) == (before, {})


def test_one_that_is_here_and_did_not_drift_is_exit_0(machine: Machine) -> None:
    """And the others are reported all the same."""
    (machine.home / ".gemini").mkdir()
    done = machine.doctor()
    assert (done.code, done.err) == (0, "")
    assert "  DETECTED ~/.gemini\n" in done.out
    assert done.out.count("  NOT-DETECTED ") == 6
    assert machine.doctor("--platform", "gemini").out.count("== ") == 1
    assert machine.doctor("--platform", "claude").code == 2


def test_bad_usage_is_exit_2(machine: Machine) -> None:
    """An unknown platform is told the known ones."""
    done = machine.doctor("--platform", "emacs")
    assert done.code == 2
    assert "known are: claude, codex" in done.err
    assert machine.doctor("--source", "nowhere").code == 2
    assert machine.doctor("--what").code == 2


@pytest.mark.parametrize(
    ("platform", "winner", "told"),
    [
        ("claude", "~/.claude/skills/goblin-mode/SKILL.md", "~/.claude/skills/goblin-mode/SKILL.md wins"),
        ("gemini", ".gemini/skills/goblin-mode/SKILL.md", ".gemini/skills/goblin-mode/SKILL.md wins"),
        ("cursor", ".cursor/skills/goblin-mode/SKILL.md", "which of the two wins is not documented"),
        ("codex", ".agents/skills/goblin-mode/SKILL.md", "both are offered"),
    ],
)
def test_which_tier_serves_a_skill(machine: Machine, platform: str, winner: str, told: str) -> None:
    """The project's or the home's, as the platform reads them; a copy that differs is for information."""
    folder = ".agents" if platform == "codex" else f".{platform}"
    (machine.home / f".{platform}").mkdir()
    put(machine.home, f"{folder}/{MODE}")
    home_copy = f"~/{folder}/{MODE}"
    done = machine.doctor("--platform", platform)
    assert f"  global   goblin-mode            {home_copy}\n" in done.out
    assert "  19 skill(s) not there\n" in done.out
    put(machine.project, f"{folder}/{MODE}", b"mine\n")
    done = machine.doctor("--platform", platform)
    assert done.code == 0
    tier = "global  " if winner.startswith("~") else "project "
    assert f"  {tier} goblin-mode            {winner}\n" in done.out
    assert f"  DIVERGED goblin-mode: {folder}/{MODE} differ(s) from the source; {told}\n" in done.out


def test_a_copy_of_another_platform_is_foreign(machine: Machine) -> None:
    """For those that read its folder; the others do not have the skill."""
    for name in (".copilot", ".hermes", ".claude"):
        (machine.home / name).mkdir()
    put(machine.project, f".claude/{MODE}")
    foreign = f"  foreign  goblin-mode            .claude/{MODE}\n"
    assert foreign in machine.doctor("--platform", "copilot").out
    assert "goblin-mode" not in machine.doctor("--platform", "hermes").out
    assert f"  project  goblin-mode            .claude/{MODE}\n" in machine.doctor("--platform", "claude").out
    put(machine.project, f".claude/{MODE}", b"mine\n")
    assert (
        f"DIVERGED goblin-mode: .claude/{MODE} differs from the source"
        in machine.doctor("--platform", "copilot").out
    )


def test_a_skill_of_the_user_is_no_business_of_ours(machine: Machine) -> None:
    """Whatever its name begins with."""
    (machine.home / ".claude").mkdir()
    put(machine.project, ".claude/skills/goblin-own/SKILL.md", b"mine\n")
    done = machine.doctor("--platform", "claude")
    assert done.code == 0
    assert "goblin-own" not in done.out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda root: (root / ".claude" / MODE).unlink(), f".claude/{MODE} was emitted and is not there"),
        (
            lambda root: (root / ".claude" / MODE).write_text("edited\n"),
            f".claude/{MODE} is not what goblin-emit would write now",
        ),
        (lambda root: (root / "CLAUDE.md").write_text("gone\n"), "CLAUDE.md lost the block that was emitted"),
        (
            lambda root: (root / "CLAUDE.md").write_bytes(source.block("0.0.1")),
            "CLAUDE.md holds the block of version 0.0.1; this is ",
        ),
        (
            lambda root: (root / "CLAUDE.md").write_bytes(source.block().replace(b"Load", b"Skip")),
            "CLAUDE.md holds a block that was edited",
        ),
    ],
    ids=["gone", "edited skill", "no block", "old block", "edited block"],
)
def test_drift_is_exit_1(machine: Machine, change: Callable[[Path], object], told: str) -> None:
    """What was emitted and is not what an emission would write now; text around a block is none."""
    (machine.home / ".claude").mkdir()
    machine.emit("claude")
    with (machine.project / "CLAUDE.md").open("a") as file:
        file.write("mine\n")
    assert machine.doctor("--platform", "claude").code == 0
    change(machine.project)
    done = machine.doctor("--platform", "claude")
    assert done.code == 1
    assert done.out.count("  DRIFT ") == 1
    assert f"  DRIFT {machine.project}/{told}" in done.out


def test_a_block_of_an_older_release_is_drift_on_every_machine(machine: Machine) -> None:
    """A repository brings it; no ledger is needed to see it, and no platform to be here."""
    (machine.project / "GEMINI.md").write_bytes(b"Mine.\n\n" + source.block("0.0.1"))
    done = machine.doctor()
    assert done.code == 1
    assert "GEMINI.md holds the block of version 0.0.1" in done.out


def test_a_malformed_table_is_drift_and_hides_no_platform(machine: Machine, tmp_path: Path) -> None:
    """All of them are still reported."""
    copy = tmp_path / "source"
    shutil.copytree(PROJECT / "skills", copy / "skills")
    shutil.copytree(PROJECT / "adapters", copy / "adapters")
    (copy / "adapters" / "codex" / "adapter.tsv").write_text("nothing\n")
    done = machine.doctor("--source", str(copy))
    assert done.code == 1
    assert done.out.count("== ") == 7
    assert "  DRIFT malformed adapter table: adapters/codex/adapter.tsv:1: the header must be" in done.out
    (copy / "adapters" / "reading.tsv").write_text("nothing\n")
    assert "adapters/reading.tsv:1" in machine.doctor("--source", str(copy), "--platform", "claude").out


def test_what_was_emitted_elsewhere_is_not_this_projects_drift(machine: Machine, tmp_path: Path) -> None:
    """What was emitted to the home is."""
    (machine.home / ".claude").mkdir()
    other = tmp_path / "other"
    other.mkdir()
    machine.emit("claude", "--target", str(other), named=False)
    machine.emit("claude", scope="global")
    shutil.rmtree(other)
    assert machine.doctor("--platform", "claude").code == 0
    (machine.home / ".claude" / MODE).unlink()
    assert machine.doctor("--platform", "claude").code == 1


def test_the_json_object_says_the_same(machine: Machine) -> None:
    """For programs."""
    (machine.home / ".claude").mkdir()
    machine.emit("claude")
    found = json.loads(machine.doctor("--json").out)
    assert (found["schema_version"], found["exit"]) == (1, 0)
    (claude,) = [item for item in found["platforms"] if item["id"] == "claude"]
    assert claude["detected"] == "~/.claude"
    assert claude["drift"] == []
    assert {item["tier"] for item in claude["skills"]} == {"project"}
    assert len(claude["skills"]) == 6


def test_hostile_places_are_shown_and_not_opened(machine: Machine) -> None:
    """A link, and a name that would move the cursor."""
    (machine.home / ".claude").mkdir()
    put(machine.project, f".claude/{MODE}").unlink()
    (machine.project / f".claude/{MODE}").symlink_to("/dev/zero")
    done = machine.doctor("--platform", "claude")
    assert f"DIVERGED goblin-mode: .claude/{MODE} is a symbolic link" in done.out


def test_the_installed_commands(tmp_path: Path) -> None:
    """As a user runs them: a process, a home of its own, this very repository's skills."""
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True)
    project = tmp_path / "p"
    project.mkdir()
    env = {"HOME": str(home)}
    done = run_cli("goblin-emit", "--platform", "claude", "--scope", "project", cwd=project, env=env)
    assert done.code == 0, done.err
    assert run_cli("goblin-doctor", "--platform", "claude", cwd=project, env=env).code == 0
    done = run_cli(
        "goblin-emit", "--platform", "claude", "--scope", "project", "--undo", cwd=project, env=env
    )
    assert done.code == 0
    assert snapshot(project) == {}
