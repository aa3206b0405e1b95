"""goblin-count: what is counted, what is left out, and when no number is given."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goblin import counting
from tests.support import PROJECT, Repo, build_repo, git, hermetic, run_cli

COMMAND = PROJECT / "bin" / "goblin-count"
MARK = "TO" + "DO"
FIX = "FIX" + "ME"


def counted(root: Path | Repo, *arguments: str) -> int:
    """The number for these arguments, in-process."""
    return counting.count(counting.parse(arguments), os.fspath(root)).number


# --- markers ---------------------------------------------------------------------------------


def test_lines_are_counted_once_each_and_words_whole(tmp_path: Path) -> None:
    """Two markers on one line are one line; a longer name and lower case are no marker."""
    text = f"// {MARK} a {FIX} b\nx\n{FIX}:\n{MARK}_LIST = 1\nMY{MARK}\n{MARK.lower()}\n({MARK})"
    repo = build_repo({"a.ts": text}, tmp_path)
    assert counted(repo, "markers", "--ext", "ts") == 3


def test_only_the_named_endings_are_read_in_any_case(tmp_path: Path) -> None:
    """`ts` is not `tsx`, and `A.TS` is a TypeScript file."""
    repo = build_repo({"a.ts": MARK, "b.tsx": MARK, "C.TS": MARK, "ts": MARK, "d.py": MARK}, tmp_path)
    assert counted(repo, "markers", "--ext", "ts") == 2
    assert counted(repo, "markers", "--ext", ".ts, tsx") == 3


def test_an_ending_is_what_follows_a_dot(tmp_path: Path) -> None:
    """A file that is called `ts` has no ending."""
    assert counted(build_repo({"ts": MARK}, tmp_path), "markers", "--ext", "ts") == 0


def test_the_harness_its_skills_and_dependencies_are_left_out(tmp_path: Path) -> None:
    """Else the harness's own text would raise the number that it guards."""
    folders = [".goblin", "pkg/.goblin", "node_modules/x", "pkg/node_modules/x", *counting.SKILLS_DIRECTORIES]
    repo = build_repo({f"{folder}/a.md": MARK for folder in folders} | {"a.md": MARK}, tmp_path)
    assert counted(repo, "markers", "--ext", "md") == 1


def test_the_number_is_the_same_before_and_after_git_add(tmp_path: Path) -> None:
    """A new file counts before it is added, and an ignored one never does."""
    repo = build_repo({".gitignore": "out/\n", "a.ts": MARK}, tmp_path)
    repo.write({"b.ts": MARK, "out/c.ts": MARK})
    before = counted(repo, "markers", "--ext", "ts")
    repo.git("add", "--all")
    assert before == counted(repo, "markers", "--ext", "ts") == 2


def test_a_repository_without_a_commit_and_a_folder_without_git_are_counted(tmp_path: Path) -> None:
    """The installer measures such trees too."""
    files = {"a.ts": MARK, "node_modules/a.ts": MARK, "d/b.ts": MARK}
    assert counted(build_repo(files, tmp_path / "unborn", commit=None), "markers", "--ext", "ts") == 2
    shutil.copytree(tmp_path / "unborn", tmp_path / "plain", ignore=shutil.ignore_patterns(".git"))
    assert counted(tmp_path / "plain", "markers", "--ext", "ts") == 2


def test_a_path_limits_what_is_read_and_a_missing_one_is_no_number(tmp_path: Path) -> None:
    """A folder that was renamed away must not read as clean."""
    repo = build_repo({"src/a.ts": MARK, "src2/a.ts": MARK}, tmp_path)
    assert counted(repo, "markers", "--ext", "ts", "src") == 1
    assert counted(repo, "markers", "--ext", "ts", "src/a.ts", "./src") == 1
    with pytest.raises(counting.CountFailed, match="srcs: no such file or folder"):
        counted(repo, "markers", "--ext", "ts", "srcs")


def test_counting_from_a_folder_inside_counts_that_folder(tmp_path: Path) -> None:
    """Paths are relative to the working directory, as a gate in a sub-project expects."""
    repo = build_repo({"a.ts": MARK, "sub/a.ts": MARK, "sub/src/b.ts": MARK}, tmp_path)
    assert counted(repo / "sub", "markers", "--ext", "ts") == 2
    assert counted(repo / "sub", "markers", "--ext", "ts", "src") == 1


def test_a_file_deleted_from_the_tree_is_not_counted(tmp_path: Path) -> None:
    """Whoever deletes the last marker sees zero before he stages it."""
    repo = build_repo({"a.ts": MARK, "b.ts": MARK}, tmp_path).remove("a.ts")
    assert counted(repo, "markers", "--ext", "ts") == 1


def test_a_file_that_a_sparse_checkout_leaves_out_is_read_from_git(tmp_path: Path) -> None:
    """What is tracked and not on disk is not clean by absence."""
    text = f"x\n{MARK}\n" * 3
    repo = build_repo({"a/a.ts": MARK, "b/b.ts": text, "b/c.ts": "clean\n", "b/d.ts": text}, tmp_path)
    repo.git("sparse-checkout", "set", "a")
    assert not (repo / "b").exists()
    found = counting.count(counting.parse(["markers", "--ext", "ts"]), os.fspath(repo))
    assert found.number == 7
    assert ("b/b.ts", 2) in found.places
    assert found.examined == 4


def test_odd_names_links_fifos_and_submodules_do_no_harm(tmp_path: Path) -> None:
    """Names are git's own bytes; nothing but a regular file is opened, and no link is followed."""
    outside = tmp_path / "outside.ts"
    outside.write_text(MARK)
    names = ["--max=0.ts", "$(touch PWNED).ts", "a\u2028b.ts", "caf\u00e9 'x'.ts", "\udcff.ts"]
    repo = build_repo(dict.fromkeys(names, MARK) | {"link.ts@": str(outside)}, tmp_path / "repo")
    os.mkfifo(repo / "pipe.ts")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.head},sub.ts")
    assert counted(repo, "markers", "--ext", "ts") == len(names)
    assert sorted(os.listdir(tmp_path)) == ["outside.ts", "repo"]


def test_a_tracked_folder_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    """For git such files are gone; what the link leads to belongs to another tree."""
    repo = build_repo({"src/a.ts": MARK}, tmp_path / "repo")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.ts").write_text(MARK)
    shutil.rmtree(repo / "src")
    (repo / "src").symlink_to(tmp_path / "other")
    assert counted(repo, "markers", "--ext", "ts") == 0


def test_a_conflict_counts_each_file_once(tmp_path: Path) -> None:
    """An unresolved merge lists a path up to three times."""
    repo = build_repo({"a.ts": "x\n"}, tmp_path)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(files={"a.ts": f"{MARK} 1\n"})
    repo.git("checkout", "-q", "main")
    repo.commit(files={"a.ts": f"{MARK} 2\n"})
    done = subprocess.run(
        ["git", "merge", "-q", "side"], cwd=repo, env=hermetic(), capture_output=True, check=False
    )
    assert done.returncode == 1
    assert counted(repo, "markers", "--ext", "ts") == 2  # both sides stand in the file, each on its line


def test_the_repositorys_settings_run_nothing(tmp_path: Path) -> None:
    """An fsmonitor named by the repository is not asked."""
    repo = build_repo({"a.ts": MARK, "evil": f"#!/bin/sh\ntouch {tmp_path}/PWNED\n"}, tmp_path / "repo")
    repo.git("config", "core.fsmonitor", os.path.join(repo, "evil"))
    assert counted(repo, "markers", "--ext", "ts") == 1
    assert not (tmp_path / "PWNED").exists()
    git(repo.root, "status")
    assert (tmp_path / "PWNED").exists()  # the setting works when git is asked without care


def test_an_index_that_git_cannot_read_is_no_number(tmp_path: Path) -> None:
    """Zero would read as clean."""
    repo = build_repo({"a.ts": MARK}, tmp_path)
    (repo / ".git" / "index").write_bytes(b"rubbish")
    with pytest.raises(counting.CountFailed, match="git said"):
        counted(repo, "markers", "--ext", "ts")


PIECES = st.lists(st.sampled_from([MARK, FIX, "\n", " ", "_", "a", "xx\n", "O", "T"]), max_size=40)


@given(PIECES, st.integers(1, 5))
@example([MARK], 1)
@example(["\n", MARK, " ", MARK, "\n", FIX], 1)
def test_the_size_of_the_blocks_changes_nothing(pieces: list[str], size: int) -> None:
    """However the bytes arrive, the same lines are found as by reading line by line."""
    data = "".join(pieces).encode()
    at = 0

    def read(most: int) -> bytes:
        nonlocal at
        chunk = data[at : at + min(most, size)]
        at += len(chunk)
        return chunk

    expected = [
        number for number, line in enumerate(data.split(b"\n"), start=1) if counting._MARKER.search(line)
    ]
    assert list(counting.marker_lines(read)) == expected


def test_a_line_longer_than_any_block_is_one_line(tmp_path: Path) -> None:
    """A minified bundle costs one block of memory and counts once."""
    line = f"{MARK} ".encode() * 700_000
    repo = build_repo({"a.js": line + b"\n" + line}, tmp_path)
    assert counted(repo, "markers", "--ext", "js") == 2


# --- bytes -----------------------------------------------------------------------------------


def test_each_file_counts_once_however_the_roots_overlap(tmp_path: Path) -> None:
    """`dist/assets` lies inside `dist`."""
    files = {"dist/a.js": b"x" * 10, "dist/assets/b.js": b"x" * 7, "dist/c.css": b"x", "dist2/d.js": b"xx"}
    repo = build_repo(files, tmp_path)
    for roots in (["dist/assets", "dist"], ["dist", "dist"], ["dist/", "./dist/assets/"]):
        assert counted(repo, "bytes", "--glob", "*.js", *roots) == 17
    assert counted(repo, "bytes", "dist", "dist2") == 20
    assert counted(repo, "bytes", "--glob", "*.js", "--glob=*.css", "dist") == 18


def test_bytes_are_sizes_of_untracked_and_ignored_files_too(tmp_path: Path) -> None:
    """A build is ignored by git and counted from disk, as a length and not as disk blocks."""
    repo = build_repo({".gitignore": "dist\n"}, tmp_path).write({"dist/a.js": b"\0" * 5000})
    assert counted(repo, "bytes", "dist") == 5000


def test_a_root_that_does_not_exist_adds_nothing_and_is_named(tmp_path: Path) -> None:
    """Nothing built yet is no error; the installer then leaves the ceiling empty."""
    repo = build_repo({"dist/a.js": "xyz"}, tmp_path)
    found = counting.count(counting.parse(["bytes", "dist", ".next/static", "out"]), os.fspath(repo))
    assert (found.number, found.examined, found.absent) == (3, 1, (".next/static", "out"))


def test_no_link_is_followed_and_a_root_that_is_one_is_refused(tmp_path: Path) -> None:
    """A link into another tree would add that tree's bytes; a link as root would count nothing."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "big.js").write_bytes(b"x" * 1000)
    repo = build_repo(
        {"dist/a.js": "abc", "dist/up@": "..", "dist/big.js@": str(outside / "big.js")}, tmp_path / "r"
    )
    assert counted(repo, "bytes", "--glob", "*.js", "dist") == 3
    (repo / "out").symlink_to(outside)
    for root in ("out", "out/sub"):
        with pytest.raises(counting.CountFailed, match="not followed"):
            counted(repo, "bytes", "out" if root == "out" else root)


def test_what_ships_inside_a_build_counts_and_what_was_installed_does_not(tmp_path: Path) -> None:
    """A packaged app carries its `node_modules`; the one at the top is a dependency folder."""
    files = {"release/app/node_modules/x/i.js": "12345", "node_modules/x/i.js": "1", ".goblin/a.js": "1"}
    repo = build_repo({**files, "a.js": "12"}, tmp_path)
    assert counted(repo, "bytes", "release") == 5
    assert counted(repo, "bytes", "--glob", "*.js", ".") == 7


# --- arguments and the command ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "markers or bytes"),
        (["lines"], "markers or bytes"),
        (["markers"], "needs --ext"),
        (["markers", "--ext", ","], "needs --ext"),
        (["markers", "--ext"], "--ext needs a value"),
        (["markers", "--ext", "ts", "--glob", "*"], "takes no --glob"),
        (["markers", "--ext", "ts", "--max", "-1"], "whole number, not '-1'"),
        (["markers", "--ext", "ts", "--max", "\u0661"], "whole number"),
        (["markers", "--ext", "ts", "../x"], "not a path below"),
        (["bytes"], "needs at least one folder"),
        (["bytes", "/etc"], "not a path below"),
        (["bytes", "--ext", "js", "dist"], "takes no --ext"),
    ],
)
def test_an_argument_that_cannot_be_meant_is_refused(arguments: list[str], said: str) -> None:
    """A typo must not count something else."""
    with pytest.raises(counting.Misuse) as caught:
        counting.parse(arguments)
    assert said in str(caught.value)


def test_the_command_prints_the_number_alone(tmp_path: Path) -> None:
    """A ratchet wants exactly one line and exit 0; what is not built yet is a note beside it."""
    repo = build_repo({"a.ts": MARK, "out/a.js": "12"}, tmp_path)
    assert run_cli(COMMAND, "markers", "--ext", "ts", cwd=repo) == (0, "1\n", "")
    assert run_cli(COMMAND, "bytes", "out", cwd=repo) == (0, "2\n", "")
    note = "goblin-count: nothing built yet: .next/static, dist does not exist\n"
    assert run_cli(COMMAND, "bytes", "out", "dist", ".next/static", cwd=repo) == (0, "2\n", note)


def test_above_the_limit_is_exit_1_with_the_first_places(tmp_path: Path) -> None:
    """A red gate names where to look; equal to the limit is green."""
    repo = build_repo({f"{n:02}.ts": f"a\n{MARK}\n" for n in range(12)}, tmp_path)
    assert run_cli(COMMAND, "markers", "--ext", "ts", "--max", "12", cwd=repo).code == 0
    done = run_cli(COMMAND, "markers", "--ext", "ts", "--max", "11", cwd=repo)
    assert (done.code, done.out) == (1, "12\n")
    assert done.err.startswith("goblin-count: 12 is above the 11 allowed; the first: 00.ts:2, 01.ts:2")
    assert done.err.count(".ts:") == counting.PLACES


def test_a_name_cannot_reach_the_terminal(tmp_path: Path) -> None:
    """A file name with an escape sequence is printed escaped."""
    repo = build_repo({"\x1b[2J.ts": MARK}, tmp_path)
    done = run_cli(COMMAND, "markers", "--ext", "ts", "--max", "0", cwd=repo)
    assert "\x1b" not in done.err
    assert "\\x1b[2J.ts:1" in done.err


def test_what_could_not_be_counted_is_exit_2_and_no_number(tmp_path: Path) -> None:
    """Neither a number nor a traceback."""
    repo = build_repo({"a.ts": MARK}, tmp_path)
    for arguments in (["markers", "--ext", "ts", "gone"], ["marker"], ["bytes"]):
        done = run_cli(COMMAND, *arguments, cwd=repo)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("error: ")
    assert run_cli(COMMAND, "--help", cwd=repo).out.startswith("Usage: goblin-count markers")
