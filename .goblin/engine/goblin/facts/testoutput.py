"""What the output of a harness says beside its exit code: what failed, what was missing, what ran at all.

A harness is red for the right reason when an assertion of it failed. The signs read here are those of
shells, Python, Node and the test runners in use; a program that prints none of them is taken at its
exit code (spec HS-02, decided 17 and 32).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from goblin.pattern import lazy


class Missing(NamedTuple):
    """A sign that something was not there. `kind` is `command`, `module` or `file`."""

    kind: str
    name: str
    line: str


class Reading(NamedTuple):
    """What one run printed."""

    assertions: tuple[str, ...]  # lines that say that an assertion failed
    missing: tuple[Missing, ...]  # what was not there, though it should have been
    none_ran: str = ""  # the line that says that no test was found


Present = Callable[[Missing], bool]
"""Whether what is missing belongs to the change itself, so that its absence is what the harness shows."""

_COLOUR = lazy(r"\x1b\[[0-9;?]*[A-Za-z]")
_LONGEST = 2000  # characters of a line in which a sign is looked for
_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("module", r"No module named '?(?P<name>[\w.]+)"),
        ("module", r"Cannot find (?:module|package) '(?P<name>[^']+)'"),
        ("module", r"cannot load such file -- (?P<name>\S+)"),
        ("module", r"Can't locate (?P<name>\S+\.pm) in @INC"),
        ("module", r"error while loading shared libraries: (?P<name>[^:\s]+)"),
        ("command", r"command not found: (?P<name>\S+)"),
        ("command", r"(?:^|[:`'\s])(?P<name>[^\s:`']+)'?: command not found"),
        ("command", r"^\S+: (?:line )?\d+: (?P<name>[^:]+): not found$"),
        ("command", r"^env: ['\u2018]?(?P<name>[^'\u2019:]+)['\u2019]?: No such file or directory"),
        ("file", r"can't open file '(?P<name>[^']+)'"),
        ("file", r"^ERROR: Test file \"(?P<name>[^\"]+)\" does not exist"),
        ("file", r"cannot open '?(?P<name>[^\s':]+)'?(?:: No such file)?$"),
        ("file", r"[Nn]o such file or directory(?::|, \w+) '(?P<name>[^']+)'"),
        ("file", r"(?:^|: )(?P<name>[^:]+): No such file or directory"),
        ("command", r"^error: (?P<name>recursive): a gate of this repository runs the verifier"),
    )
)
_QUOTED = lazy(r"['\u2018]([^'\u2019]+)['\u2019]")
_RED = lazy(
    r"^\W*(?:FAIL(?:ED|URE)?\b(?!\s*\(errors=)|not ok\b)|^\s*[\u2717\u2718\u2716\u00d7]"
    r"|\b[Aa]ssertion(?:Error| failed)"
)
_TAP = lazy(r"^\s*(not )?ok\b")
_TAP_DETAIL = lazy(r"^\s*#|^\s+\S")
_NONE_RAN = lazy(
    r"^\s*1\.\.0\b|\bno tests? ran\b|^collected 0 items$|^Ran 0 tests\b|^NO TESTS RAN|^[#\u2139] tests 0$"
    r"|^No tests? (?:files? )?found",
    re.IGNORECASE,
)


def read(output: bytes, harness: str = "", present: Present = lambda _: False) -> Reading:
    """Read the output of one run.

    `harness` is the harness's own path: a runner that says no more than that this file failed has named
    no assertion. What `present` knows is part of the change, and is no missing dependency.
    """
    lines = [
        line.rstrip("\r").rpartition("\r")[2]
        for line in _COLOUR.sub("", output.decode("utf-8", "surrogateescape")).split("\n")
    ]
    signs = [_sign(line, present) for line in lines]
    asserted = [
        line.strip()
        for number, line in enumerate(lines)
        if _RED.search(line) and signs[number] is None and not _only_names(line, harness)
        and not (_TAP.match(line) and any(signs[number + 1 : _block_end(lines, number)]))
    ]  # fmt: skip
    none = next((line.strip() for line in lines if _NONE_RAN.search(line)), "")
    return Reading(tuple(asserted), _each_once(signs), none)


def _sign(line: str, present: Present) -> Missing | None:
    for kind, pattern in _SIGNS:
        match = pattern.search(line[:_LONGEST])
        if match:
            quoted = _QUOTED.search(match["name"])
            found = Missing(kind, (quoted[1] if quoted else match["name"]).strip(), line.strip())
            return None if present(found) else found
    return None


def _each_once(signs: Iterable[Missing | None]) -> tuple[Missing, ...]:
    found: dict[tuple[str, str], Missing] = {}
    for sign in filter(None, signs):
        found.setdefault((sign.kind, sign.name), sign)
    return tuple(found.values())


def _only_names(line: str, harness: str) -> bool:
    """True for a line such as `FAIL checks/a.mjs` or `✖ checks/a.mjs (40ms)`."""
    if not harness:
        return False
    words = line.split()[1:]
    base = harness.rpartition("/")[2]
    return bool(words) and words[0].rpartition("/")[2] == base and all(word[0] in "[(" for word in words[1:])


def _block_end(lines: list[str], number: int) -> int:
    """One past the last line of detail below a TAP result."""
    end = number + 1
    while end < len(lines) and not _TAP.match(lines[end]) and _TAP_DETAIL.match(lines[end]):
        end += 1
    return end
