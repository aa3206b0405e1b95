"""The harness directory: what is read of it, and which files have the house shape."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin.facts.harness import Harness
from tests.support import PROJECT, build_repo
from tests.support.mini import facts_of
from tests.support.repo import Files

CONFIG = "class: A\n"


def harness_of(root: Path, files: Files, config: str = CONFIG) -> Harness:
    """The fact for a repository that holds these files."""
    found: Harness = facts_of(build_repo({".goblin/goblin.yaml": config, **files}, root)).get("harness")
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.mjs", "assert(x === 1);\nprocess.exit(failures);"),
        ("a.js", "function assert(name, ok) {}\nassert ('x', true)\nprocess.exitCode = 1"),
        ("a.mjs", "const re = /'/; assert(re); process.exit(1)"),
        ("a.py", "import sys\nassert x == 1\nsys.exit(0)"),
        ("a.py", "if x: assert x\nraise SystemExit(1)"),
        ("a.py", "assert_that('x', True)\nsys.exit(1 if failures else 0)"),
        ("a.py", "self.assertEqual(1, 1)\nsys.exit()"),
        ("a.sh", "test -f x || exit 1"),
        ("a.sh", "#!/bin/sh\nset -eu\ntrue"),
        ("a.sh", "set -u -o errexit"),
        ("a.sh", "set -euo pipefail"),
        ("a.sh", "if ! x; then exit 2; fi"),
        ("a.sh", "exit $failures"),
        ("a.sh", 'exit "$failures"'),
        ("a.sh", "cat <<EOF\nit's\nEOF\nexit 1"),
        ("a.bats", '@test "x" {\n  true\n}'),
    ],
)
def test_asserting_harnesses(tmp_path: Path, name: str, text: str) -> None:
    """They assert, and end non-zero when an assertion fails."""
    assert [file.path for file in harness_of(tmp_path, {f"checks/{name}": text}).asserting] == [
        f"checks/{name}"
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.mjs", "// assert(x)\nprocess.exit(1)"),
        ("a.mjs", "/* assert(x) */ process.exit(1)"),
        ("a.mjs", "log('assert(x)'); process.exit(1)"),
        ("a.mjs", "log(`assert(x)`); process.exit(1)"),
        ("a.mjs", "assert(x)\n// process.exit(1)"),
        ("a.mjs", "assert(x)"),
        ("a.py", "# assert x\nsys.exit(1)"),
        ("a.py", '"""\nassert x\n"""\nsys.exit(1)'),
        ("a.py", "assert x\n'sys.exit(1)'"),
        ("a.py", "assert x"),
        ("a.py", "assertion = 1\nsys.exit(1)"),
        ("a.sh", "exit 0"),
        ("a.sh", "exit"),
        ("a.sh", "exit 00"),
        ("a.sh", 'exit "0"'),
        ("a.sh", "# exit 1\n# set -e"),
        ("a.sh", "echo 'exit 1'\necho \"set -e\""),
        ("a.sh", "cat <<EOF\nexit 1\nEOF"),
        ("a.sh", "echo exit 1"),
        ("a.sh", "set -u\nunset -e"),
        ("a.bats", '# @test "x" {'),
        ("a.txt", "assert(x); process.exit(1); exit 1"),
        ("sh", "exit 1"),
    ],
)
def test_other_files(tmp_path: Path, name: str, text: str) -> None:
    """Half of the shape, or all of it in a comment, a string or another kind of file."""
    harness = harness_of(tmp_path, {f"checks/{name}": text})
    assert [file.path for file in harness.files] == [f"checks/{name}"]
    assert harness.asserting == ()


def test_only_regular_files_directly_in_the_directory(tmp_path: Path) -> None:
    """Folders, links and pipes are passed over, and none is opened."""
    files: Files = {
        "checks/b.sh": "exit 1",
        "checks/a.sh": "exit 1",
        "checks/sub/c.sh": "exit 1",
        "checks/d.sh@": "b.sh",
    }
    repo = build_repo({".goblin/goblin.yaml": CONFIG, **files}, tmp_path)
    os.mkfifo(repo / "checks/e.sh")
    harness: Harness = facts_of(repo).get("harness")
    assert [(file.path, file.kind, file.stem) for file in harness.files] == [
        ("checks/a.sh", "sh", "a"),
        ("checks/b.sh", "sh", "b"),
    ]


def test_the_configured_directory_is_read(tmp_path: Path) -> None:
    """And what stands there is said when it is no folder."""
    files: Files = {"probes/a.sh": "exit 1", "file": "x", "link@": "probes"}
    for directory, state in (("probes", "dir"), ("nowhere", "missing"), ("file", "file"), ("link", "link")):
        root = tmp_path / directory
        harness = harness_of(root, files, f"{CONFIG}harness_dir: {directory}\n")
        assert (harness.directory, harness.state, len(harness.files)) == (
            directory,
            state,
            int(state == "dir"),
        )


def test_a_file_that_is_no_text_or_too_large_is_named(tmp_path: Path) -> None:
    """It asserts nothing, and its reason is kept."""
    files: Files = {
        "checks/a.sh": b"exit 1\n\xff",
        "checks/b.sh": "#" * ((1 << 20) + 1),
        "checks/c.bin": b"\xff",
    }
    a, b, c = harness_of(tmp_path, files).files
    assert a.problem == "checks/a.sh:2: byte 8 is not UTF-8"
    assert "more than the 1048576 that are read" in b.problem
    assert (c.kind, c.problem) == ("", "")
    assert not any(file.asserting for file in (a, b, c))


def test_the_shipped_scaffold_asserts_and_its_gate_runner_does_not(tmp_path: Path) -> None:
    """The one is a harness, the other a report utility."""
    folder = PROJECT / "templates" / "checks"
    files: Files = {f"checks/{path.name}": path.read_bytes() for path in folder.glob("*.py")}
    assert [file.stem for file in harness_of(tmp_path, files).asserting] == ["assert"]
