"""`--check-config`: every fault with its place and remedy, and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.install.driving import CONFIG
from tests.install.faults import picture
from tests.support import Repo, build_repo, run_cli

FAULTY = """\
class: A
archive: perhaps
max_dirty: -1
gatess: []
gates:
  - name: one
    cmd: "true"
  - name: one
    cmd: "true"
security:
  audit_max_age_days: soon
"""


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with a config of its own."""
    return build_repo({CONFIG: "class: A\narchive: false\n"}, tmp_path / "repo")


def test_a_sound_config_has_no_fault(repo: Repo) -> None:
    """Exit 0, and it says so; without a class on the command line, and without an install."""
    done = run_cli("goblin-install", "--target", ".", "--check-config", cwd=repo)
    assert (done.code, done.out, done.err) == (0, f"{CONFIG}: no fault\n", "")


def test_every_fault_is_shown_with_its_place_and_remedy(repo: Repo) -> None:
    """Exit 1; in file order; nothing is written, not even a cache."""
    repo.write({CONFIG: FAULTY})
    before = picture(repo.root, without=())
    done = run_cli("goblin-install", "--target", ".", "--check-config", cwd=repo)
    assert (done.code, done.err) == (1, "")
    lines = done.out.splitlines()
    assert [line.split(": ")[0] for line in lines[:-1:2]] == [
        f"{CONFIG}:{place}" for place in ("2:10", "3:12", "4:1", "8:11", "11:23")
    ]
    assert all(line.startswith("  remedy: ") for line in lines[1:-1:2])
    assert "did you mean `gates`?" in done.out
    assert lines[-1] == f"5 fault(s) in {CONFIG}"
    assert picture(repo.root, without=()) == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class: A\nclass: B\n", f"{CONFIG}:2:1"),
        ("class: Z\n", "unknown class `Z`"),
        ("- a\n", "the config must hold `key: value` lines"),
        ("a: b: c\n", f"{CONFIG}:1:"),
        ("archive: false\n", "`class` is not set"),
    ],
)
def test_a_config_that_cannot_be_read_ends_with_2(repo: Repo, text: str, said: str) -> None:
    """With the place."""
    repo.write({CONFIG: text})
    done = run_cli("goblin-install", "--target", ".", "--check-config", cwd=repo)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_nothing_of_the_config_drives_the_terminal(repo: Repo) -> None:
    """Escapes in keys and values come out escaped."""
    repo.write({CONFIG: 'class: A\narchive: "\\e[31m"\n"k\\e[0m": 1\n'})
    done = run_cli("goblin-install", "--target", ".", "--check-config", cwd=repo)
    assert done.code == 1
    assert "\x1b" not in done.out
