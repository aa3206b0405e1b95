"""PF-01: a baseline that is tied to a commit, a day and the ratchet's ceiling."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from goblin import clock
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo

CELL = "checks/performance.py::the_baseline_names_its_commit"


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still in UTC."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 3, 4, 12, 0, 0, tzinfo=UTC))


def config(commit: str, perf: str = "", ratchet: str = "name: bytes\n  cmd: 'echo 40'\n  ceiling: 40") -> str:
    """A config with a recorded baseline; `perf` adds lines, or replaces those of the same key."""
    lines = {"metric": "bytes", "cmd": "'make size'", "baseline_commit": commit, "baseline_value": "40",
             "measured": "2026-03-01"}  # fmt: skip
    for line in perf.splitlines():
        key, _, value = line.partition(":")
        lines[key] = value.strip()
    block = "".join(f"  {key}: {value}\n" for key, value in lines.items())
    return f"class: A\nbranch: main\narchive: false\nperf:\n{block}ratchet:\n  {ratchet}\n"


def pf01(root: Path, perf: str = "", ratchet: str | None = None, commit: str = "") -> Outcome:
    """The outcome on a repository whose baseline is its first commit."""
    repo = build_repo({"a": "a"}, root)
    text = config(commit or repo.head, perf, *([ratchet] if ratchet else []))
    repo.commit("next", {".goblin/goblin.yaml": text})
    return judge(repo, CELL)


def test_what_agrees_passes(tmp_path: Path) -> None:
    """With the number, the day, the commit, the ceiling and the host gate."""
    outcome = pf01(tmp_path, "host_gate: frame time on a phone")
    assert outcome.verdict is Verdict.PASS
    commit = Repo(tmp_path).git("rev-parse", "HEAD~1")[:12]
    expected = f"bytes = 40 measured 2026-03-01 on {commit} (ceiling 40), host gate: frame time on a phone"
    assert outcome.summary == expected


@pytest.mark.parametrize(
    "perf", ["baseline_value: 040", "baseline_value: '40'", "measured: 2026-03-04", "measured: 2026-03-05"]
)
def test_numbers_are_numbers_and_tomorrow_is_not_the_future(tmp_path: Path, perf: str) -> None:
    """Leading zeros and quotes change nothing; clocks of two zones differ by a day."""
    outcome = pf01(tmp_path, perf)
    assert outcome.verdict is Verdict.PASS
    assert "host gate: none" in said(outcome)


def test_an_abbreviated_commit_will_do(tmp_path: Path) -> None:
    """Seven digits that name one commit, in capitals too; HEAD itself is below HEAD."""
    repo = build_repo({"a": "a"}, tmp_path)
    for token in (repo.head[:7], repo.head[:9].upper()):
        repo.write({".goblin/goblin.yaml": config(token)})
        assert judge(repo, CELL).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("perf", "told"),
    [
        ("metric: frames", "perf.metric is 'frames', and the ratchet is 'bytes'"),
        ("baseline_value: 39", "ratchet.ceiling is 40, and perf.baseline_value is 39"),
        ("baseline_value: many", "baseline_value"),
        ("baseline_value: -1", "baseline_value"),
        ("measured:", "perf.measured is empty"),
        ("measured: 2026-02-30", "no date"),
        ("measured: abcd-ef-gh", "measured"),
        ("measured: 2099-01-01", "in the future"),
        ("measured: 2026-03-06", "in the future"),
        ("baseline_commit: HEAD", "baseline_commit"),
        ("baseline_commit: abc123", "baseline_commit"),
        ("baseline_commit: " + "0" * 40, "does not resolve: it is no commit of this repository"),
        ("bassline: 1", "bassline"),
    ],
)
def test_what_does_not_hold(tmp_path: Path, perf: str, told: str) -> None:
    """Each with its place in the config."""
    outcome = pf01(tmp_path, perf)
    assert outcome.verdict is Verdict.FAIL
    assert told in said(outcome)
    assert any(f.path == ".goblin/goblin.yaml" and f.line for f in outcome.findings)


@pytest.mark.parametrize(
    ("ratchet", "told"),
    [
        ("name: bytes\n  cmd: 'x'\n  ceiling: 41", "ratchet.ceiling is 41, and perf.baseline_value is 40"),
        ("name: bytes\n  cmd: 'x'\n  ceiling:", "ratchet.ceiling is empty"),
        ("name: bytes\n  cmd: 'x'", "ratchet.ceiling is empty"),
        ("name: bytes\n  cmd: 'x'\n  ceiling: ten", "ratchet.ceiling"),
        ("name:\n  cmd: 'x'\n  ceiling: 40", "the ratchet is ''"),
        ("name: [a]\n  cmd: 'x'\n  ceiling: 40", "ratchet.name"),
    ],
)
def test_a_ratchet_that_does_not_agree(tmp_path: Path, ratchet: str, told: str) -> None:
    """No headroom: value and ceiling move together."""
    outcome = pf01(tmp_path, "", ratchet)
    assert outcome.verdict is Verdict.FAIL
    assert told in said(outcome)


def test_everything_is_reported_at_once(tmp_path: Path) -> None:
    """Nobody mends four things in four runs."""
    perf = "metric: frames\nbaseline_value: 39\nmeasured: 2099-01-01\nbaseline_commit: " + "0" * 40
    assert len(pf01(tmp_path, perf).findings) == 4


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("", "no perf metric declared"),
        ("perf:\n  metric:\n", "no perf metric declared"),
        ("ratchet:\n  name: bytes\n  cmd: x\n", "no perf metric declared; the ratchet is bytes"),
        ("perf:\n  metric: bytes\n  cmd: 'make size'\n", "no perf baseline recorded: run make size"),
        ("perf:\n  metric: bytes\n  baseline_commit: ~\n", "perf.measured and ratchet.ceiling"),
    ],
)
def test_what_is_not_declared_skips(tmp_path: Path, block: str, told: str) -> None:
    """It says what would make the row run."""
    repo = build_repo({".goblin/goblin.yaml": f"class: A\narchive: false\n{block}"}, tmp_path)
    assert judge(repo, CELL).verdict is Verdict.SKIP
    assert told in said(judge(repo, CELL))


def test_a_wrong_value_is_a_fail_before_a_baseline_is_recorded(tmp_path: Path) -> None:
    """The row owns the keys."""
    text = "class: A\narchive: false\nperf:\n  metric: bytes\n  measured: soon\n"
    assert judge(build_repo({".goblin/goblin.yaml": text}, tmp_path), CELL).verdict is Verdict.FAIL


def test_a_commit_beside_head_is_a_fail(tmp_path: Path) -> None:
    """The tree was not measured there."""
    repo = build_repo({"a": "a"}, tmp_path)
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", {"b": "b"})
    repo.git("checkout", "-q", "main")
    repo.write({".goblin/goblin.yaml": config(side)})
    assert "is no ancestor of HEAD" in said(judge(repo, CELL))


def test_a_shallow_clone_says_so(tmp_path: Path) -> None:
    """What does not resolve may still exist."""
    repo = build_repo({"a": "a"}, tmp_path / "origin")
    repo.commit("next", {".goblin/goblin.yaml": config(repo.head)})
    repo.git("clone", "-q", "--depth=1", f"file://{repo.root}", str(tmp_path / "clone"))
    outcome = judge(Repo(tmp_path / "clone"), CELL)
    assert outcome.verdict is Verdict.FAIL
    assert "shallow clone: fetch full history" in said(outcome)


def test_before_the_first_commit(tmp_path: Path) -> None:
    """A recorded baseline needs history."""
    repo = build_repo({".goblin/goblin.yaml": config("0123456")}, tmp_path, commit=None)
    assert "no commits yet" in said(judge(repo, CELL))
