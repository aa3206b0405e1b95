"""Where an import of JavaScript or TypeScript leads, by the files that say so.

Relative paths, `baseUrl`, `paths`, `rootDirs` and `extends` of the nearest tsconfig.json or jsconfig.json
(and of the projects that it refers to), `imports` of the nearest package.json, and the packages of the
repository by name. Nothing is looked for in node_modules, and no bundler's configuration is read.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from goblin.paths import ReadRefused, Tree, confined

CONFIGS = ("tsconfig.json", "jsconfig.json")
ENDINGS = (
    "",
    ".ts",
    ".tsx",
    ".d.ts",
    ".js",
    ".jsx",
    ".mts",
    ".cts",
    ".mjs",
    ".cjs",
    ".vue",
    ".svelte",
    ".json",
)
_DEPTH = 20
_LIMIT = 4 << 20
_JSONC = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?')
_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|,(?=\s*[}\]])')
_PACKAGE = re.compile(r"(@[^/]+/)?[^/]+")
_BUILT = re.compile(r"(^|/)(?:dist|build|lib|out|es|esm|cjs)/")
_BUILTIN = frozenset({
    "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
    "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module",
    "net", "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream",
    "string_decoder", "sys", "test", "timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm",
    "wasi", "worker_threads", "zlib",
})  # fmt: skip


class Resolved(NamedTuple):
    """Where an import may lead: paths from the root, with or without their ending.

    `external` is True for a package that is not of this repository; with no path and not external, nobody
    here says where the import leads.
    """

    targets: tuple[str, ...] = ()
    external: bool = False


class _Config(NamedTuple):
    """What a tsconfig.json says about names of modules."""

    base: str | None = None  # folder of `baseUrl`
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()  # pattern to targets, all from the root
    roots: tuple[str, ...] = ()


class Resolver:
    """Resolves the imports of one repository. `packages` lists the package.json files that it tracks."""

    def __init__(self, tree: Tree, packages: Callable[[], Iterable[str]]) -> None:
        self._tree = tree
        self._packages = packages
        self._read: dict[str, Any] = {}
        self._configs: dict[str, tuple[_Config, ...]] = {}
        self._known: dict[tuple[str, str], Resolved] = {}
        self._kinds: dict[str, str] = {}

    def resolve(self, path: str, specifier: str) -> Resolved:
        """Where an import in the file at `path` leads."""
        folder = path.rpartition("/")[0]
        key = (folder, specifier)
        if key not in self._known:
            self._known[key] = self._resolve(folder, specifier)
        return self._known[key]

    def _resolve(self, folder: str, specifier: str) -> Resolved:
        name = specifier.rpartition("!")[2].partition("?")[0]
        if re.match(r"\.\.?(?:/|\Z)", name):
            return self._relative(folder, name)
        if name.startswith("/"):
            bases = (self._manifest(folder)[0], "")
            return Resolved(tuple(dict.fromkeys(self._at(base, name[1:]) for base in bases)))
        if name.startswith("#") and (inner := self._mapped(folder, "imports", name)):
            return Resolved(tuple(inner))
        absent: tuple[str, ...] = ()  # where a pattern would lead, if there were such a file
        for config in self._nearest(folder):
            for target in (targets := self._by_paths(config, name)):
                if self.exists(target):
                    return Resolved((target,))
            absent = absent or targets
            if config.base is not None and self.exists(found := self._at(config.base, name)):
                return Resolved((found,))
        package = self._package(folder, name)
        return package if package.external or package.targets else Resolved(absent)

    def _at(self, folder: str, name: str) -> str:
        """A path from the root; "" for what leaves it."""
        joined = os.path.normpath(f"{folder}/{name}" if folder else name)
        if joined == ".":
            return "."
        return self._unlinked(joined) if confined(joined) else ""

    def _unlinked(self, path: str) -> str:
        """The path with each symbolic link in it followed, while that stays inside the root."""
        for _ in range(_DEPTH):
            parts = path.split("/")
            for end in range(1, len(parts) + 1):
                head = "/".join(parts[:end])
                if self._kind(head) == "link":
                    real = os.path.relpath(
                        os.path.realpath(os.path.join(self._tree.root, head)), self._tree.root
                    )
                    if not confined(real):
                        return path
                    path = "/".join([real, *parts[end:]])
                    break
            else:
                return path
        return path

    def _kind(self, path: str) -> str:
        if path not in self._kinds:
            self._kinds[path] = self._tree.kind(path)
        return self._kinds[path]

    def exists(self, path: str) -> bool:
        """True where a module can be loaded by this path: a folder, or a file whose ending may be missing."""
        if not path:
            return False
        stem = re.sub(r"\.([mc]?)jsx?\Z", "", path)  # `./a.js` is written for the file a.ts
        tried = [path + ending for ending in ENDINGS] + [stem + ending for ending in ENDINGS if stem != path]
        return any(self._kind(one) in ("file", "dir") for one in tried)

    def _relative(self, folder: str, name: str) -> Resolved:
        target = self._at(folder, name)
        if not target:
            return Resolved(external=True)
        if self._kind(target) == "dir" and not name.endswith(("/", ".")):
            # `../main` is the file main.ts where there is one, and only else the folder.
            file = next((target + e for e in ENDINGS[1:] if self._kind(target + e) == "file"), "")
            target = file or target
        found = [target]
        if self._kind(target) == "dir":
            found += self._mains("" if target == "." else target)
        for config in self._nearest(folder):
            for root in config.roots:
                if folder == root or folder.startswith(f"{root}/"):
                    inside = folder[len(root) :].strip("/")
                    others = (
                        self._at(f"{other}/{inside}" if inside else other, name) for other in config.roots
                    )
                    found += [other for other in others if other and other != target and self.exists(other)]
        return Resolved(tuple(dict.fromkeys(found)))

    # --- files of configuration ---------------------------------------------------------------------

    def _json(self, path: str) -> dict[str, Any]:
        """A JSON file with comments and trailing commas; empty where there is none that can be read."""
        if path not in self._read:
            try:
                text = _JSONC.sub(lambda m: m[1] or " ", self._tree.text(path, _LIMIT))
                value = json.loads(_COMMA.sub(lambda m: m[1] or "", text))
            except (ReadRefused, ValueError, RecursionError):
                value = {}
            self._read[path] = value if isinstance(value, dict) else {}
        found: dict[str, Any] = self._read[path]
        return found

    def _nearest(self, folder: str) -> tuple[_Config, ...]:
        """What the nearest configuration says, and the projects that it refers to."""
        if folder not in self._configs:
            for name in CONFIGS:
                path = f"{folder}/{name}" if folder else name
                if self._kind(path) == "file":
                    self._configs[folder] = tuple(self._project(path, 0))
                    break
            else:
                self._configs[folder] = self._nearest(folder.rpartition("/")[0]) if folder else ()
        return self._configs[folder]

    def _project(self, path: str, depth: int) -> Iterator[_Config]:
        yield self._config(path, path.rpartition("/")[0], 0)
        references = self._json(path).get("references")
        for reference in references if isinstance(references, list) and depth < 2 else ():
            inner = reference.get("path") if isinstance(reference, dict) else None
            if isinstance(inner, str) and (target := self._at(path.rpartition("/")[0], inner)):
                target = f"{target}/tsconfig.json" if self._kind(target) == "dir" else target
                if self._kind(target) == "file":
                    yield from self._project(target, depth + 1)

    def _config(self, path: str, top: str, depth: int) -> _Config:
        """The configuration at a path with what it extends; `top` is the folder of the outermost."""
        content, folder = self._json(path), path.rpartition("/")[0]
        found = _Config()
        extended = content.get("extends")
        for parent in (
            [extended] if isinstance(extended, str) else extended if isinstance(extended, list) else ()
        ):
            target = self._extended(folder, parent) if isinstance(parent, str) and depth < _DEPTH else ""
            if target:
                inner = self._config(target, top, depth + 1)
                found = _Config(
                    found.base if inner.base is None else inner.base,
                    inner.paths or found.paths,
                    inner.roots or found.roots,
                )
        options = content.get("compilerOptions")
        return self._options(options, folder, top, found) if isinstance(options, dict) else found

    def _options(self, options: dict[str, Any], folder: str, top: str, found: _Config) -> _Config:
        def placed(text: str, base: str) -> str:
            if text.startswith("${configDir}"):
                return self._at(top, text.removeprefix("${configDir}").lstrip("/") or ".")
            return self._at(base, text)

        base = options.get("baseUrl")
        if isinstance(base, str):
            where = placed(base, folder)
            found = found._replace(base="" if where == "." else where)
        paths = options.get("paths")
        if isinstance(paths, dict):
            inside = folder if found.base is None else found.base
            mapped = []
            for pattern, targets in paths.items():
                texts = [t for t in targets if isinstance(t, str)] if isinstance(targets, list) else []
                mapped.append((str(pattern), tuple(placed(text, inside) for text in texts)))
            found = found._replace(paths=tuple(mapped))
        roots = options.get("rootDirs")
        if isinstance(roots, list):
            found = found._replace(roots=tuple(placed(r, folder) for r in roots if isinstance(r, str)))
        return found

    def _extended(self, folder: str, name: str) -> str:
        if not name.startswith("."):
            name = f"node_modules/{name}"
            folder = ""
        target = self._at(folder, name)
        tried = (target, f"{target}.json", f"{target}/tsconfig.json") if target else ()
        return next((path for path in tried if self._kind(path) == "file"), "")

    def _by_paths(self, config: _Config, name: str) -> tuple[str, ...]:
        """The targets of the pattern with the longest start that a name matches."""
        best: tuple[int, tuple[str, ...]] = (-1, ())
        for pattern, targets in config.paths:
            filled = _filled(pattern, name)
            if filled is not None and (length := len(pattern.partition("*")[0])) > best[0]:
                best = (length, tuple(self._at("", t.replace("*", filled, 1)) for t in targets if t))
        return tuple(target for target in best[1] if target)

    # --- packages -----------------------------------------------------------------------------------

    def _manifest(self, folder: str) -> tuple[str, dict[str, Any]]:
        """The nearest package.json at or above a folder: where it stands and what it says."""
        while True:
            path = f"{folder}/package.json" if folder else "package.json"
            if self._kind(path) == "file":
                return folder, self._json(path)
            if not folder:
                return "", {}
            folder = folder.rpartition("/")[0]

    def _mapped(self, folder: str, key: str, name: str) -> list[str]:
        """Where `imports` or `exports` of the nearest package.json sends a name."""
        base, content = self._manifest(folder)
        return self._exports(base, content.get(key), name)

    def _exports(self, base: str, table: Any, name: str) -> list[str]:
        if not isinstance(table, dict) or not any(str(key).startswith((".", "#")) for key in table):
            table = {".": table} if table else {}
        best: tuple[int, Any, str] = (-1, None, "")
        for pattern, target in table.items():
            filled = _filled(pattern, name)
            if filled is not None and (length := len(pattern.partition("*")[0])) > best[0]:
                best = (length, target, filled)
        return [found for text in _texts(best[1]) if (found := self._at(base, text.replace("*", best[2])))]

    @cached_property
    def _local(self) -> dict[str, str]:
        """The packages of this repository: name to folder."""
        found: dict[str, str] = {}
        for path in self._packages():
            name = self._json(path).get("name")
            if isinstance(name, str) and name:
                found.setdefault(name, path.rpartition("/")[0])
        return found

    def _package(self, folder: str, name: str) -> Resolved:
        match = _PACKAGE.match(name)
        package = match[0] if match else ""
        if package in self._local:
            base = self._local[package]
            inside = name[len(package) :].lstrip("/")
            return Resolved(tuple(dict.fromkeys(self._inside(base, inside))))
        if re.match(r"[a-z][a-z0-9+-]*:", name) or package in _BUILTIN or self._depends(folder, package):
            return Resolved(external=True)
        return Resolved()

    def _inside(self, base: str, inside: str) -> Iterator[str]:
        """Where a name inside a package of this repository may lead, its unbuilt sources too."""
        content = self._json(f"{base}/package.json" if base else "package.json")
        targets = self._exports(base, content.get("exports"), f"./{inside}" if inside else ".")
        if not inside:
            targets += self._mains(base)
        targets.append(self._at(base, inside or "."))
        for target in targets:
            yield target
            if base and target.startswith(f"{base}/") and not self.exists(target):
                rest = _BUILT.sub(r"\1src/", target[len(base) + 1 :], count=1)
                yield f"{base}/{rest}"

    def _mains(self, base: str) -> list[str]:
        """The files that the package.json of a folder names for the folder itself."""
        content = self._json(f"{base}/package.json" if base else "package.json")
        named = (content.get(key) for key in ("source", "module", "main", "types", "typings"))
        return [found for text in named if isinstance(text, str) and (found := self._at(base, text))]

    def _depends(self, folder: str, package: str) -> bool:
        while True:
            base, content = self._manifest(folder)
            for key in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
                listed = content.get(key)
                if isinstance(listed, dict) and (package in listed or f"@types/{package}" in listed):
                    return True
            if not base:
                return False
            folder = base.rpartition("/")[0]


def _filled(pattern: str, name: str) -> str | None:
    """What the `*` of a pattern stands for in a name; "" without one, None where it does not match."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == name else None
    fits = name.startswith(before) and name.endswith(after) and len(name) >= len(before) + len(after)
    return name[len(before) : len(name) - len(after)] if fits else None


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Every text of a target: itself, the alternatives of a list, the values of conditions."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < _DEPTH:
        for item in value:
            yield from _texts(item, depth + 1)
    elif isinstance(value, dict) and depth < _DEPTH:
        for item in value.values():
            yield from _texts(item, depth + 1)
