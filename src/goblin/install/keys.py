"""Config keys that a newer release knows and a project's config does not hold yet (spec install 8).

An absent key always means its default. Adding it is for whoever wants to see it: what is appended
says the default and changes no verdict, and every byte before it stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from goblin.generated.config_defaults import DEFAULTS
from goblin.install.config import PATH
from goblin.outcome import CannotRun
from goblin.yaml import List, Map, Node, YamlError, is_unset, load, scalar, set_key


class Missing(NamedTuple):
    """One key that is not there. `members` are those of a whole block that is missing."""

    key: str  # dotted
    value: str  # its default as YAML on one line; "" for not set
    comment: tuple[str, ...]  # its lines of explanation, without the sign
    members: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        defaults = [(f"{self.key}.{name}", value) for name, value in self.members]
        return ", ".join(
            f"{key} (default: {value or 'empty'})" for key, value in defaults or [(self.key, self.value)]
        )


def missing(config: Map, template: bytes) -> list[Missing]:
    """The keys of the template that a config lacks, in the template's order."""
    root = load(template, PATH)
    lines = template.decode("utf-8").splitlines()
    found = []
    for key, node in root.items() if isinstance(root, Map) else ():
        if not isinstance(root, Map):
            continue
        if key not in config:
            comment = tuple(_comment(lines, root.marks[key][0]))
            found.append(Missing(key, _default(key, node), comment, tuple(_members(key, node))))
            continue
        here = config[key]
        if isinstance(node, Map) and (isinstance(here, Map) or is_unset(here)):
            names = here if isinstance(here, Map) else ()
            found += [
                Missing(f"{key}.{name}", _default(f"{key}.{name}", member), ())
                for name, member in node.items()
                if name not in names
            ]
    return found


def _members(key: str, node: Node) -> Iterator[tuple[str, str]]:
    for name, member in node.items() if isinstance(node, Map) else ():
        yield name, _default(f"{key}.{name}", member)


def _default(key: str, node: Node) -> str:
    if isinstance(node, List):
        return "[]"
    value = DEFAULTS.get(key, "")
    return scalar(value) if value else ""


def _comment(lines: list[str], line: int) -> list[str]:
    """The comment lines that stand right above a line (counted from 1)."""
    found: list[str] = []
    for text in reversed(lines[: line - 1]):
        if not text.startswith("#"):
            break
        found.append(text.removeprefix("#").strip())
    return found[::-1]


def added(data: bytes, wanted: list[Missing]) -> bytes:
    """The config with the missing keys at its end, each below its comment.

    A missing member goes to the end of its block. Raises `CannotRun` where that cannot be done
    without touching what stands there.
    """
    try:
        for one in wanted:
            data = _with(data, one)
    except YamlError as error:
        raise CannotRun(str(error), "add the keys by hand; goblin-install --dry-run names them") from error
    return data


def _with(data: bytes, one: Missing) -> bytes:
    if "." in one.key:
        return set_key(data, one.key, one.value, PATH)
    lines = ["", *(f"# {line}".rstrip() for line in one.comment), f"{one.key}: {one.value}".rstrip()]
    lines += [f"  {name}: {value}".rstrip() for name, value in one.members]
    newline = "\r\n" if b"\r\n" in data else "\n"
    glue = "" if not data or data.endswith(b"\n") else newline
    whole = data + (glue + newline.join(lines) + newline).encode()
    if _plain(whole, one.key) != _plain(data, one.key) or not _holds(whole, one):
        raise YamlError(PATH, 1, 1, f"`{one.key}` cannot be added by a command to a file written like this")
    return whole


def _plain(data: bytes, without: str) -> dict[str, object]:
    root = load(data, PATH)
    return {key: node for key, node in root.items() if key != without} if isinstance(root, Map) else {}


def _holds(data: bytes, one: Missing) -> bool:
    root = load(data, PATH)
    node = root.get(one.key) if isinstance(root, Map) else None
    if one.members:
        return isinstance(node, Map) and list(node) == [name for name, _ in one.members]
    return node is not None
