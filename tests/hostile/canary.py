"""A program, a module or a command that leaves a mark when anybody runs it."""

from __future__ import annotations

import os
from pathlib import Path


class Canary:
    """A folder of traps, and the marks of those that were sprung."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def program(self, name: str, then: str = "cat") -> str:
        """The path of an executable that marks `name`, and then passes its input on, or does `then`."""
        path = self.folder / name
        path.write_text(f"#!/bin/sh\necho \"$@\" >> '{self._mark(name)}'\n{then}\n")
        path.chmod(0o755)
        return str(path)

    def command(self, name: str) -> str:
        """A shell command that marks `name` and succeeds; it may stand anywhere in YAML, unquoted."""
        return f"touch {self._mark(name)}"

    def module(self, name: str) -> str:
        """The text of a Python module that marks `name` when it is imported or run."""
        return f"open({self._mark(name)!r}, 'a').close()\n"

    def _mark(self, name: str) -> str:
        return f"{self.folder}/{name}.ran"

    def marks(self) -> list[str]:
        """What has run."""
        return sorted(name.removesuffix(".ran") for name in os.listdir(self.folder) if name.endswith(".ran"))

    def forget(self) -> None:
        """Take the marks away."""
        for name in self.marks():
            os.unlink(self._mark(name))
