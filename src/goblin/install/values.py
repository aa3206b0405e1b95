"""The values that an install fills its templates with; asking for them may measure the target."""

from __future__ import annotations

import posixpath

from goblin import __version__, clock
from goblin.install import config, measure, presets, templates
from goblin.install.config import Known
from goblin.install.content import HANDOFF
from goblin.install.disk import Disk
from goblin.install.settle import Request, Settled
from goblin.install.target import Target


class Values:
    """The values of the templates. Commands run on first need, and only for a file that will be written."""

    def __init__(
        self, request: Request, target: Target, disk: Disk, settled: Settled, known: Known | None
    ) -> None:
        self.request = request
        self.target = target
        self.disk = disk
        self.settled = settled
        self.known = known
        self._files: dict[str, str] = {}
        self._handoff: dict[str, str] = {}
        self._todo = ""

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
        return not self.request.dry_run and (self.request.force or self.disk.status(path) is None)

    def _measured(self) -> presets.Measured:
        if self.known is None and self._will_write(config.PATH):
            return presets.measure(self.settled.preset, self.target.root)
        return presets.Measured("", self.settled.preset["todo_floor"])

    def _gate_line(self) -> str:
        if self.known:
            return measure.line(self.known.gates, self.known.ratchet, self.target.root, ours=False)
        filled = self.for_files()
        preset = self.settled.preset
        gates = [
            measure.Gate(gate.name, templates.render(gate.cmd, filled | {"TODO_CEILING": self._todo}).strip())
            for gate in preset.gates
        ]
        ratchet = measure.Ratchet(preset["ratchet.name"], preset["ratchet.cmd"], filled["CEILING"])
        return measure.line(gates, ratchet, self.target.root, ours=True)

    def _make(self, gate_line: str) -> dict[str, str]:
        measured = self._measured()
        self._todo = measured.todo_ceiling
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
