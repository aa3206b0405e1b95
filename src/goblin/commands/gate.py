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

import os
import sys
from collections.abc import Callable

from goblin.outcome import CannotRun

PASSED = 0
FAILED = 1
COULD_NOT_RUN = 2
MANIFEST_BROKEN = 3
INTERRUPTED = 130


def guard(body: Callable[[], int], on_error: Callable[[str, int], None] | None = None) -> int:
    """Call `body` and turn whatever it raises into an exit code and one message on standard error.

    `on_error` also gets the message and the code (the JSON report prints it).
    """
    from goblin.manifest import ManifestBroken
    from goblin.redact import clean

    def tell(message: str, code: int, remedy: str = "") -> int:
        print(f"error: {clean(message)}", file=sys.stderr)
        if remedy:
            print(f"remedy: {clean(remedy)}", file=sys.stderr)
        if on_error:
            on_error(message, code)
        return code

    try:
        code = body()
        sys.stdout.flush()
    except CannotRun as error:
        return tell(error.message, COULD_NOT_RUN, error.remedy)
    except ManifestBroken as error:
        remedy = "git checkout -- .goblin/manifest, or mend the line named"
        return tell(f"the manifest is broken: {error}", MANIFEST_BROKEN, remedy)
    except KeyboardInterrupt:
        return tell("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader went away (`| head`): point stdout at nothing so that exit prints no complaint.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return COULD_NOT_RUN
    except Exception as error:
        if os.environ.get("GOBLIN_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"[:400]
        return tell(
            f"internal: {what}",
            COULD_NOT_RUN,
            "set GOBLIN_DEBUG=1 to see where, and report it with that output",
        )
    return code
