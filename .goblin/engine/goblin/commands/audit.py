"""goblin-audit: run the declared dependency audit once, on purpose, and leave the record that SC-07 reads.

The one command that may reach the network, and only through the command that the config declares. What
it prints must be a report that a parser knows: anything else writes nothing, since an empty record
would read as a clean one. The audit's own exit status says nothing: programs end non-zero when they
find something.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from goblin.commands import gate, options
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.process import Completed

WRITTEN = 0
NOTHING_DECLARED = 3
FAILED = 4
NO_REPORT = 5

TIMEOUT = 120.0
"""Seconds that the audit may take."""

LIMIT = 64 << 20
"""Bytes of a report that are read."""

SHOWN = 20
"""Lines of an output that is no report which are printed."""

COMMAND = options.Command(
    "goblin-audit",
    (
        Option("--target", "value", "The repository to audit (default: the one around this folder).", "DIR"),
        Option("--print", "flag", "Print the record as well."),
        Option("--version", "flag", "Show the version."),
    ),
    "Run security.audit_cmd once and write .goblin/audit.tsv, which SC-07 reads. This may use the network.",
    "Exit codes: 0 the record is written, clean or not; 2 bad usage, or no config; 3 no audit command is "
    "declared; 4 the audit could not run, or failed and printed nothing; 5 its output is no audit report: "
    "nothing is written and an old record stays; 130 interrupted.",
)


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    return gate.guard(lambda: options.run(COMMAND, given, _audit))


def _audit(values: Values) -> int:
    from goblin import __version__

    if values["version"]:
        print(f"goblin-audit {__version__}")
        return WRITTEN
    from goblin.facts import Facts, Run
    from goblin.locate import locate

    place = locate(os.path.expanduser(values["target"]) or os.getcwd())
    facts = Facts(Run(place.root, place.repo))
    command = _declared(facts)
    if not command:
        remedy = "set security.audit_cmd in .goblin/goblin.yaml, such as: npm audit --json"
        _say("no audit command is declared", remedy)
        return NOTHING_DECLARED
    done, output = _run(command, place.root)
    failure = done.could_not_run()
    if not failure and done.code and not output.strip():
        failure = f"it ended with {done.code} and printed nothing"
    if failure:
        remedy = "run the command by hand in the repository"
        _say(f"the audit failed: {failure}: {command}", remedy, done.errors[-4096:])
        return FAILED
    return _record(facts, command, output, done, values["print"])


def _declared(facts: Facts) -> str:
    from goblin.outcome import CheckFailed

    try:
        command: str = facts.get("config").text("security.audit_cmd")
    except CheckFailed as error:
        raise CannotRun(error.outcome.summary, error.outcome.remedy) from error
    return command.strip()


def _run(command: str, root: str) -> tuple[Completed, bytes]:
    """How the audit ended, and all that it wrote to standard output (a report may be megabytes)."""
    import tempfile

    from goblin import process

    with tempfile.TemporaryDirectory(prefix="goblin-audit-") as folder:
        path = os.path.join(folder, "output")
        env = {**process.environment(), "GOBLIN_AUDIT_OUTPUT": path}
        line = f'exec > "$GOBLIN_AUDIT_OUTPUT"\nunset GOBLIN_AUDIT_OUTPUT\n{command}'
        done = process.run_shell(line, root, env, TIMEOUT, apart=True)
        try:
            with open(path, "rb") as stream:
                output = stream.read(LIMIT + 1)
        except OSError:
            output = b""
    return done, output


def _record(facts: Facts, command: str, output: bytes, done: Completed, shown: bool) -> int:
    from goblin import __version__, atomic, clock
    from goblin.facts import auditrecord
    from goblin.facts.auditreports import NotAReport, parse
    from goblin.paths import ReadRefused
    from goblin.redact import mask

    try:
        if len(output) > LIMIT:
            raise NotAReport(f"the output is larger than {LIMIT >> 20} MiB")
        report = parse(output)
        comments = [
            f"goblin-audit {__version__}, {clock.stamp()}",
            f"command: {mask(' '.join(command.split()))}",
            f"read as a report of: {report.parser}",
            *(f"lockfile: {name} sha256:{digest}" for name, digest in _locks(facts)),
        ]
        data = auditrecord.render(report.advisories, clock.today().isoformat(), comments)
    except (NotAReport, ValueError) as error:
        first = b"\n".join(output[:65536].split(b"\n")[:SHOWN])
        more = f"; it ended with {done.code}" if done.code else ""
        remedy = "run the command by hand; nothing was written, and an old record stays as it is"
        _say(f"no audit report: {error}{more}: {command}", remedy, first)
        return NO_REPORT
    try:
        atomic.write(facts.get("tree").full(auditrecord.RECORD), data)
    except ReadRefused as error:
        raise CannotRun(str(error), "make .goblin a folder inside the repository") from error
    rows = len(auditrecord.parse(data).rows)
    told = f"measured {clock.today()}, {rows} high|critical line(s), read as {report.parser}"
    print(f"{auditrecord.RECORD}: {told}")
    if shown:
        sys.stdout.write(data.decode("utf-8"))
    return WRITTEN


def _locks(facts: Facts) -> list[tuple[str, str]]:
    """The lockfiles at the root with their digests."""
    import hashlib

    from goblin.facts.lockformats import READERS
    from goblin.paths import ReadRefused, Tree

    tree: Tree = facts.get("tree")
    found = []
    for name in READERS:
        try:
            found.append((name, hashlib.sha256(tree.read(name, LIMIT)).hexdigest()))
        except ReadRefused:
            continue
    return found


def _say(message: str, remedy: str, output: bytes = b"") -> None:
    from goblin.redact import clean, lines, mask

    sys.stderr.write(f"error: {clean(mask(message))}\nremedy: {clean(remedy)}\n")
    for line in lines(output, most=SHOWN):
        sys.stderr.write(f"  {line}\n")


if __name__ == "__main__":
    sys.exit(main())
