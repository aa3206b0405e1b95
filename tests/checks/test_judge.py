"""JG: verdicts cite what resolves, the judge is not the author, and done holds when it is run again."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from goblin import check, clock
from goblin.manifest import Row
from goblin.outcome import Outcome, Verdict
from tests.checks import loops
from tests.checks.judging import judge, said
from tests.checks.loops import HEADER, LOOP, record, repository, row
from tests.support import Repo, build_repo, git
from tests.support.mini import facts_of

RESOLVES = "checks/judge.py::each_verdict_cites_what_resolves"
DISJOINT = "checks/judge.py::the_judge_is_not_the_author"
AGAIN = "checks/judge.py::each_done_is_green_again"
DECISIONS = f"{LOOP}/decisions.tsv"


def done(evidence: str, at: str = "2026-01-02T00:20:00Z") -> str:
    """A row that says done."""
    return row(evidence, "predicate:green", "verdict:done", at=at)


def faulty_lines(outcome: Outcome) -> list[int]:
    """The lines of the decisions that have a finding."""
    assert all(finding.path == DECISIONS for finding in outcome.findings)
    return sorted({finding.line for finding in outcome.findings})


class TestEvidence:
    def test_every_dishonest_handle_is_named_by_its_row(self, tmp_path: Path) -> None:
        """Dangling commit, tree, blob, tag object, short prefix; the good last row is clean."""
        repo = repository(tmp_path)
        repo.git("tag", "-a", "-m", "x", "noted")
        bad = {
            repo.git("commit-tree", "-m", "x", "HEAD^{tree}"): "neither a ref nor HEAD reaches",
            repo.git("rev-parse", "HEAD^{tree}"): "is a tree",
            repo.git("rev-parse", "HEAD:README.md"): "is a blob",
            repo.git("rev-parse", "noted"): "is a tag",
            repo.head[:4]: "too short",
        }
        rows = [done(f"sha:{text}") for text in bad] + [done(f"sha:{repo.head}")]
        repo.write({DECISIONS: HEADER + "".join(rows)})
        outcome = judge(repo, RESOLVES)
        assert outcome.verdict is Verdict.FAIL
        assert faulty_lines(outcome) == [2, 3, 4, 5, 6]
        for finding, reason in zip(outcome.findings, bad.values(), strict=True):
            assert reason in finding.message

    def test_what_only_looks_like_evidence_fails_row_by_row(self, tmp_path: Path) -> None:
        """Prose, a command, nothing, a missing file, an empty handle and an id of zeros."""
        cells = ("all tests pass", "cmd:pytest", "", "file:src/never.txt", "verified sha:", f"sha:{'0' * 40}")
        repo = repository(tmp_path)
        rows = [done(cell) for cell in cells]
        repo.write({DECISIONS: HEADER + "".join(rows) + done(f"sha:{repo.head}")})
        assert faulty_lines(judge(repo, RESOLVES)) == [2, 3, 4, 5, 6, 7]

    def test_a_command_with_a_folder_of_that_name_beside_it(self, tmp_path: Path) -> None:
        """`cmd:npm test` is one handle, not two words, one of which exists."""
        repo = repository(tmp_path, row("cmd:npm test"), files={"test/a.txt": "x"})
        outcome = judge(repo, RESOLVES)
        assert [finding.message for finding in outcome.findings] == [
            "cmd:npm test a command resolves to nothing: its output is not in the record"
        ]

    def test_odd_characters_in_a_reason_move_no_row(self, tmp_path: Path) -> None:
        """U+2028, a form feed and a NEL are text of a cell: line numbers count LF."""
        odd = row("file:README.md", why="a\u2028b\x0cc\x85d\u2029e")
        repo = repository(tmp_path, odd, done("file:README.md"))
        assert judge(repo, RESOLVES).verdict is Verdict.PASS
        repo.write({DECISIONS: HEADER + odd + done("nothing")})
        assert faulty_lines(judge(repo, RESOLVES)) == [3]

    def test_a_shallow_clone_says_so(self, tmp_path: Path) -> None:
        """Never `no such commit` alone, and never a pass."""
        origin = build_repo({".goblin/goblin.yaml": loops.CONFIG, "README.md": "x"}, tmp_path / "origin")
        origin.commit("loop", record(done(f"sha:{origin.head}")))
        for number in range(3):
            origin.commit(f"more {number}", {"a": str(number)})
        git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{origin.root}", "clone")
        text = said(judge(Repo(tmp_path / "clone"), RESOLVES))
        assert text.startswith("FAIL")
        assert "this clone is shallow: git fetch --unshallow" in text
        assert said(judge(origin, RESOLVES)).startswith("PASS")

    def test_a_linked_worktree_and_a_detached_head_are_repositories(self, tmp_path: Path) -> None:
        """Commits that only their HEAD reaches count there."""
        repo = repository(tmp_path / "main")
        repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
        linked = Repo(tmp_path / "linked")
        linked.commit("alone", {"a": "1"})
        linked.write({DECISIONS: HEADER + done(f"sha:{linked.head}")})
        assert judge(linked, RESOLVES).verdict is Verdict.PASS

    def test_without_git_a_captured_output_still_resolves(self, tmp_path: Path) -> None:
        """A commit and a file do not."""
        output = "1 failed\n"
        cell = f"sha256:{loops.sha256(output)}"
        repo = repository(tmp_path, row(cell), files={f"{LOOP}/out/{loops.sha256(output)}.txt": output})
        os.rename(tmp_path / ".git", tmp_path / "elsewhere")
        assert judge(repo, RESOLVES).verdict is Verdict.PASS
        repo.write({DECISIONS: HEADER + row("file:README.md")})
        assert "there is no git repository here" in said(judge(repo, RESOLVES))

    def test_before_the_first_commit_a_commit_is_unknown(self, tmp_path: Path) -> None:
        """Nothing crashes."""
        repo = build_repo(
            {".goblin/goblin.yaml": loops.CONFIG, **record(done(f"sha:{'a' * 40}"))}, tmp_path, commit=None
        )
        assert "is no commit of this repository" in said(judge(repo, RESOLVES))

    @pytest.mark.parametrize(
        ("ahead", "verdict"), [(timedelta(minutes=5), "PASS"), (timedelta(days=2), "FAIL")]
    )
    def test_only_days_ahead_are_the_future(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead: timedelta, verdict: str
    ) -> None:
        """Clocks differ by minutes."""
        at = (clock.now() + ahead).strftime("%Y-%m-%dT%H:%M:%SZ")
        outcome = judge(repository(tmp_path, row(at=at)), RESOLVES)
        assert outcome.verdict.value == verdict
        assert ("in the future" in said(outcome)) is (verdict == "FAIL")

    def test_a_record_that_is_a_link_is_not_entered(self, tmp_path: Path) -> None:
        """It is a fault, and not the same as no record."""
        repo = build_repo(
            {".goblin/goblin.yaml": loops.CONFIG, "away/x": "x", f"{LOOP}@": "../away"}, tmp_path
        )
        assert said(judge(repo, RESOLVES)).startswith("FAIL\n.goblin/loop is no folder")

    def test_a_header_alone_is_nothing_to_judge(self, tmp_path: Path) -> None:
        """A skip, with the reason."""
        assert said(judge(repository(tmp_path), RESOLVES)) == "SKIP\ndecisions.tsv holds no row yet"

    def test_a_cell_of_megabytes_is_not_repeated(self, tmp_path: Path) -> None:
        """The message stays short."""
        repo = repository(tmp_path, row("sha:" + "f" * 10_000_000), row("file:" + "a" * 10_000_000))
        outcome = judge(repo, RESOLVES)
        assert faulty_lines(outcome) == [2, 3]
        assert len(said(outcome)) < 1000

    def test_a_terminal_escape_in_a_cell_is_printed_harmless(self, tmp_path: Path) -> None:
        """What a cell says cannot move the cursor of the reader."""
        text = said(judge(repository(tmp_path, row("\x1b[2Jfile:x")), RESOLVES))
        assert "\x1b" not in text
        assert "\\x1b[2J" in text


ROLES = "role\tcapability\tprofiles\tused_by\tbudget\n"
ROLES += "code\twrites\t{code}\tP2\tone\njudge\tdecides\t{judge}\tP7\tone\n"
MAP = "coder: {provider: here, model: one}\njudge: {provider: there, model: two}\n"


def lanes(
    root: Path, code: str = "coder", judge: str = "judge", mapping: str = MAP, roles: str = ROLES
) -> Repo:
    """A repository with these two lanes and this mapping."""
    return build_repo(
        {
            ".goblin/goblin.yaml": loops.CONFIG + "models_file: map.yaml\n",
            ".goblin/manifest/enforcement.tsv": (
                "id\tscope\tpart\tenforced_by\trule\tartifact\tcheck\tremedy\tblind_spot\n"
                "IN-03\ttarget\t-\tscript\tr\ta\ttrue\tm\tb\n"
            ),
            ".goblin/manifest/roles.tsv": roles.format(code=code, judge=judge),
            "map.yaml": mapping,
        },
        root,
    )


class TestLanes:
    def test_two_lanes_that_share_nothing(self, tmp_path: Path) -> None:
        """Both are printed."""
        assert said(judge(lanes(tmp_path), DISJOINT)) == (
            "PASS\n2 lanes, disjoint: code coder, judge judge\ncode coder: here one\njudge judge: there two"
        )

    @pytest.mark.parametrize("shared", ["coder", "judge,coder", "Coder", " coder "])
    def test_a_shared_profile_is_a_fail_with_and_without_a_map(self, tmp_path: Path, shared: str) -> None:
        """Decided from the roles alone, in any case of letters."""
        repo = lanes(tmp_path, judge=shared)
        assert judge(repo, DISJOINT).verdict is Verdict.FAIL
        repo.remove("map.yaml")
        outcome = judge(repo, DISJOINT)
        assert outcome.verdict is Verdict.FAIL
        assert "in the lane of code and in that of judge" in said(outcome)

    @pytest.mark.parametrize(
        ("change", "because"),
        [
            ({"mapping": MAP.replace("two", "'?'")}, "unresolved: give judge"),
            ({"mapping": MAP.replace("two", "UNKNOWN")}, "unresolved: give judge"),
            ({"mapping": MAP.replace("two", "''")}, "unresolved: give judge"),
            ({"mapping": MAP.replace("here", "~")}, "unresolved: give coder"),
            ({"mapping": "[]"}, "no mapping"),
            ({"mapping": "a: [\n"}, "is not YAML"),
            ({"judge": "-"}, "the role judge resolves to no profile"),
            ({"code": ""}, "the role code resolves to no profile"),
            ({"judge": "judge,second"}, "2 judges"),
        ],
    )
    def test_what_this_machine_does_not_say_is_advisory(
        self, tmp_path: Path, change: dict[str, str], because: str
    ) -> None:
        """Never red: a fresh machine has no map."""
        outcome = judge(lanes(tmp_path, **change), DISJOINT)
        assert outcome.verdict is Verdict.ADV
        assert because in said(outcome)

    @pytest.mark.parametrize(
        ("roles", "because"),
        [
            (ROLES + "judge\tx\tother\tP1\tone\n", "the role judge stands a second time (first in line 3)"),
            (ROLES + "\tx\tother\tP1\tone\n", "a role without a name"),
            (ROLES.replace("{judge}", "judge,judge"), "the profile judge stands twice"),
        ],
    )
    def test_a_wrong_value_of_the_roles_is_a_fail_with_its_line(
        self, tmp_path: Path, roles: str, because: str
    ) -> None:
        """This row owns the table."""
        outcome = judge(lanes(tmp_path, roles=roles), DISJOINT)
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)
        assert outcome.findings[0].line

    def test_no_roles_at_all_is_a_fail(self, tmp_path: Path) -> None:
        """Nobody can tell the lanes apart then."""
        repo = lanes(tmp_path)
        repo.remove(".goblin/manifest/roles.tsv")
        assert judge(repo, DISJOINT).verdict is Verdict.FAIL


class TestRunAgain:
    @pytest.fixture(autouse=True)
    def temporary(self, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A folder for temporary files of this test's own, so that what is left behind shows."""
        folder = tmp_path_factory.mktemp("temporary")
        monkeypatch.setattr("tempfile.tempdir", str(folder))
        return folder

    def repository(
        self, root: Path, predicate: str = "test -f marker\n", files: dict[str, str] | None = None
    ) -> Repo:
        """A repository that lets the judge run again, with a done row that cites its first commit."""
        repo = repository(root, predicate=predicate, config="judge_rederive: yes\n", files=files)
        repo.write({DECISIONS: HEADER + done(f"sha:{repo.head}")})
        return repo

    def test_green_at_the_commit(self, tmp_path: Path, temporary: Path) -> None:
        """And nothing is left behind."""
        repo = self.repository(tmp_path, files={"marker": "x"})
        assert said(judge(repo, AGAIN)) == "PASS\n1 done row(s), green again at 1 commit(s)"
        assert list(temporary.iterdir()) == []

    def test_red_at_the_commit_shows_what_it_said(self, tmp_path: Path) -> None:
        """The row, the exit code and the last lines."""
        repo = self.repository(tmp_path, "echo nobody wrote it; exit 3\n")
        outcome = judge(repo, AGAIN)
        assert outcome.verdict is Verdict.FAIL
        assert outcome.findings[0].place() == f"{DECISIONS}:2"
        assert "red there (exit 3)" in outcome.findings[0].message
        assert "nobody wrote it" in said(outcome)

    def test_what_is_not_committed_is_not_there(self, tmp_path: Path) -> None:
        """Neither untracked nor ignored nor staged."""
        repo = self.repository(tmp_path)
        repo.write({"marker": "x"}).git("add", "marker")
        assert judge(repo, AGAIN).verdict is Verdict.FAIL

    def test_the_repository_itself_is_never_touched(
        self, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The predicate runs elsewhere, with refs to look at; it writes nothing here."""
        repo = self.repository(
            tmp_path, "touch made && git commit -q --allow-empty -m x && git rev-parse main && pwd\n"
        )
        (temporary / ".gitconfig").write_text("[user]\nname = a\nemail = a@example.invalid\n")
        monkeypatch.setenv("HOME", str(temporary))

        def state() -> list[str]:
            asked = ("for-each-ref", "worktree list", "count-objects -v", "status --porcelain")
            return [repo.git(*words.split()) for words in asked]

        before = state()
        outcome = judge(repo, AGAIN)
        assert outcome.verdict is Verdict.PASS, said(outcome)
        assert state() == before
        assert not (tmp_path / "made").exists()

    def test_no_hook_and_no_filter_runs(self, tmp_path: Path) -> None:
        """Neither of the repository nor of the user."""
        repo = self.repository(tmp_path, files={"marker": "x", ".gitattributes": "* filter=evil\n"})
        planted = tmp_path / "planted"
        for name in ("post-checkout", "reference-transaction", "post-index-change"):
            (tmp_path / ".git/hooks" / name).parent.mkdir(exist_ok=True)
            repo.write({f".git/hooks/{name}": f"#!/bin/sh\ntouch {planted}\n"})
        repo.git("config", "filter.evil.smudge", f"touch {planted}; cat")
        repo.git("config", "filter.evil.required", "true")
        assert judge(repo, AGAIN).verdict is Verdict.PASS
        assert not planted.exists()

    def test_a_commit_is_run_once_however_often_it_is_cited(self, tmp_path: Path, temporary: Path) -> None:
        """By two rows and in two spellings."""
        ran = temporary.parent / f"{temporary.name}-ran"
        repo = repository(tmp_path, predicate=f"echo x >> {ran}\n", config="judge_rederive: yes\n")
        cells = (f"sha:{repo.head}", f"sha:{repo.head[:9]}, file:README.md", "file:README.md")
        repo.write({DECISIONS: HEADER + "".join(done(cell) for cell in cells)})
        text = said(judge(repo, AGAIN))
        assert text == "PASS\n2 done row(s), green again at 1 commit(s); 1 done row(s) cite no commit"
        assert ran.read_text() == "x\n"

    def test_an_edited_predicate_is_not_run(self, tmp_path: Path, temporary: Path) -> None:
        """Only the pinned one is."""
        ran = temporary.parent / f"{temporary.name}-ran"
        repo = self.repository(tmp_path)
        repo.write({f"{LOOP}/predicate": f"touch {ran}\n"})
        outcome = judge(repo, AGAIN)
        assert outcome.verdict is Verdict.FAIL
        assert "not the pinned one" in said(outcome)
        assert not ran.exists()

    def test_under_static_it_is_left_out(self, tmp_path: Path) -> None:
        """The engine knows by the fact that it runs declared commands."""
        cell = Row("ZZ-01", "target", "", "gate", "rule", "artifact", AGAIN, "-", "-")
        assert check.runs_declared_commands(cell)
        assert not check.runs_declared_commands(cell._replace(check=RESOLVES))
        assert facts_of(self.repository(tmp_path)).get("config").flag("judge_rederive")

    def test_a_wrong_value_is_a_fail_and_runs_nothing(self, tmp_path: Path) -> None:
        """Fail closed."""
        repo = repository(tmp_path, done("file:README.md"), config="judge_rederive: maybe\n")
        outcome = judge(repo, AGAIN)
        assert outcome.verdict is Verdict.FAIL
        assert "must be yes or no" in said(outcome)

    def test_a_commit_that_is_missing_is_a_fail(self, tmp_path: Path) -> None:
        """Also beside one that is there and green."""
        repo = repository(tmp_path, predicate="true\n", config="judge_rederive: yes\n")
        repo.write({DECISIONS: HEADER + done(f"sha:{repo.head},sha:{'e' * 40}")})
        assert "is no commit of this repository" in said(judge(repo, AGAIN))

    def test_a_temporary_folder_inside_the_repository_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The checkout would stand in the tree that is judged."""
        repo = self.repository(tmp_path)
        (tmp_path / "tmp").mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
        text = said(judge(repo, AGAIN))
        assert text.startswith("FAIL\ncould not run: no clean checkout")
        assert "set TMPDIR elsewhere" in text
        assert list((tmp_path / "tmp").iterdir()) == []

    def test_a_predicate_that_is_the_verifier_does_not_begin_anew(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Inside the checkout of a re-derivation this row has nothing to do."""
        repo = self.repository(tmp_path)
        monkeypatch.setenv("GOBLIN_REDERIVING", str(tmp_path.resolve()))
        assert judge(repo, AGAIN).verdict is Verdict.SKIP
        monkeypatch.setenv("GOBLIN_REDERIVING", str(tmp_path.resolve().parent))
        assert judge(repo, AGAIN).verdict is Verdict.FAIL
