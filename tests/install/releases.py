"""Two releases of this package as trees of their own, each run as whoever installed it would run it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.install.conftest import copy_payload
from tests.support import PROJECT, Repo, Result, hermetic

Edit = Callable[[Path], None]

OLD, NEW, NEXT = "0.0.9", "0.2.0", "0.3.0"
CHANGELOG = """\
# Changelog

## 0.3.0

- Third.

## 0.2.0

- Second: a rule more.
- And a fix.

## 0.1.0

- First.

## 0.0.9

- Long ago.
"""


class Release:
    """A tree that holds one release: source, payload and commands."""

    def __init__(self, root: Path, version: str, edit: Edit) -> None:
        self.root = root
        self.version = version
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROJECT / "src/goblin", root / "src/goblin", ignore=ignored)
        copy_payload(root)
        named = root / "src/goblin/__init__.py"
        text, count = re.subn(r'__version__ = "[^"]*"', f'__version__ = "{version}"', named.read_text())
        assert count == 1
        named.write_text(text)
        (root / "CHANGELOG.md").write_text(CHANGELOG[CHANGELOG.index(f"## {version}") :])
        edit(root)

    def install(self, repo: Repo | Path, *options: str) -> Result:
        """Run this release's goblin-install on a repository."""
        done = subprocess.run(
            [sys.executable, self.root / "bin/goblin-install", "--target", str(Path(repo)), *options],
            env=hermetic(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stdout + done.stderr, done.stderr
        return Result(done.returncode, done.stdout, done.stderr)


GLOSSARY = "manifest/glossary.tsv"
SKILL = "skills/practice/SKILL.md"


def old(root: Path) -> None:
    """What the first release has and the later ones change."""
    table = root / GLOSSARY
    lines = table.read_text().splitlines(keepends=True)
    lines[-1] = lines[-1].rstrip("\n") + " (as it once was)\n"
    table.write_text("".join(lines))
    (root / "checks/retired.py").write_text("RETIRED = True\n")
    config = root / "templates/goblin.yaml"
    text, count = re.subn(
        r"(?m)(^# .*\n)+loop_max_turns_ceiling:.*\n\n|^  write_routes:.*\n", "", config.read_text()
    )
    assert count == 2
    config.write_text(text)
    ignored = root / "templates/gitignore"
    ignored.write_text(ignored.read_text().replace(".goblin/last-gate.json\n", ""))


def new(root: Path) -> None:
    """The second release is the checkout as it is, and one module more."""
    (root / "checks/recent.py").write_text("RECENT = True\n")


def later(root: Path) -> None:
    """The third one changes the table again."""
    new(root)
    table = root / GLOSSARY
    lines = table.read_text().splitlines(keepends=True)
    lines[-1] = lines[-1].rstrip("\n") + " (as it will be)\n"
    table.write_text("".join(lines))
