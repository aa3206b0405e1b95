"""goblin-mcp: what the commands say of a repository, as tools of the Model Context Protocol over stdio.

It never writes, except turns of a loop when it is started with `--allow-record`, and `.mcp.json` by
`--register`. The protocol is that of the official `mcp` package, which the extra `mcp` brings.
"""

from __future__ import annotations

import os
import sys

from goblin.commands import gate, options
from goblin.commands.loop_place import whole
from goblin.commands.options import Option, Values
from goblin.outcome import CannotRun

TIMEOUT = 1800
LONGEST = 86_400

COMMAND = options.Command(
    "goblin-mcp",
    (
        Option("--allow-record", "flag", "Offer goblin_loop_record too, which appends to the open loop."),
        Option("--static", "flag", "Run no command that a repository declares."),
        Option("--timeout", "value", f"Seconds that one call may take (default: {TIMEOUT}).", "SECONDS"),
        Option("--register", "flag", "Write .mcp.json into the project, so that clients find the server."),
        Option("--unregister", "flag", "Remove .mcp.json while it is as --register wrote it."),
        Option("--target", "value", "The project, for --register and --unregister (default: here).", "DIR"),
        Option("--version", "flag", "Show the version."),
    ),
    "Serve the tools goblin_verify, goblin_explain, goblin_bans, goblin_loop_status, goblin_map_status and "
    "goblin_init_status to an MCP client, over standard input and output. Nothing is written.",
    "Exit codes: 0 the client has closed the connection; 1 --register or --unregister would touch a file "
    "of somebody's own; 2 bad usage, or the extra is missing; 130 interrupted.",
)


def main(argv: list[str] | None = None) -> int:
    """Run the command with `argv` (default: the process's own) and return its exit code."""
    given = sys.argv[1:] if argv is None else argv
    return gate.guard(lambda: options.run(COMMAND, given, _serve))


def _serve(values: Values) -> int:
    if values["version"]:
        from goblin import __version__

        print(f"goblin-mcp {__version__}")
        return gate.PASSED
    if values["register"] or values["unregister"]:
        return _registration(values)
    seconds = whole(values["timeout"], "--timeout", LONGEST, TIMEOUT)
    try:
        from goblin.server.calls import Limits
        from goblin.server.serve import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "goblin":
            raise
        told = f"the extra mcp is not installed (no module {error.name})"
        raise CannotRun(told, "pip install 'goblin-stack[mcp]'") from error
    serve(Limits(seconds, values["static"]), allow_record=values["allow_record"])
    return gate.PASSED


def _registration(values: Values) -> int:
    from goblin.server import registration

    if values["register"] and values["unregister"]:
        raise CannotRun("--register and --unregister are different jobs", "give one of them")
    root = os.path.realpath(os.path.expanduser(values["target"]) or os.getcwd())
    if not os.path.isdir(root):
        raise CannotRun(f"--target {root} is not a folder", "name an existing folder")
    work = registration.register if values["register"] else registration.unregister
    done, told = work(root)
    if not done:
        return gate.refuse(told)
    print(told)
    return gate.PASSED


if __name__ == "__main__":
    sys.exit(main())
