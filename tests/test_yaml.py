"""The string-only YAML reader, its places, its bounds, and the editor that changes one key."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

from goblin import yaml
from goblin.yaml import List, Map, Node, Text, YamlError
from tests.support import PROJECT, hermetic

# Pieces that make YAML when they are thrown together, and make it fail in every way that it can.
PIECES = [
    *("a", "b:", "- ", "?", ":", "#", "[", "]", "{", "}", ",", "&", "*", "!", "|", ">", "'", '"', "%", "@"),
    *(
        "`",
        "~",
        ".",
        "0",
        "\u00e9",
        "<",
        "\\",
        "key: ",
        "x: ",
        "null",
        "[]",
        "{}",
        "&a ",
        "*a",
        "!x ",
        "!!str ",
    ),
    *("<<: ", "---", "...", "|2-", "|+", ">-", "\\x41", "\\ud83d", "\\U00110000", "\\q", "''", "{a: b}"),
    *("[a, b]", "a:b", "\n", "\n", "\n  ", "\n    ", " ", "  ", "\t", "\r\n", "\r", "\x85", "\u2028"),
    *("\ufeff", "\ue000", "---\n", "...\n", "%YAML 1.1\n", "%TAG ! x\n", "\n- ", "\nb: ", "\n# c\n", ": "),
]
yamlish = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


def texts_of(node: Node) -> Iterator[Text]:
    """Every text of a tree."""
    if isinstance(node, Text):
        yield node
    for child in node.values() if isinstance(node, Map) else node if isinstance(node, List) else ():
        yield from texts_of(child)


def at(source: str, line: int, column: int) -> str:
    """What stands at a place, to the end of the file."""
    return "\n".join([source.split("\n")[line - 1][column - 1 :], *source.split("\n")[line:]])


def load(source: str, **options: bool) -> Node:
    """Read text as the file `f.yaml`."""
    return yaml.load(source.encode(), "f.yaml", **options)


def error(source: str | bytes, **options: bool) -> str:
    """What is said about text that is not read."""
    data = source.encode() if isinstance(source, str) else source
    with pytest.raises(YamlError) as caught:
        yaml.load(data, "f.yaml", **options)
    found = caught.value
    assert str(found) == f"{found.source}:{found.line}:{found.column}: {found.message}"
    return str(found)


# --- string-only -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    ["false", "yes", "on", "0123456", "12e4567", "1e10", "2026-01-01", "0x10", "1_000", ".inf", "null", "~"],
)
def test_a_plain_scalar_keeps_what_was_written(written: str) -> None:
    """No boolean, number, date or null is made of it (Actions' `on:` key included)."""
    assert load(f"{written}: {written}") == {written: written}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("", ""),
        ("# only a comment\n", ""),
        ("a:\n", {"a": ""}),
        ("a: [b, 'c', \"d\"] # e", {"a": ["b", "c", "d"]}),
        ("a:\n- b\n-\n- c: d\n", {"a": ["b", "", {"c": "d"}]}),
        ("a: |\n  b # c\n\n  d\ne: >-\n  f\n  g\n", {"a": "b # c\n\nd\n", "e": "f g"}),
        ("a: b c\n  d # e\n", {"a": "b c d"}),
        ("{a: {b: c}, d}", {"a": {"b": "c"}, "d": ""}),
        ("? a\n: b\n? c\n", {"a": "b", "c": ""}),
        ("a: 'it''s'\nb: \"\\x41\\u00e9\\ud83d\\ude00\"\n", {"a": "it's", "b": "A\u00e9\U0001f600"}),
        ("a: &x [b]\nc: *x\nd: &y e\nf: *y\n", {"a": ["b"], "c": ["b"], "d": "e", "f": "e"}),
        ("a: &x b\nc: &x d\ne: *x\n", {"a": "b", "c": "d", "e": "d"}),
        ("a: !!str 5\nb: !!null\n", {"a": "5", "b": ""}),
        ("<<: {a: b}\n", {"<<": {"a": "b"}}),
        ("a: https://example.org/#x\n", {"a": "https://example.org/#x"}),
        ("%YAML 1.2\n---\na: b\n...\n", {"a": "b"}),
    ],
)
def test_documents_are_read_as_yaml_1_2(source: str, value: object) -> None:
    """Every style gives the same nodes, with LF, with CRLF and behind a byte-order mark."""
    assert load(source) == value
    assert load("\ufeff" + source) == value
    assert load(source.replace("\n", "\r\n")) == value


def test_a_text_knows_where_and_how_it_was_written() -> None:
    """Line and column count from 1; the tag or anchor in front is kept, and is not the place."""
    node = load('a: b\nc:\n  - "d"\n  - !x e\n  - &y |\n    f\n')
    assert isinstance(node, Map)
    assert isinstance(node["c"], List)
    assert node.marks == {"a": (1, 1), "c": (2, 1)}
    assert (node["c"].line, node["c"].column) == (3, 3)
    b, d, e, f = texts_of(node)
    assert (b, b.line, b.column, b.plain, b.sign) == ("b", 1, 4, True, "")
    assert (d, d.line, d.column, d.plain, d.sign) == ("d", 3, 5, False, "")
    assert (e, e.line, e.column, e.plain, e.sign) == ("e", 4, 8, True, "!x")
    assert (f, f.line, f.column, f.plain, f.sign) == ("f\n", 5, 8, False, "&y")


def test_what_is_not_there_stands_after_its_colon_or_dash() -> None:
    """An empty value has the place where a value would be written, whatever comments follow."""
    node = load("a: # b: c\n# d - e\nf:\n  - # g\n\n  -\n  - h\n")
    assert [(t.line, t.column) for t in texts_of(node)] == [(1, 3), (4, 4), (6, 4), (7, 5)]


def test_an_alias_of_a_text_stands_where_the_alias_stands() -> None:
    """What is reported there is what somebody has to edit."""
    node = load("a: &x b\nc: *x\n")
    assert [(t.line, t.column) for t in texts_of(node)] == [(1, 7), (2, 4)]


@pytest.mark.parametrize("mark", ["\x85", "\u2028", "\u2029", "\ufeff"])
def test_only_lf_ends_a_line(mark: str) -> None:
    """Other separators are ordinary characters: in plain text, in quotes, in blocks, and in counting."""
    node = load(f"a: x{mark}y\nb: 'x{mark}y'\nc: |\n  x{mark}y\nd{mark}: z\n")
    value = f"x{mark}y"
    assert node == {"a": value, "b": value, "c": value + "\n", f"d{mark}": "z"}
    assert [t.line for t in texts_of(node)] == [1, 2, 3, 5]


@pytest.mark.parametrize(
    ("source", "unset"),
    [("", True), ("~", True), ("null", True), ("''", False), ("'~'", False), ("x", False), ("[]", False)],
)
def test_only_yaml_null_is_unset(source: str, unset: bool) -> None:
    """Quoted text is text."""
    assert yaml.is_unset(load(source)) is unset
    assert yaml.is_unset(None)


def test_merge_keys_are_followed_where_the_caller_wants_them() -> None:
    """Own keys win wherever they stand, then the earlier of several mappings."""
    source = "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  <<: [*x, *y]\n  a: 0\n'<<': q\n"
    merged = load(source, merge=True)
    assert isinstance(merged, Map)
    assert merged["z"] == {"a": "0", "b": "1", "c": "2"}
    assert merged["<<"] == "q"
    assert isinstance(merged["z"], Map)
    assert merged["z"].marks == {"a": (5, 3), "b": (1, 14), "c": (2, 14)}
    plain = load(source)
    assert isinstance(plain, Map)
    assert isinstance(plain["z"], Map)
    assert list(plain["z"]) == ["<<", "a"]


def test_a_stream_may_hold_several_documents_where_the_caller_says_so() -> None:
    """Anchors end with their document; one document is what `load` takes."""
    assert yaml.load_all(b"---\na: &x b\n---\nc\n", "f") == [{"a": "b"}, "c"]
    assert yaml.load_all(b"", "f") == []
    with pytest.raises(YamlError, match=r"f:3:4: `\*x` is an alias of nothing"):
        yaml.load_all(b"a: &x b\n---\nc: *x\n", "f")
    assert error("a: b\n---\nc: d\n") == "f.yaml:2:1: a second document starts here, where one is expected"


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"a: \xff", "1:4: not UTF-8"),
        (b"a: b\n\xc3\xa9: \xc3", "2:4: not UTF-8"),
        ("a: b".encode("utf-16"), "1:1: not UTF-8"),
        ("a: b\nc\0: d", "2:2: the control character U+0000"),
        ("a: \x1b[31m", "1:4: the control character U+001B"),
        ("a: 1\nb: 2\n\na: 3\n", "4:1: the key `a` stands twice, on line 1 and on line 4"),
        ("'a': 1\na: 2\n", "2:1: the key `a` stands twice, on line 1 and on line 2"),
        ("x:\n  {a: 1, a: 2}\n", "2:10: the key `a` stands twice, on line 2 and on line 2"),
        ("a:\n\tb: c\n", "2:1: a TAB stands outside quotes"),
        ("a:\tb\n", "1:3: a TAB stands outside quotes"),
        ("cmd: make: it\n", "1:10: a `: ` that belongs to no key"),
        ("a: b\n  c: d\n", "2:4: a `: ` that belongs to no key"),
        ("cmd: 'a' b\n", "1:10: this does not fit what stands before it"),
        ("cmd: `make`\n", "1:6: an unquoted value cannot start with this character"),
        ("cmd: @make\n", "1:6: an unquoted value cannot start with this character"),
        ("cmd: %make\n", "1:6: an unquoted value cannot start with this character"),
        ("cmd: *.sh\n", "1:6: `*.sh` is an alias of nothing"),
        ("cmd: |x\n", "1:7: `|` or `>` starts a block of text here"),
        ("a: b\nc: 'd\n", "2:4: this quote is never closed"),
        ("a: [b\n", "2:1: a `,` or the closing bracket is missing before this"),
        ("[a]: b\n", "1:1: a key must be a text"),
        ("{{ a }}: b\n", "1:2: a key must be a text"),
        ("a: &x\n  b: *x\n", "2:6: `*x` stands inside what it names"),
        ("a: &x [[*x]]\n", "1:9: `*x` stands inside what it names"),
        ('a: "\\ud83d"\n', "1:4: an escape makes half a character"),
        ('a: "\\0"\n', "1:4: an escape makes a NUL"),
        ('a: "\\U00110000"\n', "an escape in double quotes names no character"),
        ('a: "\\UFFFFFFFF"\n', "an escape in double quotes names no character"),
        ("[" * 200, "1:101: more than 100 levels deep"),
        ("- " * 200, "1:201: more than 100 levels deep"),
        ("".join(" " * i + "a:\n" for i in range(200)), "101:101: more than 100 levels deep"),
        (f"a: &x {'[' * 60}{']' * 60}\nb: {'[' * 60}*x{']' * 60}\n", "2:64: more than 100 levels deep"),
        ("%YAML 2.0\n---\na\n", "1:1: this names a version of YAML other than 1"),
        ("a: b\n--- c\n", "2:1: a second document starts here"),
    ],
)
def test_what_is_not_read_is_an_error_with_its_place(source: str | bytes, said: str) -> None:
    """The place is the one to look at, and the words are for people."""
    found = error(source)
    assert found.startswith("f.yaml:")
    assert said in found


@pytest.mark.parametrize("value", ["x", "[x]", "{a: b}, c", "[[{a: b}]]"])
def test_a_merge_key_merges_mappings_alone(value: str) -> None:
    """Anything else beside `<<` is named."""
    assert "`<<` merges a mapping" in error(f"<<: [{value}]\n", merge=True)


def test_a_merge_key_stands_once() -> None:
    """Two of them would hide which one wins."""
    assert "`<<` stands twice" in error("<<: {a: 1}\n<<: {b: 1}\n", merge=True)


def test_aliases_that_expand_without_bound_are_refused() -> None:
    """Twenty lines that would be more nodes than there are atoms cost nothing to refuse."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 40)]
    assert "6:" in error("\n".join(lines))
    assert "aliases that expand to too many" in error("\n".join(lines))


def test_aliases_of_long_texts_are_bounded_too() -> None:
    """The written-out tree is cached, so the length of what is repeated counts."""
    assert "aliases that expand to too many" in error(
        f"a: &a {'x' * 500_000}\nb: [{', '.join(['*a'] * 5000)}]\n"
    )


def test_a_stream_larger_than_the_limit_is_not_parsed() -> None:
    """The bound is the caller's."""
    with pytest.raises(YamlError, match="f:1:1: 11 bytes, more than the 10 that are read"):
        yaml.load(b"a: 34567890", "f", limit=10)
    assert yaml.load(b"a: 34567890", "f", limit=11) == {"a": "34567890"}


def test_many_values_are_bounded() -> None:
    """A flow list of commas is the dearest way to spend bytes."""
    assert "too many values" in error("[" + "a," * 500_000 + "]")


def test_deep_flow_collections_do_not_take_the_scanner_along() -> None:
    """A hundred thousand brackets are refused at the hundredth."""
    assert "more than 100 levels deep" in error("[" * 100_000)
    assert "more than 100 levels deep" in error("{" * 100_000)


# --- properties --------------------------------------------------------------------------------


@given(st.binary(max_size=60) | yamlish.map(str.encode), st.booleans())
def test_nothing_but_yaml_error_is_ever_raised(data: bytes, merge: bool) -> None:
    """Arbitrary bytes, and pieces of YAML thrown together, are read or refused with a place."""
    places = []
    for read in (yaml.load, yaml.load_all):
        try:
            read(data, "f", merge=merge)
        except YamlError as found:
            places.append((found.line, found.column))
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for line, column in places:
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1].decode("utf-8", "replace")) + 1


@given(yamlish)
@example("&\x85&a a")
@example("- &a # c\n  'b'\n- !x\n  |\n  c\n")
def test_every_text_is_found_at_its_place(source: str) -> None:
    """Quotes and block signs stand where a quoted text or block is said to stand, words where words are."""
    try:
        node = load(source)
    except YamlError:
        return
    for text in texts_of(node):
        here = at(source.removeprefix("\ufeff"), text.line, text.column)
        if here.startswith("*"):
            continue
        if not text.plain:
            assert here.startswith(("'", '"', "|", ">"))
        else:
            assert here.startswith(text.split("\n")[0].split(" ")[0])


@given(yamlish)
def test_the_nodes_are_those_of_the_library(source: str) -> None:
    """Composing from events gives the tree that the library composes itself, where both read a document."""

    def strings(node: object) -> object:
        if isinstance(node, MappingNode):
            return {strings(key): strings(value) for key, value in node.value}
        if isinstance(node, SequenceNode):
            return [strings(item) for item in node.value]
        return node.value if isinstance(node, ScalarNode) else ""

    if any(mark in source for mark in "\x85\u2028\ufeff\\"):
        return
    try:
        found = load(source)
    except YamlError:
        return
    assert found == strings(YAML(typ="safe", pure=True).compose(source))


@given(texts)
def test_a_quoted_text_reads_back(text: str) -> None:
    """`scalar` loses nothing, on its own and inside a list."""
    assert load(f"k: {yaml.scalar(text)}\n") == {"k": text}
    assert load(f"{yaml.scalar(text)}: 1\n") == {text: "1"}
    assert load(f"k: {yaml.flow([text, 'b', text])} # c\n") == {"k": [text, "b", text]}


@given(texts)
def test_a_quoted_text_is_one_line_and_never_null(text: str) -> None:
    """So that it can stand on the line of its key, and is not read as unset."""
    written = yaml.scalar(text)
    assert "\n" not in written
    assert "\r" not in written
    assert not yaml.is_unset(load(written))


@pytest.mark.parametrize("text", ["a\0", "\ud800"])
def test_what_no_yaml_can_hold_is_not_written(text: str) -> None:
    """A NUL and half a character have no form."""
    with pytest.raises(ValueError, match="no YAML can hold"):
        yaml.scalar(text)


@given(yamlish)
def test_a_tree_survives_its_cached_form(source: str) -> None:
    """Texts, places, styles and signs come back from JSON as they were."""
    try:
        node = load(source)
    except YamlError:
        return
    again = yaml.load_tree(json.loads(json.dumps(yaml.dump_tree(node))))
    assert again == node
    assert yaml.dump_tree(again) == yaml.dump_tree(node)
    assert [vars(text) for text in texts_of(again)] == [vars(text) for text in texts_of(node)]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["at", "map", "list", "x"]), inner),
)


@given(json_values)
def test_a_corrupt_cached_form_is_a_value_error(value: object) -> None:
    """Whatever JSON a file may hold, it is a tree or it is refused."""
    try:
        node = yaml.load_tree(value)
    except ValueError:
        return
    assert yaml.load_tree(yaml.dump_tree(node)) == node


# --- editing -----------------------------------------------------------------------------------

CONFIG = """\
# The class.
class: A # chosen
disabled: [] # parts
practice_sha256:
max_dirty: '0'

ratchet: # a number
  name: n
  cmd: |
    echo 'a: b'

  # kept

gates:
  # the first
  - name: one # note
    cmd: 'true'
perf: {metric: m}
last: |
  text
"""


def edited(before: str, key: str, value: str, comment: str = "") -> str:
    """The text after one edit; the same edit with CRLF and a byte-order mark gives the same lines."""
    after = yaml.set_key(before.encode(), key, value, "f.yaml", comment).decode()
    crlf = ("\ufeff" + before.replace("\n", "\r\n")).encode()
    again = yaml.set_key(crlf, key, value, "f.yaml", comment).decode()
    if "\n" in before:  # else there is no line end to keep
        assert again == "\ufeff" + after.replace("\n", "\r\n")
    return after


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("class", "B", "class: A # chosen", "class: B # chosen"),
        ("disabled", "[spec, gate]", "disabled: [] # parts", "disabled: [spec, gate] # parts"),
        ("disabled", "", "disabled: [] # parts", "disabled:  # parts"),
        ("practice_sha256", "abc", "practice_sha256:\n", "practice_sha256: abc\n"),
        ("max_dirty", "1", "max_dirty: '0'", "max_dirty: 1"),
        ("ratchet.name", "'x: y'", "name: n", "name: 'x: y'"),
        ("ratchet.cmd", "make", "cmd: |\n    echo 'a: b'\n", "cmd: make\n"),
        ("ratchet.ceiling", "5", "    echo 'a: b'\n", "    echo 'a: b'\n  ceiling: 5\n"),
        (
            "gates",
            "[]",
            "gates:\n  # the first\n  - name: one # note\n    cmd: 'true'\n",
            "gates: []\n",
        ),
        ("perf.metric", "x", "{metric: m}", "{metric: x}"),
        ("perf.cmd", "'a, b'", "{metric: m}", "{metric: m, cmd: 'a, b'}"),
        ("perf", "{}", "perf: {metric: m}", "perf: {}"),
        (
            "ratchet",
            "{}",
            CONFIG[CONFIG.index("ratchet:") : CONFIG.index("\n  # kept")],
            "ratchet: {} # a number\n",
        ),
        ("last", "x", "last: |\n  text\n", "last: x\n"),
        ("new", "[a, b]", "  text\n", "  text\nnew: [a, b]\n"),
        ("practice_sha256.x", "y", "practice_sha256:\n", "practice_sha256: {x: y}\n"),
        ("a.b.c", "d", "  text\n", "  text\na: {b: {c: d}}\n"),
    ],
)
def test_one_key_changes_and_every_other_byte_stays(key: str, value: str, old: str, new: str) -> None:
    """Comments, quotes, blank lines, line ends and the byte-order mark of the rest are as they were."""
    assert CONFIG.count(old) == 1
    assert edited(CONFIG, key, value) == CONFIG.replace(old, new)


def test_a_new_key_brings_its_comment() -> None:
    """For `--add-missing-keys`: the comment stands above, one line for one line."""
    assert edited("a: b\n", "c", "d", "What it is.\n\nWhy.") == "a: b\n# What it is.\n#\n# Why.\nc: d\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "k: v\n"),
        ("# c\n", "# c\nk: v\n"),
        ("---\n", "---\nk: v\n"),
        ("a: b", "a: b\nk: v\n"),
        ("{a: b}\n", "{a: b, k: v}\n"),
        ("{}\n", "{k: v}\n"),
        ("{a: b,\n}\n", "{a: b, k: v\n}\n"),
        ("a: b\n...\n", "a: b\nk: v\n...\n"),
        ("  a: b\n", "  a: b\n  k: v\n"),
        ("k: &x old\n", "k: v\n"),
        ("k: !x old # c\n", "k: v # c\n"),
        ("x: &x a\nk: *x\n", "x: &x a\nk: v\n"),
        ("{k}\n", "{k: v}\n"),
        ("? k\n: old\n", "? k\n: v\n"),
        ("k:\n- a\n- b # c\nz: 1\n", "k: v\nz: 1\n"),
        ("k: # c\n\n  - a: |\n      x\n\nz: 1\n", "k: v # c\n\nz: 1\n"),
        ("k: >-  # c\n  x\n  y\n# d\n", "k: v  # c\n# d\n"),
        ("k: a\n  b\n", "k: v\n"),
        ("k: ~ # c\n", "k: v # c\n"),
    ],
)
def test_a_key_is_set_in_every_layout(before: str, after: str) -> None:
    """Wherever a mapping can be written, its key can be set or added."""
    assert edited(before, "k", "v") == after


@pytest.mark.parametrize(
    ("before", "key"),
    [
        ("k: v\n", "k.x"),
        ("k: [a]\n", "k.x"),
        ("a: &x b\nc: *x\n", "a"),
        ("? k\n", "k"),
        ("- a\n", "k"),
        ("k: 'x\n", "k"),
        ("a: b\n---\nc: d\n", "k"),
    ],
)
def test_what_a_command_cannot_edit_is_left_and_said(before: str, key: str) -> None:
    """The place to edit by hand is named, and nothing is returned to be written."""
    with pytest.raises(YamlError, match=r"f\.yaml:\d+:\d+: "):
        yaml.set_key(before.encode(), key, "v", "f.yaml")


@pytest.mark.parametrize("value", ["a\nb: c", "a: b", "'a", "a\n"])
def test_a_value_is_one_line_of_yaml(value: str) -> None:
    """A value cannot bring keys of its own along."""
    with pytest.raises(ValueError, match=r"value|YAML"):
        yaml.set_key(b"k: v\n", "k", value, "f.yaml")


BLOCK = "a: b\ndisabled: # why\n  - spec # no specs here\n  # soon\n  - gate\n  - tokens # t\nz: 1\n"


@pytest.mark.parametrize(
    ("items", "after"),
    [
        (["spec", "gate", "tokens"], BLOCK),
        (["gate", "spec", "tokens"], BLOCK),
        (["spec", "gate", "tokens", "ci-gate"], BLOCK.replace("# t\n", "# t\n  - ci-gate\n")),
        (["tokens"], "a: b\ndisabled: # why\n  # soon\n  - tokens # t\nz: 1\n"),
        (["spec", "new"], BLOCK.replace("  - gate\n  - tokens # t\n", "  - new\n")),
        ([], "a: b\ndisabled: [] # why\nz: 1\n"),
        (["x"], "a: b\ndisabled: [x] # why\nz: 1\n"),
    ],
)
def test_a_list_of_one_item_a_line_keeps_the_lines_of_its_items(items: list[str], after: str) -> None:
    """A reason that somebody wrote beside an item stays beside it."""
    assert yaml.set_list(BLOCK.encode(), "disabled", items, "f.yaml").decode() == after
    crlf = yaml.set_list(BLOCK.replace("\n", "\r\n").encode(), "disabled", items, "f.yaml").decode()
    assert crlf == after.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("d: [a, b] # c\n", "d: [b, c-d] # c\n"),
        ("d:\nx: y\n", "d: [b, c-d]\nx: y\n"),
        ("x: y\n", "x: y\nd: [b, c-d]\n"),
        ("d:\n- b\n- b\n", "d: [b, c-d]\n"),
        ("d:\n- b", "d:\n- b\n- c-d\n"),
        ("x: &x a\ny: &y b\nd:\n- *x # 1\n- *y # 2\n", "x: &x a\ny: &y b\nd:\n- *y # 2\n- c-d\n"),
        ("d:\n- a: b\n- b\n", "d:\n- b\n- c-d\n"),
    ],
)
def test_any_other_list_becomes_a_flow_list(before: str, after: str) -> None:
    """A flow list, no list and a list that repeats itself are written on one line."""
    assert yaml.set_list(before.encode(), "d", ["b", "c-d"], "f.yaml").decode() == after


def test_several_keys_are_replaced_at_once() -> None:
    """Texts are quoted as needed, lists become lists."""
    after = yaml.replace(b"a: b\n# c\n", {"a": "x: y", "d.e": ["f", "g h"], "i": ""}, "f.yaml")
    assert after == b"a: 'x: y'\n# c\nd: {e: [f, 'g h']}\ni: \"\"\n"


@given(yamlish, st.sampled_from(["a", "key", "b", "a.b", "new"]), texts)
def test_an_edit_changes_one_key_or_is_refused(source: str, key: str, value: str) -> None:
    """On any file the result reads as before with that key alone changed, or nothing is returned."""
    try:
        after = yaml.set_key(source.encode(), key, yaml.scalar(value), "f.yaml")
    except YamlError:
        return
    found, before = yaml.load(after, "f.yaml"), load(source)
    assert isinstance(found, Map)
    *parents, last = key.split(".")
    inner: Node = found
    for name in parents:
        assert isinstance(inner, Map)
        inner = inner[name]
    assert isinstance(inner, Map)
    assert inner[last] == value
    others = {k: v for k, v in found.items() if k != key.split(".")[0]}
    assert (
        others == {k: v for k, v in before.items() if k != key.split(".")[0]}
        if isinstance(before, Map)
        else not others
    )


def test_reading_a_cached_tree_loads_no_parser() -> None:
    """The node types and the cached form cost no import of the library (docs/architecture.md, "Cost")."""
    code = (
        "from goblin import yaml; n = yaml.load_tree(['a', 1, 1]); yaml.dump_tree(n); yaml.is_unset(n);"
        "print(sorted(n for n in sys.modules if n.split('.')[0] in"
        " ('ruamel', 'dataclasses', 'pathlib', 'tempfile', 'inspect', 'goblin')))"
    )
    path = str(PROJECT / "src")
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {path!r}); {code}"],
        env=hermetic(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "['goblin', 'goblin.yaml']"


def test_a_missing_parser_is_a_missing_dependency() -> None:
    """It is not said of the file that it cannot be read."""
    code = (
        "from goblin import yaml, outcome\n"
        "try: yaml.load(b'a: b', 'f')\n"
        "except outcome.CannotRun as error: print(error.message)"
    )
    path = f"import sys; sys.path.insert(0, {str(PROJECT / 'src')!r})\n"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", path + code],
        env=hermetic(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "missing dependency: ruamel.yaml\n"
