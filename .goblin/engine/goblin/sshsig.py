"""Signatures by SSH keys over bytes of ours: `ssh-keygen -Y`, run outside the repository under test.

The signed bytes travel on standard input, the signature through a folder of the caller's. Nothing is
ever asked: there is no terminal and no askpass, so a key with a passphrase must be in the agent.
"""

from __future__ import annotations

import os
import re
import subprocess
from typing import NamedTuple

from goblin.child import heed_children
from goblin.redact import clean

NAMESPACE = "goblin-stack"
"""What our signatures are for; one made for anything else is none of ours."""

LIMIT = 64 << 10
"""Bytes of a signature that are looked at; a real one has some hundreds."""

TIMEOUT = 30.0
_NO_WORDS = ("Signing data on", "@")
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]+")


class NoTool(Exception):
    """There is no ssh-keygen, or it gives no answer; the message says which."""


class NotSigned(Exception):
    """The key did not sign; the message holds the first words of ssh-keygen."""


class Answer(NamedTuple):
    """Who signed. A `problem` says why that does not hold; `signer` is then the key, where it is known."""

    signer: str
    problem: str = ""


class _Done(NamedTuple):
    code: int
    out: bytes
    said: str


def _keygen(*args: str, data: bytes, cwd: str) -> _Done:
    heed_children()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "GIT_"))}
    env.update(LC_ALL="C", SSH_ASKPASS_REQUIRE="never")
    try:
        done = subprocess.run(
            ["ssh-keygen", *args], input=data, capture_output=True, cwd=cwd, env=env, timeout=TIMEOUT,
            start_new_session=True, check=False,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise NoTool("ssh-keygen is not on PATH") from error
    except OSError as error:
        raise NoTool(f"ssh-keygen cannot be started: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise NoTool(f"ssh-keygen gave no answer within {TIMEOUT:.0f} s") from error
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    told = [line.strip() for line in lines if line.strip() and not line.startswith(_NO_WORDS)]
    return _Done(done.returncode, done.stdout, clean("; ".join(told))[:300])


def verify(data: bytes, signature: bytes, signers: str, folder: str) -> Answer:
    """Who of the allowed signers (a file, absolute) signed `data`; `folder` is empty and the caller's.

    Any principal of the file counts. Raises `NoTool`.
    """
    place = os.path.join(folder, "signature")
    with open(place, "wb") as stream:
        stream.write(signature)
    sound = _keygen("-Y", "check-novalidate", "-n", NAMESPACE, "-s", place, data=data, cwd=folder)
    if sound.code:
        return Answer("", f"the signature does not hold: {sound.said or f'exit {sound.code}'}")
    found = _FINGERPRINT.search(_text(sound.out))
    key = found[0] if found else "an unknown key"
    known = _keygen("-Y", "find-principals", "-s", place, "-f", signers, data=b"", cwd=folder)
    names = _text(known.out).splitlines() if known.code == 0 else []
    for name in dict.fromkeys(part.strip() for line in names for part in (line, *line.split(","))):
        whose = ("-s", place, "-f", signers, "-I", name)
        if name and _keygen("-Y", "verify", "-n", NAMESPACE, *whose, data=data, cwd=folder).code == 0:
            return Answer(clean(f"{name} ({key})"))
    return Answer(
        key, f"the key {key} is none of an allowed signer" + (f": {known.said}" if known.said else "")
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def sign(data: bytes, key: str, folder: str) -> bytes:
    """A signature over `data` by the private key in the file `key`, or by its half in the agent.

    Raises `NoTool` and `NotSigned`.
    """
    done = _keygen("-Y", "sign", "-n", NAMESPACE, "-f", key, data=data, cwd=folder)
    if done.code or not done.out.startswith(b"-----BEGIN SSH SIGNATURE-----"):
        raise NotSigned(done.said or f"exit {done.code}")
    return done.out
