"""Git answers nobody but us: nothing that the repository or the caller names is run or believed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from goblin.git import Git, GitError, at
from goblin.outcome import CannotRun
from tests.hostile.canary import Canary
from tests.support import ENVIRONMENT, build_repo, git
from tests.support import Repo as Sample

STATUS = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")


def asked(repo: Sample | Path | str) -> Git:
    """The plumbing of a repository."""
    place = at(os.fspath(repo))
    assert place is not None
    return Git(place)


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
            ("remote.origin.uploadpack", ""),
            ("remote.origin.receivepack", ""),
            ("remote.origin.vcs", ""),
            ("core.gitProxy", ""),
            ("sequence.editor", ""),
            ("gpg.ssh.program", ""),
            ("gpg.ssh.defaultKeyCommand", ""),
            ("trailer.x.command", ""),
            ("alias.status", ""),
            ("alias.cat-file", ""),
            ("sendemail.smtpServer", ""),
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

    def test_a_promisor_is_not_asked_with_the_program_that_it_names(
        self, tmp_path: Path, canary: Canary
    ) -> None:
        """`remote.origin.uploadpack` of a partial clone runs as soon as plain git misses an object."""
        repo = self.repo(tmp_path)
        blob = repo.git("rev-parse", "HEAD:changed.txt")
        for key, value in {
            "core.repositoryFormatVersion": "1",
            "extensions.partialClone": "origin",
            "remote.origin.url": str(build_repo({"x": ""}, tmp_path / "theirs").root),
            "remote.origin.promisor": "true",
            "remote.origin.uploadpack": canary.program("upload-pack", "exit 1"),
            "protocol.file.allow": "always",
        }.items():
            repo.git("config", key, value)
        (tmp_path / "r" / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
        assert asked(repo).objects(["HEAD:changed.txt"]) == [None]
        assert asked(repo).call("diff-tree", "-p", "HEAD~1", "HEAD").code == 128
        assert asked(repo).call("grep", "-l", "one", "HEAD").code
        assert canary.marks() == []
        with pytest.raises(AssertionError):  # the control
            repo.git("cat-file", "-p", blob)
        assert canary.marks() == ["upload-pack"]

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


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("[core\nbroken", "bad config line 1 in file"),
        ("[core]\n\tbare = maybe\n", "bad boolean config value 'maybe' for 'core.bare'"),
        ("[core]\n\tcompression = x\n", "bad numeric config value 'x' for 'core.compression'"),
        ("[core]\n\trepositoryformatversion = 5\n", "Expected git repo version"),
        (
            "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tfoo = bar\n",
            "unknown repository extension",
        ),
    ],
)
def test_a_configuration_that_git_cannot_read_is_no_answer_about_a_row(
    tmp_path: Path, config: str, told: str
) -> None:
    """Every question would fail alike: the run ends with the reason, and no row is to blame."""
    repo = build_repo({"README.md": "# A\n"}, tmp_path / "repo")
    (repo / ".git/config").write_text(config)
    with pytest.raises(CannotRun, match=f"git cannot read this repository: {told}"):
        asked(repo).call("ls-files", "-s")


def test_another_failure_of_git_stays_a_failure_of_the_question(tmp_path: Path) -> None:
    """A broken index, and an object that does not exist."""
    repo = build_repo({"README.md": "# A\n"}, tmp_path / "repo")
    assert asked(repo).call("cat-file", "-t", "HEAD:nothing").code == 128
    (repo / ".git/index").write_text("garbage")
    assert asked(repo).call("ls-files", "-s").code == 128
