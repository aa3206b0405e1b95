"""Targets that nobody should be hurt by: links, special files, odd names, other people's repositories."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from goblin.facts.record import PATH
from goblin.install import journal, lock
from goblin.outcome import CannotRun
from tests.install.driving import record_of, run
from tests.install.faults import in_child, picture
from tests.support import Repo, build_repo, git, write_files
from tests.support.repo import Files

pytestmark = pytest.mark.usefixtures("one_payload")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the target, with a file that nobody may touch."""
    write_files(tmp_path / "outside", {"file.md": "sentinel\n", "folder/x": "sentinel\n"})
    return tmp_path / "outside"


# --- what stands in the way --------------------------------------------------------------------

LINKS = {
    "the harness folder": ({".goblin@": "../outside"}, ".goblin is a symbolic link to ../outside"),
    "a folder of it": ({".goblin/bin@": "../../outside"}, ".goblin/bin is a symbolic link"),
    "the forge's folder": ({".github@": "../outside"}, ".github is a symbolic link"),
    "a link that stays inside": ({"docs/x": "", ".github@": "docs"}, ".github is a symbolic link to docs"),
    "a handoff": (
        {"HANDOFF.md@": "../outside/file.md"},
        "HANDOFF.md is a symbolic link to ../outside/file.md",
    ),
    "agents, to a file inside": (
        {"CLAUDE.md": "x", "AGENTS.md@": "CLAUDE.md"},
        "AGENTS.md is a symbolic link",
    ),
    "the ignore file": ({".gitignore@": "../outside/file.md"}, ".gitignore is a symbolic link"),
    "a dangling one": ({"checks@": "nowhere"}, "checks is a symbolic link to nowhere"),
    "a loop": ({".hermes@": ".hermes"}, ".hermes is a symbolic link"),
    "the record": (
        {".goblin/installed.json@": "../../outside/file.md"},
        ".goblin/installed.json is a symbolic link",
    ),
    "the config": (
        {".goblin/goblin.yaml@": "../../outside/file.md"},
        ".goblin/goblin.yaml is a symbolic link",
    ),
    "the lock": ({".goblin/lock@": "../../outside/file.md"}, ".goblin/lock is a symbolic link"),
    "the journal": ({".goblin/journal@": "../../outside"}, ".goblin/journal is a symbolic link"),
    "a file in place of a folder": ({".github": "x"}, ".github is a file; a folder is needed there"),
    "the harness as a file": ({".goblin": "x"}, ".goblin is a file"),
    "a folder in place of a file": (
        {"AGENTS.md/x": ""},
        "AGENTS.md is a folder; the installer writes a file there",
    ),
    "an ignore folder": ({".gitignore/x": ""}, ".gitignore is a folder"),
}


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("force", [False, True])
def test_whatever_stands_in_the_way_is_named_and_nothing_is_written(
    tmp_path: Path, outside: Path, name: str, force: bool
) -> None:
    """Exit 1 with one clear message each; inside and outside every byte stays. `--force` is no way round."""
    files, said = LINKS[name]
    repo = build_repo(files, tmp_path / "repo", commit=None)
    before = picture(tmp_path, without=())
    ran = run(repo, force=force)
    assert ran.code == 1
    assert any(line.startswith(f"error: {said}") for line in ran.err), ran.err
    assert any(line.startswith("remedy: ") for line in ran.err)
    assert picture(tmp_path, without=()) == before
    assert run(repo, dry_run=True).code == 1


@pytest.mark.parametrize(
    "path", ["HANDOFF.md", ".goblin/goblin.yaml", PATH, ".gitignore", ".goblin/bin", lock.PATH]
)
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: socket.socket(socket.AF_UNIX).bind(str(path))])
def test_a_fifo_or_a_socket_is_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, make: Callable[[Path | str], None]
) -> None:
    """A reader of a FIFO would hang for ever."""
    repo = build_repo(root=tmp_path / "r")
    (repo / path).parent.mkdir(exist_ok=True)
    monkeypatch.chdir((repo / path).parent)
    make((repo / path).name)
    ran = run(repo)
    assert ran.code == 1
    assert "neither a file nor a folder" in ran.err[0]


def test_all_reasons_are_given_at_once(tmp_path: Path, outside: Path) -> None:
    """Nobody mends five things in five runs."""
    files: Files = {".github@": "../outside", "checks@": "nowhere", "HANDOFF.md/x": ""}
    ran = run(build_repo(files, tmp_path / "repo", commit=None))
    assert len([line for line in ran.err if line.startswith("error: ")]) == 3


def test_a_file_too_large_to_compare_is_refused_at_once(tmp_path: Path) -> None:
    """A sparse file of many gigabytes is not read into memory."""
    repo = build_repo(root=tmp_path / "repo")
    with (repo / "HANDOFF.md").open("wb") as stream:
        stream.truncate(1 << 40)
    ran = run(repo)
    assert ran.code == 1
    assert "HANDOFF.md is larger than 64 MiB" in ran.err[0]


@pytest.mark.parametrize(
    ("harness_dir", "said"),
    [
        ("../outside", "is not a path inside the target"),
        ("/tmp/x", "is not a path inside the target"),
        (".git/hooks", "is not a path inside the target"),
        ("a/../../b", "is not a path inside the target"),
        ("AGENTS.md", "AGENTS.md/gate.py would lie below AGENTS.md, which is a file"),
        ("agents.md", "would lie below AGENTS.md, which is a file"),
    ],
)
def test_a_config_leads_nowhere_outside(tmp_path: Path, outside: Path, harness_dir: str, said: str) -> None:
    """The config is the project's and may say anything."""
    repo = build_repo(root=tmp_path / "repo")
    run(repo)
    text = repo.read(".goblin/goblin.yaml").replace("harness_dir: checks", f"harness_dir: '{harness_dir}'")
    repo.write({".goblin/goblin.yaml": text})
    before = picture(tmp_path)
    ran = run(repo)
    assert ran.code == 1
    assert said in ran.text
    assert picture(tmp_path) == before


def test_an_ignore_rule_that_cannot_be_answered_is_a_refusal(tmp_path: Path) -> None:
    """With the rule's file and line; nothing is written."""
    repo = build_repo({".github/.gitignore": "# ours\nworkflows/\n"}, tmp_path / "repo")
    before = picture(repo.root)
    ran = run(repo)
    assert ran.code == 1
    assert (
        "git would ignore .github/workflows/goblin-gate.yml and 1 more: .github/.gitignore:2: workflows/"
        in ran.err[0]
    )
    assert picture(repo.root) == before


def test_an_ignore_rule_that_can_be_answered_is(tmp_path: Path) -> None:
    """All that is recorded can be committed."""
    repo = build_repo({".gitignore": "bin/\nchecks\n*.md\n.hermes/\n"}, tmp_path / "repo")
    assert run(repo).code == 0
    repo.commit("Install goblin")
    tracked = set(repo.git("ls-files", "-z").split("\0"))
    record = record_of(repo)
    assert {*record.files, *record.owned, PATH} <= tracked
    assert run(repo).counts.startswith("no-op: ")


# --- no permission -----------------------------------------------------------------------------


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that every user can reach."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@pytest.mark.parametrize(
    ("closed", "said"),
    [
        (".", "cannot be written to"),
        (".github", ".github cannot be written to"),
        (".goblin", ".goblin cannot be written to"),
        ("HANDOFF.md", "HANDOFF.md cannot be read"),
    ],
)
def test_without_permission_the_place_is_named(open_place: Path, closed: str, said: str) -> None:
    """A read-only target, a read-only folder in it, an unreadable file: exit 1 and the tree as it was."""
    files: Files = {"HANDOFF.md": "x\n", ".github/x": "", ".goblin/x": ""}
    repo = build_repo(files, open_place / "repo")
    report = open_place / "report"
    report.mkdir(mode=0o777)
    report.chmod(0o777)
    for folder, folders, names in os.walk(repo.root):
        for name in (*folders, *names):
            os.chown(os.path.join(folder, name), 65534, 65534)
    os.chown(repo.root, 65534, 65534)
    os.chmod(repo / closed, 0o000 if closed == "HANDOFF.md" else 0o555)
    before = picture(repo.root)
    run(build_repo({}, open_place / "warm"))  # nobody may not reach the modules that are imported late

    def as_nobody() -> None:
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        ran = run(repo)
        (report / "err").write_text("\n".join(ran.err))
        os._exit(ran.code)

    assert in_child(as_nobody) == 1
    assert said in (report / "err").read_text()
    assert picture(repo.root) == before


# --- which repository --------------------------------------------------------------------------


def test_a_bare_repository_and_the_inside_of_a_git_directory_are_no_targets(tmp_path: Path) -> None:
    """Exit 2: there are no files to govern."""
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    repo = build_repo(root=tmp_path / "repo")
    for target in (tmp_path / "bare.git", tmp_path / "bare.git/hooks", repo / ".git", repo / ".git/refs"):
        target.mkdir(exist_ok=True)
        before = picture(tmp_path, without=())
        with pytest.raises(CannotRun, match="bare repository, or lies in one"):
            run(target)
        assert picture(tmp_path, without=()) == before


def test_a_folder_inside_another_repository_is_installed_with_a_warning(tmp_path: Path) -> None:
    """Nothing is read from the outer one, its configuration included; it is not written to either."""
    outer = build_repo({"x": ""}, tmp_path / "outer", branch="outer-branch")
    outer.git("config", "user.email", "outer@example.com")
    inner = outer / "inner"
    inner.mkdir()
    before = picture(outer.root / ".git", without=())
    ran = run(inner)
    assert ran.code == 0
    assert f"lies inside the repository {outer.root}" in ran.text
    assert "git init" in ran.text
    text = (inner / ".goblin/goblin.yaml").read_text()
    assert "branch: 'main'" in text
    assert "outer@example.com" not in text
    assert "`0000000`" in (inner / "HANDOFF.md").read_text()
    assert picture(outer.root / ".git", without=()) == before


def test_a_repository_inside_another_is_its_own(tmp_path: Path) -> None:
    """No warning, its own branch."""
    outer = build_repo({"x": ""}, tmp_path / "outer")
    inner = build_repo({"y": ""}, outer / "inner", branch="trunk")
    ran = run(inner)
    assert ran.code == 0
    assert "lies inside" not in ran.text
    assert "branch: 'trunk'" in inner.read(".goblin/goblin.yaml")


def test_without_git_it_works_and_hints_at_git_init(tmp_path: Path) -> None:
    """The ignore file first, then the repository."""
    (tmp_path / "plain").mkdir()
    ran = run(tmp_path / "plain")
    assert ran.code == 0
    assert "git init" in ran.text
    assert "`0000000`" in (tmp_path / "plain/HANDOFF.md").read_text()
    assert run(tmp_path / "plain").counts.startswith("no-op: ")


@pytest.mark.parametrize("kind", ["worktree", "submodule"])
def test_a_worktree_and_a_submodule_are_installed_alone(tmp_path: Path, kind: str) -> None:
    """What they hang on is not written to."""
    main = build_repo({"x": ""}, tmp_path / "main")
    if kind == "worktree":
        main.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
        target, other = tmp_path / "linked", main.root
    else:
        other = build_repo({"y": ""}, tmp_path / "super").root
        git(other, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(main.root), "sub")
        target = other / "sub"
    before = {path: data for path, data in picture(other, without=()).items() if not path.startswith("sub/")}
    assert run(target).code == 0
    after = {path: data for path, data in picture(other, without=()).items() if not path.startswith("sub/")}
    assert after == before
    git(target, "add", "--all")
    assert PATH in git(target, "ls-files").split("\n")


def test_a_link_to_the_target_is_resolved_once(tmp_path: Path) -> None:
    """The link is how people name it; the folder is what is written."""
    repo = build_repo(root=tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    assert run(tmp_path / "link").code == 0
    assert (repo / PATH).exists()
    assert (tmp_path / "link").is_symlink()


def test_inherited_git_variables_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run from a hook, they would make every answer one about another repository."""
    other = build_repo({"x": ""}, tmp_path / "other", branch="elsewhere")
    for name, value in {"GIT_DIR": ".git", "GIT_WORK_TREE": "", "GIT_INDEX_FILE": ".git/index"}.items():
        monkeypatch.setenv(name, str(other / value))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.email")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "evil@example.com")
    (tmp_path / "plain").mkdir()
    run(tmp_path / "plain")
    text = (tmp_path / "plain/.goblin/goblin.yaml").read_text()
    assert "elsewhere" not in text
    assert "evil@example.com" not in text


def test_the_repositorys_configuration_runs_nothing(tmp_path: Path) -> None:
    """fsmonitor, hooks, filters, pager, aliases, external diff and a credential helper leave no mark."""
    files: Files = {".gitattributes": "* filter=trap diff=trap\n", ".gitignore": "bin/\n", ".env": "x\n"}
    repo = build_repo(files, tmp_path / "repo")
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "diff.external",
        "diff.trap.textconv",
        "diff.trap.command",
        "filter.trap.clean",
        "filter.trap.smudge",
        "filter.trap.process",
        "alias.ls-files",
        "alias.check-ignore",
        "credential.helper",
        "gpg.program",
        "core.alternateRefsCommand",
    ):
        repo.git("config", key, str(trap))
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction"):
        shutil.copy(trap, hooks / hook)
    repo.git("config", "core.hooksPath", str(hooks))
    (tmp_path / "sprung").unlink(missing_ok=True)
    assert run(repo).code == 0
    assert run(repo, opt_out=("tokens",)).code == 0
    assert not (tmp_path / "sprung").exists()


def test_a_repository_that_git_cannot_read_is_told_with_gits_words(tmp_path: Path) -> None:
    """Exit 2, not a crash, and nothing written."""
    repo = build_repo({"x": "y"}, tmp_path / "repo")
    (repo / ".git/index").write_bytes(b"rubbish")
    before = picture(repo.root)
    with pytest.raises(CannotRun, match="git said: "):
        run(repo)
    assert picture(repo.root) == before


# --- names -------------------------------------------------------------------------------------

NAMES = [
    "with space",
    "qu'o\"te",
    "new\nline",
    "$(touch PWNED)",
    "`touch PWNED`",
    ";x;",
    "--force",
    "café-\u2028",
    "-",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_folder_name_works_and_is_evaluated_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Install, install again, commit; no file that a shell would have made."""
    monkeypatch.chdir(tmp_path)
    repo = build_repo({"a.ts": "x\n", "dist/b.js": "y"}, tmp_path / name)
    ran = run(repo)
    assert ran.code == 0, ran.text
    assert "\n" not in "".join(ran.out)
    repo.commit("Install goblin")
    assert run(repo).counts.startswith("no-op: ")
    assert not list(tmp_path.rglob("PWNED"))


def test_a_folder_name_that_is_not_text_works(tmp_path: Path) -> None:
    """Bytes that are no UTF-8."""
    target = os.fsdecode(os.fsencode(str(tmp_path)) + b"/caf\xe9")
    os.mkdir(target)
    ran = run(target)
    assert ran.code == 0, ran.text
    ran.text.encode()


@pytest.mark.parametrize("branch", ["feat/'q\"$(x)", "a`b;c&d", "déjà-vu", "x" * 200])
def test_any_branch_name_reaches_the_config_as_it_is(tmp_path: Path, branch: str) -> None:
    """And every file that names it is well formed."""
    from goblin.yaml import Map, load

    repo = build_repo({"x": ""}, tmp_path / "repo", branch=branch)
    assert run(repo).code == 0
    for path in (".goblin/goblin.yaml", ".github/workflows/goblin-gate.yml"):
        root = load((repo / path).read_bytes(), path)
        assert isinstance(root, Map)
    read = load((repo / ".goblin/goblin.yaml").read_bytes(), "config")
    assert isinstance(read, Map)
    assert read["branch"] == branch
    assert run(repo).counts.startswith("no-op: ")


@pytest.mark.parametrize(
    ("email", "written"),
    [("a\x1b[31m@example.com", "you@example.com"), ("two\nlines@example.com", "twolines@example.com")],
)
@pytest.mark.parametrize("where", ["environment", "settings"])
def test_an_address_with_control_characters_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, email: str, written: str, where: str
) -> None:
    """The placeholder stands instead, and the verifier asks for a true one; git itself drops line breaks."""
    repo = build_repo(root=tmp_path / "repo")
    if where == "settings":
        monkeypatch.delenv("GIT_AUTHOR_EMAIL")
        repo.git("config", "user.email", email)
    else:
        monkeypatch.setenv("GIT_AUTHOR_EMAIL", email)
    run(repo)
    assert f"owner_email: '{written}'" in repo.read(".goblin/goblin.yaml")


# --- planted state -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", [lock.PATH, journal.INTENT])
def test_a_lock_or_a_journal_that_git_tracks_is_nobodys_crash(tmp_path: Path, path: str) -> None:
    """A repository cannot tell the installer to undo things."""
    repo = build_repo({path: "{}", "README.md": "x"}, tmp_path / "repo")
    before = picture(repo.root)
    ran = run(repo)
    assert ran.code == 1
    assert "which no installer commits" in ran.err[0]
    assert "git rm -r -f" in ran.err[1]
    assert picture(repo.root) == before


def test_a_journal_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    """Exit 1; it is left for a person to look at."""
    repo = build_repo({"README.md": "x"}, tmp_path / "repo")
    repo.write({journal.INTENT: "{"})
    ran = run(repo)
    assert ran.code == 1
    assert ".goblin/journal/intent.json cannot be read" in ran.err[0]
    assert repo.read(journal.INTENT) == "{"
    assert not (repo / lock.PATH).exists()


def test_a_living_installer_is_not_disturbed(tmp_path: Path) -> None:
    """Exit 1, and the lock stays."""
    repo = build_repo({"README.md": "x"}, tmp_path / "repo")
    repo.write({lock.PATH: f"1 {socket.gethostname()}\n"})
    before = picture(repo.root)
    ran = run(repo)
    assert ran.code == 1
    assert "another installer holds .goblin/lock" in ran.err[0]
    assert picture(repo.root) == before


def test_nothing_beside_the_target_changes(tmp_path: Path, outside: Path) -> None:
    """The sentinel is as it was after installs of many kinds."""
    before = picture(outside)
    repo = Repo(build_repo({"HANDOFF.md": "x"}, tmp_path / "repo").root)
    for options in ({}, {"force": True}, {"skills": "no"}, {"archive": True}, {"skills": "claude,cursor"}):
        run(repo, **options)
    assert picture(outside) == before
    assert {path.name for path in tmp_path.iterdir()} == {"outside", "repo"}
