"""goblin-emit: put the skills, and a block in the context file, where an agent platform reads them.

It is the one command that may write to the user's home: the ledger of what it did, and skills of the
global scope. `--undo` takes an emission back byte for byte.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from goblin.commands import gate, options
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun

if TYPE_CHECKING:
    from goblin.emit.adapters import Adapter
    from goblin.emit.plan import Change
    from goblin.emit.source import Emitted, Source

SCHEMA_VERSION = 1

COMMAND = options.Command(
    "goblin-emit",
    (
        Option("--platform", "value", "The agent platform; goblin-doctor shows them. Required.", "ID"),
        Option(
            "--scope", "value", "The project's folders, or those of your home. Required.",
            choices=("project", "global"),
        ),
        Option("--skills", "value", "Which skills (default: core).", choices=("core", "all", "none")),
        Option(
            "--hooks", "flag",
            "Only a start hook in the platform's settings of the project (claude, cursor): it tells the "
            "agent how the rules stand, and never fails.",
        ),
        Option("--target", "value", "The project (default: the repository around this folder).", "DIR"),
        Option("--source", "value", "Take DIR/skills instead of this release's.", "DIR"),
        Option("--uninstall", "flag", "Take back what was emitted, byte for byte, the newest first."),
        Option("--undo", "flag", "The same as --uninstall."),
        Option("--unshadow", "flag", "Remove the project's copies that equal the source (hermes, project)."),
        Option("--dry-run", "flag", "Show what would be done, and write nothing."),
        Option("--strict", "flag", "Refuse a platform that is not detected, also for a named target."),
        Option("--json", "flag", "One JSON object."),
        Option("--version", "flag", "Show the version."),
    ),
    "Write the skills and one managed block where an agent platform reads them. What was written is in the "
    "ledger ~/.goblin-stack/emissions.tsv ($GOBLIN_EMISSIONS), the old bytes in ~/.goblin-stack/preimages "
    "($GOBLIN_PREIMAGES).",
    "Exit codes: 0 done, or nothing to do; 1 refused, and nothing was changed; 2 bad usage, or an unknown "
    "platform; 130 interrupted.",
)  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    return gate.guard(lambda: options.run(COMMAND, given, _emit))


def _emit(values: Values) -> int:
    from goblin.emit import Refused

    if values["version"]:
        from goblin import __version__

        print(f"goblin-emit {__version__}")
        return gate.PASSED
    try:
        return _run(values)
    except Refused as refused:
        return gate.refuse(refused.message, refused.remedy)


def _run(values: Values) -> int:
    from goblin.emit import Refused, adapters, source

    for name in ("--platform", "--scope"):
        if not values[name.removeprefix("--")]:
            raise CannotRun(f"{name} is missing", "goblin-emit --help")
    taking_back = values["uninstall"] or values["undo"]
    if taking_back and values["unshadow"]:
        raise CannotRun("--undo and --unshadow are different jobs", "run one after the other")
    if values["unshadow"] and (values["platform"], values["scope"]) != ("hermes", "project"):
        raise CannotRun("--unshadow is for --platform hermes --scope project", "goblin-emit --help")
    if values["hooks"] and (values["scope"] != "project" or values["unshadow"] or values["skills"]):
        raise CannotRun("--hooks goes with --scope project, and with no skills", "goblin-emit --help")
    if values["hooks"]:
        return _hook(values, _root(values), taking_back=taking_back)
    found = source.load(os.path.expanduser(values["source"]))
    root = _root(values)
    if taking_back:
        with suppress(Refused):  # a malformed table keeps nobody from taking back; an unknown platform does
            adapters.load(found.adapters, values["platform"])
        return _undo(values, root)
    adapter = adapters.load(found.adapters, values["platform"])
    if values["unshadow"]:
        return _unshadow(values, adapter, root, found)
    _need_platform(values, adapter)
    return _write(values, adapter, root, found.chosen(values["skills"] or "core"))


def _root(values: Values) -> str:
    """The project, or the home for the global scope. Raises `CannotRun` for no folder and `Refused`."""
    from goblin.emit import Refused
    from goblin.locate import locate

    named = os.path.expanduser(values["target"])
    if named and not os.path.isdir(named):
        raise CannotRun(f"--target {named} is not a folder", "name an existing folder")
    if values["scope"] == "project":
        return os.path.realpath(named) if named else locate(os.getcwd()).root
    home = os.path.realpath(os.path.expanduser("~"))
    if named and os.path.realpath(named) != home:
        raise Refused("the global scope is your home and no other folder", "leave --target out")
    return home


def _need_platform(values: Values, adapter: Adapter) -> None:
    """Raise `Refused` where the platform is not here, unless a project is named for it."""
    from goblin.emit import Refused, adapters

    if adapters.detect(adapter):
        return
    told = f"{adapter.display} is not detected here (looked for {', '.join(adapter.anchors)})"
    if values["strict"] or values["scope"] == "global" or not values["target"]:
        remedy = "install it first, or name the project: --scope project --target DIR, without --strict"
        raise Refused(told, remedy)
    _note(f"{told}; --target names the project, so it is done all the same")


def _write(values: Values, adapter: Adapter, root: str, skills: Sequence[Emitted]) -> int:
    from goblin.emit import apply, plan
    from goblin.emit.ledger import Ledger

    ledger = Ledger()
    if values["dry_run"]:
        changes = plan.plan(adapter, values["scope"], root, skills, ledger.rows())
    else:
        with ledger:
            changes = plan.plan(adapter, values["scope"], root, skills, ledger.rows())
            apply.carry_out(ledger, adapter.id, values["scope"], changes)
    standing = sum(skill.standing for skill in skills)
    counted = f"the name and description lines of {len(skills)} skill(s)"
    cost = f"standing prompt cost: {standing} byte(s), {counted}"
    notes = [] if values["scope"] == "project" else ["the global scope has skills only, no context file"]
    _report(values, changes, [cost, *notes], {"standing_bytes": standing})
    return gate.PASSED


def _undo(values: Values, root: str) -> int:
    from goblin.emit import undo
    from goblin.emit.ledger import Ledger

    ledger = Ledger()
    if values["dry_run"]:
        undoing, folders = undo.plan(ledger, values["platform"], values["scope"], root), []
    else:
        with ledger:
            undoing = undo.plan(ledger, values["platform"], values["scope"], root)
            folders = undo.carry_out(ledger, undoing)
    lines = [f"kept {line}" for line in undoing.kept]
    if not undoing.dropped:
        lines = [f"nothing is recorded for {values['platform']} in the {values['scope']} scope here"]
    elif folders:
        lines.append(f"removed {len(folders)} empty folder(s)")
    _report(values, undoing.changes, lines, {"folders": folders}, undoing=True)
    return gate.PASSED


def _hook(values: Values, root: str, *, taking_back: bool) -> int:
    from goblin.emit import apply, hooks
    from goblin.emit.ledger import Ledger

    with Ledger():  # one writer at a time
        hooking = (hooks.remove if taking_back else hooks.add)(root, values["platform"])
        if not values["dry_run"]:
            try:
                hooks.carry_out(hooking)
            except OSError as error:
                raise apply.failed(error) from error
    _report(values, [], [hooking.line], {})
    return gate.PASSED


def _unshadow(values: Values, adapter: Adapter, root: str, found: Source) -> int:
    from goblin.emit import apply, plan
    from goblin.emit.ledger import Ledger

    skills = found.chosen(values["skills"] or "all")
    ledger = Ledger()
    if values["dry_run"]:
        changes = plan.unshadowing(adapter, root, skills)
    else:
        with ledger:
            changes = plan.unshadowing(adapter, root, skills)
            apply.carry_out(ledger, adapter.id, "project", changes)
    lines = [] if changes else ["no copy of the project equals the source"]
    if changes and os.path.lexists(os.path.join(root, ".goblin", "installed.json")):
        lines.append("where the install put them, tell its record: goblin-install --target . --skills no")
    _report(values, changes, lines, {})
    return gate.PASSED


def _report(
    values: Values,
    changes: Sequence[Change],
    lines: Sequence[str],
    more: dict[str, object],
    *,
    undoing: bool = False,
) -> None:
    from goblin.redact import clean

    told = [(_word(change, undoing), change.place.shown) for change in changes]
    if values["json"]:
        import json

        value = {
            "schema_version": SCHEMA_VERSION,
            "platform": values["platform"],
            "scope": values["scope"],
            "dry_run": values["dry_run"],
            "paths": [{"path": path, "did": word} for word, path in told],
            "notes": list(lines),
            **more,
            "exit": gate.PASSED,
        }
        print(json.dumps(value))
        return
    begin = "would be: " if values["dry_run"] else ""
    for word, path in told:
        print(f"{begin}{word} {clean(path)}")
    for line in lines:
        print(clean(line))


def _word(change: Change, undoing: bool) -> str:
    if not undoing:
        return change.word
    return "removed" if change.new is None else "restored"


def _note(text: str) -> None:
    from goblin.redact import clean

    print(f"note: {clean(text)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
