"""Where the engine that is running keeps its manifests, checks, templates and skills.

One tree in three places: a checkout (`src/goblin` beside `manifest/`), an installed package
(`goblin/_payload/`), and an adopter's repository (`.goblin/engine/goblin` beside
`.goblin/manifest/`). Nothing here looks at the repository under test.
"""

from __future__ import annotations

import os
from typing import NamedTuple

PACKAGE = os.path.dirname(os.path.abspath(__file__))


def _find() -> str:
    packaged = os.path.join(PACKAGE, "_payload")
    if os.path.isdir(packaged):
        return packaged
    return os.path.dirname(os.path.dirname(PACKAGE))


HOME = _find()
"""Absolute path of the folder that holds `manifest/` and `checks/`."""


class Place(NamedTuple):
    """Where a release keeps its parts: `home` holds `manifest/` and `checks/`, `package` the engine."""

    home: str
    package: str

    def path(self, *parts: str) -> str:
        """A file of that payload."""
        return os.path.join(self.home, *parts)


def here() -> Place:
    """The release that is running."""
    return Place(HOME, PACKAGE)


def vendored() -> bool:
    """True when this engine was copied into a repository by `goblin-install`."""
    return os.path.basename(os.path.dirname(PACKAGE)) == "engine"


def path(*parts: str) -> str:
    """A file of the running engine's own payload, such as `path("manifest", "classes.tsv")`."""
    return os.path.join(HOME, *parts)
