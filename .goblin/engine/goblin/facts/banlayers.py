"""The imports that cross a border, and what could not be followed (BN-05)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from goblin.bans.jsresolve import Resolved, Resolver
from goblin.bans.otherimports import GoResolver, PythonResolver
from goblin.facts.banfiles import exists, named
from goblin.outcome import Finding

if TYPE_CHECKING:
    from goblin.bans.layers import Layer
    from goblin.bans.record import Asked, Record
    from goblin.facts import Facts

SHOWN = 5
"""Imports that nobody could follow which are named; the others are counted."""


class Resolves(Protocol):
    """Follows the imports of one language."""

    def resolve(self, path: str, specifier: str) -> Resolved:
        """Where an import in the file at `path` leads."""


class Crossings:
    """Follows imports, and remembers what it could not follow."""

    def __init__(self, facts: Facts, layers: Sequence[Layer]) -> None:
        self._layers = layers
        tree = facts.get("tree")
        self._exists = partial(exists, facts)

        def files(*names: str) -> Iterable[str]:
            if facts.run.repo is None:
                from goblin.facts.banfiles import walked

                return [path for path in walked(tree) if path.rpartition("/")[2] in names]
            return named(facts.get("repository").listing, names)

        script: Resolves = Resolver(tree, lambda: files("package.json"))
        python, go = PythonResolver(tree), GoResolver(tree, lambda: files("go.mod"))
        self._resolvers: dict[str, Resolves] = {"py": python, "pyi": python, "go": go}
        self._script = script
        self._imports = 0
        self._computed: list[str] = []
        self._unknown: list[str] = []

    def of(self, path: str, record: Record) -> list[Finding]:
        """The imports of a file that cross a border, one a line."""
        layers = [one for one in self._layers if one.holds(path)]
        if not layers:
            return []
        resolver = self._resolvers.get(path.rpartition(".")[2].lower(), self._script)
        found: dict[int, Finding] = {}
        for asked in record.imports:
            self._imports += 1
            crossed = self._crossed(path, asked, layers, resolver)
            if crossed and asked.line not in found:
                found[asked.line] = Finding(path, asked.line, asked.column, crossed)
        return [found[line] for line in sorted(found)]

    def _crossed(self, path: str, asked: Asked, layers: Sequence[Layer], resolver: Resolves) -> str:
        """What an import crosses, in words; "" for one that crosses nothing."""
        specifier = asked.specifier
        if not specifier:
            # Of a name that is put together the folder is often plain: `../ui/${name}`.
            specifier = asked.prefix[: asked.prefix.rfind("/") + 1]
        resolved = resolver.resolve(path, specifier) if specifier else Resolved()
        for target in resolved.targets:
            for one in layers:
                if one.crosses(target):
                    return f"{asked.shown} (leads to {target}; {one.source} may not import {one.target})"
        if not asked.specifier:
            self._computed.append(f"{path}:{asked.line}")
        elif not resolved.targets and not resolved.external:
            self._unknown.append(f"{path}:{asked.line} {asked.specifier}")
        return ""

    def notes(self) -> tuple[str, ...]:
        """What was held to what, and what could not be followed."""
        absent = [one.source for one in self._layers if not self._exists(one.source)]
        told = [f"{len(self._layers)} layer(s), {self._imports} import(s) followed"]
        if absent:
            told.append(f"no such <from>: {' '.join(absent)}")
        for places, what in ((self._computed, "put together at run time"), (self._unknown, "not resolved")):
            if places:
                more = ", ..." if len(places) > SHOWN else ""
                told.append(f"{len(places)} import(s) {what}: {', '.join(places[:SHOWN])}{more}")
        return tuple(told)
