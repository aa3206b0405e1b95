"""What is known of each agent platform: one table a platform, and one about how they read (spec install 19).

`adapters/<id>/adapter.tsv` holds comments, a header and exactly one row. A folder that begins with `_`
is no platform. A cell that still holds braces belongs to a template that nobody has filled.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from goblin import clock, tables
from goblin.emit import Refused
from goblin.outcome import CannotRun
from goblin.paths import ReadRefused, Tree, confined

FILE = "adapter.tsv"
READING = "reading.tsv"
NAME = "<name>"
"""Stands for the name of a skill in the paths of an adapter."""

NONE = "-"
LIMIT = 64 << 10

ENUMS = {
    "cap_skills": ("yes", "partial", "no"),
    "cap_context_injection": ("yes", "full", "partial", "no"),
    "cap_command_blocking": ("yes", "partial", "no"),
    "cap_marketplace": ("yes", "no"),
    "cap_post_compaction": ("yes", "no"),
}
WINS = ("project", "global", "both", "undocumented")


class Adapter(NamedTuple):
    """One platform. `context_path` is `-` where it reads no file of a project."""

    id: str
    display: str
    detect_any: str
    skills_path_project: str
    skills_path_global: str
    context_path: str
    docs_url: str
    docs_read: str
    cap_skills: str
    cap_context_injection: str
    cap_command_blocking: str
    cap_marketplace: str
    cap_post_compaction: str

    @property
    def anchors(self) -> tuple[str, ...]:
        """What tells that the platform is here: folders below home, paths, commands."""
        return tuple(self.detect_any.split(":"))


class Reading(NamedTuple):
    """How a platform reads: which of two copies it takes, and other platforms' folders that it reads too."""

    wins: str = "undocumented"
    also_reads: tuple[str, ...] = ()


def names(root: str) -> list[str]:
    """The platforms of an adapters folder, sorted; raises `CannotRun` where there is no such folder."""
    tree = Tree(root)
    found = [name for name in tree.names("") if not name.startswith(("_", ".")) and tree.kind(name) == "dir"]
    if not found:
        raise CannotRun(f"{root} holds no adapter", "name a folder that holds skills/ and adapters/")
    return found


def load(root: str, platform: str) -> Adapter:
    """One platform's adapter.

    Raises `CannotRun` for a platform that is not there or is a template that nobody has filled (exit 2),
    and `Refused` for a malformed table (exit 1).
    """
    tree = Tree(root)
    if not confined(platform) or "/" in platform or tree.kind(platform) != "dir":
        raise CannotRun(f"unknown platform: {platform}", f"known are: {', '.join(names(root))}")
    path = f"{platform}/{FILE}"
    try:
        data = tree.read(path, LIMIT)
        records = tables.read(data, Adapter._fields, f"adapters/{path}", comments=True)
    except (ReadRefused, tables.TableError) as error:
        raise _malformed(str(error).removeprefix("adapters/")) from error
    if any("{{" in cell for record in records for cell in record.cells):
        raise CannotRun(f"{platform} is a template that nobody has filled", f"fill every cell of {path}")
    if len(records) != 1:
        raise _malformed(f"{path}: {len(records)} rows, where one is expected")
    adapter = Adapter(*records[0].cells)
    problem = _problem(adapter, platform)
    if problem:
        raise _malformed(f"{path}:{records[0].line}: {problem}")
    return adapter


def _malformed(message: str) -> Refused:
    return Refused(
        f"malformed adapter table: adapters/{message}", "mend that line, or re-install goblin-stack"
    )


def _problem(adapter: Adapter, platform: str) -> str:
    """What is wrong with the cells, "" when nothing is."""
    blank = [name for name, cell in adapter._asdict().items() if not cell.strip()]
    if blank:
        return f"empty: {', '.join(blank)}"
    if adapter.id != platform:
        return f"the id is {adapter.id!r}; its folder is {platform!r}"
    for name, allowed in ENUMS.items():
        if getattr(adapter, name) not in allowed:
            return f"{name} is {getattr(adapter, name)!r}; it is one of: {' '.join(allowed)}"
    read = clock.parse_date(adapter.docs_read)
    if read is None or clock.in_future(read):
        return f"docs_read is {adapter.docs_read!r}; it is the date on which the documentation was read"
    if not adapter.docs_url.startswith("https://"):
        return "docs_url is no https address"
    return _path_problem(adapter)


def _path_problem(adapter: Adapter) -> str:
    paths = {
        "skills_path_project": adapter.skills_path_project,
        "skills_path_global": adapter.skills_path_global.removeprefix("~/"),
    }
    if not adapter.skills_path_global.startswith("~/"):
        return "skills_path_global does not begin with ~/"
    for name, path in paths.items():
        if not confined(path) or not path.endswith(f"/{NAME}/SKILL.md"):
            return f"{name} is no relative path that ends in {NAME}/SKILL.md"
    if adapter.context_path != NONE and not confined(adapter.context_path):
        return "context_path is neither - nor a relative path"
    if not all(re.fullmatch(r"~/[\w./-]+|/[\w./-]+|[\w.-]+", anchor) for anchor in adapter.anchors):
        return "detect_any holds something that is no folder below ~/, no path and no command"
    return ""


def detect(adapter: Adapter) -> str:
    """The first anchor that is there, "" where none is."""
    import shutil

    for anchor in adapter.anchors:
        if anchor.startswith("~"):
            found = os.path.isdir(os.path.expanduser(anchor))
        elif anchor.startswith("/"):
            found = os.path.exists(anchor)
        else:
            found = shutil.which(anchor) is not None
        if found:
            return anchor
    return ""


def readings(root: str) -> dict[str, Reading]:
    """How each platform reads; raises `Refused` for a malformed table. An absent table says nothing."""
    tree = Tree(root)
    if tree.kind(READING) == "missing":
        return {}
    columns = ("platform", "wins", "also_reads")
    try:
        records = tables.read(tree.read(READING, LIMIT), columns, READING, comments=True)
    except (ReadRefused, tables.TableError) as error:
        raise _malformed(str(error)) from error
    found = {}
    for record in records:
        platform, wins, also = record.cells
        folders = () if also == NONE else tuple(also.split(","))
        if wins not in WINS or not all(map(confined, folders)):
            raise _malformed(
                f"{READING}:{record.line}: wins is one of {' '.join(WINS)}, also_reads are paths"
            )
        found[platform] = Reading(wins, folders)
    return found
