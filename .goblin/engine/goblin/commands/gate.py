"""The one gate through which every failure of a command passes: exit codes, and no traceback.

| code | meaning |
|---|---|
| 0 | every executed check passed |
| 1 | a check failed, or a refusal |
| 2 | could not run: not installed, bad option, unreadable config, missing dependency |
| 3 | the manifest is broken |
| 130 | interrupted |
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable

from goblin import searchpath
from goblin.outcome import CannotRun, CheckFailed

PASSED = 0
FAILED = 1
COULD_NOT_RUN = 2
MANIFEST_BROKEN = 3
INTERRUPTED = 130

_NEW_OBJECTS = 50_000
"""Objects between two looks for cycles. A run is short and makes few of them; at Python's usual 700 the
looking alone was a quarter of the time that a record of 100,000 turns takes."""

_CANNOT_WRITE = {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def guard(body: Callable[[], int], on_error: Callable[[str, int], None] | None = None) -> int:
    """Call `body` and turn whatever it raises into an exit code and one message on standard error.

    `on_error` also gets the message and the code (the JSON report prints it). Standard output is
    flushed before this returns, so that what cannot be written is seen here and not at exit.
    """
    _make_usable()
    searchpath.heed()
    gc.set_threshold(_NEW_OBJECTS)
    try:
        code = _call(body, on_error)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader went away (`| head`)
        _write_nowhere()
        return COULD_NOT_RUN
    except OSError as error:
        _write_nowhere()
        return _tell(f"could not write: {error.strerror}", COULD_NOT_RUN)
    return code


def _call(body: Callable[[], int], on_error: Callable[[str, int], None] | None) -> int:
    from goblin.manifest import ManifestBroken

    def tell(message: str, code: int, remedy: str = "") -> int:
        _tell(message, code, remedy)
        if on_error:
            on_error(message, code)
        return code

    try:
        return body()
    except (CannotRun, CheckFailed, ManifestBroken) as error:
        message, remedy, code = told(error)
        return tell(message, code, remedy)
    except KeyboardInterrupt:
        return tell("interrupted", INTERRUPTED)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _CANNOT_WRITE:
            raise
        if os.environ.get("GOBLIN_DEBUG"):
            raise
        if _names_its_cause(error):
            return tell(str(error), COULD_NOT_RUN)
        what = f"{type(error).__name__}: {error}"[:400]
        return tell(
            f"internal: {what}",
            COULD_NOT_RUN,
            "set GOBLIN_DEBUG=1 to see where, and report it with that output",
        )


def _names_its_cause(error: Exception) -> bool:
    """True where a file of the repository, or git, is to blame and the error's own words say so."""
    from goblin.git import GitError
    from goblin.paths import ReadRefused

    return isinstance(error, (GitError, ReadRefused))


def refuse(message: str, remedy: str = "") -> int:
    """Say on standard error why something is not done; returns 1."""
    return _tell(message, FAILED, remedy)


def told(error: Exception) -> tuple[str, str, int]:
    """What is said of an error that ends a command: the message, what mends it, the exit code."""
    if isinstance(error, CannotRun):
        return error.message, error.remedy, COULD_NOT_RUN
    if isinstance(error, CheckFailed):  # a fact that this command cannot do without
        return error.outcome.summary, error.outcome.remedy, COULD_NOT_RUN
    remedy = "git checkout -- .goblin/manifest, or mend the line named"
    return f"the manifest is broken: {error}", remedy, MANIFEST_BROKEN


def _tell(message: str, code: int, remedy: str = "") -> int:
    from goblin.redact import clean

    print(f"error: {clean(message)}", file=sys.stderr)
    if remedy:
        print(f"remedy: {clean(remedy)}", file=sys.stderr)
    return code


def _make_usable() -> None:
    """A stream that is closed is written nowhere, and a character that it cannot show is escaped."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  (open until exit)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _write_nowhere() -> None:
    """Let the interpreter's own flush at exit succeed, so that it prints no complaint."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
