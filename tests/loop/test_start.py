"""Opening a loop: measured first, written whole, and refused with nothing written."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from goblin.loop import state
from goblin.loop.refusal import Refused
from goblin.loop.start import MOST_PINNED, start
from goblin.loop.writer import Writer
from goblin.outcome import Verdict
from tests.checks.judging import judge
from tests.loop.driving import (
    CONFIG,
    KINDS,
    LOOP,
    PREDICATE,
    closed,
    log_of,
    loop_repo,
    opened,
    place,
    plan,
    record_of,
    recorded,
    written_up,
)
from tests.support import Repo, build_repo

TOKEN = "ghp_" + "0" * 36  # put together here: no file of this project holds a whole one
HEADER = "ts\tphase\tdecision\twhy\tevidence\tresult\n"
SURFACE = "checks/loop.py::the_pinned_surface_is_unchanged"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository in which no loop has run."""
    return loop_repo(tmp_path / "repository", {"scripts/check.sh": "#!/bin/sh\ngrep -q done README.md\n"})


def refused(repo: Repo, **members: object) -> str:
    """Why a loop may not be opened; nothing is written for it."""
    before = sorted(str(path) for path in (repo / ".goblin").rglob("*"))
    with pytest.raises(Refused) as found:
        opened(repo, **members)
    assert sorted(str(path) for path in (repo / ".goblin").rglob("*")) == before
    assert repo.git("status", "--porcelain", "--ignored") == ""
    assert found.value.remedy
    return found.value.message


# --- what is written -------------------------------------------------------------------------------


def test_the_record_of_an_open_loop(repo: Repo) -> None:
    """Each file of the spec, in its grammar, and the log beside them."""
    started = opened(repo, author="coder", judge="referee")
    record, log = record_of(repo), log_of(repo)
    assert sorted(path.name for path in (repo / LOOP).iterdir()) == [
        "budget", "decisions.tsv", "events.jsonl", "first-run", "out", "predicate", "predicate.sha256"
    ]  # fmt: skip
    assert record.predicate.command == PREDICATE
    assert record.pin.digest == hashlib.sha256((repo / f"{LOOP}/predicate").read_bytes()).hexdigest()
    assert (record.first_run.exit, record.budget.turns, record.decisions) == (1, 4, ())
    assert all(not part.faults for part in (record.predicate, record.pin, record.first_run, record.budget))
    assert repo.read(f"{LOOP}/decisions.tsv") == "ts\tphase\tdecision\twhy\tevidence\tresult\n"
    assert [event.type for event in log.events] == ["run_opened", "predicate_ran"]
    first, ran = log.events
    assert first.run == started.run
    assert first.data["lanes"] == {"author": "coder", "judge": "referee"}
    assert first.data["budget"] == {"turns": 4, "seconds": None}
    assert (first.text("base"), first.text("predicate")) == (repo.head, record.pin.digest)
    assert (ran.number("exit"), ran.text("head")) == (1, repo.head)
    assert record.first_run.ts == ran.instant("ended")
    assert state.of(record, log).is_open


def test_the_predicate_says_what_it_is(repo: Repo) -> None:
    """The template's comments stand above the command, and the placeholder is gone."""
    opened(repo)
    *comments, command = repo.read(f"{LOOP}/predicate").splitlines()
    assert len(comments) == 2
    assert all(line.startswith("# ") for line in comments)
    assert command == PREDICATE


def test_what_the_predicate_said_is_kept(repo: Repo) -> None:
    """Under the digest that the log names, with the path of the checkout put away."""
    started = opened(repo, predicate="pwd; echo missing: done; false")
    output = (repo / f"{LOOP}/out/{started.output}.txt").read_bytes()
    assert output == b".\nmissing: done\n"
    assert (
        hashlib.sha256(output).hexdigest()
        == started.output
        == log_of(repo).of("predicate_ran")[0].text("out")
    )


def test_it_runs_in_a_clean_checkout_of_head(repo: Repo) -> None:
    """What is not committed is not seen, and what the predicate writes does not come back."""
    repo.write({"README.md": "done\n", "untracked": "x"})
    started = opened(repo, predicate="touch trace; ls; grep -q done README.md")
    assert (repo / f"{LOOP}/out/{started.output}.txt").read_text() == "README.md\nscripts\ntrace\n"
    assert not (repo / "trace").exists()
    assert repo.read("README.md") == "done\n"


# --- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"predicate": "true"}, "is green already"),
        ({"predicate": "no-such-command-here"}, "could not run: exit 127"),
        ({"predicate": "./README.md"}, "could not run: exit 126"),
        ({"predicate": "kill -9 $$"}, "could not run: ended by signal 9"),
        ({"predicate": "sleep 60", "timeout": 0.3}, "could not run: no end within 0.3 s"),
        ({"predicate": "false\ntrue"}, "holds a line break"),
        ({"predicate": "false\r"}, "holds a line break"),
        ({"predicate": "x" * 1_000_000}, "1000000 bytes long"),
        ({"predicate": "false \x00"}, "holds a control character"),
        ({"predicate": "false \x1b[1m"}, "holds a control character"),
        ({"predicate": "\u2028false"}, "holds a control character"),
        ({"predicate": "false \udcff"}, "is not UTF-8"),
        ({"predicate": "   "}, "is empty"),
        ({"predicate": "# false"}, "is a comment"),
        ({"predicate": f"curl -H {TOKEN}"}, "looks like a secret"),
        ({"budget": 21}, "above the ceiling of 20"),
        ({"author": "Coder ", "judge": "coder"}, "are one lane"),
        ({"author": "co\nder", "judge": "x"}, "a lane holds a line break"),
        ({"control": "exit 3"}, "the control ended with 3"),
        ({"control": "no-such-command-here"}, "the control could not run: exit 127"),
        ({"control": "echo nothing"}, "after the control the predicate is still red (exit 1)"),
        ({"control": "printf a\nb"}, "the control holds a line break"),
        ({"surface": ("nothing.sh",)}, "no file that git tracks"),
        ({"surface": ("../outside",)}, "no file that git tracks"),
        ({"surface": ("",)}, "no file that git tracks"),
    ],
)
def test_a_loop_that_may_not_be_opened_leaves_nothing(
    repo: Repo, members: dict[str, object], said: str
) -> None:
    """Each with a sentence and a remedy."""
    assert said in refused(repo, **members)


def test_a_refusal_shows_the_last_words_of_the_predicate(repo: Repo) -> None:
    """So that its author sees why."""
    assert "\n  Traceback: no module" in refused(repo, predicate="echo Traceback: no module; exit 127")


def test_a_budget_at_the_ceiling_is_inside(repo: Repo) -> None:
    """Equal is not above."""
    opened(repo, budget=20)


def test_an_open_loop_is_not_opened_over(repo: Repo) -> None:
    """Neither one of ours nor one that is kept by hand."""
    opened(repo)
    repo.commit("Record")
    assert refused(repo) == "a loop is open here"
    (repo / f"{LOOP}/events.jsonl").unlink()
    repo.commit("By hand")
    assert refused(repo) == "a loop is open here, kept by hand"


def test_a_loop_starts_from_a_commit(tmp_path: Path) -> None:
    """There is nothing to check out before the first."""
    repo = build_repo({".goblin/goblin.yaml": CONFIG}, tmp_path / "repository", commit=None)
    found = place(Repo(loop_repo(tmp_path / "other").root))._replace(root=str(repo.root), head="")
    with pytest.raises(Refused, match="no commits yet"):
        found.need_commit()


# --- what git would leave out ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule", ["out/", "*.jsonl", "*.txt", "closed-*", "control", "*", "/.goblin/loop/out"]
)
def test_the_whole_record_can_be_committed(repo: Repo, rule: str) -> None:
    """Whatever the project ignores by name: evidence that stays behind would resolve for nobody else."""
    repo.commit("Ignore", {".gitignore": f"{rule}\n!.goblin\n!/.goblin/loop/\n"})
    opened(repo, control="echo done >> README.md")
    recorded(repo, evidence="", run=("echo", "x"))
    written_up(repo)
    closed(repo)
    written = sorted(str(path.relative_to(repo.root)) for path in (repo / LOOP).rglob("*") if path.is_file())
    repo.commit("The record")
    assert repo.git("ls-files", LOOP).split("\n") == written


def test_no_rule_of_ours_is_written_where_none_is_needed(repo: Repo) -> None:
    """A project that ignores nothing of the kind gets no file for it."""
    opened(repo)
    assert not (repo / f"{LOOP}/.gitignore").exists()


@pytest.mark.parametrize("rule", ["loop/", ".goblin/loop", ".goblin/*"])
def test_a_record_that_nobody_could_commit_is_refused(repo: Repo, rule: str) -> None:
    """No rule inside a folder that is ignored as a whole can bring it back; the rule is named."""
    repo.commit("Ignore", {".gitignore": f"# ours\n{rule}\n"})
    told = refused(repo)
    assert told == f"git would leave {LOOP} out of every commit: .gitignore:2: {rule}"


# --- the control -----------------------------------------------------------------------------------


def test_a_control_shows_that_the_predicate_can_be_met(repo: Repo) -> None:
    """It is applied in a checkout of its own; exit and digest go to `control`, and the log tells of it."""
    started = opened(repo, control="echo done >> README.md")
    record, log = record_of(repo), log_of(repo)
    assert started.controlled
    assert (record.control.exit, record.control.faults) == (0, ())
    (event,) = log.of("control_ran")
    assert (event.text("command"), event.number("applied"), event.number("exit")) == (
        "echo done >> README.md",
        0,
        0,
    )
    assert record.control.output == event.text("out")
    assert record.control.ts == event.instant("ended")
    assert repo.read("README.md") == "# Sample\n"


def test_a_control_may_hold_a_quote_and_a_hash(repo: Repo) -> None:
    """It is shell text like the predicate, and kept as it is."""
    control = "printf '%s\\n' \"it's # done\" >> README.md"
    opened(repo, control=control)
    assert log_of(repo).of("run_opened")[0].text("control") == control


# --- the surface -----------------------------------------------------------------------------------


def test_the_surface_is_proposed_from_the_words_of_the_predicate(repo: Repo) -> None:
    """Pinned, with its digest in the pin, so that LP-06 sees an edit."""
    started = opened(repo, predicate="bash scripts/check.sh")
    assert (started.surface, started.proposed) == (("scripts/check.sh",), True)
    record = record_of(repo)
    assert record.pin.surface == record.surface.digest == log_of(repo).of("run_opened")[0].text("surface")
    assert judge(repo, SURFACE).verdict is Verdict.PASS
    repo.write({"scripts/check.sh": "#!/bin/sh\nexit 0\n"})
    assert judge(repo, SURFACE).verdict is Verdict.FAIL


def test_the_surface_may_be_named(repo: Repo) -> None:
    """Files, and folders for the tracked files below them; no proposal is added."""
    repo.write({"scripts/untracked.sh": "x"})
    started = opened(repo, surface=("scripts/", "./README.md"))
    assert (started.surface, started.proposed) == (("README.md", "scripts/check.sh"), False)


def test_no_surface_may_be_asked_for(repo: Repo) -> None:
    """Then there is neither a list nor a line in the pin."""
    started = opened(repo, predicate="bash scripts/check.sh", surface=())
    assert started.surface == ()
    assert record_of(repo).pin.surface == ""
    assert not (repo / f"{LOOP}/surface.sha256").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scripts/check.sh": "#!/bin/sh\nexit 0\n"}, "is not as HEAD holds it"),
        ({"scripts/check.sh@": "/etc/passwd"}, "is not as HEAD holds it"),
    ],
    ids=["edited", "a link now"],
)
def test_a_file_to_pin_is_as_head_holds_it(repo: Repo, change: dict[str, str], said: str) -> None:
    """The predicate is run on what is committed, so that is what is pinned."""
    (repo / "scripts/check.sh").unlink()
    repo.write(change)
    with pytest.raises(Refused, match=said):
        opened(repo, surface=("scripts/check.sh",))
    assert not (repo / LOOP).exists()


def test_a_link_and_the_record_cannot_be_pinned(repo: Repo) -> None:
    """A link's bytes stand elsewhere, and the record moves with each turn."""
    repo.commit("Link", {"link@": "README.md", f"{LOOP}/notes.md": "x"})
    assert "no file that git tracks" in refused(repo, surface=("link",))
    assert "the record itself cannot be pinned" in refused(repo, surface=(LOOP,))


def test_too_many_files_are_refused(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of everything pins the work itself."""
    assert MOST_PINNED == 5000
    monkeypatch.setattr("goblin.loop.start.MOST_PINNED", 1)
    assert "too many to pin" in refused(repo, surface=("README.md", "scripts"))


# --- one loop after another ------------------------------------------------------------------------


def finished(repo: Repo) -> None:
    """A first loop, closed and committed."""
    opened(repo, surface=("scripts",), control="echo done >> README.md")
    recorded(repo)
    written_up(repo)
    closed(repo)
    repo.commit("The first loop")


def test_another_loop_continues_the_chain(repo: Repo) -> None:
    """The new pin names the archived digest; rows, write-up, surface and control are the new loop's."""
    finished(repo)
    old = record_of(repo).pin.digest
    opened(repo, predicate="grep -q finished README.md", budget=2, surface=())
    record = record_of(repo)
    assert record.pin.previous == (old,)
    assert record.pin.digest != old
    assert (record.decisions, record.budget.turns, record.stuck.exists) == ((), 2, False)
    assert not record.control.exists
    assert not record.surface.exists
    assert record.archives[0].predicate.digest == old
    log = log_of(repo)
    assert log.faults == ()
    assert len({event.run for event in log.events}) == 2
    assert log.of("run_opened")[0].data["archives"] == [record.archives[0].name]
    assert judge(repo, "checks/loop.py::the_predicate_is_pinned").verdict is Verdict.PASS


def test_the_same_predicate_may_be_opened_again(repo: Repo) -> None:
    """Chained to itself, and open."""
    finished(repo)
    opened(repo)
    record = record_of(repo)
    assert record.pin.previous == (record.pin.digest,)
    assert state.of(record, log_of(repo)).is_open
    assert judge(repo, "checks/loop.py::the_predicate_is_pinned").verdict is Verdict.PASS


def test_a_loop_that_was_closed_by_hand_is_kept_whole(repo: Repo) -> None:
    """Who closed it archived predicate and pin; the rest is archived before it is replaced."""
    predicate = "# old\ntest -f old\n"
    digest = hashlib.sha256(predicate.encode()).hexdigest()
    old = {"predicate": predicate, "predicate.sha256": f"{digest}\n"}
    repo.commit(
        "By hand",
        {f"{LOOP}/closed-2026-01-01/{name}": text for name, text in old.items()}
        | {
            f"{LOOP}/predicate": predicate,
            f"{LOOP}/predicate.sha256": f"{digest}\nprevious: {digest}\n",
            f"{LOOP}/budget": "3\n",
            f"{LOOP}/decisions.tsv": f"{HEADER}2026-01-01T00:00:00Z\ta\tb\tc\td\te\n",
        },
    )
    assert state.of(record_of(repo), log_of(repo)) == ("closed", True, "closed-2026-01-01")
    opened(repo)
    assert repo.read(f"{LOOP}/closed-2026-01-01/budget") == "3\n"
    assert "2026-01-01T00:00:00Z" in repo.read(f"{LOOP}/closed-2026-01-01/decisions.tsv")
    assert record_of(repo).pin.previous == (digest,)
    assert judge(repo, "checks/loop.py::the_predicate_is_pinned").verdict is Verdict.PASS


def test_a_record_that_was_deleted_is_not_forgotten(repo: Repo) -> None:
    """History pinned a predicate that no archive here holds: a new pin would be silent about it."""
    opened(repo)
    first = repo.commit("Record")
    shutil.rmtree(repo / LOOP)
    repo.commit("Gone")
    digest = repo.git("show", f"{first}:{LOOP}/predicate.sha256").split()[0]
    where = place(repo)._replace(committed=((digest, first),))
    with Writer(where.root, KINDS) as writer, pytest.raises(Refused) as found:
        start(writer, where, plan(predicate="test -f other"))
    assert f"commit {first[:12]} pinned a predicate that no archive here holds" in found.value.message
    assert f"git checkout {first[:12]} -- {LOOP}" in found.value.remedy
    assert not (repo / LOOP).exists()
