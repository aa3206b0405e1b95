"""Every command that README.md and docs/ show does what the page says, in the order of the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support import PROJECT
from tests.support.pages import blocks, faults, follow, script

PAGES = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")])
TARGETS = re.findall(r"^([a-z][\w-]*):", (PROJECT / "Makefile").read_text(), re.MULTILINE)
NAMES = [str(page.relative_to(PROJECT)) for page in PAGES]
RUN = [(page, name) for page, name in zip(PAGES, NAMES, strict=True) if script(page.read_text(), name)]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_page_keeps_the_convention(page: Path) -> None:
    """No shell hides under another name, and every `make` target that is named exists."""
    assert faults(page.read_text(), TARGETS) == []


@pytest.mark.parametrize(("page", "name"), RUN, ids=[name for _, name in RUN])
def test_every_command_of_a_page_does_what_it_says(page: Path, name: str, tmp_path: Path) -> None:
    """A reader who types the page from top to bottom meets no surprise."""
    problem = follow(page.read_text(), name, tmp_path)
    assert problem == "", problem


def test_the_readme_is_one_of_them() -> None:
    """The README names the two commands that set everything up, and shows commands that are run."""
    text = (PROJECT / "README.md").read_text()
    shown = [line for block in blocks(text) if block.language == "sh" for line in block.lines]
    assert "make try" in shown
    assert "make test" in shown
    assert "README.md" in [name for _, name in RUN]


def test_the_readme_leads_to_every_page() -> None:
    """A page that nothing leads to is not read."""
    text = (PROJECT / "README.md").read_text()
    pages = [path.relative_to(PROJECT).as_posix() for path in sorted(PROJECT.glob("docs/*.md"))]
    assert [page for page in pages if f"]({page})" not in text] == []


def test_the_architecture_names_every_module() -> None:
    """A module that the page leaves out is found by nobody who changes it."""
    text = (PROJECT / "docs" / "architecture.md").read_text()
    files = {path.stem for path in PROJECT.glob("src/goblin/*.py")} - {"__init__"}
    folders = {f"{path.parent.name}/" for path in PROJECT.glob("src/goblin/*/__init__.py")}
    assert {name for name in files | folders if f"`{name}`" not in text} == set()
