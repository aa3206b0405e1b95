"""The server as a client sees it, and its calls without a server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import anyio
import mcp.types as types
from mcp import Client, StdioServerParameters, stdio_client

from goblin.server.calls import Limits, perform
from goblin.server.present import Answer
from goblin.server.tools import offered
from tests.emit.driving import Snapshot, snapshot
from tests.support import Repo, hermetic, program

Found = TypeVar("Found")
Told = list[tuple[float, float | None, str]]


def apart(run: Callable[[], Awaitable[Found]]) -> Found:
    """Run to the end in a thread of its own: in ours a browser that another test drove may keep its loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, run).result()


def talk(
    root: Path, body: Callable[[Client], Awaitable[None]], *options: str, mode: str = "auto", **env: str
) -> None:
    """Start the server in a folder, connect the package's own client, and let `body` talk to it."""

    async def run() -> None:
        server = StdioServerParameters(
            command=program("goblin-mcp"), args=list(options), cwd=str(root), env=hermetic(**env)
        )
        async with Client(stdio_client(server), mode=mode) as client:
            await body(client)

    apart(run)


def untouched(repo: Repo) -> Snapshot:
    """Every entry of a repository that a run of the server may not change.

    The bytecode that the repository's own launchers keep in its git directory is theirs.
    """
    found = snapshot(repo.root)
    return {path: entry for path, entry in found.items() if not path.startswith(".git/goblin")}


def text(result: types.CallToolResult) -> str:
    """The text of a result."""
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def call(name: str, limits: Limits | None = None, told: Told | None = None, **arguments: Any) -> Answer:
    """One call from the working directory, without a server; `told` collects the progress."""
    heard: Told = [] if told is None else told

    async def report(done: float, total: float | None, message: str) -> None:
        heard.append((done, total, message))

    async def run() -> Answer:
        tool = offered(allow_record=True)[name]
        return tool.answer(await perform(tool, arguments, limits or Limits(120.0), report))

    return apart(run)
