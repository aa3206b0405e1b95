"""From bytes to nodes: ruamel.yaml's parser events, composed string-only and within bounds.

The events are taken one by one, without recursion and without the library's own composer, so that
depth, size and aliases are bounded while they are read. Places are computed from the index of a
character, counting LF alone, because the library also counts other line breaks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin.outcome import CannotRun
from goblin.pattern import lazy
from goblin.yaml import List, Map, Node, Text, YamlError

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 100
"""Collections inside collections, aliases expanded."""

_BYTES_A_VALUE = 10
_CHARACTERS_A_VALUE = 64

_BOM = b"\xef\xbb\xbf"
_NOT_YAML = lazy("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Ordinary characters in YAML 1.2 that the library takes for line breaks or for nothing: they are
# parsed as private-use characters that the text does not hold, and put back afterwards.
_DISGUISED = "\x85\u2028\u2029\ufeff"

_BLANK = r"(?:[ \t\r\n]|\#[^\n]*)*"
_TO_VALUE = lazy(_BLANK + ":")
_TO_ITEM = lazy(_BLANK + "-")
_PROPERTIES = lazy(r"(?:[&!][^ \t\r\n]*" + _BLANK + ")*")

_QUOTE = "put the value in single quotes"
_INDENT = "mend the indentation"
_PLAIN_WORDS = (  # part of what the library says, and the same for people
    ("'\\t' that cannot start", "a TAB stands outside quotes: use spaces, or quote the value"),
    ("that cannot start any token", f"an unquoted value cannot start with this character: {_QUOTE}"),
    ("mapping values are not", f"a `: ` that belongs to no key: {_QUOTE}, or {_INDENT}"),
    ("could not find expected ':'", "a `key: value` is expected, and there is no `: ` after the key"),
    ("unexpected end of stream", "this quote is never closed"),
    ("undefined tag handle", f"`!` starts a tag here: {_QUOTE}"),
    ("sequence entries are not", f"`- ` starts a list item where none can stand: {_INDENT}"),
    ("mapping keys are not", f"`? ` starts a key where none can stand: {_QUOTE}"),
    ("expected <block end>", f"this does not fit what stands before it: {_INDENT} or the quotes"),
    ("expected chomping", f"`|` or `>` starts a block of text here: {_QUOTE}"),
    ("expected a comment or a", f"`|` or `>` starts a block of text here: {_QUOTE}"),
    ("found unexpected document separator", "`---` or `...` stands in the first column inside quotes"),
    ("expected ',' or", "a `,` or the closing bracket is missing before this"),
    ("expected the node content", "a value is expected here"),
    ("unknown escape character", "there is no such escape in double quotes: use single quotes"),
    ("expected escape sequence", "this escape in double quotes is not complete: use single quotes"),
    ("incompatible YAML document", "this names a version of YAML other than 1"),
    ("'<document start>'", f"this does not belong to what stands before it: {_INDENT} or the quotes"),
)


class _Anchored(NamedTuple):
    """What an alias stands for, and how much of it there is."""

    node: Node
    weight: int
    height: int


class _Frame:
    """A collection whose end has not come yet."""

    __slots__ = ("anchor", "height", "key", "merged", "node", "tail", "weight")

    def __init__(self, node: Map | List, anchor: str | None, tail: int) -> None:
        self.node = node
        self.anchor = anchor
        self.tail = tail  # index just after the last child: where an empty one is looked for
        self.key: Text | None = None
        self.merged: list[Map] = []
        self.weight = 1
        self.height = 1


class Entry(NamedTuple):
    """Where a key and its value stand, as indexes of characters."""

    key: int  # just after the key
    colon: int  # just after the colon, or after the key where there is none
    start: int  # of the value, its tag or anchor included
    end: int  # just after the value


class Composer:
    """One stream, composed. `text` and `entries` serve the editor."""

    def __init__(self, data: bytes, source: str, merge: bool = False, limit: int = 1 << 20) -> None:
        self.source = source
        self._starts = [0]
        self.text = self._decoded(data, limit)
        self._merge = merge
        self._left = max(limit // _BYTES_A_VALUE, 1000)
        self._anchors: dict[str, _Anchored | None] = {}
        self._stack: list[_Frame] = []
        self._back: dict[int, str] = {}
        self.entries: dict[tuple[int, str], Entry] = {}  # by id of the mapping and key
        self.spans: dict[int, tuple[int, int]] = {}  # by id of a node

    def documents(self) -> Iterator[tuple[Node, tuple[int, int]]]:
        """Each document's root, and where the document starts. Raises as `goblin.yaml.load` does."""
        start = (1, 1)
        try:
            for event in self._events():
                name = type(event).__name__
                if name == "DocumentStartEvent":
                    self._anchors.clear()
                    start = self._place(event.start_mark.index)
                root = self._take(name, event)
                if root is not None:
                    yield root, start
        except (YamlError, CannotRun):
            raise
        except Exception as error:  # the library fails in many ways on what is not YAML
            raise self._translated(error) from error

    def fail(self, index: int, message: str) -> YamlError:
        """The error for the character at `index`."""
        return YamlError(self.source, *self._place(index), message)

    def _place(self, index: int) -> tuple[int, int]:
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    # --- before and around the library ---------------------------------------------------------

    def _decoded(self, data: bytes, limit: int) -> str:
        if len(data) > limit:
            raise YamlError(self.source, 1, 1, f"{len(data)} bytes, more than the {limit} that are read")
        data = data.removeprefix(_BOM)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            before = data[: error.start]
            line = before.count(b"\n") + 1
            column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
            raise YamlError(self.source, line, column, "not UTF-8: save the file as UTF-8") from error
        self._starts += [match.end() for match in re.finditer("\n", text)]
        wrong = _NOT_YAML.search(text)
        if wrong:
            what = f"the control character U+{ord(wrong[0]):04X} cannot stand in YAML"
            raise self.fail(wrong.start(), what)
        return text

    def _events(self) -> Iterator[Any]:
        try:
            from ruamel.yaml import YAML
        except ImportError as error:
            remedy = "git checkout -- .goblin/engine, or pip install ruamel.yaml"
            raise CannotRun("missing dependency: ruamel.yaml", remedy) from error
        text, self._back = self.text, {}
        found = [character for character in _DISGUISED if character in text]
        if found:
            used = set(text)
            free = [code for code in range(0xE000, 0xF900) if chr(code) not in used][: len(found)]
            if len(free) < len(found):
                raise YamlError(self.source, 1, 1, "too many private-use characters")
            text = text.translate(dict(zip(map(ord, found), free, strict=True)))
            self._back = dict(zip(free, found, strict=True))
        yield from YAML(typ="safe", pure=True).parse(text)

    def _translated(self, error: Exception) -> YamlError:
        problem = str(getattr(error, "problem", None) or "")
        mark = getattr(error, "problem_mark", None)
        if mark is None or "end of stream" in problem:
            mark = getattr(error, "context_mark", None) or mark
        words = next((plain for part, plain in _PLAIN_WORDS if part in problem), problem)
        index = min(getattr(mark, "index", len(self.text)), len(self.text))
        if mark is None and self._stack:
            index = self._stack[-1].tail
        if not words and isinstance(error, ValueError | OverflowError):
            words = "an escape in double quotes names no character"
        return self.fail(index, words or "this cannot be read as YAML")

    # --- events to nodes -----------------------------------------------------------------------

    def _take(self, name: str, event: Any) -> Node | None:
        """Follow one event; the root comes back when it is complete."""
        if name == "ScalarEvent":
            return self._scalar(event)
        if name == "AliasEvent":
            return self._alias(event)
        if name in ("MappingStartEvent", "SequenceStartEvent"):
            start = event.start_mark.index
            if len(self._stack) >= MAX_DEPTH:
                raise self.fail(start, f"more than {MAX_DEPTH} levels deep")
            self._spend(1, start)
            line, column = self._place(start)
            node = Map(line, column) if name == "MappingStartEvent" else List((), line, column)
            self.spans[id(node)] = (start, start)
            self._stack.append(_Frame(node, event.anchor, event.end_mark.index))
            if event.anchor is not None:
                self._anchors[event.anchor] = None
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            return self._close(event)
        return None

    def _scalar(self, event: Any) -> Node | None:
        start, end = event.start_mark.index, event.end_mark.index
        plain, sign = event.style is None, ""
        if event.anchor is not None or event.ctag is not None:
            match = _PROPERTIES.match(self.text, start, end)
            content = match.end() if match else start
            sign, start = self.text[start:content].strip(), content
        elif plain and not event.value:
            start = end = self._after(start)
        value = self._text(event.value, start)
        weight = 1 + len(value) // _CHARACTERS_A_VALUE
        self._spend(weight, start)
        node = Text(value, *self._place(start), plain, sign)
        self.spans[id(node)] = (start, end)
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(node, weight, 0)
        return self._attach(node, weight, 0, event.start_mark.index if sign else start, end)

    def _text(self, value: str, start: int) -> str:
        """The scalar's value with disguised characters put back; an escape may not make a non-character."""
        if self._back:
            value = value.translate(self._back)
        if "\0" in value:
            raise self.fail(start, "an escape makes a NUL character, which no value may hold")
        if not value.isascii():
            try:
                value.encode("utf-8")
            except UnicodeEncodeError:
                try:
                    value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
                except UnicodeDecodeError as error:
                    raise self.fail(start, "an escape makes half a character") from error
        return value

    def _after(self, start: int) -> int:
        """Where a value that is not there would stand: after its colon or its dash."""
        if not self._stack:
            return start
        frame = self._stack[-1]
        if isinstance(frame.node, Map) and frame.key is None:
            return start
        pattern = _TO_VALUE if isinstance(frame.node, Map) else _TO_ITEM
        match = pattern.match(self.text, frame.tail)
        return match.end() if match else frame.tail

    def _alias(self, event: Any) -> Node | None:
        name, start, end = event.anchor, event.start_mark.index, event.end_mark.index
        if name not in self._anchors:
            raise self.fail(start, f"`*{name}` is an alias of nothing: put the value in single quotes")
        anchored = self._anchors[name]
        if anchored is None:
            raise self.fail(start, f"`*{name}` stands inside what it names")
        if len(self._stack) + anchored.height > MAX_DEPTH:
            raise self.fail(start, f"more than {MAX_DEPTH} levels deep")
        self._spend(anchored.weight, start)
        node = anchored.node
        if isinstance(node, Text):
            node = Text(node, *self._place(start), node.plain, node.sign)
            self.spans[id(node)] = (start, end)
        return self._attach(node, anchored.weight, anchored.height, start, end)

    def _spend(self, weight: int, index: int) -> None:
        self._left -= weight
        if self._left < 0:
            raise self.fail(index, "too many values, or aliases that expand to too many")

    def _attach(self, node: Node, weight: int, height: int, start: int, end: int) -> Node | None:
        if not self._stack:
            return node
        frame = self._stack[-1]
        frame.weight += weight
        frame.height = max(frame.height, height + 1)
        if isinstance(frame.node, List):
            frame.node.append(node)
        elif frame.key is None:
            self._key(frame, node, start, end)
        else:
            self._value(frame, node, start, end)
        frame.tail = end
        return None

    def _key(self, frame: _Frame, node: Node, start: int, end: int) -> None:
        assert isinstance(frame.node, Map)
        if not isinstance(node, Text):
            raise self.fail(start, "a key must be a text, not a list or a mapping")
        key, place = str(node), (node.line, node.column)
        if key in frame.node.marks:
            first = frame.node.marks[key][0]
            raise self.fail(
                start, f"the key `{key}` stands twice, on line {first} and on line {place[0]}: delete one"
            )
        frame.node.marks[key] = place
        frame.key = node
        match = _TO_VALUE.match(self.text, end)
        self.entries[id(frame.node), key] = Entry(end, match.end() if match else end, end, end)

    def _value(self, frame: _Frame, node: Node, start: int, end: int) -> None:
        assert isinstance(frame.node, Map)
        assert frame.key is not None
        key, plain = str(frame.key), frame.key.plain
        frame.key = None
        where = (id(frame.node), key)
        self.entries[where] = self.entries[where]._replace(start=start, end=end)
        if not (self._merge and plain and key == "<<"):
            frame.node[key] = node
            return
        sources = node if isinstance(node, List) else [node]
        for source in sources:
            if not isinstance(source, Map):
                raise self.fail(start, "`<<` merges a mapping or a list of mappings")
            frame.merged.append(source)

    def _close(self, event: Any) -> Node | None:
        frame = self._stack.pop()
        node = frame.node
        if isinstance(node, Map) and frame.merged:
            del node.marks["<<"]
            for source in frame.merged:
                for key, value in source.items():
                    if key not in node:
                        node[key] = value
                        node.marks[key] = source.marks[key]
        if frame.anchor is not None:
            self._anchors[frame.anchor] = _Anchored(node, frame.weight, frame.height)
        start = self.spans[id(node)][0]
        is_flow = event.end_mark.index > event.start_mark.index
        end = event.end_mark.index if is_flow else frame.tail
        self.spans[id(node)] = (start, end)
        return self._attach(node, frame.weight, frame.height, start, end)


def compose(
    data: bytes, source: str, merge: bool, limit: int, most: int = 0
) -> tuple[list[Node], tuple[int, int] | None]:
    """The documents of a stream, and where one more than `most` starts (0: there is no such bound)."""
    nodes: list[Node] = []
    for node, place in Composer(data, source, merge, limit).documents():
        if most and len(nodes) == most:
            return nodes, place
        nodes.append(node)
    return nodes, None
