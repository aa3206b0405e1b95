"""Helpers that are not tests: real repositories, real processes, one fixed environment."""

from __future__ import annotations

from tests.support.cli import Result, installed_repo, program, run_cli
from tests.support.env import ENVIRONMENT, PROJECT, hermetic
from tests.support.repo import Repo, build_repo, git, write_files

__all__ = [
    "ENVIRONMENT",
    "PROJECT",
    "Repo",
    "Result",
    "build_repo",
    "git",
    "hermetic",
    "installed_repo",
    "program",
    "run_cli",
    "write_files",
]
