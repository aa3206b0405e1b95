"""Fact `config`: `.goblin/goblin.yaml`, read string-only and judged by its schema (docs/decisions/0003).

Every key is converted by its own rule when a check asks for it, so a wrong value is a FAIL of the rows
that read it and of no other (decided 51). What makes the whole file unreadable ends the run instead.
A parsed and judged config is cached in the git directory, because parsing costs more than a run.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from goblin import __version__, yaml
from goblin.digest import sha256
from goblin.generated.config_defaults import DEFAULTS, DIGEST
from goblin.outcome import CannotRun, CheckFailed, Finding
from goblin.paths import ReadRefused, Tree, confined
from goblin.yaml import List, Map, Node, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goblin.facts import Run

PATH = ".goblin/goblin.yaml"
CLASSES = ("A", "B", "C", "D", "E", "F")
INSTALL = "goblin-install --target . --class A"
LIMIT = 256 << 10
"""Bytes of a config that will be read; a real one has some thousands."""

_CACHE_FORMAT = "1"
_CACHE_LIMIT = 8 << 20
_CACHE_KEPT = 8


class Gate(NamedTuple):
    """One declared gate. `line` is where its entry starts."""

    name: str
    cmd: str
    timeout_s: int
    host: bool  # needs a machine of its own: named, never run here
    line: int


class Ratchet(NamedTuple):
    """The declared ratchet; a member that is not set is "" (the ceiling: None)."""

    name: str
    cmd: str
    ceiling: int | None
    raised: str  # as written, unchecked: GT-05 judges the sum


class Problem(NamedTuple):
    """One fault of the config. An index in `key` stands as in `gates[0].cmd`."""

    key: str
    line: int
    column: int
    message: str
    remedy: str
    meant: str  # the known key that an unknown one looks like, or ""

    def touches(self, key: str) -> bool:
        """True when this fault is about `key`, something inside it, or a mapping around it."""
        return (
            self.key == key or self.key.startswith((f"{key}.", f"{key}[")) or key.startswith(f"{self.key}.")
        )

    def finding(self) -> Finding:
        """The fault with its place."""
        return Finding(PATH, self.line, self.column, self.message)


class Config:
    """What the repository declares. Keys are dotted: `ratchet.cmd`.

    Absent, empty, blank, `~` and `null` all mean "not set". An accessor returns the default for such a
    key (the schema's own where the caller gives none), and raises `CheckFailed`, with place and remedy,
    for one whose value its rule does not allow.
    """

    def __init__(self, tree: Map, problems: Iterable[Problem] = ()) -> None:
        self.tree = tree
        self._problems = tuple(problems)

    @property
    def class_name(self) -> str:
        """The class, A to F."""
        return str(self.tree["class"])

    @property
    def archive(self) -> bool:
        """True only for `archive: true`; a wrong value waives nothing, and CL-02 FAILs on it."""
        return self.items("archive") == "true"

    @property
    def disabled(self) -> tuple[str, ...]:
        """The parts opted out; a value that is no list switches nothing off (see `words`, which raises)."""
        node = self.items("disabled")
        return _texts(node) if isinstance(node, List) else ()

    def items(self, key: str) -> Node | None:
        """The raw node of a key, whatever it holds; None where it is not set. Never raises."""
        node: Node | None = self.tree
        for name in key.split("."):
            node = node.get(name) if isinstance(node, Map) else None
        return None if yaml.is_unset(node) or (isinstance(node, Text) and not node.strip()) else node

    def text(self, key: str, default: str | None = None) -> str:
        """One text, without the line breaks that end a block."""
        node = self._sound(key)
        if node is None:
            return DEFAULTS.get(key, "") if default is None else default
        if not isinstance(node, Text):
            raise self._wrong(key, f"`{key}` must be one text")
        return node.rstrip("\r\n")

    def words(self, key: str) -> tuple[str, ...]:
        """The items of a list, or the words of a text; empty items are dropped."""
        node = self._sound(key)
        if isinstance(node, Text):
            return tuple(node.split())
        return _texts(node)

    def integer(self, key: str, default: int | None = None, *, positive: bool = False) -> int:
        """A whole number of 0 or more; with `positive`, of 1 or more."""
        if self._sound(key) is None and default is not None:
            return default
        text = self.text(key)
        if not (text.isascii() and text.isdigit() and len(text) <= 15) or (positive and not int(text)):
            raise self._wrong(key, f"`{key}` must be a whole number of {int(positive)} or more")
        return int(text)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """True for `true`, and for `yes` where the key takes it."""
        if self._sound(key) is None and default is not None:
            return default
        text = self.text(key) or "false"
        if text not in ("true", "false", "yes", "no"):
            raise self._wrong(key, f"`{key}` must be true or false")
        return text in ("true", "yes")

    def path(self, key: str, default: str | None = None) -> str:
        """A path inside the repository: relative, normal, `.` for the root, "" when not set.

        This judges the text; `goblin.paths.Tree` refuses what leaves the root by a link.
        """
        text = self.text(key, default)
        path = os.path.normpath(text) if text else ""
        if path not in ("", ".") and not confined(path):
            raise self._wrong(key, f"`{key}` must be a path inside the repository")
        return path

    def gates(self) -> tuple[Gate, ...]:
        """The declared gates in file order; raises `CheckFailed` when one of them is malformed."""
        node = self._sound("gates")
        found = []
        for item in node if isinstance(node, List) else ():
            if isinstance(item, Map):
                member = Config(item)
                timeout = member.integer("timeout_s", int(DEFAULTS["gates[].timeout_s"]))
                host = member.text("kind") == "host"
                found.append(Gate(member.text("name"), member.text("cmd"), timeout, host, item.line))
        return tuple(found)

    def ratchet(self) -> Ratchet | None:
        """The ratchet; None where neither its name nor its command is set.

        Raises `CheckFailed` for a wrong member and for an unknown one, but not for `raised`.
        """
        wrong = [problem for problem in self.faults("ratchet") if problem.key != "ratchet.raised"]
        if wrong:
            raise self._failure(wrong)
        name, cmd = self.text("ratchet.name"), self.text("ratchet.cmd")
        if not name and not cmd:
            return None
        raised = self.items("ratchet.raised")
        ceiling = self.text("ratchet.ceiling")
        return Ratchet(
            name, cmd, int(ceiling) if ceiling else None, str(raised) if isinstance(raised, Text) else ""
        )

    def where(self, key: str, message: str = "") -> Finding:
        """The place of a key's value; without one, of the mapping that lacks it, or of the file."""
        node: Node = self.tree
        place = (0, 0)
        for name in key.split("."):
            if not isinstance(node, Map) or name not in node:
                break
            place, node = node.marks[name], node[name]
        else:
            place = (node.line, node.column)
        return Finding(PATH, *place, message)

    def problems(self, *keys: str) -> tuple[Finding, ...]:
        """Every fault with its place, in file order; with `keys`, those that touch one of them."""
        return tuple(problem.finding() for problem in self.faults(*keys))

    def faults(self, *keys: str) -> tuple[Problem, ...]:
        """The same as `problems`, with key and remedy."""
        return tuple(p for p in self._problems if not keys or any(self._concerns(p, key) for key in keys))

    def unknown(self) -> tuple[Problem, ...]:
        """The keys that nothing reads: no row owns them, so no row says it."""
        if not self._problems:
            return ()
        from goblin.facts.configfaults import UNKNOWN

        return tuple(problem for problem in self._problems if problem.message.startswith(UNKNOWN))

    def _concerns(self, problem: Problem, key: str) -> bool:
        return problem.touches(key) or (problem.meant == key and self.items(key) is None)

    def _sound(self, key: str) -> Node | None:
        """The raw node of a key that no fault touches, nor a misspelling of it."""
        wrong = self.faults(key) if self._problems else ()
        if wrong:
            raise self._failure(wrong)
        return self.items(key)

    def _failure(self, problems: Iterable[Problem]) -> CheckFailed:
        first, *more = problems
        also = f" (and {len(more)} more)" if more else ""
        findings = [problem.finding() for problem in (first, *more)]
        return CheckFailed(f"{first.message}{also}", findings, first.remedy)

    def _wrong(self, key: str, message: str) -> CheckFailed:
        where = self.where(key, message)
        return CheckFailed(message, [where], f"mend line {where.line} of {PATH}")


def _texts(node: Node | None) -> tuple[str, ...]:
    items = node if isinstance(node, List) else ()
    return tuple(str(item).strip() for item in items if isinstance(item, Text) and not _blank(item))


def _blank(text: Text) -> bool:
    return yaml.is_unset(text) or not text.strip()


def load(run: Run) -> Config:
    """The config of the repository under test.

    Raises `CannotRun` (exit 2) where there is none, where it is no YAML mapping with one value for each
    key, and where `class` is not one of A to F.
    """
    data = _read(run.root)
    folder = _cache_folder(run)
    name = f"config-{_digest(data)}.json" if folder else ""
    cached = _recall(folder, name) if folder else None
    if cached:
        return cached
    try:
        tree = yaml.load(data, PATH, limit=LIMIT)
    except yaml.YamlError as error:
        raise CannotRun(str(error), f"mend line {error.line} of {PATH}") from error
    if not isinstance(tree, Map):
        told = f"{PATH}:{tree.line}:{tree.column}: the config must hold `key: value` lines"
        raise CannotRun(told, f"git checkout -- {PATH}, or delete it and run {INSTALL}")
    _require_class(tree)
    from goblin.facts import configfaults

    config = Config(tree, [Problem(*fault) for fault in configfaults.judge(tree)])
    if folder:
        _remember(folder, name, config)
    return config


def _read(root: str) -> bytes:
    tree = Tree(root)
    if tree.kind(PATH) == "missing":
        raise CannotRun(f"not installed: there is no {PATH} in {tree.root}", INSTALL)
    try:
        return tree.read(PATH, LIMIT)
    except ReadRefused as error:
        raise CannotRun(str(error), f"make {PATH} a regular file inside the repository") from error


def _require_class(tree: Map) -> None:
    node = tree.get("class")
    if node in CLASSES:
        return
    line, column = (node.line, node.column) if node is not None else (1, 1)
    unset = node is None or yaml.is_unset(node) or not node
    told = "`class` is not set" if unset else f"unknown class {_quoted(node)}"
    raise CannotRun(
        f"{PATH}:{line}:{column}: {told}",
        "write class: and one of A software, B service, C game, D knowledge, E agent fleet, F desktop shell",
    )


def _quoted(node: Node | None) -> str:
    from goblin.redact import clean

    return f"`{clean(node[:40])}`" if isinstance(node, Text) else "that is no text"


# --- the cache ---------------------------------------------------------------------------------


def _cache_folder(run: Run) -> str:
    """Where this run keeps parsed configs; "" when it may not.

    A `--static` run looks at a repository that nobody trusts yet, its git directory included.
    """
    if run.static or not run.cache or run.git_dir is None:
        return ""
    return os.path.join(run.git_dir, "goblin", "cache")


def _digest(data: bytes) -> str:
    """SHA-256 of a config and of everything that decides how it is read."""
    maker = "\0".join((_CACHE_FORMAT, __version__, DIGEST, "")).encode()
    return sha256(maker + data)


def _recall(folder: str, name: str) -> Config | None:
    """The cached config; None where there is none or it cannot be what this module wrote."""
    import json

    try:
        found = json.loads(Tree(folder).read(name, _CACHE_LIMIT))
        tree = yaml.load_tree(found["tree"])
        problems = [_problem(*row) for row in found["problems"]]
    except (ReadRefused, ValueError, TypeError, KeyError, RecursionError):
        return None
    if not isinstance(tree, Map) or tree.get("class") not in CLASSES:
        return None
    return Config(tree, problems)


def _problem(key: str, line: int, column: int, message: str, remedy: str, meant: str) -> Problem:
    texts, numbers = (key, message, remedy, meant), (line, column)
    if not all(isinstance(text, str) for text in texts) or not all(type(number) is int for number in numbers):
        raise TypeError("a member of another type")
    return Problem(key, line, column, message, remedy, meant)


def _remember(folder: str, name: str, config: Config) -> None:
    """Keep a config for the next run, and no more than a few of its elders; a failure only costs time."""
    import json

    from goblin import atomic

    data = json.dumps({"tree": yaml.dump_tree(config.tree), "problems": config.faults()}, ensure_ascii=True)
    try:
        os.makedirs(folder, exist_ok=True)
        atomic.write(os.path.join(folder, name), data.encode())
        _prune(folder, name)
    except (OSError, ValueError):
        return


def _prune(folder: str, name: str) -> None:
    with os.scandir(folder) as entries:
        elders = [
            (entry.stat(follow_symlinks=False).st_mtime_ns, entry.path)
            for entry in entries
            if entry.name.startswith("config-") and entry.name.endswith(".json") and entry.name != name
        ]
    for _, path in sorted(elders, reverse=True)[_CACHE_KEPT - 1 :]:
        os.unlink(path)
