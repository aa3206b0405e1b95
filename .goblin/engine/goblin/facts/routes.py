"""Write handlers that a route file exports, and whether each of them validates its input (spec SC-05).

A handler validates when a call of a validator can be reached from it inside its own file: through the
functions of that file that it names. A handler that comes from another file is followed there, once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from goblin.facts.jsscript import Binding, Script
from goblin.facts.jstokens import STRING
from goblin.pattern import lazy

METHODS = ("POST", "PUT", "PATCH", "DELETE")
FILES = frozenset({"route.ts", "route.tsx", "route.js", "route.jsx", "route.mjs"})
LIBRARIES = ("zod", "valibot", "yup", "ajv", "superstruct", "arktype", "joi")

MAY_HANDLE = lazy(rb"\b(?:POST|PUT|PATCH|DELETE)\b|\bexport\s*\*")
"""A content without a match exports no write handler."""

_ALWAYS = frozenset({"safeParse", "safeParseAsync", "validate", "validateSync", "validateAsync"})
_NOT_SCHEMAS = frozenset({"JSON", "Date", "URL", "path"})

Resolve: TypeAlias = Callable[[str], Script | None]
"""The script that a module name stands for, seen from the file at hand; None where it is not read."""


class Handler(NamedTuple):
    """One exported write handler. `why` says what is missing, "" where the input is validated."""

    method: str
    line: int
    column: int
    why: str


class _Export(NamedTuple):
    name: str
    at: int
    start: int = 0
    end: int = 0
    local: str = ""  # the name in this file
    module: str = ""  # where it comes from
    outer: str = ""  # what that module calls it


def handlers(script: Script, resolve: Resolve) -> list[Handler]:
    """Every write handler of a route file."""
    found: dict[str, Handler] = {}
    for export in _exports(script):
        names = METHODS if export.name == "*" else (export.name,)
        for name in names:
            if name not in METHODS or name in found:
                continue
            why = _judge(script, export._replace(outer=name) if export.name == "*" else export, resolve)
            if why is not None:
                found[name] = Handler(name, *script.place(export.at), why)
    if not script.sound:
        for method, line, column in _probe(script.text):
            if method not in found:
                found[method] = Handler(method, line, column, "the file does not read cleanly")
    return sorted(found.values(), key=lambda handler: (handler.line, handler.column))


def _probe(text: str) -> Iterator[tuple[str, int, int]]:
    pattern = rf"(?m)^\s*export\s+(?:async\s+)?(?:function|const|let|var)\s+({'|'.join(METHODS)})\b"
    for match in re.finditer(pattern, text):
        line = text.count("\n", 0, match.start(1)) + 1
        yield match[1], line, match.start(1) - text.rfind("\n", 0, match.start(1))


# --- what a file exports ----------------------------------------------------------------------------


def _exports(script: Script) -> Iterator[_Export]:
    for word in range(len(script.tokens)):
        if not script.named(word, "export") or script.sign(word - 1, ".", "?.") or script.sign(word + 1, ":"):
            continue
        after = word + 1
        after += script.named(after, "async")
        if script.named(after, "function"):
            name = after + 2 if script.sign(after + 1, "*") else after + 1
            if script.named(name):
                yield _Export(script.tokens[name].text, name, after, script.function_end(after))
        elif script.named(after, "const", "let", "var"):
            for declared, binding in script.declarators(after):
                at = next((i for i in range(after, len(script.tokens)) if script.named(i, declared)), after)
                yield _Export(declared, at, binding.start, binding.end)
        elif script.sign(after, "{") and after in script.partner:
            yield from _listed(script, after)
        elif script.sign(after, "*") and script.named(after + 1, "from"):
            yield _Export("*", after, module=_text(script, after + 2))


def _listed(script: Script, opened: int) -> Iterator[_Export]:
    """The names of `export { x as POST }`, from another module or from this file."""
    closed = script.partner[opened]
    module = _text(script, closed + 2) if script.named(closed + 1, "from") else ""
    for first, last in script.split(opened + 1, closed):
        if script.named(first, "type") and last - first in (2, 4):
            continue
        inner, outer = script.tokens[first].text, script.tokens[last - 1].text
        yield _Export(outer, last - 1, local=inner, module=module, outer=inner)


def _text(script: Script, at: int) -> str:
    token = script.tokens[at] if at < len(script.tokens) else None
    return token.text if token and token.kind == STRING else ""


# --- whether one of them validates -----------------------------------------------------------------------


def _judge(script: Script, export: _Export, resolve: Resolve, *, follow: bool = True) -> str | None:
    """Why the handler does not validate, "" where it does, None where there is no such handler."""
    if export.module:
        return _elsewhere(export, resolve, follow)
    start, end = export.start, export.end
    name = export.local or (script.tokens[start].text if end - start == 1 and script.named(start) else "")
    if name:
        bindings = script.bindings.get(name, [])
        if imported := next((b for b in bindings if b.kind == "import"), None):
            return _elsewhere(export._replace(module=imported.module, outer=imported.name), resolve, follow)
        ranges = [(b.start, b.end) for b in bindings if b.end]
    else:
        ranges = [(start, end)]
    if export.start and export.start == export.end:
        return None  # a declaration without a body
    return "" if _reaches(script, ranges, resolve) else "no validator is called"


def _elsewhere(export: _Export, resolve: Resolve, follow: bool) -> str | None:
    if not follow:
        return f"it comes from {export.module}, which was not followed further"
    script = resolve(export.module)
    if script is None:
        return None if export.name == "*" else f"it comes from {export.module}, which is not read here"
    for inner in _exports(script):
        if inner.name == export.outer:
            return _judge(script, inner, lambda _: None, follow=False)
    if export.name == "*":
        return None
    return f"{export.module} does not export {export.outer} in a way that is read here"


def _reaches(script: Script, ranges: list[tuple[int, int]], resolve: Resolve) -> bool:
    """True where a validator is called in these stretches, or in the functions that they name."""
    seen: set[str] = set()
    waiting = list(ranges)
    while waiting:
        start, end = waiting.pop()
        for at in range(start, end):
            if not script.named(at):
                continue
            if _is_call(script, at) and _validates(script, at, resolve):
                return True
            name = script.tokens[at].text
            if name in seen or script.sign(at - 1, ".", "?.") or script.sign(at + 1, ":"):
                continue
            seen.add(name)
            waiting += [(b.start, b.end) for b in script.bindings.get(name, []) if _is_function(script, b)]
    return False


def _is_function(script: Script, binding: Binding) -> bool:
    if binding.kind == "function":
        return True
    stretch = script.tokens[binding.start : binding.end]
    return any(token.text == "=>" or token.text == "function" for token in stretch)


def _is_call(script: Script, at: int) -> bool:
    """True for a name that is called here, and not declared."""
    if script.named(at - 1, "function", "get", "set", "class"):
        return False
    behind = at + 1
    if script.sign(behind, "<"):  # type arguments
        while behind < min(at + 40, len(script.tokens)) and not script.sign(behind, "(", ";"):
            behind += 1
    behind += script.sign(behind, "?.")
    if not script.sign(behind, "("):
        return False
    closed = script.partner.get(behind, behind)
    return not script.sign(closed + 1, "{") or script.sign(at - 1, ".", "?.")


def _validates(script: Script, at: int, resolve: Resolve) -> bool:
    name = script.tokens[at].text
    member = script.sign(at - 1, ".", "?.")
    if name in _ALWAYS:
        return True
    if name in ("parse", "parseAsync"):
        if not member:
            return _library_of(script, name) != ""
        receiver = script.receiver(at - 1)
        if not receiver or receiver[0] in _NOT_SCHEMAS:
            return False
        return _imports_library(script) or _comes_with_library(script, receiver[0], resolve)
    if name in ("assert", "create"):
        root = script.receiver(at - 1)[:1] if member else (name,)
        return any(_library_of(script, part) == "superstruct" for part in root)
    return not member and _is_compiled(script, name)


def _library(module: str) -> str:
    parts = module.split("/")
    return next((part for part in parts[:2] if part in LIBRARIES), "")


def _imports_library(script: Script) -> bool:
    return any(_library(module) for module in script.modules)


def _library_of(script: Script, name: str) -> str:
    """The validator library that a name is imported from, or ""."""
    found = (_library(b.module) for b in script.bindings.get(name, []) if b.kind == "import")
    return next((library for library in found if library), "")


def _comes_with_library(script: Script, name: str, resolve: Resolve) -> bool:
    """True for a schema that is imported from a file which imports a validator library."""
    for binding in script.bindings.get(name, []):
        if binding.kind == "import":
            source = resolve(binding.module)
            if source is not None and _imports_library(source):
                return True
    return False


def _is_compiled(script: Script, name: str) -> bool:
    """True for what a schema compiler made: `ajv.compile(schema)`, or a type of arktype."""
    binding = script.constant(name)
    chain = script.chain(binding.start, binding.end) if binding else ()
    if chain[-2:] == ("compile", "()"):
        return any(_library(module) == "ajv" for module in script.modules)
    return chain == ("type", "()") and _library_of(script, "type") == "arktype"
