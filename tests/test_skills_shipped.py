"""The shipped skills: what each must hold, and that table, folders, router and prose agree."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from skills_ref import validate  # type: ignore[import-untyped]

from goblin.facts.skills import Skill
from goblin.install import presets, vendor
from goblin.install.templates import placeholders
from goblin.manifest import read_folder
from goblin.markdown import headings, section
from tests.support import installed_repo, run_cli
from tests.support.env import PROJECT

SKILLS = PROJECT / "skills"
NAMES = sorted(os.listdir(SKILLS))
HELPERS = ("goblin-feature-map", "goblin-judge", "goblin-loop")
GENERAL = ("goblin-mode", "practice")
MANIFEST = read_folder(os.fspath(PROJECT / "manifest"))
PLAYBOOKS = [line.cells for line in MANIFEST.table("playbooks.tsv")]
LAST = ["Verification", "Write surface", "What this cannot see"]
OUTSIDE = {"goblin-install"}
"""Commands of the package that no repository carries; a skill that names one says so."""

MEASURE = re.compile(r"`[^`]+`|\bexits\b|\bcommand\b|\bnames\b|\bprint(?:s|ed)\b|\b[A-Z]{2}-\d\d\b|\blines\b")
"""A command, an exit code, a token that must appear, or lines that can be counted."""


def skill(name: str) -> Skill:
    """One shipped skill, read as the rows read it."""
    return Skill(f"skills/{name}/SKILL.md", (SKILLS / name / "SKILL.md").read_bytes())


def body(text: str, title: str) -> list[str]:
    """The lines of a section that are not blank."""
    found = next(item for item in headings(text) if item.text == title)
    return [line for _, line in section(text, found) if line.strip()]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_valid_for_the_reference_library_of_the_format(name: str) -> None:
    """The open agent-skills format, as its own library reads it."""
    assert validate(SKILLS / name) == []


def test_the_reference_library_refuses_a_crooked_skill(tmp_path: Path) -> None:
    """Otherwise the test above would prove nothing."""
    folder = tmp_path / "goblin-mode"
    folder.mkdir()
    text = (SKILLS / "goblin-mode" / "SKILL.md").read_text()
    (folder / "SKILL.md").write_text(text.replace("name: goblin-mode", "name: Goblin--Mode\nmore: x"))
    assert len(validate(folder)) >= 2


def test_twenty_skills_ship_and_the_table_names_fifteen_of_them() -> None:
    """P1 to P15 in order, each with a folder of its playbook's name; the rest are known by name."""
    assert [row[0] for row in PLAYBOOKS] == [f"P{number}" for number in range(1, 16)]
    assert sorted([row[1] for row in PLAYBOOKS] + [*HELPERS, *GENERAL]) == NAMES
    assert len(NAMES) == 20
    assert all(cell.strip() for row in PLAYBOOKS for cell in row)


def test_the_router_lists_the_same_playbooks_in_the_same_order() -> None:
    """goblin-mode is the index of the table."""
    listed = re.findall(r"\| (P\d+) (goblin-[a-z-]+) \|", skill("goblin-mode").text)
    assert listed == [(row[0], row[1]) for row in PLAYBOOKS]


@pytest.mark.parametrize("row", PLAYBOOKS, ids=[row[0] for row in PLAYBOOKS])
def test_a_playbook_says_what_its_row_says(row: tuple[str, ...]) -> None:
    """Id in the description and the title, as many steps, and the rows its verification cites."""
    text = skill(row[1]).text
    assert f"\ndescription: '{row[0]}: " in text
    assert f"\n# {row[0]} {row[1]}\n" in text
    steps = len(row[3].split(" | "))
    assert re.match(r"\d+ ", row[3])
    written = len(re.findall(r"(?m)^\d+\. ", text))
    assert steps <= written <= 2 * steps  # prose may part a step of the table in two
    for first, family, last in re.findall(r"\b(([A-Z]{2})-\d\d) to [A-Z]{2}-(\d\d)\b", row[4]):
        assert {first, f"{family}-{last}"} <= set(re.findall(r"\b[A-Z]{2}-\d\d\b", text))
    assert set(re.findall(r"\b[A-Z]{2}-\d\d\b", row[4])) <= set(re.findall(r"\b[A-Z]{2}-\d\d\b", text))


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_keeps_the_form(name: str) -> None:
    """Front matter of two keys on one line each, a title, numbered steps, the three last sections, short."""
    found = skill(name)
    fields = found.fields
    assert isinstance(fields, dict)
    assert list(fields) == ["name", "description"]
    assert fields["name"].text == name
    assert 40 < len(fields["description"].text or "") < 200
    assert found.text.split("\n")[3] == "---"
    assert len(found.text.splitlines()) < 70
    assert found.text.isascii()
    titles = [item for item in headings(found.text) if item.line > 4]
    assert [item.level for item in titles].count(1) == 1
    assert titles[0].level == 1
    assert [item.text for item in titles if item.level == 2][-3:] == LAST
    numbers = re.findall(r"(?m)^(\d+)\. ", "\n".join(body(found.text, "Steps")))
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(numbers) > 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("title", LAST)
def test_its_last_sections_say_something(name: str, title: str) -> None:
    """A heading without a body is none."""
    assert any(re.search(r"\w", line) for line in body(skill(name).text, title))


@pytest.mark.parametrize("name", NAMES)
def test_each_item_of_its_verification_can_be_measured(name: str) -> None:
    """A command, an exit code, a file, or a token that must appear."""
    text = "\n".join(body(skill(name).text, "Verification"))
    items = re.findall(r"(?ms)^- (.*?)(?=^- |\Z)", text)
    assert len(items) > 1
    assert [item for item in items if not MEASURE.search(item)] == []
    assert "`" in text


@pytest.mark.parametrize("name", NAMES)
def test_it_names_only_commands_and_rows_that_an_installed_repository_has(name: str) -> None:
    """A launcher, an automation, or a package command that is called one; every row id is in the matrix."""
    text = skill(name).text
    assert placeholders(text) == set()
    carried = {f".goblin/bin/{command}" for command in vendor.LAUNCHERS}
    carried |= {item.path for item in vendor.automations()} | {item.path for item in vendor.rules()}
    named = set(re.findall(r"\.goblin/(?:bin|automations|manifest)/[\w.-]*\w", text))
    assert named <= carried
    commands = set(re.findall(r"`(goblin-[a-z-]+) (?:--|start|record|status|stuck|close|<)", text))
    assert commands <= OUTSIDE
    if commands or "    goblin-install" in text:
        assert "package's command" in text
    unknown = set(re.findall(r"\b[A-Z]{2}-\d\d\b", text)) - set(MANIFEST.by_id())
    assert unknown == set()
    for rows in re.findall(r"goblin-verify --only ([A-Z0-9,-]+)", text):
        assert all(MANIFEST.by_id()[row].scope == "target" for row in rows.split(","))


@pytest.mark.parametrize("name", NAMES)
def test_it_holds_no_absolute_path_and_spawns_nobody(name: str) -> None:
    """Paths are relative; another worker is reached by a card."""
    text = skill(name).text
    assert not re.search(r"(?<![\w./>~-])/(?:usr|home|Users|root|tmp|etc|opt|var)\b", text)
    spawns = [line for line in text.splitlines() if re.search(r"subagent|spawn", line)]
    assert all("cannot" in line for line in spawns)


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_the_rows_over_skills_are_green_on_a_fresh_install(letter: str, tmp_path: Path) -> None:
    """Of every class: SK, AU, and the rows that look for names of models and machines."""
    repo = installed_repo(tmp_path / "sample", class_=letter)
    done = run_cli(
        repo / ".goblin/bin/goblin-verify",
        "--only",
        "SK-01,SK-02,SK-04,AU-01,AU-04,MD-01,PT-01",
        cwd=repo,
    )
    assert done.code == 0, done.out
    wanted = f"PASS  SK-01  {len(NAMES)} skill(s)"
    assert wanted in done.out or "SKIP  SK-01" in done.out
    assert "PASS  MD-01" in done.out
    assert "PASS  PT-01" in done.out
    assert repo.git("ls-files", ".goblin/automations").count("\n") == 4


@pytest.mark.parametrize("options", [["--skills", "no"], ["--opt-out", "playbooks"]])
def test_without_playbooks_no_automation_is_installed(options: list[str], tmp_path: Path) -> None:
    """And its rows say why they look at nothing."""
    repo = installed_repo(tmp_path / "sample", *options)
    assert repo.git("ls-files", ".goblin/automations") == ""
    done = run_cli(repo / ".goblin/bin/goblin-verify", "--only", "AU-01,AU-04", cwd=repo)
    assert done.code == 0
    assert done.out.count("(opt-out: playbooks)") == 2


def test_an_opt_out_leaves_what_is_installed(tmp_path: Path) -> None:
    """Files that are there stay, recorded and unchanged."""
    repo = installed_repo(tmp_path / "sample")
    done = run_cli("goblin-install", "--target", ".", "--class", "A", "--opt-out", "playbooks", cwd=repo)
    assert done.code == 0, done.out + done.err
    assert repo.git("status", "--porcelain", ".goblin/automations") == ""
    assert ".goblin/automations/drift-audit.py" in repo.read(".goblin/installed.json")
