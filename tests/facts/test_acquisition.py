"""Hash manifests: the header, the digest lines, and every dialect in which a digest may stand."""

from __future__ import annotations

from goblin.facts.acquisition import Digest, HeaderLine, any_digests, parse
from goblin.facts.reference import EMPTY

ONE, TWO = "1" * 64, "A" * 64


def test_a_manifest_is_read() -> None:
    """Keys without case, blanks around colons, paths with blanks, both kinds of digest line, CRLF."""
    text = "# Target : a.apk 1.2\n#source:store.example.org ; md5 x\n# words\n\n"
    text += f"{ONE}  a.apk\r\n{TWO} *b c.dat\n# note\n"
    record = parse("m", text)
    assert record.header == (
        HeaderLine(1, "target", "a.apk 1.2", "Target : a.apk 1.2"),
        HeaderLine(2, "source", "store.example.org ; md5 x", "source:store.example.org ; md5 x"),
        HeaderLine(3, "", "", "words"),
    )
    assert record.digests == (Digest(5, ONE, "a.apk"), Digest(6, TWO.lower(), "b c.dat"))
    assert record.malformed == ()
    assert record.first("source") == record.header[1]
    assert record.first("anchor") is None


def test_only_the_first_run_of_marks_is_the_header() -> None:
    """A comment below is none."""
    assert parse("m", f"\n# target : a 1.2\n{ONE}  a\n").header == ()
    assert len(parse("m", "# a : 1\n\n# b : 2\n").header) == 1


def test_malformed_lines_are_numbered() -> None:
    """Other dialects, one digit too few, no path, one blank."""
    lines = [
        f"SHA256 (a) = {ONE}",
        f"\\{ONE}  a",
        f"{ONE[1:]}  a",
        f"{ONE}",
        f"{ONE}\ta",
        f"{ONE} a",
        f"{ONE}  a",
    ]
    assert parse("m", "\n".join(lines)).malformed == (1, 2, 3, 4, 5, 6)


def test_every_dialect_gives_its_digest() -> None:
    """A line that nobody can check still lists what may not be tracked; the digest of nothing does not."""
    digests = [character * 64 for character in "1234567"]
    a, b, c, d, e, f, g = digests
    text = f"# {a}\n{b}  x\n{c} *x\nSHA256 (x) = {d}\n\\{e}  x\\ny\n{f.upper()}\tx\r\nx: {g}\n"
    none = f"{'8' * 65}  too long\nx{'9' * 64}  part of a word\n{EMPTY}  empty\n"
    assert any_digests((text + none).encode()) == frozenset(digests)
    assert any_digests("1".join([""] * 65).encode("utf-16")) == {ONE}
