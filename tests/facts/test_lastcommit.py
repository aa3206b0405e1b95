"""The day of the last commit of each file: in the commit's own offset, from one walk, and from a cache."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goblin.facts import lastcommit
from goblin.git import Git, at
from tests.support import Repo, build_repo


def on(day: str, zone: str = "+0000") -> dict[str, str]:
    """The environment of a commit at noon of a day."""
    return {"GIT_COMMITTER_DATE": f"{day}T12:00:00{zone}"}


def git_of(repo: Repo) -> Git:
    found = at(str(repo.root))
    assert found
    return Git(found)


def test_each_file_has_its_day(tmp_path: Path) -> None:
    """The committer's day; a file of no commit has none."""
    repo = build_repo({"a": "1", "b": "1"}, tmp_path, env=on("2026-01-01"))
    repo.commit("b", {"b": "2"}, env=on("2026-01-05"))
    assert lastcommit.days(git_of(repo), repo.head, ["a", "b", "c"]) == {"a": "2026-01-01", "b": "2026-01-05"}


def test_a_day_is_that_of_the_commits_own_offset(tmp_path: Path) -> None:
    """An evening in the west is a morning in UTC."""
    repo = build_repo({"a": "1"}, tmp_path, env={"GIT_COMMITTER_DATE": "2026-01-01T23:30:00-1000"})
    assert lastcommit.days(git_of(repo), repo.head, ["a"]) == {"a": "2026-01-01"}


@pytest.mark.parametrize("few", [100, 0])
def test_odd_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """Line breaks, bytes that are no UTF-8 and names like options, whether git filters or we do."""
    monkeypatch.setattr(lastcommit, "FEW", few)
    names = ["\nb", "a b", "d\u00e9", "\udcff", "-x", ":(top)y", "2026-01-09", "*"]
    repo = build_repo(dict.fromkeys(names, "1"), tmp_path, env=on("2026-01-01"))
    repo.commit("other", {"other": "1", "*": "2"}, env=on("2026-01-02"))
    found = lastcommit.days(git_of(repo), repo.head, names)
    assert found == {**dict.fromkeys(names, "2026-01-01"), "*": "2026-01-02"}


def test_merges(tmp_path: Path) -> None:
    """A merge that changes a file counts; one that only brings a change does not move its day."""
    repo = build_repo({"a": "1", "b": "1", "c": "1"}, tmp_path, env=on("2026-01-01"))
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", {"b": "2", "c": "2"}, env=on("2026-01-02"))
    repo.git("checkout", "-q", "main")
    repo.commit("main", {"c": "3"}, env=on("2026-01-03"))
    repo.git("merge", "-q", "--no-commit", "-s", "ours", "side")
    repo.git("checkout", "side", "--", "b")
    repo.commit("merge", {"a": "1", "c": "4"}, env=on("2026-01-09"))
    days = {"a": "2026-01-01", "b": "2026-01-02", "c": "2026-01-09"}
    assert lastcommit.days(git_of(repo), repo.head, "abc") == days
    assert {path: lastcommit.exactly(git_of(repo), repo.head, path) for path in "abc"} == days


def test_what_a_merge_threw_away_counts_in_the_walk_and_not_exactly(tmp_path: Path) -> None:
    """The walk may say too late a day, never too early a one."""
    repo = build_repo({"a": "1", "b": "1"}, tmp_path, env=on("2026-01-01"))
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", {"a": "2", "b": "2"}, env=on("2026-01-02"))
    repo.git("checkout", "-q", "main")
    repo.commit("main", {"b": "3"}, env=on("2026-01-03"))
    repo.git("merge", "-q", "-s", "ours", "-m", "merge", "side", env=on("2026-01-04"))
    assert lastcommit.days(git_of(repo), repo.head, "ab")["a"] >= "2026-01-01"
    assert lastcommit.exactly(git_of(repo), repo.head, "a") == "2026-01-01"
    assert lastcommit.exactly(git_of(repo), repo.head, "nothing") == ""


def test_the_users_settings_change_nothing(tmp_path: Path) -> None:
    """Root commits are shown, renames are not followed."""
    repo = build_repo({"a": "1\n2\n3\n4\n"}, tmp_path, env=on("2026-01-01"))
    repo.git("mv", "a", "b")
    repo.commit("move", env=on("2026-01-02"))
    for key, value in [("log.showRoot", "false"), ("log.follow", "true"), ("diff.renames", "copies")]:
        repo.git("config", key, value)
    assert lastcommit.days(git_of(repo), repo.head, ["b"]) == {"b": "2026-01-02"}
    assert lastcommit.days(git_of(repo), repo.git("rev-parse", "HEAD~1"), ["a"]) == {"a": "2026-01-01"}


class TestTheCache:
    """Answers are continued from the HEAD that they were made for."""

    def days(self, repo: Repo, paths: str) -> dict[str, str]:
        return lastcommit.days(git_of(repo), repo.head, paths, str(repo / ".git"))

    def kept(self, repo: Repo) -> Path:
        return repo / ".git/goblin/cache" / lastcommit.CACHE

    def test_it_is_used_and_continued(self, tmp_path: Path) -> None:
        """A new commit is added to it; a new path is looked up in all of history."""
        repo = build_repo({"a": "1", "b": "1", "c": "1"}, tmp_path, env=on("2026-01-01"))
        assert self.days(repo, "ab") == {"a": "2026-01-01", "b": "2026-01-01"}
        value = json.loads(self.kept(repo).read_text())
        value["days"]["a"] = "2025-01-01"
        self.kept(repo).write_text(json.dumps(value))
        assert self.days(repo, "ab")["a"] == "2025-01-01"
        repo.commit("b", {"b": "2"}, env=on("2026-01-02"))
        assert self.days(repo, "abc") == {"a": "2025-01-01", "b": "2026-01-02", "c": "2026-01-01"}

    def test_another_line_of_history_starts_anew(self, tmp_path: Path) -> None:
        """What was known of a commit that is no ancestor is forgotten."""
        repo = build_repo({"a": "1"}, tmp_path, env=on("2026-01-01"))
        repo.commit("a", {"a": "2"}, env=on("2026-01-05"))
        assert self.days(repo, "a") == {"a": "2026-01-05"}
        repo.git("reset", "-q", "--hard", "HEAD~1")
        assert self.days(repo, "a") == {"a": "2026-01-01"}

    @pytest.mark.parametrize("text", ["", "[]", '{"head": "x", "days": {}}', '{"head": 1, "days": {"a": 2}}',
                                      '{"head": "' + "0" * 40 + '", "days": {"a": "soon"}}'])  # fmt: skip
    def test_what_was_not_written_here_is_not_believed(self, tmp_path: Path, text: str) -> None:
        """It is worked out again."""
        repo = build_repo({"a": "1"}, tmp_path, env=on("2026-01-01"))
        self.kept(repo).parent.mkdir(parents=True)
        self.kept(repo).write_text(text)
        assert self.days(repo, "a") == {"a": "2026-01-01"}
