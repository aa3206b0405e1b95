"""Our block at the end of the root `.gitignore`: appended once, never rewritten (spec install 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goblin.install import templates

PATH = ".gitignore"
BEGIN = b"# >>> goblin-stack >>>"
SECRETS = (".env", ".env.*", "*.pem", "*.key")
"""The patterns of the secret family, for the question whether git already tracks such a file."""
EXAMPLE = ".env.example"


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
    if existing is None:
        return block
    if present(existing):
        return existing
    added = b"\n" + block
    return existing + (added.replace(b"\n", b"\r\n") if b"\r\n" in existing else added)
