"""Fact `reviewed`: the commits that review notes name, held against the branch that HEAD is on.

A commit counts as reachable from any ref. What HEAD has ahead of the declared branch is the range
that a note speaks for; a checkout of a pull request (a detached merge) is judged by the side that
came in.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.patchid import BESIDE
from goblin.pattern import lazy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goblin.facts.anchor import Anchor
    from goblin.facts.head import Head
    from goblin.facts.history import History
    from goblin.facts.patchid import PatchIds
    from goblin.facts.reviews import Note
    from goblin.git import Git

_HEX = lazy(r"[0-9a-f]{7,64}")
_PATCH_ID = lazy(r"[0-9a-f]{40}|[0-9a-f]{64}")
_LOOKED_BACK = 20
"""First parents behind a landed note among which its range is looked for."""

_WITHOUT: tuple[tuple[str, ...], ...] = ((), BESIDE[:1], BESIDE)
"""What is left out of a range before it is compared: the commits that record a review write there."""


class Named(NamedTuple):
    """The commit that a field names. Without an `oid` the `reason` says why there is none."""

    oid: str = ""
    reason: str = ""
    reachable: bool = False


class Twin(NamedTuple):
    """A reachable range that changes the same; `folded`: but for white space."""

    name: str
    folded: bool


class Reviewed:
    """Answers about notes. Every method may raise `GitError` or `CheckFailed`."""

    def __init__(
        self,
        notes: Sequence[Note],
        git: Git,
        head: Head,
        history: History,
        anchor: Anchor,
        patch_ids: PatchIds,
    ) -> None:
        self._notes = notes
        self._git = git
        self._head = head
        self._history = history
        self._anchor = anchor
        self._ids = patch_ids
        self._primed = False

    @property
    def shallow(self) -> bool:
        """True when this clone lacks older commits."""
        return self._head.shallow

    # --- the commits ---------------------------------------------------------------------------

    def named(self, note: Note, key: str) -> Named:
        """The commit of `head` or `base`: one commit that begins with the 7 or more digits given."""
        token = note.text(key).lower()
        if not _HEX.fullmatch(token):
            shown = note.text(key)[:70]
            return Named(reason=f"`{key}` is {shown!r}: write 7 or more digits of a commit id")
        if not token.strip("0"):
            return Named(reason=f"`{key}` is all zeros, which is no commit")
        return self._resolved[token]._replace(reason=f"`{key}` {token} {self._resolved[token].reason}")

    @cached_property
    def _resolved(self) -> dict[str, Named]:
        tokens = {note.text(key).lower() for note in self._notes for key in ("head", "base")}
        found = self._history.named(token for token in tokens if _HEX.fullmatch(token))
        candidates = {commit for named in found.values() for commit in named.candidates}
        outside = self._unreachable(candidates)
        return {token: self._one(named.candidates, outside, named.reason) for token, named in found.items()}

    def _unreachable(self, commits: set[str]) -> frozenset[str]:
        """Those of the commits that no ref and not HEAD leads to."""
        if not commits:
            return frozenset()
        stdin = "".join(f"{commit}\n" for commit in sorted(commits)).encode()
        out = self._git.run("rev-list", "--stdin", "--not", "--all", stdin=stdin)
        return frozenset(commits) & frozenset(out.decode("ascii").split())

    @staticmethod
    def _one(candidates: Sequence[str], outside: frozenset[str], reason: str) -> Named:
        inside = [commit for commit in candidates if commit not in outside]
        if len(inside) == 1:
            return Named(inside[0], "", True)
        if len(inside) > 1:
            return Named(reason=f"stands for {len(inside)} commits; write more digits")
        if len(candidates) == 1:
            return Named(candidates[0], "is reachable from no branch or tag")
        return Named(reason=reason or "is reachable from no branch or tag")

    # --- the branch ----------------------------------------------------------------------------

    @cached_property
    def tip(self) -> str:
        """The commit whose changes are under review."""
        merged = self._head.merged
        return merged.oid if merged else self._head.need_commit().oid

    @cached_property
    def start(self) -> str:
        """Where the tip left the declared branch; "" where that is unknown (see `unanchored`)."""
        if not self._anchor.base or self._head.merged is None:
            return self._anchor.base
        done = self._git.call("merge-base", self.tip, self._anchor.ref)
        return done.out.decode("ascii").strip() if done.code == 0 else ""

    @property
    def unanchored(self) -> str:
        """Why nothing can be compared with the declared branch; "" where it can."""
        return self._anchor.reason

    @cached_property
    def _ahead(self) -> frozenset[str]:
        """The commits of the tip that the declared branch does not hold."""
        if not self.start or self.start == self.tip:
            return frozenset()
        return frozenset(self._git.run("rev-list", self.tip, f"^{self._anchor.ref}").decode("ascii").split())

    def on_this_branch(self, head: str) -> bool:
        """True for a commit that HEAD has and the declared branch has not."""
        return head in self._ahead

    def changed_after(self, head: str) -> list[str]:
        """The paths in which the tip differs from a commit, without review notes and the handoff."""
        out = self._git.run("diff-tree", "-r", "--no-renames", "--name-only", "-z", head, self.tip)
        paths = [os.fsdecode(path) for path in out.split(b"\0") if path]
        return [path for path in paths if path != "HANDOFF.md" and not path.startswith("reviews/")]

    def only_white_space(self, base: str, head: str) -> bool:
        """True where `base..tip` differs from `base..head` in white space alone."""
        return self._ids.folded(base, head, BESIDE) == self._ids.folded(base, self.tip, BESIDE) != ""

    def leads_to(self, older: str, newer: str) -> bool:
        """True where `older` is `newer` or an ancestor of it."""
        return older == newer or self._git.call("merge-base", "--is-ancestor", older, newer).code == 0

    # --- equal ranges --------------------------------------------------------------------------

    def twin(self, note: Note) -> Twin | None:
        """A reachable range with the note's patch id: each commit of, and the whole of, what is ahead.

        Where nothing is ahead, the ranges that end with the commit which brought the note here.
        """
        base, head = self.named(note, "base").oid, self.named(note, "head").oid
        ids = {note.text("patch-id").lower()} if _PATCH_ID.fullmatch(note.text("patch-id").lower()) else set()
        folded = ""
        if base and head:
            ids.add(self.verbatim(base, head))
            folded = self._ids.folded(base, head)
        ids.discard("")
        ranges = list(self._ranges(note))
        for start, tip in ranges:
            for without in _WITHOUT:
                if self._ids.verbatim(start, tip, without) in ids:
                    return Twin(f"{start[:12]}..{tip[:12]}", False)
                for commit, number in self._ids.of_commits(start, tip, without).items():
                    if number in ids:
                        return Twin(f"commit {commit[:12]}", False)
        for start, tip in ranges if folded else ():
            if any(self._ids.folded(start, tip, without) == folded for without in _WITHOUT):
                return Twin(f"{start[:12]}..{tip[:12]}", True)
        return None

    def _ranges(self, note: Note) -> Iterator[tuple[str, str]]:
        if not self.start:
            return
        if self.start != self.tip:
            yield self.start, self.tip
            return
        brought = self._history.last_touching(note.path)
        if brought:
            most = f"--max-count={_LOOKED_BACK + 1}"
            out = self._git.run("rev-list", "--first-parent", most, brought)
            for start in out.decode("ascii").split()[1:]:
                yield start, brought

    def verbatim(self, base: str, head: str) -> str:
        """The patch id of a range in which white space counts; "" for an empty range."""
        self._prime()
        return self._ids.verbatim(base, head)

    def folded(self, base: str, head: str) -> str:
        """The same where white space does not count."""
        return self._ids.folded(base, head)

    def _prime(self) -> None:
        if not self._primed:
            self._primed = True
            ranges = [(self.named(note, "base").oid, self.named(note, "head").oid) for note in self._notes]
            self._ids.prime((base, head) for base, head in ranges if base and head)


def load(
    reviews: tuple[Note, ...], git: Git, head: Head, history: History, anchor: Anchor, patch_ids: PatchIds
) -> Reviewed:
    """The notes of this tree; raises `CheckFailed` without a commit (decided 33)."""
    head.need_commit()
    return Reviewed(reviews, git, head, history, anchor, patch_ids)
