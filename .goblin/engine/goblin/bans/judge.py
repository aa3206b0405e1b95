"""Judges the bytes of one file by several bans at once: it is decoded, read and parsed once for all."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from goblin.bans import astprobe, parts, patience
from goblin.bans.blanks import blanked
from goblin.bans.detect import find
from goblin.bans.escapes import Escapes, escapes
from goblin.bans.patience import Late, within
from goblin.bans.reading import Import, Reading
from goblin.bans.record import Asked, Hit, Probe, Record
from goblin.bans.rules import Rule
from goblin.bans.structure import TooMuch
from goblin.bans.textprobe import TextProbe

MOST = 1000
"""Hits of one ban in one file that are told."""

WIDTH = 120
"""Characters of a flagged line that are shown."""

Blank = Callable[[str, str], tuple[str, str] | None]
"""Text and file name ending to the text with its comments blanked, and with its texts blanked too; None
for a language that nobody here knows.
"""


def decoded(data: bytes) -> str:
    """The text of a source file: UTF-8, or UTF-16 with its mark; bytes that are neither are kept."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "surrogateescape")


def judge(
    data: bytes, path: str, probes: Iterable[Probe], blank: Blank, given: Mapping[str, Sequence[int]] = {}
) -> Record:
    """What the bans find in the bytes of a file. Never raises for what they may hold.

    `given` are the places that ast-grep has found for bans of its own, as offsets in bytes.
    """
    asked = list(probes)
    for by_tree in (True, False) if astprobe.usable() else (False,):
        file = _File(data, parts.ending(path), blank, by_tree, given)
        try:
            return file.judge(asked)
        except (TooMuch, RecursionError, MemoryError):
            if not file.trees:
                break
            continue  # what a tree cannot bear, the text probe may
        except Late:
            return Record(fault=f"a pattern did not end within {patience.SECONDS:g} s")
    return Record(fault="too involved to be judged within bounds")


class _File:
    def __init__(
        self, data: bytes, ending: str, blank: Blank, by_tree: bool, given: Mapping[str, Sequence[int]]
    ) -> None:
        self.given = given
        self.data = data
        self.text = decoded(data)
        self.ending = ending
        self.blank = blank
        self.parts = list(parts.parts(self.text, ending))
        self.by_tree = by_tree
        self.trees = 0
        self.breaks: list[int] | None = None
        self.bare: tuple[str, str] | None = None
        self.escaped: Escapes | None = None
        self.readings: dict[int, list[Reading]] = {}

    def judge(self, probes: list[Probe]) -> Record:
        places: dict[str, list[int]] = {}
        imports: list[tuple[Import, int]] = []
        text: list[str] = []
        for probe in probes:
            if probe.outside:
                given = self.given.get(probe.ban.id, ())
                places[probe.ban.id] = [
                    len(self.data[:at].decode("utf-8", "surrogateescape")) for at in given
                ]
                continue
            if probe.rule is None:
                with within(patience.SECONDS):
                    places[probe.ban.id] = list(self._lines(probe))
                text.append(probe.ban.id)
                continue
            if probe.rule.layers:
                imports += self._imports()
            places[probe.ban.id] = list(self._places(probe.rule))
            if not self.by_tree and (self.parts or probe.rule.layers):
                text.append(probe.ban.id)
        hits = {name: found for name, starts in places.items() if (found := self._hits(name, starts))}
        asked = tuple(self._asked(one, base) for one, base in imports)
        broken = any(reading.broken for readings in self.readings.values() for reading in readings)
        return Record(hits, asked, tuple(text), broken)

    # --- readers ------------------------------------------------------------------------------------

    def _read(self, number: int) -> list[Reading]:
        """The readers of a part: the tree, the tokens where there is none, both where the tree is broken."""
        if number not in self.readings:
            part = self.parts[number]
            jsx = part.language != "ts"
            found: list[Reading] = []
            if self.by_tree and astprobe.bearable(part.text):
                self.trees += 1
                found.append(astprobe.AstProbe(part.text, jsx=jsx))
            if not found or found[0].broken:
                found.append(TextProbe(part.text, jsx=jsx))
            self.readings[number] = found
        return self.readings[number]

    def _places(self, rule: Rule) -> Iterator[int]:
        for number, part in enumerate(self.parts):
            for reading in self._read(number):
                for hit in find(rule, reading, part.text, typed=part.language != "js"):
                    yield part.start + hit.start
        if rule.attributes and self.ending == "html":
            for found in parts.elements(self.text):
                if (found.tag, found.name) in rule.attributes:
                    yield found.start

    def _imports(self) -> Iterator[tuple[Import, int]]:
        if self.ending in ("py", "pyi", "go"):
            from goblin.bans import otherimports
        if self.ending in ("py", "pyi"):
            yield from ((one, 0) for one in otherimports.python(self.text))
        elif self.ending == "go":
            yield from ((one, 0) for one in otherimports.go(self.text))
        for number, part in enumerate(self.parts):
            seen = set()
            for reading in self._read(number):
                for one in reading.imports():
                    if (one.start, one.specifier) not in seen:
                        seen.add((one.start, one.specifier))
                        yield one, part.start

    def _blanked(self) -> tuple[str, str]:
        """The text without comments, and without texts too; as it is in an unknown language."""
        if self.bare is None:
            known = blanked(self.text, self.parts) if self.parts else self.blank(self.text, self.ending)
            self.bare = known or (self.text, self.text)
        return self.bare

    def _lines(self, probe: Probe) -> Iterator[int]:
        """The offsets of lines that a pattern matches as they are, and still with comments blanked."""
        at = 0
        for line, bare in zip(self.text.split("\n"), self._blanked()[1].split("\n"), strict=True):
            raw, code = (text.encode("utf-8", "surrogateescape") for text in (line, bare))
            if any(pattern.search(raw) and pattern.search(code) for pattern in probe.patterns):
                yield at + len(line) - len(line.lstrip())
            at += len(line) + 1

    # --- places -------------------------------------------------------------------------------------

    def _line(self, start: int) -> int:
        """The number of the line that an offset stands in, from 1."""
        if self.breaks is None:
            self.breaks = [match.start() for match in re.finditer("\n", self.text)]
        return bisect_left(self.breaks, start) + 1

    def _place(self, start: int) -> tuple[int, int, str]:
        """The line, the column and the shortened text of a place."""
        line = self._line(start)
        assert self.breaks is not None
        first = self.breaks[line - 2] + 1 if line > 1 else 0
        last = self.breaks[line - 1] if line <= len(self.breaks) else len(self.text)
        indent = len(self.text[first : min(start, first + 400)]) - len(
            self.text[first : first + 400].lstrip()
        )
        begin = first + max(0, indent) if start - first < WIDTH else start
        begin = start - WIDTH // 2 if start - first >= WIDTH else first
        shown = self.text[begin : min(last, begin + WIDTH + 1)].strip()
        cut = "..." if last - begin > WIDTH + 1 else ""
        return line, start - first + 1, ("..." if begin > first else "") + shown[:WIDTH] + cut

    def _hits(self, name: str, starts: list[int]) -> tuple[Hit, ...]:
        """One hit a line, with whether it is escaped there."""
        found: dict[int, Hit] = {}
        for start in sorted(starts):
            line, column, shown = self._place(start)
            if line not in found and len(found) < MOST:
                found[line] = Hit(line, column, self._escapes().covers(name, line), shown)
        return tuple(found.values())

    def _escapes(self) -> Escapes:
        if self.escaped is None:
            self.escaped = escapes(self.text, self._comments() if "BAN-OK" in self.text else ())
        return self.escaped

    def _comments(self) -> Iterator[tuple[int, int]]:
        for number, part in enumerate(self.parts):
            for start, end in self._read(number)[0].comments:
                yield part.start + start, part.start + end
        if self.ending in parts.MARKUP:
            yield from parts.comments(self.text)
        elif not self.parts:
            code = self._blanked()[0]
            for match in re.finditer("BAN-OK[^\n]*", self.text):
                if code is self.text or not code.startswith("BAN-OK", match.start()):
                    yield match.span()

    def _asked(self, one: Import, base: int) -> Asked:
        line, column, shown = self._place(base + one.start)
        return Asked(line, column, one.specifier, one.prefix, shown)
