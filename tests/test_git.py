"""Git answers about this repository alone, and runs nothing that the repository or the caller names."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from goblin import git as plumbing
from goblin.git import Git, GitError, Repo, at, discover
from tests.support import ENVIRONMENT, build_repo, git
from tests.support import Repo as Sample

STATUS = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")


def asked(repo: Sample | Path | str) -> Git:
    """The plumbing of a repository."""
    place = at(os.fspath(repo))
    assert place is not None
    return Git(place)


class Canary:
    """A program that leaves a mark when anything runs it, and then passes its input on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def program(self, name: str) -> str:
        """The path of an executable that marks `name`."""
        path = self.folder / name
        path.write_text(f"#!/bin/sh\necho \"$@\" >> '{self.folder}/{name}.ran'\ncat\n")
        path.chmod(0o755)
        return str(path)

    def marks(self) -> list[str]:
        """What has run."""
        return sorted(name.removesuffix(".ran") for name in os.listdir(self.folder) if name.endswith(".ran"))


@pytest.fixture
def canary(tmp_path: Path) -> Canary:
    return Canary(tmp_path / "canary")


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


class TestTheCallersEnvironment:
    """Inherited variables and user settings do not change an answer."""

    def test_variables_that_name_another_repository(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """From inside a git hook of another repository every answer is still about this one."""
        other = build_repo({"theirs": ""}, tmp_path / "other")
        ours = build_repo({"ours": ""}, tmp_path / "ours")
        monkeypatch.setenv("GIT_DIR", str(other / ".git"))
        monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
        monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
        monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other / ".git" / "objects"))
        monkeypatch.setenv("GIT_PREFIX", "sub/")
        monkeypatch.setenv("GIT_NAMESPACE", "x")
        found = asked(ours)
        assert found.run("ls-files", "-z") == b"ours\0"
        assert found.objects(["HEAD"])[0][0] == git(ours.root, "rev-parse", "HEAD", env=dict(ENVIRONMENT))  # type: ignore[index]
        assert found.run(*STATUS, worktree=True) == b""

    def test_variables_that_change_or_redirect_output(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, canary: Canary
    ) -> None:
        """Tracing, external diff, pager, editor, configuration and locale from outside do nothing."""
        repo = build_repo({"a": "1\n"}, tmp_path / "r")
        repo.commit("second", {"a": "2\n"})
        for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_EDITOR", "GIT_ASKPASS", "GIT_SSH"):
            monkeypatch.setenv(name, canary.program(name.lower()))
        monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
        monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
        monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
        monkeypatch.setenv("GIT_CONFIG_VALUE_0", canary.program("fsmonitor"))
        monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'core.pager={canary.program('pager')}'")
        monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "0")
        monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
        monkeypatch.setenv("LANGUAGE", "de")
        ours = asked(repo)
        assert b"-1\n+2\n" in ours.run("diff-tree", "-p", "HEAD~1", "HEAD")
        ours.run(*STATUS, worktree=True)
        assert "fatal: " in str(GitError(("x",), ours.call("rev-parse", "--verify", "gone")))
        assert canary.marks() == []
        assert not (tmp_path / "trace").exists()

    def test_settings_of_the_user_change_no_answer(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Colour, prefixes, quoting, renames and hidden untracked files in a user's own configuration."""
        repo = build_repo({"é": "1\n"}, tmp_path / "r")
        repo.commit("second", {"é": "2\n"}).strip()
        repo.write({"new/one": "", "new/two": ""})
        plain = self.answers(repo)
        settings = {
            "color.ui": "always",
            "color.diff": "always",
            "diff.noprefix": "true",
            "diff.mnemonicPrefix": "true",
            "core.quotePath": "true",
            "status.showUntrackedFiles": "no",
            "status.relativePaths": "false",
            "status.renames": "copies",
            "status.branch": "true",
            "diff.renames": "copies",
            "diff.context": "0",
            "log.showSignature": "true",
        }
        text = "".join(
            f"[{key.split('.')[0]}]\n\t{key.split('.')[1]} = {value}\n" for key, value in settings.items()
        )
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / ".gitconfig").write_text(text)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        monkeypatch.delenv("GIT_CONFIG_GLOBAL")
        assert self.answers(repo) == plain
        (tmp_path / "r" / ".git" / "config").open("a").write(text)
        assert self.answers(repo) == plain
        assert plain[0] == b"?? new/one\0?? new/two\0"
        assert "+++ b/é".encode() in plain[1]

    @staticmethod
    def answers(repo: Sample) -> tuple[bytes, ...]:
        """What is asked most."""
        ours = asked(repo)
        return (
            ours.run(*STATUS, worktree=True),
            ours.run("diff-tree", "-p", "HEAD~1", "HEAD"),
            ours.run("ls-files", "-s", "-z"),
        )


class TestProgramsOfTheRepository:
    """Nothing that the repository's own configuration or attributes name is ever run."""

    def everything(self, repo: Sample) -> None:
        """Each kind of question, with the index forced to look at every file again."""
        ours = asked(repo)
        for path in repo.root.rglob("*"):
            if path.is_file() and ".git" not in path.parts:
                os.utime(path, (1_000_000_000, 1_000_000_000))
        assert ours.run(*STATUS, worktree=True).startswith(b" M changed.txt\0")
        ours.run("diff-files", "-p", worktree=True)
        ours.run("diff-index", "-p", "HEAD", worktree=True)
        ours.run("diff-tree", "-p", "-r", "HEAD~1", "HEAD")
        ours.run("ls-files", "-s", "-z")
        ours.run("ls-files", "-o", "-z", "--exclude-standard")
        ours.run("rev-list", "HEAD")
        ours.run("log", "-1", "--format=%H%n%B")
        ours.call("grep", "-l", "-I", "one", "HEAD")
        ours.call("check-ignore", "x")
        ours.call("merge-base", "HEAD", "HEAD~1")
        ours.objects(["HEAD", "HEAD:changed.txt"])

    def repo(self, tmp_path: Path, attributes: str = "") -> Sample:
        """Two commits and one uncommitted change."""
        repo = build_repo({"changed.txt": "one\n", ".gitattributes": attributes}, tmp_path / "r")
        repo.commit("second", {"changed.txt": "one\ntwo\n"})
        return repo.write({"changed.txt": "one\ntwo\nthree\n"})

    def test_the_canary_sings(self, tmp_path: Path, canary: Canary) -> None:
        """The control: plain git does run these programs, so silence below means something."""
        repo = self.repo(tmp_path, "*.txt filter=f diff=d\n")
        repo.git("config", "core.fsmonitor", canary.program("fsmonitor"))
        repo.git("config", "filter.f.clean", canary.program("clean"))
        repo.git("config", "diff.d.textconv", canary.program("textconv"))
        repo.git("config", "diff.external", canary.program("external"))
        repo.git("status")
        repo.git("diff", "--no-ext-diff")
        repo.git("diff")
        assert canary.marks() == ["clean", "external", "fsmonitor", "textconv"]

    @pytest.mark.parametrize(
        ("key", "attributes"),
        [
            ("core.fsmonitor", ""),
            ("core.pager", ""),
            ("core.editor", ""),
            ("core.sshCommand", ""),
            ("core.askPass", ""),
            ("core.alternateRefsCommand", ""),
            ("diff.external", ""),
            ("diff.d.command", "*.txt diff=d\n"),
            ("diff.d.textconv", "*.txt diff=d\n"),
            ("filter.f.clean", "*.txt filter=f\n"),
            ("filter.f.smudge", "*.txt filter=f\n"),
            ("filter.f.process", "*.txt filter=f\n"),
            ("Filter.With Space.clean", '*.txt "filter=With Space"\n'),
            ("merge.m.driver", "*.txt merge=m\n"),
            ("gpg.program", ""),
            ("credential.helper", ""),
            ("uploadpack.packObjectsHook", ""),
            ("pager.status", ""),
            ("interactive.diffFilter", ""),
        ],
    )
    def test_a_configured_program(self, tmp_path: Path, canary: Canary, key: str, attributes: str) -> None:
        """In the repository's configuration."""
        repo = self.repo(tmp_path, attributes)
        repo.git("config", key, canary.program("run"))
        self.everything(repo)
        assert canary.marks() == []

    @pytest.mark.parametrize("where", ["include", "worktree", "long"])
    def test_a_filter_that_hides(self, tmp_path: Path, canary: Canary, where: str) -> None:
        """In an included file, in the worktree's own configuration, behind a megabyte of comments."""
        repo = self.repo(tmp_path, "*.txt filter=f\n")
        text = f'[filter "f"]\n\tclean = {canary.program("clean")}\n\trequired = true\n'
        config = tmp_path / "r" / ".git" / "config"
        if where == "include":
            (tmp_path / "r" / ".git" / "more").write_text(text)
            config.open("a").write("[include]\n\tpath = more\n")
        elif where == "worktree":
            repo.git("config", "core.repositoryFormatVersion", "1")
            repo.git("config", "extensions.worktreeConfig", "true")
            (tmp_path / "r" / ".git" / "config.worktree").write_text(text)
        else:
            config.open("a").write(("#" + "x" * 1000 + "\n") * 1100 + text)
        self.everything(repo)
        assert canary.marks() == []

    def test_hooks(self, tmp_path: Path, canary: Canary) -> None:
        """Neither in the usual folder nor in a configured one."""
        repo = self.repo(tmp_path)
        names = (
            "post-index-change",
            "reference-transaction",
            "post-checkout",
            "pre-commit",
            "fsmonitor-watchman",
        )
        for folder in (tmp_path / "r" / ".git" / "hooks", tmp_path / "elsewhere"):
            folder.mkdir(exist_ok=True)
            for name in names:
                shutil.copy2(canary.program(name), folder / name)
        for hooks in ("", str(tmp_path / "elsewhere")):
            if hooks:
                repo.git("config", "core.hooksPath", hooks)
            self.everything(repo)
            asked(repo).run("update-ref", "refs/scratch", "HEAD")
            asked(repo).run("read-tree", "HEAD")
            repo.git("-c", "core.hooksPath=/dev/null", "read-tree", "HEAD~1")
            repo.git("-c", "core.hooksPath=/dev/null", "read-tree", "HEAD")
        assert canary.marks() == []

    @pytest.mark.parametrize("key", ["core.fsmonitor", "filter.f.clean"])
    def test_a_program_of_a_submodule(self, tmp_path: Path, canary: Canary, key: str) -> None:
        """Looking at the outer tree must not run what an inner repository's configuration names."""
        inner = build_repo({"x.txt": "1\n", ".gitattributes": "*.txt filter=f\n"}, tmp_path / "inner")
        repo = self.repo(tmp_path)
        repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "lib")
        repo.git("commit", "-q", "-m", "sub", "--", "lib", ".gitmodules")
        repo.commit("third", {"changed.txt": "3\n"})
        repo.write({"changed.txt": "4\n"})
        git(tmp_path / "r" / "lib", "config", key, canary.program("run"))
        (tmp_path / "r" / "lib" / "x.txt").write_text("2\n")
        self.everything(repo)
        assert canary.marks() == []

    def test_a_filter_of_the_user_stays(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What the user's own configuration installs (large files) is not the repository's doing."""
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / ".gitconfig").write_text('[filter "f"]\n\tclean = tr a-z A-Z\n')
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        monkeypatch.delenv("GIT_CONFIG_GLOBAL")
        repo = build_repo({".gitattributes": "*.txt filter=f\n"}, tmp_path / "r")
        (tmp_path / "r" / "a.txt").write_text("abc\n")
        git(repo.root, "-c", "filter.f.clean=tr a-z A-Z", "add", "a.txt")
        repo.git("commit", "-q", "-m", "a")
        os.utime(repo / "a.txt", (1_000_000_000, 1_000_000_000))
        assert asked(repo).run(*STATUS, worktree=True) == b""

    def test_no_transport_is_tried_for_a_missing_object(self, tmp_path: Path, canary: Canary) -> None:
        """A partial clone would fetch what is missing, with the program that the remote names."""
        repo = self.repo(tmp_path)
        blob = repo.git("rev-parse", "HEAD:changed.txt")
        repo.git("config", "core.repositoryFormatVersion", "1")
        repo.git("config", "extensions.partialClone", "origin")
        repo.git("config", "remote.origin.url", f"ext::{canary.program('transport')} x")
        repo.git("config", "remote.origin.promisor", "true")
        repo.git("config", "protocol.ext.allow", "always")
        loose = tmp_path / "r" / ".git" / "objects" / blob[:2] / blob[2:]
        loose.unlink()
        assert asked(repo).objects(["HEAD:changed.txt"]) == [None]
        assert canary.marks() == []

    def test_replaced_objects_and_grafts_change_no_answer(self, tmp_path: Path) -> None:
        """A replace ref or a grafts file would show another commit under HEAD's own id."""
        repo = build_repo({"a": "1"}, tmp_path)
        first = repo.head
        tip = repo.commit("second", {"a": "2"})
        env = {"GIT_AUTHOR_EMAIL": "other@example.invalid"}
        tree = repo.git("rev-parse", "HEAD^{tree}")
        other = repo.git("commit-tree", "-m", "forged", tree, env=env)
        repo.git("replace", tip, other)
        (tmp_path / ".git" / "info").mkdir(exist_ok=True)
        (tmp_path / ".git" / "info" / "grafts").write_text(f"{tip}\n")
        assert "forged" in repo.git("log", "-1", "--format=%B")
        found = asked(repo).objects(["HEAD"])[0]
        assert found is not None
        assert b"second" in found[2]
        assert asked(repo).run("rev-list", "HEAD").decode().split() == [tip, first]

    def test_a_work_tree_named_by_the_configuration_is_not_followed(self, tmp_path: Path) -> None:
        """`core.worktree` would make status speak of another folder."""
        repo = build_repo({"a": "1"}, tmp_path / "r")
        (tmp_path / "elsewhere").mkdir()
        repo.git("config", "core.worktree", str(tmp_path / "elsewhere"))
        assert asked(repo).run(*STATUS, worktree=True) == b""

    def test_paths_are_paths_and_no_patterns(self, tmp_path: Path) -> None:
        """A file called `*` or `:(top)a` is asked for by its name."""
        repo = build_repo({"*": "1", "b": "2", ":(top)b": "3"}, tmp_path)
        assert asked(repo).run("ls-files", "-z", "--", "*") == b"*\0"
        assert asked(repo).run("ls-files", "-z", "--", ":(top)b") == b":(top)b\0"


def test_asking_writes_nothing(tmp_path: Path) -> None:
    """Even status leaves the index as it is, though every time stamp in it is stale."""
    repo = build_repo({"a": "1", "b": "2"}, tmp_path)
    os.utime(tmp_path / "a", (1_000_000_000, 1_000_000_000))
    index = tmp_path / ".git" / "index"
    before = (index.read_bytes(), index.stat().st_mtime_ns, sorted(os.listdir(tmp_path / ".git")))
    assert asked(repo).run(*STATUS, worktree=True) == b""
    assert (index.read_bytes(), index.stat().st_mtime_ns, sorted(os.listdir(tmp_path / ".git"))) == before


def test_it_works_while_another_git_holds_the_lock(tmp_path: Path) -> None:
    """An editor's own git must not make a row fail."""
    repo = build_repo({"a": "1"}, tmp_path)
    (tmp_path / ".git" / "index.lock").write_bytes(b"")
    (tmp_path / "a").write_text("2")
    assert asked(repo).run(*STATUS, worktree=True) == b" M a\0"
