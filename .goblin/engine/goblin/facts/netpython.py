"""What a Python program runs and imports that reaches the network (spec AU-01)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from goblin.facts import netshell
from goblin.facts.netimports import imported, listed, parsed
from goblin.facts.netshell import Hit, words
from goblin.facts.shelltokens import ShellError

_RUNS = words(
    "run call check_call check_output Popen getoutput getstatusoutput system popen "
    "run_shell execl execle execlp execlpe execv execve execvp execvpe posix_spawn "
    "posix_spawnp spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe "
    "create_subprocess_exec create_subprocess_shell"
)


def hits(text: str) -> list[Hit]:
    """Every hit of a program; raises `PythonError` for text that is no Python."""
    tree = parsed(text)
    found: set[Hit] = set()
    lists = _lists(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(Hit(node.lineno, what) for what in imported(node))
        elif isinstance(node, ast.Call):
            found.update(_call(node, lists))
    return sorted(found)


def _lists(tree: ast.AST) -> dict[str, list[list[str]]]:
    """The argument lists that names are given anywhere in the program."""
    found: dict[str, list[list[str]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, (ast.List, ast.Tuple)):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(_words(node.value))
    return found


def _words(node: ast.List | ast.Tuple) -> list[str]:
    """The words of a literal; what is computed stands as an empty word."""
    return [
        item.value if isinstance(item, ast.Constant) and isinstance(item.value, str) else ""
        for item in node.elts
    ]


def _call(node: ast.Call, lists: dict[str, list[list[str]]]) -> Iterator[Hit]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in ("import_module", "__import__") and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and listed(first.value):
            yield Hit(node.lineno, f"import {listed(first.value)}")
    if name not in _RUNS:
        return
    given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg in ("args", "argv"))]
    literal = [item for item in given if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    if len(literal) > 1:  # the words stand one by one: execlp("curl", "curl", ...)
        yield from netshell.command_hits([str(item.value) for item in literal], node.lineno)
    for item in given:
        yield from _argument(item, node.lineno, lists)


def _argument(item: ast.expr, line: int, lists: dict[str, list[list[str]]]) -> Iterator[Hit]:
    while isinstance(item, ast.BinOp):
        item = item.left
    if isinstance(item, (ast.List, ast.Tuple)):
        yield from netshell.command_hits(_words(item), line)
    elif isinstance(item, ast.Name):
        for words in lists.get(item.id, ()):
            yield from netshell.command_hits(words, line)
    elif isinstance(item, ast.Constant) and isinstance(item.value, str):
        yield from _text(item.value, line)
    elif isinstance(item, ast.JoinedStr):
        # A hole is a word of its own here: what is put in is not known.
        parts = [part.value if isinstance(part, ast.Constant) else "_" for part in item.values]
        yield from _text("".join(map(str, parts)), line)


def _text(script: str, line: int) -> Iterator[Hit]:
    """Hits of a string that is run; most strings of such calls are no scripts and hold none."""
    try:
        found = netshell.hits(script)
    except ShellError:
        found = list(netshell.command_hits(script.split(), line))
    for hit in found:
        yield Hit(line, hit.what)
