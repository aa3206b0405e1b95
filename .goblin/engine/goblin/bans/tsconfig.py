"""What the tsconfig.json and jsconfig.json files of a repository say about names of modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from goblin.bans.jsfiles import Files, at, below
from goblin.bans.patterns import MOST, best, filled, put

NAMES = ("tsconfig.json", "jsconfig.json")
_REFERENCES = 3
"""How deep projects that refer to projects are followed."""

_DEEPEST = 50
"""Configurations that extend one another."""

_MOST = 200
"""Projects that one configuration leads to."""


class Config(NamedTuple):
    """One configuration with what it extends; every path is one from the root."""

    base: str | None = None  # the folder of `baseUrl`
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()  # pattern to targets
    roots: tuple[str, ...] = ()  # the folders of `rootDirs`, which are seen as one

    def mapped(self, name: str) -> tuple[str, ...]:
        """The targets of the pattern in `paths` that fits a name best."""
        pattern = best((one for one, _ in self.paths), name)
        if pattern is None:
            return ()
        star = filled(pattern, name) or ""
        texts = dict(self.paths)[pattern][:MOST]
        targets = (at("", text.replace("*", star, 1)) for text in texts if text)
        return tuple(target for target in targets if target)


class _Options(NamedTuple):
    """The options as they are written, each with the folder of the file that says it; None is silence."""

    base: tuple[str, Any] | None = None
    paths: tuple[str, Any] | None = None
    roots: tuple[str, Any] | None = None


class Configs:
    """The configurations of a tree. `packages` gives the folders of the packages of a name."""

    def __init__(self, files: Files, packages: Callable[[str], list[str]]) -> None:
        self._files = files
        self._packages = packages
        self._found: dict[str, tuple[Config, ...]] = {}
        self._read: dict[str, _Options] = {}

    def nearest(self, folder: str) -> tuple[Config, ...]:
        """What the nearest configuration says, and the projects that it refers to."""
        if folder not in self._found:
            own = next((p for name in NAMES if self._is_file(p := below(folder, name))), "")
            if own:
                projects = dict.fromkeys(islice(self._projects(own), _MOST))
                self._found[folder] = tuple(_placed(self._options(p), p.rpartition("/")[0]) for p in projects)
            else:
                self._found[folder] = self.nearest(folder.rpartition("/")[0]) if folder else ()
        return self._found[folder]

    def _is_file(self, path: str) -> bool:
        return self._files.kind(path) == "file"

    def _projects(self, path: str, depth: int = 0) -> Iterator[str]:
        """A configuration and those that it refers to."""
        yield path
        folder = path.rpartition("/")[0]
        for reference in _list(self._files.json(path).get("references")) if depth < _REFERENCES else ():
            inner = reference.get("path") if isinstance(reference, dict) else None
            if isinstance(inner, str) and (target := at(folder, inner)):
                target = f"{target}/tsconfig.json" if self._files.kind(target) == "dir" else target
                if self._is_file(target):
                    yield from self._projects(target, depth + 1)

    def _options(self, path: str, depth: int = 0) -> _Options:
        """The options of a file over those of what it extends, the last one first."""
        if depth > _DEEPEST:
            return _Options()
        if path not in self._read:
            self._read[path] = _Options()  # should it extend itself
            content, folder = self._files.json(path), path.rpartition("/")[0]
            found = _Options()
            extended = content.get("extends")
            for parent in [extended] if isinstance(extended, str) else _list(extended):
                if isinstance(parent, str) and (target := self._extended(folder, parent)):
                    inner = self._options(target, depth + 1)
                    found = _Options(*(new or old for new, old in zip(inner, found, strict=True)))
            options = content.get("compilerOptions")
            self._read[path] = _over(found, options, folder) if isinstance(options, dict) else found
        return self._read[path]

    def _extended(self, folder: str, name: str) -> str:
        """The file that `extends` names, in a package of the repository or an installed one too."""
        if name.startswith("."):
            return self._first(at(folder, name))
        parts = name.split("/")
        length = 2 if name.startswith("@") else 1
        package, inside = "/".join(parts[:length]), "/".join(parts[length:])
        installed = [below(folder, f"node_modules/{package}")]
        while folder:
            folder = folder.rpartition("/")[0]
            installed.append(below(folder, f"node_modules/{package}"))
        for base in (*self._packages(package), *installed):
            if self._files.kind(base) == "dir" and (target := self._in_package(base, inside)):
                return target
        return ""

    def _in_package(self, base: str, inside: str) -> str:
        manifest = self._files.json(below(base, "package.json"))
        exports = manifest.get("exports")
        if isinstance(exports, dict) and (key := best(exports, f"./{inside}" if inside else ".")):
            value = exports[key]
            while isinstance(value, dict):
                value = next(iter(value.values()), None)
            if isinstance(value, str):
                to = put(filled(key, f"./{inside}") or "", value)
                return self._first(at(base, to) if to else "")
        named = manifest.get("tsconfig")
        return self._first(at(base, inside or (named if isinstance(named, str) else "tsconfig.json")))

    def _first(self, target: str) -> str:
        tried = (target, f"{target}.json", f"{target}/tsconfig.json") if target else ()
        return next((path for path in tried if self._is_file(path)), "")


def _over(found: _Options, options: dict[str, Any], folder: str) -> _Options:
    """The options of one file over what it inherits; null takes back what was inherited."""
    kinds = {"base": ("baseUrl", str), "paths": ("paths", dict), "roots": ("rootDirs", list)}
    for field, (key, kind) in kinds.items():
        value = options.get(key)
        if isinstance(value, kind):
            found = found._replace(**{field: (folder, value)})
        elif key in options and value is None:
            found = found._replace(**{field: None})
    return found


def _placed(options: _Options, top: str) -> Config:
    """The options with every path from the root; `top` is the folder of the outermost configuration."""

    def placed(text: str, folder: str) -> str:
        if text.startswith("${configDir}"):
            return at(top, text.removeprefix("${configDir}").lstrip("/") or ".")
        return at(folder, text)

    base = None
    if options.base is not None:
        where = placed(options.base[1], options.base[0])
        base = "" if where == "." else where or None
    paths = []
    home, mapped = options.paths or ("", {})
    for pattern, targets in mapped.items():
        inside = home if base is None else base
        texts = [one for one in _list(targets) if isinstance(one, str)]
        paths.append((pattern, tuple(placed(text, inside) for text in texts)))
    folder, roots = options.roots or ("", [])
    return Config(base, tuple(paths), tuple(placed(one, folder) for one in roots if isinstance(one, str)))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
