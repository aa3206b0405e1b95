"""One reader for each kind of lockfile: what it locks for the root, and which packages run code on install.

A reader gets the bytes and gives a `Content`, or raises `ValueError` with what is wrong. Each reads the
format with a real parser; of a pnpm lock, which may be megabytes of YAML, only the parts that are asked
for are parsed, where the file has the shape that the tool writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from goblin.facts.manifests import NPM_KINDS, items, load_json, load_toml, normal, requirement, table
from goblin.pattern import lazy


class Content(NamedTuple):
    """What a lockfile says. All members are what JSON can hold, so that they can be kept."""

    format: str  # such as "npm v3"
    packages: int  # how many it locks
    root: dict[str, str] | None = None  # what it locked for the root: name to condition; None: not recorded
    loose: tuple[str, ...] = ()  # names of the root that the lock may leave out or spell another way
    hooks: tuple[str, ...] | None = None  # packages that run code on install; None: not recorded
    elsewhere: str = ""  # where this kind keeps the list of packages that may run code: pnpm bun yarn


# --- npm --------------------------------------------------------------------------------------------


def npm_root(value: dict[str, Any]) -> dict[str, str]:
    """The dependencies of a package.json, or of a lock's root entry, by kind and name."""
    optional = table(value, "optionalDependencies")
    found = {}
    for kind in NPM_KINDS:
        for name, spec in table(value, kind).items():
            if not (kind == "dependencies" and name in optional):
                found[f"{kind} {name}"] = str(spec)
    return found


def npm(data: bytes) -> Content:
    """package-lock.json and npm-shrinkwrap.json, versions 1 to 3."""
    value = load_json(data)
    if not isinstance(value, dict):
        raise ValueError("the root is no object")
    version = value.get("lockfileVersion")
    packages = value.get("packages")
    if not isinstance(packages, dict):
        if version in (None, 1) and isinstance(value.get("dependencies"), dict):
            return Content("npm v1", len(table(value, "dependencies")))
        if version == 1:
            return Content("npm v1", 0)
        raise ValueError("it holds no packages")
    root = packages.get("")
    hooks = {
        _npm_name(key, entry)
        for key, entry in packages.items()
        if key and isinstance(entry, dict) and entry.get("hasInstallScript") is True
    }
    locked = npm_root(root) if isinstance(root, dict) else None
    count = sum(1 for key in packages if key)
    return Content(f"npm v{version if version in (2, 3) else '?'}", count, locked, (), tuple(sorted(hooks)))


def _npm_name(key: str, entry: dict[str, Any]) -> str:
    name = entry.get("name")
    if isinstance(name, str) and name:
        return name
    _, found, last = key.rpartition("node_modules/")
    return last if found else key.rpartition("/")[2]


# --- bun --------------------------------------------------------------------------------------------

_JSONC = lazy(
    r'("(?:[^"\\]|\\.)*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*+[}\]])', re.DOTALL
)


def load_jsonc(data: bytes) -> Any:
    """JSON with comments and commas before a closing bracket; raises `ValueError`."""
    text = data.decode("utf-8-sig")
    return load_json(_JSONC.sub(lambda match: match[1] or " ", text).encode())


def bun(data: bytes) -> Content:
    """bun.lock (text)."""
    value = load_jsonc(data)
    if not isinstance(value, dict):
        raise ValueError("the root is no object")
    trusted = [name for name in items(value, "trustedDependencies") if isinstance(name, str)]
    hooks = tuple(sorted(trusted)) if "trustedDependencies" in value else None
    return Content("bun", len(table(value, "packages")), None, (), hooks, "bun")


def bun_binary(data: bytes) -> Content:
    """bun.lockb: what it locks cannot be read here."""
    return Content("bun (binary)", 0, elsewhere="bun")


# --- yarn -------------------------------------------------------------------------------------------


def yarn(data: bytes) -> Content:
    """yarn.lock of both generations."""
    text = data.decode("utf-8-sig", "replace")
    entries = len(re.findall(r"(?m)^[^\s#].*:\s*$", text))
    if re.search(r"(?m)^__metadata:", text):
        return Content("yarn berry", max(entries - 1, 0), elsewhere="yarn")
    return Content("yarn classic", entries)


# --- pnpm -------------------------------------------------------------------------------------------

_PNPM_KINDS = ("dependencies", "devDependencies", "optionalDependencies")
_KEY = lazy(r"^([A-Za-z][\w]*):(?: (.*))?$")
_ENTRY = lazy(r"^  (?:'((?:[^']|'')*)'|\"([^\"]*)\"|(\S.*?)):\s*$")


def pnpm(data: bytes) -> Content:
    """pnpm-lock.yaml, every document of it, versions 5 to 9."""
    text = data.decode("utf-8-sig").replace("\r\n", "\n")
    documents = [part for part in re.split(r"(?m)^---.*$", text) if part.strip()]
    root: dict[str, str] | None = None
    loose: set[str] = set()
    hooks: set[str] | None = None
    packages, version = 0, ""
    for document in documents:
        sections = _sections(document)
        if sections is None:
            found, names = _parsed(document.encode()), None
        else:
            wanted = [sections[key] for key in _PNPM_PARTS if key in sections]
            found, names = _parsed("".join(wanted).encode()), _built(sections.get("packages", ""))
        version = str(found.get("lockfileVersion", version))
        entries = names[0] if names else len(table(found, "packages"))
        packages += entries
        major = re.match(r"\d+", version)
        if major and int(major.group()) < 7:
            built = names[1] if names else _built_of(table(found, "packages"))
            hooks = (hooks or set()) | built
        locked = _pnpm_root(found)
        if locked is not None:
            root = {**(root or {}), **locked}
        loose.update(table(found, "overrides"))
        loose.update(str(name) for name in items(found, "ignoredOptionalDependencies"))
    if not version:
        raise ValueError("it names no lockfileVersion")
    built_names = tuple(sorted(hooks)) if hooks is not None else None
    return Content(
        f"pnpm v{version.split('.')[0]}", packages, root, tuple(sorted(loose)), built_names, "pnpm"
    )


_PNPM_PARTS = (
    "lockfileVersion", "overrides", "ignoredOptionalDependencies", "importers", "specifiers", *_PNPM_KINDS,
)  # fmt: skip


def _sections(document: str) -> dict[str, str] | None:
    """The top-level parts of a lock as pnpm writes it (of the importers the root); None for another shape."""
    found: dict[str, str] = {}
    name = ""
    lines: list[str] = []
    for line in [*document.split("\n"), "end:"]:
        if not line or line[0] in " #":
            lines.append(line)
            continue
        key = _KEY.match(line)
        if key is None:
            return None
        if name:
            found[name] = "\n".join(lines) + "\n"
        if key[1] in found:
            return None
        name, lines = key[1], [line]
    if "lockfileVersion" not in found:
        return None
    if "importers" in found:
        found["importers"] = _root_importer(found["importers"])
    return found


def _root_importer(section: str) -> str:
    first, *lines = section.split("\n")
    kept: list[str] = []
    inside = False
    for line in lines:
        if line.startswith("  ") and not line.startswith("   "):
            entry = _ENTRY.match(line)
            inside = entry is None or (entry[1] or entry[2] or entry[3]) == "."
        if inside:
            kept.append(line)
    return "\n".join([first if kept else f"{first} {{}}", *kept]) + "\n"


def _built(section: str) -> tuple[int, set[str]]:
    """How many packages a section lists, and those that it marks as built on install."""
    count, name = 0, ""
    built: set[str] = set()
    for line in section.split("\n")[1:]:
        if line.startswith("  ") and not line.startswith("   ") and line.strip():
            entry = _ENTRY.match(line)
            name = (entry[1] or entry[2] or entry[3] or "") if entry else line.strip()
            count += 1
        elif line.strip() == "requiresBuild: true":
            built.add(_pnpm_name(name))
    return count, built


def _built_of(packages: dict[str, Any]) -> set[str]:
    return {_pnpm_name(key) for key in packages if table(packages, key).get("requiresBuild") == "true"}


def _pnpm_name(key: str) -> str:
    """The package of a key such as `/esbuild/0.14.0`, `/@a/b@1.0.0(c@2)` or `esbuild@0.19.0`."""
    key = key.removeprefix("/")
    scope, slash, rest = key.partition("/") if key.startswith("@") else ("", "", key)
    return scope + slash + re.split(r"[@/(]", rest, maxsplit=1)[0]


def _parsed(data: bytes) -> dict[str, Any]:
    from goblin import yaml

    try:
        value = yaml.load(data, "pnpm-lock.yaml", limit=4 << 20)
    except yaml.YamlError as error:
        raise ValueError(error.message) from error
    return value if isinstance(value, dict) else {}


def _pnpm_root(value: dict[str, Any]) -> dict[str, str] | None:
    importers = value.get("importers")
    if isinstance(importers, dict):
        value = table(importers, ".")
    specifiers = value.get("specifiers")
    found = {}
    if isinstance(specifiers, dict):
        return {str(name): str(spec) for name, spec in specifiers.items()}
    if not any(kind in value for kind in _PNPM_KINDS):
        return None
    for kind in _PNPM_KINDS:
        for name, entry in table(value, kind).items():
            if not isinstance(entry, dict):
                return None
            found[str(name)] = str(entry.get("specifier", ""))
    return found


# --- Python -----------------------------------------------------------------------------------------


def uv(data: bytes) -> Content:
    """uv.lock: what it was resolved for, and the packages that only come as source."""
    value = load_toml(data)
    packages = [entry for entry in items(value, "package") if isinstance(entry, dict)]
    hooks, root = set(), None
    for entry in packages:
        source = table(entry, "source")
        if source.get("editable") == "." or source.get("virtual") == ".":
            root = dict(_required(table(entry, "metadata")))
        elif "registry" in source and entry.get("sdist") and not items(entry, "wheels"):
            hooks.add(f"pypi:{normal(str(entry.get('name', '')))}")
    return Content("uv", len(packages), root, (), tuple(sorted(hooks)))


def _required(metadata: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """`name conditions`, one for each requirement; where a URL stands for versions, `name @`."""
    for entry in items(metadata, "requires-dist"):
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            direct = entry.keys() & {"git", "url", "path", "directory", "editable", "virtual"}
            read = requirement(f"{entry['name']}{entry.get('specifier', '')}")
            if read:
                yield f"{read.name} {'@' if direct else ','.join(read.conditions)}", ""


def poetry(data: bytes) -> Content:
    """poetry.lock and pdm.lock: the packages that only come as source."""
    value = load_toml(data)
    packages = [entry for entry in items(value, "package") if isinstance(entry, dict)]
    listed = table(table(value, "metadata"), "files")
    hooks = set()
    for entry in packages:
        name = str(entry.get("name", ""))
        if table(entry, "source").get("type") in ("git", "directory", "file", "url"):
            continue
        named = items(entry, "files") or items(listed, name)
        files = [str(file.get("file", "")) for file in named if isinstance(file, dict)]
        if files and not any(file.endswith(".whl") for file in files):
            hooks.add(f"pypi:{normal(name)}")
    return Content("poetry", len(packages), None, (), tuple(sorted(hooks)))


def pipenv(data: bytes) -> Content:
    """Pipfile.lock, which records no kinds of files."""
    value = load_json(data)
    return Content("pipenv", len(table(value, "default")) + len(table(value, "develop")))


# --- others -----------------------------------------------------------------------------------------


def cargo(data: bytes) -> Content:
    """Cargo.lock, which does not say which packages have build scripts."""
    return Content("cargo", len(items(load_toml(data), "package")))


def go(data: bytes) -> Content:
    """go.sum: modules run nothing on install."""
    lines = data.decode("utf-8-sig", "replace").splitlines()
    return Content("go", len({tuple(line.split()[:2]) for line in lines if len(line.split()) == 3}))


READERS: dict[str, Callable[[bytes], Content]] = {
    "package-lock.json": npm,
    "npm-shrinkwrap.json": npm,
    "pnpm-lock.yaml": pnpm,
    "yarn.lock": yarn,
    "bun.lock": bun,
    "bun.lockb": bun_binary,
    "uv.lock": uv,
    "poetry.lock": poetry,
    "pdm.lock": poetry,
    "Pipfile.lock": pipenv,
    "Cargo.lock": cargo,
    "go.sum": go,
}
"""File name to reader; the order is that in which they are named."""
