"""Which files decide whether a predicate is met, guessed from the words of the command itself.

Proposed are the scripts that it runs, those that they run, the tests, and the configuration of the tools
that are named. What it merely looks at (`grep -q done README.md`), and a program of the product itself
(`python3 src/app.py`), is what the loop is meant to change, and is not proposed. The guess is shown;
`--surface` replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple


class _Tool(NamedTuple):
    """What a program reads unasked: patterns of a file's name, or of a whole path where they hold a slash."""

    config: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


_PYTEST = _Tool(
    ("pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg"), ("test_*.py", "*_test.py", "conftest.py")
)
_NODE = _Tool(
    ("package.json", "jest.config.*", "vitest.config.*", "vite.config.*", "playwright.config.*", ".mocharc.*",
     "tsconfig.json"),
    ("*.test.[cm]js", "*.test.js", "*.test.jsx", "*.test.ts", "*.test.tsx",
     "*.spec.[cm]js", "*.spec.js", "*.spec.jsx", "*.spec.ts", "*.spec.tsx"),
)  # fmt: skip
_MAKE = _Tool(("Makefile", "makefile", "GNUmakefile", "*.mk"))
_TOOLS = {
    "pytest": _PYTEST,
    "py.test": _PYTEST,
    "unittest": _PYTEST,
    "tox": _PYTEST,
    "nox": _Tool((*_PYTEST.config, "noxfile.py"), _PYTEST.tests),
    "mypy": _Tool(("pyproject.toml", "mypy.ini", ".mypy.ini", "setup.cfg")),
    "ruff": _Tool(("pyproject.toml", "ruff.toml", ".ruff.toml")),
    **dict.fromkeys(("npm", "npx", "yarn", "pnpm", "bun", "jest", "vitest", "mocha", "playwright"), _NODE),
    "tsc": _Tool(("package.json", "tsconfig.json", "tsconfig.*.json")),
    "eslint": _Tool(("package.json", "eslint.config.*", ".eslintrc*")),
    "make": _MAKE,
    "gmake": _MAKE,
    "cargo": _Tool(("Cargo.toml",), ("tests/*.rs", "*/tests/*.rs")),
    "go": _Tool(("go.mod",), ("*_test.go",)),
    "bats": _Tool((), ("*.bats",)),
    "just": _Tool(("justfile", "Justfile", ".justfile")),
    "goblin-verify": _Tool((".goblin/goblin.yaml", ".goblin/manifest/enforcement.tsv", ".goblin/rules/*")),
}
_STEERS = frozenset(("conftest.py",))
"""Among what a tool takes for tests, what steers the others."""

_INTERPRETERS = frozenset(
    ("bash", "sh", "dash", "zsh", "python", "python3", "node", "deno", "ruby", "perl", "source", ".", "bats")
)
_PREFIXES = frozenset(("!", "time", "exec", "env", "command", "sudo", "nice", "timeout", "xargs"))
_PRODUCT = frozenset(("src", "lib", "app", "pkg", "packages", "source"))
_TEST_FOLDERS = frozenset(("test", "tests", "spec", "specs", "__tests__", "checks", "e2e"))
_BREAKS = re.compile(r"&&|\|\||[;|&()\n`]|\$\(")
_HERE = re.compile(r"\$\(\s*dirname[^()]*\)|\$\{0%/\*\}|\$\{BASH_SOURCE(?:\[0\])?%/\*\}")
"""How a script spells the folder that it stands in."""

_SCRIPTS = ("*.sh", "*.bash", "*.bats", "Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", "Justfile",
            ".justfile", "package.json")  # fmt: skip
"""What is read in its turn: the commands of such a file decide as well."""

MOST_READ = 50
"""Such files that are read for one predicate."""

_LINES = 2000
_PASSED_OVER = re.compile(r"[A-Za-z_]\w*=.*|-.*|\d[\d.]*[smhd]?", re.DOTALL)
"""An assignment before a command, and the options and numbers of what stands before one (`timeout 5`)."""


Read = Callable[[str], str]
"""Gives the text of a tracked file, "" where it cannot be read."""


class _Known:
    """The tracked paths, and the folders above them."""

    def __init__(self, tracked: Iterable[str]) -> None:
        self.paths = frozenset(tracked)
        self.folders: set[str] = set()
        for path in self.paths:
            folder = path.rpartition("/")[0]
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = folder.rpartition("/")[0]


def paths(command: str, tracked: Sequence[str], read: Read = lambda path: "") -> tuple[str, ...]:
    """The tracked paths to pin for a predicate, sorted; none where its words name nothing of that kind."""
    known = _Known(tracked)
    found: set[str] = set()
    for line in _commands(command, known, read, found):
        found.update(path for words in _parts(line) for path in _of(words, known))
    return tuple(sorted(path for path in found if not path.startswith(".goblin/loop/")))


def steering(command: str, tracked: Sequence[str], read: Read) -> tuple[str, ...]:
    """Of the tracked paths those that the tools of a predicate read unasked, tests apart: configuration.

    One that is new steers the predicate as well as one that was edited.
    """
    known = _Known(tracked)
    found: set[str] = set()
    tools: set[_Tool] = set()
    for line in _commands(command, known, read, found):
        for words in _parts(line):
            found.update(_of(words, known))
            tools.update(_tools(words, known))
    patterns = {name for tool in tools for name in (*tool.config, *_STEERS.intersection(tool.tests))}
    return tuple(sorted(path for path in known.paths if _matches(path, patterns)))


def _commands(command: str, known: _Known, read: Read, found: set[str]) -> Iterator[str]:
    """The command, and then each line of the scripts among `found`, which grows meanwhile."""
    yield command
    done: set[str] = set()
    while len(done) < MOST_READ:
        waiting = sorted(path for path in found - done if _matches(path, _SCRIPTS))
        if not waiting:
            return
        done.add(waiting[0])
        yield from _lines(waiting[0], read(waiting[0]))


def _lines(path: str, text: str) -> Iterator[str]:
    if path.endswith("package.json"):
        import json

        try:
            scripts = json.loads(text).get("scripts", {})
            yield from (line for line in scripts.values() if isinstance(line, str))
        except (ValueError, AttributeError, RecursionError):
            return
        return
    folder = path.rpartition("/")[0] or "."
    for line in text.replace("\\\n", " ").split("\n")[:_LINES]:
        line = line.strip().lstrip("@-+")
        if line and not line.startswith("#"):
            yield _HERE.sub(folder, line)


def _parts(command: str) -> Iterator[list[str]]:
    """The words of each simple command."""
    for part in _BREAKS.split(command):
        words = _words(part)
        while words and (words[0] in _PREFIXES or _PASSED_OVER.fullmatch(words[0])):
            words = words[1:]
        if words:
            yield words


def _words(part: str) -> list[str]:
    import shlex

    try:
        return shlex.split(part)
    except ValueError:  # a quote that ends elsewhere
        return part.split()


def _run_by(words: Sequence[str]) -> list[str]:
    """What a simple command runs: the program, and the script that it is given."""
    program, *rest = (_plain(word) for word in words)
    script = next((word for word in rest if not word.startswith("-")), "")
    return [program, *([script] if _is_interpreter(program.rpartition("/")[2]) else [])]


def _tools(words: Sequence[str], known: _Known) -> set[_Tool]:
    names = (*(path.rpartition("/")[2] for path in _run_by(words)), *map(_plain, words[1:]))
    return {_TOOLS[name] for name in names if name in _TOOLS}


def _of(words: Sequence[str], known: _Known) -> Iterator[str]:
    rest = [_plain(word) for word in words[1:]]
    yield from (path for path in _run_by(words) if path in known.paths and not _is_product(path))
    folders = [word for word in rest if word in known.folders]
    for tool in _tools(words, known):
        yield from (path for path in known.paths if _matches(path, tool.config))
        yield from (path for path in known.paths if _matches(path, tool.tests) and _below(path, folders))
    for word in rest:
        if word in known.paths and _is_test(word):
            yield word
        elif word.rpartition("/")[2] in _TEST_FOLDERS and word in known.folders:
            yield from (path for path in known.paths if path.startswith(f"{word}/"))


def _is_product(path: str) -> bool:
    return path.split("/")[0] in _PRODUCT and "/" in path and not _is_test(path)


def _is_interpreter(name: str) -> bool:
    return name in _INTERPRETERS or name.rstrip("0123456789.") in _INTERPRETERS


def _plain(word: str) -> str:
    return word.removeprefix("./").rstrip("/")


def _is_test(path: str) -> bool:
    patterns = (*_PYTEST.tests, *_NODE.tests, "*_test.go", "*.bats")
    return _matches(path, patterns) or not _TEST_FOLDERS.isdisjoint(path.split("/")[:-1])


def _below(path: str, folders: Sequence[str]) -> bool:
    return not folders or any(path.startswith(f"{folder}/") for folder in folders)


def _matches(path: str, patterns: Iterable[str]) -> bool:
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in pattern else name, pattern) for pattern in patterns)
