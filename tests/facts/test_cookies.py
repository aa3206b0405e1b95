"""Cookie writes: which calls and assignments are one, and which flags each of them lacks."""

from __future__ import annotations

import pytest

from goblin.facts.cookies import may_write
from goblin.facts.cookiewrites import probe, writes
from goblin.facts.jsscript import Script

NONE = ("without httpOnly", "without sameSite")
BARE = ("without Secure", "without SameSite")
WRITES = {
    'document.cookie = "a=b"': BARE,
    'window.document.cookie = "a=b"': BARE,
    'document["cookie"] = "a=b"': BARE,
    "document[`cookie`] = 'a=b'": BARE,
    'document?.cookie += "a=b"': BARE,
    '(document as any).cookie = "a=b"': BARE,
    'const d = window.document; d.cookie = "a=b"': BARE,
    'frame.contentWindow.document.cookie = "a=b"': BARE,
    'document.cookie = "a=b; Secure; SameSite=Lax"': (),
    'document.cookie = "a=b;SECURE ; samesite = strict"': (),
    'document.cookie = "a=b; Secure"': ("without SameSite",),
    'document.cookie = "Secure=1; SameSite=Lax"': ("without Secure",),
    'document.cookie = "a=b; SecureX; SameSite=Lax"': ("without Secure",),
    'document.cookie = "a=b; SameSite=None; Secure"': (),
    'document.cookie = "a=b; SameSite=None"': ("without Secure (SameSite=None needs it)",),
    "document.cookie = `${n}=${v}; max-age=${a}; Secure; SameSite=Lax`": (),
    "document.cookie = `${n}=${v}; max-age=${a}`": BARE,
    "document.cookie = n + '=' + v + rest": (
        "Secure cannot be read statically",
        "SameSite cannot be read statically",
    ),
    "document.cookie = make(n)": ("Secure cannot be read statically", "SameSite cannot be read statically"),
    "document.cookie = `a=b; SameSite=Lax; ${more}`": ("Secure cannot be read statically",),
    "document.cookie = p ? 'a=b; Secure; SameSite=Lax' : 'a=b; SameSite=Lax'": ("without Secure",),
    "const s = p ? '; Secure' : ''; document.cookie = `a=b; SameSite=Lax${s}`": ("without Secure",),
    "res.cookie('a', b)": NONE,
    "res.cookie('a', b, {})": NONE,
    "response.status(200).cookie('a', b, { httpOnly: true, sameSite: 'lax' })": (),
    "this.res.cookie('a', b, { httpOnly: 1, sameSite: false })": (
        "httpOnly is not the literal true",
        "sameSite is switched off",
    ),
    "NextResponse.cookie('a', b)": NONE,
    "NextResponse.json({}).cookies.set('a', b)": NONE,
    "const r = NextResponse.next(); r.cookies.set({ name: 'a', httpOnly: true, sameSite: 'lax' })": (),
    "const r = new NextResponse(); r.cookies.set('a', b, { 'httpOnly': true, ['sameSite']: 'lax' })": (),
    "cookies().set('a', b, { httpOnly: true, sameSite: 'none' })": ("sameSite none without secure",),
    "cookies().set('a', b, { httpOnly: true, sameSite: 'none', secure: true })": (),
    "(await cookies()).set('a', b, { httpOnly: true, sameSite: s })": (),
    "const c = await cookies(); c.set('a', b, options)": (
        "httpOnly cannot be read statically",
        "sameSite cannot be read statically",
    ),
    "cookies().set(...all)": ("httpOnly cannot be read statically", "sameSite cannot be read statically"),
    "const o = { httpOnly: true, sameSite: 'lax' }; res.cookie('a', b, o)": (),
    "const o = { httpOnly: true }; res.cookie('a', b, { ...o, httpOnly: false, sameSite: 'lax' })": (
        "httpOnly is not the literal true",
    ),
}
QUIET = [
    'if (document.cookie === "") {}',
    "const a = document.cookie",
    "document.cookie == b",
    "x.cookie = 'a'",
    "// document.cookie = 'a'",
    "'document.cookie = 1'",
    "`document.cookie = 1`",
    "<p>document.cookie = 1</p>",
    "request.cookies.set('a', b)",
    "map.set('cookie', 1)",
    "cookies.set('a', b)",
    "cookies().get('a')",
    "superagent.cookie('a')",
    "res.cookie = function () {}",
    "import cookie from 'cookie'",
]


@pytest.mark.parametrize(("text", "faults"), WRITES.items())
def test_each_write_is_seen_with_what_it_lacks(text: str, faults: tuple[str, ...]) -> None:
    """One text a flag; the quick look never passes over a write."""
    assert [write.faults for write in writes(Script(text))] == [faults]
    assert may_write(text.encode())


@pytest.mark.parametrize("text", QUIET)
def test_what_writes_no_cookie_is_quiet(text: str) -> None:
    """Reads, comparisons, texts, and other objects with the same method."""
    assert list(writes(Script(text))) == []


def test_a_write_over_several_lines_stands_where_it_begins() -> None:
    """At the name that makes it one."""
    (write,) = writes(Script("x();\n  cookies()\n    .set(\n      'a', b)"))
    assert (write.line, write.column, write.call) == (3, 6, "cookies().set")


def test_the_plain_text_of_a_broken_script_is_probed() -> None:
    """It can only add: each write that looks incomplete is told."""
    text = "document.cookie = 'a=b'\nres.cookie('a', b, {\n httpOnly: true, sameSite: 'lax' })\n"
    text += "document.cookie == 1"
    assert [(write.line, write.faults) for write in probe(text)] == [(1, BARE), (2, ())]
    assert next(iter(probe("document.cookie = 'a; Secure; SameSite=Lax'"))).faults == ()


def test_the_quick_look_is_linear() -> None:
    """Megabytes of near misses; the limit of the suite would end it otherwise."""
    for text in (b".cookie /* " * 20_000, b".cookie" + b" " * 2_000_000, b"cookies " * 90_000):
        assert may_write(text) is False
