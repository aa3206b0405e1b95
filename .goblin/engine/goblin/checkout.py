"""A clean checkout of one commit, in a temporary folder of its own, for a command to run in.

It is a repository that borrows the objects of the original (`alternates`, read only) and has its refs,
so `git log` answers in it, and what runs there changes nothing in the original. No hook runs, and no
content filter: the new repository has no configuration that could name one.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from goblin import git as plumbing
from goblin import tempfolder
from goblin.git import Git
from goblin.redact import clean, mask

PREFIX = "goblin-checkout-"


class CheckoutFailed(Exception):
    """No checkout could be made; the message says why, for a person."""


@contextmanager
def clean_checkout(git: Git, commit: str, branch: str = "") -> Iterator[str]:
    """The path of a work tree that holds exactly the files of `commit` (a full id).

    HEAD is detached there, or on `branch`, which then stands at that commit whatever it does in the
    original. The checkout goes when the block ends; one that a killed run left behind goes when the
    next is made. Raises `CheckoutFailed`, and `GitError` where git cannot list its refs.
    """
    repo = git.repo
    try:
        with tempfolder.held(PREFIX, (repo.top, repo.git_dir, repo.common_dir)) as folder:
            yield _made(git, commit, branch, os.path.join(folder, os.path.basename(repo.top) or "repository"))
    except tempfolder.NoFolder as error:
        raise CheckoutFailed(str(error)) from error


def _made(git: Git, commit: str, branch: str, folder: str) -> str:
    try:
        return _put(git, commit, branch, folder)
    except OSError as error:
        raise CheckoutFailed(f"{error.strerror}: {error.filename}") from error


def _put(git: Git, commit: str, branch: str, folder: str) -> str:
    env = {**plumbing.environment(), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    object_format = "sha256" if len(commit) == 64 else "sha1"
    _call(["git", "init", "--quiet", "--template=", f"--object-format={object_format}", folder], env)
    dot_git = os.path.join(folder, ".git")
    os.makedirs(os.path.join(dot_git, "objects", "info"), exist_ok=True)
    objects = os.fsencode(os.path.join(git.repo.common_dir, "objects"))
    _write(os.path.join(dot_git, "objects", "info", "alternates"), _line(objects))
    shallow = os.path.join(git.repo.common_dir, "shallow")
    if os.path.exists(shallow):
        with open(shallow, "rb") as stream:
            _write(os.path.join(dot_git, "shallow"), stream.read())
    refs = git.run("for-each-ref", "--format=%(objectname) %(refname) %(symref)").split(b"\n")
    plain = b"".join(line.rstrip() + b"\n" for line in refs if line.endswith(b" "))
    _write(os.path.join(dot_git, "packed-refs"), plain)
    _write(os.path.join(dot_git, "HEAD"), commit.encode("ascii") + b"\n")
    repo = plumbing.at(folder)
    if repo is None:
        raise CheckoutFailed("git made no repository in the temporary folder")
    made = Git(repo)
    if branch:
        _call(made.argv(("update-ref", f"refs/heads/{branch}", commit)), env)
        _call(made.argv(("symbolic-ref", "HEAD", f"refs/heads/{branch}")), env)
    _call(made.argv(("read-tree", "--reset", "-u", commit)), env)
    return folder


def _line(path: bytes) -> bytes:
    """A line of the alternates file; a path that a line cannot hold bare is quoted as git reads it."""
    if b"\n" not in path and not path.startswith((b'"', b"#")):
        return path + b"\n"
    for plain, quoted in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        path = path.replace(plain, quoted)
    return b'"' + path + b'"\n'


def _call(argv: list[str], env: dict[str, str]) -> None:
    try:
        done = subprocess.run(
            argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CheckoutFailed(f"git could not make the checkout: {clean(str(error))[:300]}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise CheckoutFailed(f"git said: {clean(mask(said))[:300] or done.returncode}")


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as stream:
        stream.write(data)
