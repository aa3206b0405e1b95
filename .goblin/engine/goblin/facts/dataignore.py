"""Fact `data_exposed`: declared runtime data that git does not ignore, so that it could be committed.

Only ignore files of the repository count: what one machine ignores for itself, another one commits.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from goblin.git import PRIVATE_EXCLUDES_OFF, GitError
from goblin.paths import confined

if TYPE_CHECKING:
    from goblin.facts.gates import GateRun
    from goblin.facts.repository import Repository
    from goblin.git import Git

PLACEHOLDERS = frozenset({".gitkeep", ".keep", ".gitignore"})
"""Names of tracked files that keep a folder there, and are no data."""

_PROBE = "goblin-probe"
_NAMED = 5  # files of one folder that a message names


class Exposed(NamedTuple):
    """A declared path that git would take, and why."""

    path: str
    reason: str


def load(git: Git, repository: Repository, gate_run: GateRun) -> tuple[Exposed, ...]:
    """The declared paths that are not ignored, in order. Raises `GitError` where git cannot say."""
    paths = [datum.path for datum in gate_run.data or () if confined(datum.path)]
    found = {path: reason for path in paths if (reason := _tracked(repository, path))}
    asked = [path for path in paths if path not in found]
    plain = _asked(git, asked)
    folders = [path for path in asked if plain[path] and not os.path.isfile(os.path.join(git.repo.top, path))]
    inside = _asked(git, [f"{path}/{_PROBE}" for path in folders])
    for path in asked:
        reason = plain[path]
        if reason and path in folders:
            # `data/*` ignores all that is in a folder, and not the folder; `data/` one that is not there yet.
            reason = reason if inside[f"{path}/{_PROBE}"] else _open_files(git, path)
        if reason:
            found[path] = reason
    return tuple(Exposed(path, found[path]) for path in paths if path in found)


def _tracked(repository: Repository, path: str) -> str:
    if repository.tracks(path):
        return f"is tracked, so no pattern ignores it: git rm --cached -- {path}"
    below = [entry.path for entry in repository.below(path)]
    held = [name for name in below if name.rpartition("/")[2] not in PLACEHOLDERS]
    return f"holds tracked files: {_some(held)}" if held else ""


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _open_files(git: Git, folder: str) -> str:
    """The files in a folder that git would take now; "" where there are none."""
    out = git.run(*PRIVATE_EXCLUDES_OFF, "ls-files", "-o", "-z", "--exclude-standard", "--", folder)
    names = [os.fsdecode(name) for name in out.split(b"\0") if name]
    return f"holds files that git does not ignore: {_some(names)}" if names else ""


def _asked(git: Git, paths: Sequence[str]) -> dict[str, str]:
    """Why git does not ignore each path, "" where it does."""
    if not paths:
        return {}
    try:
        return _answers(git, paths)
    except GitError as error:
        if len(paths) == 1:  # such as a path behind a symbolic link, or inside a submodule
            return {paths[0]: str(error)}
    return {path: _asked(git, [path])[path] for path in paths}


def _answers(git: Git, paths: Sequence[str]) -> dict[str, str]:
    # It refuses every pathspec switch, the one for literal paths too; a path that begins `./` is literal.
    args = ("--no-literal-pathspecs", *PRIVATE_EXCLUDES_OFF, "check-ignore", "-v", "-n", "-z", "--stdin")
    done = git.call(*args, stdin=b"".join(os.fsencode(f"./{path}") + b"\0" for path in paths))
    if done.code > 1:
        raise GitError(("check-ignore",), done)
    fields = iter(os.fsdecode(done.out).split("\0"))
    return {
        path.removeprefix("./"): _reason(source, number, pattern)
        for source, number, pattern, path in zip(fields, fields, fields, fields, strict=False)
    }


def _reason(source: str, number: str, pattern: str) -> str:
    if not pattern:
        return "git does not ignore it"
    if pattern.startswith("!"):
        return f"git does not ignore it: {source}:{number} takes it back ({pattern})"
    if os.path.isabs(source) or source.rpartition("/")[2] != ".gitignore":
        return f"only a private file, info/{os.path.basename(source)}, ignores it, and no clone has that"
    return ""
