"""The record of one loop, read as it stands (spec section 7.1).

Every reader of the record uses this module: the rows, `goblin-loop` and the audit. Whatever the files
hold, reading never raises: what is wrong becomes a fault, with the line where it stands, and the row
that owns the file reports it. What a file needs is imported when it is read, since one row reads
one or two of them. A `Fault` names a line from 1, or 0 for a file as a whole.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin.digest import sha256
from goblin.loop import DIRECTORY as DIRECTORY
from goblin.paths import ReadRefused, Tree
from goblin.tables import BOM, Fault

if TYPE_CHECKING:
    from datetime import datetime

    from goblin.loop.decisions import Decision, Log
    from goblin.loop.surface import Surface

PREDICATE = "predicate"
PIN = "predicate.sha256"
FIRST_RUN = "first-run"
CONTROL = "control"
BUDGET = "budget"
DECISIONS = "decisions.tsv"
STUCK = "stuck.md"

SMALL = 1 << 20
"""Bytes of a small file of the record that are read; a larger one is a fault."""

_HEX_64 = re.compile(r"[0-9a-fA-F]{64}")
_RUN = re.compile(r"exit=(0|[1-9][0-9]{0,2}) ts=([^ ]+)(?: sha256=([0-9a-fA-F]{64}))?")
_BUDGET = re.compile(r"[1-9][0-9]{0,8}")
_ARCHIVE = re.compile(r"closed-(\d{4}-\d\d-\d\d)(?:-[1-9]\d*)?", re.ASCII)


class Predicate(NamedTuple):
    """The command that ends the loop. `command` is "" unless the file holds exactly one."""

    path: str
    exists: bool
    data: bytes = b""
    command: str = ""
    digest: str = ""  # SHA-256 of the bytes, "" where there are none to hash
    faults: tuple[Fault, ...] = ()


class Pin(NamedTuple):
    """The digest that the predicate was pinned at. Hex is in lower case; `digest` is "" when malformed."""

    path: str
    exists: bool
    digest: str = ""
    previous: tuple[str, ...] = ()  # digests of archived predicates, oldest first
    surface: str = ""  # digest of surface.sha256, where the loop pins the files its gates read
    faults: tuple[Fault, ...] = ()


class Measured(NamedTuple):
    """One run of a command, as `first-run` and `control` record it."""

    path: str
    exists: bool
    exit: int | None = None
    ts: datetime | None = None
    output: str = ""  # digest of the captured output, where the line names one
    faults: tuple[Fault, ...] = ()

    @property
    def in_future(self) -> bool:
        """True where the run is dated more than a day ahead."""
        from goblin.loop.instant import in_future

        return self.ts is not None and in_future(self.ts)


class Budget(NamedTuple):
    """The turns that this loop may spend; `turns` is None where the file does not say."""

    path: str
    exists: bool
    turns: int | None = None
    faults: tuple[Fault, ...] = ()


class Archive(NamedTuple):
    """A `closed-<date>` folder: a predicate that was replaced, and the pin that it was closed under."""

    name: str
    path: str
    predicate: Predicate
    pin: Pin
    faults: tuple[Fault, ...] = ()


class Text(NamedTuple):
    """A file of prose; `text` is "" where it cannot be read."""

    path: str
    exists: bool
    text: str = ""
    faults: tuple[Fault, ...] = ()


def parse_predicate(data: bytes, path: str = PREDICATE) -> Predicate:
    """The predicate of a file's bytes: `#` comments, blank lines and exactly one command line."""
    faults: list[Fault] = []
    commands: list[tuple[int, str]] = []
    for number, line in _lines(data):
        if line is None:
            faults.append(Fault(number, "is not UTF-8"))
        elif line.strip() and not line.lstrip().startswith("#"):
            commands.append((number, line.strip()))
            if "\0" in line:
                faults.append(Fault(number, "holds a NUL byte, which no command can"))
    if not commands and not faults:
        faults.append(Fault(0, "holds no command; write one line that exits 0 when the loop is done"))
    for number, _ in commands[1:]:
        faults.append(Fault(number, "is a second command line: write exactly one, joined with && if need be"))
    command = commands[0][1] if len(commands) == 1 and not faults else ""
    return Predicate(path, True, data, command, sha256(data), tuple(faults))


def parse_pin(data: bytes, path: str = PIN) -> Pin:
    """The pin of a file's bytes: 64 hex digits, then `previous:` and `surface:` lines."""
    digest, surface, previous, faults = "", "", [], []
    for number, line in _lines(data):
        text = "" if line is None else line
        if number == 1:
            if _HEX_64.fullmatch(text):
                digest = text.lower()
            else:
                faults.append(Fault(1, _pin_fault(text)))
        elif line is not None and (not line.strip() or line.startswith("#")):
            continue
        elif text.startswith("previous: ") and _HEX_64.fullmatch(text[10:]):
            previous.append(text[10:].lower())
        elif text.startswith("surface: ") and _HEX_64.fullmatch(text[9:]):
            if surface:
                faults.append(Fault(number, "is a second surface: line"))
            surface = text[9:].lower()
        elif _HEX_64.fullmatch(text):
            faults.append(Fault(number, "is a digest without `previous: ` before it, which chains nothing"))
        else:
            faults.append(Fault(number, "is neither `previous: <64 hex>`, `surface: <64 hex>` nor a comment"))
    return Pin(path, True, digest, tuple(previous), surface, tuple(faults))


def _pin_fault(text: str) -> str:
    if _HEX_64.match(text) and text[64:65] in (" ", "\t"):
        return "must be the digest alone: sha256sum adds a file name, so cut it off (| cut -c 1-64)"
    return "must be exactly 64 hex digits, the SHA-256 of the predicate's bytes"


def parse_measured(data: bytes, path: str = FIRST_RUN) -> Measured:
    """`first-run` or `control` of a file's bytes: one line `exit=<n> ts=<timestamp>`.

    `control` may name the digest of what was printed after it: ` sha256=<64 hex>`.
    """
    from goblin.loop.instant import GRAMMAR, parse_instant

    line, fault = _only_line(data)
    match = _RUN.fullmatch(line)
    if fault or match is None or int(match[1]) > 255:
        told = fault or "must be one line: exit=<0 to 255> ts=<timestamp>"
        return Measured(path, True, faults=(Fault(1, told),))
    ts = parse_instant(match[2])
    faults = () if ts else (Fault(1, f"its ts is no timestamp with an offset: {GRAMMAR}"),)
    return Measured(path, True, int(match[1]), ts, (match[3] or "").lower(), faults)


def parse_budget(data: bytes, path: str = BUDGET) -> Budget:
    """The budget of a file's bytes: one positive whole number in plain digits."""
    line, fault = _only_line(data)
    number = line.strip()  # which takes more for a blank than `int` does
    if fault or not _BUDGET.fullmatch(number):
        told = fault or "must be one positive whole number in plain digits, such as 12"
        return Budget(path, True, faults=(Fault(1, told),))
    return Budget(path, True, int(number))


def _lines(data: bytes) -> list[tuple[int, str | None]]:
    """The numbered lines; None for one that is not UTF-8. A mark at the start and CRs are dropped."""
    found: list[tuple[int, str | None]] = []
    for number, raw in enumerate(data.removeprefix(BOM).split(b"\n"), start=1):
        try:
            found.append((number, raw.removesuffix(b"\r").decode("utf-8")))
        except UnicodeDecodeError:
            found.append((number, None))
    return found


def _only_line(data: bytes) -> tuple[str, str]:
    """The one line of a file, and what is wrong where it has another number of lines."""
    lines = _lines(data)
    written = [(number, line) for number, line in lines if line is None or line.strip()]
    if not written:
        return "", "is empty"
    number, line = written[0]
    if line is None:
        return "", "is not UTF-8"
    if len(written) > 1 or number > 1:
        return "", f"must be one line, the first, and nothing else; line {written[-1][0]} is not blank"
    return line, ""


class LoopRecord:
    """The files of one record, each read on first need and never twice.

    `exists` is True where anything stands under the record's name. `fault` says why it cannot be
    entered ("" when it can): then every file in it counts as absent.
    """

    def __init__(self, root: str, directory: str = DIRECTORY) -> None:
        self.tree = Tree(root)
        self.directory = directory
        kind = self.tree.kind(directory)
        self.exists = kind != "missing"
        self.fault = "" if kind in ("dir", "missing") else f"{directory} is no folder of this repository"

    def path(self, name: str) -> str:
        """The path of a file of the record, relative to the root."""
        return f"{self.directory}/{name}"

    @cached_property
    def predicate(self) -> Predicate:
        """The live predicate."""
        return self._predicate(PREDICATE)

    @cached_property
    def pin(self) -> Pin:
        """The live pin."""
        return self._pin(PIN)

    @cached_property
    def first_run(self) -> Measured:
        """The run of the predicate before iteration 1."""
        return self._measured(FIRST_RUN)

    @cached_property
    def control(self) -> Measured:
        """The optional run that showed the predicate green on a deliberately finished tree."""
        return self._measured(CONTROL)

    @cached_property
    def budget(self) -> Budget:
        """The turns that this loop may spend."""
        data, faults = self._read(BUDGET)
        path = self.path(BUDGET)
        return Budget(path, bool(faults), faults=faults) if data is None else parse_budget(data, path)

    @cached_property
    def log(self) -> Log:
        """Every row of `decisions.tsv`, and the faults of the file as a whole."""
        from goblin.loop import decisions

        data, faults = self._read(DECISIONS, decisions.LIMIT)
        if data is None:
            return decisions.Log(self.path(DECISIONS), bool(faults), (), faults)
        return decisions.parse(data, self.path(DECISIONS))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The rows of `decisions.tsv`, in order; the log rows too."""
        return self.log.rows

    @cached_property
    def verdicts(self) -> tuple[Decision, ...]:
        """The verdict rows, in order."""
        return self.log.verdicts

    @cached_property
    def archives(self) -> tuple[Archive, ...]:
        """Every entry whose name starts `closed-`, by name."""
        return tuple(self._archive(name) for name in self._names() if name.startswith("closed-"))

    @cached_property
    def stuck(self) -> Text:
        """The write-up of a loop that did not end green."""
        data, faults = self._read(STUCK)
        if data is None:
            return Text(self.path(STUCK), bool(faults), faults=faults)
        return Text(self.path(STUCK), True, data.removeprefix(BOM).decode("utf-8", "replace"))

    @cached_property
    def surface(self) -> Surface:
        """The list of files that the loop pinned beside its predicate."""
        from goblin.loop import surface

        data, faults = self._read(surface.FILE, surface.LIMIT)
        path = self.path(surface.FILE)
        return (
            surface.Surface(path, bool(faults), faults=faults) if data is None else surface.parse(data, path)
        )

    def has(self, name: str) -> bool:
        """True where anything stands under that name in the record."""
        return not self.fault and self.tree.kind(self.path(name)) != "missing"

    def _names(self) -> list[str]:
        if self.fault or not self.exists:
            return []
        try:
            return self.tree.names(self.directory)
        except ReadRefused:
            return []

    def _archive(self, name: str) -> Archive:
        from goblin.clock import parse_date

        path = self.path(name)
        faults = []
        match = _ARCHIVE.fullmatch(name)
        if match is None or parse_date(match[1]) is None:
            faults.append(Fault(0, "is not named closed-YYYY-MM-DD, with an optional -<n>"))
        if self.tree.kind(path) != "dir":
            faults.append(Fault(0, "is no folder"))
        return Archive(
            name, path, self._predicate(f"{name}/{PREDICATE}"), self._pin(f"{name}/{PIN}"), tuple(faults)
        )

    def _predicate(self, name: str) -> Predicate:
        data, faults = self._read(name)
        path = self.path(name)
        return Predicate(path, bool(faults), faults=faults) if data is None else parse_predicate(data, path)

    def _pin(self, name: str) -> Pin:
        data, faults = self._read(name)
        path = self.path(name)
        return Pin(path, bool(faults), faults=faults) if data is None else parse_pin(data, path)

    def _measured(self, name: str) -> Measured:
        data, faults = self._read(name)
        path = self.path(name)
        return Measured(path, bool(faults), faults=faults) if data is None else parse_measured(data, path)

    def _read(self, name: str, limit: int = SMALL) -> tuple[bytes | None, tuple[Fault, ...]]:
        """The bytes of a file; (None, ()) where it is absent, (None, faults) where it cannot be read."""
        if not self.has(name):
            return None, ()
        try:
            return self.tree.read(self.path(name), limit), ()
        except ReadRefused as refused:
            return None, (Fault(0, str(refused).removeprefix(f"{self.path(name)}: ")),)


def read(root: str, directory: str = DIRECTORY) -> LoopRecord:
    """The record below `directory` of the repository at `root`, as it stands now. Never raises."""
    return LoopRecord(root, directory)


def load(tree: Tree) -> LoopRecord:
    """Fact `loop`: the record of the repository under test."""
    return LoopRecord(tree.root)
