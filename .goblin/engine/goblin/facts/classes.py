"""Facts `classes` and `parts`: what each class needs, and which parts of a class stand in the tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.installed import PLATFORMS
from goblin.facts.record import CLASSES, PATH
from goblin.manifest import PARTS
from goblin.outcome import CheckFailed, Finding
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts import Facts, Run
    from goblin.facts.cigate import CiGate
    from goblin.facts.config import Config
    from goblin.facts.installed import Installed
    from goblin.manifest import Manifest
    from goblin.paths import Tree

TABLE = "classes.tsv"
NEEDS = ("R", "O", "-")
TOKENS = ".goblin/tokens.yaml"
WORKFLOW = ".github/workflows/goblin-gate.yml"


class ClassTable(NamedTuple):
    """`classes.tsv`: `needs` goes from (class, part) to R, O or -; `faults` is what is wrong with it."""

    needs: dict[tuple[str, str], str]
    faults: tuple[Finding, ...]


class Part(NamedTuple):
    """One part of a class and its artifact (spec rows-1, 1.8)."""

    name: str
    artifact: str  # what means "present", for a person
    present: bool  # it stands as it should
    forbidden: bool  # what a class without this part must not have stands here
    place: str  # the file to look at
    note: str = ""  # why it is not present, or what else stands for it


def load(manifest: Manifest, run: Run) -> ClassTable:
    """Read the class table; a pair that is missing, doubled or unknown and a wrong need are faults."""
    shown = os.path.relpath(os.path.join(manifest.folder, TABLE), run.root)
    needs: dict[tuple[str, str], str] = {}
    faults = []
    for record in manifest.table(TABLE):
        name, part, need = (cell.strip() for cell in record.cells)
        problem = ""
        if len(name) != 1 or name not in CLASSES or part not in PARTS:
            problem = f"there is no class {name!r} with a part {part!r}"
        elif need not in NEEDS:
            problem = f"the need of class {name} for {part} is {need!r}; it is one of: {' '.join(NEEDS)}"
        elif (name, part) in needs:
            problem = f"class {name} and part {part} stand a second time"
        else:
            needs[name, part] = need
        if problem:
            faults.append(Finding(shown, record.line, message=problem))
    missing = [(name, part) for name in CLASSES for part in PARTS if (name, part) not in needs]
    if len(missing) == len(CLASSES) * len(PARTS):
        faults.append(Finding(shown, message="the table says nothing of any class"))
    else:
        faults += [Finding(shown, message=f"no line for class {c} and part {part}") for c, part in missing]
    return ClassTable(needs, tuple(faults))


def parts(tree: Tree, config: Config, installed: Installed | None, facts: Facts) -> dict[str, Part]:
    """What stands in the tree for each part, by part name."""
    reviews = tree.kind("reviews")
    tokens, handoff = tree.kind(TOKENS), tree.kind("HANDOFF.md")
    try:
        specs = [name for name in tree.names("") if name.endswith("-SPEC.md")]
    except ReadRefused as error:
        raise CheckFailed(str(error)) from error
    folders = installed.skill_folders if installed else (PLATFORMS["hermes"],)
    modes = [f"{folder}/goblin-mode/SKILL.md" for folder in folders]
    has_modes = bool(modes) and all(tree.kind(path) == "file" for path in modes)
    skill = modes[0] if modes else PATH
    found = [
        Part("handoff", "HANDOFF.md", handoff == "file", handoff != "missing", "HANDOFF.md"),
        Part("spec", "a *-SPEC.md at the root", bool(specs), bool(specs), specs[0] if specs else ""),
        _gate(config),
        _keys("replay", config, "replay.env", "replay.cmd"),
        _keys("ratchet", config, "ratchet.name", "ratchet.cmd"),
        Part("pr-gate", "reviews/", reviews == "dir", reviews != "missing", "reviews"),
        Part("review-panel", "reviews/", reviews == "dir", reviews != "missing", "reviews"),
        Part("playbooks", " and ".join(modes) or "the skill goblin-mode", has_modes, has_modes, skill),
        Part("tokens", TOKENS, tokens == "file", tokens != "missing", TOKENS),
        _ci_gate(tree, facts),
        Part(
            "anchor",
            "a record that declares it",
            bool(installed and installed.opted_in("anchor")),
            False,
            PATH,
        ),
    ]
    return {part.name: part for part in found}


def _gate(config: Config) -> Part:
    artifact, place = "a gate with a name and a cmd", config.where("gates").path
    try:
        gates = config.gates()
    except CheckFailed as failure:
        return Part("gate", artifact, False, True, place, f"GT-01: {failure.outcome.summary}")
    complete = [gate for gate in gates if gate.name and gate.cmd.strip()]
    return Part("gate", artifact, bool(gates) and len(complete) == len(gates), bool(gates), place)


def _ci_gate(tree: Tree, facts: Facts) -> Part:
    """Our own workflow, or any that PG-06 accepts (decided 13); only our own can be forbidden (decided 39).

    Others are read only where ours is not here: reading them costs more than all else that CL-01 does.
    """
    kind = tree.kind(WORKFLOW)
    part = Part("ci-gate", WORKFLOW, kind == "file", kind != "missing", WORKFLOW)
    if part.present:
        return part
    try:
        gate: CiGate = facts.get("ci_gate")
    except CheckFailed as failure:
        return part._replace(note=failure.outcome.summary)
    if gate.accepted:
        return part._replace(present=True, note=f"{gate.accepted[0].workflow.path} stands for it")
    return part._replace(note="and no other workflow runs the whole gate set: see PG-06")


def _keys(name: str, config: Config, *keys: str) -> Part:
    artifact, place = f"{' and '.join(keys)} set", config.where(keys[0]).path
    try:
        present = all(config.text(key).strip() for key in keys)
    except CheckFailed as failure:
        return Part(name, artifact, False, True, place, failure.outcome.summary)
    return Part(name, artifact, present, present, place)
