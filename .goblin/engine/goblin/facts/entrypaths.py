"""Fact `entry_paths`: where each entry path of the feature map occurs, and when that file last changed.

One search by git over the tracked files finds the candidates, which are then read to see which tokens
they hold. The map itself, the harness and the harness's own folders are not searched: the map lists its
tokens, so that it would make each of them resolve (spec FM-02).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from goblin import clock
from goblin.facts import content, lastcommit
from goblin.facts.installed import PLATFORMS
from goblin.git import GitError
from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.facts.featuremap import FeatureMap
    from goblin.facts.repository import Repository
    from goblin.git import Git
    from goblin.paths import Tree

UNTRACKED = 2000
"""Files that git does not track which are looked at, where a token stands in no tracked one."""

VERIFIED = 50
"""Files whose day is asked for one by one, before they are called newer than the map."""

_SNIFFED = 8000  # bytes in which a zero byte makes a file binary, as git sees it


class EntryPaths(NamedTuple):
    """Where the tokens stand. A token that is nowhere has no entry."""

    tracked: dict[str, tuple[str, ...]]  # token to the tracked text files that hold it, sorted
    untracked: dict[str, tuple[str, ...]]  # only for tokens that no tracked file holds
    days: dict[str, str]  # file to the day of its last change, YYYY-MM-DD; today for an uncommitted one
    root: str  # where was searched, `.` for everywhere
    shallow: bool


def load(feature_map: FeatureMap, config: Config, tree: Tree, facts: Facts) -> EntryPaths:
    """Search for every token of the map. Raises `CheckFailed` for a wrong `source_root`, and `GitError`."""
    if not feature_map.page or feature_map.problem:
        return EntryPaths({}, {}, {}, ".", False)
    root = _root(config, tree)
    git: Git = facts.get("git")
    head = facts.get("head")
    tokens = sorted({token.text for feature in feature_map.features for token in feature.named})
    if not tokens:
        return EntryPaths({}, {}, {}, root, head.shallow)
    left_out = _left_out(feature_map, config)
    repository: Repository = facts.get("repository")
    tracked = _in_tracked(tokens, root, left_out, tree, git, repository)
    lost = [token for token in tokens if token not in tracked]
    untracked = _in_untracked(lost, root, left_out, tree, git) if lost else {}
    days = _days({path for paths in tracked.values() for path in paths}, facts)
    days = _confirmed(days, _oldest(feature_map, tracked), facts)
    return EntryPaths(tracked, untracked, days, root, head.shallow)


def _root(config: Config, tree: Tree) -> str:
    root = config.path("source_root") or "."
    if root != "." and tree.kind(root) != "dir":
        raise CheckFailed(
            f"source_root {root} is no folder of this repository", [config.where("source_root")]
        )
    return root


class _LeftOut:
    """What is not searched: folders and single files."""

    def __init__(self, folders: Iterable[str], files: Iterable[str]) -> None:
        self._folders = tuple(f"{folder}/" for folder in folders)
        self._files = frozenset(files)

    def __contains__(self, path: str) -> bool:
        return path in self._files or path.startswith(self._folders)


def _left_out(feature_map: FeatureMap, config: Config) -> _LeftOut:
    folders = [".git", ".goblin", ".hermes", *PLATFORMS.values()]
    harness = config.path("harness_dir")
    if harness != ".":
        folders.append(harness)
    if feature_map.folder:
        folders.append(feature_map.folder)
    pages = [feature_map.page, *(feature.path for feature in feature_map.features)]
    return _LeftOut(folders, pages)


# --- where the tokens stand ----------------------------------------------------------------------


def _in_tracked(
    tokens: Sequence[str], root: str, left_out: _LeftOut, tree: Tree, git: Git, repository: Repository
) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for path in _searched(git, tokens, root):
        if path not in left_out:
            for token in _held(tokens, partial(content.of_file, tree, path)):
                found.setdefault(token, []).append(path)
    absent = {entry.path: entry.oid for entry in repository.of_tag("S") if entry.is_file}
    if absent:
        blobs = content.Blobs(git)
        for path in _searched(git, tokens, root, "--cached"):
            if path in absent and path not in left_out:
                for token in _held(tokens, partial(blobs.windows, absent[path])):
                    found.setdefault(token, []).append(path)
    return {token: tuple(sorted(set(paths))) for token, paths in found.items()}


def _searched(git: Git, tokens: Sequence[str], root: str, *options: str) -> list[str]:
    """The tracked files in which git finds one of the tokens, in the work tree or (`--cached`) the index."""
    args = (
        "-c",
        "submodule.recurse=false",
        "grep",
        *options,
        "-l",
        "-z",
        "-a",
        "-F",
        "--no-color",
        "-f",
        "-",
    )
    stdin = "".join(f"{token}\n" for token in tokens).encode("utf-8", "surrogateescape")
    done = git.call(*args, "--", *([root] if root != "." else []), stdin=stdin)
    if done.code > 1 or done.err:
        raise GitError(("grep",), done)
    return [os.fsdecode(path) for path in done.out.split(b"\0") if path]


def _held(tokens: Iterable[str], windows: Callable[[], Iterator[content.Window]]) -> list[str]:
    """The tokens that stand in a text; none for a binary file, and for one that cannot be read."""
    left = {token: token.encode("utf-8", "surrogateescape") for token in tokens}
    found: list[str] = []
    try:
        for window in windows():
            if not window.offset and b"\0" in window.data[:_SNIFFED]:
                return []
            found += [token for token, raw in left.items() if raw in window.data]
            for token in found:
                left.pop(token, None)
    except (ReadRefused, content.NotHere):
        return []
    return found


def _in_untracked(
    tokens: Sequence[str], root: str, left_out: _LeftOut, tree: Tree, git: Git
) -> dict[str, tuple[str, ...]]:
    """The same for files that git does not track: new ones, and ignored ones outside ignored folders."""
    below = [root] if root != "." else []
    listed: list[str] = []
    for more in ((), ("-i", "--directory")):
        out = git.run("ls-files", "-o", "-z", "--exclude-standard", *more, "--", *below)
        listed += [os.fsdecode(path) for path in out.split(b"\0") if path and not path.endswith(b"/")]
    found: dict[str, list[str]] = {}
    for path in listed[:UNTRACKED]:
        if path not in left_out:
            for token in _held(tokens, partial(content.of_file, tree, path)):
                found.setdefault(token, []).append(path)
    return {token: tuple(paths) for token, paths in found.items()}


# --- when they changed -----------------------------------------------------------------------------


def _days(paths: Iterable[str], facts: Facts) -> dict[str, str]:
    wanted = frozenset(paths)
    today = clock.today().isoformat()
    changed = {change.path for change in facts.get("status")}
    days = dict.fromkeys(wanted & changed, today)
    head, run = facts.get("head"), facts.run
    if head.commit is None or head.shallow:
        return {**dict.fromkeys(wanted, today), **days}
    keep = run.git_dir or "" if run.cache and not run.static else ""
    committed = lastcommit.days(facts.get("git"), head.commit.oid, wanted - changed, keep)
    return {**days, **{path: committed.get(path, today) for path in wanted - changed}}


def _confirmed(days: dict[str, str], oldest: dict[str, str], facts: Facts) -> dict[str, str]:
    """The same days, made exact where a file seems to be newer than a day on which it was verified.

    One walk for all files also counts a change that a merge threw away; the exact day does not.
    """
    head = facts.get("head")
    changed = {change.path for change in facts.get("status")}
    seeming = [path for path, day in sorted(oldest.items()) if days[path] > day and path not in changed]
    if head.commit is None or head.shallow or len(seeming) > VERIFIED:
        return days
    git = facts.get("git")
    exact = {path: lastcommit.exactly(git, head.commit.oid, path) or days[path] for path in seeming}
    return {**days, **exact}


def _oldest(feature_map: FeatureMap, tracked: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """Each file with the earliest day on which a feature that leads to it was verified."""
    found: dict[str, str] = {}
    for feature in feature_map.features:
        if feature.verified:
            day = feature.verified.isoformat()
            for token in feature.named:
                for path in tracked.get(token.text, ()):
                    found[path] = min(day, found.get(path, day))
    return found
