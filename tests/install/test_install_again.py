"""An install on top of an install: nothing to do, things to restore, and changed choices."""

from __future__ import annotations

import json
import re

import pytest

from goblin import __version__, clock
from goblin.facts import record as records
from goblin.install import gitignore
from goblin.install.journal import digest
from goblin.outcome import CannotRun
from tests.install.driving import CONFIG, config, record_of, run, times
from tests.install.faults import picture
from tests.support import Repo

pytestmark = pytest.mark.usefixtures("one_payload")


# --- once more -------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ["A", "D"])
def test_the_same_again_touches_nothing(repo: Repo, letter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No byte and no time of change, on another day too; the record stays as it is."""
    run(repo, letter)
    before, stamps = picture(repo.root), times(repo)
    later = clock.now().replace(year=2031)
    monkeypatch.setattr(clock, "now", lambda: later)
    ran = run(repo, letter)
    assert ran.code == 0
    assert (
        ran.counts
        == f"no-op: {len(record_of(repo).files)} files unchanged (v{__version__} already installed)"
    )
    assert picture(repo.root) == before
    assert times(repo) == stamps


def test_a_later_run_may_leave_the_class_to_the_record(repo: Repo) -> None:
    """What the remedies say is enough: `goblin-install --target . --opt-in anchor`."""
    run(repo, "D")
    assert run(repo, "").counts.startswith("no-op: ")
    assert run(repo, "", opt_in=("anchor",)).code == 0
    assert (record_of(repo).class_name, record_of(repo).opted_in) == ("D", ("anchor",))


def test_a_dry_run_writes_nothing_and_names_every_path(repo: Repo) -> None:
    """Not even a folder; the paths are those that the real run then writes."""
    before, stamps = picture(repo.root), times(repo)
    short = run(repo, dry_run=True)
    dry = run(repo, dry_run=True, verbose=True)
    assert dry.code == 0
    assert picture(repo.root) == before
    assert times(repo) == stamps
    real = run(repo)
    planned = {line.removeprefix("plan: ") for line in dry.out if line.startswith("plan: ")}
    record = record_of(repo)
    assert planned == {*record.files, *record.owned, gitignore.PATH}
    assert dry.counts == f"dry-run: {real.counts}"
    assert short.counts == dry.counts
    assert not any(line.startswith("plan: .goblin/manifest/roles") for line in short.out)
    inside = sum(path.startswith(".goblin/manifest/") for path in planned)
    assert f"plan: .goblin/manifest/ ({inside} created)" in short.out
    assert f"plan: {gitignore.PATH}" in short.out
    assert "each file of these folders: --verbose" in short.out


def test_a_deleted_installed_file_comes_back(repo: Repo) -> None:
    """It counts as created."""
    run(repo)
    whole = picture(repo.root)
    (repo / ".goblin/manifest/roles.tsv").unlink()
    ran = run(repo)
    assert ran.counts.startswith("created 1 · updated 0 ")
    assert {**picture(repo.root), records.PATH: b""} == {**whole, records.PATH: b""}


def test_an_edited_installed_file_is_kept_and_named(repo: Repo) -> None:
    """Exit 1 with the command that restores it; nothing is written beside it (decided 37)."""
    run(repo)
    path = ".goblin/manifest/roles.tsv"
    repo.write({path: repo.read(path) + "mine\n"})
    before = picture(repo.root)
    ran = run(repo)
    assert ran.code == 1
    assert f"kept (edited): {path}" in ran.out
    assert f"remedy: git checkout -- {path}" in ran.err
    assert picture(repo.root) == before
    assert record_of(repo).files[path] != digest(repo.read(path).encode())


def test_force_takes_an_edited_file_back_and_keeps_a_copy(repo: Repo) -> None:
    """The next run is a no-op."""
    run(repo)
    path = ".goblin/manifest/roles.tsv"
    released = repo.read(path)
    repo.write({path: "mine\n"})
    ran = run(repo, force=True)
    assert ran.code == 0
    assert repo.read(path) == released
    (copy,) = (repo / ".goblin/backup").glob("*/.goblin/manifest/roles.tsv")
    assert copy.read_text() == "mine\n"
    assert re.fullmatch(r"[0-9]{8}T[0-9]{6}Z(-[0-9]+)?", copy.relative_to(repo / ".goblin/backup").parts[0])
    assert run(repo).counts.startswith("no-op: ")
    assert record_of(repo).taken_over == {}
    assert not any("backup" in folder for folder in record_of(repo).dirs_created)


def test_an_unedited_file_of_the_same_version_follows_the_payload(repo: Repo) -> None:
    """A checkout whose payload moved on replaces what is still as recorded."""
    run(repo)
    path = ".goblin/manifest/roles.tsv"
    released = repo.read(path)
    repo.write({path: "as it was installed\n"})
    record = json.loads(repo.read(records.PATH))
    record["files"][path] = digest(b"as it was installed\n")
    repo.write({records.PATH: json.dumps(record)})
    assert run(repo).counts.startswith("created 0 · updated 1 ")
    assert repo.read(path) == released


def test_an_edited_config_is_the_projects(repo: Repo) -> None:
    """Kept and counted skipped, `--force` or not; the digest in the record stays that of its creation."""
    run(repo)
    recorded = record_of(repo).owned[CONFIG]
    repo.write({CONFIG: repo.read(CONFIG).replace("max_dirty: 0", "max_dirty: 3 # ours")})
    before = picture(repo.root)
    for force in (False, True):
        ran = run(repo, force=force)
        assert ran.code == 0
        assert f"kept (yours): {CONFIG}" in ran.out
        assert picture(repo.root) == before
    assert record_of(repo).owned[CONFIG] == recorded


def test_a_deleted_config_is_made_again_with_the_recorded_choices(repo: Repo) -> None:
    """From the preset; what was opted out stays opted out."""
    run(repo, opt_out=("tokens",))
    (repo / CONFIG).unlink()
    ran = run(repo)
    assert ran.counts.startswith("created 1 ")
    assert config(repo, "disabled") == "[tokens]"


def test_a_handoff_that_is_made_again_carries_the_declared_gates(repo: Repo) -> None:
    """Those of the config as it is now; a host gate is left to its host."""
    run(repo)
    text = repo.read(CONFIG).replace(
        "gates:\n",
        "gates:\n  - name: ours\n    cmd: exit 3\n  - name: device\n    cmd: exit 4\n    kind: host\n",
    )
    repo.write({CONFIG: text})
    (repo / "HANDOFF.md").unlink()
    run(repo)
    (line,) = [line for line in repo.read("HANDOFF.md").splitlines() if "ours=" in line]
    assert line == f"- ours=3 commit=0 todo_ceiling=0 · measured {clock.today()}"


def test_the_declared_branch_wins_over_the_one_checked_out(repo: Repo) -> None:
    """A run on a feature branch does not rewrite the workflow's trigger."""
    run(repo)
    repo.commit("Install goblin")
    repo.git("checkout", "-q", "-b", "feature")
    assert run(repo).counts.startswith("no-op: ")


def test_a_lost_record_is_made_again(repo: Repo) -> None:
    """All files are there: unchanged, and what still opens with our line is owned again; exit 0."""
    run(repo)
    before, old = picture(repo.root), record_of(repo)
    repo.write({"HANDOFF.md": repo.read("HANDOFF.md") + "- more\n"})
    (repo / records.PATH).unlink()
    ran = run(repo)
    assert ran.code == 0, ran.text
    assert ran.counts.startswith(f"created 0 · updated 0 · unchanged {len(old.files)} ")
    new = record_of(repo)
    assert new.files == old.files
    assert set(new.owned) == set(old.owned)
    assert new.adopted == {}
    assert {**picture(repo.root), "HANDOFF.md": 0, records.PATH: 0} == {
        **before,
        "HANDOFF.md": 0,
        records.PATH: 0,
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("not json", "is not JSON"),
        (
            '{"version": "0.1.0", "files": {"../../etc/passwd": "%s"}}' % ("0" * 64),
            "'../../etc/passwd' is not a relative",
        ),
        (
            '{"version": "0.1.0", "files": {".git/hooks/x": "%s"}}' % ("0" * 64),
            "'.git/hooks/x' is not a relative",
        ),
    ],
)
def test_a_record_that_cannot_be_trusted_stops_the_run(repo: Repo, text: str, said: str) -> None:
    """Exit 2, nothing touched."""
    run(repo)
    repo.write({records.PATH: text})
    before = picture(repo.root)
    with pytest.raises(CannotRun) as caught:
        run(repo)
    assert said in caught.value.message
    assert picture(repo.root) == before


@pytest.mark.parametrize(
    ("version", "said"),
    [("99.0.0", "that would be a downgrade"), ("", "cannot be told"), ("soon", "cannot be told")],
)
def test_an_older_release_changes_nothing_without_force(repo: Repo, version: str, said: str) -> None:
    """Exit 1 and the way out; forced, the record names this release."""
    run(repo)
    record = json.loads(repo.read(records.PATH))
    repo.write({records.PATH: json.dumps({**record, "version": version})})
    before = picture(repo.root)
    for upgrade, dry_run in ((False, False), (True, False), (False, True)):
        ran = run(repo, upgrade=upgrade, dry_run=dry_run)
        assert ran.code == 1
        assert said in ran.err[0]
        assert "--force" in ran.err[1]
        assert picture(repo.root) == before
    assert run(repo, force=True).code == 0
    assert record_of(repo).version == __version__


# --- choices on a later run ------------------------------------------------------------------------


def changed_lines(before: str, after: str) -> list[str]:
    """The lines of `after` that differ; every other line stands where it stood."""
    old, new = before.split("\n"), after.split("\n")
    assert len(old) == len(new)
    return [line for number, line in enumerate(new) if line != old[number]]


def test_parts_are_opted_out_and_in_on_one_line_of_the_config(repo: Repo) -> None:
    """Merged, sorted, each once, in config and record; every other byte stays."""
    run(repo)
    repo.write({CONFIG: repo.read(CONFIG).replace("max_dirty: 0", "max_dirty:   0   # ours")})
    before = repo.read(CONFIG)
    ran = run(repo, opt_out=("tokens", "replay"))
    assert ran.code == 0
    assert "recorded opt-out: replay,tokens" in ran.out
    (line,) = changed_lines(before, repo.read(CONFIG))
    assert re.fullmatch(r"disabled: \[replay, ?tokens\]", line)
    assert record_of(repo).disabled == ("replay", "tokens")
    assert run(repo, opt_out=("replay",)).counts.startswith("no-op: ")
    run(repo, opt_in=("replay", "tokens"))
    assert changed_lines(before, repo.read(CONFIG)) == []
    assert record_of(repo).disabled == ()


def test_the_part_that_is_off_until_it_is_named(repo: Repo) -> None:
    """`--opt-in` and `--parts` name it, the record remembers it, an upgrade keeps it, `--opt-out` ends it."""
    run(repo, parts="handoff,anchor")
    assert record_of(repo).opted_in == ("anchor",)
    assert config(repo, "disabled") == "[]"
    ran = run(repo, opt_out=("anchor",))
    assert "recorded opt-in: none" in ran.out
    assert (record_of(repo).opted_in, record_of(repo).disabled) == ((), ("anchor",))
    ran = run(repo, opt_in=("anchor",))
    assert "recorded opt-in: anchor" in ran.out
    assert any("under governance: (IN-05)" in line for line in ran.out)
    assert (record_of(repo).opted_in, record_of(repo).disabled) == (("anchor",), ())
    assert run(repo, upgrade=True).counts.startswith("no-op: ")
    assert record_of(repo).opted_in == ("anchor",)


def test_an_opt_out_finds_a_config_without_the_line(repo: Repo) -> None:
    """It is appended, and said truthfully."""
    run(repo)
    repo.write({CONFIG: re.sub(r"(?m)^disabled:.*\n", "", repo.read(CONFIG))})
    assert run(repo, opt_out=("tokens",)).code == 0
    assert config(repo, "disabled") == "[tokens]"


def test_a_hand_edit_of_the_config_is_not_recorded_as_an_opt_out(repo: Repo) -> None:
    """CL-01 tells the two apart, so an opt-out of one part does not launder another."""
    run(repo)
    repo.write({CONFIG: repo.read(CONFIG).replace("disabled: []", "disabled: [handoff]")})
    run(repo, opt_out=("tokens",))
    assert record_of(repo).disabled == ("tokens",)
    assert set(config(repo, "disabled").strip("[]").replace(" ", "").split(",")) == {"handoff", "tokens"}


def test_a_dry_run_claims_no_opt_out(repo: Repo) -> None:
    """It writes nothing and does not say that it did."""
    run(repo)
    before = picture(repo.root)
    ran = run(repo, opt_out=("tokens",), dry_run=True)
    assert picture(repo.root) == before
    assert "recorded opt-out" not in ran.text
    assert f"plan: {CONFIG}" in ran.out


def test_a_config_that_cannot_be_read_stops_the_run(repo: Repo) -> None:
    """Exit 2 with its line; nothing is written."""
    run(repo)
    repo.write({CONFIG: "class: A\nclass: B\n"})
    before = picture(repo.root)
    with pytest.raises(CannotRun, match=r"\.goblin/goblin\.yaml:2:"):
        run(repo, opt_out=("tokens",))
    assert picture(repo.root) == before


def test_skills_stay_as_recorded_until_told_otherwise(repo: Repo) -> None:
    """An omitted option keeps them and says so; a list replaces them; no takes them away."""
    run(repo, skills="claude,agents")
    assert record_of(repo).options.skills == ("claude", "agents")
    ran = run(repo)
    assert any("claude, agents; they are kept" in line for line in ran.out)
    assert ran.counts.startswith("no-op: ")
    (repo / ".claude/skills/own").mkdir()
    (repo / ".claude/skills/own/SKILL.md").write_text("ours\n")
    run(repo, skills="hermes")
    assert (repo / ".hermes/skills/goblin-mode/SKILL.md").exists()
    assert not (repo / ".agents").exists()
    assert [path.name for path in (repo / ".claude/skills").iterdir()] == ["own"]
    run(repo, skills="no")
    assert not (repo / ".hermes").exists()
    assert record_of(repo).options.skills == ()
    assert not any(path.startswith((".hermes", ".claude")) for path in record_of(repo).files)
    assert record_of(repo).disabled == ("playbooks",)
    assert config(repo, "disabled") == "[playbooks]"
    run(repo, skills="yes")
    assert record_of(repo).disabled == ()


def test_an_edited_skill_is_not_taken_away(repo: Repo) -> None:
    """It stays, is named, and stays recorded."""
    run(repo)
    path = ".hermes/skills/practice/SKILL.md"
    repo.write({path: "ours now\n"})
    ran = run(repo, skills="no")
    assert any(line.startswith("kept (edited") and path in line for line in ran.out)
    assert repo.read(path) == "ours now\n"
    assert path in record_of(repo).files


def test_archive_is_kept_and_can_be_taken_back(repo: Repo) -> None:
    """Config and record agree in each state (CL-02)."""
    run(repo, archive=True)
    assert run(repo).counts.startswith("no-op: ")
    assert record_of(repo).options.archive is True
    run(repo, archive=False)
    assert record_of(repo).options.archive is False
    assert config(repo, "archive") == "false"
    assert (repo / "HANDOFF.md").exists()
    run(repo, archive=True)
    assert config(repo, "archive") == "true"
    assert (repo / "HANDOFF.md").exists(), "what the project owns stays"


def test_a_class_change_needs_force_and_says_what_it_orphans(repo: Repo) -> None:
    """Refused first; forced, the workflow goes, and config and record name the new class."""
    run(repo)
    before = picture(repo.root)
    ran = run(repo, "B")
    assert ran.code == 1
    assert "installed as class A, not B" in ran.err[0]
    assert "ci-gate" in ran.err[0]
    assert picture(repo.root) == before
    assert run(repo, "B", force=True).code == 0
    assert record_of(repo).class_name == "B"
    assert config(repo, "class") == "B"
    assert not (repo / ".github/workflows/goblin-gate.yml").exists()
    assert record_of(repo).disabled == ("ci-gate", "pr-gate", "replay", "review-panel", "tokens")
    assert set(config(repo, "disabled").strip("[]").replace(" ", "").split(",")) == set(
        record_of(repo).disabled or ()
    )
    assert run(repo, "B").counts.startswith("no-op: ")
