"""Fact `ruletext`: the text of every reusable rule, each file read once (spec MD-01 and PT-01).

Reusable rules are what an install puts into a repository and what its agents read: below
`.goblin/` the programs, tables, verifiers, bans, project rules, automations and our own part of
the engine; the skills directories; and, in a checkout of a harness, the five folders that it is
built from. The configuration is left out: it holds machine paths on purpose. So is the
third-party part of the engine.

Files below `.goblin/` that a release wrote and whose bytes are the recorded ones are counted and not
searched. Its own tests hold them clean; a tenant's word in them would be nobody's to change; and whoever
edits them together with the record edits the judge itself (IN-02, IN-05).
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from goblin.facts.installed import PLATFORMS, Installed
from goblin.outcome import CheckFailed, Finding, Outcome, failed, passed, skipped
from goblin.paths import ReadRefused, Tree
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts import Facts

BELOW = ("bin", "manifest", "checks", "bans", "rules", "automations", "engine")
"""The folders of `.goblin/` that hold rules (decided 36)."""

LEFT_OUT = ".goblin/engine/_vendor"
RELEASED = tuple(f".goblin/{name}/" for name in BELOW if name != "rules")
"""Where a file may be vouched for by the release that it came with."""

SOURCE_LAYOUT = ("skills", "manifest", "bin", "templates", "presets")
"""The folders that a harness is built from; elsewhere they are the project's own."""

FILE_LIMIT = 4 << 20
TOTAL_LIMIT = 48 << 20
COUNT_LIMIT = 20_000
ASIDE_FILES = 400
ASIDE_BYTES = 4 << 20
"""How much of a project's own folders of those names is looked at, for information."""

_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_BLANKS = "\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_DASHES = "\u2010-\u2015\u2043\u207b\u208b\u2212\ufe58\ufe63\uff0d"


_ASCII = bytes(range(128))
_SPECIAL = lazy(f"([{_DASHES}])|([{_BLANKS}])|([\uff01-\uff5e])|[{_INVISIBLE}]")


class Text:
    """One file as its reader sees it. `binding` is False where hits are information only."""

    def __init__(self, path: str, data: bytes, *, binding: bool = True) -> None:
        self.path = path
        self.binding = binding
        decoded = _decoded(data).replace("\r\n", "\n")
        self.text = decoded if decoded.isascii() else _plain(decoded)
        self._exact = len(self.text) == len(decoded)

    @cached_property
    def lower(self) -> str:
        """The text in lower case, character for character, for searching."""
        lowered = self.text.lower()
        if len(lowered) != len(self.text):  # a few letters have a longer lower case
            lowered = "".join(c if len(c.lower()) != 1 else c.lower() for c in self.text)
        return lowered

    def finding(self, offset: int, message: str) -> Finding:
        """A finding at an offset of `text`; the column is left out where it cannot be told."""
        line = bisect_left(self._breaks, offset)
        column = offset - self._breaks[line - 1] if self._exact else 0
        return Finding(self.path, line, column, message)

    @cached_property
    def _breaks(self) -> list[int]:
        """Where the lines end, with one before the first."""
        ends = [-1]
        while (end := self.text.find("\n", ends[-1] + 1)) >= 0:
            ends.append(end)
        return ends


class RuleText:
    """Every rule text, and what was not looked at.

    `unread` are files that hold rules and could not be read; `notes` say what was left out by
    design; `binaries` is how many files are no text, `released` how many are byte for byte what a
    release wrote.
    """

    def __init__(
        self,
        texts: Sequence[Text],
        unread: Sequence[Finding] = (),
        binaries: int = 0,
        notes: Sequence[str] = (),
        released: int = 0,
    ) -> None:
        self.texts = tuple(texts)
        self.unread = tuple(unread)
        self.binaries = binaries
        self.notes = tuple(notes)
        self.released = released

    @property
    def examined(self) -> int:
        """Files whose hits count."""
        return sum(text.binding for text in self.texts)

    @cached_property
    def lower(self) -> str:
        """All texts in one, in lower case: what does not stand here stands in none of them."""
        return "\n".join(text.lower for text in self.texts)

    def judge(self, hits: Iterable[tuple[Text, Finding]], what: str) -> Outcome:
        """The verdict on what was found: FAIL for a hit that counts and for a rule that could not be read.

        `what` names one hit in the singular, such as "a model's name". Hits in a project's own
        folders are shown and fail nothing; with no rule text at all there is nothing to judge.
        """
        bad: list[Finding] = []
        aside: list[Finding] = []
        for text, finding in hits:
            (bad if text.binding else aside).append(finding)
        for found in (bad, aside):
            found.sort(key=lambda finding: finding[:3])
        notes = [Finding("", message=note) for note in self.notes]
        if bad or self.unread:
            told = [f"{what} in {len(bad)} place(s) of {len({f.path for f in bad})} file(s)"] if bad else []
            told += [f"{len(self.unread)} rule file(s) could not be read"] if self.unread else []
            return failed(f"{'; '.join(told)} ({self.examined} read)", [*bad, *self.unread])
        if not (self.examined or self.released):
            return skipped("no rule text here: no skill, and nothing below .goblin but the config", notes)
        more = f"; {len(aside)} in the project's own files, for information" if aside else ""
        more += f"; {self.released} more are as the release wrote them" if self.released else ""
        more += f"; {self.binaries} binary file(s) left out" if self.binaries else ""
        return passed(f"{self.examined} rule file(s), none with {what}{more}", [*aside, *notes])


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        data = data.replace(b"\0", b"")
    return data.decode("utf-8", "surrogateescape")


def _plain(text: str) -> str:
    """Dashes made hyphens, blanks made one kind, wide letters made narrow, invisible characters taken out.

    A name spelled with them reads the same to a person and to a model.
    """
    odd = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    changed = {ord(match[0]): _narrow(match) for match in _SPECIAL.finditer(odd)}
    return text.translate(changed) if changed else text


def _narrow(match: re.Match[str]) -> str:
    dash, blank, wide = match.groups()
    if wide:
        return chr(ord(wide) - 0xFEE0)
    return "-" if dash else " " if blank else ""


def is_binary(data: bytes) -> bool:
    """True for bytes that are no text: a NUL in what is neither UTF-8 nor marked UTF-16."""
    if b"\0" not in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


class _Reader:
    """Collects the files of some folders, each real file once, without leaving the root."""

    def __init__(self, tree: Tree, installed: Installed | None) -> None:
        self.tree = tree
        self.installed = installed
        self.released = 0
        self.texts: list[Text] = []
        self.unread: list[Finding] = []
        self.binaries = 0
        self.strangers = 0
        self.total = 0
        self._seen: set[str] = set()

    def folder(self, path: str) -> None:
        """Read everything below a folder that exists; a link is followed inside the root alone."""
        full = os.path.join(self.tree.root, path)
        if self._may_enter(full):
            self._walk(os.path.realpath(full), path)

    def _may_enter(self, full: str) -> bool:
        real = os.path.realpath(full)
        if not os.path.isdir(real) or real in self._seen:
            return False
        if not real.startswith(self.tree.root.rstrip("/") + "/"):
            self.strangers += 1
            return False
        return True

    def _walk(self, real: str, shown: str) -> None:
        waiting = [(real, shown)]
        while waiting:
            folder, name = waiting.pop()
            if folder in self._seen or name == LEFT_OUT:
                continue
            self._seen.add(folder)
            try:
                with os.scandir(folder) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name, reverse=True)
            except OSError as error:
                self.unread.append(Finding(name, message=f"cannot be listed: {error.strerror}"))
                continue
            for entry in reversed(entries):
                child = f"{name}/{entry.name}"
                if entry.is_symlink():
                    self._link(entry.path, child, waiting)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, child))
                else:
                    self.file(entry.path, child)

    def _link(self, full: str, shown: str, waiting: list[tuple[str, str]]) -> None:
        """A link to a file or to another skill inside the root is read; any other is counted."""
        real = os.path.realpath(full)
        if not real.startswith(self.tree.root.rstrip("/") + "/"):
            self.strangers += 1
        elif os.path.isfile(real):
            self.file(real, shown)
        elif os.path.isfile(os.path.join(real, "SKILL.md")):
            waiting.append((real, shown))
        else:
            self.strangers += 1

    def file(self, real: str, shown: str, *, binding: bool = True) -> int:
        """Read one file and return its bytes; what cannot be read is a finding."""
        if real in self._seen:
            return 0
        self._seen.add(real)
        if shown.startswith(RELEASED) and self._is_as_recorded(shown):
            self.released += 1
            return 0
        if len(self._seen) > COUNT_LIMIT or self.total > TOTAL_LIMIT:
            raise CheckFailed(
                f"more rule text than the {COUNT_LIMIT} files or {TOTAL_LIMIT >> 20} MiB that are read",
                [Finding(shown, message="the limit is reached here")],
                "move what is no rule out of the skills directories and .goblin",
            )
        try:
            data = self.tree.read(os.path.relpath(real, self.tree.root).replace(os.sep, "/"), FILE_LIMIT)
        except ReadRefused as error:
            if binding:
                reason = str(error).partition(": ")[2] or str(error)
                self.unread.append(Finding(shown, message=f"not read: {reason}"))
            return 0
        if is_binary(data):
            self.binaries += binding
        else:
            self.texts.append(Text(shown, data, binding=binding))
            self.total += len(data)
        return len(data)

    def _is_as_recorded(self, path: str) -> bool:
        installed = self.installed
        return installed is not None and path in installed.record.files and not installed.drift(path)


def _is_harness(tree: Tree) -> bool:
    """True for a checkout of a harness: it holds the matrix that it installs."""
    try:
        return tree.read("manifest/enforcement.tsv").removeprefix(b"\xef\xbb\xbf").startswith(b"id\tscope\t")
    except ReadRefused:
        return False


def _installed(facts: Facts) -> Installed | None:
    """The install, or None without a readable record (IN-01 says so)."""
    try:
        installed: Installed | None = facts.get("installed")
    except CheckFailed:
        return None
    return installed


def _aside(reader: _Reader, facts: Facts, folders: Iterable[str]) -> Iterator[str]:
    """Look at a project's own tracked files of the five names, and say what was left out."""
    try:
        repository = facts.get("repository")
    except CheckFailed:
        return
    for folder in folders:
        entries = [entry for entry in repository.below(folder) if entry.is_file]
        size = 0
        for read, entry in enumerate(entries):
            if read == ASIDE_FILES or size > ASIDE_BYTES:
                yield f"{folder}/ is the project's own: {read} of its {len(entries)} tracked files looked at"
                break
            size += reader.file(os.path.join(reader.tree.root, entry.path), entry.path, binding=False)


def load(facts: Facts) -> RuleText:
    """Read the rule texts of the repository under test.

    Raises `CheckFailed` where there is more of it than is ever read.
    """
    tree: Tree = facts.get("tree")
    installed = _installed(facts)
    reader = _Reader(tree, installed)
    for name in BELOW:
        reader.folder(f".goblin/{name}")
    for platform, folder in PLATFORMS.items():
        if installed is None or platform in installed.record.options.skills:
            reader.folder(folder)
    harness = _is_harness(tree)
    own = [name for name in SOURCE_LAYOUT if tree.kind(name) == "dir"]
    written = installed.record.files if installed else ()
    binding = [name for name in own if harness or any(path.startswith(f"{name}/") for path in written)]
    for name in binding:
        reader.folder(name)
    aside = [name for name in own if name not in binding]
    notes = list(_aside(reader, facts, aside)) if aside else []
    if reader.strangers:
        notes.append(f"{reader.strangers} link(s) out of the rules not followed")
    return RuleText(reader.texts, reader.unread, reader.binaries, notes, reader.released)
