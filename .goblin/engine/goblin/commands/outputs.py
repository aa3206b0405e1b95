"""Where the reports of a run go: standard output, files beside it, and the job summary of a forge."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from goblin.outcome import CannotRun
from goblin.report import FORMATS

SUMMARY = (1 << 20) - 4096
"""Bytes that a step may put into its job summary; over that, the forge shows none of it."""

Render = Callable[[str], str]
"""The text of a report in the format of this name."""


class Outputs:
    """The format for standard output, and (format, file) of each `--output`."""

    def __init__(self, name: str, given: Sequence[str]) -> None:
        """Raises `CannotRun` for an `--output` that cannot be, before anything runs."""
        self.name = name
        self.files: list[tuple[str, str]] = []
        for text in given:
            form, _, path = text.partition("=")
            if form not in FORMATS or not path:
                raise CannotRun(
                    f"--output {text} is not FORMAT=FILE", f"FORMAT is one of: {', '.join(FORMATS)}"
                )
            why, remedy = _no_output(path, [other for _, other in self.files])
            if why:
                raise CannotRun(f"--output {text}: {why}", remedy)
            self.files.append((form, path))

    def write(self, render: Render) -> None:
        """Write every report. Raises `CannotRun` for a file that cannot be written."""
        self._write_files(render)
        if self.name == "github":
            _summarise(render("markdown"))
        sys.stdout.write(render(self.name))

    def write_instead(self, render: Render) -> None:
        """Write what stands in place of each report where nothing was judged; the reason comes first.

        A file that cannot be written is no second error. Standard error has said it on a terminal, and
        JSON is written by whoever catches the error, who knows of errors in the command line too.
        """
        with suppress(CannotRun):
            self._write_files(render)
        if self.name == "github":
            _summarise(render("markdown"))
        if self.name not in ("text", "json"):
            sys.stdout.write(render(self.name))

    def _write_files(self, render: Render) -> None:
        if not self.files:
            return
        from goblin import atomic

        for form, path in self.files:
            try:
                atomic.write(os.path.abspath(path), render(form).encode("utf-8", "backslashreplace"))
            except OSError as error:
                raise CannotRun(
                    f"--output {path}: {error.strerror or error}", "name a file that can be written"
                ) from error


def _no_output(path: str, taken: Sequence[str]) -> tuple[str, str]:
    """Why a report may not be written to a path, and what to do; two empty texts where it may."""
    full = os.path.abspath(path)
    folder = os.path.dirname(full)
    if not os.path.isdir(folder):
        return f"there is no folder {folder}", f"mkdir -p {folder}"
    if os.path.lexists(full) and (os.path.islink(full) or not os.path.isfile(full)):
        return (
            "it is no regular file, and would be replaced",
            "name a file, or use --format for standard output",
        )
    if ".git" in os.path.realpath(folder).split(os.sep):
        return "it lies in a git directory", "name a file elsewhere"
    if full in map(os.path.abspath, taken):
        return "two reports cannot be one file", "name a file of its own"
    return "", ""


def _summarise(text: str) -> None:
    """Append the job summary where the forge says it wants one, cut to what it takes."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    try:
        room = SUMMARY - (os.path.getsize(path) if os.path.exists(path) else 0)
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(_cut(text, room))
    except OSError as error:
        print(f"note: the job summary was not written: {error.strerror}", file=sys.stderr)


def _cut(text: str, room: int) -> str:
    """The first whole lines that fit into `room` bytes, and a word where some do not."""
    if len(text.encode("utf-8", "backslashreplace")) <= room:
        return text
    word = "\n\nThe rest is left out: a job summary holds no more.\n"
    left = room - len(word)
    kept = []
    for line in text.split("\n"):
        left -= len(line.encode("utf-8", "backslashreplace")) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(kept) + word if kept else ""
