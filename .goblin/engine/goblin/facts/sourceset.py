"""Which files are sources of the project, by their names alone."""

from __future__ import annotations

SUFFIXES = frozenset({"ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"})
"""Endings of the source set."""

LEFT_OUT = (".git", ".goblin", ".hermes")
"""Folders at the top that hold no source of the project."""
