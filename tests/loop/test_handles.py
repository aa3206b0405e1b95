"""Handles: one grammar, and what each of them points at in a real repository."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goblin.git import Git, at
from goblin.loop.handles import CONTROL_FILES, Handle, Resolver, parse
from tests.support import Repo, build_repo, git

LOOP = ".goblin/loop"


def resolver_of(repo: Repo) -> Resolver:
    """A resolver for a repository with git."""
    found = at(str(repo.root))
    assert found is not None
    return Resolver(str(repo.root), Git(found))


def resolve(repo: Repo, text: str) -> tuple[bool, str]:
    """Whether one handle resolves, and its canonical spelling or the reason why not."""
    (handle,) = parse(text)
    found = resolver_of(repo).resolve(handle)
    return found.ok, found.canonical if found.ok else found.reason


def digest(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with a file, a folder, a link and an open record."""
    record = dict.fromkeys((f"{LOOP}/{name}" for name in CONTROL_FILES), "the same whatever happens\n")
    files = {"README.md": "# Sample\n", "docs/guide.md": "Guide.\n", "link@": "README.md", **record}
    return build_repo(files, tmp_path)


class TestGrammar:
    def test_a_cell_is_split_on_commas_alone(self) -> None:
        """A command keeps its blanks, so no word of it becomes a path."""
        assert parse(" sha:1a2b3c4 ,cmd:npm test,, file:a b.txt") == (
            Handle("sha", "1a2b3c4", "sha:1a2b3c4"),
            Handle("cmd", "npm test", "cmd:npm test"),
            Handle("file", "a b.txt", "file:a b.txt"),
        )

    @pytest.mark.parametrize("text", ["README.md", "SHA:1a2b3c4", "verified sha:", "http://x", ":", "sha"])
    def test_what_is_no_handle_is_said_to_be_another_thing(self, text: str) -> None:
        """Prose, bare paths and unknown kinds keep their text."""
        assert parse(text) == (Handle("other", text, text),)

    def test_an_empty_cell_holds_nothing(self) -> None:
        """Nor do blanks and commas."""
        assert parse("") == parse(" , ,") == ()

    @given(st.text())
    def test_no_text_raises(self, text: str) -> None:
        """Every handle keeps what was written, trimmed, and is of a known kind."""
        for handle in parse(text):
            assert handle.text in text
            assert handle.kind in ("sha", "file", "sha256", "cmd", "other")
            assert len(handle.shown) <= 123


class TestCommits:
    def test_a_prefix_a_full_id_and_capitals_are_one_commit(self, repo: Repo) -> None:
        """The canonical spelling is the full id."""
        head = repo.head
        for text in (head[:7], head[:12], head, head.upper()):
            assert resolve(repo, f"sha:{text}") == (True, f"sha:{head}")

    def test_a_commit_of_another_branch_or_of_a_tag_counts(self, repo: Repo) -> None:
        """Whatever a ref reaches is there for others too."""
        side = repo.git("commit-tree", "-m", "side", "HEAD^{tree}")
        repo.git("tag", "kept", side)
        assert resolve(repo, f"sha:{side}") == (True, f"sha:{side}")

    def test_a_detached_head_counts(self, repo: Repo) -> None:
        """HEAD reaches it, though no ref does."""
        repo.git("checkout", "--quiet", "--detach")
        head = repo.commit("alone", {"a": "1"})
        assert resolve(repo, f"sha:{head}") == (True, f"sha:{head}")

    def test_what_is_no_reachable_commit_is_refused_with_its_kind(self, repo: Repo) -> None:
        """Dangling commits, trees, blobs and annotated tags each say what they are."""
        dangling = repo.git("commit-tree", "-m", "x", "HEAD^{tree}")
        repo.git("tag", "-a", "-m", "x", "noted")
        wanted = {
            dangling: "is a commit that neither a ref nor HEAD reaches",
            repo.git("rev-parse", "HEAD^{tree}"): "is a tree, not a commit",
            repo.git("rev-parse", "HEAD:README.md"): "is a blob, not a commit",
            repo.git("rev-parse", "noted"): "is a tag, not a commit",
            "0" * 40: "is no commit of this repository",
        }
        for text, reason in wanted.items():
            assert resolve(repo, f"sha:{text}") == (False, reason)

    @pytest.mark.parametrize("name", ["main", "HEAD", "--all", "-1", "HEAD^", "@{0}", "main~0", "a" * 65])
    def test_a_revision_that_is_no_id_is_refused(self, repo: Repo, name: str) -> None:
        """No option and no ref gets to git."""
        ok, reason = resolve(repo, f"sha:{name}")
        assert not ok
        assert "commit id" in reason

    def test_a_branch_called_like_an_id_names_nothing(self, repo: Repo) -> None:
        """A ref never speaks for an object."""
        repo.git("branch", "deadbeef")
        assert resolve(repo, "sha:deadbeef") == (False, "is no commit of this repository")

    def test_too_few_digits_are_refused_even_where_they_are_unique(self, repo: Repo) -> None:
        """A short prefix may stand for another commit tomorrow."""
        ok, reason = resolve(repo, f"sha:{repo.head[:6]}")
        assert not ok
        assert "too short" in reason

    def test_a_shallow_clone_says_so(self, repo: Repo, tmp_path: Path) -> None:
        """What was cut off may exist: the message says how to look."""
        first = repo.head
        repo.commit("second", {"a": "1"})
        git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repo.root}", "clone")
        clone = Repo(tmp_path / "clone")
        ok, reason = resolve(clone, f"sha:{first}")
        assert not ok
        assert "shallow" in reason
        assert "--unshallow" in reason
        assert resolve(clone, f"sha:{clone.head}")[0]

    def test_many_handles_cost_no_process_each(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        """After priming, nothing asks git again."""
        handles = parse(f"sha:{repo.head},sha:{'e' * 40},file:README.md,file:none,file:../x")
        resolver = resolver_of(repo)
        resolver.prime(handles)
        monkeypatch.setenv("PATH", "/nonexistent")
        assert [resolver.resolve(handle).ok for handle in handles] == [True, False, True, False, False]


class TestFiles:
    @pytest.mark.parametrize("path", ["README.md", "./README.md", ".//README.md", "docs/../README.md"])
    def test_spellings_of_a_path(self, repo: Repo, path: str) -> None:
        """Dots and double strokes fold into the one path; a step up never does."""
        assert resolve(repo, f"file:{path}")[0] == (".." not in path)

    @pytest.mark.parametrize(
        ("path", "reason"),
        [
            (".", "is a folder, not a file"),
            ("docs", "is a folder, not a file"),
            ("README.md/", "is a folder, not a file"),
            ("", "is not a relative path inside the repository"),
            ("/etc/passwd", "is not a relative path inside the repository"),
            ("../outside", "is not a relative path inside the repository"),
            ("~/x", "is not a relative path inside the repository"),
            ("C:/x", "is not a relative path inside the repository"),
            ("a\0b", "is not a relative path inside the repository"),
            (".git/HEAD", "is inside a git directory"),
            (".GIT/config", "is inside a git directory"),
            ("link", "is a symbolic link, not a regular file"),
            ("none.txt", "is no file that git tracks"),
            ("-x", "is no file that git tracks"),
            (":(glob)*", "is no file that git tracks"),
            ("x" * 5000, "is no path that a file can have"),
            ("\ud800", "is no path that a file can have"),
        ],
        ids=lambda value: value[:20].encode("ascii", "backslashreplace").decode(),
    )
    def test_what_is_no_tracked_file_is_refused(self, repo: Repo, path: str, reason: str) -> None:
        """Each with the reason."""
        resolver = resolver_of(repo)
        found = resolver.resolve(Handle("file", path, f"file:{path}"))
        assert (found.ok, found.reason) == (False, reason)

    def test_an_untracked_file_is_refused(self, repo: Repo) -> None:
        """Nobody else has it."""
        repo.write({"new.txt": "x"})
        assert resolve(repo, "file:new.txt") == (False, "is no file that git tracks")
        repo.git("add", "new.txt")
        assert resolve(repo, "file:new.txt") == (True, "file:new.txt")

    def test_a_tracked_file_that_is_gone_is_refused(self, repo: Repo) -> None:
        """It cannot be looked at."""
        repo.remove("README.md")
        assert resolve(repo, "file:README.md") == (False, "is tracked, but not in the work tree")

    def test_a_tracked_file_that_became_a_pipe_is_not_opened(self, repo: Repo) -> None:
        """A reader of it would wait for ever."""
        repo.remove("README.md")
        os.mkfifo(repo / "README.md")
        assert resolve(repo, "file:README.md") == (False, "is no regular file here")

    def test_a_folder_that_became_a_link_out_is_refused(self, repo: Repo, tmp_path: Path) -> None:
        """The index still names the file, and the link leads to another one outside."""
        outside = tmp_path.parent / f"{tmp_path.name}-outside"
        outside.mkdir()
        (outside / "guide.md").write_text("x")
        repo.remove("docs/guide.md")
        (repo / "docs").rmdir()
        (repo / "docs").symlink_to(outside)
        assert not resolve(repo, "file:docs/guide.md")[0]

    @pytest.mark.parametrize("name", sorted(CONTROL_FILES))
    def test_the_records_own_files_are_no_evidence(self, repo: Repo, name: str) -> None:
        """Live or archived, by path or by digest, they exist whatever the work achieved."""
        repo.commit("archive", {f"{LOOP}/closed-2026-01-02/{name}": "archived\n"})
        for text in (
            f"file:{LOOP}/{name}",
            f"file:{LOOP}/closed-2026-01-02/{name}",
            f"file:./{LOOP}//{name}",
        ):
            ok, reason = resolve(repo, text)
            assert not ok, text
            assert "the record's own" in reason

    def test_a_file_of_that_name_elsewhere_is_evidence(self, repo: Repo) -> None:
        """Only the record's files are."""
        repo.commit("budget", {"docs/budget": "5\n"})
        assert resolve(repo, "file:docs/budget") == (True, "file:docs/budget")

    def test_a_path_that_is_not_ascii_is_found(self, repo: Repo) -> None:
        """Git quotes it in what it prints for people, not here."""
        repo.commit("name", {"clé.txt": "x"})
        assert resolve(repo, "file:clé.txt") == (True, "file:clé.txt")

    def test_thousands_of_paths_are_looked_up(self, repo: Repo) -> None:
        """More than one command line holds."""
        handles = parse(",".join(f"file:none-{number}" for number in range(1500)) + ",file:README.md")
        resolver = resolver_of(repo)
        resolver.prime(handles)
        assert [handle.value for handle in handles if resolver.resolve(handle).ok] == ["README.md"]


class TestDigests:
    @pytest.mark.parametrize(
        "place", ["turn.log", "out/{digest}.txt", "out/{digest}.json", "out/x", "closed-2026-01-02/t"]
    )
    def test_a_captured_output_resolves(self, repo: Repo, place: str) -> None:
        """Directly in the record, in its out/, or in an archive; committed or not, in any case of hex."""
        data = b"1 failed\n"
        repo.write({f"{LOOP}/{place.format(digest=digest(data))}": data})
        assert resolve(repo, f"sha256:{digest(data).upper()}") == (True, f"sha256:{digest(data)}")

    def test_a_file_deeper_or_elsewhere_does_not(self, repo: Repo) -> None:
        """The record is what stands in its own folders."""
        repo.write({f"{LOOP}/other/deep": "deep\n", "near": "near\n"})
        for data in (b"deep\n", b"near\n"):
            assert resolve(repo, f"sha256:{digest(data)}") == (False, f"is the digest of no file in {LOOP}")

    def test_a_name_that_lies_is_not_believed(self, repo: Repo) -> None:
        """A captured output is named by its digest, and the bytes are read all the same."""
        wanted = digest(b"all passed\n")
        repo.write({f"{LOOP}/out/{wanted}.txt": "1 failed\n"})
        assert not resolve(repo, f"sha256:{wanted}")[0]

    def test_a_link_in_the_record_is_not_followed(self, repo: Repo) -> None:
        """Nor is a folder of outputs that is one."""
        repo.write({"elsewhere/x": "x\n"})
        (repo / LOOP / "turn").symlink_to("../../elsewhere/x")
        (repo / LOOP / "out").symlink_to("../../elsewhere")
        assert not resolve(repo, f"sha256:{digest(b'x' + bytes([10]))}")[0]

    def test_a_pipe_in_the_record_is_not_opened(self, repo: Repo) -> None:
        """And what stands beside it is still found."""
        (repo / LOOP / "out").mkdir()
        os.mkfifo(repo / LOOP / "out" / "pipe")
        repo.write({f"{LOOP}/out/x": "x\n"})
        assert resolve(repo, f"sha256:{digest(b'x' + bytes([10]))}")[0]

    def test_the_digest_of_a_control_file_is_refused_by_name(self, repo: Repo) -> None:
        """It says nothing of the work."""
        repo.write({f"{LOOP}/predicate": "test -f x\n"})
        ok, reason = resolve(repo, f"sha256:{digest(b'test -f x' + bytes([10]))}")
        assert (ok, reason) == (False, "is the digest of the record's own predicate, which is no evidence")

    def test_an_output_with_the_bytes_of_a_control_file_is_evidence(self, repo: Repo) -> None:
        """A command may print nothing, as an empty file does."""
        repo.write({f"{LOOP}/stuck.md": "", f"{LOOP}/out/empty": ""})
        assert resolve(repo, f"sha256:{digest(b'')}")[0]

    @pytest.mark.parametrize("value", ["", "abc", "g" * 64, "a" * 63, "a" * 65])
    def test_what_is_no_digest_is_refused(self, repo: Repo, value: str) -> None:
        """Exactly 64 hex digits."""
        assert resolve(repo, f"sha256:{value}") == (False, "is not 64 hex digits")

    def test_without_a_record_or_git_only_the_reason_is_left(self, tmp_path: Path) -> None:
        """Nothing raises."""
        resolver = Resolver(str(tmp_path), None)
        handles = parse(f"sha:{'a' * 40},file:x,sha256:{'a' * 64},cmd:x,prose")
        resolver.prime(handles)
        found = [resolver.resolve(handle) for handle in handles]
        assert not any(one.ok for one in found)
        assert found[0].reason == found[1].reason == "there is no git repository here"


class TestCanonicalSets:
    def test_spelling_and_order_do_not_matter(self, repo: Repo) -> None:
        """What is pointed at does."""
        head = repo.head
        cells = [f"sha:{head[:7]}, file:./README.md", f"file:README.md,sha:{head.upper()},sha:{head}"]
        sets = {resolver_of(repo).cell(cell).pointer for cell in cells}
        assert sets == {frozenset({f"sha:{head}", "file:README.md"})}

    def test_a_command_beside_a_pointer_says_nothing_new(self, repo: Repo) -> None:
        """Alone it is all that there is."""
        cell = resolver_of(repo).cell
        assert cell("file:a,cmd:x,prose").pointer == cell("file:a").pointer
        assert cell("cmd:npm  test").pointer == cell("cmd:npm test").pointer != cell("cmd:x").pointer

    def test_pointers_that_resolve_to_nothing_are_still_told_apart(self, repo: Repo) -> None:
        """By what was written."""
        cell = resolver_of(repo).cell
        assert cell("file:none").pointer != cell("file:nil").pointer
        assert cell(f"sha:{'e' * 40}").pointer == cell(f"sha:{'E' * 40}").pointer


@given(st.lists(st.text(max_size=30) | st.sampled_from(["sha:", "file:", "sha256:", "cmd:"]).flatmap(
    lambda kind: st.text(st.characters(codec=None), max_size=30).map(lambda value: kind + value)
), max_size=5))  # fmt: skip
def test_no_evidence_raises(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    """Whatever a cell holds, each handle either resolves or says why not."""
    root = tmp_path_factory.getbasetemp() / "hostile-evidence"
    repo = Repo(root) if (root / ".git").exists() else build_repo({"a": "1"}, root)
    resolver = resolver_of(repo)
    handles = parse(",".join(parts))
    resolver.prime(handles)
    for handle in handles:
        found = resolver.resolve(handle)
        assert found.ok != bool(found.reason)
    assert len(resolver.cell(",".join(parts)).pointer) <= len(handles)
