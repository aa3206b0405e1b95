"""What of the caller's environment steers a command of the loop, without being in the repository.

A variable can turn a predicate green as well as the work can: `MAKEFLAGS=-n` makes every `make` succeed,
`PYTHONOPTIMIZE=1` takes the assertions out, and bash runs what `BASH_ENV` names before anything else.
What only adds options or code is put away: it belongs into the command, or into a committed file. What a
command needs to run at all (`PATH`, `HOME`, library folders) stays, and each run notes a digest of it,
so that a run with other settings than the first one shows.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from goblin.digest import sha256

PUT_AWAY = frozenset(
    ("BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "CDPATH", "GLOBIGNORE", "GREP_OPTIONS",
     "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "PYTEST_ADDOPTS", "PYTEST_PLUGINS",
     "PYTHONOPTIMIZE", "PYTHONSTARTUP", "PYTHONINSPECT")
)  # fmt: skip
"""Variables that no command of the loop is given."""

FUNCTIONS = "BASH_FUNC_"
"""How bash spells the functions that it exports: `grep() { true; }` would stand in for any `grep`."""

NOTED = (
    "CARGO_HOME", "CLASSPATH", "DYLD_INSERT_LIBRARIES", "GOENV", "GOFLAGS", "GRADLE_OPTS", "HOME",
    "JAVA_TOOL_OPTIONS", "LD_LIBRARY_PATH", "LD_PRELOAD", "MAVEN_OPTS", "NODE_OPTIONS", "NODE_PATH", "PATH",
    "PERL5LIB", "PERL5OPT", "PYTHONHOME", "PYTHONPATH", "PYTHONUSERBASE", "RUBYLIB", "RUBYOPT",
    "RUSTC_WRAPPER", "RUSTFLAGS", "TMPDIR", "XDG_CONFIG_HOME", "_JAVA_OPTIONS",
)  # fmt: skip
"""Variables that stay, and of which a run notes what they were."""

_DIGITS = 12


def without(env: Mapping[str, str]) -> dict[str, str]:
    """An environment without what is put away."""
    return {
        name: value
        for name, value in env.items()
        if name not in PUT_AWAY and not name.startswith(FUNCTIONS) and not name.startswith("npm_config_")
    }


def noted(env: Mapping[str, str]) -> dict[str, str]:
    """The start of a digest of each variable that steers, by name; a value itself is nobody's business."""
    return {name: sha256(os.fsencode(env[name]))[:_DIGITS] for name in NOTED if env.get(name)}


def changed(first: object, now: object) -> tuple[str, ...]:
    """The names of the variables that two runs noted differently; none where one of them noted nothing."""
    if not isinstance(first, Mapping) or not isinstance(now, Mapping):
        return ()
    names = {name for name in (*first, *now) if isinstance(name, str) and name in NOTED}
    return tuple(sorted(name for name in names if first.get(name) != now.get(name)))
