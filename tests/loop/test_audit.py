"""The model of the morning audit: what a run came to, worst first, whatever its record holds."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from goblin.loop import audit as auditing
from goblin.loop.audit import Audit, Check, Lane, audit, refused, worst_first
from goblin.loop.parts import Part
from goblin.redact import clean
from tests.support import PROJECT, Repo, build_repo, hermetic
from tests.support.loops import (
    LOOP,
    OUTPUT,
    PREDICATE,
    STUCK,
    digest,
    green_run,
    loop_repo,
    red_run,
    row,
)


def audited(repo: Repo, **options: object) -> Audit:
    """The audit of a repository that holds a record."""
    found = audit(str(repo.root), **options)  # type: ignore[arg-type]
    assert found is not None
    return found


def part(found: Audit, name: str) -> Part:
    """One part of the record."""
    (one,) = [one for one in found.parts if one.name == name]
    return one


def test_no_record_is_no_audit(tmp_path: Path) -> None:
    """There is nothing to show, which is not the same as a run that came to nothing."""
    assert audit(str(build_repo({"a": "1"}, tmp_path).root)) is None


def test_a_red_run_shows_what_did_not_reach_the_goal_then_the_last_five(tmp_path: Path) -> None:
    """In the order of the file, with log rows left out of the first and kept in the second."""
    found = audited(red_run(tmp_path))
    assert found.state == "short"
    assert found.attention == (3, 4, 5, 6, 7, 8, 9, 10, 11)
    assert found.last == (7, 8, 9, 10, 11)
    assert found.counts.turns == 9
    assert dict(found.counts.kinds) == {"stuck": 1, "parked": 1, "red": 7, "log": 1}
    assert not found.reached


def test_a_red_run_says_where_it_stood_still(tmp_path: Path) -> None:
    """Equal pointers are equal however they are written, and a pause of hours is named."""
    found = audited(red_run(tmp_path))
    assert found.streaks[0].lines == (6, 7, 8, 9)
    assert [(gap.line, gap.seconds) for gap in found.gaps] == [(6, 4 * 3600 + 7 * 60)]
    assert [one.repeat for one in found.rows] == [0, 0, 0, 0, 0, 2, 3, 4, 0, 0]
    assert part(found, "progress").state == "wrong"


def test_evidence_is_readable_in_its_row(tmp_path: Path) -> None:
    """A subject, an output, and the reason of what is lost."""
    rows = {one.line: one for one in audited(red_run(tmp_path)).rows}
    commit, output = rows[3].evidence
    assert commit.title == "Parse the nested case"
    assert output.excerpt[-1].startswith("FAILED")
    assert not rows[10].sound
    assert [one.resolved for one in rows[10].evidence] == [False, False]
    assert part(audited(Repo(tmp_path)), "decisions").text.endswith("on line 10")


def test_a_green_run_reached_its_goal(tmp_path: Path) -> None:
    """Only where nothing speaks against it."""
    found = audited(green_run(tmp_path))
    assert (found.state, found.headline, found.reasons) == ("reached", "Reached its goal", ())
    assert {one.state for one in found.parts} <= {"ok", "absent"}
    assert found.reached


GREEN_ROW = row("00:31", "predicate:green", "file:README.md", "done", "verdict:done")


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ({"predicate__sha256": "0" * 64 + "\n"}, "pin"),
        ({"predicate__sha256": None}, "pin"),
        ({"predicate": None}, "pin"),
        ({"first_run": None}, "first-run"),
        ({"first_run": "exit=0 ts=2026-09-25T00:00:00Z\n"}, "first-run"),
        ({"first_run": "exit=127 ts=2026-09-25T00:00:00Z\n"}, "first-run"),
        ({"first_run": "exit=1 ts=2026-09-25T03:00:00Z\n"}, "first-run"),
        ({"first_run": "nonsense\n"}, "first-run"),
        ({"budget": "0\n"}, "budget"),
        ({"budget": None}, "budget"),
        ({"control": "exit=1 ts=2026-09-25T00:01:00Z\n"}, "control"),
        ({"surface__sha256": f"{'1' * 64}  README.md\n"}, "surface"),
        ({"closed-2026-09-24/predicate": "true\n"}, "pin"),
        ({"events__jsonl": "{}\n"}, "events"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_green_on_a_record_that_does_not_hold_is_not_reached(
    tmp_path: Path, parts: dict[str, str | None], name: str
) -> None:
    """A green row proves nothing where the bar was moved, never red, or nowhere declared."""
    found = audited(loop_repo(tmp_path, [GREEN_ROW], None, **parts))
    assert found.state == "unproven"
    assert part(found, name).state == "wrong"
    assert any(reason.startswith(part(found, name).title) for reason in found.reasons)


@pytest.mark.parametrize("evidence", ["", "cmd:make test", "file:gone.txt", "it works", "sha:" + "0" * 40])
def test_green_without_evidence_that_resolves_is_not_proven(tmp_path: Path, evidence: str) -> None:
    """It is shown among the rows that did not reach the goal."""
    rows = [row("00:31", "predicate:green", evidence, "done", "verdict:done")]
    found = audited(loop_repo(tmp_path, rows))
    assert (found.state, found.rows[0].kind, found.attention) == ("unproven", "unproven", (2,))


def test_a_failing_rule_keeps_a_green_run_from_being_reached(tmp_path: Path) -> None:
    """Whatever the audit sees itself, the rows of the matrix have the last word."""
    failing = Check("LP-02", "FAIL", ("the pin was replaced", "predicate.sha256:1: by another"), "mend it")
    passing = Check("LP-01", "PASS", ("fine",), "")
    found = audited(green_run(tmp_path), checks=[passing, failing])
    assert found.state == "unproven"
    assert found.headline == "Ends green, but one rule of its record does not hold"
    assert found.reasons == ("LP-02: the pin was replaced",)
    assert audited(Repo(tmp_path), checks=[passing]).reached


def test_only_the_last_verdict_decides(tmp_path: Path) -> None:
    """A green row in the middle is no end; a log row after the end changes nothing."""
    rows = [
        row("00:10", "predicate:green", why="for a moment"),
        row("00:20"),
    ]
    assert audited(loop_repo(tmp_path / "a", rows, stuck__md=STUCK)).state == "short"
    rows = [GREEN_ROW, row("00:40", "predicate:red", "", "closing", "note")]
    assert audited(loop_repo(tmp_path / "b", rows)).state == "reached"


def test_a_record_without_a_turn_has_only_started(tmp_path: Path) -> None:
    """Nothing was reached and nothing was missed."""
    found = audited(loop_repo(tmp_path, []))
    assert (found.state, found.counts.rows, found.timeline) == ("started", 0, ())


@pytest.mark.parametrize("kind", ["file", "link", "not the header", "no decisions"])
def test_a_record_that_cannot_be_read_says_so(tmp_path: Path, kind: str) -> None:
    """It is the worst state: nobody knows what happened."""
    repo = loop_repo(tmp_path / "repo", [GREEN_ROW])
    if kind in ("file", "link"):
        os.rename(repo / ".goblin/loop", tmp_path / "elsewhere")
        link = {".goblin/loop@": str(tmp_path / "elsewhere")}
        repo.write({".goblin/loop": "text"} if kind == "file" else link)
    elif kind == "not the header":
        repo.write({LOOP + "decisions.tsv": "when what\n"})
    else:
        repo.remove(LOOP + "decisions.tsv")
    found = audited(repo)
    assert found.state == ("started" if kind == "no decisions" else "unreadable")
    assert found.reasons


def test_rows_that_cannot_be_read_are_shown_among_the_worst(tmp_path: Path) -> None:
    """A short row, a bad time, a byte that is not UTF-8: each is a turn that somebody spent."""
    rows = ["2026-09-25T00:10:00Z\tcheck\tverdict:done", row("yesterday"), row("00:30", why="caf\udcff")]
    found = audited(loop_repo(tmp_path, [*rows, GREEN_ROW]))
    assert [one.line for one in found.rows if one.faults] == [2, 3, 4]
    assert found.rows[0].kind == "unreadable"
    assert found.rows[1].at == ""
    assert found.state == "unproven"


def test_hostile_cells_are_text(tmp_path: Path) -> None:
    """No control, no bidirectional mark and no credential of a record is in any field of an audit."""
    token = "ghp_" + "a" * 36
    evil = f"\x1b[2J\u202e<b>{token}\x07"
    rows = [row("00:10", evil, f"file:{evil}", evil, f"verdict:{evil}", evil)]
    found = audited(loop_repo(tmp_path, rows, stuck__md=evil + "\n" + STUCK, predicate=f"echo '{evil}'\n"))
    told = list(texts(found))
    assert any("<b><forge token hidden>" in text for text in told)
    assert [text for text in told if token in text] == []
    assert [text for text in told if clean(text) != text] == []


def texts(value: object) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from texts(item)


def test_lanes_come_from_the_log_before_the_roles(tmp_path: Path) -> None:
    """What ran is better known to the run than to the repository."""
    declared = [Lane("author", ("coder",), "roles"), Lane("judge", ("judge",), "roles")]
    found = audited(green_run(tmp_path), lanes=declared)
    assert found.lanes == tuple(declared)


def test_the_write_up_is_shown_and_counted(tmp_path: Path) -> None:
    """Its first lines, blank ones left out."""
    long = STUCK + "".join(f"and {n}\n\n" for n in range(60))
    found = audited(loop_repo(tmp_path, [row("00:10", "stuck")], stuck__md=long))
    assert len(found.write_up) == 40
    assert found.write_up_lines == 64
    assert found.write_up[1] == f"The predicate `{PREDICATE.splitlines()[1]}` stays red."
    assert part(found, "write-up").state == "ok"


@pytest.mark.parametrize("text", [None, "", "# Stuck\n", "It did not work.\nAgain.\nAnd again.\n"])
def test_a_run_that_ended_red_without_a_word_is_wrong_in_that_too(tmp_path: Path, text: str | None) -> None:
    """No file, an empty one, one without a line that counts, one that names no predicate."""
    found = audited(loop_repo(tmp_path, [row("00:10", "stuck")], stuck__md=text))
    assert part(found, "write-up").state == "wrong"


def test_only_the_worst_rows_are_shown_of_many(tmp_path: Path) -> None:
    """The rest is counted; the last five are always there."""
    rows = [row(f"00:{n:02}", evidence=f"file:src/app.py, sha256:{digest(OUTPUT)}") for n in range(40)]
    rows[7] = row("00:07", "stuck")
    found = audited(loop_repo(tmp_path, rows, stuck__md=STUCK), most=3)
    assert found.attention == (2, 3, 9)
    assert found.left_out == 37
    assert [one.line for one in found.rows] == [2, 3, 9, 37, 38, 39, 40, 41]
    assert audited(Repo(tmp_path), most=0).left_out == 0


def test_many_audits_are_read_worst_first(tmp_path: Path) -> None:
    """By state, then by failing rules, then by rows that did not reach the goal."""
    green, red = audited(green_run(tmp_path / "green")), audited(red_run(tmp_path / "red"))
    broken = refused("/elsewhere", ".goblin is a symbolic link")
    failing = red._replace(checks=(Check("LP-04", "FAIL", (), ""),))
    more = red._replace(counts=red.counts._replace(away=99))
    assert worst_first([green, red, more, broken, failing]) == [broken, failing, more, red, green]


def test_every_state_has_a_place_in_the_order(tmp_path: Path) -> None:
    """Nothing that can come out of an audit is missing from it."""
    assert auditing.STATES == ("unreadable", "unproven", "short", "running", "started", "reached")


def test_a_repository_without_git_is_audited(tmp_path: Path) -> None:
    """Its evidence does not resolve, and the reason is said."""
    repo = green_run(tmp_path / "made")
    os.rename(repo / ".git", tmp_path / "git")
    found = audited(repo)
    assert found.state == "unproven"
    assert "no git repository" in found.rows[0].evidence[0].reason


def test_an_unborn_head_is_audited(tmp_path: Path) -> None:
    """Files that are staged resolve; there is no commit to name."""
    repo = green_run(tmp_path / "made")
    os.rename(repo / ".git", tmp_path / "git")
    repo.git("init", "--quiet")
    repo.git("add", "--all")
    found = audited(repo)
    assert found.rows[-1].evidence[0].state == "not committed yet, 9 bytes"


LARGE = """
import resource, sys
sys.path[:0] = [sys.argv[2]]
from goblin.loop.audit import audit
from goblin.report.audit_html import render
from goblin.report.audit_words import Set
found = audit(sys.argv[1])
page = render(Set((found,)))
memory = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:")][0]
print(found.counts.rows, len(found.rows), len(page), memory)
"""


def test_a_hundred_thousand_rows_stay_small(tmp_path: Path) -> None:
    """Memory below 200 MB, a page of bounded size, every row counted; benchmarks judge the time."""
    start = datetime(2026, 9, 1, tzinfo=UTC)
    times = (start + timedelta(seconds=20 * n) for n in range(100_000))
    rows = [row(f"{at:%Y-%m-%dT%H:%M:%SZ}", why=f"turn {n}") for n, at in enumerate(times)]
    repo = loop_repo(tmp_path, rows, stuck__md=STUCK)
    done = subprocess.run(
        [sys.executable, "-I", "-c", LARGE, repo.root, PROJECT / "src"],
        env=hermetic(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counted, shown, size, memory = map(int, done.stdout.split())
    assert counted == 100_000
    assert shown <= 205
    assert size < 1 << 20
    assert memory < 200 << 10  # kilobytes


def test_a_cell_of_ten_megabytes_is_cut(tmp_path: Path) -> None:
    """In every column, and in the write-up and the predicate."""
    huge = "x" * (10 << 20)
    rows = [row("00:10", huge, f"file:{huge}", huge, f"verdict:{huge}", huge)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = audited(loop_repo(tmp_path, rows, stuck__md=huge))
    assert len(repr(found)) < 20_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20


@pytest.mark.parametrize("line", [b"\n", b"\t\n", b"x\n"])
def test_a_file_of_line_ends_is_not_read_to_its_end(tmp_path: Path, line: bytes) -> None:
    """Sixty megabytes of nothing cost a bounded time, and the audit says that it did not see them all."""
    repo = loop_repo(tmp_path, [GREEN_ROW])
    with open(repo / (LOOP + "decisions.tsv"), "ab") as stream:
        stream.write(line * ((60 << 20) // len(line)))
    found = audited(repo)
    assert found.counts.rows < 250_000
    assert "more than 250,000 lines" in repr(part(found, "decisions"))
    assert not found.reached
