"""Every command, on a repository that holds every trap at once: none is sprung, and each command ends.

One repository and one round of commands serve all items; an item is a test of its own. What the
installer, the git plumbing and single readers do with such things by themselves is held beside this.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.hostile.canary import Canary
from tests.hostile.planting import OUTSIDE, TRAPS, Ground
from tests.install.faults import picture
from tests.support import Repo, Result, run_cli

VERIFY = ".goblin/bin/goblin-verify"
NEVER_PRINTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

COMMANDS: dict[str, tuple[str, ...]] = {
    "a full run": ("goblin-verify",),
    "a static run": ("goblin-verify", "--static", "--format", "github"),
    "the copy in the repository": (VERIFY, "--static", "--format", "json"),
    "the copy, by its interpreter": ("python3", VERIFY, "--only", "IN-02,SC-10"),
    "a proof": ("goblin-verify", "--prove", "IN-04"),
    "bans": ("goblin-bans",),
    "counting": ("goblin-count", "markers", "--ext", "ts,py,md", "."),
    "a loop's state": ("goblin-loop", "status"),
    "the roles": ("goblin-model", "--list"),
    "the lanes": ("goblin-model", "--check"),
    "the platforms": ("goblin-doctor", "--platform", "claude"),
    "skills for a platform": (
        "goblin-emit",
        "--platform",
        "claude",
        "--scope",
        "project",
        "--target",
        ".",
        "--dry-run",
    ),
    "the config": ("goblin-install", "--target", ".", "--check-config"),
    "an upgrade": ("goblin-install", "--target", ".", "--upgrade", "--dry-run"),
    "an uninstall": ("goblin-install", "--target", ".", "--uninstall", "--purge", "--dry-run"),
}

ISOLATED = {"PYTHONPATH": ".", "PYTHONSTARTUP": "json.py", "PYTHONINSPECT": "", "PYTHONHOME": "."}


class Round(NamedTuple):
    """What the commands did."""

    ground: Ground
    results: dict[str, Result]
    marks: dict[str, list[str]]  # after each command
    outside: tuple[object, object]  # before and after all of them


@pytest.fixture(scope="module")
def done(installed_sample: Repo, tmp_path_factory: pytest.TempPathFactory) -> Round:
    """Plant everything, and run every command once."""
    place = tmp_path_factory.mktemp("hostile")
    shutil.copytree(installed_sample.root, place / "repo", symlinks=True)
    (place / "outside").mkdir()
    (place / ".claude").mkdir()  # a platform that is there
    ground = Ground(Repo(place / "repo"), place / "outside", Canary(place / "canary"), {})
    text = ground.repo.read(".goblin/goblin.yaml")
    gates, ratchet = text.index("\ngates:\n"), text.index("\n# A number that may fall")
    harmless = "\ngates:\n  - name: harmless\n    cmd: 'true'\n"
    ground.repo.write({".goblin/goblin.yaml": text[:gates] + harmless + text[ratchet:]})
    ground.repo.commit("before the traps")
    for trap in TRAPS.values():
        trap.plant(ground)
    commit = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
    for path in sorted(ground.repo.git("ls-files", "-o", "-m", "--exclude-standard", "-z").split("\0")):
        full = ground.repo / path
        if path and (full.is_file() or full.is_symlink()) and not full.is_fifo():
            ground.repo.git(*commit, "--literal-pathspecs", "add", "-f", "--", path)
    ground.repo.git(*commit, "commit", "-q", "--no-verify", "-m", "the traps")
    ground.canary.forget()
    before = picture(ground.outside)
    results, marks = {}, {}
    for name, (command, *arguments) in COMMANDS.items():
        isolated = command == VERIFY  # what starts so heeds no variable that points Python elsewhere
        env = {"HOME": str(place), **ground.env, **(ISOLATED if isolated else {})}
        results[name] = run_cli(
            ground.repo / VERIFY if isolated else command, *arguments, cwd=ground.repo, env=env
        )
        marks[name] = ground.canary.marks()
    return Round(ground, results, marks, (before, picture(ground.outside)))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_ends_with_an_answer(done: Round, command: str) -> None:
    """No crash, no hang, and an answer that says more than that it could not run."""
    result = done.results[command]
    assert result.code in (0, 1), result.err
    assert result.out
    assert "internal" not in result.err
    assert "the check itself broke" not in result.out


@pytest.mark.parametrize("trap", TRAPS)
def test_no_trap_is_sprung(done: Round, trap: str) -> None:
    """By any command; afterwards a careless tool does spring it, so that the silence means something."""
    for command, marks in done.marks.items():
        assert trap not in marks, command
    springs = TRAPS[trap].springs
    if springs:
        springs(done.ground)
        assert trap in done.ground.canary.marks()
        done.ground.canary.forget()


def test_git_was_asked_to_trace_nothing(done: Round) -> None:
    """A variable that names a file makes git write it."""
    assert not [command for command, marks in done.marks.items() if marks]


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_from_outside_is_shown(done: Round, command: str) -> None:
    """Behind links and by paths of the config stands a text that no output holds."""
    assert OUTSIDE not in done.results[command].out + done.results[command].err


def test_nothing_outside_is_changed(done: Round) -> None:
    """Whatever the links and the config say."""
    before, after = done.outside
    assert before == after


@pytest.mark.parametrize("command", COMMANDS)
def test_no_output_holds_what_a_terminal_obeys(done: Round, command: str) -> None:
    """Escapes and bidirectional controls of names and contents are shown as text, if at all."""
    found = NEVER_PRINTED.search(done.results[command].out + done.results[command].err)
    assert found is None, repr(found and found.string[max(found.start() - 60, 0) : found.end() + 20])


def test_the_traps_were_seen(done: Round) -> None:
    """The rows that own them say what stands there: they looked, and did not look away."""
    out = done.results["a full run"].out
    for said in ("reviews/link.md", "reviews/fifo.md", "HANDOFF.md", "harness_dir", ".goblin/engine/json.py"):
        assert said in out, said
    assert (Path(done.ground.repo) / "hard.md").stat().st_nlink == 2
