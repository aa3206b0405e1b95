"""A bound on how long a project's own pattern may take: Python's matcher has none of its own."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 10.0
"""How long the patterns of one ban may take over one file."""


class Late(Exception):
    """A pattern took too long."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """End the block after some seconds. Python's matcher heeds signals; another thread has none."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_: object) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    others = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *others)
