"""Write every generated file again, or say which is out of step.

python scripts/generate.py            writes them
python scripts/generate.py --check    writes nothing; exit 1 names each file that would change
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PROJECT), str(PROJECT / "src")]

from goblin.atomic import write  # noqa: E402
from scripts import gen_bans, gen_config, gen_man, gen_reference, gen_registry, gen_rules  # noqa: E402

FILES: dict[str, Callable[[Path], str]] = {
    "src/goblin/generated/bans.py": gen_bans.registry,
    "src/goblin/generated/config_defaults.py": gen_config.defaults,
    "src/goblin/generated/config_schema.py": gen_config.validator,
    "src/goblin/generated/registry.py": gen_registry.registry,
}
"""Generated file to the function that makes its text from a checkout."""

SETS: tuple[Callable[[Path], dict[str, str]], ...] = (gen_rules.pages, gen_reference.pages, gen_man.pages)
"""Functions that make many files at once: path in the project to text."""


def main(arguments: list[str], project: Path = PROJECT) -> int:
    """Write or check every generated file below `project`; returns the exit code."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = 0
    # The pages come last: they are made from what the files before them say.
    made = {name: make(project) for name, make in FILES.items()}
    for make_all in SETS:
        made |= make_all(project)
    for name, text in made.items():
        path, data = project / name, text.encode("utf-8")
        if path.is_file() and path.read_bytes() == data:
            continue
        stale += 1
        if arguments:
            print(f"{name}: out of step with its source; run python scripts/generate.py")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(str(path), data)
            print(f"wrote {name}")
    for folder in (gen_rules.FOLDER, gen_reference.FOLDER, gen_man.FOLDER):
        for path in sorted((project / folder).glob("*.[m1]*")):
            if path.relative_to(project).as_posix() not in made:
                stale += 1
                print(f"{path.relative_to(project)}: nothing has this page any more; delete it")
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
