"""Fact `tree`: the files below the root, read without being led out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.paths import Tree

if TYPE_CHECKING:
    from goblin.facts import Run


def load(run: Run) -> Tree:
    """The tree of the repository under test."""
    return Tree(run.root, frozen=run.frozen)
