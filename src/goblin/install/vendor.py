"""What the installer copies into a repository as it is: the engine, its libraries, rules and checks.

The copy is readable source: this package less the installer, and the pure-Python libraries from the
very distributions that the installer runs with. Those are pinned, and each file is held against the
digest that its own release recorded, so that a copy equals the release it claims to be
(docs/decisions/0002). No bytecode is copied. Order is bytewise and the same on every machine.
"""

from __future__ import annotations

import base64
import hashlib
import os
from typing import NamedTuple

from goblin import home
from goblin.home import Place
from goblin.install import templates
from goblin.outcome import CannotRun

PLAIN = 0o644
SCRIPT = 0o755

LAUNCHERS = ("goblin-verify", "goblin-bans", "goblin-count", "goblin-loop", "goblin-audit")
"""The commands that a repository carries; each is a module of `goblin.commands`."""

LOOP = ("loop/decisions.tsv", "loop/predicate")
"""The templates that a repository carries: `goblin-loop start` makes a record from them."""

NOT_VENDORED = (
    "install/",
    "emit/",
    "server/",
    "_payload/",
    "adoption.py",
    *(f"commands/{name}.py" for name in ("doctor", "emit", "install", "mcp", "model", "umbrella")),
)
"""Of the package, what a repository does not carry: installing is done from outside it, and models,
agent platforms and the server for them are the business of one machine.
"""

ENGINE = ".goblin/engine/goblin"
VENDOR = ".goblin/engine/_vendor"


class Library(NamedTuple):
    """A distribution whose Python source is copied."""

    name: str
    version: str


LIBRARIES = (
    Library("click", "8.5.1"),
    Library("ruamel.yaml", "0.19.1"),
    Library("tabulate", "0.10.0"),
)


class Item(NamedTuple):
    """One file as it should stand in the target. `path` is relative with forward slashes."""

    path: str
    data: bytes
    mode: int = PLAIN


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise CannotRun(f"{path}: {error.strerror}", "re-install goblin-stack") from error


def _names(folder: str, endings: tuple[str, ...]) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(endings))
    except FileNotFoundError as error:
        raise CannotRun(f"the payload lacks {folder}", "re-install goblin-stack") from error


def launchers(place: Place | None = None) -> list[Item]:
    """The commands in `.goblin/bin/`, one small file each. This and the next read any release."""
    text = templates.load("launchers/launcher", place)
    items = []
    for command in LAUNCHERS:
        module = f"goblin.commands.{command.removeprefix('goblin-')}"
        data = templates.render(text, {"COMMAND": command, "MODULE": module}).encode()
        items.append(Item(f".goblin/bin/{command}", data, SCRIPT))
    return items


def rules(place: Place | None = None) -> list[Item]:
    """The tables in `.goblin/manifest/`, the rule files in `.goblin/bans/`, the verifiers in
    `.goblin/checks/`, the config's schema, and what `goblin-loop start` begins a record from.
    """
    place = place or home.here()
    folder = place.path("manifest")
    items = [
        Item(f".goblin/manifest/{name}", _read(os.path.join(folder, name)))
        for name in _names(folder, (".tsv",))
    ]
    folder = place.path("bans")
    items += [
        Item(f".goblin/bans/{name}", _read(os.path.join(folder, name))) for name in _names(folder, (".yml",))
    ]
    folder = place.path("checks")
    for name in _names(folder, (".py", ".sh")):
        mode = SCRIPT if name.endswith(".sh") else PLAIN
        items.append(Item(f".goblin/checks/{name}", _read(os.path.join(folder, name)), mode))
    schema = _read(place.path("schemas", "config.schema.json"))
    starters = [Item(f".goblin/templates/{name}", templates.load(name, place).encode()) for name in LOOP]
    return [*items, Item(f".goblin/{templates.SCHEMA}", schema), *starters]


def automations(place: Place | None = None) -> list[Item]:
    """The producers in `.goblin/automations/`, with the page, the schema and the template beside them."""
    folder = (place or home.here()).path("templates", "automations")
    return [
        Item(
            f".goblin/automations/{name}",
            _read(os.path.join(folder, name)),
            SCRIPT if name.endswith(".py") else PLAIN,
        )
        for name in _names(folder, (".py", ".md", ".tsv", ".tmpl"))
    ]


def engine(place: Place | None = None) -> list[Item]:
    """The package's own source, less what only the installer needs."""
    package = (place or home.here()).package
    found = []
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        relative = os.path.relpath(folder, package).replace(os.sep, "/")
        prefix = "" if relative == "." else relative + "/"
        found += [prefix + name for name in names if name.endswith(".py")]
    return [
        Item(f"{ENGINE}/{name}", _read(os.path.join(package, *name.split("/"))))
        for name in sorted(found)
        if not name.startswith(NOT_VENDORED)
    ]


def libraries() -> list[Item]:
    """The third-party source and its licences.

    Raises `CannotRun` for a library that is missing, of another version, or not as released.
    """
    found = [item for library in LIBRARIES for item in _library(library)]
    return sorted(found, key=lambda item: item.path)


def _library(library: Library) -> list[Item]:
    from importlib.metadata import PackageNotFoundError, distribution

    remedy = f"pip install --force-reinstall {library.name}=={library.version}"
    try:
        release = distribution(library.name)
    except PackageNotFoundError as error:
        raise CannotRun(f"{library.name} is not installed", remedy) from error
    if release.version != library.version:
        raise CannotRun(f"{library.name} {release.version} is installed, {library.version} is pinned", remedy)
    items = []
    for entry in release.files or ():
        name = entry.as_posix()
        placed = _placed(library, name)
        if not placed:
            continue
        data = _read(str(entry.locate()))
        if not entry.hash or entry.hash.value != _recorded(data):
            raise CannotRun(
                f"{entry.locate()} is not the file that {library.name} {library.version} released", remedy
            )
        items.append(Item(placed, data))
    if not any(item.path.endswith(".py") for item in items):
        raise CannotRun(f"the installed {library.name} does not list its files", remedy)
    return items


def _placed(library: Library, name: str) -> str:
    """Where a file of a distribution goes, or "" when it stays behind."""
    top, _, rest = name.partition("/")
    if top.endswith(".dist-info"):
        licence = (
            rest.rpartition("/")[2] if rest.upper().startswith(("LICENSE", "LICENCE", "COPYING")) else ""
        )
        return f"{VENDOR}/licenses/{library.name}-{library.version}/{licence}" if licence else ""
    if not name.endswith(".py") or ".." in name.split("/") or name.startswith("/"):
        return ""
    if name.endswith("/setup.py"):
        return ""
    return f"{VENDOR}/{name}"


def _recorded(data: bytes) -> str:
    """A digest as a distribution's RECORD writes it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def skills(platforms: dict[str, str], place: Place | None = None) -> list[Item]:
    """Every skill that the payload holds, for each platform's folder (platform to folder)."""
    place = place or home.here()
    root = place.path("skills")
    items = []
    for folder in platforms.values():
        for skill in _names(root, ("",)):
            if not os.path.isfile(os.path.join(root, skill, "SKILL.md")):
                continue
            for name in _walk(os.path.join(root, skill)):
                items.append(Item(f"{folder}/{skill}/{name}", _read(os.path.join(root, skill, name))))
            items.append(
                Item(f"{folder}/{skill}/.gitattributes", _read(place.path("templates", "gitattributes")))
            )
    return items


def _walk(root: str) -> list[str]:
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        relative = os.path.relpath(folder, root).replace(os.sep, "/")
        found += [name if relative == "." else f"{relative}/{name}" for name in names]
    return sorted(found)


def source_sha() -> str:
    """The commit of the checkout that this payload comes from, or "unknown" for an installed package."""
    from goblin import git

    repo = git.at(home.HOME)
    if repo is None or repo.bare:
        return "unknown"
    result = git.Git(repo).call("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return result.out.decode().strip() if result.code == 0 else "unknown"
