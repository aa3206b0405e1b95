"""goblin-mcp over standard input and output, with the package's own client."""

from __future__ import annotations

import json
import os
import select
import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError
from mcp.shared.dispatcher import ProgressFnT

from goblin import __version__
from tests.server.driving import Told, talk, text, untouched
from tests.support import Repo, hermetic, program, run_cli

NAMES = [
    "goblin_verify",
    "goblin_explain",
    "goblin_bans",
    "goblin_loop_status",
    "goblin_map_status",
    "goblin_init_status",
]
ARGUMENTS: dict[str, dict[str, Any]] = {name: {} for name in NAMES} | {"goblin_explain": {"row": "HP-02"}}


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("goblin_verify", {"only": 3}, "only: 3 is not of type 'string'"),
    ("goblin_verify", {"only": "HP-01", "more": "x"}, "'more' was unexpected"),
    ("goblin_verify", {"only": "; rm -rf x"}, "does not match"),
    ("goblin_explain", {}, "'row' is a required property"),
    ("goblin_map_status", {"target": "."}, "'target' was unexpected"),
]


def test_every_tool_answers_and_nothing_is_written(sample: Repo) -> None:
    """By its schemas; a whole run leaves every byte as it is, and tells how far it is, row by row."""
    before = untouched(sample)
    told: Told = []

    async def body(client: Client) -> None:
        info = client.server_info
        assert info is not None
        assert (info.name, info.title, info.version) == ("goblin", "goblin-stack", __version__)
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == NAMES
        for name, tool in tools.items():
            assert tool.description
            assert tool.output_schema
            Draft202012Validator.check_schema(tool.input_schema)
            Draft202012Validator.check_schema(tool.output_schema)
            result = await client.call_tool(name, ARGUMENTS[name], progress_callback=_into(told, name))
            assert not result.is_error, text(result)
            Draft202012Validator(tool.output_schema).validate(result.structured_content)
            assert len(text(result)) > 10
        for name, arguments, problem in WRONG:
            with pytest.raises(MCPError) as caught:
                await client.call_tool(name, arguments)
            assert caught.value.code == -32602
            assert problem in caught.value.message
        unknown = await client.call_tool("goblin_loop_record", {})
        assert unknown.is_error
        assert text(unknown).startswith("unknown tool: goblin_loop_record; known are: goblin_verify")

    talk(sample.root, body)
    assert untouched(sample) == before
    numbers = [done for done, _, _ in told]
    assert len(numbers) > 50
    assert numbers == sorted(set(numbers))
    assert len({total for _, total, _ in told}) == 1
    messages = [message for _, _, message in told]
    assert any(message.endswith(", HP-01") for message in messages)
    assert "gate commit" in messages


def _into(told: Told, name: str) -> ProgressFnT | None:
    """Collects the progress of goblin_verify."""

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message or ""))

    return heard if name == "goblin_verify" else None


def test_a_cancelled_call_ends_everything_that_it_started(sample: Repo, tmp_path: Path) -> None:
    """The worker, and the gate that it runs; the server goes on. Here the client is of the older era."""
    os.mkfifo(tmp_path / "fifo")
    config = sample.read(".goblin/goblin.yaml").replace(
        "gates:\n", f"gates:\n  - name: waits\n    cmd: 'echo $$ > {tmp_path}/pid; cat {tmp_path}/fifo'\n", 1
    )
    sample.write({".goblin/goblin.yaml": config})
    ended: list[bool] = []

    async def body(client: Client) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "goblin_verify", {"only": "GT-02"})
            held = await anyio.to_thread.run_sync(os.open, tmp_path / "fifo", os.O_WRONLY)
            gate = os.pidfd_open(int((tmp_path / "pid").read_text()))
            group.cancel_scope.cancel()
        ended.append(await anyio.to_thread.run_sync(_ends, gate))
        os.close(held)
        assert [tool.name for tool in (await client.list_tools()).tools] == NAMES
        assert not (await client.call_tool("goblin_init_status")).is_error

    talk(sample.root, body, mode="legacy")
    assert ended == [True]


def _ends(process: int) -> bool:
    """Wait until a process has ended."""
    poller = select.poll()
    poller.register(process, select.POLLIN)
    found = poller.poll(60_000)
    os.close(process)
    return bool(found)


def test_a_turn_is_recorded_only_where_that_is_allowed(sample: Repo) -> None:
    """With `--allow-record` a row is appended, or refused with the reason."""
    turn = {"phase": "code", "decision": "verdict:continue", "why": "not done yet", "check": True}
    record = ".goblin/loop/decisions.tsv"

    async def allowed(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == [*NAMES, "goblin_loop_record"]
        annotations = tools["goblin_loop_record"].annotations
        assert annotations is not None
        assert annotations.read_only_hint is False
        result = await client.call_tool("goblin_loop_record", turn)
        assert result.is_error
        assert "refused: " in text(result)
        started = run_cli("goblin-loop", "start", "--predicate", "test -e done", "--budget", "5", cwd=sample)
        assert started.code == 0, started.err
        rows = sample.read(record).count("\n")
        result = await client.call_tool("goblin_loop_record", turn)
        assert not result.is_error, text(result)
        assert sample.read(record).count("\n") == rows + 1
        assert "not done yet" in sample.read(record)
        status = await client.call_tool("goblin_loop_status")
        assert (status.structured_content["state"], status.structured_content["spent"]) == ("open", 1)
        forged = await client.call_tool(
            "goblin_loop_record",
            {**turn, "check": False, "result": "predicate:green", "decision": "verdict:done",
             "evidence": "sha:" + "0" * 40},
        )  # fmt: skip
        assert forged.is_error
        assert sample.read(record).count("\n") == rows + 1

    talk(sample.root, allowed, "--allow-record")


def test_lines_that_are_no_message_are_answered_or_ignored(tmp_path: Path) -> None:
    """A parse error, a batch, an unknown method, a ping; the end of input is exit 0."""
    opening = {
        "protocolVersion": "2024-11-05",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    lines = [
        "no json",
        '[{"jsonrpc":"2.0","id":7,"method":"ping"}]',
        '{"jsonrpc":"2.0","id":8}',
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}),
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","id":2,"method":"nothing"}',
        '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"goblin_init_status"}}',
        '{"jsonrpc":"2.0","id":3,"method":"ping"}',
    ]
    with subprocess.Popen(
        [program("goblin-mcp")],
        cwd=tmp_path,
        env=hermetic(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        replies: list[dict[str, Any]] = []
        while not replies or replies[-1].get("id") != 3:
            replies.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        assert process.wait() == 0
    by_id = {reply["id"]: reply for reply in replies if reply["id"]}
    errors = sorted(reply["error"]["code"] for reply in replies if reply["id"] is None)
    assert errors == [-32700, -32600]
    assert by_id[1]["result"]["protocolVersion"] == "2024-11-05"
    assert by_id[1]["result"]["serverInfo"]["title"] == "goblin-stack"
    assert by_id[2]["error"]["code"] == -32601
    assert by_id[3]["result"] == {}
    assert set(by_id) == {1, 2, 3}
