"""Fact `practice`: the referenced standard outside the repository, held against its pin (spec IN-02)."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from goblin.outcome import CheckFailed, Finding

if TYPE_CHECKING:
    from goblin.facts import Run
    from goblin.facts.config import Config

LIMIT = 64 << 20
"""Bytes of a standard that are hashed."""


class Practice(NamedTuple):
    """Whether a standard is pinned, and what is wrong with the pin."""

    declared: bool
    faults: tuple[Finding, ...] = ()


def load(config: Config, run: Run) -> Practice:
    """Hash the standard that the config names, `~/` expanded, and compare.

    A relative path starts at the repository's root. A key that the config's own rules refuse, such as
    a pin that is not 64 hexadecimal digits, is a fault like any other.
    """
    try:
        path, pin = config.text("practice"), config.text("practice_sha256").lower()
    except CheckFailed as failure:
        return Practice(True, failure.outcome.findings)
    if not path and not pin:
        return Practice(False)
    if not path or not pin:
        key, other = ("practice", "practice_sha256") if path else ("practice_sha256", "practice")
        told = f"{key} is set and {other} is not: a pin is both; set {other}, or clear {key}"
        return Practice(True, (config.where(key, told),))
    place = os.path.expanduser(path) if path.startswith("~/") else path
    now, problem = _digest(os.path.join(run.root, place))
    if problem:
        told = f"practice missing: {path}: {problem}"
        return Practice(True, (config.where("practice", told),))
    if now != pin:
        told = f"practice EDITED: {path}: recorded {pin}, now {now}"
        return Practice(True, (config.where("practice_sha256", told),))
    return Practice(True)


def _digest(path: str) -> tuple[str, str]:
    """SHA-256 of a regular file, or "" and why it cannot be taken."""
    import hashlib

    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        return "", error.strerror or "it cannot be opened"
    except ValueError:
        return "", "the path holds a NUL"
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            return "", "not a regular file"
        if status.st_size > LIMIT:
            return "", f"{status.st_size} bytes, more than the {LIMIT} that are hashed"
        return hashlib.file_digest(stream, "sha256").hexdigest(), ""
