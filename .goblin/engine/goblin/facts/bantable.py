"""Fact `ban_table`: the bans that this repository knows, which of them hold, and what is exempt.

The shipped table is `.goblin/manifest/bans.tsv`, a project's own `.goblin/rules/bans.tsv`. What is wrong
with a value of either is a fault that BN-00 tells; the ban itself then cannot run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin import home
from goblin.bans import table
from goblin.bans.exempt import Exemption, exemptions
from goblin.bans.table import Ban
from goblin.digest import sha256
from goblin.outcome import Finding
from goblin.paths import ReadRefused, Tree
from goblin.redact import clean
from goblin.yaml import List, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goblin.facts import Run
    from goblin.facts.config import Config
    from goblin.manifest import Manifest

SHIPPED = ".goblin/manifest/bans.tsv"
PROJECT = ".goblin/rules/bans.tsv"


class BanTable(NamedTuple):
    """Every ban by id (the first of equal ones), and what the configuration says of them."""

    bans: tuple[Ban, ...] = ()
    present: bool = True  # the shipped table is there
    enabled: tuple[str, ...] = ()
    exempt: tuple[Exemption, ...] = ()

    def get(self, name: str) -> Ban | None:
        """The ban of that id."""
        return next((ban for ban in self.bans if ban.id == name), None)

    def place(self, ban: Ban, message: str = "") -> Finding:
        """Where a ban stands."""
        return Finding(PROJECT if ban.project else SHIPPED, ban.line, 0, message)

    def problems(self) -> list[Finding]:
        """What is wrong with the lines themselves: unusable, empty or repeated."""
        found = []
        seen: dict[str, Ban] = {}
        for ban in self.bans:
            first = seen.setdefault(ban.id, ban)
            if first is not ban:
                found.append(self.place(ban, f"{clean(ban.id)} stands a second time"))
            elif fault := ban.fault():
                found.append(self.place(ban, clean(fault)))
            if not any(map(str.isalnum, ban.replacement)):
                found.append(
                    self.place(ban, f"{clean(ban.id)} has no replacement: say what to write instead")
                )
        return found

    def altered(self) -> list[Finding]:
        """Shipped bans that look elsewhere, or in another way, than this release's own."""
        from goblin.generated.bans import BANS

        found = []
        for ban in self.bans:
            if ban.project or ban.id not in BANS:
                continue
            globs, detect, digest = BANS[ban.id]
            for column, given, released in (("globs", ban.globs, globs), ("detect", ban.detect, detect)):
                if given != released:
                    told = f"{ban.id} has another `{column}` than the release ({released}): {clean(given)}"
                    found.append(self.place(ban, told))
            if digest and ban.detect == detect and _digest(ban) != digest:
                found.append(self.place(ban, f"the rule file of {ban.id} is not the release's: {detect[4:]}"))
        return found

    def exemptions(self, name: str) -> tuple[Exemption, ...]:
        """The exemptions of one ban."""
        return tuple(item for item in self.exempt if item.ban == name)


def items(config: Config, key: str) -> tuple[str, ...]:
    """The items of a list whose items hold blanks; raises `CheckFailed` where the value is wrong."""
    config.words(key)
    node = config.items(key)
    if isinstance(node, Text):
        return tuple(line.strip() for line in node.splitlines() if line.strip())
    found = node if isinstance(node, List) else ()
    return tuple(item.strip() for item in found if isinstance(item, Text) and item.strip())


def _digest(ban: Ban) -> str:
    """The digest of the rule file that a shipped ban is judged by; "" where it cannot be read."""
    folder, name = ban.rule
    try:
        return sha256(Tree(home.HOME).read(f"{folder}/{name}"))
    except ReadRefused:
        return ""


def joined(shipped: Iterable[Ban], own: Iterable[Ban], config: Config, *, present: bool = True) -> BanTable:
    """The table of a repository; raises `CheckFailed` where the configuration's part cannot be read."""
    exempt = exemptions(items(config, "bans_exempt"))
    return BanTable((*shipped, *own), present, config.words("bans"), exempt)


def load(run: Run, config: Config, manifest: Manifest) -> BanTable:
    """The bans of the repository under test; raises `CheckFailed` as `joined` does."""
    shipped = table.bans(manifest.table(table.NAME))
    own = table.bans(manifest.table(f"rules/{table.NAME}"), project=True)
    return joined(shipped, own, config, present=manifest.has(table.NAME))
