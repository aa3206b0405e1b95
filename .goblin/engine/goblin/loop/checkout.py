"""A command of the loop, run in a clean checkout of one commit.

What is not committed is not there, so a command that is green here is green for everybody.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from goblin import process
from goblin.checkout import CheckoutFailed as CheckoutFailed
from goblin.checkout import clean_checkout
from goblin.git import Git
from goblin.loop import steering
from goblin.process import Completed

_DEPTH = "GOBLIN_VERIFY_DEPTH"


class Checkout(NamedTuple):
    """A checkout while it exists. `commit` is the full id that it holds."""

    root: str
    commit: str

    def run(self, command: str, timeout: float) -> Completed:
        """Run a shell command at the root of the checkout, for at most `timeout` seconds.

        Never raises for its failure.
        """
        return process.run_shell(command, self.root, environment(self.root), timeout)


def environment(root: str) -> dict[str, str]:
    """The environment of a command of the loop: the caller's, less what would answer for another repository
    or stand in for the work (`goblin.loop.steering`).

    The command may itself be goblin-verify; where the caller is one, it refuses to recurse as ever.
    """
    env = steering.without(process.environment({"GOBLIN_ROOT": root}))
    if _DEPTH not in os.environ:
        del env[_DEPTH]
    return env


@contextmanager
def clean(git: Git, commit: str, branch: str = "") -> Iterator[Checkout]:
    """A clean checkout of `commit` (a full id), with HEAD on `branch` where one is given; gone afterwards.

    Raises `CheckoutFailed`, and `GitError` where git cannot say what is needed.
    """
    with clean_checkout(git, commit, branch) as root:
        yield Checkout(root, commit)
