"""A module imports only from floors below its own (docs/architecture.md, "Floors")."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import PROJECT, hermetic, program

SOURCE = PROJECT / "src" / "goblin"
CHECKS = sorted((PROJECT / "checks").glob("*.py"))

FLOOR_1 = {
    "outcome",
    "tables",
    "yaml",
    "git",
    "process",
    "paths",
    "pattern",
    "redact",
    "clock",
    "home",
    "markdown",
    "digest",
    "commitid",
    "sshsig",
    "loop",  # what a record means is said once, below the facts, for its commands and its rows
}
FACTS = {"facts", "manifest", "bans", "lanes", "waivers"}
HEAVY = {"dataclasses", "pathlib", "tempfile", "shutil", "inspect"}
HEAVY |= {"click", "ruamel", "tabulate", "jsonschema", "fastjsonschema", "git"}
COLD = (
    "install",
    "server",
    "commands/install",
    "commands/count",
    "prove",
    "scratch",
    "baseline",
    "report/explain",
)
"""What `goblin-verify` does not load for a run, so it may import what it likes."""


def lint_imports(source: Path) -> subprocess.CompletedProcess[str]:
    """Judge the package below `source` by the contracts of pyproject.toml."""
    return subprocess.run(
        [program("lint-imports"), "--no-cache", "--no-logo", str(PROJECT / "pyproject.toml")],
        cwd=source,
        env=hermetic(PYTHONPATH=str(source)),
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_module_stands_on_its_floor() -> None:
    """The contracts hold, and every module of the package is named by them."""
    done = lint_imports(PROJECT / "src")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "line", "said"),
    [
        ("outcome.py", "import goblin.engine", "goblin.outcome -> goblin.engine"),
        (
            "tables.py",
            "def late() -> None:\n    from goblin.manifest import load",
            "goblin.tables -> goblin.manifest",
        ),
        ("facts/head.py", "from goblin.report import text", "goblin.facts.head -> goblin.report.text"),
        ("homeless.py", "", "homeless"),
    ],
    ids=["upward", "inside a function", "sideways", "on no floor"],
)
def test_a_wrong_import_is_seen(tmp_path: Path, module: str, line: str, said: str) -> None:
    """The contracts bite: each of these breaks them, and the message names the import."""
    shutil.copytree(SOURCE, tmp_path / "goblin", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "goblin" / module).open("a") as file:
        file.write(f"\n{line}\n")
    done = lint_imports(tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert said in done.stdout


def imports(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    """Each import as (module, name, line); name is "" for `import module`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, "", node.lineno
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield "." * node.level + (node.module or ""), alias.name, node.lineno


def misplaced(text: str) -> list[str]:
    """What a check file imports that it may not: one line for each, with the line number.

    Allowed are the standard library, `goblin.outcome` and the rest of floor 1, and from the modules
    of the facts their types and constants, which start with a capital.
    """
    wrong = []
    for module, name, line in imports(ast.parse(text)):
        top, *rest = module.split(".")
        if top != "goblin":
            if top not in sys.stdlib_module_names:
                wrong.append(f"{line}: {module}")
            continue
        part = rest[0] if rest else name
        is_type = bool(rest) and name[:1].isupper()
        if part not in FLOOR_1 and not (part in FACTS and is_type):
            wrong.append(f"{line}: {module} {name}".rstrip())
    return wrong


@pytest.mark.parametrize("path", CHECKS, ids=lambda path: path.name)
def test_a_check_file_knows_outcomes_helpers_and_types_alone(path: Path) -> None:
    """A check cannot reach the engine that runs it, and brings no library of its own."""
    assert misplaced(path.read_text()) == []


def test_a_check_file_that_reaches_too_far_is_seen() -> None:
    """Engine, other checks, libraries and functions of facts are out of reach."""
    text = """
from goblin.outcome import Outcome, passed
from goblin import paths, engine
from goblin.facts.tree import Tree, load
import goblin.check
import json, yaml
from . import loop
def late():
    from goblin.commands.verify import main
"""
    assert misplaced(text) == [
        "3: goblin engine",
        "4: goblin.facts.tree load",
        "5: goblin.check",
        "6: yaml",
        "7: .",
        "9: goblin.commands.verify main",
    ]


def speaks(text: str) -> list[int]:
    """Lines of a check file that print or exit."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [
        call.lineno for call in calls if ast.unparse(call.func) in ("print", "exit", "sys.exit", "os._exit")
    ]


@pytest.mark.parametrize("path", CHECKS, ids=lambda path: path.name)
def test_a_check_never_prints_and_never_exits(path: Path) -> None:
    """A check speaks through the outcome that it returns."""
    assert speaks(path.read_text()) == []


def test_a_check_that_prints_or_exits_is_seen() -> None:
    """The search finds both, anywhere in the file."""
    assert speaks("import sys\ndef a() -> None:\n    print(1)\n    sys.exit(2)\n") == [3, 4]


def heavy(text: str) -> list[str]:
    """The costly modules that importing this file imports: at module level, not for types alone."""

    def loaded(body: list[ast.stmt]) -> Iterator[ast.stmt]:
        for node in body:
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                yield from loaded(node.orelse)
                continue
            yield node
            for part in ("body", "orelse", "finalbody"):
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from loaded(getattr(node, part, []))

    tree = ast.Module(body=list(loaded(ast.parse(text).body)), type_ignores=[])
    direct = ast.Module([n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)], [])
    return sorted({name for module, *_ in imports(direct) if (name := module.split(".")[0]) in HEAVY})


HOT = sorted(
    path
    for path in SOURCE.rglob("*.py")
    if not os.path.relpath(path, SOURCE).removesuffix(".py").startswith(COLD)
)


@pytest.mark.parametrize("path", [*HOT, *CHECKS], ids=lambda path: os.path.relpath(path, PROJECT))
def test_no_module_of_a_run_imports_what_is_costly(path: Path) -> None:
    """Each of them costs more than a whole row; a function that needs one imports it (see "Cost")."""
    assert heavy(path.read_text()) == []


def test_a_costly_import_is_seen_where_it_is_paid() -> None:
    """At module level, also inside a class or a try; not in a function, and not for a type alone."""
    text = """
from typing import TYPE_CHECKING
import os, shutil
if TYPE_CHECKING:
    from pathlib import Path
try:
    import click
except ImportError:
    pass
class A:
    import inspect
    def f(self):
        import tempfile
"""
    assert heavy(text) == ["click", "inspect", "shutil"]
