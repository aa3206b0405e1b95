"""`events.jsonl`: the durable log of a record, one event a line, each chained to the line above.

| member | what it holds |
|---|---|
| `v` | 1 |
| `seq` | 1, 2, 3 ... without a gap, over every run that the log holds |
| `at` | when it was written: UTC, `YYYY-MM-DDThh:mm:ss.mmmZ`, never before the line above |
| `prev` | SHA-256 of the line above (its LF left out); 64 zeros in the first line |
| `run` | `run_<stamp>-<8 hex>`; one log goes on over every loop of a repository |
| `span` | the part of the run, such as `i3` for its third turn, or null |
| `type` | one of manifest/events.tsv; a reader passes over a type that it does not know |
| `data` | what that table asks for |

A line is the canonical form of its event: sorted ASCII keys, no blanks, no floats (RFC 8785 for what
may occur here). So whoever changes, removes, repeats or reorders a line breaks the chain below it.
Cutting lines off the end leaves the chain whole: rows RN-01, RN-02, RN-03 and RN-05 hold the log
against what is committed, against `decisions.tsv`, `first-run` and the archives.

Reading never raises: what is wrong is a fault, with its line. Writing is in `goblin.loop.writer`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin import clock
from goblin.digest import sha256
from goblin.loop import DIRECTORY
from goblin.loop.instant import in_future, parse_instant
from goblin.paths import ReadRefused
from goblin.tables import Fault

if TYPE_CHECKING:
    from goblin.loop.kinds import Kinds
    from goblin.paths import Tree

FILE = "events.jsonl"
TORN = "events.torn"
"""Where the writer puts a last line that a kill left without its end."""

VERSION = 1
ZERO = "0" * 64
LIMIT = 64 << 20
"""Bytes of a log that are read; a larger one is a fault."""

MOST_FAULTS = 1000
"""Faults after which a log is not read any further: it is none."""

LINE_LIMIT = 1 << 20
"""Bytes of one event."""

STALE = timedelta(hours=24)
"""An open run whose last event is older than this is not running any more."""

_MEMBERS = frozenset({"v", "seq", "at", "prev", "run", "span", "type", "data"})
_RUN = re.compile(r"run_\d{8}T\d{6}Z-[0-9a-f]{8}", re.ASCII)
_HEX_64 = re.compile(r"[0-9a-f]{64}")
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_DEEPEST = 16  # levels of `data`


class Event(NamedTuple):
    """One line of the log."""

    line: int
    seq: int
    at: str
    prev: str
    run: str
    span: str | None
    type: str
    data: Mapping[str, Any]
    digest: str  # SHA-256 of the line: the `prev` of the next one

    def text(self, key: str) -> str:
        """A member of `data` as text; "" where it is absent or no text."""
        value = self.data.get(key)
        return value if isinstance(value, str) else ""

    def instant(self, key: str) -> datetime | None:
        """A member of `data` that is a timestamp, in UTC; None where it is absent or none."""
        return parse_instant(self.text(key))

    @property
    def written(self) -> datetime | None:
        """When the line was written, in UTC."""
        return parse_instant(self.at)

    @property
    def in_future(self) -> bool:
        """True where it is dated more than a day ahead."""
        return in_future(self.written)

    def number(self, key: str) -> int | None:
        """A member of `data` as a whole number; None where it is absent or none."""
        value = self.data.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


class Log(NamedTuple):
    """The log as it stands: the events that can be read, and what is wrong with it, line by line."""

    path: str
    exists: bool
    events: tuple[Event, ...] = ()
    faults: tuple[Fault, ...] = ()
    torn: int = 0  # bytes after the last LF: a line without its end
    data: bytes = b""

    @property
    def current(self) -> tuple[Event, ...]:
        """The events of the last run that was opened, in order."""
        run = self.events[-1].run if self.events else ""
        return tuple(event for event in self.events if event.run == run)

    @property
    def closed(self) -> Event | None:
        """The `run_closed` of the last run, or None while it is open (or nothing was ever opened)."""
        found = [event for event in self.current if event.type == "run_closed"]
        return found[-1] if found else None

    def of(self, kind: str) -> tuple[Event, ...]:
        """The events of one type in the last run."""
        return tuple(event for event in self.current if event.type == kind)


def canonical(value: object) -> bytes:
    """The one form of a JSON value in bytes; raises `ValueError` for what has none here.

    Equal to RFC 8785 for what may occur: keys are ASCII, numbers are whole.
    """
    _only_plain(value, 0)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")


def _only_plain(value: object, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError(f"nested deeper than {_DEEPEST} levels")
    if isinstance(value, float):
        raise ValueError("a number with a fraction has no canonical form here")
    if isinstance(value, int) and abs(value) >= 1 << 53:
        raise ValueError("a number of 2^53 and more has no canonical form")
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str) or not key.isascii():
                raise ValueError(f"{key!r} is no ASCII key")
            _only_plain(inner, depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            _only_plain(inner, depth + 1)
    elif value is not None and not isinstance(value, str | int):
        raise ValueError(f"{type(value).__name__} is no JSON value")


def stamp(after: str = "") -> str:
    """Now, to the millisecond; `after` (the `at` of the line above) where the clock stands before it."""
    moment, real = clock.now(), datetime.now(UTC)
    if timedelta(0) <= real - moment < timedelta(seconds=1):
        moment = real  # the clock of the product counts seconds
    text = moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
    return max(text, after)


def run_id() -> str:
    """A new name for a run; safe as one part of a path."""
    import os

    return f"run_{clock.now():%Y%m%dT%H%M%SZ}-{os.urandom(4).hex()}"


class Entry(NamedTuple):
    """What a writer wants to say; the chain adds the rest."""

    type: str
    data: Mapping[str, Any]
    span: str | None = None


def compose(log: Log, run: str, entries: Sequence[Entry], known: Kinds) -> bytes:
    """The lines that follow the last event of `log`, LF after each.

    Raises `ValueError` for an unknown type, a wrong `data`, or an event that is too large.
    """
    last = log.events[-1] if log.events else None
    seq, prev, at = (last.seq, last.digest, last.at) if last else (0, ZERO, "")
    lines = []
    for entry in entries:
        wrong = known.faults(entry.type, entry.data) or known.strangers(entry.type, entry.data)
        if wrong:
            raise ValueError(f"{entry.type} cannot be written: {wrong[0]}")
        seq, at = seq + 1, stamp(at)
        line = canonical(
            {"v": VERSION, "seq": seq, "at": at, "prev": prev, "run": run, "span": entry.span,
             "type": entry.type, "data": dict(entry.data)}
        )  # fmt: skip
        if len(line) > LINE_LIMIT:
            raise ValueError(f"{entry.type} is larger than {LINE_LIMIT} bytes")
        lines.append(line + b"\n")
        prev = sha256(line)
    return b"".join(lines)


def parse(data: bytes, path: str = FILE) -> Log:
    """The log of a file's bytes; LF alone separates lines. Never raises."""
    end = data.rfind(b"\n") + 1
    tail = len(data) - end
    chain = _Chain()
    faults = chain.faults
    for number, line in enumerate(BytesIO(data[:end]), start=1):
        if len(faults) > MOST_FAULTS:
            faults.append(Fault(number, f"follows on more than {MOST_FAULTS} faults, and is not read"))
            break
        chain.add(number, line[:-1])
    if tail:
        told = f"ends after {tail} byte(s), without a line end: a kill while it was written, or an edit"
        faults.append(Fault(data.count(b"\n") + 1, told))
    elif not data:
        faults.append(Fault(0, "is empty"))
    return Log(path, True, tuple(chain.events), tuple(faults), tail, data)


class _Chain:
    """Holds each line against the one above it."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.faults: list[Fault] = []
        self._seqs: dict[int, int] = {}
        self._seq = 0
        self._digest = ZERO
        self._at = ""

    def add(self, number: int, line: bytes) -> None:
        """Read one line; a line that cannot be read still counts in the chain."""
        above, self._digest = self._digest, sha256(line)
        event = _event(number, line, self._digest)
        if isinstance(event, str):
            self.faults.append(Fault(number, event))
            self._seq += 1
            return
        self.faults += [Fault(number, told) for told in self._breaks(event, above)]
        self._seqs.setdefault(event.seq, number)
        self._seq, self._at = event.seq, max(self._at, event.at)
        self.events.append(event)

    def _breaks(self, event: Event, above: str) -> Iterable[str]:
        first = self._seqs.get(event.seq)
        if first is not None:
            yield f"repeats sequence number {event.seq}, which stands on line {first}"
        elif event.seq != self._seq + 1:
            missing = f"{self._seq + 1} is missing" if event.seq > self._seq else "out of order"
            yield f"has sequence number {event.seq} after {self._seq}: {missing}"
        if event.prev != above:
            where = f"line {event.line - 1}" if event.line > 1 else "the beginning of the log"
            yield f"is not chained to {where}: that one was edited later, or something between them is gone"
        if event.at < self._at:
            yield "is dated earlier than a line above it"


def _event(number: int, line: bytes, own: str) -> Event | str:
    """The event of a line, or what is wrong with it."""
    if len(line) > LINE_LIMIT:
        return f"is larger than {LINE_LIMIT} bytes"
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=_unique)
        form = canonical(value)
    except UnicodeDecodeError as error:
        return f"byte {error.start + 1} is not UTF-8"
    except (ValueError, RecursionError) as error:
        return f"is no event: {str(error)[:120]}"
    if not isinstance(value, dict) or value.keys() != _MEMBERS:
        return f"is no event: an object with exactly {' '.join(sorted(_MEMBERS))}"
    if value["v"] != VERSION or isinstance(value["v"], bool):
        return f"is of version {str(value['v'])[:20]}; this reader knows {VERSION}"
    wrong = _envelope_fault(value)
    if wrong:
        return wrong
    if form != line:
        return "is not in canonical form: sorted keys, no blanks, nothing after it"
    del value["v"]
    return Event(line=number, digest=own, **value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _envelope_fault(value: Mapping[str, Any]) -> str:
    seq, span = value["seq"], value["span"]
    if not isinstance(seq, int) or isinstance(seq, bool) or seq < 1:
        return "its seq is no whole number from 1"
    if (
        not isinstance(value["at"], str)
        or not _AT.fullmatch(value["at"])
        or parse_instant(value["at"]) is None
    ):
        return "its at is no time in UTC to the millisecond"
    if not isinstance(value["prev"], str) or not _HEX_64.fullmatch(value["prev"]):
        return "its prev is not 64 hex digits"
    if not isinstance(value["run"], str) or not _RUN.fullmatch(value["run"]):
        return "its run is not run_<stamp>-<8 hex>"
    if span is not None and (not isinstance(span, str) or not span):
        return "its span is neither a text nor null"
    if not isinstance(value["type"], str) or not isinstance(value["data"], dict):
        return "its type is no text, or its data no object"
    return ""


def read(tree: Tree, directory: str = DIRECTORY) -> Log:
    """The log of the record below `directory`, as it stands now. Never raises."""
    path = f"{directory}/{FILE}"
    if tree.kind(path) == "missing":
        return Log(path, False)
    try:
        return parse(tree.read(path, LIMIT), path)
    except ReadRefused as refused:
        return Log(path, True, faults=(Fault(0, str(refused).removeprefix(f"{path}: ")),))


def load(tree: Tree) -> Log:
    """Fact `loop_log`: the event log of the repository under test."""
    return read(tree)
