"""Fact `reference`: the declared `reference-manifest/1` of a studied build, and what breaks its shape.

    {"schema": "reference-manifest/1", "generated_from": "carve run 2",
     "reference_app": {"package": "com.example.app", "version": "1.2.3", "apk_sha256": "<64 hex>"},
     "entries": [{"path": "assets/a.dat", "sha256": "<64 hex>", "bytes": 10}], "entry_count": 1}

Further members are allowed. Digests are compared without case.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts.config import Config
    from goblin.paths import Tree

KEY = "reference_manifest"
SCHEMA = "reference-manifest/1"
LIMIT = 64 << 20
"""Bytes of a manifest that are read."""

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
"""SHA-256 of nothing: every empty file has it, so it tells nothing."""

_HEX = lazy(r"[0-9a-fA-F]{64}")


class Reference:
    """The manifest. `path` is "" where none is declared."""

    def __init__(self, path: str = "", data: bytes = b"", value: dict[str, Any] | None = None) -> None:
        self.path = path
        self.data = data
        self.value = value or {}

    @property
    def entries(self) -> list[Any]:
        """The entries, whatever each of them is."""
        found = self.value.get("entries")
        return found if isinstance(found, list) else []

    @cached_property
    def digests(self) -> dict[str, str]:
        """Lower-case digest to the path of its entry; what is no digest, and that of nothing, is left out."""
        found: dict[str, str] = {}
        app = self.value.get("reference_app")
        if isinstance(app, dict) and _is_digest(app.get("apk_sha256")):
            found[app["apk_sha256"].lower()] = "the package itself"
        for entry in self.entries:
            if isinstance(entry, dict) and _is_digest(entry.get("sha256")):
                found[entry["sha256"].lower()] = str(entry.get("path", "an entry without a path"))
        found.pop(EMPTY, None)
        return found

    def breaches(self) -> Iterator[str]:
        """What breaks the shape, one line each; entries are counted from 0."""
        if self.value.get("schema") != SCHEMA:
            yield f"schema is not {SCHEMA!r}"
        if not _says(self.value.get("generated_from")):
            yield "generated_from is empty or no text"
        yield from _of_app(self.value.get("reference_app"))
        entries = self.value.get("entries")
        if not isinstance(entries, list):
            yield "entries is no list"
            return
        if not entries:
            yield "entries is empty, so it passes over everything"
        count = self.value.get("entry_count")
        if not _is_number(count) or count != len(entries):
            yield f"entry_count is {json.dumps(count)[:40]}, and there are {len(entries)} entries"
        yield from _of_entries(entries)


def _of_app(app: Any) -> Iterator[str]:
    if not isinstance(app, dict):
        yield "reference_app is no object"
        return
    for key in ("package", "version"):
        if not _says(app.get(key)):
            yield f"reference_app.{key} is empty or no text"
    if not _is_digest(app.get("apk_sha256")):
        yield "reference_app.apk_sha256 is not 64 hex digits"


def _of_entries(entries: list[Any]) -> Iterator[str]:
    paths: dict[str, int] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict):
            yield f"entry {number}: no object"
            continue
        path, digest, size = entry.get("path"), entry.get("sha256"), entry.get("bytes")
        if not _says(path):
            yield f"entry {number}: path is empty or no text"
        elif _leaves(path):
            yield f"entry {number}: path {path[:80]!r} is absolute or holds `..`"
        elif paths.setdefault(path, number) != number:
            yield f"entry {number}: path {path[:80]!r} stands in entry {paths[path]} too"
        if not _is_digest(digest):
            yield f"entry {number}: sha256 is not 64 hex digits"
        if not _is_number(size) or size < 1:
            yield f"entry {number}: bytes is not a whole number of 1 or more"
        elif _is_digest(digest):
            first, known = sizes.setdefault(digest.lower(), (number, size))
            if known != size:
                yield f"entry {number}: bytes is {size}, and entry {first} has {known} for the same digest"


def _says(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and any(char.isalnum() for char in value)


def _is_digest(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def _is_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _leaves(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return ".." in parts or parts[0] in ("", "~") or (len(path) > 1 and path[1] == ":")


def parse(data: bytes) -> dict[str, Any]:
    """The object of a manifest; raises `ValueError` for anything else, repeated keys and NaN included."""
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("it is no object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        ((twice, _), *_) = Counter(name for name, _ in pairs).most_common()
        raise ValueError(f"the key {twice[:80]!r} stands twice in one object")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def load(tree: Tree, config: Config) -> Reference:
    """Read the declared manifest. Raises `CheckFailed` where it is missing or no JSON object with entries."""
    path = config.path(KEY)
    if not path:
        return Reference()
    where = config.where(KEY)
    try:
        data = tree.read(path, LIMIT)
        value = parse(data)
    except ReadRefused as error:
        gone = tree.kind(path) == "missing"
        told = f"the declared reference manifest {path} is missing" if gone else str(error)
        raise CheckFailed(told, [where._replace(message=told)]) from error
    except ValueError as error:
        told = f"{path} is no reference manifest: {error}"[:300]
        raise CheckFailed(told, [where._replace(message=told)]) from error
    return Reference(path, data, value)
