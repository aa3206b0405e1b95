"""Fact `search`: one pass over everything in the index, for all text rules at once (see `sources`).

Git searches the contents in the index with the patterns of all needles as one alternation, in a process
that starts before the first row runs and works beside it. What was found of a content is kept by its id
in the git directory, so that a later run looks at what is new alone. Where git cannot search so, or says
anything on standard error, each content is looked at here instead, to the same result.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from goblin import cache
from goblin import git as plumbing
from goblin.digest import sha256
from goblin.facts.needles import Needle, table
from goblin.facts.repository import parsed
from goblin.outcome import Finding
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    import subprocess

    from goblin.facts import Run
    from goblin.facts.repository import Entry, Repository
    from goblin.git import Git

MANY = 32
"""From so many new contents on, git searches faster than they are looked at one by one."""

CACHE = "sources.json"
"""What is known of each content."""

WHOLE = "sources-found.json"
"""The answer for one state of the index, so that an index that did not change is not read entry by entry."""

_LEAN = (
    *("-c", "core.packedGitWindowSize=8m", "-c", "core.packedGitLimit=32m"),
    *("-c", "core.deltaBaseCacheLimit=16m"),
)
"""Memory of the searching process, whatever the repository's size."""


class Source(NamedTuple):
    """One version of a file. `oid` is the blob to read, "" for the copy in the work tree."""

    path: str
    oid: str = ""
    note: str = ""  # what a reader must know of this version

    def finding(self, line: int, column: int, message: str) -> Finding:
        """A finding in this version."""
        return Finding(self.path, line, column, f"{message} ({self.note})" if self.note else message)


Look = Callable[[Source], frozenset[str]]
"""Reads one version and names the needles of which a literal stands in it; raises `ReadRefused`."""


class Search:
    """Which contents of the index may hold a needle."""

    def __init__(self, git: Git, repository: Repository, needles: Sequence[Needle], keep: str = "") -> None:
        self._git = git
        self._repository = repository
        self._rules = "|".join(f"(?:{needle.pattern})" for needle in needles)
        self._keep = keep  # the git directory, "" where nothing may be kept
        self._held: dict[str, frozenset[str]] = {}  # the needles of a content, by its id
        self._seen: set[str] = set()
        self._found = self._recall_all()
        self._new: list[Entry] = []
        if self._found is None:
            self._recall()
            self._new = [parsed(record) for record, oid in self._files() if oid not in self._seen]
        self._process = self._started() if len(self._new) > MANY else None

    def _files(self) -> Iterator[tuple[bytes, str]]:
        """The record of each regular file with the id of its content."""
        end = self._repository.head - len(" 0\t")
        for record in self._repository.records:
            if record.startswith(b"100", 2):
                yield record, record[9:end].decode("ascii")

    def results(self, look: Look) -> Iterator[tuple[Source, frozenset[str]]]:
        """Each content that may hold a needle, by path, with the names of its needles.

        A content that cannot be read has no names: whoever reads it is told why.
        """
        if self._found is not None:
            yield from self._found
            return
        matched = self._collected()
        unread = set()
        for new in self._new:
            # What a merge left unresolved is not searched by git.
            if new.oid in self._seen or not (matched is None or new.path in matched or new.stage):
                continue
            try:
                found = look(Source(new.path, new.oid))
            except ReadRefused:
                unread.add(new.oid)
                continue
            self._seen.add(new.oid)
            if found:
                self._held[new.oid] = found
        self._seen.update(new.oid for new in self._new if new.oid not in unread)
        told = [
            (Source(parsed(record).path, oid), self._held.get(oid, frozenset()))
            for record, oid in self._files()
            if oid in self._held or oid in unread
        ]
        yield from told
        self._remember()
        if not unread:
            self._remember_all(told)

    def _started(self) -> subprocess.Popen[bytes] | None:
        import subprocess
        import weakref

        threads = min(os.cpu_count() or 1, 8)
        argv = self._git.argv([
            *(*_LEAN, "grep", "--cached", "--files-with-matches", "--null", "--text", "--no-color"),
            *("--no-recurse-submodules", f"--threads={threads}", "--perl-regexp", "-e", self._rules),
        ])  # fmt: skip
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._git.repo.top or self._git.repo.git_dir,
                env=plumbing.environment(),
            )
        except OSError:
            return None
        weakref.finalize(self, _end, process)  # also for a run that ends before anybody asks
        return process

    def _collected(self) -> frozenset[str] | None:
        """The paths whose contents match, or None where git did not search all of them."""
        if self._process is None:
            return None
        import subprocess

        try:
            out, said = self._process.communicate(timeout=plumbing.TIMEOUT)
        except subprocess.TimeoutExpired:
            _end(self._process)
            return None
        if self._process.returncode not in (0, 1) or said:
            return None
        return frozenset(os.fsdecode(out).split("\0"))

    # --- what is known from earlier runs ----------------------------------------------------------

    def _state(self) -> str:
        """What the answer depends on, but for the rules: every path with the id of its content."""
        return sha256(self._repository.listing)

    def _recall_all(self) -> list[tuple[Source, frozenset[str]]] | None:
        """The whole answer, where the index is the one that it was made for."""
        value = cache.recall(self._keep, WHOLE) if self._keep else None
        if not isinstance(value, dict) or value.get("rules") != self._rules:
            return None
        if value.get("state") != self._state():
            return None
        try:
            return [
                (Source(str(path), str(oid)), frozenset(map(str, names)))
                for path, oid, names in value["found"]
            ]
        except (KeyError, TypeError, ValueError):
            return None

    def _remember_all(self, told: Sequence[tuple[Source, frozenset[str]]]) -> None:
        if self._keep:
            found = [(source.path, source.oid, sorted(names)) for source, names in told]
            value = {"rules": self._rules, "state": self._state(), "found": found}
            cache.remember(self._keep, WHOLE, value)

    def _recall(self) -> None:
        value = cache.recall(self._keep, CACHE) if self._keep else None
        if not isinstance(value, dict) or value.get("rules") != self._rules:
            return
        clean, held, width = value.get("clean"), value.get("held"), value.get("width")
        if not isinstance(clean, str) or not isinstance(held, dict) or width not in (40, 64):
            return
        if not all(isinstance(names, list) for names in held.values()):
            return
        self._held = {oid: frozenset(map(str, names)) for oid, names in held.items()}
        self._seen = {clean[at : at + width] for at in range(0, len(clean), width)}
        self._seen.update(self._held)

    def _remember(self) -> None:
        """Keep what is known of the contents that the index names now."""
        if not self._keep or not self._new:
            return
        known = {oid for _, oid in self._files()} & self._seen
        if not known:
            return
        value = {
            "rules": self._rules,
            "width": len(next(iter(known))),
            "clean": "".join(known.difference(self._held)),
            "held": {oid: sorted(self._held[oid]) for oid in known.intersection(self._held)},
        }
        cache.remember(self._keep, CACHE, value)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process that nobody asks any more; its output is dropped."""
    process.kill()
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            with suppress(OSError):
                stream.close()


def load(run: Run, git: Git, repository: Repository) -> Search:
    """Begin the pass over the index of this run, where enough is new; reads nothing itself."""
    keep = run.git_dir or "" if run.cache and not run.static else ""
    return Search(git, repository, table(), keep)
