"""LP: one pinned command that was red first, a budget that is kept, and an honest end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goblin import check
from goblin.manifest import Row
from goblin.outcome import Outcome, Verdict
from tests.checks import loops
from tests.checks.judging import judge, said
from tests.checks.loops import HEADER, LOOP, PREDICATE, record, repository, row, sha256
from tests.support import Repo, build_repo, git
from tests.support.mini import facts_of

FIRST = "checks/loop.py::the_predicate_ran_before_the_first_turn"
PINNED = "checks/loop.py::the_predicate_is_pinned"
BUDGET = "checks/loop.py::the_loop_stays_inside_its_budget"
PROGRESS = "checks/loop.py::a_loop_without_progress_stops"
WRITTEN = "checks/loop.py::a_loop_that_ended_red_is_written_up"
SURFACE = "checks/loop.py::the_pinned_surface_is_unchanged"
ALL = (FIRST, PINNED, BUDGET, PROGRESS, WRITTEN, SURFACE)

DECISIONS = f"{LOOP}/decisions.tsv"
PIN = f"{LOOP}/predicate.sha256"
OTHER = "test -f other\n"
GREEN = row("file:README.md", "predicate:green", "verdict:done", at="2026-01-02T00:30:00Z")


def verdicts(repo: Repo) -> list[str]:
    """What all six rows conclude, in order."""
    return [judge(repo, cell).verdict.value for cell in ALL]


class TestRecord:
    def test_without_a_record_every_row_skips(self, tmp_path: Path) -> None:
        """No loop has run."""
        repo = build_repo({".goblin/goblin.yaml": loops.CONFIG}, tmp_path)
        assert {said(judge(repo, cell)) for cell in ALL} == {"SKIP\nno loop has run"}

    def test_a_sound_record_passes(self, tmp_path: Path) -> None:
        """Also without git, before the first commit, and in a read-only tree."""
        repo = repository(tmp_path, row(), GREEN)
        wanted = ["PASS"] * 5 + ["SKIP"]
        assert verdicts(repo) == wanted
        os.rename(tmp_path / ".git", tmp_path / "elsewhere")
        assert verdicts(repo) == wanted
        assert "no git repository" in said(judge(repo, PINNED))
        git(tmp_path, "init", "--quiet")
        assert verdicts(repo) == wanted
        assert "no commits yet" in said(judge(repo, PINNED))

    def test_an_empty_folder_is_a_record_that_lacks_everything(self, tmp_path: Path) -> None:
        """A file that is needed and missing is a FAIL."""
        repo = build_repo({".goblin/goblin.yaml": loops.CONFIG}, tmp_path)
        (tmp_path / LOOP).mkdir()
        assert verdicts(repo) == ["FAIL"] * 5 + ["SKIP"]

    @pytest.mark.parametrize("kind", ["file", "link"])
    def test_a_record_that_is_no_folder_fails_everywhere(self, tmp_path: Path, kind: str) -> None:
        """It is not the same as none."""
        content = {f"{LOOP}@": "../away", "away/x": "x"} if kind == "link" else {LOOP: "x"}
        repo = build_repo({".goblin/goblin.yaml": loops.CONFIG, **content}, tmp_path)
        assert verdicts(repo) == ["FAIL"] * 6

    def test_none_of_them_runs_a_command(self, tmp_path: Path) -> None:
        """The predicate is red on purpose, and a probe must not write."""
        repo = repository(tmp_path, row(), GREEN, predicate="touch ran\n")
        verdicts(repo)
        assert not (tmp_path / "ran").exists()
        for cell in ALL:
            matrix_row = Row("ZZ-01", "target", "", "gate", "rule", "artifact", cell, "-", "-")
            assert not check.runs_declared_commands(matrix_row)


class TestFirstRun:
    @pytest.mark.parametrize(
        "line", ["exit=1 ts=2026-01-02T00:10:00Z", "exit=255 ts=2026-01-02T05:10:00+05:00"]
    )
    def test_the_same_instant_as_the_first_row_passes(self, tmp_path: Path, line: str) -> None:
        """Equal is not later."""
        assert judge(repository(tmp_path, row(), first_run=line), FIRST).verdict is Verdict.PASS

    def test_the_earliest_row_counts_not_the_first(self, tmp_path: Path) -> None:
        """The finding stands at that row."""
        repo = repository(tmp_path, row(), row(at="2026-01-01T00:00:00Z"))
        outcome = judge(repo, FIRST)
        assert [finding.place() for finding in outcome.findings] == [f"{DECISIONS}:3"]

    @pytest.mark.parametrize(
        "text", ["exit=0 ts=2026-01-02T00:00:00Z\n", "exit=126 ts=2026-01-02T00:00:00Z\n", ""]
    )
    def test_a_first_run_that_shows_nothing_fails(self, tmp_path: Path, text: str) -> None:
        """Green already, not executable, or empty."""
        repo = repository(tmp_path)
        repo.write({f"{LOOP}/first-run": text})
        assert judge(repo, FIRST).verdict is Verdict.FAIL

    def test_a_predicate_that_was_green_from_the_start(self, tmp_path: Path) -> None:
        """A search in a folder that is not there finds nothing, and its negation is true at once."""
        repo = repository(tmp_path, predicate="! grep -rqn FIXME srcs/\n")
        repo.write({f"{LOOP}/first-run": "exit=0 ts=2026-01-02T00:00:00Z\n"})
        assert "already green before iteration 1" in said(judge(repo, FIRST))

    def test_all_faults_are_listed(self, tmp_path: Path) -> None:
        """Not the first alone."""
        repo = repository(tmp_path, row(at="soon"), predicate="a\nb\n")
        repo.write({f"{LOOP}/first-run": "exit=0 ts=2026-01-02\n"})
        paths = [finding.place() for finding in judge(repo, FIRST).findings]
        assert paths == [
            f"{LOOP}/predicate:2",
            f"{LOOP}/first-run:1",
            f"{LOOP}/first-run:1",
            f"{DECISIONS}:2",
        ]


def closed(name: str = "closed-2026-01-01", predicate: str = PREDICATE, chain: str = "") -> dict[str, str]:
    """The files of an archive."""
    return {
        f"{LOOP}/{name}/predicate": predicate,
        f"{LOOP}/{name}/predicate.sha256": f"{sha256(predicate)}\n{chain}",
    }


class TestPin:
    def test_a_mismatch_prints_both_digests_and_the_steps(self, tmp_path: Path) -> None:
        """And nothing else: the rest would only distract."""
        repo = repository(tmp_path, files={f"{LOOP}/closed-old/x": "x"})
        repo.write({f"{LOOP}/predicate": OTHER})
        text = said(judge(repo, PINNED))
        assert f"pinned {sha256(PREDICATE)}" in text
        assert f"is {sha256(OTHER)}" in text
        assert "closed-<date>" in text
        assert "previous: <archived digest>" in text
        assert "closed-old" not in text

    def test_a_checkout_that_converts_line_ends_says_so(self, tmp_path: Path) -> None:
        """`* text=auto eol=crlf`, then a clone."""
        repo = repository(tmp_path / "origin")
        repo.commit("attributes", {".gitattributes": "* text=auto eol=crlf\n"})
        git(tmp_path, "clone", "--quiet", str(repo.root), "clone")
        text = said(judge(Repo(tmp_path / "clone"), PINNED))
        assert "line-end conversion" in text
        assert "-text" in text

    def test_archives_are_chained(self, tmp_path: Path) -> None:
        """Two of them, in two commits, one with the very same predicate."""
        repo = repository(tmp_path)
        chain = f"previous: {sha256(PREDICATE)}\n"
        repo.commit("close", {**record(predicate=OTHER, chain=chain), **closed()})
        chain += f"previous: {sha256(OTHER)}\n"
        repo.commit("again", {**record(predicate=OTHER, chain=chain), **closed("closed-2026-01-01-2", OTHER)})
        assert (
            said(judge(repo, PINNED))
            == "PASS\npredicate pin ok: 2 archive(s) chained, 2 committed pin(s) examined"
        )

    @pytest.mark.parametrize(
        ("files", "because"),
        [
            ({f"{LOOP}/closed-2026-01-01/x": "x"}, "the archive lacks its predicate"),
            (closed("closed-soon"), "is not named closed-YYYY-MM-DD"),
            (closed() | {f"{LOOP}/closed-2026-01-01/predicate": "true\n"}, "the predicate beside it is"),
            (closed() | {f"{LOOP}/closed-2026-01-01/predicate.sha256": "x\n"}, "exactly 64 hex"),
            (closed(predicate=OTHER), "stands on no previous: line"),
            ({f"{LOOP}/closed-2026-01-01": "x"}, "is no folder"),
        ],
    )
    def test_a_broken_archive_is_named(self, tmp_path: Path, files: dict[str, str], because: str) -> None:
        """Wherever the chain breaks."""
        outcome = judge(repository(tmp_path, files=files), PINNED)
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)

    def test_a_pin_replaced_on_a_branch_that_was_merged_is_seen(self, tmp_path: Path) -> None:
        """Every side of a merge is history, also the one whose content was dropped."""
        repo = repository(tmp_path)
        start = repo.head
        repo.git("checkout", "--quiet", "-b", "side")
        repo.commit("weaker", record(predicate="true\n"))
        repo.git("checkout", "--quiet", "main")
        repo.commit("other work", {"a": "1"})
        repo.git("merge", "--quiet", "--no-edit", "-s", "ours", "side")
        assert repo.git("diff", "--name-only", start, "HEAD", "--", LOOP) == ""
        text = said(judge(repo, PINNED))
        assert text.startswith("FAIL")
        assert sha256("true\n") in text

    def test_a_pin_that_only_a_merge_commit_holds_is_seen(self, tmp_path: Path) -> None:
        """Neither parent has it, and it is gone again after."""
        repo = repository(tmp_path)
        repo.git("checkout", "--quiet", "-b", "side")
        repo.commit("side", {"b": "1"})
        repo.git("checkout", "--quiet", "main")
        repo.commit("main", {"a": "1"})
        repo.git("merge", "--quiet", "--no-commit", "side")
        repo.commit("merge", record(predicate="true\n"))
        repo.commit("back", record())
        assert sha256("true\n") in said(judge(repo, PINNED))

    def test_a_pin_on_a_branch_that_is_not_merged_is_not_history(self, tmp_path: Path) -> None:
        """Only what HEAD reaches is."""
        repo = repository(tmp_path)
        repo.git("checkout", "--quiet", "-b", "side")
        repo.commit("weaker", record(predicate="true\n"))
        repo.git("checkout", "--quiet", "main")
        assert judge(repo, PINNED).verdict is Verdict.PASS

    def test_a_commit_that_the_configuration_hides_is_seen(self, tmp_path: Path) -> None:
        """Replace refs and the repository's own settings change nothing."""
        repo = repository(tmp_path)
        weaker = repo.commit("weaker", record(predicate="true\n"))
        repo.commit("back", record())
        repo.git("replace", "--graft", "HEAD", f"{weaker}^")
        repo.git("config", "log.follow", "true")
        repo.git("config", "diff.orderFile", "/nonexistent")
        assert sha256("true\n") in said(judge(repo, PINNED))

    def test_a_shallow_clone_notes_it_and_judges_the_rest(self, tmp_path: Path) -> None:
        """History is cut off; the other clauses still decide."""
        repo = repository(tmp_path / "origin")
        repo.commit("weaker", record(predicate="true\n"))
        repo.commit("back", record())
        git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repo.root}", "clone")
        clone = Repo(tmp_path / "clone")
        text = said(judge(clone, PINNED))
        assert text.startswith("PASS")
        assert "this clone is shallow" in text
        clone.write({f"{LOOP}/predicate": OTHER})
        assert judge(clone, PINNED).verdict is Verdict.FAIL

    def test_a_pin_of_history_that_was_no_pin_is_passed_over(self, tmp_path: Path) -> None:
        """It pinned nothing."""
        repo = repository(tmp_path, predicate__sha256="to be written\n")
        repo.commit("pin", record())
        assert judge(repo, PINNED).verdict is Verdict.PASS

    def test_the_kept_history_gives_the_same_answer(self, tmp_path: Path) -> None:
        """Twice with a cache, and once more after another commit."""
        repo = repository(tmp_path)
        for _ in range(2):
            assert judge(repo, PINNED, cache=True).verdict is Verdict.PASS
        assert (tmp_path / ".git/goblin/cache").is_dir()
        repo.commit("weaker", record(predicate="true\n"))
        assert judge(repo, PINNED, cache=True).verdict is Verdict.FAIL
        repo.commit("back", record())
        assert judge(repo, PINNED, cache=True).verdict is Verdict.FAIL


class TestBudget:
    @pytest.mark.parametrize(
        "text", ["0", "-1", "", "20 turns", "1e9", "020", "\u0662\u0660", "5.0", "3\n4", "\ufeff6", " 6 "]
    )
    def test_every_odd_budget_of_six_is_refused_for_seven_turns(self, tmp_path: Path, text: str) -> None:
        """Some are no number, and the others are exceeded."""
        rows = [row(f"cmd:{number}") for number in range(7)]
        assert judge(repository(tmp_path, *rows, budget=text), BUDGET).verdict is Verdict.FAIL

    @pytest.mark.parametrize("text", ["7", "7\n", " 7 \n", "7\r\n", "\ufeff7\n"])
    def test_a_plain_number_is_taken(self, tmp_path: Path, text: str) -> None:
        """With blanks and line ends around it."""
        repo = repository(tmp_path, *[row(f"cmd:{number}") for number in range(7)], budget=text)
        assert said(judge(repo, BUDGET)) == "PASS\nbudget 7 (ceiling 20), 7 verdict row(s)"

    @pytest.mark.parametrize("value", ["ten", "0", "-1", "1.5", "[20]"])
    def test_a_ceiling_that_is_no_number_does_not_fall_back(self, tmp_path: Path, value: str) -> None:
        """It is a FAIL that names the key."""
        text = said(judge(repository(tmp_path, config=f"loop_max_turns_ceiling: {value}\n"), BUDGET))
        assert text.startswith("FAIL")
        assert "loop_max_turns_ceiling" in text

    def test_the_first_row_over_the_budget_is_named(self, tmp_path: Path) -> None:
        """By its line; log rows do not count."""
        log = row("", "", "note")
        outcome = judge(repository(tmp_path, row(), log, row(), row(), budget="2\n"), BUDGET)
        assert [finding.place() for finding in outcome.findings] == [f"{DECISIONS}:5"]

    @pytest.mark.parametrize("line", ["x\ty\tverdict:wait", "verdict", "\t\tVERDICT:x\t\t\t\t\t\t"])
    def test_a_malformed_row_is_counted_where_it_says_verdict(self, tmp_path: Path, line: str) -> None:
        """In its third cell."""
        outcome = judge(repository(tmp_path, row(), line + "\n", budget="1\n"), BUDGET)
        assert (outcome.verdict is Verdict.FAIL) is (line != "verdict")

    def test_a_budget_that_grew_under_its_pin_is_a_fail(self, tmp_path: Path) -> None:
        """Committed or not yet; one that shrank is not."""
        repo = repository(tmp_path, budget="5\n")
        repo.write({f"{LOOP}/budget": "9\n"})
        outcome = judge(repo, BUDGET)
        assert f"commit {repo.head[:12]} declared 5, and it is 9 now" in said(outcome)
        repo.write({f"{LOOP}/budget": "3\n"})
        assert judge(repo, BUDGET).verdict is Verdict.PASS

    def test_another_loop_has_another_budget(self, tmp_path: Path) -> None:
        """Another predicate, or the same one opened again with its chain."""
        repo = repository(tmp_path, budget="5\n")
        chain = f"previous: {sha256(PREDICATE)}\n"
        repo.commit("again", {**record(chain=chain, budget="9\n"), **closed()})
        assert judge(repo, BUDGET).verdict is Verdict.PASS


class TestProgress:
    def test_rows_are_named_over_log_rows(self, tmp_path: Path) -> None:
        """Each of the streak has a finding."""
        outcome = judge(
            repository(tmp_path, row(), row("", "", "note"), row(), row(result="parked")), PROGRESS
        )
        assert outcome.summary == "no progress, and no green: rows 2, 4, 5 on file:README.md"
        assert [finding.line for finding in outcome.findings] == [2, 4, 5]

    def test_green_ends_a_streak_and_is_none_of_it(self, tmp_path: Path) -> None:
        """Red, red, green, red, red on one pointer."""
        repo = repository(tmp_path, row(), row(), GREEN, row(), row())
        assert said(judge(repo, PROGRESS)) == "PASS\nlongest streak 2 of 5 verdict row(s)"

    @pytest.mark.parametrize(
        "result", ["Predicate:green", "predicate:green ", "not predicate:green", "green"]
    )
    def test_what_is_not_exactly_green_is_not_green(self, tmp_path: Path, result: str) -> None:
        """It does not end a streak."""
        assert judge(repository(tmp_path, row(), row(result=result), row()), PROGRESS).verdict is Verdict.FAIL

    def test_empty_evidence_forms_no_streak(self, tmp_path: Path) -> None:
        """JG-01 fails it; here it breaks one."""
        assert judge(repository(tmp_path, row(""), row(""), row("")), PROGRESS).verdict is Verdict.PASS
        repo = repository(tmp_path / "other", row(), row(), row(""), row())
        assert judge(repo, PROGRESS).verdict is Verdict.PASS

    def test_one_commit_in_three_lengths_is_one_pointer(self, tmp_path: Path) -> None:
        """Also where two lengths stand for nothing else."""
        repo = repository(tmp_path)
        head = repo.head
        repo.write(
            {DECISIONS: HEADER + "".join(row(f"sha:{text}") for text in (head[:7], head[:12].upper(), head))}
        )
        assert judge(repo, PROGRESS).verdict is Verdict.FAIL

    def test_two_streaks_are_both_named(self, tmp_path: Path) -> None:
        """With their pointers."""
        rows = [row() for _ in range(3)] + [row("cmd:x") for _ in range(4)]
        outcome = judge(repository(tmp_path, *rows), PROGRESS)
        assert outcome.summary.endswith("rows 2, 3, 4 on file:README.md; rows 5, 6, 7, 8 on cmd:x")

    def test_no_row_yet_passes(self, tmp_path: Path) -> None:
        """The longest streak is none."""
        assert said(judge(repository(tmp_path), PROGRESS)) == "PASS\nlongest streak 0 of 0 verdict row(s)"


STUCK = "We ran `test   -f\n marker` to the end.\nNobody writes the file.\nThe task is blocked.\n"


class TestWriteUp:
    @pytest.mark.parametrize(
        "result",
        [
            "predicate:red",
            "stuck",
            "parked",
            "not predicate:green",
            "predicate:green (1 failed)",
            "predicate:green?",
            "PREDICATE:GREEN",
            "1 passed, 1 failed predicate:green",
            "predicate:green ",
            "",
        ],
    )
    def test_anything_but_green_needs_a_write_up(self, tmp_path: Path, result: str) -> None:
        """And a write-up suffices."""
        repo = repository(tmp_path, GREEN, row(result=result))
        assert "has no stuck.md" in said(judge(repo, WRITTEN))
        repo.write({f"{LOOP}/stuck.md": STUCK})
        assert judge(repo, WRITTEN).verdict is Verdict.PASS

    def test_an_open_quote_hides_no_last_row(self, tmp_path: Path) -> None:
        """There is no quoting in this table."""
        repo = repository(tmp_path, row(why='"half a remark'), GREEN, row())
        outcome = judge(repo, WRITTEN)
        assert outcome.verdict is Verdict.FAIL
        assert outcome.findings[0].place() == f"{DECISIONS}:4"

    def test_a_last_green_row_needs_none(self, tmp_path: Path) -> None:
        """What stands in stuck.md is not read then."""
        repo = repository(tmp_path, row(), GREEN, stuck__md="x\n")
        assert judge(repo, WRITTEN).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        ("text", "because"),
        [
            ("", "0 distinct line(s)"),
            ("test -f marker\nwe tried\n", "2 distinct line(s)"),
            ("test -f marker\n" * 3, "1 distinct line(s)"),
            ("- test -f marker\n* TEST -f marker\n> test  -f marker\n", "1 distinct line(s)"),
            ("# test -f marker\n## tried\n### blocked\n", "0 distinct line(s)"),
            ("```\ntest -f marker\n```\n~~~\n~~~\n---\n***\n", "1 distinct line(s)"),
            ("<!-- test -f marker\nb\nc -->\n", "0 distinct line(s)"),
            ("the predicate is red\nwe tried\nit is blocked\n", "does not name the predicate"),
            ("pretest -f marker\nb\nc\n", "does not name the predicate"),
            ("test -f markers\nb\nc\n", "does not name the predicate"),
            (f"{sha256(PREDICATE)[:11]}\nb\nc\n", "does not name the predicate"),
            (f"{sha256(PREDICATE)[1:20]}\nb\nc\n", "does not name the predicate"),
        ],
    )
    def test_what_is_no_write_up(self, tmp_path: Path, text: str, because: str) -> None:
        """Too few lines that count, or a predicate that is not named."""
        outcome = judge(repository(tmp_path, row(), files={f"{LOOP}/stuck.md": text}), WRITTEN)
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)

    @pytest.mark.parametrize("digits", [12, 20, 64])
    def test_leading_digits_of_the_digest_name_it(self, tmp_path: Path, digits: int) -> None:
        """In any case of letters."""
        text = f"Predicate {sha256(PREDICATE)[:digits].upper()}.\nb\nc\n"
        assert judge(repository(tmp_path, row(), stuck__md=text), WRITTEN).verdict is Verdict.PASS

    def test_a_write_up_that_is_a_pipe_is_not_opened(self, tmp_path: Path) -> None:
        """It cannot be read, and that is said."""
        repo = repository(tmp_path, row())
        os.mkfifo(tmp_path / LOOP / "stuck.md")
        assert "stuck.md cannot be read" in said(judge(repo, WRITTEN))

    def test_a_write_up_of_megabytes_ends_soon(self, tmp_path: Path) -> None:
        """Marks, fences and half a command, over and over."""
        text = "<!-- ``` test -f \n" * 40_000 + "- " * 100_000
        assert judge(repository(tmp_path, row(), stuck__md=text), WRITTEN).verdict is Verdict.FAIL


def pinned_surface(root: Path, *paths: str, **parts: str) -> Repo:
    """A repository whose record pins these files; each holds its own name."""
    lines = "".join(f"{sha256(path)}  {path}\n" for path in sorted(paths))
    pin = f"{sha256(PREDICATE)}\nsurface: {sha256(lines)}\n"
    record_parts = {"surface__sha256": lines, "predicate__sha256": pin} | parts
    return repository(root, files={path: path for path in paths}, **record_parts)


class TestSurface:
    def test_unchanged_files_are_counted(self, tmp_path: Path) -> None:
        """In folders and with names that are not ASCII."""
        repo = pinned_surface(tmp_path, "checks/gate.py", "tests/clé.py", "Makefile")
        assert said(judge(repo, SURFACE)) == "PASS\n3 pinned file(s) unchanged"
        assert judge(repo, PINNED).verdict is Verdict.PASS

    def test_every_change_is_listed(self, tmp_path: Path) -> None:
        """Committed or not."""
        repo = pinned_surface(tmp_path, "a", "b", "c", "d")
        repo.commit("weaker", {"a": "exit 0\n"})
        repo.remove("b").write({"c": "exit 0\n"})
        outcome = judge(repo, SURFACE)
        assert [(f.path, f.message[:8]) for f in outcome.findings] == [
            ("a", "recorded"),
            ("b", "is gone"),
            ("c", "recorded"),
        ]

    def test_a_list_edited_with_its_file_is_seen(self, tmp_path: Path) -> None:
        """The pin holds the digest of the list."""
        repo = pinned_surface(tmp_path, "a")
        repo.write({"a": "weaker", f"{LOOP}/surface.sha256": f"{sha256('weaker')}  a\n"})
        assert "it was edited" in said(judge(repo, SURFACE))

    def test_a_surface_replaced_or_dropped_mid_loop_is_seen_by_history(self, tmp_path: Path) -> None:
        """File, list and line edited together look sound; the committed pin tells."""
        repo = pinned_surface(tmp_path, "a")
        lines = f"{sha256('weaker')}  a\n"
        pin = f"{sha256(PREDICATE)}\nsurface: {sha256(lines)}\n"
        repo.write({"a": "weaker", f"{LOOP}/surface.sha256": lines, PIN: pin})
        assert f"commit {repo.head[:12]} pinned another surface" in said(judge(repo, SURFACE))
        repo.remove(f"{LOOP}/surface.sha256").write({PIN: f"{sha256(PREDICATE)}\n"})
        assert f"commit {repo.head[:12]} pinned another surface" in said(judge(repo, SURFACE))

    def test_the_next_loop_has_a_surface_of_its_own(self, tmp_path: Path) -> None:
        """Its chain is longer."""
        repo = pinned_surface(tmp_path, "a")
        chain = f"previous: {sha256(PREDICATE)}\n"
        repo.remove(f"{LOOP}/surface.sha256").commit("again", {**record(chain=chain), **closed()})
        assert judge(repo, SURFACE).verdict is Verdict.SKIP

    @pytest.mark.parametrize(
        ("parts", "because"),
        [
            ({"predicate__sha256": sha256(PREDICATE) + "\n"}, "has no surface: line"),
            ({"surface__sha256": f"{'a' * 64} a\n"}, "two spaces and a relative path"),
            ({"surface__sha256": ""}, "pins no file"),
            ({"surface__sha256": f"{'a' * 64}  ../outside\n"}, "a relative path"),
        ],
    )
    def test_a_list_that_cannot_be_trusted_is_a_fail(
        self, tmp_path: Path, parts: dict[str, str], because: str
    ) -> None:
        """With the line where it is wrong."""
        outcome = judge(pinned_surface(tmp_path, "a", **parts), SURFACE)
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)

    def test_a_line_without_its_list_is_a_fail(self, tmp_path: Path) -> None:
        """Deleting the list does not lift it."""
        repo = pinned_surface(tmp_path, "a")
        repo.remove(f"{LOOP}/surface.sha256")
        assert "surface.sha256 is missing" in said(judge(repo, SURFACE))


def test_a_hundred_thousand_turns_are_judged(tmp_path: Path) -> None:
    """Every row ends, and says what is wrong; the loop was long over its budget."""
    rows = [row(f"file:README.md,cmd:{number}", why=f"turn {number}") for number in range(100_000)]
    repo = repository(tmp_path, *rows)
    found: list[Outcome] = [judge(repo, cell) for cell in ALL]
    assert [outcome.verdict.value for outcome in found] == ["PASS", "PASS", "FAIL", "FAIL", "FAIL", "SKIP"]
    assert len(said(found[3])) > 0
    assert facts_of(repo).get("loop").decisions[-1].line == 100_001
