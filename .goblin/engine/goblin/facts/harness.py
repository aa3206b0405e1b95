"""Fact `harness`: the files of the harness directory, and which of them assert something.

Only regular files directly in the directory are read. What a file asserts is judged on its code alone:
comments and strings are blanked first, so a commented `assert(` is none (spec HS-01, decided 43).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.blanking import LANGUAGES, Blanked, blank
from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts.config import Config
    from goblin.paths import Tree

KEY = "harness_dir"
DEFAULT = "checks"
LIMIT = 1 << 20
"""Bytes of a harness that are read."""


class HarnessFile(NamedTuple):
    """A regular file in the harness directory.

    `kind` is its file name ending where that is a harness's (`mjs js py sh bats`), else "" and the
    file is not read. `problem` says which file of such a kind could not be read, and why.
    """

    path: str
    kind: str
    code: Blanked
    problem: str = ""

    @property
    def stem(self) -> str:
        """The file name without its ending."""
        return self.path.rpartition("/")[2].removesuffix(f".{self.kind}")

    @property
    def asserting(self) -> bool:
        """True for a harness in the house shape: it asserts, and ends non-zero when an assertion fails."""
        return self.kind in _SHAPES and _SHAPES[self.kind](self.code)


class Harness(NamedTuple):
    """The harness directory. `state` is what stands there: `dir missing file link other outside`."""

    directory: str
    state: str
    files: tuple[HarnessFile, ...]

    @property
    def asserting(self) -> tuple[HarnessFile, ...]:
        """The asserting harnesses, sorted by name."""
        return tuple(file for file in self.files if file.asserting)

    @property
    def unread(self) -> tuple[HarnessFile, ...]:
        """Files of a harness's kind that could not be read."""
        return tuple(file for file in self.files if file.problem)

    @property
    def absent(self) -> str:
        """Why there is nothing to look at, where the directory need not be there."""
        return f"no harness dir: there is no {self.directory}, and scaffold_checks is not yes"

    def unusable(self, expected: bool) -> str:
        """What is wrong with what stands there; "" for a directory, and for none where none is expected."""
        if self.state == "dir" or (self.state == "missing" and not expected):
            return ""
        if self.state == "missing":
            return f"no harness dir: there is no {self.directory}, and scaffold_checks is yes"
        words = {"file": "a file", "link": "a symbolic link", "outside": "not a folder below the root"}
        what = words.get(self.state, "no folder")
        return f"harness_dir {self.directory} is {what}; it must be a real folder inside the repository"


_JS_ASSERTS = lazy(r"assert\s*\(")
_JS_EXITS = lazy(r"process\s*\.\s*exit")
_PY_ASSERTS = lazy(r"(?:^|[:;])[ \t]*assert\b(?!\s*[=.,)\]:])|\bassert\w*\s*\(", re.MULTILINE)
_PY_EXITS = lazy(r"\bsys\s*\.\s*exit\b|\braise\s+SystemExit\b")
_SH_EXIT = lazy(r"(?:^|[;&|({!]|\b(?:then|else|do))[ \t]*exit\b(?![-_=.])", re.MULTILINE)
_SH_SET = lazy(r"\bset(?:[ \t]+[-+]\w+)*[ \t]+(?:-[A-Za-z]*e|-[A-Za-z]*o[ \t]+errexit)")
_BATS = lazy(r"^[ \t]*@test\b", re.MULTILINE)
_VALUE = lazy(r"[ \t]*([^\s;&|)}]*)")


def _shell_shape(code: Blanked) -> bool:
    if _SH_SET.search(code.bare):
        return True
    # The word is looked for in code alone; its value may be a quoted variable.
    values = (_VALUE.match(code.no_comments, match.end()) for match in _SH_EXIT.finditer(code.bare))
    return any(value is not None and value[1].strip("\"'0") for value in values)


def _javascript_shape(code: Blanked) -> bool:
    return bool(_JS_ASSERTS.search(code.bare) and _JS_EXITS.search(code.bare))


def _python_shape(code: Blanked) -> bool:
    return bool(_PY_ASSERTS.search(code.bare) and _PY_EXITS.search(code.bare))


_SHAPES: dict[str, Callable[[Blanked], bool]] = {
    "mjs": _javascript_shape,
    "js": _javascript_shape,
    "py": _python_shape,
    "sh": _shell_shape,
    "bats": lambda code: _BATS.search(code.bare) is not None,
}


def load(tree: Tree, config: Config) -> Harness:
    """Read the harness directory that the configuration names (`harness_dir`, else `checks`).

    Raises `CheckFailed` where that value is no path inside the root, or the directory cannot be listed.
    """
    directory = config.path(KEY) or DEFAULT
    state = tree.kind(directory)
    if state != "dir":
        return Harness(directory, state, ())
    try:
        names = tree.names(directory)
    except ReadRefused as error:
        raise CheckFailed(str(error)) from error
    paths = [f"{directory}/{name}" for name in names]
    return Harness(directory, state, tuple(_file(tree, path) for path in paths if tree.kind(path) == "file"))


def _file(tree: Tree, path: str) -> HarnessFile:
    _, dot, kind = path.rpartition("/")[2].rpartition(".")
    if not dot or kind not in _SHAPES:
        return HarnessFile(path, "", Blanked("", ""))
    try:
        text = tree.text(path, LIMIT)
    except ReadRefused as error:
        return HarnessFile(path, kind, Blanked("", ""), str(error))
    return HarnessFile(path, kind, blank(text, LANGUAGES[kind]))
