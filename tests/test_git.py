"""Git answers about this repository alone, and runs nothing that the repository or the caller names."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from goblin import git as plumbing
from goblin.git import Git, GitError, Repo, at, discover
from tests.support import Repo as Sample
from tests.support import build_repo, git

STATUS = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")


def asked(repo: Sample | Path | str) -> Git:
    """The plumbing of a repository."""
    place = at(os.fspath(repo))
    assert place is not None
    return Git(place)


class TestFinding:
    """Which repository a folder belongs to, from files alone."""

    def test_a_main_checkout(self, tmp_path: Path) -> None:
        """Top, git directory and common directory are absolute and resolved."""
        repo = build_repo({"a": ""}, tmp_path / "r")
        (tmp_path / "link").symlink_to(tmp_path / "r")
        place = at(str(tmp_path / "link"))
        top = os.path.realpath(repo.root)
        assert place == Repo(top, f"{top}/.git", f"{top}/.git", False)

    def test_a_folder_inside_is_not_a_top_and_is_discovered(self, tmp_path: Path) -> None:
        """`at` is exact; `discover` walks up."""
        repo = build_repo({"a/b/c": ""}, tmp_path)
        assert at(str(tmp_path / "a" / "b")) is None
        found = discover(str(tmp_path / "a" / "b"))
        assert found is not None
        assert found.top == os.path.realpath(repo.root)

    def test_nothing_is_found_outside_any_repository(self, tmp_path: Path) -> None:
        """A `.git` that is an empty folder, a stray file or a broken pointer is no repository."""
        assert at(str(tmp_path)) is None
        (tmp_path / "empty" / ".git").mkdir(parents=True)
        (tmp_path / "stray").mkdir()
        (tmp_path / "stray" / ".git").write_text("hello\n")
        (tmp_path / "broken").mkdir()
        (tmp_path / "broken" / ".git").write_text("gitdir: /nowhere/at/all\n")
        for name in ("empty", "stray", "broken"):
            assert at(str(tmp_path / name)) is None

    def test_a_pipe_where_a_file_should_be_is_not_waited_for(self, tmp_path: Path) -> None:
        """Opening a FIFO without a writer would hang for ever."""
        (tmp_path / "r").mkdir()
        os.mkfifo(tmp_path / "r" / ".git")
        assert at(str(tmp_path / "r")) is None
        build_repo({"a": ""}, tmp_path / "s")
        os.mkfifo(tmp_path / "s" / ".git" / "commondir")
        os.unlink(tmp_path / "s" / ".git" / "config")
        os.mkfifo(tmp_path / "s" / ".git" / "config")
        place = at(str(tmp_path / "s"))
        assert place is not None
        assert Git(place)._no_filters() == ()
        os.unlink(tmp_path / "s" / ".git" / "config")
        os.mkdir(tmp_path / "s" / ".git" / "config")
        assert Git(place)._no_filters() == ()

    @pytest.mark.parametrize("relative", [False, True])
    def test_a_linked_worktree(self, tmp_path: Path, relative: bool) -> None:
        """A `.git` file leads to the worktree's own directory and to the shared one."""
        main = build_repo({"a": "1"}, tmp_path / "main")
        main.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
        if relative:
            (tmp_path / "wt" / ".git").write_text("gitdir: ../main/.git/worktrees/wt\n")
        place = at(str(tmp_path / "wt"))
        base = os.path.realpath(tmp_path)
        assert place == Repo(f"{base}/wt", f"{base}/main/.git/worktrees/wt", f"{base}/main/.git", False)

    def test_a_linked_worktree_answers_for_itself(self, tmp_path: Path) -> None:
        """Its own HEAD, index and files; the main checkout is not touched or read."""
        main = build_repo({"a": "1"}, tmp_path / "main")
        main.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
        side = Sample(tmp_path / "wt")
        tip = side.commit("more", {"b": "2"})
        main.write({"untracked": ""})
        (tmp_path / "wt" / "c").write_text("")
        ours = asked(side)
        assert ours.objects(["HEAD"])[0][0] == tip  # type: ignore[index]
        assert ours.run("ls-files", "-z") == b"a\0b\0"
        assert ours.run(*STATUS, worktree=True) == b"?? c\0"

    def test_a_submodule(self, tmp_path: Path) -> None:
        """A submodule's checkout is a repository of its own."""
        inner = build_repo({"x": "1"}, tmp_path / "inner")
        outer = build_repo({"a": "1"}, tmp_path / "outer")
        outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "lib")
        place = at(str(tmp_path / "outer" / "lib"))
        assert place is not None
        assert place.git_dir == os.path.realpath(tmp_path / "outer" / ".git" / "modules" / "lib")
        assert Git(place).run("ls-files", "-z") == b"x\0"

    def test_a_bare_repository(self, tmp_path: Path) -> None:
        """It is told apart, has no top, and still answers about its commits."""
        repo = build_repo({"a": "1"}, tmp_path / "r")
        git(tmp_path, "clone", "-q", "--bare", "r", "bare.git")
        place = at(str(tmp_path / "bare.git"))
        assert place is not None
        assert (place.top, place.bare) == ("", True)
        assert Git(place).objects(["HEAD", "HEAD:a"])[0][0] == repo.head  # type: ignore[index]
        assert Git(place).call("status", worktree=True).code != 0

    def test_the_innermost_repository_wins(self, tmp_path: Path) -> None:
        """A repository inside another is found first."""
        build_repo({"a": ""}, tmp_path / "outer")
        inner = build_repo({"b": ""}, tmp_path / "outer" / "inner")
        found = discover(str(tmp_path / "outer" / "inner"))
        assert found is not None
        assert found.top == os.path.realpath(inner.root)

    def test_a_git_folder_that_is_a_link(self, tmp_path: Path) -> None:
        """`.git -> elsewhere` is how some tools keep histories; the target is the git directory."""
        repo = build_repo({"a": ""}, tmp_path / "r")
        shutil.move(tmp_path / "r" / ".git", tmp_path / "store")
        (tmp_path / "r" / ".git").symlink_to(tmp_path / "store")
        place = at(str(repo.root))
        assert place is not None
        assert place.git_dir == os.path.realpath(tmp_path / "store")


class TestStates:
    """Odd states of a repository are answers or errors, never an empty answer that reads as clean."""

    def test_an_unborn_head_has_no_commit_and_its_files_are_untracked(self, tmp_path: Path) -> None:
        """Before the first commit."""
        repo = build_repo({"a": "1"}, tmp_path, commit=None)
        ours = asked(repo)
        assert ours.objects(["HEAD"]) == [None]
        assert ours.run(*STATUS, worktree=True) == b"?? a\0"

    def test_a_command_that_fails_is_an_error_in_gits_own_words(self, tmp_path: Path) -> None:
        """`run` raises, `call` reports; neither gives an empty success."""
        ours = asked(build_repo({"a": "1"}, tmp_path))
        with pytest.raises(GitError, match=r"git said: fatal: .*no-such-ref") as caught:
            ours.run("rev-list", "no-such-ref", "--")
        assert caught.value.result.code == 128
        assert ours.call("rev-parse", "--verify", "--quiet", "no-such-ref").code == 1

    def test_a_broken_index_is_an_error(self, tmp_path: Path) -> None:
        """Garbage where the index should be must not read as "nothing tracked, nothing changed"."""
        repo = build_repo({"a": "1"}, tmp_path)
        (tmp_path / ".git" / "index").write_bytes(b"garbage")
        for question in (("ls-files", "-s", "-z"), STATUS):
            with pytest.raises(GitError, match="git said: "):
                asked(repo).run(*question, worktree=True)

    def test_words_of_git_are_made_safe_to_print(self, tmp_path: Path) -> None:
        """A ref name with terminal controls or a credential is quoted by git's complaint."""
        ours = asked(build_repo({"a": "1"}, tmp_path))
        token = "ghp_" + "a1B2" * 9
        for name in (f"{token}:x", "\x1b[31mred:x"):
            with pytest.raises(GitError) as caught:
                ours.run("rev-parse", "--verify", name)
            assert token not in str(caught.value)
            assert "\x1b" not in str(caught.value)

    def test_git_missing_from_the_path_is_an_error(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """127, with a reason."""
        ours = asked(build_repo({"a": "1"}, tmp_path))
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(GitError, match="git is not on PATH"):
            ours.run("ls-files")

    def test_a_git_that_does_not_answer_is_an_error(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The time of one call is bounded."""
        ours = asked(build_repo({"a": "1"}, tmp_path / "r"))
        (tmp_path / "bin").mkdir()
        stuck = tmp_path / "bin" / "git"
        stuck.write_text("#!/bin/sh\nexec sleep 86399\n")
        stuck.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
        monkeypatch.setattr(plumbing, "TIMEOUT", 0.2)
        with pytest.raises(GitError, match="no answer within"):
            ours.run("ls-files")

    def test_a_shallow_clone_lacks_the_parent_and_asks_nobody_for_it(self, tmp_path: Path) -> None:
        """The parent named by the commit is not there, and no transport is tried."""
        repo = build_repo({"a": "1"}, tmp_path / "r")
        first = repo.head
        tip = repo.commit("second", {"a": "2"})
        git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo.root}", "shallow")
        found = asked(tmp_path / "shallow").objects([tip, first])
        assert found[0] is not None
        assert found[1] is None


class TestObjects:
    """Many objects with one process, exactly the ones that were asked for."""

    def test_commits_trees_blobs_and_what_is_not_there(self, tmp_path: Path) -> None:
        """In the order of asking, each with its type and its bytes."""
        repo = build_repo({"a b.txt": b"\0\n\xff", "empty": "", "d/e": "x"}, tmp_path)
        names = ["HEAD:a b.txt", "HEAD:nope", "HEAD", "HEAD:d", "", "HEAD:empty", "HEAD:\n", "HEAD:a b.txt"]
        found = asked(repo).objects(names)
        assert [entry and entry[1] for entry in found] == [
            *("blob", None, "commit", "tree", None, "blob", None, "blob"),
        ]
        assert found[0] is not None
        assert found[0][2] == b"\0\n\xff"
        assert found[5] is not None
        assert found[5][2] == b""
        assert found[0] == found[7]

    def test_names_that_look_like_answers_or_options(self, tmp_path: Path) -> None:
        """A path such as `x missing` or `--batch-all-objects` is a path."""
        odd = ["x missing", "y blob 5", "z ambiguous", "--batch-all-objects", "é\u2028"]
        repo = build_repo({name: name for name in odd}, tmp_path)
        found = asked(repo).objects([f"HEAD:{name}" for name in odd] + ["HEAD:gone blob 3", "-", "--help"])
        assert [entry[2].decode() for entry in found[:-3] if entry] == odd
        assert found[-3:] == [None, None, None]

    def test_nothing_asked_starts_nothing_that_fails(self, tmp_path: Path) -> None:
        """An empty list gives an empty list."""
        assert asked(build_repo({}, tmp_path)).objects([]) == []

    def test_a_submodule_entry_is_no_object_here(self, tmp_path: Path) -> None:
        """The commit of a submodule is not in this repository."""
        repo = build_repo({"a": "1"}, tmp_path)
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},lib")
        repo.git("commit", "-q", "-m", "sub")
        assert asked(repo).objects(["HEAD:lib", "HEAD:a"])[0] is None
        assert asked(repo).objects(["HEAD:lib", "HEAD:a"])[1] is not None

    def test_an_ambiguous_prefix_is_not_guessed(self, tmp_path: Path) -> None:
        """Two objects with one prefix: none is taken."""
        repo = build_repo({f"f{n}": str(n) for n in range(1500)}, tmp_path)
        oids = repo.git("hash-object", "-w", "--", *[f"f{n}" for n in range(1500)]).split()
        by_prefix: dict[str, list[str]] = {}
        for oid in oids:
            by_prefix.setdefault(oid[:4], []).append(oid)
        twins = [prefix for prefix, found in by_prefix.items() if len(found) > 1]
        assert twins, "1500 blobs share a four-digit prefix somewhere"
        assert asked(repo).objects([twins[0]]) == [None]
