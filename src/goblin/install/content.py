"""Every file that an install puts into a target, in plan order, with its kind (spec install 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from goblin.install import agents, config, templates, vendor
from goblin.install.forge import ATTRIBUTES, FORGES
from goblin.install.settle import Settled
from goblin.install.vendor import PLAIN, SCRIPT

LAUNCHER = ".goblin/bin/goblin-verify"
HANDOFF = "HANDOFF.md"
SPEC = "ROUND-000-SPEC.md"

INSTALLED = "files"
OWNED = "owned"


class Wanted(NamedTuple):
    """One file that should exist. `kind` is the record's map; the bytes are made when they are needed."""

    path: str
    kind: str
    mode: int
    render: Callable[[], bytes]


Values = Callable[[], dict[str, str]]
"""The template values, made on first need: making them may run the gates."""


class Payload(NamedTuple):
    """What is copied as it is."""

    launchers: list[Wanted]
    harness: list[Wanted]  # tables, checks, engine, libraries
    skills: list[Wanted]
    automations: list[Wanted]


def payload(platforms: dict[str, str]) -> Payload:
    """Read what is copied, with the skills for some platforms (platform to folder)."""
    return Payload(
        [_installed(item) for item in vendor.launchers()],
        [_installed(item) for item in (*vendor.rules(), *vendor.engine(), *vendor.libraries())],
        [_installed(item) for item in vendor.skills(platforms)],
        [_installed(item) for item in vendor.automations()],
    )


def wanted(
    settled: Settled,
    copied: Payload,
    harness_dir: str,
    values: Values,
    handoff: Values,
    *,
    workflow: bool = True,
) -> list[Wanted]:
    """The files of one install, in plan order.

    `values` fills every template but the handoff's, `handoff` fills that one, gate line included.
    Without `workflow` the forge's workflow is left to the project, which has one.
    """

    def template(path: str, name: str, kind: str = OWNED, mode: int = PLAIN, fill: Values = values) -> Wanted:
        return Wanted(path, kind, mode, partial(_render, name, fill))

    found = [
        *copied.launchers,
        template(".goblin/.gitattributes", "gitattributes", INSTALLED),
        *copied.harness,
        template(config.PATH, "goblin.yaml"),
        template(".goblin/audit-waiver.tsv", "audit-waiver.tsv"),
        template(".goblin/boundary-waivers", "boundary-waivers"),
        template(".goblin/install-hooks.allowlist", "install-hooks.allowlist"),
    ]
    if "playbooks" in settled.reached:
        found += copied.skills
        found += copied.automations if "playbooks" not in settled.disabled else []
    has = _Has(settled)
    if has.part("spec"):
        found.append(template(SPEC, "ROUND-000-SPEC.md"))
    if has.part("handoff"):
        found.append(template(HANDOFF, "HANDOFF.md", fill=handoff))
    found.append(template(agents.PATH, "AGENTS.md"))
    if has.reviews():
        found.append(template("reviews/.gitkeep", "reviews/.gitkeep"))
    if has.part("ci-gate") and workflow:
        forge = FORGES[settled.forge]
        found.append(template(forge.workflow, forge.template, INSTALLED if forge.attributes else OWNED))
        if forge.attributes:
            found.append(Wanted(forge.attributes, INSTALLED, PLAIN, lambda: ATTRIBUTES))
    if has.scaffold():
        prefix = "" if harness_dir == "." else f"{harness_dir}/"
        found.append(template(f"{prefix}gate.py", "checks/gate.py", mode=SCRIPT))
        found.append(template(f"{prefix}assert.py", "checks/assert.py"))
    return found


def _installed(item: vendor.Item) -> Wanted:
    return Wanted(item.path, INSTALLED, item.mode, lambda: item.data)


def _render(name: str, values: Values) -> bytes:
    return templates.render(templates.load(name), values()).encode()


class _Has(NamedTuple):
    """Which files a class, `--parts` and `--archive` bring."""

    settled: Settled

    def part(self, name: str) -> bool:
        """True when a part of `REACHED` puts a file into the target."""
        return not self.settled.archive and self.settled.needs[name] != "-" and name in self.settled.reached

    def reviews(self) -> bool:
        """True when review notes have a place."""
        return not self.settled.archive and any(self._need(part) for part in ("pr-gate", "review-panel"))

    def scaffold(self) -> bool:
        """True when the class starts with a harness to edit."""
        needed: Sequence[str] = ("spec", "replay", "ratchet", "pr-gate")
        scaffolded = self.settled.preset.yes("scaffold_checks") and all(self._need(part) for part in needed)
        return scaffolded and not self.settled.archive

    def _need(self, part: str) -> bool:
        return self.settled.needs[part] != "-"
