"""Taking an install away: to the byte where nobody touched it, and never more than what is ours."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goblin import clock
from goblin.facts import record as records
from goblin.facts.status import RUNTIME
from goblin.install import gitignore
from goblin.install.journal import digest
from goblin.install.session import Output
from goblin.install.uninstall import Removal, uninstall
from goblin.outcome import CannotRun
from tests.install import crashing
from tests.install.crashing import OLD, photograph
from tests.install.driving import CONFIG, Ran, record_of, run
from tests.install.faults import picture
from tests.support import Repo, build_repo, git, write_files
from tests.support.repo import Files

pytestmark = pytest.mark.usefixtures("one_payload")

ENGINE = ".goblin/engine/goblin/engine.py"


def remove(root: Repo | Path, **options: bool) -> Ran:
    """Uninstall; `options` are those of `Removal`."""
    ran = Ran()
    ran.code = uninstall(Removal(os.fspath(root), **options), Output(ran.out.append, ran.err.append))
    return ran


@pytest.fixture
def small(one_payload: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A payload of a few files is enough where each kind of file counts once."""
    crashing.release(monkeypatch, "1.0", OLD)


# --- there and back --------------------------------------------------------------------------------

SHAPES: dict[str, tuple[Files, tuple[str, ...]]] = {
    "nothing": ({}, ()),
    "an ignore file": ({".gitignore": "build/\n"}, ()),
    "one without a last line end": ({".gitignore": "build/\nout"}, ()),
    "one with CRLF": ({".gitignore": b"build/\r\nout\r\n"}, ()),
    "one with CRLF and no last line end": ({".gitignore": b"build/\r\nout"}, ()),
    "an empty one": ({".gitignore": ""}, ()),
    "one in our way": ({".gitignore": "bin/\n*.py\nchecks\n"}, ()),
    "empty folders of theirs": (
        {},
        ("reviews", "checks/deep", ".github/workflows", ".hermes/skills", ".goblin"),
    ),
    "files of theirs in our folders": (
        {"checks/own.py": "x = 1\n", ".github/workflows/ci.yml": "on: push\n", "reviews/a.md": "a\n"},
        (".goblin/rules",),
    ),
    "an AGENTS.md": ({"AGENTS.md": "be nice\n"}, ()),
    "links": ({"docs/x": "x", "CLAUDE.md@": "AGENTS.md", "src@": "docs", "dangling@": "nowhere"}, ()),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "A": {},
    "B": {"letter": "B"},
    "D": {"letter": "D"},
    "F with all skills": {"letter": "F", "skills": "hermes,claude,agents,copilot,cursor,opencode,gemini"},
    "archived": {"letter": "D", "archive": True},
    "parts": {"letter": "C", "parts": "handoff"},
    "merged": {"letter": "E", "merge_agents": True},
    "forced": {"force": True},
    "on forgejo": {"forge": "forgejo"},
    "on gitlab": {"forge": "gitlab"},
    "opted out": {"opt_out": ("tokens", "replay")},
}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("options", OPTIONS)
def test_there_and_back_is_where_it_began(tmp_path: Path, shape: str, options: str) -> None:
    """Every byte, every mode and every empty folder, whatever was there and whatever was asked for."""
    files, folders = SHAPES[shape]
    repo = build_repo({"README.md": "x\n", **files}, tmp_path / "repo")
    for folder in folders:
        (repo / folder).mkdir(parents=True)
        (repo / folder).chmod(0o750)
    before = photograph(repo.root)
    run(repo, **OPTIONS[options])
    assert photograph(repo.root) != before
    ran = remove(repo, purge=True)
    assert (ran.code, ran.err) == (0, [])
    assert photograph(repo.root) == before


@pytest.mark.parametrize("letter", "ABCDEF")
def test_the_whole_payload_goes_for_every_class(tmp_path: Path, letter: str) -> None:
    """And git has nothing to say against it."""
    repo = build_repo({"README.md": "x\n", ".gitignore": "a"}, tmp_path / "repo")
    before, start = photograph(repo.root), repo.head
    assert run(repo, letter).code == 0
    repo.commit("Install goblin")
    record = record_of(repo)
    assert run(repo, letter, opt_out=("gate",), skills="claude").code == 0
    ran = remove(repo, purge=True)
    assert (ran.code, ran.err) == (0, [])
    assert photograph(repo.root) == before
    assert ran.out[-1].startswith("removed ")
    assert len(record.files) > 100
    repo.commit("Uninstall goblin")
    assert repo.git("diff", "--stat", start) == ""


@pytest.mark.usefixtures("small")
def test_a_folder_without_git_is_left_as_it_was(tmp_path: Path) -> None:
    """Nothing of this needs a repository."""
    write_files(tmp_path / "plain", {"x": "y"})
    before = photograph(tmp_path / "plain")
    run(tmp_path / "plain")
    assert remove(tmp_path / "plain", purge=True).code == 0
    assert photograph(tmp_path / "plain") == before


@pytest.mark.usefixtures("small")
def test_what_force_replaced_is_put_back_with_its_mode(tmp_path: Path) -> None:
    """From the copies; where they are gone, that is said and nothing is invented."""
    theirs = {
        "AGENTS.md": "mine\n",
        ".github/workflows/goblin-gate.yml": "on: push\n",
        "checks/gate.py": "x = 1\n",
    }
    repo = build_repo(theirs, tmp_path / "repo")
    (repo / "AGENTS.md").chmod(0o600)
    (repo / "checks/gate.py").chmod(0o700)
    before = photograph(repo.root)
    assert run(repo, force=True).code == 0
    ran = remove(repo, purge=True)
    assert "restored AGENTS.md (what --force replaced)" in ran.out
    assert photograph(repo.root) == before
    run(repo, force=True)
    for copy in repo.root.glob(".goblin/backup/*/AGENTS.md"):
        copy.unlink()
    ran = remove(repo, purge=True)
    assert any(line.startswith("AGENTS.md: no copy of what --force replaced is here") for line in ran.out)
    assert not (repo / "AGENTS.md").exists()


@pytest.mark.usefixtures("small")
def test_a_clone_that_converts_line_ends_is_cleaned_too(tmp_path: Path) -> None:
    """Converted files were edited by nobody."""
    repo = build_repo({".gitattributes": "* text=auto eol=crlf\n", ".gitignore": "a\n"}, tmp_path / "repo")
    run(repo)
    repo.commit("Install goblin")
    git(tmp_path, "clone", "-q", str(repo.root), "clone")
    clone = Repo(tmp_path / "clone")
    assert b"\r\n" in (clone / "HANDOFF.md").read_bytes()
    ran = remove(clone, purge=True)
    assert (ran.code, ran.err) == (0, [])
    assert picture(clone.root) == {".gitattributes": b"* text=auto eol=crlf\r\n", ".gitignore": b"a\r\n"}


@pytest.mark.usefixtures("small")
def test_it_can_be_installed_again_afterwards(tmp_path: Path) -> None:
    """A normal first install; the old block is kept, and it is the project's by now."""
    repo = build_repo({".gitignore": "a\n"}, tmp_path / "repo")
    run(repo)
    remove(repo)
    before = photograph(repo.root)
    assert f"# goblin-stack uninstalled {clock.today()}\n" in repo.read(".gitignore")
    ran = run(repo)
    assert ran.code == 0, ran.text
    assert "kept (.gitignore block already present)" in ran.out
    ran = remove(repo, purge=True)
    assert "kept the block in .gitignore (it was there before the install)" in ran.out
    after = photograph(repo.root)
    for page in ("HANDOFF.md", "AGENTS.md", "ROUND-000-SPEC.md", "reviews/.gitkeep"):
        assert before[page] == after[page], "pages of the first install were the project's for the second"


# --- what stays ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_without_purge_the_pages_and_the_block_stay(tmp_path: Path) -> None:
    """And nothing else; each is named, with a warning of what they now speak of in vain."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    run(repo)
    record = record_of(repo)
    for name in RUNTIME:
        repo.write({name: "measured\n"})
    block = repo.read(gitignore.PATH)
    ran = remove(repo)
    assert (ran.code, ran.err) == (0, [])
    pages = {"HANDOFF.md", "AGENTS.md", "ROUND-000-SPEC.md", "reviews/.gitkeep"}
    assert set(picture(repo.root)) == {"README.md", ".gitignore", "reviews", *pages}
    assert repo.read(gitignore.PATH) == block + f"# goblin-stack uninstalled {clock.today()}\n"
    for page in pages:
        assert f"kept {page} (it is yours)" in ran.out
    assert any(line.startswith("warning: ") and "HANDOFF.md" in line for line in ran.out)
    assert any("block in .gitignore (intentional" in line for line in ran.out)
    gone = len(record.files) + len(record.owned) - 4 + len(RUNTIME) + 1
    made = [folder for folder in record.dirs_created if folder != "reviews"]
    assert ran.out[-1] == f"removed {gone} file(s) and {len(made)} empty directories"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("purge", [False, True])
def test_edited_files_stay_and_are_named(tmp_path: Path, purge: bool) -> None:
    """Of every kind; the config is moved to the copies; exit 0."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    run(repo)
    edited = [
        ".goblin/checks/left.py",
        ".goblin/boundary-waivers",
        "checks/gate.py",
        ".hermes/skills/goblin-mode/SKILL.md",
        ".github/workflows/goblin-gate.yml",
        *(["HANDOFF.md"] if purge else []),
    ]
    for path in (*edited, CONFIG):
        repo.write({path: "ours\n"})
    ran = remove(repo, purge=purge)
    assert (ran.code, ran.err) == (0, [])
    for path in edited:
        assert repo.read(path) == "ours\n"
        assert f"kept {path} (you edited it)" in ran.out
    assert not (repo / CONFIG).exists()
    (copy,) = repo.root.glob(f".goblin/backup/*/{CONFIG}")
    assert copy.read_text() == "ours\n"
    assert any(
        line.startswith(f"kept {CONFIG} (you edited it): it is now .goblin/backup/") for line in ran.out
    )
    assert not (repo / records.PATH).exists()
    assert not (repo / ".goblin/manifest").exists()


@pytest.mark.usefixtures("small")
def test_the_projects_own_records_stay(tmp_path: Path) -> None:
    """Audit, loop, tokens, rules, waivers: no install wrote them."""
    repo = build_repo({"HANDOFF.md": "mine\n"}, tmp_path / "repo")
    run(repo)
    theirs = (
        ".goblin/audit.tsv",
        ".goblin/loop/predicate",
        ".goblin/tokens.yaml",
        ".goblin/rules/controls.tsv",
    )
    repo.write(dict.fromkeys(theirs, "theirs\n"))
    ran = remove(repo, purge=True)
    assert ran.code == 0
    assert all(repo.read(path) == "theirs\n" for path in theirs)
    assert repo.read("HANDOFF.md") == "mine\n"
    assert "kept HANDOFF.md (it was yours all along)" in ran.out
    assert "kept in .goblin: audit.tsv, loop, rules, tokens.yaml (not part of the install)" in ran.out


@pytest.mark.usefixtures("small")
def test_what_was_adopted_or_merged_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their own equal file; their edit in ours; a conflict file goes while it is as we laid it there."""
    repo = build_repo({".goblin/checks/left.py": "LEFT = 1\n"}, tmp_path / "repo")
    run(repo)
    repo.commit("Install goblin")
    repo.write(crashing.EDITS)
    crashing.release(monkeypatch, "2.0", (*crashing.NEW, OLD[2]))
    assert run(repo, upgrade=True).code == 1
    ran = remove(repo, purge=True)
    assert ran.code == 0
    assert "kept .goblin/checks/left.py (it was there before the install)" in ran.out
    assert "kept .goblin/checks/merged.py (your edit is merged into it)" in ran.out
    assert "kept .goblin/checks/conflict.py (you edited it)" in ran.out
    assert sorted(os.listdir(repo / ".goblin/checks")) == ["conflict.py", "left.py", "merged.py"]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("text", ["be nice", "be nice\n", "", "be\r\nnice\r\n", "be\r\nnice"])
def test_a_merged_block_is_taken_out_to_the_byte(tmp_path: Path, text: str) -> None:
    """In whatever way the file ended; what was written below the block since stays."""
    repo = build_repo({"AGENTS.md": text.encode()}, tmp_path / "repo")
    run(repo, merge_agents=True)
    whole = (repo / "AGENTS.md").read_bytes()
    (repo / "AGENTS.md").write_bytes(whole + b"later\n")
    assert remove(repo).code == 0
    assert (repo / "AGENTS.md").read_bytes() == text.encode() + b"later\n"


@pytest.mark.usefixtures("small")
def test_an_edited_block_stays(tmp_path: Path) -> None:
    """In AGENTS.md and in .gitignore alike."""
    repo = build_repo({"AGENTS.md": "be nice\n"}, tmp_path / "repo")
    run(repo, merge_agents=True)
    agents = repo.read("AGENTS.md").replace("## goblin-stack", "## The goblins")
    ignored = repo.read(".gitignore").replace(".goblin/lock\n", "")
    repo.write({"AGENTS.md": agents, ".gitignore": ignored})
    ran = remove(repo, purge=True)
    assert "kept AGENTS.md (you edited our block in it)" in ran.out
    assert "kept the block in .gitignore (you edited it)" in ran.out
    assert (repo.read("AGENTS.md"), repo.read(".gitignore")) == (agents, ignored)


@pytest.mark.usefixtures("small")
def test_an_ignore_file_that_was_deleted_is_not_made_again(tmp_path: Path) -> None:
    """Purged or not."""
    for purge in (False, True):
        repo = build_repo(root=tmp_path / str(purge))
        run(repo)
        repo.remove(".gitignore")
        assert remove(repo, purge=purge).code == 0
        assert not (repo / ".gitignore").exists()


# --- what it may never do --------------------------------------------------------------------------


def with_record(repo: Repo, change: Callable[[dict[str, Any]], None]) -> None:
    """Edit the record by hand."""
    record = json.loads(repo.read(records.PATH))
    change(record)
    repo.write({records.PATH: json.dumps(record)})


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the target that nobody may touch."""
    write_files(tmp_path / "outside", {"file.md": "sentinel\n", "folder/x": "sentinel\n"})
    (tmp_path / "outside/empty").mkdir()
    return tmp_path / "outside"


SENTINEL = digest(b"sentinel\n")
LIES: dict[str, Callable[[dict[str, Any]], None]] = {
    "a path above": lambda record: record["files"].update({"../outside/file.md": SENTINEL}),
    "an absolute one": lambda record: record["owned"].update({"/etc/hostname": SENTINEL}),
    "a detour": lambda record: record["files"].update({"a/../../outside/file.md": SENTINEL}),
    "the git directory": lambda record: record["files"].update({".git/config": SENTINEL}),
    "its other name": lambda record: record["owned"].update({"x/.GIT/hooks/y": SENTINEL}),
    "a folder above": lambda record: record["dirs_created"].append("../outside/empty"),
    "a conflict above": lambda record: record.update(conflicts={"../outside/file.md": SENTINEL}),
    "what was taken over": lambda record: record.update(taken_over={"../outside/file.md": SENTINEL}),
}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("purge", [False, True])
def test_a_record_that_leads_out_is_not_acted_on(
    tmp_path: Path, outside: Path, lie: str, purge: bool
) -> None:
    """Exit 2, and not one file goes, the sound ones neither."""
    repo = build_repo(root=tmp_path / "repo")
    run(repo)
    with_record(repo, LIES[lie])
    before = picture(tmp_path, without=())
    with pytest.raises(CannotRun, match=r"is not a relative path inside the repository; nothing was touched"):
        remove(repo, purge=purge)
    assert picture(tmp_path, without=()) == before


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("purge", [False, True])
def test_no_link_is_followed(tmp_path: Path, outside: Path, purge: bool) -> None:
    """A file or a folder of ours that became a link elsewhere: it stays, and so does what it names."""
    repo = build_repo(root=tmp_path / "repo")
    run(repo)
    (repo / ".goblin/checks/left.py").unlink()
    (repo / ".goblin/checks/left.py").symlink_to("../../../outside/file.md")
    for folder, names in (
        (".goblin/manifest", ("same.tsv", "changed.tsv")),
        ("checks", ("gate.py", "assert.py")),
    ):
        for name in names:
            (outside / name).write_bytes((repo / folder / name).read_bytes())
            (repo / folder / name).unlink()
        (repo / folder).rmdir()
        (repo / folder).symlink_to(os.path.relpath(outside, (repo / folder).parent))
    (repo / ".gitignore").unlink()
    (repo / ".gitignore").symlink_to("../outside/file.md")
    before = picture(outside)
    ran = remove(repo, purge=purge)
    assert ran.code == 0, ran.text
    assert picture(outside) == before
    assert "kept .goblin/checks/left.py (it is no longer a regular file)" in ran.out
    assert any(line.startswith("kept .goblin/manifest/same.tsv (") for line in ran.out)
    assert (repo / "checks").is_symlink()
    assert (repo / ".gitignore").is_symlink()


@pytest.mark.usefixtures("small")
def test_what_is_no_file_any_more_stays(tmp_path: Path) -> None:
    """A folder, or a FIFO that would hang whoever opens it."""
    repo = build_repo(root=tmp_path / "repo")
    run(repo)
    for path in (".goblin/checks/left.py", ".goblin/manifest/same.tsv"):
        (repo / path).unlink()
    (repo / ".goblin/checks/left.py").mkdir()
    os.mkfifo(repo / ".goblin/manifest/same.tsv")
    ran = remove(repo, purge=True)
    assert ran.code == 0
    assert "kept .goblin/manifest/same.tsv (it is no longer a regular file)" in ran.out
    assert (repo / ".goblin/checks/left.py").is_dir()


@pytest.mark.usefixtures("small")
def test_folders_that_hold_something_stay_whatever_the_record_says(tmp_path: Path) -> None:
    """`dirs_created` is a list of candidates, not an order."""
    repo = build_repo({"src/a.py": "a\n"}, tmp_path / "repo")
    (repo / "empty").mkdir()
    run(repo)
    with_record(repo, lambda record: record["dirs_created"].extend(["src", "README.md", "nowhere"]))
    assert remove(repo, purge=True).code == 0
    assert picture(repo.root) == {"src": None, "src/a.py": b"a\n", "empty": None}


@pytest.mark.usefixtures("small")
def test_a_record_that_does_not_say_which_folders_it_made(tmp_path: Path) -> None:
    """Those above what it installed are meant; they go where they are empty."""
    repo = build_repo({"checks/own": "x"}, tmp_path / "repo")
    run(repo)
    with_record(repo, lambda record: record.pop("dirs_created"))
    assert remove(repo, purge=True).code == 0
    assert picture(repo.root) == {"checks": None, "checks/own": b"x"}


@pytest.mark.usefixtures("small")
def test_after_a_lost_record_the_folders_are_known_again(tmp_path: Path) -> None:
    """A record that an install made anew serves an uninstall, but for what only the first one knew."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    before = photograph(repo.root)
    run(repo)
    repo.remove(records.PATH)
    assert run(repo).code == 0
    ran = remove(repo, purge=True)
    left = photograph(repo.root)
    assert "kept the block in .gitignore (it was there before the install)" in ran.out
    assert "kept HANDOFF.md (you edited it)" in ran.out, "nobody knows what its first bytes were"
    del left[".gitignore"], left["HANDOFF.md"]
    assert left == before


@pytest.mark.parametrize(
    ("text", "said"),
    [(None, "nothing to uninstall"), ("", "is empty"), ("{", "is not JSON"), ("[]", "is not a JSON object")],
)
def test_without_a_record_that_can_be_trusted_nothing_happens(
    tmp_path: Path, text: str | None, said: str
) -> None:
    """Exit 2."""
    repo = build_repo({"README.md": "x", **({} if text is None else {records.PATH: text})}, tmp_path / "repo")
    before = picture(repo.root)
    for dry_run in (False, True):
        with pytest.raises(CannotRun) as caught:
            remove(repo, dry_run=dry_run)
        assert said in caught.value.message
    assert picture(repo.root) == before


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("purge", [False, True])
def test_a_dry_run_names_what_the_real_one_then_does(tmp_path: Path, purge: bool) -> None:
    """Not a byte and not a time changes."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    run(repo)
    repo.write({".goblin/checks/left.py": "ours\n"})
    before = photograph(repo.root)
    ran = remove(repo, purge=purge, dry_run=True)
    assert (ran.code, ran.err) == (0, [])
    assert photograph(repo.root) == before
    named = {line.removeprefix("would remove ") for line in ran.out if line.startswith("would remove ")}
    assert "would keep .goblin/checks/left.py (you edited it)" in ran.out
    remove(repo, purge=purge)
    gone = before.keys() - photograph(repo.root).keys()
    assert {name.rstrip("/") for name in named} == gone


@pytest.mark.usefixtures("small")
def test_a_signature_of_the_record_goes_with_it(tmp_path: Path) -> None:
    """It is of nothing else."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    before = photograph(repo.root)
    run(repo)
    repo.write({f"{records.PATH}.sig": "signature\n"})
    assert remove(repo, purge=True).code == 0
    assert photograph(repo.root) == before


@pytest.mark.usefixtures("small")
def test_another_release_can_take_it_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record says what is there, so the version does not matter."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    before = photograph(repo.root)
    run(repo)
    crashing.release(monkeypatch, "0.1", crashing.NEW)
    assert remove(repo, purge=True).code == 0
    assert photograph(repo.root) == before
    assert not (repo / ENGINE).exists()
