"""Fact `installed`: the files that the record vouches for, hashed on demand and at most once a run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.record import PATH, Record, faults
from goblin.outcome import CheckFailed, Finding
from goblin.paths import ReadRefused, confined

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.paths import Tree

NO_RECORD = "global engine mode: engine_dir is set, nothing is vendored and there is no record"
MISSING = "missing"
FOLDERS = tuple(f".goblin/{name}/" for name in ("bin", "manifest", "checks", "bans", "engine"))
"""Where a file that the installer did not write is worth naming."""

HOOKS = ".goblin/manifest/hooks.tsv"
"""The start hooks of agents that goblin-emit has added here: no part of the install."""

COMPILED = (".pyc", ".so", ".pyd", ".dll")
"""Ends of names that Python imports in place of, or instead of, a source file."""

MOST = 20_000
"""Entries below `.goblin/` that are looked at."""

PLATFORMS = {
    "hermes": ".hermes/skills",
    "claude": ".claude/skills",
    "agents": ".agents/skills",
    "copilot": ".github/skills",
    "cursor": ".cursor/skills",
    "opencode": ".opencode/skills",
    "gemini": ".gemini/skills",
}
"""Where each platform keeps its skills (decided 46)."""


class Extra(NamedTuple):
    """An entry below `.goblin/` that no member of the record names."""

    path: str
    what: str  # file, compiled or bytecode


class Installed:
    """The record, and what the tree holds in its place."""

    def __init__(self, tree: Tree, record: Record) -> None:
        self.tree = tree
        self.record = record
        self._drift: dict[str, str] = {}
        self._folders: dict[str, bool] = {}

    @property
    def vendored(self) -> bool:
        """False where the engine lives elsewhere: then absent engine and skill files are no drift."""
        return self.record.engine.get("mode") != "global"

    @property
    def skill_folders(self) -> tuple[str, ...]:
        """Where the recorded platforms keep skills; raises `CheckFailed` for an unknown platform."""
        unknown = [name for name in self.record.options.skills if name not in PLATFORMS]
        if unknown:
            told = f"the record names the platform {', '.join(unknown)}; known are {' '.join(PLATFORMS)}"
            raise CheckFailed(told, [Finding(PATH, message="options.skills")])
        return tuple(PLATFORMS[name] for name in self.record.options.skills)

    def may_be_absent(self, path: str) -> bool:
        """True where the absence of a recorded file is no drift: declined skills, an engine elsewhere."""
        skill = path.startswith(tuple(f"{folder}/" for folder in PLATFORMS.values()))
        if skill and not self.record.options.skills:
            return True
        return not self.vendored and (skill or path.startswith((".goblin/engine/", ".goblin/bin/")))

    def opted_in(self, part: str) -> bool:
        """True where somebody asked for a part that is off until then."""
        return part in self.record.opted_in

    def faults(self) -> list[str]:
        """What breaks the shape of the record, one line each."""
        return faults(self.record)

    def there(self, path: str) -> str:
        """What stands at a path: one of `file dir link other missing outside`."""
        return self.tree.kind(path)

    def drift(self, path: str) -> str:
        """How a recorded file differs from its digest, in words; "" when its bytes are the recorded ones."""
        if path not in self._drift:
            self._drift[path] = self.compare(path, self.record.files[path], "recorded")
        return self._drift[path]

    def compare(self, path: str, wanted: str, whose: str) -> str:
        """How what stands at a path differs from a digest, in words; "" where it does not."""
        import hashlib

        if self._behind_a_link(path):
            return "a folder above it is now a symbolic link"
        try:
            data = self.tree.read(path)
        except ReadRefused as error:
            kind = self.tree.kind(path)
            known = {"missing": MISSING, "dir": "is now a folder", "link": "is now a symbolic link"}
            return known.get(kind) or str(error).removeprefix(f"{path}: ")
        now = hashlib.sha256(data).hexdigest()
        if now == wanted:
            return ""
        if b"\r\n" in data and hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest() == wanted:
            return (
                "line-end conversion: only CRLF differs from what was installed; give this path -text in a "
                ".gitattributes file (.goblin/.gitattributes holds `* -text`), then check it out again"
            )
        return f"{whose} {wanted}, now {now}"

    def _behind_a_link(self, path: str) -> bool:
        """True where the path goes through a link: its bytes could change with no file here changing."""
        folder = os.path.dirname(path)
        if folder not in self._folders:
            full = os.path.join(self.tree.root, folder).rstrip("/")
            self._folders[folder] = confined(path) and os.path.realpath(full) != full
        return self._folders[folder]

    def drifted(self, paths: Iterable[str]) -> list[tuple[str, str]]:
        """Those of some recorded paths that drifted, with how; what may be absent is not missed."""
        found = [(path, self.drift(path)) for path in paths]
        return [
            (path, how) for path, how in found if how and not (how == MISSING and self.may_be_absent(path))
        ]

    def extras(self) -> list[Extra]:
        """Unrecorded files in the engine's and the rules' folders, and bytecode anywhere below `.goblin/`."""
        record = self.record
        known = {*record.files, *record.owned, *record.refused, *record.conflicts, *record.merged, HOOKS}
        found = []
        for path, is_dir in _entries(os.path.join(self.tree.root, ".goblin")):
            if is_dir:
                found.append(Extra(f"{path}/", "bytecode"))
            elif path.startswith(FOLDERS) and path not in known:
                found.append(Extra(path, "compiled" if path.endswith(COMPILED) else "file"))
        return found


def _entries(top: str) -> Iterator[tuple[str, bool]]:
    """Every file below `.goblin/`, and each `__pycache__` folder without what it holds; sorted by folder."""
    waiting = [(top, ".goblin/")]
    seen = 0
    while waiting:
        folder, shown = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                names = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
        except OSError:
            continue
        seen += len(names)
        if seen > MOST:
            return
        for name, is_dir in names:
            if name == "__pycache__" or not is_dir:
                yield shown + name, is_dir
        waiting += [
            (os.path.join(folder, name), f"{shown}{name}/")
            for name, is_dir in reversed(names)
            if is_dir and name != "__pycache__"
        ]


def load(tree: Tree, config: Config, facts: Facts) -> Installed | None:
    """The installed files, or None in global engine mode without a record (spec IN-01).

    Raises `CheckFailed` as the record does.
    """
    if tree.kind(PATH) == "missing" and config.text("engine_dir"):
        vendored = (".goblin/engine", ".goblin/bin/goblin-verify")
        if all(tree.kind(path) == "missing" for path in vendored):
            return None
    return Installed(tree, facts.get("record"))
