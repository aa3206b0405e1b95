"""A board that keeps what it was given: a real program, named by `$GOBLIN_BOARD_CMD`."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

SOURCE = """\
import json, os, sys
with open(os.environ["BOARD_LOG"], "a", encoding="utf-8") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
sys.exit(int(os.environ.get("BOARD_EXIT", "0")))
"""


class Board:
    """The board's command and the cards that it got."""

    def __init__(self, folder: Path) -> None:
        program = folder / "the board.py"
        program.write_text(SOURCE)
        self.log = folder / "cards"
        self.env = {
            "GOBLIN_BOARD_CMD": shlex.join([sys.executable, str(program), "create"]),
            "BOARD_LOG": str(self.log),
        }

    def cards(self) -> list[list[str]]:
        """The argument lists that arrived, without the word `create`."""
        if not self.log.exists():
            return []
        found = [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]
        assert all(words[0] == "create" for words in found)
        return [words[1:] for words in found]


def option(words: list[str], name: str) -> str:
    """The value of one option of a card."""
    return words[words.index(name) + 1]
