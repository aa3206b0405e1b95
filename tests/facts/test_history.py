"""Ids are looked up as object ids alone, and ancestry is told for many of them at once."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from goblin.facts.history import History
from goblin.outcome import CheckFailed
from tests.support import Repo, build_repo, git
from tests.support.mini import facts_of


def history_of(repo: Repo) -> History:
    """The fact, as a run computes it."""
    found: History = facts_of(repo).get("history")
    return found


def object_id(kind: str, body: bytes) -> str:
    """The id that git gives an object."""
    return hashlib.sha1(b"%s %d\0%s" % (kind.encode(), len(body), body), usedforsecurity=False).hexdigest()


def colliding(repo: Repo, kinds: tuple[str, str], digits: int = 7) -> str:
    """Write two objects of these kinds whose ids begin alike, and return the digits that they share."""
    tree = repo.git("rev-parse", "HEAD^{tree}")

    def body(kind: str, number: int) -> bytes:
        who = "A <a@example.invalid> 1767323045 +0000"
        text = f"tree {tree}\nauthor {who}\ncommitter {who}\n\n{number}\n"
        return (text if kind == "commit" else f"{number}\n").encode()

    seen: dict[str, bytes] = {}
    for number in range(1_000_000):
        for which, kind in enumerate(dict.fromkeys(kinds)):
            data = body(kind, number)
            start = object_id(kind, data)[:digits]
            other = seen.get(start)
            if other is not None and (kinds[0] == kinds[1] or which == 1):
                repo.git("hash-object", "-t", kinds[0], "-w", "--stdin", stdin=other)
                repo.git("hash-object", "-t", kind, "-w", "--stdin", stdin=data)
                return start
            if which == 0:
                seen[start] = data
    raise AssertionError("no collision found")


def test_a_prefix_and_a_full_id_name_their_commit(tmp_path: Path) -> None:
    """Seven digits are enough where they stand for one object."""
    repo = build_repo({"a": "1"}, tmp_path)
    head = repo.head
    named = history_of(repo).named([head[:7], head[:12], head])
    assert {name.commit for name in named.values()} == {head}


def test_a_branch_or_tag_called_like_an_id_names_nothing(tmp_path: Path) -> None:
    """A ref never speaks for an object id, though git itself would follow it."""
    repo = build_repo({"a": "1"}, tmp_path)
    repo.git("branch", "deadbeef")
    repo.git("tag", "0000000")
    assert repo.git("rev-parse", "--verify", "deadbeef") == repo.head
    named = history_of(repo).named(["deadbeef", "0000000"])
    assert [name.commit for name in named.values()] == ["", ""]
    assert named["deadbeef"].reason == "is no commit of this repository"


def test_a_ref_cannot_hide_the_commit_whose_id_it_takes(tmp_path: Path) -> None:
    """The commit that begins with the digits is found behind a tag of that name."""
    repo = build_repo({"a": "1"}, tmp_path)
    first = repo.head
    second = repo.commit("second", {"a": "2"})
    repo.git("tag", first[:8], second)
    assert history_of(repo).named([first[:8]])[first[:8]].commit == first


@pytest.mark.parametrize("kind", ["tree", "blob", "tag"])
def test_another_kind_of_object_is_named_as_such(tmp_path: Path, kind: str) -> None:
    """A tree, a blob or an annotated tag is no commit, and is not peeled to one."""
    repo = build_repo({"a": "1"}, tmp_path)
    repo.git("tag", "-a", "-m", "x", "v1")
    oid = repo.git("rev-parse", {"tree": "HEAD^{tree}", "blob": "HEAD:a", "tag": "v1"}[kind])
    assert history_of(repo).named([oid])[oid].reason == f"is a {kind}, not a commit"


def test_digits_that_two_commits_share_name_neither(tmp_path: Path) -> None:
    """More digits are asked for, and do."""
    repo = build_repo({"a": "1"}, tmp_path)
    shared = colliding(repo, ("commit", "commit"))
    assert history_of(repo).named([shared])[shared].reason == "stands for 2 commits; write more digits"


def test_digits_that_a_commit_shares_with_a_blob_name_the_commit(tmp_path: Path) -> None:
    """Only commits are meant, whatever the repository's own settings prefer."""
    repo = build_repo({"a": "1"}, tmp_path)
    shared = colliding(repo, ("commit", "blob"))
    repo.git("config", "core.disambiguate", "blob")
    named = history_of(repo).named([shared])[shared]
    assert named.commit.startswith(shared), named
    assert repo.git("cat-file", "-t", named.commit) == "commit"


@pytest.mark.parametrize("token", ["", "abc", "HEAD", "main", "DEADBEEF", "deadbee\n", "-deadbeef", "0" * 65])
def test_what_is_no_id_is_never_handed_to_git(tmp_path: Path, token: str) -> None:
    """Names, options, upper case and stray lengths are refused before git could give them a meaning."""
    repo = build_repo({"a": "1"}, tmp_path)
    assert history_of(repo).named([token])[token].reason == "is not a commit id"


def test_ancestors_are_told_from_side_branches_and_orphans(tmp_path: Path) -> None:
    """HEAD itself counts; a commit on an unmerged branch does not, though it descends from HEAD's past."""
    repo = build_repo({"a": "1"}, tmp_path)
    first = repo.head
    second = repo.commit("second")
    repo.git("checkout", "-q", "-b", "side", first)
    side = repo.commit("side")
    repo.git("checkout", "-q", "--orphan", "other")
    orphan = repo.commit("orphan")
    repo.git("checkout", "-q", "main")
    history = history_of(repo)
    assert history.ancestors([first, second, side, orphan]) == {first, second}
    assert history.ancestors([side]) == frozenset()
    assert history.ancestors([]) == frozenset()


def test_distance_counts_the_commits_above(tmp_path: Path) -> None:
    """0 for HEAD, every commit of a merged side branch counts, None outside HEAD's history."""
    repo = build_repo({"a": "1"}, tmp_path)
    first = repo.head
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", {"b": "1"})
    repo.git("checkout", "-q", "main")
    repo.commit("second", {"a": "2"})
    repo.git("merge", "-q", "--no-edit", "side")
    repo.git("checkout", "-q", "-b", "away", first)
    away = repo.commit("away")
    repo.git("checkout", "-q", "main")
    history = history_of(repo)
    assert [history.distance(c) for c in (repo.head, side, first, away)] == [0, 2, 3, None]


def test_a_sha256_repository_has_longer_ids(tmp_path: Path) -> None:
    """Full ids of 64 digits resolve there."""
    git(tmp_path, "init", "-q", "--object-format=sha256", "-b", "main")
    repo = Repo(tmp_path)
    head = repo.commit("start", {"a": "1"})
    history = history_of(repo)
    assert history.id_length == 64
    assert history.named([head])[head].commit == head


def test_the_last_commit_that_touched_a_path(tmp_path: Path) -> None:
    """Later commits that leave the path alone are passed over; a path is never a pattern."""
    repo = build_repo({"a": "1", "*": "1"}, tmp_path)
    first = repo.head
    second = repo.commit("second", {"a": "2"})
    repo.commit("third", {"b": "3"})
    history = history_of(repo)
    assert [history.last_touching(path) for path in ("a", "*", "none")] == [second, first, ""]


def test_the_changes_of_head(tmp_path: Path) -> None:
    """Against the first parent; everything for a first commit; odd names whole; a rename is two paths."""
    repo = build_repo({"café\n.py": "1", "b": "2"}, tmp_path)
    assert sorted(facts_of(repo).get("head_changes").paths) == ["b", "café\n.py"]
    repo.git("mv", "b", "c")
    repo.commit("rename")
    assert sorted(facts_of(repo).get("head_changes").paths) == ["b", "c"]


def test_a_merge_is_compared_with_its_first_parent(tmp_path: Path) -> None:
    """What a merge brings in is what it changes."""
    repo = build_repo({"a": "1"}, tmp_path)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", {"b": "1"})
    repo.git("checkout", "-q", "main")
    repo.commit("second", {"a": "2"})
    repo.git("merge", "-q", "--no-edit", "side")
    assert facts_of(repo).get("head_changes").paths == ("b",)


def test_a_shallow_clone_says_that_the_parent_is_missing(tmp_path: Path) -> None:
    """Nothing is compared with thin air: every file would look new."""
    repo = build_repo({"a": "1"}, tmp_path / "origin")
    repo.commit("second", {"a": "2"})
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo.root}", "clone")
    facts = facts_of(Repo(tmp_path / "clone"))
    assert facts.get("history").shallow
    with pytest.raises(CheckFailed, match="fetch full history"):
        facts.get("head_changes")


def test_without_a_commit_every_question_has_the_same_answer(tmp_path: Path) -> None:
    """`no commits yet`, not a crash."""
    repo = build_repo({"a": "1"}, tmp_path, commit=None)
    history = history_of(repo)
    assert history.named(["deadbeef"])["deadbeef"].commit == ""
    for ask in (
        lambda: history.distance("0" * 40),
        lambda: history.last_touching("a"),
        lambda: history.id_length,
    ):
        with pytest.raises(CheckFailed, match="no commits yet"):
            ask()
