"""One command of ours in a forked process of bounded memory and processor time.

A command that holds what a file claims to be, or whose pattern never ends, is ended by the system: that
is asserted on, and no clock is.
"""

from __future__ import annotations

import io
import os
import re
import resource
import sys
import tempfile
from importlib import import_module

from tests.support import Repo, Result

MEMORY = 600 << 20
"""Bytes of address space beyond those that the process had: a gigabyte does not fit."""

SECONDS = 60
"""Of processor time; what is run here takes one or two."""

NEVER_PRINTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
OBEYED = re.compile(
    r"^\s*(?:::(?!(?:error|warning|notice) |(?:end)?group::|(?:stop-commands::)?[0-9a-f]{40}))|##(?:vso)?\[",
    re.M,
)
"""A line that a CI server would take for a command, but those of the report for GitHub itself."""


def limited(repo: Repo, command: str, *arguments: str) -> Result:
    """Run `goblin-COMMAND` in a repository; a negative code is the signal that ended it."""
    main = import_module(f"goblin.commands.{command}").main
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            code = 70
            try:
                os.chdir(repo.root)
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.stdout, sys.stderr = (
                    io.TextIOWrapper(io.FileIO(n, "w", closefd=False), "utf-8") for n in (1, 2)
                )
                sys.stdin = io.StringIO()
                with open("/proc/self/statm", encoding="ascii") as status:
                    now = int(status.read().split()[0]) * os.sysconf("SC_PAGESIZE")
                resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
                resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
                code = main(list(arguments))
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "backslashreplace"))
    return Result(code, *texts)


def is_an_answer(result: Result, *codes: int) -> None:
    """Assert that a command ended well: words for a person, the right code, nothing that is obeyed."""
    text = result.out + result.err
    assert result.code in codes, (result.code, text[-2000:])
    assert text.strip()
    for said in ("Traceback", "internal: ", "the check itself broke", "MemoryError", "RecursionError"):
        assert said not in text, text[max(text.index(said) - 500, 0) :][:1500]
    is_harmless(text)


def is_harmless(text: str) -> None:
    """Assert that neither a terminal nor a CI server obeys anything in a text."""
    for pattern in (NEVER_PRINTED, OBEYED):
        found = pattern.search(text)
        assert found is None, repr(text[max(found.start() - 80, 0) : found.end() + 40])
