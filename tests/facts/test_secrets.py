"""Credentials in bytes: every kind by place, in every encoding that is read, and never the value."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.facts import content, secrets
from goblin.facts.content import OVERLAP, WINDOW, Window
from goblin.redact import SECRETS

TOKEN = "gh" + "p_" + "a" * 36
CLOUD = "AK" + "IA" + "B" * 16


def found(data: bytes, kinds: tuple[secrets.Kind, ...] = secrets.TRACKED) -> list[tuple[str, int, int]]:
    """What stands in a content that is one window."""
    return [(hit.kind, hit.line, hit.column) for hit in secrets.find([Window(0, data)], kinds)]


def test_the_kinds_are_those_that_are_masked_everywhere() -> None:
    """One table decides what a credential is; each of its kinds has literals."""
    assert [(kind.name, kind.pattern) for kind in secrets.TRACKED] == list(SECRETS)


@pytest.mark.parametrize("kind", [*secrets.TRACKED, *secrets.SHIPPED], ids=lambda kind: kind.name)
def test_whatever_matches_holds_a_literal(kind: secrets.Kind) -> None:
    """A look for the literals alone passes over nothing that the pattern finds."""

    @given(st.from_regex(re.compile(kind.pattern, re.ASCII), fullmatch=True))
    def holds(text: str) -> None:
        assert any(literal in text.encode() for literal in kind.literals), text

    holds()


@pytest.mark.parametrize("kind", secrets.TRACKED, ids=lambda kind: kind.name)
def test_every_kind_is_found_in_every_encoding(kind: secrets.Kind) -> None:
    """UTF-8, UTF-16 of either order with and without its mark, and text with zero bytes."""

    @given(st.from_regex(re.compile(kind.pattern, re.ASCII), fullmatch=True))
    def reads(secret: str) -> None:
        if secret.endswith("EXAMPLE"):
            return
        text = f"a\n = {secret}"
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
            assert (kind.name, 2, 4) in found(text.encode(encoding)), encoding
        assert (kind.name, 2, 4) in found(b"\0\xff\n = " + secret.encode())

    reads()


_PIECES = [b"\n", b"\r\n", b" ", b"x", b"-", b"_", TOKEN.encode(), CLOUD.encode(), b"A" * 40, b"a1b2" * 12]
_PIECES += [literal for kind in (*secrets.TRACKED, *secrets.SHIPPED) for literal in kind.literals]


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map(b"".join))
def test_a_search_of_some_lines_finds_what_a_search_of_all_finds(data: bytes) -> None:
    """Lines without a literal are passed over, and nothing is missed or found twice."""
    for kind in (*secrets.TRACKED, *secrets.SHIPPED):
        pattern = re.compile(kind.pattern.encode())
        spans = [match.span() for match in secrets._matches(data, kind)]
        assert spans == [match.span() for match in pattern.finditer(data)]


@given(st.binary(max_size=4000))
def test_arbitrary_bytes_are_searched_without_an_error(data: bytes) -> None:
    """And nearly always hold nothing."""
    for hit in secrets.find([Window(0, data)], (*secrets.TRACKED, *secrets.SHIPPED)):
        assert hit.line >= 1
        assert hit.column >= 1


def test_documented_samples_are_none() -> None:
    """A key that ends with EXAMPLE is what a manual prints."""
    assert found(b"AK" + b"IAIOSFODNN7EXAMPLE") == []


def test_a_word_around_a_prefix_is_none() -> None:
    """The patterns want a boundary, and the exact number of characters."""
    assert found(f"x{CLOUD}".encode()) == []
    assert found(f"{CLOUD}C".encode()) == []
    assert found(b"gh" + b"p_short") == []


def test_places_count_lines_and_characters() -> None:
    """Columns count characters, and the mark at the start of a file is none."""
    assert found(f"\ufeff{TOKEN}\né é {CLOUD}\n".encode()) == [
        ("forge token", 1, 1),
        ("cloud access key", 2, 5),
    ]


def test_one_line_may_hold_several() -> None:
    """Each place counts."""
    assert len(found(f"{TOKEN} {TOKEN}".encode())) == 2


def windows(data: bytes) -> list[Window]:
    """A content as it is read from a pipe that gives a little at a time."""
    at = 0

    def read(size: int) -> bytes:
        nonlocal at
        data_part = data[at : at + min(size, 100_000)]
        at += len(data_part)
        return data_part

    return list(content._windows(read))


@pytest.mark.parametrize("size", [0, 1, WINDOW - 1, WINDOW, WINDOW + 1, 2 * WINDOW, 3 * WINDOW - 2 * OVERLAP])
def test_windows_cover_a_content_and_repeat_its_seams(size: int) -> None:
    """Put together they are the content; each but the first begins with the end of the one before."""
    data = bytes(range(256)) * (size // 256 + 1)
    data = data[:size]
    seen = windows(data)
    rebuilt = b""
    for window in seen:
        assert data[window.offset : window.offset + len(window.data)] == window.data
        rebuilt += window.data[len(rebuilt) - window.offset :]
    assert rebuilt == data
    assert all(window.offset == 0 or len(window.data) > OVERLAP or len(seen) > 1 for window in seen)


def test_a_seam_cuts_no_credential_and_counts_none_twice() -> None:
    """Found once, at its line and column, wherever the boundary falls."""
    line = b"x" * 79 + b"\n"
    for shift in (0, 5, 40, 41):
        before = (line * (WINDOW // 80 + 1))[: WINDOW - shift]
        data = before + b"\n" + TOKEN.encode() + b"\n" + line * 10
        hits = secrets.find(windows(data))
        assert [(hit.line, hit.column) for hit in hits] == [(before.count(b"\n") + 2, 1)], shift


def test_a_long_line_keeps_its_column_over_windows() -> None:
    """Three windows without a line break."""
    data = b"x" * (2 * WINDOW) + b" " + TOKEN.encode()
    assert [(h.line, h.column) for h in secrets.find(windows(data))] == [(1, 2 * WINDOW + 2)]


SHIPPED_HITS = {
    "provider key": "sk-" + "a1" * 10,
    "forge token": "gh" + "o_" + "Z" * 20,
    "forge fine-grained token": "github" + "_pat_" + "a_" * 10,
    "cloud access key": CLOUD,
    "chat token": "xox" + "b-1234567890",
    "web API key": "AI" + "za" + "a" * 35,
    "payment key": "sk" + "_live_" + "a" * 24,
    "private key": "-----BEGIN " + "PRIVATE KEY-----",
    "web token": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
}


@pytest.mark.parametrize(("kind", "text"), SHIPPED_HITS.items(), ids=lambda value: value[:12])
def test_each_shipped_kind_is_found_in_a_bundle(kind: str, text: str) -> None:
    """In the middle of one long line."""
    assert found(f'!function(){{var a="{text}"}}'.encode(), secrets.SHIPPED) == [(kind, 1, 20)]


@pytest.mark.parametrize(
    "text",
    [
        "task-abcdefghijklmnopqrstuvwx0123",
        "disk-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "sk-folding-cube-animation-container-wrap",
        "sk-short1234",
        "eyJhbGciOiJIUzI1NiJ9.only-two",
        "eyJub3QiOiJhbGcifQ.eyJzdWIiOiIxIn0.c2ln",
        "a.eyJzb21ldGhpbmc.else.here",
    ],
)
def test_what_only_looks_like_a_shipped_key_is_none(text: str) -> None:
    """Words, class names, and tokens whose head names no algorithm."""
    assert found(f'"{text}"'.encode(), secrets.SHIPPED) == []


def test_a_key_with_hyphens_is_a_provider_key() -> None:
    """Hyphens and underscores may stand inside."""
    assert found(b'"sk-' + b'svc_a1B2-c3D4e5F6g7H8i9"', secrets.SHIPPED)[0][0] == "provider key"


def test_many_places_in_one_file_are_bounded() -> None:
    """A hostile file does not fill the memory with places."""
    assert len(found(f"{CLOUD}\n".encode() * 5000)) == secrets.MOST
