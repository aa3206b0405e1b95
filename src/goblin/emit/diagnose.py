"""How the platforms of this machine stand: what is here, which copy of a skill serves, what drifted.

Nothing is written, nothing is run and nothing is asked of a network. A skill is ours by the name and
the bytes of the source and by the ledger, never by a prefix of its name.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from goblin import __version__
from goblin.emit import Refused, adapters, source
from goblin.emit.adapters import NAME, Adapter, Reading
from goblin.emit.ledger import ABSENT, Ledger, Row
from goblin.emit.plan import context_place, latest, skill_place
from goblin.emit.source import Emitted, Source
from goblin.facts.skills import LIMIT
from goblin.outcome import CannotRun
from goblin.paths import ReadRefused, Tree

PROJECT, GLOBAL, FOREIGN = "project", "global", "foreign"

CAVEATS = {"copilot": "start hooks fire only for new interactive runs"}
"""What a vendor's documentation says that somebody who relies on a hook should know."""


class Serving(NamedTuple):
    """Which copy of a skill a platform takes. `tier` is "" where there is none."""

    skill: str
    tier: str
    path: str
    diverged: str = ""  # why the copy is worth a look, naming the one that wins


class Diagnosis(NamedTuple):
    """One platform. `adapter` is None where its table is malformed."""

    id: str
    adapter: Adapter | None
    detected: str  # the anchor, or ""
    serving: tuple[Serving, ...] = ()
    drift: tuple[str, ...] = ()

    @property
    def caveat(self) -> str:
        """What to know of the platform."""
        return CAVEATS.get(self.id, "")


def diagnose(found: Source, platforms: Sequence[str], root: str, ledger: Ledger) -> list[Diagnosis]:
    """The state of each platform; `root` is the project's. Raises `Refused` for a malformed ledger."""
    rows = ledger.rows()
    try:
        readings = adapters.readings(found.adapters)
        crooked = ""
    except Refused as error:
        readings, crooked = {}, error.message
    result = []
    for platform in platforms:
        try:
            adapter = adapters.load(found.adapters, platform)
        except Refused as error:
            result.append(Diagnosis(platform, None, "", (), (error.message,)))
            continue
        reading = readings.get(platform, Reading())
        serving = tuple(_serving(adapter, reading, root, skill) for skill in found.skills.values())
        mine = [row for row in rows if row.platform == platform]
        drift = [*([crooked] if crooked else []), *_drift(found, mine, root), *_marker(adapter, root)]
        detected = adapters.detect(adapter)
        result.append(Diagnosis(platform, adapter, detected, serving, tuple(dict.fromkeys(drift))))
    return result


def chosen(found: Source, platform: str) -> list[str]:
    """The platforms to look at: all, or the one that is named. Raises `CannotRun` for an unknown one."""
    known = adapters.names(found.adapters)
    if not platform:
        return known
    if platform not in known:
        raise CannotRun(f"unknown platform: {platform}", f"known are: {', '.join(known)}")
    return [platform]


# --- which copy serves -----------------------------------------------------------------------------


def _serving(adapter: Adapter, reading: Reading, root: str, skill: Emitted) -> Serving:
    copies = []
    for tier in (PROJECT, GLOBAL):
        place = skill_place(adapter, tier, root, skill.name)
        try:
            data = place.read()
        except Refused as error:
            return Serving(skill.name, tier, place.shown, f"{error.message}")
        if data is not None:
            copies.append((tier, place.shown, data == skill.data))
    if not copies:
        return _foreign(adapter, reading, root, skill)
    first = copies[-1] if reading.wins == GLOBAL else copies[0]
    differing = [shown for _, shown, same in copies if not same]
    if not differing:
        return Serving(skill.name, first[0], first[1])
    told = f"{' and '.join(differing)} differ(s) from the source"
    if len(copies) > 1:
        told += f"; {_winning(reading, first[1])}"
    return Serving(skill.name, first[0], first[1], told)


def _winning(reading: Reading, path: str) -> str:
    if reading.wins == "both":
        return "both are offered"
    if reading.wins == "undocumented":
        return "which of the two wins is not documented"
    return f"{path} wins"


def _foreign(adapter: Adapter, reading: Reading, root: str, skill: Emitted) -> Serving:
    """A copy in the folder of another platform, where the documentation says that it is read too."""
    tree = Tree(root)
    for folder in reading.also_reads:
        path = f"{folder}/{skill.name}/SKILL.md"
        if adapter.skills_path_project.replace(NAME, skill.name) == path or tree.kind(path) != "file":
            continue
        try:
            same = tree.read(path, LIMIT) == skill.data
        except ReadRefused:
            continue
        return Serving(skill.name, FOREIGN, path, "" if same else f"{path} differs from the source")
    return Serving(skill.name, "", "")


# --- drift -----------------------------------------------------------------------------------------


def _drift(found: Source, rows: Sequence[Row], root: str) -> list[str]:
    """What was emitted and is not what an emission would write now, in this project and in the home."""
    told = []
    for path, row in latest(rows).items():
        if row.after == ABSENT or (row.scope == PROJECT and not path.startswith(os.path.join(root, ""))):
            continue
        try:
            with open(path, "rb") as stream:
                data = stream.read(LIMIT + 1)
        except OSError:
            told.append(f"{path} was emitted and is not there")
            continue
        problem = _problem(found, row, data)
        if problem:
            told.append(f"{path} {problem}")
    return told


def _problem(found: Source, row: Row, data: bytes) -> str:
    if os.path.basename(row.path) != "SKILL.md":
        standing = source.find(data)
        if standing is None:
            return "lost the block that was emitted"
        return "" if source.placed(data, source.block()) == data else _stale(standing.version)
    skill = found.skills.get(os.path.basename(os.path.dirname(row.path)))
    if skill is None:
        return "is a skill that the source no longer has"
    return "" if data == skill.data else "is not what goblin-emit would write now"


def _stale(version: str) -> str:
    if version != __version__:
        return f"holds the block of version {version}; this is {__version__}"
    return "holds a block that was edited"


def _marker(adapter: Adapter, root: str) -> list[str]:
    """The block in the project's context file, also where another machine emitted it."""
    place = context_place(adapter, PROJECT, root)
    if place is None:
        return []
    try:
        data = place.read()
    except Refused:  # a link out of the project, or no plain file: nothing of ours is in it
        return []
    standing = source.find(data) if data else None
    if data is None or standing is None or source.placed(data, source.block()) == data:
        return []
    return [f"{place.full} {_stale(standing.version)}"]
