"""The manual: a page a command, with every option that the command has, in a form that `man` reads."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from goblin.commands import complete, umbrella
from scripts import gen_man
from tests.support import PROJECT, hermetic

PAGES = gen_man.pages(PROJECT)


@pytest.mark.parametrize("word", umbrella.COMMANDS)
def test_a_page_tells_every_option(word: str) -> None:
    """Of each table behind the command: its name as it is typed, and what it does; then the exit codes."""
    text = PAGES[f"docs/man/goblin-{word}.1"]
    shown = text.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\").replace("\\&", "")
    shown = shown.replace("\n", " ")
    for table in complete.tables(umbrella.COMMANDS[word][0]):
        assert " ".join(table.summary.split()) in shown
        for option in table.options:
            assert option.name in shown
            assert " ".join(option.help.split()) in shown
    assert re.search(r"^\.SH EXIT STATUS$", text, re.MULTILINE)


def test_text_is_shown_as_it_is() -> None:
    """No escape, no request, no hyphen that cannot be searched for."""
    assert gen_man.plain(".goblin/bin 'x' \\n a-b `c`") == "\\&.goblin/bin \\(aqx\\(aq \\en a\\-b \\(gac\\(ga"
    words = gen_man.plain("word " * 30 + ".so /etc/passwd").split("\n")
    assert all(len(line) <= 80 and not line.startswith(".") for line in words)


def lint(command: list[str], page: Path) -> str:
    """What a program says of a page."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} here (on Debian: apt-get install {command[0]})")
    done = subprocess.run([*command, page], env=hermetic(), capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("page", sorted((PROJECT / "docs/man").iterdir()), ids=lambda page: page.name)
def test_the_readers_of_manuals_have_nothing_to_say(page: Path) -> None:
    """Neither of them, but that no page has a date: a release has one, and the pages are made before it."""
    assert lint(["groff", "-man", "-ww", "-z", "-Tutf8"], page) == ""
    said = lint(["mandoc", "-Tlint"], page).splitlines()
    assert [line for line in said if "missing date" not in line] == []
