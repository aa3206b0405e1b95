"""Fact `feature_map`: the declared map of features, its index, and each feature file of its folder.

    feature_map: docs/features/README.md      the index; the other `*.md` beside it are the features

A feature file opens with front matter (`feature`, `entry_paths`, `verified`) and has four sections.
"""

from __future__ import annotations

import os
from functools import cached_property
from posixpath import dirname
from typing import TYPE_CHECKING, NamedTuple

from goblin import clock
from goblin.facts.links import Link, links
from goblin.markdown import Heading, blank, front_matter
from goblin.outcome import Finding
from goblin.paths import ReadRefused, confined
from goblin.pattern import lazy

if TYPE_CHECKING:
    from datetime import date

    from goblin.facts.config import Config
    from goblin.paths import Tree
    from goblin.yaml import Node

KEY = "feature_map"
LIMIT = 1 << 20
"""Bytes of one page of the map that are read."""

MOST = 2000
"""Feature files of one map that are read."""

_ATX = lazy(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:(?<![ \t])[ \t]++(?:#++[ \t]*+)?)?")
_UNDERLINE = lazy(r" {0,3}-+[ \t]*")
_TEXT = lazy(r" {0,3}(?![-+*][ \t]|[0-9]{1,9}[.)][ \t]|[>#|])\S")


class Token(NamedTuple):
    """One entry path, and the line of the feature file that names it."""

    text: str
    line: int


class Feature:
    """One feature file. `problem` says why it cannot be read."""

    def __init__(self, path: str, text: str = "", problem: str = "") -> None:
        self.path = path
        self.text = text
        self.problem = problem

    @property
    def stem(self) -> str:
        """The file name without `.md`."""
        return self.path.rpartition("/")[2].removesuffix(".md")

    @cached_property
    def front(self) -> dict[str, Node] | Finding:
        """The keys of the front matter, or what is wrong with it."""
        from goblin import yaml

        block = front_matter(self.text)
        if block is None:
            return Finding(self.path, 1, 0, "no front matter: the first line is not ---")
        if not block.end:
            return Finding(self.path, 1, 0, "the front matter is not closed by a line ---")
        try:
            root = yaml.load(b"\n" + block.text.encode("utf-8", "surrogateescape"), self.path)
        except yaml.YamlError as error:
            return Finding(self.path, error.line, error.column, f"front matter: {error.message}")
        if not isinstance(root, yaml.Map):
            return Finding(self.path, 2, 0, "the front matter is no mapping: write key: value lines")
        return dict(root)

    def value(self, key: str) -> str:
        """One text of the front matter, "" where it is not set, no text, or cannot be read."""
        from goblin import yaml

        node = self.front.get(key) if isinstance(self.front, dict) else None
        return node.strip() if isinstance(node, yaml.Text) and not yaml.is_unset(node) else ""

    def line_of(self, key: str) -> int:
        """The line of a key's value, 1 where there is none."""
        node = self.front.get(key) if isinstance(self.front, dict) else None
        return node.line if node is not None else 1

    @cached_property
    def tokens(self) -> tuple[Token, ...] | Finding:
        """The entry paths, or what is wrong with them."""
        from goblin import yaml

        node = self.front.get("entry_paths") if isinstance(self.front, dict) else None
        items = node if isinstance(node, yaml.List) else [] if node is None or yaml.is_unset(node) else [node]
        found = []
        for item in items:
            if not isinstance(item, yaml.Text):
                return Finding(self.path, item.line, item.column, "an entry path is one text")
            text = item.strip()
            if text and not yaml.is_unset(item):
                if any(char.isspace() or not char.isprintable() for char in text):
                    return Finding(self.path, item.line, item.column, f"entry path {text!r} is not one token")
                found.append(Token(text, item.line))
        if not found:
            return Finding(self.path, self.line_of("entry_paths"), 0, "entry_paths names no entry path")
        return tuple(found)

    @property
    def named(self) -> tuple[Token, ...]:
        """The entry paths, none where something is wrong with them."""
        return () if isinstance(self.tokens, Finding) else self.tokens

    @property
    def verified(self) -> date | None:
        """The day on which somebody drove the feature; None where that is not set, or no day."""
        return clock.parse_date(self.value("verified"))

    @cached_property
    def sections(self) -> tuple[Heading, ...]:
        """Every heading of level 2, as a reader of rendered Markdown sees them."""
        block = front_matter(self.text)
        return tuple(h for h in headings(self.text, block.end if block else 0) if h.level == 2)

    @cached_property
    def links(self) -> list[Link]:
        """Every link of the file."""
        return links(self.text)


class FeatureMap(NamedTuple):
    """The map. `page` is its index, "" where none is declared; `problem` says why that cannot be read."""

    page: str = ""
    folder: str = ""  # "" for the root
    links: tuple[Link, ...] = ()
    features: tuple[Feature, ...] = ()
    problem: str = ""


def headings(text: str, after: int = 0) -> list[Heading]:
    """The headings below line `after`: with `#`, indented by up to three blanks, or underlined by `-`."""
    lines = blank(text).split("\n")
    found = []
    for number, raw in enumerate(lines[after:], start=after + 1):
        line = raw.removesuffix("\r")
        match = _ATX.fullmatch(line)
        if match:
            found.append(Heading(number, len(match[1]), (match[2] or "").strip()))
        elif _UNDERLINE.fullmatch(line) and number > after + 1:
            above = lines[number - 2].removesuffix("\r")
            if _TEXT.match(above) and not _UNDERLINE.fullmatch(above):
                found.append(Heading(number - 1, 2, above.strip()))
    return found


def load(tree: Tree, config: Config) -> FeatureMap:
    """Read the map that the config declares. Raises `CheckFailed` for a value that is no text."""
    declared = config.text(KEY).strip()
    if not declared:
        return FeatureMap()
    index = _inside(tree, declared)
    if not index:
        return FeatureMap(declared, problem="it is not a file inside the repository")
    folder = dirname(index)
    try:
        found = tuple(links(tree.text(index, LIMIT)))
    except ReadRefused as error:
        missing = tree.kind(index) == "missing"
        return FeatureMap(index, folder, problem="it does not exist" if missing else _reason(error, index))
    try:
        names = [name for name in tree.names(folder) if name.endswith(".md") and not name.startswith(".")]
    except ReadRefused as error:
        return FeatureMap(index, folder, found, problem=str(error))
    paths = [f"{folder}/{name}" if folder else name for name in names]
    if len(paths) > MOST:
        told = f"more than {MOST} files stand beside it"
        return FeatureMap(index, folder, found, problem=told)
    features = tuple(_feature(tree, path) for path in paths if path != index)
    return FeatureMap(index, folder, found, features)


def _inside(tree: Tree, declared: str) -> str:
    """The declared path from the root, "" where it leads out of it; absolute paths are taken too."""
    if os.path.isabs(declared):
        parent = os.path.realpath(os.path.dirname(declared))
        declared = os.path.relpath(os.path.join(parent, os.path.basename(declared)), tree.root)
    path = os.path.normpath(declared)
    return path if confined(path) and tree.kind(path) != "outside" else ""


def _feature(tree: Tree, path: str) -> Feature:
    try:
        return Feature(path, tree.text(path, LIMIT))
    except ReadRefused as error:
        return Feature(path, problem=_reason(error, path))


def _reason(error: ReadRefused, path: str) -> str:
    return str(error).removeprefix(f"{path}: ").removeprefix(path)
