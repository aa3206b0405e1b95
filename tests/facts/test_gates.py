"""Facts about the gates: one run a run of the verifier, for the rows and for the installer."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from goblin import clock, process
from goblin.facts import gateline, gates
from goblin.facts.config import Gate, Ratchet
from goblin.facts.gateline import LINE, SIDECAR, Reading, Sidecar
from goblin.paths import Tree
from goblin.process import Completed
from tests.support import Repo, build_repo
from tests.support.mini import CONFIG, facts_of

IGNORED = ".goblin/last-gate-line\n.goblin/last-gate.json\n.goblin/ratchet-last\nstate*\n"


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still, a second before midnight in UTC."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 3, 4, 23, 59, 59, tzinfo=UTC))


def gate(name: str, cmd: str, *, timeout_s: int = 60, host: bool = False) -> Gate:
    """A declared gate."""
    return Gate(name=name, cmd=cmd, timeout_s=timeout_s, host=host, line=1)


def ratchet(cmd: str, ceiling: int | None = 9, name: str = "markers") -> Ratchet:
    """A declared ratchet."""
    return Ratchet(name=name, cmd=cmd, ceiling=ceiling, raised="")


def governed(root: Path, block: str, files: dict[str, str] | None = None) -> Repo:
    """A repository with these lines in its config."""
    return build_repo({".goblin/goblin.yaml": CONFIG + block, ".gitignore": IGNORED, **(files or {})}, root)


GATES = "gates:\n  - name: a\n    cmd: 'echo x >> ran'\n"


class TestMeasure:
    """What the installer calls: no facts, no files."""

    def test_the_line_of_a_fresh_install(self, tmp_path: Path) -> None:
        """Gates in order, the ratchet, the UTC date; a red gate is on it too."""
        found = gates.measure(str(tmp_path), [gate("a", "true"), gate("b", "exit 3")], ratchet("echo 5"))
        assert found.line == "a=0 b=3 · markers 5 (ceiling 9) · measured 2026-03-04"
        assert [result.gate.name for result in found.red] == ["b"]
        assert found.ratchet is not None
        assert found.ratchet.value == 5

    def test_nothing_is_written(self, tmp_path: Path) -> None:
        """The installer decides what becomes of the line."""
        gates.measure(str(tmp_path), [gate("a", "true")], ratchet("echo 5"))
        assert os.listdir(tmp_path) == []

    @pytest.mark.parametrize(
        ("declared", "line"),
        [
            (None, "a=0 · measured 2026-03-04"),
            (ratchet("echo 5", None), "a=0 · measured 2026-03-04"),
            (ratchet("echo none"), "a=0 · measured 2026-03-04"),
            (ratchet("", 5), "a=0 · measured 2026-03-04"),
            (ratchet("echo 5", name=" my  markers "), "a=0 · my markers 5 (ceiling 9) · measured 2026-03-04"),
        ],
    )
    def test_a_ratchet_without_number_is_left_out(
        self, tmp_path: Path, declared: Ratchet | None, line: str
    ) -> None:
        """Only what was measured against a ceiling stands on the line."""
        assert gates.measure(str(tmp_path), [gate("a", "true")], declared).line == line

    def test_a_number_is_given_also_without_a_ceiling(self, tmp_path: Path) -> None:
        """So that the installer can make it the ceiling."""
        found = gates.measure(str(tmp_path), [], ratchet("echo 5", None))
        assert found.ratchet is not None
        assert (found.ratchet.value, found.line) == (5, "")

    def test_a_command_can_be_answered_without_running_it(self, tmp_path: Path) -> None:
        """A helper of ours that is not in the target yet is counted by the installer itself."""

        def answer(
            command: str, cwd: str, env: object = None, timeout: float = 0, *, apart: bool = False
        ) -> Completed:
            return (
                Completed(7, b"3\n")
                if command == "ours"
                else process.run_shell(command, cwd, timeout=timeout, apart=apart)
            )

        found = gates.measure(
            str(tmp_path), [gate("a", "ours"), gate("b", "exit 2")], ratchet("ours"), answer
        )
        assert found.line == "a=7 b=2 · markers 3 (ceiling 9) · measured 2026-03-04"

    def test_no_gate_gives_no_line_or_the_ratchets(self, tmp_path: Path) -> None:
        """A class without gates has nothing to put a date on."""
        assert gates.measure(str(tmp_path), [], None).line == ""
        host = gate("device", "touch ran", host=True)
        found = gates.measure(str(tmp_path), [host], None)
        assert (found.line, found.hosts, found.results) == ("", (host,), ())
        assert gates.measure(str(tmp_path), [], ratchet("echo 5")).line == (
            "markers 5 (ceiling 9) · measured 2026-03-04"
        )
        assert os.listdir(tmp_path) == []


class TestOnce:
    """Within one run of the verifier."""

    def test_the_gates_run_once_for_every_row_that_needs_them(self, tmp_path: Path) -> None:
        """Status, line and gate rows share one run."""
        repo = governed(tmp_path, GATES)
        facts = facts_of(repo, selected=frozenset({"GT-02", "GT-03", "CM-03", "DS-01"}))
        for name in ("status", "gate_line", "gate_run", "gate_line", "status"):
            facts.get(name)
        assert repo.read("ran") == "x\n"

    def test_the_ratchet_runs_once_for_line_and_row(self, tmp_path: Path) -> None:
        """GT-02 puts the number on the line, GT-05 judges it."""
        repo = governed(
            tmp_path, GATES + "ratchet:\n  name: m\n  cmd: 'echo y >> counted; echo 5'\n  ceiling: 9\n"
        )
        facts = facts_of(repo, selected=frozenset({"GT-02", "GT-05"}))
        facts.get("gate_run")
        facts.get("ratchet_run")
        assert repo.read("counted") == "y\n"

    def test_the_memory_belongs_to_the_row_that_judges(self, tmp_path: Path) -> None:
        """A run of the gates alone does not swallow the rise that GT-05 would name."""
        repo = governed(tmp_path, GATES + "ratchet:\n  name: m\n  cmd: 'echo 5'\n  ceiling: 9\n")
        facts_of(repo, selected=frozenset({"GT-02"})).get("gate_run")
        assert not (tmp_path / ".goblin" / "ratchet-last").exists()
        facts_of(repo, selected=frozenset({"GT-05"})).get("ratchet_run")
        assert repo.read(".goblin/ratchet-last") == "5\n"

    def test_the_head_on_the_sidecar_is_the_one_that_was_measured(self, tmp_path: Path) -> None:
        """A gate that commits does not make the line one about its own commit."""
        commit = "git -c user.name=x -c user.email=x@example.invalid commit -q --allow-empty -m x"
        repo = governed(tmp_path, f"gates:\n  - name: a\n    cmd: '{commit}'\n")
        before = repo.head
        facts_of(repo, selected=frozenset({"GT-02"})).get("gate_run")
        assert repo.head != before
        assert json.loads(repo.read(SIDECAR))["head"] == before


class TestRuntimeData:
    """Hashes around the gates, for the rows about runtime data alone."""

    def around(self, repo: Repo) -> dict[str, tuple[str, str]]:
        """Path to digest before and after."""
        found = facts_of(repo, selected=frozenset({"DS-01"})).get("gate_run")
        return {datum.path: (datum.before, datum.after) for datum in found.data}

    def test_nothing_is_hashed_where_no_row_asks(self, tmp_path: Path) -> None:
        """It may be large."""
        repo = governed(tmp_path, GATES + "runtime_data: [state.json]\n")
        assert facts_of(repo, selected=frozenset({"GT-02"})).get("gate_run").data is None

    def test_a_write_during_the_gates_is_seen(self, tmp_path: Path) -> None:
        """Changed, made, removed and left alone are told apart."""
        cmd = "echo 2 > state.a; echo 1 > state.b; rm state.c"
        paths = ", ".join(f"state.{letter}" for letter in "abcde")
        block = f"gates:\n  - name: a\n    cmd: '{cmd}'\nruntime_data: [{paths}]\n"
        repo = governed(tmp_path, block)
        repo.write({"state.a": "1\n", "state.c": "1\n", "state.d": "1\n"})
        one = hashlib.sha256(b"1\n").hexdigest()
        assert self.around(repo) == {
            "state.a": (one, hashlib.sha256(b"2\n").hexdigest()),
            "state.b": ("missing", one),
            "state.c": (one, "missing"),
            "state.d": (one, one),
            "state.e": ("missing", "missing"),
        }

    def test_the_ratchet_and_the_line_are_not_part_of_it(self, tmp_path: Path) -> None:
        """The rule is about the gates."""
        block = (
            "ratchet:\n  name: m\n  cmd: 'echo 1 > state.a; echo 5'\n  ceiling: 9\nruntime_data: [state.a]\n"
        )
        assert self.around(governed(tmp_path, GATES + block)) == {"state.a": ("missing", "missing")}

    def test_a_path_that_only_one_look_found(self, tmp_path: Path) -> None:
        """A glob may match more afterwards."""
        repo = governed(
            tmp_path, "gates:\n  - name: a\n    cmd: 'echo 1 > state.1'\nruntime_data: ['state.*']\n"
        )
        one = hashlib.sha256(b"1\n").hexdigest()
        assert self.around(repo) == {"state.*": ("missing", "missing"), "state.1": ("missing", one)}


class TestFiles:
    """Line and sidecar."""

    def test_the_digest_is_the_one_that_a_person_can_take(self, tmp_path: Path) -> None:
        """`sha256sum .goblin/last-gate-line` prints what the sidecar holds."""
        repo = governed(tmp_path, GATES)
        facts_of(repo, selected=frozenset({"GT-02"})).get("gate_run")
        done = subprocess.run(["sha256sum", LINE], cwd=repo, capture_output=True, text=True, check=True)
        assert done.stdout.split()[0] == json.loads(repo.read(SIDECAR))["line_sha256"]

    def test_what_is_written_is_read_back(self, tmp_path: Path) -> None:
        """Every member, with and without a ratchet."""
        (tmp_path / ".goblin").mkdir()
        tree = Tree(str(tmp_path))
        for reading in (None, Reading("m", 5, 9)):
            given = Sidecar("", "a" * 40, "2026-03-04T23:59:59Z", (("x", 0), ("y", 124)), reading)
            assert gateline.store(tree, "x=0 y=124", given) == ""
            measured = gateline.read(tree)
            assert measured.line == "x=0 y=124"
            assert measured.sidecar == given._replace(line_sha256=measured.digest)
            assert (measured.line_problem, measured.sidecar_problem) == ("", "")

    def test_runtime_data_is_put_on_the_line_once(self) -> None:
        """Again and again gives the same line; new digests replace old ones."""
        line = "a=0 · measured 2026-03-04"
        once = gateline.with_data(line, "state=missing")
        assert once == "a=0 · measured 2026-03-04 · runtime_data state=missing"
        assert gateline.with_data(once, "state=missing") == once
        assert gateline.with_data(once, "state=0") == "a=0 · measured 2026-03-04 · runtime_data state=0"

    def test_a_folder_that_leaves_the_repository_is_not_written_to(self, tmp_path: Path) -> None:
        """`.goblin` as a link to elsewhere."""
        (tmp_path / "outside").mkdir()
        (tmp_path / "r").mkdir()
        (tmp_path / "r" / ".goblin").symlink_to(tmp_path / "outside")
        sidecar = Sidecar("", "unborn", "", ())
        assert "leaves the repository" in gateline.store(Tree(str(tmp_path / "r")), "a=0", sidecar)
        assert os.listdir(tmp_path / "outside") == []
