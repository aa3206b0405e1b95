"""docs/loop.md shows what goblin-loop really prints: a `text` fence is the output of the `sh` fence above it.

What differs from run to run is compared by its kind: times, dates, digests, ids. To renew the page after
a change of words: `python -m tests.loop.test_page`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support import PROJECT, hermetic, installed_repo
from tests.support.cli import SCRIPTS
from tests.support.env import ENVIRONMENT
from tests.support.pages import Block, blocks, script

PAGE = PROJECT / "docs" / "loop.md"
MARK = "@@ output of line"
MOVING = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z"), "<time>"),
    (re.compile(r"run_\d{8}T\d{6}Z-[0-9a-f]{8}"), "<run>"),
    (re.compile(r"closed-\d{4}-\d\d-\d\d"), "closed-<date>"),
    (re.compile(r"\b[0-9a-f]{12,64}\b"), "<hex>"),
)


def shown(text: str) -> list[tuple[Block, Block]]:
    """Each `sh` fence with the `text` fence that follows it at once."""
    return [
        (command, output)
        for command, output in pairwise(blocks(text))
        if (command.language, output.language) == ("sh", "text")
        and output.line == command.line + len(command.lines) + 2
    ]


def printed(text: str, folder: Path) -> dict[int, str]:
    """What each `sh` fence prints, by the line of its first command, when the page is followed in order."""
    lines = script(text, PAGE.name).split("\n")
    for block in blocks(text):
        if block.language == "sh" and block.not_run is None:
            lines[block.line - 2] += f"\necho '{MARK} {block.line}'"
    installed_repo(folder / "page")
    (folder / "home").mkdir()
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", "\n".join(lines), PAGE.name],
        cwd=folder / "page",
        env=hermetic(HOME=str(folder / "home"), PATH=f"{SCRIPTS}:{ENVIRONMENT.get('PATH', '')}"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    parts = re.split(rf"(?m)^{MARK} (\d+)\n", done.stdout)
    return {int(line): part for line, part in zip(parts[1::2], parts[2::2], strict=True)}


def steady(text: str) -> str:
    """The text without what moves."""
    for pattern, word in MOVING:
        text = pattern.sub(word, text)
    return text


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """The page, followed once."""
    return printed(PAGE.read_text(encoding="utf-8"), tmp_path_factory.mktemp("page"))


SHOWN = shown(PAGE.read_text(encoding="utf-8"))


def test_the_page_shows_a_loop_from_start_to_close() -> None:
    """Every step of the example has its output below it."""
    commands = [line for block, _ in SHOWN for line in block.lines if line.startswith("goblin-loop ")]
    verbs = [line.split()[1] for line in commands]
    assert verbs[:2] == ["start", "record"]
    assert {"start", "record", "status", "stuck", "close", "tail"} <= set(verbs)


@pytest.mark.parametrize("pair", SHOWN, ids=lambda pair: f"line {pair[0].line}")
def test_what_a_page_shows_is_what_is_printed(pair: tuple[Block, Block], outputs: dict[int, str]) -> None:
    """Line by line, but for times and digests."""
    command, output = pair
    assert steady("\n".join(output.lines)) == steady(outputs[command.line].rstrip("\n"))


def renew(text: str, folder: Path) -> str:
    """The page with the outputs of a run in its `text` fences."""
    found = printed(text, folder)
    lines = text.split("\n")
    for command, output in reversed(shown(text)):
        start = output.line - 1
        lines[start : start + len(output.lines)] = found[command.line].rstrip("\n").split("\n")
    return "\n".join(lines)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        PAGE.write_text(renew(PAGE.read_text(encoding="utf-8"), Path(scratch)), encoding="utf-8")
    sys.exit()
