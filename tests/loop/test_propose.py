"""Which files a predicate's own words say decide it."""

from __future__ import annotations

import pytest

from goblin.loop.propose import paths, steering

TRACKED = (
    *("README.md", "out.txt", "src/app.py", "src/app.test.ts", "lib/tool.sh", "Makefile", "package.json"),
    *("pyproject.toml", "conftest.py", "tests/test_app.py", "tests/unit/test_deep.py", "tests/data.txt"),
    *("scripts/check.sh", "scripts/other.sh", "checks/a.bats", "docs/pytest.md", "go.mod", "x_test.go"),
    *(".goblin/goblin.yaml", ".goblin/bin/goblin-verify", ".goblin/manifest/enforcement.tsv"),
    *(".goblin/rules/enforcement.tsv", ".goblin/loop/predicate", "with space/t.sh"),
)
PYTEST = ("conftest.py", "pyproject.toml")
TESTS = ("tests/test_app.py", "tests/unit/test_deep.py")
VERIFY = (".goblin/bin/goblin-verify", ".goblin/goblin.yaml", ".goblin/manifest/enforcement.tsv",
          ".goblin/rules/enforcement.tsv")  # fmt: skip


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("bash scripts/check.sh", ("scripts/check.sh",)),
        ("./scripts/check.sh --fast", ("scripts/check.sh",)),
        ("X=1 timeout 30 scripts/check.sh | tee log", ("scripts/check.sh",)),
        ("! scripts/check.sh && scripts/other.sh", ("scripts/check.sh", "scripts/other.sh")),
        ("bash 'with space/t.sh'", ("with space/t.sh",)),
        ("$(scripts/check.sh)", ("scripts/check.sh",)),
        ("pytest -q", (*PYTEST, *TESTS)),
        ("python3 -m pytest tests/unit", ("pyproject.toml", "tests/unit/test_deep.py")),
        ("python3.11 -m pytest tests/test_app.py", (*PYTEST, *TESTS)),
        ("npm test", ("package.json", "src/app.test.ts")),
        ("make check", ("Makefile",)),
        ("go test ./...", ("go.mod", "x_test.go")),
        ("bats checks", ("checks/a.bats",)),
        (".goblin/bin/goblin-verify --only HP-01", VERIFY),
        ("python3 .goblin/bin/goblin-verify", VERIFY),
    ],
)
def test_what_decides_is_proposed(command: str, wanted: tuple[str, ...]) -> None:
    """Scripts that run, tests, and the configuration of the tools that are named."""
    assert paths(command, TRACKED) == tuple(sorted(wanted))


@pytest.mark.parametrize(
    "command",
    [
        "grep -q done README.md",
        "test -f out.txt",
        "! grep -rqn FIXME src",
        "python3 src/app.py --self-test",
        "bash lib/tool.sh",
        "echo scripts/check.sh",
        "cat .goblin/loop/predicate",
        "nonsense 'with an open quote",
        "pytest-like docs/pytest.md",
        "true",
        "",
    ],
)
def test_what_the_loop_is_to_change_is_not(command: str) -> None:
    """What a command looks at, the product itself, and the record are never pinned unasked."""
    assert paths(command, TRACKED) == ()


FILES = {
    "check.sh": """\
#!/bin/sh
set -e
. ./lib/x.sh
source "$(dirname "$0")/scripts/other.sh"
exec pytest -q \\
    tests
""",
    "scripts/other.sh": "python3 src/app.py\n# bash scripts/check.sh\nbash check.sh\n",
    "Makefile": "check:\n\t@bash scripts/check.sh\n",
    "package.json": '{"scripts": {"test": "node tools/run.mjs && eslint .", "x": 7}}',
    "tools/run.mjs": "",
    "src/app.py": "",
    "tests/test_app.py": "",
    "scripts/check.sh": "true\n",
    "eslint.config.js": "",
    "pytest.ini": "",
    "README.md": "",
}


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("./check.sh", ("check.sh", "pytest.ini", "scripts/other.sh", "tests/test_app.py")),
        ("make check", ("Makefile", "scripts/check.sh")),
        ("npm test", ("eslint.config.js", "package.json", "tools/run.mjs")),
        ("grep -q done README.md", ()),
    ],
)
def test_what_a_script_runs_decides_as_well(command: str, wanted: tuple[str, ...]) -> None:
    """Scripts, make rules and package scripts are read in their turn, each once; comments are not."""
    assert paths(command, tuple(FILES), FILES.__getitem__) == wanted


def test_configuration_steers_whether_it_was_there_or_not() -> None:
    """Of every tool that the predicate or one of its scripts names; tests themselves steer nothing."""
    tracked = (*FILES, "tests/conftest.py", "pyproject.toml", "ruff.toml")
    assert steering("./check.sh", tracked, lambda path: FILES.get(path, "")) == (
        "pyproject.toml",
        "pytest.ini",
        "tests/conftest.py",
    )


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"scripts": []}', "[" * 100_000, "\0", "a" * 100_000, "'" * 5000]
)
def test_no_file_breaks_the_guess(text: str) -> None:
    """Whatever a script holds."""
    for command in ("npm test", "./check.sh"):
        paths(command, ("package.json", "check.sh"), lambda path: text)


def test_a_folder_of_tests_is_pinned_with_all_it_holds() -> None:
    """Fixtures and data decide, too."""
    assert paths("run-all tests", TRACKED) == (
        "tests/data.txt",
        "tests/test_app.py",
        "tests/unit/test_deep.py",
    )
