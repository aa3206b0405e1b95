"""The adapters that ship, and what makes a table unusable."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.emit import Refused, adapters
from goblin.emit.adapters import Adapter, Reading
from goblin.facts.installed import PLATFORMS
from goblin.outcome import CannotRun
from tests.support import PROJECT

ROOT = str(PROJECT / "adapters")
SPEC = {
    "claude": (".claude/skills", "~/.claude/skills", "CLAUDE.md", "~/.claude claude"),
    "hermes": (".hermes/skills", "~/.hermes/skills", "-", "~/.hermes hermes"),
    "copilot": (
        ".github/skills",
        "~/.copilot/skills",
        ".github/copilot-instructions.md",
        "~/.copilot copilot",
    ),
    "cursor": (".cursor/skills", "~/.cursor/skills", "AGENTS.md", "~/.cursor cursor cursor-agent"),
    "opencode": (".opencode/skills", "~/.config/opencode/skills", "AGENTS.md", "~/.config/opencode opencode"),
    "codex": (".agents/skills", "~/.agents/skills", "AGENTS.md", "~/.codex codex"),
    "gemini": (".gemini/skills", "~/.gemini/skills", "GEMINI.md", "~/.gemini gemini"),
}
GOOD = {
    **dict.fromkeys(Adapter._fields, "yes"),
    "id": "mine",
    "display": "Mine",
    "detect_any": "~/.mine:/opt/mine:mine-agent",
    "skills_path_project": ".mine/skills/<name>/SKILL.md",
    "skills_path_global": "~/.mine/skills/<name>/SKILL.md",
    "context_path": "docs/MINE.md",
    "docs_url": "https://mine.example.com/docs",
    "docs_read": "2026-01-02",
}


def test_the_seven_platforms_are_as_specified() -> None:
    """Their paths, their anchors, and when their documentation was read."""
    assert adapters.names(ROOT) == sorted(SPEC)
    for name, (project, everywhere, context, anchors) in SPEC.items():
        adapter = adapters.load(ROOT, name)
        assert adapter.skills_path_project == f"{project}/<name>/SKILL.md"
        assert adapter.skills_path_global == f"{everywhere}/<name>/SKILL.md"
        assert (adapter.context_path, " ".join(adapter.anchors)) == (context, anchors)
        assert adapter.docs_read
    assert set(adapters.readings(ROOT)) == set(SPEC)


def test_the_installer_and_the_adapters_agree_on_the_folders() -> None:
    """`agents` of the installer is the folder that codex reads."""
    ours = {name: adapters.load(ROOT, name).skills_path_project for name in SPEC}
    ours["agents"] = ours.pop("codex")
    assert {name: f"{folder}/<name>/SKILL.md" for name, folder in PLATFORMS.items()} == ours


def written(root: Path, cells: dict[str, str], name: str = "mine", more: str = "") -> str:
    """A folder of adapters that holds one table; returns it."""
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["# a comment", "\t".join(Adapter._fields), "\t".join(cells.values())]
    (folder / "adapter.tsv").write_text("\n".join(lines) + "\n" + more)
    return str(root)


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({"docs_read": ""}, "empty: docs_read"),
        ({"docs_read": "2999-01-01"}, "docs_read is '2999-01-01'"),
        ({"docs_read": "yesterday"}, "docs_read is 'yesterday'"),
        ({"docs_url": "http://mine.example.com"}, "docs_url is no https address"),
        ({"id": "other"}, "the id is 'other'; its folder is 'mine'"),
        ({"cap_skills": "full"}, "cap_skills is 'full'; it is one of: yes partial no"),
        ({"cap_context_injection": "maybe"}, "one of: yes full partial no"),
        ({"cap_marketplace": "partial"}, "one of: yes no"),
        ({"skills_path_project": "/etc/<name>/SKILL.md"}, "skills_path_project is no relative path"),
        ({"skills_path_project": "../x/<name>/SKILL.md"}, "skills_path_project is no relative path"),
        ({"skills_path_project": ".mine/skills/SKILL.md"}, "skills_path_project is no relative path"),
        ({"skills_path_global": ".mine/<name>/SKILL.md"}, "skills_path_global does not begin with ~/"),
        ({"skills_path_global": "~/../<name>/SKILL.md"}, "skills_path_global is no relative path"),
        ({"context_path": "../AGENTS.md"}, "context_path is neither"),
        ({"detect_any": "~/.mine:rm -rf x"}, "detect_any holds something"),
    ],
)  # fmt: skip
def test_a_wrong_cell_is_named_with_its_line(tmp_path: Path, cells: dict[str, str], told: str) -> None:
    """And refused, before anything is written by it."""
    root = written(tmp_path, {**GOOD, **cells})
    with pytest.raises(Refused) as caught:
        adapters.load(root, "mine")
    assert "adapters/mine/adapter.tsv:3: " in caught.value.message
    assert told in caught.value.message


def test_a_table_holds_exactly_one_row_below_its_header(tmp_path: Path) -> None:
    """Two, none, another header and no file are malformed."""
    adapter = adapters.load(written(tmp_path, GOOD), "mine")
    assert adapter.docs_url == GOOD["docs_url"]
    row = "\t".join(GOOD.values()) + "\n"
    tables = {
        "2 rows": ("", row),
        "the header must be": ("x\ty\n", ""),
        "no header": (None, ""),
    }
    for told, (head, more) in tables.items():
        written(tmp_path, GOOD, more=more)
        path = tmp_path / "mine" / "adapter.tsv"
        path.write_text((head or "# nothing\n") if head != "" else path.read_text())
        with pytest.raises(Refused, match=told):
            adapters.load(str(tmp_path), "mine")
    path.unlink()
    with pytest.raises(Refused, match="malformed adapter table"):
        adapters.load(str(tmp_path), "mine")


def test_a_template_does_not_pass_for_a_platform(tmp_path: Path) -> None:
    """The one that ships, and a copy that nobody has filled: exit 2."""
    with pytest.raises(CannotRun, match="template that nobody has filled"):
        adapters.load(ROOT, "_template")
    root = written(tmp_path, {**GOOD, "display": "{{DISPLAY}}"})
    with pytest.raises(CannotRun, match="template that nobody has filled"):
        adapters.load(root, "mine")


@pytest.mark.parametrize("name", ["nothing", "../adapters/claude", "claude/adapter.tsv", "", "/etc"])
def test_an_unknown_platform_is_told_the_known_ones(name: str) -> None:
    """Whatever its name looks like."""
    with pytest.raises(CannotRun) as caught:
        adapters.load(ROOT, name)
    assert "claude, codex, copilot, cursor, gemini, hermes, opencode" in caught.value.remedy


def test_any_one_anchor_tells_that_a_platform_is_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder below home, a path, or a command; a file in the folder's place is none."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    root = written(tmp_path / "a", {**GOOD, "detect_any": f"~/.mine:{tmp_path}/opt:mine-agent"})
    adapter = adapters.load(root, "mine")
    assert adapters.detect(adapter) == ""
    (tmp_path / ".mine").write_text("a file")
    assert adapters.detect(adapter) == ""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mine-agent").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "mine-agent").chmod(0o755)
    assert adapters.detect(adapter) == "mine-agent"
    (tmp_path / "opt").mkdir()
    assert adapters.detect(adapter) == f"{tmp_path}/opt"
    (tmp_path / ".mine").unlink()
    (tmp_path / ".mine").mkdir()
    assert adapters.detect(adapter) == "~/.mine"


def test_how_platforms_read_is_a_table_too(tmp_path: Path) -> None:
    """An absent one says nothing; a wrong value is malformed."""
    assert adapters.readings(str(tmp_path)) == {}
    head = "platform\twins\talso_reads\n"
    (tmp_path / "reading.tsv").write_text(f"# c\n{head}mine\tglobal\t.a/skills,.b/skills\n")
    assert adapters.readings(str(tmp_path)) == {"mine": Reading("global", (".a/skills", ".b/skills"))}
    for row in ("mine\tnobody\t-", "mine\tproject\t../x", "mine\tproject"):
        (tmp_path / "reading.tsv").write_text(f"{head}{row}\n")
        with pytest.raises(Refused, match=r"adapters/reading.tsv:2"):
            adapters.readings(str(tmp_path))
