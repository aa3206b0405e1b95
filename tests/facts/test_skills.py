"""Skills as an agent finds them: which files count, and what their front matter says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin import counting
from goblin.facts.installed import PLATFORMS
from goblin.facts.record import Options
from goblin.facts.skills import Fault, Field, Skill, Skills
from goblin.outcome import CheckFailed
from tests.support.mini import facts_of
from tests.support.records import governed
from tests.support.repo import Files


def skill(text: str | bytes) -> Skill:
    """A skill called `a` of this text."""
    return Skill(".hermes/skills/a/SKILL.md", text.encode() if isinstance(text, str) else text)


def found(root: Path, files: Files, platforms: tuple[str, ...] = ("hermes",)) -> Skills:
    """The fact, for a repository of these files."""
    repo = governed(root, {"a": ""}, files, options=Options(platforms, False))
    skills = facts_of(repo).get("skills")
    assert isinstance(skills, Skills)
    return skills


def test_the_platforms_folders_are_those_that_counting_leaves_out() -> None:
    """Two lists of one truth (decided 46)."""
    assert set(PLATFORMS.values()) == set(counting.SKILLS_DIRECTORIES)


def test_every_recorded_folder_is_looked_at_and_no_other(tmp_path: Path) -> None:
    """One level down; a folder without a SKILL.md is no skill."""
    files = {
        ".hermes/skills/b/SKILL.md": "",
        ".hermes/skills/a/SKILL.md": "",
        ".hermes/skills/notes/README.md": "",
        ".hermes/skills/SKILL.md": "",
        ".hermes/skills/deep/er/SKILL.md": "",
        ".claude/skills/c/SKILL.md": "",
        ".cursor/skills/d/SKILL.md": "",
    }
    skills = found(tmp_path, files, ("hermes", "claude"))
    assert [one.path for one in skills.all] == [
        ".hermes/skills/a/SKILL.md",
        ".hermes/skills/b/SKILL.md",
        ".claude/skills/c/SKILL.md",
    ]
    assert skills.folders == (".hermes/skills", ".claude/skills")


def test_what_cannot_be_read_is_a_skill_with_a_problem(tmp_path: Path) -> None:
    """A folder, a link, a file that is not UTF-8 and one that is far too large; each with its reason."""
    files: Files = {
        ".hermes/skills/a/SKILL.md/x": "",
        ".hermes/skills/b/SKILL.md@": "../c/SKILL.md",
        ".hermes/skills/c/SKILL.md": b"---\n\xff",
        ".hermes/skills/d/SKILL.md": "x" * (1 << 20) + "x",
    }
    problems = [one.problem for one in found(tmp_path, files).all]
    assert problems[0] == "not a regular file"
    assert problems[1] == "a symbolic link, not a file"
    assert problems[2] == "byte 5 is not UTF-8"
    assert "1048577 bytes" in problems[3]


def test_a_skill_behind_a_link_that_leaves_the_repository_is_not_read(tmp_path: Path) -> None:
    """It is named, and its content stays outside."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/SKILL.md").write_text("---\nname: x\n")
    only = found(tmp_path / "r", {".hermes/skills/x@": str(tmp_path / "out")}).all
    assert [(one.name, bool(one.problem), one.text) for one in only] == [("x", True, "")]


def test_an_unknown_platform_in_the_record_is_no_empty_list(tmp_path: Path) -> None:
    """Nothing would be looked at, and that would read as fine."""
    with pytest.raises(CheckFailed, match="names the platform vim"):
        found(tmp_path, {}, ("vim",))


def test_fields_carry_their_text_and_place() -> None:
    """Quoted, folded and plain; a value that is no text has none."""
    one = skill('---\nname: "a"\ndescription: >-\n  two\n  lines\nmore: [x]\nnone: ~\n---\n')
    assert one.fields == {
        "name": Field(2, 1, "a"),
        "description": Field(3, 1, "two lines"),
        "more": Field(6, 1, None),
        "none": Field(7, 1, ""),
    }


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("# A\n", (1, "not exactly ---")),
        ("", (1, "not exactly ---")),
        ("--- \nname: a\n---\n", (1, "not exactly ---")),
        ("---\nname: a\n", (1, "not closed")),
        ("---\n- a\n---\n", (2, "no mapping")),
        ("---\n---\n", (2, "no mapping")),
        ("---\nname: a\nname: b\n---\n", (3, "name")),
        ("---\nok: a\nname: [a\n---\n", (3, "bracket")),
    ],
)
def test_front_matter_that_is_none_says_where(text: str, fault: tuple[int, str]) -> None:
    """With the line in the file, not in the block."""
    fields = skill(text).fields
    assert isinstance(fields, Fault)
    assert fields.line == fault[0]
    assert fault[1] in fields.message


def test_a_byte_order_mark_and_crlf_change_nothing_but_are_named() -> None:
    """Same fields as without."""
    text = "---\nname: a\ndescription: b c\n---\n# A\n\n## What this cannot see\n\n- x\n"
    odd = skill(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert odd.fields == skill(text).fields == {"name": Field(2, 1, "a"), "description": Field(3, 1, "b c")}
    assert odd.blind_spots() == skill(text).blind_spots() == [(7, True)]
    assert odd.oddities == ["starts with a byte-order mark", "has CRLF line ends"]
    assert skill(text).oddities == []


KEY = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,4}", fullmatch=True)
ODD = st.text(st.sampled_from("aZ09 :#'\"-[]{}&*!|>%@`,?~.\\\t\u00e9\u2028\x85"), max_size=8)
VALUE = ODD | ODD.map(lambda text: f"'{text}'") | ODD.map(lambda text: f'"{text}"') | st.just("null")


@given(st.lists(st.tuples(KEY, VALUE), min_size=1, max_size=4))
def test_the_short_way_reads_what_the_parser_reads(lines: list[tuple[str, str]]) -> None:
    """Front matter of plain lines needs no YAML parser, and the same fields come out."""
    from goblin import yaml
    from goblin.facts.skills import _plain_fields

    text = "\n".join(f"{key}: {value}" for key, value in lines)
    short = _plain_fields(text)
    if short is not None:
        root = yaml.load(b"\n" + text.encode(), "SKILL.md")
        assert isinstance(root, yaml.Map)
        long = {
            key: Field(*root.marks[key], "" if yaml.is_unset(node) else str(node))
            for key, node in root.items()
        }
        assert short == long


def test_ordinary_front_matter_goes_the_short_way() -> None:
    """Or nothing would be gained by it."""
    from goblin.facts.skills import _plain_fields

    assert _plain_fields("name: goblin-mode\ndescription: Load first, before any task (even a small one).")
    assert _plain_fields("name: \"a\"\ndescription: 'It''s this: \\\\ that' ") == {
        "name": Field(2, 1, "a"),
        "description": Field(3, 1, "It's this: \\\\ that"),
    }


@pytest.mark.parametrize(
    ("body", "spots"),
    [
        ("## What this cannot see\n- x\n", [(5, True)]),
        ("## What this cannot see, and why\nwords\n", [(5, True)]),
        ("## What this cannot see\n\n```\ncode counts\n```\n", [(5, True)]),
        ("## What this cannot see\n\n### More\n\n- x\n", [(5, True)]),
        ("## What this cannot see\n", [(5, False)]),
        ("## What this cannot see\n\n---\n\n## Next\n- x\n", [(5, False)]),
        ("## What this cannot see\n<!-- write me -->\n", [(5, False)]),
        ("## What this cannot see\n### More\n\u200b\n", [(5, False)]),
        ("## What this cannot see\n## What this cannot see\nx\n", [(5, False), (6, True)]),
        ("### What this cannot see\n- x\n", []),
        ("## what this cannot see\n- x\n", []),
        ("```\n## What this cannot see\n- x\n```\n", []),
        ("<!--\n## What this cannot see\n- x\n-->\n", []),
        (" ## What this cannot see\n- x\n", []),
    ],
)
def test_the_section_on_what_a_skill_cannot_see(body: str, spots: list[tuple[int, bool]]) -> None:
    """A level-2 heading that a reader sees, and whether a word stands below it."""
    assert skill(f"---\nname: a\nx: y\n---\n{body}").blind_spots() == spots


def test_a_yaml_comment_is_no_heading() -> None:
    """Front matter is not the body."""
    assert skill("---\n## What this cannot see\nname: a\n---\n- x\n").blind_spots() == []
