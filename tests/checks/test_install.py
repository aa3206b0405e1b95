"""IN: the record and the matrix, judged on real repositories."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from goblin.facts.record import Options, render
from goblin.facts.shipped import Shipped
from goblin.manifest import Manifest, Row
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.support import Repo, build_repo
from tests.support.mini import facts_of, mini_repo, row
from tests.support.records import CONFIG, digest, governed, record
from tests.support.repo import Files

FILES = {".goblin/bin/goblin-verify": "#!/bin/sh\n", ".goblin/manifest/enforcement.tsv": "id\n"}


def sound(repo: Repo) -> Outcome:
    """IN-01."""
    return judge(repo, "checks/install.py::the_install_left_a_sound_record")


def hashes(repo: Repo) -> Outcome:
    """IN-02."""
    return judge(repo, "checks/install.py::installed_files_keep_their_hash")


def untouched(repo: Repo) -> Outcome:
    """IN-04."""
    return judge(repo, "checks/install.py::no_earlier_file_was_taken_over")


class TestRecord:
    """IN-01."""

    def test_a_sound_record_passes_and_is_counted(self, tmp_path: Path) -> None:
        """The summary names version, class and the size of each map."""
        repo = governed(tmp_path, FILES, owned={"b": digest("b")}, refused={"c": digest("c")})
        assert sound(repo) == Outcome(
            Verdict.PASS, "record of 0.1.0, class A: 2 installed, 1 owned, 1 refused"
        )

    def test_layout_means_nothing(self, tmp_path: Path) -> None:
        """Minified and with its members in another order it is the same record."""
        repo = governed(tmp_path, FILES)
        value = json.loads(repo.read(".goblin/installed.json"))
        repo.write({".goblin/installed.json": json.dumps(dict(reversed(value.items())))})
        assert sound(repo).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        ("content", "because"),
        [
            ("", "is empty"),
            ('"version"', "not a JSON object"),
            ("{", "line 1, column 2"),
            ('{"version": "1", "version": "2"}', "'version' stands twice"),
            (b"\xff", "not UTF-8"),
            ("[" * 200_000, "cannot be read"),
        ],
    )
    def test_no_record_at_all_is_this_rows_fail(
        self, tmp_path: Path, content: str | bytes, because: str
    ) -> None:
        """It is read as JSON: a text that holds the word version is none."""
        repo = governed(tmp_path, FILES).write({".goblin/installed.json": content})
        for outcome in (sound(repo), hashes(repo), untouched(repo)):
            assert outcome.verdict is Verdict.FAIL
            assert because in said(outcome)

    @pytest.mark.parametrize(
        ("members", "because"),
        [
            ({"version": " "}, "'version' is missing"),
            ({"files": {}}, "'files' is missing"),
            ({"files": {"a": "A" * 64}}, "64 lower-case"),
            ({"owned": {"../a": "0" * 64}}, "'../a' is not a relative path"),
            ({"refused": {"/etc/passwd": "0" * 64}}, "'/etc/passwd'"),
            ({"owned": {"a.txt": "0" * 64}}, "'a.txt' stands in both files and owned"),
        ],
    )
    def test_each_fault_is_listed(self, tmp_path: Path, members: dict[str, object], because: str) -> None:
        """A member of another shape is a fault that names it."""
        crooked = record()._replace(**members)  # type: ignore[arg-type]
        files: Files = {".goblin/goblin.yaml": CONFIG, ".goblin/installed.json": render(crooked)}
        repo = build_repo(files, tmp_path)
        outcome = sound(repo)
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)

    def test_global_engine_mode_needs_no_record(self, tmp_path: Path) -> None:
        """Only where nothing is vendored: deleting the record of a vendored install is no way out."""
        repo = build_repo({".goblin/goblin.yaml": CONFIG + "engine_dir: /opt/goblin\n"}, tmp_path)
        for judged in (sound, hashes, untouched):
            assert judged(repo).verdict is Verdict.SKIP
            assert "global engine mode" in judged(repo).summary
        repo.write(FILES)
        for judged in (sound, hashes, untouched):
            assert judged(repo).verdict is Verdict.FAIL
            assert "no record" in judged(repo).summary


class TestHashes:
    """IN-02."""

    def test_equal_files_pass_with_their_count(self, tmp_path: Path) -> None:
        """Nothing is said of a pin where none is set."""
        assert hashes(governed(tmp_path, FILES)) == Outcome(Verdict.PASS, "2 installed files hashed")

    def test_every_way_to_drift_is_named(self, tmp_path: Path) -> None:
        """A byte more, a file less, a folder, a link and a FIFO in its place, each with what it is now."""
        files = {name: name for name in ("edited", "gone", "folder", "link", "fifo", "same")}
        repo = governed(tmp_path, files).remove("gone", "folder", "link", "fifo")
        repo.write({"edited": "edited!", "folder/x": "", "link@": "same"})
        os.mkfifo(repo / "fifo")
        outcome = hashes(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "5 of 6 installed files changed" in outcome.summary
        for line in (
            f"edited: recorded {digest('edited')}, now {digest('edited!')}",
            "gone: missing",
            "folder: is now a folder",
            "link: is now a symbolic link",
            "fifo: not a regular file",
        ):
            assert line in said(outcome)
        assert "git checkout -- edited" in outcome.remedy

    def test_a_link_that_holds_the_recorded_bytes_is_drift(self, tmp_path: Path) -> None:
        """What it leads to can change without a trace here."""
        repo = governed(tmp_path, {"a": "x"}, {"b": "x"}).remove("a").write({"a@": "b"})
        assert "a: is now a symbolic link" in said(hashes(repo))

    def test_a_folder_that_became_a_link_is_drift(self, tmp_path: Path) -> None:
        """Inside the repository too, with every byte the same."""
        repo = governed(tmp_path, {"d/e/f": "x", "g": "y"})
        (repo / "d").rename(repo / "moved")
        repo.write({"d@": "moved"})
        outcome = hashes(repo)
        assert "1 of 2 installed files changed" in outcome.summary
        assert "d/e/f: a folder above it is now a symbolic link" in said(outcome)

    def test_mode_bits_are_not_compared(self, tmp_path: Path) -> None:
        """A checkout without them has the same verdict."""
        repo = governed(tmp_path, FILES)
        (repo / ".goblin/bin/goblin-verify").chmod(0o600)
        assert hashes(repo).verdict is Verdict.PASS

    def test_owned_and_refused_files_are_the_projects_to_edit(self, tmp_path: Path) -> None:
        """They are never hashed."""
        repo = governed(
            tmp_path, FILES, {"o": "2", "r": "2"}, owned={"o": digest("1")}, refused={"r": digest("1")}
        )
        assert hashes(repo).verdict is Verdict.PASS

    def test_line_end_conversion_is_told_from_an_edit(self, tmp_path: Path) -> None:
        """It fails all the same, and names the attribute that keeps bytes as they are."""
        repo = governed(tmp_path, {"a": "1\n2\n"}).write({"a": "1\r\n2\r\n"})
        outcome = hashes(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "line-end conversion" in said(outcome)
        assert "-text" in said(outcome)
        repo.write({"a": "1\r\n3\r\n"})
        assert "line-end conversion" not in said(hashes(repo))

    def test_a_record_that_names_no_file_vouches_for_nothing(self, tmp_path: Path) -> None:
        """An empty `files` is a FAIL, and never a pass over nothing."""
        assert "names no installed file" in hashes(governed(tmp_path, {})).summary

    def test_declined_skills_may_be_absent(self, tmp_path: Path) -> None:
        """With `--skills no` their absence is no drift; their edit still is."""
        files = {**FILES, ".hermes/skills/x/SKILL.md": "x"}
        repo = governed(tmp_path, files, options=Options((), False)).remove(".hermes/skills/x/SKILL.md")
        assert hashes(repo).verdict is Verdict.PASS
        repo.write({".hermes/skills/x/SKILL.md": "y"})
        assert hashes(repo).verdict is Verdict.FAIL

    def test_an_engine_kept_elsewhere_may_be_absent(self, tmp_path: Path) -> None:
        """In global mode engine and skill files are no drift; the matrix still is."""
        repo = governed(tmp_path, FILES, engine={"mode": "global"}).remove(".goblin/bin/goblin-verify")
        assert hashes(repo).verdict is Verdict.PASS
        repo.remove(".goblin/manifest/enforcement.tsv")
        assert "enforcement.tsv: missing" in said(hashes(repo))

    def test_unrecorded_files_are_shown_beside_a_pass(self, tmp_path: Path) -> None:
        """In the folders of engine and rules; bytecode anywhere below `.goblin/`; nothing from elsewhere."""
        extra = {
            ".goblin/bin/more": "",
            ".goblin/checks/own.py": "",
            ".goblin/manifest/deep/x.tsv": "",
            ".goblin/engine/goblin/new.py": "",
            ".goblin/bans/extra.yml": "",
            ".goblin/rules/__pycache__/a.cpython-311.pyc": "",
            ".goblin/waivers.tsv": "",
            ".goblin/loop/notes": "",
            "src/__pycache__/b.pyc": "",
        }
        outcome = hashes(governed(tmp_path, FILES, extra))
        assert outcome.verdict is Verdict.PASS
        assert [finding.path for finding in outcome.findings] == [
            ".goblin/bans/extra.yml",
            ".goblin/bin/more",
            ".goblin/checks/own.py",
            ".goblin/engine/goblin/new.py",
            ".goblin/manifest/deep/x.tsv",
            ".goblin/rules/__pycache__/",
        ]
        assert "bytecode" in outcome.findings[-1].message

    def test_an_unrecorded_compiled_module_is_a_fail(self, tmp_path: Path) -> None:
        """Python would take it in place of the source that is hashed."""
        repo = governed(tmp_path, FILES, {".goblin/engine/goblin/git.cpython-311-x86_64-linux-gnu.so": "x"})
        outcome = hashes(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "1 compiled module(s) that no record names" in outcome.summary
        assert "delete .goblin/engine/goblin/git.cpython" in outcome.remedy

    def test_a_link_below_the_engine_is_not_entered(self, tmp_path: Path) -> None:
        """It is named itself, and what it leads to is not."""
        outside = tmp_path / "outside"
        (outside / "__pycache__").mkdir(parents=True)
        repo = governed(tmp_path / "r", FILES, {".goblin/engine/up@": str(outside)})
        assert [finding.path for finding in hashes(repo).findings] == [".goblin/engine/up"]

    def test_a_file_larger_than_is_read_is_no_pass(self, tmp_path: Path) -> None:
        """It is reported, and never held in memory."""
        repo = governed(tmp_path, {"a": "x"})
        with open(repo / "a", "wb") as stream:
            stream.truncate(1 << 30)
        assert "bytes, more than the" in said(hashes(repo))

    def test_a_whole_install_is_hashed_in_a_moment(self, tmp_path: Path) -> None:
        """Each file is opened once: 400 of them take some milliseconds."""
        repo = governed(tmp_path, {f".goblin/engine/m{n % 20}/f{n}.py": f"{n}\n" * 400 for n in range(400)})
        assert hashes(repo).verdict is Verdict.PASS


class TestPin:
    """The pinned standard of IN-02."""

    def pinned(self, root: Path, practice: str, pin: str) -> Repo:
        """A repository that pins a standard."""
        config = f"{CONFIG}practice: {practice}\npractice_sha256: {pin}\n"
        return governed(root / "r", FILES, config=config)

    def test_an_equal_standard_is_said(self, tmp_path: Path) -> None:
        """Outside the repository, and through `~/` where the home folder has it."""
        (tmp_path / "standard.md").write_text("keep it")
        repo = self.pinned(tmp_path, str(tmp_path / "standard.md"), digest("keep it"))
        assert hashes(repo).summary == "2 installed files hashed | practice pin ok"

    def test_the_home_folder_is_expanded(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """`~/` alone; another user's home is not asked for."""
        monkeypatch.setenv("HOME", str(tmp_path))
        (tmp_path / "s.md").write_text("keep it")
        assert hashes(self.pinned(tmp_path, "~/s.md", digest("keep it"))).verdict is Verdict.PASS

    def test_a_wrong_pin_hides_no_drift(self, tmp_path: Path) -> None:
        """Both are listed, with a remedy each."""
        repo = self.pinned(tmp_path, "x.md", "12").write({".goblin/bin/goblin-verify": "edited"})
        outcome = hashes(repo)
        assert "goblin-verify: recorded" in said(outcome)
        assert "must be 64 hex digits" in said(outcome)
        assert "git checkout" in outcome.remedy
        assert "--re-pin" in outcome.remedy

    @pytest.mark.parametrize(
        ("practice", "pin", "because"),
        [
            ("/nowhere/at/all.md", "0" * 64, "practice missing: /nowhere/at/all.md"),
            ("/dev/zero", "0" * 64, "not a regular file"),
            ("'a\\0b'", "0" * 64, "practice missing"),
            ("x.md", "", "practice is set and practice_sha256 is not"),
            ("", "0" * 64, "practice_sha256 is set and practice is not"),
            ("x.md", "12e4567", "`practice_sha256` must be 64 hex digits"),
        ],
    )
    def test_half_a_pin_or_none_to_read_is_a_fail(
        self, tmp_path: Path, practice: str, pin: str, because: str
    ) -> None:
        """Each says the key, and what would mend it."""
        outcome = hashes(self.pinned(tmp_path, practice, pin))
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)
        assert outcome.findings[0].path == ".goblin/goblin.yaml"

    def test_an_edited_standard_shows_both_hashes_and_is_never_pinned_again(self, tmp_path: Path) -> None:
        """The remedy is the command that a person runs."""
        (tmp_path / "s.md").write_text("keep it!")
        repo = self.pinned(tmp_path, str(tmp_path / "s.md"), digest("keep it"))
        outcome = hashes(repo)
        assert f"practice EDITED: {tmp_path}/s.md: recorded {digest('keep it')}" in said(outcome)
        assert digest("keep it!") in said(outcome)
        assert "--re-pin" in outcome.remedy
        assert digest("keep it") in repo.read(".goblin/goblin.yaml")


def matrix(*rows: Row) -> Manifest:
    """A manifest of these rows."""
    return Manifest("/somewhere/.goblin/manifest", rows, {})


def plain(name: str, **cells: object) -> Row:
    """A row with ordinary cells."""
    return Row(name, "target", "", "script", "a rule", "a file", "checks/a.py::b", "mend", "much")._replace(
        **cells  # type: ignore[arg-type]
    )


RELEASE = Shipped(
    "0.1.0",
    {"AA-01": "checks/a.py::b", "AA-02": "advisory", "AA-03": "tests/x.py"},
    {"AA-01": ("target", ""), "AA-02": ("target", "gate"), "AA-03": ("source", "")},
)
WHOLE = (
    plain("AA-01"),
    plain("AA-02", check="advisory", enforced_by="advisory", part="gate"),
    plain("AA-03", check="tests/x.py", enforced_by="test", scope="source"),
)


def whole(*rows: Row, shipped: Shipped = RELEASE) -> Outcome:
    """IN-03 on a matrix."""
    from goblin.check import function_of

    function = function_of(plain("IN-03", check="checks/install.py::every_row_has_a_check"))
    assert function is not None
    outcome = function(matrix(*rows), shipped)
    assert isinstance(outcome, Outcome)
    return outcome


class TestMatrix:
    """IN-03."""

    def test_a_whole_matrix_passes_with_its_counts(self) -> None:
        """Rows here, and rows of the release."""
        assert whole(*WHOLE) == Outcome(
            Verdict.PASS, "3 rows, each with a check or labelled advisory, 3 of release 0.1.0"
        )

    def test_prose_is_not_judged(self) -> None:
        """Rule, artifact, remedy and blind spot may be rewritten."""
        rows = [row._replace(rule="r", artifact="a", remedy="m", blind_spot="b") for row in WHOLE]
        assert whole(*rows).verdict is Verdict.PASS

    @pytest.mark.parametrize(
        ("index", "cells", "because"),
        [
            (0, {"check": "advisory"}, "AA-01: check is advisory and enforced_by is script"),
            (0, {"enforced_by": "test"}, "AA-01: enforced_by is test and scope is target"),
            (0, {"check": "checks/a.py::other"}, "AA-01: check is checks/a.py::other; the release ships"),
            (0, {"check": "true"}, "AA-01: check is true; the release ships"),
            (0, {"check": "advisory", "enforced_by": "advisory"}, "AA-01: check is advisory; the release"),
            (
                0,
                {"scope": "source", "enforced_by": "test"},
                "AA-01: scope is source; the release ships target",
            ),
            (0, {"part": "tokens"}, "AA-01: part is tokens; the release ships -"),
            (1, {"enforced_by": "lint"}, "AA-02: check is advisory and enforced_by is lint"),
            (2, {"scope": "target"}, "AA-03: enforced_by is test and scope is target"),
        ],
    )
    def test_a_row_that_lost_its_check_is_named(
        self, index: int, cells: dict[str, object], because: str
    ) -> None:
        """Its id and the cell, with what the release ships."""
        rows = list(WHOLE)
        rows[index] = rows[index]._replace(**cells, line=7)  # type: ignore[arg-type]
        outcome = whole(*rows)
        assert outcome.verdict is Verdict.FAIL
        assert because in said(outcome)
        assert "enforcement.tsv:7" in said(outcome)

    def test_every_missing_row_is_named(self) -> None:
        """A deleted line would else stop its rule without a word."""
        outcome = whole(WHOLE[1])
        assert outcome.verdict is Verdict.FAIL
        assert "AA-01 is missing; release 0.1.0 ships it" in said(outcome)
        assert "AA-03 is missing" in said(outcome)

    def test_an_advisory_row_may_be_given_a_command(self) -> None:
        """That is what its cap asks for."""
        assert whole(WHOLE[0], WHOLE[1]._replace(check="make check"), WHOLE[2]).verdict is Verdict.PASS

    def test_rows_of_ones_own_are_judged_by_their_labels(self) -> None:
        """In the rules folder they are welcome; in the shipped matrix they are shown."""
        own = plain("MY-01", check="make lint", project=True, line=3)
        assert whole(*WHOLE, own).findings == ()
        assert "MY-01: no row of the release" in said(whole(*WHOLE, own._replace(project=False)))
        wrong = whole(*WHOLE, own._replace(check="advisory"))
        assert "rules/enforcement.tsv:3: MY-01: check is advisory" in said(wrong)

    def test_another_release_is_not_compared_and_that_is_said(self) -> None:
        """The labels are judged all the same."""
        other = RELEASE._replace(reason="the install is of 0.0.9")
        outcome = whole(WHOLE[0], shipped=other)
        assert outcome.verdict is Verdict.PASS
        assert "not compared with release 0.1.0: the install is of 0.0.9" in outcome.summary
        assert whole(plain("AA-01", check="advisory"), shipped=other).verdict is Verdict.FAIL

    def test_rows_from_elsewhere_are_named_where_they_stand(self, tmp_path: Path) -> None:
        """With `--source` the matrix is another file."""
        repo = mini_repo(tmp_path, [row("ZZ-01", "advisory")])
        (repo / ".goblin/manifest").rename(repo / "manifest")
        cell = "checks/install.py::every_row_has_a_check"
        outcome = judge(repo, cell, manifest_dir=str(repo / "manifest"))
        assert f"{repo.root}/manifest/enforcement.tsv:3: ZZ-01" in said(outcome)

    def test_which_release_an_install_is_compared_with(self, tmp_path: Path) -> None:
        """The record's version decides for an installed command; an unreadable record excuses nothing."""
        repo = mini_repo(tmp_path, [row("ZZ-01", "true")])
        assert facts_of(repo).get("shipped").reason == ""
        repo.write({".goblin/installed.json": render(record(version="0.0.9"))})
        assert facts_of(repo).get("shipped").reason == "the install is of 0.0.9"
        folder = str(repo / ".goblin/manifest")
        assert facts_of(repo, manifest_dir=folder).get("shipped").reason.startswith("rows come from")

    def test_the_running_release_ships_in_03_itself(self, tmp_path: Path) -> None:
        """The real registry bites: a matrix of two rows lacks nearly all of it."""
        repo = mini_repo(tmp_path, [row("ZZ-01", "true")])
        outcome = judge(repo, "checks/install.py::every_row_has_a_check")
        assert "IN-01 is missing" in said(outcome)
        assert "IN-03: check is true" in said(outcome)


class TestTakeOver:
    """IN-04."""

    def test_none_refused_is_a_pass_that_says_so(self, tmp_path: Path) -> None:
        """0 is a count too."""
        assert untouched(governed(tmp_path, FILES)).summary == "0 pre-existing file(s) left alone"

    def test_a_refused_file_may_be_edited_and_may_be_a_dangling_link(self, tmp_path: Path) -> None:
        """It is its owner's; only its existence is asked for."""
        refused = {"a": digest("1"), "b": digest("1"), "dir": digest("1")}
        others = {"a": "2", "b@": "nowhere", "dir/x": ""}
        outcome = untouched(governed(tmp_path, FILES, others, refused=refused))
        assert outcome == Outcome(Verdict.PASS, "3 pre-existing file(s) left alone")

    def test_a_gone_file_and_a_taken_one_are_named(self, tmp_path: Path) -> None:
        """One that left, one that both maps hold, one whose folder now leads outside."""
        taken = next(iter(FILES))
        refused = {"checks/gone.mjs": "0" * 64, taken: "0" * 64, "out/x": "0" * 64}
        (tmp_path / "away").mkdir()
        (tmp_path / "away/x").write_text("")
        repo = governed(tmp_path / "r", FILES, {"out@": str(tmp_path / "away")}, refused=refused)
        outcome = untouched(repo)
        assert outcome.verdict is Verdict.FAIL
        assert "3 of 3" in outcome.summary
        assert "checks/gone.mjs: it stood here before the install, and is gone" in said(outcome)
        assert f"{taken}: taken over" in said(outcome)
        assert "out/x: it stood here before the install, and is out of the repository's reach" in said(
            outcome
        )

    def test_files_that_were_the_same_are_counted(self, tmp_path: Path) -> None:
        """They were adopted with the very bytes of the install."""
        value = json.loads(render(record({path: digest(text) for path, text in FILES.items()})))
        value["adopted"] = {next(iter(FILES)): {"preexisting": True}}
        repo = governed(tmp_path, FILES).write({".goblin/installed.json": json.dumps(value)})
        assert "1 more held the very bytes" in untouched(repo).summary

    def test_what_force_replaced_is_shown(self, tmp_path: Path) -> None:
        """With the hash of what stood there; it is no fault."""
        repo = governed(tmp_path, FILES, taken_over={next(iter(FILES)): digest("theirs")})
        outcome = untouched(repo)
        assert outcome.verdict is Verdict.PASS
        assert "1 replaced by --force" in outcome.summary
        assert f"what stood there had the hash {digest('theirs')}" in said(outcome)
