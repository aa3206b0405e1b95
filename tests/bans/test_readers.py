"""Both readers see the same in the same source, and neither is led astray by a hostile one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.bans import astprobe
from goblin.bans.judge import judge
from goblin.bans.reading import Import, unquote
from goblin.bans.record import Probe, Record
from goblin.bans.table import Ban
from tests.bans.readers import READERS, by_text, by_tree, hits, rule

NAMES = ("BN-01", "BN-02", "BN-03", "BN-06", "BN-07", "BN-08", "BN-09")
RULES = {name: rule(name) for name in NAMES}

TYPES = st.recursive(
    st.sampled_from(
        ["any", "string", "X.any", "'any'", "typeof any2", "{ any: string }", "(any: string) => void"]
    ),
    lambda inner: st.one_of(
        inner.map(lambda t: f"{t}[]" if "=>" not in t else f"({t})[]"),
        inner.map(lambda t: f"Promise<{t}>"),
        st.tuples(inner, inner).map(lambda p: f"Map<{p[0]}, {p[1]}>"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]}) | ({p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"[{p[0]}, {p[1]}]"),
        st.tuples(inner, inner).map(lambda p: f"{{ a: {p[0]}; b?: {p[1]} }}"),
        st.tuples(inner, inner).map(lambda p: f"(x: {p[0]}) => {p[1]}"),
    ),
    max_leaves=6,
)
STATEMENTS = st.one_of(
    TYPES.map(lambda t: f"let a: {t};"),
    TYPES.map(lambda t: f"type A = {t};"),
    TYPES.map(lambda t: f"const b = c as {t};" if "=>" not in t else f"const b = c as ({t});"),
    TYPES.map(lambda t: f"function f<T = {t}>(x: {t}, ...y: {t}[]): {t} {{ return x; }}"),
    TYPES.map(lambda t: f"interface I {{ m(x: {t}): {t}; [k: string]: {t} }}"),
    TYPES.map(lambda t: f"class C<T> {{ private x?: {t}; get y(): {t} {{ return z; }} }}"),
    TYPES.map(lambda t: f"const g = async (x: {t}): Promise<{t}> => ({{ any: 1, b: x }});"),
    TYPES.map(lambda t: f"foo<{t}>(a < b, any2 > c);"),
    st.sampled_from(
        [
            "// @ts-ignore any",
            "const s = `any ${d as any} // @ts-ignore`;",
            "call({ any: 1, x: /any/ });",
            "const p = { nodeIntegration: flag, sandbox: true };",
            "p.sandbox = false;",
            "const { sandbox, fetch: own } = p;",
            "fetch(url); api.fetch(url);",
            "function local(fetch: F) { return fetch(1); }",
            "import ax, { get } from 'axios'; ax.post(1); get(2);",
            "ipc.sendSync('a'); x.setAttribute('allowpopups', '');",
            "const flag = false;",
            "switch (k) { case any2: break; default: { sandbox: false } }",
        ]
    ),
)


@given(st.lists(STATEMENTS, max_size=5).map("\n".join))
def test_the_readers_agree(text: str) -> None:
    """Line by line, for every ban, over compositions of everything that the language has."""
    for name, wanted in RULES.items():
        assert hits(wanted, text, "ts", by_text) == hits(wanted, text, "ts", by_tree), name


IMPORTS = [
    ('import "a";', [("a", ())]),
    ('import b from "a";', [("a", (("default", "b"),))]),
    ('import * as b from "a";', [("a", (("*", "b"),))]),
    (
        'import b, { c, d as e, type f } from "a";',
        [("a", (("default", "b"), ("c", "c"), ("d", "e"), ("f", "f")))],
    ),
    ('import type { b } from "a";', [("a", (("b", "b"),))]),
    ('import type from "a";', [("a", (("default", "type"),))]),
    ('import { type } from "a";', [("a", (("type", "type"),))]),
    ('import { "b c" as d } from "a";', [("a", (("b c", "d"),))]),
    ('import {\n  b, // why\n  c,\n} from "a"', [("a", (("b", "b"), ("c", "c")))]),
    ('import b = require("a");', [("a", (("*", "b"),))]),
    ('const { b, c: d } = require("a");', [("a", (("b", "b"), ("c", "d")))]),
    ('const b = require("a");', [("a", (("*", "b"),))]),
    ('export * from "a"; export { b } from "c"; export { d };', [("a", ()), ("c", ())]),
    ('export type { b } from "a"; export * as b from "c";', [("a", ()), ("c", ())]),
    ('type T = import("a").B;', [("a", ())]),
    ("await import(`a`); import(b); require(`c/${d}`);", [("a", ()), ("", ()), ("", ())]),
    ('new URL("a", import.meta.url); new URL("b", c);', [("a", ())]),
    ('require.resolve("a"); require.context("b"); x.require("c"); x.import("d");', [("a", ()), ("b", ())]),
    ('import.meta.glob("./a/*.ts");', [("./a/", ())]),
    ("export default from; export const from = 'a';", []),
    ('// import "a"\n"import b"; `import "c"`;', []),
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("text", "expected"), IMPORTS, ids=[text for text, _ in IMPORTS])
def test_imports_are_read_with_the_names_that_they_bind(
    text: str, expected: list[tuple[str, tuple[tuple[str, str], ...]]], reader: str
) -> None:
    """In every form, in order."""
    found = [(one.specifier, one.names) for one in READERS[reader](text, False).imports()]
    assert found == expected


@pytest.mark.parametrize("reader", READERS)
def test_of_a_computed_import_the_certain_start_is_known(reader: str) -> None:
    """A template and a sum begin with what is plain."""
    text = "import(`../ui/${a}`);\nimport('../ui/' + a);\nimport(a + 'b');\n/// <reference path=\"x.ts\" />"
    found = READERS[reader](text, False).imports()
    assert [one._replace(start=0) for one in found] == [
        Import("", 0, (), "../ui/"),
        Import("", 0, (), "../ui/"),
        Import("", 0, (), ""),
        Import("./x.ts", 0),
    ]


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("'a'", "a"),
        ('"\\x61\\u0062\\u{63}"', "abc"),
        ("'a\\\nb'", "ab"),
        ("`\\``", "`"),
        ("'\\u{ffffff}'", ""),
    ],
)
def test_a_text_is_read_as_the_language_reads_it(literal: str, text: str) -> None:
    """Escapes hide no name."""
    assert unquote(literal) == text


def judged(source: str, name: str = "BN-01") -> Record:
    """What judging a file by one shipped ban gives."""
    wanted = RULES[name]
    ban = Ban(name, "", "src", f"ast:bans/{name}.yml", "", "", "", "")
    return judge(source.encode(), "src/a.ts", [Probe(ban, (), frozenset({"ts"}), wanted)], lambda *_: None)


@pytest.mark.parametrize(
    "unit",
    [
        "'",
        '"',
        "`",
        "`${",
        "/*",
        "/*@ts-ignore",
        "(",
        "[",
        "{",
        "<a ",
        "<a b={",
        "<a<",
        "</a>",
        "any,",
        "f(any,",
        "fetch.",
        "any:",
        "?any:",
        "<any",
        "fetch[",
        "\\u0061ny",
        "import{",
        "const fetch=",
        "nodeIntegration:",
        "{sandbox,",
        "=>{",
    ],
)
def test_a_hostile_source_ends_in_a_verdict(unit: str) -> None:
    """What a tree cannot bear goes to the text probe; what neither can is a fault, never clean."""
    source = unit * 4_000
    for name in ("BN-01", "BN-02", "BN-03", "BN-06"):
        record = judged(source, name)
        assert record.fault in ("", "too involved to be judged within bounds")


def test_what_a_tree_cannot_bear_is_known_before_it_is_tried() -> None:
    """A comment without an end, and brackets in brackets."""
    assert astprobe.bearable("let x: any; /* a */")
    assert not astprobe.bearable("/*" * 10)
    assert not astprobe.bearable("(" * 1000 + ")" * 1000)
    assert not astprobe.bearable("a = " + "- " * 1000)
    assert not astprobe.bearable("typeof " * 1000)
    assert astprobe.bearable("a - -b;\n" * 1000)
    assert not astprobe.bearable(" " * (astprobe.LIMIT + 1))


def test_a_long_line_is_shown_in_short(tmp_path: object) -> None:
    """A bundle on one line gives short findings, at the right column."""
    record = judged("a;" * 200_000 + "let x: any;" + "b;" * 200_000)
    (hit,) = record.hits["BN-01"]
    assert (hit.line, hit.column) == (1, 400_008)
    assert "let x: any;" in hit.shown
    assert len(hit.shown) < 140


def test_more_hits_than_anybody_reads_are_not_kept() -> None:
    """One finding a line, and no more than a thousand of a file."""
    assert len(judged("let x: any;\n" * 3000).hits["BN-01"]) == 1000
