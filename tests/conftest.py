"""What every test gets: a clean environment, and copies of one installed sample repository."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support import ENVIRONMENT, Repo, installed_repo

# Every run draws the same examples, and a loaded machine is not a failing property.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


# A suite that was started in the background ignores interrupts, and so would every process it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _hermetic_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Code under test that is called in-process sees the same environment as a process."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("GIT_", "GOBLIN_", "XDG_", "LC_")) or name in ("LANG", "CI"):
                patch.delenv(name)
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="session")
def installed_sample(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A class-A sample, installed and committed once a session. Read only: take `sample` to change it."""
    return installed_repo(tmp_path_factory.mktemp("installed") / "sample")


@pytest.fixture
def sample(installed_sample: Repo, tmp_path: Path) -> Repo:
    """A private copy of the installed class-A sample."""
    shutil.copytree(installed_sample.root, tmp_path / "sample", symlinks=True)
    return Repo(tmp_path / "sample")
