"""RN: the event log of a run, held against the record, its history and the clock.

The controls in manifest/controls.tsv break a record in each of its ways; here are the states that no
single edit makes: merged branches, clones, clocks, archives, large and hostile logs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from goblin import clock
from goblin.facts.recordfiles import secrets_in
from goblin.loop import events
from goblin.loop.events import Entry
from goblin.outcome import Outcome, Verdict
from tests.checks.judging import judge, said
from tests.loop.driving import KINDS, LOOP, closed, log_of, loop_repo, opened, recorded, written_up
from tests.support import PROJECT, Repo

WHOLE = "checks/runs.py::the_event_log_is_whole"
TURNS = "checks/runs.py::each_row_has_its_event"
FIRST = "checks/runs.py::the_first_run_was_measured"
ENDS = "checks/runs.py::each_run_has_one_end"
SECRETS = "checks/runs.py::no_record_holds_a_secret"
CONTROL = "checks/runs.py::the_control_was_green_first"
ALL = (WHOLE, TURNS, FIRST, ENDS, SECRETS, CONTROL)
TABLE: Mapping[str, str] = {
    ".goblin/manifest/enforcement.tsv": (PROJECT / "manifest/enforcement.tsv").read_text(encoding="utf-8"),
    ".goblin/manifest/events.tsv": (PROJECT / "manifest/events.tsv").read_text(encoding="utf-8"),
}
LOG = f"{LOOP}/events.jsonl"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with an open loop of two turns, committed."""
    made = loop_repo(tmp_path / "repository", TABLE)
    opened(made, control="echo done >> README.md")
    recorded(made, evidence="", run=("echo", "one"))
    recorded(made, check=True, evidence="")
    made.commit("Two turns")
    return made


def finish(repo: Repo) -> None:
    """Write the loop up, close it and commit."""
    written_up(repo)
    closed(repo)
    repo.commit("Closed")


def cut(repo: Repo, lines: int = 1) -> None:
    """Take lines off the end of the log."""
    path = repo / LOG
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-lines]))


def verdicts(repo: Repo) -> dict[str, Outcome]:
    """What each row says."""
    return {cell: judge(repo, cell) for cell in ALL}


def test_a_run_from_its_start_to_the_next_is_green_at_each_step(repo: Repo) -> None:
    """Open, closed, and opened anew; committed or not."""
    for step in (
        lambda: None,
        lambda: recorded(repo),
        lambda: finish(repo),
        lambda: opened(repo),
        repo.commit,
    ):
        step()
        found = verdicts(repo)
        assert not [said(outcome) for outcome in found.values() if outcome.verdict is Verdict.FAIL]
        assert found[WHOLE].verdict is found[FIRST].verdict is found[ENDS].verdict is Verdict.PASS


@pytest.mark.parametrize("cell", ALL)
def test_a_hand_kept_record_is_skipped_with_that_reason(tmp_path: Path, cell: str) -> None:
    """Also after its author worked with it for a while."""
    repo = loop_repo(tmp_path / "repository", TABLE)
    repo.commit(
        "By hand", {f"{LOOP}/predicate": "false\n", f"{LOOP}/first-run": "exit=1 ts=2026-01-01T00:00:00Z\n"}
    )
    outcome = judge(repo, cell)
    assert outcome.verdict is Verdict.SKIP
    assert outcome.summary.startswith(f"kept by hand: there is no {LOG}")


@pytest.mark.parametrize("cell", ALL)
def test_a_record_that_is_no_folder_fails(tmp_path: Path, cell: str) -> None:
    """A file in its place is no record that nobody kept; secrets are searched for all the same."""
    repo = loop_repo(tmp_path / "repository", {**TABLE, LOOP: "x"})
    assert judge(repo, cell).verdict is (Verdict.SKIP if cell == SECRETS else Verdict.FAIL)


# --- RN-01 -----------------------------------------------------------------------------------------


def test_each_committed_version_is_how_the_log_begins(repo: Repo) -> None:
    """The count of compared versions is printed."""
    recorded(repo)
    repo.commit("A third")
    assert "2 committed version(s) compared" in judge(repo, WHOLE).summary


def test_a_tail_that_was_cut_in_a_later_commit_is_missed(repo: Repo) -> None:
    """The chain is whole, and history holds more: the line and the commit are named."""
    held = repo.head
    cut(repo, 2)
    repo.commit("Tidy up")
    told = said(judge(repo, WHOLE))
    lines = len((repo / LOG).read_bytes().splitlines())
    assert (
        f"{LOG}:{lines + 1}: from here on it is not what commit {held[:12]} holds: cut off, or rewritten"
        in told
    )


def test_a_log_that_was_written_anew_is_missed(repo: Repo) -> None:
    """Rechained from the third line on, by somebody who can compute a digest."""
    path = repo / LOG
    log = log_of(repo)
    kept = b"".join(path.read_bytes().splitlines(keepends=True)[:2])
    entries = [
        Entry(event.type, {**event.data, **({"exit": 1} if "exit" in event.data else {})})
        for event in log.events[2:]
    ]
    path.write_bytes(kept + events.compose(events.parse(kept), log.events[0].run, entries, KINDS))
    assert log_of(repo).faults == ()
    assert f"{LOG}:3: from here on" in said(judge(repo, WHOLE))


def test_a_branch_that_was_merged_away_is_a_note(repo: Repo) -> None:
    """Two branches recorded; one was kept. What the other held is shown, and fails nothing for ever."""
    repo.git("checkout", "-q", "-b", "side")
    recorded(repo, why="on the side")
    repo.commit("Side turn")
    repo.git("checkout", "-q", "main")
    recorded(repo, why="on main")
    repo.commit("Main turn")
    repo.git("merge", "-q", "-s", "ours", "-m", "Keep ours", "side")
    outcome = judge(repo, WHOLE)
    assert outcome.verdict is Verdict.PASS, said(outcome)
    assert "(on a branch that was merged)" in said(outcome)


def test_a_merged_loop_branch_is_whole(repo: Repo) -> None:
    """The usual way: the loop runs on a branch, and comes back by a merge commit."""
    repo.git("checkout", "-q", "-b", "loop")
    recorded(repo, why="on the branch")
    repo.commit("Turn")
    repo.git("checkout", "-q", "main")
    repo.commit("Other work", {"other.txt": "x"})
    repo.git("merge", "-q", "-m", "Bring it back", "loop")
    outcome = judge(repo, WHOLE)
    assert (outcome.verdict, outcome.findings) == (Verdict.PASS, ())


def test_a_shallow_clone_compares_what_it_has(repo: Repo, tmp_path: Path) -> None:
    """The last version is there, and holds."""
    repo.git("clone", "-q", "--depth=1", f"file://{repo.root}", str(tmp_path / "clone"))
    assert "1 committed version(s) compared" in judge(Repo(tmp_path / "clone"), WHOLE).summary


def test_without_git_the_chain_alone_is_held(repo: Repo) -> None:
    """An export of the files is judged as far as it goes."""
    (repo / ".git").rename(repo.root.parent / "gone")
    assert "0 committed version(s) compared" in judge(repo, WHOLE).summary


def test_a_deleted_log_is_named_with_its_commit(repo: Repo) -> None:
    """Deleting it does not make a hand-kept record of it."""
    held = repo.head
    (repo / LOG).unlink()
    for message in ("", "Gone"):
        if message:
            repo.commit(message)
        outcome = judge(repo, WHOLE)
        assert f"commit {held[:12]} holds this log, and it is gone" in said(outcome)
        assert outcome.remedy == f"git checkout {held[:12]} -- {LOG}"


def test_a_table_that_is_missing_is_said(repo: Repo) -> None:
    """Without it nobody can tell what an event may hold."""
    (repo / ".goblin/manifest/events.tsv").unlink()
    assert said(judge(repo, WHOLE)).startswith("FAIL\nno manifest/events.tsv")


@pytest.mark.parametrize("name", ["FIFO", "folder", "link out"])
def test_a_log_that_is_no_file_fails_at_once(repo: Repo, name: str) -> None:
    """Nothing is waited for, and nothing outside is read."""
    (repo / LOG).unlink()
    if name == "FIFO":
        os.mkfifo(repo / LOG)
    elif name == "folder":
        (repo / LOG).mkdir()
    else:
        (repo / LOG).symlink_to("/etc/passwd")
    outcome = judge(repo, WHOLE)
    assert outcome.verdict is Verdict.FAIL
    assert "root:" not in said(outcome)


def test_terminal_escapes_in_a_log_are_not_printed(repo: Repo) -> None:
    """A hostile type or key is shown escaped."""
    data = (repo / LOG).read_bytes()
    line = json.loads(data.splitlines()[-1])
    line["type"], line["seq"], line["prev"] = "\x1b[2J", line["seq"] + 1, events.parse(data).events[-1].digest
    (repo / LOG).write_bytes(data + events.canonical(line) + b"\n")
    assert "\x1b" not in said(judge(repo, WHOLE))


# --- RN-02 -----------------------------------------------------------------------------------------


def test_an_archived_turn_is_held_against_its_run(repo: Repo) -> None:
    """What was closed long ago cannot be rewritten either."""
    finish(repo)
    opened(repo)
    recorded(repo)
    (archive,) = (repo / LOOP).glob("closed-*")
    table = archive / "decisions.tsv"
    assert "3 turn(s)" in judge(repo, TURNS).summary
    table.write_text(table.read_text().replace("predicate:red", "predicate:green", 1))
    told = said(judge(repo, TURNS))
    assert f"{LOOP}/{archive.name}/decisions.tsv:2: differs from line" in told
    assert "in result" in told


def test_rows_of_one_run_do_not_count_for_another(repo: Repo) -> None:
    """The archived table put back over the live one."""
    finish(repo)
    opened(repo)
    (archive,) = (repo / LOOP).glob("closed-*")
    (repo / f"{LOOP}/decisions.tsv").write_bytes((archive / "decisions.tsv").read_bytes())
    assert "added by hand" in said(judge(repo, TURNS))


# --- RN-03 and RN-09 -------------------------------------------------------------------------------


def test_a_run_after_the_first_turn_is_no_first_run(repo: Repo) -> None:
    """Only what was measured before counts: here the log's first run is gone, and a later one is left."""
    path = repo / LOG
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b'"span":null,"type":"predicate_ran"' not in line))
    assert "no predicate_ran event stands before the first turn" in said(judge(repo, FIRST))


def test_an_output_that_is_a_link_is_no_output(repo: Repo) -> None:
    """Its bytes may stand anywhere."""
    (name,) = {event.text("out") for event in log_of(repo).events if event.type == "control_ran"}
    path = repo / f"{LOOP}/out/{name}.txt"
    path.rename(repo.root.parent / "outside")
    path.symlink_to(repo.root.parent / "outside")
    assert "a symbolic link" in said(judge(repo, CONTROL))


def test_a_control_names_the_digest_of_its_output(repo: Repo) -> None:
    """Another digest is another run."""
    path = repo / f"{LOOP}/control"
    path.write_text(path.read_text().rsplit("=", 1)[0] + "=" + "0" * 64 + "\n")
    assert "its sha256 is not that of line 2 of the log" in said(judge(repo, CONTROL))


# --- RN-05 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hours", "verdict"), [(23, Verdict.PASS), (25, Verdict.FAIL)])
def test_an_open_run_may_be_silent_for_a_day(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, hours: int, verdict: Verdict
) -> None:
    """After that nothing works on it any more, and it is to be closed."""
    now = clock.now() + timedelta(hours=hours)
    monkeypatch.setattr(clock, "now", lambda: now)
    assert judge(repo, ENDS).verdict is verdict


def test_a_closed_run_may_be_old(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has its end."""
    finish(repo)
    now = clock.now() + timedelta(days=400)
    monkeypatch.setattr(clock, "now", lambda: now)
    assert judge(repo, ENDS).verdict is Verdict.PASS


def test_a_close_that_was_cut_off_is_missed(repo: Repo) -> None:
    """The archive stands there, and no line of the log speaks of it."""
    finish(repo)
    cut(repo)
    told = said(judge(repo, ENDS))
    assert "no run_closed event names it: the end of the log was cut off" in told


def test_an_archive_from_before_the_log_needs_no_line(tmp_path: Path) -> None:
    """A loop that was kept and closed by hand, before goblin-loop was used."""
    repo = loop_repo(tmp_path / "repository", TABLE)
    opened(repo)
    (repo / LOG).unlink()
    closed(repo)
    opened(repo)
    assert judge(repo, ENDS).verdict is Verdict.PASS


GREEN = Entry("run_closed", {"outcome": "green"})
ELSEWHERE = Entry("run_closed", {"outcome": "green", "archive": "../../etc"})
OPENED = Entry("run_opened", {"predicate": "0" * 64, "command": "x", "budget": {}, "lanes": {}, "base": ""})


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([GREEN, Entry("note", {"text": "x"})], ""),
        ([GREEN, Entry("resumed", {})], "resumed after the run was closed"),
        ([GREEN, GREEN], "closed a second time"),
        ([OPENED], "opened a second time"),
        ([ELSEWHERE], "its archive ../../etc is not there"),
    ],
    ids=["a note after the end", "life after the end", "two ends", "two beginnings", "an archive elsewhere"],
)
def test_the_shape_of_a_run(repo: Repo, entries: list[Entry], told: str) -> None:
    """One beginning, one end, and after it notes alone."""
    log = log_of(repo)
    with (repo / LOG).open("ab") as stream:
        stream.write(events.compose(log, log.events[0].run, entries, KINDS))
    outcome = judge(repo, ENDS)
    assert told in said(outcome)
    assert (outcome.verdict is Verdict.PASS) is (told == "")


def test_a_run_that_was_never_closed_is_named_when_another_began(repo: Repo) -> None:
    """And so is one whose events come back after another run."""
    log = log_of(repo)
    opening = Entry(
        "run_opened", {"predicate": "0" * 64, "command": "x", "budget": {}, "lanes": {}, "base": ""}
    )
    data = log.data + events.compose(log, "run_20300101T000000Z-00000000", [opening], KINDS)
    data += events.compose(events.parse(data), log.events[0].run, [Entry("note", {"text": "back"})], KINDS)
    (repo / LOG).write_bytes(data)
    told = said(judge(repo, ENDS))
    assert "belongs to a run that another one followed" in told
    assert "the run was never closed, and another began" in told


# --- RN-07 -----------------------------------------------------------------------------------------

KEYS = {
    "private key": "-----BEGIN OPENSSH " + "PRIVATE KEY-----",
    "cloud access key": "ASIA" + "Z" * 16,
    "forge token": "gho_" + "a" * 36,
    "forge fine-grained token": "github_pat_" + "a" * 82,
    "forge access token": "glpat-" + "a" * 20,
    "chat token": "xoxb-" + "1" * 12,
    "payment key": "sk_live_" + "a" * 24,
    "web API key": "AIza" + "a" * 35,
    "package registry token": "npm_" + "a" * 36,
    "package index token": "pypi-AgEI" + "a" * 20,
    "model provider key": "sk-ant-" + "a" * 20,
}


@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be"])
def test_a_secret_is_found_by_place_and_kind(repo: Repo, kind: str, encoding: str) -> None:
    """Whatever its encoding, and the value is never shown."""
    data = f"one\ntwo: {KEYS[kind]}\n".encode(encoding)
    (repo / f"{LOOP}/out/note.txt").write_bytes(data)
    told = said(judge(repo, SECRETS))
    assert f"{LOOP}/out/note.txt:2: {kind}" in told
    assert KEYS[kind] not in told


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (".goblin/work/a/contract.json", True),
        (".goblin/waivers.tsv", True),
        (".goblin/loop/closed-2026-01-01/notes", True),
        (".goblin/engine/goblin/x.py", False),
        (".goblin/manifest/x.tsv", False),
        (".goblin/rules/x.tsv", False),
        ("src/x.py", False),
    ],
)
def test_records_are_searched_and_programs_are_not(repo: Repo, path: str, found: bool) -> None:
    """SC-10 is about everything that git tracks; this row is about what a run leaves."""
    repo.write({path: KEYS["forge token"] + "\n"})
    assert (judge(repo, SECRETS).verdict is Verdict.FAIL) is found


def test_what_cannot_be_searched_is_no_pass(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is too large is named; links and FIFOs are not entered."""
    monkeypatch.setattr("goblin.facts.recordfiles.LIMIT", 1000)
    repo.write({f"{LOOP}/out/large.txt": "x" * 2000, f"{LOOP}/link@": "/etc/passwd"})
    os.mkfifo(repo / f"{LOOP}/fifo")
    told = said(judge(repo, SECRETS))
    assert f"{LOOP}/out/large.txt: not searched: 2000 bytes" in told
    assert "link" not in told
    assert "fifo" not in told


def test_a_sample_key_is_none() -> None:
    """The documented ones end in a word that says so."""
    assert list(secrets_in(b"AKIA" + b"0" * 9 + b"EXAMPLE")) == []
