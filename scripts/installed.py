"""Does the running environment hold what pyproject.toml pins? Prints what is missing, one a line.

Exit code 0 when nothing is missing, else 1. `scripts/setup` installs only when this says so, which
is what makes a second run quick, and never trusts a stamp file that may have gone stale.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def missing(pyproject: dict[str, Any], root: str = ROOT) -> Iterator[str]:
    """Name each pinned package, the checkout itself and each command that is not installed as asked.

    `pyproject` is the parsed file; `root` the checkout that must be the one installed (editable).
    """
    project = pyproject["project"]
    for requirement in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
        name, _, wanted = re.sub(r"[\s;].*", "", requirement).partition("==")
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield f"{name}: not installed"
            continue
        if wanted and found != wanted:
            yield f"{name}: {found} is installed, {wanted} is pinned"
    source = _source()
    if not source:
        yield f"{project['name']}: not installed"
    elif not os.path.samefile(source, os.path.join(root, "src", "goblin")):
        yield f"{project['name']}: another checkout is installed: {source}"
    for command in project["scripts"]:
        if not os.path.exists(os.path.join(sysconfig.get_path("scripts"), command)):
            yield f"{command}: no such command in the environment"


def _source() -> str:
    """The folder that `import goblin` reads, or "" when there is none."""
    found = importlib.util.find_spec("goblin")
    return os.path.dirname(found.origin) if found and found.origin else ""


def main() -> int:
    """Print what is missing; 1 when anything is."""
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        lines = list(missing(tomllib.load(file)))
    print("\n".join(lines), end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
