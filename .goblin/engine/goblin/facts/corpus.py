"""Fact `lab`: whether this is a lab repository, and which tracked files are bytes of its corpus.

A lab repository studies one shipped build: its bytes stay outside, in a quarantine, and scripts, notes
and hash manifests alone are tracked (spec RC-03). The contents in the index are hashed, not the files
on disk; what a large-file pointer names counts as its content.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from goblin import cache
from goblin.facts import content
from goblin.facts.acquisition import ENDING, FOLDER, LIMIT, any_digests, names
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts import Facts
    from goblin.facts.config import Config
    from goblin.facts.repository import Entry, Repository
    from goblin.git import Git
    from goblin.paths import Tree

HASHES = "blob-sha256.json"
HISTORY = "lab-history.json"
_HEX = lazy(r"[0-9a-f]{64}")
_POINTER = lazy(rb"version https?://\S+/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n")
_POINTER_SIZE = 1024


class Payload(NamedTuple):
    """A tracked file whose content a manifest lists, or one that could not be looked at."""

    path: str
    manifest: str
    problem: str = ""


class Lab(NamedTuple):
    """What is known. `why` is "" for an ordinary repository."""

    why: str = ""
    manifests: tuple[str, ...] = ()  # on disk or in the index
    entries: tuple[Entry, ...] = ()
    payloads: tuple[Payload, ...] = ()


def load(tree: Tree, config: Config, facts: Facts) -> Lab:
    """Look for the signs of a lab repository, and where there is one, hash what it tracks."""
    on_disk = names(tree)
    in_index: dict[str, str] = {}
    if facts.run.repo is not None:
        repository: Repository = facts.get("repository")
        for entry in repository.below(FOLDER):
            folder, _, name = entry.path.rpartition("/")
            if folder == FOLDER and name.lower().endswith(ENDING) and entry.is_file:
                in_index[entry.path] = entry.oid
    manifests = tuple(sorted({*on_disk, *in_index}))
    why = _why(config, manifests, facts)
    if not why:
        return Lab()
    repository = facts.get("repository")
    git: Git = facts.get("git")
    blobs = content.Blobs(git)
    listed = _listed(tree, on_disk, in_index, blobs)
    payloads = _payloads(repository.entries, listed, blobs, _keep(facts)) if listed else []
    return Lab(why, manifests, repository.entries, tuple(payloads))


def _why(config: Config, manifests: tuple[str, ...], facts: Facts) -> str:
    if config.text("quarantine_root").strip():
        return "quarantine_root is set"
    if manifests:
        return f"{manifests[0]} is there"
    if facts.run.repo is not None and _was_lab(facts):
        return f"history knows a {FOLDER}/*{ENDING}"
    return ""


def _was_lab(facts: Facts) -> bool:
    """True where a commit below HEAD touched a manifest; the answer is kept for that HEAD."""
    head = facts.get("head").commit
    if head is None or not facts.get("path_log").touching(FOLDER):
        return False
    keep = _keep(facts)
    known: Any = cache.recall(keep, HISTORY) if keep else None
    if isinstance(known, dict) and known.get("head") == head.oid and isinstance(known.get("found"), bool):
        return bool(known["found"])
    # The pathspec is ours: literal paths are switched off for it alone.
    asked = f":(top,glob,icase){FOLDER}/*{ENDING}"
    args = ("--no-literal-pathspecs", "rev-list", "-1", "--full-history", head.oid, "--", asked)
    found = bool(facts.get("git").run(*args).strip())
    if keep:
        cache.remember(keep, HISTORY, {"head": head.oid, "found": found})
    return found


def _keep(facts: Facts) -> str:
    run = facts.run
    return run.git_dir or "" if run.cache and not run.static else ""


def _listed(tree: Tree, on_disk: list[str], in_index: dict[str, str], blobs: content.Blobs) -> dict[str, str]:
    """Each digest of the corpus with the manifest that lists it, as it is on disk and as it is staged."""
    found: dict[str, str] = {}
    for path in on_disk:
        try:
            data = tree.read(path, LIMIT)
        except ReadRefused:
            continue  # RC-04 says so; the staged version is read below
        found.update(dict.fromkeys(any_digests(data), path))
    for path, oid in in_index.items():
        try:
            for window in blobs.windows(oid):
                found.update(dict.fromkeys(any_digests(window.data), path))
        except content.NotHere:
            continue
    return found


def _payloads(
    entries: tuple[Entry, ...], listed: dict[str, str], blobs: content.Blobs, keep: str
) -> list[Payload]:
    known = _recalled(keep)
    used: dict[str, str] = {}
    found = []
    for entry in entries:
        if entry.mode == "160000":
            continue
        digest = used.get(entry.oid) or known.get(entry.oid)
        if digest is None:
            try:
                digest = _digest(blobs, entry.oid)
            except content.NotHere as error:
                found.append(Payload(entry.path, "", f"could not be looked at: {error}"))
                continue
        used[entry.oid] = digest
        if digest in listed:
            found.append(Payload(entry.path, listed[digest]))
    if keep and used.keys() - known.keys():
        cache.remember(keep, HASHES, used)
    return found


def _digest(blobs: content.Blobs, oid: str) -> str:
    total = hashlib.sha256()
    at = 0
    small = b""
    for window in blobs.windows(oid):
        total.update(window.data[at - window.offset :])
        at = window.offset + len(window.data)
        small = window.data if at <= _POINTER_SIZE else b""
    pointer = _POINTER.match(small)
    return pointer[1].decode("ascii") if pointer else total.hexdigest()


def _recalled(keep: str) -> dict[str, str]:
    value: Any = cache.recall(keep, HASHES) if keep else None
    if not isinstance(value, dict):
        return {}
    return {
        oid: digest for oid, digest in value.items() if isinstance(digest, str) and _HEX.fullmatch(digest)
    }
