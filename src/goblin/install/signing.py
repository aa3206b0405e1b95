"""`--sign KEY`: a signature of the record by the adopter's own SSH key, beside the record (spec IN-06).

Where an install rewrites the record, the signature of the new bytes goes in with it, whole or not at
all. The key stays outside the tree, is only read by ssh-keygen, and nothing is asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from goblin import sshsig, tempfolder
from goblin.facts import record as records
from goblin.facts.signature import KEY, PATH, Signature
from goblin.git import Git
from goblin.install import preflight, vendor
from goblin.install.disk import Disk
from goblin.install.journal import Change
from goblin.install.preflight import Refused
from goblin.install.session import CONSOLE, DONE, Output, Session, answered
from goblin.install.target import Target, look
from goblin.outcome import CannotRun
from goblin.paths import Tree

AGAIN = "sign again: goblin-install --target . --sign KEY"


class Signing(NamedTuple):
    """The options as they were given."""

    target: str
    key: str
    dry_run: bool = False


class Signer:
    """A key that was found, outside the tree; `root` is the target's."""

    def __init__(self, key: str, root: str) -> None:
        self._root = root
        self._key = os.path.realpath(os.path.expanduser(key))
        if (self._key + os.sep).startswith(root.rstrip(os.sep) + os.sep):
            raise CannotRun(
                f"--sign {key}: that key is inside the repository, where everybody has it",
                "sign with a key that you keep outside: --sign ~/.ssh/id_ed25519",
            )
        if not os.path.isfile(self._key):
            raise CannotRun(f"--sign {key}: there is no such file", "make one: ssh-keygen -t ed25519")

    def sign(self, data: bytes) -> bytes:
        """A signature over the record's bytes; raises `CannotRun` where the key does not give one."""
        try:
            with tempfolder.held("goblin-signature-", [self._root]) as folder:
                return sshsig.sign(data, self._key, folder)
        except sshsig.NotSigned as error:
            raise CannotRun(
                f"--sign {self._key}: {error}; nothing was written",
                "a key with a passphrase is taken from the agent: ssh-add it, then run again",
            ) from error
        except (sshsig.NoTool, tempfolder.NoFolder) as error:
            raise CannotRun(
                f"--sign: {error}; nothing was written", "install OpenSSH 8.2 or newer"
            ) from error


def changes(disk: Disk, signer: Signer | None, record: bytes) -> list[Change]:
    """What becomes of the file of the signature; nothing without a signer, or where it holds this one."""
    made = signer.sign(record) if signer else None
    before = disk.read(PATH) if made else None
    return [Change(PATH, made, before, vendor.PLAIN)] if made != before else []


def told(disk: Disk, target: Target, signer: Signer | None, *, changed: bool) -> list[str]:
    """What there is to say of the signature once a run is done; `changed`: the record is a new one."""
    if signer is None:
        stands = changed and disk.status(PATH) is not None
        return [f"record changed: {AGAIN}"] if stands else []  # it is of other bytes (decided 45)
    found = [f"signed {records.PATH}: {PATH}"]
    asked = Git(target.repo) if target.repo else None
    if asked and asked.call("check-ignore", "-q", "--no-index", PATH).code == 0:
        found.append(f"note: git ignores it: git add -f {PATH}")
    if not Signature(Tree(target.root), asked).signers().path:
        found.append(
            f"note: IN-06 judges it once somebody may sign: git config --global {KEY} "
            "~/.ssh/allowed_signers, a file with a line `NAME PUBLIC-KEY` for each signer"
        )
    return found


def sign(signing: Signing, output: Output = CONSOLE, make_disk: Callable[[str], Disk] = Disk) -> int:
    """Sign the record that stands there and return 0, or 1 where the write is refused or fails.

    Raises `CannotRun` (exit 2) without a record, without the key, and where the key does not sign.
    """
    target = look(signing.target)
    session = Session(target, make_disk(target.root), output, dry_run=signing.dry_run)
    return answered(output, target.root, lambda: session.run(lambda: _sign(signing, session)))


def _sign(signing: Signing, session: Session) -> int:
    say = session.output.say
    signer = Signer(signing.key, session.target.root)
    record = session.read_record()
    if record is None or session.record_bytes is None:
        raise CannotRun(f"nothing to sign: there is no {records.PATH} here", "install first")
    faults = records.faults(record)
    if faults:
        raise Refused((f"{records.PATH} is not sound, and is not signed: {faults[0]}", records.REMEDY))
    preflight.check(session.disk, [PATH])
    made = changes(session.disk, signer, session.record_bytes)
    if not made:
        say("no-op: this key has signed this record already")
        return DONE
    if signing.dry_run:
        say(f"plan: {PATH}")
        return DONE
    session.commit(made)
    for line in told(session.disk, session.target, signer, changed=True):
        say(line)
    say(f"next: git add {PATH} && git commit, then verify: .goblin/bin/goblin-verify --only IN-06")
    return DONE
