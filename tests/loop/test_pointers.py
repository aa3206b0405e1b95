"""Pointers made readable: subjects, states and output excerpts, safe to print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goblin import git as plumbing
from goblin.loop.handles import DIRECTORY, Resolver, parse
from goblin.loop.pointers import Evidence, Reader, printable, size
from tests.support import Repo, build_repo
from tests.support.loops import LOOP, digest

TOKEN = "ghp_" + "a" * 36


def read(repo: Repo, cell: str) -> list[Evidence]:
    """The handles of a cell, read in this repository."""
    root = str(repo.root)
    found = plumbing.at(root)
    git = plumbing.Git(found) if found else None
    handles = parse(cell)
    told = Reader(root, git, Resolver(root, git), DIRECTORY).read(handles)
    return [told[handle.text] for handle in handles]


def test_a_commit_is_its_subject_and_date(tmp_path: Path) -> None:
    """However the id is written; a body is not shown."""
    repo = build_repo({"a": "1"}, tmp_path)
    when = {"GIT_COMMITTER_DATE": "2026-09-24T23:14:00+02:00"}
    oid = repo.commit("Parse the nested case\n\nA body.", {"a": "2"}, env=when)
    short, long = read(repo, f"sha:{oid[:9]}, sha:{oid.upper()}")
    assert (short.title, short.when, short.state) == ("Parse the nested case", "2026-09-24T21:14:00Z", "")
    assert (long.title, long.when) == (short.title, short.when)
    assert short.handle == f"sha:{oid[:9]}"


def test_a_commit_beside_head_says_so(tmp_path: Path) -> None:
    """It resolves, and the reader learns that the branch he looks at does not hold it."""
    repo = build_repo({"a": "1"}, tmp_path)
    repo.git("switch", "--quiet", "--create", "side")
    oid = repo.commit("Aside", {"a": "2"})
    repo.git("switch", "--quiet", "main")
    (one,) = read(repo, f"sha:{oid}")
    assert one.resolved
    assert one.state == "not under HEAD"


def test_a_file_is_told_as_it_is_now(tmp_path: Path) -> None:
    """Its last commit, its size, and an edit since."""
    repo = build_repo({"a.txt": "1", "b.txt": "12"}, tmp_path, commit="first")
    repo.commit("second", {"b.txt": "123"}, env={"GIT_COMMITTER_DATE": "2026-09-24T23:14:00Z"})
    repo.write({"a.txt": "edited"})
    a, b = read(repo, "file:a.txt, file:b.txt")
    assert (a.title, a.state) == ("a.txt", "last commit: first, edited since, 6 bytes")
    assert (b.when, b.state) == ("2026-09-24T23:14:00Z", "last commit: second, 3 bytes")


def test_a_staged_file_is_not_committed_yet(tmp_path: Path) -> None:
    """Git tracks it, so it resolves; no commit holds it."""
    repo = build_repo({"a.txt": "1"}, tmp_path)
    repo.write({"new.txt": "22"}).git("add", "new.txt")
    assert read(repo, "file:new.txt")[0].state == "not committed yet, 2 bytes"


def test_a_captured_output_is_its_last_lines(tmp_path: Path) -> None:
    """The end of it, where a program says how it ended; credentials and controls do not come along."""
    output = b"".join(b"line %d\n" % n for n in range(40)) + f"\x1b[31mFAILED\x1b[0m {TOKEN}\n".encode()
    repo = build_repo({f"{LOOP}out/{digest(output)}.txt": output}, tmp_path)
    (one,) = read(repo, f"sha256:{digest(output)}")
    assert one.title == f"{LOOP}out/{digest(output)}.txt"
    assert len(one.excerpt) == 12
    assert one.excerpt[-1] == "FAILED <forge token hidden>"


@pytest.mark.parametrize("place", ["notes.log", "closed-2026-09-24/notes.log"])
def test_an_output_under_any_name_is_found_by_its_digest(tmp_path: Path, place: str) -> None:
    """A record kept by hand names its files as it likes."""
    repo = build_repo({LOOP + place: "all green\n"}, tmp_path)
    (one,) = read(repo, f"sha256:{digest('all green' + chr(10))}")
    assert (one.title, one.excerpt) == (LOOP + place, ("all green",))


def test_a_turn_card_is_read_out(tmp_path: Path) -> None:
    """How the predicate and the gates ended, and the end of the output that the card names."""
    output = "2 markers left\n"
    card = json.dumps(
        {"v": 1, "tree": "0" * 40, "predicate_exit": 1, "predicate_out": digest(output),
         "gates": [{"id": "unit", "exit": 0}, {"id": "li\x1bnt", "exit": 2}, "odd", {"id": 3, "exit": 1}]}
    )  # fmt: skip
    files = {f"{LOOP}out/{digest(card)}.json": card, f"{LOOP}out/{digest(output)}.txt": output}
    (one,) = read(build_repo(files, tmp_path), f"sha256:{digest(card)}")
    assert one.state == r"turn card: predicate exit 1, gate unit exit 0, gate li\x1bnt exit 2"
    assert one.excerpt == ("2 markers left",)


@pytest.mark.parametrize(
    "card", ["{", "[]", '{"predicate_exit": 1e999}', '{"predicate_exit": true, "gates": 7}', "[" * 100_000]
)
def test_a_card_that_is_none_harms_nothing(tmp_path: Path, card: str) -> None:
    """It is shown as the text that it is, or as a card that says nothing."""
    repo = build_repo({f"{LOOP}out/{digest(card)}.json": card}, tmp_path)
    (one,) = read(repo, f"sha256:{digest(card)}")
    assert one.resolved
    assert all(len(line) <= 410 for line in one.excerpt)


def test_what_points_at_nothing_says_why(tmp_path: Path) -> None:
    """A reader learns what is missing, not only that something is."""
    repo = build_repo({"a": "1"}, tmp_path)
    lost = read(repo, "sha:" + "0" * 40 + ", file:gone.txt, cmd:npm test, words, sha256:" + "1" * 64)
    assert [one.resolved for one in lost] == [False] * 5
    assert all(one.reason for one in lost)


def test_a_hostile_subject_and_name_are_text(tmp_path: Path) -> None:
    """Escapes, bidirectional marks and credentials of a commit or a path never reach the reader raw."""
    name = "a\u202eb.txt"
    repo = build_repo({name: "1"}, tmp_path)
    oid = repo.commit(f"evil \x1b[31m\u202e {TOKEN}", {"x": "1"})
    commit, file = read(repo, f"sha:{oid}, file:{name}")
    assert commit.title == r"evil \x1b[31m\u202e <forge token hidden>"
    assert file.title == r"a\u202eb.txt"


def test_the_repository_names_no_program_to_run(tmp_path: Path) -> None:
    """Filters, external diffs and monitors of its configuration are not started by a look at a file."""
    mark = tmp_path / "ran"
    repo = build_repo({"a.txt": "1", ".gitattributes": "* filter=evil diff=evil\n"}, tmp_path / "repo")
    for key in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.external"):
        repo.git("config", key, f"touch {mark}")
    repo.git("config", "core.fsmonitor", f"touch {mark}")
    repo.write({"a.txt": "2"})
    (one,) = read(repo, "file:a.txt")
    assert "edited since" in one.state
    assert not mark.exists()


def test_without_a_repository_only_outputs_are_read(tmp_path: Path) -> None:
    """A record outside git is still told."""
    output = tmp_path / LOOP / "out" / f"{digest('ok')}.txt"
    output.parent.mkdir(parents=True)
    output.write_text("ok")
    found, lost = read(Repo(tmp_path), f"sha256:{digest('ok')}, sha:1234567")
    assert found.excerpt == ("ok",)
    assert not lost.resolved


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("plain", 10, "plain"),
        ("a\tb", 10, "a b"),
        ("a\x1b[31mb", 20, r"a\x1b[31mb"),
        ("x" * 30, 10, "x" * 10 + "..."),
        (f"{'y' * 5} {TOKEN} after", 40, "yyyyy <forge token hidden> after"),
        ("z" * 20 + " " + TOKEN, 22, "z" * 20 + " <..."),
    ],
)
def test_text_is_cut_masked_and_cleaned(text: str, width: int, shown: str) -> None:
    """In that sense: no half of a credential is ever left at the cut."""
    assert printable(text, width) == shown


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (12_345, "12 kB"),
        (5_400_000, "5.4 MB"),
    ],
)
def test_sizes_as_a_person_says_them(count: int, told: str) -> None:
    """Two digits are enough."""
    assert size(count) == told
