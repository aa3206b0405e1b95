"""HS-01 and HS-03: harnesses that can fail, and those that could take a comment for code."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import PROJECT, build_repo
from tests.support.repo import Files

ASSERTS = "checks/harnesses.py::a_harness_asserts"
GOOD = "assert(x === 1);\nprocess.exit(failures);\n"
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


class TestAsserting:
    """HS-01."""

    def hs01(self, root: Path, files: Files, config: str = "class: A\n") -> Outcome:
        """The outcome for a repository that holds these files."""
        return judge(build_repo({".goblin/goblin.yaml": config, **files}, root), ASSERTS)

    def test_one_will_do_and_the_others_are_named(self, tmp_path: Path) -> None:
        """A report utility beside it is no fault."""
        files: Files = {"checks/a.mjs": GOOD, "checks/b.mjs": "console.log(1)", "checks/c.json": "{}"}
        assert said(self.hs01(tmp_path, files)) == (
            "PASS\n1 asserting harness(es) in checks, and 2 other file(s)\n"
            "checks/b.mjs: asserts nothing, or never exits non-zero\nchecks/c.json: no harness"
        )

    def test_alone_it_is_counted(self, tmp_path: Path) -> None:
        """Folders inside are not looked into."""
        outcome = self.hs01(tmp_path, {"checks/a.mjs": GOOD, "checks/lib/b.mjs": "x"})
        assert said(outcome) == "PASS\n1 asserting harness(es) in checks"

    @pytest.mark.parametrize(
        "text",
        ["assert(x)\n", "process.exit(1)\n", f"/* {GOOD} */\n", f"const s = `{GOOD}`\n", ""],
        ids=["never exits", "never asserts", "commented", "in a string", "empty"],
    )
    def test_a_directory_without_one_is_a_fail(self, tmp_path: Path, text: str) -> None:
        """Comments and strings do not count."""
        outcome = self.hs01(tmp_path, {"checks/a.mjs": text})
        assert outcome.verdict is Verdict.FAIL
        assert "checks holds no asserting harness (1 file(s) looked at)" in said(outcome)
        assert "checks/a.mjs: asserts nothing, or never exits non-zero" in said(outcome)

    def test_a_file_that_cannot_be_read_is_said(self, tmp_path: Path) -> None:
        """Once, with its path."""
        outcome = self.hs01(tmp_path, {"checks/a.mjs": b"\xff\xfe"})
        assert "checks/a.mjs: not read: " in said(outcome)

    @pytest.mark.parametrize("value", ["yes", "true"])
    def test_an_absent_directory_that_is_expected(self, tmp_path: Path, value: str) -> None:
        """One edited line does not switch the row off."""
        config = f"class: A\nharness_dir: nowhere\nscaffold_checks: {value}\n"
        outcome = self.hs01(tmp_path, {"checks/a.mjs": GOOD}, config)
        assert outcome.verdict is Verdict.FAIL
        assert "no harness dir: there is no nowhere" in said(outcome)
        assert ".goblin/goblin.yaml:2:14" in said(outcome)

    @pytest.mark.parametrize("line", ["", "scaffold_checks:\n", "scaffold_checks: no\n"])
    def test_an_absent_directory_that_is_not(self, tmp_path: Path, line: str) -> None:
        """A SKIP with its reason."""
        outcome = self.hs01(tmp_path, {"a": "a"}, f"class: D\n{line}")
        assert outcome.verdict is Verdict.SKIP
        assert "no harness dir" in said(outcome)

    @pytest.mark.parametrize(
        ("files", "directory", "told"),
        [
            ({"a.mjs": GOOD}, ".", "not a folder below the root"),
            ({"checks": GOOD}, "checks", "checks is a file"),
            ({"real/a.mjs": GOOD, "checks@": "real"}, "checks", "checks is a symbolic link"),
            ({"a.mjs": GOOD}, "../x", "harness_dir"),
            ({"a.mjs": GOOD}, "/tmp", "harness_dir"),
            ({"a.mjs": GOOD}, "[a]", "harness_dir"),
        ],
    )
    def test_what_is_no_folder_below_the_root(
        self, tmp_path: Path, files: Files, directory: str, told: str
    ) -> None:
        """Whether or not harnesses are expected."""
        outcome = self.hs01(tmp_path, files, f"class: A\nharness_dir: {directory}\n")
        assert outcome.verdict is Verdict.FAIL
        assert told in said(outcome)

    def test_a_wrong_expectation_is_a_fail(self, tmp_path: Path) -> None:
        """`scaffold_checks: maybe` is neither."""
        outcome = self.hs01(tmp_path, {"checks/a.mjs": GOOD}, "class: A\nscaffold_checks: maybe\n")
        assert outcome.verdict is Verdict.FAIL
        assert "scaffold_checks" in said(outcome)
