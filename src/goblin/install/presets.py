"""The presets: what a class supplies as defaults for the config (install contract, section 2).

A preset is `manifest/presets/<LETTER>-<name>.yaml`, flat `key: value`, every value a string. No gate
is guessed from the stack found on disk; the shipped gates are a floor that the project replaces.
"""

from __future__ import annotations

import os
import shlex
from typing import NamedTuple

from goblin import counting, home, yaml
from goblin.outcome import CannotRun

LETTERS = ("A", "B", "C", "D", "E", "F")
COUNTER = ("python3", ".goblin/bin/goblin-count")
"""How a preset's command starts when it counts."""
TODO_CEILING = "{{TODO_CEILING}}"

DEFAULTS = {
    "label": "",
    "skills": "hermes",
    "harness_dir": "checks",
    "scaffold_checks": "no",
    "todo_floor": "",
    "ratchet.name": "",
    "ratchet.cmd": "",
    "ratchet.ceiling": "0",
    "replay.env": "",
    "replay.cmd": "",
    "runtime_data": "",
    "security.gitignore_family": "no",
    "security.build_output": "",
    "security.audit_cmd": "",
    "security.audit_max_age_days": "90",
    "security.waiver_max_age_days": "180",
    "security.write_routes": "",
    "perf.metric": "",
    "perf.cmd": "",
    "perf.baseline_value": "0",
    "perf.host_gate": "",
    "bans": "",
    "advisory_ceiling": "10",
    "loop_max_turns_ceiling": "20",
}
"""Every key but the gates (`gate.<name>`), and what it is when a preset lacks it."""


class Gate(NamedTuple):
    """One declared gate. `cmd` may hold `{{TODO_CEILING}}` until it is rendered."""

    name: str
    cmd: str


class Preset:
    """One class's defaults: `preset[key]` is the text of any key of `DEFAULTS`."""

    def __init__(self, letter: str, name: str, gates: tuple[Gate, ...], values: dict[str, str]) -> None:
        self.letter = letter
        self.name = name  # of the file, such as software
        self.gates = gates
        self._values = {**DEFAULTS, **values}

    def __getitem__(self, key: str) -> str:
        return self._values[key]

    def yes(self, key: str) -> bool:
        """True where a yes/no key says yes."""
        return self._values[key] == "yes"


class Measured(NamedTuple):
    """What was counted in the target before anything was written; digits, or "" for not measured."""

    ceiling: str
    todo_ceiling: str


def load(letter: str, folder: str = "") -> Preset:
    """The preset of class `letter` (exactly one of A to F), from the running engine's payload.

    Raises `CannotRun` for an unknown class, for a payload without that preset, and for a preset that
    cannot be read; the message names the file.
    """
    if letter not in LETTERS:
        raise CannotRun(f"there is no class {letter!r}", f"choose one of: {' '.join(LETTERS)}")
    folder = folder or home.path("manifest", "presets")
    try:
        found = sorted(name for name in os.listdir(folder) if name.startswith(f"{letter}-"))
    except OSError as error:
        raise CannotRun(f"{folder}: {error.strerror}", "reinstall goblin-stack") from error
    if len(found) != 1:
        raise CannotRun(f"{folder} holds {len(found)} presets for class {letter}", "reinstall goblin-stack")
    path = os.path.join(folder, found[0])
    read = _read(path)
    gates = tuple(Gate(key[5:], cmd) for key, cmd in read.items() if key.startswith("gate."))
    values = {key: value for key, value in read.items() if not key.startswith("gate.")}
    unknown = sorted(set(values) - set(DEFAULTS))
    if unknown:
        raise CannotRun(f"{path}: {unknown[0]} is no key of a preset", "reinstall goblin-stack")
    name = found[0].removesuffix(".yaml").partition("-")[2]
    return Preset(letter, name, gates, values)


def _read(path: str) -> dict[str, str]:
    try:
        with open(path, "rb") as stream:
            read = yaml.load(stream.read(), path)
    except OSError as error:
        raise CannotRun(f"{path}: {error.strerror}", "reinstall goblin-stack") from error
    except yaml.YamlError as error:
        raise CannotRun(str(error), "reinstall goblin-stack") from error
    if not isinstance(read, yaml.Map):
        raise CannotRun(f"{path}: a preset is a flat mapping of texts", "reinstall goblin-stack")
    values = {key: str(value) for key, value in read.items() if isinstance(value, yaml.Text)}
    if len(values) < len(read):
        raise CannotRun(f"{path}: a preset is a flat mapping of texts", "reinstall goblin-stack")
    return values


def measure(preset: Preset, root: str) -> Measured:
    """Count, in the target at `root`, what the preset's ratchet and its marker gate will count.

    The ceiling is "" when none of the counted folders exists yet or nothing could be counted: the
    first real build must not be red against a zero that nobody measured. The marker ceiling is the
    larger of the preset's floor and today's count (decided 50), "" where the class has no such gate.
    """
    ceiling = preset["ratchet.ceiling"]
    if ceiling == "measure":
        ceiling = _counted(preset["ratchet.cmd"], root)
    floor = preset["todo_floor"]
    if not floor:
        return Measured(ceiling, "")
    cmd = next(gate.cmd for gate in preset.gates if TODO_CEILING in gate.cmd)
    today = _counted(cmd.replace(TODO_CEILING, floor), root)
    return Measured(ceiling, str(max(int(floor), int(today or 0))))


def _counted(cmd: str, root: str) -> str:
    words = shlex.split(cmd)
    if tuple(words[:2]) != COUNTER:
        raise CannotRun(
            f"a preset counts with {' '.join(COUNTER)}, not with: {cmd}", "reinstall goblin-stack"
        )
    request = counting.parse(words[2:])
    try:
        found = counting.count(request, root)
    except counting.CountFailed:
        return ""
    if found.absent and len(found.absent) == len(counting.outermost(request.paths)):
        return ""
    return str(found.number)
