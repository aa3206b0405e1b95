"""`.mcp.json`: how a client of a project finds the server. Written on explicit request only.

A file that somebody has customised is never touched, and one is removed only while its bytes are ours
(spec install 20).
"""

from __future__ import annotations

import json
import os

from goblin.outcome import CannotRun
from goblin.paths import ReadRefused, Tree

FILE = ".mcp.json"
LIMIT = 1 << 20
OURS = (
    json.dumps({"mcpServers": {"goblin": {"command": "goblin-mcp", "args": []}}}, indent=2) + "\n"
).encode()


def is_registered(root: str) -> bool:
    """True where the file of a project starts goblin-mcp, whoever wrote it."""
    try:
        value = json.loads(Tree(root).text(FILE, LIMIT))
        servers = value["mcpServers"].values()
        return any(os.path.basename(str(server["command"])) == "goblin-mcp" for server in servers)
    except (ReadRefused, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return False


def register(root: str) -> tuple[bool, str]:
    """Write the file where there is none; whether the server is registered now, and what is said of it."""
    from goblin import atomic

    tree = Tree(root)
    kind = tree.kind(FILE)
    if kind == "missing":
        try:
            atomic.write(tree.full(FILE), OURS)
        except OSError as error:
            raise CannotRun(f"{FILE}: {error.strerror}", "make the folder writable") from error
        return True, f"wrote {FILE}"
    if _ours(tree):
        return True, f"unchanged {FILE}"
    if is_registered(root):
        return True, f"unchanged {FILE}: it starts goblin-mcp already"
    told = f"{FILE} is somebody's own and is not touched"
    return (
        False,
        f"{told}; add this entry to its mcpServers: {json.dumps({'goblin': {'command': 'goblin-mcp'}})}",
    )


def unregister(root: str) -> tuple[bool, str]:
    """Remove the file while its bytes are ours; whether it is gone now, and what is said of it."""
    tree = Tree(root)
    if tree.kind(FILE) == "missing":
        return True, f"there is no {FILE}"
    if not _ours(tree):
        return False, f"{FILE} was customised and is not touched; take the entry out by hand"
    try:
        os.unlink(tree.full(FILE))
    except OSError as error:
        raise CannotRun(f"{FILE}: {error.strerror}", "make the folder writable") from error
    return True, f"removed {FILE}"


def _ours(tree: Tree) -> bool:
    try:
        return tree.read(FILE, LIMIT) == OURS
    except ReadRefused:
        return False
