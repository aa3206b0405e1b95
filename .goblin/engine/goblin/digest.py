"""SHA-256 without the cost of loading OpenSSL, which is more than that of a whole row."""

from __future__ import annotations

from importlib import import_module

_SMALL = 1 << 16  # bytes from which on OpenSSL is faster, its loading included


def sha256(data: bytes) -> str:
    """The SHA-256 of some bytes, as 64 lower-case hex digits.

    The interpreter's own implementation stands in a module that is called `_sha256` in 3.11 and
    `_sha2` since; a build may lack it.
    """
    for name in ("_sha2", "_sha256") if len(data) < _SMALL else ():
        try:
            found: str = import_module(name).sha256(data).hexdigest()
        except ImportError:
            continue
        return found
    import hashlib

    return hashlib.sha256(data).hexdigest()
