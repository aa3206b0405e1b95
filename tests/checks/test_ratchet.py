"""GT-04 and GT-05: the ratchet that is declared, its number, and its ceiling."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.outcome import Verdict
from tests.checks.gating import IGNORED, MEMORY, governed, gt04, gt05, ratchet_of
from tests.checks.judging import said
from tests.support import Repo, build_repo
from tests.support.mini import CONFIG


class TestRatchetDeclared:
    """GT-04."""

    def test_name_command_and_ceiling(self, tmp_path: Path) -> None:
        """All three; zero is a ceiling."""
        assert said(gt04(governed(tmp_path / "a", ratchet_of("x")))) == "PASS\n1 ratchet: markers, ceiling 9"
        assert gt04(governed(tmp_path / "b", ratchet_of("x", 0))).verdict is Verdict.PASS

    def test_an_empty_ceiling_is_declared_and_not_measured(self, tmp_path: Path) -> None:
        """It passes, and says so."""
        text = said(gt04(governed(tmp_path, ratchet_of("x", ""))))
        assert text.startswith("PASS")
        assert "not measured" in text

    @pytest.mark.parametrize(
        "ceiling", ["many", "-1", "1_000", "0x10", "1e3", "5.0", "+5", "[5]", "'\u0665'", "9 9"]
    )
    def test_a_ceiling_is_a_plain_decimal_number(self, tmp_path: Path, ceiling: str) -> None:
        """Anything else is printed and refused, here and by GT-05."""
        repo = governed(tmp_path, ratchet_of("echo 1", ceiling))
        for outcome in (gt04(repo), gt05(repo)):
            assert outcome.verdict is Verdict.FAIL
            assert "ceiling" in said(outcome)
            assert ".goblin/goblin.yaml:8" in said(outcome)

    @pytest.mark.parametrize(
        ("block", "text"),
        [
            ("", "ratchet.name"),
            ("ratchet:\n", "ratchet.name"),
            ("ratchet:\n  name:\n  cmd: x\n  ceiling: 5\n", "ratchet.name"),
            ("ratchet:\n  name: m\n  cmd:\n  ceiling: 5\n", "ratchet.cmd"),
            ("ratchet:\n  name: m\n  cmd: ' '\n  ceiling: 5\n", "ratchet.cmd"),
            ("ratchet: 5\n", "ratchet"),
            ("ratchet: [5]\n", "ratchet"),
            ("ratchet:\n  name: m\n  cmd: [a]\n  ceiling: 5\n", "ratchet.cmd"),
            ("ratchet:\n  name: 'a · b'\n  cmd: x\n  ceiling: 5\n", "gate line"),
            ('ratchet:\n  name: "a\\nb"\n  cmd: x\n  ceiling: 5\n', "gate line"),
        ],
    )
    def test_each_missing_part(self, tmp_path: Path, block: str, text: str) -> None:
        """The member is named."""
        outcome = gt04(governed(tmp_path, block))
        assert outcome.verdict is Verdict.FAIL
        assert text in said(outcome)


class TestRatchet:
    """GT-05: the number itself."""

    @pytest.mark.parametrize("number", [0, 8, 9])
    def test_at_or_under_the_ceiling(self, tmp_path: Path, number: int) -> None:
        """Equal passes."""
        outcome = gt05(governed(tmp_path, ratchet_of(f"echo {number}")))
        assert said(outcome) == f"PASS\nmarkers {number} (ceiling 9)"

    def test_over_the_ceiling(self, tmp_path: Path) -> None:
        """By one is over."""
        outcome = gt05(governed(tmp_path, ratchet_of("echo 10")))
        assert outcome.verdict is Verdict.FAIL
        assert "over ceiling: markers 10 > 9" in said(outcome)

    @pytest.mark.parametrize(
        ("command", "text"),
        [
            ("echo n/a", "not a number: printed 'n/a'"),
            ("true", "not a number: printed nothing"),
            ("echo 1; echo 2", "not a number: printed 2 lines"),
            ("echo 1 2", "not a number: printed '1 2'"),
            ("echo -1", "not a number"),
            ("echo 1.5", "not a number"),
            ("echo 0x1", "not a number"),
            ("echo \u0665", "not a number"),
            ('head -c 5000 /dev/zero | tr "\\\\0" 9', "not a number"),
            ("yes 1 | head -n 100000", "not a number"),
            ("no-such-program-here", "could not run: exit 127"),
            ("./README.md", "could not run: exit 126"),
            ("echo 5; kill -9 $$", "could not run: ended by signal 9"),
            ('echo 5; sh -c "kill -9 \\$\\$"; exit $?', "could not run: exit 137"),
        ],
    )
    def test_no_number_is_a_fail(self, tmp_path: Path, command: str, text: str) -> None:
        """Nothing that is not one line of decimal digits counts, and no value is kept."""
        repo = governed(tmp_path, ratchet_of(command), {"README.md": "5\n"})
        outcome = gt05(repo)
        assert outcome.verdict is Verdict.FAIL
        assert text in said(outcome)
        assert not (tmp_path / MEMORY).exists()

    def test_blanks_and_messages_around_the_number_do_not_matter(self, tmp_path: Path) -> None:
        """`wc` pads its number; a warning on standard error is not the number."""
        repo = governed(tmp_path, ratchet_of('echo warning >&2; printf "\\\\n   7 \\\\r\\\\n\\\\n"'))
        assert said(gt05(repo)) == "PASS\nmarkers 7 (ceiling 9)"

    def test_another_exit_code_is_printed_and_allowed(self, tmp_path: Path) -> None:
        """`grep -c` exits 1 on zero."""
        repo = governed(tmp_path, ratchet_of("grep -c nothing README.md"), {"README.md": "x\n"})
        assert said(gt05(repo)) == "PASS\nmarkers 0 (ceiling 9), exit 1"

    def test_what_the_command_said_is_shown_and_masked(self, tmp_path: Path) -> None:
        """Both streams, for whoever must mend it."""
        token = "npm_" + "aB3" * 12
        text = said(gt05(governed(tmp_path, ratchet_of(f"echo {token}; echo why >&2"))))
        assert "why" in text
        assert token not in text

    @pytest.mark.parametrize("block", ["", "ratchet:\n", "ratchet:\n  name: m\n", "ratchet:\n  cmd: x\n"])
    def test_no_ratchet_is_a_skip(self, tmp_path: Path, block: str) -> None:
        """GT-04 judges the declaration."""
        outcome = gt05(governed(tmp_path, block))
        assert outcome.verdict in (Verdict.SKIP, Verdict.FAIL)
        if outcome.verdict is Verdict.SKIP:
            assert "no ratchet declared" in said(outcome)

    def test_a_rise_is_written_out_and_a_fall_named(self, tmp_path: Path) -> None:
        """The memory is what the last good run gave."""
        repo = governed(tmp_path, ratchet_of("cat n"), {"n": "5\n"})
        assert said(gt05(repo)) == "PASS\nmarkers 5 (ceiling 9)"
        assert repo.read(MEMORY) == "5\n"
        repo.write({"n": "7\n"})
        assert said(gt05(repo)) == "PASS\nmarkers 7 (ceiling 9), old 5 + 2 new = 7"
        repo.write({"n": "4\n"})
        assert said(gt05(repo)) == "PASS\nmarkers 4 (ceiling 9), down from 7"

    def test_a_failed_run_leaves_the_memory_alone(self, tmp_path: Path) -> None:
        """Neither a number over the ceiling nor none at all is kept."""
        repo = governed(tmp_path, ratchet_of("cat n"), {"n": "5\n"})
        gt05(repo)
        for content in ("10\n", "n/a\n"):
            repo.write({"n": content})
            assert gt05(repo).verdict is Verdict.FAIL
            assert repo.read(MEMORY) == "5\n"

    def test_without_its_memory_it_passes(self, tmp_path: Path) -> None:
        """A fresh clone has none."""
        repo = governed(tmp_path, ratchet_of("echo 5"))
        gt05(repo)
        repo.remove(MEMORY)
        assert said(gt05(repo)) == "PASS\nmarkers 5 (ceiling 9)"

    @pytest.mark.parametrize("content", ["many\n", "", b"\xff\xfe", "5\n6\n", "-5\n", "9" * 5000])
    def test_a_corrupt_memory_is_not_used_and_is_said(self, tmp_path: Path, content: str | bytes) -> None:
        """And it is mended by the run."""
        repo = governed(tmp_path, ratchet_of("echo 5"))
        repo.write({MEMORY: content})
        text = said(gt05(repo))
        assert text.startswith("PASS\nmarkers 5 (ceiling 9)\n")
        assert "not used" in text
        assert repo.read(MEMORY) == "5\n"

    def test_a_memory_that_cannot_be_written_is_said(self, tmp_path: Path) -> None:
        """It changes no verdict."""
        repo = governed(tmp_path, ratchet_of("echo 5"))
        (repo / MEMORY).mkdir()
        text = said(gt05(repo))
        assert text.startswith("PASS")
        assert f"{MEMORY} not written: Is a directory" in text


class TestCeiling:
    """GT-05: the ceiling against where HEAD left the declared branch."""

    def branch(self, root: Path, before: str, after: str, name: str = "work") -> Repo:
        """`before` stands on main, `after` on a branch."""
        repo = governed(root, before)
        repo.git("checkout", "-q", "-b", name)
        repo.commit("change", {".goblin/goblin.yaml": CONFIG + after})
        return repo

    def test_a_raise_is_a_fail(self, tmp_path: Path) -> None:
        """It says from where to where, and what to write to do it in the open."""
        text = said(gt05(self.branch(tmp_path, ratchet_of("echo 1", 5), ratchet_of("echo 1", 9))))
        assert text.startswith("FAIL\nthe ceiling was raised from 5 to 9 against main (")
        assert "raised: '5 + 4 = 9: <reason>'" in text
        assert ".goblin/goblin.yaml:8" in text

    def test_a_raise_that_is_not_committed_is_one_too(self, tmp_path: Path) -> None:
        """On the declared branch itself the config of HEAD is what stands."""
        repo = governed(tmp_path, ratchet_of("echo 1", 5))
        repo.write({".goblin/goblin.yaml": CONFIG + ratchet_of("echo 1", 9)})
        assert "raised from 5 to 9" in said(gt05(repo))

    def test_a_raise_with_its_sum_and_reason_passes(self, tmp_path: Path) -> None:
        """And the sum is shown."""
        after = ratchet_of("echo 8", 9, "5 + 4 = 9: four vendored files")
        text = said(gt05(self.branch(tmp_path, ratchet_of("echo 1", 5), after)))
        assert text.startswith("PASS\nmarkers 8 (ceiling 9)")
        assert "ceiling raised: 5 + 4 = 9: four vendored files" in text

    @pytest.mark.parametrize(
        ("raised", "text"),
        [
            ("5 + 3 = 9: why", "does not add up"),
            ("4 + 5 = 9: why", "does not add up"),
            ("5 + 5 = 10: why", "does not add up"),
            ("9", "is not '<old> + <n> = <new>: <reason>'"),
            ("5 + 4 = 9", "is not '<old> + <n> = <new>: <reason>'"),
            ("5 + 4 = 9:", "gives no reason"),
            ("5 + 4 = 9: ...", "gives no reason"),
            ("5 + 4 = 9: \u200b\u200d", "gives no reason"),
            ("\u0665 + 4 = 9: why", "is not '<old> + <n> = <new>: <reason>'"),
            ("because", "is not '<old> + <n> = <new>: <reason>'"),
        ],
    )
    def test_a_sum_that_does_not_hold(self, tmp_path: Path, raised: str, text: str) -> None:
        """Wrong arithmetic, the sum of another raise, no reason: each is said."""
        repo = self.branch(tmp_path, ratchet_of("echo 1", 5), ratchet_of("echo 1", 9, raised))
        outcome = gt05(repo)
        assert outcome.verdict is Verdict.FAIL
        assert text in said(outcome)

    def test_lowering_needs_no_word(self, tmp_path: Path) -> None:
        """Down is the way it goes."""
        assert (
            gt05(self.branch(tmp_path, ratchet_of("echo 1", 5), ratchet_of("echo 1", 3))).verdict
            is Verdict.PASS
        )

    def test_another_command_or_name_needs_the_sum_too(self, tmp_path: Path) -> None:
        """Counting less is a raise in other words; with the sum it passes."""
        outcome = gt05(self.branch(tmp_path / "a", ratchet_of("echo 1", 5), ratchet_of("echo 0", 5)))
        assert "name or command is not the one of main" in said(outcome)
        renamed = ratchet_of("echo 1", 5).replace("markers", "todos")
        outcome = gt05(self.branch(tmp_path / "b", ratchet_of("echo 1", 5), renamed))
        assert outcome.verdict is Verdict.FAIL
        after = ratchet_of("echo 0", 4, "5 + -1 = 4: counts tracked files only")
        assert gt05(self.branch(tmp_path / "c", ratchet_of("echo 1", 5), after)).verdict is Verdict.PASS

    def test_a_first_number_is_no_raise(self, tmp_path: Path) -> None:
        """Nothing was measured before, so nothing is weakened, whatever the command was."""
        for number, before in enumerate((ratchet_of("echo 1", ""), "")):
            repo = self.branch(tmp_path / str(number), before, ratchet_of("echo 2", 9))
            assert gt05(repo).verdict is Verdict.PASS

    def test_main_that_moved_is_no_accusation(self, tmp_path: Path) -> None:
        """A branch cut before main went down is told that main moved; it raised nothing."""
        repo = governed(tmp_path, ratchet_of("echo 1", 5))
        repo.git("checkout", "-q", "-b", "stale")
        repo.commit("work", {"x": "1"})
        repo.git("checkout", "-q", "main")
        repo.commit("down", {".goblin/goblin.yaml": CONFIG + ratchet_of("echo 1", 3)})
        repo.git("checkout", "-q", "stale")
        text = said(gt05(repo))
        assert text.startswith("PASS")
        assert "main has moved: its ceiling is now 3, and was 5 where HEAD left it" in text

    def test_the_remote_branch_comes_before_the_local_one(self, tmp_path: Path) -> None:
        """A local main that was moved along hides nothing."""
        origin = governed(tmp_path / "origin", ratchet_of("echo 1", 5))
        origin.git("clone", "-q", str(origin.root), str(tmp_path / "clone"))
        repo = Repo(tmp_path / "clone")
        repo.commit("raise", {".goblin/goblin.yaml": CONFIG + ratchet_of("echo 1", 9)})
        assert "raised from 5 to 9 against origin/main" in said(gt05(repo))

    @pytest.mark.parametrize(
        ("config", "text"),
        [
            (CONFIG.replace("branch: main", "branch: trunk"), "neither origin/trunk nor trunk"),
            (CONFIG.replace("branch: main\n", ""), "branch is not declared"),
            (CONFIG.replace("branch: main", "branch: '--all'"), "must be the name of a branch"),
        ],
    )
    def test_without_a_branch_to_compare_with_the_clause_is_left_out_and_said(
        self, tmp_path: Path, config: str, text: str
    ) -> None:
        """The number is judged all the same."""
        repo = build_repo(
            {".goblin/goblin.yaml": config + ratchet_of("echo 1"), ".gitignore": IGNORED}, tmp_path
        )
        shown = said(gt05(repo))
        assert shown.startswith("PASS\nmarkers 1 (ceiling 9)\nceiling not compared: ")
        assert text in shown

    def test_unrelated_history_and_a_cut_clone_are_told_apart(self, tmp_path: Path) -> None:
        """No common commit is one thing, a shallow clone another, which has a remedy."""
        origin = governed(tmp_path / "origin", ratchet_of("echo 1", 5))
        origin.git("checkout", "-q", "--orphan", "work")
        origin.commit("other", {".goblin/goblin.yaml": CONFIG + ratchet_of("echo 1", 9)})
        assert "no common commit" in said(gt05(origin))
        url = f"file://{origin.root}"
        origin.git(
            "clone", "-q", "--depth", "1", "--no-single-branch", "-b", "work", url, str(tmp_path / "cut")
        )
        assert "shallow clone" in said(gt05(Repo(tmp_path / "cut")))

    def test_a_config_of_long_ago_that_does_not_parse_is_said(self, tmp_path: Path) -> None:
        """The comparison is left out, not guessed."""
        repo = build_repo({".goblin/goblin.yaml": "a: [\n", ".gitignore": IGNORED}, tmp_path)
        repo.git("checkout", "-q", "-b", "work")
        repo.commit("mend", {".goblin/goblin.yaml": CONFIG + ratchet_of("echo 1")})
        text = said(gt05(repo))
        assert text.startswith("PASS")
        assert "ceiling not compared: the config there cannot be read" in text

    def test_without_git_the_number_is_still_judged(self, tmp_path: Path) -> None:
        """The rows about commits say that there is no repository."""
        (tmp_path / ".goblin").mkdir()
        (tmp_path / ".goblin" / "goblin.yaml").write_text(CONFIG + ratchet_of("echo 1"))
        from goblin import check
        from goblin.facts import Facts, Run
        from goblin.manifest import Row

        row = Row(
            "ZZ-01",
            "target",
            "",
            "script",
            "r",
            "a",
            "checks/gates.py::the_number_is_under_its_ceiling",
            "-",
            "-",
        )
        outcome = check.run(row, Facts(Run(str(tmp_path), None, frozenset({"GT-05"}))))
        assert said(outcome).startswith(
            "PASS\nmarkers 1 (ceiling 9)\nceiling not compared: no git repository"
        )

    def test_an_empty_ceiling_is_not_measured_yet(self, tmp_path: Path) -> None:
        """It skips, and says what to write, or why there is nothing to write."""
        text = said(gt05(governed(tmp_path / "a", ratchet_of("echo 7", ""))))
        assert text == "SKIP\nnot measured yet: markers is 7 today; write ceiling: 7"
        text = said(gt05(governed(tmp_path / "b", ratchet_of("exit 4", ""))))
        assert text.startswith("SKIP\nnot measured yet: markers has no ceiling, and today: not a number")

    @pytest.mark.parametrize("committed", [True, False])
    def test_an_emptied_ceiling_is_a_fail(self, tmp_path: Path, committed: bool) -> None:
        """Where history under HEAD holds a number for this name, blanking it is no way out."""
        repo = governed(tmp_path, ratchet_of("echo 7", 5))
        held = repo.head
        repo.commit("unrelated", {"x": "1"})
        repo.write({".goblin/goblin.yaml": CONFIG + ratchet_of("echo 7", "")})
        if committed:
            repo.commit("blank")
        outcome = gt05(repo)
        assert outcome.verdict is Verdict.FAIL
        shown = held if committed else repo.head
        assert f"the ceiling is empty, and history holds 5 (commit {shown[:10]})" in said(outcome)
        assert "set ratchet.ceiling back to 5" in said(outcome)

    def test_the_number_of_another_ratchet_does_not_bind(self, tmp_path: Path) -> None:
        """A new name starts unmeasured."""
        repo = governed(tmp_path, ratchet_of("echo 7", 5))
        repo.commit(
            "new", {".goblin/goblin.yaml": CONFIG + ratchet_of("echo 7", "").replace("markers", "bytes")}
        )
        assert gt05(repo).verdict is Verdict.SKIP

    def test_over_and_raised_are_both_said(self, tmp_path: Path) -> None:
        """Every problem is listed, not only the first."""
        text = said(gt05(self.branch(tmp_path, ratchet_of("echo 20", 5), ratchet_of("echo 20", 9))))
        assert "over ceiling: markers 20 > 9" in text
        assert "raised from 5 to 9" in text
