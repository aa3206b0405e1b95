"""A report on some paths alone: what stands elsewhere was found and is not told (pre-commit names files)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from goblin.outcome import CannotRun, Finding, Outcome, Verdict, passed


def places(given: Sequence[str], root: str) -> tuple[str, ...]:
    """Paths of a command line, as paths below `root` with forward slashes; "" is the root itself.

    A path is meant from the working directory, and is not followed where it is a link. Raises
    `CannotRun` for one that does not exist, or lies outside.
    """
    found = []
    for path in given:
        folder, name = os.path.split(os.path.abspath(path))
        inside = os.path.relpath(os.path.join(os.path.realpath(folder), name), root).replace(os.sep, "/")
        if inside == ".." or inside.startswith("../"):
            raise CannotRun(f"{path} lies outside {root}", "name files of this repository")
        if not os.path.lexists(os.path.join(root, inside)):
            raise CannotRun(f"there is no {path}", "name files that exist, or none for the whole repository")
        found.append("" if inside == "." else inside)
    return tuple(dict.fromkeys(found))


def narrowed(outcome: Outcome, named: Sequence[str]) -> Outcome:
    """The verdict on the paths alone. What could not look, or names no place, stays a failure."""
    if outcome.verdict is not Verdict.FAIL or not outcome.findings:
        return outcome
    held = [finding for finding in outcome.findings if _holds(finding, named)]
    if outcome.summary.startswith("could not run"):
        return outcome._replace(findings=tuple(held)) if held else outcome
    elsewhere = len(outcome.findings) - len(held)
    told = f"{len(held)} violation(s) in the {len(named)} path(s) named, {elsewhere} elsewhere"
    return outcome._replace(summary=told, findings=tuple(held)) if held else passed(told)


def _holds(finding: Finding, named: Sequence[str]) -> bool:
    return not finding.path or any(
        not path or finding.path == path or finding.path.startswith(f"{path}/") for path in named
    )


def among(findings: Sequence[Finding], named: Sequence[str]) -> tuple[Finding, ...]:
    """The findings that stand in the paths."""
    return tuple(finding for finding in findings if _holds(finding, named))
