"""A scratch clone of a repository that controls may break: nothing in it reaches the original.

Objects are borrowed through `alternates` (read only), refs are copied, and the files are written
anew from HEAD. `reset` brings back between two controls whatever the one before it changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence

from goblin.facts.head import Head
from goblin.git import Git
from goblin.outcome import CannotRun
from goblin.snapshot import Snapshot


class ScratchFailed(Exception):
    """The scratch clone could not be made or brought back; the message says why."""


def _run(folder: str, *args: str, stdin: bytes = b"", env: dict[str, str]) -> bytes:
    done = subprocess.run(
        ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", *args],
        cwd=folder, input=stdin, capture_output=True, env=env, timeout=600, check=False,
    )  # fmt: skip
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ScratchFailed(f"git {args[0]}: {said[0] if said else done.returncode}")
    return done.stdout


class Scratch:
    """One scratch clone in `folder`, at the original's HEAD."""

    def __init__(self, git: Git, head: Head, folder: str) -> None:
        if head.commit is None:
            raise CannotRun("nothing to prove: no commits yet", "git add -A && git commit")
        self.git = git
        self.head = head
        self.root = os.path.join(folder, "repository")
        self.home = os.path.join(folder, "home")
        self.saved = os.path.join(folder, "saved")
        self.kept = os.path.join(folder, "kept")  # what one control made and another may copy
        self.env = self._environment()
        self._make()

    def _environment(self) -> dict[str, str]:
        """A fixed environment: what a control does depends on the repository alone."""
        commit = self.head.need_commit()
        who = {"NAME": commit.author.name or "control", "EMAIL": commit.author.email or "control@example.com"}
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": self.home,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
            **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()},
        }

    def _make(self) -> None:
        for folder in (self.root, self.home, self.saved, self.kept):
            if os.path.isdir(folder):
                _remove(folder)
            os.makedirs(folder)
        object_format = self.git.run("rev-parse", "--show-object-format").decode().strip()
        _run(self.root, "init", "-q", "--template=", f"--object-format={object_format}", env=self.env)
        dot_git = os.path.join(self.root, ".git")
        objects = os.path.join(self.git.repo.common_dir, "objects")
        os.makedirs(os.path.join(dot_git, "objects", "info"), exist_ok=True)
        with open(os.path.join(dot_git, "objects", "info", "alternates"), "w", encoding="utf-8") as stream:
            stream.write(objects + "\n")
        shallow = os.path.join(self.git.repo.common_dir, "shallow")
        if os.path.exists(shallow):
            shutil.copyfile(shallow, os.path.join(dot_git, "shallow"))
        refs = self.git.run("for-each-ref", "--format=create %(refname) %(objectname)")
        plain = b"".join(line + b"\n" for line in refs.split(b"\n") if line and not line.endswith(b"/HEAD"))
        _run(self.root, "update-ref", "--no-deref", "--stdin", stdin=plain, env=self.env)
        _run(self.root, "pack-refs", "--all", env=self.env)  # one file to bring back, however many refs
        self._point_head()
        _run(self.root, "reset", "-q", "--hard", env=self.env)
        shutil.copytree(dot_git, self.saved, dirs_exist_ok=True, ignore=shutil.ignore_patterns("objects"))
        self.snapshot = Snapshot(self.root, {".git"})
        self._git_snapshot = Snapshot(dot_git, {"objects", "goblin"})

    def _point_head(self) -> None:
        commit = self.head.need_commit()
        if self.head.branch:
            _run(self.root, "symbolic-ref", "HEAD", f"refs/heads/{self.head.branch}", env=self.env)
        else:
            _run(self.root, "update-ref", "--no-deref", "HEAD", commit.oid, env=self.env)

    def reset(self) -> None:
        """Bring every file, ref and setting back to the start; makes the clone anew where that fails."""
        try:
            self._restore()
        except (OSError, ScratchFailed, subprocess.SubprocessError):
            self._make()

    def _restore(self) -> None:
        files = _bring_back(self._git_snapshot)
        for path in files:
            shutil.copy2(os.path.join(self.saved, path), os.path.join(self.root, ".git", path))
        self._git_snapshot.update(files)
        files = _bring_back(self.snapshot)
        if files:
            self._write_anew(files)

    def _write_anew(self, paths: Sequence[str]) -> None:
        """Write files as the index has them, and let index and snapshots know their new times."""
        names = b"".join(os.fsencode(path) + b"\0" for path in paths)
        _run(self.root, "checkout-index", "-q", "-f", "-u", "-z", "--stdin", stdin=names, env=self.env)
        shutil.copy2(os.path.join(self.root, ".git", "index"), os.path.join(self.saved, "index"))
        self._git_snapshot.update(["index"])
        self.snapshot.update(paths)


def _bring_back(snapshot: Snapshot) -> tuple[str, ...]:
    """Take away what is new and make the folders that are gone; the files that are to be written anew."""
    changes = snapshot.changes()
    for path in changes.surplus:
        full = os.path.join(snapshot.root, path)
        _remove(full) if os.path.isdir(full) and not os.path.islink(full) else os.unlink(full)
    for path, mode in changes.folders:
        full = os.path.join(snapshot.root, path)
        os.makedirs(full, exist_ok=True)
        os.chmod(full, mode)
    return changes.files


def _remove(path: str) -> None:
    """Delete a folder even where a control took its permissions away."""

    def retry(function: object, name: str, _: object) -> None:
        os.chmod(os.path.dirname(name), 0o700)
        os.chmod(name, 0o700)
        shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)

    shutil.rmtree(path, onerror=retry)
