"""Which commit a run of hex digits names.

An id is looked up as an object id only, never as a ref: a branch called `deadbeef` names no commit
here. Many ids cost one git process, not one each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from goblin.git import Git
from goblin.pattern import lazy

_HEX = lazy(r"[0-9a-f]{4,64}")
_PER_CALL = 500
"""Prefixes on one command line."""


class Named(NamedTuple):
    """What a run of hex digits stands for: the full id of one commit, or the reason why of none."""

    commit: str = ""
    reason: str = ""
    candidates: tuple[str, ...] = ()  # every commit whose id begins so


def named(git: Git, tokens: Iterable[str]) -> dict[str, Named]:
    """What each token names; a token that is not 4 to 64 lower-case hex digits names nothing.

    Any commit object counts, reachable or not. Raises `GitError`.
    """
    found: dict[str, Named] = {}
    asked = []
    for token in dict.fromkeys(tokens):
        if _HEX.fullmatch(token):
            asked.append(token)
        else:
            found[token] = Named(reason="is not a commit id")
    unsure = []
    for token, (oid, kind) in zip(asked, _looked_up(git, asked), strict=True):
        if kind == "ambiguous" or (oid and not oid.startswith(token)):  # a ref of that name spoke
            unsure.append(token)
        else:
            found[token] = _judged([(oid, kind)] if oid else [])
    found.update(_listed(git, unsure))
    return found


def _looked_up(git: Git, names: Sequence[str]) -> list[tuple[str, str]]:
    """(id, type) of each name, ("", "missing") or ("", "ambiguous"), from one process."""
    if not names:
        return []
    stdin = "".join(f"{name}\n" for name in names).encode()
    out = git.run("-c", "core.disambiguate=none", "cat-file", "--batch-check", stdin=stdin)
    answers = []
    for line in out.decode("ascii", "replace").splitlines():
        fields = line.split(" ")
        answers.append((fields[0], fields[1]) if len(fields) == 3 else ("", fields[-1]))
    return answers


def _listed(git: Git, tokens: Sequence[str]) -> dict[str, Named]:
    """The same for prefixes that a ref shadows or several objects share: every object is listed."""
    objects: list[str] = []
    for at in range(0, len(tokens), _PER_CALL):
        asked = [f"--disambiguate={token}" for token in tokens[at : at + _PER_CALL]]
        objects += git.run("rev-parse", *asked).decode("ascii").split()
    kinds = dict(zip(objects, _looked_up(git, objects), strict=True))
    return {token: _judged([kinds[oid] for oid in kinds if oid.startswith(token)]) for token in tokens}


def _judged(objects: Sequence[tuple[str, str]]) -> Named:
    commits = tuple(oid for oid, kind in objects if kind == "commit")
    if len(commits) == 1:
        return Named(commits[0], candidates=commits)
    if commits:
        return Named(reason=f"stands for {len(commits)} commits; write more digits", candidates=commits)
    if objects:
        kinds = " and a ".join(sorted({kind for _, kind in objects}))
        return Named(reason=f"is a {kinds}, not a commit")
    return Named(reason="is no commit of this repository")
