"""`--merge-agents`: our marked block at the end of an AGENTS.md that was there before (spec install 13.1).

The record keeps the hash of exactly the bytes that were appended, separator included, so that an
uninstall can take them away again and leave the file as it was.
"""

from __future__ import annotations

from collections.abc import Mapping

from goblin.install import blocks, templates

PATH = "AGENTS.md"
BEGIN = b"<!-- goblin-stack:agents-begin -->"
END = b"<!-- goblin-stack:agents-end -->"


def present(existing: bytes) -> bool:
    """True when both markers stand in the file, in order."""
    return 0 <= existing.find(BEGIN) < existing.find(END)


def addition(existing: bytes, values: Mapping[str, str]) -> bytes:
    """The bytes to append: what separates, then the block, in the file's own line ends."""
    text = templates.render(templates.load("AGENTS.block.md"), values).encode()
    if existing:
        text = (b"\n" if existing.endswith(b"\n") else b"\n\n") + text
    return text.replace(b"\n", blocks.line_end(existing))


def located(existing: bytes, recorded: str) -> blocks.Extent | None:
    """Where exactly what was appended stands; None where it was edited or is gone."""
    return blocks.located(existing, BEGIN, END, recorded)
