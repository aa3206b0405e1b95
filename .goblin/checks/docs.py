"""DOC: documentation. What the last commit changed without a word in the docs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.outcome import CheckFailed, Outcome, advisory
from goblin.redact import clean

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.history import Changes

CODE = frozenset({
    "bash", "bats", "c", "cc", "cjs", "clj", "cpp", "cs", "css", "cxx", "dart", "ex", "exs", "fs", "go",
    "groovy", "h", "hpp", "hs", "htm", "html", "java", "jl", "js", "jsx", "kt", "kts", "lua", "m",
    "mjs", "ml", "mm", "nim", "php", "pl", "pm", "ps1", "py", "pyi", "r", "rb", "rs", "scala", "scss",
    "sh", "sol", "sql", "svelte", "swift", "tf", "ts", "tsx", "vb", "vue", "zig", "zsh",
})  # fmt: skip
"""Endings of file names that hold code, without the dot."""

SHOWN = 5


def a_code_change_updates_the_docs(facts: Facts) -> Outcome:
    """A significant change updates the docs that teach it.

    Always ADV: what is significant needs judgement. Says so when HEAD changes code (by file name ending,
    against its first parent, outside .goblin/) and no *.md at the root or below docs/.
    """
    try:
        changes: Changes = facts.get("head_changes")
    except CheckFailed as failure:
        return advisory(f"could not look: {failure.outcome.summary}")
    code = [path for path in changes.paths if _is_code(path)]
    if not code or any(map(_is_doc, changes.paths)):
        return advisory()
    shown = ", ".join(map(clean, code[:SHOWN])) + (
        f" and {len(code) - SHOWN} more" if len(code) > SHOWN else ""
    )
    told = f"HEAD ({changes.commit[:7]}) changes {len(code)} code file(s)"
    return advisory(f"{told} and no *.md at the root or in docs/: {shown}")


def _is_code(path: str) -> bool:
    name, dot, ending = path.rpartition("/")[2].rpartition(".")
    return bool(name and dot) and ending.lower() in CODE and not path.startswith(".goblin/")


def _is_doc(path: str) -> bool:
    return path.lower().endswith(".md") and ("/" not in path or path.startswith("docs/"))
