"""What a ban concludes about a repository: order of the skips, exemptions, escapes, counts and findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from goblin.bans import astprobe, extra
from goblin.facts import Facts, Run
from goblin.outcome import Verdict
from tests.bans.repos import OWN, ban_repo, outcome, places
from tests.support import build_repo
from tests.support.mini import facts_of

ANY = "export const a: any = 1;\n"


@pytest.fixture(params=["text", "tree"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to read a source."""
    name: str = request.param
    if name == "text":
        monkeypatch.setattr(astprobe, "usable", lambda: False)
        monkeypatch.setattr(extra, "versions", lambda: "")
    else:
        assert astprobe.usable()
    return name


def test_every_hit_is_told_with_its_place_and_its_line(tmp_path: Path, reader: str) -> None:
    """One finding a line, the whole list, and on the line of the verdict how they were looked for."""
    repo = ban_repo(tmp_path, {"src/b.ts": "let x: any, y: any;\n" + ANY, "src/a.ts": "\n" + ANY}, "BN-01")
    found = outcome(repo, "BN-01")
    assert found.verdict is Verdict.FAIL
    assert places(found) == ["src/a.ts:2", "src/b.ts:1", "src/b.ts:2"]
    assert found.findings[0][2:] == (17, "export const a: any = 1;")
    text = " (text probe)" if reader == "text" else ""
    assert found.summary == f"3 violation(s), 0 exempted, 0 escaped inline in 2 file(s){text}"
    instead, escape = found.remedy.split("\n")
    assert instead == "the real type, or unknown narrowed at the boundary"
    assert "BAN-OK(BN-01): <reason>" in escape


def test_where_no_file_holds_the_word_both_readers_say_the_same(tmp_path: Path, reader: str) -> None:
    """Nothing had to be read, so there is nothing to say about the reader."""
    repo = ban_repo(tmp_path, {"src/a.ts": "export {};\n", "src/b.ts": "// if any word is prose\n"}, "BN-01")
    told = "0 violation(s), 0 exempted, 0 escaped inline in 2 file(s)"
    assert outcome(repo, "BN-01")[:2] == (Verdict.PASS, told)


@pytest.mark.parametrize(
    ("files", "enabled", "reason"),
    [
        ({"src/a.ts": ANY}, "", "not enabled"),
        ({"lib/a.ts": ANY}, "BN-01", "no matching files: src"),
        ({"src/a.py": "a: any\n"}, "BN-01", "no matching files: src"),
        ({"src/node_modules/x/a.ts": ANY, "src/out/a.ts": ANY}, "BN-01", "no matching files: src"),
        ({"srcs/a.ts": ANY}, "BN-01", "no matching files: src"),
    ],
)
def test_nothing_to_look_at_is_a_skip_with_its_reason(
    tmp_path: Path, files: dict[str, str], enabled: str, reason: str
) -> None:
    """A folder of that name with no source in it is none; built and installed code is nobody's source."""
    repo = ban_repo(tmp_path, files, enabled, config="security:\n  build_output: src/out\n")
    found = outcome(repo, "BN-01")
    assert found.verdict is Verdict.SKIP
    assert reason in found.summary


@pytest.mark.parametrize(
    ("items", "exempted", "told"),
    [
        ("['BN-01 src']", 2, ""),
        ("['BN-01 src/data']", 1, ""),
        ("['BN-01 src/data/a.ts', 'BN-01   src/b.ts']", 2, ""),
        ("['BN-01 src/dat']", 0, "bans_exempt 'BN-01 src/dat': exempts nothing"),
        ("['BN-01 src/']", 0, "bans_exempt 'BN-01 src/': exempts nothing; write it without the slash"),
        ("['BN-01 ./src']", 0, "bans_exempt 'BN-01 ./src': exempts nothing; write it without the ./"),
        ("['BN-02 src']", 0, ""),
        ("['BN-01']", 0, "names no path"),
    ],
)
def test_an_exemption_covers_whole_segments_of_one_ban(
    tmp_path: Path, items: str, exempted: int, told: str
) -> None:
    """One that covers nothing says so, and nothing is dropped in silence."""
    files = {"src/data/a.ts": ANY, "src/b.ts": ANY}
    found = outcome(ban_repo(tmp_path, files, "BN-01", config=f"bans_exempt: {items}\n"), "BN-01")
    assert found.verdict is (Verdict.PASS if exempted == 2 else Verdict.FAIL)
    assert f"{2 - exempted} violation(s), {exempted} exempted" in found.summary
    assert told in found.summary
    assert ("exempts nothing" in found.summary) == ("exempts nothing" in told)


def test_notes_are_no_findings(tmp_path: Path) -> None:
    """A finding without a place could not be waived, and would keep a row red for good."""
    config = "bans_exempt: ['BN-01 nowhere']\n"
    found = outcome(ban_repo(tmp_path, {"src/a.ts": ANY}, "BN-01", config=config), "BN-01")
    assert all(finding.path and finding.line for finding in found.findings)


def test_odd_names_are_told_as_they_are(tmp_path: Path) -> None:
    """Nothing in a name is run, quoted or cut; an entry with U+2028 is one file inside the root."""
    names = ["café.ts", "$(touch PWNED).ts", "`touch PWNED`.ts", ";touch PWNED;.ts", "--output=PWNED.ts"]
    names += ["-e.ts", "a 'quote'.ts", 'a "quote".ts', "a\u2028/etc/passwd.ts", "a\tb.ts", "*.ts", "a:1.ts"]
    repo = ban_repo(tmp_path, {f"src/{name}": ANY for name in names}, "BN-01")
    found = outcome(repo, "BN-01")
    assert sorted(finding.path for finding in found.findings) == sorted(f"src/{name}" for name in names)
    assert list(tmp_path.rglob("PWNED")) == []


def test_bytes_that_are_no_text_are_looked_at_all_the_same(tmp_path: Path) -> None:
    """UTF-16 with a mark, a byte-order mark, and bytes of no encoding; a NUL hides nothing."""
    files = {
        "src/le.ts": ANY.encode("utf-16"),
        "src/be.ts": b"\xfe\xff" + ANY.encode("utf-16-be"),
        "src/mark.ts": b"\xef\xbb\xbf" + ANY.encode(),
        "src/latin.ts": b"// caf\xe9\n" + ANY.encode(),
        "src/nul.ts": b"\0\n" + ANY.encode(),
        "src/crlf.ts": b"// x\r\n" + ANY.replace("\n", "\r\n").encode(),
    }
    found = outcome(ban_repo(tmp_path, files, "BN-01"), "BN-01")
    assert places(found) == [
        "src/be.ts:1",
        "src/crlf.ts:2",
        "src/latin.ts:2",
        "src/le.ts:1",
        "src/mark.ts:1",
        "src/nul.ts:2",
    ]


def test_a_file_that_cannot_be_read_is_no_clean_file(tmp_path: Path) -> None:
    """The row fails and names it, with what was found elsewhere beside it."""
    repo = ban_repo(tmp_path, {"src/a.ts": ANY, "src/big.ts": b" " * (17 << 20)}, "BN-01")
    found = outcome(repo, "BN-01")
    assert found.verdict is Verdict.FAIL
    assert found.summary.startswith("could not run: 1 file(s) not judged; 1 violation(s)")
    assert places(found) == ["src/a.ts:1", "src/big.ts:0"]


def test_links_fifos_and_submodules_are_not_entered(tmp_path: Path) -> None:
    """A link is no file of the source set, wherever it leads; a FIFO under a tracked name is not opened."""
    outside = tmp_path / "outside.ts"
    outside.write_text(ANY)
    repo = ban_repo(
        tmp_path / "repo", {"src/link.ts@": "../../outside.ts", "src/a.ts": "export {};\n"}, "BN-01"
    )
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},src/module.ts")
    assert outcome(repo, "BN-01").verdict is Verdict.PASS
    repo.remove("src/a.ts")
    import os

    os.mkfifo(repo / "src/a.ts")
    assert outcome(repo, "BN-01").verdict is Verdict.SKIP


def test_what_stands_in_the_work_tree_counts(tmp_path: Path) -> None:
    """Uncommitted and untracked files are judged, ignored and deleted ones are not."""
    repo = ban_repo(
        tmp_path, {"src/a.ts": "export {};\n", "src/gone.ts": ANY, ".gitignore": "ignored.ts\n"}, "BN-01"
    )
    repo.write({"src/a.ts": ANY, "src/new.ts": ANY, "src/ignored.ts": ANY}).remove("src/gone.ts")
    found = outcome(repo, "BN-01")
    assert places(found) == ["src/a.ts:1", "src/new.ts:1"]
    assert "in 2 file(s)" in found.summary


def test_a_file_that_is_not_checked_out_is_read_from_the_index(tmp_path: Path) -> None:
    """In a sparse checkout, and where git is told to look away."""
    repo = ban_repo(tmp_path, {"src/hidden.ts": ANY, "src/assumed.ts": ANY}, "BN-01")
    repo.git("update-index", "--skip-worktree", "src/hidden.ts")
    repo.git("update-index", "--assume-unchanged", "src/assumed.ts")
    repo.remove("src/hidden.ts").write({"src/assumed.ts": "export {};\n"})
    assert places(outcome(repo, "BN-01")) == ["src/assumed.ts:1", "src/hidden.ts:1"]


def test_a_tree_without_git_is_walked(tmp_path: Path) -> None:
    """The same files count, less what nobody calls source."""
    files = {"src/a.ts": ANY, "src/node_modules/x/a.ts": ANY, ".goblin/src/a.ts": ANY}
    repo = ban_repo(tmp_path / "with", files, "BN-01")
    (repo / ".git").rename(tmp_path / "git")
    facts = Facts(Run(root=str(repo.root.resolve()), cache=False))
    assert places(outcome(repo, "BN-01", facts)) == ["src/a.ts:1"]


def test_an_unresolved_merge_is_judged_as_it_stands(tmp_path: Path) -> None:
    """A path has three entries in the index then, and counts once."""
    repo = ban_repo(tmp_path, {"src/a.ts": "export const a = 1;\n"}, "BN-01")
    repo.git("switch", "-qc", "other")
    repo.commit("other", {"src/a.ts": "export const a: any = 2;\n"})
    repo.git("switch", "-q", "main")
    repo.commit("main", {"src/a.ts": "export const a = 3;\n"})
    with pytest.raises(AssertionError):
        repo.git("merge", "other")
    found = outcome(repo, "BN-01")
    assert [finding.path for finding in found.findings] == ["src/a.ts"]
    assert "in 1 file(s)" in found.summary


def test_a_file_that_a_tree_does_not_understand_is_searched_as_text_too(tmp_path: Path) -> None:
    """What did not parse is never clean for that."""
    assert astprobe.usable()
    repo = ban_repo(tmp_path, {"src/a.ts": "const = = ( ;\nlet x: any\n"}, "BN-01")
    found = outcome(repo, "BN-01")
    assert "src/a.ts:2" in places(found)
    assert "1 file(s) did not parse as a whole and were searched as text too" in found.summary


def test_an_extra_that_cannot_be_loaded_leaves_the_text_probe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel of another platform is no reason to fail, and none to call a file clean."""
    monkeypatch.setattr(astprobe, "usable", lambda: False)
    found = outcome(ban_repo(tmp_path, {"src/a.ts": ANY}, "BN-01"), "BN-01")
    assert places(found) == ["src/a.ts:1"]
    assert found.summary.endswith("(text probe)")


# --- a project's own bans ------------------------------------------------------------------------


def test_a_projects_pattern_reads_code_alone(tmp_path: Path) -> None:
    """Comments, texts, templates and regular expressions are blanked first; an escape holds."""
    source = """console.log(1);
// console.log(2)
const a = "console.log(3)" + `console.log(4) ${console.log(5)}` + /console.log/;
/* console.log(6)
   console.log(7) */ console.log(8); // BAN-OK(OWN-07): the command line prints
const b = <p title="console.log(9)">console.log(10) {console.log(11)}</p>;
"""
    repo = ban_repo(tmp_path, {"src/a.tsx": source}, "OWN-07", own=(OWN,))
    found = outcome(repo, "OWN-07")
    assert places(found) == ["src/a.tsx:1", "src/a.tsx:3", "src/a.tsx:6"]
    assert "3 violation(s), 0 exempted, 1 escaped inline in 1 file(s) (text probe)" in found.summary


def test_a_projects_pattern_may_be_about_another_language(tmp_path: Path) -> None:
    """A glob that says how names end is taken at its word; a folder means the source set."""
    own = (*OWN[:2], "src/**/*.py", "regex:\\bprint\\( ‖ \\bbreakpoint\\b", *OWN[4:])
    source = (
        'print(1)\n# print(2)\ns = "print(3)"\nbreakpoint\nprint(4)  # BAN-OK(OWN-07): a program prints\n'
    )
    files = {"src/deep/a.py": source, "src/a.ts": "print(1)\n", "src/b.py": "# BAN-OK(OWN-07): x\nprint(1)\n"}
    found = outcome(ban_repo(tmp_path, files, "OWN-07", own=(own,)), "OWN-07")
    assert places(found) == ["src/b.py:2", "src/deep/a.py:1", "src/deep/a.py:4"]
    assert "in 2 file(s)" in found.summary


def test_a_projects_rule_file_forbids_what_it_names(tmp_path: Path) -> None:
    """The same keys as the shipped ones, read from the project's own folder."""
    own = (*OWN[:3], "ast:rules/dates.yml", *OWN[4:])
    rule = "modules: [moment]\ncalls: [new Date, Date.parse]\n"
    files = {
        ".goblin/rules/dates.yml": rule,
        "src/a.ts": 'import m from "moment";\nnew Date();\nDate.parse(x);\nmy.Date.parse(x);\n',
    }
    assert places(outcome(ban_repo(tmp_path, files, "OWN-07", own=(own,)), "OWN-07")) == [
        "src/a.ts:1",
        "src/a.ts:2",
        "src/a.ts:3",
    ]


@pytest.mark.parametrize(
    ("detect", "files", "told"),
    [
        ("ast:rules/none.yml", {}, "could not run: .goblin/rules/none.yml"),
        ("ast:bans/BN-01.yml", {}, "write ast:rules/<name>.yml"),
        ("ast:rules/bad.yml", {".goblin/rules/bad.yml": "calls: [fetch(]\n"}, "is no call"),
        ("ast:rules/bad.yml", {".goblin/rules/bad.yml": "call: [fetch]\n"}, "no such key: call"),
        ("ast:rules/bad.yml", {".goblin/rules/bad.yml": "a: [\n"}, "could not run"),
        ("ast:rules/bad.yml", {".goblin/rules/bad.yml@": "../../../outside"}, "could not run"),
        ("regex:(", {}, "is not valid"),
        ("regex:a*", {}, "matches an empty line"),
        ("regex:(a)\\1", {}, "do not read alike"),
        ("regex:[[:alpha:]]", {}, "do not read alike"),
    ],
)
def test_a_ban_that_cannot_look_fails(tmp_path: Path, detect: str, files: dict[str, str], told: str) -> None:
    """It is never clean, and says what is wrong with it."""
    own = (*OWN[:3], detect, *OWN[4:])
    found = outcome(ban_repo(tmp_path, {"src/a.ts": ANY, **files}, "OWN-07", own=(own,)), "OWN-07")
    assert found.verdict is Verdict.FAIL
    assert told in found.summary


def test_a_pattern_that_never_ends_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository's own pattern cannot hold the run."""
    monkeypatch.setattr("goblin.bans.patience.SECONDS", 0.2)
    own = (*OWN[:3], "regex:(x+x+)+y", *OWN[4:])
    files = {"src/a.ts": "xy\n" + "x" * 60 + "\n"}
    found = outcome(ban_repo(tmp_path, files, "OWN-07", own=(own,)), "OWN-07")
    assert found.verdict is Verdict.FAIL
    assert found.findings[0].message.startswith("a pattern did not end within")


def test_the_verdict_does_not_depend_on_what_else_is_looked_for(tmp_path: Path) -> None:
    """Bans that are looked for together conclude what each concludes alone."""
    files = {"src/a.ts": ANY + "// @ts-ignore\nipcRenderer.sendSync(1);\n", "src/b.ts": ANY}
    repo = ban_repo(tmp_path, files, "BN-01", "BN-02", "BN-09")
    alone = {name: outcome(repo, name) for name in ("BN-01", "BN-02", "BN-09")}
    facts = facts_of(repo, selected=frozenset(alone))
    assert {name: outcome(repo, name, facts) for name in alone} == alone


def test_without_a_commit_files_are_judged(tmp_path: Path) -> None:
    """A repository that was just made is no reason to fail or to skip."""
    repo = ban_repo(tmp_path / "one", {"src/a.ts": ANY}, "BN-01")
    build_repo({}, tmp_path / "two", commit=None)
    (repo / ".git").rename(tmp_path / "old")
    (tmp_path / "two/.git").rename(repo / ".git")
    assert places(outcome(repo, "BN-01")) == ["src/a.ts:1"]
