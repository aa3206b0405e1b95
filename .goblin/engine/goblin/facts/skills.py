"""Fact `skills`: every SKILL.md one folder below the recorded skills folders, read once a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.installed import PLATFORMS
from goblin.markdown import FrontMatter, blank, front_matter, headings, section
from goblin.outcome import CheckFailed
from goblin.paths import ReadRefused
from goblin.pattern import lazy

if TYPE_CHECKING:
    from goblin.facts.installed import Installed
    from goblin.paths import Tree
    from goblin.yaml import Node

LIMIT = 1 << 20
"""Bytes of a skill that are read; an agent loads it whole."""

BLIND_SPOT = "What this cannot see"
"""How the heading of the section begins that SK-04 wants."""


_LINE = lazy(
    r"""([A-Za-z][A-Za-z0-9_-]*):(?:[ ](?:'((?:[^']|'')*)'|"([^"\\]*)"|([A-Za-z0-9](?:.*[^ ])?)))?[ ]*"""
)


class Field(NamedTuple):
    """One value of the front matter; `text` is None where it is no text, and "" where there is none."""

    line: int
    column: int
    text: str | None


class Fault(NamedTuple):
    """Why the front matter cannot be read."""

    line: int
    column: int
    message: str


class Skill:
    """One skill: its path, the name of its folder, and its text without a byte-order mark.

    `problem` says why it cannot be read at all; `oddities` are tolerated and still worth naming.
    """

    def __init__(self, path: str, data: bytes = b"", problem: str = "") -> None:
        self.path = path
        self.name = path.split("/")[-2]
        self.problem = problem
        self.text = ""
        self.oddities: list[str] = []
        bare = data.removeprefix(b"\xef\xbb\xbf")
        if len(bare) < len(data):
            self.oddities.append("starts with a byte-order mark")
        if b"\r\n" in bare:
            self.oddities.append("has CRLF line ends")
        try:
            self.text = bare.decode("utf-8")
        except UnicodeDecodeError as error:
            self.problem = f"byte {error.start + 1} is not UTF-8"

    @cached_property
    def front(self) -> FrontMatter | None:
        """The block between the `---` lines, if the text opens with one."""
        return front_matter(self.text)

    @cached_property
    def fields(self) -> dict[str, Field] | Fault:
        """The front matter's keys, every scalar as the text that was written, or why there are none."""
        from goblin import yaml

        if self.front is None:
            return Fault(1, 1, "the first line is not exactly ---")
        if not self.front.end:
            return Fault(1, 1, "the front matter is not closed by a line ---")
        plain = _plain_fields(self.front.text)
        if plain is not None:
            return plain
        try:
            root = yaml.load(b"\n" + self.front.text.encode(), self.path)
        except yaml.YamlError as error:
            return Fault(error.line, error.column, error.message)
        if not isinstance(root, dict):
            return Fault(2, 1, "the front matter is no mapping: write key: value lines")
        return {key: Field(*root.marks[key], _scalar(node)) for key, node in root.items()}

    def blind_spots(self) -> list[tuple[int, bool]]:
        """The line of each section on what the skill cannot see, and whether it says anything."""
        return self.sections(BLIND_SPOT, exact=False)

    def sections(self, title: str, *, exact: bool = True) -> list[tuple[int, bool]]:
        """The line of each level-2 section of this title, and whether it says anything.

        Where not `exact`, the heading may go on behind the title.
        """
        lines = self.text.split("\n")
        end = self.front.end if self.front else 0  # a YAML comment is no heading
        body = "\n" * end + "\n".join(lines[end:])
        if title not in body:
            return []
        shown = blank(body, fences=False)
        return [
            (heading.line, any(_says(line) for _, line in section(shown, heading)))
            for heading in headings(body)
            if heading.level == 2
            and (heading.text == title or (not exact and heading.text.startswith(title)))
        ]


class Skills(NamedTuple):
    """The skills folders that the record names, and every skill in them."""

    folders: tuple[str, ...]
    all: tuple[Skill, ...]


def _plain_fields(text: str) -> dict[str, Field] | None:
    """The fields of front matter that is nothing but `key: text` lines, or None for any other.

    Within that subset it reads what the YAML parser reads, which costs more to load than a whole row.
    """
    found: dict[str, Field] = {}
    for number, raw in enumerate(text.split("\n"), start=2):
        line = raw.removesuffix("\r")
        match = _LINE.fullmatch(line) if line.isprintable() else None
        if not match or match[1] in found:
            return None
        key, single, double, plain = match.groups()
        if plain and (": " in plain or " #" in plain or plain.endswith(":")):
            return None
        value = single.replace("''", "'") if single is not None else double
        value = value if value is not None else "" if plain in (None, "null") else plain
        found[key] = Field(number, 1, value)
    return found


def _scalar(node: Node) -> str | None:
    from goblin import yaml

    if yaml.is_unset(node):
        return ""
    return str(node) if isinstance(node, str) else None


def _says(line: str) -> bool:
    return not line.startswith("#") and any(map(str.isalnum, line))


def _read(tree: Tree, path: str) -> Skill:
    try:
        return Skill(path, tree.read(path, LIMIT))
    except ReadRefused as error:
        return Skill(path, problem=str(error).removeprefix(f"{path}: "))


def load(tree: Tree, installed: Installed | None) -> Skills:
    """The skills of every recorded skills folder (of the default one in global engine mode).

    A folder without a SKILL.md is no skill. Raises `CheckFailed` for an unknown platform.
    """
    folders = installed.skill_folders if installed else (PLATFORMS["hermes"],)
    found = []
    for folder in folders:
        try:
            paths = [f"{folder}/{name}/SKILL.md" for name in tree.names(folder)]
        except ReadRefused as error:
            raise CheckFailed(str(error)) from error
        found += [_read(tree, path) for path in paths if tree.kind(path) != "missing"]
    return Skills(folders, tuple(found))
