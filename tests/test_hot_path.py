"""A run of goblin-verify loads nothing that costs more than its rows (docs/architecture.md, "Cost").

What is loaded is asked of the interpreter itself (`-X importtime` writes one line for each module),
in the process that a user starts: the vendored launcher, on an installed repository.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.support import Repo, hermetic

COSTLY = {"dataclasses", "pathlib", "tempfile", "shutil", "inspect"}
COSTLY |= {"click", "ruamel", "tabulate", "jsonschema", "fastjsonschema", "git", "gitdb"}


def loaded(repo: Repo, *options: str, code: int = 0) -> set[str]:
    """Every module that one run of the vendored goblin-verify imports, as dotted names.

    The run must end with `code`; without one line for `goblin.outcome` nothing was really loaded.
    """
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "importtime", ".goblin/bin/goblin-verify", *options],
        cwd=repo,
        env=hermetic(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    names = set(re.findall(r"^import time:\s+\d+ \|\s+\d+ \| *(\S+)$", done.stderr, re.MULTILINE))
    assert "goblin.outcome" in names
    return names


def costly(names: set[str]) -> set[str]:
    """Those that a run may not load: the listed modules and everything below them."""
    return {name for name in names if name.removeprefix("_vendor.").split(".")[0] in COSTLY}


@pytest.mark.parametrize(
    "options",
    [("--only", "HP-01"), (), ("--format", "json")],
    ids=["one row", "every row", "as JSON"],
)
def test_a_run_loads_nothing_costly(sample: Repo, options: tuple[str, ...]) -> None:
    """The second run on an unchanged repository: the one that a person waits for all day."""
    loaded(sample, *options)
    assert costly(loaded(sample, *options)) == set()


def test_a_broken_rule_costs_no_more_to_report(sample: Repo) -> None:
    """A FAIL and its remedy are rendered without a library, too."""
    sample.remove("HANDOFF.md").commit("Drop the handoff")
    assert costly(loaded(sample, "--only", "HP-01", code=1)) == set()


def test_one_row_loads_no_other_familys_facts(sample: Repo) -> None:
    """HP-01 needs no gate run, no manifest of skills and no YAML reader beyond the cached config."""
    names = loaded(sample, "--only", "HP-01")
    assert {name for name in names if name.startswith("goblin.facts.")} <= {
        f"goblin.facts.{name}" for name in ("config", "record", "tree", "repository", "handoff", "head")
    }


def test_a_costly_import_would_be_seen(sample: Repo) -> None:
    """Planted in the vendored engine, `import inspect` turns the judgement."""
    engine = sample / ".goblin/engine/goblin/outcome.py"
    engine.write_text(engine.read_text() + "\nimport inspect\n")
    assert "inspect" in costly(loaded(sample, "--only", "HP-01"))
