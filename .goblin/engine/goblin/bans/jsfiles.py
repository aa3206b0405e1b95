"""The files of a repository as the resolution of JavaScript's modules asks for them."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from goblin.paths import ReadRefused, Tree, confined

ENDINGS = (
    "",
    ".ts",
    ".tsx",
    ".d.ts",
    ".d.mts",
    ".d.cts",
    ".js",
    ".jsx",
    ".mts",
    ".cts",
    ".mjs",
    ".cjs",
    ".vue",
    ".svelte",
    ".json",
)
_LIMIT = 4 << 20
_SCRIPT = re.compile(r"\.([mc]?)jsx?\Z")
_JSONC = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?')
_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|,(?=\s*[}\]])')


def at(folder: str, name: str) -> str:
    """A path from the root, "." for the root itself; "" for what leaves it."""
    joined = os.path.normpath(f"{folder}/{name}" if folder else name)
    return joined if joined == "." or confined(joined) else ""


def below(folder: str, name: str) -> str:
    """The path of a name in a folder, where "" is the root."""
    return f"{folder}/{name}" if folder else name


class Files:
    """What there is in one tree. Links are followed while they stay inside the root."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._kinds = {".": "dir"}
        self._read: dict[str, dict[str, Any]] = {}

    def kind(self, path: str) -> str:
        """What `Tree.kind` says, and of a link what it leads to."""
        if path not in self._kinds:
            kind = self._tree.kind(path)
            if kind == "link" and (real := self.real(path)) != path:
                kind = self._tree.kind(real)
            self._kinds[path] = kind
        return self._kinds[path]

    def exists(self, path: str) -> bool:
        """True where a module can be loaded by this path: a folder, or a file whose ending may be missing."""
        return bool(path) and any(self.kind(one) in ("file", "dir") for one in self.spellings(path))

    @staticmethod
    def spellings(path: str) -> list[str]:
        """The path with each ending that it may lack; `./a.js` is also written for the file a.ts."""
        stem = _SCRIPT.sub("", path)
        return [path + ending for ending in ENDINGS] + [stem + ending for ending in ENDINGS if stem != path]

    def real(self, path: str) -> str:
        """The path with each link in it followed; as it is where that leaves the root."""
        real = os.path.relpath(os.path.realpath(os.path.join(self._tree.root, path)), self._tree.root)
        return real if confined(real) else path

    def places(self, path: str) -> list[str]:
        """A target as it is written, and where it is in truth if a link leads there."""
        found = [path]
        for one in self.spellings(path):
            if self.kind(one) in ("file", "dir"):
                if (real := self.real(one)) != one:
                    found.append(real)
                break
        return found

    def json(self, path: str) -> dict[str, Any]:
        """A JSON file with comments and trailing commas; empty where there is none that can be read."""
        if path not in self._read:
            try:
                text = _JSONC.sub(lambda m: m[1] or " ", self._tree.text(self.real(path), _LIMIT))
                value = json.loads(_COMMA.sub(lambda m: m[1] or "", text))
            except (ReadRefused, ValueError, RecursionError):
                value = {}
            self._read[path] = value if isinstance(value, dict) else {}
        return self._read[path]
