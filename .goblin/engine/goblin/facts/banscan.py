"""One pass over the files that some bans are about: listed once, each read once, judged by all of them.

Git searches the work tree for the bans' needles as one alternation where there is much to look at; what it
does not name holds no hit. Where git cannot search so, each file is searched here with the same patterns.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin import __version__
from goblin.bans import extra, patience
from goblin.bans.record import Probe, Record
from goblin.digest import sha256
from goblin.facts import banastgrep, bancache, bannews, bansearch, banshare, content
from goblin.facts.bancache import Known
from goblin.facts.banfiles import Changes, Line, Scope, Version, changes, walked
from goblin.outcome import CheckFailed, Finding
from goblin.paths import LIMIT, ReadRefused

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.banindex import Asked
    from goblin.git import Git
    from goblin.paths import Tree

MANY = 400
"""From so many files on, git searches them faster than they are read here."""

SLOW = 2.0
"""Seconds from which on a file counts as slow."""

PATIENCE = 120.0
"""Seconds that slow files may take together."""

WIDE = (b"\xff\xfe", b"\xfe\xff")
"""How a file in UTF-16 begins, in which no needle is found."""

_FORMAT = "5"

_ENTRY = 100
"""Bytes of the index that one file takes, about."""

TICK = 20_000_000
"""Nanoseconds by which a file system's clock may be behind, with room."""

_NOTHING = Record()


class Scan(NamedTuple):
    """What a pass has found. `records` hold the files with something to say, sorted by path; `counts` how
    many files each ban is about; `unread` what could not be looked at; `fault` why ast-grep was not asked.
    """

    records: dict[str, Record]
    counts: dict[str, int]
    unread: tuple[Finding, ...] = ()
    fault: str = ""

    def paths(self) -> list[str]:
        """The paths of the records, sorted by their bytes."""
        return list(self.records)


def _readers() -> list[tuple[str, int, int]]:
    """The files that read source and judge it, as they stand: an answer of other readers is none."""
    import goblin.bans

    found = []
    for folder in (os.path.dirname(os.path.abspath(goblin.bans.__file__)), os.path.dirname(__file__)):
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append((entry.name, status.st_size, status.st_mtime_ns))
    return sorted(found)


class Scanner:
    """Looks over one repository for some bans."""

    def __init__(
        self, facts: Facts, probes: Sequence[Probe], output: Sequence[str], *, alone: bool = False
    ) -> None:
        run = facts.run
        self._facts = facts
        self._tree: Tree = facts.get("tree")
        self._git: Git | None = facts.get("git") if run.repo else None
        self._blobs = content.Blobs(self._git) if self._git else None
        self.probes = tuple(probes)
        self._scope = Scope(probes, output)
        self._keep = (run.git_dir or "") if run.cache and not run.static else ""
        own = [probe for probe in probes if not probe.outside]
        self._everything = any(not probe.needles for probe in own)
        self._outside = banastgrep.Outside(self._tree, [probe for probe in probes if probe.outside])
        self._folders = self._scope.folders()
        self._alone = alone  # else git is asked about the whole tree, as other rows need it
        self._asked: Asked | None = facts.get("ban_index") if run.repo else None
        self._search = (
            bansearch.Search(self._git, bansearch.alternation(own), self._folders) if self._git else None
        )
        self._unread: list[Finding] = []
        self._slow = 0.0
        self._slow_paths: list[str] = []
        self._name = "bans-tree.json" if extra.versions() else "bans-text.json"

    def _key(self) -> str:
        """What every answer depends on besides the bytes of the file that it is about."""
        asked = [
            (p.ban.id, p.ban.globs, p.ban.detect, repr(p.rule), p.globs, p.needle, p.outside)
            for p in self._scope.probes
        ]
        tools = (extra.versions(), self._outside.version, _readers())
        told = repr((_FORMAT, __version__, tools, asked, self._scope.left_out))
        return sha256(told.encode("utf-8", "surrogateescape"))

    @cached_property
    def _before(self) -> tuple[str, Known]:
        """The key of this question, and what an earlier run has answered to it."""
        key = self._key()
        return key, bancache.recall(self._keep, self._name, key)

    def run(self) -> Scan:
        """Look over everything. What cannot be read is told in `unread`."""
        asked = self._asked
        if asked is None:
            return self._without_git()
        key, before = self._before
        if self._alone:
            import_module("goblin.bans.judge")  # while git answers: hardly a run has nothing to judge
        changed = self._changed(asked)
        if moved := asked.moved():
            asked.forget()
        now = self._clean(asked, changed, before)
        if not moved and not asked.moved():
            asked.remember()
            if now is not before:
                bancache.remember(self._keep, self._name, key, now)
        records = {path: record for path, record in now.records.items() if path not in changed.tracked}
        counts = dict(now.counts)
        gone = set()
        self._outside.ask((path, self._scope.of(path)) for path in (*changed.tracked, *changed.untracked))
        for path in changed.tracked:
            probes = self._scope.of(path)
            if probes and self._tree.kind(path) == "file":
                self._note(records, path, self._judged(Version(path), probes))
            elif probes:
                gone.add(path)
        for line in self._scope.lines(asked.listing()) if gone else ():
            if line.path in gone:
                gone.remove(line.path)
                for probe in line.probes:
                    counts[probe.ban.id] -= 1
        for path in changed.untracked:
            self._add(records, counts, path)
        return self._told(records, counts)

    def _told(self, records: dict[str, Record], counts: dict[str, int]) -> Scan:
        refused = [
            Finding(path, message=f"ast-grep does not look at it: {reason.partition(': ')[2]}")
            for path, reason in sorted(self._outside.refused.items())
        ]
        ordered = {path: records[path] for path in sorted(records, key=os.fsencode)}
        return Scan(ordered, counts, (*self._unread, *refused), self._outside.fault)

    def _without_git(self) -> Scan:
        records: dict[str, Record] = {}
        counts = {probe.ban.id: 0 for probe in self._scope.probes}
        paths = list(walked(self._tree))
        self._outside.ask((path, self._scope.of(path)) for path in paths)
        for path in paths:
            self._add(records, counts, path)
        return self._told(records, counts)

    def _add(self, records: dict[str, Record], counts: dict[str, int], path: str) -> None:
        """Count and judge a file that git does not track."""
        probes = self._scope.of(path)
        if probes and self._tree.kind(path) == "file":
            for probe in probes:
                counts[probe.ban.id] += 1
            self._note(records, path, self._judged(Version(path), probes))

    def _note(self, records: dict[str, Record], path: str, record: Record) -> None:
        if record:
            records[path] = record

    # --- what git tracks ----------------------------------------------------------------------------

    def _changed(self, asked: Asked) -> Changes:
        """What differs from the index. Raises `CheckFailed` where git cannot say."""
        return changes(asked.changes(self._folders) if self._alone else self._facts.get("status"))

    def _settled(self, line: Line) -> bool:
        """True for a file that nobody has touched since git was asked, so that what was read is its blob."""
        try:
            touched = os.lstat(os.path.join(self._tree.root, line.path)).st_ctime_ns
        except OSError:
            return False
        return touched < self._facts.began - TICK

    def _clean(self, asked: Asked, changed: Changes, before: Known) -> Known:
        """What is known of the files that the work tree has as the index has them."""
        whole = asked.digest()
        if whole and whole == before.whole and before.open <= changed.tracked.keys():
            return before
        listing = self._scope.part(asked.listing())
        news = bannews.since(self._scope, listing, before) or bannews.anew(self._scope, listing, before)
        changed_names = frozenset(map(os.fsencode, changed.tracked))
        skipped = {line.path for line in news.lines if line.name in changed_names}
        fresh = [line for line in news.lines if line.name not in changed_names]
        records = {path: record for path, record in before.records.items() if path in news.kept}
        looked = self._look(fresh)
        for line in fresh:
            record = looked.get(line.name, _NOTHING)
            if record is None:
                skipped.add(line.path)
                continue
            unasked = self._outside.fault and any(probe.outside for probe in line.probes)
            settled = line.aside or not self._keep or self._settled(line)
            if unasked or line.path in self._outside.refused or not settled:
                skipped.add(line.path)  # asked again by the next run
            if record:
                records[line.path] = record
        return Known(whole, listing, "", records, news.counts, frozenset(skipped))

    def _look(self, lines: Sequence[Line]) -> dict[bytes, Record | None]:
        """What each file holds that holds anything, by name; None for one that could not be read."""
        on_disk = sum(not line.aside for line in lines)
        names = self._search.names() if self._search and on_disk > MANY and not self._everything else None
        self._outside.ask((line.path, line.probes) for line in lines if not line.aside)
        if names is not None:
            asked = frozenset(map(os.fsencode, self._outside.hits))
            lines = [line for line in lines if line.name in names or line.name in asked or line.aside]
        found: dict[bytes, Record | None] = {}
        alike = [line for line in lines if not line.aside]
        if banshare.possible(len(alike)):
            banshare.shared(
                len(alike), lambda part: self._share(alike, part), lambda told: self._take(told, found)
            )
            lines = [line for line in lines if line.aside]
        for line in lines:
            before = len(self._unread)
            record = self._judged(line.version(), line.probes)
            found[line.name] = record if len(self._unread) == before else None
        return found

    def _share(self, lines: Sequence[Line], numbers: Sequence[int]) -> list[Any]:
        """What some of the files hold, as plain values: this may be another process."""
        unread, slow = self._unread, (self._slow, self._slow_paths)
        self._unread, self._slow, self._slow_paths = [], 0.0, []
        try:
            records = {
                lines[number].path: self._judged(lines[number].version(), lines[number].probes)
                for number in numbers
            }
            told = [[finding.path, finding.message] for finding in self._unread]
            value = bancache.value_of({path: record for path, record in records.items() if record})
            return [value, told, self._slow, self._slow_paths]
        finally:
            self._unread, (self._slow, self._slow_paths) = unread, slow

    def _take(self, told: list[Any], found: dict[bytes, Record | None]) -> None:
        """Add what a share has found."""
        value, unread, slow, slow_paths = told
        for path, record in bancache.records_of(value).items():
            found[os.fsencode(path)] = record
        for path, message in unread:
            found[os.fsencode(path)] = None
            self._unread.append(Finding(path, message=message))
        self._slow_paths += slow_paths
        self._slow += slow
        self._give_up()

    def begin(self) -> None:
        """Ask git at once what this will need, while the rest is made ready."""
        if self._asked is None or self._search is None:
            return
        if self._alone:
            self._asked.begin(self._folders)
        self._asked.list()
        if not self._everything and self._is_large() and not self._before[1].whole:
            self._search.begin()

    def _is_large(self) -> bool:
        try:
            return os.stat(os.path.join(self._facts.run.git_dir or "", "index")).st_size > MANY * _ENTRY
        except OSError:
            return False

    def _judged(self, version: Version, about: Sequence[Probe]) -> Record:
        """The record of one version; what cannot be read is noted and holds nothing."""
        if version.oid and any(probe.outside for probe in about):
            self._outside.refused[version.path] = f"{version.path}: it is not checked out"
        try:
            data = self._data(version)
        except ReadRefused as error:
            if version.oid or self._tree.kind(version.path) != "missing":
                reason = str(error).partition(": ")[2] or str(error)
                self._unread.append(Finding(version.path, message=f"not looked at: {reason}"))
            return Record()
        from goblin.bans.judge import judge

        started = time.monotonic()
        try:
            given = self._outside.hits.get(version.path, {}) if not version.oid else {}
            probes = [probe for probe in about if self._concerns(probe, data, given)]
        except patience.Late:
            record = Record(fault=f"a pattern did not end within {patience.SECONDS:g} s")
        else:
            record = judge(data, version.path, probes, blank, given) if probes else Record()
        self._heed(version.path, time.monotonic() - started)
        return record

    def _concerns(self, probe: Probe, data: bytes, given: Mapping[str, Sequence[int]]) -> bool:
        """True where a ban may have a hit in a file."""
        if probe.outside:
            return probe.ban.id in given
        return data.startswith(WIDE) or self._holds(probe, data)

    def _holds(self, probe: Probe, data: bytes) -> bool:
        """True where the needle of a ban stands in a file."""
        if not probe.needles:
            return True
        if not probe.rule:
            with patience.within(patience.SECONDS):  # a project's own pattern
                return any(_search(needle.pattern, data) for needle in probe.needles)
        lowered = b""
        for needle in probe.needles:
            if needle.any_case:
                lowered = lowered or data.lower()
            if needle.text in (lowered if needle.any_case else data) and (
                needle.plain or _search(needle.pattern, data)
            ):
                return True
        return False

    def _heed(self, path: str, seconds: float) -> None:
        """Give up on a repository of which file after file takes longer than real source does."""
        if seconds > SLOW:
            self._slow += seconds
            self._slow_paths.append(path)
            self._give_up()

    def _give_up(self) -> None:
        if self._slow > PATIENCE:
            found = [Finding(one, message="took too long to judge") for one in self._slow_paths]
            raise CheckFailed(f"could not run: {len(found)} file(s) took {self._slow:.0f} s", found)

    def _data(self, version: Version) -> bytes:
        if not version.oid:
            return self._tree.read(version.path)
        assert self._blobs
        parts: list[bytes] = []
        size = 0
        try:
            for window in self._blobs.windows(version.oid):
                parts.append(window.data[size - window.offset :])
                size = window.offset + len(window.data)
                if size > LIMIT:
                    raise ReadRefused(f"{version.path}: more than the {LIMIT >> 20} MiB that are read")
        except content.NotHere as error:
            raise ReadRefused(f"{version.path}: {error}") from error
        return b"".join(parts)


@cache
def _pattern(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.MULTILINE)


def _search(pattern: str, data: bytes) -> bool:
    return _pattern(pattern).search(data) is not None


def blank(text: str, suffix: str) -> tuple[str, str] | None:
    """Blank a text of a language that the harness rows know; None for another."""
    from goblin.facts import blanking

    language = blanking.LANGUAGES.get(suffix)
    if language is None:
        return None
    found = blanking.blank(text, language)
    return found.no_comments, found.bare
