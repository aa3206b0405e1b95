"""goblin-loop audit: the morning view of an unattended run, worst first.

Runs nothing that a repository declares: the predicate is not run, and the rows of the matrix are
judged as `goblin-verify --static` judges them.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from goblin.commands import gate, options
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun, Verdict

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.lanes import Lane as DeclaredLane
    from goblin.loop.audit import Audit, Check, Lane
    from goblin.report.audit_words import Set

FAMILIES = ("JG", "LP", "RN")
"""The rows that judge a loop's record."""

TEXT_ROWS = 20
"""Rows that the text shows in full; a run within the usual budget has no more."""

PAGE_ROWS = 200

MOST_FOLDERS = 2000

COMMAND = options.Command(
    "goblin-loop audit",
    (
        Option("--target", "value", "The repository to audit (default: the one around this folder).", "DIR"),
        Option("--all", "many", "Audit every repository that a pattern names, worst first.", "GLOB"),
        Option("--html", "value", "Write the audit as one self-contained page.", "FILE"),
        Option("--json", "flag", "Print JSON (schemas/audit.schema.json) instead of text."),
        Option("--check", "flag", "Exit 1 unless every run reached its goal."),
        Option("--limit", "value", "Rows to show in full, 0 for all (default: 20; 200 on a page).", "N"),
    ),
    "Show what an unattended run came to: first the rows that did not reach the goal, then the last five.",
    "Exit codes: 0 the audit was shown, whatever the loop's state; 1 with --check, when something did "
    "not reach its goal; 2 no loop record, or bad usage; 130 interrupted.",
)


def run(values: Values) -> int:
    """Audit what the options name, show it, and return the exit code. Raises `CannotRun`.

    With --json, what keeps an audit from being made stands on standard output too.
    """
    try:
        return _run(values)
    except CannotRun as error:
        if values["json"]:
            from goblin.report.audit_json import error as told

            sys.stdout.write(told(error.message, gate.COULD_NOT_RUN))
        raise


def _run(values: Values) -> int:
    limit = _limit(values["limit"], PAGE_ROWS if values["html"] or values["json"] else TEXT_ROWS)
    _writable(values["html"])
    found = _gather(_roots(values), limit, bool(values["all"]))
    if values["html"]:
        from goblin.report.audit_html import render as page

        _write(values["html"], page(found))
    sys.stdout.write(_shown(found, values))
    return gate.FAILED if values["check"] and not found.reached else gate.PASSED


def _shown(found: Set, values: Values) -> str:
    """What goes to standard output; beside a page, only what it is called and where it is."""
    if values["json"]:
        from goblin.report.audit_json import render

        return render(found)
    if values["html"]:
        from goblin.redact import clean
        from goblin.report.audit_words import title

        return f"{title(found)}\n{clean(values['html'])}\n"
    from goblin.report import audit_text

    return audit_text.render(found, colour=audit_text.wants_colour(sys.stdout))


def _limit(text: str, usual: int) -> int:
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise CannotRun(f"--limit must be a whole number, not {text}", "goblin-loop audit --limit 50")
    return int(text)


def _roots(values: Values) -> list[str]:
    """The folders to audit, each once, in the order of their names."""
    if not values["all"]:
        return [os.path.expanduser(values["target"]) or os.getcwd()]
    if values["target"]:
        raise CannotRun("--all and --target both say what to audit", "give one of them")
    import glob

    patterns = [os.path.expanduser(pattern) for pattern in values["all"]]
    names = {name for pattern in patterns for name in glob.iglob(pattern, recursive=True)}
    folders = sorted({os.path.realpath(name) for name in names if os.path.isdir(name)})
    if not folders:
        raise CannotRun(f"no folder matches {', '.join(values['all'])}", "quote the pattern: --all 'work/*'")
    if len(folders) > MOST_FOLDERS:
        raise CannotRun(
            f"{len(folders)} folders match, more than {MOST_FOLDERS}", "name fewer: --all 'work/*'"
        )
    return folders


def _gather(roots: list[str], most: int, many: bool) -> Set:
    """Audit each root. Raises `CannotRun` where none of them holds a record."""
    from goblin import __version__, clock
    from goblin.loop.audit import refused, worst_first
    from goblin.loop.pointers import printable
    from goblin.report.audit_words import Set

    audits: dict[str, Audit] = {}
    without: dict[str, None] = {}
    for root in roots:
        try:
            audit = _audit(root, most)
        except CannotRun as error:
            if not many:
                raise
            audits[root] = refused(root, error.message)
            continue
        except Exception as error:  # one repository may not keep the others from being seen
            if not many:
                raise
            audits[root] = refused(root, f"internal: {type(error).__name__}: {error}")
            continue
        if audit is None:
            without[printable(os.path.basename(root) or root, 100)] = None
        else:
            audits[audit.root] = audit
    if not audits:
        what = f"none of {len(roots)} folders holds one" if many else "no loop has run here"
        raise CannotRun(f"no loop record: {what}", "start one: goblin-loop start --help")
    return Set(tuple(worst_first(audits.values())), tuple(without), __version__, clock.stamp())


def _audit(start: str, most: int) -> Audit | None:
    from goblin.facts import Facts, Run
    from goblin.locate import locate
    from goblin.loop.audit import audit

    place = locate(start)
    facts = Facts(Run(place.root, place.repo, static=True, cache=False))
    loop = facts.get("loop")
    if not loop.exists:
        return None
    checks, notes = _checks(facts)
    return audit(
        place.root,
        checks=checks,
        lanes=_lanes(facts),
        notes=notes,
        most=most,
        loop=loop,
        resolver=facts.get("handles") if place.repo else None,
    )


def _checks(facts: Facts) -> tuple[list[Check], list[str]]:
    """What the rows of the matrix say of the record, and why they say nothing where they do not."""
    from goblin import engine
    from goblin.loop.audit import Check
    from goblin.loop.pointers import printable
    from goblin.manifest import ManifestBroken
    from goblin.report.text import detail_lines

    try:
        rows = facts.get("manifest").rows
        only = [row.id for row in rows if row.family in FAMILIES and row.scope == "target"]
        results = engine.judge(facts, only).results if only else ()
    except (CannotRun, ManifestBroken) as error:
        return [], [f"The rules were not asked: {printable(str(error), 300)}"]
    checks = []
    for result in results:
        outcome = result.outcome
        remedy = outcome.remedy or ("" if result.row.remedy == "-" else result.row.remedy)
        failed = outcome.verdict is Verdict.FAIL
        checks.append(
            Check(
                id=result.row.id,
                status=outcome.verdict.value,
                detail=tuple(printable(line, 400) for line in detail_lines(outcome)),
                remedy=printable(remedy, 600) if failed else "",
            )
        )
    return checks, []


def _lanes(facts: Facts) -> list[Lane]:
    """The author's and the judge's lane, as the repository declares them; none where it does not."""
    from goblin.loop.audit import Lane
    from goblin.loop.pointers import printable

    return [
        Lane(role, tuple(printable(lane.profile, 80) for lane in lanes), "roles")
        for role, lanes in _declared(facts)
        if lanes
    ]


def _declared(facts: Facts) -> Iterator[tuple[str, Sequence[DeclaredLane]]]:
    try:
        lanes = facts.get("lanes")
    except Exception:  # noqa: BLE001  (JG-02 says what is wrong with the roles)
        return
    yield "author", lanes.of("code")
    yield "judge", lanes.of("judge")


def _writable(path: str) -> None:
    """Refuse a destination that would be followed or that is no file. Raises `CannotRun`."""
    if not path:
        return
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder):
            raise CannotRun(f"{folder} is no folder", f"mkdir -p {folder}") from None
        if not os.path.basename(path):
            raise CannotRun(f"{path} names no file", "--html audit.html") from None
        return
    if stat.S_ISLNK(mode):
        raise CannotRun(f"{path} is a symbolic link, which is not followed", "name the file itself")
    if not stat.S_ISREG(mode):
        raise CannotRun(f"{path} is no regular file", "name another file: --html audit.html")


def _write(path: str, text: str) -> None:
    from goblin import atomic

    _writable(path)
    try:
        atomic.write(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise CannotRun(
            f"{path} could not be written: {error.strerror}", "name a place that can be written"
        ) from error
