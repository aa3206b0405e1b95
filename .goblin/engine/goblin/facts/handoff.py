"""Fact `handoff`: HANDOFF.md as its reader sees it, and fact `handoff_edits`: what was last taken out of it.

Sections, gate lines and the HEAD line are read here; whether they will do is for the rows to say.
Fenced code and HTML comments are no part of a section, so a sample never stands in for the real thing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin import markdown
from goblin.markdown import Heading
from goblin.outcome import CheckFailed, Finding
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goblin.facts import Facts
    from goblin.facts.history import History
    from goblin.paths import Tree

PATH = "HANDOFF.md"
LIMIT = 1 << 20
"""Bytes of a handoff that are read; a real one has some thousands."""

LINE = 4_000
"""Characters of one gate line that are looked at."""

MANY = 5
"""Removed lines that are worth a word when nothing was corrected in their place (spec HP-04)."""


class Slot(NamedTuple):
    """A section that a handoff must hold, and the words that may open its heading."""

    name: str
    accepted: str
    opening: re.Pattern[str]


def _slot(name: str, accepted: str, words: str) -> Slot:
    # Emoji, numbers and marks may stand before the words; letters may not: `Board state` is no State.
    return Slot(name, accepted, re.compile(rf"[\W\d_]*(?:{words})\b", re.IGNORECASE))


SLOTS = (
    _slot("START HERE", "Start here", r"START\s+HERE"),
    _slot("STATE", "State, Status", r"STATE|STATUS"),
    _slot("GATE", "Gate, Gates", r"GATES?"),
    _slot("NEXT STEPS", "Next steps, Next", r"NEXT"),
    _slot(
        "NOT VERIFIED",
        "Not verified, Unverified, Not proven, Unproven, Pending ... device test",
        r"NOT\s+VERIFIED|UNVERIFIED|NOT\s+PROVEN|UNPROVEN|PENDING\b[^.]*?\bDEVICE\s+TEST",
    ),
)
GATE, UNVERIFIED = SLOTS[2], SLOTS[4]

_EXAMPLE = lazy(r"example of the required form", re.IGNORECASE)
_KNOWN = lazy(r"(?<![A-Za-z0-9_])(?:tsc|build|hex|safelist|[0-9]+/[0-9]+)(?![A-Za-z0-9_])")
_TOKEN = lazy(r"[A-Za-z0-9_./-]+")
_MEASURED = lazy(r"\bmeasured[ \t]+([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9-])", re.IGNORECASE)
_CODE = lazy(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_HEAD = lazy(r"HEAD\s+when\s+this\s+file\s+was\s+written", re.IGNORECASE)


class Near(NamedTuple):
    """A heading that has a slot's words and does not count, and why."""

    line: int
    reason: str


class GateLine(NamedTuple):
    """A line that states gate numbers: the declared gates that it names, and its `measured` dates as text."""

    line: int
    text: str
    names: frozenset[str]
    dates: tuple[str, ...]


class Id(NamedTuple):
    """Hex digits that may name a commit, and the line where they stand."""

    line: int
    token: str


class Handoff:
    """The text of HANDOFF.md. Lines count from 1."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.visible = markdown.blank(text)
        self._raw = text.split("\n")
        self._lines = [line.removesuffix("\r") for line in self.visible.split("\n")]

    @cached_property
    def _headings(self) -> list[Heading]:
        return markdown.headings(self.visible)

    @cached_property
    def _titles(self) -> frozenset[int]:
        return frozenset(h.line for h in self._headings)

    def headings(self, slot: Slot) -> list[Heading]:
        """The headings of level 2 or 3 that open a slot, in order."""
        return [h for h in self._headings if h.level in (2, 3) and slot.opening.match(h.text)]

    def near(self, slot: Slot) -> list[Near]:
        """Headings that would open the slot, were they of the right level and in plain sight."""
        found = [
            Near(h.line, f"is a heading of level {h.level}; use ## or ###")
            for h in self._headings
            if h.level not in (2, 3) and slot.opening.match(h.text)
        ]
        for number, line in enumerate(self._raw, start=1):
            hidden = re.match(r"#{2,3}[ \t]+(.*)", line)
            if hidden and slot.opening.match(hidden[1]) and not self._lines[number - 1].strip():
                found.append(Near(number, "stands in fenced code or in a comment"))
        return found

    def says_something(self, heading: Heading) -> bool:
        """True when the heading says `nothing outstanding`, or text with a letter or digit follows it.

        Sub-headings belong to the section and are not text; fenced code is, a comment is not.
        """
        if "nothing outstanding" in heading.text.lower():
            return True
        return any(
            number not in self._titles
            and (any(map(str.isalnum, self._lines[number - 1])) or self._opens_code(number))
            for number, _ in self._body(heading, heading.level)
        )

    def _opens_code(self, number: int) -> bool:
        return not self._lines[number - 1].strip() and self._raw[number - 1].lstrip().startswith(
            ("```", "~~~")
        )

    def _body(self, heading: Heading, until: int) -> Iterator[tuple[int, str]]:
        """The raw lines below a heading, up to the next one in plain sight of level `until` or higher."""
        after = bisect_right(self._headings, heading.line, key=lambda other: other.line)
        last = len(self._raw) + 1
        for index in range(after, len(self._headings)):
            if self._headings[index].level <= until:
                last = self._headings[index].line
                break
        for number in range(heading.line + 1, last):
            yield number, self._raw[number - 1].removesuffix("\r")

    def gate_lines(self, names: frozenset[str]) -> list[GateLine]:
        """The gate lines in plain sight of the Gates sections; `names` are the declared gates.

        A line counts when it holds `=` and a declared name as a whole token, or one of the common
        gate words (`tsc build hex safelist <n>/<n>`) before a `=`. A line that says `example of the
        required form` counts only for a declared name outside its code spans (spec HP-03).
        """
        return list(self._gate_lines(names, hidden=False))

    def hidden_gate_lines(self, names: frozenset[str]) -> list[GateLine]:
        """The same for lines that fenced code or a comment hides: they do not count, and are worth a word."""
        return list(self._gate_lines(names, hidden=True))

    def _gate_lines(self, names: frozenset[str], *, hidden: bool) -> Iterator[GateLine]:
        for heading in self.headings(GATE):
            for number, raw in self._body(heading, 3):
                seen = self._lines[number - 1]
                if bool(seen.strip()) is hidden:
                    continue
                found = _gate_line(number, raw if hidden else seen, names)
                if found:
                    yield found

    def head_lines(self, longest: int) -> list[Id]:
        """Each line that says `HEAD when this file was written`, with the first id after these words.

        The id is "" where none of 7 to `longest` digits follows.
        """
        found = []
        for number, line in enumerate(self._lines, start=1):
            match = _HEAD.search(line)
            if match:
                tokens = _ids_in(line[match.end() :], longest)
                found.append(Id(number, tokens[0] if tokens else ""))
        return found

    def ids(self, longest: int) -> list[Id]:
        """Every run of 7 to `longest` lower-case hex digits between non-word characters, each once."""
        found: dict[str, int] = {}
        for number, line in enumerate(self._raw, start=1):
            for token in _ids_in(line, longest):
                found.setdefault(token, number)
        return [Id(number, token) for token, number in found.items()]


def _ids_in(text: str, longest: int) -> list[str]:
    return re.findall(rf"(?<!\w)[0-9a-f]{{7,{longest}}}(?!\w)", text)


def _gate_line(number: int, line: str, names: frozenset[str]) -> GateLine | None:
    line = line[:LINE]
    last = line.rfind("=")
    if last < 0:
        return None
    named = names.intersection(_TOKEN.findall(line))
    if _EXAMPLE.search(line):
        outside = _CODE.sub(" ", _EXAMPLE.sub(" ", line))
        if not names.intersection(_TOKEN.findall(outside)):
            return None
    elif not named and not _KNOWN.search(line, 0, last):
        return None
    return GateLine(number, line.strip(), named, tuple(_MEASURED.findall(line)))


def load(tree: Tree) -> Handoff:
    """Read HANDOFF.md; raises `CheckFailed` where it is missing, no regular file, not UTF-8 or empty."""
    kind = tree.kind(PATH)
    if kind == "missing":
        others = [name for name in tree.names("") if name.casefold() == PATH.casefold()]
        told = f"; {others[0]} is here: git mv {others[0]} {PATH}" if others else ""
        raise CheckFailed(f"{PATH} is missing{told}", [Finding(PATH)])
    if kind != "file":
        what = {"dir": "a folder", "link": "a symbolic link"}.get(kind, "no regular file")
        raise CheckFailed(f"{PATH} is {what}; it must be a file of its own", [Finding(PATH)])
    try:
        text = tree.text(PATH, LIMIT)
    except ReadRefused as error:
        raise CheckFailed(str(error), [Finding(PATH)]) from error
    if not text.strip():
        raise CheckFailed(f"{PATH} is empty", [Finding(PATH)])
    return Handoff(text)


class Edits(NamedTuple):
    """What was looked at for deletions, and what was noticed: one sentence each."""

    looked_at: int
    noticed: tuple[str, ...]


def edits(facts: Facts) -> Edits:
    """Compare HANDOFF.md across the last commit that touched it, and across HEAD and the work tree.

    A line that moved was not removed. Raises `CheckFailed` without a repository or a commit.
    """
    history: History = facts.get("history")
    tree: Tree = facts.get("tree")
    last = history.last_touching(PATH)
    if not last:
        return Edits(0, ())
    after, before = history.contents([f"{last}:{PATH}", f"{last}^:{PATH}"])
    try:
        now: bytes | None = tree.read(PATH, LIMIT)
    except ReadRefused:
        now = b"" if tree.kind(PATH) == "missing" else after
    noticed = []
    for where, old, new in (
        (f"the last commit that touched it ({last[:7]})", before, after),
        ("the work tree", after, now),
    ):
        removed = uncorrected(old or b"", new or b"")
        if removed >= MANY:
            noticed.append(f"{where} takes {removed} lines out and adds none that says 'corrected'")
    return Edits(2, tuple(noticed))


def uncorrected(old: bytes, new: bytes) -> int:
    """How many non-blank lines `new` lacks; 0 where it adds a line that says `corrected` in any case."""
    if old == new:
        return 0
    before, after = _lines(old), _lines(new)
    if any(b"corrected" in line.lower() for line in after - before):
        return 0
    return (before - after).total()


def _lines(data: bytes) -> Counter[bytes]:
    return Counter(line.strip() for line in data.split(b"\n") if line.strip())
