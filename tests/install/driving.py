"""Running an install in this process, and seeing what it did."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from goblin.facts.record import PATH, Record, parse
from goblin.install.disk import Disk
from goblin.install.oldfindings import Judge
from goblin.install.run import install
from goblin.install.session import Output
from goblin.install.settle import Request
from tests.support import Repo

CONFIG = ".goblin/goblin.yaml"


class Ran:
    """The exit code of an install and the lines that it printed."""

    def __init__(self) -> None:
        self.code = -1
        self.out: list[str] = []
        self.err: list[str] = []

    @property
    def text(self) -> str:
        """Both streams as one text."""
        return "\n".join([*self.out, *self.err])

    @property
    def counts(self) -> str:
        """The count line."""
        (line,) = [line for line in self.out if line.startswith(("created ", "dry-run: ", "no-op: "))]
        return line


def run(
    root: Repo | Path | str,
    letter: str = "A",
    make_disk: Callable[[str], Disk] = Disk,
    judge: Judge | None = None,
    **options: Any,
) -> Ran:
    """Install into `root`; `options` are those of `Request`."""
    ran = Ran()
    request = Request(target=os.fspath(root), class_name=letter, **options)
    ran.code = install(request, Output(ran.out.append, ran.err.append), make_disk, judge)
    return ran


def record_of(root: Repo | Path) -> Record:
    """The record of a target."""
    return parse((Path(os.fspath(root)) / PATH).read_bytes())


def times(root: Repo | Path) -> dict[str, int]:
    """When each path below a target was last changed, folders included, the git directory left out."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*folders, *names, "."):
            path = os.path.join(folder, name)
            found[path] = os.lstat(path).st_mtime_ns
    return found


def config(repo: Repo, key: str) -> str:
    """The text after a top-level key of the config."""
    match = re.search(rf"^{key}:[ ]?(.*)$", repo.read(CONFIG), re.MULTILINE)
    assert match, key
    return match[1]
