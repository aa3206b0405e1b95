"""goblin-emit: what it writes, what it refuses, and that an undo leaves every byte as it was."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from goblin import __version__
from goblin.commands import emit, install
from goblin.emit import plan, source
from goblin.emit.adapters import load
from goblin.emit.places import in_project
from goblin.install.disk import Disk
from tests.emit.driving import Machine, snapshot
from tests.support import ENVIRONMENT, PROJECT, Repo, hermetic

PLATFORMS = ("claude", "codex", "copilot", "cursor", "gemini", "hermes", "opencode")
SOURCE = source.load()
CORE = [skill.name for skill in SOURCE.chosen("core")]
AGENTS = "# Mine\n\nTwo lines.\n"


def skill_file(platform: str, name: str = "goblin-mode") -> str:
    """Where a project has a skill."""
    return load(SOURCE.adapters, platform).skills_path_project.replace("<name>", name)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_emission_and_its_undo(machine: Machine, platform: str) -> None:
    """Byte copies, one block, one row a file; a second run changes nothing; an undo leaves no trace."""
    context = load(SOURCE.adapters, platform).context_path
    (machine.project / "keep.txt").write_text("mine\n")
    (machine.project / ".github").mkdir()
    before = snapshot(machine.project)
    done = machine.emit(platform)
    assert done.code == 0, done.err
    for name in CORE:
        path = machine.project / skill_file(platform, name)
        assert path.read_bytes() == SOURCE.skills[name].data
        assert f"wrote {skill_file(platform, name)}\n" in done.out
    if context != "-":
        assert (machine.project / context).read_bytes() == source.block()
        assert f"created {context}\n" in done.out
    rows = machine.rows()
    assert len(rows) == len(CORE) + (context != "-")
    assert {(row.platform, row.scope, row.before, row.version) for row in rows} == {
        (platform, "project", "-", __version__)
    }
    written = snapshot(machine.project)
    again = machine.emit(platform)
    assert again.out.count("unchanged ") == len(rows)
    assert (snapshot(machine.project), machine.rows()) == (written, rows)
    undone = machine.emit(platform, "--undo")
    assert undone.code == 0, undone.err
    assert (snapshot(machine.project), machine.rows()) == (before, [])
    assert machine.emit(platform, "--uninstall").out.startswith(f"nothing is recorded for {platform} ")


@pytest.mark.parametrize(
    "text", [AGENTS.encode(), b"no final line end", b"# CRLF\r\n\r\nb\r\n", b"", b"\xff\xfe\0", b"\n\n"]
)
def test_a_context_file_of_the_project_keeps_every_byte(machine: Machine, text: bytes) -> None:
    """The block stands behind it; the undo gives the very bytes and mode back."""
    path = machine.project / "CLAUDE.md"
    path.write_bytes(text)
    path.chmod(0o640)
    before = snapshot(machine.project)
    assert "updated CLAUDE.md\n" in machine.emit("claude", "--skills", "none").out
    assert path.read_bytes() == text + source.separator(text) + (
        source.block().replace(b"\n", b"\r\n") if b"\r\n" in text else source.block()
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert machine.emit("claude", "--undo").out == "restored CLAUDE.md\n"
    assert snapshot(machine.project) == before


def test_which_skills_are_emitted(machine: Machine) -> None:
    """The six of the core, all, or none; the standing cost is that of their name and description lines."""
    assert len(CORE) == 6
    done = machine.emit("hermes")
    lines = [
        line
        for name in CORE
        for line in SOURCE.skills[name].data.split(b"\n")[:4]
        if line.startswith((b"name:", b"description:"))
    ]
    assert f"standing prompt cost: {sum(len(line) + 1 for line in lines)} byte(s)" in done.out
    assert machine.emit("hermes", "--skills", "none").out.startswith("standing prompt cost: 0 byte(s)")
    found = json.loads(machine.emit("hermes", "--skills", "all", "--json").out)
    assert (found["schema_version"], found["exit"], len(found["paths"])) == (1, 0, len(SOURCE.skills))
    assert [item["did"] for item in found["paths"]].count("wrote") == len(SOURCE.skills) - 6


def test_a_dry_run_writes_nothing_at_all(machine: Machine) -> None:
    """Neither in the project nor in the home, for an emission, an undo and an unshadowing."""
    home, project = snapshot(machine.home), snapshot(machine.project)
    done = machine.emit("hermes", "--dry-run")
    assert done.out.count("would be: wrote ") == 6
    assert (snapshot(machine.home), snapshot(machine.project)) == (home, project)
    machine.emit("hermes")
    home, project = snapshot(machine.home), snapshot(machine.project)
    assert machine.emit("hermes", "--undo", "--dry-run").out.count("would be: removed ") == 6
    assert machine.emit("hermes", "--unshadow", "--dry-run").out.count("would be: removed ") == 6
    assert (snapshot(machine.home), snapshot(machine.project)) == (home, project)


def test_old_bytes_are_kept_for_their_owner_alone(machine: Machine) -> None:
    """And gone with the row that needed them."""
    (machine.project / "AGENTS.md").write_text(AGENTS)
    machine.emit("codex", "--skills", "none")
    (kept,) = machine.preimages()
    assert kept.read_text() == AGENTS
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert kept.parent.name == machine.rows()[0].before
    machine.emit("codex", "--undo")
    assert machine.preimages() == []
    assert not kept.parent.exists()


def test_equal_old_bytes_of_two_files_are_kept_twice(machine: Machine) -> None:
    """The undo of one does not take them from the other."""
    for name in ("AGENTS.md", "CLAUDE.md"):
        (machine.project / name).write_text(AGENTS)
    machine.emit("codex", "--skills", "none")
    machine.emit("claude", "--skills", "none")
    assert machine.emit("codex", "--undo").code == 0
    assert machine.emit("claude", "--undo").code == 0
    for name in ("AGENTS.md", "CLAUDE.md"):
        assert (machine.project / name).read_text() == AGENTS


# --- what is refused -------------------------------------------------------------------------------


def test_bad_usage_is_exit_2(machine: Machine) -> None:
    """Nothing is written."""
    for words in (
        ("--scope", "project"),
        ("--platform", "claude"),
        ("--platform", "claude", "--scope", "here"),
        ("--platform", "claude", "--scope", "project", "--skills", "some"),
        ("--platform", "claude", "--scope", "project", "--target", "nowhere"),
        ("--platform", "claude", "--scope", "project", "--source", "nowhere"),
        ("--platform", "claude", "--scope", "project", "--unshadow"),
        ("--platform", "hermes", "--scope", "global", "--unshadow"),
        ("--platform", "hermes", "--scope", "project", "--unshadow", "--undo"),
        ("--platform", "_template", "--scope", "project", "--target", "."),
        ("--platform", "emacs", "--scope", "project"),
        ("--platform", "emacs", "--scope", "project", "--undo"),
    ):
        done = machine.run(emit.main, *words)
        assert (done.code, done.out) == (2, ""), words
    assert snapshot(machine.project) == {}
    assert not (machine.home / ".goblin-stack").exists()


def test_a_platform_that_is_not_here_needs_a_named_project(machine: Machine) -> None:
    """R2: refused by itself, in the global scope and with --strict; a named target is taken."""
    for words, scope, named in (
        ((), "project", False),
        ((), "global", False),
        (("--strict",), "project", True),
    ):
        done = machine.emit("claude", *words, scope=scope, named=named)
        assert (done.code, done.out) == (1, "")
        assert "Claude Code is not detected here (looked for ~/.claude, claude)" in done.err
    assert machine.emit("claude").code == 0
    machine.emit("claude", "--undo")
    (machine.home / ".claude").mkdir()
    done = machine.emit("claude", "--strict", named=False)
    assert (done.code, done.err) == (0, "")


def test_a_malformed_table_refuses_an_emission_and_no_undo(machine: Machine, tmp_path: Path) -> None:
    """R3: what was written can still be taken back."""
    machine.emit("claude")
    copy = tmp_path / "source"
    shutil.copytree(PROJECT / "skills", copy / "skills")
    shutil.copytree(PROJECT / "adapters", copy / "adapters")
    table = copy / "adapters" / "claude" / "adapter.tsv"
    table.write_text(table.read_text().replace("\tyes\tyes\tyes", "\tyes\tyes\tmaybe"))
    done = machine.emit("claude", "--source", str(copy))
    assert done.code == 1
    assert "malformed adapter table: adapters/claude/adapter.tsv:3: cap_command_blocking" in done.err
    assert machine.emit("claude", "--undo", "--source", str(copy)).code == 0
    assert snapshot(machine.project) == {}


def test_a_file_of_others_is_never_overwritten(machine: Machine) -> None:
    """R4: all of them are named and nothing is written; an edit of what was emitted is theirs too."""
    for name in ("goblin-mode", "practice"):
        path = machine.project / skill_file("claude", name)
        path.parent.mkdir(parents=True)
        path.write_text("my own\n")
    before = snapshot(machine.project)
    done = machine.emit("claude")
    assert done.code == 1
    assert f"{skill_file('claude')}, {skill_file('claude', 'practice')}" in done.err
    assert (snapshot(machine.project), machine.rows()) == (before, [])
    shutil.rmtree(machine.project / ".claude")
    machine.emit("claude")
    (machine.project / skill_file("claude")).write_text("edited\n")
    assert machine.emit("claude").code == 1


def test_an_equal_file_that_was_there_is_left_alone(machine: Machine) -> None:
    """It is not ours: no row, and the undo leaves it."""
    path = machine.project / skill_file("claude")
    path.parent.mkdir(parents=True)
    path.write_bytes(SOURCE.skills["goblin-mode"].data)
    assert f"unchanged {skill_file('claude')}\n" in machine.emit("claude").out
    machine.emit("claude", "--undo")
    assert list(snapshot(machine.project)) == [
        ".claude",
        ".claude/skills",
        ".claude/skills/goblin-mode",
        ".claude/skills/goblin-mode/SKILL.md",
    ]


def test_an_edited_file_is_not_taken_back(machine: Machine) -> None:
    """R6: nothing is removed until the edit is out of the way."""
    machine.emit("claude")
    path = machine.project / skill_file("claude")
    path.write_text("edited\n")
    (machine.project / "CLAUDE.md").write_bytes(source.block() + b"and mine\n")
    before = snapshot(machine.project), machine.rows()
    done = machine.emit("claude", "--undo")
    assert done.code == 1
    assert f"CLAUDE.md (the block: lines 1 to 9); {skill_file('claude')}\n" in done.err
    assert (snapshot(machine.project), machine.rows()) == before
    path.unlink()
    (machine.project / "CLAUDE.md").write_bytes(b"and mine\n")
    done = machine.emit("claude", "--undo")
    assert done.code == 0
    assert "kept CLAUDE.md: the block is gone already\n" in done.out
    assert f"removed {skill_file('claude')}\n" not in done.out
    assert list(snapshot(machine.project)) == ["CLAUDE.md"]
    assert machine.rows() == []


@pytest.mark.parametrize("where", ["project", "folder", "file", "context"])
def test_no_link_is_followed(machine: Machine, tmp_path: Path, where: str) -> None:
    """A link in the way is named, and what it points to is not touched."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "SKILL.md").write_text("theirs\n")
    links = {
        "project": (".claude", outside),
        "folder": (os.path.dirname(skill_file("claude")), outside),
        "file": (skill_file("claude"), outside / "SKILL.md"),
        "context": ("CLAUDE.md", outside / "SKILL.md"),
    }
    name, to = links[where]
    (machine.project / name).parent.mkdir(parents=True, exist_ok=True)
    (machine.project / name).symlink_to(to)
    before = snapshot(machine.project), snapshot(outside)
    done = machine.emit("claude")
    assert done.code == 1
    assert "is a symbolic link" in done.err
    assert (snapshot(machine.project), snapshot(outside)) == before


def test_a_context_file_that_is_a_link_within_the_project_leads_to_its_file(machine: Machine) -> None:
    """Many projects link CLAUDE.md to AGENTS.md: one block there, and both platforms own it."""
    (machine.project / "AGENTS.md").write_text(AGENTS)
    (machine.project / "CLAUDE.md").symlink_to("AGENTS.md")
    before = snapshot(machine.project)
    assert "updated AGENTS.md\n" in machine.emit("claude", "--skills", "none").out
    assert "unchanged AGENTS.md\n" in machine.emit("codex", "--skills", "none").out
    assert machine.doctor("--platform", "claude").out.count("DRIFT") == 0
    assert "kept AGENTS.md: codex needs it too\n" in machine.emit("claude", "--undo").out
    assert machine.emit("codex", "--undo").out == "restored AGENTS.md\n"
    assert (snapshot(machine.project), machine.rows()) == (before, [])


@pytest.mark.parametrize("to", ["nowhere.md", ".git/HEAD", "../outside/SKILL.md", "."])
def test_a_context_file_that_leads_elsewhere_is_refused(machine: Machine, to: str) -> None:
    """To nothing, into a git directory, out of the project, to a folder."""
    for folder, name in (
        (machine.project / ".git", "HEAD"),
        (machine.project.parent / "outside", "SKILL.md"),
    ):
        folder.mkdir()
        (folder / name).write_text("theirs\n")
    (machine.project / "CLAUDE.md").symlink_to(to)
    before = snapshot(machine.project.parent)
    done = machine.emit("claude", "--skills", "none")
    assert done.code == 1
    after = {
        path: entry
        for path, entry in snapshot(machine.project.parent).items()
        if "/.goblin-stack" not in path
    }
    assert after == before


def test_what_is_no_plain_file_is_refused(machine: Machine) -> None:
    """A pipe would hang whoever opens it."""
    os.mkfifo(machine.project / "CLAUDE.md")
    done = machine.emit("claude")
    assert done.code == 1
    assert "CLAUDE.md is no regular file" in done.err


# --- failures and kills ----------------------------------------------------------------------------


def test_a_write_that_fails_leaves_everything_as_before(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R5: at whichever file, of an emission and of an undo."""
    (machine.project / "CLAUDE.md").write_text(AGENTS)
    real: dict[str, Callable[..., None]] = {"replace": Disk.replace, "unlink": Disk.unlink}
    left = 0

    def failing(name: str) -> Callable[..., None]:
        def call(self: Disk, *words: str) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                raise OSError(28, "No space left on device", words[0])
            real[name](self, *words)

        return call

    for name in real:
        monkeypatch.setattr(Disk, name, failing(name))
    for words, writes in (((), 7), (("--undo",), 7)):
        before, rows = snapshot(machine.project), machine.rows()
        for count in range(1, writes + 1):
            left = count
            done = machine.emit("claude", *words)
            assert done.code == 1, count
            assert "No space left on device; nothing was changed" in done.err
            assert (snapshot(machine.project), machine.rows()) == (before, rows)
        left = 0
        assert machine.emit("claude", *words).code == 0
    assert list(snapshot(machine.project)) == ["CLAUDE.md"]
    assert machine.preimages() == []


KILLED = """
import os, sys
from goblin.commands import emit, install
from goblin.install.disk import Disk
left, words = int(sys.argv[1]), sys.argv[2:]
for name in ("replace", "unlink"):
    def call(self, *given, real=getattr(Disk, name)):
        global left
        left -= 1
        if left == 0:
            os._exit(9)
        real(self, *given)
    setattr(Disk, name, call)
sys.exit(emit.main(words))
"""


@pytest.mark.parametrize("words", [(), ("--undo",)], ids=["emission", "undo"])
def test_a_kill_in_the_middle_is_finished_by_the_next_run(machine: Machine, words: tuple[str, ...]) -> None:
    """Rows stand before files: the next emission goes on, and the next undo takes all of it back."""
    (machine.project / "CLAUDE.md").write_text(AGENTS)
    before = snapshot(machine.project)
    if words:
        machine.emit("claude")
    arguments = ["--platform", "claude", "--scope", "project", "--target", str(machine.project), *words]
    env = hermetic(HOME=str(machine.home), PYTHONPATH=str(PROJECT / "src"))
    done = subprocess.run([sys.executable, "-c", KILLED, "4", *arguments], env=env, check=False)
    assert done.returncode == 9
    assert snapshot(machine.project) != before
    if not words:
        assert machine.emit("claude").code == 0
    assert machine.emit("claude", "--undo").code == 0
    assert snapshot(machine.project) == before
    assert machine.rows() == []


def test_one_process_holds_the_ledger(machine: Machine) -> None:
    """Another one is told so."""
    folder = machine.home / ".goblin-stack"
    folder.mkdir()
    held = os.open(folder, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    done = machine.emit("claude")
    os.close(held)
    assert done.code == 1
    assert "another goblin-emit holds the ledger" in done.err
    assert snapshot(machine.project) == {}
    assert machine.emit("claude").code == 0


@pytest.mark.parametrize("text", ["what is this\n", "platform\tscope\n", "\xff\n"])
def test_a_ledger_that_cannot_be_read_changes_nothing(machine: Machine, text: str) -> None:
    """It says what may be taken back, so nothing is guessed."""
    folder = machine.home / ".goblin-stack"
    folder.mkdir()
    (folder / "emissions.tsv").write_text(text, encoding="latin-1")
    for words in ((), ("--undo",)):
        done = machine.emit("claude", *words)
        assert done.code == 1
        assert "emissions.tsv:1" in done.err
    assert snapshot(machine.project) == {}


def test_old_bytes_that_are_lost_stop_an_undo(machine: Machine) -> None:
    """Before anything is removed."""
    (machine.project / "CLAUDE.md").write_text(AGENTS)
    machine.emit("claude")
    (kept,) = machine.preimages()
    before = snapshot(machine.project)
    kept.write_text("forged\n")
    assert "were changed" in machine.emit("claude", "--undo").err
    kept.unlink()
    done = machine.emit("claude", "--undo")
    assert (done.code, snapshot(machine.project)) == (1, before)
    assert "are lost" in done.err


def test_ledger_and_old_bytes_may_live_elsewhere(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By two variables; the home stays empty."""
    monkeypatch.setenv("GOBLIN_EMISSIONS", str(tmp_path / "l" / "rows.tsv"))
    monkeypatch.setenv("GOBLIN_PREIMAGES", str(tmp_path / "p"))
    (machine.project / "CLAUDE.md").write_text(AGENTS)
    assert machine.emit("claude").code == 0
    assert (tmp_path / "l" / "rows.tsv").exists()
    assert len([path for path in (tmp_path / "p").rglob("*") if path.is_file()]) == 1
    assert snapshot(machine.home) == {}


# --- sharing, releases, the home -------------------------------------------------------------------


@pytest.mark.parametrize("order", [("cursor", "codex", "opencode"), ("opencode", "cursor", "codex")])
@pytest.mark.parametrize("text", ["", AGENTS])
def test_a_shared_file_loses_its_block_with_its_last_owner(
    machine: Machine, order: tuple[str, ...], text: str
) -> None:
    """Whichever goes first; the last one leaves what was there before the first came."""
    if text:
        (machine.project / "AGENTS.md").write_text(text)
    before = snapshot(machine.project)
    for platform in ("cursor", "opencode", "codex"):
        machine.emit(platform)
    assert (machine.project / "AGENTS.md").read_bytes().count(b"goblin-stack:begin") == 1
    for platform in order[:2]:
        assert "kept AGENTS.md: " in machine.emit(platform, "--undo").out
        assert (machine.project / "AGENTS.md").read_bytes().endswith(source.block())
    assert machine.emit(order[2], "--undo").code == 0
    assert (snapshot(machine.project), machine.rows()) == (before, [])


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The next release: another version, and one skill with other bytes; returns its folder."""
    text = source.block("9.9.9")
    monkeypatch.setattr(source, "block", lambda version="9.9.9": text)
    shutil.copytree(PROJECT / "skills", tmp_path / "newer" / "skills")
    with (tmp_path / "newer" / skill("goblin-mode")).open("a") as file:
        file.write("\nMore.\n")
    return str(tmp_path / "newer")


def skill(name: str) -> str:
    """Where a source has a skill."""
    return f"skills/{name}/SKILL.md"


def test_a_new_release_is_emitted_over_the_old_and_both_are_taken_back(
    machine: Machine, request: pytest.FixtureRequest
) -> None:
    """Only the latest row of a path is compared, so that a re-emission does not lock the undo."""
    (machine.project / "CLAUDE.md").write_text(AGENTS)
    before = snapshot(machine.project)
    machine.emit("claude")
    folder = request.getfixturevalue("newer")
    done = machine.emit("claude", "--source", folder)
    assert f"wrote {skill_file('claude')}\n" in done.out
    assert "updated CLAUDE.md\n" in done.out
    assert done.out.count("unchanged ") == 5
    assert len(machine.rows()) == 9
    assert machine.emit("claude", "--undo").code == 0
    assert (snapshot(machine.project), machine.rows(), machine.preimages()) == (before, [], [])


@pytest.mark.parametrize("text", [None, AGENTS])
def test_edits_around_the_block_between_two_emissions_are_kept(
    machine: Machine, request: pytest.FixtureRequest, text: str | None
) -> None:
    """The undo takes the block out, and the blank line that came with it, and nothing else."""
    path = machine.project / "CLAUDE.md"
    if text is not None:
        path.write_text(text)
    machine.emit("claude", "--skills", "none")
    path.write_bytes(b"Above.\n" + path.read_bytes() + b"Below.\n")
    request.getfixturevalue("newer")
    machine.emit("claude", "--skills", "none")
    assert b"v9.9.9 " in path.read_bytes()
    assert machine.emit("claude", "--undo").code == 0
    assert path.read_text() == f"Above.\n{text or ''}Below.\n"


def test_the_block_of_another_machine_is_given_back(machine: Machine) -> None:
    """A repository brings the block of an older release; the undo restores that one."""
    path = machine.project / "CLAUDE.md"
    path.write_bytes(b"Mine.\n\n" + source.block("0.0.1"))
    before = snapshot(machine.project)
    machine.emit("claude")
    assert b"v0.0.1 " not in path.read_bytes()
    machine.emit("claude", "--undo")
    assert snapshot(machine.project) == before


def test_the_global_scope_is_the_home(machine: Machine, tmp_path: Path) -> None:
    """Skills alone; another target is refused; a platform folder that its owner linked is followed."""
    real = tmp_path / "dotfiles"
    real.mkdir()
    (machine.home / ".claude").symlink_to(real)
    assert machine.emit("claude", "--target", str(tmp_path), scope="global").code == 1
    done = machine.emit("claude", "--target", str(machine.home), scope="global")
    assert done.code == 0, done.err
    assert "wrote ~/.claude/skills/goblin-mode/SKILL.md\n" in done.out
    assert "no context file" in done.out
    assert (real / skill("goblin-mode")).read_bytes() == SOURCE.skills["goblin-mode"].data
    assert snapshot(machine.project) == {}
    assert machine.emit("claude", scope="global").out.count("unchanged ") == 6
    assert machine.emit("claude", "--undo", scope="global").code == 0
    assert snapshot(real) == {}
    assert (machine.home / ".claude").is_symlink()


def test_the_undo_of_one_project_leaves_another(machine: Machine, tmp_path: Path) -> None:
    """One ledger, many projects."""
    other = tmp_path / "project-2"
    other.mkdir()
    machine.emit("claude")
    assert machine.emit("claude", "--target", str(other), named=False).code == 0
    assert machine.emit("claude", "--undo").code == 0
    assert snapshot(machine.project) == {}
    assert len(machine.rows()) == 7
    assert machine.emit("claude", "--undo", "--target", str(other), named=False).code == 0
    assert snapshot(other) == {}


def test_an_uninstall_of_the_harness_takes_emissions_back(
    machine: Machine, sample: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the ledger, in that project alone; what was edited stays and is said."""
    monkeypatch.setenv("PATH", ENVIRONMENT["PATH"])  # the installer needs git
    machine.emit("gemini")
    target = ("--target", str(sample.root))
    for platform in ("claude", "gemini"):
        machine.emit(platform, *target, named=False)
    sample.write({"GEMINI.md": "edited\n" + sample.read("GEMINI.md")})
    away = ("--uninstall", *target)
    done = machine.run(install.main, *away, "--dry-run")
    assert "would remove what goblin-emit wrote for claude: 7 file(s)\n" in done.out
    assert (sample / "CLAUDE.md").exists()
    done = machine.run(install.main, *away)
    assert done.code == 0, done.err
    assert "removed what goblin-emit wrote for claude: 7 file(s)\n" in done.out
    assert "kept what goblin-emit wrote for gemini: edited since" in done.out
    assert not (sample / "CLAUDE.md").exists()
    assert not (sample / ".claude").exists()
    assert (machine.project / "GEMINI.md").exists()


# --- shadows ---------------------------------------------------------------------------------------


def test_copies_that_equal_the_source_are_unshadowed(machine: Machine) -> None:
    """Whoever put them there; the undo gives them back."""
    (machine.home / ".hermes").mkdir()
    machine.emit("hermes", "--skills", "all", scope="global")
    for name in ("goblin-mode", "goblin-sweep"):
        path = machine.project / skill_file("hermes", name)
        path.parent.mkdir(parents=True)
        path.write_bytes(SOURCE.skills[name].data)
    own = machine.project / ".hermes" / "skills" / "goblin-own" / "SKILL.md"
    own.parent.mkdir()
    own.write_text("a skill of the project, whatever its name\n")
    before = snapshot(machine.project)
    done = machine.emit("hermes", "--unshadow")
    assert done.code == 0, done.err
    assert done.out.count("removed ") == 2
    assert sorted(path.parent.name for path in machine.project.rglob("SKILL.md")) == ["goblin-own"]
    assert machine.emit("hermes", "--unshadow").out == "no copy of the project equals the source\n"
    assert machine.emit("hermes", "--undo").out.count("restored ") == 2
    assert snapshot(machine.project) == before


def test_a_copy_that_differs_stops_an_unshadowing(machine: Machine) -> None:
    """R7: all of them are looked at before any is removed."""
    machine.emit("hermes")
    (machine.project / skill_file("hermes", "practice")).write_text("mine\n")
    before = snapshot(machine.project), machine.rows()
    done = machine.emit("hermes", "--unshadow")
    assert done.code == 1
    assert f"differs from the source: {skill_file('hermes', 'practice')}" in done.err
    assert (snapshot(machine.project), machine.rows()) == before


def test_what_was_emitted_and_unshadowed_is_not_restored(machine: Machine) -> None:
    """Before the first emission there was nothing."""
    machine.emit("hermes")
    assert machine.emit("hermes", "--unshadow").out.count("removed ") == 6
    assert machine.emit("hermes", "--undo").code == 0
    assert (snapshot(machine.project), machine.rows()) == ({}, [])


def test_a_word_for_each_change() -> None:
    """The four of an emission, and that of a removal."""
    place = in_project(str(PROJECT), "x")
    words = [
        plan.Change(place, None, b"a").word,
        plan.Change(place, b"a", b"a").word,
        plan.Change(place, None, b"a", context=True).word,
        plan.Change(place, b"a", b"b", context=True).word,
        plan.Change(place, b"a", None).word,
    ]
    assert words == ["wrote", "unchanged", "created", "updated", "removed"]
