"""What the names of a script stand for, and what its expressions can be read as."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.facts.jsscript import Script, read
from goblin.facts.jsvalues import options, texts


def value_of(text: str) -> tuple[tuple[str | None, ...], ...]:
    """Every text that the value of `it = ...` in a script may have."""
    script = Script(text)
    at = next(i for i in range(len(script.tokens)) if script.named(i, "it") and script.sign(i + 1, "="))
    return texts(script, at + 2, script.value_end(at + 2))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it = 'a'", "a"),
        ("it = \"a\" + 'b' + `c`", "abc"),
        ("it = ('a' + ('b'))", "ab"),
        ("it = 'a' +\n 'b'\nother()", "ab"),
        ("it = 'a'\nb + 'c'", "a"),
        ("const b = 'x';\nit = `a${b}c`", "axc"),
        ("const b = 'x' as const, c = b!;\nit = c", "x"),
        ("let b = 'x';\nit = b", "x"),
        ("it = ['a', 'b'].join('; ')", "a; b"),
        ("it = ['a', 'b'].join()", "a,b"),
        ("it = ''.concat('a', 'b').trim()", "ab"),
        ("it = 'a' as string", "a"),
        ("it = 1 + 'a'", "1a"),
    ],
)
def test_texts_are_read_through_what_makes_them(text: str, expected: str) -> None:
    """Literals, concatenation, templates, groups, constants of the file, join and concat."""
    assert ["".join("?" if piece is None else piece for piece in pieces) for pieces in value_of(text)] == [
        expected
    ]


@pytest.mark.parametrize(
    "text",
    [
        "it = b",
        "it = f('a')",
        "let b = 'x'; b = 'y'; it = b",
        "const b = 'x'; function f(b) { it = b }",
        "const b = 'x'; const g = b => { it = b }",
        "const b = 'x'; { const b = 'y' } it = b",
        "import b from 'c'; it = b",
        "const { b } = c; it = b",
        "it = 'a'.repeat(2)",
        "it = a.b",
        "it = 'a' - 'b'",
        "const b = c; const c = b; it = b",
        "for (const b of c) it = b",
        "it = [...a].join(b)",
    ],
)
def test_what_only_a_run_could_tell_is_unknown(text: str) -> None:
    """A name that is declared twice, assigned again, passed in, imported or computed."""
    assert value_of(text) == ((None,),), text


def test_a_condition_has_both_of_its_texts() -> None:
    """A flag that is set on one branch alone is not set."""
    assert set(value_of("it = a ? 'b' : c ? 'd' : 'e'")) == {("b",), ("d",), ("e",)}
    assert set(value_of("it = 'x' + (a ? 'b' : '')")) == {("x", "b"), ("x", "")}
    assert (None,) in value_of("it = a && 'b'")
    assert set(value_of("it = 'a' || 'b'")) == {("a",), ("b",)}


def test_too_many_texts_are_unknown() -> None:
    """Conditions multiply; a hostile file does not."""
    assert value_of("it = " + " + ".join(["(a ? 'b' : 'c')"] * 30)) == ((None,),)


def members(text: str) -> tuple[set[str], bool]:
    """The keys of the object at the end of a script, and whether all of it is known."""
    script = Script(text)
    at = next(i for i in range(len(script.tokens)) if script.named(i, "it") and script.sign(i + 1, "="))
    found = options(script, at + 2, script.value_end(at + 2))
    return set(found.values), found.whole


@pytest.mark.parametrize(
    ("text", "keys", "whole"),
    [
        ("it = { a: 1, 'b': 2, [\"c\"]: 3, d, e() {} }", {"a", "b", "c", "d", "e"}, True),
        ("const o = { a: 1 } as const; it = { ...o, b: 2 }", {"a", "b"}, True),
        ("const o: Partial<A, B> = { a: 1 }; it = o", {"a"}, True),
        ("const o = Object.freeze({ a: 1 }); it = o", {"a"}, True),
        ("it = { a: 1 } satisfies X", {"a"}, True),
        ("it = { ...o, b: 2 }", {"b"}, False),
        ("it = { [k]: 1 }", set(), False),
        ("it = o", set(), False),
        ("it = f({ a: 1 })", set(), False),
        ("it = cond ? { a: 1 } : o", set(), False),
    ],
)
def test_objects_are_read_as_far_as_they_are_written(text: str, keys: set[str], whole: bool) -> None:
    """A part that a run would add makes the rest of it unknown."""
    assert members(text) == (keys, whole)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.it", ("a",)),
        ("a.b.it", ("a", "b")),
        ("a?.b!.it", ("a", "b")),
        ("a().it", ("a", "()")),
        ("a<T>(b).it", ("a", "()")),
        ("(await a()).it", ("a", "()")),
        ("(a as any).it", ("a",)),
        ("(<any>a).it", ("a",)),
        ("a['b'].it", ("a", "b")),
        ("a[0].it", ()),
        ("const a = b.c(); a.it", ("b", "c", "()")),
        ("const a = new B(); a.it", ("B", "()")),
        ("const a = b, b = a; a.it", ("b",)),
        ("if (a) (b).it", ("b",)),
        ("'s'.it", ()),
    ],
)
def test_receivers_are_read_from_their_root(text: str, expected: tuple[str, ...]) -> None:
    """Names, calls, groups, and what a constant stands for."""
    script = Script(text, jsx=False)
    at = next(i for i in range(len(script.tokens)) if script.named(i, "it"))
    assert script.receiver(at - 1) == expected


def test_imports_tell_their_module_and_outer_name() -> None:
    """Default, named, renamed, namespace and type imports."""
    script = Script(
        "import a, { b, c as d, type E } from 'm'; import * as f from 'n'; import 'side';\n"
        "import type G from 'o';\n"
        "const h = require('p'); const i = import('q')"
    )
    assert {n: (b[0].module, b[0].name) for n, b in script.bindings.items() if b[0].kind == "import"} == {
        "a": ("m", "default"),
        "b": ("m", "b"),
        "d": ("m", "c"),
        "E": ("m", "E"),
        "f": ("n", "*"),
        "G": ("o", "default"),
    }
    assert script.modules == {"m", "n", "side", "o", "p", "q"}


def test_places_count_lines_and_columns() -> None:
    """From 1, in characters."""
    script = Script("é a\n  b\r\n\tc")
    assert [script.place(at) for at in range(4)] == [(1, 1), (1, 3), (2, 3), (3, 2)]


PAGE = """<!-- <script>hidden()</script> -->
<template><p>document.cookie = 1 // `</p></template>
<script lang="ts">
const a = <any>b
</script>
<script setup>c()</script>
<style>d { e: f }</style>
"""


@pytest.mark.parametrize("ending", ["vue", "svelte"])
def test_of_a_page_its_script_blocks_are_read_where_they_stand(ending: str) -> None:
    """Markup, styles and comments of the page are no code."""
    script = read(f"src/x.{ending}", PAGE.encode())
    assert script.sound
    assert [(t.text, *script.place(i)) for i, t in enumerate(script.tokens) if t.kind == "name"] == [
        ("const", 4, 1), ("a", 4, 7), ("any", 4, 12), ("b", 4, 16), ("c", 6, 15),
    ]  # fmt: skip


def test_a_script_may_be_utf_16_or_carry_a_mark() -> None:
    """The same tokens as without."""
    for data in ("a('é')".encode("utf-16"), "a('é')".encode("utf-8-sig"), "a('é')".encode()):
        assert [token.text for token in read("a.ts", data).tokens] == ["a", "(", "é", ")"]


@given(st.text(alphabet="abct.()[]{}'\"`$;,=+?:<>/ \nconstlefuimpr*", max_size=120))
def test_any_text_is_understood_as_far_as_it_goes(text: str) -> None:
    """Every question has an answer, whatever the tokens."""
    script = Script(text)
    assert script.bindings is not None
    assert script.modules is not None
    for at in range(len(script.tokens)):
        end = script.value_end(at)
        assert at <= end <= len(script.tokens)
        assert texts(script, at, end)
        options(script, at, end)
        script.chain(at, end)
        if script.sign(at, ".", "?.", "["):
            script.receiver(at)
