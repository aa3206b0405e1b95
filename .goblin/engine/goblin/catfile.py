"""The questions of `git cat-file --batch`, and how its answers are read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goblin.child import Conversation


def question(name: str) -> bytes:
    """How an object is asked for."""
    return os.fsencode(name or "-") + b"\n"


def header(line: bytes) -> tuple[str, str, int] | None:
    """The id, type and size that `cat-file --batch` begins an answer with; None where it found nothing."""
    fields = line.rsplit(b" ", 2)
    if len(fields) != 3 or not fields[2].isdigit() or line.endswith((b" missing", b" ambiguous")):
        return None
    return fields[0].decode(), fields[1].decode(), int(fields[2])


class TooMuch(Exception):
    """More bytes than the caller holds."""


def answers(talk: Conversation, asked: Sequence[str], most: int) -> list[tuple[str, str, bytes] | None]:
    """Objects of at most so many bytes together, one after another; raises as `_object` does."""
    found = []
    for name in asked:
        found.append(_object(talk, name, most))
        most -= len(found[-1][2]) if found[-1] else 0
    return found


def _object(talk: Conversation, name: str, most: int) -> tuple[str, str, bytes] | None:
    """One object of at most so many bytes, through a conversation.

    Raises `OSError` where git ended instead of answering, and `TooMuch`, which ends the conversation.
    """
    talk.ask(question(name))
    line = talk.line()
    if not line.endswith(b"\n"):
        raise BrokenPipeError("git ended early")
    told = header(line[:-1])
    if not told:
        return None
    oid, kind, size = told
    if size > most:
        talk.close()
        raise TooMuch
    content = talk.read(size + 1)
    if len(content) != size + 1:
        raise BrokenPipeError("git ended early")
    return (oid, kind, content[:-1]) if name else None
