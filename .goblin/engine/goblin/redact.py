"""Text from outside made safe to print: no terminal control, no bidirectional trick, no secret.

`clean` is for everything that reaches a person; `mask` is for output of other programs and for
file contents, where a credential may stand (decided 40).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

# C0 and C1 controls, bidirectional overrides and isolates, line and paragraph separators,
# zero-width characters and the byte-order mark: all of them change what a reader sees.
_UNSAFE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"

# name -> pattern over bytes; each is exact enough to be printed by kind alone (SC-10).
SECRETS: tuple[tuple[str, str], ...] = (
    ("private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    ("cloud access key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("forge token", r"\bgh[pousr]_[A-Za-z0-9]{36}"),
    ("forge fine-grained token", r"\bgithub_pat_[A-Za-z0-9_]{82}"),
    ("forge access token", r"\bglpat-[A-Za-z0-9_-]{20}"),
    ("chat token", r"\bxox[abprs]-[A-Za-z0-9-]{10,}"),
    ("payment key", r"\b[sr]k_live_[A-Za-z0-9]{24}"),
    ("web API key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("package registry token", r"\bnpm_[A-Za-z0-9]{36}"),
    ("package index token", r"\bpypi-AgEI[A-Za-z0-9_-]{8,}"),
    ("model provider key", r"\bsk-(?:ant|proj)-[A-Za-z0-9_-]{8,}"),
)


_KEY_KIND, _KEY_BEGIN = SECRETS[0]
_KEY_HIDDEN = f"<{_KEY_KIND} hidden>"
_KEY_LINES = 400
"""Lines within which a private key ends; a real one has some fifty."""


_BODY = 40
"""Characters of base64 in a row that look like a line of a key."""


@cache
def _key_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What begins a private key, what ends it, and what a line of its body holds."""
    begin = re.compile(_KEY_BEGIN, re.ASCII)
    body = rf"[A-Za-z0-9+/=]{{{_BODY},}}"
    return begin, re.compile(_KEY_BEGIN.replace("BEGIN", "END"), re.ASCII), re.compile(body)


@cache
def _colours() -> re.Pattern[str]:
    """Terminal sequences: CSI (colour, cursor), OSC (titles, links) and the two-character ones."""
    return re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


@cache
def _secrets() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for _, pattern in SECRETS), re.ASCII)


@cache
def _unsafe() -> re.Pattern[str]:
    return re.compile(f"[{_UNSAFE}]|[\ud800-\udfff]")


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8, kept by surrogateescape
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def clean(text: str) -> str:
    """One line of text as it may be printed: anything that could move, hide or reorder is escaped.

    So is what a CI server obeys wherever it stands in a line of output: `##[` and `##vso[`. A command of
    the form `::name::` counts at the beginning of a line alone, where no text from outside stands.
    """
    if text.isascii() and text.isprintable():
        shown = text
    else:
        shown = _unsafe().sub(_escaped, text).replace("\n", "\\n")
    if "##" not in shown:
        return shown
    return shown.replace("##[", "#\\x23[").replace("##vso[", "#\\x23vso[")


def mask(text: str) -> str:
    """The same text with every known shape of credential replaced by its kind, a whole private key too."""

    def kind(match: re.Match[str]) -> str:
        if match.group().endswith("EXAMPLE"):
            return match.group()
        for name, pattern in SECRETS:
            if re.fullmatch(pattern, match.group(), re.ASCII):
                return f"<{name} hidden>"
        return "<secret hidden>"

    return _secrets().sub(kind, _without_keys(text) if "PRIVATE KEY" in text else text)


class _Marks:
    """The marks of private keys in a text, each line searched once; (row, start, end) of each, in order."""

    def __init__(self, given: list[str]) -> None:
        begin, end, body = _key_patterns()
        self.opening = [(row, *m.span()) for row, line in enumerate(given) for m in begin.finditer(line)]
        self.closing = [(row, *m.span()) for row, line in enumerate(given) for m in end.finditer(line)]
        # From this column on no line of a body begins any more; -1 where there is none.
        self.body = [max((m.end() - _BODY for m in body.finditer(line)), default=-1) for line in given]

    def next_of(
        self, marks: list[tuple[int, int, int]], row: int, column: int
    ) -> tuple[int, int, int] | None:
        """The first mark that does not begin before a place."""
        at = bisect_left(marks, (row, column, 0))
        return marks[at] if at < len(marks) else None


def _without_keys(text: str) -> str:
    """The text with each private key, marks and body, replaced by its kind; either mark may be cut off."""
    given = text.split("\n")
    marks = _Marks(given)
    kept: list[str] = []
    row, column = 0, 0  # where reading goes on
    shown: list[str] = []  # what of that line is kept already
    follows = 0  # the row that comes after this one, where a body below was passed over
    while row < len(given):
        opened = marks.next_of(marks.opening, row, column)
        closed = marks.next_of(marks.closing, row, column)
        if opened and opened[0] == row and not (closed and closed < opened):
            shown += given[row][column : opened[1]], _KEY_HIDDEN
            column = opened[2]
            if closed and closed[0] < row + _KEY_LINES:
                if closed[0] > row:
                    follows = 0
                row, column = closed[0], closed[2]
                continue
            follows = follows or _after_body(marks, row)
            if column <= marks.body[row]:
                column = len(given[row])
        elif closed and closed[0] == row:
            if not shown:
                _drop_body(kept)
            shown.append(_KEY_HIDDEN)
            column = closed[2]
        else:
            kept.append("".join([*shown, given[row][column:]]))
            row, column, shown, follows = follows or row + 1, 0, [], 0
    return "\n".join(kept)


def _after_body(marks: _Marks, row: int) -> int:
    """The first row below that is no line of a body."""
    row += 1
    while row < len(marks.body) and marks.body[row] >= 0:
        row += 1
    return row


def _drop_body(kept: list[str]) -> None:
    """Take away the lines of a body that ends here and whose beginning is not there."""
    _, _, body = _key_patterns()
    if kept and re.search(r"[A-Za-z0-9+/=]{4,}\s*$", kept[-1]):
        kept.pop()  # the last line of a body is shorter than the others
    while kept and body.search(kept[-1]):
        kept.pop()


def lines(output: bytes, most: int = 20, width: int = 400) -> list[str]:
    """The last non-blank lines of a program's output, masked, cleaned and cut to `width` characters.

    Colours go, before masking: they would stand between a credential and what marks its beginning.
    Of a line that was written over and over (a progress bar), the last state counts.
    """
    text = mask(_colours().sub("", output.decode("utf-8", "surrogateescape")))
    states = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    kept = [line for line in states if line.strip()]
    shown = []
    for line in kept[-most:]:
        safe = clean(line.replace("\t", "    "))
        shown.append(safe if len(safe) <= width else safe[:width] + "...")
    return shown
