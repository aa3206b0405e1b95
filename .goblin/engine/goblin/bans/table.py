"""The ban table: what is forbidden where, and how it is found (docs/bans.md).

`detect` has three forms: `ast:bans/<ID>.yml` (a rule file; `ast:rules/<name>.yml` for a project's own),
`regex:<pattern>[ ‖ <pattern>]`, and a shell command. A wrong value is a fault that BN-00 tells; the ban
itself cannot run.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from typing import NamedTuple

from goblin.bans.globs import BadGlob, Glob
from goblin.bans.globs import read as read_globs
from goblin.tables import Record, Table, parse

COLUMNS = ("id", "ban", "globs", "detect", "replacement", "escape", "reviewer", "source")
SHIPPED = re.compile(r"BN-[0-9]{2}")
PROJECT = re.compile(r"[A-Z]{2,3}-[0-9]{2}")
RULE = re.compile(r"ast:(bans|rules)/([A-Za-z0-9][A-Za-z0-9_-]*\.yml)")
_DIALECT = re.compile(r"(?<!\\)(?:\\\\)*(?:\\[AZzGQECKRXhHNOpPgk1-9]|\(\?[PR&|C#0-9]|\(\*)")
"""What git and Python do not read alike, or what a pattern among others cannot have."""

SEPARATOR = " ‖ "
NAME = "bans.tsv"


class Ban(NamedTuple):
    """One line of a ban table."""

    id: str
    ban: str
    globs: str
    detect: str
    replacement: str
    escape: str
    reviewer: str
    source: str
    line: int = 0
    project: bool = False  # added by the adopter in .goblin/rules/

    @property
    def kind(self) -> str:
        """How it is found: `ast`, `regex` or `shell`."""
        head = self.detect.partition(":")[0]
        return head if head in ("ast", "regex") else "shell"

    @property
    def rule(self) -> tuple[str, str]:
        """Folder (bans or rules) and name of the rule file of an `ast` ban; ("", "") for no such file."""
        match = RULE.fullmatch(self.detect)
        return (match[1], match[2]) if match else ("", "")

    @property
    def words(self) -> tuple[str, ...]:
        """The globs as they are written."""
        return tuple(self.globs.split())

    def scope(self) -> tuple[Glob, ...]:
        """The globs; raises `BadGlob`."""
        return read_globs(self.words)

    def patterns(self) -> tuple[str, ...]:
        """The patterns of a `regex` ban."""
        return tuple(self.detect.removeprefix("regex:").split(SEPARATOR))

    def fault(self) -> str:
        """What makes the ban unusable; "" for one that can run."""
        if not (PROJECT if self.project else SHIPPED).fullmatch(self.id):
            letters = "two or three capitals" if self.project else "BN"
            return f"the id {self.id!r} is not {letters}, a hyphen and two digits"
        if self.project and self.id.startswith("BN-"):
            return f"{self.id} uses the shipped letters BN; choose others for your own bans"
        if not self.words:
            return f"{self.id} has no globs; name the folders that it is about"
        try:
            self.scope()
        except BadGlob as error:
            return f"{self.id}: {error}"
        return self._detect_fault()

    def _detect_fault(self) -> str:
        if not self.detect.strip():
            return f"{self.id} has an empty detect; write a rule file, a pattern or a command"
        if self.kind == "ast" and self.rule[0] != ("rules" if self.project else "bans"):
            folder = "rules" if self.project else "bans"
            return f"{self.id} detects by {self.detect!r}; write ast:{folder}/<name>.yml"
        if self.kind == "regex":
            for pattern in self.patterns():
                if problem := bad_pattern(pattern):
                    return f"{self.id}: {problem}"
        return ""


def bad_pattern(pattern: str) -> str:
    """What is wrong with a pattern that git and Python must read alike; "" for a good one."""
    if not pattern.strip():
        return "an empty pattern"
    if "[[:" in pattern or _DIALECT.search(pattern):
        return f"the pattern {pattern!r} holds what git and Python do not read alike"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = re.compile(f"(?:{pattern})".encode())
    except (re.error, OverflowError, RecursionError, Warning) as error:
        return f"the pattern {pattern!r} is not valid: {error}"
    if compiled.search(b""):
        return f"the pattern {pattern!r} matches an empty line"
    return ""


def bans(records: Iterable[Record], *, project: bool = False) -> tuple[Ban, ...]:
    """The bans of a table's records."""
    return tuple(
        Ban(*(cell.strip() for cell in record.cells), line=record.line, project=project)  # type: ignore[arg-type, misc]
        for record in records
    )


def read(data: bytes) -> Table:
    """A table's records and its structural faults."""
    return parse(data, COLUMNS)
