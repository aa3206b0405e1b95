"""The packages of a repository, and where their package.json files send a name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from goblin.bans.jsfiles import Files, at, below
from goblin.bans.patterns import MOST, best, filled, put

_NAME = re.compile(r"(@[^/]+/)?[^/]+")
_BUILT = re.compile(r"(^|/)(?:(?:dist|build|lib|out|es|esm|cjs|mjs|umd|types)/)+")
_DEPTH = 20
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def package_of(name: str) -> str:
    """The package that a name begins with: `@me/kit` of `@me/kit/inner`."""
    match = _NAME.match(name)
    return match[0] if match else ""


class Packages:
    """The packages of one tree. `listed` gives the package.json files that it tracks."""

    def __init__(self, files: Files, listed: Callable[[], Iterable[str]]) -> None:
        self._files = files
        self._listed = listed

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in self._listed():
            name = self._files.json(path).get("name")
            if isinstance(name, str) and name:
                found[name].append(path.rpartition("/")[0])
        return found

    def folders(self, name: str) -> list[str]:
        """Where the packages of this name are; more than one where it is given twice."""
        return self._folders.get(name, [])

    def manifest(self, folder: str) -> tuple[str, dict[str, Any]]:
        """The nearest package.json at or above a folder: where it stands and what it says."""
        while True:
            path = below(folder, "package.json")
            if self._files.kind(path) == "file":
                return folder, self._files.json(path)
            if not folder:
                return "", {}
            folder = folder.rpartition("/")[0]

    def depends(self, folder: str, package: str) -> bool:
        """True where a package.json at or above a folder lists the package, or the types of it."""
        while True:
            base, content = self.manifest(folder)
            for key in _DEPENDENCIES:
                listed = content.get(key)
                if isinstance(listed, dict) and (package in listed or f"@types/{package}" in listed):
                    return True
            if not base:
                return False
            folder = base.rpartition("/")[0]

    def imported(self, folder: str, name: str) -> list[str]:
        """Where `imports` of the nearest package.json sends a `#name`; a package is followed as well."""
        base, content = self.manifest(folder)
        found: list[str] = []
        for text in _sent(content.get("imports"), name):
            if text.startswith("."):
                found += self._sources(base, at(base, text))
            elif not text.startswith("#"):
                found += self.inside(text)
        return found

    def inside(self, name: str) -> list[str]:
        """Where a name of a package of this repository may lead, its unbuilt sources too."""
        package = package_of(name)
        rest = name[len(package) :].lstrip("/")
        return list(dict.fromkeys(one for base in self.folders(package) for one in self._inside(base, rest)))

    def _inside(self, base: str, rest: str) -> Iterator[str]:
        content = self._files.json(below(base, "package.json"))
        key = f"./{rest}" if rest else "."
        targets = [at(base, text) for text in _sent(content.get("exports"), key)]
        if not rest:
            targets += self.mains(base)
        targets += self._of_versions(base, content.get("typesVersions"), rest)
        found = [one for target in targets for one in self._sources(base, target)]
        yield from found
        direct = at(base, rest or ".")  # so it is without `exports`, and for tools that do not read them
        if self._files.kind(direct) != "dir" and self._files.exists(direct):
            yield direct
        elif not any(map(self._files.exists, found)):
            yield from self._sources(base, direct)

    def mains(self, base: str) -> list[str]:
        """The files that the package.json of a folder names for the folder itself."""
        content = self._files.json(below(base, "package.json"))
        named = (content.get(key) for key in ("source", "module", "main", "browser", "types", "typings"))
        return [found for text in named if isinstance(text, str) and (found := at(base, text))]

    def _sources(self, base: str, target: str) -> Iterator[str]:
        """A target, and where it is not built the source that it is likely built from."""
        if not target:
            return
        yield target
        if target.startswith(f"{base}/" if base else "") and not self._files.exists(target):
            inside = target[len(base) + 1 :] if base else target
            tried = [below(base, _BUILT.sub(rf"\1{to}", inside, count=1)) for to in ("src/", "")]
            yield next(filter(self._files.exists, tried), tried[0])

    def _of_versions(self, base: str, versions: Any, rest: str) -> list[str]:
        """Where `typesVersions` sends a name, whichever the version of the compiler."""
        found = []
        for table in versions.values() if isinstance(versions, dict) and rest else ():
            if isinstance(table, dict) and (key := best(table, rest)) is not None:
                star = filled(key, rest) or ""
                found += [at(base, to) for text in _targets(table[key]) if (to := put(star, text))]
        return [one for one in found if one]


def _sent(table: Any, name: str) -> list[str]:
    """What `imports` or `exports` says of a name, under every condition."""
    if not isinstance(table, dict) or not any(str(key).startswith((".", "#")) for key in table):
        table = {".": table} if table else {}
    key = best(table, name)
    if key is not None:
        star = filled(key, name) or ""
        return [to for text in _targets(table[key]) if (to := put(star, text))]
    folders = [key for key in table if key.endswith("/") and name.startswith(key)]  # as it was once written
    folder = max(folders, key=len, default="")
    return [text + name[len(folder) :] for text in _targets(table[folder])] if folder else []


def _targets(value: Any) -> Iterator[str]:
    """The texts of a target, as many as are followed."""
    return islice(_texts(value), MOST)


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Every text of a target: itself, the alternatives of a list, the values of conditions."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)) and depth < _DEPTH:
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item, depth + 1)
