"""The tables of data agree with each other, with the presets and with the skills that ship."""

from __future__ import annotations

import os
import re

import pytest
from ruamel.yaml import YAML

from goblin import tables
from goblin.install import presets, templates
from goblin.manifest import COLUMNS, PARTS, TABLES
from goblin.markdown import headings
from tests.support import PROJECT

MANIFEST = PROJECT / "manifest"
OURS = ("classes.tsv", "roles.tsv", "glossary.tsv", "playbooks.tsv", "families.tsv")
FAMILIES = (
    *("IN", "HP", "SP", "GT", "HS", "CM", "MD", "PG", "PF", "DS", "DOC", "SC", "AU"),
    *("BN", "FM", "VA", "SK", "JG", "LP", "PT", "CL", "RC", "WV", "RN", "PR"),
)
SKILLS = sorted(entry.name for entry in os.scandir(PROJECT / "skills"))
HELPERS = {"goblin-mode", "practice", "goblin-feature-map", "goblin-judge", "goblin-loop"}
"""The skills that are no playbook."""


def table(name: str) -> list[dict[str, str]]:
    """The rows of one table, each by column name."""
    columns = TABLES[name]
    records = tables.read((MANIFEST / name).read_bytes(), columns, name)
    return [dict(zip(columns, record.cells, strict=True)) for record in records]


@pytest.mark.parametrize("name", OURS)
def test_a_table_is_written_as_its_writer_would(name: str) -> None:
    """Strictly read, every cell filled and trimmed, and the bytes are the writer's own."""
    data = (MANIFEST / name).read_bytes()
    rows = [list(row.values()) for row in table(name)]
    assert rows
    assert all(cell and cell == cell.strip() for row in rows for cell in row)
    assert tables.write(TABLES[name], rows) == data


# --- classes ---------------------------------------------------------------------------------

MATRIX = {
    "handoff": "R R R R R R",
    "spec": "R R R - R R",
    "gate": "R R R O R R",
    "replay": "R - R - O R",
    "ratchet": "R O O - O R",
    "pr-gate": "O - O - O O",
    "review-panel": "O - R - O O",
    "playbooks": "R R R R R R",
    "tokens": "O - - - - O",
    "ci-gate": "R - O - O R",
    "anchor": "O O O O O O",
}


def test_the_class_table_holds_each_pair_once() -> None:
    """Six classes by eleven parts, as the contract draws them."""
    found = [(row["class"], row["part"], row["need"]) for row in table("classes.tsv")]
    wanted = [
        (letter, part, needs.split()[column])
        for column, letter in enumerate(presets.LETTERS)
        for part, needs in MATRIX.items()
    ]
    assert found == wanted
    assert len(found) == 66
    assert set(MATRIX) == set(PARTS)


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_a_forbidden_part_is_empty_in_its_classes_preset(letter: str) -> None:
    """An install must not write what CL-01 then fails."""
    needs = {row["part"]: row["need"] for row in table("classes.tsv") if row["class"] == letter}
    preset = presets.load(letter)
    for part, key in (("replay", "replay.cmd"), ("replay", "replay.env"), ("ratchet", "ratchet.cmd")):
        assert bool(preset[key]) == (needs[part] != "-"), f"{part}: {key}"
    assert preset.gates
    if preset.yes("scaffold_checks"):
        assert "-" not in {needs[part] for part in ("spec", "replay", "ratchet", "pr-gate")}


def test_class_f_differs_from_a_in_its_preset_alone() -> None:
    """The two need the same parts."""
    of = {letter: [row["need"] for row in table("classes.tsv") if row["class"] == letter] for letter in "AF"}
    assert of["A"] == of["F"]


# --- playbooks and roles ---------------------------------------------------------------------


def test_the_playbooks_are_p1_to_p15_in_order() -> None:
    """Fifteen rows, ids and names unique."""
    rows = table("playbooks.tsv")
    assert [row["id"] for row in rows] == [f"P{n}" for n in range(1, 16)]
    names = [row["playbook"] for row in rows]
    assert len(set(names)) == 15
    assert all(re.fullmatch(r"goblin-[a-z-]+", name) for name in names)


def test_the_steps_of_a_playbook_are_numbered_from_one() -> None:
    """One cell, parted by bars, so that a todo list can be made from it."""
    for row in table("playbooks.tsv"):
        steps = row["steps"].split(" | ")
        assert [step.split(" ")[0] for step in steps] == [str(n) for n in range(1, len(steps) + 1)], row["id"]
        assert len(steps) >= 3


def test_every_role_of_a_playbook_exists_and_lists_it() -> None:
    """`then` and `plus` join roles; each of them names the playbook in its own row."""
    roles = {row["role"]: row for row in table("roles.tsv")}
    assert list(roles) == ["code", "judgment", "review-panel", "synthesis", "investigate", "judge"]
    for row in table("playbooks.tsv"):
        for role in re.split(r" (?:then|plus) ", row["role"]):
            assert row["id"] in roles[role]["used_by"].split(","), f"{role} does not list {row['id']}"


def test_what_a_role_lists_are_playbooks_in_order() -> None:
    """No id that does not exist, none twice."""
    for row in table("roles.tsv"):
        numbers = [int(name.removeprefix("P")) for name in row["used_by"].split(",")]
        assert numbers == sorted(set(numbers))
        assert set(numbers) <= set(range(1, 16))


def test_the_judge_is_one_lane_that_no_other_role_has() -> None:
    """JG-02 and MD-02 hold this in every repository; the shipped table starts green."""
    roles = {row["role"]: row["profiles"].split(",") for row in table("roles.tsv")}
    assert roles["judge"] == ["judge"]
    assert len(roles["review-panel"]) >= 2
    assert not any("judge" in profiles for role, profiles in roles.items() if role != "judge")
    assert not set(roles["review-panel"]) & set(roles["code"])


def test_a_playbook_is_worked_by_profiles_that_its_roles_have() -> None:
    """`any` and `default` stand for whoever is there."""
    profiles = {row["role"]: set(row["profiles"].split(",")) for row in table("roles.tsv")}
    known = set().union(*profiles.values()) | {"any", "default"}
    for row in table("playbooks.tsv"):
        words = set(re.findall(r"[a-z]+", row["profiles"])) - {"then", "and", "from", "s"}
        assert words
        assert words <= known, row["id"]


# --- terms and families ----------------------------------------------------------------------


def test_the_terms_are_sorted_and_defined_once() -> None:
    """Two meanings for one word would be none."""
    terms = [row["term"] for row in table("glossary.tsv")]
    assert terms == sorted(terms, key=str.lower)
    assert len({term.lower() for term in terms}) == len(terms)
    assert all(row["definition"].endswith(".") for row in table("glossary.tsv"))


def test_a_term_names_a_row_or_a_playbook_as_its_source() -> None:
    """So that the reader can go on from there."""
    for row in table("glossary.tsv"):
        if re.fullmatch(r"P\d+", row["source"]):
            assert int(row["source"][1:]) <= 15
        else:
            assert re.fullmatch(r"[A-Z]{2,3}-\d\d", row["source"]), row["term"]
            assert row["source"].split("-")[0] in FAMILIES


def test_every_family_says_what_it_cannot_see() -> None:
    """The footer of a run names these; one short phrase each."""
    rows = table("families.tsv")
    assert tuple(row["family"] for row in rows) == FAMILIES
    assert all(len(row["title"]) <= 40 and len(row["cannot_see"]) <= 80 for row in rows)
    assert not any(row["cannot_see"].endswith(".") for row in rows)


def test_every_family_of_the_matrix_has_a_title() -> None:
    """A row of a family without one would stand in no footer."""
    matrix = tables.read((MANIFEST / "enforcement.tsv").read_bytes(), COLUMNS, "enforcement.tsv")
    assert {record.cells[0].split("-")[0] for record in matrix} <= set(FAMILIES)


# --- skills ----------------------------------------------------------------------------------


def skill(name: str) -> tuple[dict[str, str], str]:
    """A skill's front matter, every value a text, and its whole text."""
    text = (PROJECT / "skills" / name / "SKILL.md").read_text()
    opening, front, _ = text.split("---\n", 2)
    assert opening == ""
    return YAML(typ="base", pure=True).load(front), text


def test_the_first_two_skills_ship_and_each_has_a_place() -> None:
    """A skill is a playbook of the table, or one of the helpers."""
    assert {"goblin-mode", "practice"} <= set(SKILLS)
    assert set(SKILLS) <= {row["playbook"] for row in table("playbooks.tsv")} | HELPERS


@pytest.mark.parametrize("name", SKILLS)
def test_a_skills_front_matter_is_what_a_platform_indexes(name: str) -> None:
    """Name and directory are equal; the description is one line under 200 characters."""
    front, text = skill(name)
    assert set(front) == {"name", "description"}
    assert front["name"] == name
    assert 40 < len(front["description"]) < 200
    assert "\n" not in front["description"]
    ids = {row["playbook"]: row["id"] for row in table("playbooks.tsv")}
    if name in ids:
        assert front["description"].startswith(ids[name])
    assert text.isascii()


@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_ends_with_how_it_is_verified_what_it_writes_and_what_it_cannot_see(name: str) -> None:
    """Three sections, in this order, each with a body (SK-04, AU-04)."""
    _, text = skill(name)
    titles = [heading.text for heading in headings(text) if heading.level == 2]
    assert titles[-3:] == ["Verification", "Write surface", "What this cannot see"]
    for title in titles:
        body = text.split(f"\n## {title}\n")[1].split("\n## ")[0]
        assert body.strip(), title
    assert len(text.splitlines()) < 80


@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_names_only_commands_that_its_reader_has(name: str) -> None:
    """Vendored commands by their path; a command of the package is said to be one."""
    from goblin.install.vendor import LAUNCHERS

    _, text = skill(name)
    assert set(re.findall(r"\.goblin/bin/([\w-]+)", text)) <= set(LAUNCHERS)
    for line in text.split("\n"):
        if line.strip().startswith("goblin-install "):
            assert "not vendored" in text
    assert not templates.placeholders(text)


def test_the_router_sends_each_request_to_a_playbook_of_the_table() -> None:
    """Its index and the table hold the same ids and names, in the same order."""
    _, text = skill("goblin-mode")
    index = re.findall(r"\| (P\d+) ([\w-]+) \|", text)
    assert index == [(row["id"], row["playbook"]) for row in table("playbooks.tsv")]


def test_the_standards_skill_names_the_way_to_pin_it_again() -> None:
    """A hash edited by hand is what the pin is there to show."""
    assert "goblin-install --target <dir> --re-pin" in skill("practice")[1]


# --- what none of it may hold ----------------------------------------------------------------


def data_files() -> list[str]:
    """Every table, preset, skill and template that speaks of work."""
    return sorted(
        os.path.join(parent, name)
        for folder in ("manifest", "skills", "templates")
        for parent, _, names in os.walk(PROJECT / folder)
        for name in names
        if not name.endswith(".pyc") and name != "models.tsv"  # the list of names that MD-01 looks for
    )


FAMILY_NAMES = [
    "deep" + "seek",
    "gp" + "t",
    "gro" + "k",
    "gem" + "ini",
    "gl" + "m",
    "ki" + "mi",
    "lla" + "ma",
]
FAMILY_NAMES += ["mis" + "tral", "qw" + "en", "op" + "us", "son" + "net", "hai" + "ku", "cla" + "ude"]
NAMED = re.compile(rf"\b(?:{'|'.join(FAMILY_NAMES)})[-_. ]?v?(?:\d|{'|'.join(FAMILY_NAMES)})", re.IGNORECASE)


def test_no_rule_names_a_model() -> None:
    """Roles are named; what they run on stands in a file outside every repository (MD-01)."""
    files = data_files()
    assert len(files) > 20
    for path in files:
        with open(path, encoding="utf-8") as stream:
            assert not NAMED.search(stream.read()), path


@pytest.mark.parametrize("slug", ["gp" + "t-4", "cla" + "ude-son" + "net", "GEM" + "INI 2"])
def test_a_model_name_would_be_found(slug: str) -> None:
    """The control of the search above."""
    assert NAMED.search(f"use {slug} here")
