"""PATH, without the entries that would let the repository under test choose the program.

An empty entry means the working directory, and so does `.`: a file called `git` in a repository would be
run as git. Only absolute entries are looked at, by us and by every process that we start.
"""

from __future__ import annotations

import os


def value() -> str:
    """PATH as it is handed on: its absolute entries, in order, or the system's own where none is."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    kept = [entry for entry in entries if os.path.isabs(entry)]
    return os.pathsep.join(kept) or os.defpath


def heed() -> None:
    """Let this process, and all that it starts, look nowhere else."""
    if os.environ.get("PATH") != value():
        os.environ["PATH"] = value()


def find(*names: str) -> str:
    """The path of the first program that is there under one of the names, "" for none."""
    for folder in value().split(os.pathsep):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return ""
