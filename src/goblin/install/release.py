"""The files that an install of a release holds, read from the release itself (`goblin-verify --source`).

A source is read as data and never run. What is copied where is known to the release that is running, so
only a source of the same version can be compared.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from goblin import __version__, home
from goblin.facts.installed import PLATFORMS
from goblin.facts.release import Release
from goblin.home import Place
from goblin.install import vendor
from goblin.install.forge import ATTRIBUTES, FORGES
from goblin.install.journal import digest
from goblin.install.templates import TemplateError, load, render
from goblin.install.vendor import Item
from goblin.outcome import CannotRun

INSTALLED_PACKAGE = "installed-package"
"""The word for the release that is running."""

_VERSION = re.compile(r'^__version__ = "([^"\n]+)"$', re.MULTILINE)
_TEXT_OF_THE_PROJECT = b"{{BRANCH_PATTERN}}"


def place(source: str) -> Place:
    """Where a source keeps its parts: this package, a checkout, another package, or a folder of tables."""
    if source == INSTALLED_PACKAGE:
        return home.here()
    folder = os.path.abspath(os.path.expanduser(source))
    if os.path.isdir(os.path.join(folder, "_payload")):
        return Place(os.path.join(folder, "_payload"), folder)
    if os.path.basename(folder) == "_payload":
        return Place(folder, os.path.dirname(folder))
    return Place(folder, os.path.join(folder, "src", "goblin"))


def read(source: str) -> Release:
    """The release at a source, or a `Release` that says why nothing can be compared with it."""
    where = place(source)
    version = _version(where)
    if not version:
        return Release(source, note=f"{source} holds tables and no release: only the rows are read from it")
    if version != __version__:
        told = f"{source} is release {version}, and this is {__version__}: run goblin-verify {version}"
        return Release(source, version, fault=told)
    try:
        always = [
            *vendor.launchers(where),
            Item(".goblin/.gitattributes", render(load("gitattributes", where), {}).encode()),
            *vendor.rules(where),
            *vendor.engine(where),
            *vendor.libraries(),
        ]
        chosen = [*vendor.automations(where), *vendor.skills(PLATFORMS, where)]
        forges = [forge for forge in FORGES.values() if forge.attributes]
        framed = {forge.workflow: load(forge.template, where).encode() for forge in forges}
    except (CannotRun, TemplateError) as error:
        return Release(source, version, fault=f"{source} cannot be read whole: {error}")
    chosen += [Item(forge.attributes, ATTRIBUTES) for forge in forges]
    parts = {path: text.partition(_TEXT_OF_THE_PROJECT) for path, text in framed.items()}
    return Release(
        source,
        version,
        _digests(always),
        _digests(chosen),
        {path: (head, tail) for path, (head, _, tail) in parts.items()},
    )


def _version(where: Place) -> str:
    try:
        with open(os.path.join(where.package, "__init__.py"), encoding="utf-8") as stream:
            found = _VERSION.search(stream.read(1 << 16))
    except (OSError, UnicodeDecodeError):
        return ""
    return found[1] if found else ""


def _digests(items: Iterable[Item]) -> dict[str, str]:
    return {item.path: digest(item.data) for item in items}
