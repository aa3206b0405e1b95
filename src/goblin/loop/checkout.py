"""A clean checkout of one commit, in a scratch folder, where a command of the loop is run.

It is a repository of its own: objects are borrowed from the original (read only), its branches and tags
stand where they stood, and nothing of the original is written: no worktree entry, no ref. No hook runs
and no content filter, since the new repository has no configuration that could name one. What is not
committed is not in it, so a command that is green here is green for everybody.
"""

from __future__ import annotations

import os
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from goblin import git as plumbing
from goblin import process
from goblin.git import Git
from goblin.process import Completed
from goblin.redact import clean as printable
from goblin.redact import mask

PREFIX = "goblin-loop-"
LOCK = "lock"
YOUNG = 3600.0
"""Seconds for which a folder without a lock may still be one that is being made."""

_DEPTH = "GOBLIN_VERIFY_DEPTH"
_TIMEOUT = 600.0


class CheckoutFailed(Exception):
    """The checkout could not be made; `str()` says why."""


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
    """The environment of a command of the loop: the caller's, less what would answer for another repository.

    The command may itself be goblin-verify; where the caller is one, it refuses to recurse as ever.
    """
    env = process.environment({"GOBLIN_ROOT": root})
    if _DEPTH not in os.environ:
        del env[_DEPTH]
    return env


@contextmanager
def clean(git: Git, commit: str, branch: str = "") -> Iterator[Checkout]:
    """A clean checkout of `commit` (a full id), with HEAD on `branch` where one is given; gone afterwards.

    One that a killed run left behind goes when the next is made: its lock is free then. Raises
    `CheckoutFailed`, and `GitError` where git cannot say what is needed.
    """
    import tempfile

    parent = os.path.realpath(tempfile.gettempdir())
    for place in (git.repo.top, git.repo.git_dir, git.repo.common_dir):
        if place and (parent + os.sep).startswith(place.rstrip(os.sep) + os.sep):
            told = f"the temporary folder {parent} is inside the repository; set TMPDIR to another place"
            raise CheckoutFailed(told)
    prune(parent)
    try:
        folder = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        held = _hold(folder)
    except OSError as error:
        raise CheckoutFailed(f"no temporary folder in {parent}: {error.strerror}") from error
    try:
        root = os.path.join(folder, os.path.basename(git.repo.top) or "repository")
        _make(git, root, commit, branch)
        yield Checkout(root, commit)
    finally:
        remove(folder)
        os.close(held)


def prune(parent: str) -> None:
    """Remove the checkouts below `parent` that are this user's and that no process holds any more."""
    with suppress(OSError):
        for name in os.listdir(parent):
            folder = os.path.join(parent, name)
            if name.startswith(PREFIX) and _abandoned(folder):
                remove(folder)


def _abandoned(folder: str) -> bool:
    import fcntl

    try:
        status = os.lstat(folder)
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            return False
        descriptor = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return time.time() - status.st_mtime > YOUNG
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _hold(folder: str) -> int:
    """Lock a new folder; the kernel frees it with this process, however that ends."""
    import fcntl

    descriptor = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def _make(git: Git, root: str, commit: str, branch: str) -> None:
    try:
        _write(git, root, commit, branch)
    except OSError as error:
        raise CheckoutFailed(f"{error.strerror}: {error.filename}") from error


def _write(git: Git, root: str, commit: str, branch: str) -> None:
    import shutil

    kind = git.run("rev-parse", "--show-object-format").decode("ascii").strip()
    os.mkdir(root)
    _git(root, "init", "-q", "--template=", f"--object-format={kind}")
    dot_git, common = os.path.join(root, ".git"), git.repo.common_dir
    os.makedirs(os.path.join(dot_git, "objects", "info"), exist_ok=True)
    with open(os.path.join(dot_git, "objects", "info", "alternates"), "wb") as stream:
        stream.write(_alternate(os.path.join(common, "objects")))
    if os.path.exists(os.path.join(common, "shallow")):
        shutil.copyfile(os.path.join(common, "shallow"), os.path.join(dot_git, "shallow"))
    refs = git.run("for-each-ref", "--format=%(objectname) %(refname) %(symref)").split(b"\n")
    with open(os.path.join(dot_git, "packed-refs"), "wb") as stream:
        stream.writelines(line.rstrip() + b"\n" for line in refs if line.endswith(b" "))
    if branch:
        _git(root, "symbolic-ref", "HEAD", f"refs/heads/{branch}")
        _git(root, "update-ref", f"refs/heads/{branch}", commit)
    else:
        _git(root, "update-ref", "--no-deref", "HEAD", commit)
    _git(root, "reset", "-q", "--hard")


def _alternate(path: str) -> bytes:
    """A line of the alternates file; a path that a line cannot hold bare is quoted as git reads it."""
    raw = os.fsencode(path)
    if b"\n" not in raw and not raw.startswith((b'"', b"#")):
        return raw + b"\n"
    for plain, quoted in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        raw = raw.replace(plain, quoted)
    return b'"' + raw + b'"\n'


def _git(folder: str, *args: str) -> None:
    """Run git in the checkout, which no configuration but its own can speak for."""
    env = {**plumbing.environment(), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    fixed = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never")
    try:
        done = subprocess.run(
            ["git", *fixed, *args], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_TIMEOUT, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CheckoutFailed(f"git {args[0]}: {error}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise CheckoutFailed(f"git said: {printable(mask(said))[:300] or done.returncode} (git {args[0]})")


def remove(folder: str) -> None:
    """Delete a folder of ours, also where a command took permissions away; what resists is left."""
    import shutil

    def retry(function: Callable[[str], object], name: str, _: object) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(name), 0o700)
            if os.path.isdir(name) and not os.path.islink(name):
                os.chmod(name, 0o700)
                shutil.rmtree(name, ignore_errors=True)
            else:
                function(name)

    shutil.rmtree(folder, onerror=retry)
