"""Digests of runtime data: files, folders, links and globs, and nothing outside the repository."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from goblin.facts import runtimedata
from goblin.facts.runtimedata import snapshot
from goblin.paths import Tree
from tests.support import write_files

ONE = hashlib.sha256(b"1").hexdigest()


def look(root: Path, *declared: str) -> dict[str, str]:
    """A snapshot below a folder."""
    return snapshot(Tree(str(root)), declared)


def test_a_file_is_its_bytes_and_an_absent_one_is_missing(tmp_path: Path) -> None:
    """As `sha256sum` gives it, whatever its name and size."""
    big = b"x" * 3_000_000
    write_files(tmp_path, {"a": "1", "d/é b": big})
    assert look(tmp_path, "a", "d/é b", "gone", "a/below", "d/gone") == {
        "a": ONE,
        "d/é b": hashlib.sha256(big).hexdigest(),
        "gone": "missing",
        "a/below": "missing",
        "d/gone": "missing",
    }


@pytest.mark.parametrize(
    "change",
    [
        {"d/x": "2"},
        {"d/new": ""},
        {"d/e/deep": "1"},
        {"d/link@": "x"},
        {"d/.hidden": "1"},
        {"d/e2/y": "1"},
    ],
)
def test_a_folder_is_its_sorted_tree(tmp_path: Path, change: dict[str, str]) -> None:
    """Any change of content, name or kind below it changes its digest; time stamps do not."""
    write_files(tmp_path, {"d/x": "1", "d/e/y": "1"})
    before = look(tmp_path, "d")
    os.utime(tmp_path / "d" / "x", (1, 1))
    assert look(tmp_path, "d/") == before
    write_files(tmp_path, change)
    assert look(tmp_path, "d") != before
    assert len(before["d"]) == 64


def test_an_empty_folder_is_not_a_missing_one(tmp_path: Path) -> None:
    """Both are states that a gate can change."""
    (tmp_path / "d").mkdir()
    assert len(look(tmp_path, "d")["d"]) == 64


def test_a_link_is_where_it_points_and_is_not_followed(tmp_path: Path) -> None:
    """A change of its goal does not count, another goal does, and a goal outside is not read."""
    (tmp_path / "r").mkdir()
    (tmp_path / "secret").write_text("1")
    (tmp_path / "r" / "link").symlink_to("../secret")
    before = look(tmp_path / "r", "link")
    (tmp_path / "secret").write_text("2")
    assert look(tmp_path / "r", "link") == before
    assert before["link"] not in (ONE, "missing", "outside")
    (tmp_path / "r" / "link").unlink()
    (tmp_path / "r" / "link").symlink_to("elsewhere")
    assert look(tmp_path / "r", "link") != before


@pytest.mark.parametrize(
    "path", ["../secret", "/etc/passwd", "a/../../secret", "~/x", "folder/secret", "", "\\x"]
)
def test_a_path_that_leaves_the_repository_is_outside(tmp_path: Path, path: str) -> None:
    """As text or through a folder that is a link; nothing there is looked at."""
    (tmp_path / "r").mkdir()
    (tmp_path / "secret").write_text("1")
    (tmp_path / "r" / "folder").symlink_to(tmp_path)
    assert look(tmp_path / "r", path) == {path: "outside"}


def test_globs(tmp_path: Path) -> None:
    """Each match by itself, sorted; folders deep with `**`; none stands for itself."""
    write_files(tmp_path, {"a.log": "1", "b.log": "1", "c.txt": "1", "d/e/f.log": "1"})
    assert look(tmp_path, "*.log") == {"a.log": ONE, "b.log": ONE}
    assert set(look(tmp_path, "**/*.log")) == {"a.log", "b.log", "d/e/f.log"}
    assert look(tmp_path, "*.none") == {"*.none": "missing"}


def test_a_file_whose_name_looks_like_a_glob(tmp_path: Path) -> None:
    """The name itself comes first."""
    write_files(tmp_path, {"a[1].log": "1", "a1.log": "2"})
    assert look(tmp_path, "a[1].log") == {"a[1].log": ONE}


def test_a_glob_through_a_link_stays_outside(tmp_path: Path) -> None:
    """What is found behind a link that leaves is named, and not read."""
    (tmp_path / "r").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.log").write_text("1")
    (tmp_path / "r" / "in").symlink_to(tmp_path / "out")
    assert look(tmp_path / "r", "*/x.log") == {"in/x.log": "outside"}


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    """By itself and inside a folder."""
    (tmp_path / "d").mkdir()
    os.mkfifo(tmp_path / "p")
    os.mkfifo(tmp_path / "d" / "p")
    assert look(tmp_path, "p")["p"].startswith("special")
    assert len(look(tmp_path, "d")["d"]) == 64


def test_links_that_go_round_end(tmp_path: Path) -> None:
    """A folder that holds a link to itself."""
    write_files(tmp_path, {"d/x": "1", "d/round@": "."})
    assert len(look(tmp_path, "d")["d"]) == 64
    assert look(tmp_path, "**/x")["d/x"] == ONE


def test_a_tree_of_very_many_files_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is bounded, and the reason is no digest."""
    monkeypatch.setattr(runtimedata, "MOST_FILES", 3)
    write_files(tmp_path, {f"d/{n}": "" for n in range(5)})
    assert look(tmp_path, "d") == {"d": "too large: more than 3 files"}
    assert look(tmp_path, "**/*") == {"**/*": "too large: more than 3 files"}


def test_links_that_go_round_in_many_ways_end(tmp_path: Path) -> None:
    """`**` goes through no link: two to one folder would be a path for each way around."""
    write_files(tmp_path, {"d/x": "1", "d/one@": ".", "d/other@": ".", "d/e/x": "1"})
    assert set(look(tmp_path, "**")) == {"d", "d/x", "d/one", "d/other", "d/e", "d/e/x"}
    assert look(tmp_path, "**/x") == {"d/x": ONE, "d/e/x": ONE}


def test_folders_in_folders_are_looked_at_once(tmp_path: Path) -> None:
    """However many `**` a glob has."""
    deep = "/".join("a" * 60)
    write_files(tmp_path, {f"{deep}/x": "1"})
    assert look(tmp_path, "/".join(["**"] * 12) + "/x") == {f"{deep}/x": ONE}
    assert look(tmp_path, "**/a/" * 6 + "x") == {f"{deep}/x": ONE}


def test_a_glob_below_a_link_that_leaves_looks_at_nothing(tmp_path: Path) -> None:
    """The link itself is all that there is."""
    (tmp_path / "r").mkdir()
    (tmp_path / "out" / "deep").mkdir(parents=True)
    (tmp_path / "r" / "in").symlink_to(tmp_path / "out")
    assert look(tmp_path / "r", "in/**").keys() == {"in"}
