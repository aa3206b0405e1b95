"""`scripts/setup` and `.ci/run` on a machine that has everything, and on one that lacks something."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import PROJECT, hermetic, write_files


def run(*command: str | Path, cwd: Path = PROJECT, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the project with both streams in one."""
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=hermetic(**env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder for PATH that holds a shell and what the script itself needs, and no Python."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("bash", "dirname", "git", "rm"):
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
    return folder


def test_a_second_run_says_nothing_and_changes_nothing() -> None:
    """The environment that runs the tests is complete."""
    done = run("scripts/setup", VENV=sys.prefix)
    assert (done.returncode, done.stdout) == (0, "")


def test_without_a_recent_python_it_says_what_to_install(programs: Path, tmp_path: Path) -> None:
    """An old interpreter is not taken, and no half environment is left."""
    write_files(programs, {"python3": "#!/bin/sh\nexit 1\n"})
    done = run("scripts/setup", VENV=str(tmp_path / "venv"), PATH=str(programs))
    assert done.returncode != 0
    assert done.stdout.startswith("error: Python 3.11 or newer was not found")
    assert not (tmp_path / "venv").exists()


def test_without_git_it_says_what_to_install(programs: Path, tmp_path: Path) -> None:
    """git is needed by everything, so it is asked for first."""
    (programs / "git").unlink()
    done = run("scripts/setup", VENV=str(tmp_path / "venv"), PATH=str(programs))
    assert done.returncode == 2
    assert "apt install git" in done.stdout


def test_a_python_without_venv_says_what_to_install(programs: Path, tmp_path: Path) -> None:
    """Debian ships the module apart from the interpreter."""
    write_files(programs, {"python3": '#!/bin/sh\nif [ "$1" = -m ]; then exit 1; fi\nexit 0\n'})
    done = run("scripts/setup", VENV=str(tmp_path / "venv"), PATH=str(programs))
    assert done.returncode != 0
    assert "apt install python3-venv" in done.stdout


@pytest.mark.parametrize(("code", "line"), [(0, "3 passed, 0 failed"), (2, "2 passed, 1 failed")])
def test_ci_ends_with_the_plain_line_and_leaves_nothing(tmp_path: Path, code: int, line: str) -> None:
    """Also when make adds a line of its own, and whatever the result is; the environment goes."""
    report = "build/reports/last-line.txt"
    make = f"""#!/bin/sh
[ -d "$VENV" ] && [ "$*" = "--no-print-directory test" ] || exit 9
echo "$VENV" > venv
mkdir -p build/reports
echo '{line}' | tee {report}
[ {code} = 0 ] || echo 'make: *** [Makefile:1: test] Error 1' >&2
exit {code}
"""
    stale = {report: "999 passed, 0 failed\n"}
    write_files(tmp_path, {"bin/make": make, ".ci/run": (PROJECT / ".ci/run").read_bytes(), **stale})
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    done = run(tmp_path / ".ci/run", cwd=tmp_path, PATH=path, TMPDIR=str(tmp_path))
    assert done.returncode == code
    assert done.stdout.splitlines()[-1] == line
    assert not Path((tmp_path / "venv").read_text().strip()).exists()
