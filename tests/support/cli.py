"""The project's commands, run as a user runs them: a process, its exit code and what it printed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.env import hermetic
from tests.support.repo import Files, Repo, build_repo

SCRIPTS = os.path.dirname(sys.executable)
"""The folder of the running virtual environment that holds the installed commands."""

SAMPLE: Files = {
    "README.md": "# Sample\n\nA small program, governed by goblin.\n",
    "src/greet.py": 'def greet(name: str) -> str:\n    return f"hello, {name}"\n',
    "src/app.ts": "export const answer = 42;\n",
}
"""What a fresh sample repository holds before `goblin-install`."""


class Result(NamedTuple):
    """How a process ended: its exit code (negative for a signal), standard output and error."""

    code: int
    out: str
    err: str


def program(name: str) -> str:
    """Absolute path of an installed command, such as `program("goblin-verify")`."""
    return os.path.join(SCRIPTS, name)


def run_cli(
    command: str | Path,
    *arguments: str | Path,
    cwd: Path | str | Repo,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    timeout: float = 120,
) -> Result:
    """Run a command of the project and return how it ended; the exit code is the caller's to judge.

    `command` is a name (`"goblin-verify"`, the installed one) or a path (a vendored launcher).
    `env` adds variables to the fixed environment. The installed commands are first on PATH.
    Raises `AssertionError` when a traceback reached the user: no input is allowed to do that.
    """
    path = program(command) if isinstance(command, str) and os.sep not in command else str(command)
    search = os.pathsep.join([SCRIPTS, os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        [path, *map(str, arguments)],
        cwd=cwd,
        input=stdin.encode(),
        capture_output=True,
        env=hermetic(PATH=search, **(env or {})),
        timeout=timeout,
        check=False,
    )
    out, err = (stream.decode("utf-8", "backslashreplace") for stream in (done.stdout, done.stderr))
    assert "Traceback (most recent call last)" not in out + err, f"a traceback reached the user:\n{out}{err}"
    return Result(done.returncode, out, err)


def installed_repo(
    root: Path | str, *options: str, class_: str = "A", files: Files | None = None, commit: bool = True
) -> Repo:
    """A sample repository at `root` with goblin installed by the real `goblin-install`.

    `options` go to `goblin-install` after `--class`. With `commit`, what was installed is committed.
    """
    repo = build_repo({**SAMPLE, **(files or {})}, root)
    done = run_cli("goblin-install", "--target", ".", "--class", class_, *options, cwd=repo)
    assert done.code == 0, f"goblin-install ended with {done.code}:\n{done.out}{done.err}"
    if commit:
        repo.commit("Install goblin")
    return repo
