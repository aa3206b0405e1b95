"""Roles, the machine's mapping of profiles to models, and the lanes that the two make.

A role (manifest/roles.tsv) names what a piece of work needs and the profiles that do it, one lane
a profile. Which model a profile runs is the business of one machine: the file that `models_file`
of the configuration names, read here and never written. Anything that it does not say is
`unknown`, and no model is ever invented.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin.paths import ReadRefused, Tree
from goblin.pattern import lazy
from goblin.tables import Record

if TYPE_CHECKING:
    from goblin.facts import Run
    from goblin.facts.config import Config
    from goblin.manifest import Manifest
    from goblin.yaml import Map, Node

ROLES = "roles.tsv"
MODELS = "models.tsv"
AUTHOR = "code"
"""The role that writes what the others judge."""

UNKNOWN = "unknown"
UNRESOLVED = frozenset({"", "?", UNKNOWN})
"""What a mapping may say where it says nothing, in any case of letters."""

MAP_LIMIT = 1 << 20
"""Bytes of a mapping file that are read."""


class MapError(ValueError):
    """A mapping file that cannot be used; the message says why and never quotes the file."""


class Role(NamedTuple):
    """One line of roles.tsv."""

    name: str
    capability: str
    profiles: tuple[str, ...]
    used_by: tuple[str, ...]
    budget: str


class Worker(NamedTuple):
    """What a mapping says of one profile."""

    provider: str = UNKNOWN
    model: str = UNKNOWN
    effort: str = UNKNOWN


class Lane(NamedTuple):
    """One profile of one role, and what runs it here."""

    role: str
    profile: str
    worker: Worker
    family: str  # of the model; "" where the model is not known

    @property
    def resolved(self) -> bool:
        """True where the mapping gives the profile a provider and a model."""
        return all(text.lower() not in UNRESOLVED for text in self.worker[:2])


def parse_roles(records: Sequence[Record]) -> dict[str, Role]:
    """The roles by name; the first line of a name counts."""
    roles: dict[str, Role] = {}
    for record in records:
        name, capability, profiles, used_by, budget = (cell.strip() for cell in record.cells)
        roles.setdefault(name, Role(name, capability, _listed(profiles), _listed(used_by), budget))
    return roles


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(",") if part.strip() not in ("", "-"))


def parse_map(data: bytes) -> dict[str, Worker]:
    """The workers by profile: below `profiles:` where that key stands, else wherever a profile stands.

    Of two profiles of one name the one nearer to the top counts, then the earlier. Raises `MapError`
    for what is no YAML mapping.
    """
    from goblin import yaml

    try:
        tree = yaml.load(data, "", limit=MAP_LIMIT)
    except yaml.YamlError as error:
        raise MapError(f"line {error.line}, column {error.column} is not YAML as it should be") from error
    levels = list(_levels(tree))
    block = next((found["profiles"] for level in levels for found in level if "profiles" in found), None)
    top = tree if block is None else block
    if yaml.is_unset(top):
        return {}
    if not isinstance(top, yaml.Map):
        raise MapError("it is no mapping from a profile to provider, model and effort")
    workers = {str(name): _worker(node) for name, node in top.items()}
    if block is None:
        for found in (found for level in levels[1:] for found in level):
            for name, node in found.items():
                if isinstance(node, dict) and not node.keys().isdisjoint(Worker._fields):
                    workers.setdefault(str(name), _worker(node))
    return workers


def _levels(tree: Node) -> Iterator[list[Map]]:
    """The mappings of a document, level by level from the top, each once."""
    from goblin import yaml

    seen: set[int] = set()
    level: list[Node] = [tree]
    while level:
        found = [node for node in level if isinstance(node, yaml.Map) and id(node) not in seen]
        seen.update(map(id, found))
        if found:
            yield found
        level = [value for node in found for value in node.values()]


def _worker(node: object) -> Worker:
    from goblin import yaml

    found = {}
    if isinstance(node, dict):
        for key in Worker._fields:
            value = node.get(key)
            if isinstance(value, yaml.Text) and not yaml.is_unset(value) and value.strip():
                found[key] = str(value.strip())
    return Worker(**found)


def read_map(path: str, root: str) -> dict[str, Worker] | None:
    """The mapping file that a `models_file` names, or None where there is none.

    `~/` is expanded; a relative path is below `root` and may not leave it. Raises `MapError`.
    """
    path = os.path.expanduser(path) if path.startswith("~/") else path
    if os.path.isabs(path):
        real = os.path.realpath(path)
        tree, name = Tree(os.path.dirname(real)), os.path.basename(real)
    else:
        tree, name = Tree(root), path
    if tree.kind(name) == "missing":
        return None
    try:
        return parse_map(tree.read(name, MAP_LIMIT))
    except ReadRefused as error:
        raise MapError(str(error).removeprefix(f"{name}: ")) from error


_TOKEN = lazy(r"[-_. ]+")
_DOTTED_VENDOR = lazy(r"(?:[a-z]+\.)+(?=[a-z])")
_VERSION = lazy(r"v?\d.*|[a-z]\d+|latest")
_JOINED = lazy(r"([a-z]+?)v?\d.*")


def family(slug: str, known: Mapping[str, str] | None = None, variants: Collection[str] = ()) -> str:
    """The family of a model: its slug without vendor prefix, version, date and variant.

    `known` goes from the way a family's slugs begin to the family (manifest/models.tsv); a slug of
    no known family is what is left of it. Returns "" for an unresolved slug.
    """
    known = known or {}
    text = slug.strip().lower()
    if text in UNRESOLVED:
        return ""
    parts = [_DOTTED_VENDOR.sub("", part, count=1) for part in re.split(r"[:@]", text.rpartition("/")[2])]
    for part in parts:
        for token in _TOKEN.split(part):
            joined = _JOINED.fullmatch(token)
            name = token if token in known else joined[1] if joined else token
            if name in known:
                return known[name]
    kept = list(_kept(_TOKEN.split(parts[0]), variants))
    return "-".join(kept) or text


def _kept(tokens: Sequence[str], variants: Collection[str]) -> Iterator[str]:
    for token in tokens:
        if token and token not in variants and not _VERSION.fullmatch(token):
            joined = _JOINED.fullmatch(token)
            yield joined[1] if joined else token


class Kinship(NamedTuple):
    """How the lanes of a role stand to those that write the code, by the families of their models."""

    same: tuple[str, ...]  # profiles whose family also writes
    unresolved: tuple[str, ...]  # profiles of the role whose family is not known
    authors_unresolved: tuple[str, ...]
    comparable: bool  # the role has a lane, and some author's family is known


class Lanes:
    """The roles, and what the mapping of this machine makes of them."""

    def __init__(
        self,
        roles: Mapping[str, Role],
        workers: Mapping[str, Worker] | None = None,
        absence: str = "",
        known: Mapping[str, str] | None = None,
        variants: Collection[str] = (),
    ) -> None:
        self.roles = roles
        self.workers = workers
        self.absence = absence  # why there is no mapping; "" where there is one
        self._known = known or {}
        self._variants = variants

    def of(self, role: str) -> tuple[Lane, ...]:
        """The lanes of a role, a profile each; none where the role or its profiles are missing."""
        if role not in self.roles:
            return ()
        workers = self.workers or {}
        found = ((profile, workers.get(profile, Worker())) for profile in self.roles[role].profiles)
        return tuple(
            Lane(role, profile, worker, family(worker.model, self._known, self._variants))
            for profile, worker in found
        )

    def kinship(self, role: str, author: str = AUTHOR) -> Kinship:
        """How the lanes of `role` stand to those of the author."""
        written, judging = self.of(author), self.of(role)
        known = {lane.family for lane in written} - {""}
        return Kinship(
            tuple(lane.profile for lane in judging if lane.family in known),
            tuple(lane.profile for lane in judging if not lane.family),
            tuple(lane.profile for lane in written if not lane.family),
            bool(judging and known),
        )


def families(records: Sequence[Record]) -> tuple[dict[str, str], frozenset[str]]:
    """What models.tsv says to `family`: the known families and every variant."""
    known: dict[str, str] = {}
    variants: set[str] = set()
    for record in records:
        name, line, _, words = (cell.strip() for cell in record.cells)
        variants.update(words.split())
        if line != "-":
            known[name] = line
    return known, frozenset(variants - {"-"})


def load(manifest: Manifest, config: Config, run: Run) -> Lanes:
    """The lanes of the repository under test, as this machine maps them."""
    named = config.text("models_file").strip()
    workers, absence = None, "no model mapping configured (models_file is not set)"
    if named:
        try:
            workers = read_map(named, run.root)
            absence = "" if workers is not None else f"no model mapping configured ({named} does not exist)"
        except MapError as error:
            absence = f"no model mapping configured that can be used ({named}: {error})"
    known, variants = families(manifest.table(MODELS))
    return Lanes(parse_roles(manifest.table(ROLES)), workers, absence, known, variants)
