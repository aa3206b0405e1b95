"""What is wrong with a config, in words for people: the generated schema, and what no schema can say.

Only a config that has not been judged before gets here: the verdict is cached with the tree.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from goblin.generated.config_schema import COMMANDS, KEYS, REQUIRED, SAYS, validate
from goblin.pattern import lazy
from goblin.redact import clean, mask
from goblin.yaml import List, Map, Node, Text, is_unset, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    Fault = tuple[str, int, int, str, str, str]

PATH = ".goblin/goblin.yaml"
UNKNOWN = "unknown key "
"""How the message on a key begins that nothing reads."""

_INDEX = lazy(r"\[\d+\]")
_STEP = lazy(r"\.?([^.\[]+)|\[(\d+)\]")
_TAG = lazy(r"(?<!\S)!(?!!)\S*")
_SHOWN = 60


def judge(tree: Map) -> list[Fault]:
    """Every fault, in file order: dotted key, line, column, message, remedy, and the key that was meant.

    An index stands as in `gates[0].cmd`. Line and column are 0 for what is missing from the file as
    a whole. The last part is "" unless an unknown key looks like a known one.
    """
    root = _set(tree)
    assert isinstance(root, Map)
    faults: list[Fault] = []
    for place, rule in dict.fromkeys(validate(root)):
        key = place.removeprefix(".")
        node = _at(root, key)
        if rule == "additionalProperties" and isinstance(node, Map):
            faults += _unknown(key, node)
        elif rule == "required" and isinstance(node, Map):
            faults += _missing(key, node)
        else:
            faults.append(_wrong(key, node))
    faults += _signs("", root)
    faults += _repeated(root.get("gates"))
    return sorted(faults, key=lambda fault: fault[1:3])


def _set(node: Node) -> Node | None:
    """The tree without what is not set: null, empty and blank values, and such items of lists."""
    if isinstance(node, Text):
        return None if is_unset(node) or not node.strip() else node
    if isinstance(node, List):
        items = (_set(item) for item in node)
        return List([item for item in items if item is not None], node.line, node.column)
    found = Map(node.line, node.column)
    found.marks = node.marks
    for key, value in node.items():
        kept = _set(value)
        if kept is not None:
            found[key] = kept
    return found


def _at(root: Map, key: str) -> Node:
    node: Node = root
    for name, index in _STEP.findall(key):
        if isinstance(node, List):
            node = node[int(index)]
        elif isinstance(node, Map):
            node = node[name]
    return node


def _pattern(key: str) -> str:
    return _INDEX.sub("[]", key)


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _label(key: str) -> str:
    """How a message names a key: `ratchet.cmd`, or the `cmd` of item 2 of `gates`."""
    head, bracket, rest = key.partition("[")
    if not bracket:
        return f"`{key}`"
    index, _, member = rest.partition("]")
    item = f"item {int(index) + 1} of `{head}`"
    return f"`{member.removeprefix('.')}` of {item}" if member else item


def _shown(node: Node) -> str:
    if isinstance(node, Map):
        return "a mapping of keys"
    if isinstance(node, List):
        return "a list"
    text = clean(mask(node.strip("\n")))
    return f"`{text if len(text) <= _SHOWN else text[:_SHOWN] + '...'}`"


def _wrong(key: str, node: Node) -> Fault:
    says, example = SAYS[_pattern(key)]
    message = f"{_label(key)} {says}: it is {_shown(node)}"
    remedy = f"mend line {node.line} of {PATH}"
    if example:
        name = _last(_INDEX.sub("", key)) if not key.endswith("]") else "-"
        remedy += f", for example: {name}{':' if name != '-' else ''} {example}"
    return key, node.line, node.column, message, remedy, ""


def _missing(key: str, node: Map) -> Iterator[Fault]:
    for name in REQUIRED[_pattern(key)]:
        if name not in node:
            full = f"{key}.{name}".removeprefix(".")
            example = SAYS[_pattern(full)][1]
            if not key:
                yield full, 0, 0, f"`{name}` is not set", f"add the line `{name}: {example}` to {PATH}", ""
                continue
            line, column = node.marks.get(name, (node.line, node.column))
            remedy = f"add `{name}: {example}` to what starts on line {node.line} of {PATH}, or delete it"
            yield full, line, column, f"{_label(key)} has no `{name}`", remedy, ""


def _unknown(key: str, node: Map) -> Iterator[Fault]:
    allowed = KEYS[_pattern(key)]
    for name, (line, column) in node.marks.items():
        if name in allowed or name not in node:
            continue
        meant, hint = "", ""
        close = get_close_matches(name, allowed, n=1, cutoff=0.75)
        homes = [home for home, members in KEYS.items() if name in members and home != _pattern(key)]
        if close:
            meant = f"{key}.{close[0]}".removeprefix(".")
            hint = f": did you mean `{close[0]}`?"
        elif homes:
            if len(homes) == 1 and not homes[0].endswith("]"):
                meant = f"{homes[0]}.{name}".removeprefix(".")
            shown = " or ".join(f"`{home}`" if home else "the first column" for home in homes)
            hint = f" here: it belongs below {shown}".replace("below the first", "in the first").replace(
                "[]", ""
            )
        full = f"{key}.{name}".removeprefix(".")
        place = f" in {_label(key)}" if key else ""
        shown_name = clean(name) if len(name) <= _SHOWN else clean(name[:_SHOWN]) + "..."
        message = f"{UNKNOWN}`{shown_name}`{place}{hint}"
        yield full, line, column, message, f"rename or delete the key on line {line} of {PATH}", meant


def _signs(key: str, node: Node) -> Iterator[Fault]:
    """Values that a tag or an anchor changed: `cmd: !grep x` is not the command that was meant."""
    if isinstance(node, Map):
        for name, value in node.items():
            yield from _signs(f"{key}.{name}".removeprefix("."), value)
    elif isinstance(node, List):
        for index, item in enumerate(node):
            yield from _signs(f"{key}[{index}]", item)
    elif node.sign:
        tag = _TAG.search(node.sign)
        anchored = node.plain and "&" in node.sign and _pattern(key) in COMMANDS
        if not tag and not anchored:
            return
        sign, what = (tag[0], "a tag") if tag else (node.sign, "an anchor")
        message = f"{_label(key)} starts with `{clean(sign)}`, which YAML takes for {what} and drops"
        meant = scalar(f"{node.sign} {node}".rstrip("\n"))
        quoted = meant if meant[0] in "'\"" else f"'{meant}'"
        remedy = f"quote it on line {node.line} of {PATH}: {clean(mask(quoted))}"
        yield key, node.line, node.column, message, remedy, ""


def _repeated(gates: Node | None) -> Iterator[Fault]:
    """Gate names that stand twice: the line of numbers could not tell them apart."""
    first: dict[str, int] = {}
    for index, item in enumerate(gates if isinstance(gates, List) else ()):
        name = item.get("name") if isinstance(item, Map) else None
        if not isinstance(name, Text):
            continue
        if name not in first:
            first[str(name)] = name.line
        else:
            line = first[str(name)]
            message = f"the gate {_shown(name)} stands twice, on line {line} and on line {name.line}"
            yield f"gates[{index}].name", name.line, name.column, message, "give each gate its own name", ""
