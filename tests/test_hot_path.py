"""A run of goblin-verify loads nothing that costs more than its rows (docs/architecture.md, "Cost").

What is loaded is asked of the interpreter itself (`-X importtime` writes one line for each module),
in the process that a user starts: the vendored launcher, on an installed repository.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.checks.loops import record, row
from tests.support import PROJECT, Repo, hermetic

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


@pytest.mark.parametrize("row", ["HP-01", "IN-02", "SK-03", "HP-05"])
def test_one_row_loads_nothing_costly(sample: Repo, row: str) -> None:
    """The second run on an unchanged config: the one that a person waits for all day."""
    loaded(sample, "--only", row)
    assert costly(loaded(sample, "--only", row)) == set()


def test_a_row_of_an_open_loop_loads_nothing_costly(sample: Repo) -> None:
    """LP-02 runs after each step of a loop: it reads no log, no clock and no OpenSSL."""
    sample.commit("Open a loop", record(row()))
    loaded(sample, "--only", "LP-02")
    names = loaded(sample, "--only", "LP-02")
    assert costly(names) == set()
    assert names & {"hashlib", "datetime", "goblin.loop.decisions", "goblin.loop.handles"} == set()
    assert "goblin.digest" in names  # what the record is read with


@pytest.mark.parametrize("options", [(), ("--format", "json")], ids=["text", "json"])
def test_every_row_loads_nothing_costly_but_the_yaml_reader(sample: Repo, options: tuple[str, ...]) -> None:
    """Skills and workflows are YAML of the repository, which is read when a row judges it."""
    loaded(sample, *options)
    assert {name.removeprefix("_vendor.").split(".")[0] for name in costly(loaded(sample, *options))} <= {
        "ruamel"
    }


def test_a_broken_rule_costs_no_more_to_report(sample: Repo) -> None:
    """A FAIL and its remedy are rendered without a library, too."""
    sample.remove("HANDOFF.md").commit("Drop the handoff")
    loaded(sample, "--only", "HP-01", code=1)
    assert costly(loaded(sample, "--only", "HP-01", code=1)) == set()


def test_one_row_loads_no_other_familys_facts(sample: Repo) -> None:
    """HP-01 reads the root: it loads nothing of gates, skills, specs or harnesses."""
    loaded(sample, "--only", "HP-01")
    others = {
        "gates",
        "ratchet",
        "gateline",
        "skills",
        "specs",
        "harness",
        "classes",
        "installed",
        "modelnames",
    }
    assert loaded(sample, "--only", "HP-01") & {f"goblin.facts.{name}" for name in others} == set()
    assert others <= {path.stem for path in (PROJECT / "src/goblin/facts").glob("*.py")}


def test_a_costly_import_would_be_seen(sample: Repo) -> None:
    """Planted in the vendored engine, `import inspect` turns the judgement."""
    engine = sample / ".goblin/engine/goblin/outcome.py"
    engine.write_text(engine.read_text() + "\nimport inspect\n")
    assert "inspect" in costly(loaded(sample, "--only", "HP-01"))
