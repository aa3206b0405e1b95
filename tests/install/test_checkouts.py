"""Clones that are not plain: sparse, shallow, converted, of another owner, without modes, beside others."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
from pathlib import Path

import pytest

from goblin.facts.record import PATH
from goblin.install import preflight
from goblin.install.disk import Disk
from goblin.install.journal import digest
from goblin.install.preflight import Refused
from goblin.install.session import Output
from goblin.install.uninstall import Removal, uninstall
from tests.install import crashing
from tests.install.crashing import NEW, OLD, photograph
from tests.install.driving import Ran, record_of, run
from tests.install.faults import picture
from tests.support import Repo, build_repo, git, hermetic, run_cli

pytestmark = pytest.mark.usefixtures("one_payload")


@pytest.fixture
def small(one_payload: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A payload of a few files."""
    crashing.release(monkeypatch, "1.0", OLD)


def remove(root: Repo | Path, **options: bool) -> Ran:
    """Uninstall."""
    ran = Ran()
    ran.code = uninstall(Removal(os.fspath(root), **options), Output(ran.out.append, ran.err.append))
    return ran


# --- sparse ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_a_tracked_file_that_is_not_checked_out_is_not_written_over(tmp_path: Path) -> None:
    """It only looks absent: the next commit would replace what others wrote. Exit 1, with what helps."""
    repo = build_repo({"src/a": "a", "checks/gate.py": "theirs\n", "HANDOFF.md": "mine\n"}, tmp_path / "repo")
    repo.git("sparse-checkout", "set", "src")
    assert not (repo / "checks").exists()
    before = picture(repo.root)
    for dry_run in (False, True):
        ran = run(repo, dry_run=dry_run)
        assert ran.code == 1
        assert ran.err == [
            "error: checks/gate.py: tracked, but left out by this sparse checkout",
            "remedy: git sparse-checkout add checks, and run again",
        ]
        assert picture(repo.root) == before
    repo.git("sparse-checkout", "add", "checks")
    ran = run(repo)
    assert "refused to overwrite: HANDOFF.md, checks/gate.py" in ran.out
    assert repo.read("checks/gate.py") == "theirs\n"


@pytest.mark.usefixtures("small")
def test_what_is_new_in_a_sparse_checkout_can_be_committed_as_said(tmp_path: Path) -> None:
    """Git refuses to add what lies outside; the closing text names the folders first."""
    repo = build_repo({"src/a": "a", "docs/b": "b"}, tmp_path / "repo")
    repo.git("sparse-checkout", "set", "src")
    ran = run(repo)
    assert ran.code == 0
    (step,) = [line for line in ran.out if "git sparse-checkout add" in line]
    command = shlex.split(step.partition(": ")[2])
    assert command[:3] == ["git", "sparse-checkout", "add"]
    assert set(command[3:]) == {".github", ".goblin", ".hermes", "checks", "reviews"}
    repo.git(*command[1:])
    repo.commit("Install goblin")
    tracked = set(repo.git("ls-files", "-z").split("\0"))
    assert {*record_of(repo).files, PATH} <= tracked
    assert not any("sparse" in line for line in run(repo, upgrade=True).out)


@pytest.mark.usefixtures("small")
def test_an_install_that_is_not_checked_out_is_neither_upgraded_nor_removed_by_halves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 1 each, before a byte is written."""
    repo = build_repo({"src/a": "a"}, tmp_path / "repo")
    run(repo)
    repo.commit("Install goblin")
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/checks/", "!/.goblin/manifest/")
    before = picture(repo.root)
    crashing.release(monkeypatch, "2.0", NEW)
    for ran in (run(repo, "", upgrade=True), remove(repo), remove(repo, purge=True, dry_run=True)):
        assert ran.code == 1
        assert "and 3 more: tracked, but left out by this sparse checkout" in ran.err[0]
        assert picture(repo.root) == before


# --- shallow ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_a_shallow_clone_is_installed_and_told_what_it_lacks(tmp_path: Path) -> None:
    """Its rows about history will ask for it."""
    origin = build_repo({"a": "1"}, tmp_path / "origin")
    origin.commit("second", {"a": "2"})
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin.root}", "clone")
    ran = run(tmp_path / "clone")
    assert ran.code == 0
    assert (
        "note: this clone is shallow: rows that resolve commits need its history: git fetch --unshallow"
        in ran.out
    )
    assert not any("shallow" in line for line in run(origin).out)
    assert run(tmp_path / "clone").counts.startswith("no-op: ")


# --- another owner ---------------------------------------------------------------------------------


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository to somebody else")
@pytest.mark.usefixtures("small")
def test_a_repository_of_somebody_else_is_installed_and_git_is_put_right(tmp_path: Path) -> None:
    """Git refuses to work there; our questions name the git directory, and the remedy is git's own."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "a repo", branch="trunk")
    for folder, folders, names in os.walk(repo.root):
        for name in (*folders, *names, "."):
            os.lchown(os.path.join(folder, name), 65534, 65534)
    refused = subprocess.run(
        ["git", "status"], cwd=repo, env=hermetic(), capture_output=True, text=True, check=False
    )
    assert "dubious ownership" in refused.stderr
    ran = run(repo)
    assert ran.code == 0, ran.text
    remedy = f"git config --global --add safe.directory '{repo.root}'"
    assert any(
        line.startswith("note: somebody else owns this repository") and line.endswith(remedy)
        for line in ran.out
    )
    assert "branch: 'trunk'" in repo.read(".goblin/goblin.yaml"), "it was read all the same"
    home = tmp_path / "home"
    home.mkdir()
    env = {"HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / ".gitconfig")}
    subprocess.run(remedy, shell=True, env=hermetic(**env), check=True)  # noqa: S602  (the printed command)
    git(repo.root, "add", "--all", env=env)
    assert PATH in git(repo.root, "ls-files", env=env).split("\n")


@pytest.mark.usefixtures("small")
def test_nothing_is_said_of_owners_where_git_works(tmp_path: Path) -> None:
    """The usual case."""
    assert "somebody else" not in run(build_repo({"a": "1"}, tmp_path / "repo")).text


# --- line ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["attributes", "settings"])
def test_an_install_survives_a_clone_that_converts_line_ends(tmp_path: Path, how: str) -> None:
    """Installed files keep their bytes; an upgrade there has nothing to do, and verify agrees."""
    repo = build_repo(
        {".gitattributes": "* text=auto eol=crlf\n"} if how == "attributes" else {}, tmp_path / "repo"
    )
    run(repo)
    repo.commit("Install goblin")
    converting = ("-c", "core.autocrlf=true") if how == "settings" else ()
    git(tmp_path, *converting, "clone", "-q", str(repo.root), "clone")
    clone = Repo(tmp_path / "clone")
    if how == "settings":
        clone.git("config", "core.autocrlf", "true")
    assert b"\r\n" in (clone / "HANDOFF.md").read_bytes()
    for path, recorded in record_of(clone).files.items():
        assert digest((clone / path).read_bytes()) == recorded, path
    assert run(clone, "", upgrade=True).counts.startswith("no-op: ")
    done = run_cli(clone / ".goblin/bin/goblin-verify", "--only", "IN-01,IN-02", cwd=clone)
    assert done.code == 0, done.out
    assert clone.git("status", "--porcelain") == ""


# --- modes -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_a_clone_without_modes_is_told_how_git_learns_them(tmp_path: Path) -> None:
    """core.fileMode=false: what is executable here would be plain in every other clone."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    repo.git("config", "core.fileMode", "false")
    ran = run(repo)
    (step,) = [line for line in ran.out if "git add --chmod=+x" in line]
    repo.git(*shlex.split(step.partition(": ")[2])[1:])
    repo.commit("Install goblin")
    modes = {line.split("\t")[1]: line[:6] for line in repo.git("ls-files", "-s").split("\n")}
    scripts = {path for path in modes if (repo / path).stat().st_mode & stat.S_IXUSR}
    assert scripts == {".goblin/bin/goblin-verify", "checks/gate.py"}
    assert {path for path, mode in modes.items() if mode == "100755"} == scripts
    assert not any("chmod" in line for line in run(repo, upgrade=True).out)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_no_umask_decides_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, umask: int
) -> None:
    """Install, upgrade and uninstall give the same modes under each, also to folders."""
    repo = build_repo({"README.md": "x\n", ".gitignore": "a\n"}, tmp_path / "repo")
    (repo / ".gitignore").chmod(0o640)
    before = photograph(repo.root)
    old = os.umask(umask)
    try:
        assert run(repo).code == 0
        modes = {
            path: stat.S_IMODE(mode)
            for path, (mode, content) in photograph(repo.root).items()
            if path not in before
        }
        assert set(modes.values()) == {0o644, 0o755}
        assert all(
            modes[path] == 0o755 for path in (".goblin", ".goblin/bin/goblin-verify", "checks/gate.py")
        )
        assert stat.S_IMODE((repo / ".gitignore").stat().st_mode) == 0o640
        crashing.release(monkeypatch, "2.0", NEW)
        assert run(repo, "", upgrade=True).code == 0
        assert stat.S_IMODE((repo / ".goblin/extra").stat().st_mode) == 0o755
        assert stat.S_IMODE((repo / ".goblin/extra/added.py").stat().st_mode) == 0o644
        assert remove(repo, purge=True).code == 0
    finally:
        os.umask(old)
    assert photograph(repo.root) == before


# --- names that are one elsewhere ------------------------------------------------------------------

TWINS = {
    "a page": ("handoff.md", "handoff.md and HANDOFF.md would be one where names ignore case"),
    "a folder": ("Checks/x.py", "Checks and checks would be one where names ignore case"),
    "the harness": (".Goblin/x", ".Goblin and .goblin would be one where names ignore case"),
    "the ignore file": (".GitIgnore", ".GitIgnore and .gitignore would be one where names ignore case"),
    "below a folder": (".github/Workflows/ci.yml", ".github/Workflows and .github/workflows would be one"),
}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("case", TWINS)
def test_a_name_that_differs_in_case_alone_is_refused(tmp_path: Path, case: str) -> None:
    """Two files here, one file on other systems: exit 1 with the rename, and nothing is written."""
    name, said = TWINS[case]
    repo = build_repo({name: "theirs\n"}, tmp_path / "repo")
    before = picture(repo.root)
    ran = run(repo)
    assert ran.code == 1
    assert ran.err[0].startswith(f"error: {said}")
    assert ran.err[1].startswith(f"remedy: rename it: git mv {said.split()[0]} ")
    assert picture(repo.root) == before


@pytest.mark.usefixtures("small")
def test_an_uninstall_is_not_kept_by_a_twin(tmp_path: Path) -> None:
    """Whatever was added since, ours goes."""
    repo = build_repo({"README.md": "x\n"}, tmp_path / "repo")
    run(repo)
    repo.write({"handoff.md": "theirs\n"})
    assert remove(repo, purge=True).code == 0
    assert picture(repo.root) == {"README.md": b"x\n", "handoff.md": b"theirs\n"}


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("aux/gate.py", "aux/gate.py: Windows keeps the name aux for itself"),
        ("tests/COM1.txt", "tests/COM1.txt: Windows keeps the name COM1.txt for itself"),
        ("checks./gate.py", "checks./gate.py: Windows keeps the name checks. for itself"),
        ("d" * 120 + "/" + "e" * 90, "is longer than 200 characters"),
    ],
)
def test_a_name_that_another_system_cannot_hold_is_refused(tmp_path: Path, path: str, said: str) -> None:
    """A harness folder may be called anything; not every clone could check it out."""
    with pytest.raises(Refused) as caught:
        preflight.check_names(Disk(str(tmp_path)), ["checks/assert.py", path])
    ((message, _),) = caught.value.reasons
    assert said in message
    preflight.check_names(Disk(str(tmp_path)), ["checks/auxiliary.py", "console/gate.py"])


# --- worktrees and submodules ----------------------------------------------------------------------


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", ["worktree", "submodule"])
def test_each_is_upgraded_and_cleaned_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Its own history answers for a merge, and nothing beside it changes."""
    main = build_repo({"x": ""}, tmp_path / "main")
    if kind == "worktree":
        main.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
        target, other = Repo(tmp_path / "linked"), main.root
    else:
        other = build_repo({"y": ""}, tmp_path / "super").root
        git(other, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(main.root), "sub")
        target = Repo(other / "sub")
    before = photograph(target.root)
    assert run(target).code == 0
    target.commit("Install goblin")
    beside = {path: data for path, data in photograph(other).items() if not path.startswith("sub/")}
    merging = ".goblin/checks/merged.py"
    target.write({merging: crashing.EDITS[merging]})
    crashing.release(monkeypatch, "2.0", NEW)
    ran = run(target, "", upgrade=True)
    assert ran.code == 0, ran.text
    assert target.read(merging).encode() == crashing.MERGED
    target.write({merging: NEW[2].data})
    assert run(target, "", upgrade=True, force=True).code == 0
    assert remove(target, purge=True).code == 0
    left = {path: seen for path, seen in photograph(target.root).items() if not path.startswith(".goblin")}
    assert left == before
    assert {path: data for path, data in photograph(other).items() if not path.startswith("sub/")} == beside
