"""The workflow that runs the gate, on the forge where the project lives (spec install 14).

Where a workflow of the project's own already runs the whole verify, unconditionally, ours is not
added: two gates would only take turns.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.record import Record
from goblin.install.disk import Disk
from goblin.outcome import CannotRun

if TYPE_CHECKING:
    from goblin.facts.jobs import Workflow

LIMIT = 1 << 20
"""Bytes of a workflow that are read."""


class Forge(NamedTuple):
    """Where a forge looks for its workflow, and how ours is written there."""

    workflow: str
    template: str
    attributes: str  # the file that keeps git from converting the workflow; "" where it is the project's
    traces: tuple[str, ...]  # what stands in a repository that lives there


FORGES = {
    "github": Forge(
        ".github/workflows/goblin-gate.yml", "ci/github.yml", ".github/workflows/.gitattributes", (".github",)
    ),
    "forgejo": Forge(
        ".forgejo/workflows/goblin-gate.yml",
        "ci/forgejo.yml",
        ".forgejo/workflows/.gitattributes",
        (".forgejo", ".gitea"),
    ),
    # One file holds all jobs there, so it is the project's own from the start.
    "gitlab": Forge(".gitlab-ci.yml", "ci/gitlab.yml", "", (".gitlab-ci.yml", ".gitlab")),
}
DEFAULT = "github"

ATTRIBUTE = b"goblin-gate.yml -text"
"""The workflow is hashed byte for byte like all installed files, and stands in a folder of others."""

ATTRIBUTES = ATTRIBUTE + b"\n.gitattributes -text\n"
"""The file that says so."""


def check(name: str) -> None:
    """Raise `CannotRun` for an unknown forge."""
    if name and name not in FORGES:
        raise CannotRun(f"--forge: there is no forge {name!r}", f"say one of: {' '.join(FORGES)}")


def chosen(given: str, record: Record | None, disk: Disk, notices: list[str]) -> str:
    """The forge: as given, else as recorded, else the default, with a hint where traces speak against it."""
    if given:
        return given
    for name, forge in FORGES.items():
        if record and any(forge.workflow in paths for paths in (record.files, record.owned, record.refused)):
            return name
    traces = [name for name, forge in FORGES.items() if any(_stands(disk, path) for path in forge.traces)]
    if record is None and traces and DEFAULT not in traces:
        notices.append(f"this looks like a project on {traces[0]}: --forge {traces[0]} brings its workflow")
    return DEFAULT


def _stands(disk: Disk, path: str) -> bool:
    try:
        return disk.status(path) is not None
    except OSError:
        return False


def verifying(disk: Disk, branch: str, ours: Container[str] = ()) -> str:
    """The path of a workflow here that runs the whole verify as PG-06 wants it; "" for none.

    `ours` are the paths that an install wrote: one of those may be about to leave.
    """
    from goblin.facts import cigate

    files = [(path, data) for path, data in _files(disk) if path not in ours]
    if not any(b"goblin-verify" in data for _, data in files):
        return ""
    found = [workflow for path, data in files if (workflow := _parsed(path, data))]
    accepted = cigate.assess(found, {}, branch).accepted
    return accepted[0].workflow.path if accepted else ""


def _parsed(path: str, data: bytes) -> Workflow | None:
    from goblin import yaml
    from goblin.facts import workflows

    try:
        return workflows.read(path, yaml.load(data, path, merge=True, limit=LIMIT), data)
    except yaml.YamlError:  # PG-05 names it once the install stands
        return None


def _files(disk: Disk) -> Iterator[tuple[str, bytes]]:
    """The workflows of every forge; what is no plain file is none."""
    from goblin.facts import workflows

    paths = [workflows.GITLAB]
    for folder in workflows.FOLDERS:
        try:
            names = disk.names(folder)
        except OSError:
            continue
        paths += [f"{folder}/{name}" for name in names if os.path.splitext(name)[1] in (".yml", ".yaml")]
    for path in paths:
        try:
            status = disk.status(path)
            data = disk.read(path) if status and status.st_size <= LIMIT else None
        except OSError:
            continue
        if data is not None:
            yield path, data
