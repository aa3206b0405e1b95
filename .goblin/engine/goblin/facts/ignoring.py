"""Fact `ignoring`: what the committed ignore files say of secret names (spec SC-02).

Git's own matcher answers, asked about each name as if nothing were tracked, and with the excludes file
of whoever runs this left out. An answer counts only where it comes from a `.gitignore` of the
repository, so that `.git/info/exclude` cannot make a repository look safe to everyone else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin.git import PRIVATE_EXCLUDES_OFF, GitError
from goblin.outcome import CheckFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goblin.facts import Facts
    from goblin.git import Git
    from goblin.paths import Tree

PATH = ".gitignore"
MANIFESTS = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "Gemfile", "composer.json")


class Answer(NamedTuple):
    """What decides about one name. `why` is "" where a `.gitignore` of the repository ignores it."""

    name: str
    why: str


class Ignoring:
    """The root `.gitignore` and git's matcher."""

    def __init__(self, tree: Tree, git: Git | None) -> None:
        self._tree = tree
        self._git = git

    @property
    def exists(self) -> bool:
        """True where something stands under the name."""
        return self._tree.kind(PATH) != "missing"

    @property
    def manifests(self) -> tuple[str, ...]:
        """The dependency manifests at the root."""
        return tuple(name for name in MANIFESTS if self._tree.kind(name) == "file")

    def lines(self) -> tuple[str, ...]:
        """The lines of the root file, trimmed; raises `ReadRefused`."""
        text = self._tree.read(PATH).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        return tuple(line.strip() for line in text.split("\n"))

    def ask(self, names: Sequence[str]) -> tuple[Answer, ...]:
        """Git's answer for each name; raises `GitError`, and `CheckFailed` without a repository."""
        if self._git is None:
            raise CheckFailed("no git repository here: nothing proves what is ignored", remedy="git init")
        switches = ("--no-literal-pathspecs", *PRIVATE_EXCLUDES_OFF)  # check-ignore refuses every switch
        args = (*switches, "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin")
        done = self._git.call(*args, stdin=b"".join(name.encode() + b"\0" for name in names))
        if done.code not in (0, 1):
            raise GitError(args[len(switches) :], done)
        fields = done.out.decode("utf-8", "replace").split("\0")
        found = {fields[at + 3]: fields[at : at + 3] for at in range(0, len(fields) - 3, 4)}
        return tuple(Answer(name, _why(*found.get(name, ["", "", ""]))) for name in names)


def _why(source: str, line: str, pattern: str) -> str:
    if not source:
        return "no rule ignores it"
    if pattern.startswith("!"):
        return f"{source}:{line} takes it back: {pattern}"
    if source.startswith("/") or not (source == PATH or source.endswith(f"/{PATH}")):
        return f"only {source.rpartition('/')[2]} ignores it, which nobody else has"
    return ""


def load(facts: Facts) -> Ignoring:
    """Nothing is read before it is asked for."""
    return Ignoring(facts.get("tree"), facts.get("git") if facts.run.repo else None)
