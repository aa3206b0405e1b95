"""`scripts/setup` installs exactly when something that pyproject.toml asks for is not there."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scripts.installed import missing
from tests.support import PROJECT


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    """The project's own file, parsed."""
    return tomllib.loads((PROJECT / "pyproject.toml").read_text())


def test_the_environment_that_runs_the_tests_lacks_nothing(pyproject: dict[str, Any]) -> None:
    """A second run of setup has nothing to do."""
    assert list(missing(pyproject)) == []


def test_every_dependency_is_pinned_exactly(pyproject: dict[str, Any]) -> None:
    """Two machines that run setup on the same commit get the same releases."""
    project = pyproject["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    assert [requirement for requirement in asked if "==" not in requirement] == []


def test_each_kind_of_gap_is_named(pyproject: dict[str, Any], tmp_path: Path) -> None:
    """A moved pin, a new package, a new command and another checkout each ask for an install."""
    asked = copy.deepcopy(pyproject)
    asked["project"]["dependencies"] = ["click==0.0.1", "no-such-distribution==1"]
    asked["project"]["scripts"] = {"goblin-nothing": "goblin.nothing:main"}
    (tmp_path / "src" / "goblin").mkdir(parents=True)
    lines = list(missing(asked, str(tmp_path)))
    assert lines[0].startswith("click: ")
    assert lines[0].endswith("0.0.1 is pinned")
    assert lines[1] == "no-such-distribution: not installed"
    assert lines[2].startswith("goblin-stack: another checkout is installed")
    assert lines[3] == "goblin-nothing: no such command in the environment"
