"""Judging many files by two processes: a fork does every second one and sends back what it found.

The other process is the same program at the same moment, so it gives the same answers. Whatever goes wrong
with it, its files are judged here after all.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

FEW = 150
"""Files that are judged sooner than a second process is made ready."""


def possible(count: int) -> bool:
    """True where a fork may take a share: enough work, another processor, and no thread but timers."""
    others = [one for one in threading.enumerate() if one is not threading.main_thread()]
    alone = threading.current_thread() is threading.main_thread()
    alone = alone and all(isinstance(one, threading.Timer) for one in others)
    return alone and count >= FEW and (os.cpu_count() or 1) > 1 and hasattr(os, "fork")


def shared(count: int, work: Callable[[Sequence[int]], Any], take: Callable[[Any], None]) -> None:
    """Give `work` the numbers below `count`, every second one in another process.

    What `work` returns there must be plain enough for JSON; `take` gets it here, after the first half is
    done, or the same numbers are worked on here.
    """
    mine, theirs = range(0, count, 2), range(1, count, 2)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(read)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            data = json.dumps(work(theirs)).encode()
            while data:
                data = data[os.write(write, data) :]
            code = 0
        finally:
            os._exit(code)  # nothing of the parent's is flushed, closed or cleaned up twice
    os.close(write)
    try:
        take(work(mine))
        data = b""
        while part := os.read(read, 1 << 20):
            data += part
        _, status = os.waitpid(child, 0)
        child = 0
    finally:
        os.close(read)
        if child:  # interrupted
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
    try:
        found = json.loads(data) if status == 0 else None
    except (ValueError, RecursionError):
        found = None
    take(found if found is not None else work(theirs))
