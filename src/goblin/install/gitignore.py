"""Our block at the end of the root `.gitignore` (spec install 11).

It is appended once. The record keeps the digest of exactly what was appended, so that a block which
nobody edited can follow a new release, and be taken out again to the byte. Digests are of LF line
ends: git may have converted the file in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goblin.install import blocks, templates
from goblin.install.journal import digest

PATH = ".gitignore"
BEGIN = b"# >>> goblin-stack >>>"
END = b"# <<< goblin-stack <<<"
SECRETS = (".env", ".env.*", "*.pem", "*.key")
"""The patterns of the secret family, for the question whether git already tracks such a file."""


def present(existing: bytes | None) -> bool:
    """True when the file holds our begin marker anywhere."""
    return existing is not None and BEGIN in existing


def block(values: Mapping[str, str], negations: Sequence[str]) -> bytes:
    """The block itself, LF line ends, from the template."""
    filled = {**values, "IGNORE_NEGATIONS": "\n".join(_explained(negations))}
    return templates.render(templates.load("gitignore"), filled).encode()


def _explained(negations: Sequence[str]) -> list[str]:
    if not negations:
        return []
    return ["# Rules above would keep these out of every commit.", *negations]


def appended(existing: bytes | None, block: bytes) -> bytes:
    """The whole file with the block at its end, in the file's own line ends.

    An empty line comes before the block; where the last line had no end, it becomes that line's end.
    A file that holds the block already comes back as it is.
    """
    if existing is None or present(existing):
        return block if existing is None else existing
    return existing + addition(existing, block)


def addition(existing: bytes | None, block: bytes) -> bytes:
    """Exactly what `appended` puts at the end of a file without a block."""
    if existing is None:
        return block
    return (b"\n" + block).replace(b"\n", blocks.line_end(existing))


def fingerprint(added: bytes) -> str:
    """The digest of what was appended, as the record keeps it."""
    return digest(added.replace(b"\r\n", b"\n"))


def located(existing: bytes, recorded: str) -> blocks.Extent | None:
    """Where what was appended stands, with the line end before it; None where it was edited or is gone."""
    return blocks.located(existing, BEGIN, END, recorded)


def negations(existing: bytes | None) -> list[str]:
    """The lines of the block that bring our own files back."""
    own = blocks.marked(existing, BEGIN, END) if existing is not None else None
    if existing is None or own is None:
        return []
    lines = existing[own[0] : own[1]].decode("utf-8", "surrogateescape").splitlines()
    return [line for line in lines if line.startswith("!/")]


def replaced(existing: bytes, extent: blocks.Extent, block: bytes) -> tuple[bytes, str]:
    """The file with another block in the place of an unedited one, and the digest of the new one."""
    begin = existing.index(BEGIN, extent[0])
    before, old = existing[extent[0] : begin], existing[begin : extent[1]]
    new = before + (block.replace(b"\n", b"\r\n") if b"\r\n" in old else block)
    return existing[: extent[0]] + new + existing[extent[1] :], fingerprint(new)


def missing_lines(existing: bytes, block: bytes) -> list[str]:
    """Rules of a block that the file holds nowhere."""
    there = {line.strip() for line in existing.splitlines()}
    rules = [line.strip() for line in block.splitlines()]
    return [
        rule.decode("utf-8", "surrogateescape")
        for rule in rules
        if rule and not rule.startswith(b"#") and rule not in there
    ]


def without(existing: bytes, extent: blocks.Extent) -> bytes | None:
    """The file as it was before the block was appended; None where there was no file."""
    start, end = extent
    if start == 0 and end == len(existing) and existing.startswith(BEGIN):
        return None
    return existing[:start] + existing[end:]


def marked(existing: bytes, line: str) -> bytes:
    """The file with one comment line at its end, in its own line ends."""
    newline = blocks.line_end(existing)
    glue = b"" if not existing or existing.endswith(b"\n") else newline
    return existing + glue + line.encode() + newline
