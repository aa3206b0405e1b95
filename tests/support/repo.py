"""Real git repositories, built from a dict of files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.support.env import hermetic

Content = str | bytes
Files = Mapping[str, Content]


def git(root: Path | str, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
    """Run git in `root` and return its standard output as text, trailing line ends removed.

    `env` adds variables, such as `{"GIT_COMMITTER_DATE": "..."}`. Names that are not UTF-8 come
    back with surrogate escapes. Raises `AssertionError` with git's own words when git fails.
    """
    done = subprocess.run(
        ["git", *arguments],
        cwd=root,
        input=stdin,
        capture_output=True,
        env=hermetic(**(env or {})),
        timeout=120,
        check=False,
    )
    out, err = (os.fsdecode(stream) for stream in (done.stdout, done.stderr))
    assert done.returncode == 0, f"git {' '.join(arguments)} ended with {done.returncode}: {err or out}"
    return out.rstrip("\r\n")


def write_files(root: Path | str, files: Files) -> None:
    """Write each file below `root`, parents included.

    A key is a relative path. A `str` is written as UTF-8, LF as it stands; `bytes` are written as
    they are. Content that starts with `#!` gives an executable file. A key that ends with `@` is a
    symbolic link, named without the `@`, to the text that it holds.
    """
    for name, content in files.items():
        path = os.path.join(root, name.removesuffix("@"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if name.endswith("@"):
            if os.path.lexists(path):
                os.unlink(path)
            os.symlink(content, os.fsencode(path) if isinstance(content, bytes) else path)
            continue
        data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
        with open(path, "wb") as file:
            file.write(data)
        if data.startswith(b"#!"):
            os.chmod(path, 0o755)


class Repo:
    """A repository on disk. `root` is its top folder; every method runs the real git."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)

    def __fspath__(self) -> str:
        return str(self.root)

    def __truediv__(self, name: str) -> Path:
        return self.root / name

    def git(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """`git(...)` in this repository."""
        return git(self.root, *arguments, stdin=stdin, env=env)

    def write(self, files: Files) -> Repo:
        """`write_files(...)` in this repository; nothing is staged."""
        write_files(self.root, files)
        return self

    def read(self, name: str) -> str:
        """The text of a file, UTF-8, line ends as they are."""
        return (self.root / name).read_bytes().decode("utf-8")

    def remove(self, *names: str) -> Repo:
        """Delete files from the work tree; nothing is staged."""
        for name in names:
            (self.root / name).unlink()
        return self

    def commit(
        self, message: str = "change", files: Files | None = None, *, env: Mapping[str, str] | None = None
    ) -> str:
        """Write `files`, stage everything that is not ignored, commit, and return the full commit id.

        An empty commit is allowed. `env` may hold another author, committer or date.
        """
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", message, env=env)
        return self.head

    @property
    def head(self) -> str:
        """The full id of HEAD."""
        return self.git("rev-parse", "HEAD")


def build_repo(
    files: Files | None = None,
    root: Path | str = ".",
    *,
    commit: str | None = "start",
    branch: str = "main",
    env: Mapping[str, str] | None = None,
) -> Repo:
    """Make a git repository at `root` (created when absent) that holds `files`, and return it.

    `commit` is the message of the first commit; `None` leaves the files untracked and HEAD unborn.
    Identity and date are fixed (see `tests.support.env`), so ids are the same on every machine.
    """
    os.makedirs(root, exist_ok=True)
    git(root, "init", "--quiet", f"--initial-branch={branch}")
    repo = Repo(root).write(files or {})
    if commit is not None:
        repo.commit(commit, env=env)
    return repo
