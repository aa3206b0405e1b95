"""Fact `rederived`: the pinned predicate, run once more at each commit that a verdict of done cites.

This runs a command that the repository declares, so it needs `judge_rederive: yes`, and `--static`
leaves its row out. What is run is the pinned predicate and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from goblin.outcome import CheckFailed, Finding

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.git import Git
    from goblin.loop.decisions import Decision
    from goblin.loop.handles import Resolver
    from goblin.loop.record import LoopRecord
    from goblin.process import Completed

TIMEOUT = 300.0
"""Seconds that the predicate may take at one commit."""

NESTED = "GOBLIN_REDERIVING"
"""Names, for a verifier that the predicate runs, the checkout in which this row would begin anew."""

_SAID = 5
"""Lines of a red predicate's output that are shown."""


class Rederived(NamedTuple):
    """What came of it. Where `absent` or `refused` is not empty, nothing was run, and it says why."""

    absent: str = ""
    refused: str = ""
    findings: tuple[Finding, ...] = ()  # where a verdict of done does not hold
    rows: int = 0  # done rows that cite a commit
    commits: int = 0  # different commits at which the predicate was run
    without: int = 0  # done rows that cite no commit


def load(config: Config, loop: LoopRecord, handles: Resolver, facts: Facts) -> Rederived:
    """Run the predicate at every cited commit, each commit once. Raises `CheckFailed` without git."""
    if not config.flag("judge_rederive"):
        return Rederived(absent="judge_rederive is not set to yes: nothing is run again")
    if os.environ.get(NESTED) == facts.run.root:
        return Rederived(absent="inside the checkout in which JG-04 runs the predicate")
    if loop.fault or not loop.log.exists:
        return Rederived(absent=loop.fault or "no loop record")
    done = [row for row in loop.verdicts if row.verdict == "done"]
    cited = [row for row in done if any(handle.kind == "sha" for handle in row.handles)]
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
    handles.prime(handle for row in cited for handle in row.handles)
    git: Git = facts.get("git")

    branch = facts.get("head").branch

    def run(commit: str) -> tuple[str, ...]:
        return _run(loop.predicate.command, commit, branch, git)

    ran: dict[str, tuple[str, ...]] = {}
    findings = [told for row in cited for told in _judged(row, loop.log.path, handles, run, ran)]
    return Rederived(findings=tuple(findings), rows=len(cited), commits=len(ran), without=without)


def _judged(
    row: Decision,
    path: str,
    handles: Resolver,
    run: Callable[[str], tuple[str, ...]],
    ran: dict[str, tuple[str, ...]],
) -> list[Finding]:
    found = []
    for handle in row.handles:
        if handle.kind != "sha":
            continue
        resolved = handles.resolve(handle)
        if not resolved.ok:
            found.append(Finding(path, row.line, 0, f"{handle.shown} {resolved.reason}"))
            continue
        commit = resolved.canonical.removeprefix("sha:")
        if commit not in ran:
            ran[commit] = run(commit)
        first, *said = ran[commit] or ("",)
        if first:
            found.append(Finding(path, row.line, 0, f"{handle.shown}: {first}"))
            found += [Finding("", message=f"    {line}") for line in said]
    return found


def _run(command: str, commit: str, branch: str, git: Git) -> tuple[str, ...]:
    """Why the predicate is not green at a commit, and then its last words; nothing where it is green."""
    from goblin.checkout import CheckoutFailed, clean_checkout
    from goblin.process import environment, run_shell

    try:
        with clean_checkout(git, commit, branch) as folder:
            env = environment({"GOBLIN_ROOT": folder, NESTED: folder})
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
