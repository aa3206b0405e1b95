"""The one environment that every process of the test suite runs in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
"""The checkout that is being tested."""

NAME = "Sample Author"
EMAIL = "author@example.invalid"
DATE = "2026-01-02T03:04:05+00:00"

KEPT = ("PATH", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT")
"""Variables of the caller that say where programs and scratch space are, and nothing else."""

ENVIRONMENT: Mapping[str, str] = {
    **{name: os.environ[name] for name in KEPT if name in os.environ},
    "HOME": os.devnull,  # no dot file of the person who runs the tests is ever read
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": NAME,
    "GIT_AUTHOR_EMAIL": EMAIL,
    "GIT_AUTHOR_DATE": DATE,
    "GIT_COMMITTER_NAME": NAME,
    "GIT_COMMITTER_EMAIL": EMAIL,
    "GIT_COMMITTER_DATE": DATE,
}


def hermetic(**more: str) -> dict[str, str]:
    """A fresh copy of `ENVIRONMENT` with `more` on top, to hand to a process.

    Commits are made by `NAME <EMAIL>` at `DATE` (2 January 2026), so equal content gives equal ids.
    """
    return {**ENVIRONMENT, **more}
