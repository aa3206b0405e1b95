"""The registry holds the matrix of the checkout it was made from."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.manifest import COLUMNS
from goblin.tables import TableError
from scripts.gen_registry import registry
from tests.support.mini import row, table


def made(root: Path, text: str) -> dict[str, object]:
    """The names that the registry of a matrix defines."""
    (root / "manifest").mkdir()
    (root / "manifest/enforcement.tsv").write_text(text)
    names: dict[str, object] = {}
    exec(registry(root), names)  # noqa: S102  (what the generator wrote)
    return names


def test_every_row_is_held_with_its_check_scope_and_part(tmp_path: Path) -> None:
    """Quotes and backslashes of a command come through; `-` is no part."""
    command = "grep -q 'a\\\\b' \"$f\" || exit 77"
    rows = [
        row("AA-01", command, part="gate"),
        row("AA-02", "tests/x.py", scope="source", enforced_by="test"),
    ]
    names = made(tmp_path, table(COLUMNS, rows))
    assert names["SHIPPED"] == {"AA-01": command, "AA-02": "tests/x.py"}
    assert names["SWITCHES"] == {"AA-01": ("target", "gate"), "AA-02": ("source", "")}


def test_a_crooked_matrix_makes_no_registry(tmp_path: Path) -> None:
    """It is named with its line."""
    with pytest.raises(TableError, match=r"manifest/enforcement\.tsv:2"):
        made(tmp_path, table(COLUMNS, [row("AA-01", "true")[:-1]]))
