"""Fixtures of the hostile repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.canary import Canary
from tests.install.conftest import one_payload, payload_copy, read_once

__all__ = ["one_payload", "payload_copy", "read_once"]


@pytest.fixture
def canary(tmp_path: Path) -> Canary:
    """Traps of one test."""
    return Canary(tmp_path / "canary")
