"""Whether the extra is installed that reads source as a syntax tree (`pip install goblin-stack[ast]`)."""

from __future__ import annotations

import os
from functools import cache

MODULES = ("tree_sitter", "tree_sitter_typescript")


@cache
def versions() -> str:
    """What would parse, with its version; "" where the extra is not installed. Nothing is loaded for this."""
    from importlib.machinery import PathFinder

    found = []
    for name in MODULES:
        spec = PathFinder.find_spec(name)
        if spec is None or not spec.origin:
            return ""
        parent = os.path.dirname(spec.origin)
        folder = os.path.dirname(parent) if os.path.basename(parent) == name else parent
        marks = [entry for entry in os.listdir(folder) if entry.startswith(f"{name}-")]
        found.append(" ".join(sorted(marks)) or name)
    return " ".join(found)
