"""What a long run is doing, on one line of a terminal that is wiped before anything is printed.

Nothing of it appears before a run has taken a second, nor where nobody looks: standard error must be a
terminal that can wipe a line, and standard output no pipe, whose reader may be drawing on the same
screen. A thread draws; whoever works only says what he is at, which costs an assignment.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Mapping
from contextlib import suppress

AFTER = 1.0
"""Seconds of a run before the line appears."""

EVERY = 0.2
"""Seconds between two looks at what there is to draw."""

_WIPE = b"\r\x1b[K"
_DIM, _PLAIN = b"\x1b[2m", b"\x1b[0m"


class Watch:
    """Somebody who wants to know what a run is at; this one does not."""

    def row(self, text: str) -> None:
        """A row, or another large step, begins."""

    def doing(self, text: str) -> None:
        """A part of the step begins that may take long, such as a gate."""

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        return None


SILENT = Watch()


class Line(Watch):
    """The line, written to a descriptor that is a terminal."""

    def __init__(self, name: str, target: int, *, colour: bool, after: float = AFTER) -> None:
        self._name = name
        self._target = target
        self._colour = colour
        self._after = after
        self._now = ("", "", time.monotonic())
        self._drawn = b""

    def row(self, text: str) -> None:
        """Show this step, counted from now."""
        self._now = (text, "", time.monotonic())

    def doing(self, text: str) -> None:
        """Show this part of the step, counted from now."""
        self._now = (self._now[0], text, time.monotonic())

    def __enter__(self) -> Line:
        from threading import Event, Thread

        self._over = Event()
        self._thread = Thread(target=self._draw, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        if self._drawn:
            self._write(_WIPE)

    def _draw(self) -> None:
        wait = self._after
        while not self._over.wait(wait):
            wait = EVERY
            text = self.text(time.monotonic(), _columns(self._target))
            if text != self._drawn and _ours(self._target):
                self._drawn = text
                self._write(b"\r" + (_DIM + text + _PLAIN if self._colour else text) + b"\x1b[K")

    def text(self, now: float, columns: int) -> bytes:
        """The line as it is drawn at a time (of `time.monotonic`), in fewer than `columns` characters."""
        step, part, since = self._now
        told = " ".join(word for word in (f"{self._name}:", step, part) if word)
        ending = f", {_span(int(now - since))}"
        # Escaped to ASCII: of nothing else is it certain how wide it is, and what a terminal does with it.
        shown = told.encode("ascii", "backslashreplace").decode("ascii")
        shown = "".join(char if char.isprintable() else "?" for char in shown)
        return (shown[: max(columns - len(ending) - 1, 0)] + ending).encode("ascii")

    def _write(self, data: bytes) -> None:
        with suppress(OSError):
            os.write(self._target, data)


def _span(seconds: int) -> str:
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60} min {seconds % 60} s"


def _columns(target: int) -> int:
    try:
        return os.get_terminal_size(target).columns or 80
    except OSError:
        return 80


def _ours(target: int) -> bool:
    """False for a run in the background, which would be stopped, or draw over another program."""
    try:
        return os.tcgetpgrp(target) == os.getpgrp()
    except OSError:
        return True


def wanted(errors: int, output: int, env: Mapping[str, str]) -> bool:
    """True where the line may be drawn on `errors` while a report goes to `output` (descriptors)."""
    if env.get("TERM", "") in ("", "dumb"):
        return False
    try:
        return os.isatty(errors) and not stat.S_ISFIFO(os.fstat(output).st_mode)
    except OSError:
        return False


def on_terminal(name: str) -> Watch:
    """The line of a command on this process's terminal, or nobody where it is not wanted."""
    try:
        errors, output = sys.stderr.fileno(), sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):  # no stream, or one that is no file
        return SILENT
    if not wanted(errors, output, os.environ):
        return SILENT
    return Line(name, errors, colour=not os.environ.get("NO_COLOR"))
