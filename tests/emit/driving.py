"""A home, a project, and the two commands run in this process."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from goblin import tables
from goblin.commands import doctor, emit
from goblin.emit.ledger import COLUMNS, Row
from tests.support import Result

Snapshot = dict[str, tuple[int, bytes]]


def snapshot(root: Path) -> Snapshot:
    """Every entry below a folder: its mode, and its bytes or where it points."""
    found = {}
    for path in sorted(root.rglob("*")):
        mode = path.lstat().st_mode
        data = path.read_bytes() if stat.S_ISREG(mode) else b""
        found[str(path.relative_to(root))] = (
            mode,
            os.fsencode(os.readlink(path)) if stat.S_ISLNK(mode) else data,
        )
    return found


class Machine(NamedTuple):
    """A user's home and a project, both empty at first."""

    home: Path
    project: Path
    capsys: pytest.CaptureFixture[str]

    def run(self, main: Callable[[list[str]], int], *words: str) -> Result:
        """A command in this process."""
        self.capsys.readouterr()
        code = main(list(words))
        out, err = self.capsys.readouterr()
        return Result(code, out, err)

    def emit(self, platform: str, *words: str, scope: str = "project", named: bool = True) -> Result:
        """goblin-emit; `named` gives the project as its target."""
        target = ("--target", str(self.project)) if named and scope == "project" else ()
        return self.run(emit.main, "--platform", platform, "--scope", scope, *target, *words)

    def doctor(self, *words: str) -> Result:
        """goblin-doctor on the project."""
        return self.run(doctor.main, "--target", str(self.project), *words)

    def rows(self) -> list[Row]:
        """The ledger."""
        path = self.home / ".goblin-stack" / "emissions.tsv"
        if not path.exists():
            return []
        return [Row(*record.cells) for record in tables.read(path.read_bytes(), COLUMNS, "ledger")]

    def preimages(self) -> list[Path]:
        """The files that hold old bytes."""
        return [path for path in (self.home / ".goblin-stack" / "preimages").rglob("*") if path.is_file()]
