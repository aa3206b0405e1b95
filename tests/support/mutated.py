"""What trips parsers up: pieces of the formats that are read here, and real files with such pieces put in."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

PIECES: tuple[bytes, ...] = tuple(
    piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
    for piece in (
        # bytes that are no text, marks, line ends and blanks of every kind
        b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\x80",
        "\r\n", "\n", "\r", "\t", " ", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\u00a0", "\u200b",
        # signs that turn, move or hide text, and letters that change their length in another case
        "\u202e", "\u2066", "\x1b[2J", "\x1b]0;", "\x9b", "\x07", "\u0130", "\u1e9e", "\U0001f600", "e\u0301",
        # numbers that fit no type
        "1e999", "-1e999", "-0", "0x", "9" * 20, "9" * 5000, "1_0", "\u0663", "\u00b2", "NaN", "Infinity",
        "1.5",
        # brackets, quotes, comments, and what joins and parts
        "{", "}", "[", "]", "(", ")", "<", ">", '"', "'", "`", "\\", "/*", "*/", "//", "#", "<!--", "-->",
        '"""', "'''", "${", "$((", "$(", "<<E\n", "<(", "((", "[[", "&&", "||", ";", ";;", "|", "&", "!",
        "?", "*",
        "**", ":", ": ", "- ", ",", "=", "=>", "==", "@", "~", "%", "%ZZ", "%00", "..", "../", "/", "./",
        "-", "--",
        # words that mean something to one of the readers
        "null", "~", "true", "{}", "[]", '""', "null:", "<<: *a", "&a ", "*a", "!!int ", "!reference ",
        "|2-\n",
        ">-\n", "---\n", "...\n", "? ", "%YAML 1.1\n", "key: value\n", "a: {b: [", '{"a":', '{"a": 1e999}',
        '"\\ud800"', '"\\u0000"', "[[package]]\n", "[a.b]\n", "a = ", "function ", "async ", "export ",
        "import ",
        "from ", "class ", "const ", "if ", "then ", "fi", "do ", "done", "case a in ", "esac", "for ",
        "while ",
        "`${", "</script>", "<script>", "<a b=c>", "/a[", "```\n", "~~~\n", "# ", "## ", "- AC1: ", "1. ",
        "[a](b)",
        "sha:", "file:", "sha256:", "cmd:", "0" * 64, "0123456", "2026-01-02T03:04:05Z", "2026-13-99",
        "9999-12-31T23:59:60-23:59", "0001-01-01T00:00:00+23:59", "AKIA", "ghp_", "-----BEGIN ",
        "-----END PRIVATE KEY-----", "eyJ",
    )
)  # fmt: skip
"""The pieces, which are the dictionary of the fuzzer too."""

UNITS: tuple[bytes, ...] = (
    b"(", b"[", b"{", b"<", b"`", b"'", b'"', b"\\", b"- ", b" ", b"\n", b"a", b"# ", b"$(", b"${`", b"<a ",
    b"/*", b"<!--", b"a: {", b'{"a":', b"a\t", b"a=", b"if ", b"a?b:", b"\r\n", b"<<E\n", b"[a](", b"import ",
    b"-----END PRIVATE KEY-----", b"-----BEGIN %s-----" % b"PRIVATE KEY", b"&a [*a,", b"<script>",
    b"<script></script",
)  # fmt: skip
"""What a hostile file repeats: a reader that looks back for each of them takes the square of its length."""


@st.composite
def mutated(draw: st.DrawFn, seeds: Sequence[bytes], most: int = 5) -> bytes:
    """One of the seeds with a few edits: pieces put in, stretches taken out, said again or swapped.

    Now and then it is pieces alone, another seed's end behind it, or bytes of any kind.
    """
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return draw(st.binary(max_size=64))
    if kind == 1:
        return b"".join(draw(st.lists(st.sampled_from(PIECES), max_size=12)))
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 12)))
        edit = draw(st.integers(0, 6))
        piece = draw(st.sampled_from(PIECES))
        if edit <= 2:
            data = data[:at] + piece + data[end if edit else at :]
        elif edit == 3:
            data = data[:at] + data[end:]
        elif edit == 4:
            data = data[:end] + data[at:end] * draw(st.integers(1, 40)) + data[end:]
        elif edit == 5:
            data = data[:at] + draw(st.sampled_from(seeds))[-40:]
        else:
            data = data.replace(b"\n", piece, draw(st.integers(1, 3)))
    return data
