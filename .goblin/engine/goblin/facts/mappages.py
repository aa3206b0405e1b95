"""Fact `map_links`: what the pages of the feature map link, and which of those links lead nowhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.links import Link, resolve
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goblin.facts.featuremap import FeatureMap
    from goblin.paths import Tree


class Broken(NamedTuple):
    """A link that leads nowhere, and where it stands."""

    source: str
    line: int
    problem: str


class Pages(NamedTuple):
    """The paths that the index links, and the broken links of all pages."""

    linked: frozenset[str]
    broken: tuple[Broken, ...]


def load(feature_map: FeatureMap, tree: Tree) -> Pages:
    """Follow every relative link to an `.md` file, of the index and of the feature files."""
    index = feature_map.page
    targets = frozenset(path for link in feature_map.links if (path := resolve(index, link.target)))
    broken = list(_broken(index, feature_map.links, tree))
    for feature in feature_map.features:
        broken += _broken(feature.path, feature.links, tree)
    return Pages(targets, tuple(broken))


def _broken(source: str, links: Iterable[Link], tree: Tree) -> Iterable[Broken]:
    for link in links:
        path = resolve(source, link.target)
        if path.lower().endswith(".md"):
            problem = _problem(tree, path)
            if problem:
                yield Broken(source, link.line, f"the link {link.target} {problem}")


def _problem(tree: Tree, path: str) -> str:
    if path.startswith("../"):
        return "leaves the repository"
    try:
        full = os.path.realpath(tree.full(path))
    except ReadRefused:
        return "leaves the repository"
    if not full.startswith(tree.root.rstrip("/") + "/"):
        return "leaves the repository by a symbolic link"
    return "" if os.path.isfile(full) else f"leads to {path}, which does not exist"
