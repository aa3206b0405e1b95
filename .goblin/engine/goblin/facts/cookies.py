"""Fact `cookies`: every cookie write of the source set, and the flags that it lacks (spec SC-04).

A browser's write is an assignment to `document.cookie`; a server's is a call of `set` on the cookies of
the request (`cookies()`) or of a response, or of `cookie` on a response. What a flag is set to must be
readable: a value that only a run could tell is no flag (`cookiewrites` reads the scripts).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.needles import COOKIE
from goblin.outcome import Finding
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts.cookiewrites import Write
    from goblin.facts.search import Source
    from goblin.facts.sources import Sources

_MAY_WRITE = lazy(
    # An assignment to a member, with comments before the sign, or a call of one.
    rb"[.\[`\"']\s*+cookie(?>/\*(?:[^*]|\*(?!/)){0,300}+\*/|//[^\n]{0,300}+\n|[^\w=])*+=(?!=)"
    rb"|[.\[`\"']\s*+cookie[\"'`\]!?.\s]*+[(<]"
)
_MAY_SET = lazy(rb"[.\[`\"']\s*+set\b")


def may_write(data: bytes) -> bool:
    """False for a content that writes no cookie: a look that spares most files the reading."""
    if _MAY_WRITE.search(data):
        return True
    return b"cookies" in data and _MAY_SET.search(data) is not None


class Cookies(NamedTuple):
    """All writes, how many of them a script of the browser makes, and what is wrong."""

    written: int
    scripted: int
    findings: tuple[Finding, ...]


def load(sources: Sources) -> Cookies:
    """Read every source that may write a cookie."""
    count = scripted = 0
    findings: list[Finding] = list(sources.unread_sources)
    for source in sources.holding(COOKIE):
        try:
            found = _written(sources, source)
        except ReadRefused as error:
            findings.append(source.finding(0, 0, f"not looked at: {error}"))
            continue
        count += len(found)
        scripted += sum(write.call == "document.cookie" for write in found)
        findings += [
            source.finding(write.line, write.column, f"{write.call}: {fault}")
            for write in found
            for fault in write.faults
        ]
    return Cookies(count, scripted, tuple(findings))


def _written(sources: Sources, source: Source) -> list[Write]:
    data = sources.data(source)
    if not may_write(data):
        return []
    from goblin.facts.cookiewrites import probe, writes
    from goblin.facts.jsscript import read

    script = read(source.path, data)
    found = list(writes(script))
    if not script.sound:
        lines = {write.line for write in found}
        found += [write for write in probe(script.text) if write.line not in lines]
    return found
