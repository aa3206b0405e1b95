"""What stands around a command without changing how it ends: assignments, `env`, `timeout`, `bash -c`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from goblin.facts.shell import Word
from goblin.pattern import lazy

SHELLS = frozenset({"bash", "sh", "dash"})
"""Shells whose scripts are read."""

_ASSIGNMENT = lazy(r"[A-Za-z_][A-Za-z0-9_]*\+?=.*", re.DOTALL)
_DURATION = lazy(r"[0-9.]+[smhd]?")

# A command that runs another and ends as that one ends -> its options that take a value.
_WRAPPERS: dict[str, frozenset[str]] = {
    "command": frozenset(),
    "exec": frozenset({"-a"}),
    "env": frozenset({"-u", "-C", "--unset", "--chdir"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "nohup": frozenset(),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "sudo": frozenset({"-u", "-g", "--user", "--group"}),
    "time": frozenset({"-f", "-o"}),
    "timeout": frozenset({"-k", "-s", "--kill-after", "--signal"}),
    "xvfb-run": frozenset({"-n", "-s", "--server-num", "--server-args"}),
}
_RUNNERS: dict[str, frozenset[str]] = {  # the same, behind the word `run`
    name: frozenset({"-p", "--python", "--with", "--extra", "--group", "-C", "--directory", "--project"})
    for name in ("uv", "poetry", "pipenv", "pdm", "hatch", "rye")
}


class Shell(NamedTuple):
    """How a script is run: whether a failing command ends it, and whether a failing pipe is one."""

    errexit: bool = True
    pipefail: bool = False


def flags(words: Sequence[str], how: Shell) -> Shell:
    """The shell after options such as `-eo pipefail` or `+e`, as `set` and `bash` take them."""
    errexit, pipefail = how
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if len(word) < 2 or word[0] not in "+-" or word.startswith("--"):
            continue
        on = word[0] == "-"
        errexit = on if "e" in word[1:] else errexit
        if "o" in word[1:] and waiting:
            name = waiting.pop(0)
            errexit = on if name == "errexit" else errexit
            pipefail = on if name == "pipefail" else pipefail
    return Shell(errexit, pipefail)


def unwrapped(words: Sequence[Word]) -> tuple[Word, ...]:
    """The command behind leading assignments and behind wrappers that end as it ends."""
    rest = list(words)
    while rest:
        while rest and _ASSIGNMENT.fullmatch(rest[0].raw):
            rest.pop(0)
        name = rest[0].value.rpartition("/")[2] if rest else ""
        if name in _RUNNERS and len(rest) > 1 and rest[1].value == "run":
            rest = _without_options(rest[2:], _RUNNERS[name])
        elif name == "command" and len(rest) > 1 and rest[1].value.startswith("-") and rest[1].value != "-p":
            break  # `command -v x` runs nothing
        elif name in _WRAPPERS and rest[0].fixed:
            rest = _without_options(rest[1:], _WRAPPERS[name])
            if name == "timeout" and rest and _DURATION.fullmatch(rest[0].value):
                rest.pop(0)
        else:
            break
    return tuple(rest)


def _without_options(words: list[Word], valued: frozenset[str]) -> list[Word]:
    rest = list(words)
    while rest and rest[0].value.startswith("-"):
        option = rest.pop(0).value
        if option == "--":
            break
        if option in valued and rest:
            rest.pop(0)
    return rest


def inner_script(words: Sequence[Word]) -> tuple[str, Shell] | None:
    """The script of `bash -c '...'`, where it stands there as plain text."""
    if not words or words[0].value.rpartition("/")[2] not in SHELLS:
        return None
    for at, word in enumerate(words[1:], 1):
        if not word.value.startswith("-"):
            if words[at - 1].value.startswith("-") and words[at - 1].value.endswith("o"):
                continue  # the name that follows `-o`
            return None
        if "c" in word.value and not word.value.startswith("--"):
            script = next((later for later in words[at + 1 :] if not later.value.startswith("-")), None)
            before = [item.value for item in words[1 : at + 1]]
            return (script.value, flags(before, Shell(False, False))) if script and script.fixed else None
    return None
