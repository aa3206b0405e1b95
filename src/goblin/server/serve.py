"""The protocol: the tools of `tools`, served over standard input and output by the official package."""

from __future__ import annotations

from typing import Any

import anyio
import mcp.types as types
from jsonschema import Draft202012Validator
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from goblin import __version__
from goblin.server.calls import CallRefused, Limits, perform
from goblin.server.tools import Tool, offered

AT_ONCE = 4
"""Calls that run side by side; more of them wait."""

INSTRUCTIONS = (
    "The rules of the repository in the working directory, as data. goblin_verify says which hold right now; "
    "goblin_explain says what one asks; goblin_bans says what may not be written. Nothing is written."
)


def built(limits: Limits, *, allow_record: bool = False) -> Server[Any]:
    """A server that offers the tools."""
    tools = offered(allow_record=allow_record)
    validators = {name: Draft202012Validator(tool.input_schema) for name, tool in tools.items()}
    room = anyio.Semaphore(AT_ONCE)

    async def list_tools(
        context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in tools.values()])

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            return _refused(f"unknown tool: {params.name[:100]}; known are: {', '.join(tools)}")
        arguments = params.arguments or {}
        problems = sorted(validators[tool.name].iter_errors(arguments), key=str)
        if problems:
            where = ".".join(map(str, problems[0].absolute_path)) or "arguments"
            raise MCPError(types.INVALID_PARAMS, f"{where}: {problems[0].message[:300]}")
        try:
            async with room:
                found = await perform(tool, arguments, limits, context.session.report_progress)
        except CallRefused as refused:
            return _refused(str(refused))
        answer = tool.answer(found)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=answer.text)],
            structured_content=answer.value,
            _meta=answer.meta,
        )

    return Server(
        "goblin",
        version=__version__,
        title="goblin-stack",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=not tool.writes and not tool.runs_commands,
            destructive_hint=False,
            idempotent_hint=not tool.writes,
            open_world_hint=False,
        ),
    )


def _refused(message: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=message)], is_error=True)


async def _sift(reading: Any, send: Any, writing: Any) -> None:
    """Pass messages on, and answer what is none: the package drops that without a word (spec install 20)."""
    async with send:
        async for item in reading:
            error = _answer(item) if isinstance(item, ValidationError) else None
            if error is None:
                await send.send(item)
            else:
                await writing.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=error)))


def _answer(error: ValidationError) -> types.ErrorData | None:
    """What is said of a line that is no message; None for one that is ignored."""
    found = error.errors(include_url=False, include_context=False)
    if any(item["type"] == "json_invalid" for item in found):
        return types.ErrorData(code=types.PARSE_ERROR, message="not a line of JSON")
    if any(isinstance(item["input"], list) and len(item["loc"]) < 2 for item in found):
        return types.ErrorData(code=types.INVALID_REQUEST, message="a batch is not taken: one message a line")
    return None


def serve(limits: Limits, *, allow_record: bool = False) -> None:
    """Serve until the client closes standard input."""

    async def run() -> None:
        server = built(limits, allow_record=allow_record)
        async with stdio_server() as (reading, writing), anyio.create_task_group() as group:
            send, heard = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            group.start_soon(_sift, reading, send, writing)
            await server.run(heard, writing, server.create_initialization_options())
            group.cancel_scope.cancel()

    anyio.run(run)
