"""Rows of the source scope name the file of this suite that proves them, and are never run in a target."""

from __future__ import annotations

import pytest

from goblin import engine, home
from goblin.manifest import Row, read_folder
from goblin.outcome import CannotRun
from tests.support import PROJECT

MANIFEST = read_folder(home.path("manifest"))
SOURCE = [row for row in MANIFEST.rows if row.scope == "source"]


def test_there_are_some() -> None:
    """The promises that the product makes of itself."""
    assert {row.id for row in SOURCE} >= {"PR-01", "PR-02", "PR-03", "PR-04"}


@pytest.mark.parametrize("row", SOURCE, ids=lambda row: row.id)
def test_each_names_its_test_file(row: Row) -> None:
    """It exists, holds tests, and speaks of what the row is about."""
    path = PROJECT / row.check
    assert row.check.startswith("tests/")
    assert path.is_file()
    assert "\ndef test_" in path.read_text(encoding="utf-8") or "    def test_" in path.read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("row", SOURCE, ids=lambda row: row.id)
def test_none_is_run_in_a_target(row: Row) -> None:
    """A selection of nothing else is refused with the place where it runs."""
    with pytest.raises(CannotRun, match="which run in the test suite of goblin-stack itself"):
        engine.select(MANIFEST, (row.id,))
    assert row not in engine.select(MANIFEST, ())
