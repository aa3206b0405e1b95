"""HP: what makes a handoff good, judged on real repositories."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from goblin import clock
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo, git
from tests.support.repo import Content, Files

CONFIG = """class: A
branch: main
gates:
  - name: commit
    cmd: git rev-parse HEAD
  - name: todo_ceiling
    cmd: 'true'
"""
HANDOFF = """# Handoff

## START HERE
Read this.

## State
- HEAD when this file was written: `{head}`

## Gates
- commit=0 todo_ceiling=0 · measured 2026-01-02
- example of the required form: `commit=0 · measured 2026-01-02`

## Next
- Work.

## Not verified
- The device test.
"""


def repository(
    root: Path, handoff: Content = HANDOFF, config: str = CONFIG, files: Files | None = None
) -> Repo:
    """A repository whose second commit adds a handoff; `{head}` in it is the first commit."""
    repo = build_repo({".goblin/goblin.yaml": config, "a.py": "a = 1\n"}, root)
    if isinstance(handoff, str):
        handoff = handoff.replace("{head}", repo.head[:7])
    repo.commit("handoff", {"HANDOFF.md": handoff, **(files or {})})
    return repo


def gates(lines: str) -> str:
    """A handoff whose Gates section holds these lines."""
    before, _, rest = HANDOFF.partition("- commit=0")
    return before + lines + "\n\n## Next\n" + rest.partition("## Next\n")[2]


def day(ahead: int) -> str:
    """The UTC date that many days from today."""
    return (clock.today() + timedelta(days=ahead)).isoformat()


class TestExists:
    """HP-01: the root holds a handoff that others get too."""

    CELL = "checks/handoff.py::a_handoff_exists"

    def test_a_tracked_file_with_text_passes(self, tmp_path: Path) -> None:
        """The number of its lines is told."""
        outcome = judge(repository(tmp_path), self.CELL)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert "17 line(s)" in outcome.summary

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            (b"", "HANDOFF.md is empty"),
            (b"\xef\xbb\xbf \r\n\t\n", "HANDOFF.md is empty"),
            (b"# Handoff\n\xff\n", "HANDOFF.md:2: byte 11 is not UTF-8"),
        ],
    )
    def test_a_file_without_text_fails(self, tmp_path: Path, content: bytes, why: str) -> None:
        """Nothing, blanks alone, or bytes that are no text."""
        outcome = judge(repository(tmp_path, content), self.CELL)
        assert outcome.verdict is Verdict.FAIL
        assert why in said(outcome)

    def test_another_spelling_of_the_name_is_pointed_out(self, tmp_path: Path) -> None:
        """`handoff.md` is not it, and the message says how to rename it."""
        repo = repository(tmp_path)
        repo.git("mv", "HANDOFF.md", "handoff.md")
        assert "git mv handoff.md HANDOFF.md" in said(judge(repo, self.CELL))

    @pytest.mark.parametrize("target", ["README.md", "nowhere", "/etc/hostname"])
    def test_a_link_is_no_handoff(self, tmp_path: Path, target: str) -> None:
        """Wherever it leads, dangling or not."""
        repo = repository(tmp_path, files={"README.md": "x\n"}).remove("HANDOFF.md")
        repo.commit("link", {"HANDOFF.md@": target})
        assert "HANDOFF.md is a symbolic link" in said(judge(repo, self.CELL))

    def test_a_folder_is_no_handoff(self, tmp_path: Path) -> None:
        """Even one that holds files."""
        repo = repository(tmp_path).remove("HANDOFF.md")
        repo.commit("folder", {"HANDOFF.md/a": "x"})
        assert "HANDOFF.md is a folder" in said(judge(repo, self.CELL))

    def test_a_pipe_is_never_opened(self, tmp_path: Path) -> None:
        """It would hang the run."""
        import os

        repo = repository(tmp_path).remove("HANDOFF.md")
        os.mkfifo(repo / "HANDOFF.md")
        assert "HANDOFF.md is no regular file" in said(judge(repo, self.CELL))

    def test_an_untracked_handoff_fails(self, tmp_path: Path) -> None:
        """A clone would not have it."""
        repo = repository(tmp_path)
        repo.git("rm", "-q", "--cached", "HANDOFF.md")
        outcome = judge(repo, self.CELL)
        assert "not tracked" in said(outcome)
        assert outcome.remedy.startswith("git add HANDOFF.md")

    def test_the_rule_that_hides_it_is_named(self, tmp_path: Path) -> None:
        """File, line and pattern."""
        repo = repository(tmp_path)
        repo.git("rm", "-q", "--cached", "HANDOFF.md")
        repo.write({".gitignore": "# notes\n*.md\n"})
        assert "ignored by .gitignore:2:*.md" in said(judge(repo, self.CELL))

    def test_a_tracked_file_may_match_an_ignore_rule(self, tmp_path: Path) -> None:
        """Git does not ignore what it tracks."""
        repo = repository(tmp_path)
        repo.commit("ignore", {".gitignore": "*.md\n"})
        assert judge(repo, self.CELL).verdict is Verdict.PASS

    def test_without_a_repository_it_fails_and_says_so(self, tmp_path: Path) -> None:
        """Nothing can be tracked there."""
        (tmp_path / "HANDOFF.md").write_text("# Handoff\n")
        assert "no git repository" in said(judge(Repo(tmp_path), self.CELL))


class TestSections:
    """HP-02: five sections, each by the first words of its heading."""

    CELL = "checks/handoff.py::the_five_sections_are_present"

    def judge(self, root: Path, old: str = "", new: str = "") -> Outcome:
        """The outcome after replacing a text that the handoff holds."""
        assert old in HANDOFF
        return judge(repository(root, HANDOFF.replace(old, new) if old else HANDOFF), self.CELL)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("", ""),
            ("## State", "## Status"),
            ("## Gates", "## Gate"),
            ("## Next", "### NEXT"),
            ("## Not verified", "## Pending his device test"),
            ("## Not verified", "## unproven: what follows"),
            ("## START HERE", "## 🚀 1. **start   here**, please"),
            ("## State", "##\t[State](x) ##"),
            ("## Gates", "### ✅ — Gates: numbers"),
            ("- The device test.", "Nothing outstanding."),
            ("## Not verified\n- The device test.\n", "## Not verified: nothing outstanding\n"),
            ("- The device test.", "### Devices\n- one\n"),
            ("- The device test.", "```\nmake device\n```"),
        ],
    )
    def test_accepted_forms(self, tmp_path: Path, old: str, new: str) -> None:
        """Any accepted words, in any case, after any run of non-letters, at level 2 or 3."""
        outcome = self.judge(tmp_path, old, new)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert "5 of 5" in outcome.summary

    @pytest.mark.parametrize(
        ("old", "new", "slot"),
        [
            ("## State", "## Board state", "STATE"),
            ("## State", "## Statement", "STATE"),
            ("## Gates", "## Gates2", "GATE"),
            ("## Gates", "#### Gates", "GATE"),
            ("## Gates", "# Gates", "GATE"),
            ("## Gates", "##Gates", "GATE"),
            ("## Gates", " ## Gates", "GATE"),
            ("## Next", "## Nextcloud", "NEXT STEPS"),
            ("## Not verified", "## Pending review. Device test", "NOT VERIFIED"),
            ("## Not verified", "## Verified", "NOT VERIFIED"),
            ("## START HERE", "## Start", "START HERE"),
            ("## Next", "```\n## Next\n```", "NEXT STEPS"),
            ("## Next", "<!--\n## Next\n-->", "NEXT STEPS"),
        ],
    )
    def test_refused_forms(self, tmp_path: Path, old: str, new: str, slot: str) -> None:
        """Another word first, another level, no blank, fenced code or a comment: the section is missing."""
        outcome = self.judge(tmp_path, old, new)
        assert outcome.verdict is Verdict.FAIL
        assert f"missing section: {slot} " in said(outcome)

    def test_every_missing_section_is_listed_with_its_words(self, tmp_path: Path) -> None:
        """Not only the first."""
        text = said(judge(repository(tmp_path, "# Handoff\n\nSoon.\n"), self.CELL))
        assert text.count("missing section:") == 5
        assert "one of: State, Status" in text

    def test_a_near_miss_is_pointed_out(self, tmp_path: Path) -> None:
        """By line, with what is wrong with it."""
        assert "HANDOFF.md:9: this heading is a heading of level 4" in said(
            self.judge(tmp_path, "## Gates", "#### Gates")
        )

    def test_a_hidden_heading_is_pointed_out(self, tmp_path: Path) -> None:
        """A fenced sample used to satisfy a section."""
        text = said(self.judge(tmp_path, "## Next", "```\n## Next\n```"))
        assert "HANDOFF.md:14: this heading stands in fenced code or in a comment" in text

    @pytest.mark.parametrize("empty", ["", "\n\n", "<!-- later -->", "---", "- [ ]", "\u200b", "## More"])
    def test_an_empty_unverified_section_fails(self, tmp_path: Path, empty: str) -> None:
        """Blank, a comment, a rule, an empty item or an invisible character say nothing."""
        outcome = self.judge(tmp_path, "- The device test.", empty)
        assert outcome.verdict is Verdict.FAIL
        assert "HANDOFF.md:16: this section is empty" in said(outcome)

    def test_two_headings_for_one_section_are_listed(self, tmp_path: Path) -> None:
        """It passes, and says which is the other."""
        outcome = self.judge(tmp_path, "## Next\n", "## Status\n\n## Next\n")
        assert outcome.verdict is Verdict.PASS
        assert "HANDOFF.md:13: another heading for STATE: Status" in said(outcome)

    def test_line_ends_and_a_mark_change_nothing(self, tmp_path: Path) -> None:
        """CRLF and a byte-order mark are read as if they were not there."""
        data = b"\xef\xbb\xbf" + HANDOFF.replace("\n", "\r\n").encode()
        assert judge(repository(tmp_path, data), self.CELL).verdict is Verdict.PASS


class TestGateDates:
    """HP-03: each gate number is dated."""

    CELL = "checks/handoff.py::gate_numbers_are_dated"

    def judge(self, root: Path, lines: str, config: str = CONFIG) -> Outcome:
        """The outcome for a Gates section of these lines."""
        return judge(repository(root, gates(lines), config), self.CELL)

    def test_the_usual_line_passes(self, tmp_path: Path) -> None:
        """The example line is not counted."""
        outcome = judge(repository(tmp_path), self.CELL)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert outcome.summary == "1 gate line(s); declared: commit, todo_ceiling; each line is dated"

    @pytest.mark.parametrize(
        "line",
        [
            "commit=0 · Measured 2026-01-02",
            "| commit | exit=0 | measured 2026-01-02 |",
            "tsc=0 build=0, measured 2026-02-28",
            "12/12 suites=green measured\t2024-02-29",
            f"commit=0 measured {day(0)}",
            f"commit=0 measured {day(1)}",
            "commit=0 measured 2026-01-02T03:04:05Z",
            "commit=0 measured 2026-01-02\nexample of the required form: `commit=0`",
            "commit=0 measured 2026-01-02\nrebuilt = yes\nvalue=3\nx=build",
        ],
    )
    def test_dated_lines_pass(self, tmp_path: Path, line: str) -> None:
        """A real date up to tomorrow; a line that states no gate needs none."""
        outcome = self.judge(tmp_path, line)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert outcome.summary.startswith("1 gate line(s)")

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("commit=0", "no 'measured YYYY-MM-DD': commit=0"),
            ("commit=0 measured yesterday", "no 'measured"),
            ("commit=0 unmeasured 2026-01-02", "no 'measured"),
            ("commit=0 measured 2026-1-2", "no 'measured"),
            ("commit=0 measured 2026-01-022", "no 'measured"),
            ("commit=0 measured \u0662\u0660\u0662\u0666-01-02", "no 'measured"),
            ("hex=0", "no 'measured"),
            ("safelist ok = 1", "no 'measured"),
            ("3/3=ok", "no 'measured"),
            ("commit=0 measured 2026-13-40", "2026-13-40 is not a date"),
            ("commit=0 measured 2026-02-29", "2026-02-29 is not a date"),
            ("commit=0 measured 2999-01-01", "2999-01-01 is in the future"),
            (f"commit=0 measured {day(2)}", "is in the future"),
            ("commit=0 measured 2026-01-02, again measured 2999-01-01", "in the future"),
            ("example of the required form, for commit: `x=0`", "no 'measured"),
        ],
    )
    def test_undated_lines_fail(self, tmp_path: Path, line: str, why: str) -> None:
        """Without a date, with one that is in no calendar, or with one that nobody can have measured on."""
        outcome = self.judge(tmp_path, f"todo_ceiling=0 measured 2026-01-02\n{line}")
        assert outcome.verdict is Verdict.FAIL, said(outcome)
        assert "HANDOFF.md:11: " in said(outcome)
        assert why in said(outcome)

    @pytest.mark.parametrize(
        "lines",
        [
            "",
            "None yet.",
            "- Example of the required form: `commit=0 · measured 2026-01-02`",
            "commit measured 2026-01-02",
        ],
    )
    def test_no_gate_line_fails(self, tmp_path: Path, lines: str) -> None:
        """The example alone is no number."""
        outcome = self.judge(tmp_path, lines)
        assert outcome.verdict is Verdict.FAIL
        assert "no gate line" in outcome.summary

    def test_every_undated_line_is_listed(self, tmp_path: Path) -> None:
        """With its place and text."""
        text = said(self.judge(tmp_path, "commit=0\n\ntodo_ceiling=0"))
        assert "HANDOFF.md:10: no 'measured YYYY-MM-DD': commit=0" in text
        assert "HANDOFF.md:12: no 'measured YYYY-MM-DD': todo_ceiling=0" in text

    def test_fenced_code_neither_counts_nor_closes_the_section(self, tmp_path: Path) -> None:
        """A shell comment in it is no heading."""
        passing = self.judge(tmp_path / "a", "```sh\n# make\ncommit=0\n```\ncommit=0 measured 2026-01-02")
        assert passing.verdict is Verdict.PASS, said(passing)
        failing = self.judge(tmp_path / "b", "```\ncommit=0 measured 2026-01-02\n```")
        assert "no gate line" in said(failing)
        assert "HANDOFF.md:11: this line stands in fenced code" in said(failing)

    def test_lines_of_other_sections_are_history(self, tmp_path: Path) -> None:
        """A sub-heading closes the section too."""
        history = "\n".join(["commit=0"] * 20)
        outcome = self.judge(
            tmp_path, f"commit=0 measured 2026-01-02\n\n### Earlier\n{history}\n## Old\n{history}"
        )
        assert outcome.verdict is Verdict.PASS, said(outcome)

    def test_declared_gates_without_a_line_are_named(self, tmp_path: Path) -> None:
        """They do not fail the row: the gates themselves have rows."""
        outcome = self.judge(tmp_path, "commit=0 measured 2026-01-02")
        assert outcome.verdict is Verdict.PASS
        assert "without a line: todo_ceiling" in outcome.summary

    @pytest.mark.parametrize(
        ("line", "verdict"),
        [
            ("", Verdict.FAIL),
            ("device ok measured 2026-01-02", Verdict.FAIL),
            ("device=0", Verdict.FAIL),
            ("device=0 measured 2026-01-02", Verdict.PASS),
        ],
    )
    def test_a_host_gate_needs_its_dated_line(self, tmp_path: Path, line: str, verdict: Verdict) -> None:
        """Nothing runs it here, so the dated line is all the evidence that there is."""
        config = f"{CONFIG}  - name: device\n    cmd: ./device\n    kind: host\n"
        outcome = self.judge(tmp_path, f"commit=0 measured 2026-01-02\n{line}", config)
        assert outcome.verdict is verdict, said(outcome)
        if verdict is Verdict.FAIL:
            assert "the host gate device has no dated line" in said(outcome) or "no 'measured" in said(
                outcome
            )

    def test_with_the_gates_opted_out_there_is_nothing_to_date(self, tmp_path: Path) -> None:
        """Only where none is declared; a line that is there is judged all the same."""
        config = "class: A\ndisabled: [gate]\n"
        assert self.judge(tmp_path / "a", "None.", config).verdict is Verdict.SKIP
        assert self.judge(tmp_path / "b", "tsc=0", config).verdict is Verdict.FAIL
        assert self.judge(tmp_path / "c", "None.", "class: A\n").verdict is Verdict.FAIL
        assert self.judge(tmp_path / "d", "None.", CONFIG + "disabled: [gate]\n").verdict is Verdict.FAIL

    def test_a_gate_called_like_a_word_of_the_example_is_not_named_by_it(self, tmp_path: Path) -> None:
        """The phrase itself does not name the gate `form`."""
        config = CONFIG.replace("name: commit", "name: form")
        lines = "form=0 measured 2026-01-02\nexample of the required form: `form=0`"
        outcome = self.judge(tmp_path, lines, config)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert outcome.summary.startswith("1 gate line(s)")

    def test_without_a_gates_section_it_says_so(self, tmp_path: Path) -> None:
        """Rather than that no line was found in it."""
        assert "there is no Gates section" in said(
            judge(repository(tmp_path, "# Handoff\n\nx=1\n"), self.CELL)
        )


class TestCorrections:
    """HP-04: never fails, and notices what was taken out without a word."""

    CELL = "checks/handoff.py::a_stale_sentence_is_corrected_in_place"
    LONG = HANDOFF + "\n".join(f"line {number}" for number in range(8)) + "\n"

    def shortened(self, count: int, extra: str = "") -> str:
        """The long handoff less its last `count` lines."""
        return "\n".join(self.LONG.split("\n")[: -count - 1]) + f"\n{extra}"

    def text(self, repo: Repo) -> str:
        """The summary, of an outcome that must be advisory."""
        outcome = judge(repo, self.CELL)
        assert outcome.verdict is Verdict.ADV, said(outcome)
        return outcome.summary

    def test_six_lines_taken_out_in_the_work_tree_are_noticed(self, tmp_path: Path) -> None:
        """Before they are committed."""
        repo = repository(tmp_path, self.LONG)
        repo.write(
            {"HANDOFF.md": self.shortened(6).replace("{head}", repo.git("rev-parse", "--short", "HEAD~1"))}
        )
        assert "the work tree takes 6 lines out and adds none that says 'corrected'" in self.text(repo)

    def test_the_last_commit_that_touched_it_is_looked_at(self, tmp_path: Path) -> None:
        """Also when other commits came after it."""
        repo = repository(tmp_path, self.LONG.replace("{head}", "x"))
        edit = repo.commit("shorten", {"HANDOFF.md": self.shortened(5).replace("{head}", "x")})
        repo.commit("other", {"a.py": "a = 2\n"})
        assert f"({edit[:7]}) takes 5 lines out" in self.text(repo)

    @pytest.mark.parametrize("case", ["four lines", "a correction", "a move", "nothing"])
    def test_what_is_no_silent_deletion(self, tmp_path: Path, case: str) -> None:
        """Few lines, a correction in place, lines that only moved, or no edit at all."""
        old = self.LONG.replace("{head}", "x")
        new = {
            "four lines": self.shortened(4),
            "a correction": self.shortened(6, "Corrected 2026-01-02: the rest was wrong.\n"),
            "a move": "\n".join(reversed(self.LONG.split("\n"))),
            "nothing": self.LONG,
        }[case].replace("{head}", "x")
        repo = repository(tmp_path, old)
        repo.commit("edit", {"HANDOFF.md": new})
        assert self.text(repo) == ""

    def test_line_end_conversion_is_no_deletion(self, tmp_path: Path) -> None:
        """Every line differs by its end alone."""
        repo = repository(tmp_path, self.LONG)
        repo.write({"HANDOFF.md": repo.read("HANDOFF.md").replace("\n", "\r\n")})
        assert self.text(repo) == ""

    def test_a_deleted_file_is_noticed(self, tmp_path: Path) -> None:
        """All of its lines are gone."""
        assert "the work tree takes" in self.text(repository(tmp_path).remove("HANDOFF.md"))

    def test_where_it_cannot_look_it_says_so(self, tmp_path: Path) -> None:
        """Before the first commit, and outside a repository."""
        unborn = build_repo({"HANDOFF.md": HANDOFF}, tmp_path / "unborn", commit=None)
        assert self.text(unborn) == "could not look: no commits yet"
        (tmp_path / "plain").mkdir()
        assert "could not look: no git repository" in self.text(Repo(tmp_path / "plain"))

    def test_a_file_that_was_never_committed_says_nothing(self, tmp_path: Path) -> None:
        """There is no older text to compare with."""
        repo = build_repo({"a.py": "a\n"}, tmp_path)
        assert self.text(repo.write({"HANDOFF.md": HANDOFF})) == ""


class TestAncestor:
    """HP-05: the handoff names a real commit under HEAD."""

    CELL = "checks/handoff.py::the_handoff_names_an_ancestor"

    def test_an_ancestor_passes_with_its_distance(self, tmp_path: Path) -> None:
        """Ten more commits do not make it wrong."""
        repo = repository(tmp_path)
        for number in range(10):
            repo.commit(f"more {number}")
        outcome = judge(repo, self.CELL)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert "11 commit(s) behind HEAD" in outcome.summary

    @pytest.mark.parametrize(
        ("token", "why"),
        [
            ("deadbee", "deadbee is no commit of this repository"),
            ("0000000", "0000000 is no commit of this repository"),
            ("DEADBEE", "no commit id of 7 or more lower-case hex digits"),
            ("unknown", "no commit id"),
        ],
    )
    def test_the_head_line_itself_must_qualify(self, tmp_path: Path, token: str, why: str) -> None:
        """A real id elsewhere in the file does not stand in for it."""
        text = HANDOFF.replace("{head}", token) + "- earlier: {head}\n"
        outcome = judge(repository(tmp_path, text), self.CELL)
        assert outcome.verdict is Verdict.FAIL
        assert f"HANDOFF.md:7: {why}" in said(outcome)

    def test_a_commit_on_an_unmerged_branch_fails(self, tmp_path: Path) -> None:
        """It exists, and HEAD does not descend from it."""
        repo = repository(tmp_path)
        repo.git("checkout", "-q", "-b", "side", "HEAD~1")
        side = repo.commit("side", {"b.py": "b\n"})
        repo.git("checkout", "-q", "main")
        repo.write({"HANDOFF.md": HANDOFF.replace("{head}", side[:10])})
        assert f"{side[:10]} is neither HEAD nor an ancestor of HEAD" in said(judge(repo, self.CELL))

    def test_head_itself_qualifies(self, tmp_path: Path) -> None:
        """Before the edit is committed."""
        repo = repository(tmp_path)
        repo.write({"HANDOFF.md": HANDOFF.replace("{head}", repo.head)})
        assert "0 commit(s) behind HEAD" in judge(repo, self.CELL).summary

    def test_a_branch_called_like_an_id_does_not_qualify(self, tmp_path: Path) -> None:
        """An id is never read as a ref."""
        repo = repository(tmp_path, HANDOFF.replace("{head}", "deadbeef"))
        repo.git("branch", "deadbeef")
        assert "deadbeef is no commit of this repository" in said(judge(repo, self.CELL))

    def test_the_id_of_a_tree_does_not_qualify(self, tmp_path: Path) -> None:
        """Only a commit does."""
        repo = repository(tmp_path)
        repo.write({"HANDOFF.md": HANDOFF.replace("{head}", repo.git("rev-parse", "HEAD^{tree}"))})
        assert "is a tree, not a commit" in said(judge(repo, self.CELL))

    def test_without_a_head_line_any_id_will_do(self, tmp_path: Path) -> None:
        """Wrong ones beside it are no matter."""
        text = "# Handoff\n\ndeadbee was never here; work began at `{head}`.\n"
        outcome = judge(repository(tmp_path, text), self.CELL)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert "line 3 names" in outcome.summary

    def test_an_id_is_not_cut_out_of_a_longer_run(self, tmp_path: Path) -> None:
        """A digest, a word or an identifier that holds the digits names nothing."""
        repo = repository(tmp_path)
        head = repo.git("rev-parse", "HEAD~1")
        repo.write(
            {"HANDOFF.md": f"# Handoff\n\n{head}{'0' * 24} x{head[:7]} {head[:7]}_y {head[:6]} {head}0\n"}
        )
        assert "the handoff names no commit" in said(judge(repo, self.CELL))

    def test_ids_of_decimal_digits_are_text(self, tmp_path: Path) -> None:
        """One that starts with 0, or looks like a number, is looked up as it stands."""
        repo = repository(tmp_path)
        for number in range(3000):
            head = repo.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", str(number))
            if head[:7].isdigit():
                repo.git("update-ref", "refs/heads/main", head)
                break
        else:
            pytest.fail("no such commit")
        repo.write({"HANDOFF.md": HANDOFF.replace("{head}", head[:7])})
        assert judge(repo, self.CELL).verdict is Verdict.PASS

    def test_no_id_at_all_fails(self, tmp_path: Path) -> None:
        """And says what it looked for."""
        outcome = judge(repository(tmp_path, "# Handoff\n"), self.CELL)
        assert "no id of 7 to 40 hex digits" in said(outcome)

    def test_two_head_lines_must_both_qualify(self, tmp_path: Path) -> None:
        """The bad one is named by its line."""
        text = HANDOFF.replace("## Gates", "- HEAD when this file was written: deadbee\n\n## Gates")
        outcome = judge(repository(tmp_path, text), self.CELL)
        assert outcome.verdict is Verdict.FAIL
        assert "HANDOFF.md:9: deadbee" in said(outcome)

    def test_a_head_line_in_fenced_code_is_a_sample(self, tmp_path: Path) -> None:
        """It does not have to qualify."""
        text = HANDOFF + "```\nHEAD when this file was written: deadbee\n```\n"
        assert judge(repository(tmp_path, text), self.CELL).verdict is Verdict.PASS

    def test_a_shallow_clone_is_told_to_fetch(self, tmp_path: Path) -> None:
        """The commit may well exist, so `no such commit` would be a lie."""
        repo = repository(tmp_path / "origin")
        repo.commit("later")
        git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo.root}", "clone")
        outcome = judge(Repo(tmp_path / "clone"), self.CELL)
        assert outcome.verdict is Verdict.FAIL
        assert "fetch full history" in outcome.summary
        assert outcome.remedy.startswith("git fetch --unshallow")

    def test_a_shallow_clone_that_holds_the_commit_passes(self, tmp_path: Path) -> None:
        """What can be shown is shown, and the distance is a lower bound."""
        repo = repository(tmp_path / "origin")
        git(tmp_path, "clone", "-q", "--depth", "2", f"file://{repo.root}", "clone")
        repo = Repo(tmp_path / "clone")
        repo.commit("later")
        outcome = judge(repo, self.CELL)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert "at least 2 commit(s) behind HEAD" in outcome.summary

    def test_before_the_first_commit(self, tmp_path: Path) -> None:
        """The one remedy is to commit."""
        repo = build_repo({"HANDOFF.md": HANDOFF}, tmp_path, commit=None)
        outcome = judge(repo, self.CELL)
        assert outcome.verdict is Verdict.FAIL
        assert (outcome.summary, outcome.remedy) == ("no commits yet", "git commit")


@pytest.mark.parametrize(
    "name",
    [
        "a_handoff_exists",
        "the_five_sections_are_present",
        "gate_numbers_are_dated",
        "the_handoff_names_an_ancestor",
    ],
)
def test_a_missing_handoff_fails_every_row_that_reads_it(tmp_path: Path, name: str) -> None:
    """With the one reason."""
    outcome = judge(repository(tmp_path).remove("HANDOFF.md"), f"checks/handoff.py::{name}")
    assert outcome.verdict is Verdict.FAIL
    assert "HANDOFF.md is missing" in said(outcome)
