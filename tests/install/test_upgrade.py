"""What an upgrade decides for each kind of path, on a payload of a few files."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from goblin.facts import record as records
from goblin.install import gitignore, vendor
from goblin.install.journal import digest
from goblin.install.vendor import Item
from goblin.outcome import CannotRun
from tests.install import crashing
from tests.install.crashing import EDITS, MERGED, NEW, OLD
from tests.install.driving import CONFIG, Ran, record_of, run
from tests.install.faults import picture
from tests.support import Repo, build_repo

pytestmark = pytest.mark.usefixtures("one_payload")

CHANGED = ".goblin/manifest/changed.tsv"
LEFT = ".goblin/checks/left.py"
MERGING = ".goblin/checks/merged.py"
CONFLICT = ".goblin/checks/conflict.py"
BESIDE = f"{CONFLICT}.goblin-new"
ADDED = ".goblin/extra/added.py"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with the old payload, committed; what runs next is the new one."""
    crashing.release(monkeypatch, "1.0", OLD)
    repo = build_repo({"README.md": "# Sample\n"}, tmp_path / "sample")
    assert run(repo).code == 0
    repo.commit("Install goblin")
    crashing.release(monkeypatch, "2.0", NEW)
    return repo


def upgrade(repo: Repo | Path, **options: Any) -> Ran:
    """`goblin-install --upgrade`."""
    return run(repo, "", upgrade=True, **options)


def edit_record(repo: Repo, **members: object) -> None:
    """Change members of the record; None takes one out."""
    whole = {**json.loads(repo.read(records.PATH)), **members}
    repo.write({records.PATH: json.dumps({key: value for key, value in whole.items() if value is not None})})


# --- which files change ----------------------------------------------------------------------------


def test_only_what_changed_is_written(repo: Repo) -> None:
    """Times of change tell: a file with the same bytes in both releases is not touched."""
    stamps = {path: (repo / path).stat().st_mtime_ns for path in record_of(repo).files}
    ran = upgrade(repo)
    assert ran.code == 0, ran.text
    assert "upgraded 1.0 -> 2.0" in ran.out
    assert ran.counts.startswith("created 1 · updated 3 · unchanged ")
    written = {
        path
        for path, stamp in stamps.items()
        if not (repo / path).exists() or (repo / path).stat().st_mtime_ns != stamp
    }
    assert written == {CHANGED, MERGING, CONFLICT, LEFT}
    assert repo.read(CHANGED) == "a\nB\nc\n"
    assert not (repo / LEFT).exists()


def test_each_kind_of_edit_comes_to_its_own_end(repo: Repo) -> None:
    """Merged, in conflict, unchanged by the release; the record says which, and the exit code is 1."""
    same = ".goblin/manifest/same.tsv"
    repo.write({**EDITS, same: "id\n1\nours\n"})
    ran = upgrade(repo)
    assert ran.code == 1
    record = record_of(repo)
    assert repo.read(MERGING).encode() == MERGED
    assert repo.read(CONFLICT) == EDITS[CONFLICT]
    assert repo.read(BESIDE) == "SHARED = 2\n"
    assert repo.read(same) == "id\n1\nours\n"
    assert record.merged == {MERGING: digest(NEW[2].data), same: digest(b"id\n1\n")}
    assert record.conflicts == {BESIDE: digest(b"SHARED = 2\n")}
    assert record.files[MERGING] == digest(MERGED)
    assert record.files[same] == digest(b"id\n1\nours\n")
    assert record.files[CONFLICT] == digest(b"SHARED = 1\n"), "the record does not vouch for the edit"
    assert records.faults(record) == []
    assert any(
        line.startswith(f"conflict: {CONFLICT}: both sides changed the same lines") for line in ran.out
    )
    assert any(line.startswith(f"merged: {same} (your edit is kept") for line in ran.out)
    (copy,) = repo.root.glob(f".goblin/backup/*/{MERGING}")
    assert copy.read_text() == EDITS[MERGING]


def test_an_edit_that_is_what_the_release_made_is_no_edit(repo: Repo) -> None:
    """Somebody brought the fix in by hand before."""
    repo.write({CHANGED: "a\nB\nc\n"})
    ran = upgrade(repo)
    assert ran.code == 0
    assert record_of(repo).merged == {}
    assert record_of(repo).files[CHANGED] == digest(b"a\nB\nc\n")


def test_a_merge_that_is_no_python_any_more_is_a_conflict(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both sides are sound and touch different lines; together they are not."""
    released = b'"""A module."""\n\n\n\n\n\nA = 1\n'
    crashing.release(monkeypatch, "1.5", (Item(MERGING, released),))
    assert upgrade(repo).code == 0
    repo.commit("Upgrade")
    repo.write({MERGING: "import os\n\n\n\n\n\nA = 1\n"})
    later = released.replace(b"A = 1", b"from __future__ import annotations\n\nA = 1")
    crashing.release(monkeypatch, "2.0", (Item(MERGING, later),))
    ran = upgrade(repo)
    assert ran.code == 1
    assert f"conflict: {MERGING}: what a merge gives is no Python any more" in ran.text
    assert repo.read(MERGING).startswith("import os\n")


def test_a_merged_file_is_as_recorded_for_the_runs_that_follow(repo: Repo) -> None:
    """Merged once, the file is as recorded: the next run is a no-op, and `--force` alone takes it back."""
    repo.write({MERGING: EDITS[MERGING]})
    assert upgrade(repo).code == 0
    before = picture(repo.root)
    assert upgrade(repo).counts.startswith("no-op: ")
    assert run(repo).counts.startswith("no-op: ")
    assert picture(repo.root) == before
    repo.write({MERGING: repo.read(MERGING) + "THREE = 3\n"})
    ran = upgrade(repo)
    assert ran.code == 1
    assert f"kept (edited): {MERGING}" in ran.out
    assert record_of(repo).merged == {MERGING: digest(NEW[2].data)}
    assert upgrade(repo, force=True).code == 0
    assert repo.read(MERGING).encode() == NEW[2].data
    assert record_of(repo).merged == {}


def test_a_conflict_that_waits_is_said_by_every_run(repo: Repo) -> None:
    """Also by one that is no upgrade; nothing is written twice."""
    repo.write({CONFLICT: EDITS[CONFLICT]})
    upgrade(repo)
    before = picture(repo.root)
    for ran in (run(repo), upgrade(repo), upgrade(repo, dry_run=True)):
        assert ran.code == 1
        assert f"error: edited, and not to be merged: {CONFLICT}" in ran.err
        assert picture(repo.root) == before


def test_a_conflict_goes_on_into_the_next_release(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies beside is the newest; once put together, later changes merge from there."""
    repo.write({CONFLICT: EDITS[CONFLICT]})
    upgrade(repo)
    crashing.release(monkeypatch, "3.0", (Item(CONFLICT, b"SHARED = 2\n\n\n\n\nMORE = 1\n"),))
    ran = upgrade(repo)
    assert ran.code == 1
    assert repo.read(BESIDE) == "SHARED = 2\n\n\n\n\nMORE = 1\n"
    repo.write({CONFLICT: "SHARED = 23\n\n\n\n\nMORE = 1\n"})
    repo.remove(BESIDE)
    crashing.release(monkeypatch, "4.0", (Item(CONFLICT, b"SHARED = 2\n\n\n\n\nMORE = 2\n"),))
    ran = upgrade(repo)
    assert ran.code == 1, "the released bytes that were put together are nowhere any more"
    assert "neither in the history nor among the copies" in ran.text


def test_a_file_of_theirs_under_the_name_of_a_conflict_is_copied_first(repo: Repo) -> None:
    """Nothing is lost that somebody wrote."""
    repo.write({CONFLICT: EDITS[CONFLICT], BESIDE: "my notes\n"})
    assert upgrade(repo).code == 1
    assert repo.read(BESIDE) == "SHARED = 2\n"
    (copy,) = repo.root.glob(f".goblin/backup/*/{BESIDE}")
    assert copy.read_text() == "my notes\n"


def test_an_edited_conflict_file_is_not_taken_away(repo: Repo) -> None:
    """It is only ours while it is what we laid there."""
    repo.write({CONFLICT: EDITS[CONFLICT]})
    upgrade(repo)
    repo.write({CONFLICT: "SHARED = 2\n", BESIDE: "half merged\n"})
    assert upgrade(repo).code == 0
    assert repo.read(BESIDE) == "half merged\n"


def test_converted_line_ends_are_no_edit(repo: Repo) -> None:
    """A checkout that converts everything all the same: the released bytes come back, and that is said."""
    for path in record_of(repo).files:
        data = (repo / path).read_bytes()
        (repo / path).write_bytes(data.replace(b"\n", b"\r\n"))
    ran = upgrade(repo)
    assert ran.code == 0, ran.text
    assert any(line.startswith("line ends were converted in ") for line in ran.out)
    for path, recorded in record_of(repo).files.items():
        assert digest((repo / path).read_bytes()) == recorded, path


def test_a_deleted_file_comes_back_and_a_new_mode_is_given(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that became a script is one; a mode that somebody took off an unchanged file is theirs."""
    crashing.release(monkeypatch, "2.0", (Item(CHANGED, b"#!/bin/sh\n", vendor.SCRIPT), *NEW[2:]))
    repo.remove(MERGING)
    (repo / ".goblin/bin/goblin-verify").chmod(0o600)
    assert upgrade(repo).code == 0
    assert (repo / CHANGED).stat().st_mode & 0o777 == 0o755
    assert (repo / MERGING).exists()
    assert (repo / ".goblin/bin/goblin-verify").stat().st_mode & 0o777 == 0o600


def test_a_file_that_was_there_before_us_stays_when_it_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adopted with our very bytes, it goes on as the project's own."""
    crashing.release(monkeypatch, "1.0", OLD)
    repo = build_repo({LEFT: "LEFT = 1\n"}, tmp_path / "adopting")
    assert run(repo).code == 0
    assert set(record_of(repo).adopted) == {LEFT}
    crashing.release(monkeypatch, "2.0", NEW)
    ran = upgrade(repo)
    assert ran.code == 0
    assert f"kept (it was there before us, and is no longer ours): {LEFT}" in ran.out
    assert repo.read(LEFT) == "LEFT = 1\n"
    assert LEFT not in record_of(repo).files


def test_a_new_file_does_not_take_the_place_of_one_of_theirs(repo: Repo) -> None:
    """A path that only the new release brings may be the project's already: refused, exit 1."""
    repo.write({ADDED: "theirs\n"})
    ran = upgrade(repo)
    assert ran.code == 1
    assert f"refused to overwrite: {ADDED}" in ran.out
    assert repo.read(ADDED) == "theirs\n"
    assert set(record_of(repo).refused) == {ADDED}


def test_folders_that_an_upgrade_empties_go_and_are_forgotten(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also from the record, so that a folder of the same name that comes later is the project's."""
    assert upgrade(repo).code == 0
    assert ".goblin/extra" in record_of(repo).dirs_created
    crashing.release(monkeypatch, "3.0", NEW[:-1])
    assert upgrade(repo).code == 0
    assert not (repo / ".goblin/extra").exists()
    assert ".goblin/extra" not in record_of(repo).dirs_created


def test_a_file_that_becomes_the_projects_is_not_touched_again(repo: Repo) -> None:
    """Installed by one release and created once by another: its bytes stay, and it is owned."""
    record = json.loads(repo.read(records.PATH))
    record["files"]["HANDOFF.md"] = record["owned"].pop("HANDOFF.md")
    repo.write({records.PATH: json.dumps(record), "HANDOFF.md": "ours by now\n"})
    assert upgrade(repo).code == 0
    assert repo.read("HANDOFF.md") == "ours by now\n"
    assert "HANDOFF.md" in record_of(repo).owned
    assert "HANDOFF.md" not in record_of(repo).files


# --- choices ---------------------------------------------------------------------------------------


def test_choices_of_the_install_are_kept_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Class, parts, skills, archive, opt-outs; `--parts all` adds what was left out."""
    crashing.release(monkeypatch, "1.0", OLD)
    repo = build_repo({"README.md": "x"}, tmp_path / "choosy")
    assert run(repo, "E", skills="claude", parts="handoff,playbooks", opt_out=("replay",)).code == 0
    before = record_of(repo)
    crashing.release(monkeypatch, "2.0", NEW)
    ran = upgrade(repo)
    assert ran.code == 0
    after = record_of(repo)
    assert (after.class_name, after.options, after.disabled) == (
        before.class_name,
        before.options,
        before.disabled,
    )
    assert any("claude; they are kept" in line for line in ran.out)
    assert any("handoff, playbooks; they are kept" in line for line in ran.out)
    assert not (repo / "ROUND-000-SPEC.md").exists()
    assert upgrade(repo, parts="all").code == 0
    assert (repo / "ROUND-000-SPEC.md").exists()


def test_skills_can_be_given_up_by_an_upgrade(repo: Repo) -> None:
    """Exactly their files and folders go, and the part is opted out."""
    repo.write({".hermes/notes.md": "ours\n"})
    assert upgrade(repo, skills="no").code == 0
    assert picture(repo / ".hermes") == {"notes.md": b"ours\n"}
    assert record_of(repo).disabled == ("playbooks",)


@pytest.mark.parametrize(
    ("members", "said"),
    [({"class": "Z"}, "the record names the class 'Z'"), ({"class": None}, "the record names the class ''")],
)
def test_a_record_without_a_class_needs_the_option(repo: Repo, members: dict[str, Any], said: str) -> None:
    """Exit 2; with the class it goes on, forced where the record says another."""
    edit_record(repo, **members)
    with pytest.raises(CannotRun) as caught:
        upgrade(repo)
    assert said in caught.value.message
    assert run(repo, "A", upgrade=True, force=True).code == 0


def test_an_engine_elsewhere_is_not_shadowed(repo: Repo) -> None:
    """Exit 1 with the folder and the way back; nothing is written."""
    record = json.loads(repo.read(records.PATH))
    repo.write({CONFIG: repo.read(CONFIG) + "engine_dir: ~/goblin-stack\n"})
    record["files"] = {path: value for path, value in record["files"].items() if "/manifest/" in path}
    repo.write({records.PATH: json.dumps(record)})
    before = picture(repo.root)
    ran = upgrade(repo)
    assert ran.code == 1
    assert "engine_dir: ~/goblin-stack" in ran.err[0]
    assert "clear engine_dir" in ran.err[1]
    assert picture(repo.root) == before


def test_the_standard_is_never_pinned_again(repo: Repo, tmp_path: Path) -> None:
    """Only `--re-pin` does that."""
    (tmp_path / "standard.md").write_text("new\n")
    text = repo.read(CONFIG).replace("practice:\n", f"practice: {tmp_path}/standard.md\n")
    text = text.replace("practice_sha256:\n", f"practice_sha256: {'0' * 64}\n")
    repo.write({CONFIG: text})
    upgrade(repo)
    assert repo.read(CONFIG) == text


# --- the config's keys -----------------------------------------------------------------------------


def cut(repo: Repo, pattern: str) -> str:
    """Take lines out of the config and return what is left."""
    text, count = re.subn(pattern, "", repo.read(CONFIG))
    assert count
    repo.write({CONFIG: text})
    return text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_whole_blocks_are_added_with_their_comments(repo: Repo, newline: str) -> None:
    """In the file's own line ends; the bytes before stay, and nothing they mean changes."""
    text = cut(repo, r"(?m)^perf:\n(  .*\n)+|^max_dirty: 0\n").replace("\n", newline)
    (repo / CONFIG).write_bytes(text.encode())
    ran = upgrade(repo)
    assert "missing key: max_dirty (default: 0)" in ran.out
    assert any(
        line.startswith("missing key: perf.metric (default: empty), perf.cmd (default: empty)")
        for line in ran.out
    )
    assert (repo / CONFIG).read_bytes() == text.encode()
    ran = upgrade(repo, add_missing_keys=True)
    assert ran.code == 0, ran.text
    after = (repo / CONFIG).read_bytes().decode()
    assert after.startswith(text)
    added = after.removeprefix(text)
    assert added.replace(newline, "") == added.replace("\r", "").replace("\n", "")
    assert (
        f"# How many uncommitted entries git status may show (CM-03).{newline}max_dirty: 0{newline}" in added
    )
    assert f"perf:{newline}  metric:{newline}  cmd:{newline}" in added
    assert f"baseline_value: 0{newline}" in added


def test_a_file_without_a_last_line_end_gets_one_first(repo: Repo) -> None:
    """The added key does not become part of the last value."""
    text = cut(repo, r"(?m)^max_dirty: 0\n").rstrip("\n")
    repo.write({CONFIG: text})
    assert upgrade(repo, add_missing_keys=True).code == 0
    assert repo.read(CONFIG).startswith(text + "\n")
    assert repo.read(CONFIG).endswith("max_dirty: 0\n")


def test_a_config_that_no_command_can_edit_is_named_and_nothing_is_written(repo: Repo) -> None:
    """A document end, or one flow mapping for all of it."""
    for text in ("class: A\narchive: false\n...\n", "{class: A, archive: false}\n"):
        repo.write({CONFIG: text})
        before = picture(repo.root)
        with pytest.raises(CannotRun, match=r"\.goblin/goblin\.yaml"):
            upgrade(repo, add_missing_keys=True)
        assert picture(repo.root) == before


def test_keys_can_be_added_without_an_upgrade(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option is enough; a config of others is not written to."""
    upgrade(repo)
    cut(repo, r"(?m)^max_dirty: 0\n")
    assert "missing key" not in run(repo).text
    assert run(repo, add_missing_keys=True).code == 0
    assert "max_dirty: 0\n" in repo.read(CONFIG)
    record = json.loads(repo.read(records.PATH))
    record["refused"][CONFIG] = record["owned"].pop(CONFIG)
    text = cut(repo, r"(?m)^max_dirty: 0\n")
    repo.write({records.PATH: json.dumps(record)})
    assert run(repo, add_missing_keys=True).code == 1
    assert repo.read(CONFIG) == text


# --- the ignore file -------------------------------------------------------------------------------


def older_block(repo: Repo, before: str = "") -> str:
    """Make the block one of an older release, unedited as far as the record knows."""
    block = repo.read(gitignore.PATH).removeprefix("\n").replace(".goblin/last-gate.json\n", "")
    added = block if not before else "\n" + block
    repo.write({gitignore.PATH: before + added})
    edit_record(repo, ignore_block=gitignore.fingerprint(added.encode()))
    return before + added


@pytest.mark.parametrize("before", ["", "build/\n", "build/"])
def test_an_unedited_block_follows_the_release(repo: Repo, before: str) -> None:
    """What stands around it stays, and the record knows the new one."""
    older_block(repo, before)
    repo.write({gitignore.PATH: repo.read(gitignore.PATH) + "after/\n"})
    assert upgrade(repo).code == 0
    text = repo.read(gitignore.PATH)
    assert text.startswith(before)
    assert text.endswith("after/\n")
    assert ".goblin/last-gate.json\n" in text
    assert gitignore.located(text.encode(), record_of(repo).ignore_block)


def test_an_edited_block_is_reported_only(repo: Repo) -> None:
    """The line that it lacks is named."""
    text = older_block(repo).replace(".goblin/lock\n", "")
    repo.write({gitignore.PATH: text})
    ran = upgrade(repo)
    assert ran.code == 0
    assert repo.read(gitignore.PATH) == text
    assert "note: the block in .gitignore lacks the line .goblin/last-gate.json" in ran.out
    assert "note: the block in .gitignore lacks the line .goblin/lock" in ran.out


def test_lines_that_bring_our_files_back_stay_in_the_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git tracks those files by now, so nobody would ask for the lines again."""
    crashing.release(monkeypatch, "1.0", OLD)
    repo = build_repo({gitignore.PATH: "checks/\n"}, tmp_path / "ignoring")
    assert run(repo).code == 0
    assert "!/.goblin/checks/\n" in repo.read(gitignore.PATH)
    repo.commit("Install goblin")
    repo.write({gitignore.PATH: repo.read(gitignore.PATH).replace("checks/\n", "checks/\nextra/\n", 1)})
    crashing.release(monkeypatch, "2.0", NEW)
    assert upgrade(repo).code == 0
    text = repo.read(gitignore.PATH)
    assert "!/.goblin/checks/\n" in text
    assert "!/.goblin/extra/\n" in text
    repo.commit("Upgrade goblin")
    assert ADDED in repo.git("ls-files").split("\n")
    assert os.path.exists(repo / ADDED)


# --- what is said ----------------------------------------------------------------------------------


def test_a_dry_run_says_what_becomes_of_each_edit(repo: Repo) -> None:
    """Diffs of what is replaced and merged; exit 1 as the real run would; not a byte is written."""
    repo.write(EDITS)
    before = picture(repo.root)
    ran = upgrade(repo, dry_run=True)
    assert ran.code == 1
    assert picture(repo.root) == before
    for line in (f"plan: {BESIDE}", f"plan: {LEFT} (removed)", f"--- a/{CHANGED}", "-b", "+B", "+TWO = 22"):
        assert line in ran.out
    assert any(line.startswith(f"conflict: {CONFLICT}") for line in ran.out)
    assert any(line.startswith(f"merged: {MERGING}") for line in ran.out)


def test_a_signed_record_is_said_to_need_a_new_signature(repo: Repo) -> None:
    """The signature was over other bytes (decided 45)."""
    repo.write({f"{records.PATH}.sig": "signature\n"})
    assert any(
        line == "record changed: sign again: goblin-install --target . --sign KEY"
        for line in upgrade(repo).out
    )
    assert not any("sign again" in line for line in upgrade(repo).out)


def test_what_a_diff_shows_is_bounded_and_harmless(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of a thousand lines, a binary file, and a line that would drive a terminal."""
    items = (
        Item(CHANGED, b"".join(b"%d\n" % number for number in range(1000))),
        Item(MERGING, b"\x00\x01"),
        Item(CONFLICT, b"SHARED = '\x1b[31m'\n"),
    )
    crashing.release(monkeypatch, "2.0", items)
    ran = upgrade(repo, dry_run=True)
    assert f"... more than 200 lines of {CHANGED} differ" in ran.out
    assert f"binary file {MERGING} differs" in ran.out
    assert "\x1b" not in ran.text
