"""What a check concludes: a verdict, one summary line, and where each finding stands.

Every row, every report format and the proof speak in these types. A check returns an `Outcome`
built by one of the constructors at the end of this file; it never prints and never exits.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple


class Verdict(StrEnum):
    """The closed set of conclusions; `SKIP` and `ADV` never fail a run."""

    PASS = "PASS"  # noqa: S105  (a verdict, not a password): the rule holds, and something was examined
    FAIL = "FAIL"  # the rule is broken, or could not be judged
    ADV = "ADV"  # no mechanism can judge it; counted, capped and shown
    SKIP = "SKIP"  # nothing here to check, for the reason given


class Finding(NamedTuple):
    """One place that breaks a rule, or one fact worth showing beside a verdict.

    `path` is relative to the repository root with forward slashes ("" when there is no place);
    `line` and `column` count from 1, and 0 means unknown.
    """

    path: str
    line: int = 0
    column: int = 0
    message: str = ""

    def place(self) -> str:
        """Return `path:line:column` with the unknown parts left out."""
        parts = [self.path]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


class Outcome(NamedTuple):
    """A check's conclusion. A `remedy` given here replaces the row's own."""

    verdict: Verdict
    summary: str
    findings: tuple[Finding, ...] = ()
    remedy: str = ""


class CheckFailed(Exception):
    """A fact or an accessor could not give what a check needs: the row FAILs with this outcome."""

    def __init__(self, summary: str, findings: Sequence[Finding] = (), remedy: str = "") -> None:
        super().__init__(summary)
        self.outcome = failed(summary, findings, remedy)


class CannotRun(Exception):
    """Nothing can be judged at all: the command ends with exit code 2 and says what mends it."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def passed(summary: str, findings: Sequence[Finding] = ()) -> Outcome:
    """The rule holds. The summary says how many things were examined."""
    return Outcome(Verdict.PASS, summary, tuple(findings))


def failed(summary: str, findings: Sequence[Finding] = (), remedy: str = "") -> Outcome:
    """The rule is broken; every finding is listed, not only the first."""
    return Outcome(Verdict.FAIL, summary, tuple(findings), remedy)


def skipped(reason: str, findings: Sequence[Finding] = ()) -> Outcome:
    """There was nothing to check, and the reason says what would make the row run."""
    return Outcome(Verdict.SKIP, reason, tuple(findings))


def advisory(text: str = "", findings: Sequence[Finding] = ()) -> Outcome:
    """No mechanism judges this rule; the text carries what a heuristic noticed, if anything."""
    return Outcome(Verdict.ADV, text, tuple(findings))
