"""The reference lists what the commands and schemas hold, whole."""

from __future__ import annotations

import json
import tomllib

from scripts import gen_reference
from tests.support import PROJECT

PAGES = gen_reference.pages(PROJECT)


def test_every_command_of_the_package_has_its_section() -> None:
    """So has each subcommand, with the options that its help shows."""
    page = PAGES["docs/reference/commands.md"]
    names = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["scripts"]
    assert [name for name in names if f"\n## {name}\n" not in page] == []
    assert "\n### goblin-loop audit\n" in page
    assert "| `--output FORMAT=FILE` |" in page


def test_every_key_of_the_configuration_is_listed_once() -> None:
    """With its default, and the rows that read it; a row that stands in an example reads nothing."""
    lines = PAGES["docs/reference/config.md"].splitlines()
    keys = json.loads((PROJECT / "schemas/config.schema.json").read_text())["properties"]
    assert [key for key in keys if sum(line.startswith(f"| `{key}` |") for line in lines) != 1] == []
    [ceiling] = [line for line in lines if line.startswith("| `advisory_ceiling` |")]
    assert "| `10` |" in ceiling
    assert "[SK-03](../rules/SK-03.md)" in ceiling
    [exempt] = [line for line in lines if line.startswith("| `bans_exempt` |")]
    assert "../rules/" not in exempt


def test_a_member_that_may_be_absent_says_so() -> None:
    """A member that is required does not."""
    page = PAGES["docs/reference/record.md"]
    assert "| `disabled` | list of string (may be absent) |" in page
    assert "| `version` | string |" in page


def test_the_objects_of_a_report_are_linked() -> None:
    """Each link leads to a section of the page."""
    page = PAGES["docs/reference/report.md"]
    assert "| `findings` | list of [finding](#finding) |" in page
    assert "\n## finding\n" in page


def test_every_page_of_the_folder_is_in_the_index() -> None:
    """And the index names no other."""
    index = PAGES["docs/reference/README.md"]
    names = {path.rpartition("/")[2] for path in PAGES} - {"README.md"}
    assert {name for name in names if f"({name})" in index} == names
