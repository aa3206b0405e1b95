"""When a workflow runs: which of its triggers reach the declared branch, and which leave changes out.

Filter patterns are the forge's: `*` stops at a slash, `**` does not, `?` and `+` repeat what stands
before them, `[...]` is a set, `!` in front takes back, and a backslash takes the next character as
it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from goblin.yaml import List, Map, Node, Text, is_unset

GATING = ("push", "pull_request")
"""The events that a gate runs on."""

_PATH_FILTERS = ("paths", "paths-ignore")
_WHEN_OPENED = ("opened", "synchronize")


class Place(NamedTuple):
    """Something said about one place of a file; lines and columns count from 1."""

    line: int
    column: int
    message: str


class Triggers(NamedTuple):
    """The gating events that reach the branch, why the others do not, and the path filters on them."""

    events: tuple[str, ...]
    refusals: tuple[Place, ...]
    filters: tuple[Place, ...]
    callable: bool = False  # by other workflows


def judge(on: Node | None, branch: str, place: tuple[int, int] = (1, 1)) -> Triggers:
    """Read the value of `on`, which stands at `place`, for one branch ("" where none is declared)."""
    events: list[str] = []
    refusals: list[Place] = []
    filters: list[Place] = []
    named = _events(on, place)
    for event in GATING:
        if event not in named:
            continue
        node, at = named[event]
        left_out = [
            Place(*node.marks[key], f"`{key}` under `{event}` leaves changes out")
            for key in _PATH_FILTERS
            if isinstance(node, Map) and key in node
        ]
        filters += left_out
        why = left_out or _unreached(event, node, branch, at)
        refusals += why
        if not why:
            events.append(event)
    if not any(event in named for event in GATING):
        shown = ", ".join(sorted(named)) or "nothing"
        refusals.append(Place(*place, f"it runs on {shown}, not on push or pull_request"))
    return Triggers(tuple(events), tuple(refusals), tuple(filters), "workflow_call" in named)


def _events(on: Node | None, place: tuple[int, int]) -> dict[str, tuple[Node | None, tuple[int, int]]]:
    """Each event with its filters and its place."""
    if isinstance(on, Map):
        return {name: (node, on.marks[name]) for name, node in on.items()}
    if isinstance(on, List):
        return {str(item): (None, (item.line, item.column)) for item in on if isinstance(item, Text)}
    return {} if is_unset(on) else {str(on): (None, place)}


def _unreached(event: str, node: Node | None, branch: str, at: tuple[int, int]) -> list[Place]:
    """Why an event does not always run for the branch; nothing where it does."""
    if not isinstance(node, Map):
        return []
    types = words(node.get("types"))
    if event == "pull_request" and types and not set(_WHEN_OPENED) <= set(types):
        mark = node.marks["types"]
        return [
            Place(*mark, f"`types` under `{event}` lacks {' or '.join(_WHEN_OPENED)}: not every change runs")
        ]
    if "branches" in node:
        patterns = words(node["branches"])
        if not branch:
            return [Place(*node.marks["branches"], "`branches` cannot be judged: no branch is declared")]
        if not selects(patterns, branch):
            return [Place(*node.marks["branches"], f"`branches` under `{event}` leaves {branch} out")]
    elif "branches-ignore" in node:
        patterns = words(node["branches-ignore"])
        if not branch or selects(patterns, branch):
            return [
                Place(*node.marks["branches-ignore"], f"`branches-ignore` under `{event}` names {branch}")
            ]
    elif event == "push" and ("tags" in node or "tags-ignore" in node):
        return [Place(*at, "`push` runs for tags alone")]
    return []


def words(node: Node | None) -> tuple[str, ...]:
    """The texts of a list, or one text as a list of one; anything else holds none."""
    if isinstance(node, List):
        return tuple(str(item) for item in node if isinstance(item, Text))
    return (str(node),) if isinstance(node, Text) and not is_unset(node) else ()


def selects(patterns: Sequence[str], name: str) -> bool:
    """True where the last pattern that matches `name` is one that does not start with `!`."""
    chosen = False
    for pattern in patterns:
        taken_back = pattern.startswith("!")
        if _matches(pattern[1:] if taken_back else pattern, name):
            chosen = not taken_back
    return chosen


class _Atom(NamedTuple):
    """One element of a pattern: which characters it takes, and whether none or many of them."""

    takes: Callable[[str], bool]
    none: bool = False
    many: bool = False
    folders: bool = False  # `**/`: nothing, or anything that ends with a slash


def _matches(pattern: str, name: str) -> bool:
    """True where the whole name matches; every place that can be reached is followed at once."""
    ends = {0}
    for atom in _atoms(pattern):
        if atom.folders:
            ends |= {at + 1 for at in range(min(ends), len(name)) if name[at] == "/"}
            continue
        reached = set(ends) if atom.none else set()
        step = {at + 1 for at in ends if at < len(name) and atom.takes(name[at])}
        while step - reached:
            reached |= step
            step = {at + 1 for at in step if at < len(name) and atom.takes(name[at])} if atom.many else set()
        ends = reached
        if not ends:
            return False
    return len(name) in ends


def _atoms(pattern: str) -> list[_Atom]:
    found: list[_Atom] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "*" and pattern.startswith("*/", at):
            found.append(_Atom(_any, folders=True))
            at += 2
        elif char == "*":
            deep = pattern.startswith("*", at)
            at += deep
            found.append(_Atom(_any if deep else _no_slash, none=True, many=True))
        elif char in "?+" and found and not found[-1].folders:
            last = found[-1]
            found[-1] = last._replace(none=last.none or char == "?", many=last.many or char == "+")
        elif char == "[" and "]" in pattern[at:]:
            end = pattern.index("]", at)
            found.append(_Atom(_members(pattern[at:end]).__contains__))
            at = end + 1
        else:
            if char == "\\" and at < len(pattern):
                char = pattern[at]
                at += 1
            found.append(_Atom(char.__eq__))
    return found


def _any(_: str) -> bool:
    return True


def _no_slash(char: str) -> bool:
    return char != "/"


def _members(inside: str) -> frozenset[str]:
    """The characters of a set such as `a-z0-9`, ASCII ranges written out."""
    found = set(inside)
    for first, last in re.findall(r"([0-9A-Za-z])-([0-9A-Za-z])", inside):
        found |= {chr(code) for code in range(ord(first), ord(last) + 1)}
    return frozenset(found)
