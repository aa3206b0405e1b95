"""The imports of Python and Go files, and where they lead."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from goblin.bans.jsresolve import Resolved
from goblin.bans.reading import Import
from goblin.paths import ReadRefused, Tree, confined

_PYTHON = re.compile(
    r"""(?P<skip>\#[^\n]*+|\\\r?\n)
    |(?P<string>[A-Za-z]{0,2}(?:\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:\"{3})?|'{3}(?:[^'\\]|\\.|'(?!''))*+(?:'{3})?
        |"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?))
    |(?P<word>[^\W\d]\w*+)|(?P<line>[\n;])|(?P<sign>[^\s\w])""",
    re.VERBOSE | re.DOTALL,
)
_GO = re.compile(
    r"(?://[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|'(?:[^'\\\n]|\\.)*+'?)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*+\"?|`[^`]*+`?)|(?P<word>\w++)|(?P<sign>[()])"
)
_GO_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"/][^\s\"]*)", re.MULTILINE)
_GO_REPLACE = re.compile(
    r"^\s*(?:replace\s+)?\"?([^\s\"()]+)\"?(?:\s+v\S+)?\s*=>\s*\"?(\.{1,2}/[^\s\"]*)", re.MULTILINE
)


def python(text: str) -> Iterator[Import]:
    """Every import of a Python file, as `..package.module`, with one specifier for each name that is taken.

    Also `importlib.import_module("a.b")` and `__import__("a.b")`.
    """
    tokens: list[tuple[str, str, int]] = []
    depth = 0
    for match in _PYTHON.finditer(text):
        kind, word = match.lastgroup or "", match[0]
        if kind == "skip" or (kind == "line" and word == "\n" and depth):
            continue
        if kind == "sign":
            depth = max(0, depth + (word in "([{") - (word in ")]}"))
        tokens.append((kind, word, match.start()))
    tokens += [("line", "\n", len(text))] * 3
    fresh = True  # a statement may begin here
    behind = 0  # the statement of an import
    for at, (kind, word, start) in enumerate(tokens[:-3]):
        if kind == "word" and fresh and at >= behind and word in ("import", "from"):
            behind = next(end for end in range(at, len(tokens)) if tokens[end][0] == "line")
            yield from _statement([text for _, text, _ in tokens[at:behind]], start)
        elif kind == "word" and word in ("import_module", "__import__") and tokens[at + 1][1] == "(":
            yield _named(tokens[at + 2], tokens[at + 3], start)
        fresh = kind == "line" or (kind == "sign" and word == ":")


def _named(argument: tuple[str, str, int], after: tuple[str, str, int], start: int) -> Import:
    kind, text, _ = argument
    if kind != "string" or text[:1] not in "'\"" or after[1] not in (")", ","):
        return Import("", start)
    return Import(text.strip("'\""), start)


def _statement(given: list[str], start: int) -> Iterator[Import]:
    first, *words = given
    if first == "import":
        for item in _items(words):
            yield Import("".join(item), start)
        return
    if "import" not in words:
        return
    middle = words.index("import")
    module = "".join(words[:middle])
    for item in _items([word for word in words[middle + 1 :] if word not in ("(", ")")]):
        name = item[0]
        yield Import(f"{module}{'' if module.endswith('.') else '.'}{name}" if name != "*" else module, start)


def _items(words: list[str]) -> Iterator[list[str]]:
    """The words between commas, less `as` and what follows it; none where nothing stands before that."""
    item: list[str] = []
    for word in [*words, ","]:
        if word == ",":
            if named := item[: item.index("as")] if "as" in item else item:
                yield named
            item = []
        else:
            item.append(word)


def go(text: str) -> Iterator[Import]:
    """Every import of a Go file; they stand before anything else but the package's name."""
    inside = False  # an import declaration
    listed = False  # its parentheses
    for match in _GO.finditer(text):
        kind, word = match.lastgroup, match[0]
        if kind == "word" and not listed:
            if word in ("func", "type", "var", "const"):
                return
            inside = inside or word == "import"
        elif inside and kind == "string":
            yield Import(word.strip('"`'), match.start())
            inside = listed
        elif inside and kind == "sign":
            inside = listed = word == "("


class PythonResolver:
    """Where imports of Python lead, from the folders that a program may be started in."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._roots: dict[str, tuple[str, ...]] = {}

    def resolve(self, path: str, specifier: str) -> Resolved:
        """Where an import in the file at `path` leads; what no folder here holds is external."""
        folder = path.rpartition("/")[0]
        dots = len(specifier) - len(specifier.lstrip("."))
        names = [name for name in specifier.split(".") if name]
        if dots:
            for _ in range(dots - 1):
                folder = folder.rpartition("/")[0]
            return Resolved((self._deepest(folder, names),))
        for root in self._starts(folder):
            if names and self._there(os.path.join(root, names[0])):
                return Resolved((self._deepest(root, names),))
        return Resolved(external=True)

    def _there(self, path: str) -> bool:
        return any(self._tree.kind(path + end) in ("file", "dir") for end in ("", ".py", ".pyi"))

    def _deepest(self, folder: str, names: list[str]) -> str:
        """The module or the package; last names that are neither are something inside it."""
        full = "/".join([folder, *names] if folder else names)
        if not names or self._there(full):
            return full or "."
        for count in range(len(names) - 1, 0, -1):
            found = "/".join([folder, *names[:count]] if folder else names[:count])
            if self._there(found):
                return found
        return full.rpartition("/")[0] or "."

    def _starts(self, folder: str) -> tuple[str, ...]:
        if folder not in self._roots:
            top = folder
            while top and self._tree.kind(f"{top}/__init__.py") == "file":
                top = top.rpartition("/")[0]
            self._roots[folder] = tuple(dict.fromkeys((top, "", "src", "lib", "python")))
        return self._roots[folder]


class GoResolver:
    """Where imports of Go lead, by the modules of the repository. `modules` lists its go.mod files."""

    def __init__(self, tree: Tree, modules: Callable[[], Iterable[str]]) -> None:
        self._tree = tree
        self._files = modules

    @cached_property
    def _modules(self) -> list[tuple[str, str]]:
        """Module path to folder, the longest first."""
        found: dict[str, str] = {}
        for path in self._files():
            folder = path.rpartition("/")[0]
            try:
                text = self._tree.text(path, 1 << 20)
            except ReadRefused:
                continue
            if name := _GO_MODULE.search(text):
                found[name[1]] = folder
            for old, new in _GO_REPLACE.findall(text):
                target = os.path.normpath(os.path.join(folder, new))
                if confined(target):
                    found.setdefault(old, target)
        return sorted(found.items(), key=lambda item: -len(item[0]))

    def resolve(self, path: str, specifier: str) -> Resolved:
        """Where an import leads; what is of no module here is external."""
        if specifier.startswith("."):
            near = os.path.normpath(os.path.join(path.rpartition("/")[0], specifier))
            return Resolved((near,) if near == "." or confined(near) else (), external=True)
        for name, folder in self._modules:
            if specifier == name or specifier.startswith(f"{name}/"):
                inside = specifier[len(name) :].strip("/")
                return Resolved(("/".join(part for part in (folder, inside) if part) or ".",))
        return Resolved(external=True)
