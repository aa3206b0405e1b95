"""`.gitlab-ci.yml` as jobs and steps, where its words mean what those of the other forges mean.

`extends` and `!reference` are followed within the file; what it includes from elsewhere is not read.
A failed need fails the pipeline there, so `needs` hides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from goblin.facts.jobs import Job, Setting, Step, Workflow, setting, text
from goblin.facts.triggers import Place, words
from goblin.yaml import List, Map, Node, Text, is_unset

_MAX_DEPTH = 11  # of `extends`, as the forge has it
_MAX_PARENTS = 50
_NOT_JOBS = frozenset(
    {"after_script", "before_script", "cache", "default", "image", "include", "services", "spec", "stages"}
    | {"variables", "workflow"}
)
_MATCHING = frozenset({"if", "changes", "exists"})
_RUNS_ALWAYS = ("on_success", "always")

_Extended = tuple[Map, bool]


def read(path: str, root: Node) -> Workflow:
    """The parsed file as a workflow of one step a job."""
    if not isinstance(root, Map):
        return Workflow(path, faults=(Place(root.line, root.column, "no job: it runs nothing"),))
    names = [name for name, node in root.items() if _is_job(name, node)]
    if not names and "include" not in root:
        return Workflow(path, faults=(Place(1, 1, "no job: it runs nothing"),))
    known: dict[str, _Extended] = {}
    jobs = tuple(_job(name, root, known) for name in names)
    return Workflow(path, jobs, unsure=tuple(_limits(root)))


def _is_job(name: str, node: Node) -> bool:
    return name not in _NOT_JOBS and not name.startswith(".") and isinstance(node, Map)


def _limits(root: Map) -> Iterator[Place]:
    """What makes the forge create no pipeline for some pushes."""
    workflow = root.get("workflow")
    if isinstance(workflow, Map) and "rules" in workflow and _conditional_rules(workflow["rules"]):
        yield Place(*workflow.marks["rules"], "`rules` of `workflow` leave changes out")


def _job(name: str, root: Map, known: dict[str, _Extended]) -> Job:
    mark = root.marks[name]
    node, whole = _extended(name, root, known)
    script = [*_script(_own(node, root, "before_script"), root), *_script(node.get("script"), root)]
    label = f"script ({script[0].strip()[:60]})" if script else "script"
    place = node.marks.get("script", mark)
    lines = Text("\n".join(script), *place, plain=False) if script else None
    step = Step(label, *place, lines, "", "bash", "", (), (), {})
    # What an included file says of a job of the same name is merged into it.
    elsewhere = not whole or "include" in root
    runs = script or any(key in node for key in ("trigger", "run")) or elsewhere
    faults = () if runs else (Place(*mark, "has no `script`: it runs nothing"),)
    return Job(name, *mark, (step,), "", tuple(_conditions(node)), tuple(_lenient(node)), (), faults)


def _own(node: Map, root: Map, key: str) -> Node | None:
    """A key of the job, else of `default`, else of the file."""
    default = root.get("default")
    for holder in (node, default, root):
        if isinstance(holder, Map) and key in holder:
            return holder[key]
    return None


def _extended(name: str, root: Map, known: dict[str, _Extended], depth: int = 0) -> _Extended:
    """The job with what it extends merged in, and whether all of that stands in this file."""
    own = root.get(name)
    if not isinstance(own, Map) or depth > _MAX_DEPTH:
        return Map(), False
    if name not in known:
        known[name] = Map(), False  # what a job that extends itself would find
        parents = words(own.get("extends"))
        merged, whole = Map(own.line, own.column), len(parents) <= _MAX_PARENTS
        for parent in parents[:_MAX_PARENTS]:
            found, is_whole = _extended(parent, root, known, depth + 1)
            whole = whole and is_whole
            merged = _over(found, merged)
        known[name] = _over(own, merged), whole
    return known[name]


def _over(top: Map, below: Map) -> Map:
    """Both mappings in one; the values of `top` win, and mappings are merged."""
    merged = Map(top.line, top.column)
    for source in (below, top):
        for key, value in source.items():
            old = merged.get(key)
            both = isinstance(old, Map) and isinstance(value, Map)
            merged[key] = _over(value, old) if both else value  # type: ignore[arg-type]
            merged.marks[key] = source.marks[key]
    return merged


def _script(node: Node | None, root: Map) -> Iterable[str]:
    """The lines of a script: a text, a list, lists in it, and references to those of other jobs."""
    waiting: list[Node | None] = [node]
    left = 10_000
    while waiting and left:
        left -= 1
        item = waiting.pop(0)
        if isinstance(item, List):
            target = _referred(item, root)
            waiting[:0] = [target] if target is not None else list(item)
        elif isinstance(item, Text) and not is_unset(item):
            yield str(item)


def _referred(item: List, root: Map) -> Node | None:
    """What `!reference [job, key]` stands for."""
    keys = words(item)
    value: Node | None = root
    if len(keys) != len(item) or len(keys) < 2 or not isinstance(root.get(keys[0]), Map):
        return None
    for key in keys:
        value = value.get(key) if isinstance(value, Map) else None
    return value


def _conditions(node: Map) -> Iterator[Setting]:
    if "rules" in node and _conditional_rules(node["rules"]):
        yield from setting(node, "rules")
    for key in ("only", "except"):
        yield from setting(node, key)
    if text(node, "when") and text(node, "when") not in (*_RUNS_ALWAYS, "delayed"):
        yield from setting(node, "when")


def _conditional_rules(rules: Node) -> bool:
    """True unless whichever rule comes to apply lets the job run, and one always does.

    The first rule that matches decides; where none does, the job is left out.
    """
    for rule in rules if isinstance(rules, List) else ():
        if not isinstance(rule, Map) or (text(rule, "when") or "on_success") not in _RUNS_ALWAYS:
            return True
        if not _MATCHING & rule.keys():
            return False
    return True


def _lenient(node: Map) -> Iterator[Setting]:
    rules = node.get("rules")
    for holder in (node, *(rules if isinstance(rules, List) else ())):
        if isinstance(holder, Map):
            value = holder.get("allow_failure")
            if value is not None and not is_unset(value) and value != "false":
                yield from setting(holder, "allow_failure")
