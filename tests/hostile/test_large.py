"""Files of gigabytes that cost nothing to make: they are named, and never read into memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin import engine
from goblin.facts.manifests import load_toml
from goblin.git import Git, GitError, at
from goblin.outcome import Verdict
from goblin.paths import reader
from tests.support import Repo, build_repo
from tests.support.mini import facts_of

MARK = "TO" + "DO"


def test_a_waivers_file_of_a_gigabyte_is_the_fail_of_its_row(sample: Repo) -> None:
    """And ends no run: the rows whose findings it might waive are judged without it."""
    with (sample / ".goblin/waivers.tsv").open("wb") as stream:
        stream.truncate(1 << 30)
    report = engine.judge(facts_of(sample, static=True), ("IN-01", "WV-01"))
    assert [result.outcome.verdict for result in report.results] == [Verdict.PASS, Verdict.FAIL]
    assert "more than the" in report.results[1].outcome.summary


@pytest.fixture
def heavy(tmp_path: Path) -> Repo:
    """A repository whose HEAD holds a blob of 160 MiB of zeros, which takes 160 KB."""
    repo = build_repo({"small": "x\n"}, tmp_path / "repo")
    with (repo / "large").open("wb") as stream:
        stream.truncate(160 << 20)
    repo.git("-c", "core.compression=1", "add", "large")
    repo.git("commit", "-q", "-m", "large")
    return repo


def test_a_blob_that_is_larger_than_memory_is_an_error_of_git(heavy: Repo) -> None:
    """By name, one by one and in one go; the same git answers the next question."""
    place = at(str(heavy.root))
    assert place
    asked = Git(place)
    for names in (["HEAD:large"], ["HEAD:small"] * 20 + ["HEAD:large"]):
        with pytest.raises(GitError, match="more than the 128 MiB that are read"):
            asked.objects(names)
    found = asked.objects(["HEAD:small"])[0]
    assert found
    assert found[2] == b"x\n"


def test_of_a_sparse_file_only_what_it_holds_is_read(tmp_path: Path) -> None:
    """A NUL byte for each hole, and the data between them, by the reader of windows and of markers."""
    path = tmp_path / "sparse"
    with path.open("wb") as stream:
        stream.seek(1 << 40)
        stream.write(b"%s here\n" % MARK.encode())
        stream.truncate(1 << 41)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        read = reader(descriptor)
        data = b"".join(iter(lambda: read(1 << 20), b""))
    finally:
        os.close(descriptor)
    assert len(data) < 1 << 20
    assert data.strip(b"\0") == b"%s here\n" % MARK.encode()


def test_a_key_of_thousands_of_parts_is_no_toml() -> None:
    """The parser would take the square of their number, in time and in memory; ordinary texts pass."""
    for key in ("a." * 100_000 + "a", '"a".' * 100_000 + "a", "'a' . " * 100_000 + "a"):
        for text in (f"{key} = 1", f"[{key}]", f"x = {{{key} = 1}}"):
            with pytest.raises(ValueError, match="more than 64 parts"):
                load_toml(text.encode())
    assert load_toml(b'a.b."c.d" = "' + b"1." * 63 + b'"')["a"]["b"]["c.d"]


@pytest.mark.parametrize("path", [".gitignore", ".gitattributes", ".git/info/exclude", ".git/packed-refs"])
def test_a_named_pipe_where_git_reads_is_named_at_once(tmp_path: Path, path: str) -> None:
    """Git would wait at it for ever."""
    repo = build_repo({"README.md": "# A\n"}, tmp_path / "repo")
    (repo / path).parent.mkdir(exist_ok=True)
    (repo / path).unlink(missing_ok=True)
    os.mkfifo(repo / path)
    place = at(str(repo.root))
    assert place
    for asking in (lambda: Git(place).run("status", "-z"), lambda: Git(place).objects(["HEAD"])):
        with pytest.raises(GitError, match=f"{path} is a named pipe"):
            asking()


def test_more_workflows_than_anybody_has_are_not_parsed(tmp_path: Path) -> None:
    """Each is named; reading YAML is slow."""
    comment = "#" * 1000 + "\n"
    text = "on: push\n" + comment * 1000
    repo = build_repo({f".github/workflows/{n:02}.yml": text for n in range(10)}, tmp_path / "repo")
    found = facts_of(repo).get("workflows")
    unread = [workflow.path for workflow in found if workflow.problem]
    assert unread == [".github/workflows/08.yml", ".github/workflows/09.yml"]
