"""HS-03: never fails, and names the harness that could take a comment for code."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import PROJECT, build_repo
from tests.support.repo import Files

CELL = "checks/harnesses.py::a_probe_that_reads_source_blanks_comments"


def judged(root: Path, files: Files, config: str = "class: A\n") -> Outcome:
    """The outcome, which must be advisory."""
    outcome = judge(build_repo({".goblin/goblin.yaml": config, **files}, root), CELL)
    assert outcome.verdict is Verdict.ADV, said(outcome)
    return outcome


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (
            "a.mjs",
            "import fs from 'fs'\nconst s = fs.readFileSync('src/a.ts')\nassert(s)\nprocess.exit(1)",
            2,
        ),
        ("a.js", "assert(await readFile(x)); process.exit(1)", 1),
        ("a.py", "import sys\n\ntext = open('a').read()\nassert text\nsys.exit(1)", 3),
        ("a.py", "assert Path('a').read_text()\nsys.exit(1)", 1),
        ("a.py", "# blank_comments\nassert Path('a').read_bytes()\nsys.exit(1)", 2),
        ("a.sh", "set -e\ngrep -q x src/a.ts", 2),
        ("a.sh", "if ! grep -q x a; then exit 1; fi", 1),
        ("a.bats", '@test "x" {\n  run grep x a\n}', 2),
    ],
)
def test_a_harness_that_reads_raw_source_is_named(tmp_path: Path, name: str, text: str, line: int) -> None:
    """With the line on which it first reads."""
    outcome = judged(tmp_path, {f"checks/{name}": text})
    assert outcome.summary == "1 of 1 asserting harness(es) may take a comment for code"
    assert [(f.path, f.line) for f in outcome.findings] == [(f"checks/{name}", line)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.mjs",
            "import {blankComments} from './b.mjs'\nassert(blankComments(readFileSync(x))); process.exit(1)",
        ),
        ("a.py", "def strip_comments(s): ...\nassert strip_comments(open('a').read())\nsys.exit(1)"),
        ("a.py", "assert ast.parse(open('a').read())\nsys.exit(1)"),
        ("a.py", "assert tokenize.open('a')\nsys.exit(1)"),
        ("a.py", "assert subprocess.run(['make'])\nsys.exit(1)"),
        ("a.py", "assert conn.reopen(1)\nsys.exit(1)"),
        ("a.py", "text = open('a').read()"),
        ("a.sh", "set -e\nmake | grep -q ok"),
        ("a.sh", "without_comments() { sed 's/#.*//' \"$1\"; }\nset -e"),
        ("a.sh", "set -e\necho 'grep x'"),
        ("a.txt", "open('a')"),
    ],
)
def test_other_harnesses_are_not(tmp_path: Path, name: str, text: str) -> None:
    """One with a helper or a parser, one that reads no file, one that asserts nothing."""
    outcome = judged(tmp_path, {f"checks/{name}": text})
    assert (outcome.summary, outcome.findings) == ("", ())


def test_the_shipped_scaffold_is_not_named(tmp_path: Path) -> None:
    """It brings its helper."""
    folder = PROJECT / "templates" / "checks"
    outcome = judged(tmp_path, {f"checks/{path.name}": path.read_bytes() for path in folder.glob("*.py")})
    assert outcome.summary == ""


def test_no_directory_and_a_wrong_one_never_fail(tmp_path: Path) -> None:
    """The rows that own the key say what is wrong with it."""
    assert judged(tmp_path / "a", {"x": "x"}).summary == ""
    assert judged(tmp_path / "b", {"x": "x"}, "class: A\nharness_dir: [a]\n").verdict is Verdict.ADV
