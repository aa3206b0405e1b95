"""Fact `signature`: whether somebody who may sign has signed the install record (spec IN-06).

The signature stands beside the record. Who may sign stands outside the tree: in the file that
`$GOBLIN_ALLOWED_SIGNERS` names, else the one of git's `gpg.ssh.allowedSignersFile`.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts import record as records
from goblin.outcome import CheckFailed, Finding
from goblin.paths import ReadRefused

if TYPE_CHECKING:
    from goblin import sshsig
    from goblin.facts import Facts
    from goblin.git import Git
    from goblin.paths import Tree

PATH = f"{records.PATH}.sig"
VARIABLE = "GOBLIN_ALLOWED_SIGNERS"
KEY = "gpg.ssh.allowedSignersFile"


class Signers(NamedTuple):
    """The file of the allowed signers, resolved ("" for none), and the problem that it has."""

    path: str
    named_by: str = ""
    problem: str = ""


class Signature:
    """The signature in the tree, and the answer to it."""

    def __init__(self, tree: Tree, git: Git | None) -> None:
        self._tree = tree
        self._git = git

    @property
    def stands(self) -> bool:
        """True where anything at all has the signature's name."""
        return self._tree.kind(PATH) != "missing"

    def signers(self) -> Signers:
        """Who may sign, as the environment or git's configuration names it."""
        named = os.environ.get(VARIABLE, "")
        if named:
            return self._resolved(named, VARIABLE)
        if self._git is None:
            return Signers("")
        found = self._git.call("config", "--type=path", "--get", KEY)
        named = os.fsdecode(found.out).rstrip("\n") if found.code == 0 else ""
        return self._resolved(named, KEY) if named else Signers("")

    def _resolved(self, named: str, named_by: str) -> Signers:
        path = os.path.realpath(os.path.join(self._tree.root, os.path.expanduser(named)))
        if (path + os.sep).startswith(self._tree.root.rstrip(os.sep) + os.sep):
            told = "is inside the repository, where whoever changes the record could change it too"
            return Signers(path, named_by, told)
        try:
            kind = stat.S_IFMT(os.stat(path).st_mode)
        except (OSError, ValueError):
            return Signers(path, named_by, "is not there")
        return Signers(path, named_by, "" if kind == stat.S_IFREG else "is no regular file")

    def verify(self, signers: str) -> sshsig.Answer:
        """Who signed the record; raises `CheckFailed` where that cannot be found out."""
        from goblin import sshsig, tempfolder

        try:
            data, signature = (
                self._tree.read(records.PATH, records.LIMIT),
                self._tree.read(PATH, sshsig.LIMIT),
            )
            with tempfolder.held("goblin-signature-", [self._tree.root]) as folder:
                return sshsig.verify(data, signature, signers, folder)
        except ReadRefused as error:
            raise CheckFailed(str(error), [Finding(PATH)]) from error
        except (sshsig.NoTool, tempfolder.NoFolder) as error:
            told = f"could not run: the signature cannot be checked: {error}"
            raise CheckFailed(told, [Finding(PATH)], "install OpenSSH 8.2 or newer, and run again") from error


def load(tree: Tree, facts: Facts) -> Signature:
    """The signature of the record; nothing is read yet."""
    return Signature(tree, facts.get("git") if facts.run.repo else None)
