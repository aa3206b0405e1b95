"""Loops that are really opened, recorded and closed, by the functions of goblin-loop."""

from __future__ import annotations

from pathlib import Path

from goblin.git import Git, at
from goblin.loop import close, events, kinds, measure, turn
from goblin.loop.close import Closed
from goblin.loop.events import Log
from goblin.loop.kinds import Kinds
from goblin.loop.place import Place
from goblin.loop.record import LoopRecord
from goblin.loop.start import Plan, Started, start
from goblin.loop.turn import Ran, Recorded, Turn
from goblin.loop.writer import Writer
from goblin.paths import Tree
from tests.support import Repo, build_repo
from tests.support.repo import Files

CONFIG = "class: A\nbranch: main\narchive: false\nowner_email: author@example.invalid\n"
LOOP = ".goblin/loop"
PREDICATE = "grep -q done README.md"
KINDS: Kinds = kinds.load()


def loop_repo(root: Path, files: Files | None = None) -> Repo:
    """A committed repository in which a loop may be opened."""
    return build_repo({".goblin/goblin.yaml": CONFIG, "README.md": "# Sample\n", **(files or {})}, root)


def place(repo: Repo, ceiling: int = 20) -> Place:
    """The repository as goblin-loop knows it."""
    root = str(repo.root.resolve())
    found = at(root)
    assert found is not None
    branch = repo.git("symbolic-ref", "--short", "-q", "HEAD")
    return Place(root, Git(found), repo.head, branch, ceiling)


def plan(**members: object) -> Plan:
    """A loop of four turns towards a word in the README; `members` replaces what is asked for."""
    return Plan(PREDICATE, 4)._replace(**members)  # type: ignore[arg-type]


def opened(repo: Repo, **members: object) -> Started:
    """Open a loop, as `goblin-loop start` does."""
    with Writer(str(repo.root), KINDS, wait=0) as writer:
        return start(writer, place(repo), plan(**members))


def recorded(
    repo: Repo,
    why: str = "not yet",
    evidence: str = "file:README.md",
    result: str = "predicate:red",
    decision: str = "verdict:continue",
    *,
    check: bool = False,
    run: tuple[str, ...] = (),
    phase: str = "check",
) -> Recorded:
    """Record one turn, as `goblin-loop record` does."""
    where = place(repo)
    capture = measure.capture(where.git, run, where.root, where.root) if run else None
    checked = turn.check(where, LoopRecord(where.root), log_of(repo), 60) if check else None
    asked = Turn(phase, decision, why, evidence, "" if check else result)
    with Writer(where.root, KINDS) as writer:
        return turn.record(writer, where, asked, Ran(checked, capture))


def closed(repo: Repo, why: str = "") -> Closed:
    """Close the loop, as `goblin-loop close` does."""
    with Writer(str(repo.root), KINDS) as writer:
        return close.close(writer, place(repo), why)


def written_up(repo: Repo) -> None:
    """Write a sound write-up, as `goblin-loop stuck` does."""
    with Writer(str(repo.root), KINDS) as writer:
        close.stuck(writer, "the obvious", "the unknown")


def mended(repo: Repo) -> list[str]:
    """What the next writer mends, whatever it came to do."""
    with Writer(str(repo.root), KINDS) as writer:
        return writer.mended


def log_of(repo: Repo) -> Log:
    """The event log as it stands."""
    return events.read(Tree(str(repo.root)))


def record_of(repo: Repo) -> LoopRecord:
    """The record as it stands."""
    return LoopRecord(str(repo.root))
