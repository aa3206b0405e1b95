"""DOC: never fails, and notices a commit that changes code and no document."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.outcome import Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo, git
from tests.support.repo import Files

CELL = "checks/docs.py::a_code_change_updates_the_docs"


def text(repo: Repo) -> str:
    """What the row notices; it must be advisory."""
    outcome = judge(repo, CELL)
    assert outcome.verdict is Verdict.ADV, said(outcome)
    return outcome.summary


@pytest.mark.parametrize("path", ["a.py", "src/deep/b.ts", "run.SH", "src/docs/x.c"])
def test_code_without_a_document_is_noticed(tmp_path: Path, path: str) -> None:
    """By the commit and the path."""
    repo = build_repo({"README.md": "x\n"}, tmp_path)
    head = repo.commit("code", {path: "1\n"})
    assert (
        text(repo) == f"HEAD ({head[:7]}) changes 1 code file(s) and no *.md at the root or in docs/: {path}"
    )


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "2\n", "README.md": "y\n"},
        {"a.py": "2\n", "docs/guide/a.md": "y\n"},
        {"a.py": "2\n", "NOTES.MD": "y\n"},
        {".goblin/engine/goblin/a.py": "2\n"},
        {"data.json": "{}\n", "LICENSE": "x\n", ".py": "x\n"},
        {},
    ],
)
def test_a_document_beside_it_or_no_code_is_silent(tmp_path: Path, files: Files) -> None:
    """Any *.md at the root or below docs/; a commit without code of the project's own."""
    repo = build_repo({"a.py": "1\n"}, tmp_path)
    repo.commit("change", files)
    assert text(repo) == ""


@pytest.mark.parametrize("path", ["src/notes.md", "mydocs/a.md", "docs.md/a.txt"])
def test_a_document_elsewhere_teaches_nobody(tmp_path: Path, path: str) -> None:
    """Only the root and docs/ count."""
    repo = build_repo({"a.py": "1\n"}, tmp_path)
    repo.commit("change", {"a.py": "2\n", path: "x\n"})
    assert "changes 1 code file(s)" in text(repo)


def test_many_files_are_counted_and_a_few_named(tmp_path: Path) -> None:
    """The text stays short."""
    repo = build_repo({"a.txt": "1\n"}, tmp_path)
    repo.commit("change", {f"f{number}.py": "1\n" for number in range(9)})
    assert text(repo).endswith("f0.py, f1.py, f2.py, f3.py, f4.py and 4 more")


def test_a_name_cannot_break_the_line(tmp_path: Path) -> None:
    """What is printed of it is escaped."""
    repo = build_repo({"a.txt": "1\n"}, tmp_path)
    repo.commit("change", {"a\nPASS  HP-01\x1b[2J.py": "1\n"})
    assert "a\\nPASS  HP-01\\x1b[2J.py" in said(judge(repo, CELL))


def test_where_it_cannot_look_it_says_so(tmp_path: Path) -> None:
    """Before the first commit, outside a repository, and in a clone that lacks the parent."""
    assert text(build_repo({"a.py": "1\n"}, tmp_path / "a", commit=None)) == "could not look: no commits yet"
    (tmp_path / "plain").mkdir()
    assert text(Repo(tmp_path / "plain")).startswith("could not look: no git repository")
    repo = build_repo({"a.py": "1\n"}, tmp_path / "origin")
    repo.commit("change", {"a.py": "2\n"})
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo.root}", "clone")
    assert "fetch full history" in text(Repo(tmp_path / "clone"))
