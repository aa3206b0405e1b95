"""SC: what a web application hands to a browser, and takes from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, failed, passed
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts.cookies import Write
    from goblin.facts.search import Source
    from goblin.facts.sources import Sources

NOTE = "a cookie set from a script is readable by any script"


def every_cookie_write_carries_its_flags(sources: Sources) -> Outcome:
    """Every cookie is written with the flags that protect it.

    Reads the source set. An assignment to document.cookie needs Secure and SameSite; a call of
    cookies().set, res.cookie, a response's cookies.set or NextResponse.cookie needs httpOnly: true and a
    sameSite that is not false. Values are read through literals, templates, concatenation, conditions
    and constants of the same file; SameSite=None also needs Secure.

    FAIL: one line for each flag that a write lacks, or that cannot be read statically; or a source that
    could not be looked at. PASS: every write is complete, or there is none. SKIP: never.
    """
    from goblin.facts.needles import COOKIE

    count, scripted = 0, 0
    findings: list[Finding] = list(sources.unread)
    for source in sources.holding(COOKIE):
        try:
            found = _writes(sources, source)
        except ReadRefused as error:
            findings.append(source.finding(0, 0, f"not looked at: {error}"))
            continue
        count += len(found)
        for write in found:
            scripted += write.call == "document.cookie"
            findings += [
                source.finding(write.line, write.column, f"{write.call}: {fault}") for fault in write.faults
            ]
    text = f"{count} cookie write(s) checked in {len(sources.source_set)} source file(s) (text probe); {NOTE}"
    text += f" ({scripted} here)" if scripted else ""
    return failed(f"{len(findings)} flag(s) missing: {text}", findings) if findings else passed(text)


def _writes(sources: Sources, source: Source) -> list[Write]:
    from goblin.facts import cookies, jsscript

    data = sources.data(source)
    if not cookies.MAY_WRITE.search(data):
        return []
    script = jsscript.read(source.path, data)
    found = list(cookies.writes(script))
    if not script.sound:
        lines = {write.line for write in found}
        found += [write for write in cookies.probe(script.text) if write.line not in lines]
    return found
