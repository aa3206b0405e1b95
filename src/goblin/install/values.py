"""The values that an install fills its templates with; asking for them may measure the target."""

from __future__ import annotations

import posixpath
from functools import cached_property

from goblin import __version__, clock
from goblin.facts.record import Record
from goblin.install import config, measure, presets, templates
from goblin.install.config import Known
from goblin.install.content import HANDOFF
from goblin.install.disk import Disk
from goblin.install.settle import Request, Settled
from goblin.install.target import Target


class Values:
    """The values of the templates. Commands run on first need, and only for a file that will be written."""

    def __init__(
        self,
        request: Request,
        target: Target,
        disk: Disk,
        settled: Settled,
        known: Known | None,
        record: Record | None,
    ) -> None:
        self.request = request
        self.target = target
        self.disk = disk
        self.settled = settled
        self.known = known
        self.record = record
        self._files: dict[str, str] = {}
        self._handoff: dict[str, str] = {}

    @property
    def harness_dir(self) -> str:
        """Where the scaffold goes: as declared, once there is a config."""
        declared = self.known.harness_dir if self.known else ""
        return posixpath.normpath(declared or self.settled.preset["harness_dir"])

    def for_files(self) -> dict[str, str]:
        """The values of every template but the handoff's."""
        if not self._files:
            self._files = self._make("")
        return self._files

    def for_handoff(self) -> dict[str, str]:
        """The same with the line that the gates give now."""
        if not self._handoff:
            self._handoff = self._make(self._gate_line() if self._will_write(HANDOFF) else "")
        return self._handoff

    def _will_write(self, path: str) -> bool:
        takes_over = self.request.force and path not in (self.record.owned if self.record else {})
        return not self.request.dry_run and (takes_over or self.disk.status(path) is None)

    @cached_property
    def _measured(self) -> presets.Measured:
        if self.known is None and self._will_write(config.PATH):
            return presets.measure(self.settled.preset, self.target.root)
        return presets.Measured("", self.settled.preset["todo_floor"])

    def _gate_line(self) -> str:
        preset = self.settled.preset
        if self.known:
            # Commands that a repository declares run once somebody has chosen to install here before.
            gates = self.known.gates if self.record else ()
            return measure.line(gates, self.known.ratchet, self.target.root, ours=False)
        todo = {"TODO_CEILING": self._measured.todo_ceiling}
        gates = tuple(measure.Gate(g.name, templates.render(g.cmd, todo).strip()) for g in preset.gates)
        ratchet = measure.Ratchet(preset["ratchet.name"], preset["ratchet.cmd"], self._measured.ceiling)
        return measure.line(gates, ratchet, self.target.root, ours=True)

    def _make(self, gate_line: str) -> dict[str, str]:
        measured = self._measured
        settled = self.settled
        facts = templates.TargetFacts(
            branch=self.known.branch if self.known and self.known.branch else self.target.branch,
            head=self.target.head,
            email=self.target.email,
            date=str(clock.today()),
            project=self.target.name,
        )
        choices = templates.Choices(
            class_name=settled.class_name,
            archive=settled.archive,
            disabled=settled.config_disabled,
            models_file=settled.models_file,
            practice=settled.practice,
            practice_sha256=settled.practice_sha256,
            skills_dirs=tuple(settled.platforms.values()) if "playbooks" in settled.reached else (),
            ceiling=measured.ceiling,
            todo_ceiling=measured.todo_ceiling,
            gate_line=gate_line,
            version=__version__,
        )
        return templates.values(settled.preset, facts, choices)
