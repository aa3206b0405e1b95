"""Waiting for a condition, with an end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PROMPT = 20.0
"""Seconds within which a run that need not wait has long ended, on a machine with other work too."""


def until(condition: Callable[[], bool], seconds: float = PROMPT) -> bool:
    """Wait for a condition; False when it does not come true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        threading.Event().wait(0.01)
    return True
