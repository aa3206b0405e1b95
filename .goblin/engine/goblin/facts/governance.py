"""Fact `governance`: what of the rules HEAD changes against the declared branch, and which note names it.

Governance is everything below `.goblin/` but the loop record, the work folder and what a run itself
writes, and each workflow that runs goblin-verify or did before the change. Only commits are judged:
a note counts as HEAD holds it, and a change that is not committed is none yet.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin import commitid
from goblin.facts import workflows
from goblin.facts.reviews import FOLDER, LIMIT, Note
from goblin.facts.status import RUNTIME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goblin.facts.anchor import Anchor
    from goblin.facts.head import Head
    from goblin.git import Git

HOME = ".goblin"
FREE = (f"{HOME}/loop/", f"{HOME}/work/")
"""Below `.goblin/` and no governance: what a loop and the work on it write."""

FIELD = "governance"
"""The field of a note that lists the governance files which it vouches for."""

_GATE = b"goblin-verify"
_HOW = {"A": "added", "D": "deleted"}


class Changed(NamedTuple):
    """A governance file that HEAD has otherwise than the declared branch."""

    path: str
    how: str


class Claim(NamedTuple):
    """A committed note that lists a path. `problem` says why it does not vouch for what HEAD holds."""

    note: str
    problem: str


class Governance:
    """The changes from one commit to HEAD, and the notes. Every member may raise `GitError`."""

    def __init__(self, git: Git, head: str, anchor: Anchor) -> None:
        self._git = git
        self._head = head
        self._base = anchor.base
        self._tip = anchor.ref
        self._later: dict[str, frozenset[str]] = {}

    @cached_property
    def changed(self) -> tuple[Changed, ...]:
        """Every governance file that differs, by path; a rename is a deletion and an addition."""
        out = self._git.run("diff-tree", "-r", "--no-renames", "--name-status", "-z", self._base, self._head)
        fields = os.fsdecode(out).split("\0")
        differing = [
            Changed(path, _HOW.get(status, "changed"))
            for status, path in zip(fields[::2], fields[1::2], strict=False)
        ]
        gates = self._gates([change.path for change in differing if _is_workflow(change.path)])
        return tuple(sorted(one for one in differing if _below_home(one.path) or one.path in gates))

    @cached_property
    def adopts(self) -> bool:
        """True where the declared branch holds no `.goblin` yet: nothing there was governed."""
        return self._git.call("rev-parse", "--verify", "--quiet", f"{self._tip}:{HOME}").code != 0

    def _gates(self, paths: Sequence[str]) -> frozenset[str]:
        """Those workflows that say goblin-verify on one side; so may one that is too large to look at."""
        names = {f"{side}:{path}": path for path in paths for side in (self._base, self._head)}
        if not names:
            return frozenset()
        stdin = b"".join(os.fsencode(name.replace("\n", "\r")) + b"\n" for name in names)
        sizes = self._git.run("cat-file", "--batch-check=%(objectsize)", stdin=stdin).split(b"\n")
        large = {name for name, size in zip(names, sizes, strict=False)
                 if "\n" in name or (size.isdigit() and int(size) > workflows.LIMIT)}  # fmt: skip
        asked = [name for name in names if name not in large]
        held = zip(asked, self._git.objects(asked), strict=True)
        speaking = {name for name, found in held if found and _GATE in found[2]}
        return frozenset(names[name] for name in large | speaking)

    def claims(self, path: str) -> list[Claim]:
        """The committed notes that list a path, those that vouch for it first."""
        found = [Claim(note.path, self._problem(note, path)) for note in self._listing.get(path, ())]
        return sorted(found, key=lambda claim: bool(claim.problem))

    def _problem(self, note: Note, path: str) -> str:
        token = note.text("head").lower()
        named = self._named.get(token, commitid.Named(reason="is no commit id"))
        if len(token) < 7 or not named.commit:
            return f"its head {token[:40]!r} {named.reason or 'is too short'}"
        if named.commit not in self._ahead:
            return f"its head {token[:12]} is no commit of this change"
        if path in self._since(named.commit):
            return f"the file changed again after its head {token[:12]}"
        return ""

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Every note that HEAD holds."""
        paths: list[str] = []
        found: list[Note] = []
        listing = self._git.run("ls-tree", "-z", "-l", self._head, f"{FOLDER}/")
        for entry in os.fsdecode(listing).split("\0"):
            meta, _, path = entry.partition("\t")
            if not path.endswith(".md") or os.path.basename(path).lower() == "readme.md":
                continue
            mode, _, _, size = meta.split()
            if mode.startswith("100") and size.isdigit() and int(size) <= LIMIT and "\n" not in path:
                paths.append(path)
            else:
                found.append(Note(path, problem=f"no regular file of at most {LIMIT >> 20} MiB"))
        for path, held in zip(paths, self._git.objects([f"{self._head}:{p}" for p in paths]), strict=True):
            found.append(Note(path, held[2]) if held else Note(path, problem="this clone lacks its content"))
        return tuple(found)

    @cached_property
    def _listing(self) -> dict[str, list[Note]]:
        """The notes by each path that they list; words and commas part paths, so a blank may be in one."""
        found: dict[str, list[Note]] = {}
        for note in self.notes:
            listed: dict[str, None] = {}
            for text in note.words(FIELD):
                pieces = (text, *text.split(","), *text.replace(",", " ").split())
                listed |= dict.fromkeys(piece.strip() for piece in pieces)
            for path in listed:
                found.setdefault(path, []).append(note)
        return found

    @cached_property
    def _named(self) -> dict[str, commitid.Named]:
        tokens = {note.text("head").lower() for notes in self._listing.values() for note in notes}
        return commitid.named(self._git, tokens)

    @cached_property
    def _ahead(self) -> frozenset[str]:
        return frozenset(self._git.run("rev-list", self._head, f"^{self._base}").decode("ascii").split())

    def _since(self, commit: str) -> frozenset[str]:
        """The paths in which HEAD differs from a commit."""
        if commit not in self._later:
            out = self._git.run("diff-tree", "-r", "--no-renames", "--name-only", "-z", commit, self._head)
            self._later[commit] = frozenset(os.fsdecode(out).split("\0"))
        return self._later[commit]


def _below_home(path: str) -> bool:
    """True for a path below `.goblin`, however a file system that folds case would find it."""
    top, slash, rest = path.partition("/")
    plain = f"{top.casefold()}{slash}{rest}"
    below = plain == HOME or plain.startswith(f"{HOME}/")
    return below and not plain.startswith(FREE) and plain not in RUNTIME


def _is_workflow(path: str) -> bool:
    return path == workflows.GITLAB or os.path.dirname(path) in workflows.FOLDERS


def load(git: Git, head: Head, anchor: Anchor) -> Governance | None:
    """The changes since the merge base with the declared branch, or None where nothing is ahead of it.

    None too where the anchor has no merge base; `Anchor.reason` says why.
    """
    if head.commit is None or anchor.base in ("", head.commit.oid):
        return None
    return Governance(git, head.commit.oid, anchor)
