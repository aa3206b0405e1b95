"""The config of a target that has one already: what it declares, and the lines that options may change."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goblin.install.disk import Disk
from goblin.install.measure import TIMEOUT, Gate, Ratchet
from goblin.outcome import CannotRun
from goblin.redact import clean
from goblin.yaml import List, Map, Node, YamlError, is_unset, load, replace

if TYPE_CHECKING:
    from goblin.install.settle import Request, Settled

PATH = ".goblin/goblin.yaml"


class Known(NamedTuple):
    """What an existing config declares, as far as an install needs it; "" for what is not set."""

    data: bytes
    class_name: str
    branch: str
    harness_dir: str
    archive: str
    disabled: tuple[str, ...]
    gates: tuple[Gate, ...]  # those that run here: a host gate needs a machine of its own
    ratchet: Ratchet


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
    ratchet = root.get("ratchet")
    return Known(
        data=data,
        class_name=_text(root, "class"),
        branch=_text(root, "branch"),
        harness_dir=_text(root, "harness_dir"),
        archive=_text(root, "archive"),
        disabled=_texts(root.get("disabled")),
        gates=tuple(_gates(root.get("gates"))),
        ratchet=Ratchet(*(_text(ratchet, key) for key in ("name", "cmd", "ceiling"))),
    )


def _text(node: Node | None, key: str) -> str:
    value = node.get(key) if isinstance(node, Map) else None
    return str(value) if isinstance(value, str) and not is_unset(value) else ""


def _texts(node: Node | None) -> tuple[str, ...]:
    if not isinstance(node, List):
        return () if node is None or is_unset(node) else tuple(str(node).split(","))
    return tuple(str(item) for item in node if isinstance(item, str) and not is_unset(item))


def _gates(node: Node | None) -> list[Gate]:
    found = []
    for item in node if isinstance(node, List) else ():
        name, cmd, seconds = (_text(item, key) for key in ("name", "cmd", "timeout_s"))
        if name and cmd and _text(item, "kind") != "host":
            limit = (
                float(seconds) if seconds.isascii() and seconds.isdigit() and len(seconds) < 9 else TIMEOUT
            )
            found.append(Gate(name, cmd, limit))
    return found


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
    if request.archive is not None and known.archive != wanted:
        edits["archive"] = wanted
        said.append(f"recorded archive: {wanted}")
    if request.force and known.class_name != settled.class_name:
        edits["class"] = settled.class_name
        said.append(f"recorded class: {settled.class_name}")
    try:
        return replace(known.data, edits, PATH), said
    except YamlError as error:
        raise CannotRun(str(error), "change that line by hand, then run again") from error


def _asks_for_parts(known: Known, settled: Settled, request: Request) -> bool:
    changes_class = request.force and known.class_name != settled.class_name
    return bool(request.opt_out or request.opt_in or request.skills or changes_class)
