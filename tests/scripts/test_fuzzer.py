"""`scripts/fuzz` from outside: what it says without atheris, and that an input is tried again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support import PROJECT, hermetic


def fuzzer(*arguments: str, without: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run it; a folder `without` stands in front of every other when modules are looked for."""
    path = {"PYTHONPATH": str(without)} if without else {}
    command = [sys.executable, "scripts/fuzzer.py", *arguments]
    return subprocess.run(
        command, cwd=PROJECT, env=hermetic(**path), capture_output=True, text=True, timeout=200, check=False
    )


def test_an_input_is_given_to_one_target(tmp_path: Path) -> None:
    """With a traceback where it is a finding, and exit 1."""
    (tmp_path / "input").write_bytes(b"a/[z-a]")
    done = fuzzer("bans.globs.read", "--replay", str(tmp_path / "input"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "bans.globs.read: 7 bytes, nothing found\n"


def test_a_target_that_does_not_exist_is_refused() -> None:
    """A typo must not fuzz nothing and report success."""
    done = fuzzer("yaml.laod")
    assert done.returncode == 2
    assert "there is no target yaml.laod; --list names them" in done.stderr


def test_without_atheris_it_says_how_to_get_it(tmp_path: Path) -> None:
    """Exit 2: it could not run."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as util\n"
        "known = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'atheris' else known(name, *rest)\n"
    )
    done = fuzzer("clock.parse_date", without=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "pip install -e '.[fuzz]'" in done.stderr
