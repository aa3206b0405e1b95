"""Fact `workflows`: what the CI files of the forges say, as jobs and steps with their places.

Read as YAML 1.2 with anchors and merge keys resolved, so a flow mapping, a quoted key or a condition
that comes from an anchor is what it is for the forge. What is parsed is kept in the git directory by
content, because parsing costs more than every row that looks at it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from goblin import cache, yaml
from goblin.facts import actions, gitlab
from goblin.facts.jobs import Workflow
from goblin.facts.triggers import Place
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.repository import Repository
    from goblin.paths import Tree
    from goblin.yaml import Node

FOLDERS = (".github/workflows", ".forgejo/workflows", ".gitea/workflows")
GITLAB = ".gitlab-ci.yml"
LIMIT = 1 << 20
"""Bytes of one workflow that are read."""

TOTAL = 8 << 20
"""Bytes of all workflows that are read: reading YAML takes up to half a minute a megabyte."""

_CACHE = "workflows.json"
_CACHE_FORMAT = 1


def load(facts: Facts) -> tuple[Workflow, ...]:
    """Every workflow of the tree, by path. A file that sparse checkout left out is read from the index."""
    tree: Tree = facts.get("tree")
    repository: Repository | None = facts.get("repository") if facts.run.repo else None
    sources = dict(_sources(tree, facts, repository))
    kept = _Kept(facts)
    found = []
    total = 0
    for path, data in sorted(sources.items()):
        tracked = repository is None or repository.tracks(path)
        total += len(data)
        if total > TOTAL:
            data = f"not read: the workflows are more than {TOTAL >> 20} MiB up to here"
        if isinstance(data, str):
            found.append(Workflow(path, problem=Place(0, 0, data), tracked=tracked))
            continue
        try:
            root = kept.parsed(path, data)
        except yaml.YamlError as error:
            place = Place(error.line, error.column, error.message)
            found.append(Workflow(path, problem=place, tracked=tracked))
            continue
        found.append(read(path, root, data)._replace(tracked=tracked))
    kept.keep()
    return tuple(found)


def read(path: str, root: Node, data: bytes = b"") -> Workflow:
    """A parsed file as a workflow; `data` is what it was parsed from."""
    return gitlab.read(path, root) if path == GITLAB else actions.Reader(path, data).workflow(root)


# --- finding the files -------------------------------------------------------------------------


def _sources(tree: Tree, facts: Facts, repository: Repository | None) -> Iterator[tuple[str, bytes | str]]:
    """Each workflow's path with its bytes, or with the reason why they are not read."""
    paths = {GITLAB} if tree.kind(GITLAB) != "missing" else set()
    for folder in FOLDERS:
        if tree.kind(folder) in ("link", "other", "outside"):
            yield folder, "a folder is expected here, not a link or a special file"
            continue
        try:
            names = [name for name in tree.names(folder) if name.endswith((".yml", ".yaml"))]
        except ReadRefused as error:
            yield folder, str(error)
            continue
        paths |= {f"{folder}/{name}" for name in names if tree.kind(f"{folder}/{name}") != "dir"}
    for path in paths:
        try:
            yield path, tree.read(path, LIMIT)
        except ReadRefused as error:
            yield path, str(error).removeprefix(f"{path}: ")
    if repository is not None:
        yield from _left_out(facts, repository, paths)


def _left_out(facts: Facts, repository: Repository, present: set[str]) -> Iterator[tuple[str, bytes | str]]:
    """Tracked workflows that sparse checkout did not write; one that was deleted is not among them."""
    absent = {
        entry.path: entry
        for folder in FOLDERS
        for entry in repository.below(folder)
        if entry.is_file
        and entry.path.endswith((".yml", ".yaml"))
        and "/" not in entry.path[len(folder) + 1 :]
        and entry.path not in present
    }
    if not absent:
        return
    git = facts.get("git")
    for record in git.run("ls-files", "-v", "-z", "--", *absent).split(b"\0"):
        path = os.fsdecode(record[2:])
        if record[:1] in (b"S", b"s") and path in absent:
            blob = git.objects([absent[path].oid])[0]
            if blob is None:
                yield path, "its content is missing from this clone"
            else:
                yield path, blob[2] if len(blob[2]) <= LIMIT else f"more than the {LIMIT} bytes that are read"


class _Kept:
    """Parsed files, kept between runs by the digest of their content."""

    def __init__(self, facts: Facts) -> None:
        run = facts.run
        self._folder = run.git_dir or "" if run.cache and not run.static else ""
        self._old = self._recalled() if self._folder else {}
        self._new: dict[str, object] = {}

    def _recalled(self) -> dict[str, object]:
        value = cache.recall(self._folder, _CACHE)
        if not isinstance(value, dict) or value.get("format") != _CACHE_FORMAT:
            return {}
        files = value.get("files")
        return files if isinstance(files, dict) else {}

    def parsed(self, path: str, data: bytes) -> Node:
        """The file's tree; raises `YamlError`."""
        if not self._folder:
            return yaml.load(data, path, merge=True, limit=LIMIT)
        from hashlib import sha256

        from goblin import __version__

        key = sha256(__version__.encode() + b"\0" + data).hexdigest()
        try:
            root = yaml.load_tree(self._old[key])
        except (KeyError, ValueError):
            root = yaml.load(data, path, merge=True, limit=LIMIT)
            self._new[key] = yaml.dump_tree(root)
        else:
            self._new[key] = self._old[key]
        return root

    def keep(self) -> None:
        """Write what this run parsed, where that differs from what was kept."""
        if self._folder and self._new.keys() != self._old.keys():
            cache.remember(self._folder, _CACHE, {"format": _CACHE_FORMAT, "files": self._new})
