"""GT-01 to GT-03: the gates that are declared, what they gave, and the line that they leave."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from goblin import atomic, clock
from goblin.outcome import Outcome, Verdict
from tests.checks.gating import LINE, SIDECAR, gates_of, governed, gt01, gt02, gt03, ratchet_of
from tests.checks.judging import said
from tests.support import Repo

TODAY = "2026-03-04"


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still in UTC."""
    moment = datetime(2026, 3, 4, 23, 59, 58, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)


class TestDeclared:
    """GT-01."""

    def test_gates_are_counted(self, tmp_path: Path) -> None:
        """The number stands in the detail."""
        outcome = gt01(governed(tmp_path, gates_of("true", "make test")))
        assert said(outcome) == "PASS\n2 declared gate(s), each with a cmd"

    @pytest.mark.parametrize("block", ["", "gates:\n", "gates: []\n", "gates: ~\n"])
    def test_no_gate_is_a_fail(self, tmp_path: Path, block: str) -> None:
        """Absent, empty and null are one case."""
        outcome = gt01(governed(tmp_path, block))
        assert outcome.verdict is Verdict.FAIL
        assert "no gate is declared" in said(outcome)

    @pytest.mark.parametrize(
        ("block", "text"),
        [
            ("gates:\n  - name: a\n    cmd:\n", "cmd"),
            ("gates:\n  - name: a\n    cmd: ''\n", "cmd"),
            ("gates:\n  - name: a\n    cmd: '   '\n", "cmd"),
            ("gates:\n  - name: a\n    cmd: 'true'\n  - name: b\n", "b"),
            ("gates:\n  - name: a\n  - name: b\ncmd: 'true'\n", "a"),
            ("gates:\n  - cmd: 'true'\n", "name"),
            ("gates:\n  - name: a\n    cmd: 'true'\n    command: x\n", "command"),
            ("gates:\n  - name: a\n    cmd: 'true'\n    timeout: 5\n", "timeout"),
            ("gates:\n  - name: a\n    cmd: 'true'\n    timeout_s: soon\n", "timeout_s"),
            ("gates:\n  - name: a\n    cmd: 'true'\n    timeout_s: 0\n", "timeout_s"),
            ("gates:\n  - name: a\n    cmd: 'true'\n    kind: guest\n", "kind"),
            ("gates:\n  - name: a\n    cmd: 'true'\n  - name: a\n    cmd: 'true'\n", "a"),
            ("gates:\n  - name: two words\n    cmd: 'true'\n", "two words"),
            ("gates:\n  - name: a=0\n    cmd: 'true'\n", "a=0"),
            ("gates:\n  - name: a\n    cmd: [make, test]\n", "cmd"),
            ("gates:\n  - make\n", "gates"),
            ("gates: make\n", "gates"),
            ("gates:\n  a: make\n", "gates"),
        ],
    )
    def test_each_way_to_lose_a_gate(self, tmp_path: Path, block: str, text: str) -> None:
        """Counting pairs of name and command would hide exactly these; each names its place."""
        outcome = gt01(governed(tmp_path, block))
        assert outcome.verdict is Verdict.FAIL
        assert text in said(outcome)
        assert ".goblin/goblin.yaml:" in said(outcome)

    def test_spelling_does_not_matter(self, tmp_path: Path) -> None:
        """Member order, block scalars, flow style, a limit and a host gate are all fine."""
        block = (
            "gates:\n  - cmd: |\n      make\n      make test\n    name: a\n"
            "  - {name: b.1_-, cmd: 'x', timeout_s: 5}\n  - {name: device, cmd: 'run it', kind: host}\n"
        )
        outcome = gt01(governed(tmp_path, block))
        assert said(outcome) == (
            "PASS\n3 declared gate(s), each with a cmd, 1 of them for the host only (device)"
        )


class TestRun:
    """GT-02."""

    def test_green_gates_give_the_line(self, tmp_path: Path) -> None:
        """The detail is the line, in the file too, and the sidecar ties it to HEAD."""
        repo = governed(tmp_path, gates_of("true", "exit 0"))
        assert said(gt02(repo)) == f"PASS\na=0 b=0 · measured {TODAY}"
        assert repo.read(LINE) == f"a=0 b=0 · measured {TODAY}\n"
        value = json.loads(repo.read(SIDECAR))
        assert value["head"] == repo.head
        assert value["measured_at"] == "2026-03-04T23:59:58Z"
        assert value["gates"] == [{"name": "a", "exit": 0}, {"name": "b", "exit": 0}]
        assert value["ratchet"] is None
        assert repo.git("status", "--porcelain") == ""

    def test_every_gate_runs_also_after_a_red_one(self, tmp_path: Path) -> None:
        """In order, each once; what a red gate said stands below its command and exit code."""
        repo = governed(
            tmp_path, gates_of("echo a >> ran; echo broken; exit 3", "echo b >> ran", "echo c >> ran; false")
        )
        text = said(gt02(repo))
        assert repo.read("ran") == "a\nb\nc\n"
        assert text.startswith(f"FAIL\na=3 b=0 c=1 · measured {TODAY}\n")
        assert "gate a: echo a >> ran; echo broken; exit 3 -> exit 3 (.goblin/goblin.yaml:6)" in text
        assert "a | broken" in text
        assert "gate c: echo c >> ran; false -> exit 1" in text
        assert "c | (it printed nothing)" in text
        assert "gate b:" not in text
        assert repo.read(LINE) == f"a=3 b=0 c=1 · measured {TODAY}\n"

    def test_the_last_twenty_lines_of_one_red_gate_are_shown(self, tmp_path: Path) -> None:
        """The end of the output says why; blank lines do not count."""
        outcome = gt02(governed(tmp_path, gates_of("printf '%s\\n\\n' {1..30}; exit 1")))
        assert [finding.message for finding in outcome.findings] == [str(n) for n in range(11, 31)]

    def test_no_red_gate_hides_another(self, tmp_path: Path) -> None:
        """Where many are red, all of them fit into what a text report shows."""
        outcome = gt02(governed(tmp_path, gates_of(*["seq 100; exit 1"] * 4)))
        assert len(outcome.findings) <= 20
        for name in "abcd":
            assert f"{name} | 100" in said(outcome)

    @pytest.mark.parametrize(
        ("command", "code", "reason"),
        [
            ("no-such-program-here", 127, "could not run: exit 127, command not found"),
            ("./README.md", 126, "could not run: exit 126, not executable"),
            ("kill -9 $$", 137, "could not run: ended by signal 9"),
            ("sh -c 'kill -11 $$'; exit $?", 139, "could not run: exit 139, as a shell reports signal 11"),
        ],
    )
    def test_a_gate_that_gives_no_answer(self, tmp_path: Path, command: str, code: int, reason: str) -> None:
        """Its code stands on the line, and the reason beside its command."""
        repo = governed(tmp_path, gates_of(command, "true"), {"README.md": "x\n"})
        text = said(gt02(repo))
        assert text.startswith(f"FAIL\na={code} b=0 · measured")
        assert f"-> exit {code}, {reason}" in text

    def test_a_gate_that_does_not_end(self, tmp_path: Path) -> None:
        """It is 124 on the line, and the gates after it still run."""
        slow = "  - {name: a, cmd: 'echo start; sleep 86399', timeout_s: 1}\n"
        block = f"gates:\n{slow}  - {{name: b, cmd: 'true'}}\n"
        text = said(gt02(governed(tmp_path, block)))
        assert text.startswith(f"FAIL\na=124 b=0 · measured {TODAY}")
        assert "could not run: no end within 1 s" in text
        assert "\nstart" in text

    def test_a_gate_that_reads_input_swallows_nothing(self, tmp_path: Path) -> None:
        """The next gate still runs and is red."""
        text = said(gt02(governed(tmp_path, gates_of("cat >/dev/null", "false"))))
        assert text.startswith("FAIL\na=0 b=1 ")

    def test_no_gate_is_no_pass(self, tmp_path: Path) -> None:
        """Nothing was run, so nothing was shown, and nothing is written."""
        repo = governed(tmp_path, "")
        outcome = gt02(repo)
        assert outcome.verdict is Verdict.FAIL
        assert not (tmp_path / LINE).exists()

    def test_a_broken_declaration_is_the_reason(self, tmp_path: Path) -> None:
        """A gate without a command fails here too, and no other gate is measured without it."""
        repo = governed(tmp_path, "gates:\n  - name: a\n    cmd: 'touch ran'\n  - name: b\n")
        assert gt02(repo).verdict is Verdict.FAIL
        assert not (tmp_path / "ran").exists()

    def test_host_gates_are_named_and_not_run(self, tmp_path: Path) -> None:
        """Beside others they are a note; alone the row has nothing to run."""
        host = "  - {name: device, cmd: 'touch ran', kind: host}\n"
        both = governed(tmp_path / "both", gates_of("true") + host)
        assert said(gt02(both)) == (
            f"PASS\na=0 · measured {TODAY}\n"
            "host gate device: not run here; its dated line in HANDOFF.md stands for it"
        )
        alone = governed(tmp_path / "alone", "gates:\n" + host)
        assert gt02(alone).verdict is Verdict.SKIP
        assert "host gate device" in said(gt02(alone))
        assert not (tmp_path / "both" / "ran").exists()
        assert not (tmp_path / "alone" / "ran").exists()
        assert not (tmp_path / "alone" / LINE).exists()

    def test_the_ratchet_stands_on_the_line(self, tmp_path: Path) -> None:
        """With its value and its ceiling, over it or not; a red ratchet is not this row's business."""
        for number in (5, 12):
            repo = governed(tmp_path / str(number), gates_of("true") + ratchet_of(f"echo {number}"))
            line = f"a=0 · markers {number} (ceiling 9) · measured {TODAY}"
            assert said(gt02(repo)) == f"PASS\n{line}"
            assert json.loads(repo.read(SIDECAR))["ratchet"] == {
                "name": "markers",
                "value": number,
                "ceiling": 9,
            }

    @pytest.mark.parametrize(
        "block",
        [
            ratchet_of("echo n/a"),
            ratchet_of("exit 1"),
            ratchet_of("echo 5", ""),
            ratchet_of("echo 5", "ten"),
            "",
        ],
    )
    def test_only_a_measured_number_stands_on_the_line(self, tmp_path: Path, block: str) -> None:
        """No number, no ceiling, a broken ceiling, no ratchet: the line is about the gates alone."""
        repo = governed(tmp_path, gates_of("true") + block)
        assert said(gt02(repo)) == f"PASS\na=0 · measured {TODAY}"

    def test_an_opted_out_ratchet_is_not_run(self, tmp_path: Path) -> None:
        """Its command is left alone."""
        repo = governed(
            tmp_path, gates_of("true") + ratchet_of("touch ran; echo 5") + "disabled: [ratchet]\n"
        )
        assert said(gt02(repo)) == f"PASS\na=0 · measured {TODAY}"
        assert not (tmp_path / "ran").exists()

    def test_a_secret_in_the_output_of_a_gate_is_masked_everywhere(self, tmp_path: Path) -> None:
        """Neither the report nor any file that is written holds its value."""
        token = "ghp_" + "Ab1" * 12
        repo = governed(
            tmp_path,
            gates_of(f"printf '\\033[31m%s\\033[0m\\n' {token}; exit 1"),
            {"deploy.env": f"T={token}\n"},
        )
        text = said(gt02(repo))
        assert token not in text
        assert "<forge token hidden>" in text
        for name in os.listdir(tmp_path / ".goblin"):
            if name != "goblin.yaml":
                assert token not in repo.read(f".goblin/{name}")

    def test_terminal_controls_of_a_gate_are_not_printed(self, tmp_path: Path) -> None:
        """No escape, carriage return or bidirectional mark reaches the report."""
        text = said(
            gt02(
                governed(
                    tmp_path,
                    gates_of("printf 'x\\033]0;t\\007\\rPASS  GT-02 ok\\n\\342\\200\\256y\\n'; exit 1"),
                )
            )
        )
        assert "\x1b" not in text
        assert "\r" not in text
        assert "\u202e" not in text

    def test_a_gate_cannot_run_the_verifier(self, tmp_path: Path) -> None:
        """It sees the guard against recursion, and no variable of a surrounding git."""
        block = gates_of(
            '[ "$GOBLIN_VERIFY_DEPTH" = 1 ]',
            'test -z "$(env | grep ^GIT_)"',
            '[ "$PWD" = "$(git rev-parse --show-toplevel)" ]',
        )
        assert gt02(governed(tmp_path, block)).verdict is Verdict.PASS

    def test_gates_run_before_the_first_commit(self, tmp_path: Path) -> None:
        """A repository without a commit is measured as `unborn`."""
        repo = governed(tmp_path, gates_of("true"), commit=None)
        assert gt02(repo).verdict is Verdict.PASS
        assert json.loads(repo.read(SIDECAR))["head"] == "unborn"

    def test_a_line_that_cannot_be_written_is_said_and_changes_no_verdict(self, tmp_path: Path) -> None:
        """The gates are judged all the same, green or red."""
        for number, command in enumerate(("true", "false")):
            repo = governed(tmp_path / str(number), gates_of(command))
            (repo / LINE).mkdir()
            text = said(gt02(repo))
            assert text.startswith(("PASS", "FAIL")[number])
            assert "gate line not written: last-gate-line: Is a directory" in text

    def test_a_link_in_the_place_of_the_line_is_not_written_through(self, tmp_path: Path) -> None:
        """A tracked link to a file outside must not become a way to write there."""
        outside = tmp_path / "outside"
        outside.write_text("theirs\n")
        repo = governed(tmp_path / "r", gates_of("true"))
        (repo / LINE).symlink_to(outside)
        (repo / SIDECAR).symlink_to(outside)
        assert gt02(repo).verdict is Verdict.PASS
        assert outside.read_text() == "theirs\n"

    def test_four_runs_at_once_agree(self, tmp_path: Path) -> None:
        """Verdicts are equal, and the files left behind belong together."""
        from threading import Thread

        repo = governed(tmp_path, gates_of("true", "exit 0"))
        outcomes: list[Outcome] = []
        threads = [Thread(target=lambda: outcomes.append(gt02(repo))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(outcomes)) == 1
        assert gt03(repo).verdict is Verdict.PASS
        assert sorted(os.listdir(tmp_path / ".goblin")) == ["goblin.yaml", "last-gate-line", "last-gate.json"]


class TestLine:
    """GT-03."""

    @pytest.fixture
    def repo(self, tmp_path: Path) -> Repo:
        """Measured at HEAD."""
        repo = governed(tmp_path / "r", gates_of("true"))
        gt02(repo)
        return repo

    def test_a_line_of_this_head(self, repo: Repo) -> None:
        """The detail is the line."""
        assert said(gt03(repo)) == f"PASS\na=0 · measured {TODAY}"

    def test_no_line(self, repo: Repo) -> None:
        """A fresh clone has none."""
        repo.remove(LINE)
        assert "no gate line" in said(gt03(repo))
        assert gt03(repo).verdict is Verdict.FAIL

    def test_the_gates_of_the_same_run_write_it_first(self, repo: Repo) -> None:
        """In a full run the line is there and new, whatever was there before."""
        repo.write({LINE: "a=1 · measured 2020-01-01\n"})
        assert said(gt03(repo, "GT-02")) == f"PASS\na=0 · measured {TODAY}"

    def test_static_runs_no_gate_for_it(self, repo: Repo) -> None:
        """The files are judged as they are."""
        repo.remove(LINE)
        outcome = gt03(repo, "GT-02", static=True)
        assert outcome.verdict is Verdict.SKIP
        assert "--static runs no gate" in outcome.summary
        assert not (repo / LINE).exists()

    @pytest.mark.parametrize("how", ["commit", "packed", "detached", "touched", "amended"])
    def test_a_later_commit_makes_it_stale(self, repo: Repo, how: str) -> None:
        """Whatever form the refs have, and whatever the time stamps say."""
        old = repo.head
        if how == "detached":
            repo.git("checkout", "-q", "--detach")
        if how == "amended":
            repo.git("commit", "-q", "--amend", "-m", "other")
        else:
            repo.commit("later")
        if how == "packed":
            repo.git("pack-refs", "--all")
        if how == "touched":
            os.utime(repo / LINE, (4e9, 4e9))
            os.utime(repo / SIDECAR, (4e9, 4e9))
        outcome = gt03(repo)
        assert outcome.verdict is Verdict.FAIL
        assert f"measured at {old[:10]}, and HEAD is {repo.head[:10]}" in said(outcome)

    def test_what_does_not_move_head_keeps_it_fresh(self, repo: Repo) -> None:
        """Staging, packing refs, a checkout away and back, a clone of the files' time stamps."""
        repo.write({"new": "1"}).git("add", "new")
        repo.git("pack-refs", "--all")
        os.utime(repo / LINE, (1, 1))
        repo.git("checkout", "-q", "-b", "other")
        repo.git("commit", "-q", "-m", "new")
        repo.git("checkout", "-q", "main")
        assert gt03(repo).verdict is Verdict.PASS

    def test_measuring_again_makes_it_fresh(self, repo: Repo) -> None:
        """The remedy works."""
        repo.commit("later")
        gt02(repo)
        assert gt03(repo).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        "edit",
        [
            {LINE: f"a=1 · measured {TODAY}\n"},
            {LINE: f"a=0 · measured {TODAY}"},
            {LINE: f"a=0 · measured {TODAY}\r\n"},
            {LINE: b"\xff\n"},
            {SIDECAR: "{}\n"},
            {SIDECAR: "[1]\n"},
            {SIDECAR: '"text"\n'},
            {SIDECAR: "not json"},
            {SIDECAR: ""},
            {SIDECAR: "[" * 100_000},
            {SIDECAR: '{"line_sha256": 1, "head": "x", "measured_at": "", "gates": []}'},
            {SIDECAR: '{"line_sha256": "", "head": "x", "measured_at": "", "gates": 5}'},
            {SIDECAR: '{"line_sha256": "", "head": "x", "measured_at": "", "gates": [{}]}'},
        ],
    )
    def test_a_line_that_the_verifier_did_not_write(self, repo: Repo, edit: dict[str, str | bytes]) -> None:
        """One digit, one byte, or a sidecar that says nothing: never a pass, never a traceback."""
        repo.write(edit)
        outcome = gt03(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "the check itself broke" not in said(outcome)
        if edit != {LINE: b"\xff\n"}:
            assert "not written by the verifier" in said(outcome)

    def test_no_sidecar(self, repo: Repo) -> None:
        """The line alone proves nothing."""
        repo.remove(SIDECAR)
        assert "not written by the verifier: no .goblin/last-gate.json" in said(gt03(repo))

    @pytest.mark.parametrize("name", [LINE, SIDECAR])
    def test_a_pipe_or_a_link_in_its_place_is_not_read(self, repo: Repo, name: str, tmp_path: Path) -> None:
        """A FIFO would hang the run, a link may lead anywhere."""
        saved = (repo / name).read_bytes()
        repo.remove(name)
        os.mkfifo(repo / name)
        assert gt03(repo).verdict is Verdict.FAIL
        repo.remove(name)
        (tmp_path / "elsewhere").write_bytes(saved)
        (repo / name).symlink_to(tmp_path / "elsewhere")
        assert "a symbolic link" in said(gt03(repo))

    def test_before_the_first_commit_freshness_is_not_checkable(self, tmp_path: Path) -> None:
        """`unborn` equals `unborn`, and that is said."""
        repo = governed(tmp_path / "u", gates_of("true"), commit=None)
        gt02(repo)
        assert said(gt03(repo)) == f"PASS\na=0 · measured {TODAY} (freshness not checkable: no commits yet)"
        repo.commit("first")
        assert "measured at unborn" in said(gt03(repo))

    def test_where_nothing_can_be_written_it_skips_with_the_reason(self, tmp_path: Path) -> None:
        """GT-02 judges the gates, and this row says why there is no line."""
        repo = governed(tmp_path / "w", gates_of("true"))
        (repo / LINE).mkdir()
        outcome = gt03(repo, "GT-02")
        assert outcome.verdict is Verdict.SKIP
        assert "gate line not written: last-gate-line: Is a directory" in said(outcome)

    def test_an_older_line_does_not_speak_for_a_run_that_could_not_write(
        self, repo: Repo, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In a read-only tree the line on the disk is not the one that was just measured."""

        def refuse(*_: object) -> None:
            raise OSError(30, "Read-only file system", str(repo / LINE))

        monkeypatch.setattr(atomic, "write", refuse)
        assert (
            said(gt03(repo, "GT-02")) == "SKIP\ngate line not written: last-gate-line: Read-only file system"
        )
        assert gt03(repo).verdict is Verdict.PASS

    def test_a_folder_that_cannot_be_written_skips_too_when_asked_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`--only GT-03` in a read-only tree does not send anyone to a command that cannot help."""
        repo = governed(tmp_path / "w", gates_of("true"))
        real = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK and real(path, mode))
        outcome = gt03(repo)
        assert outcome.verdict is Verdict.SKIP
        assert "gate line not written: .goblin cannot be written" in said(outcome)

    def test_in_a_linked_worktree_the_line_is_of_its_own_head(self, repo: Repo, tmp_path: Path) -> None:
        """Each worktree is measured by itself."""
        repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
        side = Repo(tmp_path / "wt")
        assert gt03(side).verdict is Verdict.FAIL
        side.commit("more")
        gt02(side)
        assert gt03(side).verdict is Verdict.PASS
        assert gt03(repo).verdict is Verdict.PASS
