"""An upgrade between two releases that are really there, each run from its own tree."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from goblin.facts.record import PATH
from goblin.install.journal import digest
from goblin.yaml import Map, load
from tests.install import releases
from tests.install.driving import CONFIG, record_of
from tests.install.faults import picture
from tests.install.releases import GLOSSARY, NEW, NEXT, OLD, Release
from tests.support import Repo, build_repo, git, run_cli

TABLE = f".goblin/{GLOSSARY}"
RETIRED = ".goblin/checks/retired.py"
RECENT = ".goblin/checks/recent.py"
OURS = " (for us)"


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The first release."""
    return Release(tmp_path_factory.mktemp("old"), OLD, releases.old)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The second release."""
    return Release(tmp_path_factory.mktemp("new"), NEW, releases.new)


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The third release."""
    return Release(tmp_path_factory.mktemp("next"), NEXT, releases.later)


@pytest.fixture(scope="module")
def installed(old: Release, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with the first release, committed. Read only: take `repo`."""
    repo = build_repo({"README.md": "# Sample\n"}, tmp_path_factory.mktemp("installed") / "sample")
    done = old.install(repo, "--class", "A")
    assert done.code == 0, done.err
    repo.commit("Install goblin")
    return repo


@pytest.fixture
def repo(installed: Repo, tmp_path: Path) -> Repo:
    """A private copy of it."""
    shutil.copytree(installed.root, tmp_path / "sample", symlinks=True)
    return Repo(tmp_path / "sample")


def verified(repo: Repo) -> bool:
    """True where the vendored engine finds the record sound and each file as recorded."""
    repo.commit("Upgrade goblin")
    return run_cli(repo / ".goblin/bin/goblin-verify", "--only", "IN-01,IN-02", cwd=repo).code == 0


def edit_first_line(repo: Repo) -> None:
    """An edit of the table that no release makes: its first row says more."""
    head, first, rest = repo.read(TABLE).split("\n", 2)
    repo.write({TABLE: f"{head}\n{first}{OURS}\n{rest}"})


def edit_last_line(repo: Repo) -> None:
    """An edit of the very line that the second release changes."""
    repo.write({TABLE: repo.read(TABLE).replace("(as it once was)", "(as we want it)")})


def test_the_new_release_stands_as_if_it_had_been_installed(repo: Repo, new: Release, tmp_path: Path) -> None:
    """Without a word about the class; what changed is named, and what is the project's stays."""
    repo.write({"HANDOFF.md": repo.read("HANDOFF.md") + "- more\n"})
    before = picture(repo.root)
    done = new.install(repo, "--upgrade")
    assert done.code == 0, done.err
    assert (
        f"upgraded {OLD} -> {NEW}\nchanged in 0.1.0:\n  - First.\nchanged in {NEW}:\n  - Second" in done.out
    )
    assert "changed in 0.3.0" not in done.out
    assert "Long ago" not in done.out
    assert f"removed: {RETIRED}\n" in done.out
    fresh = build_repo({"README.md": "# Sample\n"}, tmp_path / "fresh" / "sample")
    assert new.install(fresh, "--class", "A").code == 0
    record, wanted = record_of(repo), record_of(fresh)
    assert (record.version, record.class_name) == (NEW, "A")
    assert record.files == wanted.files
    for path, recorded in record.files.items():
        assert digest((repo / path).read_bytes()) == recorded, path
        assert (repo / path).stat().st_mode == (fresh / path).stat().st_mode, path
    assert RECENT in record.files
    assert not (repo / RETIRED).exists()
    for path in (*record.owned, "README.md"):
        assert picture(repo.root)[path] == before[path], path
    assert repo.read(".gitignore") == fresh.read(".gitignore")
    assert verified(repo)
    again = new.install(repo, "--upgrade")
    assert again.code == 0
    assert "no-op: " in again.out


def test_an_install_of_the_new_release_is_an_upgrade(repo: Repo, new: Release) -> None:
    """`--upgrade` only lets one leave out the class, and refuses where nothing is installed."""
    done = new.install(repo, "--class", "A")
    assert (done.code, record_of(repo).version) == (0, NEW)
    assert f"upgraded {OLD} -> {NEW}" in done.out
    empty = build_repo(root=repo.root.parent / "empty")
    assert new.install(empty, "--upgrade").code == 2


def test_a_dry_run_shows_each_change_and_makes_none(repo: Repo, new: Release) -> None:
    """The paths, and what changes in each file."""
    before = picture(repo.root)
    done = new.install(repo, "--upgrade", "--dry-run")
    assert done.code == 0
    assert picture(repo.root) == before
    assert f"plan: {RECENT}\n" in done.out
    assert f"plan: {RETIRED} (removed)\n" in done.out
    assert f"--- a/{TABLE}\n+++ b/{TABLE}\n" in done.out
    assert "(as it once was)\n" in next(
        line for line in done.out.splitlines(keepends=True) if line[:1] == "-" and "once" in line
    )
    assert "missing key: loop_max_turns_ceiling (default: 20)" in done.out


def test_an_edit_is_merged_and_the_next_upgrade_merges_it_again(
    repo: Repo, new: Release, later: Release
) -> None:
    """Both changes stand, the record vouches for the result, and the released bytes are kept."""
    edit_first_line(repo)
    repo.commit("Edit the table")
    done = new.install(repo, "--upgrade")
    assert done.code == 0, done.err
    assert f"merged: {TABLE} (the release's changes and your edit are both in it)" in done.out
    text = repo.read(TABLE)
    assert OURS in text
    assert "once was" not in text
    assert record_of(repo).files[TABLE] == digest(text.encode())
    assert record_of(repo).merged == {TABLE: digest((new.root / GLOSSARY).read_bytes())}
    assert verified(repo)
    assert new.install(repo, "--upgrade").out.count("no-op: ") == 1
    done = later.install(repo, "--upgrade")
    assert done.code == 0, done.err
    assert OURS in repo.read(TABLE)
    assert repo.read(TABLE).endswith("(as it will be)\n")
    assert verified(repo)


def test_an_edit_of_the_same_line_is_a_conflict_until_it_is_resolved(repo: Repo, new: Release) -> None:
    """Theirs stays, ours lies beside it, exit 1; again and again, until somebody has put them together."""
    edit_last_line(repo)
    before = repo.read(TABLE)
    released = (new.root / GLOSSARY).read_text()
    for turn in range(2):
        done = new.install(repo, "--upgrade")
        assert done.code == 1
        assert f"error: edited, and not to be merged: {TABLE}" in done.err
        assert repo.read(TABLE) == before
        assert repo.read(f"{TABLE}.goblin-new") == released
        assert json.loads(repo.read(PATH))["conflicts"] == {f"{TABLE}.goblin-new": digest(released.encode())}
        assert ("no-op: " in done.out) == bool(turn)
    assert record_of(repo).version == NEW
    assert not verified(repo), "the edit is still one that nobody has accepted"
    repo.write({TABLE: released.rstrip("\n") + " (by hand)\n"})
    repo.remove(f"{TABLE}.goblin-new")
    done = new.install(repo, "--upgrade")
    assert done.code == 0, done.err
    assert record_of(repo).conflicts == {}
    assert set(record_of(repo).merged) == {TABLE}
    assert verified(repo)


@pytest.mark.parametrize("how", ["take ours", "force"])
def test_a_conflict_ends_where_ours_is_taken(repo: Repo, new: Release, how: str) -> None:
    """By hand, or with `--force`, which keeps a copy; nothing is left beside the file."""
    edit_last_line(repo)
    edited = repo.read(TABLE)
    new.install(repo, "--upgrade")
    if how == "take ours":
        shutil.copy(repo / f"{TABLE}.goblin-new", repo / TABLE)
    done = new.install(repo, "--upgrade", *(["--force"] if how == "force" else []))
    assert done.code == 0, done.err
    assert repo.read(TABLE) == (new.root / GLOSSARY).read_text()
    assert not (repo / f"{TABLE}.goblin-new").exists()
    assert (record_of(repo).conflicts, record_of(repo).merged) == ({}, {})
    copies = [path.read_text() for path in repo.root.glob(f".goblin/backup/*/{TABLE}")]
    assert copies == ([edited] if how == "force" else [])


def test_without_the_released_bytes_nothing_is_guessed(old: Release, new: Release, tmp_path: Path) -> None:
    """An install that was edited before its first commit, and a clone too shallow to know: a conflict."""
    repo = build_repo({"README.md": "# Sample\n"}, tmp_path / "early")
    old.install(repo, "--class", "A")
    edit_first_line(repo)
    repo.commit("Install goblin, edited")
    done = new.install(repo, "--upgrade")
    assert done.code == 1
    assert "is neither in the history nor among the copies here;" in done.out
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repo.root}", "shallow")
    shallow = Repo(tmp_path / "shallow")
    assert "git fetch --unshallow" in new.install(shallow, "--upgrade").out


def test_an_edited_file_that_left_is_kept_until_it_is_deleted(repo: Repo, new: Release) -> None:
    """As git has it: changed here, removed there. The record goes on naming it."""
    repo.write({RETIRED: "RETIRED = 'ours'\n"})
    done = new.install(repo, "--upgrade")
    assert done.code == 1
    assert f"error: edited, and no part of this release: {RETIRED}" in done.err
    assert repo.read(RETIRED) == "RETIRED = 'ours'\n"
    assert RETIRED in record_of(repo).files
    repo.remove(RETIRED)
    assert new.install(repo, "--upgrade").code == 0
    assert RETIRED not in record_of(repo).files


def test_new_config_keys_are_named_and_added_on_demand(repo: Repo, new: Release) -> None:
    """With their defaults and their comment; every byte that stood there stays."""
    before = repo.read(CONFIG)
    done = new.install(repo, "--upgrade")
    assert "missing key: loop_max_turns_ceiling (default: 20)\n" in done.out
    assert "missing key: security.write_routes (default: empty)\n" in done.out
    assert repo.read(CONFIG) == before
    done = new.install(repo, "--upgrade", "--add-missing-keys")
    assert done.code == 0, done.err
    after = repo.read(CONFIG)
    added = after.splitlines()
    for line in before.splitlines():
        assert line in added
        added.remove(line)
    assert added[-2:] == [
        "# The largest budget that one unattended loop may declare (LP-03).",
        "loop_max_turns_ceiling: 20",
    ]
    assert "  write_routes:" in added
    root = load(after.encode(), CONFIG)
    assert isinstance(root, Map)
    assert list(root["security"])[-1] == "write_routes"
    assert new.install(repo, "--check-config").code == 0
    assert "missing key" not in new.install(repo, "--upgrade").out


def test_a_downgrade_is_refused_and_can_be_forced(repo: Repo, old: Release, new: Release) -> None:
    """Exit 1 and nothing touched; forced, the older release stands, and says so."""
    new.install(repo, "--upgrade")
    before = picture(repo.root)
    for options in (["--upgrade"], ["--class", "A"]):
        done = old.install(repo, *options)
        assert done.code == 1
        assert (
            f"goblin-stack {NEW} is installed here, and this is {OLD}: that would be a downgrade" in done.err
        )
        assert picture(repo.root) == before
    done = old.install(repo, "--upgrade", "--force")
    assert done.code == 0, done.err
    assert f"downgraded {NEW} -> {OLD}" in done.out
    assert record_of(repo).version == OLD
    assert (repo / RETIRED).exists()
    assert not (repo / RECENT).exists()
    assert verified(repo)


def test_what_upgrades_leave_uninstalls_to_the_byte(
    repo: Repo, new: Release, old: Release, tmp_path: Path
) -> None:
    """Installed by one release, upgraded by the next, taken away: the tree of before."""
    plain = build_repo({"README.md": "# Sample\n", ".gitignore": "x"}, tmp_path / "plain")
    before = picture(plain.root)
    assert old.install(plain, "--class", "A").code == 0
    assert new.install(plain, "--upgrade", "--add-missing-keys").code == 0
    assert new.install(plain, "--uninstall", "--purge").code == 0
    assert picture(plain.root) == before
