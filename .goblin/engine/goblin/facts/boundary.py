"""Fact `boundary`: the write routes of the declared directories, and which of them are waived (SC-05)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.sources import directories
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts import routes
    from goblin.facts.config import Config
    from goblin.facts.jsscript import Script
    from goblin.facts.search import Source
    from goblin.facts.sources import Sources
    from goblin.paths import Tree

KEY = "security.write_routes"
WAIVERS = ".goblin/boundary-waivers"

_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".cts", ".cjs")
_LIMIT = 1 << 20


class Waiver(NamedTuple):
    """One entry of the waiver file; one without a reason waives nothing."""

    path: str
    reason: str
    line: int

    @property
    def counts(self) -> bool:
        """True where the reason says something (decided 25)."""
        return any(char.isalnum() for char in self.reason)


class Route(NamedTuple):
    """One route file with its write handlers; `problem` says why it was not read."""

    source: Source
    handlers: tuple[routes.Handler, ...]
    problem: str = ""


class Boundary:
    """The declared directories and what they hold."""

    def __init__(self, tree: Tree, sources: Sources, declared: tuple[str, ...]) -> None:
        self._tree = tree
        self._sources = sources
        self._scripts: dict[str, Script | None] = {}
        self.declared = declared
        self.absent = tuple(path for path in declared if not self._stands(path))

    def _stands(self, folder: str) -> bool:
        if folder == "." or self._tree.kind(folder) == "dir":
            return True
        return self._sources.stands(folder)

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """Every route file below the declared directories."""
        from goblin.facts import routes

        found = []
        for path, source in sorted(self._sources.source_set.items()):
            below = any(folder == "." or path.startswith(f"{folder}/") for folder in self.declared)
            if below and path.rpartition("/")[2] in routes.FILES:
                found.append(self._route(source))
        return tuple(found)

    def _route(self, source: Source) -> Route:
        from goblin.facts import jsscript, routes

        try:
            data = self._sources.data(source)
        except ReadRefused as error:
            return Route(source, (), str(error))
        if not routes.MAY_HANDLE.search(data):
            return Route(source, ())
        script = jsscript.read(source.path, data)
        found = routes.handlers(script, lambda module: self._resolved(module, source.path))
        return Route(source, tuple(found))

    def _resolved(self, module: str, path: str) -> Script | None:
        """The script of a relative module, or of one below `@/` or `~/`; None where none is found."""
        for base in _bases(module, path):
            for candidate in _candidates(base):
                source = self._sources.source_set.get(candidate)
                if source is not None:
                    return self._script(source)
        return None

    def _script(self, source: Source) -> Script | None:
        if source.path not in self._scripts:
            from goblin.facts import jsscript

            try:
                script = jsscript.read(source.path, self._sources.data(source))
            except ReadRefused:
                script = None
            self._scripts[source.path] = script
        return self._scripts[source.path]

    @cached_property
    def waivers(self) -> tuple[Waiver, ...]:
        """The entries of the waiver file; none without the file. Raises `ReadRefused`."""
        if self._tree.kind(WAIVERS) == "missing":
            return ()
        return tuple(parse(self._tree.read(WAIVERS, _LIMIT)))


def parse(data: bytes) -> list[Waiver]:
    """The entries: a path, white space, `#`, a reason. Lines that begin with `#` are comments."""
    found = []
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        path, reason = line, ""
        for at in range(1, len(line)):
            if line[at] == "#" and line[at - 1].isspace():
                path, reason = line[:at].rstrip(), line[at + 1 :].strip()
                break
        found.append(Waiver(path, reason, number))
    return found


def _bases(module: str, path: str) -> list[str]:
    """Where a module may lie, as paths without an ending."""
    folder = path.rpartition("/")[0]
    if module.startswith((".", "..")):
        joined = _joined(folder, module)
        return [joined] if joined else []
    if not module.startswith(("@/", "~/")):
        return []
    parts = folder.split("/") if folder else []
    tops = ["/".join(parts[:count]) for count in range(len(parts), -1, -1)]
    return [
        base for top in tops for base in (_joined(top, module[2:]), _joined(top, f"src/{module[2:]}")) if base
    ]


def _joined(folder: str, module: str) -> str:
    parts = folder.split("/") if folder else []
    for part in module.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _candidates(base: str) -> list[str]:
    stem = base.rpartition(".")[0] if base.endswith((".js", ".jsx", ".mjs", ".cjs")) else ""
    tried = [base + ending for ending in _ENDINGS]
    tried += [f"{stem}{ending}" for ending in _ENDINGS[1:]] if stem else []
    return tried + [f"{base}/index{ending}" for ending in _ENDINGS[1:]]


def load(tree: Tree, sources: Sources, config: Config) -> Boundary:
    """The declared directories; reads no file yet. Raises `CheckFailed` for a wrong declaration."""
    return Boundary(tree, sources, directories(config.words(KEY)))
