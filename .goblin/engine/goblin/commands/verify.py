"""goblin-verify: which of this repository's rules hold right now."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from goblin.commands import gate, options
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun
from goblin.report import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

    from goblin.facts import Facts
    from goblin.facts.release import Release
    from goblin.manifest import Manifest

COMMAND = options.Command(
    "goblin-verify",
    (
        Option("--only", "many", "Run these rows only (comma separated, may be repeated).", "ID[,ID]"),
        Option("--list", "flag", "Show every row of the matrix and run nothing."),
        Option(
            "--explain", "value", "Show one row: its rule, what it reads, its remedy, its blind spot.", "ID"
        ),
        Option(
            "--prove", "optional", "Show that rows bite: run their controls on a scratch clone.", "[ID[,ID]]"
        ),
        Option(
            "--write-baseline",
            "many",
            "Record today's findings of these lint rows in .goblin/baseline.tsv, which may only shrink.",
            "ID[,ID]",
        ),
        Option(
            "--write-waivers",
            "many",
            "Open a line in .goblin/waivers.tsv for each finding of these lint rows; reason and owner are "
            "yours to write.",
            "ID[,ID]",
        ),
        Option("--static", "flag", "Run no command that the repository declares; its rows are skipped."),
        Option("--staged", "flag", "Judge what is about to be committed: that it is not yet fails nothing."),
        Option(
            "--hook",
            "value",
            "Tell an agent that begins to work here how the rules stand: a few lines in the form that it "
            "reads, no command of the repository is run, and the exit code is always 0.",
            choices=("claude", "cursor"),
        ),
        Option("--format", "value", "The report's format.", choices=FORMATS),
        Option("--output", "many", "Write the report to FILE as well, in this format.", "FORMAT=FILE"),
        Option("--json", "flag", "The same as --format json."),
        Option("--target", "value", "The repository to verify (default: the one around this folder).", "DIR"),
        Option(
            "--source",
            "value",
            "Read the rows from DIR/manifest instead of the repository's own, and hold the installed files "
            "against the release in DIR: a checkout, or the word installed-package.",
            "DIR",
        ),
        Option("--no-cache", "flag", "Neither read nor write caches in the git directory."),
        Option("--version", "flag", "Show the version."),
    ),
    "Verify the repository around this folder against its own rules.",
    "Exit codes: 0 every executed check passed; 1 a check failed; 2 could not run; "
    "3 the manifest is broken; 130 interrupted.",
)


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    machine = "--json" in given or "json" in given or "--format=json" in given

    def on_error(message: str, code: int) -> None:
        from goblin.report.json import error

        sys.stdout.write(error(message, code))

    return gate.guard(lambda: options.run(COMMAND, given, _verify), on_error if machine else None)


def _verify(values: Values) -> int:
    if values["version"]:
        from goblin import __version__

        print(f"goblin-verify {__version__}")
        return gate.PASSED
    if os.environ.get("GOBLIN_VERIFY_DEPTH"):
        raise CannotRun(
            "recursive: a gate of this repository runs the verifier, which would never end",
            "take goblin-verify out of the gate's cmd; CI runs it beside the gates",
        )
    if values["list"]:
        return _list(_listed(_facts(values), values))
    if values["explain"]:
        return _explain(_listed(_facts(values), values), values["explain"])
    if values["prove"] is not None:
        if values["static"]:
            told = "--prove runs commands that the repository declares, which --static forbids"
            raise CannotRun(told, "leave one of the two out")
        return _prove(_facts(values), values)
    if values["write_baseline"]:
        return _write_baseline(_facts(values), values["write_baseline"])
    if values["write_waivers"]:
        return _write_waivers(_facts(values), values["write_waivers"])
    if values["hook"]:
        return _tell_agent(values)
    return _judge(values)


def _tell_agent(values: Values) -> int:
    """What the start hook of an agent says. It ends well whatever is found: it may keep nobody from work."""
    from goblin import engine
    from goblin.manifest import ManifestBroken
    from goblin.report import brief

    try:
        text = brief.render(engine.judge(_facts({**values, "static": True}), values["only"]))
    except (CannotRun, ManifestBroken) as error:
        message, remedy, _ = gate.told(error)
        text = brief.could_not_run(message, remedy)
    sys.stdout.write(brief.FORMS[values["hook"]](text))
    return gate.PASSED


def _judge(values: Values) -> int:
    """Judge the rows and write the reports. Where nothing can be judged, each report says that."""
    from goblin import engine
    from goblin.commands.outputs import Outputs
    from goblin.manifest import ManifestBroken
    from goblin.report import could_not_run, render

    outputs = Outputs("json" if _machine(values) else values["format"] or "text", values["output"])
    try:
        facts = _facts(values)
        with facts.run.watch:
            report = engine.judge(facts, values["only"])
    except (CannotRun, ManifestBroken) as error:
        message, remedy, code = gate.told(error)
        outputs.write_instead(lambda name: could_not_run(name, message, remedy, code))
        raise
    outputs.write(lambda name: render(name, report))
    return report.exit_code


def _facts(values: Values) -> Facts:
    from goblin.facts import Facts, Run
    from goblin.locate import locate
    from goblin.watch import on_terminal

    _need_programs()
    place = locate(os.path.expanduser(values["target"]) or os.getcwd())
    manifest_dir, release = _source(values["source"]) if values["source"] else ("", None)
    cache = not values["no_cache"] and not values["static"]
    watch = on_terminal("goblin-verify")
    facts = Facts(
        Run(
            place.root,
            place.repo,
            static=values["static"],
            cache=cache,
            manifest_dir=manifest_dir,
            watch=watch,
            staged=values["staged"],
        )
    )
    facts.provide("release", release)
    return facts


def _source(given: str) -> tuple[str, Callable[[], Release]]:
    """The folder of the tables of `--source`, and what reads the release there once a row asks for it."""
    from goblin import home
    from goblin.facts.release import Release

    if home.vendored():  # the installer is not here, and an engine cannot vouch for its own files
        if given == "installed-package":
            told = "--source installed-package: this is the copy in the repository, and no package"
            raise CannotRun(told, "run the goblin-verify that is installed beside goblin-install")
        note = "this is the copy in the repository; the goblin-verify of a package or a checkout compares"
        folder = os.path.join(os.path.abspath(os.path.expanduser(given)), "manifest")
        return folder, lambda: Release(given, note=note)
    from goblin.install import release

    return release.place(given).path("manifest"), lambda: release.read(given)


def _need_programs() -> None:
    from goblin import searchpath

    for program in ("git", "bash"):
        if not searchpath.find(program):
            raise CannotRun(f"{program} is not on PATH", f"install {program}")


def _listed(facts: Facts, values: Values) -> Manifest:
    """The matrix to show: the repository's own, or the running engine's where nothing is installed."""
    from goblin import home
    from goblin.manifest import read_folder

    manifest: Manifest
    folder = facts.run.manifest_dir or os.path.join(facts.run.root, ".goblin", "manifest")
    if not values["source"] and not os.path.isdir(folder):
        manifest = read_folder(home.path("manifest"))
    else:
        manifest = facts.get("manifest")
    return manifest


def _list(manifest: Manifest) -> int:
    from tabulate import tabulate

    from goblin.redact import clean

    table = [[row.id, row.scope, row.enforced_by, clean(row.rule)] for row in manifest.rows]
    print(
        tabulate(
            table, headers=["id", "scope", "enforced by", "rule"], tablefmt="plain", disable_numparse=True
        )
    )
    return gate.PASSED


def _explain(manifest: Manifest, name: str) -> int:
    from goblin.explain import explain
    from goblin.manifest import suggest

    known = manifest.by_id()
    if name not in known:
        raise CannotRun(
            f"unknown row: {name}{suggest(name, list(known))}", "goblin-verify --list shows every id"
        )
    sys.stdout.write(explain(known[name], manifest))
    return gate.PASSED


def _prove(facts: Facts, values: Values) -> int:
    from goblin import prove

    wanted = tuple(part.strip() for part in values["prove"].split(",") if part.strip())
    with facts.run.watch:
        proof = prove.prove(facts, wanted)
    sys.stdout.write(proof.as_json() if _machine(values) else proof.as_text())
    return proof.exit_code


def _write_baseline(facts: Facts, rows: tuple[str, ...]) -> int:
    from goblin import baseline
    from goblin.report.text import finding_line

    with facts.run.watch:
        done = baseline.write(facts, rows)
    print(f"{done.recorded} finding(s) in the baseline for {', '.join(rows)}, {done.dropped} dropped")
    if done.refused:
        print(
            f"error: the baseline may only shrink; {len(done.refused)} finding(s) are new:", file=sys.stderr
        )
        for row, finding in done.refused:
            print(f"  {row} {finding_line(finding)}", file=sys.stderr)
        ids = ",".join(dict.fromkeys(row for row, _ in done.refused))
        print(
            f"remedy: mend them, or own them until a date: goblin-verify --write-waivers {ids}",
            file=sys.stderr,
        )
        return gate.FAILED
    return gate.PASSED


def _write_waivers(facts: Facts, rows: tuple[str, ...]) -> int:
    from goblin import baseline
    from goblin.redact import clean

    with facts.run.watch:
        opened = baseline.open_waivers(facts, rows)
    for line in opened:
        print(f"{line.file}:{line.line}: {line.row} {clean(line.path)}, until {line.until}")
    if opened:
        print(
            f"{len(opened)} line(s) opened: write the reason and the owner of each, until then none has force"
        )
    else:
        print(f"nothing to waive for {', '.join(rows)}")
    return gate.PASSED


def _machine(values: Values) -> bool:
    return bool(values["json"]) or values["format"] == "json"


if __name__ == "__main__":
    sys.exit(main())
