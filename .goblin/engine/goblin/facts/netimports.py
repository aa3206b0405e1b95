"""Python modules that open connections, and the imports that reach for them (spec AU-01)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_MODULES = (
    "socket ssl http urllib.request ftplib smtplib poplib imaplib "
    "telnetlib xmlrpc socketserver requests httpx aiohttp urllib3 websockets paramiko"
)
MODULES = frozenset(_MODULES.split())


class PythonError(Exception):
    """A program that cannot be read; the message says where and why."""


def parsed(text: str) -> ast.Module:
    """A program as a tree; raises `PythonError` for text that is no Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
        raise PythonError(f"{place}{getattr(error, 'msg', '') or type(error).__name__}") from error


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """What one import reaches for, in words."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif node.level:
        return
    else:
        names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
    for name in names:
        module = listed(name)
        if module:
            yield f"import {module}"


def listed(name: str) -> str:
    """The listed module that `name` is, or is part of."""
    parts = name.split(".")
    ways = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
    return next((way for way in ways if way in MODULES), "")


def imports(text: str) -> list[str]:
    """What the imports of a program reach for, in words; raises `PythonError`."""
    nodes = [node for node in ast.walk(parsed(text)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return [what for node in nodes for what in imported(node)]
