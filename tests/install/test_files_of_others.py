"""What was there before an install: left alone, merged, adopted or taken over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goblin.facts import record as records
from goblin.install import agents
from goblin.install.journal import digest
from goblin.outcome import CannotRun
from tests.install.driving import CONFIG, record_of, run
from tests.support import Repo, build_repo

pytestmark = pytest.mark.usefixtures("one_payload")


THEIRS = {
    "HANDOFF.md": "# our own notes\n",
    "AGENTS.md": "be nice",
    ".gitignore": "node_modules/\n.env",
    "SPEC.md": "ours\n",
    "reviews/README.md": "ours\n",
    "checks/assert.py": "ours\n",
    ".hermes/skills/practice/SKILL.md": "ours\n",
    ".github/workflows/goblin-gate.yml": "on: push\n",
    ".goblin/goblin.yaml": "class: A\nbranch: main\n",
}
REFUSED = {
    "HANDOFF.md",
    "AGENTS.md",
    "checks/assert.py",
    ".hermes/skills/practice/SKILL.md",
    ".github/workflows/goblin-gate.yml",
    ".goblin/goblin.yaml",
}


def theirs(tmp_path: Path) -> Repo:
    """A repository with files of its own in many of our places."""
    return build_repo(THEIRS, tmp_path / "theirs")


def kept(repo: Repo) -> dict[str, str]:
    """Their files as they are now, the ignore file left out."""
    return {path: repo.read(path) for path in THEIRS if path != ".gitignore"}


def test_what_was_there_is_left_alone_named_and_recorded(tmp_path: Path) -> None:
    """Exit 1; each file byte for byte as it was; the rest is installed; the next run says the same."""
    repo = theirs(tmp_path)
    before = kept(repo)
    for turn in range(2):
        ran = run(repo)
        assert ran.code == 1
        assert kept(repo) == before
        (line,) = [line for line in ran.out if line.startswith("refused to overwrite: ")]
        assert set(line.removeprefix("refused to overwrite: ").split(", ")) == REFUSED
        assert all(line.startswith(("error: ", "remedy: ")) for line in ran.err)
        assert "and were left alone; all else is installed" in ran.err[0]
        first = f"installed, but for {len(REFUSED)} file(s) of yours, which need an edit (below)"
        assert turn or first in ran.out[:3], "what was done comes before what was not"
        assert any(line.startswith("kept (existed before") for line in ran.out)
        assert any(line.startswith("kept (exists") for line in ran.out)
        assert ran.counts.startswith("created " if turn == 0 else "no-op: ")
    record = record_of(repo)
    assert set(record.refused) == REFUSED
    assert all(record.refused[path] == digest(THEIRS[path].encode()) for path in REFUSED)
    assert not REFUSED & {*record.files, *record.owned}
    assert (repo / ".goblin/bin/goblin-verify").exists()
    assert repo.read(".gitignore").startswith(THEIRS[".gitignore"] + "\n# >>> goblin-stack >>>\n")
    assert run(repo, dry_run=True).code == 1


def test_the_hash_of_a_refused_file_is_the_one_seen_first(tmp_path: Path) -> None:
    """Its owner goes on editing it, and the record does not move."""
    repo = theirs(tmp_path)
    run(repo)
    before = repo.read(records.PATH)
    repo.write({"HANDOFF.md": "more\n"})
    assert run(repo).counts.startswith("no-op: ")
    assert repo.read(records.PATH) == before


def test_a_refused_file_that_is_gone_is_installed(tmp_path: Path) -> None:
    """Removed by its owner, made by us."""
    repo = theirs(tmp_path)
    run(repo)
    repo.remove(*REFUSED)
    ran = run(repo)
    assert ran.code == 0
    assert ran.counts.startswith(f"created {len(REFUSED)} ")
    assert record_of(repo).refused == {}


def test_force_takes_over_with_copies_and_the_next_run_is_quiet(tmp_path: Path) -> None:
    """Exit 0; the old bytes are below .goblin/backup, which git ignores, and the record names them."""
    repo = theirs(tmp_path)
    ran = run(repo, force=True)
    assert ran.code == 0
    assert any(line.startswith("taken over (--force)") for line in ran.out)
    (stamp,) = (repo / ".goblin/backup").iterdir()
    for path in REFUSED:
        assert (stamp / path).read_text() == THEIRS[path]
    assert record_of(repo).taken_over == {
        path: digest(THEIRS[path].encode()) for path in record_of(repo).taken_over
    }
    assert set(record_of(repo).taken_over) == REFUSED
    assert repo.git("status", "--porcelain", "--", ".goblin/backup") == ""
    assert run(repo).counts.startswith("no-op: ")
    assert set(record_of(repo).taken_over) == REFUSED


def test_a_config_of_others_is_neither_edited_nor_obeyed(tmp_path: Path) -> None:
    """An opt-out does not reach it, and what it calls gates does not run."""
    foreign = "class: A\ngates:\n  - name: trap\n    cmd: touch sprung\ndisabled: []\n"
    repo = build_repo({CONFIG: foreign}, tmp_path / "foreign")
    assert run(repo, opt_out=("tokens",)).code == 1
    assert repo.read(CONFIG) == foreign
    assert not (repo / "sprung").exists()
    assert "Nothing was measured at the install" in repo.read("HANDOFF.md")
    assert run(repo, force=True).code == 0
    assert not (repo / "sprung").exists()
    assert "--max 160" in repo.read(CONFIG)


def test_a_config_that_is_no_yaml_can_be_replaced(tmp_path: Path) -> None:
    """Refused with 2 and its line; `--force` needs not read what it replaces."""
    repo = build_repo({CONFIG: "a: b: c\n"}, tmp_path / "broken")
    with pytest.raises(CannotRun, match=r"\.goblin/goblin\.yaml:1:"):
        run(repo)
    assert run(repo, force=True).code == 0
    assert run(repo).counts.startswith("no-op: ")


def test_an_equal_file_that_was_there_is_adopted(tmp_path: Path, repo: Repo) -> None:
    """Hash-checked from now on, and marked so that an uninstall leaves it."""
    run(repo)
    path = ".hermes/skills/practice/SKILL.md"
    other = build_repo({path: repo.read(path)}, tmp_path / "other")
    assert run(other).code == 0
    assert set(record_of(other).adopted) == {path}
    assert json.loads(other.read(records.PATH))["adopted"] == {path: {"preexisting": True}}
    run(other, opt_out=("tokens",))
    assert set(record_of(other).adopted) == {path}


def test_agents_are_merged_on_demand_and_only_once(tmp_path: Path) -> None:
    """One marked block at the end; every byte before it stays; the record holds the addition's hash."""
    for text in ("be nice", "be nice\n", "", "be\r\nnice\r\n"):
        repo = build_repo({"AGENTS.md": text}, tmp_path / f"merge-{len(text)}-{text.count(chr(13))}")
        ran = run(repo, merge_agents=True)
        assert ran.code == 0, ran.text
        data = (repo / "AGENTS.md").read_bytes()
        assert data.startswith(text.encode())
        assert data.count(agents.BEGIN) == data.count(agents.END) == 1
        assert (b"\r\n" in text.encode()) == (b"\r\n" in data[len(text) :])
        record = record_of(repo)
        assert record.merged == {"AGENTS.md": digest(data[len(text.encode()) :])}
        assert "AGENTS.md" not in {*record.files, *record.owned, *record.refused}
        for again in (False, True):
            assert run(repo, merge_agents=again).counts.startswith("no-op: ")


def test_a_block_that_was_taken_out_again_is_a_refusal_until_it_is_merged_again(tmp_path: Path) -> None:
    """The owner's last word stands until somebody says otherwise."""
    repo = build_repo({"AGENTS.md": "be nice\n"}, tmp_path / "merge")
    run(repo, merge_agents=True)
    repo.write({"AGENTS.md": "be nice\n"})
    assert run(repo).code == 1
    assert run(repo, merge_agents=True).code == 0


def test_with_nothing_to_merge_into_the_whole_file_is_made(repo: Repo) -> None:
    """`--merge-agents` on a repository without an AGENTS.md."""
    assert run(repo, merge_agents=True).code == 0
    assert "AGENTS.md" in record_of(repo).owned
    assert run(repo, merge_agents=True).counts.startswith("no-op: ")


GOOD_HANDOFF = """\
# Notes
## START HERE
read
## Status
- HEAD when this file was written: `0123456`
## Gates
- tests=0 measured 2026-01-31
## Next
more
## Unverified
nothing outstanding
"""


def test_merged_by_hand_they_are_theirs_and_no_error(tmp_path: Path) -> None:
    """The printed remedy, followed: the files stay refused in the record, and the run ends with 0."""
    repo = build_repo({"HANDOFF.md": "x\n", "AGENTS.md": "x\n"}, tmp_path / "adopt")
    ran = run(repo)
    assert ran.code == 1
    assert "START HERE" in ran.text
    assert "--merge-agents" in ran.text
    repo.write({"HANDOFF.md": GOOD_HANDOFF, "AGENTS.md": "Verify with .goblin/bin/goblin-verify\n"})
    ran = run(repo)
    assert ran.code == 0, ran.text
    assert set(record_of(repo).refused) == {"HANDOFF.md", "AGENTS.md"}
    assert repo.read("HANDOFF.md") == GOOD_HANDOFF
    repo.write({"HANDOFF.md": GOOD_HANDOFF.replace("## Unverified", "## Other")})
    assert run(repo).code == 1
