"""The root of a run: the nearest config, one repository, and never another one's answers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin.locate import Place, locate
from goblin.outcome import CannotRun
from tests.support import Repo, build_repo, git, run_cli, write_files
from tests.support.repo import Files

CONFIG = {".goblin/goblin.yaml": "class: A\n"}


def found(start: Path) -> Place:
    """The place found from a folder; the work tree that git answers for is that root, or there is no git."""
    place = locate(str(start))
    assert place.repo is None or place.repo.top == place.root
    return place


def refused(start: Path) -> CannotRun:
    """The refusal of a folder."""
    with pytest.raises(CannotRun) as caught:
        locate(str(start))
    return caught.value


def test_the_nearest_folder_with_a_config_is_the_root(tmp_path: Path) -> None:
    """From the root itself and from any depth below it."""
    build_repo({**CONFIG, "a/b/c.txt": ""}, tmp_path)
    for start in (tmp_path, tmp_path / "a" / "b", tmp_path / ".goblin"):
        assert found(start).root == str(tmp_path.resolve())


def test_without_a_config_the_git_top_level_is_the_root(tmp_path: Path) -> None:
    """The command then says that nothing is installed, and where it looked."""
    build_repo({"a/b.txt": ""}, tmp_path)
    assert found(tmp_path / "a").root == str(tmp_path.resolve())


def test_without_git_the_folder_itself_is_the_root(tmp_path: Path) -> None:
    """No repository is no refusal: the rows that need git fail one by one."""
    write_files(tmp_path, {"plain/a.txt": "", **{f"governed/{name}": text for name, text in CONFIG.items()}})
    assert found(tmp_path / "plain") == Place(str((tmp_path / "plain").resolve()), None)
    assert found(tmp_path / "governed") == Place(str((tmp_path / "governed").resolve()), None)


def test_a_governed_folder_inside_another_repository_is_refused(tmp_path: Path) -> None:
    """Git would answer for the outer tree; both paths and the mending command are named."""
    inner = tmp_path / "outer" / "tools" / "inner"
    build_repo({f"tools/inner/{name}": text for name, text in CONFIG.items()}, tmp_path / "outer")
    error = refused(inner)
    assert str(inner) in error.message
    assert str(tmp_path / "outer") in error.message
    assert f"git init {inner}" in error.remedy


def test_a_repository_inside_a_governed_one_is_judged_on_its_own(tmp_path: Path) -> None:
    """Its own config wins; without one, the nearest config above it does."""
    outer = build_repo(CONFIG, tmp_path)
    build_repo(CONFIG, tmp_path / "vendor" / "own")
    build_repo({"a.txt": ""}, tmp_path / "vendor" / "plain")
    assert found(tmp_path / "vendor" / "own").root == str(tmp_path / "vendor" / "own")
    place = found(tmp_path / "vendor" / "plain")
    assert place.root == str(outer.root)
    assert place.repo is not None
    assert place.repo.git_dir == str(outer / ".git")


def test_a_root_that_is_reached_through_a_link_is_no_mismatch(tmp_path: Path) -> None:
    """Resolved paths are compared."""
    build_repo({**CONFIG, "a/b.txt": ""}, tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    assert found(tmp_path / "link" / "a").root == str(tmp_path / "real")


@pytest.mark.parametrize("target", ["../elsewhere", "nowhere", "other"])
def test_a_linked_goblin_folder_is_refused(tmp_path: Path, target: str) -> None:
    """Outside, dangling or inside: the rules would be some other folder's."""
    write_files(tmp_path / "elsewhere", {"goblin.yaml": "class: A\n"})
    build_repo({"other/goblin.yaml": "class: A\n", ".goblin@": target}, tmp_path / "repo")
    error = refused(tmp_path / "repo")
    assert f"{tmp_path / 'repo' / '.goblin'} is a symbolic link" in error.message


def test_a_bare_repository_is_refused(tmp_path: Path) -> None:
    """It has no files; so does the inside of a git directory."""
    build_repo(CONFIG, tmp_path / "repo")
    git(tmp_path, "clone", "-q", "--bare", "repo", "bare.git")
    error = refused(tmp_path / "bare.git")
    assert "is a bare repository" in error.message
    assert error.remedy == f"git clone {tmp_path / 'bare.git'}"
    assert "no files to judge" in refused(tmp_path / "repo" / ".git").message


def test_a_linked_worktree_is_its_own_root(tmp_path: Path) -> None:
    """It has its own HEAD and index, and shares the rest."""
    repo = build_repo(CONFIG, tmp_path / "main")
    repo.git("worktree", "add", "-q", "-b", "side", "../side")
    place = found(tmp_path / "side" / ".goblin")
    assert place.root == str(tmp_path / "side")
    assert place.repo is not None
    assert place.repo.git_dir == str(tmp_path / "main" / ".git" / "worktrees" / "side")
    assert place.repo.common_dir == str(tmp_path / "main" / ".git")


def superproject(root: Path, files: Files) -> Repo:
    """A governed repository with a submodule at `vendor/lib`."""
    build_repo(files, root / "lib")
    repo = build_repo(CONFIG, root / "super")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root / "lib"), "vendor/lib")
    repo.commit("add a submodule")
    return repo


def test_a_governed_submodule_is_judged_on_its_own(tmp_path: Path) -> None:
    """Its git directory lies in the superproject's, its work tree is its own."""
    repo = superproject(tmp_path, CONFIG)
    place = found(repo / "vendor/lib")
    assert place.root == str(repo / "vendor/lib")
    assert place.repo is not None
    assert place.repo.git_dir == str(repo / ".git/modules/vendor/lib")


def test_from_a_submodule_without_a_config_the_superproject_is_judged(tmp_path: Path) -> None:
    """The nearest config belongs to the superproject, and so does the repository."""
    repo = superproject(tmp_path, {"a.txt": ""})
    place = found(repo / "vendor/lib")
    assert place.root == str(repo.root)
    assert place.repo is not None
    assert place.repo.git_dir == str(repo / ".git")


def test_a_git_file_that_points_nowhere_is_no_repository(tmp_path: Path) -> None:
    """Inside another repository that is a mismatch, and alone it is no git at all."""
    broken = {**CONFIG, ".git": "gitdir: /nowhere/at/all\n"}
    write_files(tmp_path / "alone", broken)
    assert found(tmp_path / "alone").repo is None
    build_repo({"a.txt": ""}, tmp_path / "outer")
    write_files(tmp_path / "outer" / "inner", broken)
    assert "git answers for" in refused(tmp_path / "outer" / "inner").message


def test_an_inherited_git_dir_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run from a git hook inherits variables that name another repository."""
    other = build_repo({"a.txt": ""}, tmp_path / "other")
    build_repo(CONFIG, tmp_path / "repo")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES"):
        monkeypatch.setenv(name, str(other / ".git"))
    assert found(tmp_path / "repo").root == str(tmp_path / "repo")


@pytest.mark.parametrize("name", ["nothing", "file.txt"])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    """The path is named."""
    (tmp_path / "file.txt").write_text("")
    assert f"{tmp_path / name} is not a folder" in refused(tmp_path / name).message


def test_nothing_is_run_to_find_the_root(tmp_path: Path) -> None:
    """Git itself comes later, with every setting of the repository switched off."""
    repo = build_repo(CONFIG, tmp_path / "repo")
    marker = tmp_path / "ran"
    repo.git("config", "core.fsmonitor", f"touch {marker}; false")
    bin_ = tmp_path / "bin"
    write_files(bin_, {"git": f"#!/bin/sh\ntouch '{marker}'\nexit 1\n"})
    before = os.environ["PATH"]
    try:
        os.environ["PATH"] = str(bin_)
        found(tmp_path / "repo")
    finally:
        os.environ["PATH"] = before
    assert not marker.exists()


def test_a_refusal_ends_the_command_with_2(tmp_path: Path) -> None:
    """Nothing on standard output; the reason and the remedy on standard error."""
    build_repo({".goblin@": "nowhere"}, tmp_path)
    done = run_cli("goblin-verify", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {tmp_path / '.goblin'} is a symbolic link\nremedy: ")
