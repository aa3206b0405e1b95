"""What a project declares to depend on: its manifests at the root, read as data.

A manifest that cannot be read has a `problem` and no dependencies; the row that needs them FAILs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.paths import Tree

LIMIT = 8 << 20
NPM_KINDS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")

_REQUIRE = lazy(r"(?m)^[ \t]*+require[ \t]+(?:\(([^)]*)\)|(\S+\s+v\S+))")
_NAME = lazy(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?\s*(@)?")

_ENDLESS = lazy(r"""(?<![A-Za-z0-9_-])(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}""")


class Manifest(NamedTuple):
    """One manifest. `data` is what it holds, `declares` how many dependencies it names."""

    name: str
    data: dict[str, Any]
    declares: int
    problem: str = ""


def load_json(data: bytes) -> Any:
    """The value of a JSON text (a byte-order mark is tolerated); raises `ValueError`."""
    import json

    try:
        return json.loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def load_toml(data: bytes) -> dict[str, Any]:
    """The value of a TOML text; raises `ValueError`."""
    import tomllib

    text = data.decode("utf-8-sig").replace("\r\n", "\n")
    if _ENDLESS.search(text):  # the parser takes the square of their number
        raise ValueError("a key of more than 64 parts")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _package_json(data: bytes) -> tuple[dict[str, Any], int]:
    value = load_json(data)
    if not isinstance(value, dict):
        raise ValueError("the root is no object")
    return value, sum(len(table(value, kind)) for kind in NPM_KINDS)


def _pyproject(data: bytes) -> tuple[dict[str, Any], int]:
    value = load_toml(data)
    project = table(value, "project")
    count = len(items(project, "dependencies"))
    for lists in (table(project, "optional-dependencies"), table(value, "dependency-groups")):
        count += sum(len(items(lists, key)) for key in lists)
    poetry = table(table(value, "tool"), "poetry")
    count += len(table(poetry, "dependencies").keys() - {"python"}) + len(table(poetry, "dev-dependencies"))
    for group in table(poetry, "group").values():
        count += len(table(group, "dependencies"))
    return value, count


def _cargo(data: bytes) -> tuple[dict[str, Any], int]:
    value = load_toml(data)
    places = [value, table(value, "workspace"), *table(value, "target").values()]
    kinds = ("dependencies", "dev-dependencies", "build-dependencies")
    return value, sum(len(table(place, kind)) for place in places for kind in kinds)


def _go_mod(data: bytes) -> tuple[dict[str, Any], int]:
    text = re.sub(r"//[^\n]*", "", data.decode("utf-8-sig"))
    lines = [line for match in _REQUIRE.finditer(text) for line in (match[1] or match[2] or "").split("\n")]
    required = [line.split()[0] for line in lines if line.split()]
    return {"require": required}, len(required)


def _pipfile(data: bytes) -> tuple[dict[str, Any], int]:
    value = load_toml(data)
    return value, len(table(value, "packages")) + len(table(value, "dev-packages"))


READERS = {
    "package.json": _package_json,
    "pyproject.toml": _pyproject,
    "Pipfile": _pipfile,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
}


def read(tree: Tree) -> dict[str, Manifest]:
    """Every manifest that stands at the root."""
    found = {}
    for name, reader in READERS.items():
        if tree.kind(name) == "missing":
            continue
        try:
            found[name] = Manifest(name, *reader(tree.read(name, LIMIT)))
        except ReadRefused as error:
            found[name] = Manifest(name, {}, 0, str(error).partition(": ")[2])
        except ValueError as error:
            found[name] = Manifest(name, {}, 0, f"not readable: {error}")
    return found


def table(value: object, key: str) -> dict[str, Any]:
    """The mapping under a key; an empty one where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def items(value: object, key: str) -> list[Any]:
    """The list under a key; an empty one where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def normal(name: str) -> str:
    """A Python distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


class Requirement(NamedTuple):
    """A Python requirement without its marker: the name, and its version conditions sorted."""

    name: str
    conditions: tuple[str, ...]
    direct: bool  # names a URL instead of versions


def requirement(text: str) -> Requirement | None:
    """A requirement as packaging tools write it, or None for a text that is none."""
    spelled = text.partition(";")[0]
    match = _NAME.match(spelled)
    if match is None:
        return None
    rest = spelled[match.end() :].strip().strip("()")
    parts = (re.sub(r"\s+", "", part) for part in rest.split(",")) if not match[3] else ()
    return Requirement(normal(match[1]), tuple(sorted(part for part in parts if part)), bool(match[3]))


def python_requirements(project: dict[str, Any]) -> Iterator[Requirement]:
    """What `[project]` requires, extras included."""
    extras = table(project, "optional-dependencies")
    for text in [*items(project, "dependencies"), *(text for key in extras for text in items(extras, key))]:
        found = requirement(text) if isinstance(text, str) else None
        if found:
            yield found
