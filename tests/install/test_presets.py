"""What each class supplies, and what is counted in the target before anything is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin.install import presets
from goblin.outcome import CannotRun
from tests.support import build_repo

MARK = "TO" + "DO"

EXPECTED = {
    "A": {
        "label": "Shipped software",
        "scaffold_checks": "yes",
        "ratchet.name": "client_js_bytes",
        "ratchet.ceiling": "measure",
        "replay.env": "GOBLIN_PRE_COMMIT",
        "replay.cmd": "auto {path}",
        "security.build_output": ".next/static dist/assets dist",
        "security.audit_cmd": "npm audit --json",
        "security.write_routes": "app src/app",
        "perf.metric": "client_js_bytes",
        "bans": "BN-01 BN-02 BN-05",
        "todo_floor": "160",
    },
    "B": {
        "label": "Service / configuration",
        "scaffold_checks": "no",
        "ratchet.name": "todo_markers",
        "replay.cmd": "",
        "security.build_output": "dist",
        "security.audit_cmd": "npm audit --json",
        "security.write_routes": "src app",
        "perf.metric": "",
        "bans": "",
        "todo_floor": "",
    },
    "C": {
        "label": "Game",
        "scaffold_checks": "yes",
        "ratchet.name": "todo_markers",
        "replay.cmd": "auto {path}",
        "security.build_output": "Builds Library",
        "security.audit_cmd": "",
        "perf.host_gate": "editor run, frame time on the target device",
        "bans": "BN-01 BN-02 BN-05",
    },
    "D": {
        "label": "Knowledge / research",
        "scaffold_checks": "no",
        "ratchet.name": "",
        "ratchet.cmd": "",
        "ratchet.ceiling": "0",
        "replay.env": "",
        "bans": "",
    },
    "E": {
        "label": "Agent-fleet config",
        "scaffold_checks": "no",
        "ratchet.name": "todo_markers",
        "replay.cmd": "auto {path}",
        "security.build_output": "",
        "bans": "BN-02",
    },
    "F": {
        "label": "Desktop shell",
        "scaffold_checks": "yes",
        "ratchet.name": "app_bundle_bytes",
        "security.build_output": "dist out release",
        "security.audit_cmd": "npm audit --json",
        "perf.metric": "app_bundle_bytes",
        "perf.host_gate": "Electron run with a window open: main_thread_busy_pct",
        "bans": "BN-01 BN-02 BN-05 BN-06 BN-07 BN-08 BN-09",
    },
}
EVERYWHERE = {
    "skills": "hermes",
    "harness_dir": "checks",
    "runtime_data": ".goblin/state.json",
    "security.gitignore_family": "yes",
    "security.audit_max_age_days": "90",
    "security.waiver_max_age_days": "180",
    "perf.baseline_value": "0",
    "advisory_ceiling": "10",
    "loop_max_turns_ceiling": "20",
}


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_a_class_supplies_what_its_contract_says(letter: str) -> None:
    """The table of the install contract, cell by cell."""
    preset = presets.load(letter)
    for key, value in {**EVERYWHERE, **EXPECTED[letter]}.items():
        assert preset[key] == value, key


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_the_first_gate_is_that_head_resolves_and_class_a_alone_counts_markers(letter: str) -> None:
    """A gate is never guessed from the stack."""
    gates = presets.load(letter).gates
    assert gates[0] == ("commit", "git rev-parse --verify --quiet HEAD")
    assert [gate.name for gate in gates[1:]] == (["todo_ceiling"] if letter == "A" else [])


@pytest.mark.parametrize("letter", presets.LETTERS)
def test_the_performance_number_is_the_ratchets(letter: str) -> None:
    """PF-01 wants one name, and one command behind it."""
    preset = presets.load(letter)
    if preset["perf.metric"]:
        assert (preset["perf.metric"], preset["perf.cmd"]) == (preset["ratchet.name"], preset["ratchet.cmd"])


@pytest.mark.parametrize("letter", ["a", "", "G", "AB", "A-", "software", "../A"])
def test_a_class_is_one_capital_from_a_to_f(letter: str) -> None:
    """Anything else is bad input that names the six."""
    with pytest.raises(CannotRun) as caught:
        presets.load(letter)
    assert "A B C D E F" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label: x\nlable: y\n", "lable is no key"),
        ("label: 1\nlabel: 2\n", "twice"),
        ("- a\n", "flat mapping"),
        ("bans: [BN-01]\n", "flat mapping"),
        ("label: 'x\n", "A-x.yaml"),
        ("", "flat mapping"),
    ],
)
def test_a_preset_that_cannot_be_meant_is_named(tmp_path: Path, text: str, said: str) -> None:
    """A damaged payload is exit 2 with the file, never a config with holes."""
    (tmp_path / "A-x.yaml").write_text(text)
    with pytest.raises(CannotRun) as caught:
        presets.load("A", os.fspath(tmp_path))
    assert said in caught.value.message
    assert "A-x.yaml" in caught.value.message


def test_a_payload_without_the_preset_or_with_two_is_refused(tmp_path: Path) -> None:
    """Which of two would win must not depend on the file system."""
    with pytest.raises(CannotRun, match="0 presets"):
        presets.load("A", os.fspath(tmp_path))
    (tmp_path / "A-x.yaml").write_text("label: x\n")
    assert presets.load("A", os.fspath(tmp_path))["advisory_ceiling"] == "10"  # absent keys have defaults
    (tmp_path / "A-y.yaml").write_text("label: y\n")
    with pytest.raises(CannotRun, match="2 presets"):
        presets.load("A", os.fspath(tmp_path))


def test_values_are_texts_as_written(tmp_path: Path) -> None:
    """`yes` is no boolean, `012` keeps its zero, and a command keeps its quotes and ampersands."""
    (tmp_path / "A-x.yaml").write_text(
        "scaffold_checks: yes\nperf.baseline_value: 012\ngate.x: 'a && echo ''b'' # \"'\n"
    )
    preset = presets.load("A", os.fspath(tmp_path))
    assert preset.yes("scaffold_checks")
    assert preset["perf.baseline_value"] == "012"
    assert preset.gates == (("x", "a && echo 'b' # \""),)


# --- measuring -------------------------------------------------------------------------------


def test_a_build_is_measured_in_bytes_each_file_once(tmp_path: Path) -> None:
    """Class A adds up the JavaScript, class F everything that ships."""
    files = {"dist/assets/a.js": "x" * 100, "dist/b.js": "xx", "dist/c.css": "xxx", "src/d.js": "xxxx"}
    repo = build_repo(files, tmp_path)
    assert presets.measure(presets.load("A"), os.fspath(repo)) == ("102", "160")
    assert presets.measure(presets.load("F"), os.fspath(repo)) == ("105", "")


@pytest.mark.parametrize("letter", ["A", "F"])
def test_without_a_build_the_ceiling_stays_empty(tmp_path: Path, letter: str) -> None:
    """A zero that nobody measured would make the first real build red; an empty build is a zero."""
    repo = build_repo({"src/a.js": "x"}, tmp_path)
    assert presets.measure(presets.load(letter), os.fspath(repo)).ceiling == ""
    (repo / "dist").mkdir()
    assert presets.measure(presets.load(letter), os.fspath(repo)).ceiling == "0"


def test_a_build_that_cannot_be_looked_at_is_not_measured(tmp_path: Path) -> None:
    """A link to another tree is not this project's size."""
    repo = build_repo({"dist@": ".."}, tmp_path / "repo")
    assert presets.measure(presets.load("A"), os.fspath(repo)).ceiling == ""


@pytest.mark.parametrize(("letter", "expected"), [("B", "3"), ("C", "2"), ("E", "1")])
def test_markers_are_counted_by_the_endings_of_the_class(tmp_path: Path, letter: str, expected: str) -> None:
    """B reads scripts, C a game's sources, E what a fleet is configured with."""
    files = dict.fromkeys(("a.ts", "b.js", "c.py", "d.md"), f"# {MARK}\n")
    repo = build_repo(files, tmp_path)
    assert presets.measure(presets.load(letter), os.fspath(repo)) == (expected, "")


def test_the_marker_ceiling_of_class_a_is_the_larger_of_160_and_today(tmp_path: Path) -> None:
    """A fresh install is green in a repository that already has more (decided 50)."""
    for count, ceiling in ((0, "160"), (160, "160"), (161, "161"), (400, "400")):
        repo = build_repo({"a.ts": f"// {MARK}\n" * count}, tmp_path / str(count))
        assert presets.measure(presets.load("A"), os.fspath(repo)).todo_ceiling == ceiling


def test_what_is_not_added_yet_is_measured_too(tmp_path: Path) -> None:
    """Else the first `git add` after the install would turn the ratchet red."""
    repo = build_repo({"a.py": f"# {MARK}\n"}, tmp_path, commit=None)
    assert presets.measure(presets.load("B"), os.fspath(repo)).ceiling == "1"


def test_a_class_without_a_ratchet_measures_nothing(tmp_path: Path) -> None:
    """D declares none."""
    assert presets.measure(presets.load("D"), os.fspath(build_repo({}, tmp_path))) == ("0", "")
