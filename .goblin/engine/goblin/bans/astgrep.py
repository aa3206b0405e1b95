"""A rule file in the format of ast-grep: a project's own ban in any language that ast-grep knows.

It is told from our own format by its key `language`. What decides is kept (`rule`, `constraints`, `utils`);
where it holds is the ban table's to say, and so are its words.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from goblin.bans.rules import BadRule
from goblin.yaml import Map, Node, Text

ENDINGS = {
    "bash": "bash bats ksh sh zsh", "c": "c h", "cpp": "cc hpp cpp c++ hh cxx cu ino", "csharp": "cs",
    "css": "css scss", "dart": "dart", "elixir": "ex exs", "go": "go", "haskell": "hs",
    "hcl": "hcl tf tfvars", "html": "html htm xhtml", "java": "java", "javascript": "js mjs cjs jsx",
    "json": "json", "kotlin": "kt ktm kts", "lua": "lua", "markdown": "md markdown", "nix": "nix",
    "php": "php", "python": "py py3 pyi bzl", "ruby": "rb rbw gemspec", "rust": "rs", "scala": "scala sc sbt",
    "solidity": "sol", "swift": "swift", "tsx": "tsx", "typescript": "ts mts cts", "yaml": "yaml yml",
    "zig": "zig",
}  # fmt: skip
"""What ast-grep calls a language, and how the names of its files end."""

_SHORT = {"sh": "bash", "cc": "cpp", "c++": "cpp", "cs": "csharp", "golang": "go", "hs": "haskell",
          "js": "javascript", "jsx": "javascript", "kt": "kotlin", "md": "markdown", "py": "python",
          "rb": "ruby", "rs": "rust", "sol": "solidity", "ts": "typescript", "yml": "yaml"}  # fmt: skip
_KEPT = ("rule", "constraints", "utils")
_ASIDE = ("id", "language", "message", "severity", "note", "url", "fix", "metadata", "labels", "transform")
_NUMBERS = frozenset({"nthChild", "position", "line", "column"})
_DEEPEST = 50


class AstGrep(NamedTuple):
    """A rule for ast-grep: its language, and what decides as JSON."""

    language: str
    rule: str

    @property
    def endings(self) -> frozenset[str]:
        """How the names of the files end that it can be about."""
        return frozenset(ENDINGS[self.language].split())

    def document(self, name: str) -> str:
        """The rule as ast-grep is given it, under a name of ours."""
        told = {"id": name, "language": self.language, "severity": "hint", "message": name}
        return json.dumps({**told, **json.loads(self.rule)})


def is_one(tree: Node) -> bool:
    """True for a rule file that is meant for ast-grep."""
    return isinstance(tree, Map) and "language" in tree


def of(tree: Node, source: str) -> AstGrep:
    """The rule that a parsed file holds; raises `BadRule` with the place of what is wrong."""
    assert isinstance(tree, Map)
    for key in tree:
        line, column = tree.marks[key]
        if key in ("files", "ignores"):
            raise BadRule(f"{source}:{line}:{column}: `{key}` has no place here: write the ban's globs")
        if key not in (*_KEPT, *_ASIDE):
            known = " ".join(sorted((*_KEPT, *_ASIDE)))
            raise BadRule(f"{source}:{line}:{column}: no such key: {key}; there are: {known}")
    node = tree["language"]
    named = str(node).strip().lower() if isinstance(node, Text) else ""
    language = _SHORT.get(named, named)
    if language not in ENDINGS:
        known = " ".join(ENDINGS)
        raise BadRule(
            f"{source}:{node.line}:{node.column}: ast-grep knows no such language; it knows {known}"
        )
    if not isinstance(tree.get("rule"), Map) or not tree["rule"]:
        raise BadRule(f"{source}:1: `rule` is missing: what ast-grep looks for")
    kept = {key: _plain(tree[key], key, 0) for key in _KEPT if key in tree}
    return AstGrep(language, json.dumps(kept, sort_keys=True))


def _plain(node: Node, key: str, depth: int) -> Any:
    if depth > _DEEPEST:
        raise BadRule(f"line {node.line}: more than {_DEEPEST} values in each other")
    if isinstance(node, Map):
        return {name: _plain(value, name, depth + 1) for name, value in node.items()}
    if not isinstance(node, Text):
        return [_plain(item, key, depth + 1) for item in node]
    if key in _NUMBERS and node.plain and re.fullmatch(r"[0-9]{1,9}", node):
        return int(node)
    return node == "true" if key == "reverse" and node in ("true", "false") else str(node)


def suppressions(data: bytes, name: str) -> list[int]:
    """Where a source tells ast-grep to look away from a rule; that is no escape here, and no hit to it."""
    pattern = rb"ast-grep-ignore(?![^\S\n]*:)|ast-grep-ignore[^\S\n]*:[^\n]*" + re.escape(name.encode())
    return [match.start() for match in re.finditer(pattern, data)]
