"""What a credential looks like in bytes, and where one stands: by kind and place, never by value.

`TRACKED` is SC-10's set, taken from the one table that also masks what we print (decided 40).
`SHIPPED` is SC-03's, for what a build sends to everyone. A literal of each kind is looked for first:
that costs a fraction of a pattern, and nearly no file holds one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from goblin.facts.content import OVERLAP, Window
from goblin.redact import SECRETS

MOST = 200
"""Places of one kind in one file that are listed; more say nothing new."""

SAMPLE = b"EXAMPLE"
"""How the documented sample keys end."""

_HEADS: dict[str, tuple[bytes, ...]] = {
    "private key": (b"PRIVATE KEY",),
    "cloud access key": (b"AKIA", b"ASIA"),
    "forge token": (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"),
    "forge fine-grained token": (b"github_pat_",),
    "forge access token": (b"glpat-",),
    "chat token": (b"xoxa-", b"xoxb-", b"xoxp-", b"xoxr-", b"xoxs-"),
    "payment key": (b"sk_live_", b"rk_live_"),
    "web API key": (b"AIza",),
    "package registry token": (b"npm_",),
    "package index token": (b"pypi-AgEI",),
    "model provider key": (b"sk-ant-", b"sk-proj-"),
}


class Kind(NamedTuple):
    """One kind of credential. Whatever `pattern` matches holds one of `literals` and no line break."""

    name: str
    pattern: str
    literals: tuple[bytes, ...]
    accept: Callable[[bytes, int, int], bool] = lambda data, start, end: True


class Hit(NamedTuple):
    """A credential. Line and column count from 1; the column counts characters."""

    kind: str
    line: int
    column: int


def _no_sample(data: bytes, start: int, end: int) -> bool:
    return not data.endswith(SAMPLE, start, end)


def _provider_key(data: bytes, start: int, end: int) -> bool:
    """Not the tail of a word such as `task-`, and not a class name made of words."""
    if start and (data[start - 1 : start].isalnum() or data[start - 1] in b"_-"):
        return False
    body = data[start + 3 : end]
    letters = sum(chunk.isalnum() * len(chunk) for chunk in re.split(rb"[-_]+", body))
    if letters < 20:
        return False
    plain = not re.search(rb"[0-9A-Z]", body)
    return not (plain and re.search(rb"[-_]", body) and not re.search(rb"[a-z]{20}", body))


def _is_web_token(data: bytes, start: int, end: int) -> bool:
    """Three parts of which the first decodes to JSON that names an algorithm."""
    import base64
    import json

    if start and (data[start - 1 : start].isalnum() or data[start - 1] in b"_-"):
        return False
    first = data[start:end].partition(b".")[0]
    try:
        head = json.loads(base64.urlsafe_b64decode(first + b"=" * (-len(first) % 4)))
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and "alg" in head


TRACKED: tuple[Kind, ...] = tuple(Kind(name, pattern, _HEADS[name], _no_sample) for name, pattern in SECRETS)
"""What no tracked file may hold (SC-10)."""

SHIPPED: tuple[Kind, ...] = (
    Kind("provider key", r"sk-[A-Za-z0-9_-]{20,}", (b"sk-",), _provider_key),
    Kind("forge token", r"gh[pousr]_[A-Za-z0-9]{20,}", _HEADS["forge token"]),
    Kind("forge fine-grained token", r"github_pat_[A-Za-z0-9_]{20,}", (b"github_pat_",)),
    Kind("cloud access key", r"AKIA[A-Z0-9]{16}", (b"AKIA",)),
    Kind("chat token", r"xox[abprs]-[A-Za-z0-9-]{10,}", _HEADS["chat token"]),
    Kind("web API key", r"AIza[A-Za-z0-9_-]{35}", (b"AIza",)),
    Kind("payment key", r"[sr]k_live_[A-Za-z0-9]{8,}", _HEADS["payment key"]),
    Kind("private key", SECRETS[0][1], _HEADS["private key"]),
    Kind(
        "web token",
        # How a brace begins in base64, with a quotation mark or white space behind it.
        r"(?:eyJ|eyA|ewo|ew0|ewk)[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{2,}",
        (b"eyJ", b"eyA", b"ewo", b"ew0", b"ewk"),
        _is_web_token,
    ),
)
"""What no shipped file may hold (SC-03)."""


def wide(literal: bytes) -> bytes:
    """A literal as UTF-16 spells it, in either byte order, less the zero byte at one end."""
    return b"\0".join(literal[at : at + 1] for at in range(len(literal)))


@cache
def _compiled(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode("ascii"))


@cache
def _wide_text() -> re.Pattern[bytes]:
    """A run of ASCII characters in UTF-16; the last may lack its zero byte at the end of a file."""
    return re.compile(rb"(?:[\t -~]\0){12,}[\t -~]?")


def find(windows: Iterable[Window], kinds: tuple[Kind, ...] = TRACKED) -> list[Hit]:
    """Every credential of a content, in order; one place counts once for each kind."""
    hits: dict[tuple[int, str], Hit] = {}
    lines = _Lines()
    for window in windows:
        places = sorted({*_plain(window.data, kinds), *_in_wide(window.data, kinds)})
        for start, name, width in places:
            key = (window.offset + start, name)
            if key not in hits:
                hits[key] = lines.place(window, start, name, width)
        lines.passed(window)
    return list(hits.values())


def _plain(data: bytes, kinds: tuple[Kind, ...]) -> Iterator[tuple[int, str, int]]:
    for kind in kinds:
        matches = (m for m in _matches(data, kind) if kind.accept(data, *m.span()))
        for match in islice(matches, MOST):
            yield match.start(), kind.name, 1


def _matches(data: bytes, kind: Kind) -> Iterator[re.Match[bytes]]:
    """Every match, in order. Only lines with a literal are searched: none of the patterns passes a line."""
    places = {literal: data.find(literal) for literal in kind.literals}
    pattern = None
    while places := {literal: at for literal, at in places.items() if at >= 0}:
        at = min(places.values())
        start = data.rfind(b"\n", 0, at) + 1
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        pattern = pattern or _compiled(kind.pattern)
        yield from pattern.finditer(data, start, end)
        places = {literal: at if at >= end else data.find(literal, end) for literal, at in places.items()}


def _in_wide(data: bytes, kinds: tuple[Kind, ...]) -> Iterator[tuple[int, str, int]]:
    """The same in the UTF-16 text of a content, which may be all of it or a part."""
    if b"\0" not in data:
        return
    wanted = [kind for kind in kinds if any(wide(literal) in data for literal in kind.literals)]
    if not wanted:
        return
    for run in _wide_text().finditer(data):
        text = run.group()[::2]
        # Without its zero byte the last character may be half of another one.
        spellings = (text, text[:-1]) if len(run.group()) % 2 else (text,)
        for kind in wanted:
            for spelled in spellings:
                for match in islice(_compiled(kind.pattern).finditer(spelled), MOST):
                    if kind.accept(spelled, *match.span()):
                        yield run.start() + 2 * match.start(), kind.name, 2


class _Lines:
    """Counts lines over the windows of one content."""

    def __init__(self) -> None:
        self._before = 0  # line breaks before the window that is looked at
        self._cut = 0  # bytes between the last of them and the window

    def place(self, window: Window, start: int, kind: str, width: int) -> Hit:
        """The line and column of a place in a window; `width` is the bytes of a code unit."""
        data = window.data
        if width == 2:
            order, shift = ("utf-16-le", 0) if (window.offset + start) % 2 == 0 else ("utf-16-be", 1)
            text = data[window.offset % 2 : start - shift].decode(order, "replace")
            last = text.rpartition("\n")[2]
            return Hit(kind, self._before + text.count("\n") + 1, len(last.lstrip("\ufeff")) + 1)
        at = data.rfind(b"\n", 0, start) + 1
        column = len(data[at:start].decode("utf-8", "replace").removeprefix("\ufeff")) + 1
        column += self._cut if at == 0 else 0
        return Hit(kind, self._before + data.count(b"\n", 0, start) + 1, column)

    def passed(self, window: Window) -> None:
        """Go on to the next window, which repeats the end of this one."""
        kept = max(len(window.data) - OVERLAP, 0)
        breaks = window.data.count(b"\n", 0, kept)
        self._cut = kept - window.data.rfind(b"\n", 0, kept) - 1 if breaks else self._cut + kept
        self._before += breaks
