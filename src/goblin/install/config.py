"""The config of a target that has one already: what it declares, and the lines that options may change."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin.facts.config import Config, Gate, Problem, Ratchet
from goblin.install.disk import Disk
from goblin.outcome import CannotRun, CheckFailed
from goblin.redact import clean
from goblin.yaml import List, Map, Node, YamlError, is_unset, load, replace

if TYPE_CHECKING:
    from goblin.install.settle import Request, Settled

PATH = ".goblin/goblin.yaml"


class Known(NamedTuple):
    """What an existing config declares. A key that is not set, or holds no text, is ""."""

    data: bytes
    tree: Map

    def text(self, key: str) -> str:
        """The text of a top-level key."""
        value = self.tree.get(key)
        return str(value) if isinstance(value, str) and not is_unset(value) else ""

    @property
    def disabled(self) -> tuple[str, ...]:
        """The parts that are opted out, as they are written."""
        return _texts(self.tree.get("disabled"))

    def declared(self) -> tuple[tuple[Gate, ...], Ratchet | None]:
        """Its gates and its ratchet; none where they are declared wrongly, which GT-01 and GT-04 say."""
        from goblin.facts import configfaults

        config = Config(self.tree, [Problem(*fault) for fault in configfaults.judge(self.tree)])
        try:
            return config.gates(), config.ratchet()
        except CheckFailed:
            return (), None


def read(disk: Disk) -> Known | None:
    """The target's config, or None where there is none yet. Raises `CannotRun` where it is no mapping."""
    data = disk.read(PATH)
    if data is None:
        return None
    remedy = "mend that line; goblin-install does not touch a config that it cannot read"
    try:
        root = load(data, PATH)
    except YamlError as error:
        raise CannotRun(str(error), remedy) from error
    if not isinstance(root, Map):
        raise CannotRun(f"{PATH}:1: the config is no mapping of keys to values", remedy)
    return Known(data, root)


def _texts(node: Node | None) -> tuple[str, ...]:
    if not isinstance(node, List):
        return () if node is None or is_unset(node) else tuple(str(node).split(","))
    return tuple(str(item) for item in node if isinstance(item, str) and not is_unset(item))


def edited(known: Known, settled: Settled, request: Request) -> tuple[bytes, list[str]]:
    """The config with the lines changed that options speak of, and what to say about it.

    Only an option that was given changes a line: a config that was edited by hand stays as it is.
    """
    edits: dict[str, str | tuple[str, ...]] = {}
    said = []
    if set(settled.config_disabled) != set(known.disabled) and _asks_for_parts(known, settled, request):
        edits["disabled"] = settled.config_disabled
        said.append(f"recorded opt-out: {clean(','.join(settled.config_disabled)) or 'none'}")
    wanted = "true" if settled.archive else "false"
    if request.archive is not None and known.text("archive") != wanted:
        edits["archive"] = wanted
        said.append(f"recorded archive: {wanted}")
    if request.force and known.text("class") != settled.class_name:
        edits["class"] = settled.class_name
        said.append(f"recorded class: {settled.class_name}")
    try:
        return replace(known.data, edits, PATH), said
    except YamlError as error:
        raise CannotRun(str(error), "change that line by hand, then run again") from error


def _asks_for_parts(known: Known, settled: Settled, request: Request) -> bool:
    changes_class = request.force and known.text("class") != settled.class_name
    return bool(request.opt_out or request.opt_in or request.skills or changes_class)
