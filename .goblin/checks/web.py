"""SC: what a web application hands to a browser, and takes from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goblin.outcome import Finding, Outcome, failed, passed, skipped
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts.boundary import Boundary
    from goblin.facts.cookies import Cookies
    from goblin.facts.sources import Sources

WAIVERS = ".goblin/boundary-waivers"
NOTE = "a cookie set from a script is readable by any script"


def every_cookie_write_carries_its_flags(sources: Sources, cookies: Cookies) -> Outcome:
    """Every cookie is written with the flags that protect it.

    Reads the source set. An assignment to document.cookie needs Secure and SameSite; a call of
    cookies().set, res.cookie, a response's cookies.set or NextResponse.cookie needs httpOnly: true and a
    sameSite that is not false. Values are read through literals, templates, concatenation, conditions
    and constants of the same file; SameSite=None also needs Secure.

    FAIL: one line for each flag that a write lacks, or that cannot be read statically; or a source that
    could not be looked at. PASS: every write is complete, or there is none. SKIP: never.
    """
    count = sources.count
    text = f"{cookies.written} cookie write(s) checked in {count} source file(s) (text probe); {NOTE}"
    text += f" ({cookies.scripted} here)" if cookies.scripted else ""
    if cookies.findings:
        return failed(f"{len(cookies.findings)} flag(s) missing: {text}", cookies.findings)
    return passed(text)


def every_write_route_validates_its_input(boundary: Boundary) -> Outcome:
    """Every exported write handler validates its input, or is waived with a reason.

    Reads route.{ts,tsx,js,jsx,mjs} below security.write_routes, and .goblin/boundary-waivers. A handler
    is an export called POST, PUT, PATCH or DELETE, in whatever form; one that comes from another file is
    followed there once. It validates where a call of safeParse, validate, a compiled schema, or parse in
    a file that imports a validator library can be reached from it inside its file.

    FAIL: a handler that reaches no validator and whose path no waiver names; a route that could not be
    read. PASS: each is validated or waived, or there is none. SKIP: no directory is declared, or none of
    those declared exists.
    """
    if not boundary.declared:
        return skipped("no write_routes declared: list directories in security.write_routes")
    if len(boundary.absent) == len(boundary.declared):
        return skipped(f"no such directory: {', '.join(boundary.absent)} (security.write_routes)")
    findings: list[Finding] = []
    try:
        waivers = boundary.waivers
    except ReadRefused as error:
        waivers = ()
        findings.append(Finding(WAIVERS, message=str(error).partition(": ")[2]))
    accepted = {waiver.path for waiver in waivers if waiver.counts}
    count, waived, written = 0, 0, set()
    for route in boundary.routes:
        if route.problem:
            findings.append(route.source.finding(0, 0, f"not looked at: {route.problem}"))
        for handler in route.handlers:
            count += 1
            written.add(route.source.path)
            if handler.why and route.source.path in accepted:
                waived += 1
            elif handler.why:
                text = f"{handler.method} validates no input: {handler.why}"
                findings.append(route.source.finding(handler.line, handler.column, text))
    notes = [
        Finding(WAIVERS, waiver.line, message=f"stale: {waiver.path} has no write handler")
        for waiver in waivers
        if waiver.path not in written
    ]
    notes += [
        Finding(WAIVERS, waiver.line, message=f"{waiver.path} gives no reason, so it waives nothing")
        for waiver in waivers
        if not waiver.counts
    ]
    absent = f" (absent: {', '.join(boundary.absent)})" if boundary.absent else ""
    text = f"{count} write handler(s), {waived} waived, {len(boundary.declared)} dir(s) declared{absent}"
    if findings:
        return failed(f"{len(findings)} without validation: {text} (text probe)", [*findings, *notes])
    return passed(f"{text} (text probe)", notes)
