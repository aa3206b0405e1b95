"""Fact `rederived`: the pinned predicate, run once more at each commit that a verdict of done rests on.

That is a commit which it cites, or else the one at which the log says that the predicate was run for it.

This runs a command that the repository declares, so it needs `judge_rederive: yes`, and `--static`
leaves its row out. What is run is the pinned predicate and nothing else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from goblin.loop.measured import Verdict
from goblin.loop.surface import committed
from goblin.outcome import CheckFailed, Finding

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.git import Git
    from goblin.loop.decisions import Decision
    from goblin.loop.events import Log
    from goblin.loop.handles import Resolver
    from goblin.loop.record import LoopRecord
    from goblin.process import Completed

TIMEOUT = 300.0
"""Seconds that the predicate may take at one commit."""

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

NESTED = "GOBLIN_REDERIVING"
"""Names, for a verifier that the predicate runs, the checkout in which this row would begin anew."""

_SAID = 5
"""Lines of a red predicate's output that are shown."""


class Rederived(NamedTuple):
    """What came of it. Where `absent` or `refused` is not empty, nothing was run, and it says why."""

    absent: str = ""
    refused: str = ""
    findings: tuple[Finding, ...] = ()  # where a verdict of done does not hold
    rows: int = 0  # done rows that cite a commit, or a run of the predicate at one
    commits: int = 0  # different commits at which the predicate was run
    without: int = 0  # done rows that cite neither


def load(config: Config, loop: LoopRecord, handles: Resolver, facts: Facts) -> Rederived:
    """Run the predicate at every cited commit, each commit once. Raises `CheckFailed` without git."""
    if not config.flag("judge_rederive"):
        return Rederived(absent="judge_rederive is not set to yes: nothing is run again")
    if os.environ.get(NESTED) == facts.run.root:
        return Rederived(absent="inside the checkout in which JG-04 runs the predicate")
    if loop.fault or not loop.log.exists:
        return Rederived(absent=loop.fault or "no loop record")
    git: Git = facts.get("git")
    log: Log = facts.get("loop_log")
    done = [row for row in loop.verdicts if row.verdict == "done"]
    handles.prime(handle for row in done for handle in row.handles)
    measured = _measured(loop, log, git)
    cited = [
        row for row in done if row.line in measured or any(handle.kind == "sha" for handle in row.handles)
    ]
    if not cited:
        told = f"none of {len(done)} done row(s) cites a commit" if done else "no verdict of done yet"
        return Rederived(absent=told)
    without = len(done) - len(cited)
    if loop.predicate.faults or not loop.predicate.command:
        return Rederived(refused="the predicate is not one command, so it is not run (LP-01)")
    if loop.pin.digest != loop.predicate.digest:
        place = Finding(loop.pin.path, 1, 0, "its digest is not that of the predicate")
        return Rederived(
            refused="the predicate is not the pinned one, so it is not run (LP-02)", findings=(place,)
        )
    branch = facts.get("head").branch
    pinned = _pinned(loop, log)

    def run(commit: str) -> tuple[str, ...]:
        for changed in committed(pinned, git, commit)[:1]:
            return (f"{changed.path}, which the loop pinned, is another one there: {changed.message}",)
        return _run(loop.predicate.command, commit, branch, git)

    ran: dict[str, tuple[str, ...]] = {}
    findings = [
        told
        for row in cited
        for told in _judged(row, loop.log.path, handles, measured.get(row.line), run, ran)
    ]
    return Rederived(findings=tuple(findings), rows=len(cited), commits=len(ran), without=without)


def _judged(
    row: Decision,
    path: str,
    handles: Resolver,
    measured: str | None,
    run: Callable[[str], tuple[str, ...]],
    ran: dict[str, tuple[str, ...]],
) -> list[Finding]:
    """What does not hold at the commits that a row cites; where it cites none, at the measured one."""
    cited = [(handle, handles.resolve(handle)) for handle in row.handles if handle.kind == "sha"]
    found = [
        Finding(path, row.line, 0, f"{handle.shown} {resolved.reason}")
        for handle, resolved in cited
        if not resolved.ok
    ]
    commits = [(h.shown, resolved.canonical.removeprefix("sha:")) for h, resolved in cited if resolved.ok]
    if measured and not cited:
        commits = [(f"measured at {measured[:12]}", measured)]
    for shown, commit in commits:
        if commit not in ran:
            ran[commit] = run(commit)
        first, *said = ran[commit] or ("",)
        if first:
            found.append(Finding(path, row.line, 0, f"{shown}: {first}"))
            found += [Finding("", message=f"    {line}") for line in said]
    return found


def _measured(loop: LoopRecord, log: Log, git: Git) -> dict[int, str]:
    """For each verdict that the log measured, by its line: the commit at which the predicate ran.

    A commit that was squashed away is left out: its turn card still names the tree.
    """
    verdicts = Verdict.of_run(log.current)
    if len(verdicts) != len(loop.verdicts):
        return {}  # RN-02 says what does not belong together
    found = {
        row.line: commit
        for row, verdict in zip(loop.verdicts, verdicts, strict=True)
        if verdict.ran is not None and _ID.fullmatch(commit := verdict.ran.text("head"))
    }
    commits = list(found.values())
    there = {commit for commit, item in zip(commits, git.objects(commits), strict=True) if item}
    return {line: commit for line, commit in found.items() if commit in there}


def _pinned(loop: LoopRecord, log: Log) -> Mapping[str, str]:
    """The files that the loop pinned; those of a closed one stand in its archive."""
    if log.closed is None:
        return loop.surface.entries
    archive = next((found for found in loop.archives if found.name == log.closed.text("archive")), None)
    return type(loop)(loop.tree.root, archive.path).surface.entries if archive else {}


def _run(command: str, commit: str, branch: str, git: Git) -> tuple[str, ...]:
    """Why the predicate is not green at a commit, and then its last words; nothing where it is green."""
    from goblin.checkout import CheckoutFailed, clean_checkout
    from goblin.loop.steering import without
    from goblin.process import environment, run_shell

    try:
        with clean_checkout(git, commit, branch) as folder:
            env = without(environment({"GOBLIN_ROOT": folder, NESTED: folder}))
            del env["GOBLIN_VERIFY_DEPTH"]  # the predicate may be goblin-verify itself
            return _worded(run_shell(command, folder, env, TIMEOUT))
    except CheckoutFailed as error:
        raise CheckFailed(f"could not run: no clean checkout of {commit[:12]}: {error}") from error


def _worded(done: Completed) -> tuple[str, ...]:
    from goblin.redact import lines

    if done.could_not_run():
        return (done.could_not_run(), *lines(done.output, most=_SAID))
    if done.code:
        return (f"the predicate is red there (exit {done.code})", *lines(done.output, most=_SAID))
    return ()
