"""The standard outside the repository that a config pins by its hash (spec install 10)."""

from __future__ import annotations

import os
import stat

from goblin.install.journal import digest

LIMIT = 16 << 20
"""Bytes of a standard that are hashed."""


class Unreadable(Exception):
    """The standard cannot be hashed; the message says why, for a person."""


def hashed(path: str) -> str | None:
    """SHA-256 of a regular file; None where nothing stands there. Raises `Unreadable` for anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unreadable(error.strerror or "it cannot be opened") from error
    except ValueError as error:
        raise Unreadable("the path holds a NUL") from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LIMIT:
            raise Unreadable(f"not a regular file of at most {LIMIT >> 20} MiB")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            data = stream.read(LIMIT + 1)
    except OSError as error:
        raise Unreadable(error.strerror or "it cannot be read") from error
    finally:
        os.close(descriptor)
    if len(data) > LIMIT:
        raise Unreadable(f"not a regular file of at most {LIMIT >> 20} MiB")
    return digest(data)
