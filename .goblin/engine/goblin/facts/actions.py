"""The workflow files of GitHub, Forgejo and Gitea as jobs and steps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from goblin.facts.jobs import Job, Setting, Step, Workflow, setting, text
from goblin.facts.triggers import Place, words
from goblin.yaml import List, Map, Node, Text, is_unset

_SHOWN = 60
_Around = tuple[tuple[Setting, ...], tuple[Setting, ...]]
_COMBINATIONS = 1000  # of a matrix; the forge makes at most 256 jobs of one


class Reader:
    """One file. What is no mapping where one is expected is a fault, never an exception."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.lines = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n")

    def workflow(self, root: Node) -> Workflow:
        """The parsed file as a workflow."""
        if not isinstance(root, Map):
            return Workflow(self.path, faults=(Place(root.line, root.column, "no `jobs:`: it runs nothing"),))
        on, place = root.get("on"), root.marks.get("on", (1, 1))
        jobs = root.get("jobs")
        if not isinstance(jobs, Map) or not jobs:
            where = root.marks.get("jobs", (1, 1))
            told = "`jobs:` holds no job" if "jobs" in root else "no `jobs:`: it runs nothing"
            return Workflow(self.path, (), (Place(*where, told),), None, on, place)
        found = tuple(self._job(name, node, jobs.marks[name], root) for name, node in jobs.items())
        return Workflow(self.path, found, (), None, on, place)

    def _job(self, name: str, node: Node, mark: tuple[int, int], root: Map) -> Job:
        if not isinstance(node, Map):
            fault = Place(*mark, "is no mapping: it runs nothing")
            return Job(name, *mark, (), "", (), (), (), (fault,))
        shell = text(node, "defaults", "run", "shell") or text(root, "defaults", "run", "shell")
        folder = text(node, "defaults", "run", "working-directory")
        folder = folder or text(root, "defaults", "run", "working-directory")
        steps = _cut_short(tuple(self._steps(node.get("steps"), shell, folder)))
        uses = text(node, "uses")
        faults = []
        if not uses and not any(step.script is not None or step.uses for step in steps):
            where = node.marks.get("steps", mark)
            faults.append(Place(*where, "has no step with `run` or `uses`"))
        faults += _empty_matrix(node)
        return Job(
            name,
            *mark,
            steps,
            uses,
            setting(node, "if"),
            _lenient(node),
            tuple(_needs(node)),
            tuple(faults),
            any(label.lower().startswith("windows") for label in words(node.get("runs-on"))),
        )

    def _steps(
        self, listed: Node | None, shell: str, folder: str, group: str = "", around: _Around = ((), ())
    ) -> Iterator[Step]:
        """The steps in order; those of a `parallel` group count as `3.1`, `3.2`, and share its settings."""
        for number, item in enumerate(listed if isinstance(listed, List) else (), 1):
            if not isinstance(item, Map):
                continue
            own = (*around[0], *setting(item, "if")), (*around[1], *_lenient(item))
            if isinstance(item.get("parallel"), List):
                yield from self._steps(item["parallel"], shell, folder, f"{group}{number}.", own)
            else:
                yield self._step(f"{group}{number}", item, shell, folder, own)

    def _step(self, number: str, node: Map, shell: str, folder: str, own: _Around) -> Step:
        script = node.get("run")
        given = node.get("with")
        shown = text(node, "name") or text(node, "id") or text(node, "uses") or text(node, "run")
        shown = shown.strip().split("\n")[0][:_SHOWN]
        is_script = isinstance(script, Text) and not is_unset(script)
        return Step(
            f"step {number} ({shown})" if shown else f"step {number}",
            node.line,
            node.column,
            script if isinstance(script, Text) and is_script else None,
            text(node, "uses"),
            text(node, "shell") or shell,
            text(node, "working-directory") or folder,
            *own,
            given if isinstance(given, Map) else {},
            isinstance(script, Text) and self._starts_block(script),
            text(node, "id"),
            words(node.get("cancel")),
        )

    def _starts_block(self, script: Text) -> bool:
        line = self.lines[script.line - 1] if script.line <= len(self.lines) else ""
        return not script.plain and line[script.column - 1 : script.column] == "|"


def _cut_short(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The same steps; one that runs in the background and that another one cancels knows it."""
    cancelled = {name for step in steps for name in step.cancels}
    return tuple(step._replace(cancelled=step.name in cancelled) for step in steps)


def _lenient(node: Map) -> tuple[Setting, ...]:
    """`continue-on-error`, unless it is plainly off: an expression may be true."""
    value = node.get("continue-on-error")
    off = value is None or is_unset(value) or (isinstance(value, Text) and value.strip().lower() == "false")
    return () if off else setting(node, "continue-on-error")


def _needs(node: Map) -> Iterable[tuple[str, int, int]]:
    value = node.get("needs")
    for item in value if isinstance(value, List) else [value]:
        if isinstance(item, Text) and not is_unset(item):
            yield str(item), item.line, item.column


def _empty_matrix(node: Map) -> Iterable[Place]:
    """A matrix whose lists leave no combination: the job is made zero times."""
    strategy = node.get("strategy")
    matrix = strategy.get("matrix") if isinstance(strategy, Map) else None
    if not isinstance(matrix, Map) or (isinstance(matrix.get("include"), List) and matrix["include"]):
        return
    axes = {key: value for key, value in matrix.items() if key not in ("include", "exclude")}
    lists = {key: value for key, value in axes.items() if isinstance(value, List)}
    empty = [key for key, value in lists.items() if not value]
    if empty:
        yield Place(*matrix.marks[empty[0]], f"the matrix list `{empty[0]}` is empty: it runs nothing")
        return
    excluded = matrix.get("exclude")
    if not axes or len(lists) < len(axes) or not isinstance(excluded, List):
        return
    if math.prod(map(len, lists.values())) > _COMBINATIONS:
        return
    left: list[dict[str, Node]] = [{}]
    for key, values in lists.items():
        left = [{**combination, key: value} for combination in left for value in values]
    for item in excluded:
        if isinstance(item, Map) and item:
            left = [one for one in left if any(one.get(key) != value for key, value in item.items())]
    if not left:
        yield Place(
            *matrix.marks["exclude"], "`exclude` leaves no combination of the matrix: it runs nothing"
        )
