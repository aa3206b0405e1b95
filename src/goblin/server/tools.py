"""The table of tools: what each is called, what it takes and gives, and what does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from goblin.server import present, schemas
from goblin.server.present import Answer, Value
from goblin.server.schemas import Schema


class Tool(NamedTuple):
    """One tool.

    `command` gives the words of the package's command that does it (module, then arguments), None where
    the worker does. `answer` makes a result of what was found.
    """

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    answer: Callable[[Value], Answer]
    command: Callable[[Value, bool], list[str]] | None = None
    runs_commands: bool = False  # it may run what the repository declares
    writes: bool = False


def _bans(arguments: Value, static: bool) -> list[str]:
    words = ["goblin.commands.bans", "--json", "--no-cache"]
    words += ["--static"] if static else []
    return words + (["--only", arguments["only"]] if "only" in arguments else [])


def _loop_status(arguments: Value, static: bool) -> list[str]:
    return ["goblin.commands.loop", "status", "--json"]


def _loop_record(arguments: Value, static: bool) -> list[str]:
    words = ["goblin.commands.loop", "record"]
    for name in ("phase", "decision", "why", "evidence", "result"):
        if name in arguments:
            words.append(f"--{name}={arguments[name]}")
    return words + (["--check"] if arguments.get("check") else [])


READING = (
    Tool(
        "goblin_verify",
        "Verify the repository",
        "Run the repository's rules and say which hold. Without `only`: every rule, the declared gates too.",
        schemas.VERIFY_IN,
        schemas.VERIFY_OUT,
        lambda found: present.report(
            found,
            "verified",
            "mend what a remedy names, then verify again; goblin_explain says what a row reads",
        ),
        runs_commands=True,
    ),
    Tool(
        "goblin_explain",
        "Explain a rule",
        "Say what one rule asks, what it reads, what mends it, and what it cannot see.",
        schemas.EXPLAIN_IN,
        schemas.EXPLAIN_OUT,
        present.explain,
    ),
    Tool(
        "goblin_bans",
        "Look for banned code",
        "Say which bans the code breaks, where, and what to write instead. Ask before writing code.",
        schemas.BANS_IN,
        schemas.BANS_OUT,
        lambda found: present.report(found, "banned code", "write what `remedy` names instead"),
        _bans,
        runs_commands=True,
    ),
    Tool(
        "goblin_loop_status",
        "Status of the loop",
        "Say how the record of the unattended run stands: what is spent, what its rows say, what comes next.",
        schemas.LOOP_STATUS_IN,
        schemas.LOOP_STATUS_OUT,
        present.loop_status,
        _loop_status,
    ),
    Tool(
        "goblin_map_status",
        "Status of the feature map",
        "Say for each feature of the declared map when it was last driven and whether its entry paths still "
        "occur in the source.",
        schemas.NOTHING,
        schemas.MAP_STATUS_OUT,
        present.map_status,
    ),
    Tool(
        "goblin_init_status",
        "What is installed",
        "Say whether goblin-stack is installed here, with which class, gates and engine.",
        schemas.NOTHING,
        schemas.INIT_STATUS_OUT,
        present.init_status,
    ),
)

RECORD = Tool(
    "goblin_loop_record",
    "Record a turn of the loop",
    "Append one row to the decisions of the open loop. Refused where its evidence does not resolve.",
    schemas.LOOP_RECORD_IN,
    schemas.LOOP_RECORD_OUT,
    lambda found: present.loop_record(found["told"]),
    _loop_record,
    runs_commands=True,
    writes=True,
)


def offered(*, allow_record: bool) -> dict[str, Tool]:
    """The tools by name; the one that writes only where it is allowed."""
    return {tool.name: tool for tool in (*READING, *([RECORD] if allow_record else []))}
