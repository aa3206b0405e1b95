"""Just enough Markdown to judge a document: headings, sections, and what a reader does not see.

Fences and HTML comments follow CommonMark, because a fenced sample or a commented-out heading must
never stand in for a real one. Line numbers count LF alone, from 1, and stay true throughout.
"""

from __future__ import annotations

from typing import NamedTuple

from goblin.pattern import lazy


class Heading(NamedTuple):
    """An ATX heading at column 0: its line, its level from 1 to 6 and its text without the marks."""

    line: int
    level: int
    text: str


class FrontMatter(NamedTuple):
    """The block between a first line `---` and the next one; `end` is the closing line, 0 without one."""

    text: str
    end: int


_FENCE = lazy(r"([ \t]*)(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = lazy(r"(#{1,6})(?:[ \t](.*))?")
_TICKS = lazy(r"`+")
_INLINE = lazy(r"(`+)|<!--")
_VISIBLE = lazy(r"[^\r\n]")


def blank(text: str, *, fences: bool = True) -> str:
    """The same text, length and lines, with fenced code and HTML comments turned into spaces.

    With `fences=False` only comments go, and what stands in a fence is never taken for one.

    A fence is indented by up to three blanks, or by more where a closing fence follows (in a list).
    One that is not closed hides the rest of the text, as does an unclosed comment that starts a line;
    an unclosed comment within a line is text. `blank(blank(text)) == blank(text)`. Linear in time.
    """
    if "<!--" not in text and not (fences and ("```" in text or "~~~" in text)):
        return text
    return "\n".join(_Blanking(text.split("\n")).all(fences))


def _spaces(text: str) -> str:
    return _VISIBLE.sub(" ", text)


class _Blanking:
    """One pass over the lines; a search that failed is remembered, so no line is scanned for it twice."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.unclosed: dict[str, int] = {}  # fence mark -> a length that nothing closes from here on
        self.uncommented = 0  # below this line no inline comment of the paragraph is closed

    def all(self, fences: bool) -> list[str]:
        index = 0
        while index < len(self.lines):
            line = self.lines[index]
            opening = _FENCE.match(line) if "```" in line or "~~~" in line else None
            close = self.fence_end(index, opening[1], opening[2]) if opening else -1
            if close < 0:
                index = self.comments(index)
                continue
            if fences:
                self.hide(index, close + 1)
            index = close + 1
        return self.lines

    def hide(self, first: int, last: int) -> None:
        for index in range(first, min(last, len(self.lines))):
            self.lines[index] = _spaces(self.lines[index])

    def fence_end(self, index: int, indent: str, mark: str) -> int:
        """The line that closes a fence; one past the end for an open one; -1 where this is no fence."""
        if len(mark) < self.unclosed.get(mark[0], len(mark) + 1):
            for at in range(index + 1, len(self.lines)):
                bare = self.lines[at].strip()
                if len(bare) >= len(mark) and not bare.strip(mark[0]):
                    return at
            self.unclosed[mark[0]] = len(mark)
        return -1 if len(indent.expandtabs(4)) > 3 else len(self.lines)

    def comments(self, index: int) -> int:
        """Blank the comments that start in this line; return the line where reading goes on."""
        if "<!--" not in self.lines[index]:
            return index + 1
        start = 0
        before: str | None = None  # what stands before the first one: blanks alone make it a block
        ticks = _ticks(self.lines[index])
        while found := _INLINE.search(self.lines[index], start):
            line = self.lines[index]
            if found[1]:  # a code span on this line, or backticks that open none
                same = ticks[len(found[1])]
                while same and same[-1] <= found.start():
                    same.pop()
                start = same[-1] + len(found[1]) if same else found.end()
                continue
            before = line[: found.start()] if before is None else before
            block = not before.strip() and len(before.expandtabs(4)) < 4
            last, end = self.comment_end(index, found.start(), block)
            if last < 0:
                start = found.end()
                continue
            if last == index:
                self.lines[index] = line[: found.start()] + _spaces(line[found.start() : end]) + line[end:]
                start = end
                continue
            self.lines[index] = line[: found.start()] + _spaces(line[found.start() :])
            self.hide(index + 1, last)
            if last == len(self.lines):
                return last
            index, start = last, end
            ticks = _ticks(self.lines[index])
            self.lines[index] = _spaces(self.lines[index][:end]) + self.lines[index][end:]
        return index + 1

    def comment_end(self, index: int, column: int, block: bool) -> tuple[int, int]:
        """Where a comment ends: its line and the column after `-->`; line -1 where this is no comment."""
        if not block and index < self.uncommented:
            return -1, 0
        after = column + 2  # `<!-->` is a whole comment
        for at in range(index, len(self.lines)):
            if not block and not self.lines[at].strip():
                self.uncommented = at
                return -1, 0
            end = self.lines[at].find("-->", after)
            if end >= 0:
                return at, end + 3
            after = 0
        self.uncommented = len(self.lines)
        return (len(self.lines), 0) if block else (-1, 0)


def _ticks(line: str) -> dict[int, list[int]]:
    """Where the runs of backticks start, by length, the last one first."""
    found: dict[int, list[int]] = {}
    for run in reversed(list(_TICKS.finditer(line))):
        found.setdefault(len(run[0]), []).append(run.start())
    return found


def headings(text: str) -> list[Heading]:
    """Every ATX heading at column 0 outside fenced code and comments, in order."""
    found = []
    for number, line in enumerate(blank(text).split("\n"), start=1):
        match = _HEADING.fullmatch(line.removesuffix("\r")) if line.startswith("#") else None
        if match:
            found.append(Heading(number, len(match[1]), _without_marks(match[2] or "")))
    return found


def _without_marks(text: str) -> str:
    text = text.strip()
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else text


def section(text: str, heading: Heading, until: int = 0) -> list[tuple[int, str]]:
    """The numbered lines below a heading, up to the next one of its level or a higher one.

    `until` closes it at the next heading of that level or higher instead. The lines are those of
    `text` as given: pass `blank(text)` to leave out what a reader does not see.
    """
    limit = until or heading.level
    lines = text.split("\n")
    ends = [other.line for other in headings(text) if other.line > heading.line and other.level <= limit]
    last = ends[0] - 1 if ends else len(lines)
    return [(number, lines[number - 1].removesuffix("\r")) for number in range(heading.line + 1, last + 1)]


def front_matter(text: str) -> FrontMatter | None:
    """The block that opens a document, or None where the first line is not exactly `---`."""
    lines = text.split("\n")
    if lines[0].removesuffix("\r") != "---":
        return None
    for number, line in enumerate(lines[1:], start=2):
        if line.removesuffix("\r").rstrip(" \t") == "---":
            return FrontMatter("\n".join(lines[1 : number - 1]), number)
    return FrontMatter("\n".join(lines[1:]), 0)
