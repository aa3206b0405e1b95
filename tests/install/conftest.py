"""One payload for all tests that install more than once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from goblin.install import vendor
from tests.support import Repo, build_repo

NAMES = ("launchers", "rules", "engine", "libraries", "source_sha")


@pytest.fixture(scope="session")
def read_once() -> dict[str, Callable[[], object]]:
    """The parts of the payload, each read on first need and then the same for the whole session."""
    return {name: cache(getattr(vendor, name)) for name in NAMES}


@pytest.fixture
def one_payload(monkeypatch: pytest.MonkeyPatch, read_once: dict[str, Callable[[], object]]) -> None:
    """Two installs of a test see the same files, also while somebody edits the checkout."""
    for name, read in read_once.items():
        monkeypatch.setattr(vendor, name, read)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with one commit."""
    return build_repo({"README.md": "# Sample\n"}, tmp_path / "sample")
