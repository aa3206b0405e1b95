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
            "E agent fleet, F desktop shell. Required.", "A..F",
        ),
        Option(
            "--models", "value",
            "The model mapping to name in the config; it need not exist. Default: $GOBLIN_MODELS, else "
            "~/.config/goblin/models.yaml.", "PATH",
        ),
        Option("--practice", "value", "The standard to pin by its hash. Default: $GOBLIN_PRACTICE.", "PATH"),
        Option("--parts", "value", "Install the files of these parts only (default: all).", "PART[,PART]"),
        Option("--archive", "flag", "The project is no longer built: no handoff, spec, reviews or harness."),
        Option("--no-archive", "flag", "Take a recorded --archive back."),
        Option(
            "--skills", "value",
            "yes (the class's platform), no, or a list of hermes, claude, agents, copilot, cursor, opencode, "
            "gemini. Default: what is recorded, else yes.", "yes|no|LIST",
        ),
        Option("--opt-out", "many", "Turn the rows of these parts off, in config and record.", "PART[,PART]"),
        Option("--opt-in", "many", "Turn them on again.", "PART[,PART]"),
        Option("--merge-agents", "flag", "Append a marked block to an AGENTS.md that is already there."),
        Option("--force", "flag", "Replace files that are in the way; copies go to .goblin/backup/<time>/."),
        Option("--dry-run", "flag", "Show what would be written, and write nothing."),
        Option("--yes", "flag", "Accepted for scripts; nothing is ever asked."),
        Option("--version", "flag", "Show the version."),
    ),
    "Install goblin-stack into a repository, or bring an install of this version up to date.",
    "Exit codes: 0 installed, or nothing to do; 1 a refusal or a failed write, with the path and what mends "
    "it; 2 bad input or something missing, and nothing was written; 130 interrupted, and rolled back.",
)  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name that the terminal cannot show ends no install
            stream.reconfigure(errors="backslashreplace")
    return gate.guard(lambda: options.run(COMMAND, given, _install))


def _install(values: Values) -> int:
    from goblin.install.run import install
    from goblin.install.settle import Request
    from goblin.outcome import CannotRun

    if values["version"]:
        from goblin import __version__

        print(f"goblin-install {__version__}")
        return gate.PASSED
    if not values["target"]:
        raise CannotRun("--target is missing", "name the folder that holds the repository: --target .")
    if values["archive"] and values["no_archive"]:
        raise CannotRun("--archive and --no-archive are opposites", "give one of them")
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
            force=values["force"],
            merge_agents=values["merge_agents"],
        )
    )


if __name__ == "__main__":
    sys.exit(main())
