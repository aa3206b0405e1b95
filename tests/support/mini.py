"""A tiny rule set of the test's own, to drive the engine without the shipped rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin import home, manifest
from goblin.facts import Facts, Run
from goblin.git import at
from goblin.manifest import COLUMNS
from tests.support.repo import Files, Repo, build_repo

CONFIG = "class: A\nbranch: main\narchive: false\nowner_email: author@example.invalid\n"
MATRIX_ROW = (
    "IN-03",
    "target",
    "-",
    "script",
    "the matrix is whole",
    "the matrix",
    "true",
    "mend it",
    "meaning",
)

CHECKS = '''
from goblin.outcome import CheckFailed, Finding, advisory, failed, passed, skipped


def holds(tree):
    """The rule holds."""
    return passed("1 thing examined")


def breaks(tree):
    """The rule is broken."""
    return failed("2 places", [Finding("a.py", 3, 4, "first"), Finding("b.py", 0, 0, "second")])


def raises(tree):
    raise ValueError("boom \\x1b[31m")


def refuses(tree):
    raise CheckFailed("no answer", [Finding("c.py", 1)], remedy="give one")


def returns_nothing(tree):
    return None


def notices(tree):
    return advisory("something was noticed")


def has_no_subject(tree):
    return skipped("nothing to check; add a file")


def needs_an_unknown_fact(nonsense):
    return passed("1")


def runs_the_gates(gate_run):
    return passed("1")
'''


def row(id_: str, check: str, **cells: str) -> tuple[str, ...]:
    """One line of a matrix with ordinary cells, but for those given."""
    usual = dict(zip(COLUMNS, MATRIX_ROW, strict=True)) | {
        "id": id_,
        "check": check,
        "rule": f"rule of {id_}",
    }
    return tuple((usual | cells)[column] for column in COLUMNS)


def table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A TSV file as text."""
    return "\n".join("\t".join(cells) for cells in [columns, *rows]) + "\n"


def mini_repo(
    root: Path, rows: list[tuple[str, ...]], files: Files | None = None, config: str = CONFIG
) -> Repo:
    """A committed repository that is governed by `rows` (a row for the matrix itself is added)."""
    content = {
        ".goblin/goblin.yaml": config,
        ".goblin/manifest/enforcement.tsv": table(COLUMNS, [MATRIX_ROW, *rows]),
        "README.md": "# Mini\n",
        **(files or {}),
    }
    return build_repo(content, root)


@pytest.fixture
def mini_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A payload whose `checks/mini.py` holds one function for each thing a check can do."""
    folder = tmp_path / "payload"
    (folder / "checks").mkdir(parents=True)
    (folder / "checks" / "mini.py").write_text(CHECKS, encoding="utf-8")
    monkeypatch.setattr(home, "HOME", str(folder))
    monkeypatch.setattr(manifest, "_SOURCES", {})
    return folder


def facts_of(repo: Repo, **settings: object) -> Facts:
    """The facts of a repository, without caches."""
    root = str(repo.root.resolve())
    return Facts(Run(root=root, repo=at(root), cache=False)._replace(**settings))  # type: ignore[arg-type]
