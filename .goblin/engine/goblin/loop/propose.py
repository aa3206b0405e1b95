"""Which files decide whether a predicate is met, guessed from the words of the command itself.

Proposed are the scripts that it runs, the tests, and the configuration of the tools that it names. What
it merely looks at (`grep -q done README.md`), and a program of the product itself (`python3 src/app.py`),
is what the loop is meant to change, and is not proposed. The guess is shown; `--surface` replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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
_INTERPRETERS = frozenset(
    ("bash", "sh", "dash", "zsh", "python", "python3", "node", "deno", "ruby", "perl", "source", ".", "bats")
)
_PREFIXES = frozenset(("!", "time", "exec", "env", "command", "sudo", "nice", "timeout", "xargs"))
_PRODUCT = frozenset(("src", "lib", "app", "pkg", "packages", "source"))
_TEST_FOLDERS = frozenset(("test", "tests", "spec", "specs", "__tests__", "checks", "e2e"))
_BREAKS = re.compile(r"&&|\|\||[;|&()\n`]|\$\(")
_PASSED_OVER = re.compile(r"[A-Za-z_]\w*=.*|-.*|\d[\d.]*[smhd]?", re.DOTALL)
"""An assignment before a command, and the options and numbers of what stands before one (`timeout 5`)."""


def paths(command: str, tracked: Sequence[str]) -> tuple[str, ...]:
    """The tracked paths to pin for a predicate, sorted; none where its words name nothing of that kind."""
    known = frozenset(tracked)
    found: set[str] = set()
    for part in _BREAKS.split(command):
        words = _words(part)
        while words and (words[0] in _PREFIXES or _PASSED_OVER.fullmatch(words[0])):
            words = words[1:]
        if words:
            found.update(_of(words, known))
    return tuple(sorted(path for path in found if not path.startswith(".goblin/loop/")))


def _words(part: str) -> list[str]:
    import shlex

    try:
        return shlex.split(part)
    except ValueError:  # a quote that ends elsewhere
        return part.split()


def _of(words: Sequence[str], known: frozenset[str]) -> Iterator[str]:
    program, *rest = (_plain(word) for word in words)
    script = next((word for word in rest if not word.startswith("-")), "")
    run = [program, *([script] if _is_interpreter(program.rpartition("/")[2]) else [])]
    yield from (path for path in run if path in known and not _is_product(path))
    folders = [word for word in rest if _is_folder(word, known)]
    for tool in {
        _TOOLS[name] for name in (*(path.rpartition("/")[2] for path in run), *rest) if name in _TOOLS
    }:
        yield from (path for path in known if _matches(path, tool.config))
        yield from (path for path in known if _matches(path, tool.tests) and _below(path, folders))
    for word in rest:
        if word in known and _is_test(word):
            yield word
        elif word.rpartition("/")[2] in _TEST_FOLDERS:
            yield from (path for path in known if path.startswith(f"{word}/"))


def _is_product(path: str) -> bool:
    return path.split("/")[0] in _PRODUCT and "/" in path and not _is_test(path)


def _is_interpreter(name: str) -> bool:
    return name in _INTERPRETERS or name.rstrip("0123456789.") in _INTERPRETERS


def _plain(word: str) -> str:
    return word.removeprefix("./").rstrip("/")


def _is_folder(word: str, known: Iterable[str]) -> bool:
    return bool(word) and any(path.startswith(f"{word}/") for path in known)


def _is_test(path: str) -> bool:
    patterns = (*_PYTEST.tests, *_NODE.tests, "*_test.go", "*.bats")
    return _matches(path, patterns) or not _TEST_FOLDERS.isdisjoint(path.split("/")[:-1])


def _below(path: str, folders: Sequence[str]) -> bool:
    return not folders or any(path.startswith(f"{folder}/") for folder in folders)


def _matches(path: str, patterns: Iterable[str]) -> bool:
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in pattern else name, pattern) for pattern in patterns)
