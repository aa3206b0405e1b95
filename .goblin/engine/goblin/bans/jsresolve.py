"""Where an import of JavaScript or TypeScript leads, by the files that say so.

Relative paths, `baseUrl`, `paths`, `rootDirs` and `extends` of the nearest tsconfig.json or jsconfig.json
(and of the projects that it refers to), `imports` of the nearest package.json, and the packages of the
repository by name. Nothing is looked for in node_modules, and no bundler's configuration is read; of the
aliases that bundlers and frameworks bring without a file that says so, those that everybody uses are
followed to where they usually lead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from goblin.bans.jsfiles import ENDINGS, Files, at, below
from goblin.bans.jspackages import Packages, package_of
from goblin.bans.tsconfig import Config, Configs
from goblin.paths import Tree

_BUILTIN = frozenset({
    "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
    "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module",
    "net", "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream",
    "string_decoder", "sys", "test", "timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm",
    "wasi", "worker_threads", "zlib",
})  # fmt: skip
_USUAL = {
    "@/": ("src", "app", ""),
    "~/": ("src", "app", ""),
    "@@/": ("",),
    "~~/": ("",),
    "$lib/": ("src/lib",),
}
"""Aliases that are no names of packages, and the folders of a package that they usually stand for."""


class Resolved(NamedTuple):
    """Where an import may lead: paths from the root, with or without their ending.

    `external` is True for a package that is not of this repository; with no path and not external, nobody
    here says where the import leads.
    """

    targets: tuple[str, ...] = ()
    external: bool = False


class Resolver:
    """Resolves the imports of one repository. `packages` lists the package.json files that it tracks."""

    def __init__(self, tree: Tree, packages: Callable[[], Iterable[str]]) -> None:
        self._files = Files(tree)
        self._packages = Packages(self._files, packages)
        self._configs = Configs(self._files, self._packages.folders)
        self._known: dict[tuple[str, str], Resolved] = {}

    def resolve(self, path: str, specifier: str) -> Resolved:
        """Where an import in the file at `path` leads."""
        folder = path.rpartition("/")[0]
        key = (folder, specifier)
        if key not in self._known:
            name = specifier.rpartition("!")[2].partition("?")[0]
            found = self._resolve(folder, name)
            self._known[key] = Resolved(tuple(dict.fromkeys(self._led(found.targets))), found.external)
        return self._known[key]

    def exists(self, path: str) -> bool:
        """True where a module can be loaded by this path: a folder, or a file whose ending may be missing."""
        return self._files.exists(path)

    def _led(self, targets: Iterable[str]) -> Iterator[str]:
        """The targets, what a folder among them stands for, and where links lead."""
        for target in targets:
            yield from self._files.places(target)
            if self._files.kind(target) == "dir":
                for main in self._packages.mains("" if target == "." else target):
                    yield from self._files.places(main)

    def _resolve(self, folder: str, name: str) -> Resolved:
        if re.match(r"\.\.?(?:/|\Z)", name):
            return self._relative(folder, name)
        if name.startswith("/"):
            bases = (self._packages.manifest(folder)[0], "")
            return Resolved(tuple(at(base, name[1:]) for base in bases))
        configs = self._configs.nearest(folder)
        absent: tuple[str, ...] = ()  # where a pattern would lead, if there were such a file
        for config in configs:
            for target in (targets := config.mapped(name)):
                if self.exists(target):
                    return Resolved((target,))
            absent = absent or targets
            if config.base is not None and self.exists(found := at(config.base, name)):
                return Resolved((found,))
        if name.startswith("#") and (inner := self._packages.imported(folder, name)):
            return Resolved(tuple(inner))
        package = self._package(folder, name)
        if package.external or package.targets:
            return package
        return Resolved(absent or tuple(self._usual(folder, name)))

    def _package(self, folder: str, name: str) -> Resolved:
        package = package_of(name)
        if self._packages.folders(package):
            return Resolved(tuple(self._packages.inside(name)))
        scheme = re.match(r"[a-z][a-z0-9+-]*:", name)
        return Resolved(
            external=bool(scheme) or package in _BUILTIN or self._packages.depends(folder, package)
        )

    def _usual(self, folder: str, name: str) -> Iterator[str]:
        alias = next((one for one in _USUAL if f"{name}/".startswith(one)), "")
        if alias:
            base = self._packages.manifest(folder)[0]
            inside = name[len(alias) :]
            tried = (at(below(base, to).rstrip("/"), inside or ".") for to in _USUAL[alias])
            yield from filter(self.exists, tried)

    def _relative(self, folder: str, name: str) -> Resolved:
        target = at(folder, name)
        if not target:
            return Resolved(external=True)
        if self._files.kind(target) == "dir" and not name.endswith(("/", ".")):
            # `../main` is the file main.ts where there is one, and only else the folder.
            file = next((target + e for e in ENDINGS[1:] if self._files.kind(target + e) == "file"), "")
            target = file or target
        found = [target]
        for config in self._configs.nearest(folder):
            found += self._beside(config, folder, name, target)
        return Resolved(tuple(found))

    def _beside(self, config: Config, folder: str, name: str, target: str) -> Iterator[str]:
        """Where a relative name leads in the other folders of `rootDirs`."""
        for root in config.roots:
            if folder == root or folder.startswith(f"{root}/"):
                inside = folder[len(root) :].strip("/")
                for other in config.roots:
                    found = at(below(other, inside) if inside else other, name)
                    if found not in ("", target) and self.exists(found):
                        yield found
