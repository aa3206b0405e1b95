"""One payload for all tests that install more than once."""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from goblin import home
from goblin.install import vendor
from tests.support import PROJECT, Repo, build_repo

NAMES = ("launchers", "rules", "automations", "engine", "libraries", "source_sha")


def payload_names() -> list[str]:
    """What a package brings beside its modules, as pyproject.toml says it."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    placed = {**wheel["sources"], **wheel["force-include"]}
    return [name for name, place in placed.items() if place.startswith("goblin/_payload/")]


@pytest.fixture(scope="session")
def payload_copy() -> Iterator[Path]:
    """What the checkout installs, as it was when the session began, where any user may read it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        copy_payload(folder)
        yield folder


def copy_payload(folder: Path) -> None:
    """Copy the payload of the checkout into a folder."""
    for name in payload_names():
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)


@pytest.fixture(scope="session")
def read_once() -> dict[str, Callable[[], object]]:
    """The parts of the payload, each read on first need and then the same for the whole session."""
    return {name: cache(getattr(vendor, name)) for name in NAMES}


@pytest.fixture
def one_payload(
    monkeypatch: pytest.MonkeyPatch, read_once: dict[str, Callable[[], object]], payload_copy: Path
) -> None:
    """Two installs of a test see the same files, also while somebody edits the checkout."""
    for name, read in read_once.items():
        monkeypatch.setattr(vendor, name, read)
    monkeypatch.setattr(home, "HOME", str(payload_copy))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with one commit."""
    return build_repo({"README.md": "# Sample\n"}, tmp_path / "sample")
