"""Handles: the pointers that a verdict may cite, and what each of them resolves to (spec section 7.1).

A handle resolves to a commit that a ref or HEAD reaches, to a tracked file, or to the digest of
a file of the record. A command resolves to nothing: its output is not in the record.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin.commitid import named
from goblin.digest import sha256
from goblin.git import Git
from goblin.loop import DIRECTORY as DIRECTORY
from goblin.paths import ReadRefused, Tree

if TYPE_CHECKING:
    from goblin.facts import Facts

OUTPUTS = "out"
"""Folder of a record that holds captured outputs, each named by the digest of its bytes."""

CONTROL_FILES = frozenset(
    {"predicate", "predicate.sha256", "first-run", "budget", "decisions.tsv", "stuck.md"}
    | {"control", "surface.sha256", "events.jsonl", "events.torn"}
)
"""Files of a record, live or archived, that exist whatever the work achieved: never evidence."""

FORMS = "sha:<commit>, file:<tracked path> or sha256:<digest of a captured output>"
"""The handles that can resolve, in words."""

SHORTEST = 7
"""Digits of a commit id below which a handle is refused."""

CAPTURE_LIMIT = 64 << 20
"""Bytes of one file of the record that are hashed; a larger one is named, not read."""

_TYPED = frozenset(("sha", "file", "sha256"))
_KINDS = _TYPED | {"cmd"}
_ARCHIVE = re.compile(r"closed-.*", re.DOTALL)
_HEX = frozenset("0123456789abcdefABCDEF")
_SHOWN = 120  # characters of a handle that a message repeats
_AT_ONCE = 20_000  # cells whose handles are held at the same time
_PER_CALL = 100  # paths on one command line
_WHOLE_INDEX = 1000  # paths from which on the whole index is listed once
_LONGEST_PATH = 4096


MOST = 10_000
"""Handles of one cell that are read; what follows them resolves to nothing."""


class Handle(NamedTuple):
    """One pointer of an evidence cell. `kind` is `sha`, `file`, `sha256`, `cmd` or `other`."""

    kind: str
    value: str  # what stands after the colon; of an `other` the whole text
    text: str  # as written, trimmed

    @property
    def shown(self) -> str:
        """The handle as a message may repeat it: cut where it is long."""
        return self.text if len(self.text) <= _SHOWN else self.text[:_SHOWN] + "..."

    @property
    def typed(self) -> bool:
        """True for the three kinds that can resolve."""
        return self.kind in _TYPED


class Resolved(NamedTuple):
    """What became of one handle: its one canonical spelling, or the reason why it points at nothing."""

    ok: bool
    canonical: str
    reason: str = ""


def parse(cell: str) -> tuple[Handle, ...]:
    """The handles of an evidence cell: split on commas alone, trimmed, empty ones dropped. Never raises."""
    parts = cell.split(",", MOST)
    found = [_handle(text) for part in parts[:MOST] if (text := part.strip())]
    if len(parts) > MOST:
        found.append(Handle("other", "", f"what follows after {MOST} handles"))
    return tuple(found)


def _handle(text: str) -> Handle:
    kind, colon, value = text.partition(":")
    return Handle(kind, value, text) if colon and kind in _KINDS else Handle("other", text, text)


class Cell(NamedTuple):
    """An evidence cell, resolved. Two cells with equal pointers point at the same things."""

    pointer: frozenset[str]
    resolves: bool  # a handle resolves, and none of a kind that can resolve does not


class Resolver:
    """Resolves handles against one repository and one record; remembers what it looked up.

    `git` may be None where there is no repository; then only `sha256:` can resolve. Every method but
    the constructor may raise `GitError`.
    """

    def __init__(self, root: str, git: Git | None, directory: str = DIRECTORY) -> None:
        self._tree = Tree(root)
        self._git = git
        self._directory = directory
        self._commits: dict[str, Resolved] = {}  # by folded hex
        self._files: dict[str, Resolved] = {}  # by normal path, and by every other spelling of it
        self._outputs: frozenset[str] | None = None  # names in the folder of captured outputs
        self._captures: dict[str, bool] = {}  # by folded hex, of those that have such a name
        self._digests: dict[str, str] | None = (
            None  # of each file of the record: the name of a control file, or ""
        )
        self._cells: dict[str, Cell] = {}  # by their text
        self._single: dict[str, Cell] = {}  # of one handle, by its canonical spelling
        self._unread: list[str] = []

    def resolve(self, handle: Handle) -> Resolved:
        """What one handle points at. Look up many with `prime` first: then none costs a process."""
        if handle.kind == "sha":
            return self._commit(handle.value.lower())
        if handle.kind == "file":
            return self._file(handle.value)
        if handle.kind == "sha256":
            return self._digest(handle.value.lower())
        text = " ".join(handle.text.split())
        if handle.kind == "cmd":
            return Resolved(False, text, "a command resolves to nothing: its output is not in the record")
        return Resolved(False, text, f"no handle; cite {FORMS}")

    def prime(self, handles: Iterable[Handle]) -> None:
        """Look up every `sha:` and `file:` handle at once: three git processes, however many there are."""
        known = list(handles)
        shas = {handle.value for handle in known if handle.kind == "sha"}
        files = {handle.value for handle in known if handle.kind == "file"}
        tokens = {value.lower() for value in shas if not _token_fault(value)}
        paths = {path for path, fault in map(_normal, files - self._files.keys()) if not fault}
        self._look_up_commits(sorted(tokens - self._commits.keys()))
        self._look_up_files(sorted(paths - self._files.keys()))

    def look_up(self, cells: Iterable[str]) -> None:
        """Resolve many evidence cells at once; `cell` then answers for each of them."""
        new = list(set(cells).difference(self._cells))
        for at in range(0, len(new), _AT_ONCE):
            parsed = [(text, parse(text)) for text in new[at : at + _AT_ONCE]]
            self.prime(handle for _, handles in parsed for handle in handles)
            for text, handles in parsed:
                self._cells[text] = self._cell(handles)

    def cell(self, text: str) -> Cell:
        """What an evidence cell points at."""
        found = self._cells.get(text)
        if found is None:
            found = self._cells[text] = self._cell(parse(text))
        return found

    def _cell(self, handles: Sequence[Handle]) -> Cell:
        typed = [handle for handle in handles if handle.kind in _TYPED]
        if len(typed) == 1:
            return self._of_one(self.resolve(typed[0]))
        found = [self.resolve(handle) for handle in typed or handles]
        return Cell(frozenset(one.canonical for one in found), bool(found) and all(one.ok for one in found))

    def _of_one(self, found: Resolved) -> Cell:
        """The cell of one handle; those of many rows on one file or commit are one object."""
        if found.canonical not in self._single:
            self._single[found.canonical] = Cell(frozenset((found.canonical,)), found.ok)
        return self._single[found.canonical]

    def _commit(self, token: str) -> Resolved:
        fault = _token_fault(token)
        if fault:
            return Resolved(False, f"sha:{token}", fault)
        if token not in self._commits:
            self._look_up_commits([token])
        return self._commits[token]

    def _look_up_commits(self, tokens: Sequence[str]) -> None:
        if not tokens:
            return
        if self._git is None:
            for token in tokens:
                self._commits[token] = Resolved(False, f"sha:{token}", "there is no git repository here")
            return
        found = named(self._git, tokens)
        reached = self._reached({oid for name in found.values() for oid in name.candidates})
        depth = "; this clone is shallow: git fetch --unshallow" if self._shallow() else ""
        for token in tokens:
            name = found[token]
            commits = [oid for oid in name.candidates if oid in reached]
            if len(commits) == 1:
                self._commits[token] = Resolved(True, f"sha:{commits[0]}")
                continue
            reason = name.reason
            if name.commit:
                reason = "is a commit that neither a ref nor HEAD reaches"
            self._commits[token] = Resolved(False, f"sha:{token}", reason + depth)

    def _reached(self, commits: set[str]) -> set[str]:
        """Those of the commits that `git rev-list --all` would list."""
        if not commits or self._git is None:
            return set()
        stdin = "".join(f"{oid}\n" for oid in sorted(commits)).encode()
        out = self._git.run("rev-list", "--stdin", "--not", "--all", stdin=stdin)
        return commits.difference(out.decode("ascii").split())

    def _shallow(self) -> bool:
        return self._git is not None and os.path.exists(os.path.join(self._git.repo.common_dir, "shallow"))

    def _file(self, value: str) -> Resolved:
        found = self._files.get(value)
        if found is None:
            path, fault = _normal(value)
            if fault:
                return Resolved(False, f"file:{value}", fault)
            if path not in self._files:
                self._look_up_files([path])
            found = self._files[value] = self._files[path]
        return found

    def _look_up_files(self, paths: Sequence[str]) -> None:
        wanted = [path for path in paths if not self._control_file(path)]
        for path in set(paths).difference(wanted):
            reason = "is the record's own file: it is there whatever the work achieved"
            self._files[path] = Resolved(False, f"file:{path}", reason)
        modes = self._tracked(wanted)
        for path in wanted:
            reason = self._file_fault(path, modes.get(path, ""))
            self._files[path] = Resolved(not reason, f"file:{path}", reason)

    def _file_fault(self, path: str, mode: str) -> str:
        if self._git is None:
            return "there is no git repository here"
        if not mode:
            folder = self._tree.kind(path) == "dir"
            return "is a folder, not a file" if folder else "is no file that git tracks"
        if not mode.startswith("100"):
            return f"is a {'submodule' if mode == '160000' else 'symbolic link'}, not a regular file"
        kind = self._tree.kind(path)
        if kind == "file":
            return ""
        return "is tracked, but not in the work tree" if kind == "missing" else "is no regular file here"

    def _tracked(self, paths: Sequence[str]) -> dict[str, str]:
        """The modes of those paths that the index holds."""
        found: dict[str, str] = {}
        if self._git is None:
            return found
        few = len(paths) < _WHOLE_INDEX
        asked = [("--", *paths[at : at + _PER_CALL]) for at in range(0, len(paths), _PER_CALL)]
        for pathspecs in asked if few else [()]:
            out = self._git.run("ls-files", "-s", "-z", *pathspecs)
            for record in out.split(b"\0"):
                head, _, path = record.partition(b"\t")
                if path:
                    found[os.fsdecode(path)] = head[:6].decode("ascii")
        return found

    def _control_file(self, path: str) -> bool:
        rest = path.removeprefix(f"{self._directory}/")
        if rest == path:
            return False
        folder, _, name = rest.rpartition("/")
        return name in CONTROL_FILES and (not folder or _ARCHIVE.fullmatch(folder) is not None)

    def _digest(self, digest: str) -> Resolved:
        canonical = f"sha256:{digest}"
        if len(digest) != 64 or not _HEX.issuperset(digest):
            return Resolved(False, canonical, "is not 64 hex digits")
        if self._captured(digest):
            return Resolved(True, canonical)
        if self._digests is None:
            self._digests = dict(self._hashed())
        name = self._digests.get(digest)
        if name is None:
            more = f" ({', '.join(self._unread[:3])} could not be read)" if self._unread else ""
            return Resolved(False, canonical, f"is the digest of no file in {self._directory}{more}")
        if name:
            reason = f"is the digest of the record's own {name}, which is no evidence"
            return Resolved(False, canonical, reason)
        return Resolved(True, canonical)

    def _captured(self, digest: str) -> bool:
        """True where the folder of captured outputs holds a file of this name and these bytes."""
        folder = f"{self._directory}/{OUTPUTS}"
        if self._outputs is None:
            self._outputs = frozenset(self._names(folder))
        names = [name for name in (f"{digest}.txt", f"{digest}.json") if name in self._outputs]
        if names and digest not in self._captures:
            paths = [f"{folder}/{name}" for name in names]
            self._captures[digest] = any(
                self._tree.kind(path) == "file" and self._sha256(path) == digest for path in paths
            )
        return bool(names) and self._captures[digest]

    def _hashed(self) -> Iterator[tuple[str, str]]:
        """(digest, name) of each file of the record, evidence last: it wins over a control file."""
        names = self._names(self._directory)
        archives = [name for name in names if _ARCHIVE.fullmatch(name)]
        folders = [self._directory, *(f"{self._directory}/{name}" for name in (OUTPUTS, *archives))]
        files = [f"{folder}/{name}" for folder in folders for name in self._names(folder)]
        files.sort(key=lambda path: not self._control_file(path))
        for path in files:
            digest = self._sha256(path) if self._tree.kind(path) == "file" else ""
            if digest:
                yield digest, path.rpartition("/")[2] if self._control_file(path) else ""

    def _names(self, folder: str) -> list[str]:
        try:
            return self._tree.names(folder)
        except ReadRefused:
            return []

    def _sha256(self, path: str) -> str:
        try:
            return sha256(self._tree.read(path, CAPTURE_LIMIT))
        except ReadRefused:
            self._unread.append(path)
            return ""


def load(facts: Facts) -> Resolver:
    """Fact `handles`: a resolver for the repository under test, with or without git."""
    return Resolver(facts.run.root, facts.get("git") if facts.run.repo else None)


def _token_fault(token: str) -> str:
    if not token or not _HEX.issuperset(token):
        return "is not a commit id: hex digits alone"
    if len(token) < SHORTEST:
        return f"is too short: cite {SHORTEST} digits or more of the commit's id"
    return "is longer than any commit id" if len(token) > 64 else ""


def _normal(value: str) -> tuple[str, str]:
    """The path without `.` and empty parts, and what is wrong with it ("" when nothing is)."""
    if len(value) > _LONGEST_PATH or not _encodes(value):
        return value, "is no path that a file can have"
    if not value or "\0" in value or "\\" in value or value.startswith(("/", "~")) or value[1:2] == ":":
        return value, "is not a relative path inside the repository"
    parts = [part for part in value.split("/") if part not in ("", ".")]
    if ".." in parts:
        return value, "is not a relative path inside the repository"
    if not parts or value.endswith(("/", "/.")):
        return value, "is a folder, not a file"
    if any(part.lower() == ".git" for part in parts):
        return value, "is inside a git directory"
    return "/".join(parts), ""


def _encodes(path: str) -> bool:
    try:
        return len(os.fsencode(path)) <= _LONGEST_PATH
    except UnicodeEncodeError:
        return False
