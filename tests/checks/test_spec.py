"""SP: a spec exists, is committed, and can be compared; judged on real repositories."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from goblin.outcome import Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo
from tests.support.repo import Files

SPEC = "# Spec\n\n- AC1: `make test` exits 0\n"
EXISTS = "checks/spec.py::a_spec_exists"
COMMITTED = "checks/spec.py::no_spec_is_uncommitted"
COMPARABLE = "checks/spec.py::acceptance_items_can_be_compared"


def repository(root: Path, files: Files | None = None) -> Repo:
    """A committed repository with one spec, or with these files."""
    return build_repo({"ROUND-000-SPEC.md": SPEC, "a.py": "a\n"} if files is None else files, root)


def recorded(path: str, text: str) -> str:
    """An install record that owns one file."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return json.dumps({"version": "1", "files": {}, "owned": {path: digest}})


class TestExists:
    """SP-01: the root holds a spec."""

    @pytest.mark.parametrize("name", ["ROUND-000-SPEC.md", "anything-SPEC.md", "café-SPEC.md", "-SPEC.md"])
    def test_any_round_will_do(self, tmp_path: Path, name: str) -> None:
        """Whatever stands before the ending."""
        outcome = judge(repository(tmp_path, {name: SPEC}), EXISTS)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert outcome.summary == "1 spec(s) at the root"

    @pytest.mark.parametrize("name", ["docs/ROUND-000-SPEC.md", "SPEC.md", "round-spec.md", "x-SPEC.md.txt"])
    def test_another_place_or_name_will_not(self, tmp_path: Path, name: str) -> None:
        """Below a folder, without the hyphen, in another case, with another ending."""
        outcome = judge(repository(tmp_path, {name: SPEC}), EXISTS)
        assert outcome.verdict is Verdict.FAIL
        assert "no *-SPEC.md at the root" in outcome.summary

    def test_what_is_no_file_with_text_is_named(self, tmp_path: Path) -> None:
        """An empty file, a folder, a link and a pipe are no specs, and none is opened."""
        files: Files = {"a-SPEC.md": " \n\r\n", "b-SPEC.md/x": "x", "c-SPEC.md@": "x", "d": "d"}
        repo = repository(tmp_path, files)
        os.mkfifo(repo / "e-SPEC.md")
        text = said(judge(repo, EXISTS))
        assert text.startswith("FAIL")
        for line in (
            "a-SPEC.md: is empty",
            "b-SPEC.md: is a folder",
            "c-SPEC.md: is a symbolic link",
            "e-SPEC.md: is no regular file",
        ):
            assert line in text
        repo.write({"f-SPEC.md": SPEC})
        assert judge(repo, EXISTS).verdict is Verdict.PASS

    @pytest.mark.parametrize("name", ["ROUND-000-SPEC.md", "ROUND-001-SPEC.md"])
    def test_the_untouched_scaffold_is_recognised(self, tmp_path: Path, name: str) -> None:
        """Under its own name or another, with either line end."""
        record = recorded("ROUND-000-SPEC.md", SPEC)
        for text in (SPEC, SPEC.replace("\n", "\r\n")):
            root = tmp_path / str(len(text))
            repo = repository(root, {name: text, ".goblin/installed.json": record})
            assert "scaffold only" in judge(repo, EXISTS).summary

    def test_an_edited_or_second_spec_is_no_scaffold(self, tmp_path: Path) -> None:
        """The word is for a repository that has written none of its own."""
        record = recorded("ROUND-000-SPEC.md", SPEC)
        repo = repository(tmp_path, {"ROUND-000-SPEC.md": SPEC, ".goblin/installed.json": record})
        repo.write({"ROUND-001-SPEC.md": SPEC})
        assert judge(repo, EXISTS).summary == "2 spec(s) at the root"
        repo.remove("ROUND-001-SPEC.md").write({"ROUND-000-SPEC.md": SPEC + "more\n"})
        assert judge(repo, EXISTS).summary == "1 spec(s) at the root"

    def test_a_broken_record_is_not_this_rows_business(self, tmp_path: Path) -> None:
        """The row passes without the word."""
        repo = repository(tmp_path, {"a-SPEC.md": SPEC, ".goblin/installed.json": "{"})
        assert judge(repo, EXISTS).verdict is Verdict.PASS


class TestCommitted:
    """SP-02: no spec is left uncommitted."""

    def test_committed_specs_at_any_depth_pass(self, tmp_path: Path) -> None:
        """With their number."""
        repo = repository(tmp_path, {"a-SPEC.md": SPEC, "docs/b-SPEC.md": SPEC})
        assert judge(repo, COMMITTED).summary == "2 spec(s) committed"

    def test_an_edit_is_for_another_row(self, tmp_path: Path) -> None:
        """The spec is in the commit; its change is an uncommitted entry like any other."""
        repo = repository(tmp_path).write({"ROUND-000-SPEC.md": SPEC + "more\n"})
        assert judge(repo, COMMITTED).verdict is Verdict.PASS
        repo.git("add", "ROUND-000-SPEC.md")
        assert judge(repo, COMMITTED).verdict is Verdict.PASS

    @pytest.mark.parametrize("name", ["ROUND-001-SPEC.md", "docs/x-SPEC.md", "a b\n-SPEC.md"])
    def test_untracked_and_staged_specs_fail(self, tmp_path: Path, name: str) -> None:
        """At any depth and under any name, until they are committed."""
        repo = repository(tmp_path).write({name: SPEC})
        shown = name.replace("\n", "\\n")
        assert f"{shown}: untracked" in said(judge(repo, COMMITTED))
        repo.git("add", "--intent-to-add", name)
        assert f"{shown}: staged, not committed" in said(judge(repo, COMMITTED))
        repo.git("add", name)
        assert f"{shown}: staged, not committed" in said(judge(repo, COMMITTED))
        repo.write({name: SPEC + "edited after staging\n"})
        assert f"{shown}: staged, not committed" in said(judge(repo, COMMITTED))
        repo.commit()
        assert judge(repo, COMMITTED).summary == "2 spec(s) committed"

    def test_every_one_is_listed_once(self, tmp_path: Path) -> None:
        """In the order of their names."""
        repo = repository(tmp_path).write({"b-SPEC.md": SPEC, "a-SPEC.md": SPEC})
        outcome = judge(repo, COMMITTED)
        assert outcome.summary == "2 spec(s) not committed"
        assert [finding.path for finding in outcome.findings] == ["a-SPEC.md", "b-SPEC.md"]

    def test_untracked_specs_show_whatever_the_settings_hide(self, tmp_path: Path) -> None:
        """The user may hide untracked files from himself, not from the row."""
        repo = repository(tmp_path).write({"docs/x-SPEC.md": SPEC})
        repo.git("config", "status.showUntrackedFiles", "no")
        assert "docs/x-SPEC.md: untracked" in said(judge(repo, COMMITTED))

    @pytest.mark.parametrize("ignore", [".gitignore", ".git/info/exclude"])
    def test_an_ignored_spec_at_the_root_fails(self, tmp_path: Path, ignore: str) -> None:
        """A listing of untracked files does not show it."""
        repo = repository(tmp_path).write({ignore: "*-SPEC.md\n", "ROUND-001-SPEC.md": SPEC})
        assert "ROUND-001-SPEC.md: ignored by git" in said(judge(repo, COMMITTED))

    def test_a_tracked_spec_may_match_an_ignore_rule(self, tmp_path: Path) -> None:
        """It is in the commit all the same."""
        repo = repository(tmp_path)
        repo.commit("ignore", {".gitignore": "*-SPEC.md\n"})
        assert judge(repo, COMMITTED).verdict is Verdict.PASS

    def test_an_ignored_folder_is_not_searched(self, tmp_path: Path) -> None:
        """What a dependency ships below an ignored folder is not the project's spec."""
        repo = repository(tmp_path)
        repo.commit("ignore", {".gitignore": "deps/\n"})
        repo.write({"deps/p/x-SPEC.md": SPEC})
        assert judge(repo, COMMITTED).verdict is Verdict.PASS

    def test_taking_it_out_of_the_index_fails(self, tmp_path: Path) -> None:
        """It is about to leave the tree while the file stays."""
        repo = repository(tmp_path)
        repo.git("rm", "-q", "--cached", "ROUND-000-SPEC.md")
        assert "ROUND-000-SPEC.md: untracked" in said(judge(repo, COMMITTED))

    def test_a_merge_conflict_in_a_committed_spec_is_for_another_row(self, tmp_path: Path) -> None:
        """Both sides have it; one that only the other side adds is not committed here."""
        repo = repository(tmp_path)
        repo.git("checkout", "-q", "-b", "side")
        repo.commit("side", {"ROUND-000-SPEC.md": "side\n", "b-SPEC.md": "side\n"})
        repo.git("checkout", "-q", "main")
        repo.commit("main", {"ROUND-000-SPEC.md": "main\n", "b-SPEC.md": "main\n"})
        with pytest.raises(AssertionError):
            repo.git("merge", "side")
        assert {line[:2] for line in repo.git("status", "--porcelain").splitlines()} == {"UU", "AA"}
        assert judge(repo, COMMITTED).verdict is Verdict.PASS

    def test_no_spec_anywhere_is_nothing_to_judge(self, tmp_path: Path) -> None:
        """SP-01 is the row that wants one."""
        outcome = judge(repository(tmp_path, {"a.py": "a\n"}), COMMITTED)
        assert (outcome.verdict, outcome.summary) == (Verdict.SKIP, "no *-SPEC.md anywhere")

    def test_before_the_first_commit_and_without_a_repository(self, tmp_path: Path) -> None:
        """Neither is an empty list of problems."""
        unborn = build_repo({"a-SPEC.md": SPEC}, tmp_path / "unborn", commit=None)
        assert said(judge(unborn, COMMITTED)).startswith("FAIL\nno commits yet")
        (tmp_path / "plain").mkdir()
        (tmp_path / "plain" / "a-SPEC.md").write_text(SPEC)
        assert said(judge(Repo(tmp_path / "plain"), COMMITTED)).startswith("FAIL\nno git repository")

    def test_git_failing_is_a_failure(self, tmp_path: Path) -> None:
        """A broken index is no clean one."""
        repo = repository(tmp_path)
        (repo / ".git" / "index").write_bytes(b"DIRC rubbish")
        outcome = judge(repo, COMMITTED)
        assert outcome.verdict is Verdict.FAIL
        assert "git said:" in outcome.summary


class TestComparable:
    """SP-03: each acceptance item shows something that a machine can compare."""

    def test_comparable_items_pass_with_their_number(self, tmp_path: Path) -> None:
        """Over all specs at the root."""
        repo = repository(tmp_path, {"a-SPEC.md": SPEC, "b-SPEC.md": SPEC, "docs/c-SPEC.md": "- AC1: x\n"})
        assert judge(repo, COMPARABLE).summary == "2 AC item(s) in 2 spec(s)"

    def test_every_vague_item_is_listed(self, tmp_path: Path) -> None:
        """With its place and its text."""
        repo = repository(tmp_path).write(
            {"ROUND-000-SPEC.md": SPEC + "- AC9: the panel\n  feels right\n", "b-SPEC.md": "- AC1: fine\n"}
        )
        text = said(judge(repo, COMPARABLE))
        assert text.startswith("FAIL\n3 AC item(s) in 2 spec(s)")
        assert "ROUND-000-SPEC.md:4: nothing to compare: AC9: the panel feels right" in text
        assert "b-SPEC.md:1: nothing to compare: AC1: fine" in text

    def test_no_item_passes_with_a_word(self, tmp_path: Path) -> None:
        """It is flagged, not failed."""
        outcome = judge(repository(tmp_path, {"a-SPEC.md": "# Spec\n"}), COMPARABLE)
        assert outcome.verdict is Verdict.PASS
        assert outcome.summary.startswith("0 AC item(s) in 1 spec(s); write at least one")

    @pytest.mark.parametrize("files", [{"a.py": "a\n"}, {"a-SPEC.md": "\n"}])
    def test_no_spec_fails(self, tmp_path: Path, files: Files) -> None:
        """None, or only an empty one."""
        assert said(judge(repository(tmp_path, files), COMPARABLE)).startswith(
            "FAIL\nno *-SPEC.md at the root"
        )

    def test_a_spec_that_is_no_text_fails(self, tmp_path: Path) -> None:
        """It cannot have been read."""
        repo = repository(tmp_path, {"a-SPEC.md": b"# S\n- AC1: \xff `x`\n"})
        assert "a-SPEC.md:2: not UTF-8" in said(judge(repo, COMPARABLE))

    def test_line_ends_and_a_mark_change_nothing(self, tmp_path: Path) -> None:
        """CRLF and a byte-order mark are read as if they were not there."""
        text = "- AC1: vague\n- AC2: `x`\n"
        repo = repository(tmp_path, {"a-SPEC.md": b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()})
        assert "a-SPEC.md:1: nothing to compare: AC1: vague" in said(judge(repo, COMPARABLE))
