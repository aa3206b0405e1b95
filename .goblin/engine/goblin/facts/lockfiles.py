"""Fact `lockfiles`: the manifests and lockfiles at the root, and the list of accepted install hooks.

A lockfile may be megabytes; what it says is kept in the git directory under the digest of its bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin import cache
from goblin.facts import manifests
from goblin.facts.lockformats import READERS, Content, npm_root
from goblin.facts.manifests import Manifest, items, normal, table
from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.repository import Repository
    from goblin.paths import Tree

LIMIT = 64 << 20
ALLOWLIST = ".goblin/install-hooks.allowlist"
OF = {
    "package.json": (
        *("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lockb", "bun.lock"),
    ),
    "pyproject.toml": ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock"),
    "Pipfile": ("Pipfile.lock",),
    "Cargo.toml": ("Cargo.lock",),
    "go.mod": ("go.sum",),
}
"""Manifest to the lockfiles that serve it."""

MAKERS = {
    "package-lock.json": "npm install --package-lock-only",
    "npm-shrinkwrap.json": "npm shrinkwrap",
    "pnpm-lock.yaml": "pnpm install --lockfile-only",
    "yarn.lock": "yarn install",
    "bun.lockb": "bun install",
    "bun.lock": "bun install --lockfile-only",
    "uv.lock": "uv lock",
    "poetry.lock": "poetry lock",
    "pdm.lock": "pdm lock",
    "Pipfile.lock": "pipenv lock",
    "Cargo.lock": "cargo generate-lockfile",
    "go.sum": "go mod tidy",
}
"""Lockfile to the command that makes it, or makes it anew."""

CACHE = "lockfiles.json"
_FORMAT = 1
_LOCAL = ("workspace:", "link:", "file:", "portal:")


class Lock(NamedTuple):
    """One lockfile. `content` is None where it could not be read, for the reason in `problem`."""

    name: str
    tracked: bool
    content: Content | None
    problem: str = ""


class Allowed(NamedTuple):
    """One line of the allowlist."""

    name: str
    line: int


class Lockfiles:
    """What stands at the root."""

    def __init__(self, tree: Tree, repository: Repository | None, keep: str = "") -> None:
        self._tree = tree
        self._repository = repository
        self._keep = keep

    @property
    def in_git(self) -> bool:
        """True where there is an index to ask."""
        return self._repository is not None

    @cached_property
    def manifests(self) -> dict[str, Manifest]:
        """The manifests by name."""
        return manifests.read(self._tree)

    @cached_property
    def locks(self) -> dict[str, Lock]:
        """The lockfiles by name, in the order of `READERS`."""
        kept = cache.recall(self._keep, CACHE) if self._keep else None
        known: dict[str, Any] = kept if isinstance(kept, dict) else {}
        learned: dict[str, Any] = {}
        found = {}
        for name in READERS:
            if self._tree.kind(name) != "missing":
                found[name] = self._lock(name, known, learned)
        if self._keep and learned != known:
            cache.remember(self._keep, CACHE, learned)
        return found

    def _lock(self, name: str, known: dict[str, Any], learned: dict[str, Any]) -> Lock:
        tracked = self._repository is not None and self._repository.tracks(name)
        try:
            data = self._tree.read(name, LIMIT)
        except ReadRefused as error:
            return Lock(name, tracked, None, str(error).partition(": ")[2])
        key = _digest(name, data) if self._keep else ""
        content = _restored(known.get(key)) if key in known else None
        if content is None:
            try:
                content = READERS[name](data)
            except ValueError as error:
                return Lock(name, tracked, None, f"not readable: {error}")
        if key:
            learned[key] = content
        return Lock(name, tracked, content)

    def usual(self, name: str) -> str:
        """The lockfile that a manifest without one is meant for, as far as it names its tool."""
        data = self.manifests[name].data
        if name == "package.json":
            tool = str(data.get("packageManager", "")).partition("@")[0]
            named = {"pnpm": "pnpm-lock.yaml", "yarn": "yarn.lock", "bun": "bun.lock"}
            return named.get(tool, OF[name][0])
        tools = table(data, "tool") if name == "pyproject.toml" else {}
        return next((f"{tool}.lock" for tool in ("uv", "poetry", "pdm") if tool in tools), OF[name][0])

    # --- is a lock what its manifest asks for? ----------------------------------------------------

    def stale(self, lock: Lock) -> tuple[str, ...] | None:
        """How a lock differs from the manifest, one text a difference; None where it does not say."""
        content = lock.content
        if content is None or content.root is None:
            return None
        if lock.name == "uv.lock":
            return self._stale_uv(content.root)
        package = self.manifests.get("package.json")
        if package is None or package.problem:
            return None
        declared = npm_root(package.data)
        ignored = set(content.loose)
        if content.elsewhere == "pnpm":
            peers = table(package.data, "peerDependencies")
            ignored.update(name for name in peers if f"dependencies {name}" not in declared)
            declared = {
                key.partition(" ")[2]: spec for key, spec in declared.items() if not key.startswith("peer")
            }
        return tuple(_differences(declared, content.root, ignored))

    def _stale_uv(self, root: dict[str, str]) -> tuple[str, ...] | None:
        project = self.manifests.get("pyproject.toml")
        if project is None or project.problem:
            return None
        data = table(project.data, "project")
        if {"dependencies", "optional-dependencies"} & set(map(str, items(data, "dynamic"))):
            return None
        sources = {normal(name) for name in table(table(table(project.data, "tool"), "uv"), "sources")}
        locked = dict(_uv_names(root, sources))
        declared = {}
        for found in manifests.python_requirements(data):
            direct = found.direct or found.name in sources
            declared[f"{found.name} {'@' if direct else ','.join(found.conditions)}"] = ""
        own = normal(str(data.get("name", "")))
        return tuple(_differences(declared, locked, {f"{own} ", f"{own} @"}))

    # --- which packages run code on install? --------------------------------------------------------

    def hooks(self, lock: Lock) -> tuple[tuple[str, ...] | None, str]:
        """The packages that may run code on install, or None and the reason why nothing says so."""
        content = lock.content
        if content is None:
            return None, lock.problem
        if content.hooks is not None:
            return content.hooks, ""
        named = self._trusted(content.elsewhere)
        if named is not None:
            return tuple(sorted(set(named))), ""
        where = {
            "pnpm": "nor does onlyBuiltDependencies list any",
            "bun": "nor does trustedDependencies list any",
            "yarn": "nor does dependenciesMeta list any",
        }
        more = f", {where[content.elsewhere]}" if content.elsewhere else ""
        return None, f"{lock.name} ({content.format}) records no install hooks{more}"

    def _trusted(self, kind: str) -> list[str] | None:
        """The packages that the project lets run code, for kinds whose lock does not say; None: no list."""
        data = self.manifests["package.json"].data if "package.json" in self.manifests else {}
        if kind == "bun":
            return _texts(data, "trustedDependencies")
        if kind == "yarn":
            meta = table(data, "dependenciesMeta")
            built = [_unversioned(name) for name in meta if table(meta, name).get("built") is True]
            return built if any("built" in table(meta, name) for name in meta) else None
        if kind != "pnpm":
            return None
        found: list[str] | None = _texts(table(data, "pnpm"), "onlyBuiltDependencies")
        workspace = self._workspace()
        for key in ("onlyBuiltDependencies", "allowBuilds"):
            value = workspace.get(key)
            if isinstance(value, list):
                found = [*(found or []), *map(str, value)]
            elif isinstance(value, dict):
                found = [*(found or []), *(str(name) for name, on in value.items() if on == "true")]
        return None if found is None else [_unversioned(name) for name in found]

    def _workspace(self) -> dict[str, Any]:
        """The two lists of pnpm-workspace.yaml; kept by its bytes, since YAML takes long to read."""
        from goblin import yaml

        name = "pnpm-workspace.yaml"
        if self._tree.kind(name) != "file":
            return {}
        try:
            data = self._tree.read(name, 1 << 20)
            digest = _digest(name, data) if self._keep else ""
            kept = cache.recall(self._keep, "pnpm-workspace.json") if digest else None
            if isinstance(kept, dict) and isinstance(kept.get(digest), dict):
                return dict(kept[digest])
            value = yaml.load(data, name)
        except (ReadRefused, yaml.YamlError) as error:
            raise CheckFailed(f"{name} is not readable: {error}", remedy=f"mend {name}") from error
        keys = ("onlyBuiltDependencies", "allowBuilds")
        found = {key: value[key] for key in keys if key in value} if isinstance(value, dict) else {}
        if digest:
            cache.remember(self._keep, "pnpm-workspace.json", {digest: found})
        return found

    def needs_packages(self) -> int:
        """How many dependencies of package.json a lock cannot be without."""
        package = self.manifests.get("package.json")
        kinds = ("dependencies", "devDependencies", "optionalDependencies")
        specs = [
            str(spec) for kind in kinds for spec in table(package.data if package else {}, kind).values()
        ]
        return sum(not spec.startswith(_LOCAL) for spec in specs)

    @cached_property
    def allowed(self) -> tuple[Allowed, ...]:
        """The allowlist; empty without the file. Raises `ReadRefused`."""
        if self._tree.kind(ALLOWLIST) == "missing":
            return ()
        return tuple(parse_allowlist(self._tree.read(ALLOWLIST, 1 << 20)))


def parse_allowlist(data: bytes) -> Iterator[Allowed]:
    """One package a line; `#` begins a comment at the start of a line and after white space."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if words and not words[0].startswith("#"):
            end = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
            name = " ".join(words[:end])
            scheme, colon, rest = name.partition(":")
            yield Allowed(f"pypi:{normal(rest)}" if colon and scheme == "pypi" else name, number)


def _differences(declared: dict[str, str], locked: dict[str, str], ignored: set[str]) -> Iterator[str]:
    for name in sorted(declared.keys() | locked.keys()):
        if name in ignored or declared.get(name) == locked.get(name):
            continue
        told = name.strip()
        if name not in locked:
            yield f"{told} is not locked"
        elif name not in declared:
            yield f"{told} is locked and no longer declared"
        else:
            yield f"{told} is locked for another version than is declared"


def _uv_names(root: dict[str, str], sources: set[str]) -> Iterator[tuple[str, str]]:
    for key in root:
        name = key.partition(" ")[0]
        yield (f"{name} @" if name in sources else key), ""


def _texts(value: dict[str, Any], key: str) -> list[str] | None:
    return [str(item) for item in items(value, key)] if key in value else None


def _unversioned(name: str) -> str:
    at = name.find("@", 1)
    return name[:at] if at > 0 else name


def _digest(name: str, data: bytes) -> str:
    import hashlib

    from goblin import __version__

    maker = f"{_FORMAT} {__version__} {name}\0".encode()
    return hashlib.sha256(maker + data).hexdigest()


def _restored(value: object) -> Content | None:
    """A content as JSON kept it, or None where it is none."""
    if not isinstance(value, list) or len(value) != len(Content._fields):
        return None
    label, packages, root, loose, hooks, elsewhere = value
    if not (isinstance(label, str) and isinstance(packages, int) and isinstance(elsewhere, str)):
        return None
    if not (root is None or isinstance(root, dict)) or not isinstance(loose, list):
        return None
    if not (hooks is None or isinstance(hooks, list)):
        return None
    return Content(label, packages, root, tuple(loose), None if hooks is None else tuple(hooks), elsewhere)


def load(facts: Facts) -> Lockfiles:
    """Nothing is read before it is asked for. Raises `GitError`."""
    run = facts.run
    repository = facts.get("repository") if run.repo else None
    keep = run.git_dir or "" if run.cache and not run.static else ""
    return Lockfiles(facts.get("tree"), repository, keep)
