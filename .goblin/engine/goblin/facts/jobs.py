"""Workflows of any forge as jobs and steps with their places: what rows about CI speak of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from goblin.facts.triggers import Place
from goblin.yaml import Map, Node, Text, is_unset


class Setting(NamedTuple):
    """A key that weakens a job or a step, and where it stands."""

    key: str
    line: int
    column: int


class Step(NamedTuple):
    """One step. `label` names it for a person; `script` is what it gives to a shell."""

    label: str
    line: int
    column: int
    script: Text | None
    uses: str
    shell: str  # as written; "" where the forge chooses
    directory: str
    conditions: tuple[Setting, ...]
    lenient: tuple[Setting, ...]
    options: Mapping[str, Node]  # `with`
    block: bool = False  # the script's lines are those of the file below its own
    name: str = ""  # its `id`
    cancels: tuple[str, ...] = ()  # steps in the background that it stops
    cancelled: bool = False  # by another step: what it ends with then counts for nothing

    def line_of(self, offset: int) -> int:
        """The line of the file on which a line of the script stands (the first one's where unknown)."""
        if self.script is None:
            return self.line
        return self.script.line + 1 + offset if self.block else self.script.line


class Job(NamedTuple):
    """One job. `faults` are shapes that run nothing."""

    name: str
    line: int
    column: int
    steps: tuple[Step, ...]
    uses: str  # a reusable workflow
    conditions: tuple[Setting, ...]
    lenient: tuple[Setting, ...]
    needs: tuple[tuple[str, int, int], ...]
    faults: tuple[Place, ...]
    windows: bool = False


class Workflow(NamedTuple):
    """One file. `faults` are those of the whole file; `problem` says why it could not be read."""

    path: str
    jobs: tuple[Job, ...] = ()
    faults: tuple[Place, ...] = ()
    problem: Place | None = None
    on: Node | None = None
    on_place: tuple[int, int] = (1, 1)
    unsure: tuple[Place, ...] | None = None  # GitLab: what limits when it runs at all
    tracked: bool = True

    def job(self, name: str) -> Job | None:
        """The job of this name."""
        return next((job for job in self.jobs if job.name == name), None)


def setting(node: Map, key: str) -> tuple[Setting, ...]:
    """The key as something that weakens, where the mapping holds it."""
    return (Setting(key, *node.marks[key]),) if key in node else ()


def text(node: Map, *keys: str) -> str:
    """The text at the end of a chain of keys; "" for none."""
    value: Node | None = node
    for key in keys:
        value = value.get(key) if isinstance(value, Map) else None
    return str(value) if isinstance(value, Text) and not is_unset(value) else ""
