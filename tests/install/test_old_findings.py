"""What stood in a repository before its first install becomes the baseline, and never more than that."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from goblin import clock, engine
from goblin.adoption import old_findings
from goblin.facts import Facts, Run
from goblin.git import at
from goblin.install.session import Output
from goblin.install.uninstall import Removal, uninstall
from goblin.outcome import Finding, Verdict
from goblin.waivers import BASELINE, kept_lines
from tests.install.driving import Ran, record_of, run
from tests.install.faults import picture
from tests.support import Repo, build_repo

pytestmark = pytest.mark.usefixtures("one_payload")

KEY = "-----BEGIN RSA " + "PRIVATE KEY-----"
SKIPPING = """\
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make
      - if: always()
        run: make report
"""
ROWS = ("PG-05", "SC-01", "SC-10", "WV-01")


@pytest.fixture
def past(tmp_path: Path) -> Repo:
    """A repository whose own files break three rules, in one place each, and that ignores tables."""
    files = {
        ".gitignore": "*.tsv\nlocal/\n",
        ".github/workflows/test.yml": SKIPPING,
        "deploy/.env.production": "A=1\n",
        "tests/key.txt": KEY + "\n",
    }
    return build_repo(files, tmp_path / "past")


def install(repo: Repo, **options: Any) -> Ran:
    """Install as the command does."""
    return run(repo, judge=old_findings, **options)


def found_in(past: Repo) -> list[tuple[str, Finding, str]]:
    """What the lint rows flag before anything is installed."""
    repo = at(str(past.root))
    assert repo
    return old_findings(str(past.root), repo, b"class: A\narchive: false\n")


def verdicts(repo: Repo, rows: tuple[str, ...] = ROWS) -> dict[str, Verdict]:
    """What rows conclude of a target as it stands."""
    facts = Facts(Run(str(repo.root), at(str(repo.root)), cache=False))
    return {result.row.id: result.outcome.verdict for result in engine.judge(facts, rows).results}


def recorded(repo: Repo) -> list[tuple[str, str]]:
    """Row and path of each line of the baseline."""
    return sorted((row, path) for row, path, _ in kept_lines((repo / BASELINE).read_bytes()))


EXPECTED = [
    ("PG-05", ".github/workflows/test.yml"),
    ("SC-01", "deploy/.env.production"),
    ("SC-10", "tests/key.txt"),
]


def test_a_first_install_records_what_was_there_and_nothing_later_adds_to_it(past: Repo) -> None:
    """The rows pass with what they had; what is new is red, also after installing again."""
    before = picture(past.root)
    plan = install(past, dry_run=True)
    assert f"plan: {BASELINE}" in plan.out
    assert f"would record in {BASELINE}: PG-05 1, SC-01 1, SC-10 1" in plan.out
    assert picture(past.root) == before
    first = install(past)
    assert first.code == 0, first.text
    assert f"recorded in {BASELINE}: PG-05 1, SC-01 1, SC-10 1" in first.out
    assert "rotate it" in first.text
    assert "a new one FAILs" in first.text
    assert plan.counts.removeprefix("dry-run: ") == first.counts
    assert recorded(past) == EXPECTED
    assert BASELINE in record_of(past).owned
    past.commit("Adopt goblin-stack")
    assert past.git("ls-files", BASELINE) == BASELINE
    assert set(verdicts(past).values()) == {Verdict.PASS}
    again = install(past)
    assert again.counts.startswith("no-op: ")
    assert "recorded" not in again.text
    kept = (past / BASELINE).read_bytes()
    past.write({"more/.env": "B=2\n"}).git("add", "--force", "more")
    assert install(past, force=True).code == 0
    assert (past / BASELINE).read_bytes() == kept
    assert verdicts(past, ("SC-01", "WV-01")) == {"SC-01": Verdict.FAIL, "WV-01": Verdict.PASS}
    past.git("rm", "--quiet", "-r", "--force", "more")
    ran = Ran()
    ran.code = uninstall(Removal(os.fspath(past), purge=True), Output(ran.out.append, ran.err.append))
    assert ran.code == 0, ran.text
    assert picture(past.root) == before


def test_without_a_baseline_they_stay_red_and_the_command_is_named(past: Repo) -> None:
    """`--no-baseline` writes no file; the counts and the command that records them are said."""
    ran = install(past, no_baseline=True)
    assert ran.code == 0, ran.text
    assert "left red (--no-baseline): PG-05 1, SC-01 1, SC-10 1" in ran.text
    assert "goblin-verify --write-baseline PG-05,SC-01,SC-10" in ran.text
    assert not (past / BASELINE).exists()
    past.commit("Adopt goblin-stack")
    assert verdicts(past, ROWS[:3]) == dict.fromkeys(ROWS[:3], Verdict.FAIL)


def test_only_what_git_tracks_and_a_line_can_hold_is_recorded(past: Repo) -> None:
    """Untracked files, files of the install and names with a TAB are left as they are."""
    past.commit("odd", {"a\tb/.env": "A=1\n", "HANDOFF.md": "# ours\n\n## Gates\n\nmake=0\n"})
    past.write({"fresh/.env": "A=1\n"})
    everything = {(row, finding.path) for row, finding, _ in found_in(past)}
    assert everything >= set(EXPECTED)
    assert ("HP-02", "HANDOFF.md") in everything
    assert not [path for _, path in everything if path.startswith(("a\t", "fresh"))]
    ran = install(past)
    assert "HP-" not in ran.text.partition("recorded in")[2].partition("\n")[0]
    assert recorded(past) == EXPECTED


def test_a_baseline_that_head_knows_may_come_back_and_cannot_grow(past: Repo) -> None:
    """Taking an install away and installing anew records no finding that the baseline did not hold."""
    install(past)
    past.commit("Adopt goblin-stack")
    Ran().code = uninstall(Removal(os.fspath(past)), Output(print, print))
    past.write({"more/.env": "B=2\n"})
    past.git("add", "--force", "more")
    ran = install(past)
    assert f"recorded in {BASELINE}: PG-05 1, SC-01 1, SC-10 1" in ran.text
    assert recorded(past) == EXPECTED


@pytest.mark.parametrize("path", [BASELINE, ".goblin/waivers.tsv"])
def test_what_its_owner_recorded_already_stands(past: Repo, path: str) -> None:
    """A baseline that is there is left alone; a finding that is waived is not recorded as well."""
    (_, finding, name), *_ = found_in(past)
    table = f"row\tpath\tfingerprint\nPG-05\t{finding.path}\t{name}\n"
    if path != BASELINE:
        header, line, _ = table.split("\n")
        table = f"{header}\treason\towner\tuntil\n{line}\tlegacy\tme\t{clock.today() + timedelta(days=1)}\n"
    past.write({path: table})
    ran = install(past)
    assert ran.code == 0, ran.text
    assert past.read(path) == table
    if path == BASELINE:
        assert "recorded in" not in ran.text
    else:
        assert recorded(past) == EXPECTED[1:]


def test_a_clean_repository_gets_no_baseline(tmp_path: Path) -> None:
    """Nothing is recorded and nothing is said where there is nothing."""
    repo = build_repo({"README.md": "# Sample\n"}, tmp_path / "clean")
    ran = install(repo)
    assert ran.code == 0
    assert "baseline" not in ran.text
    assert not (repo / BASELINE).exists()
