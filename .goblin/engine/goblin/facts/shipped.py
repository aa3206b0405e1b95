"""Fact `shipped`: the check cells of the release, to hold the installed matrix against (decided 56)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin import __version__, home
from goblin.generated.registry import SHIPPED, SWITCHES
from goblin.outcome import CheckFailed

if TYPE_CHECKING:
    from goblin.facts import Facts


class Shipped(NamedTuple):
    """What a release ships: `checks` goes from id to check cell, `switches` to (scope, part)."""

    version: str
    checks: dict[str, str]
    switches: dict[str, tuple[str, str]]
    reason: str = ""  # why the matrix here cannot be held against it; "" when it can


def load(facts: Facts) -> Shipped:
    """The running engine's own registry, and whether it speaks of the install under test.

    A vendored engine belongs to the install. An installed command may be newer or older than the
    install that it judges: then the record's version decides. An unreadable record excuses nothing.
    """
    try:
        installed = facts.get("record").version
    except CheckFailed:
        installed = __version__
    reason = ""
    if facts.run.manifest_dir:
        reason = f"rows come from {facts.run.manifest_dir}"
    elif installed != __version__ and not home.vendored():
        reason = f"the install is of {installed or 'an unnamed release'}"
    return Shipped(__version__, SHIPPED, SWITCHES, reason)
