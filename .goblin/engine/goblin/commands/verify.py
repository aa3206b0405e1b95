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

    from goblin.engine import Report
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
        Option("--static", "flag", "Run no command that the repository declares; its rows are skipped."),
        Option("--staged", "flag", "Judge what is about to be committed: that it is not yet fails nothing."),
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
    facts = _facts(values)
    if values["list"]:
        return _list(_listed(facts, values))
    if values["explain"]:
        return _explain(_listed(facts, values), values["explain"])
    if values["prove"] is not None:
        if values["static"]:
            told = "--prove runs commands that the repository declares, which --static forbids"
            raise CannotRun(told, "leave one of the two out")
        return _prove(facts, values)
    if values["write_baseline"]:
        return _write_baseline(facts, values["write_baseline"])
    from goblin import engine

    outputs = _outputs(values["output"])
    with facts.run.watch:
        report = engine.judge(facts, values["only"])
    _write(outputs, report)
    sys.stdout.write(_render(report, values))
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
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    for program in ("git", "bash"):
        if not any(os.access(os.path.join(folder, program), os.X_OK) for folder in folders if folder):
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
    if done.refused:
        print(
            f"error: the baseline may only shrink; {len(done.refused)} finding(s) are new:", file=sys.stderr
        )
        for row, finding in done.refused:
            print(f"  {row} {finding_line(finding)}", file=sys.stderr)
        remedy = "mend them, or waive each in .goblin/waivers.tsv with a reason, an owner and a date"
        print(f"remedy: {remedy}", file=sys.stderr)
        return gate.FAILED
    print(f"{done.recorded} finding(s) in the baseline for {', '.join(rows)}, {done.dropped} dropped")
    return gate.PASSED


def _machine(values: Values) -> bool:
    return bool(values["json"]) or values["format"] == "json"


def _render(report: Report, values: Values) -> str:
    from goblin.report import render

    name = "json" if _machine(values) else values["format"] or "text"
    if name == "github":
        _summarise(report)
    return render(name, report)


def _summarise(report: Report) -> None:
    """Append the job summary where the forge says it wants one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        from goblin.report import render

        try:
            with open(path, "a", encoding="utf-8") as stream:
                stream.write(render("markdown", report))
        except OSError as error:
            print(f"note: the job summary was not written: {error.strerror}", file=sys.stderr)


def _outputs(given: tuple[str, ...]) -> list[tuple[str, str]]:
    """(format, file) of each `--output`, refused before anything runs."""
    pairs: list[tuple[str, str]] = []
    for text in given:
        name, _, path = text.partition("=")
        if name not in FORMATS or not path:
            raise CannotRun(f"--output {text} is not FORMAT=FILE", f"FORMAT is one of: {', '.join(FORMATS)}")
        why, remedy = _no_output(path, [other for _, other in pairs])
        if why:
            raise CannotRun(f"--output {text}: {why}", remedy)
        pairs.append((name, path))
    return pairs


def _no_output(path: str, taken: list[str]) -> tuple[str, str]:
    """Why a report may not be written to a path, and what to do; two empty texts where it may."""
    full = os.path.abspath(path)
    folder = os.path.dirname(full)
    if not os.path.isdir(folder):
        return f"there is no folder {folder}", f"mkdir -p {folder}"
    if os.path.lexists(full) and (os.path.islink(full) or not os.path.isfile(full)):
        return (
            "it is no regular file, and would be replaced",
            "name a file, or use --format for standard output",
        )
    if ".git" in os.path.realpath(folder).split(os.sep):
        return "it lies in a git directory", "name a file elsewhere"
    if full in map(os.path.abspath, taken):
        return "two reports cannot be one file", "name a file of its own"
    return "", ""


def _write(outputs: list[tuple[str, str]], report: Report) -> None:
    if not outputs:
        return
    from goblin import atomic
    from goblin.report import render

    for name, path in outputs:
        try:
            atomic.write(os.path.abspath(path), render(name, report).encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise CannotRun(
                f"--output {path}: {error.strerror or error}", "name a file that can be written"
            ) from error


if __name__ == "__main__":
    sys.exit(main())
