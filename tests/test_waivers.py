"""Waivers and the baseline: what they cover, what they never cover, and how long."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goblin import baseline, check, clock, engine
from goblin.outcome import CannotRun, Finding, Verdict, failed
from goblin.paths import Tree
from goblin.waivers import BASELINE, WAIVERS, Fingerprints, read
from tests.support import Repo, run_cli
from tests.support.mini import facts_of, mini_home, mini_repo, row

__all__ = ["mini_home"]

CHECKS = '''
from goblin.outcome import Finding, failed, passed


def no_todo(tree):
    """No line says TODO."""
    found = [
        Finding(name, number, 0, "a TODO")
        for name in tree.names("src")
        for name in [f"src/{name}"]
        for number, line in enumerate(tree.text(name).split("\\n"), start=1)
        if "TODO" in line
    ]
    return failed(f"{len(found)} TODO(s)", found) if found else passed("none")


def placeless(tree):
    return failed("bad", [Finding("", message="somewhere")])
'''
HEADER = "row\tpath\tfingerprint\treason\towner\tuntil\n"


@pytest.fixture
def repo(tmp_path: Path, mini_home: Path) -> Repo:
    """Two lint rows and a gate row over one source file with three TODOs, two of them alike."""
    (mini_home / "checks" / "todo.py").write_text(CHECKS)
    rows = [
        row("ZZ-01", "checks/todo.py::no_todo", enforced_by="lint"),
        row("ZZ-02", "checks/todo.py::no_todo", enforced_by="gate"),
        row("ZZ-03", "checks/todo.py::placeless", enforced_by="lint"),
    ]
    return mini_repo(tmp_path / "r", rows, {"src/a.py": "x = 1  # TODO one\n# TODO\ny = 2\n#   TODO\n"})


def prints(repo: Repo) -> list[str]:
    """The fingerprints of the three findings."""
    findings = [Finding("src/a.py", number) for number in (1, 2, 4)]
    return Fingerprints(Tree(str(repo.root))).of("ZZ-01", findings)


def waive(repo: Repo, *names: str, row_id: str = "ZZ-01", until: int = 1) -> None:
    """Waive findings until some days from today."""
    end = clock.today().toordinal() + until
    day = type(clock.today()).fromordinal(end)
    lines = [f"{row_id}\tsrc/a.py\t{name}\tlater\tme\t{day}\n" for name in names]
    repo.write({WAIVERS: HEADER + "".join(lines)})


def judged(repo: Repo, row_id: str = "ZZ-01") -> engine.Result:
    """One row's result."""
    return engine.judge(facts_of(repo), [row_id]).results[0]


def test_equal_lines_have_names_of_their_own_and_keep_them_when_they_move(repo: Repo) -> None:
    """White space does not count, the order among equal lines does, the line number does not."""
    before = prints(repo)
    assert len(set(before)) == 3
    repo.write({"src/a.py": "\n\n" + repo.read("src/a.py").replace("#   TODO", "\t# TODO  ")})
    findings = [Finding("src/a.py", number) for number in (3, 4, 6)]
    assert Fingerprints(Tree(str(repo.root))).of("ZZ-01", findings) == before


def test_a_row_passes_when_all_is_waived_and_says_how_many(repo: Repo) -> None:
    """What is left fails it; what is waived is counted and kept for the formats."""
    names = prints(repo)
    waive(repo, *names[:2])
    result = judged(repo)
    assert result.outcome.verdict is Verdict.FAIL
    assert result.outcome.summary == "3 TODO(s) (2 waived)"
    assert [finding.line for finding in result.outcome.findings] == [4]
    waive(repo, *names)
    result = judged(repo)
    assert (result.outcome.verdict, result.outcome.summary) == (
        Verdict.PASS,
        "every finding is waived (3 waived)",
    )
    assert len(result.waived) == 3


def test_a_lint_row_that_fails_says_where_a_finding_may_go(repo: Repo) -> None:
    """To the waivers, or all of them to the baseline, which takes no more once it holds some."""
    ways = "or own it until a date: goblin-verify --write-waivers ZZ-01"
    assert judged(repo).outcome.remedy.endswith(
        f"{ways}, or record what is there: goblin-verify --write-baseline ZZ-01"
    )
    baseline.write(facts_of(repo), ["ZZ-01"])
    assert ways not in judged(repo).outcome.remedy
    repo.write({"src/b.py": "# TODO new\n"})
    assert judged(repo).outcome.remedy.endswith(ways)
    assert "--write-waivers" not in judged(repo, "ZZ-02").outcome.remedy
    assert "--write-waivers" not in judged(repo, "ZZ-03").outcome.remedy


def test_a_waiver_that_is_opened_has_force_once_somebody_owns_it(repo: Repo) -> None:
    """A line for each finding that none covers yet, below those that are there; a second time adds none."""
    waive(repo, prints(repo)[0])
    opened = baseline.open_waivers(facts_of(repo), ["ZZ-01"])
    assert [line.line for line in opened] == [3, 4]
    assert {line.fingerprint for line in opened} == set(prints(repo)[1:])
    assert judged(repo).outcome.summary == "3 TODO(s) (1 waived)"
    assert baseline.open_waivers(facts_of(repo), ["ZZ-01"]) == []
    repo.write({WAIVERS: repo.read(WAIVERS).replace("\t\t\t", "\tlater\tme\t")})
    assert judged(repo).outcome.summary == "every finding is waived (3 waived)"


def test_a_waiver_is_opened_where_there_is_no_file_yet(repo: Repo) -> None:
    """With its header; a row that takes none is refused, and so is a file that is broken."""
    assert len(baseline.open_waivers(facts_of(repo), ["ZZ-01"])) == 3
    assert repo.read(WAIVERS).startswith(HEADER)
    with pytest.raises(CannotRun, match="only lint rows take a waiver"):
        baseline.open_waivers(facts_of(repo), ["ZZ-02"])
    repo.write({WAIVERS: "row\tpath\n"})
    with pytest.raises(CannotRun, match="the header must be"):
        baseline.open_waivers(facts_of(repo), ["ZZ-01"])


def test_a_changed_line_is_no_longer_waived(repo: Repo) -> None:
    """The waiver belongs to the line as it was."""
    waive(repo, *prints(repo))
    repo.write({"src/a.py": repo.read("src/a.py").replace("one", "two")})
    assert judged(repo).outcome.verdict is Verdict.FAIL


def test_an_ended_waiver_covers_nothing(repo: Repo) -> None:
    """Its day is the last; after it the finding is back."""
    waive(repo, *prints(repo), until=0)
    assert judged(repo).outcome.verdict is Verdict.PASS
    waive(repo, *prints(repo), until=-1)
    assert judged(repo).outcome.verdict is Verdict.FAIL


def test_only_lint_rows_with_a_place_can_be_waived(repo: Repo) -> None:
    """A gate row stays red, and so does a finding that names no place."""
    waive(repo, *prints(repo), row_id="ZZ-02")
    assert judged(repo, "ZZ-02").outcome.verdict is Verdict.FAIL
    waive(repo, "", row_id="ZZ-03")
    assert judged(repo, "ZZ-03").outcome.verdict is Verdict.FAIL


@pytest.mark.parametrize(("days", "named"), [(0, True), (14, True), (15, False)])
def test_a_waiver_is_named_two_weeks_before_it_ends(repo: Repo, days: int, named: bool) -> None:
    """With its line and its owner; a later one is not, and the baseline has no end."""
    waive(repo, prints(repo)[0], until=days)
    repo.write({BASELINE: f"row\tpath\tfingerprint\nZZ-01\tsrc/a.py\t{prints(repo)[1]}\n"})
    told = read(Tree(str(repo.root))).ending()
    assert [(one.place(), one.message.partition("; ")[2]) for one in told] == (
        [(f"{WAIVERS}:2", "me owns it")] if named else []
    )


def test_a_baseline_records_shrinks_and_refuses_to_grow(repo: Repo) -> None:
    """Today's findings are recorded once; afterwards only mending changes the file."""
    done = baseline.write(facts_of(repo), ["ZZ-01"])
    assert (done.recorded, done.dropped, done.refused) == (3, 0, ())
    assert judged(repo).outcome.verdict is Verdict.PASS
    repo.write({"src/a.py": repo.read("src/a.py").replace("# TODO\n", "#\n", 1)})
    done = baseline.write(facts_of(repo), ["ZZ-01"])
    assert (done.recorded, done.dropped) == (2, 1)
    before = repo.read(BASELINE)
    repo.write({"src/b.py": "# TODO new\n"})
    done = baseline.write(facts_of(repo), ["ZZ-01"])
    assert [(name, finding.place()) for name, finding in done.refused] == [("ZZ-01", "src/b.py:1")]
    assert repo.read(BASELINE) == before
    assert judged(repo).outcome.verdict is Verdict.FAIL
    repo.write({"src/a.py": "y = 2\n"})  # what is mended goes, whatever is new
    done = baseline.write(facts_of(repo), ["ZZ-01"])
    assert (done.recorded, done.dropped, len(done.refused)) == (0, 2, 1)


def test_a_row_that_takes_none_has_no_baseline(repo: Repo) -> None:
    """Only lint rows do; the command says so."""
    with pytest.raises(CannotRun, match="ZZ-02: only lint rows"):
        baseline.write(facts_of(repo), ["ZZ-02"])


def test_a_waivers_file_that_cannot_be_read_waives_nothing(repo: Repo, tmp_path: Path) -> None:
    """A link out of the tree is not followed, and the row stays red."""
    names = prints(repo)
    waive(repo, *names)
    (repo.root / WAIVERS).rename(tmp_path / "elsewhere.tsv")
    (repo.root / WAIVERS).symlink_to(tmp_path / "elsewhere.tsv")
    assert judged(repo).outcome.verdict is Verdict.FAIL


def test_the_command_line(sample: Repo) -> None:
    """A legacy repository adopts a lint row: recorded, green, and a new finding is refused with its place."""
    home = "/".join(["", "home", "someone", "notes"])
    sample.write({".goblin/rules/own.md": f"see {home}\n"})
    assert run_cli("goblin-verify", "--only", "PT-01", cwd=sample).code == 1
    done = run_cli("goblin-verify", "--write-baseline", "PT-01", cwd=sample)
    assert (done.code, done.out) == (0, "1 finding(s) in the baseline for PT-01, 0 dropped\n"), done.err
    sample.commit("Adopt")
    done = run_cli("goblin-verify", "--only", "PT-01,WV-01", "--json", cwd=sample)
    report = json.loads(done.out)
    assert [(r["id"], r["status"], len(r["waived"])) for r in report["rows"]] == [
        ("PT-01", "PASS", 1),
        ("WV-01", "PASS", 0),
    ]
    sample.write({".goblin/rules/own.md": f"see {home}\nand {home}\n"})
    done = run_cli("goblin-verify", "--write-baseline", "PT-01", cwd=sample)
    assert done.code == 1
    assert ".goblin/rules/own.md:2" in done.err
    assert "remedy: mend them, or own them until a date: goblin-verify --write-waivers PT-01" in done.err
    done = run_cli("goblin-verify", "--write-waivers", "PT-01", cwd=sample)
    assert ".goblin/waivers.tsv:2: PT-01 .goblin/rules/own.md, until " in done.out
    assert "1 line(s) opened" in done.out
    assert run_cli("goblin-verify", "--write-baseline", "IN-02", cwd=sample).code == 2


def test_a_failure_that_names_nothing_is_not_recorded(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """There would be nothing to hold it to."""
    monkeypatch.setattr(check, "run", lambda row, facts: failed("no place"))
    with pytest.raises(CannotRun, match="fails without naming a place"):
        baseline.write(facts_of(repo), ["ZZ-01"])
