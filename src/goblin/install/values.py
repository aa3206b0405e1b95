"""The values that an install fills its templates with; asking for them may measure the target."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from goblin import __version__, clock, process, watch
from goblin.facts import gates
from goblin.facts.config import Gate, Ratchet
from goblin.facts.record import Record
from goblin.install import config, measure, presets, templates
from goblin.install.config import Known
from goblin.install.content import HANDOFF
from goblin.install.disk import Disk
from goblin.install.settle import Request, Settled
from goblin.install.target import Target


@contextmanager
def _watched(text: str) -> Iterator[None]:
    """On a terminal, say what an install is at where that takes long."""
    with watch.on_terminal("goblin-install") as line:
        line.row(text)
        yield


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
        declared = self.known.text("harness_dir") if self.known else ""
        return posixpath.normpath(declared or self.settled.preset["harness_dir"])

    @property
    def branch(self) -> str:
        """The branch that the config declares, else the one that is checked out."""
        return (self.known.text("branch") if self.known else "") or self.target.branch

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
            with _watched("counting what there is"):
                return presets.measure(self.settled.preset, self.target.root)
        return presets.Measured("", self.settled.preset["todo_floor"])

    def _gate_line(self) -> str:
        """What the gates and the ratchet give now: one line, "" where nothing is declared."""
        run: process.Runner = process.run_shell
        if self.known:
            # Commands that a repository declares run once somebody has chosen to install here before.
            declared, ratchet = self.known.declared() if self.record else ((), None)
        else:
            declared, ratchet = self._preset()
            run = measure.run
        with _watched("running the declared gates"):
            return gates.measure(self.target.root, declared, ratchet if declared else None, run).line

    def _preset(self) -> tuple[tuple[Gate, ...], Ratchet]:
        """The gates and the ratchet that the config is about to declare."""
        preset = self.settled.preset
        todo = {"TODO_CEILING": self._measured.todo_ceiling}
        seconds = int(process.DEFAULT_TIMEOUT)
        declared = tuple(
            Gate(gate.name, templates.render(gate.cmd, todo).strip(), seconds, False, 0)
            for gate in preset.gates
        )
        ceiling = int(self._measured.ceiling) if self._measured.ceiling else None
        return declared, Ratchet(preset["ratchet.name"], preset["ratchet.cmd"], ceiling, "")

    def _make(self, gate_line: str) -> dict[str, str]:
        measured = self._measured
        settled = self.settled
        facts = templates.TargetFacts(
            branch=self.branch,
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
