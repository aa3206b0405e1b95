"""Running a command of the loop and keeping what it said: the predicate, the control, what a turn names.

The predicate and the control run in a clean checkout of HEAD, so that what only an ignored or
uncommitted file made green is not green. A command that a turn names runs where the caller stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from goblin import clock, process
from goblin.git import Git
from goblin.loop import outputs, steering, surface, worktree
from goblin.loop.checkout import Checkout, CheckoutFailed, environment
from goblin.loop.checkout import clean as clean_checkout
from goblin.loop.outputs import Capture, Output
from goblin.loop.refusal import Refused
from goblin.paths import Tree
from goblin.process import Completed
from goblin.redact import clean, lines

TIMEOUT = 900.0
"""Seconds that one run of the predicate, the control or a captured command may take, when not told."""

NOTHING: Mapping[str, str] = {}  # never changed

_SAID = 5


class Measured(NamedTuple):
    """One run of the predicate. Instants are timestamps in UTC."""

    done: Completed
    output: Output
    commit: str  # that was checked out
    tree: str  # its tree without .goblin
    started: str
    ended: str
    env: Mapping[str, str] = NOTHING  # what the environment noted (goblin.loop.steering)

    @property
    def green(self) -> bool:
        """True where the predicate was met."""
        return self.done.code == 0

    def card(self) -> bytes:
        """The turn card of this run."""
        return outputs.card(self.done.code, self.output, self.tree)

    def said(self) -> str:
        """The last lines of the output, for a message."""
        kept = lines(self.output.raw, most=_SAID, width=200)
        return "".join(f"\n  {line}" for line in kept)


class Controlled(NamedTuple):
    """A run of the predicate after the control was applied, and how the control ended."""

    applied: Completed
    said: str
    measured: Measured | None  # None where the control failed: there was nothing to measure


def predicate(
    git: Git,
    commit: str,
    branch: str,
    command: str,
    timeout: float = TIMEOUT,
    pinned: Mapping[str, str] = NOTHING,
) -> Measured:
    """Run the predicate in a clean checkout of a commit (a full id).

    `branch` is the one that HEAD is on, or "". `pinned` names the digest of each file that decides the
    predicate. Raises `Refused` where no checkout can be made, or where it holds another such file: the
    work tree may still show the pinned one.
    """
    with ExitStack() as stack:
        checkout = _checkout(stack, git, commit, branch)
        for found in surface.elsewhere(pinned, Tree(checkout.root))[:1]:
            told = f"{found.path} is pinned, and commit {commit[:12]} holds another: {found.message}"
            raise Refused(told, f"commit the pinned {found.path}; or close the loop and start another")
        return _measured(git, checkout, command, timeout)


def control(
    git: Git,
    commit: str,
    branch: str,
    command: str,
    applied: str,
    timeout: float = TIMEOUT,
    pinned: Mapping[str, str] = NOTHING,
) -> Controlled:
    """Apply the control `applied` in a clean checkout of a commit, and then run the predicate there.

    Raises `Refused` also where the control changes a pinned file: it would show nothing.
    """
    with ExitStack() as stack:
        checkout = _checkout(stack, git, commit, branch)
        done = checkout.run(applied, timeout)
        said = "".join(f"\n  {line}" for line in lines(done.output, most=_SAID, width=200))
        if done.code:
            return Controlled(done, said, None)
        for found in surface.elsewhere(pinned, Tree(checkout.root))[:1]:
            told = f"the control changes {found.path}, which decides whether the predicate is met"
            raise Refused(told, "let the control do what the loop is to do, and leave the pinned files alone")
        return Controlled(done, said, _measured(git, checkout, command, timeout))


def _checkout(stack: ExitStack, git: Git, commit: str, branch: str) -> Checkout:
    try:
        return stack.enter_context(clean_checkout(git, commit, branch))
    except CheckoutFailed as error:
        raise Refused(f"no clean checkout of {commit[:12]} can be made: {error}") from error


def _measured(git: Git, checkout: Checkout, command: str, timeout: float) -> Measured:
    started = clock.stamp()
    done = checkout.run(command, timeout)
    ended = clock.stamp()
    tree = worktree.of_commit(git, checkout.commit)
    env = steering.noted(environment(checkout.root))
    return Measured(done, outputs.of(done, checkout.root), checkout.commit, tree, started, ended, env)


def capture(git: Git, command: Sequence[str], folder: str, root: str, timeout: float = TIMEOUT) -> Capture:
    """Run a command as it stands (no shell) in `folder`, and keep what it said.

    Raises `Refused` where it could not run: what was not run shows nothing.
    """
    found = git.call("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    head = found.out.decode("ascii").strip() if found.code == 0 else ""
    started = clock.stamp()
    done = process.run(list(command), folder, environment(root), timeout)
    ended = clock.stamp()
    reason = done.could_not_run()
    if reason:
        said = "".join(f"\n  {line}" for line in lines(done.output, most=_SAID, width=200))
        raise Refused(f"{clean(' '.join(command))[:200]}: {reason}{said}", "mend the command that follows --")
    tree = worktree.of_files(git)
    return Capture(tuple(command), done.code, started, ended, head, tree, outputs.of(done))
