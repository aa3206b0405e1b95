"""Fact `sources`: the source files of the repository, and which files may hold what a rule looks for.

A tracked file is judged as the index has it: that is what others get, and it is there in a sparse
checkout too. The work tree's own version of a changed file is judged as well. Links and submodules are
counted, never entered. Nothing is read before a rule asks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from goblin.facts import content
from goblin.facts.needles import Needle, table
from goblin.facts.repository import parsed
from goblin.facts.search import Search, Source
from goblin.facts.sourceset import LEFT_OUT, SUFFIXES
from goblin.outcome import CheckFailed, Finding
from goblin.paths import LIMIT, ReadRefused

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.content import Window
    from goblin.facts.repository import Repository
    from goblin.git import Git
    from goblin.paths import Tree

_LAST = frozenset(f".{suffix}"[-3:].encode() for suffix in SUFFIXES) | {b"\tts", b"\tjs"}
"""How the paths of the source set end, as far as three characters tell."""

KEPT = 32 << 20
"""Bytes of contents that are held for the rules that read them next."""

GONE = "in the index; deleted in the work tree"
STAGED = "as staged; the work tree has another version"
MERGING = "one side of an unresolved merge"
ABSENT = "in the index; not checked out"


def is_settings(path: str) -> bool:
    """True for a file named `.env*`."""
    return path.rpartition("/")[2].startswith(".env")


def directories(declared: Sequence[str]) -> tuple[str, ...]:
    """Declared directories as paths from the root, `.` for the root itself."""
    return tuple(dict.fromkeys(path.removeprefix("./").rstrip("/") or "." for path in declared))


class Sources:
    """The source set, and the needles of every text.

    `states` are git's two-letter states by path; a path of `walked` is a file of a tree without git.
    """

    def __init__(
        self,
        tree: Tree,
        search: Search | None = None,
        repository: Repository | None = None,
        states: Mapping[str, str] | None = None,
        output: Sequence[str] = (),
        git: Git | None = None,
    ) -> None:
        self._tree = tree
        self._search = search
        self._repository = repository
        self._states = states or {}
        self._left_out = tuple(f"{path}/" for path in (*LEFT_OUT, *output))
        self._blobs = content.Blobs(git) if git else None
        self._contents: dict[Source, bytes] = {}
        self._room = KEPT
        self._needles = table()
        self._unread: dict[Source, Finding] = {}

    @property
    def tracked(self) -> int:
        """How many contents of regular files the index names."""
        return self._repository.files if self._repository else 0

    @property
    def links(self) -> int:
        """How many links are tracked."""
        return len(self._repository.of_mode("120000")) if self._repository else 0

    @property
    def submodules(self) -> tuple[str, ...]:
        """The paths of the submodules."""
        return tuple(entry.path for entry in self._repository.of_mode("160000")) if self._repository else ()

    def is_source(self, path: str) -> bool:
        """True for a path of the source set: by its ending and its folder, whatever it holds."""
        return path.rpartition(".")[2].lower() in SUFFIXES and self._is_ours(path)

    def _is_ours(self, path: str) -> bool:
        return not path.startswith(self._left_out) and "node_modules" not in path.split("/")[:-1]

    @cached_property
    def source_set(self) -> dict[str, Source]:
        """The source set by path: the work tree's version of what is changed or new, else the index's."""
        found = {}
        for record in self._tracked:
            path, _, oid, *_ = parsed(record)
            if self._states.get(path, "  ")[1] not in "DT":
                found[path] = Source(path, oid, self._note(path))
        for source in self._in_the_work_tree():
            if self.is_source(source.path):
                found[source.path] = source
        return found

    @property
    def count(self) -> int:
        """How many files the source set has, without making it where little differs from the index."""
        changed = [path for path in self._states if self.is_source(path)]
        if changed:
            return len(self.source_set)
        return len(self._tracked)

    def stands(self, folder: str) -> bool:
        """True where a file of the source set lies below a folder."""
        if any(path.startswith(f"{folder}/") and path in self.source_set for path in self._states):
            return True
        below = self._repository.below(folder) if self._repository else ()
        return any(one.is_file and one.path not in self._states and self.is_source(one.path) for one in below)

    @cached_property
    def _tracked(self) -> list[bytes]:
        """The records of the index whose files belong to the source set by ending and folder."""
        repository = self._repository
        if repository is None:
            return []
        folders = tuple(map(os.fsencode, self._left_out))
        at = repository.head
        found = []
        for record in repository.records:
            if record[-3:].lower() not in _LAST or record.startswith(folders, at):
                continue
            if record.startswith(b"100", 2) and self.is_source(os.fsdecode(record[at:])):
                found.append(record)
        return found

    def holding(self, needle: str) -> tuple[Source, ...]:
        """The versions of files that may hold a needle, sorted by path.

        For a needle of the source set, the one version of a file that `source_set` names.
        """
        return self._holding[needle]

    @property
    def unread(self) -> tuple[Finding, ...]:
        """What the pass could not look at; a rule that passed over it would pass over anything."""
        assert self._holding is not None
        return tuple(self._unread.values())

    @property
    def unread_sources(self) -> tuple[Finding, ...]:
        """The same, of the source set and files named `.env*` alone."""
        return tuple(f for f in self.unread if self.is_source(f.path) or is_settings(f.path))

    def windows(self, source: Source) -> Iterator[Window]:
        """The bytes of a version; raises `ReadRefused`."""
        kept = self._contents.get(source)
        if kept is not None:
            yield content.Window(0, kept)
        elif not source.oid:
            yield from content.of_file(self._tree, source.path)
        else:
            assert self._blobs
            try:
                yield from self._blobs.windows(source.oid)
            except content.NotHere as error:
                raise ReadRefused(f"{source.path}: {error}") from error

    def data(self, source: Source, limit: int = LIMIT) -> bytes:
        """The whole content of a version; raises `ReadRefused`, also for more than `limit` bytes."""
        if not source.oid and source not in self._contents:
            return self._tree.read(source.path, limit)
        parts: list[bytes] = []
        size = 0
        for window in self.windows(source):
            parts.append(window.data[size - window.offset :])
            size = window.offset + len(window.data)
            if size > limit:
                raise ReadRefused(f"{source.path}: more than the {limit >> 20} MiB that are read")
        return b"".join(parts)

    # --- the pass -----------------------------------------------------------------------------------

    @cached_property
    def _holding(self) -> dict[str, tuple[Source, ...]]:
        found: dict[str, list[Source]] = {needle.name: [] for needle in self._needles}
        for source, names in self._suspects():
            for needle in self._needles:
                if needle.name in names and self._concerns(needle, source):
                    found[needle.name].append(source)
        return {name: tuple(sorted(sources)) for name, sources in found.items()}

    def _suspects(self) -> Iterator[tuple[Source, frozenset[str]]]:
        if self._search:
            for source, names in self._search.results(self._look):
                noted = source._replace(note=self._note(source.path))
                yield noted, names or self._attempt(noted)
        for source in self._in_the_work_tree():
            new = self._states.get(source.path, "??") == "??"
            if not new or self.is_source(source.path) or is_settings(source.path):
                yield source, self._attempt(source)

    def _in_the_work_tree(self) -> Iterator[Source]:
        """The work tree's own version of each changed file, and each file that is not ignored and new."""
        for path, state in self._states.items():
            if _in_the_work_tree(state) and not path.endswith("/"):
                yield Source(path)

    def _attempt(self, source: Source) -> frozenset[str]:
        try:
            return self._look(source)
        except ReadRefused as error:
            if source.oid or self._tree.kind(source.path) == "file":
                reason = str(error).partition(": ")[2] or str(error)
                self._unread[source] = source.finding(0, 0, f"not looked at: {reason}")
            return frozenset()

    def _look(self, source: Source) -> frozenset[str]:
        """The needles of which a literal stands in a version; raises `ReadRefused`."""
        found: frozenset[str] = frozenset()
        windows = 0
        for window in self.windows(source):
            windows += 1
            zeros = b"\0" in window.data
            if zeros and window.data.count(b"\0") == len(window.data):
                continue  # a hole: a sparse file of gigabytes has nothing else
            found |= {needle.name for needle in self._needles if needle.may_match(window.data, zeros)}
        if found and windows == 1 and len(window.data) <= self._room:
            self._contents[source] = window.data
            self._room -= len(window.data)
        return found

    def _concerns(self, needle: Needle, source: Source) -> bool:
        if needle.kind == "tracked":
            return self._states.get(source.path) != "??"
        if needle.kind == "settings" and is_settings(source.path):
            return self._is_ours(source.path) and source.note not in (GONE, STAGED)
        if not self.is_source(source.path):
            return False
        state = self._states.get(source.path, "  ")
        return not source.oid if _in_the_work_tree(state) else bool(source.oid) and state[1] not in "DT"

    def _note(self, path: str) -> str:
        """What a reader must know of the index's version of a file."""
        state = self._states.get(path, "  ")
        if state != "  " and state[1] != " ":
            return MERGING if "U" in state or state in ("AA", "DD") else GONE if state[1] == "D" else STAGED
        return ABSENT if path in self._absent else ""

    @cached_property
    def _absent(self) -> frozenset[str]:
        return (
            frozenset(one.path for one in self._repository.of_tag("S")) if self._repository else frozenset()
        )


def _in_the_work_tree(state: str) -> bool:
    """True for a state in which the work tree's own version counts."""
    return state[1] in "MAU" or "U" in state or state == "??"


def _walked(tree: Tree) -> Iterator[str]:
    """Every regular file on disk, for a tree without git."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(tree.root, folder)) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in listed:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False) and entry.name not in (*LEFT_OUT, "node_modules"):
                waiting.append(path)
            elif entry.is_file(follow_symlinks=False):
                yield path


def load(facts: Facts) -> Sources:
    """List what there is to look at; reads no content yet. Raises `GitError` and `CheckFailed`."""
    tree: Tree = facts.get("tree")
    try:
        output = directories(facts.get("config").words("security.build_output"))
    except CheckFailed:
        output = ()  # the row that reads the key says what is wrong with it
    if facts.run.repo is None:
        return Sources(tree, states=dict.fromkeys(_walked(tree), "??"), output=output)
    search: Search = facts.get("search")  # first: it works while git status does
    states = {change.path: change.state for change in facts.get("status")}
    return Sources(tree, search, facts.get("repository"), states, output, facts.get("git"))
