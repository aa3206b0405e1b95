"""Fact `model_names`: what a model's name looks like, from manifest/models.tsv (spec MD-01).

A name is a family followed by something like a version: a separator and a digit, a letter and a
digit (the generation), or a variant that the table lists. A bare family is the name of a platform,
a person, a protocol or a disk layout as often as a model's, and is none. Nothing in this file or
in the table can match, because no family stands beside a tail.

`numbers` in the table says how freely a digit counts: `spoken` also after a blank, `joined` also
with nothing between, `after` only behind a separator, `no` only where a variant follows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from goblin.outcome import CheckFailed, Finding
from goblin.pattern import lazy
from goblin.tables import Record

if TYPE_CHECKING:
    from goblin.facts.ruletext import RuleText, Text
    from goblin.manifest import Manifest

TABLE = "models.tsv"
_OWN = (f".goblin/manifest/{TABLE}", f"manifest/{TABLE}")
REMEDY = f"git checkout -- .goblin/manifest/{TABLE}"
SHARED = "*"
"""The row of the table whose variants may follow every family."""

NUMBERS = ("spoken", "joined", "after", "no")
SHOWN = 60
"""Characters of a name that are printed."""

MOST = 200
"""Names of one family that are listed of one file; more say nothing new."""

_WORD = lazy(r"[a-z][a-z0-9]*")
_LETTERS = bytes(byte | 32 if 65 <= byte & ~32 <= 90 else 32 for byte in range(256))
"""A translation of bytes to lower-case letters and blanks."""

# Patterns of what may follow a family, on lower-case text. They are shared by all families: one for
# each would cost more to compile than the search. Every repetition is bounded or cannot overlap.
#
# What may stand where a line break cuts a name: a shell continuation, the break, the indentation and
# a mark of quote or comment.
_BREAK = r"[ \t]*\\?\n[ \t]*(?:(?:[#>*|]|//|;)+[ \t]*)?"
_SEPARATOR = lazy(r"[-_.:]")
_CUT = lazy(rf"[-_]{_BREAK}")
_BROKEN = lazy(rf"{_BREAK}[-_]")
_VARIANT = lazy(r"[a-z]+(?![^\W\d_])")
_GENERATION = lazy(r"[a-z]\d{1,4}(?![^\W_])")
_NUMBER = lazy(r"(?<!:)\d|\d{1,2}(?!\d)|\d{1,4}b")  # `name:8080` is a host and its port
_LONG_NUMBER = lazy(r"\d{1,4}(?:[-.]\d|[a-z])")
_JOINED = lazy(r"v?\d")
_BLANK = lazy(r" {1,8}| {0,8}\n[ \t]{0,40}")
_VERSION = lazy(r"v?\d{1,2}(?:\.\d{1,2})*")
_SPOKEN = lazy(r" {1,8}v?\d{1,2}(?:\.\d{1,2})*b?(?![\w%])")
_SIZES = lazy(r"(?:[-_.]?\d{1,4}b?){0,4}")
_ASSIGNED = lazy(r"[ \t]*[:=]")
_REST = lazy(r"[a-z0-9.:_-]{0,60}")


class Family(NamedTuple):
    """One family of the table."""

    name: str  # how its slugs begin
    line: str  # the family that MD-02 compares
    numbers: str
    variants: tuple[str, ...]


class Hit(NamedTuple):
    """A model's name in a text."""

    text: Text
    offset: int
    name: str


class ModelNames:
    """The families, and the search for their members."""

    def __init__(self, families: Sequence[Family], shared: Sequence[str]) -> None:
        self.families = tuple(families)
        self.shared = frozenset(shared)
        self._variants = {family.name: self.shared | set(family.variants) for family in families}

    def find(self, ruletext: RuleText) -> Iterator[Hit]:
        """Every model's name in the rules, by family and then in the order of the texts.

        The words of all texts are gathered once, so that a family which occurs nowhere, as nearly
        all do, costs one look-up instead of a search of its own. The table of the families is left
        out: `parse` holds its cells to single words.
        """
        texts = [text for text in ruletext.texts if text.path not in _OWN]
        held = [text.lower.encode("utf-8", "surrogatepass") for text in texts]
        together = b"\n".join(held)  # as bytes: one wide character would make every search here twice as slow
        words = set(together.translate(_LETTERS).split())
        for family in self.families:
            for spelled in _spellings(family.name, words):
                sought = spelled.encode()
                if sought in together:
                    for text, data in zip(texts, held, strict=True):
                        if sought in data:
                            yield from islice(self._search(family, spelled, text), MOST)

    def _search(self, family: Family, spelled: str, text: Text) -> Iterator[Hit]:
        """The members of a family in one text, its name spelled as given (a line break may cut it)."""
        lower = text.lower
        at = lower.find(spelled)
        while at >= 0:
            end = at + len(spelled)
            if not (at and lower[at - 1].isalnum()):
                tail = self._tail(family, lower, end)
                if tail >= 0:
                    rest = _REST.match(lower, tail)
                    end = rest.end() if rest else tail
                    yield Hit(text, at, " ".join(text.text[at:end].split()).rstrip(".:_-")[:SHOWN])
            at = lower.find(spelled, end)

    def _tail(self, family: Family, text: str, at: int) -> int:
        """Where the version-like tail after a family ends; -1 where none follows."""
        variants = self._variants[family.name]
        if family.numbers == "no":
            sizes = _SIZES.match(text, at)
            place = sizes.end() if sizes else at
            begun = _CUT.match(text, place) or _SEPARATOR.match(text, place)
            return _variant(variants, text, begun.end()) if begun else -1
        for start, number in ((_SEPARATOR, _NUMBER), (_CUT, _NUMBER), (_BROKEN, _LONG_NUMBER)):
            begun = start.match(text, at)
            if begun:
                found = _GENERATION.match(text, begun.end()) or number.match(text, begun.end())
                end = found.end() if found else _variant(variants, text, begun.end())
                if end >= 0:
                    return end
        if family.numbers in ("spoken", "joined"):
            found = (
                _JOINED.match(text, at) or (family.numbers == "spoken" and _SPOKEN.match(text, at)) or None
            )
            return found.end() if found else self._after_blank(text, at)
        return -1

    def _after_blank(self, text: str, at: int) -> int:
        """The end of a variant that all families share, behind a blank and perhaps a version; else -1."""
        blank = _BLANK.match(text, at)
        if not blank:
            return -1
        place = blank.end()
        version = _VERSION.match(text, place)
        if version:
            blank = _BLANK.match(text, version.end())
            if not blank:
                return -1
            place = blank.end()
        end = _variant(self.shared, text, place)
        return -1 if end < 0 or _ASSIGNED.match(text, end) else end


def _variant(variants: Collection[str], text: str, at: int) -> int:
    found = _VARIANT.match(text, at)
    return found.end() if found and found.group() in variants else -1


def _spellings(name: str, words: set[bytes]) -> Iterator[str]:
    """The ways in which a family may stand in a text that holds these words."""
    letters = name.rstrip("0123456789").encode()
    if letters in words or letters + b"v" in words:
        yield name
    for at in range(2, len(name) - 1):
        if name[:at].encode() in words and name[at:].encode() in words:
            yield f"{name[:at]}-\n{name[at:]}"
            yield f"{name[:at]}\n{name[at:]}"


def parse(records: Sequence[Record]) -> ModelNames:
    """The families of the table's records; raises `CheckFailed` that names each wrong line."""
    families: list[Family] = []
    shared: tuple[str, ...] = ()
    faults: list[Finding] = []
    for record in records:
        name, line, numbers, words = (cell.strip() for cell in record.cells)
        variants = () if words == "-" else tuple(words.split())
        problem = _problem(name, line, numbers, variants)
        if problem or any(family.name == name for family in families):
            said = problem or f"the family {name} stands a second time"
            faults.append(Finding(f".goblin/manifest/{TABLE}", record.line, message=said))
        elif name == SHARED:
            shared = variants
        else:
            families.append(Family(name, line, numbers, variants))
    if faults:
        raise CheckFailed(f"{len(faults)} wrong line(s) in {TABLE}", faults, REMEDY)
    if not families or not shared:
        raise CheckFailed(
            f"{TABLE} lists no family, or no variants for all of them (the row {SHARED})",
            remedy=REMEDY,
        )
    return ModelNames(families, shared)


def _problem(name: str, line: str, numbers: str, variants: Sequence[str]) -> str:
    if not all(_WORD.fullmatch(word) for word in variants):
        return f"the variants are {' '.join(variants)!r}; write lower-case words with a blank between, or '-'"
    if name == SHARED:
        return "" if line == numbers == "-" else f"the row {SHARED} has '-' for family and numbers"
    if not _WORD.fullmatch(name) or not _WORD.fullmatch(line):
        return f"name and family are {name!r} and {line!r}; write one lower-case word each"
    if numbers not in NUMBERS:
        return f"numbers is {numbers!r}; it is one of: {' '.join(NUMBERS)}"
    return ""


def load(manifest: Manifest) -> ModelNames:
    """The model names of the manifest under test."""
    return parse(manifest.table(TABLE))
