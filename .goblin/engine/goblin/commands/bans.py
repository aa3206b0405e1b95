"""goblin-bans: what may not be written here, and where it is written all the same (spec rows-2 5.3).

| code | meaning |
|---|---|
| 0 | every selected ban passed or was skipped |
| 1 | a ban failed |
| 2 | no table, an empty or malformed one, a bad option or an unknown id |
| 3 | the one ban that was selected was skipped |
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from goblin.commands import gate, options
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun, CheckFailed, Outcome, Verdict

if TYPE_CHECKING:
    from goblin.bans.table import Ban
    from goblin.engine import Report, Result
    from goblin.facts import Facts
    from goblin.facts.bantable import BanTable
    from goblin.outcome import Finding

COMMAND = options.Command(
    "goblin-bans",
    (
        Option("--only", "many", "Look for these bans only (comma separated, may be repeated).", "ID[,ID]"),
        Option("--list", "flag", "Show every ban of the table and look for nothing."),
        Option("--json", "flag", "Print one JSON object (schemas/report.schema.json)."),
        Option("--sarif", "flag", "Print SARIF 2.1.0."),
        Option(
            "--row", "flag", "Exit 77 where the one selected ban is skipped, as a row of the matrix does."
        ),
        Option("--static", "flag", "Run no command that the repository declares; such bans are skipped."),
        Option("--no-cache", "flag", "Neither read nor write caches in the git directory."),
        Option("--version", "flag", "Show the version."),
        Option("PATH", "arguments", "Tell only what these files, or files below these folders, hold."),
    ),
    "Look for what this repository has banned: run it before writing the code.",
    "Exit codes: 0 every ban passed or was skipped; 1 a ban failed; 2 no usable table, bad option or "
    "unknown id; 3 the one ban that was selected was skipped; 130 interrupted.",
)
SKIPPED = 3
SKIPPED_ROW = 77


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv

    def on_error(message: str, code: int) -> None:
        from goblin.report.json import error

        sys.stdout.write(error(message, code))

    return gate.guard(lambda: options.run(COMMAND, given, _bans), on_error if "--json" in given else None)


def _bans(values: Values) -> int:
    if values["version"]:
        from goblin import __version__

        print(f"goblin-bans {__version__}")
        return gate.PASSED
    if os.environ.get("GOBLIN_BANS_ID"):
        raise CannotRun(
            "recursive: the detect command of a ban runs goblin-bans, which would never end",
            "take goblin-bans out of the ban's detect command",
        )
    from goblin.bans.named import places
    from goblin.facts import Facts, Run
    from goblin.locate import locate
    from goblin.watch import on_terminal

    place = locate(os.getcwd())
    cache = not values["no_cache"] and not values["static"]
    watch = on_terminal("goblin-bans")
    facts = Facts(Run(place.root, place.repo, frozenset(), values["static"], cache, watch=watch))
    if place.repo and not values["list"]:
        facts.get("ban_index").early()
    shipped, own = _tables(place.root)
    chosen = _chosen([*shipped, *own], values["only"])
    if values["list"]:
        return _list(chosen)
    named = places(values["path"], place.root) if values["path"] else ()
    from goblin.facts.bantable import joined

    table = joined(shipped, own, facts.get("config"))
    with watch:
        report = _judge(facts, table, chosen, values["row"], named)
    sys.stdout.write(_render(report, values))
    return report.exit_code


def _tables(root: str) -> tuple[tuple[Ban, ...], tuple[Ban, ...]]:
    """The shipped bans and the project's own; raises `CannotRun` for a table that cannot be used."""
    from goblin.bans import table
    from goblin.facts.bantable import PROJECT, SHIPPED
    from goblin.paths import ReadRefused, Tree

    tree = Tree(root)
    found: list[tuple[Ban, ...]] = []
    for path, project in ((SHIPPED, False), (PROJECT, True)):
        if tree.kind(path) == "missing":
            if not project:
                raise CannotRun(
                    f"no ban table: there is no {path} in {tree.root}", "goblin-install --target ."
                )
            found.append(())
            continue
        try:
            read = table.read(tree.read(path))
        except ReadRefused as error:
            raise CannotRun(f"malformed ban table: {error}", f"make {path} a regular file") from error
        if read.faults:
            line, message = read.faults[0]
            raise CannotRun(f"malformed ban table: {path}:{line}: {message}", f"mend line {line} of {path}")
        if not read.records and not project:
            raise CannotRun(f"{path} holds no bans", f"git checkout -- {path}")
        found.append(table.bans(read.records, project=project))
    shipped, own = found
    seen: set[str] = set()
    for ban in (*shipped, *own):
        if ban.id in seen:
            path = PROJECT if ban.project else SHIPPED
            raise CannotRun(f"malformed ban table: {path}:{ban.line}: {ban.id} stands a second time")
        seen.add(ban.id)
    return shipped, own


def _chosen(bans: Sequence[Ban], only: Sequence[str]) -> tuple[Ban, ...]:
    from goblin.manifest import suggest

    known = [ban.id for ban in bans]
    unknown = [name for name in only if name not in known]
    if unknown:
        told = ", ".join(name + suggest(name, known) for name in unknown)
        raise CannotRun(f"unknown ban: {told}", "goblin-bans --list shows every id")
    return tuple(ban for ban in bans if not only or ban.id in only)


def _list(bans: Sequence[Ban]) -> int:
    from goblin.redact import clean

    for ban in bans:
        print(f"{clean(ban.id):<6} {clean(ban.ban)}")
    return gate.PASSED


def _judge(facts: Facts, table: BanTable, chosen: Sequence[Ban], row: bool, named: Sequence[str]) -> Report:
    """Judge the chosen bans as the verifier does, waivers included; tell of `named` paths alone, if any."""
    from goblin import waivers
    from goblin.bans.named import among, narrowed
    from goblin.engine import Report, Result
    from goblin.facts.bans import Bans
    from goblin.manifest import Row, takes_waivers
    from goblin.redact import clean

    facts.run.watch.row("looking for what changed")
    facts.selecting(frozenset(ban.id for ban in chosen))
    bans = Bans(facts, table, facts.run.selected)
    bans.begin(ban.id for ban in chosen)
    results: list[Result] = []
    unread = ""
    for number, ban in enumerate(chosen, start=1):
        facts.run.watch.row(f"{number} of {len(chosen)}, {ban.id}")
        started = time.perf_counter()
        line = Row(
            *(ban.id, "target", "", "lint", ban.ban, ban.globs, ban.detect, ban.replacement),
            blind_spot="code outside the globs, or put together at run time",
            line=ban.line,
            project=ban.project,
        )
        try:
            outcome = bans.outcome(ban.id)
        except CheckFailed as failure:
            outcome = failure.outcome
        waived: tuple[Finding, ...] = ()
        if outcome.verdict is Verdict.FAIL and takes_waivers(line):
            try:
                prints = waivers.Fingerprints(facts.get("tree"))
                outcome, waived = waivers.apply(line, outcome, facts.get("waivers"), prints)
            except CheckFailed as failure:  # WV-01 is red for it
                unread = failure.outcome.summary
        if named:
            outcome, waived = narrowed(outcome, named), among(waived, named)
        results.append(Result(line, outcome, time.perf_counter() - started, waived))
    if unread:
        print(f"warning: nothing is waived: {clean(unread)}", file=sys.stderr)
    config = facts.get("config")

    class BanReport(Report):
        """A report with the exit codes of this command."""

        @property
        def exit_code(self) -> int:
            return exit_of([result.outcome for result in self.results], row=row)

    families = {"BN": ("Bans", "code outside the globs, or put together at run time")}
    return BanReport(facts.run.root, config.class_name, config.archive, tuple(results), 0, families)


def exit_of(outcomes: Sequence[Outcome], *, row: bool = False) -> int:
    """The exit code for the verdicts on the selected bans."""
    if any(outcome.verdict is Verdict.FAIL for outcome in outcomes):
        return gate.FAILED
    if len(outcomes) == 1 and outcomes[0].verdict is Verdict.SKIP:
        return SKIPPED_ROW if row else SKIPPED
    return gate.PASSED


def _render(report: Report, values: Values) -> str:
    if values["json"]:
        from goblin.report.json import render

        return render(report)
    if values["sarif"]:
        from goblin.report.sarif import render as render_sarif

        return render_sarif(report, "goblin-bans")
    lines = [line for result in report.results for line in _block(result)]
    counts = [report.count(verdict) for verdict in (Verdict.PASS, Verdict.FAIL, Verdict.SKIP)]
    lines.append("      {} passed, {} failed, {} skipped".format(*counts))
    if values["row"]:
        lines += [report.results[0].outcome.summary.partition("\n")[0]]
    return "\n".join(lines) + "\n"


def _block(result: Result) -> list[str]:
    """One ban as text: the verdict, what to write instead, and the flagged lines."""
    from goblin.redact import clean
    from goblin.report.text import INDENT, MOST_FINDINGS, detail_lines, finding_line

    outcome = result.outcome
    first, *notes = detail_lines(outcome, most=0)[: 1 + outcome.summary.count("\n")]
    lines = [f"{outcome.verdict.value:<6}{result.row.id:<6} {first}".rstrip()]
    if outcome.verdict is Verdict.FAIL and outcome.remedy:
        instead, *escape = outcome.remedy.split("\n")
        lines.append(f"{INDENT}instead: {clean(instead)}")
        lines += [f"{INDENT}except: {clean(text)}" for text in escape]
    lines += [INDENT + note for note in notes]
    lines += [INDENT + finding_line(finding) for finding in outcome.findings[:MOST_FINDINGS]]
    if len(outcome.findings) > MOST_FINDINGS:
        lines.append(f"{INDENT}... and {len(outcome.findings) - MOST_FINDINGS} more")
    return lines


if __name__ == "__main__":
    sys.exit(main())
