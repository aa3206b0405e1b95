"""goblin-install: put the rules, the checks and the engine into a repository, whole or not at all."""

from __future__ import annotations

import sys

from goblin.commands import gate, options
from goblin.commands.options import Option, Values

COMMAND = options.Command(
    "goblin-install",
    (
        Option("--target", "value", "The folder that holds the repository. Required.", "DIR"),
        Option(
            "--class", "value",
            "What kind of project this is: A software, B service or configuration, C game, D knowledge, "
            "E agent fleet, F desktop shell. Required for a first install.", "A..F",
        ),
        Option(
            "--models", "value",
            "The model mapping to name in the config; it need not exist. Default: $GOBLIN_MODELS, else "
            "~/.config/goblin/models.yaml.", "PATH",
        ),
        Option("--practice", "value", "The standard to pin by its hash. Default: $GOBLIN_PRACTICE.", "PATH"),
        Option(
            "--parts", "value",
            "Install the files of these parts only. Default: all; with --upgrade: as recorded.",
            "PART[,PART]",
        ),
        Option("--archive", "flag", "The project is no longer built: no handoff, spec, reviews or harness."),
        Option("--no-archive", "flag", "Take a recorded --archive back."),
        Option(
            "--skills", "value",
            "yes (the class's platform), no, or a list of hermes, claude, agents, copilot, cursor, opencode, "
            "gemini. Default: what is recorded, else yes.", "yes|no|LIST",
        ),
        Option(
            "--forge", "value",
            "Whose workflow to add: github, forgejo or gitlab. Default: what is recorded, else github.",
            "FORGE",
        ),
        Option("--opt-out", "many", "Turn the rows of these parts off, in config and record.", "PART[,PART]"),
        Option("--opt-in", "many", "Turn them on again; anchor is off until it is named.", "PART[,PART]"),
        Option(
            "--no-baseline", "flag",
            "Leave findings that were there before the first install red, instead of recording them.",
        ),
        Option("--merge-agents", "flag", "Append a marked block to an AGENTS.md that is already there."),
        Option(
            "--upgrade", "flag",
            "Bring an install up to this version; --class may be left out. Files that you edited are merged; "
            "where that fails yours stays, and ours lies beside it as FILE.goblin-new.",
        ),
        Option("--add-missing-keys", "flag", "Append config keys that are new, with their defaults."),
        Option(
            "--uninstall", "flag",
            "Remove what was installed and is unedited; your pages and the .gitignore block stay.",
        ),
        Option("--purge", "flag", "With --uninstall: the pages and the block too, where nobody edited them."),
        Option("--re-pin", "flag", "Pin the standard as it is now, and do nothing else."),
        Option(
            "--sign", "value",
            "Sign the record with this SSH private key (IN-06), alone or with an install.", "KEY",
        ),
        Option("--check-config", "flag", "Show every fault of the config, and do nothing else."),
        Option("--force", "flag", "Replace files that are in the way; copies go to .goblin/backup/<time>/."),
        Option("--dry-run", "flag", "Show what would be done, and write nothing."),
        Option("--verbose", "flag", "With --dry-run: name each file of the folders that a release fills."),
        Option("--yes", "flag", "Accepted for scripts; nothing is ever asked."),
        Option("--version", "flag", "Show the version."),
    ),
    "Install goblin-stack into a repository, upgrade an install, or take it away again.",
    "Exit codes: 0 done, or nothing to do; 1 a refusal, a conflict or a failed write, with the path and what "
    "mends it; 2 bad input or something missing, and nothing was written; 130 interrupted, and rolled back.",
)  # fmt: skip

JOBS = ("upgrade", "uninstall", "re_pin", "check_config")
"""Options that each say what the whole run is for."""

_BESIDE_SIGNING = ("sign", "target", "dry_run", "verbose", "yes", "version")
"""With nothing but these, `--sign` is the whole job."""


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    return gate.guard(lambda: options.run(COMMAND, given, _install))


def _install(values: Values) -> int:
    if values["version"]:
        from goblin import __version__

        print(f"goblin-install {__version__}")
        return gate.PASSED
    _need_one_job(values)
    if values["uninstall"]:
        from goblin.install.uninstall import Removal, uninstall

        code = uninstall(Removal(values["target"], values["purge"], values["dry_run"]))
        if code == gate.PASSED:
            _take_back_emissions(values["target"], values["dry_run"])
        return code
    if values["re_pin"]:
        from goblin.install.repin import Pinning, re_pin

        return re_pin(Pinning(values["target"], values["dry_run"]))
    if values["check_config"]:
        from goblin.install.checkconfig import check_config

        return check_config(values["target"])
    if values["sign"] and not any(values[name] for name in values if name not in _BESIDE_SIGNING):
        from goblin.install.signing import Signing, sign

        return sign(Signing(values["target"], values["sign"], values["dry_run"]))
    from goblin.adoption import old_findings
    from goblin.install.run import install
    from goblin.install.settle import Request

    return install(
        Request(
            target=values["target"],
            class_name=values["class"],
            models=values["models"],
            practice=values["practice"],
            parts=values["parts"],
            archive=True if values["archive"] else False if values["no_archive"] else None,
            skills=values["skills"],
            opt_out=values["opt_out"],
            opt_in=values["opt_in"],
            dry_run=values["dry_run"],
            verbose=values["verbose"],
            force=values["force"],
            merge_agents=values["merge_agents"],
            upgrade=values["upgrade"],
            forge=values["forge"],
            add_missing_keys=values["add_missing_keys"],
            no_baseline=values["no_baseline"],
            sign=values["sign"],
        ),
        judge=old_findings,
    )


def _take_back_emissions(target: str, dry_run: bool) -> None:
    """Undo by its own ledger what goblin-emit has written in the project; what was edited stays."""
    import os

    from goblin.emit import Refused, hooks, undo
    from goblin.redact import clean

    root = os.path.realpath(os.path.expanduser(target))
    try:
        for line in (*hooks.everything_in(root, dry_run=dry_run), *undo.everything_in(root, dry_run=dry_run)):
            print(clean(line))
    except Refused as refused:
        print(f"note: {clean(refused.message)}", file=sys.stderr)


def _need_one_job(values: Values) -> None:
    """Raise `CannotRun` for options that do not go together."""
    from goblin.outcome import CannotRun

    if not values["target"]:
        raise CannotRun("--target is missing", "name the folder that holds the repository: --target .")
    jobs = [f"--{job.replace('_', '-')}" for job in JOBS if values[job]]
    if len(jobs) > 1:
        raise CannotRun(f"{' and '.join(jobs)} are different jobs", "give one of them")
    if values["sign"] and jobs and jobs != ["--upgrade"]:
        raise CannotRun(f"--sign and {jobs[0]} are different jobs", "give one of them")
    if values["archive"] and values["no_archive"]:
        raise CannotRun("--archive and --no-archive are opposites", "give one of them")
    if values["purge"] and not values["uninstall"]:
        raise CannotRun("--purge goes with --uninstall", "goblin-install --target . --uninstall --purge")


if __name__ == "__main__":
    sys.exit(main())
