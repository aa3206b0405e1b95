"""Opening a loop: the predicate is run before anything is written, and only a red one opens a loop.

The files are written behind a mark (`opening`), the events last of all; where a kill leaves the mark
behind, the same command again writes everything anew. What an earlier loop left is in its archive.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import goblin
from goblin import home
from goblin.digest import sha256
from goblin.loop import DIRECTORY, close, earlier, events, handles, measure, propose, state, surface
from goblin.loop.events import Entry, Log
from goblin.loop.measure import Controlled, Measured
from goblin.loop.place import Place, command, one_line
from goblin.loop.record import (
    BUDGET,
    CONTROL,
    DECISIONS,
    FIRST_RUN,
    PIN,
    PREDICATE,
    STUCK,
    LoopRecord,
    parse_predicate,
)
from goblin.loop.refusal import Refused
from goblin.loop.writer import Writer
from goblin.paths import Tree

TEMPLATE_COMMAND = "false"
"""The command of templates/loop/predicate, in whose place the predicate goes."""

IGNORE = ".gitignore"
_COMMITTED = (
    b"# The whole record is committed, whatever the ignore rules of the project say of such names.\n!*\n"
)

MOST_PINNED = 5000
"""Files that one loop may pin."""


class Plan(NamedTuple):
    """What a loop is to be. `surface` is None where it is to be proposed, () for none."""

    predicate: str
    budget: int
    control: str = ""
    author: str = ""
    judge: str = ""
    surface: tuple[str, ...] | None = None
    timeout: float = measure.TIMEOUT


class Started(NamedTuple):
    """A loop that was opened."""

    run: str
    exit: int  # of the first run
    output: str  # digest of what the predicate said, in out/
    surface: tuple[str, ...]
    proposed: bool
    controlled: bool
    notes: tuple[str, ...]


def start(writer: Writer, place: Place, plan: Plan) -> Started:
    """Open a loop. Raises `Refused`, with nothing written, where one may not be opened."""
    plan = _sound(plan, place.ceiling)
    record, log = writer.record, writer.log
    _need_no_loop(writer)
    commit = place.need_commit()
    hidden = _hidden(writer, place)
    pinned, proposed = _pinned(place, plan)
    data = _predicate(plan.predicate)
    previous = _chain(record, place, sha256(data))
    first = _first_run(place, commit, plan, pinned)
    controlled = _control(place, commit, plan, pinned)
    run = events.run_id()
    files = {
        DECISIONS: _template(DECISIONS),
        BUDGET: f"{plan.budget}\n".encode("ascii"),
        FIRST_RUN: f"exit={first.done.code} ts={first.ended}\n".encode("ascii"),
        CONTROL: _control_line(controlled),
        surface.FILE: surface.render(pinned) if pinned else b"",
        PREDICATE: data,
    }
    if hidden:
        files[IGNORE] = _COMMITTED
    listed = sha256(files[surface.FILE]) if pinned else ""
    files[PIN] = close.pin_bytes(sha256(data), listed, previous)
    archives = [archive.name for archive in record.archives]
    entries = _entries(plan, place, data, listed, previous, archives, first, controlled)
    _write(writer, run, log, files, entries, [first, *([controlled.measured] if controlled else [])])
    closed = earlier.before(writer.record, "")
    less = tuple(earlier.relaxed(writer.record, closed[-1])) if closed else ()
    return Started(
        run,
        first.done.code,
        first.output.cited,
        tuple(pinned),
        proposed,
        bool(controlled),
        (*writer.mended, *less),
    )


# --- what is asked for ---------------------------------------------------------------------------


def _sound(plan: Plan, ceiling: int) -> Plan:
    """The plan with its texts trimmed, if it may be one at all."""
    if plan.budget > ceiling:
        raise Refused(
            f"a budget of {plan.budget} is above the ceiling of {ceiling} (loop_max_turns_ceiling)",
            "ask for fewer turns, or raise the ceiling in .goblin/goblin.yaml on purpose",
        )
    author, judge = (one_line(lane, "a lane", 80) if lane else "" for lane in (plan.author, plan.judge))
    if author and _folded(author) == _folded(judge):
        raise Refused(
            f"the author and the judge are one lane ({author})", "let another lane judge, or name none"
        )
    if re.search(rf"(?<![\w.-]){re.escape(DIRECTORY)}(?![\w-])", plan.predicate):
        raise Refused(
            f"the predicate reads {DIRECTORY}, the record that the loop itself writes",
            "let it look at the work, and at nothing that goblin-loop writes",
        )
    return plan._replace(
        predicate=command(plan.predicate, "the predicate"),
        control=command(plan.control, "the control") if plan.control else "",
        author=author,
        judge=judge,
    )


def _folded(lane: str) -> str:
    """A lane's name without what does not show, in one case: two that look the same are one."""
    from unicodedata import normalize

    return "".join(filter(str.isprintable, normalize("NFKC", lane))).strip().casefold()


def _need_no_loop(writer: Writer) -> None:
    found = state.of(writer.record, writer.log)
    if found.name == "closing":
        close.finish(writer)
    elif found.is_open:
        hand = ", kept by hand" if found.by_hand else ""
        raise Refused(f"a loop is open here{hand}", "goblin-loop status; goblin-loop close ends it")


def _predicate(text: str) -> bytes:
    lines = [
        text if line == TEMPLATE_COMMAND else line
        for line in _template(PREDICATE).decode("utf-8").splitlines()
    ]
    data = "".join(f"{line}\n" for line in lines).encode("utf-8")
    if parse_predicate(data).command != text:
        raise Refused("the predicate does not fit one line of a file")
    return data


def _template(name: str) -> bytes:
    with open(home.path("templates", "loop", name), "rb") as stream:
        return stream.read()


def _chain(record: LoopRecord, place: Place, digest: str) -> list[str]:
    """The digests that the new pin must name: of the closed loops, oldest first.

    Raises `Refused` where history pinned a predicate that no archive accounts for: its record was
    deleted, and a pin that is silent about it would be a relaxed one (LP-02).
    """
    archived = [archive.predicate.digest for archive in record.archives if archive.predicate.digest]
    previous = list(dict.fromkeys([*record.pin.previous, *archived]))
    for older, commit in place.committed:
        if older not in (*previous, digest):
            folder = f"git checkout {commit[:12]} -- {record.directory}, then goblin-loop close"
            raise Refused(f"commit {commit[:12]} pinned a predicate that no archive here holds", folder)
    return previous


def _pinned(place: Place, plan: Plan) -> tuple[dict[str, str], bool]:
    """The digest of each file to pin, and whether the files were proposed here."""
    if plan.surface == ():
        return {}, False
    tracked = place.tracked()
    proposed = plan.surface is None
    if plan.surface is None:
        plain = [path for path, mode in tracked.items() if mode.startswith("100")]
        paths = list(propose.paths(plan.predicate, plain, Tree(place.root).prose))
    else:
        paths = [path for named in plan.surface for path in _expanded(named, tracked)]
    if len(paths) > MOST_PINNED:
        raise Refused(f"{len(paths)} files are too many to pin ({MOST_PINNED})", "name fewer with --surface")
    edited = sorted(place.edited().intersection(paths))
    if edited:
        told = f"{edited[0]} is to be pinned, and is not as HEAD holds it"
        raise Refused(told, f"commit it, or git checkout -- {edited[0]}, or choose with --surface")
    digests, refused = surface.digest_of(Tree(place.root), sorted(set(paths)))
    for path, reason in refused.items():
        raise Refused(f"{path} cannot be pinned: {reason}", "choose other files with --surface")
    return digests, proposed


def _expanded(named: str, tracked: Mapping[str, str]) -> list[str]:
    path = os.path.normpath(named).replace(os.sep, "/") if named else ""
    below = [
        known for known, mode in tracked.items() if known.startswith(f"{path}/") and mode.startswith("100")
    ]
    found = [path] if tracked.get(path, "").startswith("100") else below
    if not found:
        raise Refused(f"--surface {named}: no file that git tracks", f"git add {named}, and commit it")
    own = [known for known in found if known.startswith(".goblin/loop/")]
    if own:
        raise Refused(f"--surface {named}: the record itself cannot be pinned", "leave .goblin/loop out")
    return found


def _hidden(writer: Writer, place: Place) -> bool:
    """True where an ignore rule of the project, such as `out/`, would keep a part of the record back.

    A rule in the record's own folder brings that part back. Raises `Refused` where none could, because
    the folder itself is ignored.
    """
    directory = writer.directory
    with writer.folder_there():  # git tells a rule for folders only where there is one
        above = place.ignored([directory])
    if directory in above:
        lines = " ".join((f"!/{directory}/", f"!/{directory}/**"))
        raise Refused(
            f"git would leave {directory} out of every commit: {above[directory]}",
            f"take that rule out, or let these lines follow it: {lines}",
        )
    names = (
        *handles.CONTROL_FILES,
        "out",
        "out/0.txt",
        "out/0.json",
        "closed-2026-01-01",
        "closed-2026-01-01/budget",
    )
    return bool(place.ignored([f"{directory}/{name}" for name in names]))


# --- what is measured ----------------------------------------------------------------------------


def _first_run(place: Place, commit: str, plan: Plan, pinned: Mapping[str, str]) -> Measured:
    first = measure.predicate(place.git, commit, place.branch, plan.predicate, plan.timeout, pinned)
    reason = first.done.could_not_run()
    if reason:
        told = "the clean checkout holds what is committed, and nothing else"
        raise Refused(
            f"the predicate {reason}{first.said()}", f"{told}; let the predicate make what it needs"
        )
    if first.green:
        raise Refused(
            f"the predicate is green already, at {commit[:12]}: there is nothing to reach{first.said()}",
            "write a predicate that is red until the work is done",
        )
    return first


def _control(place: Place, commit: str, plan: Plan, pinned: Mapping[str, str]) -> Controlled | None:
    """The control's run, if there is one: it must turn the predicate green."""
    if not plan.control:
        return None
    found = measure.control(
        place.git, commit, place.branch, plan.predicate, plan.control, plan.timeout, pinned
    )
    if found.measured is None:
        reason = found.applied.could_not_run() or f"ended with {found.applied.code}"
        raise Refused(
            f"the control {reason}{found.said}", "let the control do, in a checkout, what the loop is to do"
        )
    if not found.measured.green:
        reason = found.measured.done.could_not_run() or f"is still red (exit {found.measured.done.code})"
        raise Refused(
            f"after the control the predicate {reason}{found.measured.said()}",
            "mend the control, or the predicate: one that nothing can turn green ends no loop",
        )
    return found


def _control_line(found: Controlled | None) -> bytes:
    if found is None or found.measured is None:
        return b""
    ran = found.measured
    return f"exit={ran.done.code} ts={ran.ended} sha256={ran.output.cited}\n".encode("ascii")


# --- what is written -----------------------------------------------------------------------------


def _entries(
    plan: Plan,
    place: Place,
    data: bytes,
    listed: str,
    previous: Sequence[str],
    archives: Sequence[str],
    first: Measured,
    controlled: Controlled | None,
) -> list[Entry]:
    opened: dict[str, object] = {
        "predicate": sha256(data),
        "command": plan.predicate,
        "budget": {"seconds": None, "turns": plan.budget},
        "lanes": {"author": plan.author or None, "judge": plan.judge or None},
        "base": place.head,
        "sandbox": {"kind": "none"},
        "harness": {"version": goblin.__version__},
        "previous": list(previous),
        "archives": list(archives),
        "surface": listed or None,
        "control": plan.control or None,
    }
    found = [Entry("run_opened", opened)]
    if controlled and controlled.measured:
        ran = controlled.measured
        told = {"command": plan.control, "applied": controlled.applied.code, **ran_data(ran)}
        del told["tree"], told["card"], told["env"]
        found.append(Entry("control_ran", told))
    found.append(Entry("predicate_ran", ran_data(first)))
    return found


def ran_data(ran: Measured) -> dict[str, object]:
    """What a `predicate_ran` event says of a run."""
    return {
        "exit": ran.done.code,
        "out": ran.output.cited,
        "started": ran.started,
        "ended": ran.ended,
        "head": ran.commit,
        "tree": ran.tree,
        "card": sha256(ran.card()),
        "env": dict(ran.env),
    }


def _write(
    writer: Writer,
    run: str,
    log: Log,
    files: Mapping[str, bytes],
    entries: Sequence[Entry],
    runs: Sequence[Measured | None],
) -> None:
    writer.make()
    if not writer.record.has(state.OPENING):
        close.keep(writer)
    writer.put(state.OPENING, f"{run}\n".encode("ascii"))
    if log.events and log.closed is None:  # a start that was interrupted after its first event
        writer.say(log.current[-1].run, [Entry("run_closed", {"outcome": "crashed"})])
    for ran in runs:
        if ran is not None:
            writer.store({**ran.output.files(), f"{sha256(ran.card())}.json": ran.card()})
    writer.remove(STUCK)
    for name, data in files.items():
        if data:
            writer.put(name, data)
        else:
            writer.remove(name)
    writer.say(run, entries)
    writer.remove(state.OPENING)
