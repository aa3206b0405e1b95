"""A card: the only thing that a producer writes, and the only durable trigger of a repair.

A card is an argument list. It is run as it is, never through a shell, and printed with each word
quoted, so that no value of a report or a repository is ever read as shell.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import NamedTuple

from goblin import process
from goblin.redact import clean, lines

VARIABLE = "GOBLIN_BOARD_CMD"
DEFAULT = "hermes kanban create"
TITLE = 160
"""Characters of a title that are kept."""
TIMEOUT = 120.0


class BoardError(Exception):
    """A card that was not filed; the message says why and what to do."""


class Card(NamedTuple):
    """One card. Without an `assignee` no worker can pick it up and a person sees it. Times in seconds."""

    title: str
    key: str
    max_runtime: int
    max_retries: int
    assignee: str = ""
    skill: str = ""
    body: str = ""
    body_file: str = ""

    def words(self) -> list[str]:
        """The arguments for the board; each value is one word, whatever it holds."""
        title = clean(" ".join(self.title.split()))
        pairs = [
            ("--assignee", self.assignee),
            ("--skill", self.skill),
            ("--idempotency-key", self.key),
            ("--body", self.body),
            ("--body-file", self.body_file),
            ("--max-runtime", str(self.max_runtime)),
            ("--max-retries", str(self.max_retries)),
        ]
        return [title[:TITLE], *(word for name, value in pairs if value for word in (name, value))]

    def line(self, env: Mapping[str, str]) -> str:
        """The command as a person may paste it: one line, every word quoted."""
        return clean(shlex.join([*board(env), *self.words()]))


def board(env: Mapping[str, str]) -> list[str]:
    """The words of the board's command; raises `BoardError` for one that is no list of words."""
    text = env.get(VARIABLE) or DEFAULT
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BoardError(f"{VARIABLE} is not a list of words: {error}") from error
    if not words:
        raise BoardError(f"{VARIABLE} holds no word; unset it for {DEFAULT!r}")
    return words


def file_card(card: Card, env: Mapping[str, str], cwd: str) -> None:
    """Run the board's command for one card; raises `BoardError` when it does not end with 0."""
    argv = [*board(env), *card.words()]
    try:
        done = process.run(argv, cwd, process.environment(), TIMEOUT)
    except (OSError, ValueError) as error:
        raise BoardError(f"the board could not be asked: {error}") from error
    if done.code == 127:
        raise BoardError(f"there is no {clean(argv[0])} here: install it, or set {VARIABLE}")
    if done.code:
        said = lines(done.output, most=1)
        told = done.could_not_run() or f"exit {done.code}"
        raise BoardError(f"{clean(os.path.basename(argv[0]))}: {told}{': ' + said[0] if said else ''}")
