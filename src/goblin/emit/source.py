"""What is emitted: the skills of a payload, byte for byte, and the block for a context file."""

from __future__ import annotations

import re
from typing import NamedTuple

from goblin import __version__, home
from goblin.facts.skills import LIMIT, Fault, Skill
from goblin.install import blocks, templates
from goblin.outcome import CannotRun
from goblin.paths import ReadRefused, Tree

CORE = (
    "goblin-mode",
    "goblin-verify-author",
    "goblin-judge",
    "goblin-bootstrap",
    "goblin-handoff",
    "practice",
)
CHOICES = ("core", "all", "none")

BEGIN = re.compile(rb"<!-- goblin-stack:begin v([^ \r\n]{1,64}) -->")
END = b"<!-- goblin-stack:end -->"

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Emitted(NamedTuple):
    """One skill: its name, its bytes, and the bytes of its name and description lines."""

    name: str
    data: bytes
    standing: int


class Source(NamedTuple):
    """Everything that may be emitted, and where the adapters are read."""

    skills: dict[str, Emitted]
    adapters: str  # folder

    def chosen(self, choice: str) -> tuple[Emitted, ...]:
        """The skills of `core`, `all` or `none`; raises `CannotRun` where the source lacks a core one."""
        if choice == "none":
            return ()
        if choice == "all":
            return tuple(self.skills.values())
        missing = [name for name in CORE if name not in self.skills]
        if missing:
            raise CannotRun(f"the source lacks {', '.join(missing)}", "--skills all takes what is there")
        return tuple(self.skills[name] for name in CORE)


def load(folder: str = "") -> Source:
    """The payload of the running release, or that of a folder which holds `skills/`.

    Adapters are read beside the skills, else in the release. Raises `CannotRun` for a folder without
    skills and for a skill that no platform could load.
    """
    root = folder or home.HOME
    tree = Tree(root)
    try:
        names = [name for name in tree.names("skills") if tree.kind(f"skills/{name}") == "dir"]
    except ReadRefused as error:
        raise CannotRun(str(error), "name a folder that can be read") from error
    if not names:
        raise CannotRun(f"{root} holds no skills/", "name a checkout of goblin-stack, or leave --source out")
    skills = {name: _skill(tree, name) for name in names}
    adapters = tree.full("adapters") if tree.kind("adapters") == "dir" else home.path("adapters")
    return Source(skills, adapters)


def _skill(tree: Tree, name: str) -> Emitted:
    path = f"skills/{name}/SKILL.md"
    try:
        data = tree.read(path, LIMIT)
    except ReadRefused as error:
        raise CannotRun(str(error), "mend the skill, or leave --source out") from error
    skill = Skill(path, data)
    fields = skill.fields
    if isinstance(fields, Fault):
        raise CannotRun(f"{path}:{fields.line}: {fields.message}", "mend the front matter")
    named = fields.get("name")
    if named is None or named.text != name or not _NAME.fullmatch(name) or "description" not in fields:
        told = "the front matter needs name (that of the folder: letters, digits, hyphens) and description"
        raise CannotRun(f"{path}: {told}", "mend the front matter")
    head = data.split(b"\n---", 1)[0].split(b"\n")
    return Emitted(name, data, sum(len(line) + 1 for line in head if line.startswith(_INDEXED)))


_INDEXED = (b"name:", b"description:")
"""What a platform puts into every prompt."""


def block(version: str = __version__) -> bytes:
    """The managed block of a context file, markers and final line end included."""
    return templates.render(templates.load("emit/context.md"), {"VERSION": version}).encode()


class Standing(NamedTuple):
    """A managed block as it stands in a file: where, and of which version."""

    start: int
    end: int
    version: str


def find(data: bytes) -> Standing | None:
    """The block of a file, from its begin marker to the end of the line of its end marker; None without."""
    begin = BEGIN.search(data)
    last = data.find(END, begin.end()) if begin else -1
    if begin is None or last < 0:
        return None
    line_end = data.find(b"\n", last)
    end = len(data) if line_end < 0 else line_end + 1
    return Standing(begin.start(), end, begin[1].decode("utf-8", "replace"))


def separator(data: bytes) -> bytes:
    """What stands between a file and a block that is appended to it: one blank line."""
    if not data:
        return b""
    newline = blocks.line_end(data)
    return newline if data.endswith(b"\n") else newline * 2


def placed(data: bytes, text: bytes) -> bytes:
    """A file with the block `text` in it: in the place of the one that stands there, else appended.

    Line ends are those of the file; bytes outside of the block are kept.
    """
    ours = text.replace(b"\n", blocks.line_end(data))
    standing = find(data)
    if standing is None:
        return data + separator(data) + ours
    if not data[: standing.end].endswith(b"\n"):
        ours = ours.rstrip(b"\r\n")
    return data[: standing.start] + ours + data[standing.end :]
